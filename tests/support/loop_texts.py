"""One vehicle file with every kind of loop."""


def _carriage(name: str, mass: float, y: float) -> str:
    """A body that three sliders and a ball carry, so that only its loop holds it."""
    text, before, place = "", "bus", f"parent_point = [2.0, {y}, 0.0]\n"
    for i, axis in enumerate(("[1.0, 0.0, 0.0]", "[0.0, 1.0, 0.0]", "[0.0, 0.0, 1.0]")):
        cart = f"{name}_{'xyz'[i]}"
        text += f"[bodies.{cart}]\nmass = 0.2\ninertia = [0.01, 0.01, 0.01]\n"
        text += f'[joints.{cart}]\nkind = "prismatic"\nparent = "{before}"\nchild = "{cart}"\naxis = {axis}\n{place}'
        before, place = cart, ""
    text += f"[bodies.{name}]\nmass = {mass}\ninertia = [0.1, 0.11, 0.12]\n"
    return text + f'[joints.{name}_turn]\nkind = "ball"\nparent = "{before}"\nchild = "{name}"\n'


def _links(name: str, y: float) -> str:
    """Three links on crossed hinges."""
    text, before, place = "", "bus", f"parent_point = [-1.0, {y}, 0.0]\n"
    for i, axis in enumerate(("[0.0, 0.0, 1.0]", "[0.0, 1.0, 0.0]", "[1.0, 0.3, 0.0]")):
        link = f"{name}{i + 1}"
        text += f"[bodies.{link}]\nmass = 1.0\ncenter = [0.25, 0.1, 0.0]\ninertia = [0.02, 0.03, 0.03]\n"
        text += f'[joints.{link}]\nparent = "{before}"\nchild = "{link}"\naxis = {axis}\n{place}damping = 0.1\n'
        before, place = link, "parent_point = [0.5, 0.2, 0.1]\n"
    return text


EVERY_LOOP = (
    """
name = "every loop"
gravity = [0.0, 0.1, -2.0]

[bodies.bus]
mass = 400.0
inertia = [300.0, 250.0, 350.0]
points = { corner = [2.0, 1.0, 0.0] }
[bodies.drum]
mass = 5.0
inertia = [0.3, 0.3, 0.4]
[joints.drum]
parent = "bus"
child = "drum"
axis = [0.0, 0.0, 1.0]
stiffness = 2.0
[bodies.mast]
mass = 3.0
inertia = [0.3, 0.3, 0.4]
[joints.mast]
kind = "prismatic"
parent = "bus"
child = "mast"
axis = [0.0, 0.0, 1.0]
[bodies.bob]
mass = 2.0
center = [0.0, 0.0, -0.5]
inertia = [0.1, 0.1, 0.1]
[joints.bob]
kind = "ball"
parent = "bus"
child = "bob"
parent_point = [0.0, -2.0, 0.0]
[bodies.puck]
mass = 2.0
center = [0.0, 0.5, -0.5]
inertia = [0.1, 0.1, 0.1]
[joints.puck]
kind = "ball"
parent = "bus"
child = "puck"
parent_point = [0.0, 2.0, 0.0]
"""
    + _carriage("marble", 2.0, 0.0)
    + _carriage("gate", 3.0, 1.0)
    + _carriage("block", 4.0, -1.0)
    + _links("arm", 0.5)
    + _links("leg", -0.5)
    + """
[loops.pin]
kind = "point"
first = { body = "bus", point = [-0.1, 1.5, -0.15] }
second = { body = "arm3", point = [0.1, 0.4, 0.0] }
[loops.guide]
kind = "line"
first = { body = "bus", point = [0.2, 0.2, 0.4] }
second = { body = "leg3", point = [0.4, 0.0, 0.0] }
direction = [0.0, 1.0, 1.0]
[loops.floor]
kind = "plane"
first = { body = "bus", point = [0.0, 2.0, -0.5] }
second = { body = "puck", point = [0.1, 0.5, -0.5] }
normal = [0.0, 0.3, 1.0]
[loops.pivot]
kind = "hinge"
first = { body = "bus", point = "corner" }
second = { body = "gate" }
axis = [0.0, 0.6, 0.8]
[loops.clamp]
kind = "weld"
first = { body = "bus", point = [2.0, -1.0, 0.0] }
second = { body = "block" }
[loops.rod]
kind = "distance"
first = { body = "bus" }
second = { body = "bob", point = [0.3, 0.0, -1.0] }
length = { shape = "smooth_ramp", value = 2.3, start = 0.05, duration = 0.3, first = 2.25 }
[loops.mesh]
kind = "gear"
joint = "mast"
axis = 1
end = "half_open"
driver = "drum"
driver_axis = 1
ratio = 0.05
level = 0.02
[loops.contact]
kind = "rolling"
first = { body = "bus", point = [2.0, 0.0, -0.1] }
second = { body = "marble" }
normal = [0.0, 0.0, 1.0]
radius = 0.1
[loops.blade]
kind = "skate"
first = { body = "bus" }
second = { body = "marble", point = [0.05, 0.0, 0.0] }
across = [0.0, 1.0, 0.0]

[bodies.flap]
mass = 1.0
center = [0.3, 0.0, 0.0]
inertia = [0.01, 0.04, 0.04]
[joints.flap]
parent = "bus"
child = "flap"
axis = [0.0, 1.0, 0.0]
parent_point = [0.0, 0.0, 2.0]
stiffness = 20.0
rest = 1.0
[joints.drawer]
kind = "prismatic"
parent = "bus"
child = "drawer"
axis = [0.0, 1.0, 0.0]
limits = [-0.01, 0.5]
[bodies.drawer]
mass = 2.0
inertia = [0.1, 0.1, 0.1]
[joints.bumper]
kind = "prismatic"
parent = "bus"
child = "bumper"
axis = [0.0, 0.0, 1.0]
limits = [-0.005, 0.5]
[bodies.bumper]
mass = 2.0
inertia = [0.1, 0.1, 0.1]
[joints.slide]
kind = "prismatic"
parent = "bus"
child = "slide"
axis = [0.0, 1.0, 1.0]
[bodies.slide]
mass = 2.0
inertia = [0.1, 0.1, 0.1]
[joints.cover]
parent = "bus"
child = "cover"
axis = [1.0, 0.0, 0.0]
stiffness = 3.0
rest = 0.5
[bodies.cover]
mass = 1.0
inertia = [0.1, 0.1, 0.1]

[loops.catch]
kind = "latch"
joint = "flap"
angle_deg = 10.0
direction = "rising"
[loops.drawer_stop]
kind = "end_stop"
joint = "drawer"
restitution = 0.4
settle_rate = 0.002
[loops.bumper_stop]
kind = "end_stop"
joint = "bumper"
stiffness = 3000.0
damping = 5.0
[loops.rub]
kind = "friction_lock"
joint = "slide"
coulomb = 0.4
breakaway = 0.5
stribeck_rate = 0.1
[loops.cover_pin]
kind = "lock"
joint = "cover"
level = 0.0
end = 0.1

[sensors.flap_angle]
kind = "joint_angle"
joint = "flap"
[events.half_open]
sensor = "flap_angle"
level = 0.1
[sensors.rod_force]
kind = "loop_force"
loop = "rod"
row = 1

[initial]
assemble = true
joints = { arm1 = 0.3, arm2 = 0.9, arm3 = 0.8, leg1 = 0.2, leg2 = -0.3, leg3 = 0.5, drum = 0.4 }
joint_rates = { drawer = -0.2 }
angular_velocity = [0.0, 0.0, 0.1]

[simulation]
duration = 0.3
samples = 31
rtol = 1e-8
"""
)
