"""Which reader serves which file. A format is one line of the table; its module is imported when first used."""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import dataclass
from importlib import import_module
from pathlib import Path
from typing import Any, cast

from tisserand.arguments import checked_arguments
from tisserand.errors import FileError
from tisserand.files import existing_file
from tisserand.model import StructuralModel
from tisserand.units import UnitSystem


@dataclass(frozen=True)
class Format:
    """A readable format: name, file extensions, ``module:function``, and the pattern that its content shows.

    sign: a regular expression of the first 64 KiB, by line and without case; None if only the extension identifies it.
    properties: whether the format carries materials and sections (a plain mesh needs a TOML case); gives: in words.
    """

    name: str
    extensions: tuple[str, ...]
    reader: str
    sign: bytes | None = None
    properties: bool = True
    gives: str = "structural model"

    def shows_in(self, head: bytes) -> bool:
        """Whether the first bytes of a file show this format."""
        return self.sign is not None and re.search(self.sign, head, re.IGNORECASE | re.MULTILINE) is not None

    @property
    def files(self) -> str:
        return " ".join(self.extensions)

    def load(self) -> Callable[..., StructuralModel]:
        module, function = self.reader.split(":")
        return cast(Callable[..., StructuralModel], getattr(import_module(module), function))


#: Cards and statements that begin a line of a Nastran file, and keywords of an Abaqus or CalculiX deck.
_NASTRAN = (
    rb"^[ \t]*(BEGIN +(BULK|SUPER)|ENDDATA|CEND|SOL +[0-9A-Z]|ID +[0-9A-Z]|NASTRAN +[A-Z]|"
    rb"(GRID|SPOINT|GRDSET|CORD[12][RCS]|MAT[1289]|PSHELL|PCOMP|PBARL?|PBEAML?|PSOLID|PROD|CQUAD[48]|CTRIA[36]|CBAR|CBEAM|"
    rb"CBUSH|CROD|CONROD|CHEXA|CTETRA|CPENTA|CELAS[1-4]|CONM[12]|RBE[123]|ASET1?|DMIG|SPC1?|EIGRL?)(\*| |,|\t|\r?$))"
)
_ABAQUS = (
    rb"^[ \t]*\*(HEADING|RESTART|NODE|ELEMENT|INCLUDE|PART|ASSEMBLY|MATERIAL|NSET|ELSET|STEP|PARAMETER|PREPRINT|BEAM SECTION|"
    rb"SHELL SECTION|SOLID SECTION|USER ELEMENT|MATRIX INPUT)\b"
)
#: A first line of TOML, after comments: a table or a key with a value.
_TOML = (
    rb"\A(\xef\xbb\xbf)?([ \t]*(#.*)?\r?\n)*[ \t]*"
    rb"(\[{1,2}[ \w.\"'-]+\]{1,2}[ \t]*(#.*)?\r?$|[\w.\"'-]+[ \t]*=\s*[\[{\"'+\-0-9tf])"
)
#: Where several formats show or share an extension, the first of the table is taken.
FORMATS: list[Format] = [
    Format(
        "nastran",
        (".bdf", ".nas", ".dat", ".fem", ".blk", ".bulk", ".asm", ".pch", ".op2bdf", ".nastran"),
        "tisserand.readers.nastran:read_nastran",
        _NASTRAN,
    ),
    Format("abaqus", (".inp",), "tisserand.readers.abaqus:read_abaqus", _ABAQUS),
    Format("case", (".toml",), "tisserand.readers.case:read_case_model", _TOML),
    *(
        Format(
            name,
            extensions,
            "tisserand.readers.case:read_mesh_model",
            sign,
            False,
            "geometry and sets, with a TOML case",
        )
        for name, extensions, sign in (
            ("gmsh", (".msh",), rb"\A\s*\$MeshFormat"),
            ("vtk", (".vtk",), rb"\A# vtk DataFile"),
            ("vtu", (".vtu",), rb"<VTKFile"),
            ("xdmf", (".xdmf", ".xmf"), rb"<Xdmf"),
            ("med", (".med",), None),
            ("medit", (".mesh", ".meshb"), rb"\A\s*MeshVersion"),
            ("exodus", (".e", ".exo", ".ex2"), None),
            ("stl", (".stl",), rb"\Asolid .*\n\s*facet normal"),
            ("ply", (".ply",), rb"\Aply\r?\n"),
            ("obj", (".obj",), None),
            ("off", (".off",), rb"\AOFF\s"),
            ("su2", (".su2",), rb"^NDIME *="),
            ("flac3d", (".f3grid",), None),
        )
    ),
]
#: Endings of files that a mesh library reads as the ending tells.
_BY_ENDING = frozenset(ending for entry in FORMATS if entry.sign is None for ending in entry.extensions)


def format_of(path: str | Path, name: str | None = None, head: bytes | None = None) -> Format:
    """The format of a file: by name when given, else by content, with the extension to help.

    A file that shows the format of its extension is of that format. Else it is of the first format that it shows, and else of
    the format of its extension. ``head`` are its first bytes where they were read already.
    """
    path = existing_file(path)
    if name is not None:
        for entry in FORMATS:
            if entry.name == name.strip().lower():
                return entry
        raise FileError(path, "unknown format", found=repr(name), expected=", ".join(entry.name for entry in FORMATS))
    suffix = path.suffix.lower()
    if head is None:
        with open(path, "rb") as stream:
            head = stream.read(1 << 16)
    of_ending = [entry for entry in FORMATS if suffix in entry.extensions]
    showing = [] if suffix in _BY_ENDING or b"\0" in head else [entry for entry in FORMATS if entry.shows_in(head)]
    for entry in (*(entry for entry in showing if entry in of_ending), *showing, *of_ending):
        return entry
    known = ", ".join(sorted({extension for entry in FORMATS for extension in entry.extensions}))
    raise FileError(
        path,
        "the format cannot be recognized from extension or content",
        found=repr(suffix),
        expected=known,
        advice="name it with --format; 'tisserand formats' lists the names",
    )


def readable() -> tuple[Format, ...]:
    """Everything that can be read, for ``tisserand formats``."""
    return tuple(FORMATS)


@checked_arguments
def read_model(
    path: str | Path, units: str | UnitSystem | None = None, *, format: str | None = None, **options: Any
) -> StructuralModel:
    """Read a structural model, SI. ``units`` is the system of the file's numbers; options go to the format's reader.

    Args:
        path: the file.
    """
    return format_of(path, format).load()(path, units, **options)
