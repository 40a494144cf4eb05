"""Sloshing liquids: published tank parameters, and vehicles with tanks against closed forms."""

import numpy as np
import pytest

import tisserand as ts
from tisserand.errors import VehicleError
from tisserand.multibody import Body, State, Vehicle, prismatic, simulate, slosh, system_modes

G = 9.80665
#: Theory section 14: h/R, w1² R/g, m1/m, m2/m, L1/R, z1/R, m0/m, z0/R, I0/(m R²); z from the mass center of the liquid.
CYLINDERS = [
    (1.0, 1.75080, 0.43220, 0.01368, 0.57117, -0.28882, 0.54783, 0.22101, 0.05282),
    (2.0, 1.83885, 0.22697, 0.00684, 0.54382, -0.03293, 0.76305, 0.00083, 0.09044),
]
#: Depth over 2 R, w1² R/g, m1/m.
SPHERES = [(0.1, 1.07232, 0.93038), (0.25, 1.20772, 0.81372), (0.5, 1.56016, 0.57969), (0.75, 2.3622, 0.28693)]


@pytest.mark.parametrize("row", CYLINDERS)
def test_a_cylinder_has_the_published_parameters(row):
    """To the digits printed; the rigid part is that of all modes, of which 20 leave 1e-4."""
    ratio, w, m1, m2, length, z1, m0, z0, I0 = row
    R, m = 0.7, 30.0
    found = slosh.cylinder(R, ratio * R, m, 20)
    assert R / found.lengths[0] == pytest.approx(w, abs=1e-5)
    assert found.masses[:2] / m == pytest.approx([m1, m2], abs=1e-5)
    assert found.lengths[0] / R == pytest.approx(length, abs=1e-5)
    assert (found.heights[0] - found.center) / R == pytest.approx(z1, abs=1e-5)
    assert found.rigid_mass / m == pytest.approx(m0, abs=1e-4)
    assert (found.rigid_height - found.center) / R == pytest.approx(z0, abs=1e-4)
    assert found.rigid_inertia / (m * R**2) == pytest.approx(I0, abs=1e-4)


@pytest.mark.parametrize("row", [*SPHERES, (0.9, 3.959, 0.094)])
def test_a_sphere_has_the_published_parameters_and_keeps_its_mass_center(row):
    fill, w, m1 = row
    R, m = 0.4, 12.0
    found = slosh.sphere(R, 2.0 * fill * R, m, 2)
    assert R / found.lengths[0] == pytest.approx(w, rel=2e-4)
    assert found.masses[0] / m == pytest.approx(m1, rel=2e-4 if fill < 0.9 else 5e-3)  # printed with two digits there
    assert found.heights + found.lengths == pytest.approx(R)  # hinges at the center
    parts = found.rigid_mass * found.rigid_height + found.masses @ found.heights
    assert parts / m == pytest.approx(found.center, abs=1e-9 * R)
    assert found.rigid_inertia < 1e-3 * m * R**2


@pytest.mark.parametrize("fill", [2e-6, 1e-3])
def test_a_nearly_empty_sphere_is_a_shallow_bowl(fill):
    """Shallow water in a paraboloid: w² R/g = 2 n (n + 2) + 1 for n = 0, 1, 2; finite depth h changes it by w² h/3g."""
    found = slosh.sphere(0.3, 0.6 * fill, 5.0, 3)
    shallow = np.array([1.0, 7.0, 17.0])
    assert (np.abs(0.3 / found.lengths / shallow - 1.0) < 1.01 * shallow * 2.0 * fill / 3.0).all()
    assert found.masses[0] / 5.0 == pytest.approx(1.0, abs=2.0 * fill)


@pytest.mark.parametrize("fill", [1.0 - 1e-3, 1.0 - 1e-4])
def test_a_nearly_full_sphere_is_a_hole_in_a_lid(fill):
    """Small hole of radius a in a lid on infinitely deep water, one wave around it: w² a/g = 2.754755; walls differ by O(a)."""
    found = slosh.sphere(1.0, 2.0 * fill, 1.0)
    rim = np.sqrt(1.0 - (2.0 * fill - 1.0) ** 2)
    assert rim / found.lengths[0] == pytest.approx(2.754755, rel=0.2 * rim)


@pytest.mark.parametrize("model", ["pendulum", "spring"])
@pytest.mark.parametrize("shape", [slosh.cylinder, slosh.sphere])
def test_modes_of_a_held_and_of_a_sliding_tank(model, shape):
    """Held: the natural frequencies, twice each. On a slider with one mode: w² = w1² (1 + m1/M), M all that slides along."""
    liquid = shape(0.5, 0.6, 100.0, 2)
    held = Vehicle("held", [Body("tank", 10.0, inertia=[5, 5, 5])], base_motion="fixed", gravity=[0, 0, -G])
    tank = slosh.with_tank(held, "lox", "tank", liquid, position=[0.1, 0, 0.2], model=model, damping=0.01)
    modes = system_modes(tank)
    expected = np.repeat(liquid.rates(G), 2) / (2.0 * np.pi)
    assert np.asarray(modes.frequencies_hz) == pytest.approx(expected, rel=1e-9)
    one = shape(0.5, 0.6, 100.0, 1)
    rail = Vehicle(
        "rail", [Body("ground", 1.0), Body("tank", 40.0, inertia=[5, 5, 5])], [prismatic("rail", "ground", "tank", [1, 0, 0])],
        base_motion="fixed", gravity=[0, 0, -G],
    )  # fmt: skip
    found = np.asarray(system_modes(slosh.with_tank(rail, "lox", "tank", one, model=model)).frequencies_hz)
    moving = 40.0 + one.rigid_mass
    w = one.rates(G)[0] / (2.0 * np.pi) * np.array([1.0, np.sqrt(1.0 + one.masses[0] / moving)])
    assert found[-2:] == pytest.approx(w, rel=1e-9)


def test_a_tilted_tank_under_thrust_swings_about_its_own_axis():
    """A free stage under a steady thrust along its turned tank: the pendulum's small swing has the coupled frequency."""
    liquid = slosh.cylinder(0.5, 0.5, 50.0)
    turn = np.array([[0.0, 0.0, 1.0], [0.0, 1.0, 0.0], [-1.0, 0.0, 0.0]])  # tank z along body x
    stage = slosh.with_tank(
        Vehicle("stage", [Body("bus", 1e6, inertia=[1e6, 1e6, 1e6])]), "fuel", "bus", liquid, attitude=turn
    )
    thrust = ts.loads.force("bus", [1, 0, 0], 3.0 * (1e6 + 50.0))
    w = liquid.rates(3.0)[0]
    period = 2.0 * np.pi / w
    run = simulate(
        stage, period, State(joints={"fuel.1": [1e-3, 0.0]}), loads=[thrust], times=[0.0, 0.5 * period, period]
    )
    assert run.joints["fuel.1"][:, 0] == pytest.approx([1e-3, -1e-3, 1e-3], abs=1e-6)


def test_mistakes_are_named():
    with pytest.raises(VehicleError, match="deeper than its spherical tank"):
        slosh.sphere(0.5, 1.0, 10.0)
    with pytest.raises(VehicleError, match="radius of a tank must be positive"):
        slosh.cylinder(0.0, 1.0, 10.0)
    with pytest.raises(VehicleError, match="number of slosh modes"):
        slosh.cylinder(0.5, 1.0, 10.0, 0)
    with pytest.raises(VehicleError, match=r"slosh modes .*1 to 6"):
        slosh.sphere(0.5, 0.4, 10.0, 7)
    with pytest.raises(VehicleError, match="too empty or too full"):
        slosh.sphere(0.5, 1.0 - 1e-6, 10.0)
    stage = Vehicle("stage", [Body("bus", 10.0, inertia=[1, 1, 1])])
    with pytest.raises(VehicleError, match="must not be negative"):
        slosh.with_tank(stage, "fuel", "bus", slosh.cylinder(0.5, 1.0, 10.0), damping=-0.1)
