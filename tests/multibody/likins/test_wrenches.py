"""Loads on nodes that move and turn to second degree: generalized forces by the virtual work of the motion itself."""

import numpy as np
import pytest
from scipy.linalg import expm_frechet
from scipy.spatial.transform import Rotation
from support.flexible import random_appendage

from tisserand.multibody import Body, MountedAppendage, Vehicle, likins
from tisserand.multibody.likins.wrenches import no_wrenches, turn_tangent

TURN, AT = Rotation.from_rotvec([0.5, -0.3, 0.9]).as_matrix(), np.array([0.3, 0.1, -0.2])
MODES = 4
FORCE, TORQUE = np.array([1.3, -0.4, 0.8]), np.array([-0.6, 0.9, 0.5])


def tilde(v):
    return np.array([[0.0, -v[2], v[1]], [v[2], 0.0, -v[0]], [-v[1], v[0], 0.0]])


def spun(b, db):
    """Angular velocity of exp(b~) while b changes with the rate db, from the derivative of the matrix exponential."""
    R, dR = expm_frechet(tilde(b), tilde(db))
    rate = dR @ R.T
    return np.array([rate[2, 1], rate[0, 2], rate[1, 0]])


@pytest.mark.parametrize("size", [0.0, 9e-5, 1.1e-4, 0.3, 2.0])
def test_tangent_of_a_turn_is_the_derivative_of_the_matrix_exponential(size):
    """On both sides of the change from series to closed form; 1e-13 where the series serves, 1e-7 s where 1 - cos cancels."""
    b = size * np.array([2.0, -1.0, 2.0]) / 3.0
    wanted = np.column_stack([spun(b, e) for e in np.eye(3)])
    assert turn_tangent(b) == pytest.approx(wanted, abs=1e-13 if size < 1e-4 else 1e-7 * min(size, 1e-4))


@pytest.mark.parametrize("size", [1e-5, 0.4])
def test_loads_on_a_node_do_the_work_of_its_motion(size):
    """x = p + phi q - 1/2 q'Kg q, b likewise (families of unit loads); Q = f.dx/dq + t.w(b, db/dq), 1e-11."""
    rng = np.random.default_rng(5)
    half = rng.normal(size=(6, MODES, MODES))
    Kg = half + half.transpose(0, 2, 1)
    record = random_appendage(8, MODES).changed(geometric_stiffness={f"F:tip:{i + 1}": Kg[i] for i in range(6)})
    tip, q = record.interface("tip"), size * rng.normal(size=MODES)

    def moved(q):
        """Place of the node and its rotation vector, body axes."""
        square = -0.5 * np.einsum("ikl,k,l->i", Kg, q, q)
        return AT + TURN @ (tip.position + tip.translation @ q + square[:3]), TURN @ (tip.rotation @ q + square[3:])

    model = likins.build(
        Vehicle(
            "v",
            (Body("hub", 50.0, inertia=[10, 12, 15]),),
            appendages=(MountedAppendage("w", record, "hub", AT, TURN),),
        )
    )
    found = no_wrenches(model)
    found.at_node("w", "tip", q, FORCE, TORQUE)
    place, b = moved(q)
    slopes = [[0.5 * (one - two) for one, two in zip(moved(q + e), moved(q - e))] for e in np.eye(MODES)]  # exact
    work = [FORCE @ dx + TORQUE @ spun(b, db) for dx, db in slopes]
    assert found.modal == pytest.approx(work, rel=1e-11, abs=1e-11)
    assert found.forces[0] == pytest.approx(FORCE, rel=1e-14)
    assert found.torques[0] == pytest.approx(np.cross(place, FORCE) + TORQUE, rel=1e-12)
