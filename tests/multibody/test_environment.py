"""Orbits, gravity, drag, light, magnetic field and eclipse against closed forms and an independent integration."""

import numpy as np
import pytest
from scipy.integrate import solve_ivp
from scipy.spatial.transform import Rotation
from support.appendages import random_bodies

from tisserand.errors import VehicleError
from tisserand.multibody import (
    Body,
    Event,
    MountedAppendage,
    State,
    Vehicle,
    environment,
    hinge,
    linearize,
    loads,
    prismatic,
    simulate,
)  # fmt: skip
from tisserand.multibody.accelerometers import Accelerometer
from tisserand.multibody.attitude import direction_cosines
from tisserand.multibody.engines.likins_engine import LikinsEngine
from tisserand.multibody.environment import EARTH, Planet, Sun, plate
from tisserand.multibody.orbits import Orbit, orbit_attitude, orbit_of
from tisserand.multibody.recursive.compile import compile_vehicle
from tisserand.multibody.recursive.states import pack_state

ROUND = Planet(mu=EARTH.mu, radius=EARTH.radius)
STONE = Vehicle("stone", [Body("stone", 100.0, inertia=[60, 90, 100])])
BALL = Vehicle("ball", [Body("ball", 100.0, inertia=[50, 50, 50])])  # gravity does not turn it
TIGHT = {"rtol": 1e-12, "atol": 1e-12}
STEP = 1e-30


def in_orbit(orbit, planet=EARTH, **more):
    """A state on the orbit, the base turning with it."""
    position, velocity = orbit.state(planet)
    attitude, rate = orbit_attitude(position, velocity)
    return State(position=position, velocity=velocity, attitude=attitude, angular_velocity=rate, **more)


def rates(vehicle, state, acting, time=0.0, signals=()):
    """Compiled vehicle, its workspace, flat state and state derivative."""
    c = compile_vehicle(vehicle, acting, (), signals)
    y, U = pack_state(c, state, time)
    W, dy = c.workspace(), np.zeros(c.size)
    assert c.rhs(c.M, c.F, W, U, time, y, dy) == 0
    return c, W, y, dy


# -- the planet itself


def test_gravity_is_the_slope_of_its_potential_and_the_gradient_that_of_gravity():
    """Complex step through potential and gravity, at random places about a tilted planet."""
    planet = Planet(mu=4e14, radius=6.4e6, j2=2e-2, pole=[0.2, -0.4, 0.9])
    for x in np.random.default_rng(3).normal(size=(5, 3)) * 5e6 + [6e6, 0, 0]:
        slope = np.array([planet.potential(x + 1j * STEP * e).imag / STEP for e in np.eye(3)])
        assert np.abs(planet.gravity(x) + slope).max() < 1e-14 * np.abs(slope).max()
        columns = np.array([planet.gravity(x + 1j * STEP * e).imag / STEP for e in np.eye(3)])
        G = planet.gravity_gradient(x)
        assert np.abs(G - columns).max() < 1e-14 * np.abs(G).max() and abs(np.trace(G)) < 1e-15 * np.abs(G).max()


def test_elements_and_states_are_two_forms_of_one_orbit():
    planet = Planet(mu=4e14, radius=6e6, pole=[0.1, 0.2, 0.9])
    orbit = Orbit(semi_major_axis=8e6, eccentricity=0.1, inclination=1.0, node=2.0, perigee=3.0, anomaly=4.0)
    found = orbit_of(*orbit.state(planet), planet)
    for word in ("eccentricity", "inclination", "node", "perigee", "anomaly"):
        assert getattr(found, word) == pytest.approx(getattr(orbit, word), abs=1e-13)
    assert found.semi_major_axis == pytest.approx(8e6, rel=1e-13)
    around = Orbit(semi_major_axis=8e6)
    assert orbit_of(*around.state(ROUND), ROUND).eccentricity == pytest.approx(0.0, abs=1e-12)
    with pytest.raises(VehicleError, match="not an ellipse"):
        orbit_of([7e6, 0, 0], [0, 12e3, 0])
    with pytest.raises(VehicleError, match="below 1"):
        Orbit(semi_major_axis=8e6, eccentricity=1.0)


# -- motion under gravity


def test_an_elliptic_orbit_follows_keplers_equation():
    """One turn and a third at e = 0.3: Newton on Kepler's equation; the engine to 1e-9 of the distance."""
    orbit = Orbit(semi_major_axis=1e7, eccentricity=0.3, inclination=0.8, node=1.0, perigee=0.4, anomaly=0.2)
    times = np.linspace(0.0, 4.0 / 3.0 * 2.0 * np.pi / orbit.rate(), 9)
    run = simulate(STONE, times[-1], in_orbit(orbit), loads=[environment.gravity(ROUND)], times=times, **TIGHT)
    expected = np.array([orbit.after(t).state()[0] for t in times])
    assert np.abs(run.position - expected).max() < 1e-9 * 1e7
    assert max(run.balance.worst().values()) < 1e-9


def test_oblateness_turns_node_and_perigee_at_their_secular_rates():
    """Over one turn the mean rates hold to first order, so a small J2 shows them to 1e-4: -3/2 and 3/4 n J2 (R/p)²."""
    planet = Planet(mu=EARTH.mu, radius=EARTH.radius, j2=1e-6)
    orbit = Orbit(semi_major_axis=8e6, eccentricity=0.1, inclination=0.9, node=1.0, perigee=2.0, anomaly=0.5)
    period = 2.0 * np.pi / orbit.rate()
    run = simulate(STONE, period, in_orbit(orbit), loads=[environment.gravity(planet)], times=[0.0, period], **TIGHT)
    found = orbit_of(run.position[-1], run.velocity[-1], planet)
    node, perigee = orbit.secular_rates(planet)
    assert (found.node - orbit.node) / period == pytest.approx(node, rel=1e-4, abs=0.0)
    assert (found.perigee - orbit.perigee) / period == pytest.approx(perigee, rel=1e-4, abs=0.0)


def test_oblateness_and_drag_agree_with_a_plain_integration():
    """SciPy's DOP853 on a point mass with the textbook formulas, ten minutes at 180 km: position to 1e-4 m."""
    planet = Planet(
        mu=EARTH.mu, radius=EARTH.radius, j2=EARTH.j2, turn_rate=EARTH.turn_rate, density=5e-10,
        density_altitude=180e3, scale_height=30e3,
    )  # fmt: skip
    faces = [plate(2.0, n, drag_coefficient=2.5) for n in np.vstack([np.eye(3), -np.eye(3)])]
    orbit = Orbit(semi_major_axis=EARTH.radius + 180e3, inclination=1.1, node=0.3, anomaly=0.7)
    state = in_orbit(orbit)
    acting = [environment.gravity(planet), environment.drag("ball", faces, planet)]
    run = simulate(BALL, 600.0, state, loads=acting, times=[0.0, 600.0], **TIGHT)
    C_NB = direction_cosines(state.attitude)
    w = C_NB @ state.angular_velocity

    def fall(t, y):
        x, v = y[:3], y[3:]
        r, z = np.linalg.norm(x), x[2]
        k = 1.5 * planet.j2 * (planet.radius / r) ** 2
        g = -planet.mu / r**3 * x * (1.0 + k * (np.array([1.0, 1.0, 3.0]) - 5.0 * z * z / r**2))
        u = v - planet.turn_rate * np.array([-x[1], x[0], 0.0])
        axes = Rotation.from_rotvec(w * t).as_matrix() @ C_NB  # the cube turns at a constant rate
        rho = planet.density * np.exp((180e3 - (r - planet.radius)) / 30e3)
        return np.concatenate([v, g - 0.5 * rho * 2.5 * 2.0 / 100.0 * np.abs(axes.T @ u).sum() * u])

    start = np.concatenate([state.position, state.velocity])
    plain = solve_ivp(fall, (0.0, 600.0), start, method="DOP853", rtol=1e-12, atol=1e-6).y[:, -1]
    assert np.abs(run.position[-1] - plain[:3]).max() < 1e-4
    free = simulate(BALL, 600.0, state, loads=acting[:1], times=[0.0, 600.0], **TIGHT)
    assert np.abs(free.position[-1] - plain[:3]).max() > 100.0  # drag matters


def test_a_circular_orbit_decays_by_its_drag():
    """Constant density, air at rest: a' = -rho (cd A/m) sqrt(mu a), so sqrt(a) falls evenly."""
    planet = Planet(mu=EARTH.mu, radius=EARTH.radius, density=1e-11, density_altitude=0.0, scale_height=1e15)
    a, span = 7e6, 2.0 * np.pi / np.sqrt(EARTH.mu / 7e6**3)
    acting = [environment.gravity(planet), environment.drag("ball", [plate(1.5, [0, 1, 0])], planet)]
    run = simulate(BALL, span, in_orbit(Orbit(semi_major_axis=a)), loads=acting, times=[0.0, span], **TIGHT)
    energy = 0.5 * np.sum(run.velocity**2, axis=1) - planet.mu / np.linalg.norm(run.position, axis=1)
    fall = np.sqrt(a) - 0.5 * planet.density * 2.2 * 1.5 / 100.0 * np.sqrt(planet.mu) * span
    assert -0.5 * planet.mu / energy[-1] - a == pytest.approx(fall**2 - a, rel=1e-5)


def test_a_long_pair_in_orbit_keeps_kinetic_and_potential_energy():
    """Two masses on a 5 km slider with a spring: kinetic, elastic and mu/r with J2 of each mass add up to a constant."""
    pair = Vehicle(
        "pair",
        [Body("a", 200.0, inertia=[1, 1, 1]), Body("b", 80.0, inertia=[1, 1, 1])],
        [prismatic("s", "a", "b", [1, 0, 0], stiffness=0.01, rest=4800.0)],
    )
    orbit = Orbit(semi_major_axis=7e6, eccentricity=0.02, inclination=0.9)
    run = simulate(
        pair, 3000.0, in_orbit(orbit, joints={"s": 5000.0}), loads=[environment.gravity()], samples=50, **TIGHT
    )
    potential = 200.0 * EARTH.potential(run.origin[:, 0]) + 80.0 * EARTH.potential(run.origin[:, 1])
    spring = 0.5 * 0.01 * (run.joints["s"][:, 0] - 4800.0) ** 2
    energy = run.balance.kinetic + potential + spring
    assert np.ptp(energy) < 1e-10 * np.abs(potential[0])
    assert np.ptp(run.joints["s"][:, 0]) > 100.0
    assert max(run.balance.worst().values()) < 1e-9


def test_tides_of_a_planet_are_those_of_the_gravity_gradient():
    """Far from a heavy planet the field is the linear one of a circular orbit, also on hinged and flexible parts."""
    n, r = 1e-2, 1e9
    planet = Planet(mu=n**2 * r**3, radius=1e6)
    record = random_bodies(0)
    vehicle = Vehicle(
        "craft", [Body("hub", 50.0, center=[0.1, 0, 0], inertia=[20, 30, 40]), Body("arm", 5.0, inertia=[1, 2, 2])],
        [hinge("elbow", "hub", "arm", axis=[0, 1, 1], parent_point=[1, 0, 0], child_point=[-2, 0, 0.3])],
        appendages=[MountedAppendage("wing", record, "arm", [0, 1, 0])],
    )  # fmt: skip
    more = {"joints": {"elbow": 0.4}, "modal": {"wing": 0.02 * np.arange(1, record.count + 1)}}
    turned = {"attitude": [0.5, -0.5, 0.1, 0.7], "angular_velocity": [0.01, 0.02, -0.01]}
    turned["attitude"] /= np.linalg.norm(turned["attitude"])
    c, _, _, near = rates(
        vehicle, State(position=[r, 0, 0], velocity=[0, n * r, 0], **turned, **more), [environment.gravity(planet)]
    )
    _, _, _, local = rates(vehicle, State(velocity=[0, n * r, 0], **turned, **more), [loads.gravity_gradient(n)])
    _, _, _, bare = rates(vehicle, State(velocity=[0, n * r, 0], **turned, **more), [])
    tide = near[c.speeds : c.state] - bare[c.speeds : c.state]
    assert tide[:3] - planet.gravity(np.array([r, 0.0, 0.0])) == pytest.approx(
        (local - bare)[c.speeds : c.speeds + 3], abs=1e-9
    )
    size = np.abs((local - bare)[c.speeds + 3 : c.state]).max()
    assert size > 1e-5
    assert tide[3:] == pytest.approx((local - bare)[c.speeds + 3 : c.state], abs=1e-6 * size)


@pytest.mark.parametrize("kind", ["gravity", "all"])
def test_the_barycentric_engine_accelerates_alike(kind):
    """Its gravity is evaluated in NumPy by the planet itself; drag, light and dipoles act on it as forces."""
    record = random_bodies(0)
    vehicle = Vehicle(
        "craft", [Body("hub", 50.0, center=[0.1, 0, 0], inertia=[20, 30, 40]), Body("arm", 5.0, inertia=[1, 2, 2])],
        [hinge("elbow", "hub", "arm", axis=[0, 1, 1], parent_point=[1, 0, 0], child_point=[-2, 0, 0.3])],
        appendages=[MountedAppendage("wing", record, "arm", [0, 1, 0])],
    )  # fmt: skip
    orbit = Orbit(semi_major_axis=6.7e6, eccentricity=0.01, inclination=0.9, anomaly=1.0)
    state = in_orbit(orbit, joints={"elbow": 0.4}, modal={"wing": 0.02 * np.arange(1, record.count + 1)})
    acting = [environment.gravity(EARTH)]
    if kind == "all":
        sides = [
            plate(2.0, [0, 1, 0], [0.1, 0.2, 0.3], two_sided=True),
            plate(1.0, [1, 1, 0], specular=0.4, diffuse=0.2),
        ]
        acting += [environment.magnetic("arm", [30.0, 20.0, -10.0]), environment.drag("arm", sides)]
        acting += [environment.solar_pressure("hub", sides, Sun(direction=[1, 2, 0.5], shadow="none"))]
    c, W, y, dy = rates(vehicle, state, acting, time=500.0)
    other = LikinsEngine(c, acting).solved(500.0, y, W, interaction=False)
    assert other.velocity == pytest.approx(dy[c.speeds : c.speeds + 3], rel=1e-12)
    assert other.angular_velocity == pytest.approx(dy[c.speeds + 3 : c.speeds + 6], abs=1e-13)
    assert other.joints["elbow"] == pytest.approx(dy[c.joint_u["elbow"]], abs=1e-13)
    assert other.modal["wing"] == pytest.approx(dy[c.eta_places("wing")[1]], abs=1e-12)


def test_a_falling_accelerometer_feels_nothing_but_drag():
    """At the mass center of a free body: zero under gravity with J2, the drag acceleration with air."""
    state = in_orbit(Orbit(semi_major_axis=6.6e6, inclination=1.0))
    sensor = Accelerometer("feel", np.array([0.0, 1.0, 0.0]), body="stone")
    fall = simulate(STONE, 10.0, state, loads=[environment.gravity()], outputs=[sensor], samples=3)
    assert np.abs(fall.signals["feel"]).max() < 1e-12
    brake = environment.drag("stone", [plate(3.0, [0, 1, 0])])
    slow = simulate(STONE, 10.0, state, loads=[environment.gravity(), brake], outputs=[sensor], samples=3)
    speed = state.velocity - EARTH.air_velocity(state.position)
    along = direction_cosines(state.attitude)[:, 1]
    expected = -0.5 * EARTH.air_density(state.position) * 2.2 * 3.0 / 100.0 * (along @ speed) ** 2
    assert slow.signals["feel"][0] == pytest.approx(expected, rel=1e-7, abs=0.0)
    assert abs(expected) > 1e-7


# -- linear models


def test_libration_and_orbit_poles_are_those_of_theory():
    """J = (60, 90, 100) at rest in orbiting axes: 0.360706, 0.948683, 1.509072 n; the orbit: 0, 0, n, n (theory section 10)."""
    orbit = Orbit(semi_major_axis=7e6, inclination=0.5)
    model = linearize(STONE, in_orbit(orbit, ROUND), loads=[environment.gravity(ROUND)])
    assert model.axes == "orbit" and model.notes == ()
    n = orbit.rate()
    assert np.abs(model.residual).max() < 1e-13
    found = np.sort(np.abs(model.poles.imag)) / n
    expected = np.repeat([0.0, 0.360706, 0.948683, 1.0, 1.0, 1.509072], 2)
    assert found == pytest.approx(expected, abs=2e-6)
    assert np.abs(model.poles.real).max() < 1e-6 * n


def test_the_linear_model_is_the_theory_matrix_with_the_turning_vertical():
    """Section 10 by complex step in this test, force of second degree left out: also how a displacement turns the vertical."""
    r, J, m = 7e6, np.diag([60.0, 90.0, 100.0]), 100.0
    n = np.sqrt(EARTH.mu / r**3)
    wR = np.array([0.0, 0.0, n])

    def slope(x):
        d, v, theta, w = x.reshape(4, 3)
        place = d + np.array([r, 0.0, 0.0])
        size = np.sqrt(np.sum(place * place))
        tilt = np.array([[0, -theta[2], theta[1]], [theta[2], 0, -theta[0]], [-theta[1], theta[0], 0]])
        C = np.eye(3) - tilt  # body from R, to first order
        e, spin = C @ place / size, C @ wR + w
        pull = -EARTH.mu * place / size**3
        a = pull - 2.0 * np.cross(wR, v) - np.cross(wR, np.cross(wR, place))
        torque = 3.0 * EARTH.mu / size**3 * np.cross(e, J @ e)
        turn = np.linalg.solve(J, torque - np.cross(spin, J @ spin)) + np.cross(w, C @ wR)
        return np.concatenate([v, a, w + 0.5 * np.cross(theta, w), turn])

    A = np.array([slope(1j * STEP * e).imag / STEP for e in np.eye(12)]).T
    order = [0, 1, 2, 6, 7, 8, 3, 4, 5, 9, 10, 11]  # (r, theta, v, w) as the model has them
    got = linearize(STONE, in_orbit(Orbit(semi_major_axis=r), ROUND), loads=[environment.gravity(ROUND)]).A
    size = np.concatenate([np.full(3, r), np.ones(3), np.full(3, n * r), np.full(3, n)])
    expected = A[np.ix_(order, order)] / size[:, None] * size / n
    assert np.abs(expected[9:, :3]).max() > 0.1  # the vertical turns with the place
    assert np.abs(got / size[:, None] * size / n - expected).max() < 1e-9
    assert m == STONE.bodies[0].mass


def test_uneven_orbits_are_said_to_be_frozen():
    state = in_orbit(Orbit(semi_major_axis=7e6, eccentricity=0.05, inclination=0.5))
    notes = linearize(STONE, state, loads=[environment.gravity(), environment.magnetic("stone", [1, 0, 0])]).notes
    assert any("not circular" in note for note in notes) and any("oblateness" in note for note in notes)
    assert any("the field of load stone.magnetic is frozen" in note for note in notes)


# -- fields, air, light and shadow


def test_the_dipole_field_at_its_equator_and_pole_turns_with_the_planet():
    """-d (R/r)³ across the dipole, twice d along it; after a quarter turn about the pole the dipole points elsewhere."""
    planet = Planet(mu=1e9, radius=1.0, turn_rate=0.5 * np.pi, dipole=[0.3, 0.0, 0.4])
    d = np.array([0.3, 0.0, 0.4])
    across, later = np.array([0.8, 0.0, -0.6]), np.array([0.0, 0.3, 0.4])
    for place, time, expected in (
        (2.0 * across, 0.0, -d / 8.0),
        (2.0 * d / 0.5, 0.0, 2.0 * d / 8.0),
        (3.0 * later / 0.5, 1.0, 2.0 * later / 27.0),
    ):
        state = State(position=place, attitude=[0.5, 0.5, 0.5, 0.5])
        for direction, along in zip(np.eye(3), direction_cosines(state.attitude).T):
            sensor = environment.magnetometer(direction, planet, name="field")
            c, W, _, _ = rates(STONE, state, [], time, [sensor])
            assert c.opened(W).signals[0] == pytest.approx(along @ expected, abs=1e-15)
        c, _, _, dy = rates(STONE, state, [environment.magnetic("stone", [2.0, 0.0, 1.0], planet=planet)], time)
        B_B = direction_cosines(state.attitude).T @ expected
        torque = np.cross([2.0, 0.0, 1.0], B_B)
        assert dy[c.speeds + 3 : c.speeds + 6] == pytest.approx(torque / [60, 90, 100], abs=1e-16)


def test_light_presses_as_mirrors_and_black_plates_do():
    """Facing the sun: p A (1 + s + 2 d/3); at an angle a mirror is pushed along its normal, a black plate along the light."""
    sun = Sun(direction=[1.0, 0.0, 0.0], shadow="none")
    angle = 0.6
    n = np.array([np.cos(angle), np.sin(angle), 0.0])
    cases = [
        (plate(2.0, [1, 0, 0], specular=0.3, diffuse=0.2), [-(1.0 + 0.3 + 0.4 / 3.0), 0, 0]),
        (plate(2.0, n, specular=1.0), -2.0 * np.cos(angle) ** 2 * n),
        (plate(2.0, n), [-np.cos(angle), 0, 0]),
        (plate(2.0, -n, two_sided=True), [-np.cos(angle), 0, 0]),
        (plate(2.0, -n), [0, 0, 0]),
    ]
    for face, expected in cases:
        state = State(position=[0, 7e6, 0])
        c, _, _, dy = rates(STONE, state, [environment.solar_pressure("stone", [face], sun)])
        force = dy[c.speeds : c.speeds + 3] * 100.0 / (sun.pressure * 2.0)
        assert force == pytest.approx(np.asarray(expected), abs=1e-12)
    off = environment.solar_pressure("stone", [plate(2.0, [1, 0, 0], [0.1, 0.5, -0.2])], sun)
    c, _, _, dy = rates(STONE, State(position=[0, 7e6, 0]), [off])
    torque = np.cross([0.1, 0.5, -0.2], [-2.0 * sun.pressure, 0, 0])
    assert dy[c.speeds + 3 : c.speeds + 6] == pytest.approx(torque / [60, 90, 100], rel=1e-12, abs=1e-22)


def test_the_eclipse_begins_and_ends_by_geometry():
    """Cylinder: sin of the half angle is R/r. Cone: half the disk is covered where its center is, nearly, on the limb."""
    r = 7e6
    n, half = np.sqrt(EARTH.mu / r**3), np.arcsin(EARTH.radius / r)
    start = in_orbit(Orbit(semi_major_axis=r), ROUND)
    for shadow, slack in (("cylinder", 1e-6), ("cone", 0.6)):
        light = environment.sunlight(Sun(direction=[1, 0, 0], shadow=shadow), ROUND)
        run = simulate(
            STONE, np.pi * 2.0 / n, start, loads=[environment.gravity(ROUND)], outputs=[light], samples=400,
            events=[Event("dark", light, 0.5, -1), Event("bright", light, 0.5, 1)],
        )  # fmt: skip
        found = {event.name: event.time for event in run.events}
        assert found["dark"] == pytest.approx((np.pi - half) / n, abs=slack)
        assert found["bright"] == pytest.approx((np.pi + half) / n, abs=slack)
        values = run.signals["sunlight"]
        assert values[0] == 1.0 and values.min() == 0.0
        expected = Sun(direction=[1, 0, 0], shadow=shadow).light(ROUND, run.position)
        assert values == pytest.approx(expected, abs=1e-12)


def test_the_covered_part_of_the_disk_is_its_area():
    """Disks in the sky by brute counting on a fine grid, from partial to annular eclipse."""
    sun = Sun(direction=[1, 0, 0], distance=10.0, radius=1.0)
    grid = np.linspace(-1.0, 1.0, 801)
    X, Y = np.meshgrid(grid, grid)
    disk = X**2 + Y**2 <= 1.0
    for place in ([-3.0, 1.02, 0.0], [-3.0, 0.0, 1.2], [-9.0, 0.35, 0.0], [-60.0, 0.2, 0.0]):
        planet = Planet(mu=1.0, radius=1.0 if place[0] > -50.0 else 0.5)
        x = np.array(place)
        to_sun = np.array([10.0, 0, 0]) - x
        a = np.arcsin(1.0 / np.linalg.norm(to_sun))
        b = np.arcsin(planet.radius / np.linalg.norm(x))
        c = np.arccos(-x @ to_sun / np.linalg.norm(x) / np.linalg.norm(to_sun))
        counted = 1.0 - (disk & ((X - c / a) ** 2 + Y**2 <= (b / a) ** 2)).sum() / disk.sum()
        assert sun.light(planet, x) == pytest.approx(counted, abs=3e-3)


# -- what is refused


def test_mistakes_are_named():
    with pytest.raises(VehicleError, match="starts inside the planet"):
        simulate(STONE, 1.0, loads=[environment.gravity()])
    orbit = in_orbit(Orbit(semi_major_axis=7e6))
    weighty = Vehicle("weighty", STONE.bodies, gravity=[0, 0, -9.81])
    with pytest.raises(VehicleError, match="two laws of gravity"):
        simulate(weighty, 1.0, orbit, loads=[environment.gravity()])
    with pytest.raises(VehicleError, match="two laws of gravity"):
        simulate(STONE, 1.0, orbit, loads=[environment.gravity(), loads.gravity_gradient(1e-3)])
    with pytest.raises(VehicleError, match="no atmosphere"):
        environment.drag("stone", [plate(1.0, [1, 0, 0])], ROUND)
    with pytest.raises(VehicleError, match="more light than it receives"):
        plate(1.0, [1, 0, 0], specular=0.7, diffuse=0.6)
    with pytest.raises(VehicleError, match="at least one plate"):
        environment.drag("stone", [])
    with pytest.raises(VehicleError, match="unknown body"):
        simulate(STONE, 1.0, orbit, loads=[environment.magnetic("rock", [1, 0, 0])])
    with pytest.raises(VehicleError, match="same name"):
        simulate(
            STONE,
            1.0,
            orbit,
            loads=[environment.magnetic("stone", [1, 0, 0]), environment.magnetic("stone", [0, 1, 0])],
        )
    with pytest.raises(VehicleError, match="mu of a planet must be positive"):
        Planet(mu=-1.0, radius=1.0)
