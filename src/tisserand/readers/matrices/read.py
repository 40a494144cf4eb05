"""The entry point for matrices from any code."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path

from tisserand.assembly.assembled_model import AssembledModel
from tisserand.errors import FileError
from tisserand.files import existing_file
from tisserand.model import StructuralModel
from tisserand.readers.file_marks import signature
from tisserand.readers.matrices.build import assembled_of, stem_of
from tisserand.readers.matrices.named import read_named
from tisserand.readers.matrices.nastran import read_op, read_punch
from tisserand.readers.matrices.raw import RawMatrices
from tisserand.readers.matrices.text import read_calculix, read_market, read_mtx
from tisserand.stored import parsing
from tisserand.units import UnitSystem, unit_system

#: Extension -> what it is, for people.
MATRIX_FORMATS = {
    ".op4": "Nastran OP4 (pyyeti)",
    ".op2": "Nastran OP2 (pyyeti)",
    ".pch": "Nastran DMIG punch",
    ".mtx": "Abaqus matrix output or Matrix Market",
    ".mm": "Matrix Market",
    ".sti": "CalculiX MATRIXSTORAGE (with .mas, .dof)",
    ".mas": "CalculiX MATRIXSTORAGE",
    ".mat": "MATLAB",
    ".npz": "NumPy archive",
    ".h5": "HDF5",
    ".hdf5": "HDF5",
}
#: What the first bytes of a matrix file show, and what is tried where they show nothing.
MATRIX_SIGNS = frozenset(("op4", "op4 text", "op2", "dmig", "terms", "market", "mat", "npz", "hdf5"))
_BY_ENDING = {
    ".op4": "op4", ".op2": "op2", ".pch": "dmig", ".mtx": "terms", ".mm": "market", ".sti": "calculix", ".mas": "calculix",
    ".dof": "calculix", ".mat": "mat", ".npz": "npz", ".h5": "hdf5", ".hdf5": "hdf5",
}  # fmt: skip


def read_matrices(
    path: str | Path,
    units: str | UnitSystem | None = None,
    *,
    mass: str | Path | None = None,
    names: Mapping[str, str] | None = None,
    geometry: StructuralModel | None = None,
) -> AssembledModel:
    """Stiffness and mass from a file (or a pair) to an assembled model.

    mass: the second file of formats that keep one matrix per file (found by name where possible); names:
    array names under the keys ``stiffness``, ``mass``, ``damping``; geometry: a structural model that gives
    node positions, for rigid-body vectors and mass properties. The matrices come from no displacement field
    known here, so modal integrals of second order are approximate (``has_field`` is False).
    """
    file = existing_file(path)
    system = unit_system(units, where=str(file))
    second = None if mass is None else existing_file(mass)
    with parsing(file, "does not hold matrices that can be read"):
        raw = _raw(file, second, dict(names or {}))
    return assembled_of(raw, stem_of(file), system, geometry)


def _raw(file: Path, mass: Path | None, names: dict[str, str]) -> RawMatrices:
    with file.open("rb") as stream:
        shown = signature(stream.read(1 << 16))
    by_ending = _BY_ENDING.get(file.suffix.lower())
    form = by_ending if by_ending == "calculix" and shown == "terms" else shown or by_ending
    if form in ("op4", "op4 text", "op2"):
        return read_op(file, names, "op2" if form == "op2" else "op4")
    if form == "dmig":
        return read_punch(file, names)
    if form == "terms":
        return read_mtx(file, mass)
    if form == "calculix":
        return read_calculix(file, mass)
    if form == "market":
        return read_market(file, mass)
    if form in ("mat", "npz", "hdf5"):
        return read_named(file, names)
    raise FileError(file, "the file is not in a supported matrix format", expected=", ".join(MATRIX_FORMATS))
