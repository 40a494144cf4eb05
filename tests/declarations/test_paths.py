"""Every number of a file has a dotted path; what is left out is reached at its default, what is misspelled is corrected."""

import tomllib
from pathlib import Path

import pytest

from tisserand.declarations.paths import get_at, number_paths, set_at, words_of_path
from tisserand.errors import UnknownKeyError
from tisserand.multibody.vehicle_file import VehicleFile, read_vehicle

TEXT = """
[bodies.bus]
mass = 80.0
inertia = [60.0, 50.0, 70.0]
points = { "a.b" = [1.0, 2.0, 3.0] }
[bodies.arm]
mass = 2.0
inertia = [1.0, 1.0, 0.5]
[joints.elbow]
parent = "bus"
child = "arm"
axis = [1.0, 0.0, 0.0]
stiffness = 10.0
[loads.kick]
kind = "torque"
body = "bus"
direction = [0.0, 0.0, 1.0]
strength = { shape = "versine", value = 2.0, duration = 1.0 }
[controllers.hold]
kind = "joint"
joint = "elbow"
kp = 1.0
notch = [{ frequency_hz = 1.0 }, { frequency_hz = 2.0, depth = 0.1 }]
[simulation]
duration = 0.5
"""


@pytest.fixture
def data():
    return tomllib.loads(TEXT)


def test_every_number_that_the_file_states_can_be_read_and_replaced(data):
    paths = list(number_paths(data))
    assert "bodies.bus.inertia.0" in paths and 'bodies.bus.points."a.b".2' in paths and len(paths) == 25
    for path in paths:
        old = get_at(VehicleFile, data, path, "v.toml")
        assert isinstance(old, int | float)
        set_at(VehicleFile, data, path, old + 1.0, "v.toml")
        assert get_at(VehicleFile, data, path, "v.toml") == old + 1.0


@pytest.mark.parametrize(
    ("path", "default"),
    [
        ("bodies.bus.center.1", 0.0),
        ("controllers.hold.notch.0.depth", 0.02),
        ("simulation.rtol", 1e-9),
        ("initial.velocity[2]", 0.0),
        ("gravity.2", 0.0),
        ("loads.kick.strength.start", 0.0),
    ],
)
def test_numbers_that_are_left_out_are_reached_at_their_defaults(data, path, default):
    assert get_at(VehicleFile, data, path, "v.toml") == default
    set_at(VehicleFile, data, path, 0.25, "v.toml")
    assert get_at(VehicleFile, data, path, "v.toml") == 0.25


@pytest.mark.parametrize(
    ("path", "said"),
    [
        ("bodies.bus.inertias.0", "did you mean 'bodies.bus.inertia[0]'?"),
        ("bodies.bus.inertia.3", "expected one of 0, 1, 2"),
        ("bodies.buss.mass", "did you mean 'bodies.bus.mass'?"),
        ("loads.kick.strength.amplitude", "expected one of shape, value, duration, start"),
        ("initial.joint_deg.elbow", "did you mean 'initial.joints_deg.elbow'?"),
        ("bodies.bus.mass.x", "found a value at bodies.bus.mass"),
        ("initial.spin.rate", "initial.spin is not stated, so it has no part to set"),
        ("bodies..mass", "words with one dot between them"),
        ("bodies.bus.mass.", "words with one dot between them"),
        ("bodies.bus.inertia[0", "words with one dot between them"),
        ("controllers.hold.notch.7.depth", "expected one of 0, 1"),
        ("", "unknown key"),
    ],
)
def test_a_path_that_means_nothing_is_corrected(data, path, said):
    with pytest.raises(UnknownKeyError) as caught:
        set_at(VehicleFile, data, path, 1.0, "v.toml")
    assert said in str(caught.value), str(caught.value)


def test_paths_may_be_written_with_dots_brackets_and_quotes():
    assert words_of_path('bodies."a.b".inertia[0].x.3') == ("bodies", "a.b", "inertia", 0, "x", 3)


def test_a_vehicle_is_varied_by_paths(tmp_path: Path):
    path = tmp_path / "v.toml"
    path.write_text(TEXT)
    case = read_vehicle(
        path, {"bodies.bus.inertia.0": 61.0, "loads.kick.strength.value": 3.0, "joints.elbow.axis.1": 1.0}
    )
    assert case.vehicle.body("bus").inertia[0, 0] == 61.0
    assert case.loads[0].source(0.5) == pytest.approx(3.0)
    assert case.vehicle.joint("elbow").axes[0] == pytest.approx([0.5**0.5, 0.5**0.5, 0.0])
