"""Names that pre-processors leave in comments: Femap, Patran, HyperMesh, Simcenter."""

from __future__ import annotations

import re
from dataclasses import replace

from tisserand.readers.nastran.draft import Draft
from tisserand.readers.nastran.physical import split_line

#: Each pattern gives a name and an id, or the card whose first field is the id.
_PROPERTIES = (
    re.compile(rb"(?m)^\$ Femap (?:with NX Nastran )?Property (?P<id>\d+) : (?P<name>[^\n]+)"),
    re.compile(rb'(?m)^\$ Pset: "(?P<name>[^"\n]+)" will be imported as: "\w+\.(?P<id>\d+)"'),
    re.compile(rb'(?m)^\$HMNAME PROP +(?P<id>\d+) *"(?P<name>[^"\n]+)"'),
    re.compile(rb"(?m)^\$\*  Property: (?P<name>[^\n]+)\n(?:\$[^\n]*\n){0,50}(?P<id>P[A-Z][^\n]+)"),
)
_MATERIALS = (
    re.compile(rb"(?m)^\$ Femap (?:with NX Nastran )?Material (?P<id>\d+) : (?P<name>[^\n]+)"),
    re.compile(rb'(?m)^\$HMNAME MAT +(?P<id>\d+) *"(?P<name>[^"\n]+)"'),
    re.compile(rb"(?m)^\$\*  Material: (?P<name>[^\n]+)\n(?:\$[^\n]*\n){0,50}(?P<id>MAT\d[^\n]+)"),
)


_SIGNS = (b"$ Femap ", b"$ Pset:", b"$HMNAME", b"$*  Property:", b"$*  Material:")


def name_materials(draft: Draft) -> None:
    """Give materials the names found in comments."""
    names = _names(draft.bulk.source.text, _MATERIALS)
    for number in names.keys() & draft.materials.keys():
        draft.materials[number] = replace(draft.materials[number], name=names[number])


def name_sections(draft: Draft) -> None:
    """Give sections the names found in comments."""
    names = _names(draft.bulk.source.text, _PROPERTIES)
    for index, section in enumerate(draft.sections):
        if section.id in names:
            draft.sections[index] = section.changed(name=names[section.id])


def _names(text: bytes, patterns: tuple[re.Pattern[bytes], ...]) -> dict[int, str]:
    if not any(sign in text for sign in _SIGNS):
        return {}
    found: dict[int, str] = {}
    for pattern in patterns:
        for match in pattern.finditer(text):
            word = match["id"] if match["id"].isdigit() else split_line(match["id"], 0).fields[0]
            if word.isdigit() and len(word) < 12:
                found.setdefault(int(word), match["name"].decode("utf-8", "replace").strip())
    return found
