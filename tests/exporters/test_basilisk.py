"""A hub with a wing slewed in Basilisk, in an environment of its own, against our run."""

import json
import subprocess
import sys
import venv

import numpy as np
import pytest
from support.appendages import polynomial_panel, random_bodies

import tisserand as ts
from tisserand.errors import VehicleError
from tisserand.exporters.registry import export_vehicle
from tisserand.studies.vehicles import read_vehicle

STEP, COUNT, TORQUE = 0.005, 800, [0.02, 0.15, 0.01]
FILE = """
name = "craft"
[bodies.hub]
mass = 60.0
center = [0.1, 0.0, -0.05]
inertia = [14.0, 15.0, 16.0]
[appendages.wing]
record = "wing.h5"
body = "hub"
position = [0.4, 0.1, 0.0]
[initial]
attitude = [0.8, 0.0, 0.6, 0.0]
angular_velocity = [0.001, -0.002, 0.003]
velocity = [0.1, 0.0, -0.2]
[simulation]
duration = 4.0
"""
SCRIPT = """
import json, sys
import numpy as np
sys.path.insert(0, {folder!r})
from craft import add_vehicle
from Basilisk.simulation import extForceTorque
from Basilisk.utilities import SimulationBaseClass, macros
simulation = SimulationBaseClass.SimBaseClass()
process = simulation.CreateNewProcess("process")
process.addTask(simulation.CreateNewTask("task", macros.sec2nano({step})))
hub, masses = add_vehicle(simulation, "task")
push = extForceTorque.ExtForceTorque()
push.extTorquePntB_B = [[x] for x in {torque}]
hub.addDynamicEffector(push)
simulation.AddModelToTask("task", push)
log = hub.scStateOutMsg.recorder()
simulation.AddModelToTask("task", log)
simulation.InitializeSimulation()
simulation.ConfigureStopTime(macros.sec2nano({step} * {count}))
simulation.ExecuteSimulation()
out = dict(time=(log.times() * 1e-9).tolist(), rate=log.omega_BN_B.tolist(), sigma=log.sigma_BN.tolist())
print("RESULT" + json.dumps(out))
"""


def case_of(folder):
    panel = polynomial_panel()
    stiff = panel.stiffness * np.array([[1.0, 1.0], [1.0, 1e4]])
    ts.save_record(panel.changed(stiffness=stiff), folder / "wing.h5")
    (folder / "craft.toml").write_text(FILE)
    return read_vehicle(folder / "craft.toml")


@pytest.fixture(scope="module")
def python(tmp_path_factory):
    """A Python with Basilisk, whose limits on common packages are its own."""
    folder = tmp_path_factory.mktemp("basilisk")
    venv.create(folder, with_pip=True)
    program = folder / ("Scripts" if sys.platform == "win32" else "bin") / "python"
    done = subprocess.run(
        [program, "-m", "pip", "install", "-q", "bsk", "bsk-sdk"], capture_output=True, text=True, timeout=900
    )
    if done.returncode:
        pytest.skip(f"Basilisk does not install here: {done.stderr.strip()[-200:]}")
    return program


@pytest.mark.slow
def test_a_slew_in_basilisk_is_ours(tmp_path, python):
    """Four seconds of constant torque: hub rates and attitude, 1e-3 of the largest. The wing bends in its first mode; its second
    turns about an axis, which Basilisk's sliding masses cannot, and is stiff in our run.
    """
    case = case_of(tmp_path)
    result = export_vehicle(case, "basilisk", tmp_path / "craft.py")
    assert any("rigid in modes that no mass of the body can follow: 2" in loss for loss in result.losses)
    script = SCRIPT.format(folder=str(tmp_path), step=STEP, count=COUNT, torque=TORQUE)
    done = subprocess.run([python, "-c", script], capture_output=True, text=True, timeout=600)
    assert done.returncode == 0, done.stderr[-2000:]
    found = json.loads(done.stdout.split("RESULT")[1])
    loads = [
        ts.loads.torque("hub", axis, value, name=f"t{i}") for i, (axis, value) in enumerate(zip(np.eye(3), TORQUE))
    ]
    run = ts.simulate(case.vehicle, STEP * COUNT, case.initial, loads=loads, samples=COUNT + 1, rtol=1e-10, atol=1e-12)
    rates = np.array(found["rate"])
    assert rates.shape == (COUNT + 1, 3)
    meant = run.rate_in_body("hub")
    assert np.abs(rates - meant).max() < 1e-3 * np.abs(meant).max()
    q = run.attitude * np.where(run.attitude[:, :1] >= 0.0, 1.0, -1.0)
    sigma = q[:, 1:] / (1.0 + q[:, :1])
    assert np.abs(np.array(found["sigma"]) - sigma).max() < 1e-3 * np.abs(sigma - sigma[0]).max()
    rigid = ts.Vehicle("craft", [ts.Body("hub", 60.0, [0.1, 0.0, -0.05], [14.0, 15.0, 16.0])])
    alone = ts.simulate(
        rigid, STEP * COUNT, ts.State(angular_velocity=case.initial.angular_velocity), loads=loads, samples=3
    )
    assert np.abs(alone.rate_in_body("hub")[-1] - meant[-1]).max() > 0.05 * np.abs(meant).max()


FAST = """
name = "spun craft"
[bodies.hub]
mass = 12.0
center = [0.1, 0.0, -0.05]
inertia = [4.0, 5.0, 6.0]
[appendages.wing]
record = "wing.h5"
body = "hub"
position = [0.4, 0.1, 0.0]
attitude = [0.5, 0.5, 0.5, 0.5]
[appendages.mast]
record = "mast.h5"
body = "hub"
position = [-0.2, 0.0, 0.3]
inertia = "constant"
[initial]
attitude = [0.8, 0.0, 0.6, 0.0]
angular_velocity = [0.6, -0.4, 0.9]
position = [1.0, 2.0, 3.0]
velocity = [0.1, 0.0, -0.2]
[initial.modal]
wing = [0.3, -0.2, 0.1]
mast = [0.05, 0.1]
[initial.modal_rates]
wing = [0.5, 0.4, -0.3]
mast = [-0.2, 0.3]
[simulation]
duration = 3.0
"""
FLIGHT = SCRIPT.replace(
    "simulation.InitializeSimulation()",
    """
def eta(number):
    return lambda _: np.ravel(hub.dynManager.getStateObject(f"eta{{number}}").getState()).tolist()
from Basilisk.utilities import pythonVariableLogger
modal = pythonVariableLogger.PythonVariableLogger(dict(wing=eta(0), mast=eta(1)))
simulation.AddModelToTask("task", modal)
simulation.InitializeSimulation()
""",
).replace(
    'print("RESULT"',
    "out.update(place=log.r_BN_N.tolist(), speed=log.v_BN_N.tolist(), wing=np.array(modal.wing).tolist(),"
    ' mast=np.array(modal.mast).tolist())\nprint("RESULT"',
)


def fast_case(folder):
    ts.save_record(random_bodies(3, modes=3, offsets=False), folder / "wing.h5")
    ts.save_record(random_bodies(5, modes=2, offsets=False), folder / "mast.h5")
    (folder / "craft.toml").write_text(FAST)
    return read_vehicle(folder / "craft.toml")


@pytest.mark.slow
def test_the_modal_effector_flies_as_our_engine(tmp_path, python):
    """Three seconds of a fast turn under torque: two appendages with coupled modes, full and constant inertia, large deflections.
    Place, attitude, rates and modal coordinates within 1e-6 of their largest: the truncation of Basilisk's RK4 at 1 ms.
    """
    case = fast_case(tmp_path)
    step, count, torque = 0.001, 3000, [0.4, -0.7, 0.5]
    result = export_vehicle(case, "basilisk-modal", tmp_path / "craft.py", strict=True)
    assert result.read_back_error == 0.0
    script = FLIGHT.format(folder=str(tmp_path), step=step, count=count, torque=torque)
    done = subprocess.run([python, "-c", script], capture_output=True, text=True, timeout=900)
    assert done.returncode == 0, done.stderr[-2000:]
    found = json.loads(done.stdout.split("RESULT")[1])
    loads = [
        ts.loads.torque("hub", axis, value, name=f"t{i}") for i, (axis, value) in enumerate(zip(np.eye(3), torque))
    ]
    run = ts.simulate(case.vehicle, step * count, case.initial, loads=loads, samples=count + 1, rtol=1e-12, atol=1e-13)
    q = run.attitude
    sigma = q[:, 1:] / (1.0 + q[:, :1])
    shadow = np.linalg.norm(sigma, axis=1) > 1.0  # Basilisk switches to the other set there
    sigma[shadow] = -q[shadow, 1:] / (1.0 - q[shadow, :1])
    far = np.abs(np.linalg.norm(sigma, axis=1) - 1.0) > 1e-3
    for meant, got in (
        (run.rate_in_body("hub"), found["rate"]),
        (sigma[far], np.array(found["sigma"])[far]),
        (run.position, found["place"]),
        (run.velocity, found["speed"]),
        (run.modal["wing"], found["wing"]),
        (run.modal["mast"], found["mast"]),
    ):
        assert np.abs(np.array(got).reshape(meant.shape) - meant).max() < 1e-6 * np.abs(meant).max()


def test_the_modal_effector_names_what_it_leaves_out(tmp_path):
    case = fast_case(tmp_path)
    ts.save_record(random_bodies(3, modes=3), tmp_path / "wing.h5")
    turning = read_vehicle(tmp_path / "craft.toml")
    assert export_vehicle(case, "basilisk-modal", tmp_path / "a.py").losses == ()
    (lost,) = export_vehicle(turning, "basilisk-modal", tmp_path / "b.py").losses
    assert lost == "displacements are of first degree: turning nodes and geometric stiffness are left out: wing"
    compile((tmp_path / "b.py").read_text(), "b.py", "exec")


def test_joints_are_refused_by_name(tmp_path):
    joint = "[bodies.dish]\nmass = 2.0\ninertia = [1.0, 1.0, 1.0]\n"
    joint += '[joints.mast]\nparent = "hub"\nchild = "dish"\naxis = [0, 0, 1]\n'
    case_of(tmp_path)
    (tmp_path / "craft.toml").write_text(FILE + joint)
    with pytest.raises(VehicleError, match="joints cannot be written for Basilisk; found mast"):
        export_vehicle(read_vehicle(tmp_path / "craft.toml"), "basilisk", tmp_path / "craft.py")
