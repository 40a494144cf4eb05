"""Every key of every table of a vehicle file stands in a file that flies: in the two with every kind, or in one of these."""

import tomllib
from typing import get_args

import pytest
from studies.test_every_kind import EVERYTHING
from support.appendages import random_bodies
from support.examples import FOLDER
from support.loop_texts import EVERY_LOOP

import tisserand as ts
from tisserand.appendage import save_record
from tisserand.declarations.base import Table
from tisserand.multibody.vehicle_file.whole_file import VehicleFile

#: A driven base, joints on frames and flexible nodes of their children, every option of a run.
DRIVEN = """
name = "every other key"
bodies_include_rotors = true
bodies_include_appendages = true

[base]
body = "table"
motion = "prescribed"
x = { shape = "sine", amplitude = 0.01, frequency_hz = 1.0, start = 0.1, offset = 0.002 }
y = { shape = "noise", frequencies_hz = [1.0, 5.0], levels = [1e-6, 1e-6], duration = 1.0, start = 0.1, seed = 3 }
z = 0.1
angle_deg = { shape = "ramp", value = 5.0, duration = 1.0 }
axis = [0.0, 1.0, 0.0]

[bodies.table]
mass = 500.0
inertia = [300.0, 300.0, 300.0]
[bodies.arm]
mass = 20.0
inertia = [5.0, 6.0, 7.0]
[bodies.arm.frames.wrist]
position = [0.3, 0.0, 0.0]
attitude = { axis = [0.0, 0.0, 1.0], angle_deg = 90.0 }
[bodies.hand]
mass = 60.0
inertia = [90.0, 90.0, 90.0]
[bodies.finger]
mass = 2.0
inertia = [0.2, 0.2, 0.2]
[bodies.gimbal]
mass = 2.0
inertia = [0.2, 0.2, 0.2]
[bodies.camera]
mass = 2.0
inertia = [0.2, 0.2, 0.2]

[joints.shoulder]
parent = "table"
child = "arm"
axis = [0.0, 0.0, 1.0]
child_frame = "wrist"
motion_deg = 10.0
[joints.wrist]
kind = "universal"
parent = "arm"
child = "hand"
axes = [[1.0, 0.0, 0.0], [0.0, 1.0, 0.0]]
child_interface = ["wing", "tip"]
child_attitude = { axis = [1.0, 0.0, 0.0], angle_deg = 20.0 }
stiffness = 50.0
damping = 1.0
limits = [[-1.0, 1.0], [-1.0, 1.0]]
[joints.knuckle]
kind = "universal"
parent = "hand"
child = "finger"
axes = [[1.0, 0.0, 0.0], [0.0, 1.0, 0.0]]
stiffness = 5.0
limits_deg = [[-60.0, 60.0], [-60.0, 60.0]]
motion = [{ axis = 1, shape = "sine", amplitude = 0.1, frequency_hz = 0.5 }]
[joints.gimbal]
kind = "gimbal"
parent = "table"
child = "gimbal"
axes = [[1.0, 0.0, 0.0], [0.0, 1.0, 0.0], [0.0, 0.0, 1.0]]
stiffness = 5.0
damping = 0.5
limits = [[-1.0, 1.0], [-1.0, 1.0], [-1.0, 1.0]]
[joints.camera]
kind = "gimbal"
parent = "table"
child = "camera"
axes = [[1.0, 0.0, 0.0], [0.0, 1.0, 0.0], [0.0, 0.0, 1.0]]
stiffness = 5.0
damping = 0.5
limits_deg = [[-60.0, 60.0], [-60.0, 60.0], [-60.0, 60.0]]
[appendages.wing]
record = "wing.h5"
body = "hand"
position = [0.1, 0.0, 0.0]
frequency_scale = 1.05
mode_frequency_scale = { "mode 1" = 0.98 }
damping = 0.01
shape_gain = 1.02
mode_shape_gain = { "mode 2" = 0.97 }
mass_scale = 1.01
[appendages.boom]
case = "boom.toml"
body = "table"

[simulation]
duration = 0.05
samples = 3
method = "dop853"
engine = "recursive"
atol = 1e-10
max_steps = 100000
on_limit = "record"
segment = 0.02

[outputs]
trajectory = "run.h5"
csv = "run.csv"
plot = "run.png"
report = "run.html"
"""

#: Keys of sensors, laws, loads, locks and events that the others leave at their defaults.
FREE = """
[bodies.bus]
mass = 100.0
inertia = [30.0, 30.0, 40.0]
[bodies.mirror]
mass = 2.0
inertia = [0.2, 0.2, 0.2]
[bodies.lid]
mass = 2.0
inertia = [0.2, 0.2, 0.2]
[joints.mirror]
kind = "universal"
parent = "bus"
child = "mirror"
axes = [[1.0, 0.0, 0.0], [0.0, 1.0, 0.0]]
damping = 0.1
[joints.lid]
parent = "bus"
child = "lid"
axis = [0.0, 0.0, 1.0]
[rotors.wheel]
body = "bus"
axis = [0.0, 0.0, 1.0]
spin_inertia = 0.01
[appendages.wing]
record = "wing.h5"
body = "bus"
[sensors.tilt]
kind = "joint_angle"
joint = "mirror"
axis = 2
[sensors.error]
kind = "attitude"
body = "bus"
direction = [0.0, 0.0, 1.0]
reference = { axis = [0.0, 0.0, 1.0], angle_deg = 1.0 }
[controllers.mirror]
kind = "joint"
joint = "mirror"
axis = 2
kp = 0.5
kd = 0.1
reference = 0.05
[controllers.attitude]
kind = "attitude"
body = "bus"
kp = 1.0
kd = 5.0
reference = { axis = [0.0, 0.0, 1.0], angle_deg = 1.0 }
[loads.coil]
kind = "magnetic"
body = "bus"
dipole = [0.0, 1.0, 0.0]
field = [3e-5, 0.0, 0.0]
orbit_rate = 0.001
vertical = [0.0, 0.0, 1.0]
along = [1.0, 0.0, 0.0]
[loads.push]
kind = "node_force"
appendage = "wing"
node = "tip"
direction = [0.0, 0.0, 1.0]
inertial = true
strength = 0.1
[loops.hold]
kind = "lock"
joint = "mirror"
axis = 1
begin = 0.02
[loops.catch]
kind = "latch"
joint = "lid"
angle = 0.01
[events.enough]
sensor = "tilt"
level = 1.0
stop = true
[initial]
joint_rates = { lid = 0.5 }
modal_rates = { wing = [0.01, 0.0, 0.0, 0.0] }
rotor_angles = { wheel = 0.5 }
INITIAL
[simulation]
duration = 0.05
samples = 3
method = "rk4"
step = 0.001
"""

#: Weight that turns with the base acts on rigid bodies alone.
CARRIED = """
gravity = [0.0, 0.0, -1.0]
gravity_carrier = "bus"
[bodies.bus]
mass = 100.0
inertia = [30.0, 30.0, 40.0]
[simulation]
duration = 0.05
"""

GRADIENT = """
[loads.gradient]
kind = "gravity_gradient"
orbit_rate = 0.001
vertical = [0.0, 0.0, 1.0]
along = [1.0, 0.0, 0.0]
"""
PLANET = """
[environment]
"""

#: Ways to state where the vehicle is and how it turns, which exclude each other; with a planet or without.
STATES = {
    "spin": (
        FREE + GRADIENT,
        'spin = { axis = "major", rate = 0.1 }\ncenter_position = [0.0, 1.0, 0.0]\ncenter_velocity = [0.1, 0.0, 0.0]',
    ),
    "momentum": (FREE, "angular_momentum = [0.0, 0.0, 2.0]"),
    "rates": (
        FREE,
        'attitude = { angles_deg = [1.0, 2.0, 3.0], angle_set = "space-zyx" }\nangle_rates_deg = [0.1, 0.2, 0.3]',
    ),
    "circle": (FREE + PLANET, 'axes = "orbit"\norbit = { altitude = 5e5, inclination_deg = 50.0, node_deg = 10.0 }'),
    "ellipse": (
        FREE + PLANET,
        "orbit = { semi_major_axis = 8e6, eccentricity = 0.1, perigee_deg = 20.0, anomaly_deg = 30.0 }",
    ),
}


def texts() -> dict[str, str]:
    return {"driven": DRIVEN, "carried": CARRIED} | {
        name: text.replace("INITIAL", words) for name, (text, words) in STATES.items()
    }


def owner(kind: type[Table], name: str) -> str:
    """The type that declares a key first; the shapes of profiles share the axis that follows them."""
    if kind.__name__.endswith("OnAxis"):
        return "OnAxis" if name == "axis" else owner(kind.__mro__[1], name)
    return next(c.__name__ for c in reversed(kind.__mro__) if name in getattr(c, "__annotations__", {}))


def stated(value, found: set[tuple[str, str]]) -> None:
    """Keys that a file states, by the type that declares them."""
    if isinstance(value, Table):
        found |= {(owner(type(value), name), name) for name in value.model_fields_set}
        value = [getattr(value, name) for name in type(value).model_fields]
    for item in value.values() if isinstance(value, dict) else value if isinstance(value, (list, tuple)) else ():
        stated(item, found)


def declared(kind: type[Table], seen: set[type[Table]]) -> set[tuple[str, str]]:
    """Keys that a file may state."""
    if kind in seen:
        return set()
    seen.add(kind)
    keys = {(owner(kind, name), name) for name in kind.model_fields}
    pending = [field.annotation for field in kind.model_fields.values()]
    while pending:
        one = pending.pop()
        if isinstance(one, type) and issubclass(one, Table):
            keys |= declared(one, seen)
        pending += get_args(one)
    return keys


def test_every_key_is_in_a_file_that_flies(tmp_path):
    found: set[tuple[str, str]] = set()
    for text in (EVERYTHING, EVERY_LOOP, *texts().values()):
        stated(VehicleFile.model_validate(tomllib.loads(text), context={"folder": tmp_path}), found)
    every = declared(VehicleFile, set())
    assert len(every) > 450 and every - found == {("InitialTable", "equilibrium")}  # studies/test_settled_vehicles.py


@pytest.mark.parametrize("name", texts())
def test_the_other_files_fly(name, tmp_path):
    save_record(random_bodies(0), tmp_path / "wing.h5")
    boom = FOLDER / "boom.toml"
    (tmp_path / "boom.toml").write_text(boom.read_text().replace("../meshes", str(FOLDER.parent / "meshes")))
    path = tmp_path / "vehicle.toml"
    path.write_text(texts()[name])
    case = ts.read_vehicle(path)
    run = case.simulation().run(case.run.duration, samples=3)
    assert run.complete and max(run.balance.worst().values()) < 1e-3
