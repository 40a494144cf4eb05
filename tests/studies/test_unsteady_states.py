"""Linear analyses say when the state they stand on is no equilibrium, and are silent on one."""

import re
from pathlib import Path

import numpy as np
import pytest
from support.appendages import random_bodies
from support.command import run
from support.vehicle_texts import ARM

from tisserand.appendage import save_record

COMMANDS = (["linearize"], ["system-modes"], ["sweep", "--over", "joints.shoulder.stiffness=40,50"])


def written(tmp_path, text):
    path = tmp_path / "vehicle.toml"
    path.write_text(text)
    return path


@pytest.mark.parametrize("command", COMMANDS, ids=lambda c: c[0])
def test_a_bar_that_would_fall_is_reported(command, tmp_path):
    """k = 40 N m/rad holds m g c = 11.8 N m at -0.28 rad: the file's zero angle is that far away."""
    path = written(tmp_path, ARM)
    plain = run(command[0], path, *command[1:])
    assert plain.exit_code == 0
    assert "warning" in plain.stderr and "not an equilibrium: shoulder accelerates by 12.3" in plain.stderr
    assert "initial.equilibrium = true" in plain.stderr
    data = run(command[0], path, *command[1:], "--json").data
    told = data["samples"][0]["result"]["warnings"] if command[0] == "sweep" else data["warnings"]
    assert len(told) == 1 and "about 0.29" in told[0]
    if command[0] == "sweep":
        assert "2 of 2 samples, first joints.shoulder.stiffness = 40" in plain.stderr


@pytest.mark.parametrize("command", COMMANDS[:2], ids=lambda c: c[0])
def test_the_same_bar_at_rest_is_not(command, tmp_path):
    path = written(tmp_path, ARM + "[initial]\nequilibrium = true\n")
    result = run(command[0], path, *command[1:], "--json")
    assert result.data["warnings"] == [] and "warning" not in result.stderr


TUMBLER = """
gravity = [0.0, 0.0, -9.81]
[bodies.b]
mass = 5.0
center = [0.3, 0.0, 0.0]
inertia = [1.0, 2.0, 2.5]
[rotors.w]
body = "b"
axis = [0.0, 0.0, 1.0]
spin_inertia = 0.0001
damping = 0.0001
[loads.push]
kind = "force"
body = "b"
direction = [1.0, 0.0, 0.0]
strength = 5.0
[sensors.r]
kind = "rate"
body = "b"
direction = [0.0, 0.0, 1.0]
[initial]
rotor_rates = { w = 0.1 }
angular_velocity = SPIN
[simulation]
duration = 1.0
"""


def test_free_fall_and_a_steady_spin_are_no_departures_but_tumbling_is(tmp_path):
    """A principal spin about an origin away from the mass center, falling, with a wheel: steady; w x I w = 0."""
    steady = written(tmp_path, TUMBLER.replace("SPIN", "[0.0, 0.0, 0.4]"))
    assert run("response", steady, "--json").data["warnings"] == []
    tumbling = written(tmp_path, TUMBLER.replace("SPIN", "[0.4, 0.0, 0.4]"))
    result = run("response", tumbling, "--json")
    (doubt,) = result.data["warnings"]
    assert "base.turn.y accelerates" in doubt and doubt in result.stderr


def test_the_example_of_the_page_stands_still_and_is_stable(tmp_path):
    page = (Path(__file__).parents[2] / "docs" / "vehicle-files.md").read_text()
    text = re.search(r"```toml\n(.*?)```", page, re.S).group(1)
    save_record(random_bodies(0), tmp_path / "wing.h5")
    path = tmp_path / "page.toml"
    path.write_text(text.replace('case = "wing.toml"', 'record = "wing.h5"'))
    data = run("linearize", path, "--closed-loop", "--json").data
    assert data["warnings"] == []
    assert max(np.array(data["poles"])[:, 0]) < 1e-6
    path.write_text(path.read_text().replace("reference_deg = 20.0", "reference_deg = 0.0"))
    (doubt,) = run("linearize", path, "--closed-loop", "--json").data["warnings"]
    assert "array_drive accelerates" in doubt or "base.turn" in doubt
