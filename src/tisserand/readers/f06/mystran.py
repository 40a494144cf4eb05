"""A printed run of MYSTRAN as ``SupplierModes``.

Layout: files of versions 11 and 18. Tables stand one below the other without pages; an eigenvector follows a line with its
number, a negative eigenvalue has a star. The lower left quarter of the rigid mass is printed as zeros, participation factors have
the sign opposite to phi' M R, and effective masses are in the units of the deck before PARAM,WTMASS. Factors are sums over the
reactions of held dofs; those of rotations are sums of reaction moments without the arms of reaction forces, the same for every
stated reference point: they are H about it only where all held nodes lie there, and a file does not tell where they lie.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

import numpy as np

from tisserand.arrays import FloatArray
from tisserand.errors import FileError, ReadError
from tisserand.readers.f06.scan import Block
from tisserand.readers.f06.tables import Rows, echoed_wtmass, eigenvalue_rows, modal_rows, number, vectors
from tisserand.readers.supplier.supplier_modes import EffectiveMasses, MassSummary, SupplierModes, mirrored

_SIGN = re.compile(r"MYSTRAN\s+(Version|BEGIN)", re.IGNORECASE)
_TITLES = {
    "REALEIGENVALUES": "eigenvalues",
    "EIGENVECTOR": "vector",
    "OUTPUTFROMTHEGRIDPOINTWEIGHTGENERATOR": "gpwg",
    "MODALPARTICIPATIONFACTORS": "participation",
    "EFFECTIVEMODALMASSESORWEIGHTS": "masses",
}
_SPACED = re.compile(r"^\s*[A-Z](?: [A-Z])+(?:   [A-Z](?: [A-Z])*)*\s*$")
_STAR = re.compile(r"(?<=\d)\*(?=\s)")
_ROTATIONS = (
    "factors and effective masses of rotations are not used: MYSTRAN leaves the arms of reaction forces out of them"
)
_NUMBER = re.compile(r"^\s*OUTPUT FOR EIGENVECTOR\s+(\d{1,9})\s*$")


def is_mystran(text: str) -> bool:
    """Whether the first lines are those of MYSTRAN."""
    return _SIGN.search(text[:5000]) is not None


def read_mystran(path: Path, text: str, subcase: int | None = None) -> SupplierModes:
    """Real eigenvalues, eigenvectors, mass summary and effective masses of a run with one solution."""
    if subcase not in (None, 1):
        raise FileError(path, "the file has no such subcase", found=subcase, expected=1)
    found = _blocks(text)
    pages = [rows for block in found if block.name == "eigenvalues" and (rows := eigenvalue_rows(path, block))]
    if not pages:
        raise FileError(path, "the file holds no real eigenvalue table", expected="R E A L   E I G E N V A L U E S",
                        advice="a run that stopped early prints none; look for ERROR in the file")  # fmt: skip
    table = dict(pages[-1])
    notes = [f"{len(pages)} eigenvalue tables are printed; the last one is used"] if len(pages) > 1 else []
    shapes = _shapes(path, found)
    numbers = sorted(table)
    lost = [mode for mode in numbers if shapes and mode not in shapes]
    if lost:
        notes.append(f"modes {', '.join(map(str, lost[:8]))} are listed without a shape and left out")
    kept = [mode for mode in numbers if mode in shapes] if shapes else numbers
    if not kept:
        raise FileError(
            path, "eigenvectors and eigenvalues have no mode in common", found=f"modes {sorted(shapes)[:5]}"
        )
    facts = np.array([table[mode] for mode in kept])
    if shapes:
        ids, values, _ = vectors(path, [shapes[mode] for mode in kept])
    else:
        ids, values = np.zeros(0, np.int64), np.zeros((0, 6, len(kept)))
    effective = _effective(path, found, kept, facts[:, 3], notes)
    gpwg = [block for block in found if block.name == "gpwg"]
    return SupplierModes(
        path=path,
        program="MYSTRAN",
        numbers=np.array(kept, np.int64),
        eigenvalues=facts[:, 0],
        node_ids=ids,
        shapes=values,
        given=np.ones((len(ids), 6), np.bool_),
        modal_masses=facts[:, 3],
        mass=_mass(path, gpwg[0]) if gpwg else None,
        effective=effective.masses,
        wtmass=echoed_wtmass(text) or effective.wtmass,
        parts=tuple(dict.fromkeys(block.name for block in found)),
        notes=tuple(notes),
    )


def _blocks(text: str) -> list[Block]:
    """Tables of interest; any other spaced title ends one."""
    found: list[Block] = []
    current: Block | None = None
    mode = 0
    for at, line in enumerate(text.splitlines(), 1):
        if match := _NUMBER.match(line):
            mode, current = int(match[1]), None
        elif _SPACED.match(line):
            solid = line.replace(" ", "")
            name = next((own for word, own in _TITLES.items() if _opens(solid, word)), None)
            current = None if name is None else Block(name, at, 0, 0, mode, line)
            if current is not None:
                found.append(current)
        elif current is not None:
            current.rows.append(_STAR.sub(" ", line) if current.name == "eigenvalues" else line)
    return found


def _opens(solid: str, word: str) -> bool:
    return solid == word or (word.endswith("GENERATOR") and solid.startswith(word))


def _shapes(path: Path, found: Sequence[Block]) -> dict[int, Rows]:
    """Rows by node of each mode: grid, coordinate system of its displacements, six components."""
    shapes: dict[int, Rows] = {}
    for block in found:
        if block.name != "vector":
            continue
        rows = shapes.setdefault(block.number, {})
        for at, line in enumerate(block.rows, block.line + 1):
            words = line.split()
            if words and words[0].startswith("---"):
                break
            if len(words) < 3 or not (words[0].isdigit() and words[1].isdigit()):
                continue
            if len(words) != 8:
                raise ReadError(path, at, "an eigenvector row has the wrong length", found=len(words) - 2, expected=6)
            rows[int(words[0])] = ([number(path, at, word) for word in words[2:]], False)
    return {mode: rows for mode, rows in shapes.items() if rows}


def _mass(path: Path, block: Block) -> MassSummary:
    """The rigid mass matrix; its upper right quarter counts."""
    rows: list[list[float]] = []
    for at, line in enumerate(block.rows, block.line + 1):
        quarters = line.split("*")
        words = [word for part in quarters for word in part.split()]
        if len(quarters) == 4 and len(words) == 6 and len(rows) < 6:
            rows.append([number(path, at, word) for word in words])
    if len(rows) != 6:
        raise ReadError(path, block.line, "the weight table is cut off", found=f"{len(rows)} rows", expected=6)
    return MassSummary(matrix=mirrored(path, np.array(rows)), reference_id=_reference(block))


@dataclass(frozen=True)
class _Effective:
    masses: EffectiveMasses | None
    wtmass: float | None


def _effective(
    path: Path, found: Sequence[Block], numbers: Sequence[int], modal: FloatArray, notes: list[str]
) -> _Effective:
    """Participation factors with the sign of phi' M R, effective masses as masses, and the mass of one unit of the deck."""
    tables: dict[str, FloatArray] = {}
    reference = 0
    for name in ("participation", "masses"):
        for block in found:
            rows = modal_rows(path, block) if block.name == name else {}
            if rows and all(mode in rows for mode in numbers):
                if any(_turned(line) for line in block.rows[:4]):
                    notes.append("effective masses are in a local coordinate system and not used")
                    return _Effective(None, None)
                tables[name] = np.array([rows[mode] for mode in numbers]).T
                reference = _reference(block)
    factors, weights = tables.get("participation"), tables.get("masses")
    wtmass = None
    if factors is not None and weights is not None and weights.any():
        own = factors**2 * modal
        at = np.unravel_index(int(weights.argmax()), weights.shape)
        wtmass = float(own[at] / weights[at])
    if factors is None:
        return _Effective(None, wtmass)
    notes.append(_ROTATIONS)
    masses = factors**2 * modal
    return _Effective(
        EffectiveMasses(masses=masses, participation=-factors, reference_id=reference, rotations=False), wtmass
    )


def _turned(line: str) -> bool:
    match = re.search(r"in coordinate sys(?:tem)?\s+(\d+)", line)
    return match is not None and int(match[1]) != 0


def _reference(block: Block) -> int:
    """Grid of the reference point: 0 for the origin, -1 where the line is not understood."""
    for line in block.rows[:6]:
        if "eference point" in line:
            if "origin" in line:
                return 0
            words = [word.strip("().,") for word in line.split()]
            digits = [word for word in words if word.isdigit()]
            return int(digits[-1]) if digits else -1
    return 0
