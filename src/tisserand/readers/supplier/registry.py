"""Which reader serves which result file. A format is one entry; its module is imported when first used."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from importlib import import_module
from pathlib import Path
from typing import cast

from tisserand.errors import FileError
from tisserand.files import existing_file
from tisserand.readers.supplier.supplier_modes import SupplierModes


@dataclass(frozen=True)
class ResultFormat:
    """A format of results: name, endings, ``module:function``, and what betrays it in the first bytes (upper case)."""

    name: str
    extensions: tuple[str, ...]
    reader: str
    signs: tuple[bytes, ...] = ()

    def load(self) -> Callable[[Path, int | None], SupplierModes]:
        module, function = self.reader.split(":")
        return cast(Callable[[Path, int | None], SupplierModes], getattr(import_module(module), function))


RESULT_FORMATS: tuple[ResultFormat, ...] = (
    ResultFormat("op2", (".op2",), "tisserand.readers.op2:read_op2", (b"\x04\x00\x00\x00", b"\x00\x00\x00\x04")),
    ResultFormat("f06", (".f06", ".out"), "tisserand.readers.f06:read_f06", (b"N A S T R A N", b"NASTRAN")),
    ResultFormat("punch", (".pch",), "tisserand.readers.punch:read_punched_modes", (b"$EIGENVECTOR",)),
    ResultFormat("frd", (".frd", ".dat"), "tisserand.readers.frd:read_frd", (b"    2C", b"E I G E N V A L U E")),
    ResultFormat("universal", (".unv", ".uff"), "tisserand.readers.universal:read_universal", (b"    -1",)),
)


def result_format(path: Path, head: bytes, name: str | None = None) -> ResultFormat | None:
    """The format of a result file: by name, else by its ending; None where it is none of them."""
    suffix = path.suffix.lower()
    for entry in RESULT_FORMATS:
        if entry.name == name or (name is None and suffix in entry.extensions):
            return entry
    return None


def read_supplier_modes(path: str | Path, subcase: int | None = None, *, format: str | None = None) -> SupplierModes:
    """Modes of a run by another program, in the numbers of the file.

    Args:
        path: an OP2, F06, punch, universal or FRD file.
        subcase: which one, where the file holds several.
        format: name of the format, where the ending does not tell.
    """
    file = existing_file(path)
    with file.open("rb") as stream:
        head = stream.read(1 << 16)
    entry = result_format(file, head, format)
    if entry is None:
        known = ", ".join(ending for one in RESULT_FORMATS for ending in one.extensions)
        raise FileError(file, "is not a result file that can be read", found=file.suffix, expected=known)
    return entry.load()(file, subcase)
