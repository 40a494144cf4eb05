"""From an assembled model to a delivered one: reduction to an interface, and recovery of what loads analysts ask for."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Literal

import numpy as np

from tisserand.appendage.recovery.output_matrices import Elements
from tisserand.arguments import checked_arguments
from tisserand.arrays import FloatArray, IntArray
from tisserand.assembly.assembled_model import AssembledModel
from tisserand.errors import InputError
from tisserand.model import Supports
from tisserand.modes.component import Coordinate, ReducedComponent
from tisserand.modes.condensations import irs, serep
from tisserand.modes.reductions import free_interface, guyan, mixed_boundary
from tisserand.responses.delivered_model import DeliveredModel
from tisserand.responses.interface_choice import chosen_dofs, connected_dofs, released, without_empty
from tisserand.responses.recovery_matrix import RecoveryMatrix
from tisserand.responses.recovery_rows import (
    element_recoveries,
    interface_recoveries,
    node_recoveries,
    section_recovery,
)
from tisserand.responses.section_cut import nodes_beyond
from tisserand.responses.static_remainder import static_remainder

DeliveryMethod = Literal["craig-bampton", "mixed", "craig-chang", "macneal", "guyan", "irs", "serep"]
#: Modes are kept up to this many times the highest frequency of interest.
MODES_FACTOR = 2.0


@dataclass(frozen=True, eq=False)
class Reduction:
    """A component with what was done to its interface."""

    component: ReducedComponent
    dropped: tuple[str, ...]
    notes: tuple[str, ...]
    held: int = 0
    empty: tuple[Coordinate, ...] = ()


@checked_arguments
def reduce_to_interface(
    model: AssembledModel,
    interface: Sequence[int | str] | IntArray,
    *,
    method: DeliveryMethod = "craig-bampton",
    loose: Sequence[int | str] | IntArray = (),
    digits: str = "123456",
    fmax_hz: float | None = None,
    factor: float = MODES_FACTOR,
    count: int | None = None,
    free: bool = False,
    inertia_relief: bool = False,
) -> Reduction:
    """Reduce a model to an interface, with dofs that cannot serve dropped by name and supports there released.

    Args:
        model: the assembled model.
        interface: node ids, points and node sets, each with its own components after a colon (``feet:123``), or rows
            (node index, component).
        method: the reduction.
        loose: interface nodes that are free in the modes (``mixed``).
        digits: components of items that state none.
        fmax_hz: highest frequency of interest, Hz; modes up to ``factor`` times it are kept.
        count: number of modes instead.
        free: without the supports of the model.
        inertia_relief: add residual vectors of the six unit accelerations.
    """
    none = np.zeros((0, 2), np.int64)
    loose_dofs = chosen_dofs(model, loose, digits) if len(loose) else none
    fixed = chosen_dofs(model, interface, digits) if len(interface) or not len(loose) else none
    fixed, lost = connected_dofs(model, fixed)
    loose_dofs, also = connected_dofs(model, loose_dofs)
    every = np.vstack([fixed, loose_dofs])
    if not len(every):
        raise InputError("no interface dof is connected to the structure", found=", ".join((lost + also)[:6]))
    supports, names = released(model, every, Supports() if free else model.supports)
    model = replace(model, supports=supports)
    part = _reduced(model, method, fixed, loose_dofs, _kept(method, fmax_hz, factor, count), inertia_relief)
    part, empty = without_empty(part)
    notes = list(part.notes)
    if names:
        notes.append(f"supports at {len(names)} interface dofs were released: {_few(names)}")
    dropped = (*lost, *also, *(c.name for c in empty))
    if dropped:
        notes.append(f"{len(dropped)} interface dofs without mass and stiffness were dropped: {_few(dropped)}")
    return Reduction(part, dropped, tuple(notes), int(part.model.dofs.fixed_by(supports).sum()), empty)


def _few(names: Sequence[str]) -> str:
    return ", ".join(names[:12]) + (f" and {len(names) - 12} more" if len(names) > 12 else "")


def _kept(method: str, fmax_hz: float | None, factor: float, count: int | None) -> dict[str, int | float]:
    """Count or highest frequency of the modes to keep."""
    if method in ("guyan", "irs", "serep"):
        if count is not None or fmax_hz is not None:
            raise InputError(f"{method} has no modes to choose", advice="leave out count and fmax")
        return {}
    if (count is None) == (fmax_hz is None):
        raise InputError(
            "state which modes to keep, one way", found="both" if count is not None else "neither",
            expected="fmax (the highest frequency of interest, Hz) or count",
        )  # fmt: skip
    if count is not None:
        return {"count": count}
    assert fmax_hz is not None
    return {"fmax_hz": factor * fmax_hz}


def _reduced(
    model: AssembledModel, method: str, fixed: IntArray, loose: IntArray, kept: dict[str, int | float], inertia_relief: bool,
) -> ReducedComponent:  # fmt: skip
    if len(loose) and method != "mixed":
        raise InputError(f"{method} has no loose interface", expected="method mixed")
    if method == "mixed" and not len(loose):
        raise InputError("mixed needs interface nodes that are free in the modes", expected="loose")
    if inertia_relief and method not in ("craig-bampton", "mixed"):
        raise InputError(f"{method} takes no residual vectors of unit accelerations", expected="craig-bampton or mixed")
    if method in ("craig-bampton", "mixed"):
        return mixed_boundary(model, fixed, loose, inertia_relief=inertia_relief, **kept)  # type: ignore[arg-type]
    if method in ("guyan", "irs", "serep"):
        return {"guyan": guyan, "irs": irs, "serep": serep}[method](model, fixed)
    return free_interface(model, fixed, method=method, **kept)  # type: ignore[arg-type]


@checked_arguments
def deliver(
    reduction: Reduction | ReducedComponent,
    *,
    nodes: Sequence[int | str] = (),
    digits: str = "123",
    elements: Mapping[str, Elements] | None = None,
    sections: Mapping[str, str] | None = None,
    moment_point: Sequence[float] | None = None,
    name: str | None = None,
) -> DeliveredModel:
    """The reduced component as a delivered model with recovery matrices.

    Args:
        reduction: a component, or what ``reduce_to_interface`` returned.
        nodes: ids, points and node sets whose displacements and accelerations are recovered, as for an interface.
        digits: components of nodes that state none.
        elements: label -> element set, ids or plies whose section forces or stresses are recovered.
        sections: name -> cut, ``y>0.35`` (everything beyond a plane, m) or a node set beyond the cut.
        moment_point: point (3,) m of the net interface moment; None takes the middle of the interface nodes.
        name: of the delivered model; None takes that of the source.
    """
    if isinstance(reduction, ReducedComponent):
        held = int(reduction.model.dofs.fixed_by(reduction.model.supports).sum())
        reduction = Reduction(reduction, (), reduction.notes, held)
    part = reduction.component
    places = part.interface_nodes.positions
    middle = places.mean(axis=0) if len(places) else np.zeros(3)
    point = middle if moment_point is None else np.asarray(moment_point, float)
    damping: FloatArray | None = None
    if part.model.damping is not None:
        damping = np.asarray(part.shapes.T @ (part.model.damping @ part.shapes))
    found: tuple[RecoveryMatrix, ...] = ()
    dofs = np.zeros((0, 2), np.int64)
    if nodes:
        dofs, lost = connected_dofs(part.model, chosen_dofs(part.model, nodes, digits, "nodes"))
        if not len(dofs):
            raise InputError("none of the nodes to recover is connected to the structure", found=_few(lost))
        found = node_recoveries(part, dofs)
    recoveries = [*interface_recoveries(part, point, damping, found[0] if found else None), *found]
    rest = static_remainder(part, dofs, reduction.empty) if sections or elements else None
    for title, cut in (sections or {}).items():
        recoveries.append(section_recovery(part, title, nodes_beyond(part.model, title, cut), rest))
    if elements:
        recoveries += element_recoveries(part, elements, rest)
    return DeliveredModel(
        name or part.model.name, part.method, coordinates=part.interface_coordinates, nodes=part.interface_nodes,
        stiffness=part.stiffness, mass=part.mass, rigid=part.rigid_coordinates, frequencies_hz=part.frequencies_hz,
        damping=damping, recoveries=tuple(recoveries), dropped=reduction.dropped, notes=reduction.notes,
        unit_system=part.model.unit_system, held=reduction.held,
    )  # fmt: skip
