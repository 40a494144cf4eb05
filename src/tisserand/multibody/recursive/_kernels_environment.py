# mypy: disallow-untyped-defs=False, disallow-untyped-calls=False, disallow-untyped-decorators=False
"""The surroundings inside the compiled step: gravity, fields, drag and light become held inputs, then the engine runs as always.

A vehicle without them never loads this file. Engines are called by address, so nothing of them is compiled again; the one that
runs last may be that of force elements. Serves theory section 10.
"""

from __future__ import annotations

import math
from functools import cache
from typing import Any

import numba
import numpy as np
from numba import types

from tisserand.multibody.recursive._kernels_open import open_model, open_workspace
from tisserand.multibody.recursive._kernels_small import add, cross, dot, plus, root, scaled, sub, times, vector
from tisserand.multibody.recursive.engine_model import words
from tisserand.multibody.recursive.helper import helper, translated_entry
from tisserand.multibody.recursive.signatures import COMPLEX, COMPLEX_TABLE, CONSTANTS, INTS, RHS, RHS_COMPLEX
from tisserand.multibody.recursive.table_views import records_view
from tisserand.multibody.recursive.translator.boundary import call_address
from tisserand.multibody.recursive.translator.known import known
from tisserand.multibody.recursive.translator.values import POINTER, Called

_INT, _FLOAT = np.int64, np.float64
GRAVITY, FIELD, DRAG, LIGHT, SUNLIGHT, ALTITUDE, MAGNETOMETER = range(7)
NO_SHADOW, CYLINDER, CONE = range(3)

SURROUNDING = np.dtype([
    ("kind", _INT),
    ("inputs", _INT),           # first of its inputs in U
    ("body", _INT),             # that carries it
    ("plates", _INT),           # its plates, and the first
    ("plate", _INT),
    ("point_B", _FLOAT, 3),     # of a sensor, from the reference point, m
    ("origin_B", _FLOAT, 3),    # of the body, from the reference point, m
    ("direction_B", _FLOAT, 3), # of a magnetometer
    # planet
    ("mu", _FLOAT),             # m³/s²
    ("radius", _FLOAT),         # m
    ("j2", _FLOAT),
    ("pole_N", _FLOAT, 3),
    ("turn_rate", _FLOAT),      # rad/s
    ("dipole_N", _FLOAT, 3),    # at t = 0, T
    ("density", _FLOAT),        # kg/m³
    ("altitude", _FLOAT),       # of that density, m
    ("scale_height", _FLOAT),   # m
    # sun
    ("shadow", _INT),
    ("sun_N", _FLOAT, 3),
    ("sun_distance", _FLOAT),   # m
    ("sun_radius", _FLOAT),     # m
    ("pressure", _FLOAT),       # N/m²
])  # fmt: skip

PLATE = np.dtype([
    ("two_sided", _INT),
    ("area", _FLOAT),           # m²
    ("normal_B", _FLOAT, 3),
    ("point_B", _FLOAT, 3),     # center of pressure from the reference point of the body, m
    ("drag", _FLOAT),           # coefficient
    ("specular", _FLOAT),
    ("diffuse", _FLOAT),
])  # fmt: skip

#: At the end of the buffer: numbers of surroundings and plates, words of the inner buffer, and the addresses of the plain engine
#: on complex and on real numbers and of the engine that runs last.
TAIL = 6
#: Place of the words of the inner buffer, from the end.
INNER = -4
_SIZE, _PLATE_SIZE = words(SURROUNDING), words(PLATE)
_surroundings, _plates = records_view(SURROUNDING), records_view(PLATE)


def address_of(kernel: Any, signature: Any) -> int:
    """Address of a compiled right-hand side in this process."""
    if numba.config.DISABLE_JIT:
        return 0
    made = kernel.overloads[signature.args]
    return int(made.library.get_pointer_to_function(made.fndesc.llvm_func_name))


#: In plain Python addresses are places in this list.
PLAIN: list[Any] = []


def engine_at(place: Any, given: Any) -> Any:
    """The right-hand side at an address; given: its arguments M, F, W, U, t, y, dy."""
    return PLAIN[place](*given)


@known(engine_at)
def _translated_call(program: Any, builder: Any, place: Any, given: Any) -> Any:
    signature = RHS_COMPLEX if given.items[2].element == "complex" else RHS
    function = Called(signature, builder.inttoptr(place.parts[0], POINTER))
    return call_address(program.context, builder, function, list(given.items))


@helper
def exponential(x):
    """exp of a number with an infinitesimal imaginary part."""
    value = math.exp(x.real)
    return value + value * (x - x.real)


@helper
def gravity_of(s, r, arm, U, i):
    """Gravity at r and its gradient (xx, yy, zz, xy, yz, zx) into nine inputs; as ``Planet.gravity``.

    Both are those of the field that is linear about the mass center, at an ``arm`` from r, so that the weight is exact.
    """
    x = add(r, arm)
    square = dot(x, x)
    far = root(square)
    p = vector(s.pole_N)
    sine = dot(p, x) / far
    k = 1.5 * s.j2 * s.radius * s.radius / square
    e = scaled(1.0 / far, x)
    q = -s.mu / (square * far)
    g = scaled(q, plus(scaled(1.0 + k * (1.0 - 5.0 * sine * sine), x), 2.0 * k * sine * far, p))
    one = 1.0 + k * (1.0 - 5.0 * sine * sine)
    ee = k * (35.0 * sine * sine - 5.0) - 3.0
    ep, pp = -10.0 * k * sine, 2.0 * k
    for a in range(3):
        b = (a + 1) % 3
        U[i + 3 + a] = q * (one + ee * e[a] * e[a] + 2.0 * ep * e[a] * p[a] + pp * p[a] * p[a])
        U[i + 6 + a] = q * (ee * e[a] * e[b] + ep * (e[a] * p[b] + p[a] * e[b]) + pp * p[a] * p[b])
    for a in range(3):
        b, c = (a + 1) % 3, (a + 2) % 3
        U[i + a] = g[a] - U[i + 3 + a] * arm[a] - U[i + 6 + a] * arm[b] - U[i + 6 + c] * arm[c]


@helper
def magnetic_field(s, x, t):
    """(radius/r)³ [3 (d.e) e - d] with the dipole d turning with the planet."""
    p, d = vector(s.pole_N), vector(s.dipole_N)
    along = scaled(dot(p, d), p)
    c, w = math.cos(s.turn_rate * t), math.sin(s.turn_rate * t)
    turned = plus(plus(along, c, sub(d, along)), w, cross(p, d))
    square = dot(x, x)
    r = root(square)
    factor = s.radius / r
    return scaled(factor * factor * factor, sub(scaled(3.0 * dot(turned, x) / square, x), turned))


@helper
def light_at(s, x):
    """Visible part of the sun's disk at a real place x."""
    e = vector(s.sun_N)
    if s.shadow == NO_SHADOW:
        return 1.0
    if s.shadow == CYLINDER:
        along = dot(x, e)
        off = plus(x, -along, e)
        return 0.0 if along < 0.0 and dot(off, off) < s.radius * s.radius else 1.0
    to_sun = sub(scaled(s.sun_distance, e), x)
    far, r = math.sqrt(dot(to_sun, to_sun)), math.sqrt(dot(x, x))
    a, b = math.asin(min(s.sun_radius / far, 1.0)), math.asin(min(s.radius / r, 1.0))
    c = math.acos(min(1.0, max(-1.0, -dot(x, to_sun) / (r * far))))
    if c >= a + b:
        return 1.0
    if c <= abs(b - a):
        return 0.0 if b >= a else 1.0 - (b / a) ** 2
    cut = (c * c + a * a - b * b) / (2.0 * c)
    half = math.sqrt(max(a * a - cut * cut, 0.0))
    lens = a * a * math.acos(min(1.0, max(-1.0, cut / a))) + b * b * math.acos(min(1.0, max(-1.0, (c - cut) / b)))
    return 1.0 - (lens - c * half) / (math.pi * a * a)


@helper
def real_part(x):
    """The real parts of three numbers."""
    return x[0].real, x[1].real, x[2].real


@helper
def plate_force(s, plate, b, arm, bright):
    """Force of air or light on one plate at an arm from the reference point of its body, inertial axes."""
    n = times(b.C_NB, vector(plate.normal_B))
    if s.kind == DRAG:
        x = add(vector(b.r_N), arm)
        v = sub(add(vector(b.v_N), cross(vector(b.w_BN_N), arm)), cross(scaled(s.turn_rate, vector(s.pole_N)), x))
        facing = dot(n, v)
        height = root(dot(x, x)) - s.radius
        size = 0.5 * s.density * plate.drag * plate.area * exponential((s.altitude - height) / s.scale_height)
    else:
        v = vector(s.sun_N)
        facing = dot(n, v)
        size = s.pressure * plate.area * bright
    if facing.real < 0.0:
        if not plate.two_sided:
            return sub(n, n)
        n, facing = scaled(-1.0, n), -facing
    if s.kind == DRAG:
        return scaled(-size * facing, v)
    mirrored = 2.0 * (plate.specular * facing + plate.diffuse / 3.0)
    return scaled(-size * facing, plus(scaled(mirrored, n), 1.0 - plate.specular, v))


@helper
def on_plates(s, plates, b, U):
    """Force on the plates and torque about the body's origin, inertial axes, into six inputs."""
    bright = light_at(s, real_part(vector(b.r_N))) if s.kind == LIGHT else 1.0
    zero = 0.0 * b.r_N[0]
    force, torque = (zero, zero, zero), (zero, zero, zero)
    origin = times(b.C_NB, vector(s.origin_B))
    for k in range(s.plate, s.plate + s.plates):
        arm = times(b.C_NB, vector(plates[k].point_B))
        pushed = plate_force(s, plates[k], b, arm, bright)
        force, torque = add(force, pushed), add(torque, cross(sub(arm, origin), pushed))
    for i in range(3):
        U[s.inputs + i], U[s.inputs + 3 + i] = force[i], torque[i]


@helper
def fill_inputs(M, W, U, t):
    """Inputs of all surroundings; needs the poses and velocities of the outward pass."""
    end = len(M) - TAIL
    count, plate_count = M[end], M[end + 1]
    plates = _plates(M, end - plate_count * _PLATE_SIZE, plate_count)
    all_around = _surroundings(M, end - plate_count * _PLATE_SIZE - count * _SIZE, count)
    model = open_model(M)
    h = model.head[0]
    work = open_workspace(h, W)
    for k in range(count):
        s = all_around[k]
        if s.kind == GRAVITY:
            for i in range(h.bodies):
                b, mass = work.bodies[i], model.bodies[i].mass
                arm = scaled(1.0 / mass if mass > 0.0 else 0.0, vector(b.first_N))
                gravity_of(s, vector(b.r_N), arm, U, s.inputs + 9 * i)
            continue
        b = work.bodies[s.body]
        if s.kind == DRAG or s.kind == LIGHT:
            on_plates(s, plates, b, U)
            continue
        x = add(vector(b.r_N), times(b.C_NB, vector(s.point_B)))
        if s.kind == SUNLIGHT:
            U[s.inputs] = light_at(s, real_part(x))
        elif s.kind == ALTITUDE:
            U[s.inputs] = root(dot(x, x)) - s.radius
        else:
            field = magnetic_field(s, x, t)
            if s.kind == MAGNETOMETER:
                U[s.inputs] = dot(times(b.C_NB, vector(s.direction_B)), field)
            else:
                U[s.inputs], U[s.inputs + 1], U[s.inputs + 2] = field


@translated_entry(RHS)
def rhs_in_surroundings(M, F, W, U, t, y, dy):
    """State derivative of a vehicle in its surroundings; as ``rhs``."""
    end = len(M) - TAIL
    inner = M[: M[end + 2]]
    status = engine_at(M[end + 4], (inner, F, W, U, t, y, dy[:0]))
    if status or not len(dy):
        return status
    fill_inputs(M, W, U, t)
    return engine_at(M[end + 5], (inner, F, W, U, t, y, dy))


def fill_displaced(M, F, W, U, t, Y):
    """Inputs of the surroundings at displaced states Y (n, size) into U (n, m); status of the first failure."""
    end = len(M) - TAIL
    inner = M[: M[end + 2]]
    for i in range(Y.shape[0]):
        status = engine_at(M[end + 3], (inner, F, W, U[i], t, Y[i], Y[i, :0]))
        if status:
            return status
        fill_inputs(M, W, U[i], t)
    return 0


@cache
def compiled_fill_displaced() -> Any:
    """``fill_displaced``, compiled or taken from the cache on disk when derivatives are first requested."""
    return translated_entry(types.int64(INTS, CONSTANTS, COMPLEX, COMPLEX_TABLE, types.float64, COMPLEX_TABLE))(
        fill_displaced
    )
