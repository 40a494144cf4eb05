"""Which reader serves which result file. A format is one entry; its module is imported when first used."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from importlib import import_module
from pathlib import Path
from typing import cast

from tisserand.errors import FileError
from tisserand.files import existing_file
from tisserand.readers.file_marks import signature
from tisserand.readers.supplier.supplier_modes import SupplierModes


@dataclass(frozen=True)
class ResultFormat:
    """A format of results: name, endings, ``module:function``, and the signatures of its files."""

    name: str
    extensions: tuple[str, ...]
    reader: str
    signs: tuple[str, ...]

    def load(self) -> Callable[[Path, int | None], SupplierModes]:
        module, function = self.reader.split(":")
        return cast(Callable[[Path, int | None], SupplierModes], getattr(import_module(module), function))


RESULT_FORMATS: tuple[ResultFormat, ...] = (
    ResultFormat("op2", (".op2",), "tisserand.readers.op2:read_op2", ("op2",)),
    ResultFormat("f06", (".f06", ".out"), "tisserand.readers.f06:read_f06", ("f06",)),
    ResultFormat("punch", (".pch",), "tisserand.readers.punch:read_punched_modes", ("punch",)),
    ResultFormat("frd", (".frd", ".dat"), "tisserand.readers.frd:read_frd", ("frd", "ccx dat")),
    ResultFormat("universal", (".unv", ".uff"), "tisserand.readers.universal:read_universal", ("universal",)),
)
RESULT_SIGNS = frozenset(sign for entry in RESULT_FORMATS for sign in entry.signs)


def result_format(path: Path, head: bytes, name: str | None = None) -> ResultFormat | None:
    """The format of a result file: by name, else by content, else by its ending; None where it is none of them."""
    shown, suffix = signature(head), path.suffix.lower()
    for entry in RESULT_FORMATS:
        if entry.name == name or (name is None and shown in entry.signs):
            return entry
    return next((entry for entry in RESULT_FORMATS if name is None and suffix in entry.extensions), None)


def read_supplier_modes(path: str | Path, subcase: int | None = None, *, format: str | None = None) -> SupplierModes:
    """Modes of a run by another program, in the numbers of the file.

    Args:
        path: an OP2, F06, punch, universal or FRD file.
        subcase: which one, where the file holds several.
        format: name of the format, where the content does not show it.
    """
    file = existing_file(path)
    with file.open("rb") as stream:
        head = stream.read(1 << 16)
    entry = result_format(file, head, format)
    if entry is None:
        known = ", ".join(ending for one in RESULT_FORMATS for ending in one.extensions)
        raise FileError(file, "is not a result file that can be read", found=file.suffix, expected=known)
    return entry.load()(file, subcase)
