"""A whole deck: the main structure, superelement parts and how they are connected."""

from __future__ import annotations

from dataclasses import dataclass, replace
from pathlib import Path

import numpy as np

from tisserand.arrays import IntArray, frozen
from tisserand.errors import ReadError
from tisserand.files import storable
from tisserand.model import StructuralModel
from tisserand.model.ledger import ASSUMED
from tisserand.readers.nastran.build import build_model, read_parameters
from tisserand.readers.nastran.cards import Bulk, Row
from tisserand.readers.nastran.control import Control, Section, split_sections
from tisserand.readers.nastran.copied_parts import COPIES, copied_part
from tisserand.readers.nastran.cut_off import doubting
from tisserand.readers.nastran.cyclic import unfolded
from tisserand.readers.nastran.deck_text import SourceText, load
from tisserand.readers.nastran.fates import GENERATING, misspelled, refuse_dropped
from tisserand.readers.nastran.placed_parts import located
from tisserand.readers.nastran.program import Flavor, bending_of
from tisserand.readers.nastran.scan import scan
from tisserand.units import UnitSystem, unit_system


@dataclass(frozen=True, eq=False)
class NastranPart:
    """A superelement part: its own model, whose ``analysis`` states boundary and modal points.

    kind: how SEBULK calls it (PRIMARY, EXTOP4, ...); matrices: file with its reduced matrices when they are external; manual:
    SEBULK requests no automatic search of its connections.
    """

    id: int
    model: StructuralModel
    kind: str = "PRIMARY"
    matrices: Path | None = None
    manual: bool = False


@dataclass(frozen=True, eq=False)
class Connection:
    """SECONCT: point ids of part ``first`` beside those of part ``second`` (0 is the main structure), shape (n, 2)."""

    first: int
    second: int
    points: IntArray

    def __post_init__(self) -> None:
        object.__setattr__(self, "points", frozen(self.points, np.int64, (-1, 2)))


@dataclass(frozen=True, eq=False)
class NastranDeck:
    """What a deck states. ``main`` is None when only parts carry points."""

    main: StructuralModel | None
    parts: tuple[NastranPart, ...] = ()
    connections: tuple[Connection, ...] = ()
    solution: str = ""
    title: str = ""

    def part(self, number: int) -> NastranPart:
        """The part of that id."""
        for part in self.parts:
            if part.id == number:
                return part
        raise KeyError(number)


def read_deck(
    path: str | Path,
    units: str | UnitSystem | None = None,
    *,
    allow: tuple[str, ...] = (),
    spc: int | None = None,
    mpc: int | None = None,
    subcase: int | None = None,
    flavor: Flavor | None = None,
) -> NastranDeck:
    """Read a Nastran deck, punch or bulk data file with everything it includes.

    units: the unit system of its numbers. allow: cards that may be dropped although they matter. spc, mpc: sets to use in
    place of those case control selects. subcase: the one to apply (default: the first with a METHOD, else the first).
    flavor: the program it was written for, which decides how shells bend (default: by parameters that only MYSTRAN has).
    """
    source = load(path)
    system = unit_system(units, where=str(path))
    control, sections = split_sections(source)
    with doubting(source):
        deck = _deck(source, system, control, sections, spc=spc, mpc=mpc, subcase=subcase, flavor=flavor)
        for model in [*([deck.main] if deck.main else []), *(part.model for part in deck.parts)]:
            refuse_dropped(f"{path}", model.ledger.entries, allow)
    return deck


def _deck(
    source: SourceText,
    system: UnitSystem,
    control: Control,
    sections: list[Section],
    *,
    spc: int | None,
    mpc: int | None,
    subcase: int | None,
    flavor: Flavor | None,
) -> NastranDeck:
    """The models of all sections, and how the parts are connected."""
    bulks: dict[int, Bulk] = {}
    for section in sections:
        bulk = scan(source, section.text, section.first)
        bulk.part = section.part
        if section.part in bulks:
            _merge(bulks[section.part], bulk)
        else:
            bulks[section.part] = bulk
    main_bulk = bulks.pop(0, Bulk(source))
    chosen = _subcase(control, subcase, source)
    common = read_parameters(main_bulk)
    bending, note = bending_of(common, source.text, asked=flavor, nastran95=control.nastran95)
    files, notes = tuple(source.files), (*source.notes, *([note] if note else []))
    name = storable(source.path.stem)
    try:
        main = build_model(
            main_bulk,
            system,
            control.for_part(0, chosen),
            controlled=control.present,
            name=name,
            files=files,
            spc=spc,
            mpc=mpc,
            notes=notes,
            nastran95=control.nastran95,
            bending=bending,
            static=control.static(subcase, source.path),
        )
    except ReadError as error:
        if "does not exist" in error.what and error.advice is None and (unknown := misspelled(main_bulk)):
            card, close, line = unknown
            raise source.error(
                line, "this card is not known, and what it states is missing", card=card, expected=close,
                advice=str(error).rstrip("."),
            ) from error  # fmt: skip
        raise
    if main is not None:
        main = unfolded(main_bulk, main, common)
    connections = tuple(_connection(row) for row in main_bulk.rows("SECONCT"))
    calls = {row.integer(0): row for row in main_bulk.rows("SEBULK")}
    parts = []

    def built(number: int) -> StructuralModel | None:
        """A part by its own cards."""
        if number not in bulks:
            return None
        return build_model(
            bulks[number],
            system,
            control.for_part(number),
            controlled=control.present,
            name=f"{name} part {number}",
            files=files,
            inherited=common,
            bending=bending,
        )

    copies = {number for number, call in calls.items() if call.word(1) in COPIES}
    for number in sorted(bulks.keys() | copies):
        call = calls.get(number)
        if call is not None and number in copies:
            source_part = call.integer(2)
            model = built(source_part)
            if model is None:
                raise call.error(2, "the superelement to copy has no points", found=source_part)
            model = copied_part(main_bulk, main, call, model, system)
        else:
            model = built(number)
        if model is None:
            continue
        model = located(main_bulk, main, number, model, system)
        kind = call.word(1, "PRIMARY") if call else "PRIMARY"
        parts.append(
            NastranPart(
                number,
                _with_boundary(model, number, connections),
                kind,
                _matrices(call, control, source),
                call is not None and call.word(3) == "MANUAL",
            )
        )
    if main is None and not parts:
        if generators := [card for card in main_bulk.counts() if card in GENERATING]:
            raise source.error(
                next(iter(main_bulk.rows(generators[0]))).line,
                "the deck generates its grid points by cards that are not supported",
                found=", ".join(generators),
                advice="write the generated GRIDs and elements out",
            )
        raise ReadError(
            source.path,
            None,
            "the file contains no grid or scalar points",
            advice="is it bulk data, and does its BEGIN BULK line come before the cards?",
        )
    return NastranDeck(main, tuple(parts), connections, control.solution, control.title)


def _subcase(control: Control, asked: int | None, source: SourceText) -> int | None:
    """The requested subcase, which must exist; several with a METHOD are noted."""
    known = [number for number, _ in control.subcases]
    if asked is not None and asked not in known:
        raise ReadError(source.path, None, "the deck has no such subcase", found=asked, expected=known or "no subcase")
    requests = [number for number, own in control.subcases if "METHOD" in own and "SUPER" not in own]
    if asked is None and len(requests) > 1:
        listed = ", ".join(map(str, requests[:8]))
        source.notes.append(
            f"{ASSUMED}subcases {listed} ask for modes; subcase {requests[0]} is taken (choose with --subcase N)"
        )
    elif asked is None and (other := _other_boundaries(control)):
        taken = control.chosen()
        source.notes.append(
            f"{ASSUMED}subcase {taken[0] if taken else known[0]} is taken; subcases {', '.join(map(str, other[:8]))} select "
            "other SPC or MPC sets (choose with --subcase N)"
        )
    return asked


def _other_boundaries(control: Control) -> list[int]:
    """Subcases whose SPC or MPC selection differs from that of the chosen one, where that one does not state its own METHOD."""
    taken = control.chosen()
    if taken is None or "METHOD" in taken[1] or not ({"METHOD"} & set(control.overall)):
        return []

    def boundary(own: dict[str, str]) -> tuple[str | None, ...]:
        return tuple({**control.overall, **own}.get(key) for key in ("SPC", "MPC"))

    return [n for n, own in control.subcases if "SUPER" not in own and boundary(own) != boundary(taken[1])]


def _merge(bulk: Bulk, more: Bulk) -> None:
    for card, batches in more.batches.items():
        bulk.batches.setdefault(card, []).extend(batches)
    for card, rows in more.singles.items():
        bulk.singles.setdefault(card, []).extend(rows)


def _connection(row: Row) -> Connection:
    """Pairs of points after the first eight fields; two THRU ranges run side by side."""
    first, second = row.integer(0), row.integer(1, 0)
    pairs: list[tuple[int, int]] = []
    at = 8
    while at < len(row.fields):
        if not row.text(at):
            at += 1
            continue
        if row.word(at + 1) == "THRU":
            low, high = row.integer(at), row.integer(at + 2)
            other, last = row.integer(at + 3), row.integer(at + 5)
            if row.word(at + 4) != "THRU" or high - low != last - other or not 0 <= high - low < 1_000_000:
                raise row.error(at + 3, "the two ranges differ in length")
            pairs.extend(zip(range(low, high + 1), range(other, last + 1)))
            at += 6
        else:
            pairs.append((row.integer(at), row.integer(at + 1)))
            at += 2
    return Connection(first, second, np.array(pairs, np.int64).reshape(-1, 2))


def _with_boundary(model: StructuralModel, number: int, connections: tuple[Connection, ...]) -> StructuralModel:
    """Points of a part that SECONCT joins belong to its boundary, but for modal points and held components."""
    points = [c.points[:, 0] for c in connections if c.first == number] + [
        c.points[:, 1] for c in connections if c.second == number
    ]
    if not points:
        return model
    ids = np.intersect1d(np.concatenate(points), model.nodes.ids)
    nodes = model.nodes.indices(ids)
    free = np.zeros((len(model.nodes), 6), np.bool_)
    free[nodes] = True
    if model.nodes.scalar is not None:
        free[model.nodes.scalar] = False  # a part's scalar points are its modal points
    free[model.supports.nodes] &= ~model.supports.fixed
    known = model.analysis.interface
    free[known[:, 0], known[:, 1]] = True
    return model.changed(analysis=replace(model.analysis, interface=np.argwhere(free)))


def _matrices(call: Row | None, control: Control, source: SourceText) -> Path | None:
    """File assigned to the unit that SEBULK names for external matrices."""
    if call is None or not call.word(1).startswith("EXT"):
        return None
    unit = call.integer(6, 0) if call.kind(6) == 1 else 0
    name = control.assigned.get(unit)
    return source.path.parent / name if name else None
