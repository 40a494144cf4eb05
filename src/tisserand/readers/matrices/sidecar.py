"""The JSON file that ``export --to op4`` writes beside its matrices: it names the six dofs of the attachment and its place."""

from __future__ import annotations

import json
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np

from tisserand.errors import FileError
from tisserand.readers.matrices.raw import RawMatrices

#: A description of some thousand modes is far smaller.
_LARGEST = 1 << 24


def with_sidecar(path: Path, raw: RawMatrices) -> RawMatrices:
    """Matrices of ``[six motions of the attachment; modal coordinates]`` with their dofs named; unchanged without such a file."""
    file = path.with_name(path.name + ".json")
    if raw.dofs is not None or not file.is_file() or file.stat().st_size > _LARGEST:
        return raw
    facts = _facts(file)
    if facts is None:
        return raw
    size, modes = raw.stiffness.shape[0], facts.get("modes")
    place = _place(facts)
    if not isinstance(modes, list) or len(modes) + 6 != size or not _point(place):
        raise FileError(
            path,
            "the description beside the matrices does not fit them",
            found=f"{size} dofs, {file.name} of {len(modes) + 6 if isinstance(modes, list) else 'no'} dofs",
            expected="six motions and one dof per mode",
            advice=f"give the {file.name} of the same export, or remove it",
        )
    node = _node(facts)
    dofs = [(node, c) for c in range(6)] + [(node + 1 + k, -1) for k in range(len(modes))]
    note = f"the first six dofs are those of node {node} at its place by {file.name}, the others modal"
    return replace(
        raw,
        dofs=np.array(dofs, np.int64),
        positions={node: np.array(place, float)},
        files=(*raw.files, file),
        notes=(*raw.notes, note),
    )


def _place(facts: dict[str, Any]) -> object:
    """Where the attachment is in basic axes, in the unit of the file (``_m`` in SI): its place from O and that of O."""
    origin, own = (facts.get(f"reference_point{unit}") for unit in ("_m", "")), facts.get("interfaces")
    start = next((point for point in origin if point is not None), None)
    named = own.get(facts.get("attachment")) if isinstance(own, dict) else None
    arm = (
        next((named[key] for key in ("position_m", "position") if key in named), None)
        if isinstance(named, dict)
        else None
    )
    if arm is None or not _point(start) or not _point(arm):
        return start
    return [a + b for a, b in zip(start, arm)]  # type: ignore[arg-type]


def _facts(file: Path) -> dict[str, Any] | None:
    """The description, None where it is of another origin."""
    try:
        found = json.loads(file.read_text())
    except (ValueError, UnicodeDecodeError, RecursionError):
        return None
    own = isinstance(found, dict) and str(found.get("written_by", "")).startswith("tisserand")
    return found if own and "modes" in found else None


def _point(place: object) -> bool:
    return (
        isinstance(place, list)
        and len(place) == 3
        and all(isinstance(x, int | float) and not isinstance(x, bool) and np.isfinite(x) for x in place)
    )


def _node(facts: dict[str, Any]) -> int:
    """Id of the attachment node; 1 where the motions are those of a floating frame."""
    own = facts.get("interfaces")
    named = own.get(facts.get("attachment")) if isinstance(own, dict) else None
    node = named.get("node") if isinstance(named, dict) else None
    return node if isinstance(node, int) and not isinstance(node, bool) and 0 < node < 2**31 else 1
