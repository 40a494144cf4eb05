"""Tables that CalculiX prints in its DAT file for each *FREQUENCY step: eigenvalues, participation factors, effective masses."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import numpy as np

from tisserand.errors import ReadError
from tisserand.files import text_of
from tisserand.readers.supplier.supplier_modes import EffectiveMasses

_TITLES = {
    "EIGENVALUEOUTPUT": "eigenvalues",
    "PARTICIPATIONFACTORS": "participation",
    "EFFECTIVEMODALMASS": "masses",
    "TOTALEFFECTIVEMASS": "total",
}
#: Numbers after the mode number in a row of each table.
_WIDTHS = {"eigenvalues": 4, "participation": 6, "masses": 6}


@dataclass
class DatTables:
    """Rows by mode number of the tables of one step: eigenvalue, radians, cycles and imaginary part; six components each."""

    line: int
    rows: dict[str, dict[int, list[float]]] = field(default_factory=dict)

    def effective(self, numbers: Sequence[int]) -> EffectiveMasses | None:
        """Participation factors and effective masses (6, k) about the basic origin; None where neither is printed."""
        parts: dict[str, Any] = {}
        for name in ("participation", "masses"):
            if name in self.rows:
                parts[name] = np.array([self.rows[name][number] for number in numbers]).T
        if parts and "total" in self.rows:
            parts["total"] = np.array(self.rows["total"][0])
        return EffectiveMasses(**parts) if parts else None


def read_dat(path: Path, numbers: Sequence[Sequence[int]]) -> tuple[list[DatTables], bool]:
    """The tables of every step that printed real eigenvalues, in order, and whether complex ones are there too.

    A table that was cut off is refused.

    Args:
        path: the DAT file.
        numbers: mode numbers of every *FREQUENCY step of the FRD file, in order.
    """
    steps, complex_found = _steps(path)
    for one, wanted in zip(steps, numbers):
        for name, rows in one.rows.items():
            lost = [number for number in wanted if name != "total" and number not in rows]
            if lost:
                raise ReadError(path, one.line, f"the table of {_word(name)} ends early", found=f"no mode {lost[0]}",
                                expected=f"{len(wanted)} modes, as in the FRD file", advice="send the whole file")  # fmt: skip
        if "participation" in one.rows and "total" not in one.rows:
            raise ReadError(path, one.line, "the file was cut off", found="no total effective mass after the tables",
                            expected="a complete DAT file", advice="send the whole file")  # fmt: skip
    return steps, complex_found


def _word(name: str) -> str:
    return {"participation": "participation factors", "masses": "effective masses"}.get(name, name)


def _steps(path: Path) -> tuple[list[DatTables], bool]:
    out: list[DatTables] = []
    name, totals, complex_found = "", False, False
    for at, line in enumerate(text_of(path).splitlines(), 1):
        title = line.replace(" ", "")
        if title.isalpha() and title.isupper() and all(len(letter) == 1 for letter in line.split()):
            name = _TITLES.get(title, "")
            totals = False
            if name == "eigenvalues":
                out.append(DatTables(at))
            if name and not out:
                name = ""
            if name in _WIDTHS:
                out[-1].rows[name] = {}
            continue
        words = line.split()
        if name == "eigenvalues" and title.startswith("MODENO") and "EIGENVALUE" not in title:
            out.pop()  # a step of complex frequencies: its table has no column of eigenvalues
            name, complex_found = "", True
        if name == "total" and len(words) == 6 and not totals and not words[0][:1].isalpha():
            out[-1].rows["total"] = {0: _numbers(path, at, words, 6)}
            totals = True
        elif name in _WIDTHS and words and words[0].isdigit():
            out[-1].rows[name][int(words[0])] = _numbers(path, at, words[1:], _WIDTHS[name])
    return out, complex_found


def _numbers(path: Path, at: int, words: list[str], width: int) -> list[float]:
    try:
        values = [float(word) for word in words]
    except ValueError as error:
        raise ReadError(path, at, "a printed number cannot be read", found=repr(" ".join(words)[:60])) from error
    if len(values) != width or not np.isfinite(values).all():
        raise ReadError(path, at, "a row of the table has the wrong length", found=len(values), expected=width,
                        advice="the file was cut off or edited")  # fmt: skip
    return values
