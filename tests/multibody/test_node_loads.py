"""Loads on appendage nodes, and geometric stiffness of loads at an interface."""

import numpy as np
import pytest
from support.beams import clamped_beam
from support.flexible import random_appendage

from tisserand.multibody import Body, MountedAppendage, State, Vehicle, fixed, linearize, loads, profiles, simulate

HUB = Body("hub", 50.0, inertia=[10, 12, 15])
LENGTH, RIGIDITY, DENSITY = 3.0, 40.0, 0.5


def held(beam, **facts):
    return Vehicle("held", (HUB,), appendages=(MountedAppendage("beam", beam, "hub"),), base_motion="fixed", **facts)


def test_static_deflection_under_a_tip_force():
    """Accelerations vanish at eta = Ke^-1 phi' f; with 12 shapes the tip moves by f L^3/(3 EI)."""
    beam = clamped_beam(LENGTH, RIGIDITY, DENSITY, 12, "y", geometric=False)
    tip = beam.interface("tip")
    force = 1e-3
    eta = np.linalg.solve(beam.stiffness, tip.translation.T @ [0, force, 0])
    assert tip.translation[1] @ eta == pytest.approx(force * LENGTH**3 / (3 * RIGIDITY), rel=1e-8)
    push = loads.node_force("beam", "tip", [0, 1, 0], force)
    run = simulate(held(beam), 1e-3, State(modal={"beam": eta}), loads=[push], samples=2)
    assert np.abs(run.modal_accelerations["beam"][0]).max() < 1e-9 * force * np.abs(tip.translation[1]).max()


@pytest.mark.parametrize("inertial", [True, False])
@pytest.mark.parametrize("clamped", [True, False])
def test_work_and_impulse_of_node_loads_are_accounted_for(inertial, clamped):
    """Force and torque on a tip that moves and turns: energy, momentum and angular momentum change by their accounts."""
    wing = random_appendage(8, clamped=clamped)
    vehicle = Vehicle("v", (HUB,), appendages=(MountedAppendage("wing", wing, "hub", [0.3, 0.1, 0.2]),))
    acting = [
        loads.node_force("wing", "tip", [0.3, -0.2, 0.5], profiles.sine(2.0, 0.7), inertial=inertial),
        loads.node_torque("wing", 3, [0.1, 0.4, -0.2], profiles.versine(3.0, 0.2, 1.5), inertial=inertial),
        loads.force("hub", [1, 0, 0], profiles.step(1.0, 0.5, 1.0), point=[0, 0.5, 0], inertial=inertial),
        loads.torque("hub", [0, 1, 1], profiles.ramp(1.0, 0.0, 2.0), inertial=inertial),
    ]
    start = State(angular_velocity=[0.2, -0.1, 0.3], modal_rates={"wing": [0.3, -0.2, 0.1, 0.4]})
    run = simulate(vehicle, 3.0, start, loads=acting, rtol=1e-11, atol=1e-13, samples=31)
    assert max(run.balance.worst().values()) < 1e-9
    assert np.abs(run.balance.impulse[-1]).max() > 0.1 and abs(run.balance.work[-1]) > 1e-3


def beam_with_tip_family():
    """Axial unit force at the tip: N = 1 all along, Kg = int phi' phi' dx."""
    beam = clamped_beam(LENGTH, RIGIDITY, DENSITY, 12, "y", geometric=False)
    nodes = beam.nodes
    points = nodes.positions[:-2, 0]
    # nodes sit at Gauss points of the length: recover their weights from the mass
    from numpy.polynomial.legendre import leggauss

    weights = 0.5 * LENGTH * leggauss(60)[1]
    assert np.allclose(points, 0.5 * LENGTH * (leggauss(60)[0] + 1))
    slope = nodes.rotation[:-2, 2]
    return beam.changed(geometric_stiffness={"F:tip:1": np.einsum("n,nk,nl->kl", weights, slope, slope)})


def lowest(vehicle, **facts):
    poles = linearize(vehicle, **facts).poles
    return np.sort(poles.imag[poles.imag > 0])[0]


def test_axial_tip_force_stiffens_through_its_family():
    """K = Ke + F Kg for a dead tip force; at F = -pi^2 EI/(4 L^2) the column buckles."""
    beam = beam_with_tip_family()
    kg = beam.geometric_stiffness["F:tip:1"]
    pull = 5.0
    found = lowest(held(beam), loads=[loads.node_force("beam", "tip", [1, 0, 0], pull)])
    assert found == pytest.approx(np.sqrt(np.linalg.eigvalsh(beam.stiffness + pull * kg)[0]), rel=1e-8)
    critical = np.pi**2 * RIGIDITY / (4 * LENGTH**2)
    model = linearize(held(beam), loads=[loads.node_force("beam", "tip", [1, 0, 0], -critical)])
    values = np.linalg.eigvalsh(np.linalg.solve(model.mass, model.stiffness))
    assert abs(values[0]) < 1e-6 * values[1]


def test_a_hanging_mass_stiffens_the_beam_through_the_same_family():
    """The weight of a body welded to the tip acts through the joint: K = Ke + m g Kg, M = 1 + m phi phi', no other input."""
    beam = beam_with_tip_family()
    m, g = 0.8, 4.0
    point = Body("bob", m, inertia=[1e-12, 1e-12, 1e-12])
    hung = Vehicle(
        "hung",
        (HUB, point),
        (fixed("w", "hub", "bob", parent_interface=("beam", "tip")),),
        appendages=(MountedAppendage("beam", beam, "hub"),),
        base_motion="fixed",
        gravity=[g, 0, 0],
    )
    phi = beam.interface("tip").translation[1]
    from scipy.linalg import eigh

    stiffness = beam.stiffness + m * g * beam.geometric_stiffness["F:tip:1"]
    exact = np.sqrt(eigh(stiffness, np.eye(beam.count) + m * np.outer(phi, phi), eigvals_only=True)[0])
    assert lowest(hung) == pytest.approx(exact, rel=1e-7)


def test_gravity_stretches_a_beam_through_its_acceleration_family():
    """A beam hanging in gravity feels -g as frame acceleration: K = Ke - g Kg_ax (tension from its own weight)."""
    beam = clamped_beam(LENGTH, RIGIDITY, DENSITY, 8, "y")
    g = 9.0
    exact = np.sqrt(np.linalg.eigvalsh(beam.stiffness - g * beam.geometric_stiffness["ax"])[0])
    assert lowest(held(beam, gravity=[g, 0, 0])) == pytest.approx(exact, rel=1e-8)
