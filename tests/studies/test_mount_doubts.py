"""Records whose modes do not fit their mount: every task says so in the same words, and is silent where they fit.

The lowest held frequency that is named is compared with the dense finite elements of the shipped boom in the same span.
"""

from pathlib import Path

import numpy as np
import pytest
from support.command import run
from support.mounted_oracle import free_parts, shapes

import tisserand as ts

BOOM = Path(__file__).parents[2] / "meshes" / "boom.bdf"
VEHICLE = """
[bodies.bus]
mass = 200.0
inertia = [89.4, 89.4, 89.4]
[appendages.boom]
record = "RECORD.h5"
body = "bus"
[loads.kick]
kind = "torque"
body = "bus"
direction = [0.0, 0.0, 1.0]
strength = 0.0
[sensors.r]
kind = "rate"
body = "bus"
direction = [0.0, 0.0, 1.0]
[simulation]
duration = 0.01
samples = 3
"""
COMMANDS = {
    "simulate": (),
    "system-modes": (),
    "linearize": (),
    "response": ("--points", 5),
    "sweep": ("--over", "bodies.bus.mass=200,210"),
}
FIT = {
    "clamped": (),
    "tisserand": ("--free", "--frame", "tisserand"),
    "held milne": ("--frame", "milne"),
    "node": ("--frame", "node:5"),
    "residual": ("--free",),
}
ALONE = ("--free", "--mounted", "free")


@pytest.fixture(scope="module")
def folder(tmp_path_factory):
    return tmp_path_factory.mktemp("mounts")


def listed(folder, name, options):
    made = run("modes", BOOM, "-u", "SI", "-n", 6, *options, "-o", folder / f"{name}.h5", "--force", "--json")
    assert made.exit_code == 0, made.stderr
    return made.data["warnings"]


def told(command, folder, record):
    (folder / "v.toml").write_text(VEHICLE.replace("RECORD", record))
    data = run(command, folder / "v.toml", *COMMANDS[command], "--json").data
    words = data["samples"][0]["result"]["warnings"] if command == "sweep" else data["warnings"]
    return [w for w in words if "moves at its attachment" in w]


def test_every_task_says_so(folder):
    assert any("free modes alone" in w for w in listed(folder, "free alone", ALONE))
    found = [told(command, folder, "free alone") for command in COMMANDS]
    assert all(f == found[0] for f in found) and len(found[0]) == 1
    assert found[0][0].startswith("boom moves at its attachment by 6 elastic modes")


def test_an_attachment_that_the_deck_does_not_hold_is_refused():
    """Held elsewhere the modes would fit no mount: the deck is let go, or holds the attachment."""
    refused = run("modes", BOOM, "-u", "SI", "-n", 3, "--attachment", 9)
    assert refused.exit_code == 2 and "node 9 cannot be the attachment" in refused.stderr and "--free" in refused.stderr


def test_the_frequency_named_is_that_of_the_span_held(folder):
    listed(folder, "free alone", ALONE)
    (words,) = told("linearize", folder, "free alone")
    p = free_parts(ts.assemble(ts.read_model(BOOM, units="SI")), 1)
    B = shapes(p, "free", 6)
    held = B - p.S @ (p.C @ B)
    values = np.linalg.eigvals(np.linalg.solve(held.T @ p.M @ held, held.T @ p.K @ held))
    assert f"lowest frequency of {np.sqrt(values.real.min()) / (2 * np.pi):.5g} Hz" in words


@pytest.mark.parametrize("name", FIT)
def test_every_task_is_silent_where_the_modes_fit(folder, name):
    assert not any("attachment by" in w for w in listed(folder, name, FIT[name]))
    assert all(told(command, folder, name) == [] for command in ("simulate", "linearize"))
