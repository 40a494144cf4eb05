"""Nonlinear units of vehicles: FMPy against our own run."""

import json
import re

import numpy as np
import pytest
from support.appendages import random_bodies

import tisserand as ts
from tisserand.errors import VehicleError
from tisserand.exporters.fmu.package import compiler
from tisserand.exporters.registry import export_vehicle
from tisserand.multibody.attitude import orientation_angles
from tisserand.studies.vehicles import read_vehicle

fmpy = pytest.importorskip("fmpy")
pytest.importorskip("sympy")
pytestmark = pytest.mark.skipif(compiler() is None, reason="no C compiler")
STEP, COUNT = 0.05, 60

FILE = """
name = "arm craft"
[bodies.hub]
mass = 30.0
inertia = [4.0, 5.0, 6.0]
[bodies.link]
mass = 5.0
center = [0.5, 0.1, 0.0]
inertia = [0.3, 1.0, 1.1]
[bodies.hand]
mass = 2.0
center = [0.0, 0.1, 0.2]
inertia = [0.2, 0.3, 0.25]
[joints.elbow]
parent = "hub"
child = "link"
axis = [0.0, 0.6, 0.8]
parent_point = [0.3, 0.0, 0.1]
stiffness = 9.0
damping = 0.5
[joints.wrist]
kind = "ball"
parent = "link"
child = "hand"
parent_point = [1.0, 0.0, 0.0]
[initial]
angular_velocity = [0.2, -0.1, 0.3]
velocity = [0.1, 0.0, -0.2]
[initial.joints]
elbow = 0.5
[initial.joint_rates]
elbow = -0.4
wrist = [0.3, 0.2, -0.5]
[simulation]
duration = 3.0
"""


def case_of(folder):
    (folder / "craft.toml").write_text(FILE)
    return read_vehicle(folder / "craft.toml")


def flown(path, names, drive, **start):
    signal = np.zeros(2, dtype=[("time", float), *((name, float) for name in drive)])
    signal["time"] = 0.0, COUNT * STEP
    for name, value in drive.items():
        signal[name] = value
    found = fmpy.simulate_fmu(
        str(path), fmi_type="CoSimulation", stop_time=COUNT * STEP, step_size=STEP, output_interval=STEP, input=signal,
        output=names, start_values=start,
    )  # fmt: skip
    return np.column_stack([found[name] for name in names])


@pytest.mark.parametrize("version", [pytest.param(2, marks=pytest.mark.slow), 3])
def test_a_flight_is_that_of_the_engine(tmp_path, version):
    """Three seconds with a drive, a torque and a force: 1e-8 of the largest value."""
    from fmpy.validation import validate_fmu

    case = case_of(tmp_path)
    path = tmp_path / "craft.fmu"
    export_vehicle(case, f"fmu{version}-nonlinear", path)
    assert validate_fmu(str(path)) == []
    names = [
        *(f"hub_angle{i}" for i in (1, 2, 3)),
        "hub_x",
        "hub_y",
        "hub_z",
        "elbow_angle",
        "elbow_u",
        "hub_u1",
        "hub_u3",
    ]
    got = flown(path, names, {"elbow_torque": 0.7, "hub_torque2": -0.4, "hub_force3": 1.5, "wrist_torque1": 0.05})
    loads = [
        ts.loads.joint_torque("elbow", 0.7), ts.loads.torque("hub", [0, 1, 0], -0.4), ts.loads.force("hub", [0, 0, 1], 1.5),
        ts.loads.joint_torque("wrist", 0.05, axis=0, name="wrist"),
    ]  # fmt: skip
    run = ts.simulate(case.vehicle, COUNT * STEP, case.initial, loads=loads, samples=COUNT + 1, rtol=1e-12, atol=1e-13)
    w = run.rate_in_body("hub")
    meant = np.column_stack(
        [
            np.unwrap(orientation_angles(run.attitude), axis=0), run.position,
            run.joints["elbow"][:, 0], run.joint_rates["elbow"][:, 0], w[:, 0], w[:, 2],
        ]
    )  # fmt: skip
    assert np.abs(got - meant).max() < 1e-8 * np.abs(meant).max()


def test_mass_and_springs_scale(tmp_path):
    """Twice the mass with twice the springs, dampers and drives is the same motion; three times the spring alone is not."""
    case = case_of(tmp_path)
    path = tmp_path / "craft.fmu"
    export_vehicle(case, "fmu2-nonlinear", path)
    names = ["hub_angle1", "elbow_angle", "hub_x"]
    one = flown(path, names, {"elbow_torque": 0.7})
    two = flown(path, names, {"elbow_torque": 1.4}, mass_scale=2.0, spring_scale=2.0, damper_scale=2.0)
    assert np.abs(one - two).max() < 1e-12 * np.abs(one).max()
    assert np.abs(flown(path, names, {"elbow_torque": 0.7}, spring_scale=3.0) - one).max() > 1e-2


FLEXIBLE = (
    FILE.replace('name = "arm craft"', 'name = "winged craft"\ngravity = [0.02, -0.01, 0.03]')
    + """
[rotors.wheel]
body = "hub"
axis = [0.0, 0.6, 0.8]
spin_inertia = 0.05
damping = 1e-3
[appendages.wing]
record = "wing.h5"
body = "link"
position = [0.2, 0.1, 0.0]
[loads.jet]
kind = "force"
body = "link"
point = [0.3, 0.0, 0.1]
direction = [0.0, 1.0, 1.0]
strength = 0.0
"""
)


@pytest.mark.parametrize("version", [2, pytest.param(3, marks=pytest.mark.slow)])
def test_a_flight_with_appendage_rotor_and_gravity_is_that_of_the_engine(tmp_path, version):
    """Three seconds with drives of a joint and a wheel and a force on the outer body: 1e-8 of the largest value."""
    from fmpy.validation import validate_fmu

    ts.save_record(random_bodies(3, modes=2, offsets=False), tmp_path / "wing.h5")
    (tmp_path / "craft.toml").write_text(
        FLEXIBLE.replace("wrist = [0.3, 0.2, -0.5]", "").replace(
            "[initial.joints]", "[initial.rotor_rates]\nwheel = 20.0\n[initial.joints]"
        )
    )
    case = read_vehicle(tmp_path / "craft.toml")
    path = tmp_path / "craft.fmu"
    result = export_vehicle(case, f"fmu{version}-nonlinear", path)
    assert any("strengths of loads are inputs" in loss for loss in result.losses)
    assert validate_fmu(str(path)) == []
    names = [
        "hub_x",
        "hub_y",
        "hub_z",
        "elbow_angle",
        "elbow_u",
        "wing_eta1",
        "wing_eta2",
        "wing_u1",
        "wing_u2",
        "wheel_u",
    ]
    got = flown(path, names, {"elbow_torque": 0.7, "wheel_torque": -0.04, "jet": 1.5})
    loads = [
        ts.loads.joint_torque("elbow", 0.7), ts.loads.rotor_torque("wheel", -0.04),
        case.loads[0].driven_by(ts.profiles.constant(1.5)),
    ]  # fmt: skip
    run = ts.simulate(case.vehicle, COUNT * STEP, case.initial, loads=loads, samples=COUNT + 1, rtol=1e-12, atol=1e-13)
    meant = np.column_stack(
        [
            run.position, run.joints["elbow"][:, 0], run.joint_rates["elbow"][:, 0], run.modal["wing"], run.modal_rates["wing"],
            run.rotor_rates["wheel"],
        ]
    )  # fmt: skip
    assert (np.abs(got - meant).max(axis=0) < 1e-8 * np.abs(meant).max(axis=0)).all()


SMALL = """
name = "small craft"
gravity = [0.02, -0.01, 0.03]
[bodies.hub]
mass = 30.0
inertia = [4.0, 5.0, 6.0]
[rotors.wheel]
body = "hub"
axis = [0.0, 0.6, 0.8]
spin_inertia = 0.05
[initial]
angular_velocity = [0.2, -0.1, 0.3]
[simulation]
duration = 3.0
[appendages.wing]
record = "wing.h5"
body = "hub"
position = [0.2, 0.1, 0.0]
"""


def test_scales_of_appendages_are_those_of_a_varied_record(tmp_path):
    """Frequencies by 1.3, damping ratios by 2 and all masses by 1.5, against a file with those numbers."""
    record = random_bodies(3, modes=1, offsets=False)
    s, d, mass = 1.3, 2.0, 1.5
    text = SMALL
    ts.save_record(record, tmp_path / "wing.h5")
    (tmp_path / "craft.toml").write_text(text)
    export_vehicle(read_vehicle(tmp_path / "craft.toml"), "fmu2-nonlinear", tmp_path / "craft.fmu")
    varied = record.varied(mass_scale=mass).changed(
        stiffness=mass * s**2 * record.stiffness, damping=mass * s * d * record.damping
    )
    ts.save_record(varied, tmp_path / "wing.h5")
    heavy = re.sub(
        r"^(mass|inertia|spin_inertia) = (.*)$",
        lambda found: f"{found[1]} = {np.multiply(mass, json.loads(found[2])).tolist()!r}",
        text,
        flags=re.MULTILINE,
    )
    (tmp_path / "craft.toml").write_text(heavy)
    case = read_vehicle(tmp_path / "craft.toml")
    names = ["hub_x", "hub_y", "hub_z", "wing_eta1", "wheel_u"]
    scales = {"frequency_scale": s, "damping_scale": d, "mass_scale": mass}
    got = flown(tmp_path / "craft.fmu", names, {"wheel_torque": -0.04}, **scales)
    loads = [ts.loads.rotor_torque("wheel", -0.04)]
    run = ts.simulate(case.vehicle, COUNT * STEP, case.initial, loads=loads, samples=COUNT + 1, rtol=1e-12, atol=1e-13)
    meant = np.column_stack([run.position, run.modal["wing"], run.rotor_rates["wheel"]])
    assert (np.abs(got - meant).max(axis=0) < 1e-8 * np.abs(meant).max(axis=0)).all()


def test_drives_of_the_file_are_named_apart_from_loads(tmp_path):
    """A load on a joint or rotor is no input of its own: the drive is."""
    text = SMALL.split("[appendages")[0] + '[loads.motor]\nkind = "rotor_torque"\nrotor = "wheel"\nstrength = 1.0\n'
    text += '[loads.jet]\nkind = "force"\nbody = "hub"\ndirection = [1.0, 0.0, 0.0]\nstrength = 1.0\n'
    (tmp_path / "craft.toml").write_text(text)
    losses = export_vehicle(read_vehicle(tmp_path / "craft.toml"), "fmu2-nonlinear", tmp_path / "craft.fmu").losses
    assert "strengths of loads are inputs, zero until they are set: jet" in losses
    assert any(
        loss.startswith("loads on joints and rotors are left out") and loss.endswith(": motor") for loss in losses
    )
    described = fmpy.read_model_description(str(tmp_path / "craft.fmu"))
    inputs = [v.name for v in described.modelVariables if v.causality == "input"]
    assert "jet" in inputs and "motor" not in inputs and "wheel_torque" in inputs


def test_events_and_other_loads_are_refused_by_name(tmp_path):
    text = (
        FILE
        + '[loads.drag]\nkind = "torque"\nbody = "hub"\ndirection = [1.0, 0.0, 0.0]\ninertial = true\nstrength = 1.0\n'
    )
    (tmp_path / "craft.toml").write_text(text)
    with pytest.raises(VehicleError, match="this kind of load are not generated; found torque in inertial axes"):
        export_vehicle(read_vehicle(tmp_path / "craft.toml"), "fmu2-nonlinear", tmp_path / "craft.fmu")


ARM = """
[bodies.link]
mass = 5.0
center = [0.5, 0.0, 0.1]
inertia = [0.5, 1.0, 1.0]
[joints.arm]
kind = "free"
parent = "hub"
child = "link"
parent_point = [0.3, 0.0, 0.0]
"""
START = """
angular_velocity = [0.2, -0.1, 0.3]
joints = { arm = [0.1, 0.2, 0.3, 0.8, 0.6, 0.0, 0.0] }
joint_rates = { arm = [0.1, 0.2, 0.3, 0.4, 0.5, 0.6] }
"""


@pytest.mark.parametrize("version", [2, pytest.param(3, marks=pytest.mark.slow)])
def test_model_exchange_takes_jumps_of_inputs_up_to_the_stop_time(tmp_path, version):
    """A drive that begins at 0.4 s and one that jumps at the stop time, which no step divides: 1e-7 of the largest value by
    FMPy's solver; the joint starts off zero.
    """
    text = f"{SMALL.split('[rotors')[0]}{ARM}[initial]\n{START}[simulation]\nduration = 1.0\n"
    (tmp_path / "craft.toml").write_text(text)
    case = read_vehicle(tmp_path / "craft.toml")
    export_vehicle(case, f"fmu{version}-nonlinear", tmp_path / "craft.fmu")
    kinds = [("time", float), ("arm_4_torque3", float)]
    signal = np.array([(0.0, 0.0), (0.4, 0.0), (0.4, 0.6), (1.0, 0.6), (1.0, 50.0)], dtype=kinds)
    names = ["hub_x", "hub_u1", "arm_travel", "arm_3_travel", "arm_4_u3"]
    found = fmpy.simulate_fmu(
        str(tmp_path / "craft.fmu"), fmi_type="ModelExchange", stop_time=1.0, output_interval=0.3, input=signal, output=names,
        relative_tolerance=1e-10,
    )  # fmt: skip
    assert found["time"][-1] == pytest.approx(1.0, abs=1e-12)
    load = ts.loads.joint_torque("arm", ts.profiles.step(0.6, start=0.4), axis=5)
    run = ts.simulate(case.vehicle, 1.0, case.initial, loads=[load], samples=2, rtol=1e-12, atol=1e-13)
    meant = [
        run.position[-1, 0], run.rate_in_body("hub")[-1, 0], run.joints["arm"][-1, 0], run.joints["arm"][-1, 2],
        run.joint_rates["arm"][-1, 5],
    ]  # fmt: skip
    last = [found[name][-1] for name in names]
    assert np.abs(np.subtract(last, meant)).max() < 1e-7 * np.abs(meant).max()
