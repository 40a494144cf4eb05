"""A run that was killed says so: its file is a checkpoint, marked unfinished until the very end."""

import pytest
from support.command import run

from tisserand.multibody import load_trajectory
from tisserand.studies import flight as flying
from tisserand.studies.simulate import simulate

VEHICLE = """
[bodies.bus]
mass = 80.0
inertia = [60.0, 50.0, 70.0]
[initial]
angular_velocity = [0.01, 0.02, 0.0]
[simulation]
duration = 10.0
output_step = 0.5
segment = 2.0
"""


def test_a_checkpoint_is_marked_unfinished_until_the_run_ends(tmp_path, monkeypatch):
    """The program dies while it writes its third checkpoint: the second one is on disk and says how far it came."""
    (tmp_path / "bus.toml").write_text(VEHICLE)
    target, written = tmp_path / "run.h5", []

    def dying(trajectory, path, **options):
        if len(written) == 2:
            raise KeyboardInterrupt
        written.append(save(trajectory, path, **options))

    save = flying.save_trajectory
    monkeypatch.setattr(flying, "save_trajectory", dying)
    with pytest.raises(KeyboardInterrupt):
        simulate(tmp_path / "bus.toml", output=target)
    monkeypatch.undo()
    left = load_trajectory(target)
    assert not left.complete and left.times[-1] == 4.0 and "4 of 10 s" in left.reason
    assert "unfinished: the run was at 4 of 10 s" in run("info", target, "--json").data["time"]["ending"]
    assert simulate(tmp_path / "bus.toml", output=target).completed
    assert load_trajectory(target).complete and load_trajectory(target).times[-1] == 10.0
