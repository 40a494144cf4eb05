"""Change of an inertia matrix by a small rotation (S4 16.10), as the slope of a reduced appendage's inertia.

A11 = B11 + 2 (t2 B31 - t3 B12), A23 = B23 + t1 (B22 - B33) - t2 B12 + t3 B31, the rest by cyclic exchange: t~ B - B t~.
A nodal body on torsion springs turns by t = theta eta, so the slope of its inertia with the modal coordinates is that
expression (S1 Eq 48).
"""

import numpy as np
import pytest
from scipy.spatial.transform import Rotation

import tisserand as ts

B = np.array([[9.0, 0.7, -1.1], [0.7, 6.0, 0.4], [-1.1, 0.4, 5.0]])


def first_order(t: np.ndarray) -> np.ndarray:
    """The printed rule written out, element by element."""
    (B11, B12, _), (_, B22, B23), (B31, _, B33) = B
    t1, t2, t3 = t
    A11 = 2.0 * (t2 * B31 - t3 * B12)
    A22 = 2.0 * (t3 * B12 - t1 * B23)
    A33 = 2.0 * (t1 * B23 - t2 * B31)
    A23 = t1 * (B22 - B33) - t2 * B12 + t3 * B31
    A31 = t2 * (B33 - B11) - t3 * B23 + t1 * B12
    A12 = t3 * (B11 - B22) - t1 * B31 + t2 * B23
    return np.array([[A11, A12, A31], [A12, A22, A23], [A31, A23, A33]])


def turning_body(tmp_path) -> ts.ReducedAppendage:
    """A 2 kg body on three torsion springs at the origin; its place is held."""
    lines = [
        "SOL 103", "BEGIN BULK", "GRID,1,,0.,0.,0.,,123", "CONM2,2,1,,2.",
        f"+,{B[0, 0]},{-B[1, 0]},{B[1, 1]},{-B[2, 0]},{-B[2, 1]},{B[2, 2]}",
        "CELAS2,11,40.,1,4", "CELAS2,12,55.,1,5", "CELAS2,13,70.,1,6", "ENDDATA",
    ]  # fmt: skip
    path = tmp_path / "body.bdf"
    path.write_text("\n".join(lines) + "\n")
    basis = ts.solve_modes(ts.assemble(ts.read_model(path, units="SI")), count=3)
    return ts.reduce(basis, reference_point=[0, 0, 0], interfaces={"body": 1})


def test_slope_of_the_inertia_is_the_printed_first_order_change(tmp_path):
    body = turning_body(tmp_path)
    assert body.integrals.inertia == pytest.approx(B, abs=1e-12)
    for k in range(3):
        t = body.interface("body").rotation[:, k]
        assert np.asarray(body.integrals.inertia_first)[..., k] == pytest.approx(first_order(t), abs=1e-12)


def test_finite_rotation_differs_at_second_order(tmp_path):
    """Against R B R' with the exact rotation, the error of B + slope falls fourfold when the turn halves."""
    body = turning_body(tmp_path)
    eta = np.array([0.4, -0.3, 0.5])
    slope = np.asarray(body.integrals.inertia_first) @ eta
    errors = []
    for scale in (0.1, 0.05):
        R = Rotation.from_rotvec(scale * body.interface("body").rotation @ eta).as_matrix()
        errors.append(np.abs(R @ B @ R.T - B - scale * slope).max())
    assert errors[0] / errors[1] == pytest.approx(4.0, rel=0.05)
