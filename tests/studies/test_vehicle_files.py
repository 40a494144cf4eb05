"""Vehicle files: a good one is read whole; every broken one gives one sentence with its key path and a suggestion."""

from pathlib import Path

import numpy as np
import pytest
from support.appendages import random_bodies
from support.command import run

from tisserand.appendage import in_frame, save_record
from tisserand.errors import CaseError, TisserandError
from tisserand.multibody.notch import with_notch
from tisserand.multibody.thruster_logic import on_off_law
from tisserand.studies.vehicles import read_vehicle

GOOD = """
name = "test craft"

[bodies.bus]
mass = 800.0
inertia = [600.0, 500.0, 700.0]
points = { mount = [0.0, 0.9, 0.0] }

[bodies.drive]
mass = 3.0
inertia = [0.01, 0.01, 0.01]

[joints.array_drive]
parent = "bus"
child = "drive"
parent_point = "mount"
axis = [0.0, 1.0, 0.0]
damping = 0.5
limits_deg = [-170.0, 170.0]

[rotors.wheel]
body = "bus"
axis = [1.0, 0.0, 0.0]
spin_inertia = 0.8

[appendages.wing]
record = "wing.h5"
body = "drive"
attitude = { axis = [0.0, 1.0, 0.0], angle_deg = 90.0 }

[sensors.tip]
kind = "deflection"
appendage = "wing"
node = "tip"
direction = [0.0, 0.0, 1.0]

[loads.kick]
kind = "torque"
body = "bus"
direction = [0.0, 0.0, 1.0]
strength = { shape = "versine", value = 2.0, start = 0.5, duration = 1.0 }

[controllers.attitude]
kind = "attitude"
body = "bus"
kp = [120.0, 0.0, 0.0]
kd = 400.0
rotors = ["wheel"]

[initial]
joints_deg = { array_drive = 20.0 }
rotor_rates = { wheel = 50.0 }

[simulation]
duration = 2.0
output_step = 0.1
"""


@pytest.fixture
def folder(tmp_path) -> Path:
    save_record(random_bodies(0), tmp_path / "wing.h5")
    return tmp_path


def written(folder: Path, text: str) -> Path:
    path = folder / "vehicle.toml"
    path.write_text(text)
    return path


def test_a_good_file_is_read_whole(folder):
    case = read_vehicle(written(folder, GOOD))
    assert case.vehicle.degrees_of_freedom == 6 + 1 + 1 + 4
    assert case.vehicle.mass == pytest.approx(803.0 + random_bodies(0).mass)
    assert case.initial.joints["array_drive"] == pytest.approx(np.radians(20.0))
    assert case.vehicle.appendage("wing").attitude @ [0, 0, 1] == pytest.approx([1, 0, 0], abs=1e-12)
    assert case.loads[0].source(1.0) == pytest.approx(2.0)
    assert case.vehicle.joint("array_drive").parent_point == pytest.approx([0, 0.9, 0])


BROKEN = {
    "misspelled table": ("[bodies.bus]", "[bodys.bus]", "did you mean 'bodies'"),
    "misspelled key": ("mass = 800.0", "mas = 800.0", "did you mean 'mass'"),
    "missing mass": ("mass = 800.0", "", r"bodies\.bus\.mass: is missing"),
    "negative mass": ("mass = 800.0", "mass = -1.0", r"bodies\.bus\.mass"),
    "text for a number": ("mass = 800.0", 'mass = "heavy"', r"bodies\.bus\.mass"),
    "impossible inertia": (
        "inertia = [600.0, 500.0, 700.0]",
        "inertia = [1.0, 1.0, 700.0]",
        "triangle inequality",
    ),
    "short inertia": ("inertia = [600.0, 500.0, 700.0]", "inertia = [1.0, 1.0]", r"bodies\.bus\.inertia"),
    "unknown parent": ('parent = "bus"', 'parent = "buss"', "did you mean 'bus'"),
    "load on an unknown body": (
        'kind = "torque"\nbody = "bus"',
        'kind = "torque"\nbody = "buss"',
        r"loads\.kick\.body: is not a body; found 'buss'.*did you mean 'bus'",
    ),
    "own child": ('child = "drive"', 'child = "bus"', r"joints\.array_drive: a joint connects a body to itself"),
    "zero axis": ("axis = [0.0, 1.0, 0.0]\ndamping", "axis = [0.0, 0.0, 0.0]\ndamping", "zero length"),
    "limits reversed": ("limits_deg = [-170.0, 170.0]", "limits_deg = [170.0, -170.0]", r"limits_deg: is not a range"),
    "unknown joint kind": ("damping = 0.5", 'kind = "hing"\ndamping = 0.5', "did you mean 'hinge'"),
    "unknown point": (
        'parent_point = "mount"',
        'parent_point = "mont"',
        r"joints\.array_drive\.parent_point",
    ),
    "rotor on nothing": (
        '[rotors.wheel]\nbody = "bus"',
        '[rotors.wheel]\nbody = "bux"',
        "did you mean 'bus'",
    ),
    "missing record": (
        'record = "wing.h5"', 'record = "wings.h5"', r"appendages\.wing\.record: the file does not exist.*wings\.h5"
    ),
    "missing case": ('record = "wing.h5"', 'case = "wings.toml"', r"appendages\.wing\.case: the file does not exist"),
    "unknown sensor node": ('node = "tip"', 'node = "tpi"', r"sensors\.tip\.node.*did you mean 'tip'"),
    "unknown node id": ('node = "tip"', "node = 77", r"sensors\.tip\.node: is not a node of appendage wing.*77"),
    "node that is none": ('node = "tip"', "node = 1.5", r"sensors\.tip\.node"),
    "unknown appendage of a sensor": ('appendage = "wing"', 'appendage = "wign"', r"sensors\.tip\.appendage.*'wing'"),
    "accelerometer nowhere": (
        'kind = "deflection"\nappendage = "wing"\nnode = "tip"', 'kind = "accelerometer"\nappendage = "wing"\nnode = 3',
        r"sensors\.tip\.node",
    ),
    "load without direction": (
        "direction = [0.0, 0.0, 1.0]\nstrength", "direction = [0.0, 0.0, 0.0]\nstrength",
        r"loads\.kick\.direction: has zero length",
    ),
    "geometric stiffness that is not there": (
        'body = "drive"\nattitude', 'body = "drive"\ngeometric_stiffness = true\nattitude',
        r"appendages\.wing\.geometric_stiffness: the record has no.*modes --geometric",
    ),
    "record and case": ('record = "wing.h5"', 'record = "wing.h5"\ncase = "wing.toml"', "excludes"),
    "zero quaternion": ("[initial]", "[initial]\nattitude = [0.0, 0.0, 0.0, 0.0]", "zero quaternion"),
    "unknown joint in state": (
        "joints_deg = { array_drive = 20.0 }",
        "joints_deg = { array = 20.0 }",
        "did you mean 'array_drive'",
    ),
    "unknown sensor kind": ('kind = "deflection"', 'kind = "thermometer"', r"sensors\.tip\.kind"),
    "unknown load shape": ('shape = "versine"', 'shape = "versin"', "did you mean 'versine'"),
    "unknown rotor in loop": ('rotors = ["wheel"]', 'rotors = ["weel"]', r"rotors: is not a rotor"),
    "no duration": ("duration = 2.0", "", r"simulation\.duration: is missing"),
    "negative duration": ("duration = 2.0", "duration = -2.0", r"simulation\.duration"),
    "not toml": ("[simulation]", "[simulation", "vehicle.toml"),
    "infinite value": ("mass = 800.0", "mass = inf", r"bodies\.bus\.mass"),
}  # fmt: skip


@pytest.mark.parametrize("name", BROKEN)
def test_broken_files_exit_2_with_the_key_path(name, folder):
    old, new, message = BROKEN[name]
    assert old in GOOD
    path = written(folder, GOOD.replace(old, new, 1))
    with pytest.raises(TisserandError, match=message) as caught:
        read_vehicle(path)
    assert caught.value.exit_code == 2
    result = run("simulate", path)
    assert result.exit_code == 2
    assert result.stderr.count("\n") == 1 and "Traceback" not in result.stderr


NODE_PUSH = """
[loads.push]
kind = "node_force"
appendage = "wing"
node = "tip"
direction = [0.0, 3.0, 4.0]
strength = 1.0
[controllers.block]
kind = "state_space"
inputs = ["tip"]
outputs = [{ kind = "torque", body = "bus", direction = [0.0, 5.0, 0.0] }]
D = [[1.0]]
"""


def test_directions_point_and_do_not_scale(folder):
    """A direction of length two is the same direction: the strength alone says how strong."""
    doubled = GOOD.replace("direction = [0.0, 0.0, 1.0]\nstrength", "direction = [0.0, 0.0, 2.0]\nstrength")
    assert doubled != GOOD
    loads = read_vehicle(written(folder, doubled + NODE_PUSH)).loads
    assert loads[0].direction.tolist() == [0.0, 0.0, 1.0]
    assert loads[1].direction == pytest.approx([0.0, 0.6, 0.8])
    block = next(c for c in read_vehicle(written(folder, GOOD + NODE_PUSH)).controllers if c.name == "block")
    assert block.outputs[0].direction.tolist() == [0.0, 1.0, 0.0]


def test_geometric_stiffness_may_be_asked_of_a_record_that_has_it(folder):
    record = random_bodies(0)
    save_record(record.changed(geometric_stiffness={"wzz": np.eye(record.count)}), folder / "wing.h5")
    text = GOOD.replace('body = "drive"\nattitude', 'body = "drive"\ngeometric_stiffness = true\nattitude')
    assert read_vehicle(written(folder, text)).vehicle.appendage("wing").geometric_stiffness


def test_a_floating_record_without_attachment_is_named_by_its_key(folder):
    floating = in_frame(random_bodies(0), "buckens").changed(attachment=None)
    save_record(floating, folder / "wing.h5")
    with pytest.raises(CaseError, match=r"appendages\.wing: its record in the buckens frame has no attachment"):
        read_vehicle(written(folder, GOOD))


def test_a_missing_record_ends_a_sweep_before_it_starts(folder):
    path = written(folder, GOOD.replace('record = "wing.h5"', 'record = "wings.h5"'))
    result = run("sweep", path, "--over", "bodies.bus.mass=700,800")
    assert result.exit_code == 2 and "appendages.wing.record" in result.stderr


def test_a_record_without_known_units_cannot_fly(folder):
    save_record(random_bodies(0).changed(unit_system="consistent"), folder / "wing.h5")
    with pytest.raises(CaseError, match="length unit of the record is unknown"):
        read_vehicle(written(folder, GOOD))


def test_overrides_change_one_value(folder):
    path = written(folder, GOOD)
    assert read_vehicle(path, {"bodies.bus.mass": 900.0}).vehicle.body("bus").mass == 900.0
    assert read_vehicle(path, {"initial.joints_deg.array_drive": 5.0}).initial.joints["array_drive"] == pytest.approx(
        np.radians(5.0)
    )
    with pytest.raises(CaseError, match="unknown key"):
        read_vehicle(path, {"bodie.bus.mass": 1.0})


def test_a_notch_multiplies_the_command_by_its_transfer_function(folder):
    """(s² + 2 d z w s + w²)/(s² + 2 z w s + w²) at three frequencies."""
    plain = read_vehicle(written(folder, GOOD)).controllers[0]
    notched = with_notch(plain, 0.5, 0.4, 0.1)
    w = 2 * np.pi * 0.5
    for s in (0.0, 1j * w, 2.3j * w):
        filtered = notched.C @ np.linalg.solve(s * np.eye(len(notched.A)) - notched.A, notched.B) + notched.D
        gain = (s**2 + 2 * 0.1 * 0.4 * w * s + w**2) / (s**2 + 2 * 0.4 * w * s + w**2)
        assert filtered == pytest.approx(gain * plain.D, abs=1e-12)


def test_thruster_logic_has_hysteresis():
    law = on_off_law(deadband=0.1, hysteresis=0.5, lead=0.0, strength=2.0)
    angles = [0.0, 0.09, 0.11, 0.08, 0.06, 0.04, 0.09, -0.2, -0.01]
    fired = [float(law(0.0, np.array([a, 0.0]))[0]) for a in angles]
    assert fired == [0.0, 0.0, -2.0, -2.0, -2.0, 0.0, 0.0, 2.0, 0.0]
    law(5.0, np.array([0.2, 0.0]))
    assert float(law(0.0, np.array([0.09, 0.0]))[0]) == 0.0  # a new flight begins with closed valves
