"""Linear models with loops against closed forms and the run itself."""

import numpy as np
import pytest

from tisserand.errors import VehicleError
from tisserand.multibody import Body, State, Vehicle, hinge, linearize, signals, simulate
from tisserand.multibody.force_elements import anchor
from tisserand.multibody.loops import gear, point_loop

Z = [0, 0, 1]


def bar(name, mass, length):
    side = mass * length**2 / 12.0
    return Body(name, mass, center=[0, -length / 2, 0], inertia=[side, 1e-6, side])


ROD = Body("rod", 3.0, center=[0.5, 0, 0], inertia=[1e-6, 0.25, 0.25])
THREE = Vehicle(
    "linkage",
    [Body("ground", 1.0), bar("one", 1.0, 2.0), bar("two", 2.0, 2.0), ROD],
    [
        hinge("q1", "ground", "one", Z),
        hinge("q2", "ground", "two", Z, parent_point=[1, 0, 0]),
        hinge("q3", "one", "rod", Z, parent_point=[0, -2, 0]),
    ],
    base_motion="fixed",
    gravity=[0, -9.81, 0],
)
PIN = point_loop(anchor("rod", [1, 0, 0]), anchor("two", [0, -2, 0]), name="pin")


def test_the_hanging_linkage_swings_as_its_pendulum():
    """One coordinate is left: inertia 16 kg m^2, stiffness 9 g, rate sqrt(5.518125)."""
    angle = signals.joint_angle("q2", name="two")
    model = linearize(THREE, loads=[PIN], outputs=[angle])
    assert len(model.coordinates) == 1 and model.mass.item() == pytest.approx(16.0 + 2e-6, rel=1e-6)
    assert model.stiffness.item() == pytest.approx(9.0 * 9.81, rel=1e-9)
    assert np.abs(model.poles.imag) == pytest.approx(np.sqrt(5.518125), rel=1e-6)
    assert abs(model.C[0, 0]) == pytest.approx(1.0, rel=1e-9)
    run = simulate(THREE, 1.0, State(joints={"q1": 1e-4, "q2": 1e-4, "q3": -1e-4}), loads=[PIN], samples=3, rtol=1e-11)
    assert run.joints["q1"][-1, 0] == pytest.approx(1e-4 * np.cos(np.sqrt(5.518125)), rel=1e-5)


def test_a_geared_floating_pair_and_what_is_refused():
    """Two wheels in mesh on a free hub: poles 0 and that of the spring on the reflected inertia with the hub."""
    bodies = [
        Body("hub", 5.0, inertia=[9, 9, 4.0]),
        Body("w1", 1.0, inertia=[1, 1, 2.0]),
        Body("w2", 1.0, inertia=[2, 2, 3.0]),
    ]
    vehicle = Vehicle("gears", bodies, [hinge("a", "hub", "w1", Z), hinge("b", "hub", "w2", Z, stiffness=40.0)])
    model = linearize(vehicle, loads=[gear("a", "b", -2.5)])
    assert len(model.coordinates) == 7
    # spin about z: hub h, wheel angles -2.5 b and b against it
    M = np.array([[9.0, 3.0 - 5.0], [3.0 - 5.0, 3.0 + 2.0 * 6.25]])
    rate = np.sqrt(40.0 * np.linalg.inv(M)[1, 1])
    assert np.abs(model.poles).max() == pytest.approx(rate, rel=1e-9)
    with pytest.raises(VehicleError, match="do not move"):
        linearize(vehicle, State(joint_rates={"a": -2.5, "b": 1.0}), loads=[gear("a", "b", -2.5)])
