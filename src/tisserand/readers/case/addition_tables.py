"""What a case adds to a mesh or a deck: nodes, masses, links, springs, supports, points; numbers in the case's units."""

from __future__ import annotations

from math import inf
from typing import Annotated, Literal

from tisserand.declarations import Declared, check, expecting, one_of, option, problem, ruled
from tisserand.declarations.common_values import ORIGIN, Vector
from tisserand.readers.case.case_values import Axes, Components, Inertia, Places, PlaceValue, Six

_IDENTITY = ((1.0, 0.0, 0.0), (0.0, 1.0, 0.0), (0.0, 0.0, 1.0))


class NodeTable(Declared):
    """A node that the case adds to the mesh."""

    position: Vector = option(..., "in basic axes", unit="length units")
    id: int | None = option(None, "its number; default: the next free one", at_least=1)


class MassTable(Declared):
    """A rigid body carried by a node."""

    at: PlaceValue = option(..., "node that carries it")
    mass: float = option(..., "its mass", unit="mass units", at_least=0.0)
    offset: Vector = option(ORIGIN, "from the node to its mass center", unit="length units")
    inertia: Inertia = option(ORIGIN, "about its mass center", unit="mass length²")
    spread: Literal["one", "each", "divided"] = option(
        "one", "for a set of nodes: the full body on each node, or divided among them"
    )


class LinkTable(Declared):
    """A rigid link (the nodes follow the reference) or an average one (the reference follows the nodes)."""

    reference: PlaceValue = option(..., "the reference node")
    nodes: Places = option(..., "the nodes that it is tied to")
    components: Components = option("123456", "components that are tied")
    kind: Literal["rigid", "average"] = option("rigid", "which side follows")


class SpringTable(Declared):
    """A spring with a damper between two nodes, or from a node to ground."""

    between: Annotated[
        tuple[PlaceValue, PlaceValue] | tuple[PlaceValue],
        expecting("[a, b], or [a] to ground", "is not one or two places"),
    ] = option(..., "two places, or one to ground")
    stiffness: Six = option(
        ..., "three along the axes, three about them", unit="force/length, moment/rad", at_least=0.0
    )
    damping: Six = option((0.0,) * 6, "the same for rates", unit="force time/length, moment time/rad", at_least=0.0)
    axes: Axes = option(_IDENTITY, "directions, one row each; default: basic axes")


class BoxTable(Declared):
    """All mesh nodes inside a box, limits included."""

    low: Vector = option(..., "lowest corner", unit="length units")
    high: Vector = option(..., "highest corner", unit="length units")

    @check
    def _ordered(self) -> None:
        if any(a > b for a, b in zip(self.low, self.high)):
            raise problem("high", "lies below low", found=list(self.high), expected="each coordinate from low on")

    def limits(self) -> tuple[Vector, Vector]:
        return self.low, self.high


class PlaneTable(Declared):
    """All mesh nodes in a plane across an axis."""

    axis: Literal["x", "y", "z"] = option(..., "axis that the plane is normal to")
    value: float = option(..., "coordinate along that axis", unit="length units")
    tolerance: float | None = option(
        None, "on either side; default: 1e-6 of the model's size", unit="length units", at_least=0.0
    )

    def limits(self) -> tuple[Vector, Vector]:
        """Lowest and highest corner; endless in the plane."""
        low, high, number = [-inf] * 3, [inf] * 3, "xyz".index(self.axis)
        low[number], high[number] = self.value - (self.tolerance or 0.0), self.value + (self.tolerance or 0.0)
        return (low[0], low[1], low[2]), (high[0], high[1], high[2])


class SupportTable(Declared):
    """Components held at places, or at all mesh nodes of a box or plane."""

    at: Places | None = option(None, "one place, or a list of them")
    box: BoxTable | None = option(None, "instead of places")
    plane: PlaneTable | None = option(None, "instead of places")
    components: Components = option("123456", "components that are held")

    _one_place = ruled(one_of("at", "box", "plane"))


class PointTable(Declared):
    """A named point."""

    at: PlaceValue = option(..., "where it is")
    rigid: bool = option(False, "true: ties a whole set to a new node at its center, which becomes the point")
