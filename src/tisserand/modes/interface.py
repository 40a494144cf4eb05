"""Interface dofs of a component: named, checked, and made independent where a rigid or interpolation element ties them.

Serves [CraigBampton1968].
"""

from __future__ import annotations

from dataclasses import replace

import numpy as np
from scipy.sparse import coo_array, csr_array

from tisserand.arguments import checked_arguments
from tisserand.arrays import FloatArray, IntArray
from tisserand.assembly.assembled_model import AssembledModel, DofTable
from tisserand.errors import ModelError

COMPONENTS = ("T1", "T2", "T3", "R1", "R2", "R3")


@checked_arguments
def interface_dofs(model: AssembledModel, node_ids: IntArray | list[int], components: str = "123456") -> IntArray:
    """(p, 2) rows (node index, component) of the given nodes in the given Nastran digits.

    Args:
        model: the assembled model.
        node_ids: of the interface.
        components: digits 1-6.
    """
    rows = model.nodes.indices(np.asarray(node_ids, np.int64))
    digits = np.array([int(c) - 1 for c in components])
    return np.column_stack([np.repeat(rows, len(digits)), np.tile(digits, len(rows))])


def dof_name(model: AssembledModel, node: int, component: int) -> str:
    """``node 12 T3``, or ``point 1001`` for a scalar point."""
    scalar = model.nodes.scalar
    if scalar is not None and scalar[node]:
        return f"point {model.nodes.ids[node]}"
    return f"node {model.nodes.ids[node]} {COMPONENTS[component]}"


def promoted(model: AssembledModel, interface: IntArray) -> AssembledModel:
    """The same model with every interface dof independent.

    A dof that a tie made dependent, ``b = B d`` with a row of the recovery, takes the place of one dof that it depends on.
    Interface dofs that nothing is connected to raise.
    """
    interface = np.asarray(interface, np.int64).reshape(-1, 2)
    if len(np.unique(interface, axis=0)) != len(interface):
        raise ModelError("an interface dof is named twice")
    index = model.dofs.index
    missing = interface[index[interface[:, 0], interface[:, 1]] < 0]
    if not len(missing):
        return model
    rows = interface_rows(model, missing)
    empty = np.flatnonzero(np.abs(rows).max(axis=1) == 0.0)
    if len(empty):
        names = [dof_name(model, *missing[i]) for i in empty[:6]]
        raise ModelError(
            "interface dofs are not connected to the structure",
            ids=model.nodes.ids[missing[empty, 0]].tolist(),
            found=", ".join(names),
            advice="name nodes that elements or ties use, and components that exist there",
        )
    return _exchanged(model, missing, rows, interface)


def interface_rows(model: AssembledModel, dofs: IntArray) -> FloatArray:
    """(p, d) each named dof in its node's axes as a combination of the independent ones."""
    node, component = dofs[:, 0], dofs[:, 1]
    axes = model.nodes.axes
    out = np.zeros((len(dofs), model.size))
    for half in (0, 3):
        chosen = np.flatnonzero((component >= half) & (component < half + 3))
        if not len(chosen):
            continue
        base = np.stack([model.recovery[6 * node[chosen] + half + c].toarray() for c in range(3)], axis=1)
        if axes is None:
            out[chosen] = base[np.arange(len(chosen)), component[chosen] - half]
        else:
            direction = axes[node[chosen], component[chosen] - half]
            out[chosen] = np.einsum("pc,pcd->pd", direction, base)
    return out


def _exchanged(model: AssembledModel, dofs: IntArray, rows: FloatArray, interface: IntArray) -> AssembledModel:
    """Swap each dependent interface dof with a pivot among the dofs it depends on (never another interface dof)."""
    from scipy.linalg import qr

    allowed = np.ones(model.size, np.bool_)
    index = model.dofs.index[interface[:, 0], interface[:, 1]]
    allowed[index[index >= 0]] = False
    candidates = np.flatnonzero(allowed & (np.abs(rows).max(axis=0) > 0.0))
    if len(candidates) < len(dofs):
        raise ModelError("interface dofs depend on each other", found=", ".join(dof_name(model, *d) for d in dofs[:6]))
    _, triangle, order = qr(rows[:, candidates], mode="economic", pivoting=True)
    diagonal = np.abs(np.diag(triangle))
    if diagonal.min() <= 1e-9 * diagonal.max():
        raise ModelError("interface dofs depend on each other", found=", ".join(dof_name(model, *d) for d in dofs[:6]))
    pivots = candidates[order[: len(dofs)]]
    inverse = np.linalg.inv(rows[:, pivots])
    rest = np.setdiff1d(np.arange(model.size), pivots)
    # old dofs d = T q with q the old ones except that q[pivots] are the interface dofs
    coupling = -inverse @ rows[:, rest]
    r, c = np.nonzero(coupling)
    i, j = np.nonzero(inverse)
    entries = np.concatenate([np.ones(len(rest)), coupling[r, c], inverse[i, j]])
    places = (np.concatenate([rest, pivots[r], pivots[i]]), np.concatenate([rest, rest[c], pivots[j]]))
    T = csr_array(coo_array((entries, places), shape=(model.size, model.size)))
    node, component = model.dofs.node.copy(), model.dofs.component.copy()
    node[pivots], component[pivots] = dofs[:, 0], dofs[:, 1]
    rigid = model.rigid_body_vectors.copy()
    rigid[pivots] = rows @ model.rigid_body_vectors
    damping = None if model.damping is None else csr_array(T.T @ model.damping @ T)
    return replace(
        model,
        stiffness=_symmetric(T.T @ model.stiffness @ T),
        mass=_symmetric(T.T @ model.mass @ T),
        damping=damping,
        dofs=DofTable(node, component, model.dofs.node_count),
        recovery=csr_array(model.recovery @ T),
        rigid_body_vectors=rigid,
        notes=(*model.notes, f"{len(dofs)} tied interface dofs made independent"),
    )


def _symmetric(matrix: csr_array) -> csr_array:
    out = csr_array(0.5 * (matrix + matrix.T))
    out.sum_duplicates()
    return out
