"""Several appendages on one body become one, explicitly, with names kept (TR 32-1576: one appendage per
body)."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace

import numpy as np
from numpy.typing import ArrayLike
from scipy.linalg import block_diag

from tisserand.appendage.integrals import ModalIntegrals
from tisserand.appendage.mass_source import MassSource
from tisserand.appendage.points import DEFAULT_ATTACHMENT
from tisserand.appendage.transform import shifted
from tisserand.appendage.types import FrameRecord, Interface, NodeTable, ReducedAppendage, Topology
from tisserand.arrays import FloatArray, IntArray
from tisserand.errors import ModelError, UnitsError

_LEVELS = ("constant", "linear", "full")


def merged(
    appendages: Sequence[ReducedAppendage], *, name: str = "merged", point: ArrayLike = (0.0, 0.0, 0.0)
) -> ReducedAppendage:
    """One appendage out of several that are fixed in the same body and share its basic axes.

    Place each one first with ``turned`` and ``placed``; ``point`` is the common O. Interfaces become
    ``appendage.interface`` and modes ``appendage: mode``; node ids are kept where they differ and renumbered
    in blocks of a million otherwise (the report says which). The result is attached at O.
    """
    _check(appendages)
    parts = [shifted(part, point) for part in appendages]
    counts = [part.count for part in parts]
    k, starts = sum(counts), np.cumsum([0, *counts])
    ids, renumbered = _node_ids(parts)
    node_starts = np.cumsum([0, *(len(part.nodes) for part in parts)])
    translation, rotation = np.zeros((node_starts[-1], 3, k)), np.zeros((node_starts[-1], 3, k))
    interfaces = [
        Interface(DEFAULT_ATTACHMENT, -1, np.zeros(3), np.eye(3), np.zeros((3, k)), np.zeros((3, k)))
    ]
    for place, part in enumerate(parts):
        rows = slice(node_starts[place], node_starts[place + 1])
        columns = slice(starts[place], starts[place + 1])
        translation[rows, :, columns], rotation[rows, :, columns] = (
            part.nodes.translation,
            part.nodes.rotation,
        )
        for point_ in part.interfaces:
            phi, theta = np.zeros((3, k)), np.zeros((3, k))
            phi[:, columns], theta[:, columns] = point_.translation, point_.rotation
            node = int(ids[place][0] - part.nodes.ids[0] + point_.node_id) if point_.node_id >= 0 else -1
            interfaces.append(
                Interface(f"{part.name}.{point_.name}", node, point_.position, point_.axes, phi, theta)
            )
    families = [
        name for name in parts[0].geometric_stiffness if all(name in p.geometric_stiffness for p in parts)
    ]
    lost = sorted({n for part in parts for n in part.geometric_stiffness} - set(families))
    return ReducedAppendage(
        name=name,
        integrals=_integrals(parts, starts),
        stiffness=block_diag(*(part.stiffness for part in parts)),
        damping=block_diag(*(part.damping for part in parts)),
        nodes=NodeTable(
            np.concatenate(ids), np.concatenate([p.nodes.positions for p in parts]), translation, rotation
        ),
        frame=FrameRecord(
            "connection",
            "every part is fixed in the body at its own attachment",
            tuple(r for p in parts for r in _residuals(p)),
        ),
        reference_point=np.asarray(point, dtype=float),
        interfaces=tuple(interfaces),
        attachment=DEFAULT_ATTACHMENT,
        mode_names=tuple(f"{part.name}: {mode}" for part in parts for mode in part.mode_names),
        mode_kinds=tuple(kind for part in parts for kind in part.mode_kinds),
        geometric_stiffness={
            n: block_diag(*(part.geometric_stiffness[n] for part in parts)) for n in families
        },
        inertia_level=_LEVELS[min(_LEVELS.index(part.inertia_level) for part in parts)],  # type: ignore[arg-type]
        topology=_topology(parts, node_starts),
        recovery=_recovery(parts, starts),
        unit_system=parts[0].unit_system,
        reports={
            "merged": [part.name for part in parts],
            "renumbered_nodes": renumbered,
            "geometric_stiffness_left_out": lost,
            "parts": {part.name: dict(part.reports) for part in parts},
        },
        provenance={"merged": {part.name: dict(part.provenance) for part in parts}},
        sources=_sources(parts, node_starts),
    )


def _sources(parts: Sequence[ReducedAppendage], node_starts: IntArray) -> tuple[MassSource, ...]:
    """The masses behind all parts, at their new rows; none where one part has none."""
    if not all(part.sources for part in parts):
        return ()
    return tuple(
        replace(source, first_row=int(start) + source.first_row)
        for part, start in zip(parts, node_starts)
        for source in part.sources
    )


def _check(appendages: Sequence[ReducedAppendage]) -> None:
    if not appendages:
        raise ModelError("nothing to merge")
    names = [part.name for part in appendages]
    if len(set(names)) < len(names):
        raise ModelError("appendages to merge must have different names", found=names)
    for part in appendages:
        if part.frame.name != "connection":
            raise ModelError(
                "only appendages fixed in the body can be merged",
                where=f"appendage {part.name}",
                found=f"frame {part.frame.name}",
                expected="connection",
                advice='convert it with in_frame(appendage, "connection")',
            )
    if len({part.unit_system for part in appendages}) > 1:
        raise UnitsError(
            "appendages to merge have different units", found=[part.unit_system for part in appendages]
        )


def _residuals(part: ReducedAppendage) -> tuple[float, ...]:
    return part.frame.residuals or (0.0,) * part.count


def _node_ids(parts: Sequence[ReducedAppendage]) -> tuple[list[IntArray], bool]:
    ids = [part.nodes.ids for part in parts]
    joined = np.concatenate(ids)
    if len(np.unique(joined)) == len(joined):
        return ids, False
    step = 10 ** max(6, len(str(int(joined.max()))))
    return [values + place * step for place, values in enumerate(ids)], True


def _integrals(parts: Sequence[ReducedAppendage], starts: FloatArray) -> ModalIntegrals:
    all_integrals = [part.integrals for part in parts]
    mass = sum(i.mass for i in all_integrals)
    k = int(starts[-1])

    def blocks(word: str, lead: tuple[int, ...]) -> FloatArray:
        out = np.zeros((*lead, k, k))
        for place, integrals in enumerate(all_integrals):
            at = slice(starts[place], starts[place + 1])
            out[..., at, at] = getattr(integrals, word)
        return out

    def side_by_side(word: str) -> FloatArray:
        return np.concatenate([getattr(i, word) for i in all_integrals], axis=-1)

    linear = zero = None
    if all(i.turn_linear is not None for i in all_integrals):
        linear, zero = side_by_side("turn_linear"), sum(i.turn_zero for i in all_integrals)  # type: ignore[misc]
    return ModalIntegrals(
        mass=mass,
        center=sum((i.mass * i.center for i in all_integrals), np.zeros(3)) / mass,
        inertia=sum((i.inertia for i in all_integrals), np.zeros((3, 3))),
        translation=side_by_side("translation"),
        rotation=side_by_side("rotation"),
        position_shape=side_by_side("position_shape"),
        shape_shape=blocks("shape_shape", (3, 3)),
        modal_mass=blocks("modal_mass", ()),
        turn_first=blocks("turn_first", (3,)),
        turn_second=blocks("turn_second", (3, 3)),
        turn_linear=linear,
        turn_zero=zero,  # type: ignore[arg-type]
    )


def _topology(parts: Sequence[ReducedAppendage], node_starts: FloatArray) -> Topology:
    words = ("lines", "triangles", "bodies", "links")
    joined = {
        word: np.concatenate([getattr(part.topology, word) + node_starts[i] for i, part in enumerate(parts)])
        for word in words
    }
    if all(len(part.topology.line_ids) == len(part.topology.lines) for part in parts):
        joined["line_ids"] = np.concatenate([part.topology.line_ids for part in parts])
    if all(len(part.topology.triangle_ids) == len(part.topology.triangles) for part in parts):
        joined["triangle_ids"] = np.concatenate([part.topology.triangle_ids for part in parts])
    if all(len(part.topology.thickness) == len(part.topology.triangles) for part in parts):
        joined["thickness"] = np.concatenate([part.topology.thickness for part in parts])
    if all(len(part.topology.body_mass) == len(part.topology.bodies) for part in parts):
        joined["body_mass"] = np.concatenate([part.topology.body_mass for part in parts])
    if all(len(part.topology.line_outline) == len(part.topology.lines) for part in parts):
        starts = np.cumsum([0, *(len(part.topology.outlines) for part in parts)])
        own = [part.topology.line_outline for part in parts]
        joined["line_outline"] = np.concatenate([np.where(o >= 0, o + s, -1) for o, s in zip(own, starts)])
        for word in ("outlines", "line_up", "line_offsets"):
            joined[word] = np.concatenate([getattr(part.topology, word) for part in parts])
    return Topology(**joined)


def _recovery(parts: Sequence[ReducedAppendage], starts: FloatArray) -> Mapping[str, FloatArray]:
    out = {}
    for place, part in enumerate(parts):
        for name, matrix in part.recovery.items():
            wide = np.zeros((len(matrix), int(starts[-1])))
            wide[:, starts[place] : starts[place + 1]] = matrix
            out[f"{part.name}.{name}"] = wide
    return out
