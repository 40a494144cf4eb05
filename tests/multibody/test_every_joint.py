"""Every kind of joint against particles that know positions only, against MuJoCo, and by its own balance sheet."""

import re

import numpy as np
import pytest
from support.joint_particles import MOTIONS, JointedPair
from support.recursive_calls import evaluate, flat_state
from support.source_trees import SOURCE

from tisserand.multibody import Vehicle, likins, loads, profiles, simulate
from tisserand.multibody.joints import STEPS
from tisserand.multibody.motion_integrals import integrals_of_motion
from tisserand.multibody.perturbed import Perturbed
from tisserand.multibody.recursive.compile import compile_vehicle

CASES = [(kind, seed) for kind in STEPS for seed in (1, 2)]


def test_the_oracle_knows_every_kind():
    """A new kind of joint is not finished before it is here."""
    assert set(MOTIONS) == set(STEPS)


def test_a_joint_touches_four_files():
    """As CONTRIBUTING.md says: nothing else that knows joints names a kind that is a chain of simple motions."""
    parts = ("multibody", "responses", "exporters", "views", "studies", "cli", "__init__.pyi")
    searched = [path for part in parts for path in ([SOURCE / part] if "." in part else (SOURCE / part).rglob("*.py"))]
    naming = {str(path.relative_to(SOURCE)) for path in searched if re.search(r"\bcylindrical\b", path.read_text())}
    file = "multibody/vehicle_file/joint_tables.py"
    assert naming == {"multibody/joints.py", file, "multibody/__init__.py", "__init__.pyi"}


def acting(pair):
    """The push on the last particle and the motors, as loads."""
    size = float(np.linalg.norm(pair.push))
    out = [
        loads.force(
            "child", pair.push / size, profiles.constant(size), point=pair.particles[1, -1], inertial=True, name="push"
        )
    ]
    if pair.has_law:
        out += [loads.joint_torque("j", profiles.constant(m), i, f"m{i}") for i, m in enumerate(pair.motors)]
    return out


def in_order(pair, found):
    return np.concatenate([found.velocity, found.angular_velocity, found.joints["j"] if pair.count > 6 else []])


@pytest.mark.parametrize(("kind", "seed"), CASES)
def test_accelerations_inertia_and_momenta_are_those_of_the_particles(kind, seed):
    pair = JointedPair(kind, seed)
    vehicle, state = pair.vehicle(), pair.state()
    expected = pair.accelerations()
    got = in_order(pair, evaluate(vehicle, state, acting(pair)))
    assert np.abs(got - expected).max() < 1e-9 * np.abs(expected).max()
    c = compile_vehicle(vehicle)
    y, U = flat_state(c, state), c.held()
    found, (kinetic, momentum, angular) = integrals_of_motion(c, 0.0, y[None], U)[0], pair.momenta()
    assert found[0] == pytest.approx(kinetic, rel=1e-11)
    assert found[2:5] == pytest.approx(momentum, rel=1e-11)
    assert found[5:8] == pytest.approx(angular, rel=1e-11, abs=1e-11 * np.abs(angular).max())
    M = pair.mass_matrix()
    assert np.abs(Perturbed(c, y, U, 0.0).mass() - M).max() < 1e-11 * np.abs(M).max()


@pytest.mark.parametrize(("kind", "seed"), CASES)
def test_accelerations_are_those_of_mujoco(kind, seed):
    pytest.importorskip("mujoco")
    pair = JointedPair(kind, seed)
    expected = pair.in_mujoco()
    assert np.abs(pair.accelerations() - expected).max() < 1e-9 * np.abs(expected).max()  # so does the oracle
    got = in_order(pair, evaluate(pair.vehicle(), pair.state(), acting(pair)))
    assert np.abs(got - expected).max() < 1e-9 * np.abs(expected).max()


@pytest.mark.parametrize("kind", STEPS)
def test_a_run_balances(kind):
    """Work of motors, dampers and the push against energy; impulse of push and weight against momenta."""
    pair = JointedPair(kind, 3)
    run = simulate(pair.vehicle(), 0.4, pair.state(), loads=acting(pair), samples=4, rtol=1e-11, atol=1e-13)
    assert max(run.balance.worst().values()) < 1e-9
    assert np.abs(run.balance.work).max() > 1e-3


@pytest.mark.parametrize("kind", [kind for kind, steps in STEPS.items() if "prismatic" not in steps])
def test_the_likins_engine_agrees_where_it_has_the_joint(kind):
    pair = JointedPair(kind, 4)
    found = likins.accelerations(likins.build(pair.vehicle()), pair.state(), acting(pair))
    expected = pair.accelerations()
    assert np.abs(in_order(pair, found) - expected).max() < 1e-9 * np.abs(expected).max()


def test_the_oracle_is_sensitive():
    """A shifted child point or a missing spring would be seen."""
    pair = JointedPair("cylindrical", 1)
    expected = pair.accelerations()
    pair.points[1] += 1e-3
    assert np.abs(pair.accelerations() - expected).max() > 1e-5 * np.abs(expected).max()
    assert isinstance(pair.vehicle(), Vehicle)
