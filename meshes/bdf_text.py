"""Small helpers that write Nastran bulk data in large field, so that no digit of a coordinate is lost."""

from __future__ import annotations

from collections.abc import Iterable


def field16(value: object) -> str:
    """One 16-character field; floats keep 9 or more digits."""
    if value is None or value == "":
        return " " * 16
    if isinstance(value, float):
        for digits in range(12, 5, -1):
            text = f"{value:.{digits}G}"
            if "." not in text and "E" not in text and "INF" not in text:
                text += "."
            elif "." not in text:
                text = text.replace("E", ".E")
            if len(text) <= 16:
                return text.ljust(16)
        raise ValueError(value)
    return str(value).ljust(16)


def card(name: str, *fields: object) -> str:
    """One card in large field format, four fields a line, with continuations."""
    rows = [fields[i : i + 4] for i in range(0, max(len(fields), 1), 4)]
    lines = []
    for number, row in enumerate(rows):
        head = f"{name}*".ljust(8) if number == 0 else "*".ljust(8)
        lines.append((head + "".join(field16(value) for value in row)).rstrip())
    if len(rows) % 2:
        lines.append("*")
    return "\n".join(lines)


def deck(title: str, bulk: Iterable[str], modes: int = 12, spc: int | None = 1) -> str:
    """A complete SOL 103 deck; a remark says that its shells are ours, whose bending is closer to a fine mesh than Nastran's."""
    cards = list(bulk)
    control = [f"$ {title}", "SOL 103", "CEND", f"TITLE = {title}", "METHOD = 1"]
    if any(line.startswith(("CQUAD4", "CTRIA3")) for line in cards):
        control.insert(
            1, "$ shells of Tisserand: CQUAD4 and CTRIA3 stand for elements that bend otherwise than Nastran's"
        )
    if spc is not None:
        control.append(f"SPC = {spc}")
    return "\n".join([*control, "BEGIN BULK", f"EIGRL,1,,,{modes}", *cards, "ENDDATA", ""])
