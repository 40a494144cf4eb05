"""Ctrl-C during a run: one sentence, and a readable file of what was flown."""

import signal
import subprocess
import sys
import time

from support.appendages import random_bodies

from tisserand.appendage import save_record
from tisserand.multibody import load_trajectory

VEHICLE = """
[bodies.bus]
mass = 80.0
inertia = [60.0, 50.0, 70.0]
[appendages.wing]
record = "wing.h5"
body = "bus"
[initial]
angular_velocity = [0.01, 0.02, 0.0]
[simulation]
duration = 20000.0
output_step = 1.0
segment = 20.0
"""


def test_interrupting_a_run_leaves_what_was_flown(tmp_path):
    """Exit code 130, one sentence, and the checkpoints up to then read back."""
    save_record(random_bodies(0), tmp_path / "wing.h5")
    vehicle, target = tmp_path / "vehicle.toml", tmp_path / "run.h5"
    vehicle.write_text(VEHICLE)
    process = subprocess.Popen(
        [sys.executable, "-m", "tisserand.cli.app", "simulate", str(vehicle), "-o", str(target)],
        stderr=subprocess.PIPE,
        text=True,
        preexec_fn=lambda: signal.signal(signal.SIGINT, signal.SIG_DFL),  # a background shell hands it down ignored
    )
    deadline = time.monotonic() + 120.0
    while not target.exists() and time.monotonic() < deadline and process.poll() is None:
        time.sleep(0.01)
    errors = None
    for _ in range(60):  # an interrupt that falls into a destructor is lost, as in any Python program: press again
        process.send_signal(signal.SIGINT)
        try:
            _, errors = process.communicate(timeout=2.0)
            break
        except subprocess.TimeoutExpired:
            continue
    assert errors is not None, "the run does not stop"
    assert process.returncode == 130 and "stopped" in errors and "Traceback" not in errors
    assert load_trajectory(target).times[-1] >= 20.0
