"""Geometric stiffness reduced to modal coordinates: one matrix per unit load of the moving body (theory 6).

Families: translational accelerations of O (3), angular accelerations (3), products of rates w_i w_j (6), accelerations of the
modal coordinates (``eta:1`` to ``eta:k``), and
unit forces and moments at chosen interfaces. Each load stresses the held structure (or the free one, balanced
by its own inertia); the stress gives K_geo, and Kg = Phi' K_geo Phi.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import numpy as np

from tisserand.appendage.record.packed_pairs import fits, unpacked
from tisserand.appendage.record.reduced_appendage import GEOMETRIC_FAMILIES
from tisserand.arrays import FloatArray, IntArray, symmetric
from tisserand.assembly.assemble import chunks
from tisserand.assembly.rigid_arms import rigid_arms
from tisserand.elements.element_data import gathered
from tisserand.errors import ModelError
from tisserand.model import Supports
from tisserand.modes.modal_basis import ModalBasis
from tisserand.statics import HeldStructure, acceleration_loads, second_displacement, solve_static, spin_loads
from tisserand.statics.arm_forces import element_forces, loaded_nodes


def geometric_families(
    basis: ModalBasis,
    Phi: FloatArray,
    point: FloatArray,
    nodes: Mapping[str, int] | None = None,
    field: FloatArray | None = None,
) -> tuple[dict[str, FloatArray], list[str]]:
    """Geometric stiffness Kg (k, k) by name.

    For unit values of GEOMETRIC_FAMILIES about ``point`` and of ``F:NAME:1..6`` at node rows.

    Forces (1-3, N) are in body axes and keep their direction; moments (4-6, N m) are semi-tangential, as of dead
    forces on two crossed arms. ``field`` (n, 6, p): foreshortening of all nodes, which is -Kg of unit loads there by duality
    (theory section 8.2); None finds it load by load. Returns notes on what has no family: rates where the mass has
    no displacement field,
    moments at nodes without rotation.
    """
    model, k = basis.model, Phi.shape[1]
    if model.structure is None:
        raise ModelError("geometric stiffness needs the elements, not bare matrices", where=f"model {model.name}")
    names, columns, notes = list(GEOMETRIC_FAMILIES[:6]), [acceleration_loads(model, point)], []
    if model.has_field:
        names += GEOMETRIC_FAMILIES[6:]
        columns.append(spin_loads(model, point))
    else:
        notes.append("no geometric stiffness of rates: the mass has no displacement field")
    names += [f"eta:{m + 1}" for m in range(k)]
    columns.append(-np.asarray(model.mass @ Phi))
    frame = len(names)
    known: dict[str, FloatArray] = {}
    for name, row in (nodes or {}).items():
        at_node = np.asarray(model.recovery[6 * row : 6 * row + 6].toarray()).T
        active = np.abs(at_node).max(axis=0) > 0.0
        if not active[3:].any():
            notes.append(f"no geometric stiffness of moments at {name!r}: its node has no rotation")
        for component in np.flatnonzero(active):
            if field is None:
                names.append(f"F:{name}:{component + 1}")
                columns.append(at_node[:, component : component + 1])
            else:
                known[f"F:{name}:{component + 1}"] = -unpacked(field[row, component], Phi.shape[1])
    loads = np.hstack(columns)
    acting = _acting(loads, (3, 6, frame - k, frame, len(names)))
    state = solve_static(model, loads[:, acting], held_supports(basis), inertia_relief=True, uncarried="hold")
    matrices = np.zeros((len(names), Phi.shape[1], Phi.shape[1]))
    matrices[acting] = _reduced(basis, Phi, model.displacements(state.displacement))
    return {name: symmetric(matrix) for name, matrix in zip(names, matrices)} | known, notes


def foreshortening(basis: ModalBasis, Phi: FloatArray) -> tuple[FloatArray | None, str]:
    """psi (n, 6, p) of all nodes without that of rigid arms, packed pairs of modes, and its gauge (``attachment``, ``mean``).

    None where the field is too large to keep (``packed_pairs``). Arms have theirs with and without the families; the forces
    that they carry are in this one.
    """
    if not fits(len(basis.model.nodes), Phi.shape[1]):
        held = HeldStructure(basis.model, held_supports(basis), inertia_relief=True)
        return None, "mean" if held.relieved else "attachment"
    found = second_displacement(basis.model, Phi, held_supports(basis))
    return found.displacement - found.arms, found.gauge


def _acting(loads: FloatArray, ends: tuple[int, ...]) -> IntArray:
    """Columns above the round-off of their group.

    Groups end before the columns ``ends``: accelerations, angular accelerations, rates, modal accelerations, unit loads.
    """
    size = np.abs(loads).max(axis=0, initial=0.0)
    groups = [slice(a, b) for a, b in zip((0, *ends), ends)]
    keep = np.zeros(len(size), np.bool_)
    for group in groups:
        keep[group] = size[group] > 1e-10 * size[group].max(initial=0.0)
    return np.flatnonzero(keep)


def _reduced(basis: ModalBasis, Phi: FloatArray, states: FloatArray) -> FloatArray:
    """(p, k, k) Phi' K_geo Phi of p stress states (n, 6, p), summed element by element:
    nothing is assembled.
    """
    structure = basis.model.structure
    assert structure is not None
    shapes = basis.model.displacements(Phi)
    count = shapes.shape[2]
    out = np.zeros((states.shape[2], count, count))
    for block in structure.elements:
        for part in chunks(structure, block):
            stressed = part.geometric_states(states)
            if stressed is None:
                continue
            at = gathered(shapes, part.nodes, part.components)
            for i, matrices in enumerate(stressed):
                out[i] += at.reshape(-1, count).T @ (matrices @ at).reshape(-1, count)
    arms = rigid_arms(structure)
    if len(arms):  # the force of the node on the elements works on the second degree of its arm
        forces = element_forces(structure, states, loaded_nodes(arms, len(shapes)))
        out += arms.moments(forces, shapes)
    return out


def held_supports(basis: ModalBasis) -> Supports:
    """The dofs held by the basis as supports."""
    dofs, fixed = basis.model.dofs, basis.fixed
    held = np.zeros((dofs.node_count, 6), np.bool_)
    held[dofs.node[fixed], dofs.component[fixed]] = True
    nodes = np.flatnonzero(held.any(axis=1))
    return Supports(nodes, held[nodes])


def wanted_nodes(basis: ModalBasis, known: Mapping[str, int], geometric: bool | Sequence[str]) -> dict[str, int]:
    """Interfaces that get unit-load families: those listed; for a plain True all that can move."""
    if isinstance(geometric, bool):
        moving = {int(node) for node in np.unique(basis.model.recovery[:, ~basis.fixed].nonzero()[0] // 6)}
        return {name: row for name, row in known.items() if row in moving}
    unknown = [name for name in geometric if name not in known]
    if unknown:
        raise ModelError("unknown interface", found=", ".join(unknown), expected=", ".join(known) or "none")
    return {name: known[name] for name in geometric}
