# mypy: disallow-untyped-defs=False, disallow-untyped-calls=False, disallow-untyped-decorators=False
"""Wheels, compiled laws and first-order holds inside the step: limits, imbalance and commands become held inputs of plain loads.

A vehicle without them never loads this file. The records stand at the end of the constants F, with the addresses of the engine
alone and of the right-hand side of everything else, so nothing of them is compiled again. Reference: theory section 15.
"""

from __future__ import annotations

import math
from typing import Any

import numba
import numpy as np
from numba import types

from tisserand.multibody.recursive._kernels_open import open_model, open_workspace
from tisserand.multibody.recursive._kernels_profiles import profile_at
from tisserand.multibody.recursive._kernels_signals import control
from tisserand.multibody.recursive._kernels_small import dot, transposed_times, vector
from tisserand.multibody.recursive.engine_model import BY_COMMAND, BY_PROFILE, POSE, SPEED, words
from tisserand.multibody.recursive.hardware_endings import LAW_FAILED
from tisserand.multibody.recursive.helper import helper, translated_entry
from tisserand.multibody.recursive.signatures import FLOATS, RHS
from tisserand.multibody.recursive.table_views import part, records_view
from tisserand.multibody.recursive.translator.boundary import call_address
from tisserand.multibody.recursive.translator.known import known
from tisserand.multibody.recursive.translator.values import POINTER, Called

_INT, _FLOAT = np.int64, np.float64
LAW = types.int64(types.float64, FLOATS, FLOATS)

WHEEL = np.dtype([
    ("rotor", _INT),            # row of the rotor
    ("limit", _INT),            # place in U of the shortfall of the motor, 0: no limits
    ("shake", _INT),            # first place in U of two forces and two torques, 0: no imbalance
    ("motors", _INT),           # number of its motor loads
    ("motor", _INT),            # place in F of their numbers
    ("max_torque", _FLOAT),     # N m
    ("max_speed", _FLOAT),      # rad/s
    ("taper", _FLOAT),          # part of max_speed
    ("static", _FLOAT, 2),      # kg m, rad
    ("dynamic", _FLOAT, 2),     # kg m^2, rad
    ("friction", _FLOAT, 5),    # Coulomb level, level at rest, Stribeck rate, smoothing rate, viscous
])  # fmt: skip

COMMANDS = np.dtype([
    ("law", _INT),              # address of the compiled law
    ("signals", _INT),          # first of its signals
    ("count", _INT),            # number of its signals
    ("inputs", _INT),           # first of its commands in U
    ("outputs", _INT),          # number of its commands
    ("limits", _INT),           # place in F of low and high of each
])  # fmt: skip

RAMP = np.dtype([
    ("out", _INT), ("value", _INT), ("slope", _INT), ("since", _INT),  # places in U
])  # fmt: skip

TAIL = np.dtype([
    ("wheels", _INT), ("wheels_at", _INT), ("laws", _INT), ("laws_at", _INT), ("ramps", _INT), ("ramps_at", _INT),
    ("alone", _INT),            # address of the engine alone
    ("inner", _INT),            # address of the right-hand side with everything else
])  # fmt: skip

_wheels, _laws, _ramps, _tails = (records_view(one) for one in (WHEEL, COMMANDS, RAMP, TAIL))
_TAIL_SIZE = words(TAIL)
#: In plain Python an address is a number in this list.
PLAIN: list[Any] = []


def address_of(function: Any, signature: Any) -> int:
    """Address of a compiled function in this process; in plain Python its number."""
    if numba.config.DISABLE_JIT:
        if function not in PLAIN:
            PLAIN.append(function)
        return PLAIN.index(function)
    made = function.overloads[signature.args]
    return int(made.library.get_pointer_to_function(made.fndesc.llvm_func_name))


def call(address: Any, given: Any) -> Any:
    """The law (3 arguments) or right-hand side (7) at an address; an exception counts as a status of 1."""
    return PLAIN[address](*given)


@known(call)
def _translated_call(program: Any, builder: Any, address: Any, given: Any) -> Any:
    function = Called(LAW if len(given.items) == 3 else RHS, builder.inttoptr(address.parts[0], POINTER))
    return call_address(program.context, builder, function, list(given.items))


@helper
def motor_torque(w, model, work, F, U, t):
    """Torque that is commanded of all motors of a wheel together."""
    total = 0.0
    for i in range(w.motors):
        load = model.loads[int(F[w.motor + i])]
        if load.source == BY_PROFILE:
            total += profile_at(model.profiles, F, load.index, t)[0]
        elif load.source == BY_COMMAND:
            total += work.commands[load.index]
        else:
            total += U[POSE + load.index]
    return total


@helper
def limited(w, torque, rate):
    """What the motor gives: clipped, and less and less toward the highest speed where it accelerates the wheel."""
    torque = min(max(torque, -w.max_torque), w.max_torque)
    if torque * rate > 0.0 and w.max_speed < math.inf:
        torque *= min(max((w.max_speed - abs(rate)) / (w.taper * w.max_speed), 0.0), 1.0)
    return torque


@helper
def drag(w, rotor, rate):
    """Friction of the bearing: Coulomb's law with Stribeck's curve, viscous drag, and the damping of the rotor."""
    low, rest, stribeck, smoothing, viscous = w.friction[0], w.friction[1], w.friction[2], w.friction[3], w.friction[4]
    level = low + (rest - low) * math.exp(-((rate / stribeck) ** 2))
    return -level * math.tanh(rate / smoothing) - (viscous + rotor.damping) * rate


@helper
def fill_wheel(w, h, model, work, F, U, t, y):
    """Shortfall of the motor, and the forces and torques of imbalance along the two cross axes."""
    rotor = model.rotors[w.rotor]
    angle, rate = y[h.psi + rotor.number], y[h.psi_rate + rotor.number]
    gain = 0.0
    if rotor.drive == SPEED:
        rate, gain, _ = profile_at(model.profiles, F, rotor.profile, t)
    else:
        wanted = motor_torque(w, model, work, F, U, t)
        given = limited(w, wanted, rate)
        if w.limit:
            U[w.limit] = given - wanted
        gain = (given + drag(w, rotor, rate)) / rotor.inertia  # of the inertial spin
    if w.shake:
        b = work.bodies[rotor.body]
        spin = rate + dot(vector(rotor.axis_B), transposed_times(b.C_NB, vector(b.w_BN_N)))
        c, s = math.cos(angle + w.static[1]), math.sin(angle + w.static[1])
        U[w.shake] = w.static[0] * (spin * spin * c + gain * s)
        U[w.shake + 1] = w.static[0] * (spin * spin * s - gain * c)
        c, s = math.cos(angle + w.dynamic[1]), math.sin(angle + w.dynamic[1])
        U[w.shake + 2] = w.dynamic[0] * (-spin * spin * s + gain * c)
        U[w.shake + 3] = w.dynamic[0] * (spin * spin * c + gain * s)


@helper
def fill_commands(c, work, W, h, F, U, t):
    """Commands of a compiled law within their limits; a status where it fails or they are not finite."""
    out = part(U, c.inputs, c.outputs)
    if call(c.law, (t, part(W, h.work_signals + c.signals, c.count), out)):
        return LAW_FAILED
    for i in range(c.outputs):
        if not math.isfinite(out[i]):
            return LAW_FAILED
        out[i] = min(max(out[i], F[c.limits + 2 * i]), F[c.limits + 2 * i + 1])
    return 0


@helper
def fill_hardware(tail, M, F, W, U, t, y, dy):
    """Inputs of laws, then of wheels, which may be driven by laws; needs the poses and velocities of the outward pass."""
    model = open_model(M)
    h = model.head[0]
    work = open_workspace(h, W)
    control(h, model, work, F, U, t, y, dy)
    laws = _laws(F, tail.laws_at, tail.laws)
    for k in range(tail.laws):
        status = fill_commands(laws[k], work, W, h, F, U, t)
        if status:
            return status
    ramps = _ramps(F, tail.ramps_at, tail.ramps)
    for k in range(tail.ramps):
        U[ramps[k].out] = U[ramps[k].value] + U[ramps[k].slope] * (t - U[ramps[k].since])
    wheels = _wheels(F, tail.wheels_at, tail.wheels)
    for k in range(tail.wheels):
        fill_wheel(wheels[k], h, model, work, F, U, t, y)
    return 0


@translated_entry(RHS)
def rhs_with_hardware(M, F, W, U, t, y, dy):
    """State derivative of a vehicle with wheels or compiled laws; as ``rhs``."""
    tail = _tails(F, len(F) - _TAIL_SIZE, 1)[0]
    if not len(dy):
        return call(tail.inner, (M, F, W, U, t, y, dy))
    status = call(tail.alone, (M, F, W, U, t, y, dy[:0]))
    if not status:
        status = fill_hardware(tail, M, F, W, U, t, y, dy)
    if status:
        return status
    return call(tail.inner, (M, F, W, U, t, y, dy))
