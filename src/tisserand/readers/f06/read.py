"""A printed run (F06 of MSC Nastran and Simcenter Nastran) as ``SupplierModes``."""

from __future__ import annotations

import re
from pathlib import Path

import numpy as np

from tisserand.arrays import FloatArray
from tisserand.errors import FileError, ReadError
from tisserand.files import text_of
from tisserand.readers.f06.effective import printed_effective
from tisserand.readers.f06.mystran import is_mystran, read_mystran
from tisserand.readers.f06.scan import Block, blocks
from tisserand.readers.f06.tables import (
    Rows,
    augmented,
    echoed_wtmass,
    eigenvalue_rows,
    mass_summary,
    vector_rows,
    vectors,
)
from tisserand.readers.nastran.numbers import real_of
from tisserand.readers.supplier.subcases import chosen_subcase
from tisserand.readers.supplier.supplier_modes import MassSummary, SupplierKind, SupplierModes, kinds_of

_PROGRAMS = ("SIMCENTER NASTRAN", "MSC NASTRAN", "NX NASTRAN", "MSC.NASTRAN", "NASTRAN")
#: A buckling solution in the echo of the executive control; the part of the file in which that echo stands, characters.
_BUCKLING = re.compile(r"^[ \t]*SOL[ \t]+(105|SEBUCKL|BUCKLING|5)\b", re.MULTILINE | re.IGNORECASE)
_HEAD = 200_000
#: The frequency in an eigenvector's heading. It has seven digits, as the table has; those of rigid-body modes are round-off.
_CYCLES = re.compile(r"CYCLES\s*=\s*([0-9.+\-EeDd]+)")
_SAME, _ROUND_OFF = 1e-5, 1e-6
_PAGE = re.compile(r"^1.*\bPAGE +(\d{1,9})\s*$", re.MULTILINE)
#: Modes -> (eigenvalue, radians, cycles, generalized mass, generalized stiffness), and what augmentation the table states.
Table = tuple[dict[int, list[float]], str]


def read_f06(path: Path, subcase: int | None = None) -> SupplierModes:
    """Real eigenvalues, eigenvectors, mass summary and effective masses; the last eigenvalue table of a subcase counts.

    Residual superelement only. Complex modes are refused by name where the file has no real ones.
    """
    text = text_of(path)
    if _BUCKLING.search(text[:_HEAD]):
        raise FileError(path, "is a buckling run: its eigenvalues are load factors", expected="real modes (SOL 103)")
    end = "MYSTRAN END" if is_mystran(text) else "END OF JOB"
    if end not in text:
        raise FileError(path, "was cut off, or its run was stopped", found=f"no line with {end}", expected="a complete run",
                        advice="copy it again, or ask for the whole file")  # fmt: skip
    if text.count(end) > 1:
        raise FileError(path, "holds more than one run", found=f"{text.count(end)} lines with {end}", expected="one run",
                        advice="split the file and state the part that is meant")  # fmt: skip
    if is_mystran(text):
        return read_mystran(path, text, subcase)
    _refuse_other_pages(path, text[: text.index(end)])
    every = list(blocks(text))
    found = [block for block in every if block.superelement == 0]
    tables = _tables(path, [block for block in found if block.name == "eigenvalues"])
    if not any(tables.values()):
        if any(block.name == "complex" for block in found):
            raise FileError(path, "the file holds complex modes only", expected="real modes (SOL 103)",
                            advice="ask for the real eigenvalue solution")  # fmt: skip
        raise FileError(path, "the file holds no real eigenvalue table", expected="R E A L   E I G E N V A L U E S",
                        advice="a run that stopped early prints none; look for FATAL in the file")  # fmt: skip
    case = chosen_subcase(path, sorted(tables), subcase)
    table, word = tables[case][-1]
    numbers = sorted(table)
    pages = [block for block in found if block.name == "vector" and block.subcase == case]
    _refuse_strangers(path, pages, table)
    shapes = {number: rows for number in numbers if (rows := _vector(path, pages, number))}
    notes = _notes(tables[case], found, numbers, pages)
    if shapes:
        numbers = [number for number in numbers if number in shapes]
        ids, values, scalar = vectors(path, [shapes[number] for number in numbers])
    else:
        ids, values, scalar = np.zeros(0, np.int64), np.zeros((0, 6, len(numbers))), np.zeros(0, np.bool_)
    facts = np.array([table[number] for number in numbers])
    gpwg = [block for block in found if block.name == "gpwg"] or _checked_weights(every)
    effective, rigid, ratio = printed_effective(path, found, case, numbers)
    summary = _weights(path, gpwg, notes) if gpwg else rigid
    if summary is not None and not summary.whole:
        notes.append("no weight table: the rigid mass of the effective-mass output is used")
    return SupplierModes(
        path=path,
        program=_program(text),
        numbers=np.array(numbers, np.int64),
        eigenvalues=facts[:, 0],
        kinds=_kinds(facts[:, 0], numbers, tables[case], word),
        node_ids=ids,
        shapes=values,
        given=np.where(scalar[:, None], np.arange(6) == 0, True),
        scalar=scalar,
        modal_masses=facts[:, 3],
        mass=summary,
        effective=effective,
        wtmass=echoed_wtmass(text) or ratio,
        subcase=case or None,
        parts=_parts(found, case),
        notes=tuple(notes),
    )


def _checked_weights(every: list[Block]) -> list[Block]:
    """The table that WEIGHTCHECK prints of all dofs (set G); with superelements it describes one part only and is not used."""
    if any(block.superelement for block in every):
        return []
    return [block for block in every if block.name == "weight check" and _of_all_dofs(block)]


def _of_all_dofs(block: Block) -> bool:
    return any(line.replace(" ", "").endswith("SET=G") for line in block.rows[:3])


def _tables(path: Path, pages: list[Block]) -> dict[int, list[Table]]:
    """Eigenvalue tables by subcase, pages joined: a table ends where its mode numbers start again."""
    tables: dict[int, list[Table]] = {}
    for page in pages:
        rows, word = eigenvalue_rows(path, page), augmented(page)
        if not rows:
            continue
        own = tables.setdefault(page.subcase, [])
        if not own or own[-1][1] != word or rows[0][0] in own[-1][0]:
            own.append(({}, word))
        own[-1][0].update(rows)
    return tables


def _vector(path: Path, pages: list[Block], number: int) -> Rows:
    """Every page of one eigenvector; a later solution of the same number replaces an earlier one."""
    rows: Rows = {}
    for page in pages:
        if page.number == number:
            vector_rows(path, page, rows)
    return rows


def _kinds(eigenvalues: FloatArray, numbers: list[int], tables: list[Table], word: str) -> tuple[SupplierKind, ...]:
    """Kinds of the modes; those that an augmented table lists beyond the table before it are residual vectors."""
    before = [table for table, own in tables if own == "before"]
    known = set(before[-1]) if word == "after" and before else set(numbers)
    return tuple(kind if own in known else "residual" for own, kind in zip(numbers, kinds_of(eigenvalues)))


def _refuse_other_pages(path: Path, text: str) -> None:
    """Pages of a run are numbered upward; a number that goes back begins a part of another run."""
    last = 0
    for page in _PAGE.finditer(text):
        if int(page[1]) < last:
            line = text.count("\n", 0, page.start()) + 1
            raise ReadError(path, line, "the file holds parts of two runs", found=f"page {page[1]} after page {last}",
                            expected="pages in order", advice="split the file and state the part that is meant")  # fmt: skip
        last = int(page[1])


def _refuse_strangers(path: Path, pages: list[Block], table: dict[int, list[float]]) -> None:
    """An eigenvector whose heading states another frequency than the table: the file mixes runs or solutions."""
    top = max(abs(row[2]) for row in table.values())
    for page in pages:
        stated = _CYCLES.search(page.heading)
        hz = None if stated is None else real_of(stated[1].encode("ascii", "replace"))
        if hz is None or page.number not in table:
            continue
        own = table[page.number][2]
        if abs(hz - own) > _SAME * max(abs(hz), abs(own)) + _ROUND_OFF * top:
            raise ReadError(
                path, page.line, "frequencies of the table and of the eigenvectors' headings differ",
                found=f"mode {page.number}: {hz:.6g} Hz", expected=f"{own:.6g} Hz, as in the table",
                advice="the file mixes runs or subcases",
            )  # fmt: skip


def _weights(path: Path, pages: list[Block], notes: list[str]) -> MassSummary:
    """The last weight table; several that differ are named."""
    tables = [mass_summary(path, page) for page in pages]
    used = tables[-1]
    if any(not np.array_equal(table.matrix, used.matrix) for table in tables):
        notes.append(
            f"{len(tables)} weight tables are printed, and they differ; the last one (line {pages[-1].line}) is used"
        )
    return used


def _notes(tables: list[Table], found: list[Block], numbers: list[int], pages: list[Block]) -> list[str]:
    notes = []
    if len(tables) > 1:
        notes.append(f"{len(tables)} eigenvalue tables are printed; the last one is used")
    if tables[-1][1] == "before":
        notes.append("only the table before augmentation by residual vectors is printed")
    if any(block.name == "complex" for block in found):
        notes.append("complex modes in the same file are not used")
    shown = {page.number for page in pages}
    parts = (
        (set(numbers) - shown, "are listed without a shape"),
        (shown - set(numbers), "have a shape but no row in the table"),
    )
    for lost, words in parts if shown else ():
        if lost:
            notes.append(f"modes {', '.join(map(str, sorted(lost)[:8]))} {words} and are left out")
    return notes


def _program(text: str) -> str:
    head = text[:20000].upper()
    for name in _PROGRAMS:
        if name in head or " ".join(name) in head:
            return name
    return "unknown program"


def _parts(found: list[Block], case: int) -> tuple[str, ...]:
    lines: dict[str, list[int]] = {}
    for block in found:
        if block.subcase in (case, 0) and block.name != "complex":
            lines.setdefault(block.name, []).append(block.line)
    return tuple(f"{name}: lines {places[0]} to {places[-1]}" for name, places in lines.items())
