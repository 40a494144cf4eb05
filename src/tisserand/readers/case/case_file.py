"""The appendage case as a declared type, and the same in SI: the contents of a TOML file, before any lookup in the mesh."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any, Literal

from pydantic import Field

from tisserand.appendage import ModalRatio, PlyRecovery, Rayleigh, Structural
from tisserand.appendage.recovery.ply_stresses import QUANTITIES
from tisserand.declarations import (
    Declared,
    FilePath,
    Key,
    check,
    declared,
    expecting,
    one_of,
    option,
    problem,
    read_toml,
    ruled,
)
from tisserand.declarations.common_values import Vector, many
from tisserand.declarations.number_range import DAMPING_RATIO, LOSS_FACTOR
from tisserand.declarations.paths import set_at
from tisserand.declarations.shared_words import REFERENCE_DEFAULT
from tisserand.errors import CaseError
from tisserand.files import storable
from tisserand.model import Material
from tisserand.model.structure import MassRecipe
from tisserand.readers.case.addition_tables import (
    LinkTable,
    MassTable,
    NodeTable,
    PointTable,
    SpringTable,
    SupportTable,
)
from tisserand.readers.case.case_values import Groups, PlaceValue, Units, system_of
from tisserand.readers.case.material_tables import MaterialTable
from tisserand.readers.case.section_tables import Making, SectionRule, SectionTable
from tisserand.units import UnitSystem

Frame = Literal["connection", "node", "buckens", "tisserand", "milne", "free"]
if TYPE_CHECKING:
    Quantity = str
else:
    Quantity = Literal[tuple(QUANTITIES)]


class MeshTable(Declared):
    """The mesh or deck that holds the geometry."""

    file: FilePath = option(..., "the mesh or deck")
    units: Units | None = option(None, "its units; default: the case's")
    format: str | None = option(None, "its format; default: by its content")
    group_by: str | None = option(None, "integer cell-data array that numbers the groups")
    merge: float | None = option(
        None, "nodes closer than this become one; default: none", unit="length units", above=0.0
    )
    ignore: Groups = option((), "groups to leave out")
    connected: bool = option(True, "refuse a mesh in separate pieces")
    step: int | None = option(None, "step of an Abaqus or CalculiX deck; default: its first FREQUENCY step", at_least=1)
    subcase: int | None = option(
        None, "subcase of a Nastran deck; default: the first with a METHOD, else the first", at_least=1
    )
    spc: int | None = option(None, "SPC set of a Nastran deck, instead of the selected one", at_least=1)
    flavor: Literal["abaqus", "calculix", "nastran", "mystran"] | None = option(
        None, "program that a deck is written for; default: what the deck shows"
    )

    @property
    def choices(self) -> dict[str, int | str]:
        """What is chosen of a deck, as far as it is stated."""
        return {
            name: value for name in ("step", "subcase", "spc", "flavor") if (value := getattr(self, name)) is not None
        }


class AnalysisTable(Declared):
    """What to compute."""

    frame: Frame | None = option(None, "floating frame of the shapes; default: connection if supported, else buckens")
    attachment: str | None = option(None, "the point that carries the appendage")
    mounted: Literal["clamped", "residual", "free"] | None = option(
        None,
        "shapes of a floating appendage with an attachment: clamped there, free modes with residual shapes, or free modes alone; "
        "default: clamped for a stated mean-axis frame, else residual",
    )
    count: int | None = option(None, "lowest elastic modes to find", at_least=1)
    fmin_hz: float | None = option(None, "lowest frequency", unit="Hz", at_least=0.0)
    fmax_hz: float | None = option(
        None, "find all modes up to this frequency, instead of a count", unit="Hz", above=0.0
    )
    mass: MassRecipe | None = option(None, "mass recipe; default: the deck's, else consistent")
    free: bool = option(False, "ignore the supports")
    geometric: bool = option(False, "add geometric stiffness for acceleration and spin")
    reference_point: Vector | None = option(
        None, f"reference point O of masses and integrals; {REFERENCE_DEFAULT}", unit="length units"
    )

    _one_range = ruled(one_of("count", "fmax_hz", needed=False))


class DampingTable(Declared):
    """Damping of the modes, by one of these."""

    ratio: float | None = option(None, "ratio of critical damping of every mode", **DAMPING_RATIO)
    ratios: tuple[float, ...] | None = option(None, "one ratio per mode", **DAMPING_RATIO)
    structural: float | None = option(None, "loss factor g", **LOSS_FACTOR)
    rayleigh: tuple[float, float] | None = option(None, "alpha (1/s) and beta (s)", at_least=0.0)
    support: Literal["attachment", "free"] = option("attachment", "support for which the damping ratios hold")

    _one_kind = ruled(one_of("ratio", "ratios", "structural", "rayleigh", needed=False))

    def damping(self) -> ModalRatio | Rayleigh | Structural | None:
        """What ``reduce`` takes; None when nothing is stated."""
        if self.rayleigh is not None:
            return Rayleigh(*self.rayleigh)
        if self.structural is not None:
            return Structural(self.structural)
        ratios = self.ratio if self.ratios is None else self.ratios
        return None if ratios is None else ModalRatio(ratios)


Elements = Annotated[
    str | int | Annotated[tuple[int, ...], Field(min_length=1)],
    expecting("a set or group, or element ids", "is not a list or set of elements"),
]


class RecoveryTable(Declared):
    """Elements whose section forces or ply values the record gives."""

    elements: Elements = option(..., "the elements")
    plies: Quantity | tuple[Quantity, ...] = option((), "ply values; default: section forces and moments")


class CaseOutputs(Declared):
    """Files that `tisserand modes` writes."""

    record: FilePath | None = option(None, "the reduced appendage (.h5)")
    modes: FilePath | None = option(None, "the mode table (.csv or .json)")
    pictures: FilePath | None = option(None, "the shapes (.png, .gif, .mp4, .glb or .vtu)")
    report: FilePath | None = option(None, "a page (.html)")


class CaseFile(Declared):
    """A mesh with its materials, sections, masses, supports and points, and what to compute; numbers in the stated units."""

    units: Units = option(..., "units of every number in the file")
    name: str | None = option(None, "name; default: the file's")
    mesh: MeshTable = option(..., "the geometry")
    materials: dict[str, MaterialTable] = option({}, "materials")
    sections: dict[str, SectionTable] = option({}, "section and material of a group of cells")
    nodes: dict[str, NodeTable] = option({}, "nodes added to the mesh")
    masses: dict[str, MassTable] = option({}, "rigid bodies at nodes")
    links: dict[str, LinkTable] = option({}, "rigid and average links")
    springs: dict[str, SpringTable] = option({}, "springs and dampers")
    supports: SupportTable | tuple[SupportTable, ...] = option((), "what is held")
    points: dict[str, PlaceValue | PointTable] = option({}, "named points: a place, or a table")
    analysis: AnalysisTable = option(AnalysisTable(), "what to compute")
    damping: DampingTable = option(DampingTable(), "damping of the modes")
    recovery: dict[str, Elements | RecoveryTable] = option({}, "outputs of the record: elements, or a table")
    outputs: CaseOutputs = option(CaseOutputs(), "files to write")

    @check
    def _attachment_is_a_point(self) -> None:
        wanted = self.analysis.attachment
        if wanted is not None and wanted not in self.points:
            raise problem(("analysis", "attachment"), "is not a named point", found=wanted, known=tuple(self.points))


@dataclass(frozen=True, eq=False, repr=False)
class AppendageCase:
    """An appendage case, read and checked. ``model_of_case`` turns it into a structural model.

    materials and sections are in SI; ``tables`` are as the file states them.
    """

    path: Path
    tables: CaseFile

    @property
    def name(self) -> str:
        return self.tables.name or storable(self.path.stem)

    @cached_property
    def units(self) -> UnitSystem:
        return system_of(self.tables.units)

    @cached_property
    def mesh_units(self) -> UnitSystem:
        return self.units if self.tables.mesh.units is None else system_of(self.tables.mesh.units)

    @property
    def mesh(self) -> MeshTable:
        return self.tables.mesh

    @cached_property
    def materials(self) -> Mapping[str, Material]:
        made: dict[str, Material] = {}
        for number, (name, table) in enumerate(self.tables.materials.items(), 1):
            with self.key.at("materials", name).blamed():
                made[name] = table.material(number, name, self.units)
        return made

    @cached_property
    def sections(self) -> tuple[SectionRule, ...]:
        made = []
        for number, (name, table) in enumerate(self.tables.sections.items(), 1):
            key = self.key.at("sections", name)
            with key.blamed():
                made.append(table.rule(Making(number, name, key, self.materials, self.units)))
        return tuple(made)

    @cached_property
    def points(self) -> dict[str, PointTable]:
        """Every named point as a table."""
        stated = self.tables.points.items()
        return {name: value if isinstance(value, PointTable) else PointTable(at=value) for name, value in stated}

    @cached_property
    def analysis(self) -> AnalysisTable:
        """What to compute, the reference point in m."""
        stated = self.tables.analysis
        if stated.reference_point is None:
            return stated
        point = tuple(x * self.units.length for x in stated.reference_point)
        return stated.changed(reference_point=point)  # type: ignore[no-any-return]

    @property
    def damping(self) -> ModalRatio | Rayleigh | Structural | None:
        return self.tables.damping.damping()

    @property
    def recovery(self) -> dict[str, Any]:
        """Requested outputs of the record: label -> elements (section forces) or ``PlyRecovery``; names of sets unchanged."""
        made: dict[str, Any] = {}
        for label, stated in self.tables.recovery.items():
            table = stated if isinstance(stated, RecoveryTable) else RecoveryTable(elements=stated)
            elements = table.elements if isinstance(table.elements, str) else many(table.elements)
            made[label] = PlyRecovery(elements, many(table.plies)) if table.plies else elements
        return made

    @property
    def outputs(self) -> dict[str, Path]:
        return {word: path for word, path in self.tables.outputs if path is not None}

    @property
    def key(self) -> Key:
        return Key(self.path)

    def error(
        self, key: str, what: str, *, found: object = None, expected: object = None, advice: str | None = None
    ) -> CaseError:
        """A ``CaseError`` at a key of this case."""
        return CaseError(self.path, key, what, found=found, expected=expected, advice=advice)

    def __repr__(self) -> str:
        return (
            f"<AppendageCase {self.name!r}: {self.mesh.file.name} in {self.units.name}, "
            f"{len(self.materials)} materials, {len(self.sections)} sections, {len(self.tables.masses)} masses, "
            f"points {list(self.points)}>"
        )


def read_case(
    path: str | Path, overrides: Mapping[str, Any] | None = None, *, data: dict[str, Any] | None = None
) -> AppendageCase:
    """Read and check an appendage case file; ``docs/case-files.md`` describes every key.

    Parameters
    ----------
    path : str or Path
        The TOML file.
    overrides : mapping, optional
        Values that replace those of the file, by dotted path (``sections.panel.plies.0.thickness``).
    data : dict, optional
        Content of the file, where it was read already.
    """
    data = read_toml(path) if data is None else data
    for key, value in (overrides or {}).items():
        set_at(CaseFile, data, key, value, path)
    case = AppendageCase(Path(path), declared(CaseFile, data, path))
    _ = case.sections  # materials and sections are made here, so that their mistakes show before the mesh is opened
    return case
