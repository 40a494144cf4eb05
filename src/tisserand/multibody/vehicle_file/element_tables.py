"""Force elements of a vehicle file: springs, tethers, bushings, joint friction, rotor drag. They stand among the loads."""

from __future__ import annotations

from typing import Any, Literal

from tisserand.declarations import Declared, Key, needs, one_of, option, ruled
from tisserand.multibody import force_elements
from tisserand.multibody.element_law import Anchor
from tisserand.multibody.loads import Load
from tisserand.multibody.vehicle import Vehicle
from tisserand.multibody.vehicle_file.file_values import Node, Point, known_joint, known_node, known_rotor

Three = float | tuple[float, float, float]


class EndTable(Declared):
    """An end of a force element: a place of a body, or a node of an appendage."""

    body: str | None = option(None, "body that it is fixed to")
    point: Point | None = option(None, "place of the body; default: its origin", unit="m")
    appendage: str | None = option(None, "appendage that it is fixed to")
    node: Node | None = option(None, "node of the appendage")

    _where = ruled(
        one_of("body", "appendage"), needs("point", "body"), needs("node", "appendage"), needs("appendage", "node")
    )

    def anchor(self, vehicle: Vehicle, key: Key) -> Anchor:
        if self.appendage is not None and self.node is not None:
            return force_elements.node_anchor(*known_node(key, self.appendage, self.node, vehicle))
        body = str(self.body)
        known = {one.name: one for one in vehicle.bodies}
        if body not in known:
            raise key.at("body").unknown(body, known, "is not a body")
        if isinstance(self.point, str):
            with key.at("point").blamed():
                known[body].point(self.point)
        return force_elements.anchor(body, "origin" if self.point is None else self.point)


class _Between(Declared):
    first: EndTable = option(..., "one end")
    second: EndTable = option(..., "the other end")

    def ends(self, vehicle: Vehicle, key: Key) -> tuple[Anchor, Anchor]:
        return self.first.anchor(vehicle, key.at("first")), self.second.anchor(vehicle, key.at("second"))


class Spring(_Between):
    """A spring and damper along the line between two places."""

    kind: Literal["spring"] = option(..., "kind of load")
    stiffness: float = option(..., "tension per length", unit="N/m", at_least=0.0)
    damping: float = option(0.0, "tension per rate of the length", unit="N s/m", at_least=0.0)
    length: float = option(0.0, "at which it is relaxed", unit="m", at_least=0.0)

    def acting(self, name: str, vehicle: Vehicle, key: Key) -> Load:
        ends = self.ends(vehicle, key)
        return force_elements.spring(*ends, self.stiffness, damping=self.damping, length=self.length, name=name)


class Tether(_Between):
    """A cable between two places: it pulls where it is taut, and never pushes."""

    kind: Literal["tether"] = option(..., "kind of load")
    stiffness: float = option(..., "tension per length beyond 'length'", unit="N/m", at_least=0.0)
    damping: float = option(0.0, "tension per rate of the length, where it is taut", unit="N s/m", at_least=0.0)
    length: float = option(..., "of the slack cable", unit="m", at_least=0.0)

    def acting(self, name: str, vehicle: Vehicle, key: Key) -> Load:
        ends = self.ends(vehicle, key)
        return force_elements.tether(*ends, self.stiffness, self.length, damping=self.damping, name=name)


class Bushing(_Between):
    """Springs and dampers on all six relative motions of two places, relaxed where places and axes coincide."""

    kind: Literal["bushing"] = option(..., "kind of load")
    stiffness: Three = option(..., "along the axes of the first end", unit="N/m", at_least=0.0)
    damping: Three = option(0.0, "along the axes of the first end", unit="N s/m", at_least=0.0)
    turning_stiffness: Three = option(0.0, "about the axes of the first end", unit="N m/rad", at_least=0.0)
    turning_damping: Three = option(0.0, "about the axes of the first end", unit="N m s/rad", at_least=0.0)

    def acting(self, name: str, vehicle: Vehicle, key: Key) -> Load:
        ends = self.ends(vehicle, key)
        return force_elements.bushing(
            *ends, self.stiffness, turning_stiffness=self.turning_stiffness, damping=self.damping,
            turning_damping=self.turning_damping, name=name,
        )  # fmt: skip


class _Rubbing(Declared):
    coulomb: float = option(..., "level when sliding", unit="N m or N", at_least=0.0)
    breakaway: float | None = option(None, "level near rest; default: the same", unit="N m or N", at_least=0.0)
    stribeck_rate: float = option(1.0, "rate at which the level has fallen by 63 %", unit="rad/s or m/s", above=0.0)
    smoothing_rate: float = option(1e-3, "rate within which the sign is smoothed", unit="rad/s or m/s", above=0.0)
    viscous: float = option(0.0, "force per rate", unit="N m s/rad or N s/m", at_least=0.0)

    def _law(self) -> dict[str, Any]:
        words = ("breakaway", "stribeck_rate", "smoothing_rate", "viscous")
        return {word: getattr(self, word) for word in words}


class JointFriction(_Rubbing):
    """Friction at a joint axis: Coulomb's law with Stribeck's curve."""

    kind: Literal["joint_friction"] = option(..., "kind of load")
    joint: str = option(..., "the joint")
    axis: int = option(1, "axis of a joint with several: 1, 2 or 3", at_least=1)

    def acting(self, name: str, vehicle: Vehicle, key: Key) -> Load:
        joint = known_joint(key, self.joint, vehicle, self.axis)
        with key.blamed():
            return force_elements.joint_friction(joint, self.coulomb, axis=self.axis - 1, name=name, **self._law())


class RotorDrag(_Rubbing):
    """Drag of the bearing of a torque-driven rotor, by the same law."""

    kind: Literal["rotor_drag"] = option(..., "kind of load")
    rotor: str = option(..., "the rotor")

    def acting(self, name: str, vehicle: Vehicle, key: Key) -> Load:
        rotor = known_rotor(key.at("rotor"), self.rotor, vehicle)
        with key.blamed():
            return force_elements.rotor_drag(rotor, self.coulomb, name=name, **self._law())
