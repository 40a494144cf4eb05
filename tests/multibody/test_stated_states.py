"""Initial states by mass center, momentum, orbit and orientation angles, in Python and in vehicle files; angles in CSV."""

import csv

import numpy as np
import pytest
from scipy.spatial.transform import Rotation

import tisserand as ts
from tisserand.errors import TisserandError, VehicleError
from tisserand.multibody import Body, Rotor, State, Vehicle, attitude, centered, hinge, simulate

ARM = Vehicle(
    "arm",
    [Body("hub", 100.0, center=[0.1, 0, 0], inertia=[60, 90, 100]), Body("panel", 5.0, inertia=[1, 1, 2])],
    [hinge("drive", "hub", "panel", axis=[0, 1, 0], parent_point=[1, 0, 0], child_point=[-1, 0, 0], stiffness=9.0)],
    rotors=[Rotor("wheel", "hub", [1, 0, 0], 0.5)],
)
MOVING = State(
    joints={"drive": 0.3}, joint_rates={"drive": 0.5}, rotor_rates={"wheel": 100.0}, attitude=[0.5, 0.5, 0.5, 0.5]
)


def test_a_centered_vehicle_has_no_momentum_and_keeps_none():
    """The mass center stays where it was put, while joints, wheel and base exchange their motion."""
    start = centered(ARM, MOVING, position=[1, 2, 3], angular_momentum=[0, 0, 0])
    run = simulate(ARM, 2.0, start, samples=11)
    books = run.balance
    assert np.abs(books.momentum).max() < 1e-9 and np.abs(books.center - [1, 2, 3]).max() < 1e-9
    assert np.abs(books.angular_momentum - np.cross(books.center, books.momentum)).max() < 1e-8
    assert np.abs(start.angular_velocity).max() > 0.1  # the base turns against the wheel
    moved = centered(ARM, MOVING, velocity=[0, 0, 2.0], angular_momentum=[3.0, -2.0, 1.0])
    books = simulate(ARM, 0.01, moved, samples=2).balance
    assert books.momentum[0] / 105.0 == pytest.approx([0, 0, 2.0], abs=1e-12)
    assert books.angular_momentum[0] - np.cross(books.center[0], books.momentum[0]) == pytest.approx(
        [3, -2, 1], abs=1e-11
    )
    with pytest.raises(VehicleError, match="free base"):
        centered(Vehicle("held", ARM.bodies, ARM.joints, base_motion="fixed"))


def test_angle_rates_of_the_seed_and_of_all_sets():
    """S4 10.7: body-two 1-2-1 rates (1, 2, 3) at (30, 45, 60) degrees, omega (3.707, 1.612, -1.378), space-three rates
    (5.12, 1.08, 2.31) at the angles it rounded early; every set against a difference quotient."""
    angles = np.radians([30.0, 45.0, 60.0])
    w = attitude.from_angle_rates(angles, [1.0, 2.0, 3.0], "body-xyx")[0]
    assert w == pytest.approx([3.707, 1.612, -1.378], abs=5e-4)
    rounded = np.radians([99.6, 37.7, 26.6])  # the angles with which the seed goes on
    assert attitude.from_angle_rates(rounded, [5.12, 1.08, 2.31], "space-xyz")[0] == pytest.approx(w, abs=1e-2)
    h, spin = 1e-6, np.array([0.3, -0.4, 0.5])
    for name in attitude.ANGLE_SETS:
        start = Rotation.from_rotvec([0.5, -0.8, 0.4])
        turned = [start * Rotation.from_rotvec(sign * h * spin) for sign in (-1, 1)]
        before, after = (attitude.orientation_angles(r.as_quat()[[3, 0, 1, 2]], name)[0] for r in turned)
        rates = attitude.angle_rates(start.as_quat()[[3, 0, 1, 2]], spin, name)[0]
        assert rates == pytest.approx((after - before) / (2 * h), abs=1e-7)
        there = attitude.orientation_angles(start.as_quat()[[3, 0, 1, 2]], name)
        assert attitude.from_angle_rates(there, rates, name)[0] == pytest.approx(spin, abs=1e-12)
    locked = attitude.from_orientation_angles([0.1, np.pi / 2, 0.2], "body-xyz")
    assert np.isnan(attitude.angle_rates(locked, spin, "body-xyz")).all()


FILE = """
[bodies.hub]
mass = 100.0
center = [0.1, 0.0, 0.0]
inertia = [60.0, 90.0, 100.0]
[bodies.panel]
mass = 5.0
inertia = [1.0, 1.0, 2.0]
[joints.drive]
parent = "hub"
child = "panel"
axis = [0.0, 1.0, 0.0]
parent_point = [1.0, 0.0, 0.0]
child_point = [-1.0, 0.0, 0.0]
stiffness = 9.0
[initial]
joint_rates = { drive = 0.5 }
INITIAL
[simulation]
duration = 1.0
ENVIRONMENT
"""


def case(tmp_path, initial, environment=""):
    path = tmp_path / "arm.toml"
    path.write_text(FILE.replace("INITIAL", initial).replace("ENVIRONMENT", environment))
    return ts.read_vehicle(path)


def test_files_state_the_mass_center_and_angles(tmp_path):
    center = "center_position = [1.0, 2.0, 3.0]\ncenter_velocity = [0.0, 0.0, 0.0]"
    still = case(tmp_path, f"{center}\nangular_momentum = [0.0, 0.0, 0.0]")
    books = simulate(still.vehicle, 0.5, still.initial, samples=3).balance
    assert np.abs(books.momentum).max() < 1e-10 and books.center[0] == pytest.approx([1, 2, 3], abs=1e-12)
    turned = case(
        tmp_path,
        'attitude = { angles_deg = [10.0, 20.0, 30.0], angle_set = "space-zyx" }\nangle_rates_deg = [1.0, 2.0, 3.0]',
    ).initial
    angles = np.radians([10.0, 20.0, 30.0])
    assert turned.attitude == pytest.approx(attitude.from_orientation_angles(angles, "space-zyx")[0])
    expected = attitude.from_angle_rates(angles, np.radians([1.0, 2.0, 3.0]), "space-zyx")[0]
    assert turned.angular_velocity == pytest.approx(expected)


def test_files_state_an_orbit_and_axes_that_turn_with_it(tmp_path):
    found = case(
        tmp_path, 'orbit = { altitude = 500e3, inclination_deg = 51.6 }\naxes = "orbit"', "[environment]\nj2 = 0.0"
    )
    books = simulate(found.vehicle, 1.0, found.initial, loads=found.loads, samples=2).balance
    assert np.linalg.norm(books.center[0]) == pytest.approx(6878137.0, rel=1e-12)
    up = attitude.direction_cosines(found.initial.attitude)[:, 0]
    assert up == pytest.approx(books.center[0] / np.linalg.norm(books.center[0]), abs=1e-12)
    n = np.sqrt(3.986004418e14 / 6878137.0**3)
    assert found.initial.angular_velocity == pytest.approx([0, 0, n], abs=1e-15)


PLATES = "plates = [{ area = 1.0, normal = [1.0, 0.0, 0.0] }]"
SPHERE = 'shape = "sphere"\nradius = 0.5\nmass = 3.0'
MISTAKES = {
    "orbit without planet": ("orbit = { altitude = 500e3 }", "", r"initial.orbit: needs a planet"),
    "two velocities": ("velocity = [1.0, 0.0, 0.0]\ncenter_velocity = [0.0, 0.0, 0.0]", "", "excludes"),
    "two sizes": ("orbit = { altitude = 5e5, semi_major_axis = 7e6 }", "[environment]", "excludes"),
    "rates of no angles": ("attitude = [1.0, 0.0, 0.0, 0.0]\nangle_rates_deg = [1.0, 0.0, 0.0]", "", "needs an attitude in"),
    "unknown set": ('attitude = { angles_deg = [1.0, 2.0, 3.0], angle_set = "body-xxy" }', "", "angle_set|attitude"),
    "orbit axes without orbit": ('axes = "orbit"', "", "do not define an orbit plane"),
    "drag without planet": (f'[loads.wind]\nkind = "drag"\nbody = "hub"\n{PLATES}', "", r"table \[environment\]"),
    "light without sun": (f'[loads.sun]\nkind = "solar_pressure"\nbody = "hub"\n{PLATES}', "[environment]", "direction of the"),
    "full sphere": (f'[slosh.tank]\nbody = "hub"\ndepth = 1.0\n{SPHERE}', "", "more than the tank holds"),
    "tank on nothing": (f'[slosh.tank]\nbody = "hup"\ndepth = 0.5\n{SPHERE}', "", "is not a body"),
}  # fmt: skip


@pytest.mark.parametrize("name", MISTAKES)
def test_mistakes_are_named(name, tmp_path):
    initial, environment, message = MISTAKES[name]
    with pytest.raises(TisserandError, match=message):
        case(tmp_path, initial, environment)


def test_angles_and_their_rates_are_columns_of_the_table(tmp_path):
    case(
        tmp_path,
        'attitude = { angles_deg = [10.0, 20.0, 30.0], angle_set = "body-zyx" }\nangle_rates_deg = [1.0, 2.0, 3.0]',
    )
    ts.simulate(tmp_path / "arm.toml", csv=tmp_path / "run.csv", angles="body-zyx")
    with open(tmp_path / "run.csv", newline="") as file:
        rows = list(csv.DictReader(file))
    first = [float(rows[0][f"angle_{i} body-zyx (rad)"]) for i in (1, 2, 3)]
    assert first == pytest.approx(np.radians([10.0, 20.0, 30.0]))
    assert [float(rows[0][f"angle_rate_{i} body-zyx (rad/s)"]) for i in (1, 2, 3)] == pytest.approx(
        np.radians([1.0, 2.0, 3.0])
    )
    one, two = (float(rows[i]["angle_1 body-zyx (rad)"]) for i in (0, 2))
    step = float(rows[2]["time_s"]) - float(rows[0]["time_s"])
    assert (two - one) / step == pytest.approx(float(rows[1]["angle_rate_1 body-zyx (rad/s)"]), rel=1e-4)
