"""Effective masses as Simcenter and MSC Nastran print them (MEFFMASS): participation factors, masses, fractions, rigid mass.

A fraction table has three directions, each with its running sum, first for translations and then for rotations. Where masses are
not printed, they are the fractions of the printed rigid mass of the analysis set.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import numpy as np

from tisserand.arrays import FloatArray
from tisserand.readers.f06.scan import Block
from tisserand.readers.f06.tables import modal_rows, number
from tisserand.readers.supplier.supplier_modes import EffectiveMasses, MassSummary

_RIGID = "RIGIDBODYMASSMATRIX"
_ROTATIONS = re.compile(r"\bR1\b.*\bR2\b.*\bR3\b")
_TRANSLATIONS = re.compile(r"\bT1\b.*\bT2\b.*\bT3\b")


def printed_effective(
    path: Path, found: Sequence[Block], case: int, numbers: Sequence[int]
) -> tuple[EffectiveMasses | None, MassSummary | None, float | None]:
    """Effective masses of the listed modes, the rigid mass that they belong to, and the mass of one unit of weight.

    Each is None where it is not printed; the last is PARAM,WTMASS, as the ratio of effective mass and weight.
    """
    own = [block for block in found if block.subcase in (case, 0)]
    parts: dict[str, Any] = {}
    for name in ("participation", "masses", "weights"):
        rows = _joined(path, [block for block in own if block.name == name])
        if rows and all(mode in rows for mode in numbers):
            parts[name] = np.array([rows[mode] for mode in numbers]).T
    fractions = _fractions(path, [block for block in own if block.name == "fractions"], numbers)
    if fractions is not None:
        parts["fractions"] = fractions
    rigid, reference = _rigid(path, [block for block in own if block.name == "effective totals"])
    wtmass = _ratio(parts.get("masses"), parts.pop("weights", None))
    if "masses" not in parts and fractions is not None and rigid is not None:
        parts["masses"] = fractions * np.diag(rigid)[:, None]
    effective = EffectiveMasses(**parts, reference_id=reference) if parts else None
    summary = None if rigid is None else MassSummary(matrix=rigid, reference_id=reference, whole=False)
    return effective, summary, wtmass


def _joined(path: Path, pages: Sequence[Block]) -> dict[int, list[float]]:
    rows: dict[int, list[float]] = {}
    for page in pages:
        rows.update(modal_rows(path, page))
    return rows


def _fractions(path: Path, pages: Sequence[Block], numbers: Sequence[int]) -> FloatArray | None:
    """(6, k) fractions: every other column of the two tables."""
    halves = []
    for columns in (_TRANSLATIONS, _ROTATIONS):
        rows = _joined(path, [page for page in pages if _heads(page, columns)])
        if not all(mode in rows for mode in numbers):
            return None
        halves.append(np.array([rows[mode][0::2] for mode in numbers]).T)
    return np.vstack(halves)


def _heads(page: Block, columns: re.Pattern[str]) -> bool:
    """Whether the heading names these columns; on later pages it is the first line itself."""
    return any(columns.search(line) for line in (page.heading, *page.rows[:4]))


def _rigid(path: Path, pages: Sequence[Block]) -> tuple[FloatArray | None, int]:
    """Rigid mass (6, 6) of the analysis set, and the grid that it refers to (0: the origin, -1: not understood)."""
    rows: list[list[float]] = []
    reference, inside = 0, False
    for page in pages:
        for at, line in enumerate(page.rows, page.line + 1):
            if "REFERENCE POINT" in line and "ORIGIN" not in line:
                words = [word for word in line.split() if word.isdigit()]
                reference = int(words[-1]) if words else -1
            if line.strip():
                inside = inside or line.replace(" ", "").endswith(_RIGID)
            values = line.strip().strip("*").split()
            if inside and line.strip().startswith("* ") and len(values) == 6 and len(rows) < 6:
                rows.append([number(path, at, word) for word in values])
    return (np.array(rows), reference) if len(rows) == 6 else (None, reference)


def _ratio(masses: FloatArray | None, weights: FloatArray | None) -> float | None:
    """Mass over weight at the largest effective weight."""
    if masses is None or weights is None or not weights.any():
        return None
    at = np.unravel_index(int(np.abs(weights).argmax()), weights.shape)
    return float(masses[at] / weights[at])
