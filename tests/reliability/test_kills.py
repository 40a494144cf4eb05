"""Two hundred kills at random moments over all writing commands: what is at the output's name can always be read."""

import os
import random
import signal
import subprocess
import sys
import time

import pytest
from support.appendages import random_bodies

from tisserand.appendage import load_record, save_record
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
duration = 400.0
output_step = 0.5
segment = 2.0
"""
COMMANDS = {
    "simulate": (("simulate", "bus.toml", "-o", "out.h5", "--csv", "out.csv"), "out.h5", load_trajectory),
    "report": (("report", "wing.h5", "-o", "out.html"), "out.html", lambda p: p.read_text().index("</html>")),
    "modes": (("modes", "wing.h5", "-o", "copy.h5"), "copy.h5", load_record),
    "export sid": (("export", "wing.h5", "--to", "sid", "--force", "-o", "out.SID_FEM"), "out.SID_FEM",
                   lambda p: p.read_text().index("end part")),
    "export vtu": (("export", "wing.h5", "--to", "vtu", "--force", "-o", "out.vtu"), "out.vtu",
                   lambda p: p.read_text().index("</VTKFile>")),
}  # fmt: skip
KILLS = 200


@pytest.mark.slow
def test_a_kill_at_any_moment_leaves_a_readable_file_or_none(tmp_path):
    rng = random.Random(0)
    save_record(random_bodies(0), tmp_path / "wing.h5")
    (tmp_path / "bus.toml").write_text(VEHICLE)
    names, needed, readable = list(COMMANDS), {}, 0
    for name, (command, output, _) in COMMANDS.items():
        started = time.monotonic()
        done = subprocess.run(
            [sys.executable, "-m", "tisserand.cli.app", *command], cwd=tmp_path, capture_output=True, text=True
        )
        assert done.returncode == 0, done.stderr
        needed[name] = time.monotonic() - started
        (tmp_path / output).unlink()
    for turn in range(KILLS):
        name = names[turn % len(names)]
        command, output, read = COMMANDS[name]
        process = subprocess.Popen(
            [sys.executable, "-m", "tisserand.cli.app", *command],
            cwd=tmp_path, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL,
        )  # fmt: skip
        time.sleep(needed[name] * rng.uniform(0.3, 1.0))  # imports take the first third
        process.send_signal(signal.SIGKILL)
        process.wait()
        if (tmp_path / output).exists():
            read(tmp_path / output)
            readable += 1
        if name == "simulate" and (tmp_path / output).exists():
            run = load_trajectory(tmp_path / output)
            assert run.complete == (run.times[-1] == 400.0)
    assert readable > 0
    orphans = [p for p in tmp_path.iterdir() if p.name.startswith(".")]
    for orphan in orphans:  # as old as they must be before anybody dares to remove them
        os.utime(orphan, (0, 0))
    save_record(random_bodies(0), tmp_path / "again.h5")
    assert not [p for p in tmp_path.iterdir() if p.name.startswith(".")]


def test_an_orphan_of_a_dead_process_is_swept_and_others_stay(tmp_path):
    from tisserand.files import temporary_prefix, write_text

    child = subprocess.Popen([sys.executable, "-c", ""])
    child.wait()
    mine = tmp_path / f"{temporary_prefix('run')}abcd1234.h5"
    dead = tmp_path / mine.name.replace(f"-{os.getpid()}-", f"-{child.pid}-")
    young = tmp_path / dead.name.replace("abcd1234", "abcd1235")
    foreign = tmp_path / f".run-ffff-{child.pid}-abcd1234.h5"
    user = tmp_path / ".run-notes.h5"
    for path in (mine, dead, young, foreign, user):
        path.write_text("x")
        if path != young:
            os.utime(path, (0, 0))
    write_text(tmp_path / "a.txt", "x")
    host = temporary_prefix("").split("-")[1]
    left = {p for p in (mine, dead, young, foreign, user) if p.exists()}
    assert left == {mine, young, foreign, user} - (set() if host != "ffff" else {foreign})
