"""Conservation: the complete equations to integrator tolerance, Eq 42 to the square of the deformation."""

from dataclasses import replace

import numpy as np
import pytest
from support.trees import named_state, random_tree, vehicle_of

from tisserand.appendage.record.reduced_appendage import GEOMETRIC_FAMILIES
from tisserand.multibody import State
from tisserand.multibody.likins import bookkeeping, build, run
from tisserand.multibody.loads import joint_torque
from tisserand.multibody.profiles import versine


def drift(form, amplitude, rtol=1e-11):
    """Largest angular momentum that appears from rest while hinge motors (internal) push with versine
    pulses."""
    tree = random_tree(3, bodies=4, loads=False, rotors=False)
    vehicle = vehicle_of(tree)
    model = build(vehicle, form)
    loads = [joint_torque(f"j{k}", versine(amplitude * s, 0.0, 1.5)) for k, s in ((1, 1.0), (2, -0.7), (3, 0.5))]
    result = run(model, State(), np.linspace(0.0, 2.0, 9), loads, rtol=rtol, atol=1e-14)
    books = [bookkeeping(model, s, t) for s, t in zip(result.states, result.times)]
    swing = max(float(np.abs(s.modal_rates["a0"]).max()) for s in result.states)
    assert swing > 1e-4 * amplitude  # the appendages take part
    return max(np.abs(b.angular).max() for b in books), max(np.abs(b.linear).max() for b in books)


def test_first_degree_drift_falls_a_hundredfold_when_loads_fall_tenfold():
    """Eq 42 loses momentum of second degree in the deformation, nothing of first."""
    large, _ = drift("first-degree", 1.0)
    small, _ = drift("first-degree", 0.1)
    assert large / small == pytest.approx(100.0, rel=0.1)


@pytest.mark.slow
def test_complete_equations_keep_momentum():
    """Eq 33 with all degrees: momentum from internal torques stays at round-off and integrator tolerance."""
    angular, linear = drift("complete", 20.0)
    assert angular < 1e-9 and linear < 1e-9


def test_complete_equations_keep_energy_of_a_free_vehicle():
    """Free motion with strain energy exchanged: energy and momentum drift falls with the tolerance."""
    tree = random_tree(6, bodies=3, loads=False)
    undamped = vehicle_of(tree)
    mounts = [replace(a, record=a.record.changed(damping=0.0 * a.record.damping)) for a in undamped.appendages]
    model = build(undamped.changed(appendages=mounts))
    drifts = []
    for rtol in (1e-6, 1e-10):
        result = run(model, named_state(tree), np.linspace(0.0, 1.0, 3), rtol=rtol, atol=rtol / 100)
        books = [bookkeeping(model, s) for s in result.states]
        energy = np.array([b.kinetic + b.potential for b in books])
        H = np.array([b.angular for b in books])
        drifts.append(max(np.ptp(energy) / energy[0], np.ptp(H, axis=0).max() / np.abs(H).max()))
    assert drifts[1] < 1e-8 and drifts[1] < 0.02 * drifts[0]


def test_second_degree_terms_keep_energy_and_momentum():
    """With every second-degree term a, A of the record (geometric stiffness, turning nodes) the motion still
    conserves."""
    tree = random_tree(9, bodies=3, loads=False)
    vehicle, rng = vehicle_of(tree), np.random.default_rng(1)
    mounts = []
    for mount in vehicle.appendages:
        k = mount.record.count
        raw = {name: 0.2 * rng.normal(size=(k, k)) for name in GEOMETRIC_FAMILIES}
        families = {name: B + B.T for name, B in raw.items()}
        record = mount.record.changed(damping=np.zeros((k, k)), geometric_stiffness=families)
        mounts.append(replace(mount, record=record))
    model = build(vehicle.changed(appendages=mounts))
    result = run(model, named_state(tree), np.linspace(0.0, 0.5, 3), rtol=1e-11, atol=1e-13)
    books = [bookkeeping(model, s) for s in result.states]
    energy, H = np.array([b.kinetic + b.potential for b in books]), np.array([b.angular for b in books])
    assert np.ptp(energy) < 1e-9 * energy[0]
    assert np.ptp(H, axis=0).max() < 1e-9 * np.abs(H).max()
