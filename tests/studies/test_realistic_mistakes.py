"""Mistakes that people make in vehicle files: refused in one sentence, or told as a warning of the run."""

import numpy as np
import pytest

import tisserand as ts
from tisserand.errors import TisserandError, VehicleError

GOOD = """
name = "craft"
[base]
body = "bus"
[bodies.bus]
mass = 500.0
inertia = [100.0, 120.0, 90.0]
[bodies.panel]
mass = 12.0
center = [0.5, 0.0, 0.0]
inertia = [1.0, 2.0, 2.5]
[joints.hinge]
parent = "bus"
child = "panel"
parent_point = [0.6, 0.0, 0.0]
axis = [0.0, 0.0, 1.0]
stiffness = 5.0
damping = 0.1
limits_deg = [-90.0, 5.0]
[rotors.wx]
body = "bus"
axis = [1.0, 0.0, 0.0]
spin_inertia = 0.05
[rotors.wy]
body = "bus"
axis = [0.0, 1.0, 0.0]
spin_inertia = 0.05
[rotors.wz]
body = "bus"
axis = [0.0, 0.0, 1.0]
spin_inertia = 0.05
[controllers.acs]
kind = "attitude"
body = "bus"
kp = 2.0
kd = 20.0
rotors = ["wx", "wy", "wz"]
[initial]
angular_velocity = [0.001, 0.0, 0.002]
[simulation]
duration = 0.2
samples = 2
"""

LAWS = "stiffness = 5.0\ndamping = 0.1\nlimits_deg = [-90.0, 5.0]"

GYRO = '[sensors.gyro]\nkind = "rate"\nbody = "bus"\ndirection = [0.0, 0.0, 1.0]\n'
PUSH = '[loads.push]\nkind = "force"\nbody = "bus"\ndirection = [1.0, 0.0, 0.0]\n'
SPIN = '\nbody = "bus"\naxis = [0.0, 0.0, 1.0]\nspin_inertia = 0.05\n'
SADM = '[loads.sadm]\nkind = "stepping_drive"\njoint = "hinge"\nstep_deg = 0.1\nrate_hz = 1.0\ncount = 5'
LAW = (
    '[sensors.gyro]\nkind = "rate"\nbody = "bus"\ndirection = [0.0, 0.0, 1.0]\n[controllers.law]\nkind = "state_space"\n'
    'inputs = ["gyro"]\noutputs = { kind = "torque", body = "bus", direction = [0.0, 0.0, 1.0] }\nD = [[-1.0]]\n'
)
JETS = (
    '[controllers.jets]\nkind = "thruster_pulses"\nbody = "bus"\nkp = 1.0\nkd = 10.0\nperiod = 0.1\n'
    "thrusters = { a = { point = [1.0, 0.0, 0.0], direction = [0.0, 1.0, 0.0], thrust = 1.0 } }\n"
)

#: mistake: (what is replaced, by what, words of the refusal)
REFUSED = {
    "quaternion of length two": ("[initial]", "[initial]\nattitude = [0.0, 0.0, 0.0, 2.0]", "quaternion of length 2"),
    "quaternion of zeros": ("[initial]", "[initial]\nattitude = [0.0, 0.0, 0.0, 0.0]", "is a zero quaternion"),
    "start outside": (
        "[initial]", "[initial]\njoints_deg = { hinge = 20.0 }", r"found 20 deg .* expected -90 deg .* to 5 deg",
    ),
    "limits the wrong way": ("[-90.0, 5.0]", "[5.0, -90.0]", r"found a list \[5.0, -90.0\]"),
    "unit in a string": ("duration = 0.2", 'duration = "0.2 s"', "found the string '0.2 s'"),
    "scalar gravity": ('name = "craft"', 'name = "craft"\ngravity = 9.81', "expected 3 numbers"),
    "name misspelled": ('child = "panel"', 'child = "pannel"', "did you mean 'panel'"),
    "joint to itself": ('child = "panel"', 'child = "bus"', "connects a body to itself"),
    "no axis": ("axis = [0.0, 0.0, 1.0]\nstiff", "axis = [0.0, 0.0, 0.0]\nstiff", "has zero length"),
    "impossible inertia": ("[100.0, 120.0, 90.0]", "[100.0, 120.0, 300.0]", "triangle inequality"),
    "key misspelled": ("[initial]", "[initial]\nrotor_speeds = { wx = 6.0 }", "did you mean 'rotor_rates'"),
    "negative mass": ("mass = 12.0", "mass = -12.0", "found -12.0"),
    "delay without a period": ("kd = 20.0", "kd = 20.0\ndelay = 0.1", "needs 'period'"),
    "discrete law without a period": ("[initial]", LAW + "discrete = true\n[initial]", "needs 'period'"),
    "noise stated twice": (
        "[initial]", GYRO + "errors = { period = 0.1, sigma = 1e-4, noise_density = 1e-5 }\n[initial]", "excludes 'sigma'",
    ),
    "sensor without a period": ("[initial]", GYRO + "errors = { sigma = 1e-4 }\n[initial]", "period: is missing"),
    "load driven twice": ("[initial]", PUSH + 'strength = 1.0\ninput = "u1"\n[initial]', "excludes 'strength'"),
    "load driven by nothing": ("[initial]", PUSH + "[initial]", "expected strength or input"),
    "pulse longer than the period": ("[initial]", JETS + "minimum_on = 2.0\n[initial]", "is longer than the period"),
    "steps of a joint without spring": (
        LAWS, "limits_deg = [-90.0, 5.0]\n" + SADM,
        "needs a joint with stiffness",
    ),
    "wheel and rotor of one name": ("[initial]", "[wheels.wx]" + SPIN + "[initial]", "wx"),
    "negative damping": ("damping = 0.1", "damping = -0.1", "at least 0"),
}  # fmt: skip

#: mistake: (what is replaced, by what, words of the warning)
TOLD = {
    "two wheels for three axes": (
        '"wy", "wz"]', '"wy"]', "about 3 axes, but its rotors wx, wy act about 2: nothing acts about (0, 0, 1)",
    ),
    "three wheels in a plane": (
        "axis = [0.0, 0.0, 1.0]\nspin", "axis = [1.0, 1.0, 0.0]\nspin", "wx, wy, wz act about 2: nothing acts about (0, 0, 1)",
    ),
    "wheel in another body": ('[rotors.wy]\nbody = "bus"', '[rotors.wy]\nbody = "panel"', "wy turns in another body than bus"),
    "inertia of another unit": ("[1.0, 2.0, 2.5]", "[3500.0, 3500.0, 3500.0]", "3500 kg m² with 12 kg is mass at 17.1 m"),
    "degrees as rad": (LAWS, "motion = 20.0", "a prescribed angle of 20 rad is 3.18 turns"),
    "limits in degrees": ("limits_deg = [-90.0, 5.0]", "limits = [-90.0, 5.0]", "a limit of -90 rad is -14.3 turns"),
    "gain with the wrong sign": ("kp = 2.0", "kp = -2.0", "its torque grows with the error"),
    "damping with the wrong sign": ("kd = 20.0", "kd = -20.0", "its torque grows with the rate"),
    "speed limit in rpm": (
        "[initial]", "[wheels.w]" + SPIN + "max_speed = 6000.0\n[initial]", "max_speed of 6000 rad/s is 5.73e+04 rpm",
    ),
    "imbalance in g cm": ("[initial]", "[wheels.w]" + SPIN + "static_imbalance = 1.0\n[initial]", "1 kg m is 1e+05 g cm"),
    "friction beyond the motor": (
        "[initial]", "[wheels.w]" + SPIN + "max_torque = 0.01\ncoulomb = 0.02\n[initial]", "the motor cannot turn it",
    ),
    "bias in deg/h": ("[initial]", GYRO + "errors = { period = 0.1, bias = 0.5 }\n[initial]", "0.5 rad/s is 1.03e+05 deg/h"),
    "sampled loop with two wheels": (
        'rotors = ["wx", "wy", "wz"]', 'rotors = ["wx", "wy"]\nperiod = 0.1', "about 3 axes, but its rotors wx, wy act about 2",
    ),
    "thrusters that push one way": ("[initial]", JETS + "[initial]", "act along 1"),
    "rotor of another unit": (
        "spin_inertia = 0.05\n[controllers", "spin_inertia = 500.0\n[controllers", "exceeds the largest of body bus",
    ),
}  # fmt: skip


def written(folder, text=GOOD):
    (folder / "craft.toml").write_text(text)
    return folder / "craft.toml"


def flown(path):
    case = ts.read_vehicle(path)
    return case.simulation().run(case.run.duration, samples=case.run.samples)


def changed(old, new):
    assert GOOD.count(old) == 1
    return GOOD.replace(old, new)


def test_the_vehicle_without_mistakes_raises_no_doubt(tmp_path):
    assert flown(written(tmp_path)).warnings == ()


@pytest.mark.parametrize("name", REFUSED)
def test_refused(name, tmp_path):
    old, new, words = REFUSED[name]
    with pytest.raises(TisserandError, match=words):
        flown(written(tmp_path, changed(old, new)))


@pytest.mark.parametrize("name", TOLD)
def test_told(name, tmp_path):
    old, new, words = TOLD[name]
    warnings = flown(written(tmp_path, changed(old, new))).warnings
    assert any(words in warning for warning in warnings), warnings


def test_python_refuses_a_start_outside_and_names_the_limit_that_is_reached():
    bodies = ts.Body("a", 5.0, inertia=np.eye(3)), ts.Body("b", 1.0, [0.5, 0.0, 0.0], np.eye(3))
    joint = ts.hinge("h", "a", "b", [0.0, 0.0, 1.0], limits=(-0.5, 0.2))
    vehicle = ts.Vehicle("v", bodies, (joint,))
    with pytest.raises(VehicleError, match=r"found 17.1887 deg \(0.3 rad\)"):
        ts.simulate(vehicle, 1.0, ts.State(joints={"h": 0.3}))
    outside = ts.simulate(vehicle, 0.1, ts.State(joints={"h": 0.3}), on_limit="record")
    assert outside.times[-1] == pytest.approx(0.1)
    run = ts.simulate(vehicle, 5.0, ts.State(joints={"h": 0.1}, joint_rates={"h": 0.1}))
    assert run.events[0].name == "h reached its upper limit of 11.4592 deg (0.2 rad)"
