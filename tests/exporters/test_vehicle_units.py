"""Linear vehicles as units: FMPy against the exponential of the linear model, and against the model of a varied appendage."""

import json
import re

import numpy as np
import pytest
from scipy.linalg import expm
from support.appendages import random_bodies

import tisserand as ts
from tisserand.exporters.fmu.package import compiler
from tisserand.exporters.registry import export_vehicle
from tisserand.multibody.vehicle_file.linear_case import linear_model
from tisserand.studies.vehicles import read_vehicle

fmpy = pytest.importorskip("fmpy")
pytestmark = pytest.mark.skipif(compiler() is None, reason="no C compiler")
STEP, COUNT = 0.05, 40

FILE = """
name = "craft"
[bodies.bus]
mass = 80.0
inertia = [30.0, 40.0, 50.0]
[appendages.wing]
record = "wing.h5"
body = "bus"
position = [0.5, 0.0, 0.0]
[loads.push]
kind = "force"
body = "bus"
direction = [0.0, 0.0, 1.0]
strength = 2.0
[loads.twist]
kind = "torque"
body = "bus"
direction = [1.0, 0.0, 0.0]
strength = 0.0
[sensors.tip]
kind = "deflection"
appendage = "wing"
node = "tip"
direction = [0.0, 0.0, 1.0]
[bodies.dish]
mass = 6.0
center = [0.0, 0.1, 0.4]
inertia = [0.5, 0.6, 0.3]
[joints.hinge]
parent = "bus"
child = "dish"
axis = [0.0, 1.0, 0.0]
parent_point = [-0.4, 0.0, 0.2]
stiffness = 30.0
damping = 0.4
[rotors.wheel]
body = "bus"
axis = [0.0, 0.0, 1.0]
spin_inertia = 0.2
mass = 3.0
damping = 1e-3
[initial.rotor_rates]
wheel = 50.0
[sensors.felt]
kind = "accelerometer"
appendage = "wing"
node = "tip"
direction = [0.0, 0.0, 1.0]
[sensors.carried]
kind = "joint_force"
joint = "hinge"
direction = [0.0, 0.0, 1.0]
[simulation]
duration = 1.0
"""
MASSES = re.compile(r"^(mass|inertia|spin_inertia) = (.*)$", re.MULTILINE)


def heavier(text, mass):
    """The file with every mass and inertia multiplied."""

    def more(found):
        values = (np.multiply(mass, json.loads(found[2]))).tolist()
        return f"{found[1]} = {values!r}"

    return MASSES.sub(more, text)


def case_of(folder, record, text=FILE):
    ts.save_record(record, folder / "wing.h5")
    (folder / "craft.toml").write_text(text)
    return read_vehicle(folder / "craft.toml")


def exact(model, inputs):
    n, m = len(model.A), len(inputs)
    whole = np.zeros((n + m, n + m))
    whole[:n, :n], whole[:n, n:] = model.A, model.B
    jump = expm(whole * STEP)
    x, out = np.zeros(n), []
    for _ in range(COUNT + 1):
        out.append(np.concatenate([model.C @ x + model.D @ inputs, x]))
        x = jump[:n, :n] @ x + jump[:n, n:] @ inputs
    return np.array(out)


@pytest.mark.parametrize(
    ("version", "scales"),
    [
        (2, (1.4, 3.0, 1.7)),
        (3, (1.0, 1.0, 1.0)),
        pytest.param(2, (1.0, 1.0, 1.0), marks=pytest.mark.slow),
        pytest.param(3, (1.4, 3.0, 0.6), marks=pytest.mark.slow),
    ],
)
def test_linear_vehicle_against_its_own_matrices(tmp_path, version, scales):
    """With a hinge, a spinning wheel, an accelerometer and a joint load; scaled units against files with other numbers."""
    from fmpy.validation import validate_fmu

    record = random_bodies(4)
    case = case_of(tmp_path, record)
    result = export_vehicle(case, f"fmu{version}", tmp_path / "craft.fmu")
    assert any("linear about the initial state" in loss for loss in result.losses)
    assert validate_fmu(str(tmp_path / "craft.fmu")) == []
    s, d, mass = scales
    varied = record.varied(mass_scale=mass).changed(
        stiffness=mass * s**2 * record.stiffness, damping=mass * s * d * record.damping
    )
    model = linear_model(case_of(tmp_path, varied, heavier(FILE, mass)))
    drive = np.array([0.7, -0.4])
    assert model.inputs == ("push", "twist")
    signal = np.zeros(2, dtype=[("time", float), ("push", float), ("twist", float)])
    signal["time"], signal["push"], signal["twist"] = (0.0, COUNT * STEP), drive[0], drive[1]
    names = [*model.outputs, *model.coordinates, *(f"rate of {name}" for name in model.coordinates)]
    found = fmpy.simulate_fmu(
        str(tmp_path / "craft.fmu"), fmi_type="CoSimulation", stop_time=COUNT * STEP, step_size=STEP,
        output_interval=STEP, input=signal, output=names,
        start_values={"frequency_scale": s, "damping_scale": d, "mass_scale": mass},
    )  # fmt: skip
    meant = exact(model, drive)
    got = np.column_stack([found[name] for name in names])
    assert (np.abs(got - meant).max(axis=0) < 1e-12 * np.abs(meant).max()).all()


def test_a_target_for_records_refuses_a_vehicle_by_name(tmp_path):
    case = case_of(tmp_path, random_bodies(4))
    with pytest.raises(ts.errors.InputError, match=r"sid does not take a vehicle; .*targets for a vehicle: fmu2, fmu3"):
        export_vehicle(case, "sid", tmp_path / "a.sid")


def test_a_vehicle_without_loads_gives_a_unit_and_equal_names_are_told_apart(tmp_path):
    """Nothing pushes, and a sensor has the name of the joint it measures."""
    from fmpy.validation import validate_fmu

    text = """
name = "odd <craft>"
[bodies."the hub"]
mass = 30.0
inertia = [4.0, 5.0, 6.0]
[bodies.int]
mass = 5.0
inertia = [1.0, 1.0, 1.0]
[joints.while]
parent = "the hub"
child = "int"
axis = [0.0, 0.0, 1.0]
[sensors.while]
kind = "joint_rate"
joint = "while"
[simulation]
duration = 1.0
"""
    (tmp_path / "craft.toml").write_text(text)
    path = tmp_path / "craft.fmu"
    export_vehicle(read_vehicle(tmp_path / "craft.toml"), "fmu2", path)
    assert validate_fmu(str(path)) == []
    found = fmpy.simulate_fmu(
        str(path), fmi_type="CoSimulation", stop_time=0.2, start_values={"state rate of while": 0.5}
    )
    assert found["while"][-1] == pytest.approx(0.5, rel=1e-12)
    assert found["coordinate while"][-1] == pytest.approx(0.1, rel=1e-12)
