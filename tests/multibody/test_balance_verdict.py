"""A run judges its own balance, and the default tolerance follows the size of the motion."""

from dataclasses import replace

import numpy as np
import pytest
from support.appendages import random_bodies
from support.command import run as command
from support.flexible import random_appendage

from tisserand.multibody import (
    Body,
    MountedAppendage,
    State,
    Vehicle,
    load_trajectory,
    loads,
    profiles,
    save_trajectory,
    simulate,
)
from tisserand.multibody.balance_verdict import balance_verdict
from tisserand.views.report.trajectory_page import trajectory_page


def craft(inertia="full"):
    mount = MountedAppendage("a", random_bodies(0), "bus", inertia=inertia)
    record = mount.record.changed(damping=np.zeros_like(mount.record.damping))
    return Vehicle("craft", (Body("bus", 10.0, inertia=[5.0, 6.0, 7.0]),), appendages=(replace(mount, record=record),))


def turning(inertia):
    """The same with bodies that turn exactly at full inertia."""
    mount = MountedAppendage("a", random_appendage(3, exact=True), "bus", inertia=inertia)
    return Vehicle("craft", (Body("bus", 10.0, inertia=[5.0, 6.0, 7.0]),), appendages=(mount,))


def moving(size, spin=0.0):
    return State(
        angular_velocity=spin * np.array([0.2, 0.3, -0.1]), modal={"a": size * np.array([1.0, -0.5, 0.3, 0.2])}
    )


@pytest.mark.parametrize("inertia", ["full", "constant"])
@pytest.mark.parametrize("size", [1e-2, 1e-9, 1e-14])
def test_the_default_tolerance_resolves_motions_of_any_size(inertia, size):
    """The equations are linear for small motion: the shape of the answer may not depend on its size, and the balance holds."""
    small, large = (simulate(craft(inertia), 5.0, moving(s, spin=0.1 * s)) for s in (size, 1e-3))
    verdict = balance_verdict(small)
    assert verdict.held and not any("balance" in w for w in small.warnings)
    if size < 1e-3:
        expected = large.modal["a"] / 1e-3
        fine = simulate(craft("constant"), 5.0, moving(size, spin=0.1 * size), rtol=1e-12, atol=1e-15 * size)
        assert small.modal["a"] / size == pytest.approx(fine.modal["a"] / size, abs=1e-7)
        assert small.modal["a"] / size == pytest.approx(expected, abs=0.02)  # terms of second degree of the larger one


def test_loads_on_a_vehicle_at_rest_set_the_size_too():
    push = loads.force("bus", [1.0, 0.3, 0.2], profiles.sine(1e-9, 0.3), point=[0.1, 0.4, 0.2])
    run = simulate(craft(), 20.0, loads=[push])
    assert run.settings["atol"] < 1e-18
    assert balance_verdict(run).held and max(balance_verdict(run).worst.values()) < 1e-7
    late = loads.force("bus", [1.0, 0.0, 0.0], profiles.versine(1.0, 15.0, 1.0))  # its corner is found
    assert simulate(craft(), 20.0, loads=[late]).settings["atol"] == pytest.approx(1e-12, rel=1.0)


def test_a_stated_tolerance_is_kept_and_a_run_it_spoils_says_so():
    run = simulate(craft(), 5.0, moving(1e-9), atol=1e-3)
    verdict = balance_verdict(run)
    assert run.settings["atol"] == 1e-3
    assert not verdict.held and verdict.worst["energy"] > verdict.limit
    assert any("does not balance" in w and "energy" in w for w in run.warnings)
    assert "Do not trust this run" in trajectory_page(run)
    assert "Do not trust this run" not in trajectory_page(simulate(craft(), 5.0, moving(1e-3)))


def test_the_limit_follows_the_tolerance_and_the_steps():
    loose, tight = (balance_verdict(simulate(craft(), 5.0, moving(1e-2, 1.0), rtol=r)) for r in (1e-6, 1e-10))
    assert loose.held and tight.held and tight.limit < loose.limit / 100
    fixed = balance_verdict(simulate(craft(), 5.0, moving(1e-2, 1.0), method="rk4", step=0.1, samples=6))
    assert fixed.limit == 1e-3 and not fixed.held


@pytest.mark.parametrize("engine", ["recursive", pytest.param("likins", marks=pytest.mark.slow)])
def test_linear_inertia_balances_to_the_same_limit_as_full(engine):
    """Momenta and energy of 20 s (likins: 0.2 s) at 0.5 to 2 % of the size: the limit is that of ``full``, set by rtol alone."""
    for size in (2e-2, 5e-3):
        duration = 20.0 if engine == "recursive" else 0.2
        linear, full = (
            balance_verdict(
                simulate(turning(level), duration, moving(size, 100.0 * size), engine=engine, rtol=1e-9, samples=41)
            )
            for level in ("linear", "full")
        )
        assert linear.held and full.held and linear.worst.keys() == full.worst.keys()
        assert linear.limit < 2.0 * full.limit and "linear" not in linear.expected
        assert max(linear.worst.values()) < 1e-6


def test_the_verdict_survives_the_file(tmp_path):
    run = simulate(craft("linear"), 2.0, moving(1e-2, 1.0))
    save_trajectory(run, tmp_path / "run.h5")
    again = balance_verdict(load_trajectory(tmp_path / "run.h5"))
    assert again.limit == pytest.approx(balance_verdict(run).limit) and again.held


def pendulum_file(tmp_path):
    """A small swing without damping, as a vehicle file."""
    file = tmp_path / "v.toml"
    file.write_text(
        'name = "two"\n[simulation]\nduration = 20.0\n[bodies.bus]\nmass = 10.0\ninertia = [5.0, 6.0, 7.0]\n'
        "[bodies.arm]\nmass = 2.0\ncenter = [0.5, 0.0, 0.1]\ninertia = [0.1, 0.3, 0.3]\n"
        '[joints.turn]\nparent = "bus"\nchild = "arm"\naxis = [0.0, 1.0, 0.0]\nstiffness = 4.0\n'
        "[initial.joints]\nturn = 1e-3\n"
    )
    return file


def test_monte_carlo_and_info_give_the_same_verdict(tmp_path):
    """A study with a hopeless tolerance: its samples are counted and named in words and JSON, and it exits with one."""
    file = pendulum_file(tmp_path)
    options = ["--vary", "bodies.bus.mass=uniform:9:11", "-n", 2, "--seed", 1, "--json"]
    good = command("montecarlo", file, *options)
    bad = command("montecarlo", file, *options, "--set", "simulation.atol=1e-1")
    assert good.exit_code == 0 and good.data["unbalanced"] == []
    assert all(s["result"]["balance"]["held"] for s in good.data["samples"])
    assert bad.exit_code == 1 and bad.data["unbalanced"] == [1, 2]
    assert set(bad.data["samples"][0]["result"]["balance"]) == {"worst", "limit", "held", "expected"}
    told = command("montecarlo", file, *options[:-1], "--set", "simulation.atol=1e-1")
    assert "2 of 2 samples do not balance: 1, 2" in " ".join((told.stdout + told.stderr).split())
    command("simulate", file, "--set", "simulation.atol=1e-1", "-o", tmp_path / "run.h5")
    told = command("info", tmp_path / "run.h5", "--json")
    assert told.data["balance"]["verdict"] == "does not balance"


def test_the_command_says_so_and_exits_with_one(tmp_path):
    file = pendulum_file(tmp_path)
    codes = {}
    for atol in ("1e-1", "1e-12"):
        result = command("simulate", file, "--set", f"simulation.atol={atol}", "--json")
        codes[atol] = result.exit_code, result.data
    code, found = codes["1e-1"]
    assert code == 1 and found["balance"]["held"] is False and found["complete"]
    assert max(found["balance"]["worst"].values()) > found["balance"]["limit"]
    assert any("does not balance" in w for w in found["warnings"])
    code, found = codes["1e-12"]
    assert code == 0 and found["balance"]["held"] is True and found["balance"]["limit"] <= 1e-3
