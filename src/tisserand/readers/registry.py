"""Which reader serves which file. A format is one line of the table; its module is imported when first used."""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import dataclass
from importlib import import_module
from pathlib import Path
from typing import Any, cast

from tisserand.errors import FileError
from tisserand.files import existing_file
from tisserand.model import StructuralModel
from tisserand.units import UnitSystem


@dataclass(frozen=True)
class Format:
    """A readable format: name, file extensions, ``module:function``, and words that betray it in the first lines.

    properties: whether the format carries materials and sections (a plain mesh needs a TOML case); gives: in words.
    """

    name: str
    extensions: tuple[str, ...]
    reader: str
    signs: tuple[bytes, ...] = ()
    properties: bool = True
    gives: str = "structural model"

    @property
    def files(self) -> str:
        return " ".join(self.extensions)

    def load(self) -> Callable[..., StructuralModel]:
        module, function = self.reader.split(":")
        return cast(Callable[..., StructuralModel], getattr(import_module(module), function))


#: Order matters where two formats share an extension: the first whose signs are found is taken.
FORMATS: list[Format] = [
    Format(
        "nastran",
        (".bdf", ".nas", ".dat", ".fem", ".blk", ".bulk", ".asm", ".pch", ".op2bdf", ".nastran"),
        "tisserand.readers.nastran:read_nastran",
        (
            b"\nBEGIN BULK",
            b"\nGRID",
            b"\nCEND",
            b"\nBEGIN SUPER",
            b"\nSOL ",
            b"\nID ",
            b"\nNASTRAN ",
            b"\nENDDATA",
            b"\nMAT1",
        ),
    ),
    Format(
        "abaqus",
        (".inp",),
        "tisserand.readers.abaqus:read_abaqus",
        (
            b"\n*NODE",
            b"\n*HEADING",
            b"\n*INCLUDE",
            b"\n*PART",
            b"\n*ELEMENT",
            b"\n*MATERIAL",
            b"\n*STEP",
            b"\n*RESTART",
        ),
    ),
    Format("case", (".toml",), "tisserand.readers.case:read_case_model"),
    *(
        Format(
            name,
            extensions,
            "tisserand.readers.case:read_mesh_model",
            signs,
            False,
            "geometry and sets, with a TOML case",
        )
        for name, extensions, signs in (
            ("gmsh", (".msh",), (b"$MESHFORMAT",)),
            ("vtk", (".vtk",), (b"# VTK DATAFILE",)),
            ("vtu", (".vtu",), (b"<VTKFILE",)),
            ("xdmf", (".xdmf", ".xmf"), (b"<XDMF",)),
            ("med", (".med",), ()),
            ("medit", (".mesh", ".meshb"), (b"MESHVERSION",)),
            ("exodus", (".e", ".exo", ".ex2"), ()),
            ("stl", (".stl",), ()),
            ("ply", (".ply",), ()),
            ("obj", (".obj",), ()),
            ("off", (".off",), ()),
            ("su2", (".su2",), ()),
            ("flac3d", (".f3grid",), ()),
        )
    ),
]


def format_of(path: str | Path, name: str | None = None, head: bytes | None = None) -> Format:
    """The format of a file: by name when given, else by content, with the extension to help.

    ``head`` are its first bytes where they were read already.
    """
    path = existing_file(path)
    if name is not None:
        for entry in FORMATS:
            if entry.name == name.strip().lower():
                return entry
        raise FileError(path, "unknown format", found=repr(name), expected=", ".join(entry.name for entry in FORMATS))
    suffix = path.suffix.lower()
    candidates = [entry for entry in FORMATS if suffix in entry.extensions]
    if head is None:
        with open(path, "rb") as stream:
            head = stream.read(1 << 16)
    head = re.sub(rb"\s*[\r\n][ \t]*", b"\n", b"\n" + head.upper())
    if len(candidates) == 1:
        return _by_content(candidates[0], head)
    for entry in candidates or FORMATS:
        if any(sign in head for sign in entry.signs):
            return entry
    if candidates:
        return candidates[0]
    known = ", ".join(sorted({extension for entry in FORMATS for extension in entry.extensions}))
    raise FileError(
        path,
        "the format cannot be recognized from extension or content",
        found=repr(suffix),
        expected=known,
        advice="name it with --format (format= in Python)",
    )


def _by_content(expected: Format, head: bytes) -> Format:
    """The format of the ending, unless the file has none of its signs and has those of another one at the start of a line."""
    if not expected.signs or any(sign in head for sign in expected.signs):
        return expected
    for other in FORMATS:
        if other is not expected and any(b"\n" + sign.lstrip(b"\n") in head for sign in other.signs):
            return other
    return expected


def readable() -> tuple[Format, ...]:
    """Everything that can be read, for ``tisserand formats``."""
    return tuple(FORMATS)


def read_model(
    path: str | Path, units: str | UnitSystem | None = None, *, format: str | None = None, **options: Any
) -> StructuralModel:
    """Read a structural model, SI. ``units`` is the system of the file's numbers; options go to the format's reader.

    Args:
        path: the file.
    """
    return format_of(path, format).load()(path, units, **options)
