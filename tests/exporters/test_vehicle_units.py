"""Linear vehicles as units: FMPy against the exponential of the linear model, and against the model of a varied appendage."""

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
[simulation]
duration = 1.0
"""


def case_of(folder, record):
    ts.save_record(record, folder / "wing.h5")
    (folder / "craft.toml").write_text(FILE)
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
        (2, (1.4, 3.0)),
        (3, (1.0, 1.0)),
        pytest.param(2, (1.0, 1.0), marks=pytest.mark.slow),
        pytest.param(3, (1.4, 3.0), marks=pytest.mark.slow),
    ],
)
def test_linear_vehicle_against_its_own_matrices(tmp_path, version, scales):
    from fmpy.validation import validate_fmu

    record = random_bodies(4)
    case = case_of(tmp_path, record)
    result = export_vehicle(case, f"fmu{version}", tmp_path / "craft.fmu")
    assert any("linear about the initial state" in loss for loss in result.losses)
    assert validate_fmu(str(tmp_path / "craft.fmu")) == []
    s, d = scales
    varied = record.changed(stiffness=s**2 * record.stiffness, damping=s * d * record.damping)
    model = linear_model(case_of(tmp_path, varied))
    drive = np.array([0.7, -0.4])
    assert model.inputs == ("push", "twist")
    signal = np.zeros(2, dtype=[("time", float), ("push", float), ("twist", float)])
    signal["time"], signal["push"], signal["twist"] = (0.0, COUNT * STEP), drive[0], drive[1]
    names = [*model.outputs, *model.coordinates, *(f"rate of {name}" for name in model.coordinates)]
    found = fmpy.simulate_fmu(
        str(tmp_path / "craft.fmu"), fmi_type="CoSimulation", stop_time=COUNT * STEP, step_size=STEP,
        output_interval=STEP, input=signal, output=names, start_values={"frequency_scale": s, "damping_scale": d},
    )  # fmt: skip
    meant = exact(model, drive)
    got = np.column_stack([found[name] for name in names])
    assert np.abs(got - meant).max() < 1e-12 * np.abs(meant).max()


def test_a_target_for_records_refuses_a_vehicle_by_name(tmp_path):
    case = case_of(tmp_path, random_bodies(4))
    with pytest.raises(ts.errors.InputError, match=r"sid does not take a vehicle; .*targets for a vehicle: fmu2, fmu3"):
        export_vehicle(case, "sid", tmp_path / "a.sid")
