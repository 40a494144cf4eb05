"""The surroundings of a vehicle as records after the tables of the model's buffer.

Serves theory section 10.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np

from tisserand.arrays import FloatArray, IntArray
from tisserand.errors import VehicleError
from tisserand.multibody.controllers import Controller
from tisserand.multibody.environment_law import INPUTS, EnvironmentLaw, signal_input
from tisserand.multibody.loads import Load
from tisserand.multibody.planet import SHADOWS
from tisserand.multibody.recursive.bench import Bench, body_number, from_reference
from tisserand.multibody.recursive.engine_model import POSE
from tisserand.multibody.recursive.kernels import environment_kernels, kernels
from tisserand.multibody.recursive.packing import row
from tisserand.multibody.recursive.signatures import RHS, RHS_COMPLEX
from tisserand.multibody.recursive.wiring import Wiring
from tisserand.multibody.signals import Signal
from tisserand.multibody.vehicle import Vehicle


def surroundings_of(
    loads: Sequence[Load], controllers: Sequence[Controller], signals: Sequence[Signal]
) -> dict[str, EnvironmentLaw]:
    """What surrounds a vehicle, by the name of its first input; two laws of one name raise VehicleError."""
    found: dict[str, EnvironmentLaw] = {}
    laws = [(f"{load.name}#0", load.environment) for load in [*loads, *(out for c in controllers for out in c.outputs)]]
    laws += [(signal_input(s.name), s.environment) for s in [*signals, *(s for c in controllers for s in c.inputs)]]
    for name, law in laws:
        if law is None:
            continue
        if found.setdefault(name, law) is not law:
            raise VehicleError("two loads or signals of the surroundings have the same name", found=name[:-2])
    return found


def refuse_two_gravities(vehicle: Vehicle, surroundings: dict[str, EnvironmentLaw], loads: Sequence[Load]) -> None:
    """One law of gravity at a time: uniform, the gradient of a circular orbit, or that of a planet."""
    planets = [name[:-2] for name, law in surroundings.items() if law.kind == "gravity"]
    others = [load.name for load in loads if load.kind == "gradient" and load.environment is None]
    if planets and (len(planets) > 1 or others or vehicle.gravity.any()):
        uniform = ["uniform gravity of the vehicle"] if vehicle.gravity.any() else []
        raise VehicleError(
            "two laws of gravity act at once",
            where=f"vehicle {vehicle.name}",
            found=", ".join([*planets, *others, *uniform]),
            advice="keep the planet's, which includes its gradient",
        )


def input_names(surroundings: dict[str, EnvironmentLaw], bodies: int) -> list[str]:
    """The inputs that the surroundings drive."""
    counts = {name: INPUTS[law.kind] * (bodies if law.kind == "gravity" else 1) for name, law in surroundings.items()}
    return [f"{name[:-1]}{i}" for name, count in counts.items() for i in range(count)]


def with_surroundings(
    M: IntArray, bench: Bench, wiring: Wiring, surroundings: dict[str, EnvironmentLaw], last: Any
) -> IntArray:
    """The buffer with its surroundings, their plates and the addresses of engines; unchanged without any.

    last: the engine that runs once they have filled their inputs.
    """
    if not surroundings:
        return M
    at = environment_kernels()
    rows: list[Any] = []
    plates: list[Any] = []
    for name, law in surroundings.items():
        one = _row(at, bench, law, name[:-2])
        one["inputs"] = POSE + max(len(wiring.held), 1) + wiring.driven.index(name)
        one["plates"], one["plate"] = len(law.plates), len(plates)
        plates += [_plate_row(at, bench, law, i) for i in range(len(law.plates))]
        rows.append(one)
    addresses = [0, at.address_of(kernels().rhs, RHS), at.address_of(last, RHS)]
    if not addresses[1]:  # plain Python
        at.PLAIN[:] = [kernels().rhs, kernels().rhs, last]
        addresses = [0, 1, 2]
    parts = [np.ascontiguousarray(one).reshape(1).view(np.int64) for one in [*rows, *plates]]
    out = np.concatenate([M, *parts, np.array([len(rows), len(plates), len(M), *addresses], np.int64)])
    out.setflags(write=False)
    return out


def with_complex_engine_around(M: IntArray) -> IntArray:
    """The buffer with the address of the engine on complex numbers."""
    out = M.copy()
    out[-3] = environment_kernels().address_of(kernels().rhs, RHS_COMPLEX)
    out.setflags(write=False)
    return out


def _row(at: Any, bench: Bench, law: EnvironmentLaw, name: str) -> Any:
    kinds = {
        "gravity": at.GRAVITY, "magnetic": at.FIELD, "drag": at.DRAG, "light": at.LIGHT, "sunlight": at.SUNLIGHT,
        "altitude": at.ALTITUDE, "magnetometer": at.MAGNETOMETER,
    }  # fmt: skip
    planet, sun = law.planet, law.sun
    one = row(
        at.SURROUNDING, kind=kinds[law.kind], direction_B=law.direction, mu=planet.mu, radius=planet.radius, j2=planet.j2,
        pole_N=planet.pole, turn_rate=planet.turn_rate, dipole_N=planet.dipole, density=planet.density,
        altitude=planet.density_altitude, scale_height=planet.scale_height,
    )  # fmt: skip
    if law.kind != "gravity":
        body = law.body or bench.tree.bodies[0].name
        one["body"] = k = body_number(bench, body, name)
        one["origin_B"] = from_reference(bench, k, body, np.zeros(3))
        one["point_B"] = from_reference(bench, k, body, law.point)
    if sun is not None:
        one["shadow"], one["sun_N"], one["sun_distance"] = SHADOWS.index(sun.shadow), sun.direction, sun.distance
        one["sun_radius"], one["pressure"] = sun.radius, sun.pressure
    return one


def _plate_row(at: Any, bench: Bench, law: EnvironmentLaw, number: int) -> Any:
    plate = law.plates[number]
    k = body_number(bench, law.body, "plate")
    point: FloatArray = from_reference(bench, k, law.body, plate.point)
    return row(
        at.PLATE, two_sided=plate.two_sided, area=plate.area, normal_B=plate.normal, point_B=point,
        drag=plate.drag_coefficient, specular=plate.specular, diffuse=plate.diffuse,
    )  # fmt: skip
