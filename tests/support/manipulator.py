"""The spacecraft with a manipulator of the motion-variables paper."""

import numpy as np

from tisserand.multibody import Body, Vehicle, gimbal, hinge


def manipulator():
    """S3 Fig. 1: A with B on a hinge through its mass center, then C on a ball joint, D and E on hinges; 9 + translations."""
    A = Body("A", 500.0, inertia=[120, 150, 100])
    B = Body("B", 20.0, inertia=[3, 4, 2])
    C = Body("C", 12.0, center=[0, 0, 0.6], inertia=[1.5, 1.5, 0.1])
    D = Body("D", 9.0, center=[0, 0, 0.5], inertia=[1.0, 1.0, 0.1])
    E = Body("E", 4.0, center=[0, 0, 0.2], inertia=[0.2, 0.2, 0.05])
    joints = (
        hinge("AB", "A", "B", [0, 1, 0]),
        gimbal("BC", "B", "C", np.eye(3), parent_point=[0, 0.4, 0]),
        hinge("CD", "C", "D", [1, 0, 0], parent_point=[0, 0, 1.2]),
        hinge("DE", "D", "E", [0, 0, 1], parent_point=[0, 0, 1.0]),
    )
    return Vehicle("manipulator", (A, B, C, D, E), joints)
