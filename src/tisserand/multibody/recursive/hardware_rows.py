"""Wheels and compiled laws as records at the end of the constants.

Reference: theory section 15.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np

from tisserand.arrays import FloatArray
from tisserand.errors import VehicleError
from tisserand.multibody.compiled_law import CompiledLaw
from tisserand.multibody.controllers import Controller
from tisserand.multibody.loads import Load
from tisserand.multibody.recursive.bench import Bench
from tisserand.multibody.recursive.engine_model import LOAD_ROTOR, POSE
from tisserand.multibody.recursive.kernels import hardware_kernels, kernels
from tisserand.multibody.recursive.packing import Packer, row
from tisserand.multibody.recursive.signatures import RHS
from tisserand.multibody.recursive.wiring import RAMPED, Wiring
from tisserand.multibody.wheel_pulls import wheel_inputs


def hardware_names(loads: Sequence[Load], controllers: Sequence[Controller]) -> list[str]:
    """The inputs that wheels and compiled laws drive; two wheels on one rotor raise VehicleError."""
    wheels = [load for load in loads if load.wheel is not None]
    names = [load.name for load in wheels]
    if len(set(names)) != len(names):
        raise VehicleError("a rotor has the effects of two wheels", found=names, expected="one per rotor")
    driven = [c for c in controllers if isinstance(c, CompiledLaw) or getattr(c, "hold", "zero") == "first"]
    return [
        *(one for load in wheels for one in wheel_inputs(load)),
        *(f"{c.name}/{load.name}" for c in driven for load in c.outputs),
    ]


def _ramps(wiring: Wiring, places: dict[str, int]) -> list[Any]:
    """One record per command that a first-order hold extends."""
    at, made = hardware_kernels(), []
    for c, _, _ in wiring.sampled:
        for name in (f"{c.name}/{load.name}" for load in c.outputs if c.hold == "first"):
            value, slope, since = (POSE + wiring.held.index(name + word) for word in RAMPED)
            made.append(row(at.RAMP, out=places[name], value=value, slope=slope, since=since))
    return made


def pack_hardware(
    pack: Packer,
    bench: Bench,
    wiring: Wiring,
    loads: Sequence[Load],
    controllers: Sequence[Controller],
    rotors: list[Any],
) -> FloatArray:
    """Records after the constants, as floats of the same bits; empty without wheels and laws. rotors: rows of the model."""
    wheels = [load for load in loads if load.wheel is not None]
    laws = [c for c in controllers if isinstance(c, CompiledLaw)]
    if not (wheels or laws or any(c.hold == "first" for c, _, _ in wiring.sampled)):
        return np.zeros(0)
    at = hardware_kernels()
    first = POSE + max(len(wiring.held), 1)
    places = {name: first + i for i, name in enumerate(wiring.driven)}
    made = [_wheel(pack, bench, wiring, load, places, rotors) for load in wheels]
    read = [_commands(pack, wiring, c, places) for c in laws]
    ramps = _ramps(wiring, places)
    start = len(pack.constants)
    sizes = [sum(one.nbytes for one in group) // 8 for group in (made, read)]
    tail = row(
        at.TAIL,
        wheels=len(made),
        wheels_at=start,
        laws=len(read),
        laws_at=start + sizes[0],
        ramps=len(ramps),
        ramps_at=start + sum(sizes),
        alone=at.address_of(kernels().rhs, RHS),
    )
    return np.concatenate(
        [np.ascontiguousarray(one).reshape(1).view(np.float64) for one in (*made, *read, *ramps, tail)]
    )


def with_room(F: FloatArray, room: int, hardware: bool) -> FloatArray:
    """The constants with ``room`` more at their end; the places and addresses of wheels and laws stay last."""
    tail = F[len(F) - hardware_kernels().TAIL.itemsize // 8 :] if hardware else np.zeros(0)
    return np.concatenate([F, np.zeros(room), tail])


def place_inner(F: FloatArray, rhs: Any) -> None:
    """State which right-hand side runs after wheels and laws have filled their inputs (in place)."""
    at = hardware_kernels()
    tail = F[len(F) - at.TAIL.itemsize // 8 :].view(at.TAIL)
    tail["inner"] = at.address_of(rhs, RHS)


def _wheel(pack: Packer, bench: Bench, wiring: Wiring, load: Load, places: dict[str, int], rotors: list[Any]) -> Any:
    law, at = load.wheel, hardware_kernels()
    assert law is not None
    if load.target not in bench.places.rotor or bench.vehicle.rotor(load.target) is not law.rotor:
        raise VehicleError(
            "the vehicle does not carry the rotor of the wheel",
            where=f"load {load.name}",
            found=", ".join(bench.places.rotor) or "no rotor",
            expected=load.target,
            advice="give wheel.rotor to the vehicle",
        )
    number = bench.places.rotor[load.target]
    motors = [
        i
        for i, (one, name) in enumerate(zip(wiring.load_rows, wiring.load_names))
        if one["kind"] == LOAD_ROTOR and int(one["target"]) == number and name not in _not_motors(load)
    ]
    shake = places[f"{load.name}#1"] if law.shakes else 0
    return row(
        at.WHEEL,
        rotor=next(i for i, one in enumerate(rotors) if int(one["number"]) == number),
        limit=places[f"{load.name}#0"] if law.limited else 0,
        shake=shake,
        motors=len(motors),
        motor=pack.floats([float(i) for i in motors]),
        max_torque=law.max_torque,
        max_speed=law.max_speed,
        taper=law.taper,
        static=(law.static, law.static_phase),
        dynamic=(law.dynamic, law.dynamic_phase),
        friction=law.friction,
    )


def _not_motors(load: Load) -> tuple[str, str]:
    """Loads on the rotor that are no motors: its drag and the shortfall itself."""
    return (f"{load.name}.drag", f"{load.name}.limit")


def _commands(pack: Packer, wiring: Wiring, c: CompiledLaw, places: dict[str, int]) -> Any:
    at = hardware_kernels()
    assert c.limits is not None
    return row(
        at.COMMANDS,
        law=at.address_of(c.compiled, at.LAW),
        signals=wiring.law_signals[c.name],
        count=len(c.inputs),
        inputs=places[f"{c.name}/{c.outputs[0].name}"],
        outputs=len(c.outputs),
        limits=pack.floats(c.limits),
    )
