"""Merge flexible bodies that share one frame and one set of modal coordinates into one appendage."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Any

import numpy as np

from tisserand.appendage.frames.reference_points import DEFAULT_ATTACHMENT
from tisserand.appendage.frames.transformed_records import combined
from tisserand.appendage.integrals.directional_sums import added
from tisserand.appendage.record.drawing_topology import Topology
from tisserand.appendage.record.mass_source import MassSource
from tisserand.appendage.record.node_table import Interface, NodeTable
from tisserand.appendage.record.reduced_appendage import FrameRecord, ReducedAppendage
from tisserand.appendage.record.turning_bodies import joined
from tisserand.arrays import FloatArray, IntArray
from tisserand.errors import UnitsError

_LEVELS = ("constant", "linear", "full")


def widened(part: ReducedAppendage, columns: slice, total: int) -> ReducedAppendage:
    """The same part in ``total`` coordinates, of which it moves with ``columns`` only."""
    T = np.zeros((part.count, total))
    T[:, columns] = np.eye(part.count)
    return combined(part, T)


def united(
    parts: Sequence[ReducedAppendage],
    *,
    name: str,
    point: FloatArray,
    frame: FrameRecord,
    mode_names: Sequence[str],
    mode_kinds: Sequence[str],
    reports: Mapping[str, Any],
) -> ReducedAppendage:
    """The sum of parts that share O, axes and coordinates, attached at O.

    Interfaces and outputs become ``part.interface``; node ids are kept where they differ and renumbered in blocks of a million
    otherwise (see the report); geometric stiffness is kept where all parts have it.
    """
    if len({part.unit_system for part in parts}) > 1:
        raise UnitsError("appendages to merge have different units", found=[part.unit_system for part in parts])
    k = parts[0].count
    ids, renumbered = _node_ids(parts)
    starts = np.cumsum([0, *(len(part.nodes) for part in parts)])
    interfaces = [Interface(DEFAULT_ATTACHMENT, -1, np.zeros(3), np.eye(3), np.zeros((3, k)), np.zeros((3, k)))]
    for own, part in zip(ids, parts):
        number = dict(zip(part.nodes.ids.tolist(), own.tolist()))
        interfaces += [
            replace(face, name=f"{part.name}.{face.name}", node_id=number.get(face.node_id, -1))
            for face in part.interfaces
        ]
    families = [f for f in parts[0].geometric_stiffness if all(f in part.geometric_stiffness for part in parts)]
    families = [f for f in families if not f.startswith("F:")]
    lost = sorted({f for part in parts for f in part.geometric_stiffness if not f.startswith("F:")} - set(families))
    at_interfaces = {
        f"F:{part.name}.{f[2:]}": matrix
        for part in parts
        for f, matrix in part.geometric_stiffness.items()
        if f.startswith("F:")
    }
    return ReducedAppendage(
        name=name,
        integrals=added([part.integrals for part in parts]),
        stiffness=sum((part.stiffness for part in parts), np.zeros((k, k))),
        damping=sum((part.damping for part in parts), np.zeros((k, k))),
        nodes=NodeTable(
            ids=np.concatenate(ids),
            positions=np.concatenate([part.nodes.positions for part in parts]),
            translation=np.concatenate([part.nodes.translation for part in parts]),
            rotation=np.concatenate([part.nodes.rotation for part in parts]),
            second=_second(parts, "second", needed=False),
            foreshortening=_second(parts, "foreshortening", needed=True),
        ),
        frame=frame,
        reference_point=point,
        interfaces=tuple(interfaces),
        attachment=DEFAULT_ATTACHMENT,
        mode_names=tuple(mode_names),
        mode_kinds=tuple(mode_kinds),
        geometric_stiffness={f: sum((p.geometric_stiffness[f] for p in parts), np.zeros((k, k))) for f in families}
        | at_interfaces,
        inertia_level=_LEVELS[min(_LEVELS.index(part.inertia_level) for part in parts)],  # type: ignore[arg-type]
        topology=_topology(parts, starts),
        recovery={f"{part.name}.{word}": matrix for part in parts for word, matrix in part.recovery.items()},
        unit_system=parts[0].unit_system,
        reports={
            **reports,
            "renumbered_nodes": renumbered,
            "geometric_stiffness_left_out": lost,
            "parts": {part.name: dict(part.reports) for part in parts},
        },
        provenance={"merged": {part.name: dict(part.provenance) for part in parts}},
        sources=_sources(parts, starts),
        bodies=joined([part.bodies for part in parts], starts[:-1].tolist()),
    )


def _second(parts: Sequence[ReducedAppendage], word: str, *, needed: bool) -> FloatArray | None:
    """A packed nodal field of all parts; None where no part has it, or where one that is needed lacks it."""
    fields = [getattr(part.nodes, word) for part in parts]
    if all(field is None for field in fields) or (needed and any(field is None for field in fields)):
        return None
    k = parts[0].count
    rows = min(field.shape[1] for field in fields if field is not None)
    zero = [np.zeros((len(part.nodes), rows, k * (k + 1) // 2), np.float32) for part in parts]
    return np.concatenate([none if field is None else field[:, :rows] for none, field in zip(zero, fields)])


def _sources(parts: Sequence[ReducedAppendage], starts: IntArray) -> tuple[MassSource, ...]:
    """The masses behind all parts, at their new rows; none where one part has none."""
    if not all(part.sources for part in parts):
        return ()
    return tuple(
        replace(source, first_row=int(start) + source.first_row)
        for part, start in zip(parts, starts)
        for source in part.sources
    )


def _node_ids(parts: Sequence[ReducedAppendage]) -> tuple[list[IntArray], bool]:
    ids = [part.nodes.ids for part in parts]
    joined = np.concatenate(ids)
    if len(np.unique(joined)) == len(joined):
        return ids, False
    step = 10 ** max(6, len(str(int(joined.max()))))
    return [values + place * step for place, values in enumerate(ids)], True


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
