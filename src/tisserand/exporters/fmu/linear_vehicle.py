"""Unit of a vehicle, linear about the initial state of its file: loads in, sensors and coordinates out.

A is affine in the stiffness and in the damping of the appendages at unchanged mass, so that A_stiff = A(2 Ke) - A(Ke) and
A_damped = A(2 De) - A(De) are exact: with factors s on frequencies and d on ratios, A + (s² - 1) A_stiff + (s d - 1) A_damped.

With a factor m on all masses and inertias, and on Ke and De so that frequencies of appendages stay, every entry of A, B, C, D is
x + m y + z / m: inertia loads, springs and loads, and accelerations by them. Three evaluations give y and z exactly; what Ke and
De add to outputs is x + m y, since they grow with the mass that they move.
"""

from __future__ import annotations

from dataclasses import replace

import numpy as np

import tisserand
from tisserand.arrays import FloatArray
from tisserand.exporters.fmu.linear import SCALES, matrices_header
from tisserand.exporters.fmu.unit import Unit, Variable
from tisserand.multibody.linear import LinearModel
from tisserand.multibody.vehicle_file import VehicleCase
from tisserand.multibody.vehicle_file.linear_case import linear_model


def _multiplied(case: VehicleCase, mass: float = 1.0, stiffness: float = 1.0, damping: float = 1.0) -> VehicleCase:
    """The same vehicle with all masses multiplied at the same frequencies, then Ke and De of every appendage."""
    mounted, vehicle = [], case.vehicle
    for one in vehicle.appendages:
        record, heavier = one.record, one.record if mass == 1.0 else one.record.varied(mass_scale=mass)
        record = heavier.changed(stiffness=stiffness * mass * record.stiffness, damping=damping * mass * record.damping)
        mounted.append(replace(one, record=record))
    bodies = [replace(body, mass=mass * body.mass, inertia=mass * body.inertia) for body in vehicle.bodies]
    rotors = [
        replace(
            rotor, mass=mass * rotor.mass, spin_inertia=mass * rotor.spin_inertia,
            transverse_inertia=None if rotor.transverse_inertia is None else mass * rotor.transverse_inertia,
        )
        for rotor in vehicle.rotors
    ]  # fmt: skip
    return replace(
        case, vehicle=replace(vehicle, bodies=tuple(bodies), rotors=tuple(rotors), appendages=tuple(mounted))
    )


def vehicle_parts(case: VehicleCase) -> tuple[LinearModel, dict[str, FloatArray]]:
    """The linear model, and its matrices split by what scales; outputs are those of the file and then all of q and q'."""
    plain = linear_model(case)
    double, half = (linear_model(_multiplied(case, mass)) for mass in (2.0, 0.5))
    n = len(plain.A)
    none = np.zeros((n, n))
    parts: dict[str, FloatArray] = {}
    for name in "ABCD":
        one, two, low = (getattr(model, name) for model in (plain, double, half))
        light = 4.0 / 3.0 * (low - one + 0.5 * (two - one))
        parts |= {name: one, f"{name}_heavy": two - one + 0.5 * light, f"{name}_light": light}
    for what, stiffness, damping in (("stiff", 2.0, 1.0), ("damped", 1.0, 2.0)):
        changed = linear_model(_multiplied(case, 1.0, stiffness, damping))
        heavier = linear_model(_multiplied(case, 2.0, stiffness, damping))
        C = changed.C - plain.C
        parts |= {f"A_{what}": changed.A - plain.A, f"C_{what}": C, f"C_{what}_heavy": heavier.C - double.C - C}
    for name, values in parts.items():
        if name[0] == "C":
            parts[name] = np.vstack([values, np.eye(n) if name == "C" else none])
        elif name[0] == "D":
            parts[name] = np.vstack([values, np.zeros((n, values.shape[1]))])
    return plain, parts


def vehicle_unit(case: VehicleCase) -> Unit:
    """Deviations of loads from the state in, sensors and coordinates out."""
    model, parts = vehicle_parts(case)
    names = [*model.coordinates, *(f"rate of {name}" for name in model.coordinates)]
    states = tuple(Variable(f"state {name}", "deviation from the state of the file") for name in names)
    outputs = [Variable(name, "sensor or measurement of the file") for name in model.outputs]
    taken = {*model.inputs, *model.outputs, *(scale.name for scale in SCALES)}
    outputs += [
        Variable(f"coordinate {name}" if name in taken else name, "deviation of a coordinate or of its rate")
        for name in names
    ]
    return Unit(
        name=case.vehicle.name,
        description=f"Vehicle {case.vehicle.name}, linear about the initial state of {case.path.name}",
        parameters=SCALES,
        inputs=tuple(Variable(name, "load, as a deviation from its strength at the state") for name in model.inputs),
        outputs=tuple(outputs),
        states=states,
        generated={"matrices.h": matrices_header(parts, len(names))},
        shared=("lti.c",),
        written_by=f"tisserand {tisserand.__version__}",
        notes=model.notes,
    )
