"""Free field of NASTRAN-95 converted to the form of later programs; one line stays one line.

There blanks separate fields behind the first comma, ``8)246`` states field 8, ``)+A`` the tenth, ``/`` repeats the increment
before it, and ``/`` in the first field deletes lines of a restart deck.
"""

from __future__ import annotations

import re

#: Executive control of NASTRAN-95: a rigid format with a subset (``SOL 3,1``), ``ID D01031A,NASTRAN``.
_SIGNS = re.compile(rb"(?im)^[ \t]*(?:sol[ \t]+1?\d[ \t]*,[ \t]*\d|id[ \t]+[^,\n]*,[ \t]*nastran\b)")
#: Solutions of later programs (``SOL 101``, ``SOL 601,106``, ``SOL SESTATIC``), whatever their ID line says.
_LATER = re.compile(rb"(?im)^[ \t]*sol[ \t]+(?:[2-9]\d\b|\d{3}|se\w)")
_PLACED = re.compile(rb"(\d*)\)(.*)")


def is_nastran95(executive: bytes) -> bool:
    """Whether executive control is that of NASTRAN-95."""
    return _SIGNS.search(executive) is not None and _LATER.search(executive) is None


def modern_free_field(text: bytes) -> bytes:
    """Bulk data whose free-field lines separate their fields by commas only; lines that delete (``/``) become blank."""
    lines = text.split(b"\n")
    for i, raw in enumerate(lines):
        line = raw.split(b"$")[0].rstrip()
        if line.startswith(b"/"):
            lines[i] = b""
        elif b"," in line[:10]:
            lines[i] = _modern(line)
    return b"\n".join(lines)


def _modern(line: bytes) -> bytes:
    head, *rest = (part.strip() for part in line.split(b","))
    fields = [head]
    for k, part in enumerate(rest):
        words = part.split()
        if not words:
            if k < len(rest) - 1 or len(rest) == 1:
                fields.append(b"")
            continue
        for word in words:
            fields.extend(_fields(word, fields))
    return b",".join(fields)


def _fields(word: bytes, before: list[bytes]) -> list[bytes]:
    """What a word adds: itself, blanks up to the field that it states, or increments repeated by slashes."""
    if word.startswith(b"/") and not word.strip(b"/"):
        return [before[-1]] * len(word)
    placed = _PLACED.match(word)
    if placed is not None:
        number = min(int(placed[1] or 10), 10)
        return [*[b""] * max(number - 1 - len(before), 0), placed[2]]
    return [word]
