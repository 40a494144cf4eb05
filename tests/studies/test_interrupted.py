"""Ctrl-C during a run: one sentence, and a readable file of what was flown."""

import signal

import pytest
from support.appendages import random_bodies
from support.command import run

from tisserand.appendage import save_record
from tisserand.multibody import load_trajectory
from tisserand.multibody.simulation import Simulation

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
duration = 0.5
output_step = 0.05
segment = 0.1
"""


@pytest.fixture
def vehicle(tmp_path):
    """A vehicle, and SIGINT as a terminal leaves it (a background shell hands it down ignored)."""
    save_record(random_bodies(0), tmp_path / "wing.h5")
    (tmp_path / "vehicle.toml").write_text(VEHICLE)
    former = signal.signal(signal.SIGINT, signal.default_int_handler)
    yield tmp_path / "vehicle.toml"
    signal.signal(signal.SIGINT, former)


@pytest.mark.parametrize("stated", [True, False])
@pytest.mark.parametrize("segments", [1, 3])
def test_interrupting_a_run_leaves_what_was_flown(vehicle, monkeypatch, segments, stated):
    """The signal arrives in the middle of a segment: exit code 130, one sentence, and the checkpoints up to then read back."""
    flown, fly = [], Simulation.extend
    if not stated:  # forty pieces, each of at least one output step
        vehicle.write_text(VEHICLE.replace("segment = 0.1\n", ""))

    def interrupted(self, *args, **options):
        part = fly(self, *args, **options)
        if len(flown) == segments:
            signal.raise_signal(signal.SIGINT)
        flown.append(part)
        return part

    monkeypatch.setattr(Simulation, "extend", interrupted)
    target = vehicle.with_name("run.h5")
    result = run("simulate", vehicle, "-o", target)
    assert result.exit_code == 130 and result.stderr.count("\n") == 1
    assert "interrupted" in result.stderr and "last checkpoint" in result.stderr
    left = load_trajectory(target)
    assert left.times[-1] == pytest.approx((0.1 if stated else 0.05) * segments) and not left.complete


def test_interrupting_before_the_first_checkpoint_leaves_nothing(vehicle, monkeypatch):
    monkeypatch.setattr(Simulation, "extend", lambda *_, **__: signal.raise_signal(signal.SIGINT))
    result = run("simulate", vehicle, "-o", vehicle.with_name("run.h5"))
    assert result.exit_code == 130 and "nothing was written" in result.stderr
    assert sorted(p.name for p in vehicle.parent.iterdir()) == ["vehicle.toml", "wing.h5"]
