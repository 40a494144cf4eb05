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
