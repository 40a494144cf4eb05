"""Workbooks (Office Open XML) of plain tables: sheets of numbers and texts, the same bytes for the same values."""

from __future__ import annotations

import zipfile
from collections.abc import Mapping, Sequence
from html import escape
from pathlib import Path

_HEAD = '<?xml version="1.0" encoding="UTF-8" standalone="yes"?>\n'
_MAIN = "http://schemas.openxmlformats.org/spreadsheetml/2006/main"
_RELATIONS = "http://schemas.openxmlformats.org/package/2006/relationships"
_OFFICE = "http://schemas.openxmlformats.org/officeDocument/2006/relationships"
_TYPES = "application/vnd.openxmlformats-officedocument.spreadsheetml"

Cell = str | float | int


def write_xlsx(path: Path, sheets: Mapping[str, Sequence[Sequence[Cell]]]) -> None:
    """Write one sheet per entry, rows of cells from A1; texts are stored in their cells."""
    names = list(sheets)
    parts = {
        "[Content_Types].xml": _content_types(len(names)),
        "_rels/.rels": _relations([("officeDocument", "xl/workbook.xml")]),
        "xl/workbook.xml": _workbook(names),
        "xl/_rels/workbook.xml.rels": _relations([("worksheet", f"worksheets/sheet{i}.xml") for i in _count(names)]),
    }
    parts |= {f"xl/worksheets/sheet{i}.xml": _sheet(sheets[name]) for i, name in zip(_count(names), names)}
    with zipfile.ZipFile(path, "w", zipfile.ZIP_DEFLATED) as archive:
        for name, text in parts.items():
            archive.writestr(zipfile.ZipInfo(name), (_HEAD + text).encode(), zipfile.ZIP_DEFLATED)


def _count(names: Sequence[str]) -> range:
    return range(1, len(names) + 1)


def _content_types(sheets: int) -> str:
    kinds = [("/xl/workbook.xml", "sheet.main")] + [
        (f"/xl/worksheets/sheet{i + 1}.xml", "worksheet") for i in range(sheets)
    ]
    rows = "".join(f'<Override PartName="{part}" ContentType="{_TYPES}.{kind}+xml"/>' for part, kind in kinds)
    package = "application/vnd.openxmlformats-package.relationships+xml"
    return (
        '<Types xmlns="http://schemas.openxmlformats.org/package/2006/content-types">'
        f'<Default Extension="rels" ContentType="{package}"/>'
        f'<Default Extension="xml" ContentType="application/xml"/>{rows}</Types>'
    )


def _relations(targets: Sequence[tuple[str, str]]) -> str:
    rows = "".join(
        f'<Relationship Id="rId{i}" Type="{_OFFICE}/{kind}" Target="{target}"/>'
        for i, (kind, target) in enumerate(targets, 1)
    )
    return f'<Relationships xmlns="{_RELATIONS}">{rows}</Relationships>'


def _workbook(names: Sequence[str]) -> str:
    rows = "".join(
        f'<sheet name="{escape(name[:31])}" sheetId="{i}" r:id="rId{i}"/>' for i, name in enumerate(names, 1)
    )
    return f'<workbook xmlns="{_MAIN}" xmlns:r="{_OFFICE}"><sheets>{rows}</sheets></workbook>'


def _sheet(rows: Sequence[Sequence[Cell]]) -> str:
    lines = []
    for r, row in enumerate(rows, 1):
        cells = "".join(_cell(f"{_letters(c)}{r}", value) for c, value in enumerate(row))
        lines.append(f'<row r="{r}">{cells}</row>')
    return f'<worksheet xmlns="{_MAIN}"><sheetData>{"".join(lines)}</sheetData></worksheet>'


def _letters(column: int) -> str:
    """0 -> A, 25 -> Z, 26 -> AA."""
    text = ""
    column += 1
    while column:
        column, rest = divmod(column - 1, 26)
        text = chr(ord("A") + rest) + text
    return text


def _cell(place: str, value: Cell) -> str:
    if isinstance(value, str):
        return f'<c r="{place}" t="inlineStr"><is><t xml:space="preserve">{escape(value, quote=False)}</t></is></c>'
    return f'<c r="{place}"><v>{float(value)!r}</v></c>'
