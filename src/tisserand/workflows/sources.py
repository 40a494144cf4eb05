"""What a command is given: a deck, a case, a mesh with its case, matrices, or a record."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path

from tisserand.appendage.types import ReducedAppendage
from tisserand.assembly.types import AssembledModel
from tisserand.errors import InputError
from tisserand.files import existing_file
from tisserand.model import StructuralModel
from tisserand.readers.case import AppendageCase

RECORD_SUFFIXES = (".h5", ".hdf5")


@dataclass(frozen=True, eq=False)
class Source:
    """Exactly one of ``structure`` (with its ``case`` if there is one) or ``record`` is set."""

    path: Path
    structure: StructuralModel | None = None
    case: AppendageCase | None = None
    record: ReducedAppendage | None = None

    def assembled(self, mass: str | None = None) -> AssembledModel:
        """Mass and stiffness of the structure; a record has none."""
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

    ``units`` is needed for decks (they carry none) and refused for records and cases (they state their own).
    A mesh without properties is read through the TOML case of the same name beside it.
    """
    path = existing_file(path)
    suffix = path.suffix.lower()
    if suffix in RECORD_SUFFIXES:
        from tisserand.appendage import load_record

        return Source(path, record=load_record(path))
    from tisserand.readers.case import model_of_case, read_case

    if suffix == ".toml":
        case = read_case(path)
        return Source(path, structure=model_of_case(case), case=case)
    from tisserand.readers.registry import carries_properties, read_model

    beside = path.with_suffix(".toml")
    if not carries_properties(path):
        if not beside.exists():
            raise InputError(
                "this mesh format carries no materials or sections",
                where=str(path),
                expected=f"a TOML case beside it ({beside.name}) or given instead of it",
            )
        case = read_case(beside)
        return Source(path, structure=model_of_case(case), case=case)
    return Source(path, structure=read_model(path, units=units, allow=allow))
