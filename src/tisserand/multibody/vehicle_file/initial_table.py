"""The initial state of a vehicle file."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Annotated, Any, Literal

import numpy as np

from tisserand.arrays import FloatArray
from tisserand.declarations import (
    Declared,
    Key,
    check,
    excludes,
    expecting,
    needs,
    one_of,
    option,
    problem,
    ruled,
    when,
)
from tisserand.declarations.common_values import ORIGIN, Vector, many
from tisserand.multibody.attitude import direction_cosines, euler_parameters, from_angle_rates
from tisserand.multibody.centered import centered
from tisserand.multibody.controllers import Controller
from tisserand.multibody.equilibrium import principal_axis, spin_axis_name, steady_state
from tisserand.multibody.joints import speed_units
from tisserand.multibody.loads import Load
from tisserand.multibody.loop_projection import assembled
from tisserand.multibody.orbits import Orbit, orbit_attitude
from tisserand.multibody.planet import Planet
from tisserand.multibody.state import State
from tisserand.multibody.vehicle import Vehicle
from tisserand.multibody.vehicle_file.file_values import (
    DEGREE,
    Attitude,
    Direction,
    Numbers,
    OrientationAngles,
    quaternion,
    unit,
)

_Named = dict[str, Numbers]
#: Fastest motion that a file may start with: mechanics is Newton's, m/s, and far faster than any rotor, rad/s.
SPEED, RATE = 299_792_458.0, 1e9
_SPEED: dict[str, Any] = {"at_least": -SPEED, "at_most": SPEED}
_RATE: dict[str, Any] = {"at_least": -RATE, "at_most": RATE}


class Spin(Declared):
    """A spin about an axis of the base, or a principal axis of the whole vehicle."""

    axis: Annotated[
        Literal["major", "intermediate", "minor"] | Direction,
        expecting("major, intermediate, minor, or a direction [x, y, z]", "is not an axis"),
    ] = option(
        ...,
        "a principal axis of the whole vehicle (with equilibrium: as the spin deforms it), or a direction in base axes",
    )
    rate: float = option(..., "rate of the spin", unit="rad/s", **_RATE)


class OrbitTable(Declared):
    """The orbit of the vehicle's mass center about the planet of [environment]."""

    semi_major_axis: float | None = option(None, "half the length of the ellipse", unit="m", above=0.0)
    altitude: float | None = option(None, "of a circular orbit, above the equatorial radius", unit="m", at_least=0.0)
    eccentricity: float = option(0.0, "0 for a circle", at_least=0.0, below=1.0)
    inclination_deg: float = option(0.0, "to the planet's equator", unit="deg")
    node_deg: float = option(0.0, "of the ascending node, from the inertial x axis", unit="deg")
    perigee_deg: float = option(0.0, "argument of perigee, from the node", unit="deg")
    anomaly_deg: float = option(0.0, "true anomaly, from perigee", unit="deg")

    _size = ruled(one_of("semi_major_axis", "altitude"), excludes("altitude", "eccentricity"))

    def orbit(self, planet: Planet) -> Orbit:
        size = planet.radius + self.altitude if self.altitude is not None else self.semi_major_axis
        angles = {word: DEGREE * getattr(self, f"{word}_deg") for word in ("inclination", "node", "perigee", "anomaly")}
        return Orbit(semi_major_axis=size or 0.0, eccentricity=self.eccentricity, **angles)


class InitialTable(Declared):
    """The state at the start; omitted values are zero: at rest in the nominal attitude."""

    position: Vector = option(ORIGIN, "of the base's origin, in inertial axes", unit="m")
    attitude: Attitude | None = option(None, "rotation from base axes to the axes of 'axes'; default: none")
    velocity: Vector = option(ORIGIN, "of the base's origin, in inertial axes", unit="m/s", **_SPEED)
    angular_velocity: Vector | None = option(
        None, "of the base relative to 'axes', in base axes; default: zero", unit="rad/s", **_RATE
    )
    spin: Spin | None = option(None, "instead of angular_velocity")
    angle_rates_deg: Vector | None = option(
        None, "rates of the angles of 'attitude', instead of angular_velocity", unit="deg/s", **_RATE
    )
    angular_momentum: Vector | None = option(
        None, "of the whole vehicle about its mass center, in inertial axes, instead of angular_velocity", unit="N m s"
    )
    axes: Literal["inertial", "orbit"] = option(
        "inertial",
        "of attitude and angular velocity: inertial, or turning with the orbit (x up, y along track, z normal)",
    )
    center_position: Vector | None = option(None, "of the mass center, instead of position", unit="m")
    center_velocity: Vector | None = option(
        None, "of the mass center, instead of velocity; [0, 0, 0] has no momentum", unit="m/s", **_SPEED
    )
    orbit: OrbitTable | None = option(None, "of the mass center, instead of position and velocity")
    joints: _Named = option({}, "coordinates by joint, one number or one per axis", unit="rad or m")
    joints_deg: _Named = option({}, "the same for angles", unit="deg")
    joint_rates: _Named = option({}, "rates by joint", unit="rad/s or m/s", **_RATE)
    joint_rates_deg: _Named = option({}, "the same for angles", unit="deg/s", **_RATE)
    modal: _Named = option({}, "modal coordinates by appendage", unit="kg^0.5 m")
    modal_rates: _Named = option({}, "their rates", unit="kg^0.5 m/s")
    rotor_angles: dict[str, float] = option({}, "angles by rotor", unit="rad")
    rotor_rates: dict[str, float] = option({}, "rates by rotor, relative to the body", unit="rad/s", **_RATE)
    assemble: bool = option(False, "true: the nearest state in which all loops are closed")
    equilibrium: bool = option(False, "true: the equilibrium or steady spin nearest to what is stated")

    _one_rate = ruled(
        one_of("angular_velocity", "spin", "angle_rates_deg", "angular_momentum", needed=False),
        one_of("position", "center_position", "orbit", needed=False),
        one_of("velocity", "center_velocity", "orbit", needed=False),
        needs("angle_rates_deg", "attitude"),
        when("axes", "orbit", senseless=("spin", "angular_momentum"), because="inertial axes"),
    )

    @check
    def _rates_of_angles(self) -> None:
        if self.angle_rates_deg is not None and not isinstance(self.attitude, OrientationAngles):
            raise problem(
                "angle_rates_deg", "needs an attitude in angles", expected="attitude = { angles_deg, angle_set }"
            )

    @check
    def _one_unit(self) -> None:
        for word in ("joints", "joint_rates"):
            for name in getattr(self, f"{word}_deg").keys() & getattr(self, word).keys():
                raise problem(
                    (f"{word}_deg", name), f"excludes {word}.{name}", expected=f"either {word} or {word}_deg of a joint"
                )

    def state(self, vehicle: Vehicle, key: Key, planet: Planet | None = None) -> State:
        """The stated state; ``settled`` moves it into the equilibrium. ``planet``: of the file's environment."""
        state = self._turned(self._coordinates(vehicle, key), planet, key)
        if self.spin is not None:
            with key.at("spin", "axis").blamed():
                axis: Any = self.spin.axis
                along = principal_axis(vehicle, state, axis) if isinstance(axis, str) else unit(axis)
                state = state.changed(angular_velocity=self.spin.rate * along)
        place, speed = self._center(planet, key)
        if place is None and speed is None and self.angular_momentum is None:
            return state
        with key.blamed():
            return centered(vehicle, state, position=place, velocity=speed, angular_momentum=self.angular_momentum)

    def _center(self, planet: Planet | None, key: Key) -> tuple[FloatArray | None, FloatArray | None]:
        """Stated position and velocity of the mass center."""
        if self.orbit is None:
            return tuple(None if one is None else np.array(one) for one in (self.center_position, self.center_velocity))  # type: ignore[return-value]
        if planet is None:
            raise key.at("orbit").error(
                "needs a planet to orbit", expected="a table [environment] (an empty one is the Earth)"
            )
        with key.at("orbit").blamed():
            return self.orbit.orbit(planet).state(planet)

    def _turned(self, state: State, planet: Planet | None, key: Key) -> State:
        """The state with the angular velocity of its angle rates, and its attitude from orbiting axes if these are meant."""
        if self.angle_rates_deg is not None and isinstance(self.attitude, OrientationAngles):
            angles, rates = np.radians(self.attitude.angles_deg), np.radians(self.angle_rates_deg)
            state = state.changed(angular_velocity=from_angle_rates(angles, rates, self.attitude.angle_set)[0])
        if self.axes == "inertial":
            return state
        place, speed = self._center(planet, key)
        with key.at("axes").blamed():
            turn, w_RN_R = orbit_attitude(
                state.position if place is None else place, state.velocity if speed is None else speed
            )
        C_RB, C_NR = direction_cosines(state.attitude), direction_cosines(turn)
        return state.changed(
            attitude=euler_parameters(C_NR @ C_RB), angular_velocity=state.angular_velocity + C_RB.T @ w_RN_R
        )

    def _coordinates(self, vehicle: Vehicle, key: Key) -> State:
        """What is stated part by part."""
        joints = {j.name: j.coordinates for j in vehicle.joints}
        rates = {j.name: j.speeds for j in vehicle.joints}
        modes = {a.name: a.record.count for a in vehicle.appendages}
        rotors = {r.name: 1 for r in vehicle.rotors}
        kinds = {j.name: speed_units(j.kind) for j in vehicle.joints}

        def pieces(word: str, sizes: dict[str, int], scale: float = 1.0) -> dict[str, FloatArray]:
            """The values of one key, one per coordinate; one number is that of every axis of a joint."""
            made = {}
            for name, value in getattr(self, word).items():
                if name not in sizes:
                    raise key.at(word, name).unknown(name, sizes, "is not a name in this vehicle")
                count, values = sizes[name], many(value)
                if word.startswith("joint"):
                    units = set(kinds[name])
                    if word.endswith("_deg") and units - {"rad"}:
                        raise key.at(word, name).error("is not an angle alone", expected=word.removesuffix("_deg"))
                    if not isinstance(value, tuple) and count in (2, 3) and len(units) == 1:
                        values *= count
                if len(values) != count:
                    expected = f"{count} number{'' if count == 1 else 's'}"
                    raise key.at(word, name).error("has the wrong length", found=list(values), expected=expected)
                made[name] = scale * np.array(values)
            return made

        with key.blamed():
            return State(
                position=self.position,  # type: ignore[arg-type]
                attitude=quaternion(self.attitude),
                velocity=self.velocity,  # type: ignore[arg-type]
                angular_velocity=self.angular_velocity or ORIGIN,  # type: ignore[arg-type]
                joints={**pieces("joints", joints), **pieces("joints_deg", joints, DEGREE)},
                joint_rates={**pieces("joint_rates", rates), **pieces("joint_rates_deg", rates, DEGREE)},
                modal=pieces("modal", modes),
                modal_rates=pieces("modal_rates", modes),
                rotor_angles={k: float(v.item()) for k, v in pieces("rotor_angles", rotors).items()},
                rotor_rates={k: float(v.item()) for k, v in pieces("rotor_rates", rotors).items()},
            )

    def closed(self, vehicle: Vehicle, guess: State, loads: Sequence[Load], key: Key) -> State:
        """With ``assemble`` the nearest state in which all loops are closed."""
        if not self.assemble:
            return guess
        with key.at("assemble").blamed():
            return assembled(vehicle, guess, loads=loads)

    def settled(
        self, vehicle: Vehicle, guess: State, loads: Sequence[Load], controllers: Sequence[Controller], key: Key
    ) -> State:
        """With ``equilibrium`` the steady state nearest to the stated one: joints, modes and linear control laws at rest.

        A spin about a principal axis by name turns with that axis as the spin deforms the vehicle.
        """
        if not self.equilibrium:
            return guess
        turns = self.spin is not None and self.spin.rate != 0.0 and vehicle.base_motion == "free"
        named = self.spin.axis if self.spin is not None and turns and isinstance(self.spin.axis, str) else None
        with key.at("equilibrium").blamed():
            found = steady_state(vehicle, guess, loads=loads, controllers=controllers, spin_axis=named is not None)
        if not found.steady:
            raise key.at("equilibrium").error(
                "the base does not keep its spin in that state",
                found=f"angular acceleration {np.linalg.norm(found.base_acceleration[3:]):.3g} rad/s²",
                advice='let the principal axis of the deformed vehicle be found (spin = { axis = "major", rate = ... }), and '
                "apply no torque at the start",
            )
        if named is not None and (reached := spin_axis_name(vehicle, found.state)) != named:
            raise key.at("spin", "axis").error(
                "no steady spin about that axis was found near the undeformed vehicle's",
                found=f"the {reached} axis of the vehicle as the spin deforms it",
                expected=named,
                advice="lower the rate: the spin exchanges the order of the principal inertias",
            )
        return found.state
