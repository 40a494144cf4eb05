"""Memory of a long campaign: histories go to the disk, and what a run leaves in memory is its table row."""

from pathlib import Path

import pytest

import tisserand as ts

#: A rigid body pushed for 0.2 s, with 2,001 output times: a run has 48 kB of histories.
TEXT = """
name = "rigid"
[bodies.bus]
mass = 100.0
inertia = [20.0, 30.0, 40.0]
[loads.push]
kind = "torque"
body = "bus"
direction = [1.0, 0.0, 0.0]
strength = 0.2
[sensors.rate]
kind = "rate"
body = "bus"
direction = [1.0, 0.0, 0.0]
[sensors.turn]
kind = "attitude"
body = "bus"
direction = [1.0, 0.0, 0.0]
[simulation]
duration = 0.2
output_step = 1e-4
"""
STATUS = Path("/proc/self/status")
RUNS = (1000, 5000)
#: What one more run may add, kB: less than a quarter of its histories.
ROW = 10.0


def _resident():
    """Resident memory of this process, kB."""
    lines = STATUS.read_text(encoding="ascii").splitlines()
    return next(int(line.split()[1]) for line in lines if line.startswith("VmRSS"))


@pytest.mark.slow
@pytest.mark.skipif(not STATUS.exists(), reason="resident memory is read from /proc")
def test_memory_does_not_grow_with_histories(tmp_path):
    """Between 1,000 and 5,000 of 5,000 flights each one adds less than 10 kB, although the file holds 48 kB of each."""
    (tmp_path / "rigid.toml").write_text(TEXT)
    seen = {}

    def progress(done, _):
        if done in RUNS:
            seen[done] = _resident()

    out = tmp_path / "runs.h5"
    vary = {"bodies.bus.mass": "normal:100:2"}
    ts.montecarlo(tmp_path / "rigid.toml", vary=vary, count=RUNS[1], jobs=2, histories=out, progress=progress)
    assert out.stat().st_size > 5000 * 2001 * 2 * 8
    growth = (seen[RUNS[1]] - seen[RUNS[0]]) / (RUNS[1] - RUNS[0])
    assert growth < ROW, f"{growth:.1f} kB per run"
