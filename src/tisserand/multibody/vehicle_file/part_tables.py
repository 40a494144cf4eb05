"""Bodies, the base, rotors and appendages of a vehicle file."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from functools import lru_cache
from pathlib import Path
from typing import Any, Literal

import numpy as np

from tisserand.appendage.frames.kept_modes import first_modes
from tisserand.appendage.record.record_file import shared_record
from tisserand.appendage.record.reduced_appendage import ReducedAppendage
from tisserand.declarations import Declared, FilePath, Key, check, one_of, option, problem, ruled, when
from tisserand.declarations.common_values import ORIGIN, Vector, inertia_matrix
from tisserand.errors import FileError
from tisserand.files import existing_file
from tisserand.multibody.body_integrals import has_geometric_stiffness
from tisserand.multibody.inertia import checked_inertia
from tisserand.multibody.loads import Load, rotor_torque
from tisserand.multibody.vehicle import Body, BodyFrame, MountedAppendage, PrescribedMotion, Rotor
from tisserand.multibody.vehicle_file.file_values import DEGREE, Attitude, Direction, Inertia, Point, rotation
from tisserand.multibody.vehicle_file.profile_tables import ProfileValue, maybe_profile

#: What reduces an appendage case to a record.
ReduceCase = Callable[[Path], ReducedAppendage]


class FrameTable(Declared):
    """A named place of a body with its own axes."""

    position: Vector = option(ORIGIN, "from the body's origin", unit="m")
    attitude: Attitude | None = option(None, "rotation from frame axes to body axes; default: none")


class BodyTable(Declared):
    """A rigid body."""

    mass: float = option(..., "mass; zero makes an imaginary body", unit="kg", at_least=0.0)
    center: Vector = option(ORIGIN, "mass center from the body's origin", unit="m")
    inertia: Inertia = option(ORIGIN, "about the mass center: principal values or a matrix", unit="kg m²")
    points: dict[str, Vector] = option({}, "named places", unit="m")
    frames: dict[str, FrameTable] = option({}, "named places with their own axes")

    def body(self, name: str, key: Key) -> Body:
        with key.at("inertia").blamed():
            checked_inertia(inertia_matrix(self.inertia), self.mass, "")
        frames = [
            BodyFrame(word, np.array(each.position), rotation(each.attitude)) for word, each in self.frames.items()
        ]
        return Body(
            name=name,
            mass=self.mass,
            center=np.array(self.center),
            inertia=inertia_matrix(self.inertia),
            points=tuple(self.points.items()),
            frames=tuple(frames),
        )


_PRESCRIBED = ("x", "y", "z", "angle_deg")


class BaseTable(Declared):
    """The body at the root of the tree, and how it moves."""

    body: str | None = option(None, "the root; default: the only body without a parent")
    motion: Literal["free", "fixed", "prescribed"] = option("free", "how the base moves")
    x: ProfileValue | None = option(None, "prescribed motion along inertial x", unit="m")
    y: ProfileValue | None = option(None, "prescribed motion along inertial y", unit="m")
    z: ProfileValue | None = option(None, "prescribed motion along inertial z", unit="m")
    angle_deg: ProfileValue | None = option(None, "prescribed turn about the axis", unit="deg")
    axis: Direction = option((0.0, 0.0, 1.0), "axis of the prescribed turn, in base axes")

    _motion_matches_profiles = ruled(
        when("motion", "prescribed", some=_PRESCRIBED, because="a profile for x, y, z or angle_deg"),
        when("motion", "free", "fixed", senseless=_PRESCRIBED, because='motion = "prescribed"'),
    )

    def base_motion(self) -> Literal["free", "fixed"] | PrescribedMotion:
        if self.motion != "prescribed":
            return self.motion
        x, y, z = (maybe_profile(value) for value in (self.x, self.y, self.z))
        return PrescribedMotion((x, y, z), self.axis, maybe_profile(self.angle_deg, DEGREE))  # type: ignore[arg-type]


class RotorTable(Declared):
    """A balanced wheel or rotor."""

    body: str = option(..., "body that carries it")
    axis: Direction = option(..., "spin axis, in body axes")
    spin_inertia: float = option(
        0.0, "inertia about the axis, above 0 unless the momentum is given", unit="kg m²", at_least=0.0
    )
    mode: Literal["torque", "speed", "momentum"] = option("torque", "driven by torques, or follows the profile")
    profile: ProfileValue | None = option(None, "speed (rad/s) or momentum (N m s) in those modes")
    mass: float = option(0.0, "mass", unit="kg", at_least=0.0)
    position: Vector = option(ORIGIN, "mass center from the body's origin", unit="m")
    transverse_inertia: float = option(0.0, "inertia across the axis", unit="kg m²", at_least=0.0)
    damping: float = option(0.0, "bearing torque per relative rate", unit="N m s/rad", at_least=0.0)
    input: str | None = option(None, "name of an input given at every step (Simulation.step): the torque of its motor")

    _profile_follows_mode = ruled(
        when("mode", "torque", senseless=("profile",), because='mode = "speed" or "momentum"'),
        when("mode", "speed", "momentum", needed=("profile",), because="the speed or momentum that the rotor follows"),
        when("mode", "speed", "momentum", senseless=("input",), because='mode = "torque"'),
        when("mode", "torque", "speed", needed=("spin_inertia",), because="a number above 0, in kg m²",
             facts={"spin_inertia": {"exclusiveMinimum": 0.0}}),
    )  # fmt: skip

    @check
    def _has_inertia(self) -> None:
        if self.mode != "momentum" and not self.spin_inertia:
            raise problem("spin_inertia", "is missing or zero", expected="a number above 0, in kg m²")

    def rotor(self, name: str, bodies: Mapping[str, Body], key: Key) -> Rotor:
        known_body(key, self.body, bodies)
        return Rotor(
            name,
            self.body,
            self.axis,  # type: ignore[arg-type]
            self.spin_inertia,
            mode=self.mode,
            profile=maybe_profile(self.profile),
            mass=self.mass,
            position=self.position,  # type: ignore[arg-type]
            transverse_inertia=self.transverse_inertia,
            damping=self.damping,
        )

    def loads(self, name: str) -> tuple[Load, ...]:
        """The motor that is driven from outside."""
        return () if self.input is None else (rotor_torque(name, self.input, f"{name}.motor"),)


class AppendageTable(Declared):
    """A flexible appendage on a body."""

    record: FilePath | None = option(None, "HDF5 record of the reduced appendage")
    case: FilePath | None = option(None, "appendage case that is reduced on the fly and kept; instead of a record")
    body: str = option(..., "body that carries it")
    position: Point = option(ORIGIN, "where its attachment sits on the body", unit="m")
    attitude: Attitude | None = option(None, "rotation from appendage axes to body axes; default: none")
    modes: int | None = option(
        None, "keep the first modes only, with all residual attachment shapes (0: rigid); default: all", at_least=0
    )
    inertia: Literal["constant", "linear", "full"] | None = option(
        None, "how inertia depends on deformation; default: the highest level that the record supports"
    )
    frequency_scale: float = option(1.0, "factor on all its frequencies; damping ratios stay", above=0.0)
    mode_frequency_scale: dict[str, float] = option({}, "further factors by the name of a mode, such as 'mode 1'")
    damping: float | None = option(
        None, "damping ratio of all its modes; default: that of the record", at_least=0.0, below=1.0
    )
    shape_gain: float = option(
        1.0, "factor on the participation of all its modes, at the same modal mass", at_least=0.0
    )
    mode_shape_gain: dict[str, float] = option({}, "further factors by the name of a mode")
    mass_scale: float = option(1.0, "factor on all its mass; frequencies stay", above=0.0)
    geometric_stiffness: bool | None = option(
        None, "use its stiffness from acceleration and spin; default: if it has any"
    )

    _one_source = ruled(one_of("record", "case"))

    def appendage(
        self, name: str, bodies: Mapping[str, Body], key: Key, reduce_case: ReduceCase | None
    ) -> MountedAppendage:
        known_body(key, self.body, bodies)
        record: Any = self._record(key, reduce_case)
        if self.modes is not None:
            with key.at("modes").blamed():
                record = _first_modes(record, self.modes)
        record = self._varied(record, key)
        if self.geometric_stiffness and not has_geometric_stiffness(record):
            raise key.at("geometric_stiffness").error(
                "the record has no geometric-stiffness families", found=f"appendage {record.name}",
                expected="a record with ax ... wzx, or false",
                advice="make the record with `tisserand modes --geometric` (analysis.geometric = true in a case)",
            )  # fmt: skip
        with key.at("position").blamed():
            position: Any = bodies[self.body].point(self.position) if isinstance(self.position, str) else self.position
        used = self.geometric_stiffness is not False
        return MountedAppendage(name, record, self.body, position, rotation(self.attitude), self.inertia, used)

    def _varied(self, record: ReducedAppendage, key: Key) -> ReducedAppendage:
        """The record with other frequencies, damping, participation or mass, where some are stated."""
        names = ("frequency_scale", "mode_frequency_scale", "damping", "shape_gain", "mode_shape_gain", "mass_scale")
        if all(getattr(self, name) == type(self).model_fields[name].default for name in names):
            return record

        def factors(common: float, by_mode: Mapping[str, float], word: str) -> dict[str, float]:
            for mode in by_mode:
                if mode not in record.mode_names:
                    raise key.at(word).unknown(mode, record.mode_names, "is not a mode")
            return {mode: common * by_mode.get(mode, 1.0) for mode in record.mode_names}

        scale = factors(self.frequency_scale, self.mode_frequency_scale, "mode_frequency_scale")
        gain = factors(self.shape_gain, self.mode_shape_gain, "mode_shape_gain")
        with key.blamed():
            return record.varied(
                frequency_scale=scale, shape_gain=gain, damping=self.damping, mass_scale=self.mass_scale
            )

    def _record(self, key: Key, reduce_case: ReduceCase | None) -> ReducedAppendage:
        """The record, read or reduced from a case; one without known units cannot fly."""
        which, path = ("record", self.record) if self.record is not None else ("case", self.case)
        assert path is not None
        try:
            existing_file(path)
        except FileError as error:
            raise key.at(which).error(error.what, found=str(path), expected=error.expected or "a file") from error
        if which == "case" and reduce_case is None:
            raise key.at("case").error("no function to reduce a case was given", expected="a record")
        appendage = shared_record(path) if reduce_case is None or which == "record" else reduce_case(path)
        if appendage.unit_system == "consistent":
            raise key.at(which).error(
                "the length unit of the record is unknown", found=str(path), expected="a record in real units",
                advice="recreate it without '--units consistent'",
            )  # fmt: skip
        return appendage


@lru_cache(maxsize=16)
def _first_modes(record: ReducedAppendage, count: int) -> ReducedAppendage:
    """``first_modes`` made once: the samples of a study, and equal appendages of a vehicle, share the result."""
    return first_modes(record, count)


def known_body(key: Key, name: str, bodies: Mapping[str, Body], word: str = "body") -> None:
    """Refuse the name of a body that is not there."""
    if name not in bodies:
        raise key.at(word).unknown(name, bodies, "is not a body")
