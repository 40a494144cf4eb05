"""A spinning block with a particle on a spring and damper (S4 9.6), against recomputed figures.

The particle slides parallel to the spin axis 1 at the distance b along axis 2 from the mass center of the block.
The distance is lost in the source; the recomputed table uses b = 0.6 m. All data otherwise printed.
"""

import numpy as np
import pytest

import tisserand as ts


def block(sides, density: float = 2760.0) -> ts.Body:
    a, b, c = np.square(sides)
    m = density * float(np.prod(sides))
    return ts.Body("block", m, inertia=m / 12.0 * np.array([b + c, a + c, a + b]))


def satellite(sides, b: float, spring: float, damper: float, mass: float) -> ts.Vehicle:
    tube = ts.prismatic("tube", "block", "P", [1, 0, 0], parent_point=[0, b, 0], stiffness=spring, damping=damper)
    return ts.Vehicle("satellite", (block(sides), ts.Body("P", mass)), (tube,))


def wobble(run: ts.Trajectory) -> np.ndarray:
    """Angle between the angular momentum about the mass center of the whole and body axis 1, degrees."""
    H = run.balance.angular_momentum
    cosine = np.einsum("ni,ni->n", run.rotation[:, run.body("block"), :, 0], H) / np.linalg.norm(H, axis=1)
    return np.degrees(np.arccos(cosine))


SIDES, MASS = (1.2, 1.225, 1.3), 52.744


def flown(vehicle: ts.Vehicle, times, side_rate: float = 0.1, spin: float = 1.0) -> ts.Trajectory:
    """From rest of the mass center, spin about axis 1 and a small rate about axis 2."""
    w = np.array([spin, side_rate, 0.0])
    center = np.zeros(3)
    if vehicle.joints:
        center = MASS * vehicle.joints[0].parent_point / vehicle.mass
    return ts.simulate(vehicle, times[-1], ts.State(angular_velocity=w, velocity=-np.cross(w, center)), times=times)


TIMES = [0.0, 20.0, 50.0, 100.0, 150.0, 200.0, 300.0]


def test_printed_mass_properties():
    b = block(SIDES)
    assert b.mass == pytest.approx(5274.4, abs=0.05)
    assert np.diag(b.inertia) == pytest.approx([1402.4, 1375.7, 1292.5], abs=0.05)


def test_wobble_with_the_damper():
    run = flown(satellite(SIDES, 0.6, 52.744, 105.49, MASS), TIMES)
    assert wobble(run) == pytest.approx([5.5291, 4.1836, 3.3441, 3.5089, 4.6955, 2.4605, 3.8326], abs=5e-5)
    assert np.linalg.norm(run.balance.angular_momentum, axis=1) == pytest.approx(1427.8184, rel=1e-6)


def test_wobble_without_the_particle():
    run = flown(ts.Vehicle("satellite", (block(SIDES),)), TIMES)
    assert wobble(run) == pytest.approx([5.6028, 4.3126, 3.4579, 3.9942, 5.5291, 2.9915, 5.3124], abs=5e-5)
    assert np.linalg.norm(run.balance.angular_momentum, axis=1) == pytest.approx(1409.1072, rel=1e-6)


@pytest.mark.parametrize(("b", "stable"), [(0.6, True), (1.0, False)])
def test_a_soft_damper_far_out_overturns_a_slender_block(b, stable):
    """0.5 x 1.2 x 3.185 m, sigma 0.52744: unstable where (m_P b Omega)² > sigma (I1 - I2); flown for 200 s."""
    spring = 0.52744
    vehicle = satellite((0.5, 1.2, 3.185), b, spring, 105.49, MASS)
    I1, I2, _ = np.diag(vehicle.bodies[0].inertia)
    assert ((MASS * b) ** 2 > spring * (I1 - I2)) is not stable
    run = flown(vehicle, np.linspace(0.0, 200.0, 201))
    assert (wobble(run)[-1] > 60.0) is not stable
