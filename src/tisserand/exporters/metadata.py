"""Metadata of every exported file, in a comment or in a JSON sidecar."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import tisserand
from tisserand.appendage.record.reduced_appendage import ReducedAppendage
from tisserand.errors import one_line
from tisserand.exporters.other_units import hertz, unit_words
from tisserand.files import write_text
from tisserand.modes.modal_basis import MEAN_AXES


def describe(appendage: ReducedAppendage) -> dict[str, Any]:
    """Units, frame, reference point, normalization and mode names, JSON-able."""
    return {
        "appendage": appendage.name,
        "written_by": f"tisserand {tisserand.__version__}",
        "units": _units(appendage),
        "axes": "body axes parallel to the source model's basic axes",
        "frame": appendage.frame.name,
        "frame_meaning": appendage.frame.meaning,
        f"reference_point{_length(appendage)}": appendage.reference_point.tolist(),
        "attachment": appendage.attachment,
        "boundary": boundary_words(appendage),
        "interfaces": {
            p.name: {"node": p.node_id, f"position{_length(appendage)}": p.position.tolist()}
            for p in appendage.interfaces
        },
        "normalization": "modal mass " + ("one" if _unit_mass(appendage) else "as stored (see the modal mass matrix)"),
        "modes": [
            {"name": name, "kind": kind, "frequency_hz": float(f), "damping_ratio": float(z)}
            for name, kind, f, z in zip(
                appendage.mode_names, appendage.mode_kinds, hertz(appendage), appendage.damping_ratios
            )
        ],
        "inertia_level": appendage.inertia_level,
    }


def boundary_words(appendage: ReducedAppendage) -> str:
    """What holds the shapes: the attachment, other supports, or nothing."""
    held = int(appendage.reports.get("held", {}).get("held_dofs", 0))
    if appendage.frame.name in MEAN_AXES:
        mounting = appendage.reports.get("mount", {}).get("mounting")
        mount = f", for a mount at {appendage.attachment} ({mounting})" if mounting else ", no attachment"
        return f"free: shapes in the {appendage.frame.name} frame{mount}"
    where = str(appendage.reports.get("reference_point", {}).get("rule", "")) if appendage.attachment else ""
    return f"held at {held} dofs" + (f", attachment {appendage.attachment} ({where})" if where else ", no attachment")


def comment_lines(appendage: ReducedAppendage) -> list[str]:
    """The same facts as short lines for formats with comments."""
    facts = describe(appendage)
    lines = [
        f"{key}: {value}"
        for key, value in facts.items()
        if not isinstance(value, dict | list) or key.startswith("reference_point")
    ]
    lines += [
        f"mode {i}: {m['name']}, {m['frequency_hz']:.6g} Hz, damping ratio {m['damping_ratio']:.4g}"
        for i, m in enumerate(facts["modes"], 1)
    ]
    return [one_line(" ".join(line.split())) for line in lines]


def write_sidecar(appendage: ReducedAppendage, path: Path, **extra: Any) -> Path:
    """``NAME.json`` beside a file that cannot carry a comment."""
    target = path.with_name(path.name + ".json")
    return write_text(target, json.dumps({**describe(appendage), **extra}, indent=1) + "\n")


def _units(appendage: ReducedAppendage) -> str:
    length, mass, time, force, _ = unit_words(appendage)
    return f"{appendage.unit_system} ({length}, {mass}, {time}, {force}, rad)"


def _length(appendage: ReducedAppendage) -> str:
    """Ending of a key that holds lengths: the unit where it is the meter."""
    return "_m" if appendage.unit_system == "SI" else ""


def _unit_mass(appendage: ReducedAppendage) -> bool:
    import numpy as np

    return bool(np.allclose(appendage.integrals.modal_mass, np.eye(appendage.count), atol=1e-9))
