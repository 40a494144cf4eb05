"""The shipped wing with geometric stiffness on a drive, by the command line from end to end."""

from pathlib import Path

import numpy as np
import pytest
from support.command import run

from tisserand.multibody import load_trajectory

MESH = Path(__file__).parents[2] / "meshes" / "wing.bdf"
VEHICLE = """
name = "array drive"
[bodies.bus]
mass = 150.0
inertia = [60.0, 40.0, 70.0]
[bodies.drive]
mass = 3.0
inertia = [0.03, 0.03, 0.03]
[joints.sadm]
parent = "bus"
child = "drive"
axis = [0.0, 1.0, 0.0]
parent_point = [0.0, 0.6, 0.0]
stiffness = 1000.0
[appendages.wing]
record = "wing.h5"
body = "drive"
{more}
[loads.push]
kind = "torque"
body = "bus"
direction = [1.0, 0.0, 0.0]
strength = {{ shape = "bang_bang", value = {torque}, start = 0.5, duration = 6.0 }}
[simulation]
duration = {duration}
"""


@pytest.mark.slow
def test_a_bang_bang_slew_completes_and_small_motion_needs_no_stiffening(tmp_path, monkeypatch):
    """20 modes, 40 N m: the run completes and balances. At 1/100 of the torque it agrees with that without geometric stiffness:
    the families act by the square of the motion, so the difference falls to 1e-3 of the modal coordinates.
    """
    monkeypatch.chdir(tmp_path)
    made = run("modes", MESH, "-u", "SI", "--count", 20, "--geometric", "--damping", 0.003, "-o", "wing.h5")
    assert made.exit_code == 0, made.stderr
    runs = {}
    for name, torque, more, duration in (
        ("large", 40.0, "", 10.0),
        ("small", 0.4, "", 3.0),
        ("plain", 0.4, "geometric_stiffness = false", 3.0),
    ):
        Path(f"{name}.toml").write_text(VEHICLE.format(torque=torque, more=more, duration=duration))
        flown = run("simulate", f"{name}.toml", "-o", f"{name}.h5")
        assert flown.exit_code == 0, flown.stderr
        runs[name] = load_trajectory(f"{name}.h5")
    large = runs["large"]
    assert large.complete and large.times[-1] == 10.0
    assert max(large.balance.worst().values()) < 1e-9
    small, plain = (runs[name].modal["wing"] for name in ("small", "plain"))
    assert np.abs(small - plain).max() < 1e-3 * np.abs(plain).max()
