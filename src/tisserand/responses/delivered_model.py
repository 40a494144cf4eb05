"""The delivered model: a reduced structure that stands alone, with its interface, rigid motions and recovery matrices.

It is what a launcher authority or a loads group receives: no finite-element model is needed to couple it, shake it or recover
loads from it. Equations over its coordinates q: M q'' + B q' + K q = f.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import KW_ONLY, dataclass, replace

import numpy as np

from tisserand.arguments import checked_arguments
from tisserand.arrays import FloatArray, IntArray, frozen
from tisserand.assembly.assembled_model import AssembledModel
from tisserand.assembly.massprops import MassProperties, mass_properties_of
from tisserand.errors import InputError
from tisserand.model import Nodes
from tisserand.modes.component import Coordinate, ReducedComponent, ReductionName, model_of_coordinates
from tisserand.notebook_html import html_table
from tisserand.responses.recovery_matrix import RecoveryMatrix


@checked_arguments
@dataclass(frozen=True, eq=False, repr=False)
class DeliveredModel:
    """Reduced matrices with everything that is needed to use them elsewhere; SI units.

    Attributes:
        name: of the structure.
        method: how it was reduced.
        coordinates: (k,) names; interface dofs carry a row of ``nodes`` and a component (axes of that node).
        nodes: interface nodes.
        stiffness: (k, k).
        mass: (k, k).
        rigid: (k, 6) unit rigid motions about the basic origin in these coordinates.
        frequencies_hz: (k,) of modal coordinates, NaN elsewhere.
        damping: (k, k) of the structure's own dampers; None without any.
        recoveries: matrices of outputs with labeled rows.
        dropped: interface dofs that were left out because they move no mass and strain nothing.
        notes: remarks of the reduction.
        unit_system: units of the source (the content is SI).
        held: dofs that supports of the source hold inside the model, which then is not free to move as a rigid body.
    """

    name: str
    method: ReductionName
    _: KW_ONLY
    coordinates: tuple[Coordinate, ...]
    nodes: Nodes
    stiffness: FloatArray
    mass: FloatArray
    rigid: FloatArray
    frequencies_hz: FloatArray
    damping: FloatArray | None = None
    recoveries: tuple[RecoveryMatrix, ...] = ()
    dropped: tuple[str, ...] = ()
    notes: tuple[str, ...] = ()
    unit_system: str = "SI"
    held: int = 0

    def __post_init__(self) -> None:
        k = len(self.coordinates)
        for word, shape in (("stiffness", (k, k)), ("mass", (k, k)), ("rigid", (k, 6)), ("frequencies_hz", (k,))):
            object.__setattr__(self, word, frozen(getattr(self, word), shape=shape))
        if self.damping is not None:
            object.__setattr__(self, "damping", frozen(self.damping, shape=(k, k)))
        for word in ("stiffness", "mass"):
            matrix = getattr(self, word)
            if np.abs(matrix - matrix.T).max(initial=0.0) > 1e-9 * np.abs(matrix).max(initial=0.0):
                raise InputError(f"the {word} matrix is not symmetric", where=self.name)
        names = [item.name for item in self.recoveries]
        if len(set(names)) != len(names):
            twice = next(name for name in names if names.count(name) > 1)
            raise InputError("two recovery matrices have the same name", where=self.name, found=repr(twice))
        for item in self.recoveries:
            if item.displacement.shape[1] != k:
                raise InputError(
                    "a recovery matrix does not fit the coordinates", where=f"{self.name}, {item.name}",
                    found=f"{item.displacement.shape[1]} columns", expected=f"{k}",
                )  # fmt: skip

    def __len__(self) -> int:
        return len(self.coordinates)

    @property
    def physical(self) -> IntArray:
        """Coordinates that are interface dofs."""
        return np.array([i for i, c in enumerate(self.coordinates) if c.node is not None], np.int64)

    @property
    def modal(self) -> IntArray:
        """Coordinates that are not."""
        return np.array([i for i, c in enumerate(self.coordinates) if c.node is None], np.int64)

    def recovery(self, name: str) -> RecoveryMatrix:
        """The recovery matrix of that name.

        Args:
            name: of the group of rows.
        """
        for item in self.recoveries:
            if item.name == name:
                return item
        known = ", ".join(repr(item.name) for item in self.recoveries) or "the model has none"
        raise InputError("unknown recovery matrix", where=self.name, found=repr(name), expected=known)

    def assembled(self) -> AssembledModel:
        """The same as an assembled model: interface nodes, and a scalar point per modal coordinate."""
        return model_of_coordinates(
            self.coordinates, self.nodes, self.stiffness, self.mass, rigid=self.rigid, name=self.name,
            unit_system=self.unit_system, damping=self.damping,
        )  # fmt: skip

    def component(self) -> ReducedComponent:
        """The same as a component that can be coupled: its own coordinates are its dofs."""
        return ReducedComponent(
            model=self.assembled(),
            method=self.method,
            shapes=np.eye(len(self)),
            coordinates=self.coordinates,
            stiffness=self.stiffness,
            mass=self.mass,
            frequencies_hz=self.frequencies_hz,
            notes=self.notes,
        )

    def mass_properties(self) -> MassProperties:
        """Mass, center and inertia of its rigid motions."""
        return mass_properties_of(self.assembled())

    def with_recoveries(self, recoveries: Sequence[RecoveryMatrix]) -> DeliveredModel:
        """The model with further recovery matrices.

        Args:
            recoveries: to add.
        """
        return replace(self, recoveries=(*self.recoveries, *recoveries))

    def _repr_html_(self) -> str:
        rows: list[tuple[object, object]] = [("method", self.method), ("interface dofs", len(self.physical))]
        rows += [("other coordinates", len(self.modal)), ("mass (kg)", self.mass_properties().mass)]
        rows += [(item.name, f"{item.kind}, {len(item)} rows") for item in self.recoveries]
        return html_table(self.name, ("", ""), rows)

    def __repr__(self) -> str:
        counts = f"{len(self.physical)} interface dofs, {len(self.modal)} others"
        return f"<DeliveredModel {self.name!r}: {self.method}, {counts}, {len(self.recoveries)} recovery matrices>"
