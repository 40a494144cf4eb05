"""Unit of a vehicle, linear about the initial state of its file: loads in, sensors and coordinates out.

A is affine in the stiffness and in the damping of the appendages at unchanged mass, so that A1 = A(2 Ke) - A(Ke) and
A2 = A(2 De) - A(De) are exact: with factors s on frequencies and d on ratios, A + (s² - 1) A1 + (s d - 1) A2.
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


def _multiplied(case: VehicleCase, stiffness: float, damping: float) -> VehicleCase:
    """The same vehicle with Ke and De of every appendage multiplied."""
    mounted = [
        replace(
            one,
            record=one.record.changed(stiffness=stiffness * one.record.stiffness, damping=damping * one.record.damping),
        )
        for one in case.vehicle.appendages
    ]
    return replace(case, vehicle=replace(case.vehicle, appendages=tuple(mounted)))


def vehicle_parts(case: VehicleCase) -> tuple[LinearModel, dict[str, FloatArray]]:
    """The linear model, and its matrices split by what scales; outputs are those of the file and then all of q and q'."""
    plain = linear_model(case)
    stiffer, damped = (linear_model(_multiplied(case, *by)) for by in ((2.0, 1.0), (1.0, 2.0)))
    n = len(plain.A)
    own = np.eye(n)
    parts = {
        "A": plain.A,
        "A1": stiffer.A - plain.A,
        "A2": damped.A - plain.A,
        "B": plain.B,
        "C": np.vstack([plain.C, own]),
        "C1": np.vstack([stiffer.C - plain.C, 0.0 * own]),
        "C2": np.vstack([damped.C - plain.C, 0.0 * own]),
        "D": np.vstack([plain.D, np.zeros((n, plain.D.shape[1]))]),
    }
    return plain, parts


def vehicle_unit(case: VehicleCase) -> Unit:
    """Deviations of loads from the state in, sensors and coordinates out."""
    model, parts = vehicle_parts(case)
    names = [*model.coordinates, *(f"rate of {name}" for name in model.coordinates)]
    states = tuple(Variable(f"state {name}", "deviation from the state of the file") for name in names)
    outputs = [Variable(name, "sensor or measurement of the file") for name in model.outputs]
    outputs += [Variable(name, "deviation of a coordinate or of its rate") for name in names]
    return Unit(
        name=case.vehicle.name,
        description=f"Vehicle {case.vehicle.name}, linear about the initial state of {case.path.name}",
        parameters=SCALES,
        inputs=tuple(Variable(name, "load, as a deviation from its strength at the state") for name in model.inputs),
        outputs=tuple(outputs),
        states=states,
        generated={
            "matrices.h": matrices_header(
                parts, np.zeros(len(names)), [False] * len(model.inputs), [False] * len(outputs)
            )
        },
        shared=("lti.c",),
        written_by=f"tisserand {tisserand.__version__}",
        notes=model.notes,
    )
