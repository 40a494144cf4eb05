"""Rows of recovery matrices of a reduced component: nodes, interface forces, sections, elements and their stresses."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np

from tisserand.appendage.recovery.output_matrices import Elements, element_outputs
from tisserand.arrays import BoolArray, FloatArray, IntArray, skew
from tisserand.errors import InputError, ModelError
from tisserand.modes.component import ReducedComponent
from tisserand.modes.interface import dof_name, interface_rows
from tisserand.responses.recovery_matrix import RecoveryMatrix, acceleration_rows, displacement_rows
from tisserand.responses.static_remainder import StaticRemainder

NET = ("force x", "force y", "force z", "moment x", "moment y", "moment z")
NET_UNITS = ("N", "N", "N", "N m", "N m", "N m")
#: Components of resultants by name and number of values; the unit of each quantity.
_COMPONENTS: dict[int, tuple[str, ...]] = {
    2: ("end A", "end B"),
    3: ("xx", "yy", "xy"),
    6: ("xx", "yy", "zz", "xy", "yz", "zx"),
}
_SHEARS = ("xz", "yz")
_UNITS = {
    "axial force": "N", "shear y": "N", "shear z": "N", "torque": "N m", "moment y": "N m", "moment z": "N m",
    "force": "N or N m", "membrane": "N/m", "moment": "N", "shear": "N/m", "strain": "1", "curvature": "1/m",
    "shear_strain": "1", "stress": "Pa", "mean_stress": "Pa",
}  # fmt: skip


def node_recoveries(part: ReducedComponent, dofs: IntArray) -> tuple[RecoveryMatrix, RecoveryMatrix]:
    """DTM and ATM of node dofs (p, 2) in the axes of their nodes."""
    matrix = interface_rows(part.model, dofs) @ part.shapes
    labels = tuple(dof_name(part.model, *row) for row in dofs)
    turns = [component >= 3 for component in dofs[:, 1]]
    motion = displacement_rows("displacement", labels, tuple("rad" if t else "m" for t in turns), matrix)
    units = tuple("rad/s²" if t else "m/s²" for t in turns)
    return motion, acceleration_rows("acceleration", labels, units, matrix)


def interface_recoveries(
    part: ReducedComponent, point: FloatArray, damping: FloatArray | None = None, loaded: RecoveryMatrix | None = None
) -> tuple[RecoveryMatrix, ...]:
    """Forces on the component at its interface dofs (M q'' + B q' + K q - T'f), and their sum about a point in basic axes.

    damping: (k, k) of the structure's own dampers; loaded: displacements (DTM) along which forces f may act. Forces at
    interface dofs themselves are part of the sum. A component without physical coordinates has no forces.
    """
    b = part.physical
    if not len(b):
        return ()
    labels = tuple(part.coordinates[i].name for i in b)
    units = tuple("N m" if (part.coordinates[i].component or 0) >= 3 else "N" for i in b)
    inner: FloatArray | None = None
    places: tuple[str, ...] = ()
    if loaded is not None:
        own = np.array([label in labels for label in loaded.labels])
        inner, places = -np.where(own, 0.0, loaded.displacement[:, b].T), loaded.full_labels
    forces = RecoveryMatrix("interface force", "LTM", labels, units, part.stiffness[b], part.mass[b],
                            None if damping is None else damping[b], force=inner, force_labels=places)  # fmt: skip
    about = rigid_about(part.rigid_coordinates[b], point)
    at = f"about {', '.join(f'{x:.6g}' for x in point)} m"
    net = RecoveryMatrix(
        "net interface force", "LTM", tuple(f"{w} {at}" if w.startswith("m") else w for w in NET), NET_UNITS,
        about.T @ part.stiffness[b], about.T @ part.mass[b], None if damping is None else about.T @ damping[b],
        force=None if inner is None else about.T @ inner, force_labels=places,
    )  # fmt: skip
    return forces, net


def rigid_about(rigid: FloatArray, point: FloatArray) -> FloatArray:
    """Rigid motions (k, 6) about the basic origin as motions about a point: a turn there moves the origin by point x angle."""
    out = rigid.copy()
    out[:, 3:] += rigid[:, :3] @ skew(np.asarray(point, float))
    return out


def section_recovery(
    part: ReducedComponent, name: str, beyond: BoolArray, rest: StaticRemainder | None = None
) -> RecoveryMatrix:
    """Force and moment of the rest of the structure on the nodes ``beyond`` a cut, basic axes, from the elastic forces.

    F = -S'(K T q) over the dofs beyond the cut, S rigid motions about the mean place of the nodes that the cut
    elements join there: elements that lie beyond it do no work on S, so that only the cut ones are left.
    rest: what modes left out add to the motion.
    """
    model = part.model
    if beyond.all() or not beyond.any():
        raise InputError(
            "a section needs nodes on both sides", where=f"section {name}",
            found="all nodes beyond it" if beyond.all() else "no node beyond it",
        )  # fmt: skip
    own = beyond[model.dofs.node]
    recovery = model.recovery.tocsc()
    side = np.repeat(beyond, 6)
    for here, there in ((side, ~own), (~side, own)):
        crossing = recovery[np.flatnonzero(here)][:, np.flatnonzero(there)].tocoo()
        if crossing.nnz:
            node = int(np.flatnonzero(here)[crossing.row[0]] // 6)
            raise ModelError(
                "a section cuts a rigid or interpolation element, whose force is not elastic",
                where=f"section {name}", found=f"node {model.nodes.ids[node]} follows nodes on the other side",
                advice="move the section",
            )  # fmt: skip
    joined = model.stiffness.tocsr()[np.flatnonzero(own)][:, np.flatnonzero(~own)].tocoo()
    if not joined.nnz:
        raise InputError("nothing crosses the section", where=f"section {name}")
    nodes = np.unique(model.dofs.node[np.flatnonzero(own)[joined.row]])
    point = model.nodes.positions[nodes].mean(axis=0)
    S = np.where(own[:, None], rigid_about(model.rigid_body_vectors, point), 0.0)
    force = -np.asarray((model.stiffness @ S).T)
    matrix = force @ part.shapes
    at = f"about {', '.join(f'{x:.6g}' for x in point)} m"
    labels = tuple(f"{w} {at}" if w.startswith("m") else w for w in NET)
    out = RecoveryMatrix(f"section {name}", "LTM", labels, NET_UNITS, matrix, np.zeros_like(matrix))
    return out if rest is None else rest.completed(out, force @ rest.columns)


def element_recoveries(
    part: ReducedComponent, wanted: Mapping[str, Elements], rest: StaticRemainder | None = None
) -> tuple[RecoveryMatrix, ...]:
    """LTMs of section forces and stresses of labeled elements, one per quantity; rest: what modes left out add."""
    structure = part.model.structure
    if structure is None:
        raise InputError("bare matrices have no elements to recover", where=part.model.name)
    columns = part.shapes if rest is None else np.hstack([part.shapes, rest.columns])
    shapes = part.model.displacements(columns)
    matrices, meaning = element_outputs(structure, shapes, wanted)
    out = []
    for name, matrix in matrices.items():
        quantity = name.split(":", 2)[2]
        labels = _element_labels(quantity, meaning[name])
        unit = _UNITS.get(quantity, "Pa" if "stress" in quantity or quantity == "ply shear" else "1")
        title = name.removeprefix("element:").replace(":", " ", 1)
        own, more = matrix[:, : len(part)], matrix[:, len(part) :]
        found = RecoveryMatrix(title, "LTM", labels, (unit,) * len(labels), own, np.zeros_like(own))
        out.append(found if rest is None else rest.completed(found, more))
    return tuple(out)


def _element_labels(quantity: str, meaning: Mapping[str, Any]) -> tuple[str, ...]:
    """One label per row: element, and the place and component in it."""
    shape: Sequence[int] = meaning["shape"]
    ids = meaning["elements"]
    if "places" in meaning:
        tails = [
            f"ply {p + 1} {place} {component}"
            for p in range(shape[1]) for place in meaning["places"] for component in meaning["components"]
        ]  # fmt: skip
    elif len(shape) == 1:
        tails = [""]
    else:
        words = _SHEARS if quantity in ("shear", "shear_strain") else _COMPONENTS.get(shape[1])
        count = int(np.prod(shape[1:]))
        tails = list(words) if words is not None and len(shape) == 2 else [str(i + 1) for i in range(count)]
    return tuple(f"element {number} {tail}".strip() for number in ids for tail in tails)
