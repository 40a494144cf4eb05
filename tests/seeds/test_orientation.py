"""Finite rotations in every description, against the worked examples of S4 10.1-10.5 and 10.7."""

import numpy as np
import pytest

import tisserand as ts


def about(axis, degrees: float) -> np.ndarray:
    """Quaternion of a simple rotation, scalar first (half-angle formula)."""
    n = np.asarray(axis, float) / np.linalg.norm(axis)
    half = np.radians(degrees) / 2.0
    return np.array([np.cos(half), *(np.sin(half) * n)])


def test_10_1_a_vector_turned_about_a_line():
    """30 degrees about (3 a2 + 4 a3)/5 takes -2 a1 + 4 a3 to (-0.532, -0.543, 4.407).

    The printed angle between the two, 20.77 degrees, comes from the cosine rounded to 0.935.
    """
    a = np.array([-2.0, 0.0, 4.0])
    b = ts.attitude.direction_cosines(about([0, 3, 4], 30.0)) @ a
    assert b == pytest.approx([-0.532, -0.543, 4.407], abs=0.0005)
    assert a @ b / (a @ a) == pytest.approx(0.935, abs=0.0005)
    assert np.degrees(np.arccos(0.935)) == pytest.approx(20.77, abs=0.005)


BLOCK = np.array([4.0, 12.0, 3.0])
COSINES = np.array([[16, 9, 168], [87, 144, -16], [-144, 88, 9]])  # over 169: 90 degrees about the diagonal


def test_10_2_direction_cosines_of_a_block_turned_about_its_diagonal():
    R = ts.attitude.direction_cosines(about(BLOCK, 90.0))
    np.testing.assert_allclose(R, COSINES / 169.0, rtol=0, atol=1e-14)
    assert ts.attitude.direction_cosines(ts.attitude.euler_parameters(COSINES / 169.0)) == pytest.approx(R, abs=1e-14)


@pytest.mark.parametrize("engine", ["recursive", "likins"])
def test_10_2_inertia_of_the_turned_block(engine):
    """The printed matrix m L²/(12 169²) [...], seen as the angular momentum of the block turning about fixed axes."""
    upper = np.array([[4557033, -184704, -90792], [0, 1717417, -1623024], [0, 0, 3379168]])
    printed = (upper + np.triu(upper, 1).T) / (12.0 * 169**2)
    a, b, c = BLOCK**2
    vehicle = ts.Vehicle("block", (ts.Body("block", 1.0, inertia=np.array([b + c, a + c, a + b]) / 12.0),))
    q = about(BLOCK, 90.0)
    for axis in np.eye(3):
        body_rate = (COSINES / 169.0).T @ axis
        run = ts.simulate(vehicle, 1e-3, ts.State(attitude=q, angular_velocity=body_rate), samples=2, engine=engine)
        assert run.balance.angular_momentum[0] == pytest.approx(printed @ axis, abs=1e-12)


def test_10_3_body_two_angles_become_space_three_angles():
    """Body-two 1-2-1 angles (30, 45, 60): the text prints 99.6, 37.7, 26.6 from rounded cosines; exact to four decimals."""
    q = ts.attitude.from_orientation_angles(np.radians([30, 45, 60]), "body-xyx")
    angles = np.degrees(ts.attitude.orientation_angles(q, "space-xyz"))[0]
    assert angles == pytest.approx([99.2315, 37.7612, 26.5651], abs=5e-5)
    assert angles == pytest.approx([99.6, 37.7, 26.6], abs=0.4)


def test_10_4_euler_parameters_of_a_cyclic_turn():
    """Parameters (1/2, -1/2, -1/2; 1/2): 120 degrees about (1, -1, -1), which permutes the axes with signs."""
    q = np.array([0.5, 0.5, -0.5, -0.5])
    R = ts.attitude.direction_cosines(q)
    np.testing.assert_allclose(R, np.array([[0, 0, -1], [-1, 0, 0], [0, 1, 0]]), rtol=0, atol=1e-15)
    found = ts.attitude.euler_parameters(R)
    assert found * np.sign(found[0]) == pytest.approx(q, abs=1e-15)
    assert np.degrees(np.linalg.norm(ts.attitude.rotation_vectors(q))) == pytest.approx(120.0, abs=1e-12)


def test_10_5_wiener_milenkovic_parameters_and_their_rescaled_twin():
    """mu = (6, 4, 5): direction cosines over 8649; the same turn is mu* = -(96, 64, 80)/77."""
    printed = np.array([[3401, 7952, -64], [-1808, 841, 8416], [7744, -3296, 1993]]) / 8649.0
    q = ts.attitude.from_wiener_milenkovic([6.0, 4.0, 5.0])
    R = ts.attitude.direction_cosines(q)
    np.testing.assert_allclose(R, printed, rtol=0, atol=1e-14)
    assert ts.attitude.wiener_milenkovic(q) == pytest.approx(np.array([-96, -64, -80]) / 77.0, abs=1e-13)


def turning(axes, degrees, rates) -> np.ndarray:
    """Angular velocity, body axes, of a body on a gimbal whose axes carry one another in the given order."""
    bodies = (ts.Body("ground", 1.0, inertia=[1, 1, 1]), ts.Body("body", 1.0, inertia=[1, 1, 1]))
    joint = ts.gimbal("g", "ground", "body", axes)
    vehicle = ts.Vehicle("gimbal", bodies, (joint,), base_motion="fixed")
    start = ts.State(joints={"g": np.radians(degrees)}, joint_rates={"g": rates})
    return ts.simulate(vehicle, 1e-3, start, samples=2).rate_in_body("body")[0]


def test_10_7_angular_velocity_from_the_rates_of_two_sets_of_angles():
    """Body-two 1-2-1 rates (1, 2, 3) give (3.707, 1.612, -1.378) rad/s, and so do space-three 1-2-3 rates (5.12, 1.08, 2.31).

    Space-three angles are body-three angles taken in reverse order. The second set was printed from angles rounded early.
    """
    x, y, z = np.eye(3)
    printed = [3.707, 1.612, -1.378]
    assert turning([x, y, x], [30, 45, 60], [1, 2, 3]) == pytest.approx(printed, abs=0.0005)
    assert turning([z, y, x], [26.5651, 37.7612, 99.2315], [2.31, 1.08, 5.12]) == pytest.approx(printed, abs=0.03)
