"""Outputs of linear models, peaks of frequency responses and loop margins against closed forms."""

from __future__ import annotations

import numpy as np
import pytest
from support.appendages import random_bodies

import tisserand as ts
from tisserand.errors import NotConvergedError
from tisserand.multibody import controllers, loads
from tisserand.multibody.accelerometers import Accelerometer
from tisserand.multibody.frequency_response import (
    PEAK_TOLERANCE,
    frequencies,
    frequency_response,
    refined,
    sampled_response,
)
from tisserand.multibody.linear import linearize
from tisserand.multibody.margins import loop_margins
from tisserand.multibody.measurements import JointLoad

HUB, PANEL, SPRING, DAMPER = 10.0, 2.0, 30.0, 0.02


def two_bodies(damper: float = DAMPER) -> ts.Vehicle:
    """A hub and a body on a hinge through both mass centers: relative turn of two inertias on one axis."""
    return ts.Vehicle(
        "pair",
        [ts.Body("hub", mass=50.0, inertia=[HUB] * 3), ts.Body("panel", mass=5.0, inertia=[PANEL] * 3)],
        [ts.hinge("drive", "hub", "panel", axis=[0, 0, 1], stiffness=SPRING, damping=damper)],
    )


def panel_acceleration(w: np.ndarray) -> np.ndarray:
    """Angular acceleration of the panel per torque on the hub: closed form of two inertias and a spring-damper."""
    k = SPRING + 1j * w * DAMPER
    reduced = HUB * PANEL / (HUB + PANEL)
    return k / (HUB + PANEL) / (k - reduced * w**2)


def test_accelerometer_and_joint_load_are_outputs():
    """An accelerometer at radius 1.5 m of the panel feels 1.5 theta''; the hinge torque on the panel is J theta''."""
    sensors = [
        Accelerometer("acc", np.array([0.0, 1.0, 0.0]), body="panel", point=np.array([1.5, 0.0, 0.0])),
        JointLoad("torque", "drive", np.array([0.0, 0.0, 1.0]), "torque"),
    ]
    model = linearize(two_bodies(), loads=[loads.torque("hub", [0, 0, 1], "push")], outputs=sensors)
    assert model.outputs == ("acc", "torque")
    hz = np.array([0.05, 0.3, 0.66, 2.0, 10.0])
    response = frequency_response(model, hz)[:, :, 0]
    turn = panel_acceleration(2.0 * np.pi * hz)
    np.testing.assert_allclose(response[:, 0], 1.5 * turn, rtol=1e-7)
    np.testing.assert_allclose(response[:, 1], PANEL * turn, rtol=1e-7)


def test_every_peak_is_within_one_percent():
    """Damping ratio 3e-4: a grid of 50 points misses the peak by far, the sampled response does not."""
    sensor = Accelerometer("acc", np.array([0.0, 1.0, 0.0]), body="panel", point=np.array([1.0, 0.0, 0.0]))
    model = linearize(two_bodies(), loads=[loads.torque("hub", [0, 0, 1], "push")], outputs=[sensor])
    hz, response = sampled_response(model, 0.01, 20.0, 50)
    w = 2.0 * np.pi * np.linspace(0.5, 1.0, 400_001)
    peak = np.abs(panel_acceleration(w)).max()
    assert np.abs(response).max() == pytest.approx(peak, rel=0.01)
    plain = np.abs(frequency_response(model, np.geomspace(0.01, 20.0, 50))).max()
    assert plain < 0.5 * peak  # the test could fail
    assert np.all(np.diff(hz) > 0.0) and len(hz) < 400


def test_margins_of_a_rate_and_attitude_loop():
    """J s² with k_p + k_d s: |L| = 1 and its phase in closed form; no gain makes it unstable from above."""
    J, kp, kd = 700.0, 20.0, 90.0
    craft = ts.Vehicle("bus", [ts.Body("bus", mass=800.0, inertia=[J] * 3)])
    law = controllers.attitude_pd("bus", kp=kp, kd=kd)
    margins = loop_margins(craft, controllers=[law])
    w = np.sqrt((kd**2 + np.sqrt(kd**4 + 4.0 * J**2 * kp**2)) / (2.0 * J**2))
    phase = np.degrees(np.arctan2(kd * w, kp))
    for item in margins:
        assert item.stable and np.isinf(item.gain_margin)
        assert item.phase_margin_deg == pytest.approx(phase, rel=1e-3)
        assert item.crossover_hz == pytest.approx(w / (2.0 * np.pi), rel=1e-3)
        assert item.delay_margin == pytest.approx(np.radians(phase) / w, rel=1e-3)


@pytest.mark.parametrize("zeta", [1e-3, 1e-5])
def test_margins_of_a_flexible_craft_are_those_of_python_control(zeta):
    """Three axes, four modes with offset bodies, loops opened one at a time with the others closed."""
    control = pytest.importorskip("control")
    record = random_bodies(2)
    w = np.sqrt(np.diag(record.stiffness) / np.diag(record.integrals.modal_mass))
    record = record.changed(damping=np.diag(2.0 * zeta * w * np.diag(record.integrals.modal_mass)))
    bus = ts.Body("bus", mass=100.0, inertia=[50.0, 60.0, 70.0])
    craft = ts.Vehicle("craft", [bus], appendages=[ts.MountedAppendage("a", record, "bus")])
    law = controllers.attitude_pd("bus", (5.0, 5.0, 5.0), (30.0, 30.0, 30.0))
    driven = [load.driven_by(load.name) for load in law.outputs]
    plant = linearize(craft, loads=driven, outputs=list(law.inputs)).to_control()
    for j, found in enumerate(loop_margins(craft, controllers=[law])):
        rest = [i for i in range(3) if i != j]
        closed = plant.A + plant.B[:, rest] @ law.D[rest] @ plant.C
        with np.errstate(invalid="ignore"):
            margin = control.margin(control.ss(closed, plant.B[:, [j]], -law.D[[j]] @ plant.C, 0.0))
        assert found.stable and np.isinf(found.gain_margin) and np.isinf(margin[0])
        assert found.phase_margin_deg == pytest.approx(margin[1], rel=1e-4)
        assert 2.0 * np.pi * found.crossover_hz == pytest.approx(margin[3], rel=1e-4)


def test_peaks_of_a_damping_ratio_of_one_in_a_hundred_thousand():
    """A hinge damped by 1e-5: the peak of the panel's acceleration is k / (2 zeta ...), closed form, within 1 %."""
    reduced = HUB * PANEL / (HUB + PANEL)
    damper = 2e-5 * np.sqrt(SPRING * reduced)
    craft = two_bodies(damper)
    sensor = Accelerometer("acc", np.array([0.0, 1.0, 0.0]), body="panel", point=np.array([1.0, 0.0, 0.0]))
    model = linearize(craft, loads=[loads.torque("hub", [0, 0, 1], "push")], outputs=[sensor])
    _, response = sampled_response(model, 0.01, 20.0, 50)
    peak = SPRING / (HUB + PANEL) / (damper * np.sqrt(SPRING / reduced))
    assert np.abs(response).max() == pytest.approx(peak, rel=0.01)


def test_linear_model_to_control():
    control = pytest.importorskip("control")
    rate = ts.signals.body_rate("hub", [0, 0, 1], "rate")
    model = linearize(two_bodies(), loads=[loads.torque("hub", [0, 0, 1], "push")], outputs=[rate])
    system = model.to_control()
    assert isinstance(system, control.StateSpace) and system.ninputs == 1


def test_participation_of_system_modes():
    """Relative turn about z: the hub and the hinge; shares of kinetic energy sum to one."""
    modes = ts.system_modes(two_bodies())
    assert modes.participation.sum(axis=0) == pytest.approx(np.ones(len(modes.frequencies_hz)))
    assert "drive" in modes.described()[0]


def test_constant_loads_act_in_the_linear_model_and_varying_ones_do_not():
    """A constant torque against a spring moves nothing else, but is seen as a residual; a pulse is zero at the state."""
    held = ts.Vehicle(
        "held",
        [ts.Body("base", mass=1.0, inertia=[1.0] * 3), ts.Body("arm", mass=1.0, inertia=[2.0] * 3)],
        [ts.hinge("h", "base", "arm", axis=[0, 0, 1], stiffness=8.0)],
        base_motion="fixed",
    )
    steady = linearize(held, loads=[loads.joint_torque("h", 4.0, name="m")])
    assert steady.inputs == ("m",) and steady.residual[0] == pytest.approx(2.0)
    pulse = linearize(held, loads=[loads.joint_torque("h", ts.profiles.bang_bang(4.0, 0.0, 2.0), name="m")])
    assert pulse.inputs == ("m",) and pulse.residual[0] == 0.0


def test_noise_instead_of_peaks_is_refused_before_it_fills_the_memory():
    rng = np.random.default_rng(0)
    with pytest.raises(NotConvergedError, match="round-off"):
        refined(lambda hz: rng.random((len(hz), 1, 1)) + 0j, np.geomspace(0.1, 10.0, 50))


@pytest.mark.parametrize("points", [10, 30, 100, 400])
def test_every_peak_of_sums_of_poles_is_found_within_a_thousandth(points):
    """Rational functions of six damped poles with residues of any sign, against 40,000 frequencies and more around each pole."""
    for seed in range(12):
        rng = np.random.default_rng(seed)
        w, zeta = 2 * np.pi * 10 ** rng.uniform(-1.0, 1.0, 6), 10 ** rng.uniform(-4.0, -0.5, 6)
        poles = -zeta * w + 1j * w * np.sqrt(1.0 - zeta**2)
        gains = rng.normal(size=6) * w

        def respond(hz, poles=poles, gains=gains):
            s = 2j * np.pi * np.asarray(hz)[:, None]
            return (gains * poles.imag / ((s - poles) * (s - poles.conj()))).sum(axis=1)[:, None, None]

        hz, found = refined(respond, frequencies(np.concatenate([poles, poles.conj()]), 0.05, 20.0, points))
        widths = np.linspace(-4.0, 4.0, 801)
        every = [(p.imag - p.real * widths) / (2 * np.pi) for p in poles]
        dense = np.unique(np.concatenate([np.geomspace(0.05, 20.0, 40_000), *every]))
        dense = dense[(dense >= 0.05) & (dense <= 20.0)]
        size = np.abs(respond(dense)).ravel()
        tops = np.flatnonzero((size[1:-1] > size[:-2]) & (size[1:-1] >= size[2:])) + 1
        right = np.searchsorted(hz, dense[tops])
        sampled = np.abs(found).ravel()
        near = np.maximum(sampled[np.maximum(right - 1, 0)], sampled[np.minimum(right, len(hz) - 1)])
        assert (near >= (1.0 - PEAK_TOLERANCE) * size[tops]).all(), seed
