"""One door for matrices from any code."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path

from tisserand.assembly.assembled_model import AssembledModel
from tisserand.errors import FileError
from tisserand.files import existing_file
from tisserand.model import StructuralModel
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
    suffix = file.suffix.lower()
    if suffix in (".op4", ".op2"):
        return read_op(file, names)
    if suffix == ".pch":
        return read_punch(file, names)
    if suffix == ".mtx":
        return read_mtx(file, mass)
    if suffix == ".mm":
        return read_market(file, mass)
    if suffix in (".sti", ".mas", ".dof"):
        return read_calculix(file, mass)
    with file.open("rb") as stream:
        head = stream.read(20)
    if head.startswith(b"%%MatrixMarket"):
        return read_market(file, mass)
    if suffix in (".mat", ".npz", ".h5", ".hdf5") or head.startswith((b"\x89HDF", b"PK\x03\x04", b"MATLAB 5.0")):
        return read_named(file, names)
    raise FileError(file, "the extension belongs to no matrix format", expected=", ".join(MATRIX_FORMATS))
