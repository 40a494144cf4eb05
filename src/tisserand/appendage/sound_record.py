"""Checks of every record, whatever wrote its file: finite numbers, positive masses, rows that exist."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import fields, is_dataclass
from pathlib import Path
from typing import Any, get_args

import numpy as np

from tisserand.appendage.record.reduced_appendage import InertiaLevel, ReducedAppendage
from tisserand.appendage.sound_physics import impossible_physics, lowest
from tisserand.appendage.sound_words import unknown_words
from tisserand.errors import RecordError

#: Round-off that symmetric and positive matrices may show, relative to their largest entry.
_ROUND_OFF = 1e-6


def refuse_unsound(path: str | Path, record: ReducedAppendage) -> ReducedAppendage:
    """The record itself, or a ``RecordError`` that names what no structure can have."""

    def wrong(what: str, **facts: object) -> RecordError:
        return RecordError(path, f"the record is invalid: {what}", **facts, advice="write it again from its source")

    for name, values in _arrays(record, ""):
        if values.dtype.kind == "f" and not np.isfinite(values).all():
            raise wrong(f"{name} contains values that are not finite numbers")
    integrals = record.integrals
    if not (np.isfinite(integrals.mass) and integrals.mass > 0.0):
        raise wrong("its mass is not positive", found=f"{integrals.mass} kg")
    if record.inertia_level not in get_args(InertiaLevel):
        raise wrong(
            "its inertia level is unknown", found=record.inertia_level, expected=", ".join(get_args(InertiaLevel))
        )
    for name, matrix in (
        ("inertia", integrals.inertia), ("modal_mass", integrals.modal_mass), ("stiffness", record.stiffness),
    ):  # fmt: skip
        if np.abs(matrix - matrix.T).max(initial=0.0) > _ROUND_OFF * np.abs(matrix).max(initial=0.0):
            raise wrong(f"{name} is not symmetric")
    for name, matrix in (("inertia", integrals.inertia), ("modal_mass", integrals.modal_mass)):
        if lowest(matrix) < -_ROUND_OFF * np.abs(matrix).max(initial=0.0):
            raise wrong(f"{name} has a negative value", found=f"{lowest(matrix):.4g}", expected="none below zero")
    light = (np.diag(integrals.modal_mass) <= 0.0) & ~(record.massless & (np.diag(record.stiffness) > 0.0))
    if light.any():
        raise wrong("a mode has no modal mass", found=record.mode_names[int(np.argmax(light))])
    for interface in record.interfaces:
        if interface.translation.shape[1] != record.count:
            raise wrong(f"interface {interface.name!r} has shapes of other modes", found=interface.translation.shape[1])
        if np.abs(interface.axes @ interface.axes.T - np.eye(3)).max() > _ROUND_OFF:
            raise wrong(f"interface {interface.name!r} has axes that are not perpendicular unit vectors")
    rows, cells = len(record.nodes), record.topology
    for name, values, count in (
        ("lines", cells.lines, rows), ("triangles", cells.triangles, rows), ("bodies", cells.bodies, rows),
        ("links", cells.links, rows), ("turning bodies", record.bodies.rows, rows),
    ):  # fmt: skip
        if values.size and not 0 <= values.min() <= values.max() < count:
            found = f"{values.min()} to {values.max()}"
            raise wrong(f"{name} name nodes that do not exist", found=found, expected=f"0 to {count - 1}")
    if cells.line_outline.size and not -1 <= cells.line_outline.min() <= cells.line_outline.max() < len(cells.outlines):
        raise wrong("lines name outlines that do not exist")
    if len(record.bodies.rows) and record.bodies.translation.shape[2] != record.count:
        raise wrong("turning bodies have shapes of other modes", found=record.bodies.translation.shape[2])
    if len(np.unique(record.nodes.ids)) < rows:
        raise wrong("nodes/ids names a node twice")
    for what, facts in (*unknown_words(record), *impossible_physics(record)):
        raise wrong(what, **facts)
    return record


def _arrays(value: Any, path: str) -> Iterator[tuple[str, np.ndarray]]:
    """Every array of a tree of dataclasses, mappings and tuples, with its path; what a mass source holds is not looked into."""
    if isinstance(value, np.ndarray):
        yield path.lstrip("."), value
    elif is_dataclass(value) and not isinstance(value, type):
        for item in fields(value):
            if item.name not in ("sources", "reports", "provenance"):
                yield from _arrays(getattr(value, item.name), f"{path}.{item.name}")
    elif isinstance(value, Mapping):
        for name, item in value.items():
            yield from _arrays(item, f"{path}.{name}")
    elif isinstance(value, tuple):
        for number, item in enumerate(value):
            yield from _arrays(item, f"{path}[{number}]")
