"""Vehicle files that start in equilibrium, hold an arm against gravity, or carry a magnet."""

import numpy as np
import pytest
from scipy.optimize import brentq
from support.command import run
from support.flexible import random_appendage
from support.vehicle_texts import ARM

from tisserand.appendage import save_record
from tisserand.errors import CaseError
from tisserand.multibody import load_trajectory
from tisserand.studies.vehicles import read_vehicle

WEIGHT = 2.0 * 9.81 * 0.6


def written(tmp_path, text):
    path = tmp_path / "arm.toml"
    path.write_text(text)
    return path


def test_a_file_starts_in_equilibrium_and_stays_there(tmp_path):
    """k q = -m g c cos q, and system modes about it: I w² = k - m g c sin q."""
    path = written(tmp_path, ARM + "[initial]\nequilibrium = true\n")
    exact = brentq(lambda q: 40.0 * q + WEIGHT * np.cos(q), -1.5, 0.0, xtol=1e-14)
    assert read_vehicle(path).initial.joints["shoulder"][0] == pytest.approx(exact, abs=1e-10)
    assert run("simulate", path, "-o", tmp_path / "run.h5", "--json").exit_code == 0
    assert np.ptp(load_trajectory(tmp_path / "run.h5").joints["shoulder"]) < 1e-9
    modes = run("system-modes", path, "--json").data
    hertz = np.sqrt((40.0 - WEIGHT * np.sin(exact)) / (0.24 + 2.0 * 0.36)) / (2.0 * np.pi)
    assert modes["frequencies_hz"] == pytest.approx([hertz], rel=1e-6)


def test_a_file_without_equilibrium_is_refused_with_a_sentence(tmp_path):
    text = ARM.replace("stiffness = 40.0\n", "").replace("[0.0, 0.0, -9.81]", "[0.0, 0.0, 0.0]")
    text += '[loads.motor]\nkind = "joint_torque"\njoint = "shoulder"\nstrength = 1.0\n[initial]\nequilibrium = true\n'
    result = run("simulate", written(tmp_path, text))
    assert result.exit_code == 3
    assert "no equilibrium was found" in result.stderr and "shoulder" in result.stderr


def test_a_spin_that_is_not_kept_is_refused_with_its_key(tmp_path):
    text = "[bodies.b]\nmass = 1.0\ninertia = [1.0, 2.0, 2.5]\n[simulation]\nduration = 1.0\n"
    text += "[initial]\nangular_velocity = [0.1, 0.0, 0.2]\nequilibrium = true\n"
    with pytest.raises(CaseError, match=r"initial\.equilibrium.*does not keep its spin"):
        read_vehicle(written(tmp_path, text))


def test_gravity_compensation_from_a_file_holds_the_pose(tmp_path):
    """The same loop sags without it by the closed form."""
    law = """[controllers.hold]
kind = "joint"
joint = "shoulder"
kp = 100.0
kd = 40.0
reference_deg = 20.0
gravity_compensation = true
[initial]
joints_deg = { shoulder = 20.0 }
"""
    free = ARM.replace("stiffness = 40.0\n", "") + law
    wanted = np.radians(20.0)
    held = run("simulate", written(tmp_path, free), "-o", tmp_path / "held.h5", "--json")
    assert held.exit_code == 0
    assert load_trajectory(tmp_path / "held.h5").joints["shoulder"].ravel() == pytest.approx(wanted, abs=1e-9)
    plain = free.replace("gravity_compensation = true\n", "").replace("[initial]\n", "[initial]\nequilibrium = true\n")
    sag = brentq(lambda q: 100.0 * (wanted - q) - WEIGHT * np.cos(q), -1.0, 1.0, xtol=1e-14)
    assert read_vehicle(written(tmp_path, plain)).initial.joints["shoulder"][0] == pytest.approx(sag, abs=1e-10)


def test_a_magnet_in_a_file_swings_like_a_compass(tmp_path):
    """sqrt(m B / I) by counting a period of the flight."""
    text = """
[bodies.bus]
mass = 3.0
inertia = [1.0, 1.0, 2.0]
[loads.magnet]
kind = "magnetic"
body = "bus"
dipole = [4.0, 0.0, 0.0]
field = [2.0, 0.0, 0.0]
[initial]
attitude = { axis = [0.0, 0.0, 1.0], angle_deg = 0.1 }
[simulation]
duration = 3.141592653589793
"""
    assert run("simulate", written(tmp_path, text), "-o", tmp_path / "run.h5").exit_code == 0
    flown = load_trajectory(tmp_path / "run.h5")
    assert 2.0 * flown.attitude[-1, 3] == pytest.approx(np.radians(0.1), rel=1e-4)  # period pi: sqrt(8/2) = 2 rad/s
    assert flown.attitude[len(flown) // 2, 3] == pytest.approx(-flown.attitude[0, 3], rel=1e-2)


def test_keys_of_an_orbit_need_its_rate(tmp_path):
    text = '[bodies.b]\nmass = 1.0\ninertia = [1.0, 1.0, 1.0]\n[simulation]\nduration = 1.0\n[loads.m]\nkind = "magnetic"\n'
    text += 'body = "b"\ndipole = [1.0, 0.0, 0.0]\nfield = [1.0, 0.0, 0.0]\nalong = [0.0, 1.0, 0.0]\n'
    with pytest.raises(CaseError, match=r"loads\.m\.along.*orbit_rate"):
        read_vehicle(written(tmp_path, text))


LOPSIDED = """
[bodies.hub]
mass = 10.0
inertia = [1.0, 1.5, 2.0]
[appendages.wing]
record = "wing.h5"
body = "hub"
position = [0.7, -0.2, 0.1]
[initial]
equilibrium = true
START
[simulation]
duration = 2.0
"""


def test_a_lopsided_flexible_spinner_starts_about_the_axis_that_it_keeps(tmp_path):
    """Euler: a spin stays in the base only about a principal axis of the vehicle as it is deformed; flown, it does not move."""
    save_record(random_appendage(5, 4, nodes=8, bodies=False), tmp_path / "wing.h5")
    spin = 'spin = { axis = "major", rate = 2.0 }'
    path = written(tmp_path, LOPSIDED.replace("START", spin))
    assert run("simulate", path, "-o", tmp_path / "run.h5", "--json").exit_code == 0
    flown = load_trajectory(tmp_path / "run.h5")
    assert np.ptp(flown.angular_velocity, axis=0).max() < 1e-8
    assert np.linalg.norm(flown.angular_velocity[0]) == pytest.approx(2.0, rel=1e-12)
    rigid = read_vehicle(written(tmp_path, LOPSIDED.replace("START", spin).replace("equilibrium = true\n", "")))
    start = rigid.initial.angular_velocity
    assert np.linalg.norm(np.cross(start, flown.angular_velocity[0])) > 1e-3
    stated = f"angular_velocity = [{', '.join(map(repr, map(float, start)))}]"
    with pytest.raises(CaseError, match=r'does not keep its spin.*axis = "major"'):
        read_vehicle(written(tmp_path, LOPSIDED.replace("START", stated)))
