"""What a command is given: a deck, a case, a mesh with its case, matrices, given modes, or a record."""

from __future__ import annotations

import zipfile
from dataclasses import dataclass
from pathlib import Path
from typing import Literal

from tisserand.appendage.record.reduced_appendage import ReducedAppendage
from tisserand.assembly.assembled_model import AssembledModel
from tisserand.errors import FileError, InputError
from tisserand.files import existing_file, text_of
from tisserand.model import StructuralModel
from tisserand.readers.case import AppendageCase
from tisserand.stored import DAMAGE, open_hdf5
from tisserand.units import unit_system
from tisserand.workflows.misplaced import refuse_misplaced

RECORD_SUFFIXES = (".h5", ".hdf5")
MATRIX_SUFFIXES = (".op4", ".op2", ".mtx", ".sti", ".mas", ".mm", ".mat")
Kind = Literal["record", "sid", "modes", "matrices", "case", "deck"]


@dataclass(frozen=True, eq=False)
class Source:
    """Exactly one of ``structure`` (with its ``case`` if there is one), ``matrices`` or ``record`` is set."""

    path: Path
    structure: StructuralModel | None = None
    case: AppendageCase | None = None
    matrices: AssembledModel | None = None
    record: ReducedAppendage | None = None

    def assembled(self, mass: str | None = None) -> AssembledModel:
        """Mass and stiffness; a record has none, bare matrices are what they are."""
        if self.matrices is not None:
            if mass is not None:
                raise InputError(
                    "matrices carry their own mass", where=str(self.path), found=f"--mass {mass}"
                )
            return self.matrices
        if self.structure is None:
            raise InputError(
                "a record holds reduced data only, not the mass and stiffness matrices of its source",
                where=str(self.path),
                expected="a deck or a case",
            )
        from tisserand.assembly import assemble

        recipe = mass or (self.case.analysis.mass if self.case is not None else None)
        return assemble(self.structure, mass=recipe)  # type: ignore[arg-type]


def open_source(path: str | Path, *, units: str | None = None, allow: tuple[str, ...] = ()) -> Source:
    """Read whatever the path holds.

    ``units`` is needed for decks and matrices (they carry none); records and cases state their own.
    A mesh without properties is read through the TOML case of the same name beside it.
    """
    path = existing_file(path)
    refuse_misplaced(path)
    kind = kind_of(path)
    if kind == "record":
        from tisserand.appendage import load_record

        record = load_record(path)
        if units is not None and unit_system(units).name != record.unit_system:
            raise InputError(
                "a record states its own units",
                where=str(path),
                found=f"--units {units}",
                expected=record.unit_system,
                advice="leave the option out",
            )
        return Source(path, record=record)
    if kind == "sid":
        from tisserand.readers.sid import read_sid_appendage

        return Source(path, record=read_sid_appendage(path))
    if kind == "modes":
        from tisserand.readers.given_modes import read_modes

        return Source(path, record=read_modes(path, units))
    if kind == "matrices":
        from tisserand.readers.matrices import read_matrices

        return Source(path, matrices=read_matrices(path, units))
    if kind == "case":
        from tisserand.readers.case import model_of_case, read_case

        case = read_case(path)
        if units is not None and unit_system(units) != case.units:
            raise case.error(
                "units",
                "the case states its own units",
                found=f"--units {units}",
                expected=case.units.name,
                advice="leave the option out",
            )
        return Source(path, structure=model_of_case(case, allow=allow), case=case)
    from tisserand.readers.registry import carries_properties, read_model

    if not carries_properties(path):
        beside = path.with_suffix(".toml")
        if not beside.exists():
            raise InputError(
                "this mesh format carries no materials or sections",
                where=str(path),
                expected=f"a TOML case beside it ({beside.name}) or given instead of it",
            )
        return open_source(beside, units=units, allow=allow)
    return Source(path, structure=read_model(path, units=units, allow=allow))


def kind_of(path: Path) -> Kind:
    """What a file holds, by its ending and, where that is not enough, by a look inside."""
    suffix = path.suffix.lower()
    if suffix in RECORD_SUFFIXES:
        return "matrices" if _has_matrices(path) else "record"
    if suffix == ".sid_fem":
        return "sid"
    if suffix == ".json":
        return "modes"
    if suffix == ".toml":
        return "modes" if "\nfrequencies_hz" in "\n" + text_of(path) else "case"
    if suffix == ".npz":
        try:
            with zipfile.ZipFile(path) as archive:
                return "modes" if "frequencies_hz.npy" in archive.namelist() else "matrices"
        except (*DAMAGE, zipfile.BadZipFile) as error:
            raise FileError(path, "is not a NumPy archive or is truncated", expected="a .npz file") from error
    if suffix == ".pch":
        return "matrices" if "DMIG" in text_of(path) else "deck"
    return "matrices" if suffix in MATRIX_SUFFIXES else "deck"


def _has_matrices(path: Path) -> bool:
    """An HDF5 file that is neither a record nor a run and holds a stiffness."""
    import h5py

    if not h5py.is_hdf5(path):
        return False
    with open_hdf5(path) as file:
        return "kind" not in file.attrs and any(name.lower() in ("stiffness", "k", "kaa") for name in file)
