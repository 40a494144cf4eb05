"""Every inertia term from one displacement field: both engines against particles moved by finite rotations.

The particles know nothing of modal integrals (tests/oracles/finite_field.py): M = sum m Z'Z and the bias of their motion give
the accelerations that the engines must find.
"""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest
from oracles.finite_field import bias, cloud, mass_matrix, rotation
from support.corpus import shared
from support.recursive_calls import evaluate, flat_state

from tisserand.appendage import reduce
from tisserand.appendage.integrals.from_nodal_bodies import nodal_body_integrals
from tisserand.appendage.record.node_table import Interface, NodeTable
from tisserand.appendage.record.reduced_appendage import FrameRecord, ReducedAppendage
from tisserand.appendage.record.turning_bodies import TurningBodies
from tisserand.assembly import assemble
from tisserand.modes import solve_modes
from tisserand.multibody import Body, MountedAppendage, State, Vehicle, hinge, loads, profiles, simulate
from tisserand.multibody.displacement_field import moments_of_bodies
from tisserand.multibody.likins.build import build
from tisserand.multibody.likins.engine import accelerations
from tisserand.multibody.recursive.compile import compile_vehicle
from tisserand.multibody.recursive.kernels import kernels
from tisserand.readers.registry import read_model

COUNT, MODES = 4, 3
HUB = (3.0, np.array([0.1, 0.2, -0.1]), np.diag([1.0, 2.0, 2.5]))


class Nodes:
    """Offset rigid bodies on nodes with random shapes; the first ``exact`` of them turn one by one."""

    def __init__(self, seed: int = 0, stiffness: float = 0.0) -> None:
        rng = np.random.default_rng(seed)
        self.x, self.m = rng.normal(size=(COUNT, 3)), rng.uniform(0.5, 2.0, COUNT)
        self.d = 0.5 * rng.normal(size=(COUNT, 3))
        half = rng.normal(size=(COUNT, 3, 3))
        self.I = 0.1 * (np.einsum("nab,ncb->nac", half, half) + np.eye(3))
        spread = np.linalg.eigvalsh(0.5 * np.trace(self.I, axis1=1, axis2=2)[:, None, None] * np.eye(3) - self.I)[:, 0]
        self.I += np.maximum(-4.0 * spread, 0.0)[:, None, None] * np.eye(3)  # principal moments of a real body
        self.phi = 0.5 * rng.normal(size=(COUNT, 3, MODES))
        self.theta = 0.6 * rng.normal(size=(COUNT, 3, MODES))
        self.K = stiffness * np.diag(rng.uniform(1.0, 4.0, MODES))

    def record(self, exact: int = COUNT) -> ReducedAppendage:
        q = nodal_body_integrals(self.x, self.m, self.d, self.I, self.phi, self.theta)
        rows = np.arange(exact)
        parts = (self.m, self.d, self.I, self.x, self.phi, self.theta)
        face = Interface("tip", 2, self.x[1], np.eye(3), self.phi[1], self.theta[1])
        return ReducedAppendage(
            "nodes",
            integrals=q,
            stiffness=self.K,
            damping=np.zeros((MODES, MODES)),
            nodes=NodeTable(np.arange(1, COUNT + 1), self.x, self.phi, self.theta),
            frame=FrameRecord("connection", "held"),
            interfaces=(face,),
            bodies=TurningBodies(rows, *(p[:exact] for p in parts)),
        )

    def masses(self) -> np.ndarray:
        own = [cloud(m, d, I)[0] for m, d, I in zip(self.m, self.d, self.I)]
        return np.concatenate([*own, cloud(*HUB)[0]])

    def place(self, eta):
        """Hub and bodies, turned exactly."""
        parts = []
        for x, m, d, I, phi, theta in zip(self.x, self.m, self.d, self.I, self.phi, self.theta):
            parts.append(x + phi @ eta + cloud(m, d, I)[1] @ rotation(theta @ eta).T)
        return np.concatenate([*parts, cloud(*HUB)[1] + 0.0 * eta[0]])

    def completed(self, eta):
        """Hub and bodies by the linear field and the nearest of the affine fields and shapes to the turning, from particles."""
        masses, rest, moved, curved, shapes = [], [], [], [], []
        for x, m, d, I, phi, theta in zip(self.x, self.m, self.d, self.I, self.phi, self.theta):
            w, points = cloud(m, d, I)
            b = theta @ eta
            tilde = np.array([[0 * b[0], -b[2], b[1]], [b[2], 0 * b[0], -b[0]], [-b[1], b[0], 0 * b[0]]])
            masses.append(w)
            rest.append(x + points)
            moved.append(x + phi @ eta + points + points @ tilde.T)
            curved.append(0.5 * points @ (tilde @ tilde).T)
            shapes.append(phi + np.cross(theta, points[:, :, None], axisa=0, axisb=1, axisc=1))
        w, r = np.concatenate(masses), np.concatenate(rest)
        xh = np.column_stack([np.ones(len(r)), r])
        fields = np.concatenate(
            [np.einsum("np,ab->napb", xh, np.eye(3)).reshape(len(r), 3, 12), np.concatenate(shapes)], 2
        )
        gram = np.einsum("n,nai,naj->ij", w, fields, fields)
        found = np.linalg.solve(gram, np.einsum("n,nai,na->i", w, fields, np.concatenate(curved)))
        return np.concatenate([np.concatenate(moved) + fields @ found, cloud(*HUB)[1] + 0.0 * eta[0]])


def craft(record, level="full", **changes) -> Vehicle:
    mounted = MountedAppendage("a", record, "hub", inertia=level, **changes)
    return Vehicle("craft", [Body("hub", *HUB)], appendages=[mounted])


def motion(size=0.5, seed=3):
    rng = np.random.default_rng(seed)
    v, w = rng.normal(size=3), rng.normal(size=3)
    return v, w, size * rng.normal(size=MODES), rng.normal(size=MODES)


def state(v, w, eta, rate) -> State:
    return State(velocity=v, angular_velocity=w, modal={"a": eta}, modal_rates={"a": rate})


def speeds_of(found):
    joints = [np.ravel(value) for value in found.joints.values()]
    return np.concatenate([found.velocity, found.angular_velocity, *joints, *found.modal.values()])


def engine_mass(compiled, y, modes):
    """M for [v; w; eta'] of a free base with one appendage, from the workspace of the outward pass at rest attitude."""
    W = compiled.workspace()
    kernels().rhs(compiled.M, compiled.F, W, compiled.held(), 0.0, y, np.zeros(0))  # own inertias only
    work = compiled.opened(W)
    M = np.zeros((6 + modes, 6 + modes))
    M[:6, :6], M[6:, :6] = work.bodies[0]["I_A"], work.rows
    M[:6, 6:] = M[6:, :6].T
    place = compiled.model.bodies[0]["mass_matrix"]
    mass = work.mass if work.mass.size else compiled.F[place : place + modes**2]
    upper = np.triu(mass.reshape(modes, modes))
    M[6:, 6:] = upper + np.triu(upper, 1).T
    return M


@pytest.mark.parametrize("how", ["exact", "completed", "linear"])
def test_accelerations_are_those_of_particles(how):
    """Bodies that turn up to 0.8 rad exactly; without them, and at ``linear`` inertia, the completed field of equal moments.

    Its bias is taken by differences: 1e-8."""
    nodes = Nodes()
    v, w, eta, rate = motion()
    place = nodes.place if how == "exact" else nodes.completed
    wanted = -np.linalg.solve(mass_matrix(place, nodes.masses(), eta), bias(place, nodes.masses(), eta, w, rate))
    vehicle = craft(nodes.record(0 if how == "completed" else COUNT), "linear" if how == "linear" else "full")
    found = speeds_of(evaluate(vehicle, state(v, w, eta, rate)))
    assert found == pytest.approx(wanted, rel=1e-8, abs=1e-8 * np.abs(wanted).max())


@pytest.mark.parametrize("how", ["exact", "completed", "linear"])
def test_mass_matrix_is_that_of_the_particles(how):
    nodes = Nodes()
    _, _, eta, rate = motion()
    record = nodes.record(0 if how == "completed" else COUNT)
    compiled = compile_vehicle(craft(record, "linear" if how == "linear" else "full"))
    place = nodes.place if how == "exact" else nodes.completed
    wanted = mass_matrix(place, nodes.masses(), eta)
    y = flat_state(compiled, state(np.zeros(3), np.zeros(3), eta, rate))
    assert engine_mass(compiled, y, MODES) == pytest.approx(wanted, rel=1e-12, abs=1e-13 * np.abs(wanted).max())


@pytest.mark.parametrize("level", ["full", "linear"])
@pytest.mark.parametrize("exact", [0, 2, COUNT])
@pytest.mark.parametrize("psi", [False, True])
def test_both_engines_agree(level, exact, psi):
    """1e-12 of the largest acceleration, with node motions of second degree and a gravity gradient."""
    record = Nodes(1).record(exact)
    if psi and exact:
        rng = np.random.default_rng(7)
        seconds = [0.2 * rng.normal(size=(exact, 3, MODES, MODES)) for _ in range(2)]
        seconds = [part + part.transpose(0, 1, 3, 2) for part in seconds]
        bodies = replace(record.bodies, second_translation=seconds[0], second_rotation=seconds[1])
        more = moments_of_bodies(bodies).second - moments_of_bodies(record.bodies).second
        q = record.integrals
        q = replace(q, turn_first=q.turn_first + more[0], turn_second=q.turn_second + more[1:])
        record = record.changed(bodies=bodies, integrals=q)
    v, w, eta, rate = motion(seed=5)
    turn = rotation(np.array([0.3, 0.5, -0.2]))
    mounted = MountedAppendage("a", record, "arm", position=[0.1, 0.2, 0.3], attitude=turn, inertia=level)
    joint = hinge("h", "hub", "arm", [0.6, 0.0, 0.8], parent_point=[0.3, 0.1, 0.0], child_point=[0.0, 0.2, 0.1])
    arm = Body("arm", 1.0, [0.1, 0.0, 0.2], [0.1, 0.2, 0.15])
    vehicle = Vehicle("pair", [Body("hub", *HUB), arm], [joint], appendages=[mounted], gravity=[0.3, -0.2, 0.9])
    here = replace(state(v, w, eta, rate), joints={"h": 0.4}, joint_rates={"h": 0.7})
    pushes = [
        loads.node_force("a", "tip", [0.3, 1.0, -0.4], profiles.constant(2.0)),
        loads.node_torque("a", "tip", [1.0, 0.2, 0.5], profiles.constant(1.5)),
        loads.gravity_gradient(0.8),
    ]
    one = speeds_of(evaluate(vehicle, here, pushes))
    two = speeds_of(accelerations(build(vehicle), here, pushes))
    assert np.abs(one - two).max() < 1e-12 * np.abs(one).max()


@pytest.mark.parametrize("level", ["full", "linear"])
@pytest.mark.parametrize("exact", [0, 2, COUNT])
def test_mass_is_positive_over_random_deformations(level, exact):
    """Cholesky of the whole mass matrix without a hub to speak of, up to turns of several radians."""
    nodes = Nodes(2)
    mounted = MountedAppendage("a", nodes.record(exact), "hub", inertia=level)
    compiled = compile_vehicle(Vehicle("craft", [Body("hub", 1e-9, inertia=np.full(3, 1e-9))], appendages=[mounted]))
    rng = np.random.default_rng(11)
    for _ in range(1700):  # 10,200 in all
        eta = rng.normal(size=MODES) * 10.0 ** rng.uniform(-3.0, 0.7)
        y = flat_state(compiled, state(np.zeros(3), np.zeros(3), eta, np.zeros(MODES)))
        np.linalg.cholesky(engine_mass(compiled, y, MODES))


def test_linear_inertia_errs_by_second_order_and_the_completed_energy_by_third():
    """Against exact rotation: M of ``linear`` falls by 4 when eta halves; T of the affine field by 8 when eta and eta' halve.

    The next degrees bring further factors of the largest turn x of a body: x / (1 - x) in all.
    """
    nodes = Nodes(4)
    rng = np.random.default_rng(0)
    direction, pace, base = 0.3 * rng.normal(size=MODES), 0.3 * rng.normal(size=MODES), rng.normal(size=6)
    linear, affine = (compile_vehicle(craft(nodes.record(e), level)) for e, level in ((COUNT, "linear"), (0, "full")))
    errors, energies = [], []
    for size in (0.08, 0.04):
        eta = size * direction
        wanted = mass_matrix(nodes.place, nodes.masses(), eta)
        still = state(np.zeros(3), np.zeros(3), eta, np.zeros(MODES))
        errors.append(np.abs(engine_mass(linear, flat_state(linear, still), MODES) - wanted).max())
        z = np.concatenate([base, size * pace])
        energies.append(abs(z @ (engine_mass(affine, flat_state(affine, still), MODES) - wanted) @ z))
    turn = 0.08 * max(np.linalg.norm(nodes.theta @ way, axis=1).max() for way in (direction, pace))
    assert errors[0] / errors[1] == pytest.approx(4.0, rel=turn / (1.0 - turn))
    assert energies[0] / energies[1] == pytest.approx(8.0, rel=turn / (1.0 - turn))


@pytest.mark.parametrize(("exact", "level"), [(0, "full"), (COUNT, "full"), (COUNT, "linear")])
def test_energy_and_momenta_are_kept_and_the_observer_does_not_matter(exact, level):
    """Large deformations, no loads: energy and both momenta to 1e-9; a constant velocity of the observer changes nothing else."""
    record = Nodes(5, stiffness=30.0).record(exact)
    v, w, eta, rate = motion(0.25, seed=9)
    run = simulate(craft(record, level), 2.0, state(0 * v, w, eta, rate), rtol=1e-11, atol=1e-13)
    for values in (run.balance.kinetic + run.balance.potential, run.balance.momentum, run.balance.angular_momentum):
        assert np.abs(values - values[0]).max() < 1e-9 * np.abs(run.balance.kinetic).max()
    fast = simulate(
        craft(record, level), 2.0, state(np.array([30.0, -20.0, 10.0]), w, eta, rate), rtol=1e-11, atol=1e-13
    )
    assert fast.modal["a"][-1] == pytest.approx(run.modal["a"][-1], abs=1e-7)
    assert fast.rotation[-1] == pytest.approx(run.rotation[-1], abs=1e-7)


def hinge_inertia(deck, motion_mm):
    """Effective inertia about y of a boom on a drive of 0.05 kg m², mode 3 displaced at its tip (node 13)."""
    record = reduce(solve_modes(assemble(read_model(deck, units="SI")), count=6), attachment=1)
    tip = record.nodes.translation[np.flatnonzero(record.nodes.ids == 13)[0], :, 2]
    bodies = [Body("base", 1.0, inertia=[1, 1, 1]), Body("drive", 1e-3, inertia=[0.05, 0.05, 0.05])]
    mounted = MountedAppendage("boom", record, "drive")
    vehicle = Vehicle("v", bodies, [hinge("h", "base", "drive", [0, 1, 0])], appendages=[mounted], base_motion="fixed")
    push = [loads.torque("drive", [0, 1, 0], profiles.constant(1.0))]
    eta = np.zeros(6)
    eta[2] = 1e-3 * motion_mm / np.linalg.norm(tip) * np.sign(tip[2])
    here = State(modal={"boom": eta})
    return 1.0 / (evaluate(vehicle, here, push).joints["h"][0] - evaluate(vehicle, here).joints["h"][0])


@pytest.mark.skipif(shared() is None, reason="shared decks not found beside the project (set TISSERAND_CORPUS)")
@pytest.mark.parametrize(("motion_mm", "wanted"), [(0.1, 0.10352), (0.4, 0.10346), (-2.0, 0.10394)])
def test_effective_hinge_inertia_of_a_boom_with_an_offset_mass(motion_mm, wanted):
    """18 kg at (0.3, 0, 0.6) m from the tip of a 3.2 m boom, hinge about y: figures of exact finite rotation, rounded to five
    digits; the same mass on an RBE2 arm is the same vehicle to 1e-12.
    """
    offset, arm = (hinge_inertia(shared() / "findings" / f"boom_{kind}.bdf", motion_mm) for kind in ("offset", "rbe2"))
    assert offset == pytest.approx(wanted, abs=5e-6)
    assert arm == pytest.approx(offset, rel=1e-12)
