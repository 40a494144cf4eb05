"""The Foucault pendulum of S4 8.1: gravity fixed in a laboratory that turns with the Earth."""

import numpy as np
import pytest

from tisserand import read_vehicle
from tisserand.errors import InputError, VehicleError
from tisserand.multibody import (
    Body,
    PrescribedMotion,
    Rotor,
    State,
    Vehicle,
    environment,
    hinge,
    profiles,
    simulate,
    universal,
)

#: Time, s; q1 and q2, degrees, as printed.
TABLE = [
    (2, -3.95464, 0.00088), (10, -8.95759, 0.00432), (20, 6.04611, -0.00574), (30, -1.87067, 0.00235),
    (40, -2.69639, 0.00599), (50, 6.69904, -0.01741), (60, -9.30173, 0.02851),
]  # fmt: skip


def test_the_pendulum_turns_as_the_seed_prints():
    """L = 10 m, 45 degrees from the pole, 7.29e-5 rad/s, released at 10 degrees: to the digits printed."""
    pole = np.array([0.0, 1.0, 1.0]) / np.sqrt(2.0)
    spin = PrescribedMotion(angle=profiles.constant_rate(7.29e-5), axis=pole)
    lab = Vehicle(
        "lab",
        [Body("lab", 1.0, inertia=[1, 1, 1]), Body("bob", 2.0)],
        [universal("wire", "lab", "bob", [[0, -1, 0], [1, 0, 0]], child_point=[0, 0, 10.0])],
        base_motion=spin,
    )
    weight = environment.carried_gravity(lab, [0, 0, -9.81], "lab")
    times = [0.0, *(row[0] for row in TABLE)]
    start = State(joints={"wire": [np.radians(10.0), 0.0]})
    run = simulate(lab, 60.0, start, loads=weight, times=times, rtol=1e-10, atol=1e-12)
    assert np.degrees(run.joints["wire"][1:]) == pytest.approx(np.array(TABLE)[:, 1:], abs=1.1e-5)


FILE = """
gravity = [0.0, 0.0, -9.81]
gravity_carrier = "lab"

[base]
body = "lab"
motion = "prescribed"
axis = [0.0, 1.0, 1.0]
angle_deg = { shape = "constant_rate", rate = 0.0041768623265037 }  # 7.29e-5 rad/s

[bodies.lab]
mass = 1.0
inertia = [1.0, 1.0, 1.0]

[bodies.bob]
mass = 2.0

[joints.wire]
kind = "universal"
parent = "lab"
child = "bob"
axes = [[0.0, -1.0, 0.0], [1.0, 0.0, 0.0]]
child_point = [0.0, 0.0, 10.0]

[initial]
joints_deg = { wire = [10.0, 0.0] }

[simulation]
duration = 60.0
output_step = 2.0
rtol = 1e-10
"""


def test_a_vehicle_file_states_the_same_pendulum(tmp_path):
    (tmp_path / "lab.toml").write_text(FILE)
    case = read_vehicle(tmp_path / "lab.toml")
    assert not case.vehicle.gravity.any()
    run = case.simulation().run(60.0, times=[0.0, *(row[0] for row in TABLE)])
    assert np.degrees(run.joints["wire"][1:]) == pytest.approx(np.array(TABLE)[:, 1:], abs=1.1e-5)


ROTOR = '[rotors.w]\nbody = "bob"\naxis = [1.0, 0.0, 0.0]\nspin_inertia = 0.1\nmass = 1.0\n'


@pytest.mark.parametrize(
    ("old", "new", "message"),
    [
        ('carrier = "lab"', 'carrier = "lap"', r"gravity_carrier.*lap.*lab"),
        ("gravity = [0.0, 0.0, -9.81]\n", "", "gravity_carrier"),
        ("[initial]", f"{ROTOR}[initial]", "rigid bodies alone"),
    ],
)
def test_mistakes_with_the_carrier_are_named(tmp_path, old, new, message):
    assert old in FILE
    (tmp_path / "lab.toml").write_text(FILE.replace(old, new))
    with pytest.raises(InputError, match=message):
        read_vehicle(tmp_path / "lab.toml")


def test_weight_that_turns_with_a_body_acts_in_both_engines():
    bodies = [Body("lab", 1.0, inertia=[1, 1, 1]), Body("bob", 2.0, center=[0.1, 0, 0], inertia=[0.1, 0.2, 0.2])]
    pair = Vehicle("pair", bodies, [hinge("wire", "lab", "bob", [0, 1, 0], child_point=[0, 0, 1.0])])
    weight = environment.carried_gravity(pair, [1.0, 0, -3.0], "lab")
    start = State(joints={"wire": 0.7}, angular_velocity=[0.2, 0.3, -0.1], attitude=[0.5, 0.5, 0.5, 0.5])
    runs = [simulate(pair, 0.5, start, loads=weight, samples=3, engine=engine) for engine in ("recursive", "likins")]
    assert runs[0].position == pytest.approx(runs[1].position, abs=1e-9)
    assert runs[0].joints["wire"] == pytest.approx(runs[1].joints["wire"], abs=1e-9)
    assert np.abs(runs[0].position[-1]).max() > 0.05


def test_wheels_with_mass_are_refused():
    lab = Vehicle(
        "lab", [Body("lab", 1.0, inertia=[1, 1, 1])], rotors=[Rotor("wheel", "lab", [1, 0, 0], 0.1, mass=1.0)]
    )
    with pytest.raises(VehicleError, match="rigid bodies alone"):
        environment.carried_gravity(lab, [0, 0, -9.81], "lab")
