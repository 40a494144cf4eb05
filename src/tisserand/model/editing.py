"""Edits of a structural model by name or place: points, masses, supports, hubs, position. Each returns a new model.

A *place* is the name of a point (``interfaces``) or of a node set, a node id, or three coordinates in m that a node has.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any, Self

import numpy as np
from numpy.typing import ArrayLike

from tisserand.arguments import checked_arguments
from tisserand.arrays import FloatArray, IntArray
from tisserand.errors import ModelError
from tisserand.model.blocks import NodalBodies
from tisserand.model.constraints import Interpolation, RigidElement
from tisserand.model.nodes import Nodes
from tisserand.model.placing import placed_fields, rotation_of
from tisserand.model.supports import Supports

if TYPE_CHECKING:
    from tisserand.model.block_base import Block as ElementBlock
    from tisserand.model.constraints import Constraint

Place = str | int | Sequence[float] | FloatArray
#: A node lies at given coordinates if it is nearer than this times the size of the model.
_NEAR = 1e-6


@checked_arguments
class Editing:
    """Editing methods of ``StructuralModel``, as a mixin."""

    if TYPE_CHECKING:
        name: str
        nodes: Nodes
        elements: tuple[ElementBlock, ...]
        constraints: tuple[Constraint, ...]
        supports: Supports
        node_sets: Mapping[str, IntArray]
        interfaces: Mapping[str, int]

        @property
        def size(self) -> float: ...

        def changed(self, **values: object) -> Self: ...

    @checked_arguments
    def at(self, place: Place) -> IntArray:
        """Node indices at a place: one for a point, many for a node set.

        Args:
            place: name of a point or node set, node id, or coordinates (3,) m.
        """
        if isinstance(place, str):
            if place in self.interfaces:
                return self.nodes.indices([self.interfaces[place]])
            if place in self.node_sets:
                return self.nodes.indices(self.node_sets[place])
            known = ", ".join([*self.interfaces, *self.node_sets]) or "the model has no names"
            raise ModelError("unknown point or node set", where=self.name, found=repr(place), expected=known)
        if isinstance(place, (int, np.integer)):
            return self.nodes.indices([int(place)])
        wanted = np.asarray(place, dtype=float)
        if wanted.shape != (3,) or not np.isfinite(wanted).all():
            raise ModelError(
                "invalid place",
                where=self.name,
                found=repr(place),
                expected="a name, a node id, or three coordinates in m",
            )
        distance = np.linalg.norm(self.nodes.positions - wanted, axis=1)
        if self.nodes.scalar is not None:
            distance = np.where(self.nodes.scalar, np.inf, distance)
        nearest = int(np.argmin(distance))
        if not distance[nearest] <= _NEAR * max(self.size, 1e-9):
            raise ModelError(
                "there is no node at these coordinates", where=self.name, found=wanted.tolist(),
                advice=f"the nearest is node {self.nodes.ids[nearest]} at {self.nodes.positions[nearest].tolist()}",
            )  # fmt: skip
        return np.array([nearest])

    @checked_arguments
    def position(self, place: Place) -> FloatArray:
        """Coordinates (3,) m of a point, or of the mean of a node set.

        Args:
            place: name of a point or node set, node id, or coordinates (3,) m.
        """
        return np.asarray(self.nodes.positions[self.at(place)].mean(axis=0))

    @checked_arguments
    def named(self, name: str) -> Self:
        """The same model under another name.

        Args:
            name: the new name; ``join`` puts it before names that two parts share.
        """
        return self.changed(name=name)

    @checked_arguments
    def with_point(self, name: str, at: Place) -> Self:
        """Name a node, so that it becomes an interface of every record made from the model.

        Args:
            name: the new name.
            at: where it is: a node id, coordinates, or another name; one node.
        """
        return self.changed(interfaces={**self.interfaces, name: int(self.nodes.ids[self._one(at)])})

    @checked_arguments
    def with_support(self, at: Place, components: str = "123456") -> Self:
        """Hold the nodes at a place, in addition to what is held already.

        Args:
            at: point, node set, node id, or coordinates.
            components: digits 1-6 (translations x, y, z, rotations about them, node axes); ``123456`` clamps,
                ``123`` pins.
        """
        more = Supports.clamp(self.at(at), components)
        return self.changed(supports=self.supports.added_to(more))

    @checked_arguments
    def with_mass(
        self,
        at: Place,
        mass: float,
        *,
        offset: ArrayLike = (0.0, 0.0, 0.0),
        inertia: ArrayLike | None = None,
        name: str = "",
    ) -> Self:
        """Put a rigid body on every node at a place.

        Args:
            at: point, node set, node id, or coordinates. A node set gets this mass on each of its nodes.
            mass: kg per node.
            offset: from the node to the mass center, m, basic axes.
            inertia: about the mass center, kg m²: three principal values along x, y, z, or a (3, 3) tensor; None is a
                particle.
            name: name of the body, for reports.
        """
        nodes = self.at(at)
        arm, tensor = np.asarray(offset, float), _tensor(inertia)
        if not np.isfinite(mass) or mass < 0.0:
            raise ModelError(
                "a mass must be a finite number, zero or more", where=self.name, found=mass, expected="a number in kg"
            )
        if arm.shape != (3,) or not np.isfinite(arm).all():
            raise ModelError("an offset is three numbers in m", where=self.name, found=arm.tolist())
        count = len(nodes)
        block = NodalBodies(
            ids=self._next_element() + np.arange(count),
            nodes=nodes[:, None],
            mass=np.full(count, float(mass)),
            offset=np.tile(arm, (count, 1)),
            inertia=np.tile(tensor, (count, 1, 1)),
            names=(name,) * count if name else (),
        )
        return self.changed(elements=(*self.elements, block))

    @checked_arguments
    def with_hub(self, name: str, over: Place, *, position: ArrayLike | None = None, rigid: bool = True) -> Self:
        """Add a named node that gathers others, as an end fitting or a mounting plate does.

        Args:
            name: name of the new point.
            over: the nodes it gathers: usually a node set such as an edge.
            position: its position, m; by default the mean of the gathered nodes.
            rigid: True ties the nodes rigidly to the hub (RBE2); False lets the hub follow their mean motion and adds no
                stiffness (RBE3).
        """
        gathered = self.at(over)
        where = self.nodes.positions[gathered].mean(axis=0) if position is None else np.asarray(position, float)
        if where.shape != (3,) or not np.isfinite(where).all():
            raise ModelError("a hub's position is three numbers in m", where=self.name, found=where.tolist())
        hub, n = int(self.nodes.ids.max()) + 1, len(self.nodes)
        components = np.arange(6)
        label = 1 + max((tie.id for tie in self.constraints), default=0)
        turning = [6 if owns else 3 for owns in rotating(self.elements, n)[gathered]]
        terms = np.array([(node, c) for node, k in zip(gathered, turning) for c in range(k)])
        tie: Constraint
        if rigid:
            tie = RigidElement(label, np.column_stack([np.full(6, n), components]), terms)
        else:
            spread = np.linalg.svd(self.nodes.positions[gathered] - where, compute_uv=False)
            on_a_line = len(spread) < 2 or spread[1] <= 1e-6 * max(float(spread[0]), 1e-300)
            moves = terms if on_a_line else terms[terms[:, 1] < 3]  # a line needs its own rotations to show its turn
            tie = Interpolation(label, n, components, moves, np.ones(len(moves)))
        return self.changed(
            nodes=_appended(self.nodes, hub, where),
            constraints=(*self.constraints, tie),
            interfaces={**self.interfaces, name: hub},
        )

    @checked_arguments
    def moved(self, by: ArrayLike) -> Self:
        """The model somewhere else.

        Args:
            by: translation (3,) m.
        """
        return self.changed(**placed_fields(self, np.eye(3), np.asarray(by, float)))

    @checked_arguments
    def rotated(self, axis: ArrayLike, angle: float, *, about: ArrayLike = (0.0, 0.0, 0.0)) -> Self:
        """The model turned.

        Args:
            axis: direction of the turn (3,), basic axes; its length does not matter.
            angle: rad, right-handed.
            about: a point on the axis (3,) m.
        """
        Q, center = rotation_of(axis, angle), np.asarray(about, float)
        return self.changed(**placed_fields(self, Q, center - Q @ center))

    def _one(self, at: Place) -> int:
        found = self.at(at)
        if len(found) != 1:
            raise ModelError(
                "this place has more than one node", where=self.name, found=f"{len(found)} nodes at {at!r}",
                advice="add a hub over them (with_hub), or name one node",
            )  # fmt: skip
        return int(found[0])

    def _next_element(self) -> int:
        return 1 + max((int(block.ids.max()) for block in self.elements if len(block)), default=0)


def rotating(elements: Sequence[Any], count: int) -> np.ndarray:
    """(count,) True for nodes whose rotations some element resists."""
    out = np.zeros(count, np.bool_)
    for block in elements:
        if block.facts.turns_nodes:
            out[block.nodes[block.nodes >= 0]] = True
    return out


def _tensor(inertia: ArrayLike | None) -> FloatArray:
    values = np.zeros((3, 3)) if inertia is None else np.asarray(inertia, dtype=float)
    if values.shape == (3,):
        values = np.diag(values)
    if values.shape != (3, 3) or not np.allclose(values, values.T, rtol=1e-9, atol=0.0):
        raise ModelError(
            "an inertia is three principal values or a symmetric (3, 3) tensor in kg m²", found=values.tolist()
        )
    return values


def _appended(nodes: Nodes, new_id: int, position: FloatArray) -> Nodes:
    axes = None if nodes.axes is None else np.concatenate([nodes.axes, np.eye(3)[None]])
    scalar = None if nodes.scalar is None else np.append(nodes.scalar, False)
    return Nodes(np.append(nodes.ids, new_id), np.vstack([nodes.positions, position]), axes, scalar)
