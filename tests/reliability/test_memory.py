"""Peak memory of the commands on the shipped wing stays below the bounds of docs/reliability.md."""

import os
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

MESHES = Path(__file__).parents[2] / "meshes"
VEHICLE = """
[bodies.bus]
mass = 500.0
inertia = [200.0, 200.0, 200.0]
[appendages.wing]
record = "wing.h5"
body = "bus"
[sensors.rate]
kind = "rate"
body = "bus"
direction = [1.0, 0.0, 0.0]
[loads.kick]
kind = "torque"
body = "bus"
direction = [1.0, 0.0, 0.0]
strength = 0.1
[initial]
angular_velocity = [0.01, 0.0, 0.0]
[simulation]
duration = 20.0
"""
#: Command and bound, MiB, in the order in which they need each other's files.
BOUNDS = (
    (("info", "wing.toml"), 700),
    (("check", "wing.toml"), 1000),
    (("modes", "wing.toml", "-o", "wing.h5"), 1000),
    (("info", "wing.h5"), 700),
    (("view", "wing.h5", "--save", "wing.png"), 1000),
    (("report", "wing.h5", "-o", "wing.html"), 700),
    (("diff", "wing.h5", "wing.h5"), 700),
    (("export", "wing.h5", "--to", "sid", "-o", "wing.SID_FEM"), 700),
    (("export", "wing.h5", "--to", "vtu", "-o", "wing.vtu"), 700),
    (("simulate", "bus.toml", "-o", "run.h5"), 1000),
    (("info", "run.h5"), 700),
    (("report", "run.h5", "-o", "run.html"), 700),
    (("frames", "run.h5", "-o", "frames.csv"), 700),
    (("formats",), 700),
    (("schema", "vehicle"), 700),
    (("study", "study.toml"), 1000),
    (("system-modes", "bus.toml"), 1000),
    (("linearize", "bus.toml", "-o", "bus.npz"), 1000),
    (("response", "bus.toml", "-o", "bus.csv"), 1000),
    (("sweep", "bus.toml", "--over", "bodies.bus.mass=400,500", "-o", "sweep.csv"), 1000),
    (("montecarlo", "bus.toml", "--vary", "bodies.bus.mass=normal:500:5", "-n", "2", "-o", "draws.csv"), 1000),
    (("campbell", "wing.toml", "--axis", "0,0,1", "--rates", "0,0.1", "-n", "3", "-o", "spin.csv"), 1000),
)


@pytest.mark.slow
@pytest.mark.skipif(not hasattr(os, "wait4"), reason="needs wait4")
def test_commands_stay_below_their_memory_bounds(tmp_path):
    for name in ("wing.bdf", "wing.toml"):
        shutil.copy(MESHES / name, tmp_path / name)
    (tmp_path / "bus.toml").write_text(VEHICLE)
    (tmp_path / "study.toml").write_text('[modes]\nmodel = "wing.toml"\nignore_outputs = true\noutput = "again.h5"\n')
    for command, bound in BOUNDS:
        child = subprocess.Popen(
            [sys.executable, "-m", "tisserand.cli.app", *command, "--quiet"], cwd=tmp_path,
            env={**os.environ, "OMP_NUM_THREADS": "1"}, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL,
        )  # fmt: skip
        _, status, usage = os.wait4(child.pid, 0)
        assert os.waitstatus_to_exitcode(status) == 0, command
        print(f"{usage.ru_maxrss / 1024:.0f} MiB: tisserand {' '.join(command)}")
        assert usage.ru_maxrss / 1024 < bound, command
