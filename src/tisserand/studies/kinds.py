"""The registry of everything that can be opened: content decides, the extension helps, a stated format overrides both.

A kind is one entry; its reader is imported when a file of that kind is opened. Formats of structural models are in
:mod:`tisserand.readers.registry` and follow the kinds below.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace
from importlib import import_module
from typing import Any

from tisserand.errors import FileError
from tisserand.files import toml_of
from tisserand.multibody.run_file import KIND as RUN
from tisserand.readers.matrices.read import MATRIX_SIGNS
from tisserand.readers.registry import FORMATS, format_of
from tisserand.readers.supplier.registry import RESULT_FORMATS, RESULT_SIGNS
from tisserand.responses.delivered_file import KIND as DELIVERED
from tisserand.studies.look import HDF5_SUFFIXES, Look
from tisserand.studies.options import STUDIES

STIFFNESS_NAMES = ("stiffness", "k", "kaa")
#: Names at the root of meshes that are HDF5 files: MED and Exodus.
HDF5_MESHES = {"ENS_MAA": "med", "eb_prop1": "exodus"}
#: Endings that are asked only where the content shows nothing.
RESULT_SUFFIXES = (".f06", ".frd", ".unv", ".uff")
MATRIX_SUFFIXES = (".op4", ".op2", ".mtx", ".sti", ".mas", ".mm", ".mat")


@dataclass(frozen=True)
class Kind:
    """A kind of file: how its content is recognized, its reader and its product.

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


def _is_delivered(look: Look) -> bool:
    return look.hdf5 is not None and look.hdf5[0] == DELIVERED


def _is_results(look: Look) -> bool:
    """Result files of other programs; an OP2 file of matrices alone is none."""
    if look.signature == "op2":
        return look.op2_modes
    if look.suffix == ".pch" and look.signature is None and b"\0" not in look.head:
        return "$EIGENVECTOR" in look.text
    return look.signature in RESULT_SIGNS or (look.shows_nothing and look.suffix in RESULT_SUFFIXES)


def _is_matrices(look: Look) -> bool:
    if look.hdf5 is not None:
        return look.hdf5[0] is None and any(name.lower() in STIFFNESS_NAMES for name in look.hdf5[1])
    if look.archive is not None:
        return "frequencies_hz.npy" not in look.archive
    if look.suffix == ".pch" and look.signature is None:
        return "DMIG" in look.text
    return look.signature in MATRIX_SIGNS or (look.shows_nothing and look.suffix in MATRIX_SUFFIXES)


def _mesh_in(look: Look) -> str | None:
    """Name of the mesh format that an HDF5 or netCDF file shows."""
    if look.signature == "netcdf":
        return "exodus"
    return next((HDF5_MESHES[name] for name in (look.hdf5 or ("", ()))[1] if name in HDF5_MESHES), None)


def _is_record(look: Look) -> bool:
    if look.hdf5 is not None:
        return _mesh_in(look) is None
    return look.shows_nothing and look.suffix in HDF5_SUFFIXES


def _is_modes(look: Look) -> bool:
    if look.table is not None and not look.begins_as_json:
        return "frequencies_hz" in look.table
    return look.begins_as_json or look.archive is not None or (look.shows_nothing and look.suffix == ".json")


def is_vehicle(look: Look) -> bool:
    """Whether a TOML file states bodies and no mesh."""
    return look.table is not None and isinstance(look.table.get("bodies"), dict) and "mesh" not in look.table


def is_study(look: Look) -> bool:
    """Whether a TOML file has tables of tasks, which name the file that the task takes."""
    tables = {} if look.table is None or "mesh" in look.table else look.table
    for kind in STUDIES:
        stated = tables.get(kind.task, tables.get(kind.task.replace("-", "_")))
        first = stated[0] if isinstance(stated, list) and stated else stated
        if isinstance(first, dict) and any(name in first for name in kind.arguments):
            return True
    return False


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
        "delivered", ".h5 .hdf5", "delivered", "delivered model",
        "tisserand.responses.delivered_file:load_delivered", _is_delivered,
    ),
    Kind(
        "record", ".h5 .hdf5", "record", "reduced appendage", "tisserand.appendage:load_record",
        _is_record,
    ),
    Kind(
        "sid", ".SID_FEM", "record", "reduced appendage", "tisserand.readers.sid:read_sid_appendage",
        lambda look: look.signature == "sid" or (look.shows_nothing and look.suffix == ".sid_fem"),
    ),
    Kind("vehicle", ".toml", "vehicle", "vehicle and its run", "tisserand.studies.vehicles:read_vehicle", is_vehicle),
    Kind("study", ".toml", "studies", "tasks to run", "tisserand.studies.study_file:studies_of", is_study),
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
    found = format_of(look.path, wanted or _mesh_in(look), look.head)
    return Kind(found.name, found.files, "structure" if found.properties else "mesh", found.gives, found.reader)


#: What a file is, what can be done with it and by which command; for the sentence of a command that takes another kind.
_MODES = "compute its modes with"
_TAKEN = {
    "run": ("a run that simulate wrote", "view it with", "report"),
    "record": ("the record of a reduced appendage", "state it in a vehicle file, or view it with", "report"),
    "delivered": ("a delivered model that reduce wrote", "check it with", "check"),
    "vehicle": ("a vehicle file", "fly it with", "simulate"),
    "study": ("a study file", "run it with", "study"),
    "results": ("a result file of another program", "reduce its modes with", "modes"),
    "modes": ("a file of given modes", "make a record of it with", "modes"),
    "matrices": ("a file of matrices", _MODES, "modes"),
    "case": ("an appendage case", _MODES, "modes"),
    "nastran": ("a Nastran deck", _MODES, "modes"),
    "abaqus": ("an Abaqus or CalculiX deck", _MODES, "modes"),
    "sid": ("a SID file", "make a record of it with", "modes"),
}


def refuse_other(look: Look, expected: str, *names: str) -> None:
    """Raise for a file that is clearly of a kind other than ``names``, naming the command that accepts it; doubtful ones pass."""
    if look.suffix == ".toml" and look.table is None:
        toml_of(look.path, look.text)  # says what is wrong with it
    try:
        kind = kind_of(look)
    except FileError:  # of no known kind: the reader that was asked for says what is wrong
        return
    unclear = kind.name == "case" and "mesh" not in (look.table or {})
    if kind.name in names or unclear:
        return
    what, verb, command = _TAKEN.get(kind.name, (f"a mesh ({kind.name})", _MODES, "modes"))
    makes = {"modes": "record", "simulate": "run"}.get(command)
    output = f" -o {look.path.with_suffix('.h5').name}" if makes in names else ""
    advice = f"{verb} 'tisserand {command} {look.path.name}{output}'"
    raise FileError(look.path, f"is {what}", expected=expected, advice=advice)
