"""Spin without geometric stiffness is reported by every task in the same words, whatever the frame of the record.

Limit: a tenth of the lowest frequency with the attachment held, from the deck's own modes (proven, no record involved).
"""

from pathlib import Path

import numpy as np
import pytest
from support.command import run

import tisserand as ts

BOOM = Path(__file__).parents[2] / "meshes" / "boom.bdf"
VEHICLE = """
[bodies.bus]
mass = 200.0
inertia = [89.4, 89.4, 120.0]
[bodies.drive]
mass = 3.0
inertia = [0.02, 0.03, 0.04]
[joints.motor]
kind = "hinge"
parent = "bus"
child = "drive"
axis = [0.0, 0.0, 1.0]
damping = 0.1
[appendages.boom]
record = "RECORD"
body = "drive"
[loads.kick]
kind = "torque"
body = "bus"
direction = [0.0, 0.0, 1.0]
strength = 0.0
[sensors.r]
kind = "rate"
body = "bus"
direction = [0.0, 0.0, 1.0]
[initial]
START
[simulation]
duration = 0.1
samples = 3
"""
COMMANDS = {
    "simulate": (),
    "system-modes": (),
    "linearize": (),
    "response": ("--points", 5),
    "sweep": ("--over", "bodies.bus.mass=200,210"),
}


@pytest.fixture(scope="module")
def folder(tmp_path_factory):
    made = tmp_path_factory.mktemp("spin")
    for name, options in {"clamped": (), "floating": ("--frame", "tisserand"), "stiff": ("--geometric",)}.items():
        run("modes", BOOM, "-u", "SI", "-n", 4, *options, "-o", made / f"{name}.h5")
    return made


def told(command, folder, record, start):
    (folder / "v.toml").write_text(VEHICLE.replace("RECORD", f"{record}.h5").replace("START", start))
    done = run(command, folder / "v.toml", *COMMANDS[command], "--json")
    words = done.data["samples"][0]["result"]["warnings"] if command == "sweep" else done.data["warnings"]
    return [w for w in words if "without geometric stiffness" in w], done.stderr


@pytest.mark.parametrize("command", list(COMMANDS))
def test_every_task_says_so_above_a_tenth_of_the_lowest_frequency_and_is_silent_below(command, folder):
    """12 % and 8 % of the lowest held frequency, by the bus or by the hinge alone; with '--geometric' nothing is said."""
    lowest = 2.0 * np.pi * run("modes", BOOM, "-u", "SI", "-n", 1, "--json").data["frequencies_hz"][0]
    bus, hinge = f"angular_velocity = [0.0, 0.0, {0.12 * lowest}]", f"joint_rates = {{ motor = {0.12 * lowest} }}"
    for record in ("clamped", "floating"):
        for start in (bus, hinge):
            (words,), seen = told(command, folder, record, start)
            assert "boom spins at" in words and ", 12% of its lowest frequency," in words
            assert words in seen or command == "simulate"  # whose summary shows it
    slow = f"angular_velocity = [0.0, 0.0, {0.08 * lowest}]"
    assert told(command, folder, "floating", slow)[0] == [] and told(command, folder, "stiff", bus)[0] == []


def test_results_in_python_say_the_same(folder):
    mount = ts.MountedAppendage("boom", ts.load_record(folder / "clamped.h5"), "bus")
    vehicle = ts.Vehicle("v", (ts.Body("bus", 200.0, inertia=np.diag([90.0, 90.0, 120.0])),), appendages=(mount,))
    state = ts.State(angular_velocity=(0.0, 0.0, 3.0))
    (note,) = [n for n in ts.linearize(vehicle, state).notes if "geometric" in n]
    assert note in ts.system_modes(vehicle, state).doubts
