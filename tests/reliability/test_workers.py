"""Parallel processes of a study end with it, at once: interrupted alone or with its group, terminated, or killed."""

import os
import re
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest
from support.appendages import random_bodies
from support.writing_commands import VEHICLE

from tisserand.appendage import save_record

pytestmark = [
    pytest.mark.slow,
    pytest.mark.skipif(not Path("/proc/self/task").exists(), reason="children are listed by Linux only"),
]


def workers_of(process: int) -> list[int]:
    """Processes started by this one to work, without the tracker of their shared resources."""
    found = []
    for entry in Path("/proc").glob("[0-9]*"):
        try:
            parent = int((entry / "stat").read_text().rpartition(")")[2].split()[1])
            if parent == process and b"spawn_main" in (entry / "cmdline").read_bytes():
                found.append(int(entry.name))
        except OSError:  # it ended meanwhile
            continue
    return found


def runs(process: int) -> bool:
    try:
        return Path(f"/proc/{process}/stat").read_text().rpartition(")")[2].split()[0] not in "ZX"
    except OSError:
        return False


def waited(what, seconds: float):
    """The first answer that is true, asked for so long."""
    end = time.monotonic() + seconds
    while not (answer := what()) and time.monotonic() < end:
        time.sleep(0.02)
    return answer


@pytest.mark.parametrize(
    ("sign", "group", "code"),
    [
        (signal.SIGINT, False, 130), (signal.SIGINT, True, 130), (signal.SIGTERM, False, -15), (signal.SIGKILL, False, -9),
    ],
)  # fmt: skip
@pytest.mark.parametrize("working", [False, True], ids=["starting", "working"])
def test_no_process_outlives_its_study(tmp_path, sign, group, code, working):
    save_record(random_bodies(0), tmp_path / "wing.h5")
    # steps in Python run in processes
    (tmp_path / "bus.toml").write_text(
        VEHICLE.replace("duration = 0.2", "duration = 5000.0").replace("segment = 0.05", 'method = "LSODA"')
    )
    words = ["montecarlo", "bus.toml", "--vary", "bodies.bus.mass=normal:80:1", "-n", "4", "-j", "2", "-o", "mc.csv"]
    study = subprocess.Popen(
        [sys.executable, "-m", "tisserand.cli.app", *words],
        cwd=tmp_path, stderr=subprocess.PIPE, text=True, start_new_session=True, env={**os.environ, "OMP_NUM_THREADS": "1"},
    )  # fmt: skip
    try:
        workers = waited(lambda: (found := workers_of(study.pid)) and len(found) == 2 and found, 300)
        assert workers, "two processes"
        if working:  # settled, and long past its imports
            assert waited(lambda: all(ignores_interrupts(worker) for worker in workers), 300)
        (os.killpg if group else os.kill)(study.pid, sign)
        _, errors = study.communicate(timeout=120)
        assert study.returncode == code
        assert waited(lambda: not any(map(runs, workers)), 60), "a process works on for nobody"
        assert not (tmp_path / "mc.csv").exists()
        if code == 130:
            assert re.fullmatch(r"tisserand: interrupted; nothing was written\.\n", errors), errors
    finally:
        for process in (study.pid, *workers_of(study.pid)):
            if runs(process):
                os.kill(process, signal.SIGKILL)


def ignores_interrupts(process: int) -> bool:
    """Whether Ctrl-C is ignored, which is the first act of a process that is ready to work."""
    status = Path(f"/proc/{process}/status").read_text()
    return bool(int(re.search(r"SigIgn:\s*(\w+)", status)[1], 16) >> (signal.SIGINT - 1) & 1)
