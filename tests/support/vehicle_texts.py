"""Vehicle files that several tests fly."""

ARM = """
name = "arm on the ground"
gravity = [0.0, 0.0, -9.81]
[base]
motion = "fixed"
[bodies.ground]
mass = 1.0
inertia = [1.0, 1.0, 1.0]
[bodies.bar]
mass = 2.0
center = [0.6, 0.0, 0.0]
inertia = [0.01, 0.24, 0.24]
[joints.shoulder]
parent = "ground"
child = "bar"
axis = [0.0, -1.0, 0.0]
stiffness = 40.0
[simulation]
duration = 5.0
"""
#: A bus that carries the record wing.h5, turning freely.
BUS_AND_WING = """
[bodies.bus]
mass = 80.0
inertia = [60.0, 50.0, 70.0]
[appendages.wing]
record = "wing.h5"
body = "bus"
[initial]
angular_velocity = [0.01, 0.02, 0.0]
"""
#: A sensor of its rate.
RATE = """
[sensors.rate]
kind = "rate"
body = "bus"
direction = [1.0, 0.0, 0.0]
"""
