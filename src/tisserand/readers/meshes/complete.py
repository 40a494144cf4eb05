"""Detect truncated mesh files before a parser fails on them or, worse, accepts them."""

from __future__ import annotations

import re
from pathlib import Path

from tisserand.errors import FileError
from tisserand.readers.meshes.gmsh_text import check_text

_MARK = re.compile(rb"^\$(\w+)[ \t\r]*$", re.MULTILINE)
_NEEDED = ("Nodes", "Elements")
#: Number of cells stated in a legacy VTK or SU2 file, by how it begins; parsers that count lines ignore it.
_STATED = {
    re.compile(rb"\A# vtk"): re.compile(rb"^CELL_TYPES[ \t]+(\d+)", re.MULTILINE | re.IGNORECASE),
    re.compile(rb"^NDIME *=", re.MULTILINE): re.compile(
        rb"^[ \t]*(?:NELEM|MARKER_ELEMS)[ \t]*=[ \t]*(\d+)", re.MULTILINE | re.IGNORECASE
    ),
}


def refuse_incomplete(file: Path) -> None:
    """Raise when a Gmsh file ends inside a section, lacks nodes or elements, or contradicts itself; other files pass."""
    data = file.read_bytes()
    if not data.lstrip().startswith(b"$MeshFormat"):
        return
    marks = [(mark.group(1).decode("ascii", "replace"), mark.end()) for mark in _MARK.finditer(data)]
    names = {name for name, _ in marks}
    for name, start in marks:
        if not name.startswith("End") and f"End{name}" not in names:
            raise FileError(
                file,
                f"the Gmsh file ends inside its ${name} section",
                found=_progress(name, data[start:], binary=_is_binary(data)),
                expected=f"$End{name}",
                advice="write the mesh again; the file was cut off",
            )
    for name in _NEEDED:
        if name not in names:
            raise FileError(
                file,
                f"the Gmsh file has no ${name} section",
                found=", ".join(f"${n}" for n, _ in marks if not n.startswith("End")),
                advice="write the mesh again; the file was cut off or the mesh was not generated",
            )

    version = data[:200].split()[1:2]
    if version and not version[0].startswith((b"1", b"2", b"4")):
        raise FileError(
            file,
            "the Gmsh file is of a version that cannot be read",
            found=version[0].decode("ascii", "replace"),
            expected="2 or 4",
        )
    if not _is_binary(data):
        check_text(file, data)


def refuse_fewer_cells(file: Path, found: int) -> None:
    """Raise when a legacy VTK or SU2 file holds fewer cells than it states."""
    data = file.read_bytes()
    pattern = next((counts for start, counts in _STATED.items() if start.search(data[:4096])), None)
    stated = 0 if pattern is None else sum(int(number) for number in pattern.findall(data))
    if found < stated:
        raise FileError(
            file,
            "the mesh file ends before its last cell",
            found=f"{found} cells",
            expected=stated,
            advice="write the mesh again; the file was cut off",
        )


def _is_binary(data: bytes) -> bool:
    words = data[:200].split()
    return len(words) > 2 and words[2] == b"1"


def _progress(name: str, rest: bytes, *, binary: bool) -> str:
    """Progress of a section: lines found against the stated count, where both are known."""
    if binary:
        return f"{len(rest)} bytes of it"
    lines = rest.decode("utf-8", "replace").split("\n")[1:]
    stated = lines[0].strip() if lines else ""
    if stated.isdigit():
        return f"{max(len(lines) - 2, 0)} complete lines of {stated}"
    return f"{max(len(lines) - 1, 0)} complete lines of it"
