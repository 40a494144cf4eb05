"""Orders of error against exact finite rotation, generated over structures, mass recipes and engines.

Material points (tests/oracles/material_points.py) follow the nodal shapes by exact rotations; with ``geometric`` the beam keeps
its linear strains exactly (sections R' = R K~, a curve without further stretch). What they add to the linear field is compared
with what the record's second degree adds in an engine: the effective inertia about an axis may err by second order (4 times less
when the motion halves), energy and momenta by third (8 times, eta and eta' halved), up to 10 % of the length.

Limits. An error of order p is c s^p (1 + a_1 s + a_2 s^2 + ...) at a motion of s lengths; every further degree brings one more
factor of the rotations, x = t s rad where the nodes turn by t rad per length of motion, so the sum of the rest is at most
x / (1 - x) and a ratio of errors falls short of 2^p by no more than that of the larger motion. Round-off: 1e4 products of
unit size, each rounded once.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from functools import cache

import numpy as np
import pytest
from multibody.test_one_field import engine_mass
from oracles.finite_field import mass_matrix
from oracles.material_points import Beam, Plate
from support.lines import STEEL, beam_model, bodies, rectangle, straight
from support.recursive_calls import evaluate, flat_state
from support.surfaces import grid, plate_section, shell_model

from tisserand.appendage import keep_modes, reduce
from tisserand.appendage.record.turning_bodies import no_bodies
from tisserand.assembly import assemble
from tisserand.model import BeamSection, Supports
from tisserand.modes import solve_modes
from tisserand.multibody import Body, MountedAppendage, State, Vehicle, loads, profiles
from tisserand.multibody.likins.build import build
from tisserand.multibody.likins.engine import accelerations, bookkeeping
from tisserand.multibody.recursive.compile import compile_vehicle

LENGTH, WIDTH, HEIGHT = 2.0, 0.3, 0.2
HUB_MASS, HUB_INERTIA = 500.0, 200.0
#: Motion of the farthest node over the length; the order must show in the last halving and over all of them.
SIZES = (0.1, 0.05, 0.025, 0.0125)
AXIS = np.array([0.0, 0.6, 0.8])
ROUND_OFF = 1e4 * np.finfo(float).eps
CASES = [
    *(("beam", recipe) for recipe in ("consistent", "bodies", "coupled", "particles", "lumped")),
    *(("plate", recipe) for recipe in ("consistent", "bodies", "coupled", "particles", "lumped")),
    ("offset bodies", "consistent"),
    ("offset bodies", "particles"),
    ("geometric beam", "particles"),
    *(
        pytest.param("geometric beam", recipe, marks=pytest.mark.slow)
        for recipe in ("consistent", "bodies", "coupled", "lumped")
    ),
]
#: Both engines in turn; each case with the other engine is slow.
FLOWN = [
    pytest.param(
        *getattr(one, "values", one), engine, marks=[*getattr(one, "marks", ())] + [pytest.mark.slow] * ((i + j) % 2)
    )
    for i, one in enumerate(CASES)
    for j, engine in enumerate(("recursive", "likins"))
]
#: Exact within round-off: only bodies turn there, and they do so exactly, or nothing turns at all.
LINEAR = {("beam", r) for r in ("coupled", "particles", "lumped")} | {
    ("plate", r) for r in ("coupled", "particles", "lumped")
}
EXACT = {("offset bodies", "particles")} | LINEAR


@dataclass(frozen=True, eq=False)
class Case:
    """A record, the same without second degree, and the material points: masses and place(eta, exact)."""

    record: object
    linear: object
    masses: np.ndarray
    place: object


@cache
def case(family: str, recipe: str) -> Case:
    if family == "plate":
        points, cells = grid(3, 2, lambda x, y: (LENGTH * x, 0.8 * (y - 0.5)))
        model = shell_model(points, cells, plate_section(HEIGHT, 7e10, 0.3, 2700.0), drilling=1e6).changed(
            supports=Supports.clamp(np.flatnonzero(points[:, 0] < 1e-9)), mass_recipe=recipe
        )
        record = reduce(solve_modes(assemble(model), count=5))
        points = Plate(points, cells, HEIGHT, 2700.0, recipe, record.nodes.translation, record.nodes.rotation)
        return Case(record, without_second(record), points.masses, points.place)
    geometric = family.startswith("geometric")
    count = 4 if not geometric else 12 if recipe == "consistent" else 6
    section = BeamSection(1, STEEL, rectangle(WIDTH, HEIGHT))
    arm, own = np.array([0.1, 0.3, 0.4]), np.diag([2.0, 3.0, 2.5])
    extra = (bodies([count], 90.0, arm, own),) if family == "offset bodies" else ()
    model = beam_model(
        straight(count, LENGTH), section, extra=extra, mass_recipe=recipe, recipe="bar", orientation=(0, 1, 0)
    )
    model = model.changed(supports=Supports.clamp([0]))
    record = reduce(solve_modes(assemble(model), count=6), geometric=geometric)
    if geometric and recipe == "consistent":  # between nodes, sections follow torsion and stretch to first degree only
        along = np.abs(record.nodes.rotation[:, 0]).max(axis=0) + np.abs(record.nodes.translation[:, 0]).max(axis=0)
        record = keep_modes(record, np.flatnonzero(along < 1e-6 * np.abs(record.nodes.rotation).max()))
    phi, theta = record.nodes.translation, record.nodes.rotation
    points = Beam(LENGTH, WIDTH, HEIGHT, STEEL.density, recipe, phi, theta, geometric)
    masses, place = points.masses, points.place
    if extra:
        masses, place = with_body(points, 90.0, arm, own, phi[-1], theta[-1])
    return Case(record, without_second(record), masses, place)


def with_body(points, mass, arm, inertia, phi, theta):
    """The points and those of a rigid body at the tip."""
    from oracles.finite_field import cloud
    from oracles.material_points import turned

    own, rho = cloud(mass, arm, inertia)

    def place(eta, exact=True):
        b = np.broadcast_to(theta @ eta, rho.shape)
        at = np.array([LENGTH, 0, 0]) + phi @ eta + turned(b, rho, exact)
        return np.concatenate([points.place(eta, exact), at])

    return np.concatenate([points.masses, own]), place


def without_second(record):
    """The linear field of the same record."""
    q, k = record.integrals, record.count
    flat = replace(
        q, turn_first=np.zeros((3, k, k)), turn_second=np.zeros((3, 3, k, k)), turn_shape=np.zeros((k, k, k))
    )
    return record.changed(integrals=flat, bodies=no_bodies(k), geometric_stiffness={})


def craft(record) -> Vehicle:
    mounted = MountedAppendage("a", record, "hub")
    return Vehicle("v", [Body("hub", HUB_MASS, inertia=np.full(3, HUB_INERTIA))], appendages=[mounted])


def mass(record, eta):
    """Of the recursive engine for [v; w; eta'], hub included."""
    compiled = compile_vehicle(craft(record))
    M = engine_mass(compiled, flat_state(compiled, State(modal={"a": eta})), record.count)
    if not len(record.bodies) and not record.integrals.turns and not record.geometric_stiffness:
        M[6:, 6:] = record.integrals.modal_mass  # constant: the engine does not form it
    return M


@cache
def exact_mass(family, recipe, size):
    """Linear field of the package, and what exact rotation adds to that of the points."""
    one = case(family, recipe)
    eta = size * LENGTH * direction(one.record)
    more = mass_matrix(one.place, one.masses, eta) - mass_matrix(lambda e: one.place(e, False), one.masses, eta)
    return mass(one.linear, eta) + more


def engine_inertia(record, eta, engine):
    """1 / angular acceleration about AXIS per torque about it: base and modes are free."""
    soft = record.changed(stiffness=1e-9 * record.stiffness)  # large elastic forces would cost digits of the difference
    vehicle, here = craft(soft), State(modal={"a": eta})
    found = []
    for acting in ([loads.torque("hub", AXIS, profiles.constant(1.0))], []):
        answer = (
            evaluate(vehicle, here, acting) if engine == "recursive" else accelerations(build(vehicle), here, acting)
        )
        found.append(AXIS @ answer.angular_velocity)
    return 1.0 / (found[0] - found[1])


def books(record, v, w, eta, rate, engine):
    """T, p, h about the origin."""
    if engine == "recursive":
        return books_of(mass(record, eta), np.concatenate([v, w, rate]))
    state = State(velocity=v, angular_velocity=w, modal={"a": eta}, modal_rates={"a": rate})
    found = bookkeeping(build(craft(record)), state)
    return np.concatenate([[found.kinetic], found.linear, found.angular])


def books_of(M, z):
    return np.concatenate([[0.5 * z @ M @ z], (M @ z)[:6]])


def direction(record, seed=4):
    """A mixture of modes, softer ones more, that moves the farthest node by 1 m."""
    rng = np.random.default_rng(seed)
    reach = np.abs(record.nodes.translation).max(axis=(0, 1)) + np.abs(record.nodes.rotation).max(axis=(0, 1))
    mix = rng.normal(size=record.count) / reach / (record.frequencies_hz / record.frequencies_hz[0])
    return mix / np.linalg.norm(record.nodes.translation @ mix, axis=1).max()


def shows_order(errors, order, turn):
    """Whether errors (sizes, n) fall with the order, in the last halving and over all, within what the next degrees bring."""
    last, all_of_them = errors[-2] / errors[-1], errors[0] / errors[-1]
    rest = [turn * size / (1.0 - turn * size) for size in (SIZES[-2], SIZES[0])]
    halvings = len(SIZES) - 1
    assert turn * SIZES[0] < 1.0
    return bool(
        (last > (1.0 - rest[0]) * 2**order).all() and (all_of_them > (1.0 - rest[1]) * 2 ** (order * halvings)).all()
    )


def turning(record, *directions):
    """Largest turn of a node, rad, when the farthest node moves by the length."""
    return LENGTH * max(np.linalg.norm(record.nodes.rotation @ along, axis=1).max() for along in directions)


@pytest.mark.parametrize(("family", "recipe"), [one for one in CASES if one != ("plate", "consistent")])
def test_the_linear_fields_are_the_same(family, recipe):
    """Package and points agree on the linear field, so the rest is second degree; plates with cubic sides have another one."""
    one = case(family, recipe)
    eta = 0.05 * LENGTH * direction(one.record)
    wanted = mass_matrix(lambda e: one.place(e, False), one.masses, eta)
    found = mass(one.linear, eta)
    found[:3, :3] -= HUB_MASS * np.eye(3)
    found[3:6, 3:6] -= HUB_INERTIA * np.eye(3)
    size = np.sqrt(np.diag(wanted))
    gap = np.abs((found - wanted) / np.outer(size, size)).max()
    assert gap < ROUND_OFF


@pytest.mark.parametrize(("family", "recipe", "engine"), FLOWN)
def test_effective_inertia_errs_by_second_order(family, recipe, engine):
    one = case(family, recipe)
    along = direction(one.record)
    errors = []
    for size in SIZES:
        eta = size * LENGTH * along
        wanted = 1.0 / (AXIS @ np.linalg.inv(exact_mass(family, recipe, size))[3:6, 3:6] @ AXIS)
        errors.append(abs(engine_inertia(one.record, eta, engine) - wanted) / wanted)
    if (family, recipe) in EXACT:
        assert max(errors) < ROUND_OFF
    else:
        assert shows_order(np.array(errors), 2, turning(one.record, along))


@pytest.mark.parametrize(("family", "recipe", "engine"), FLOWN)
def test_energy_and_momenta_err_by_third_order(family, recipe, engine):
    one = case(family, recipe)
    along, pace = direction(one.record), direction(one.record, 7)
    v, w = np.array([0.3, -0.2, 0.4]), np.array([0.5, 0.7, -0.4])
    errors = []
    for size in SIZES:
        eta, rate = size * LENGTH * along, size * LENGTH * pace
        wanted = books_of(exact_mass(family, recipe, size), np.concatenate([v, w, rate]))
        gap = np.abs(books(one.record, v, w, eta, rate, engine) - wanted)
        scale = np.array([wanted[0], *3 * [np.abs(wanted[1:4]).max()], *3 * [np.abs(wanted[4:]).max()]])
        errors.append((gap / scale).reshape(-1))
    errors = np.array([[row[0], row[1:4].max(), row[4:].max()] for row in errors])
    if (family, recipe) in EXACT:
        assert errors.max() < ROUND_OFF
    else:
        errors = errors[:, errors[0] > ROUND_OFF]  # a momentum that the second degree leaves alone shows round-off
        assert errors.shape[1] and shows_order(errors, 3, turning(one.record, along, pace))


def test_kept_modes_keep_the_orders():
    """Choosing modes chooses their second degree with them."""
    one = case("geometric beam", "consistent")
    kept = [0, 2, 3]
    record = keep_modes(one.record, kept)
    eta = 0.05 * LENGTH * direction(record)
    full = np.zeros(one.record.count)
    full[kept] = eta
    whole = mass(one.record, full)
    rows = [*range(6), *(6 + i for i in kept)]
    kept_rows = whole[np.ix_(rows, rows)]
    size = np.sqrt(np.diag(kept_rows))
    assert np.abs((mass(record, eta) - kept_rows) / np.outer(size, size)).max() < ROUND_OFF
