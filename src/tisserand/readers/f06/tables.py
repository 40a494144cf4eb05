"""Tables of a printed run as arrays: eigenvalues, eigenvectors, mass summary, effective masses."""

from __future__ import annotations

import re
from pathlib import Path

import numpy as np

from tisserand.arrays import BoolArray, FloatArray, IntArray
from tisserand.errors import ReadError
from tisserand.readers.f06.scan import Block
from tisserand.readers.nastran.numbers import integer_of, real_of
from tisserand.readers.supplier.supplier_modes import MassSummary, mirrored

#: Shapes of one mode by node: six components, and which of them are stated; scalar points have the first alone.
Rows = dict[int, tuple[list[float], bool]]
_WTMASS = re.compile(r"\bPARAM\*?[ ,]+WTMASS[ ,]+([0-9.+\-EeDd]+)", re.IGNORECASE)


def number(path: Path, line: int, text: str) -> float:
    """A printed real; overflow marks and words are refused with their line."""
    value = real_of(text.encode("ascii", "replace"))
    if value is None or not np.isfinite(value):
        raise ReadError(path, line, "a printed number cannot be read", found=repr(text[:40]))
    return value


def eigenvalue_rows(path: Path, block: Block) -> list[tuple[int, list[float]]]:
    """Mode number and (eigenvalue, radians, cycles, generalized mass, generalized stiffness) of each row."""
    rows = []
    for at, line in enumerate(block.rows, block.line + 1):
        words = line.split()
        if len(words) == 7 and integer_of(words[0].encode("ascii", "replace")) is not None:
            rows.append((int(words[0]), [number(path, at, word) for word in words[2:]]))
        elif rows and words and not line.startswith("0"):
            break
    return rows


def echoed_wtmass(text: str) -> float | None:
    """PARAM,WTMASS of the deck, where the file echoes it: the mass of one unit of the weight table."""
    found = _WTMASS.search(text)
    return None if found is None else real_of(found[1].encode("ascii", "replace"))


def augmented(block: Block) -> str:
    """``before`` or ``after`` residual vectors were added; empty if the table does not state it."""
    head = " ".join(block.rows[:2]).upper()
    if "AUGMENTATION OF RESIDUAL" not in head:
        return ""
    return "before" if "BEFORE" in head else "after"


def vector_rows(path: Path, block: Block, found: Rows) -> None:
    """Add the nodes of one page of an eigenvector to ``found``."""
    for at, line in enumerate(block.rows, block.line + 1):
        words = line.split()
        if len(words) < 3 or len(words[1]) != 1 or not words[0].isdigit():
            continue
        node, kind = int(words[0]), words[1]
        values = [number(path, at, word) for word in words[2:]]
        if kind == "G":
            if len(values) != 6:
                raise ReadError(path, at, "an eigenvector row has the wrong length", found=len(values), expected=6)
            _add(path, at, found, node, values, False)
        elif kind == "S":  # up to six scalar points in a row, numbered upward from the first
            for offset, value in enumerate(values):
                _add(path, at, found, node + offset, [value, 0.0, 0.0, 0.0, 0.0, 0.0], True)


def _add(path: Path, line: int, found: Rows, node: int, values: list[float], scalar: bool) -> None:
    if node in found and found[node] != (values, scalar):
        raise ReadError(
            path, line, "a node is listed twice in one eigenvector", found=f"node {node}", advice="state one subcase"
        )
    found[node] = (values, scalar)


def vectors(path: Path, columns: list[Rows]) -> tuple[IntArray, FloatArray, BoolArray]:
    """Node ids (n,), shapes (n, 6, k) and scalar points (n,) of equally listed modes."""
    ids = sorted(columns[0])
    for place, column in enumerate(columns):
        if sorted(column) != ids:
            lost = sorted(set(ids) ^ set(column))[:5]
            raise ReadError(
                path, None, f"eigenvector {place + 1} lists other nodes than the first", found=f"nodes {lost}",
                advice="the file was cut off or mixes output requests",
            )  # fmt: skip
    shapes = np.array([[column[node][0] for node in ids] for column in columns]).transpose(1, 2, 0)
    return np.array(ids, np.int64), shapes, np.array([columns[0][node][1] for node in ids], np.bool_)


def mass_summary(path: Path, block: Block) -> MassSummary:
    """The 6 x 6 matrix MO and its reference point; the principal data below it follow from it."""
    reference = 0
    rows: list[list[float]] = []
    for at, line in enumerate(block.rows, block.line + 1):
        if "REFERENCE POINT" in line:
            words = line.split("=")[-1].split()
            if words and words[0].isdigit():
                reference = int(words[0])
        stars = line.split("*")
        if len(stars) >= 3:
            values = stars[1].split()
            if len(values) == 6 and len(rows) < 6:
                rows.append([number(path, at, word) for word in values])
    if len(rows) != 6:
        raise ReadError(
            path, block.line, "the grid point weight table is cut off", found=f"{len(rows)} rows of MO", expected=6
        )
    return MassSummary(matrix=mirrored(path, np.array(rows)), reference_id=reference)


def modal_rows(path: Path, block: Block) -> dict[int, list[float]]:
    """Values by mode number of a table whose rows are mode, frequency, then numbers."""
    out: dict[int, list[float]] = {}
    for at, line in enumerate(block.rows, block.line + 1):
        words = line.split()
        if len(words) == 8 and words[0].isdigit():
            out[int(words[0])] = [number(path, at, word) for word in words[2:]]
    return out
