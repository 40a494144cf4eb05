"""Beams on hubs: system frequencies and response, spinning beams, spin-up with and without geometric stiffness."""

import numpy as np
import pytest
from support.beams import clamped_beam
from support.corpus import needs_corpus, reference_case

from tisserand.multibody import (
    Body,
    MountedAppendage,
    PrescribedMotion,
    State,
    Vehicle,
    linearize,
    loads,
    profiles,
    signals,
    simulate,
    system_modes,
)

HALF_TURN = np.diag([-1.0, -1.0, 1.0])


def two_beam_hub(case, modes, geometric=False, planes="y", level=None):
    p = case["inputs"]
    beam = clamped_beam(p["L"], p["EI"], p["rA"], modes, planes, geometric)
    hub = Body("hub", p["mh"], inertia=[200.0, 200.0, p["Jh"]])
    mounts = (
        MountedAppendage("right", beam, "hub", [p["r"], 0, 0], inertia=level),
        MountedAppendage("left", beam, "hub", [-p["r"], 0, 0], HALF_TURN, inertia=level),
    )
    return Vehicle("hub and beams", (hub,), appendages=mounts)


@needs_corpus
def test_system_frequencies_of_hub_and_beams():
    """Case 4: antisymmetric modes of hub + two beams solve a boundary-value problem known to 14 digits."""
    case = reference_case("case4_hub_beam")
    modes = system_modes(two_beam_hub(case, 8))
    omega = 2 * np.pi * modes.frequencies_hz
    for text in case["closed_form_system"][:3]:
        exact = float(text)
        assert np.abs(omega / exact - 1).min() < 1e-6
    assert modes.rigid == 6


@needs_corpus
@pytest.mark.parametrize("modes, tip, theta", [(1, 3e-3, 3e-4), (3, 1e-5, 1e-6), (8, 2e-6, 2e-7)])
def test_response_of_hub_and_beams_converges_with_modes(modes, tip, theta):
    """Case 4: hub torque 20 sin(2 pi t/8); theta and tip of the spectral solution; the linear model is small-deflection."""
    case = reference_case("case4_hub_beam")
    rows = case["response_spectral"]
    law, small = case["torque"], 1e-4  # scaled down so that the nonlinear terms vanish
    T0, Tf = law["T0"] * small, law["Tf"]
    pulse = profiles.Profile([0.0, Tf], [[0, 0, 0, 0, T0, 2 * np.pi / Tf, 0], [0] * 7])
    tip_signal = signals.node_deflection("right", "tip", [0, 1, 0], name="tip")
    run = simulate(
        two_beam_hub(case, modes),
        rows[-1]["t"],
        loads=[loads.torque("hub", [0, 0, 1], pulse)],
        outputs=[tip_signal],
        times=[row["t"] for row in rows],
        rtol=1e-11,
        atol=1e-16,
    )
    angle = 2 * np.arctan2(run.attitude[:, 3], run.attitude[:, 0]) / small
    assert np.abs(angle - [row["theta"] for row in rows]).max() < theta
    assert np.abs(run.signals["tip"] / small - [row["tip"] for row in rows]).max() < tip
    assert run.balance.worst()["energy"] < 1e-8


def spinning(beam, rate, radius=0.0, axis=(0, 0, 1)):
    turn = profiles.ramp(rate * 100.0, 0.0, 100.0)
    return Vehicle(
        "spinner",
        (Body("hub", 1.0, inertia=[1, 1, 1]),),
        appendages=(MountedAppendage("beam", beam, "hub", [radius, 0, 0]),),
        base_motion=PrescribedMotion(axis=axis, angle=turn),
    )


def rotating_frequencies(vehicle, state):
    poles = linearize(vehicle, state, time=1.0).poles
    assert np.abs(poles.real).max() < 1e-5 * np.abs(poles).max()
    return np.sort(poles.imag[poles.imag > 0])


@needs_corpus
@pytest.mark.parametrize("row", [1, 3, 8, 9])
def test_flap_and_lag_of_a_spinning_beam(row):
    """Case 6: clamped beam, EI = rhoA = L = 1, spin gamma, hub radius delta: centrifugal stiffening of flap and lag."""
    entry = reference_case("case6_spinning")["flap_lag"][row]
    beam = clamped_beam(1.0, 1.0, 1.0, 12, "yz", basis=12)
    found = rotating_frequencies(spinning(beam, float(entry["gamma"]), float(entry["delta"])), State())
    for value in (*entry["flap"][:2], *entry["lag_no_axial_coupling"][:2]):
        assert np.abs(found / value - 1).min() < 1e-6, (entry, found[:6])


@needs_corpus
def test_beam_along_the_spin_axis_splits_exactly():
    """A beam along the spin axis has rotating-frame frequencies |w_n +- Omega|: Coriolis and softening together."""
    beam = clamped_beam(1.0, 1.0, 1.0, 6, "yz", geometric=False, axis=2)
    for entry in reference_case("case6_spinning")["axial_beam_exact"][:2]:
        found = rotating_frequencies(spinning(beam, float(entry["gamma"])), State())
        for value in entry["exact"]:
            assert np.abs(found / value - 1).min() < 1e-7


@needs_corpus
def test_wobble_of_a_free_spinning_vehicle():
    """Case 6: free hub with two beams spinning about z: nutation coupled with antisymmetric flap, all poles imaginary."""
    case = reference_case("case6_spinning")["wobble_vehicle"]
    p = case["params"]
    beam = clamped_beam(p["L"], p["EI"], p["rA"], 8, "z")
    hub = Body("hub", 300.0, inertia=[p["I1h"], p["I2h"], p["I3h"]])
    mounts = (
        MountedAppendage("right", beam, "hub", [p["r"], 0, 0]),
        MountedAppendage("left", beam, "hub", [-p["r"], 0, 0], HALF_TURN),
    )
    vehicle = Vehicle("wobble", (hub,), appendages=mounts)
    for row in case["table"][:3]:
        spin = row["Omega"]
        poles = linearize(vehicle, State(angular_velocity=[0, 0, spin])).poles
        found = poles.imag[poles.imag > 0]
        for value in row["freq"][:3]:
            assert np.abs(found / value - 1).min() < 2e-6, (spin, value)


SPIN_UP = dict(length=10.0, rigidity=1.4e4, density=1.2)


def spin_up_vehicle(geometric):
    beam = clamped_beam(SPIN_UP["length"], SPIN_UP["rigidity"], SPIN_UP["density"], 3, "y", geometric)
    drive = PrescribedMotion(angle=profiles.spin_up(6.0, 0.0, 15.0))
    return Vehicle(
        "spin-up",
        (Body("hub", 1.0, inertia=[1, 1, 1]),),
        appendages=(MountedAppendage("beam", beam, "hub"),),
        base_motion=drive,
    )


def test_spin_up_of_a_beam_with_geometric_stiffness():
    """10 m beam spun up to 6 rad/s in 15 s: largest tip deflection -0.574 m near 6.76 s (published benchmark), within 1 %."""
    tip = signals.node_deflection("beam", "tip", [0, 1, 0], name="tip")
    run = simulate(spin_up_vehicle(True), 20.0, outputs=[tip], samples=2001)
    worst = int(np.argmin(run.signals["tip"]))
    assert run.signals["tip"][worst] == pytest.approx(-0.574, rel=0.01)
    assert run.times[worst] == pytest.approx(6.76, abs=0.15)
    assert not any("geometric" in w for w in run.warnings)
    assert run.balance.worst()["energy"] < 1e-7


def test_spin_up_without_geometric_stiffness_diverges_and_the_monitor_says_so_first():
    """The same beam softens only: tip beyond L at about 9.2 s; the spin warning names an earlier time."""
    tip = signals.node_deflection("beam", "tip", [0, 1, 0], name="tip")
    run = simulate(spin_up_vehicle(False), 10.0, outputs=[tip], samples=2001, max_steps=200_000)
    beyond = run.times[np.argmax(np.abs(run.signals["tip"]) > SPIN_UP["length"])]
    assert beyond == pytest.approx(9.2, abs=0.2)
    spin = next(w for w in run.warnings if "geometric" in w)
    assert float(spin.split("from t = ")[1].split(" s")[0]) < beyond - 3.0
    assert any("deflects" in w for w in run.warnings)


def test_geometric_stiffness_conserves_energy_and_momentum():
    """The families act as a second-degree displacement: one kinetic energy, so a free spinning vehicle conserves all."""
    beam = clamped_beam(4.0, 60.0, 1.0, 3, "yz")
    hub = Body("hub", 30.0, inertia=[20, 25, 30])
    vehicle = Vehicle("spinner", (hub,), appendages=(MountedAppendage("beam", beam, "hub", [0.5, 0.2, 0.0]),))
    start = State(velocity=[3, -2, 1], angular_velocity=[0.3, -0.2, 1.5], modal={"beam": [0.2, 0.01, 0, -0.1, 0.01, 0]})
    run = simulate(vehicle, 20.0, start, rtol=1e-11, atol=1e-13)
    assert max(run.balance.worst().values()) < 1e-9
