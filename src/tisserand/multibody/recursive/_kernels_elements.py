# mypy: disallow-untyped-defs=False, disallow-untyped-calls=False, disallow-untyped-decorators=False
"""Force elements inside the compiled step: their forces become the held inputs of plain loads, then the engine runs as always.

A vehicle without elements never loads this file. The engine is called by its address, which stands at the end of the model's
buffer, so nothing of it is compiled again. Serves theory section 3.2.
"""

from __future__ import annotations

import math
from functools import cache
from typing import Any

import numba
import numpy as np
from numba import types

from tisserand.multibody.recursive._kernels_open import open_model, open_workspace
from tisserand.multibody.recursive._kernels_small import (
    add,
    cross,
    dot,
    half_turn,
    plus,
    product,
    put,
    root,
    scaled,
    sub,
    times,
    transposed_times,
    vector,
)
from tisserand.multibody.recursive._kernels_solve import rhs
from tisserand.multibody.recursive.engine_model import FREE, words
from tisserand.multibody.recursive.helper import helper, translated_entry
from tisserand.multibody.recursive.signatures import COMPLEX, COMPLEX_TABLE, CONSTANTS, INTS, RHS, RHS_COMPLEX
from tisserand.multibody.recursive.table_views import records_view, table
from tisserand.multibody.recursive.translator.boundary import call_address
from tisserand.multibody.recursive.translator.known import known
from tisserand.multibody.recursive.translator.values import I64, POINTER, Called

_INT, _FLOAT = np.int64, np.float64
SPRING, TETHER, BUSHING, FRICTION, STOP = range(5)

ELEMENT = np.dtype([
    ("kind", _INT),
    ("inputs", _INT),           # first of its inputs in U
    ("ends", _INT, 2),          # body or node of each end
    ("on_node", _INT, 2),       # 1: it is a node
    ("speed", _INT),            # friction, stop: place of the rate in y
    ("place", _INT),            # stop: place of the coordinate in y
    ("points_B", _FLOAT, (2, 3)),  # ends from the reference points, m
    ("C_B", _FLOAT, (2, 3, 3)),    # axes of the ends in body axes
    ("stiffness", _FLOAT, 6),   # N/m, N m/rad
    ("damping", _FLOAT, 6),     # N s/m, N m s/rad
    ("length", _FLOAT),         # at which a spring is relaxed, m
    ("friction", _FLOAT, 4),    # Coulomb level, level at rest, Stribeck rate, smoothing rate; stop: lower and upper limit
])  # fmt: skip

#: A free base this far from the inertial origin, m, is brought there before elements and loops look at places.
FAR = 1e4
#: After the elements: their number, the address of the engine on complex numbers, and the one on real numbers.
TAIL = 3
_SIZE = words(ELEMENT)
_elements = records_view(ELEMENT)


def engine_address(complex_numbers: bool = False) -> int:
    """Address of the compiled right-hand side in this process."""
    if numba.config.DISABLE_JIT:
        return 0
    made = rhs.overloads[(RHS_COMPLEX if complex_numbers else RHS).args]
    return int(made.library.get_pointer_to_function(made.fndesc.llvm_func_name))


def engine(M: Any, given: Any) -> Any:
    """The right-hand side at the address at the end of M; given: its other arguments F, W, U, t, y, dy."""
    return rhs(M, *given)


@known(engine)
def _translated_call(program: Any, builder: Any, M: Any, given: Any) -> Any:
    signature, from_end = (RHS_COMPLEX, 2) if given.items[1].element == "complex" else (RHS, 1)
    place = builder.gep(M.pointer, [builder.sub(M.shape[0], I64(from_end))])
    address = builder.load(builder.bitcast(place, I64.as_pointer()))
    function = Called(signature, builder.inttoptr(address, POINTER))
    return call_address(program.context, builder, function, [M, *given.items])


@helper
def body_end(e, i, work):
    """Place, velocity and angular velocity of an end on a body, inertial axes."""
    b = work.bodies[e.ends[i]]
    w, arm = vector(b.w_BN_N), times(b.C_NB, vector(e.points_B[i]))
    return add(vector(b.r_N), arm), add(vector(b.v_N), cross(w, arm)), w


@helper
def node_end(e, i, model, work):
    """The same of an end on a node."""
    node = work.nodes[e.ends[i]]
    b = work.bodies[model.nodes[e.ends[i]].body]
    w, arm = vector(b.w_BN_N), vector(node.r)
    v = add(add(vector(b.v_N), cross(w, arm)), vector(node.v))
    return add(vector(b.r_N), arm), v, add(w, vector(node.w))


@helper
def end_motion(e, i, model, work):
    """Place, velocity and angular velocity of an end, inertial axes."""
    if e.on_node[i]:
        return node_end(e, i, model, work)
    return body_end(e, i, work)


@helper
def end_axes(e, i, model, work, A, C):
    """Axes of an end into C; A is scratch."""
    if e.on_node[i]:
        product(work.bodies[model.nodes[e.ends[i]].body].C_NB, work.nodes[e.ends[i]].C_B, A)
        product(A, e.C_B[i], C)
    else:
        product(work.bodies[e.ends[i]].C_NB, e.C_B[i], C)


@helper
def line_force(e, model, work):
    """Force on the first end, inertial axes: the tension toward the second."""
    r, v, _ = end_motion(e, 0, model, work)
    r2, v2, _ = end_motion(e, 1, model, work)
    d, square = sub(r2, r), dot(sub(r2, r), sub(r2, r))
    if square.real <= 0.0:
        return sub(d, d)
    length = root(square)
    tension = e.stiffness[0] * (length - e.length) + e.damping[0] * dot(d, sub(v2, v)) / length
    if e.kind == TETHER and (length.real <= e.length or tension.real <= 0.0):
        return sub(d, d)
    return scaled(tension / length, d)


@helper
def friction_force(e, y):
    """-(c + (b - c) exp(-(u/s)^2)) tanh(u/e) - v u; an infinitesimal imaginary part of u gives that of the force."""
    u = y[e.speed]
    a = u.real
    low, rest, stribeck, smoothing = e.friction[0], e.friction[1], e.friction[2], e.friction[3]
    grip = (rest - low) * math.exp(-((a / stribeck) ** 2))
    sign = math.tanh(a / smoothing)
    value = -(low + grip) * sign - e.damping[0] * a
    slope = 2.0 * grip * a / stribeck**2 * sign - (low + grip) * (1.0 - sign * sign) / smoothing - e.damping[0]
    return value + slope * (u - a)


@helper
def stop_force(e, y):
    """Spring and damper of an end stop where the joint is beyond its limit: it pushes, and never pulls."""
    q, u = y[e.place], y[e.speed]
    force = 0.0 * q
    if q.real > e.friction[1]:
        force = -e.stiffness[0] * (q - e.friction[1]) - e.damping[0] * u
        if force.real > 0.0:
            force = 0.0 * q
    elif q.real < e.friction[0]:
        force = e.stiffness[0] * (e.friction[0] - q) - e.damping[0] * u
        if force.real < 0.0:
            force = 0.0 * q
    return force


@helper
def turn_vector(R):
    """Rotation vector of a rotation matrix, below 180 degrees."""
    v = (0.5 * (R[2, 1] - R[1, 2]), 0.5 * (R[0, 2] - R[2, 0]), 0.5 * (R[1, 0] - R[0, 1]))
    square = dot(v, v)
    if square.real < 1e-18:
        return scaled(1.0 + square / 6.0, v)
    s = root(square)
    return scaled(half_turn(s, 0.5 * (R[0, 0] + R[1, 1] + R[2, 2] - 1.0)) / s, v)


@helper
def elastic_torque(b, stiffness):
    """Torque that pulls a turn b back, Jl(b)^-T K b: minus the slope of the energy b'K b/2 along the angular velocity."""
    x = (stiffness[3] * b[0], stiffness[4] * b[1], stiffness[5] * b[2])
    square = dot(b, b)
    factor = 1.0 / 12.0 + square / 720.0
    if square.real > 1e-4:
        angle = root(square)
        a = angle.real
        half = 0.5 * a / math.tan(0.5 * a)
        slope = 0.5 / math.tan(0.5 * a) - 0.25 * a / math.sin(0.5 * a) ** 2
        factor = (1.0 - half - slope * (angle - a)) / square
    turned = cross(b, x)
    return plus(plus(x, 0.5, turned), factor, cross(b, turned))


@helper
def bushing_force(e, model, work, U):
    """Force and torque on the second end, and the torque on the first, inertial axes, into the inputs."""
    A, C, E = table(work.scratch, 0, 3, 3), table(work.scratch, 9, 3, 3), table(work.scratch, 18, 3, 3)
    end_axes(e, 0, model, work, A, C)
    end_axes(e, 1, model, work, A, E)
    r, v, w = end_motion(e, 0, model, work)
    r2, v2, w2 = end_motion(e, 1, model, work)
    d = sub(r2, r)
    moved = transposed_times(C, d)
    rate = transposed_times(C, sub(sub(v2, v), cross(w, d)))
    turning = transposed_times(C, sub(w2, w))
    for i in range(3):
        for j in range(3):
            A[i, j] = C[0, i] * E[0, j] + C[1, i] * E[1, j] + C[2, i] * E[2, j]
    pull = elastic_torque(turn_vector(A), e.stiffness)
    k, c = e.stiffness, e.damping
    force = times(
        C, (-k[0] * moved[0] - c[0] * rate[0], -k[1] * moved[1] - c[1] * rate[1], -k[2] * moved[2] - c[2] * rate[2])
    )
    torque = times(C, (-pull[0] - c[3] * turning[0], -pull[1] - c[4] * turning[1], -pull[2] - c[5] * turning[2]))
    back = add(torque, cross(d, force))
    for i in range(3):
        U[e.inputs + i], U[e.inputs + 3 + i], U[e.inputs + 6 + i] = force[i], torque[i], -back[i]


@helper
def fill_inputs(M, W, U, y):
    """Forces of all elements into their inputs; needs the poses and velocities of the outward pass."""
    model = open_model(M)
    work = open_workspace(model.head[0], W)
    count = M[len(M) - TAIL]
    elements = _elements(M, len(M) - TAIL - count * _SIZE, count)
    for k in range(count):
        e = elements[k]
        if e.kind == FRICTION:
            U[e.inputs] = friction_force(e, y)
        elif e.kind == STOP:
            U[e.inputs] = stop_force(e, y)
        elif e.kind == BUSHING:
            bushing_force(e, model, work, U)
        else:
            force = line_force(e, model, work)
            for i in range(3):
                U[e.inputs + i] = force[i]


@helper
def brought_near(M, y):
    """Move a free base that is far away to the inertial origin; where it was, and whether it was moved.

    In an orbit places are known to a nanometer only, and what acts between parts does not depend on where the vehicle is.
    """
    x, y0, z = y[0], y[1], y[2]
    far = abs(x) + abs(y0) + abs(z) > FAR and open_model(M).bodies[0].kind == FREE
    if far:
        y[0], y[1], y[2] = 0.0, 0.0, 0.0
    return x, y0, z, far


@translated_entry(RHS)
def rhs_with_elements(M, F, W, U, t, y, dy):
    """State derivative of a vehicle with force elements; as ``rhs``."""
    status = engine(M, (F, W, U, t, y, dy[:0]))
    if status or not len(dy):
        return status
    x, y0, z, moved = brought_near(M, y)
    if moved:
        status = engine(M, (F, W, U, t, y, dy[:0]))
    if not status:
        fill_inputs(M, W, U, y)
    put(y, (x, y0, z))
    if status:
        return status
    return engine(M, (F, W, U, t, y, dy))


def fill_displaced(M, F, W, U, t, Y):
    """Forces of the elements at displaced states Y (n, size) into their inputs U (n, m); status of the first failure."""
    for i in range(Y.shape[0]):
        status = engine(M, (F, W, U[i], t, Y[i], Y[i, :0]))
        if status:
            return status
        fill_inputs(M, W, U[i], Y[i])
    return 0


@cache
def compiled_fill_displaced() -> Any:
    """``fill_displaced``, compiled or taken from the cache on disk when derivatives are first requested."""
    return translated_entry(types.int64(INTS, CONSTANTS, COMPLEX, COMPLEX_TABLE, types.float64, COMPLEX_TABLE))(
        fill_displaced
    )
