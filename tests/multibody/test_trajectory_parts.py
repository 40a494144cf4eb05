"""A trajectory is made of parts; every field of a part is an attribute of the run, and files hold what they always held."""

from dataclasses import fields

import numpy as np
import pytest

from tisserand.multibody import Body, State, Vehicle, hinge, simulate
from tisserand.multibody.engines import engine_named
from tisserand.multibody.recursive.compile import compile_vehicle
from tisserand.multibody.recursive.states import pack_state
from tisserand.multibody.trajectory import Trajectory
from tisserand.multibody.trajectory_parts import ARRAYS, MAPPINGS, PART_OF, PARTS

TWO = Vehicle(
    "two",
    [Body("hub", 5.0, inertia=[1.0, 2.0, 3.0]), Body("arm", 2.0, center=[0.5, 0.0, 0.1], inertia=[0.1, 0.2, 0.3])],
    [hinge("elbow", "hub", "arm", [0.0, 0.0, 1.0], stiffness=3.0)],
)
MOVING = State(angular_velocity=[0.1, -0.2, 0.3], joints={"elbow": 0.4})


@pytest.fixture(scope="module")
def run():
    return simulate(TWO, 0.5, MOVING, samples=5)


def test_no_type_of_a_run_is_wide():
    """Eleven fields at most, where one type had 38."""
    assert max(len(fields(kind)) for kind in (Trajectory, *PARTS.values())) <= 11


def test_every_field_of_a_part_is_an_attribute_of_the_run(run):
    for word, part in PART_OF.items():
        assert getattr(run, word) is getattr(getattr(run, part), word), word
    assert set(ARRAYS) | set(MAPPINGS) <= {*PART_OF, "times", "signals"}


def test_histories_cannot_be_changed(run):
    for word in ARRAYS:
        assert not getattr(run, word).flags.writeable, word
    with pytest.raises(TypeError):
        run.joints["elbow"] = np.zeros(5)
    with pytest.raises(AttributeError):
        run.position = np.zeros((5, 3))


def test_a_copy_changes_what_it_is_told(run):
    moved = run.changed(position=run.position + 1.0, warnings=("moved",), vehicle_name="other", signals={})
    assert np.array_equal(moved.position, run.position + 1.0)
    assert (moved.warnings, moved.vehicle_name, run.warnings) == (("moved",), "other", ())
    assert moved.velocity is run.velocity
    assert moved.kept_moments is None
    with pytest.raises(TypeError, match="speed"):
        run.changed(speed=1.0)


def test_some_output_times_are_those_rows_of_everything(run):
    some = run.sampled([0, 3])
    for word in ARRAYS:
        assert np.array_equal(getattr(some, word), getattr(run, word)[[0, 3]]), word
    for word in MAPPINGS:
        for name, values in getattr(run, word).items():
            assert np.array_equal(getattr(some, word)[name], values[[0, 3]]), (word, name)
    assert some.bodies == run.bodies


@pytest.mark.parametrize("name", ["recursive", "likins"])
def test_both_engines_answer_the_protocol(name):
    """Rates and observations of one state, through nothing but the protocol."""
    c = compile_vehicle(TWO)
    engine = engine_named(name, c)
    y, U = pack_state(c, MOVING)
    dy = np.zeros(c.size)
    assert engine.rates(0.0, y, U, c.workspace(), dy) == 0
    seen = engine.observe(np.zeros(1), y[None], U[None])
    assert (engine.name, engine.kernel is None) == (name, name == "likins")
    u = c.speeds
    assert seen.motion.origin_acceleration[0, 0] == pytest.approx(dy[u : u + 3], rel=1e-12)
    assert seen.motion.angular_acceleration[0, 0] == pytest.approx(dy[u + 3 : u + 6], rel=1e-12)
    assert seen.integrals.potential[0] == pytest.approx(0.5 * 3.0 * 0.4**2, rel=1e-12)
    assert seen.forces.joint_effort["elbow"][0] == pytest.approx(-3.0 * 0.4, rel=1e-12)
