"""Eigenvectors that Nastran punches (VECTOR(PUNCH) = ALL) as ``SupplierModes``.

Layout: MSC Nastran and NASTRAN-95. Lines of 80 columns, the last eight a count; lines with ``$`` identify what follows, then a
node is an id, its type (G or S) and three components, with three more on a line ``-CONT-``; each number has 18 columns. Positions
and modal masses are not punched.
"""

from __future__ import annotations

import re
from dataclasses import dataclass, field
from pathlib import Path

import numpy as np

from tisserand.errors import FileError, ReadError
from tisserand.files import text_of
from tisserand.readers.f06.tables import Rows, number, vectors
from tisserand.readers.supplier.subcases import chosen_subcase
from tisserand.readers.supplier.supplier_modes import SupplierModes

_EIGENVALUE = re.compile(r"\$EIGENVALUE\s*=\s*([0-9.+\-EeDd]+)\s+MODE\s*=\s*(\d{1,9})")
_SUBCASE = re.compile(r"\$SUBCASE ID\s*=\s*(\d{1,9})")
_CONTINUED = "-CONT-"
_TITLES = ("EIGENVECTOR", "EIGENVECTOR OUTPUT")  # the second one: MYSTRAN


@dataclass
class _Mode:
    """One eigenvector: subcase, number, eigenvalue, first line, and its nodes."""

    subcase: int
    number: int
    eigenvalue: float
    line: int
    rows: Rows = field(default_factory=dict)


def read_punched_modes(path: Path, subcase: int | None = None) -> SupplierModes:
    """Real eigenvectors of a punch file; complex ones and those sorted by node are refused by name."""
    lines = text_of(path).splitlines()
    modes = _modes(path, lines)
    if not modes:
        raise FileError(
            path, "the file holds no eigenvectors", expected="$EIGENVECTOR", advice="ask for VECTOR(PUNCH) = ALL"
        )
    case = chosen_subcase(path, sorted({mode.subcase for mode in modes}), subcase)
    by_number: dict[int, _Mode] = {}
    for mode in modes:
        if mode.subcase != case:
            continue
        if mode.number in by_number:
            raise ReadError(
                path, mode.line, "a mode is punched twice", found=f"mode {mode.number}", advice="send one run"
            )
        by_number[mode.number] = mode
    own = [by_number[one] for one in sorted(by_number)]
    ids, shapes, scalar = vectors(path, [mode.rows for mode in own])
    return SupplierModes(
        path=path,
        program="Nastran (punch)",
        numbers=np.array([mode.number for mode in own], np.int64),
        eigenvalues=np.array([mode.eigenvalue for mode in own]),
        node_ids=ids,
        shapes=shapes,
        given=np.where(scalar[:, None], np.arange(6) == 0, True),
        scalar=scalar,
        subcase=case or None,
        parts=(f"eigenvectors: lines {own[0].line} to {own[-1].line}",),
        open_ended=len(own) == 1,
        notes=(
            "punch files state neither modal masses nor positions",
            "punch files have no end mark: whether modes followed the last one is not known",
            "punch files do not tell residual vectors from modes",
        ),
    )


def _modes(path: Path, lines: list[str]) -> list[_Mode]:
    """Every real eigenvector; other results are skipped."""
    out: list[_Mode] = []
    inside, case, at = False, 0, 0
    current: _Mode | None = None
    while at < len(lines):
        line = lines[at][:72].rstrip()
        if line.startswith("$"):
            word = line[1:].strip()
            if word.startswith(("TITLE", "SUBTITLE", "LABEL")):
                inside, current = False, None
            inside = inside or word in _TITLES
            if inside:
                _refuse_other_forms(path, at + 1, word)
            if found := _SUBCASE.match(line):
                case = int(found[1])
            if inside and (found := _EIGENVALUE.match(line)):
                current = _Mode(case, int(found[2]), number(path, at + 1, found[1]), at + 1)
                out.append(current)
        elif current is not None and line:
            _node(path, lines, at, current)
            at += 1
        at += 1
    empty = [mode for mode in out if not mode.rows]
    if empty:
        raise ReadError(path, empty[0].line, "the file was cut off: an eigenvector has no nodes",
                        found=f"mode {empty[0].number}")  # fmt: skip
    return out


def _refuse_other_forms(path: Path, line: int, word: str) -> None:
    if word.startswith(("REAL-IMAGINARY", "MAGNITUDE-PHASE", "COMPLEX EIGENVALUE")):
        raise ReadError(path, line, "the eigenvectors are complex", found=word, expected="real modes (SOL 103)")
    if word.startswith(("POINT ID", "GRID POINT ID")):
        raise ReadError(path, line, "eigenvectors are sorted by node (SORT2)", expected="SORT1",
                        advice="ask for VECTOR(PUNCH, SORT1)")  # fmt: skip


def _node(path: Path, lines: list[str], at: int, mode: _Mode) -> None:
    """The node that begins at this line: two lines of fixed columns."""
    first = lines[at]
    second = lines[at + 1] if at + 1 < len(lines) else ""
    node, kind = first[:10].strip(), first[10:18].strip()
    if not node.isdigit() or kind not in ("G", "S"):
        raise ReadError(
            path, at + 1, "is not a node of an eigenvector", found=repr(first[:40]), expected="an id and G or S"
        )
    if not second.startswith(_CONTINUED):
        raise ReadError(path, at + 1, "the file was cut off: a node has no second line", found=f"node {node}")
    scalar = kind == "S"
    if len(first) < (36 if scalar else 72) or (not scalar and len(second) < 72):  # numbers end at their last column
        raise ReadError(path, at + 1, "the file was cut off: a line of numbers is too short", found=f"node {node}")
    fields = [text[18 * i : 18 * i + 18].strip() for text in (first, second) for i in (1, 2, 3)]
    values = [number(path, at + 1 + i // 3, word) for i, word in enumerate(fields[:1] if scalar else fields)]
    if int(node) in mode.rows:
        raise ReadError(path, at + 1, "a node is listed twice in one eigenvector", found=f"node {node}")
    mode.rows[int(node)] = ([*values, *[0.0] * (6 - len(values))], scalar)
