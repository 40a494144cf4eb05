"""One vehicle file that uses every documented kind of joint, rotor, profile, load, sensor and controller, and flies."""

import re
from pathlib import Path

import numpy as np
import pytest
from support.appendages import random_bodies
from support.command import run
from support.loop_texts import EVERY_LOOP

from tisserand.appendage import save_record
from tisserand.declarations.introspection import tag_of, types_in
from tisserand.multibody import PrescribedMotion, load_trajectory
from tisserand.multibody.controllers import LinearController, SampledController
from tisserand.multibody.joints import AXES
from tisserand.multibody.pulses import PulsedController
from tisserand.multibody.vehicle_file.controller_tables import ControllerTable
from tisserand.multibody.vehicle_file.joint_tables import JointTable
from tisserand.multibody.vehicle_file.load_tables import LoadTable
from tisserand.multibody.vehicle_file.profile_tables import ProfileValue
from tisserand.multibody.vehicle_file.sensor_tables import SensorTable
from tisserand.studies.flight import fly
from tisserand.studies.vehicles import read_vehicle

EVERYTHING = """
name = "every kind"
gravity = [0.0, 0.0, -0.001]

[bodies.bus]
mass = 400.0
inertia = [[300.0, 5.0, 0.0], [5.0, 250.0, 2.0], [0.0, 2.0, 350.0]]
points = { mount = [0.0, 0.9, 0.0] }
[bodies.bus.frames.deck]
position = [0.5, 0.0, 0.2]
attitude = { axis = [0.0, 0.0, 1.0], angle_deg = 30.0 }
[bodies.drive]
mass = 3.0
inertia = [0.1, 0.1, 0.1]
[bodies.engine]
mass = 8.0
center = [0.0, 0.0, -0.4]
inertia = [0.5, 0.5, 0.3]
[bodies.camera]
mass = 2.0
inertia = [0.05, 0.06, 0.07]
[bodies.pod]
mass = 4.0
inertia = [0.2, 0.2, 0.2]
[bodies.mast]
mass = 5.0
inertia = [0.4, 0.4, 0.1]
[bodies.box]
mass = 6.0
inertia = [0.3, 0.3, 0.3]
[bodies.mirror]
mass = 1.0
inertia = [0.02, 0.02, 0.03]
[bodies.plunger]
mass = 0.8
inertia = [0.01, 0.02, 0.01]
[bodies.cubesat]
mass = 2.0
inertia = [0.02, 0.02, 0.03]
[bodies.probe]
mass = 1.5
inertia = [0.03, 0.02, 0.03]

[joints.array_drive]
parent = "bus"
child = "drive"
parent_point = "mount"
axis = [0.0, 1.0, 0.0]
damping = 0.5
limits_deg = [-170.0, 170.0]
[joints.engine_gimbal]
kind = "universal"
parent = "bus"
child = "engine"
parent_point = [0.0, 0.0, -0.7]
axes = [[1.0, 0.0, 0.0], [0.0, 1.0, 0.0]]
stiffness = [900.0, 900.0]
damping = [3.0, 3.0]
[joints.camera_head]
kind = "gimbal"
parent = "bus"
child = "camera"
parent_frame = "deck"
axes = [[0.0, 0.0, 1.0], [0.0, 1.0, 0.0], [1.0, 0.0, 0.0]]
stiffness = [5.0, 5.0, 5.0]
damping = [0.5, 0.5, 0.5]
motion_deg = [{ axis = 2, shape = "smooth_ramp", value = 10.0, start = 0.1, duration = 1.0 }]
[joints.pod_ball]
kind = "ball"
parent = "bus"
child = "pod"
parent_point = [-0.5, 0.0, 0.4]
child_point = [0.0, 0.0, -0.2]
stiffness = 40.0
damping = 1.0
[joints.mast_slide]
kind = "prismatic"
parent = "bus"
child = "mast"
axis = [0.0, 0.0, 1.0]
stiffness = 200.0
damping = 10.0
limits = [-1.0, 1.0]
[joints.piston]
kind = "cylindrical"
parent = "bus"
child = "plunger"
parent_point = [0.0, 0.6, 0.0]
axis = [0.0, 1.0, 0.0]
stiffness = [300.0, 4.0]
damping = [2.0, 0.1]
limits = [[-0.2, 0.2], [-1.0, 1.0]]
[joints.released]
kind = "free"
parent = "bus"
child = "cubesat"
parent_point = [0.0, 0.0, 2.0]
[joints.box_weld]
kind = "fixed"
parent = "mast"
child = "box"
parent_point = [0.0, 0.0, 0.5]
parent_attitude = { axis = [0.0, 0.0, 1.0], angle_deg = 45.0 }
[joints.mirror_scan]
parent = "camera"
child = "mirror"
axis = [1.0, 0.0, 0.0]
motion = { shape = "spin_up", value = 0.2, duration = 1.0 }
[joints.tip_hinge]
parent = "drive"
child = "probe"
parent_interface = ["wing", "tip"]
axis = [0.0, 0.0, 1.0]
stiffness = 2.0
damping = 0.1

[rotors.wheel]
body = "bus"
axis = [1.0, 0.0, 0.0]
spin_inertia = 0.8
mass = 5.0
position = [0.1, 0.0, 0.0]
transverse_inertia = 0.5
damping = 0.001
[rotors.wheel_y]
body = "bus"
axis = [0.0, 1.0, 0.0]
spin_inertia = 0.8
input = "spin_demand"
[rotors.fan]
body = "drive"
axis = [0.0, 0.0, 1.0]
spin_inertia = 0.01
mode = "speed"
profile = { shape = "ramp", value = 20.0, start = 0.2, duration = 1.0, first = 5.0 }
[rotors.bias]
body = "bus"
axis = [0.0, 0.0, 1.0]
mode = "momentum"
profile = { shape = "constant", value = 4.0 }

[wheels.spinner]
body = "bus"
axis = [1.0, 1.0, 0.0]
spin_inertia = 0.04
mass = 2.0
position = [0.0, 0.2, 0.1]
transverse_inertia = 0.02
max_torque = 0.02
max_speed = 7.5
taper = 0.2
coulomb = 1e-3
breakaway = 1.2e-3
stribeck_rate = 0.5
smoothing_rate = 0.05
viscous = 1e-5
static_imbalance = 1e-5
static_phase_deg = 30.0
dynamic_imbalance = 1e-5
dynamic_phase_deg = 60.0
input = "spinner_torque"
tachometer = { period = 0.05, quantum = 0.01 }

[appendages.wing]
record = "wing.h5"
body = "drive"
attitude = [0.0, 0.0, 0.0, 1.0]
inertia = "full"
modes = 3
geometric_stiffness = false

[loads.push]
kind = "force"
body = "bus"
frame = "deck"
direction = [1.0, 0.0, 0.0]
strength = { shape = "step", value = 0.5, start = 0.3, end = 1.1 }
[loads.twist]
kind = "torque"
body = "bus"
direction = [0.0, 0.0, 1.0]
inertial = true
strength = { shape = "versine", value = 2.0, start = 0.5, duration = 1.0 }
[loads.burn]
kind = "thruster"
body = "engine"
point = "center"
direction = [0.0, 0.0, 1.0]
strength = { shape = "table", times = [0.0, 1.0, 2.0], values = [0.0, 3.0, 1.0], interpolation = "cubic" }
[loads.motor]
kind = "joint_torque"
joint = "engine_gimbal"
axis = 2
strength = { shape = "bang_bang", value = 1.0, start = 0.2, duration = 1.0, coast = 0.2 }
[loads.spin]
kind = "rotor_torque"
rotor = "wheel"
strength = { shape = "table", file = "torque.csv", column = 3, scale = 2.0, interpolation = "hold" }
[loads.tap]
kind = "node_force"
appendage = "wing"
node = "tip"
direction = [0.0, 0.0, 1.0]
strength = { shape = "sine", amplitude = 0.1, frequency_hz = 0.3, phase_deg = 30.0, end = 1.7 }
[loads.wring]
kind = "node_torque"
appendage = "wing"
node = 20
direction = [1.0, 0.0, 0.0]
strength = { shape = "chirp", amplitude = 0.01, first_hz = 0.1, last_hz = 0.4, duration = 1.8, start = 0.1, phase_deg = 20.0 }
[loads.hum]
kind = "torque"
body = "drive"
direction = [1.0, 0.0, 0.0]
strength = { shape = "noise", frequencies_hz = [0.6, 2.0], levels = [1e-4, 1e-5], duration = 1.8, seed = 5, fade = 0.3 }
[loads.whirl]
kind = "rotor_torque"
rotor = "spinner"
strength = 0.05
[loads.swivel]
kind = "joint_torque"
joint = "pod_ball"
axis = 3
strength = 0.002
[loads.stepper]
kind = "stepping_drive"
joint = "tip_hinge"
axis = 1
step_deg = 0.01
rate_hz = 0.7
count = 2
start = 0.2
rise = 1.2
[loads.creep]
kind = "torque"
body = "camera"
direction = [0.0, 0.0, 1.0]
strength = { shape = "steps", value = 1e-3, rate_hz = 0.7, count = 3, start = 0.1, rise = 1.0 }
[loads.poke]
kind = "torque"
body = "pod"
direction = [0.0, 1.0, 0.0]
input = "poke"
[loads.tide]
kind = "gravity_gradient"
orbit_rate = 0.001
[loads.remanence]
kind = "magnetic"
body = "bus"
dipole = [2.0, 0.0, 1.0]
field = [0.0, 0.0, 3e-5]
orbit_rate = 0.001
along = [0.0, 0.2, 1.0]
[loads.coil]
kind = "magnetic"
body = "drive"
dipole = [0.0, 1.0, 0.0]
field = [2e-5, 0.0, 3e-5]
strength = { shape = "sine", amplitude = 40.0, frequency_hz = 0.2 }
[loads.strut]
kind = "spring"
first = { body = "bus", point = "mount" }
second = { appendage = "wing", node = "tip" }
stiffness = 0.5
damping = 0.05
length = 0.8
[loads.cable]
kind = "tether"
first = { body = "bus", point = [0.3, 0.0, 0.0] }
second = { body = "box" }
stiffness = 20.0
damping = 0.2
length = 0.1
[loads.pads]
kind = "bushing"
first = { body = "bus", point = "deck" }
second = { body = "pod" }
stiffness = [1.0, 2.0, 3.0]
damping = 0.1
turning_stiffness = 0.5
turning_damping = [0.1, 0.1, 0.2]
[loads.rub]
kind = "joint_friction"
joint = "engine_gimbal"
axis = 1
coulomb = 0.02
breakaway = 0.03
stribeck_rate = 0.5
smoothing_rate = 0.05
viscous = 0.01
[loads.bearing]
kind = "rotor_drag"
rotor = "wheel"
coulomb = 0.01
smoothing_rate = 0.1

[loads.torquer]
kind = "magnetic"
body = "bus"
dipole = [0.0, 30.0, 10.0]
[loads.wind]
kind = "drag"
body = "bus"
plates = [
    { area = 1.2, normal = [0.0, 1.0, 0.3], point = "mount", drag_coefficient = 2.1 },
    { area = 0.5, normal = [1.0, 0.0, 0.0], two_sided = true },
]
[loads.sunshine]
kind = "solar_pressure"
body = "drive"
plates = [{ area = 3.0, normal = [1.0, 0.2, 0.1], point = [0.0, 0.1, 0.0], specular = 0.3, diffuse = 0.2, two_sided = true }]

[slosh.fuel]
body = "bus"
shape = "cylinder"
radius = 0.3
depth = 0.4
density = 900.0
position = "mount"
attitude = { angles_deg = [20.0, 0.0, 10.0], angle_set = "space-xyz" }
modes = 2
damping = 0.01
[slosh.water]
body = "box"
shape = "sphere"
radius = 0.2
depth = 0.15
mass = 5.0
position = [0.0, 0.0, 0.1]
model = "spring"
acceleration = 2.0
damping = 0.02

[environment]
gravity = false
mu = 1e-9
radius = 1.0
j2 = 1e-3
pole = [0.0, 0.1, 1.0]
turn_rate = 0.01
dipole = [1e-6, 4e-6, -2e-5]
density = 1e-3
density_altitude = 1.0
scale_height = 5.0
sun = [1.0, 0.5, 0.2]
sun_distance = 1e9
sun_radius = 5e6
light_pressure = 1e-3
shadow = "cone"

[sensors.day]
kind = "sunlight"
body = "bus"
[sensors.height]
kind = "altitude"
body = "bus"
point = "mount"
[sensors.compass]
kind = "magnetometer"
body = "drive"
direction = [0.0, 0.0, 1.0]
[sensors.angle]
kind = "attitude"
body = "bus"
direction = [0.0, 1.0, 0.0]
slew_axis = [0.0, 1.0, 0.0]
slew_deg = { shape = "constant_rate", rate = 0.5, start = 0.1, first = 0.02 }
[sensors.gyro]
kind = "rate"
body = "bus"
frame = "deck"
direction = [1.0, 0.0, 0.0]
[sensors.gyro_x]
kind = "rate"
body = "bus"
direction = [1.0, 0.0, 0.0]
[sensors.gyro_y]
kind = "rate"
body = "bus"
direction = [0.0, 1.0, 0.0]
[sensors.place]
kind = "position"
body = "engine"
point = "center"
direction = [0.0, 0.0, 1.0]
[sensors.speed]
kind = "velocity"
body = "engine"
point = "center"
direction = [0.0, 0.0, 1.0]
[sensors.drive_angle]
kind = "joint_angle"
joint = "array_drive"
[sensors.slide_rate]
kind = "joint_rate"
joint = "mast_slide"
[sensors.tip]
kind = "deflection"
appendage = "wing"
node = "tip"
direction = [0.0, 0.0, 1.0]
[sensors.tip_rate]
kind = "deflection_rate"
appendage = "wing"
node = "tip"
direction = [0.0, 0.0, 1.0]
[sensors.tip_turn]
kind = "rotation"
appendage = "wing"
node = "tip"
direction = [0.0, 1.0, 0.0]
[sensors.root_force]
kind = "joint_force"
joint = "array_drive"
direction = [1.0, 0.0, 0.0]
[sensors.wheel_rate]
kind = "rotor_rate"
rotor = "wheel"
inertial = true
[sensors.clock]
kind = "profile"
profile = { shape = "ramp", value = 2.0, start = 0.0, duration = 2.0 }
[sensors.shake]
kind = "accelerometer"
body = "bus"
frame = "deck"
direction = [0.0, 0.0, 1.0]
[sensors.tip_shake]
kind = "accelerometer"
appendage = "wing"
node = "tip"
direction = [0.0, 0.0, 1.0]
[sensors.demand]
kind = "input"
input = "poke"
[sensors.noisy_gyro]
kind = "rate"
body = "bus"
direction = [0.0, 0.0, 1.0]
errors = { period = 0.02, latency = 0.03, noise_density = 1e-6, bias = 1e-5, random_walk = 1e-6, seed = 3 }
[sensors.encoder]
kind = "joint_angle"
joint = "array_drive"
errors = { period = 0.05, quantum = 1e-4, sigma = 1e-5 }
[sensors.imu]
kind = "accelerometer"
body = "bus"
point = "mount"
direction = [0.0, 1.0, 0.0]
errors = { period = 0.1, sigma = 1e-5 }

[controllers.pointing]
kind = "attitude"
body = "bus"
kp = [20.0, 0.0, 0.0]
kd = [60.0, 0.0, 0.0]
ki = 0.5
rotors = ["wheel"]
limit = 5.0
slew_axis = [1.0, 0.0, 0.0]
slew_deg = { shape = "smooth_ramp", value = 2.0, start = 0.2, duration = 1.5 }
notch = { frequency_hz = 0.9, width = 0.5, depth = 0.05 }
[controllers.hold]
kind = "joint"
joint = "array_drive"
kp = 8.0
kd = 4.0
ki = 0.2
gravity_compensation = true
reference_deg = { shape = "ramp", value = 5.0, start = 0.0, duration = 2.0 }
[controllers.tacho]
kind = "wheel_speed"
rotor = "wheel_y"
kp = 0.4
ki = 0.1
reference = 3.0
period = 0.05
delay = 0.02
discretization = "tustin"
[controllers.damper]
kind = "state_space"
inputs = ["slide_rate"]
outputs = [{ kind = "joint_torque", joint = "mast_slide" }]
A = [[-2.0]]
B = [[1.0]]
C = [[-30.0]]
D = [[-5.0]]
[controllers.trim]
kind = "state_space"
inputs = ["encoder", "noisy_gyro", "imu"]
outputs = [{ kind = "joint_torque", joint = "array_drive" }]
A = [[0.9]]
B = [[0.1, 0.0, 0.0]]
C = [[-0.2]]
D = [[-0.1, -0.1, 0.0]]
period = 0.1
discrete = true
hold = "first"
[controllers.jets]
kind = "thruster_logic"
inputs = ["angle", "gyro_y"]
outputs = [{ kind = "torque", body = "bus", direction = [0.0, 1.0, 0.0] }]
deadband_deg = 0.05
hysteresis = 0.3
lead = 0.5
strength = 1.5
period = 0.1
delay = 0.04
[controllers.pulses]
kind = "thruster_pulses"
body = "bus"
kp = 0.2
kd = [0.4, 0.4, 0.4]
ki = 0.0
reference = { axis = [0.0, 0.0, 1.0], angle_deg = 10.0 }
slew_deg = 0.0
slew_axis = [0.0, 0.0, 1.0]
center = [0.0, 0.0, 0.0]
period = 0.5
delay = 0.01
minimum_on = 0.02
quantum = 0.01
deadband_deg = 0.01
[controllers.pulses.thrusters]
north = { point = [0.0, 1.0, 0.0], direction = [0.0, 0.0, 1.0], thrust = 0.1 }
south = { point = "mount", direction = [0.0, 0.0, -1.0], frame = "deck", thrust = 0.1 }

[events.late]
sensor = "clock"
level = 1.5
direction = "rising"

[initial]
position = [0.0, 3.0, 0.0]
attitude = { axis = [0.0, 0.0, 1.0], angle_deg = 10.0 }
angular_velocity = [0.01, -0.02, 0.015]
velocity = [0.0, 0.1, 0.0]
joints = { mast_slide = 0.02, piston = [0.01, 0.1], released = [0.0, 0.0, 0.1, 1.0, 0.0, 0.0, 0.0] }
joints_deg = { array_drive = 20.0, engine_gimbal = [1.0, -2.0] }
joint_rates_deg = { array_drive = 0.5 }
modal = { wing = [0.001, 0.0, 0.002] }
rotor_rates = { wheel = 50.0, spinner = 7.0 }

[outputs]
angles = "space-zyx"

[simulation]
duration = 2.0
output_step = 0.002
rtol = 1e-9
"""


@pytest.fixture
def vehicle(tmp_path) -> Path:
    save_record(random_bodies(0), tmp_path / "wing.h5")
    (tmp_path / "torque.csv").write_text("time,other,torque\n0.0,9,0.1\n0.5,9,0.2\n1.5,9,-0.1\n")
    path = tmp_path / "vehicle.toml"
    path.write_text(EVERYTHING)
    return path


def kinds(annotation) -> set[str]:
    """The words that tell the members of a union of tables apart."""
    return {word for member in types_in(annotation) for word in tag_of(member)[1]}


def test_the_file_really_names_every_kind():
    """Every kind that is declared occurs in the file that flies."""
    words = set(re.findall(r"\"([a-z_]+)\"", EVERYTHING + EVERY_LOOP))
    assert set(AXES) == kinds(JointTable) and kinds(JointTable) - {"hinge"} <= words  # hinge is the default
    for table in (LoadTable, SensorTable, ControllerTable, ProfileValue):
        assert len(kinds(table)) > 4 and kinds(table) <= words
    assert {"speed", "momentum", "hold", "cubic"} <= words


def test_a_file_with_every_kind_flies_and_balances(vehicle, tmp_path):
    result = run("simulate", vehicle, "-o", tmp_path / "run.h5", "--json")
    assert result.exit_code == 0, result.stderr
    assert result.data["complete"]
    # two thrusters and one wheel for three axes; pulses of 0.1 s, a last mode of 2.6 Hz
    few, missed, doubt = result.data["warnings"]
    assert "controller pulses commands 3 axes, but its only 2 actuators north, south act along" in few
    assert "controller pointing commands torque about 3 axes, but its rotors wheel act about 1" in missed
    assert (
        "of the energy of command pulses/south (2 more like it) lies above the last kept mode of wing (2.629 Hz)"
        in doubt
    )
    trajectory = load_trajectory(tmp_path / "run.h5")
    worst = trajectory.balance.worst()
    assert worst["energy"] < 1e-6 and worst["momentum"] < 1e-6 and worst["angular momentum"] < 1e-6
    recomputed = result.data["recomputed"]
    assert max(recomputed["integrals"].values()) < 1e-12  # by plain sums over poses and modal integrals
    if recomputed["nodal_appendages"]:
        assert max(recomputed["nodes"].values()) < 1e-12  # by recovered nodal motion and the elements' mass
    t, signal = trajectory.times, trajectory.signals
    assert signal["clock"] == pytest.approx(t)
    assert [(e.name, round(e.time, 9)) for e in trajectory.events] == [("late", 1.5)]
    # a gyro in a turned frame reads the same rate vector
    c, s = np.cos(np.radians(30.0)), np.sin(np.radians(30.0))
    assert signal["gyro"] == pytest.approx(c * signal["gyro_x"] + s * signal["gyro_y"], abs=1e-12)
    # prescribed coordinates are followed; the speed rotor follows its ramp
    assert trajectory.joints["camera_head"][-1, 1] == pytest.approx(np.radians(10.0))
    assert trajectory.joints["mirror_scan"].ravel()[-1] == pytest.approx(0.5 * 0.2 * 1.0 + 0.2 * 1.0)
    assert trajectory.rotor_rates["fan"][-1] == pytest.approx(20.0)
    # velocity is the rate of position
    for place, speed in (("place", "speed"), ("tip", "tip_rate")):
        slope = (signal[place][2:] - signal[place][:-2]) / (t[2:] - t[:-2])
        assert signal[speed][1:-1] == pytest.approx(slope, abs=1e-3 * np.abs(slope).max())


def test_controllers_are_of_the_right_sort_and_a_case_flies_twice_alike(vehicle):
    case = read_vehicle(vehicle)
    sorts = {c.name: type(c) for c in case.controllers}
    assert sorts["jets"] is SampledController and set(sorts.values()) == {
        LinearController,
        SampledController,
        PulsedController,
    }
    assert sorts["tacho"] is sorts["trim"] is SampledController and sorts["pulses"] is PulsedController
    first, again = fly(case), fly(case)
    assert np.array_equal(first.attitude, again.attitude)


def test_a_prescribed_base_moves_as_the_file_says(vehicle):
    """The base follows its profiles, so the record of its pose is the profile itself."""
    text = EVERYTHING.replace(
        "[bodies.bus]\n",
        '[base]\nmotion = "prescribed"\nx = { shape = "smooth_ramp", value = 0.1, start = 0.0, duration = 1.0 }\n'
        'axis = [0.0, 0.0, 1.0]\nangle_deg = { shape = "smooth_ramp", value = 5.0, start = 0.5, duration = 1.0 }\n'
        "[bodies.bus]\n",
        1,
    )
    for line in ("angular_velocity = [0.01, -0.02, 0.015]\n", "velocity = [0.0, 0.1, 0.0]\n"):
        text = text.replace(line, "")
    vehicle.write_text(text)
    case = read_vehicle(vehicle)
    assert isinstance(case.vehicle.base_motion, PrescribedMotion)
    final = fly(case).state(-1)
    half = np.radians(15.0) / 2.0
    assert final.position == pytest.approx([0.1, 3.0, 0.0], abs=1e-9)
    assert np.abs(final.attitude) == pytest.approx([np.cos(half), 0.0, 0.0, np.sin(half)], abs=1e-9)


def test_motions_that_jump_are_warned_about(vehicle):
    """A joint told to follow a straight ramp changes its rate at once: no finite torque does that."""
    vehicle.write_text(
        EVERYTHING.replace('axis = 2, shape = "smooth_ramp"', 'axis = 2, shape = "ramp"').replace(
            'profile = { shape = "constant", value = 4.0 }', 'profile = { shape = "step", value = 4.0, start = 1.0 }'
        )
    )
    warnings = run("simulate", vehicle, "--json").data["warnings"]
    assert any("joint camera_head jumps in rate at t = 0.1 s" in w for w in warnings)
    assert any("momentum of rotor bias jumps at t = 1 s" in w for w in warnings)
    assert len([w for w in warnings if "jumps" in w]) == 2, warnings


BROKEN = {
    "unknown frame of a joint": ('parent_frame = "deck"', 'parent_frame = "dek"', r"camera_head\.parent_frame"),
    "frame and point": ('parent_frame = "deck"', 'parent_frame = "deck"\nparent_point = "mount"', "excludes"),
    "unknown frame of a sensor": (
        'frame = "deck"\ndirection = [0.0, 0.0, 1.0]', 'frame = "dek"\ndirection = [0.0, 0.0, 1.0]', "shake.frame"
    ),
    "axis that a joint lacks": ("axis = 2, shape", "axis = 4, shape", "does not exist"),
    "base told to move but not how": ("[bodies.bus]\n", '[base]\nmotion = "prescribed"\n[bodies.bus]\n', r"base\.x: is missing"),
    "two places with one name": ("[bodies.bus.frames.deck]", "[bodies.bus.frames.mount]", "share a name"),
}  # fmt: skip


@pytest.mark.parametrize("name", BROKEN)
def test_mistakes_in_frames_and_motions_are_named(name, vehicle):
    old, new, message = BROKEN[name]
    assert old in EVERYTHING
    vehicle.write_text(EVERYTHING.replace(old, new, 1))
    result = run("simulate", vehicle)
    assert result.exit_code == 2 and re.search(message, result.stderr), result.stderr
