"""Loads and accelerometers on nodes keep to the axes of the body that carries the appendage, whatever frame floats on it.

The same appendage clamped and in Tisserand axes, turned on its mount, and deflected so little that the second degree of the
deflection, in which the two descriptions differ, is far below the tolerance.
"""

import numpy as np
import pytest
from scipy.spatial.transform import Rotation

import tisserand as ts
from tisserand.appendage import in_frame
from tisserand.multibody.accelerometers import Accelerometer
from tisserand.multibody.equilibrium import steady_state
from tisserand.multibody.frequency_response import frequency_response

AT, TURN = np.array([0.6, 0.3, -0.4]), Rotation.from_rotvec([0.4, -0.7, 0.2]).as_matrix()
SENSORS = [Accelerometer(f"acc {a}", np.eye(3)[i], appendage="a", node="top") for i, a in enumerate("xyz")]
SIZE = 1e-2  # N, N m, m/s²
CASES = {
    "force": ([ts.loads.node_force("a", "top", [0.3, -0.8, 0.5], SIZE)], np.zeros(3)),
    "torque": ([ts.loads.node_torque("a", "right", [0.6, 0.2, -0.7], SIZE)], np.zeros(3)),
    "gravity": ([], SIZE * np.array([0.5, -0.6, 0.4])),
}


@pytest.fixture(scope="module")
def records():
    """A bent frame without symmetry, held at one point: clamped and in Tisserand axes."""
    points = {"base": (0.0, 0.0, 0.0), "left": (-0.9, 0.4, 0.1), "right": (1.4, 0.2, -0.3), "top": (0.2, 1.1, 0.5)}
    members = [("base", "left"), ("base", "right"), ("base", "top"), ("right", "top")]
    made = ts.frame(points, members, ts.box(0.03, 0.02, 0.001), ts.ALUMINUM, elements=3)
    made = made.with_mass("left", 0.8, offset=(0.05, 0.1, -0.2), inertia=(1e-2, 2e-2, 3e-2))
    basis = ts.solve_modes(ts.assemble(made), count=6, frame="tisserand", attachment="base", mounted="clamped")
    floating = ts.reduce(basis, attachment="base", damping=0.005, geometric=True)
    return {"clamped": in_frame(floating, "connection"), "tisserand": floating}


def vehicle(record, gravity, base="fixed"):
    body = ts.Body("bus", 200.0, center=[0.1, -0.2, 0.05], inertia=[40.0, 55.0, 30.0])
    mount = ts.MountedAppendage("a", record, "bus", AT, TURN)
    return ts.Vehicle("v", (body,), appendages=(mount,), base_motion=base, gravity=gravity)


def both(records, gravity, base="fixed"):
    made = [vehicle(records[name], gravity, base) for name in ("clamped", "tisserand")]
    assert [v.appendages[0].moves_at_attachment for v in made] == [False, True]
    return made


@pytest.mark.parametrize("case", list(CASES))
def test_linear_models_do_not_depend_on_the_frame(records, case):
    """Frequencies, damping and responses of accelerometers about the equilibrium: 1e-8."""
    acting, gravity = CASES[case]
    probes = [
        ts.loads.node_force("a", "top", [0.2, 0.5, -0.4], "push"),
        ts.loads.node_torque("a", "left", [0.7, 0.1, 0.3], "twist"),
    ]
    found = []
    for made in both(records, gravity):
        state = steady_state(made, loads=acting).state
        model = ts.linearize(made, state, loads=[*acting, *probes], outputs=SENSORS)
        poles = model.poles[model.poles.imag > 0.0]
        response = frequency_response(model, np.array([0.1, 0.7, 5.0, 60.0]))
        found.append((poles[np.argsort(poles.imag)], response))
    (poles, response), (others, other) = found
    np.testing.assert_allclose(others, poles, rtol=1e-8)
    for one, two in zip(response, other):
        assert np.abs(two - one).max() < 1e-8 * np.abs(one).max()


def test_held_still_under_gravity_an_accelerometer_reads_minus_gravity(records):
    """At the equilibrium the node does not move: -g in the axes of the body to 1e-9, though node and frame have turned."""
    gravity = 10.0 * CASES["gravity"][1] / SIZE
    for made in both(records, gravity):
        state = steady_state(made).state
        run = ts.simulate(made, 1e-6, state, outputs=SENSORS, samples=2)
        reading = [run.signals[s.name][0] for s in SENSORS]
        np.testing.assert_allclose(reading, -gravity, rtol=1e-9)


@pytest.mark.parametrize("case", list(CASES))
@pytest.mark.parametrize("base", ["fixed", pytest.param("free", marks=pytest.mark.slow)])
def test_runs_do_not_depend_on_the_frame(records, case, base):
    """Struck by the load for a tenth of a second: accelerometers to 1e-6 of their largest reading.

    On a free base the likins engine, which refuses floating frames, flies the clamped record too.
    """
    acting, gravity = CASES[case]
    acting = acting or [ts.loads.node_force("a", "left", [0.0, 1.0, 0.0], SIZE)]
    clamped, floating = both(records, gravity, base)
    flights = [(clamped, "recursive"), (floating, "recursive"), *([(clamped, "likins")] if base == "free" else [])]
    readings = []
    for made, engine in flights:
        run = ts.simulate(made, 0.1, loads=acting, outputs=SENSORS, engine=engine, samples=21, rtol=1e-10, atol=1e-14)
        readings.append(np.array([run.signals[s.name] for s in SENSORS]))
    for other in readings[1:]:
        assert np.abs(other - readings[0]).max() < 1e-6 * np.abs(readings[0]).max()
