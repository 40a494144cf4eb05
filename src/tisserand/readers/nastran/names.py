"""Names that pre-processors leave in comments: Femap, Patran, HyperMesh, Simcenter."""

from __future__ import annotations

import re
from dataclasses import replace

from tisserand.readers.nastran.draft import Draft

#: Each pattern gives an id and a name, in either order.
_PROPERTIES = (
    re.compile(rb"(?m)^\$ Femap (?:with NX Nastran )?Property (?P<id>\d+) : (?P<name>[^\n]+)"),
    re.compile(rb'(?m)^\$ Pset: "(?P<name>[^"\n]+)" will be imported as: "\w+\.(?P<id>\d+)"'),
    re.compile(rb'(?m)^\$HMNAME PROP +(?P<id>\d+) *"(?P<name>[^"\n]+)"'),
    re.compile(rb"(?m)^\$\*  Property: (?P<name>[^\n]+)\n(?:\$[^\n]*\n)*P[A-Z]+\*? *,? *(?P<id>\d+)"),
)
_MATERIALS = (
    re.compile(rb"(?m)^\$ Femap (?:with NX Nastran )?Material (?P<id>\d+) : (?P<name>[^\n]+)"),
    re.compile(rb'(?m)^\$HMNAME MAT +(?P<id>\d+) *"(?P<name>[^"\n]+)"'),
    re.compile(rb"(?m)^\$\*  Material: (?P<name>[^\n]+)\n(?:\$[^\n]*\n)*MAT\d+\*? *,? *(?P<id>\d+)"),
)


def name_sections(draft: Draft) -> None:
    """Give sections and materials the names found in comments."""
    text = draft.bulk.source.text
    if not any(
        word in text for word in (b"$ Femap ", b"$ Pset:", b"$HMNAME", b"$*  Property:", b"$*  Material:")
    ):
        return
    materials = _names(text, _MATERIALS)
    for number, material in draft.materials.items():
        if number in materials:
            draft.materials[number] = replace(material, name=materials[number])
    properties = _names(text, _PROPERTIES)
    draft.sections[:] = [
        replace(section, name=properties[section.id]) if section.id in properties else section
        for section in draft.sections
    ]


def _names(text: bytes, patterns: tuple[re.Pattern[bytes], ...]) -> dict[int, str]:
    found: dict[int, str] = {}
    for pattern in patterns:
        for match in pattern.finditer(text):
            if len(match["id"]) < 12:
                found.setdefault(int(match["id"]), match["name"].decode("utf-8", "replace").strip())
    return found
