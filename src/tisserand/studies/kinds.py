"""The registry of everything that can be opened: content decides, the ending helps, a name forces.

A kind is one entry; its reader is imported when a file of that kind is opened. Formats of structural models are in
:mod:`tisserand.readers.registry` and follow the kinds below.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace
from importlib import import_module
from typing import Any

from tisserand.errors import FileError
from tisserand.multibody.run_file import KIND as RUN
from tisserand.readers.registry import FORMATS, format_of
from tisserand.readers.supplier.registry import RESULT_FORMATS
from tisserand.studies.look import HDF5_SUFFIXES, Look

STIFFNESS_NAMES = ("stiffness", "k", "kaa")
#: First bytes of Matrix Market and MATLAB files.
MARKET, MATLAB = b"%%MatrixMarket", b"MATLAB 5.0 MAT-file"
#: Meshes that are HDF5 files.
HDF5_MESHES = (".med", ".e", ".exo", ".ex2")
MATRIX_SUFFIXES = (".op4", ".op2", ".mtx", ".sti", ".mas", ".mm", ".mat")


@dataclass(frozen=True)
class Kind:
    """A kind of file: what its content shows, who reads it, and what comes of it.

    gives: the field of ``Source`` that is filled; reader: ``module:function``.
    """

    name: str
    files: str
    gives: str
    words: str
    reader: str
    recognizes: Callable[[Look], bool] = lambda look: False

    def load(self) -> Callable[..., Any]:
        module, function = self.reader.split(":")
        return getattr(import_module(module), function)  # type: ignore[no-any-return]


def _is_run(look: Look) -> bool:
    return look.hdf5 is not None and look.hdf5[0] == RUN


def _is_results(look: Look) -> bool:
    """Result files of other programs; a table of modes decides where the ending is shared with decks or matrices."""
    if look.suffix == ".op2":
        return look.op2_modes
    if look.suffix in (".out", ".dat"):
        return any(sign in look.head.upper() for sign in _PRINTED)
    if look.suffix == ".pch":
        return b"\0" not in look.head and "$EIGENVECTOR" in look.text
    return look.suffix in (".f06", ".frd", ".unv", ".uff")


#: Titles that a printed run begins with, and a deck never has.
_PRINTED = (b"N A S T R A N", b"E I G E N V A L U E   O U T P U T")


def _is_matrices(look: Look) -> bool:
    if look.hdf5 is not None:
        return look.hdf5[0] is None and any(name.lower() in STIFFNESS_NAMES for name in look.hdf5[1])
    if look.archive is not None:
        return "frequencies_hz.npy" not in look.archive
    if look.head.startswith(MARKET) or look.head.startswith(MATLAB):
        return True
    return look.suffix in MATRIX_SUFFIXES or (look.suffix == ".pch" and "DMIG" in look.text)


def _is_modes(look: Look) -> bool:
    if look.table is not None:
        return "frequencies_hz" in look.table
    return look.suffix == ".json" or look.begins_as_json or look.archive is not None


def is_vehicle(look: Look) -> bool:
    """Whether a TOML file states bodies and no mesh."""
    return look.table is not None and isinstance(look.table.get("bodies"), dict) and "mesh" not in look.table


#: In the order in which they are asked.
KINDS: tuple[Kind, ...] = (
    Kind("run", ".h5 .hdf5", "trajectory", "trajectory", "tisserand.multibody.run_file:load_trajectory", _is_run),
    Kind(
        "results", ".op2 .f06 .pch .unv .uff .frd", "supplier", "modes of another program",
        "tisserand.readers.supplier:read_supplier_modes", _is_results,
    ),
    Kind(
        "matrices", ".op4 .op2 .pch .mtx .mm .sti/.mas .mat .npz .h5", "matrices", "stiffness and mass",
        "tisserand.readers.matrices:read_matrices", _is_matrices,
    ),
    Kind(
        "record", ".h5 .hdf5", "record", "reduced appendage", "tisserand.appendage:load_record",
        lambda look: look.suffix in HDF5_SUFFIXES or (look.hdf5 is not None and look.suffix not in HDF5_MESHES),
    ),
    Kind(
        "sid", ".SID_FEM", "record", "reduced appendage", "tisserand.readers.sid:read_sid_appendage",
        lambda look: look.suffix == ".sid_fem",
    ),
    Kind("vehicle", ".toml", "vehicle", "vehicle and its run", "tisserand.studies.vehicles:read_vehicle", is_vehicle),
    Kind("modes", ".json .toml .npz", "record", "reduced appendage", "tisserand.readers.given_modes:read_modes", _is_modes),
    Kind(
        "case", ".toml", "structure", "structural model", "tisserand.readers.case:read_case",
        lambda look: look.table is not None or format_of(look.path, head=look.head).name == "case",
    ),
)  # fmt: skip


def kind_of(look: Look, name: str | None = None) -> Kind:
    """The kind of a file: by name when given, else by content and ending."""
    wanted = None if name is None else name.strip().lower()
    for entry in RESULT_FORMATS:
        if entry.name == wanted:
            return replace(next(kind for kind in KINDS if kind.name == "results"), name=wanted)
    for kind in KINDS:
        if kind.name == wanted or (wanted is None and kind.recognizes(look)):
            return kind
    if wanted is not None and wanted not in (entry.name for entry in FORMATS):
        known = ", ".join([kind.name for kind in KINDS] + [entry.name for entry in FORMATS if entry.name != "case"])
        raise FileError(look.path, "unknown format", found=repr(name), expected=known)
    found = format_of(look.path, wanted, look.head)
    return Kind(found.name, found.files, "structure" if found.properties else "mesh", found.gives, found.reader)
