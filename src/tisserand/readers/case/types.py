"""The appendage case as data: what a TOML file says, checked, in SI; nothing is looked up in the mesh yet."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path
from types import MappingProxyType
from typing import Literal

import numpy as np

from tisserand.arrays import FloatArray
from tisserand.errors import CaseError
from tisserand.model import Material, Section
from tisserand.model.structure import MassRecipe
from tisserand.units import UnitSystem

#: Where something sits: a node id, the name of a set, node or point, or coordinates in m (basic axes).
At = int | str | tuple[float, float, float]


@dataclass(frozen=True)
class MeshSource:
    """The file that holds the geometry: its format (None: by extension), units, and how its cells are
    grouped.

    group_by: name of an integer cell-data array that numbers the groups; merge: distance in m below which
    nodes become one (None: never); ignore: groups left out on purpose; connected: refuse a mesh in separate
    pieces.
    """

    file: Path
    units: UnitSystem
    format: str | None = None
    group_by: str | None = None
    merge: float | None = None
    ignore: tuple[str | int, ...] = ()
    connected: bool = True


@dataclass(frozen=True, eq=False)
class SectionRule:
    """A section and the cells it is given to.

    elements: set names, physical groups or property numbers (empty: every cell of a fitting type); types:
    cell types such as ``quad``; orientation: beam vector in the x-y plane or shell material x axis, basic
    axes, None for sections without direction; offset: shell offset along the normal, m; offsets: beam ends,
    (2, 3) m.
    """

    key: str
    name: str
    section: Section
    elements: tuple[str | int, ...]
    types: tuple[str, ...]
    orientation: FloatArray | None = None
    offset: float = 0.0
    offsets: FloatArray = field(default_factory=lambda: np.zeros((2, 3)))


@dataclass(frozen=True, eq=False)
class NewNode:
    """A node that the case adds to the mesh: position in m, basic axes; id None means the next free one."""

    key: str
    name: str
    position: FloatArray
    id: int | None = None


@dataclass(frozen=True, eq=False)
class MassRule:
    """A rigid body carried by a node: kg, m, kg m² about its own mass centre, basic axes.

    spread: ``each`` puts the body on every node of a set, ``divided`` shares mass and inertia equally among
    them.
    """

    key: str
    name: str
    at: At
    mass: float
    offset: FloatArray
    inertia: FloatArray
    spread: Literal["one", "each", "divided"] = "one"


@dataclass(frozen=True)
class LinkRule:
    """A rigid link (``rigid``: nodes follow the reference) or an average one (the reference follows the
    nodes)."""

    key: str
    name: str
    reference: At
    nodes: tuple[At, ...]
    components: str = "123456"
    kind: Literal["rigid", "average"] = "rigid"


@dataclass(frozen=True, eq=False)
class SpringRule:
    """A six-component spring between two nodes or from a node to ground, N/m and N m/rad along the rows of
    axes."""

    key: str
    name: str
    between: tuple[At, ...]
    stiffness: FloatArray
    damping: FloatArray
    axes: FloatArray


@dataclass(frozen=True)
class Region:
    """Mesh nodes chosen by place: low <= x <= high in basic axes, m; a plane is thin along one axis, endless otherwise.

    words: how the case calls it; slack: the limits carry no tolerance of their own, so the one of coordinates is given.
    """

    key: str
    words: str
    low: tuple[float, float, float]
    high: tuple[float, float, float]
    slack: bool = False


@dataclass(frozen=True)
class SupportRule:
    """Components held (digits 1-6) at nodes, all nodes of sets, or all mesh nodes of a region."""

    key: str
    at: tuple[At, ...] | Region
    components: str


@dataclass(frozen=True)
class PointRule:
    """A named point. ``rigid`` ties a whole set to a new node at its centre, which becomes the point."""

    key: str
    name: str
    at: At
    rigid: bool = False


@dataclass(frozen=True)
class RecoveryRule:
    """Elements (a set's name or ids) whose section forces the record gives, or the named ply quantities."""

    key: str
    label: str
    elements: str | tuple[int, ...]
    plies: tuple[str, ...] = ()


@dataclass(frozen=True)
class AnalysisWishes:
    """What to compute: frame name, attachment point, number of modes or frequency range in Hz, mass
    recipe."""

    frame: str | None = None
    attachment: str | None = None
    count: int | None = None
    fmin_hz: float | None = None
    fmax_hz: float | None = None
    mass: MassRecipe | None = None
    free: bool = False
    geometric: bool = False
    reference_point: tuple[float, float, float] | None = None


@dataclass(frozen=True)
class DampingWish:
    """``ratio`` (one modal ratio), ``ratios`` (per mode), ``structural`` (loss factor g) or ``rayleigh``
    (alpha 1/s, beta s)."""

    kind: Literal["ratio", "ratios", "structural", "rayleigh"]
    values: tuple[float, ...]


@dataclass(frozen=True, eq=False, repr=False)
class AppendageCase:
    """An appendage case, checked against the schema, in SI. ``model_of_case`` turns it into a structural
    model."""

    path: Path
    name: str
    units: UnitSystem
    mesh: MeshSource
    materials: Mapping[str, Material]
    sections: tuple[SectionRule, ...] = ()
    nodes: tuple[NewNode, ...] = ()
    masses: tuple[MassRule, ...] = ()
    links: tuple[LinkRule, ...] = ()
    springs: tuple[SpringRule, ...] = ()
    supports: tuple[SupportRule, ...] = ()
    points: tuple[PointRule, ...] = ()
    analysis: AnalysisWishes = field(default_factory=AnalysisWishes)
    damping: DampingWish | None = None
    recovery: tuple[RecoveryRule, ...] = ()
    outputs: Mapping[str, Path] = field(default_factory=dict)

    def __post_init__(self) -> None:
        object.__setattr__(self, "materials", MappingProxyType(dict(self.materials)))
        object.__setattr__(self, "outputs", MappingProxyType(dict(self.outputs)))

    def error(
        self, key: str, what: str, *, found: object = None, expected: object = None, advice: str | None = None
    ) -> CaseError:
        """A ``CaseError`` at a key of this case."""
        return CaseError(self.path, key, what, found=found, expected=expected, advice=advice)

    def __repr__(self) -> str:
        return (
            f"<AppendageCase {self.name!r}: {self.mesh.file.name} in {self.units.name}, "
            f"{len(self.materials)} materials, {len(self.sections)} sections, {len(self.masses)} masses, "
            f"points {[p.name for p in self.points]}>"
        )
