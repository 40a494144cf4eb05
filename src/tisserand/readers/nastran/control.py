"""The sections of a deck and what case control selects."""

from __future__ import annotations

import re
from dataclasses import dataclass, field, replace
from pathlib import Path

from tisserand.errors import ReadError
from tisserand.readers.nastran.cut_off import judge_end
from tisserand.readers.nastran.deck_text import SourceText
from tisserand.readers.nastran.dialect95 import is_nastran95, modern_free_field

_MARK = re.compile(
    rb"(?im)^[ \t]*(?:(?P<cend>cend)\b.*|(?P<end>enddata)\b.*"
    rb"|begin(?:[ \t]+bulk)?[ \t]+(?:super|arbmodel|auxmodel)[ \t=]*(?P<part>\d+).*|(?P<bulk>begin(?:[ \t]+bulk\b.*|[ \t]*$)))"
)
_ASSIGN = re.compile(rb"(?im)^[ \t]*assign[ \t]+(\w+)[ \t]*=[ \t]*['\"]?([^'\",\s]+)['\"]?(.*(?:,\s*\n.*)*)")
#: Statements that select a set by its number; a blank may stand for the equals sign, as in SUBCASE 1.
_SETS = re.compile(r"(SPC|MPC|NSM|METHOD|METH|SUPORT1)(?![A-Z0-9])\s*(\([^)]*\))?\s*=?\s*(.*)")
#: A parameter among the commands of case control: PARAM,NAME,VALUE.
_PARAMETER = re.compile(r"PARAM[\s,]+([A-Z]\w*)[\s,=]+([^\s,]+)")


@dataclass(frozen=True)
class Section:
    """Bulk data (upper case) of the main structure (part 0) or of a superelement part; ``first`` is its first line (from 0)."""

    part: int
    text: bytes
    first: int


@dataclass(frozen=True)
class Selection:
    """Sets that case control selects; None: nothing selected."""

    values: dict[str, str] = field(default_factory=dict)

    def number(self, key: str) -> int | None:
        text = self.values.get(key, "")
        return int(text) if text.isdigit() else None

    @property
    def parameters(self) -> dict[str, list[str]]:
        """PARAM commands by name; they precede those of the bulk data."""
        return {key.removeprefix("PARAM "): [value] for key, value in self.values.items() if key.startswith("PARAM ")}

    def matrices(self, key: str) -> list[tuple[str, str]]:
        """Names and factors of K2GG and the like: ``KAAX`` ``1.25*KAAX, KBBX``, or the number of a SET of names.

        A factor that is not stated is 1.
        """
        parts = [part.rpartition("*") for part in self.values.get(key, "").split(",") if part.strip()]
        found: list[tuple[str, str]] = []
        for factor, _, name in parts:
            members = self.values.get(f"SET {name.strip()}", name).split(",")
            found += [(member.strip(), factor.strip() or "1.") for member in members if member.strip()]
        return found


@dataclass(frozen=True)
class Control:
    """Executive and case control."""

    present: bool
    solution: str = ""
    title: str = ""
    overall: dict[str, str] = field(default_factory=dict)
    subcases: tuple[tuple[int, dict[str, str]], ...] = ()
    assigned: dict[int, str] = field(default_factory=dict)
    nastran95: bool = False

    def for_part(self, part: int = 0, asked: int | None = None) -> Selection:
        """The selection for the main structure (0) or a part: subcase ``asked``, else its own, else the first that names no part.

        Of several the first with a METHOD is taken, so that modes follow their own subcase and not the static one before it.
        """
        own = self.chosen(part, asked)
        return Selection({**self.overall, **(own[1] if own else {})})

    def chosen(self, part: int = 0, asked: int | None = None) -> tuple[int, dict[str, str]] | None:
        """Number and statements of that subcase; None without subcases."""
        found = []
        for number, own in self.subcases:
            given = own.get("SUPER", "0" if part == 0 else "").split(",")[0].strip()
            if (part == 0 and ("SUPER" not in own or given == "0")) or given == str(part) != "0":
                found.append((number, own))
        if asked is not None:
            return next((item for item in found if item[0] == asked), None)
        return next((item for item in found if "METHOD" in item[1]), found[0] if found else None)

    def static(self, asked: int | None, path: Path) -> tuple[Selection, int] | None:
        """The static subcase that the chosen one starts from (STATSUB), and its number; buckling solutions have none."""
        if (
            self.nastran95 and self.solution == "13"
        ):  # normal modes with differential stiffness: the subcase with the load
            loaded = next(((n, own) for n, own in self.subcases if "LOAD" in own), None)
            if loaded is not None or "LOAD" in self.overall:
                first, own = loaded or (1, {})
                return Selection({**self.overall, **own}), first
        chosen = self.chosen(0, asked)
        text = (chosen[1] if chosen else {}).get("STATSUB", self.overall.get("STATSUB", ""))
        kind, _, number = text.rpartition(")")
        buckling = kind.startswith("(BUCK") or (not kind and self.solution in ("105", "5", "SEBUCKL", "BUCKLING"))
        if not number.strip().isdigit() or buckling:
            return None
        for known, statements in self.subcases:
            if known == int(number):
                return Selection({**self.overall, **statements}), known
        raise ReadError(
            path,
            None,
            "the static subcase that the modes start from does not exist",
            found=f"STATSUB = {number.strip()}",
            expected=f"one of {', '.join(str(known) for known, _ in self.subcases)}" if self.subcases else "a subcase",
        )


def _marks(upper: bytes) -> list[re.Match[bytes]]:
    """Lines that open or close a section, found by their first word."""
    found = []
    for word in (b"CEND", b"BEGIN", b"ENDDATA"):
        at = upper.find(word)
        while at >= 0:
            start = upper.rfind(b"\n", 0, at) + 1
            match = _MARK.match(upper, start) if not upper[start:at].strip() else None
            if match:
                found.append(match)
                if word == b"ENDDATA":
                    break
            at = upper.find(word, at + 1)
    return sorted(found, key=lambda match: match.start())


def split_sections(source: SourceText) -> tuple[Control, list[Section]]:
    """Control and bulk sections; a file without BEGIN BULK is bulk data from its first line."""
    upper = source.text.upper()
    marks = _marks(upper)
    ends = [mark for mark in marks if mark["end"]]
    stop = ends[0].start() if ends else len(upper)
    marks = [mark for mark in marks if not mark["end"] and mark.start() < stop]
    cend = next((mark for mark in marks if mark["cend"]), None)
    begins = [mark for mark in marks if not mark["cend"]]
    start = 0
    if begins and (cend is not None or begins[0]["bulk"]):
        control = _control(source, begins[0].start(), cend.start() if cend else None)
    elif cend is not None:
        control = _control(source, cend.end(), cend.start())  # cards are no statements
        start = stop
    else:
        control = Control(False)
    judge_end(source, begun=control.present and bool(begins), ended=bool(ends))
    points = [(0, start)] if not control.present else []
    points += [(int(mark["part"] or 0), mark.end()) for mark in begins]
    starts = [mark.start() for mark in begins]
    ends_at = [*starts[len(begins) - len(points) + 1 :], stop]
    old = cend is not None and is_nastran95(upper[: cend.start()])
    sections = []
    for (part, begin), end in zip(points, ends_at):
        text = modern_free_field(upper[begin:end]) if old else upper[begin:end]
        sections.append(Section(part, text, upper.count(b"\n", 0, begin)))
    if cend is None and begins and not _states_something(upper[: begins[0].start()]):
        control = replace(control, present=False)  # BEGIN BULK alone makes no case control
    return (replace(control, nastran95=old) if old else control), sections


def _states_something(text: bytes) -> bool:
    """Whether any line is more than a remark."""
    return any(line.partition(b"$")[0].strip() for line in text.splitlines())


def _control(source: SourceText, end: int, cend: int | None) -> Control:
    """What the text before ``end`` states; ``cend``: where CEND stands in it."""
    text = source.text[:end]
    executive = text[:cend] if cend is not None else b""
    case = text[cend:] if cend is not None else text
    solution = ""
    for line in executive.decode("latin-1").upper().splitlines():
        words = line.split("$")[0].replace(",", " ").split()
        if len(words) > 1 and words[0] == "SOL":
            solution = words[1]
    assigned = {}
    for match in _ASSIGN.finditer(executive):
        unit = re.search(rb"(?i)unit[ \t]*=[ \t]*(\d+)", match[3])
        if unit:
            assigned[int(unit[1])] = match[2].decode("latin-1")
    overall: dict[str, str] = {}
    subcases: list[tuple[int, dict[str, str]]] = []
    title = ""
    pending = ""
    plots = False
    for at, raw in enumerate(case.decode("latin-1").split("\n"), text.count(b"\n") - case.count(b"\n")):
        line = (pending + raw.split("$")[0].strip()).strip()
        pending = ""
        if line.endswith(",") and "=" in line:
            pending = line
            continue
        upper = line.upper()
        if upper.startswith(("SUBCASE", "SUBCOM", "SYM", "REPCASE")):
            number = re.search(r"\d+", upper)
            subcases.append((int(number[0][:15]) if number else len(subcases) + 1, {}))
            continue
        if parameter := _PARAMETER.match(upper):
            (subcases[-1][1] if subcases else overall)[f"PARAM {parameter[1]}"] = parameter[2]
            continue
        plots = plots or upper.startswith("OUTPUT(")  # sets of plots have numbers of their own
        if re.match(r"METH(OD)?\s*\(\s*FLU", upper):
            continue  # modes of a fluid have a request of their own
        if (chosen := _SETS.match(upper)) and not plots:
            if not chosen[3].isdigit():
                raise source.error(
                    at, f"the set that case control selects cannot be read ({chosen[1]})", found=repr(line.strip()),
                    expected=f"one whole number, for instance {chosen[1]} = 1",
                )  # fmt: skip
            upper = f"{chosen[1]}{chosen[2] or ''}={chosen[3]}"
        if (names := re.match(r"SET\s+(\d+)\s*=\s*(.+)", upper)) and not plots:
            (subcases[-1][1] if subcases else overall)[f"SET {names[1]}"] = names[2]
            continue
        entry = re.match(r"([A-Z0-9]+)\s*(\([^)]*\))?\s*=\s*(.+)", upper)
        if not entry:
            continue
        key, value = str(entry[1]), str(entry[3]).strip()
        if key == "TITLE":
            title = title or line.split("=", 1)[1].strip()
        key = {"METH": "METHOD", "TEMP": "TEMPERATURE"}.get(key, key)
        if key in ("TEMPERATURE", "STATSUB"):
            value = f"{entry[2] or ''}{value}"
        if value.startswith("(LOAD"):
            key = "TEMPERATURE (LOAD)"  # a load beside the temperature of the materials
        (subcases[-1][1] if subcases else overall)[key] = value
    return Control(True, solution, title, overall, tuple(subcases), assigned)
