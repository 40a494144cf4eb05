"""Unit of a nonlinear vehicle: drives of joints and rotors, loads of the file and on the base in, coordinates and speeds out.

The sources hold the generated equations (``exporters.equations``) with joint rates as motion variables; masses scale by dividing
everything that pushes, since M and b are proportional to them. Ke and De grow with the mass, so that frequencies stay.
"""

from __future__ import annotations

import numpy as np

import tisserand
from tisserand.arrays import FloatArray
from tisserand.errors import VehicleError
from tisserand.exporters.equations import Equations, equations_of
from tisserand.exporters.equations.joints import word
from tisserand.exporters.equations.printing import c_function
from tisserand.exporters.equations.walk import SCALES as SYMBOLS
from tisserand.exporters.fmu.drives import DRIVES
from tisserand.exporters.fmu.linear import SCALES
from tisserand.exporters.fmu.unit import Unit, Variable
from tisserand.exporters.joint_start import joint_start
from tisserand.multibody.attitude import direction_cosines, orientation_angles
from tisserand.multibody.tree import expand
from tisserand.multibody.vehicle_file import VehicleCase

_PARAMETERS = (
    *SCALES,
    Variable("spring_scale", "factor on the springs of joints", start=1.0),
    Variable("damper_scale", "factor on the dampers of joints and rotors", start=1.0),
)
_WRAPPER = """
#include "model.h"

#define Q {coordinates}
#define U {speeds}
#define T {torques}

static const double start_states[Q + U] = {{{start}}};

void model_start(Model *m)
{{
    int i;
    m->time = 0.0;
    for (i = 0; i < MODEL_PARAMETERS; i++) m->parameters[i] = 1.0;
    for (i = 0; i < MODEL_INPUTS; i++) m->inputs[i] = 0.0;
    for (i = 0; i < MODEL_STATES; i++) m->states[i] = start_states[i];
}}

int model_rates(const Model *m, double t, const double *x, double *rates)
{{
    const double frequency = m->parameters[0], damping = m->parameters[1], mass = m->parameters[2];
    double push[T];
    int i;
    (void)t;
    for (i = 0; i < T - 4; i++) push[i] = m->inputs[i] / mass;
    push[T - 4] = m->parameters[3] / mass;
    push[T - 3] = m->parameters[4] / mass;
    push[T - 2] = frequency * frequency;
    push[T - 1] = frequency * damping;
    equations_of_motion(x, x + Q, push, rates, rates + Q);
    for (i = 0; i < MODEL_STATES; i++)
        if (!isfinite(rates[i])) return 1;
    return 0;
}}

int model_outputs(const Model *m, double *outputs)
{{
    int i;
    for (i = 0; i < MODEL_STATES; i++) outputs[i] = m->states[i];
    return model_rates(m, m->time, m->states, outputs + MODEL_STATES);
}}
"""


def equations(case: VehicleCase) -> Equations:
    """The equations of the unit; the strength of a load of the file is an input, unless it is one of a joint or rotor."""
    loads = [load for load in case.loads if load.kind not in DRIVES]
    if case.events:
        raise VehicleError(
            "events cannot be written as a unit", where=str(case.path), found=", ".join(e.name for e in case.events)
        )
    fixed = case.vehicle.base_motion == "fixed" and np.any(case.vehicle.gravity)
    if fixed and not np.allclose(direction_cosines(case.initial.attitude), np.eye(3), rtol=0.0, atol=1e-15):
        raise VehicleError("gravity on a fixed base that is turned cannot be written as a unit", where=str(case.path))
    return equations_of(case.vehicle, "hinge", scales=True, loads=loads)


def start_states(case: VehicleCase) -> FloatArray:
    """q and u at the initial state of the file, in the order of the equations."""
    tree, state = expand(case.vehicle), case.initial
    q: list[float] = []
    u: list[float] = []
    for body in tree.bodies:
        if body.kind == "free":
            R_NB = direction_cosines(state.attitude)
            q += [*orientation_angles(state.attitude)[0], *state.position]
            u += [*state.angular_velocity, *(R_NB.T @ state.velocity)]
        elif body.kind == "ball":
            turn, rate = joint_start(state, body)
            q += [*orientation_angles(turn)[0]]
            u += [*rate]
        elif body.kind in ("hinge", "prismatic"):
            value, rate = joint_start(state, body)
            q += [*value]
            u += [*rate]
        for block in body.blocks:
            none = np.zeros(block.integrals.count)
            q += [*np.broadcast_to(state.modal.get(block.name, none), none.shape)]
            u += [*np.broadcast_to(state.modal_rates.get(block.name, none), none.shape)]
        for rotor in body.rotors:
            q.append(float(np.ravel(state.rotor_angles.get(rotor.name, 0.0))[0]))
            u.append(float(np.ravel(state.rotor_rates.get(rotor.name, 0.0))[0]))
    return np.array([*q, *u])


def nonlinear_unit(case: VehicleCase) -> Unit:
    """Drives and loads on the base in; coordinates, speeds and their rates out."""
    made, start = equations(case), start_states(case)
    names = [str(symbol) for symbol in (*made.coordinates, *made.rates)]
    facts = {
        "coordinates": len(made.coordinates), "speeds": len(made.rates), "torques": len(made.torques),
        "start": ", ".join(repr(float(x)) for x in start),
    }  # fmt: skip
    source = c_function(made, "equations_of_motion").replace("void equations", "static void equations")
    return Unit(
        name=case.vehicle.name,
        description=f"Vehicle {case.vehicle.name}, nonlinear",
        parameters=_PARAMETERS,
        inputs=tuple(
            Variable(str(s), "drive of a joint or rotor, load on the base in its axes, or strength of a load")
            for s in made.torques[: -len(SYMBOLS)]
        ),
        outputs=(
            *(Variable(name, "coordinate or speed") for name in names),
            *(Variable(f"{name}_dot", "its rate") for name in names),
        ),
        states=tuple(Variable(f"state {name}", "coordinate or speed", start=float(x)) for name, x in zip(names, start)),
        generated={"model.c": source + _WRAPPER.format(**facts)},
        shared=(),
        written_by=f"tisserand {tisserand.__version__}",
        notes=(f"base: {word(case.vehicle.base or '')}, angles 1-2-3", *made.notes),
    )
