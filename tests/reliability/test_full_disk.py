"""A disk that fills up: one sentence, exit code 2, the old file as it was, nothing half-written beside it."""

import builtins
import errno
import os
import sys
from pathlib import Path

import pytest
from support.appendages import random_bodies
from support.case_files import PLATE, plate_mesh, write_case
from support.command import run

from tisserand.appendage import save_record

VEHICLE = """
[bodies.bus]
mass = 80.0
inertia = [60.0, 50.0, 70.0]
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
angular_velocity = [0.01, 0.02, 0.0]
[simulation]
duration = 0.2
output_step = 0.1
"""
#: Every command that writes, with its output.
COMMANDS = {
    "modes": ("modes", "plate.toml", "-n", "2", "-o", "out/x.h5"),
    "modes outputs": ("modes", "plate.toml", "-n", "2"),
    "report": ("report", "wing.h5", "-o", "out/x.html"),
    "view": ("view", "wing.h5", "--save", "out/x.png"),
    "simulate": ("simulate", "bus.toml", "-o", "out/x.h5"),
    "simulate csv": ("simulate", "bus.toml", "--csv", "out/x.csv"),
    "simulate plot": ("simulate", "bus.toml", "--plot", "out/x.png"),
    "diff": ("diff", "wing.h5", "wing.h5", "--picture", "out/x.png"),
    "linearize": ("linearize", "bus.toml", "-o", "out/x.npz"),
    "response": ("response", "bus.toml", "-o", "out/x.csv"),
    **{
        f"export {target}": ("export", "wing.h5", "--to", target, "--force", "-o", f"out/x{end}")
        for target, end in (
            ("statespace", ".npz"), ("matlab", ".mat"), ("sdtlib", ".mat"), ("effective-mass", ".csv"), ("op4", ".op4"),
            ("dmig", ".pch"), ("exudyn", ".hdf5"), ("42", ".txt"), ("sid", ".SID_FEM"), ("vtu", ".vtu"), ("gltf", ".glb"),
        )
    },
}  # fmt: skip


@pytest.fixture
def home(tmp_path, monkeypatch):
    plate_mesh(tmp_path)
    write_case(tmp_path, PLATE.replace('record = "plate.h5"', 'modes = "out/x.csv"\nreport = "out/x.html"'))
    save_record(random_bodies(0), tmp_path / "wing.h5")
    (tmp_path / "bus.toml").write_text(VEHICLE)
    (tmp_path / "out").mkdir()
    monkeypatch.chdir(tmp_path)
    return tmp_path


class Full:
    """A stream of which every write fails, as on a disk without space."""

    def __init__(self, stream):
        self.stream = stream

    def __getattr__(self, name):
        if name in ("write", "writelines"):
            return self.refuse
        return getattr(self.stream, name)

    def refuse(self, *_):
        raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC), str(getattr(self.stream, "name", "")))

    def __enter__(self):
        return self

    def __exit__(self, *_):
        self.stream.close()

    def __iter__(self):
        return iter(self.stream)


def fill(monkeypatch, folder: Path) -> None:
    """From now on nothing under ``folder`` can be written: every way in which Python opens a file for writing is caught."""
    real, real_io = builtins.open, __import__("io").open

    def opened(file, mode="r", *args, **options):
        stream = real(file, mode, *args, **options)
        inside = not isinstance(file, int) and Path(os.fsdecode(file)).resolve().is_relative_to(folder)
        return Full(stream) if inside and any(c in mode for c in "wax+") else stream

    monkeypatch.setattr(builtins, "open", opened)
    monkeypatch.setattr("io.open", opened)
    monkeypatch.setattr("pathlib.io.open", opened) if sys.version_info < (3, 13) else None
    assert real is real_io


@pytest.mark.parametrize("name", COMMANDS)
def test_no_space_left_is_one_sentence(home, monkeypatch, name):
    for kept in ("x.h5", "x.html", "x.csv"):
        (home / "out" / kept).write_text("old")
    with monkeypatch.context() as patch:
        fill(patch, home / "out")
        result = run(*COMMANDS[name])
    assert result.exit_code == 2, (result.stdout, result.stderr)
    assert "No space left on device" in result.stderr and "Traceback" not in result.stderr
    assert {p.name: p.read_text() for p in (home / "out").iterdir()} == {"x.h5": "old", "x.html": "old", "x.csv": "old"}


@pytest.mark.parametrize("name", COMMANDS)
def test_the_same_command_writes_where_there_is_space(home, name):
    """The other half: what the test above refuses is refused for want of space only."""
    result = run(*COMMANDS[name])
    assert result.exit_code == 0, result.stderr
    assert any(p.stat().st_size for p in (home / "out").iterdir())
    assert not [p for p in (home / "out").iterdir() if p.name.startswith(".")]


def _small_disk(folder: Path) -> bool:
    """Mount 256 KiB of memory at ``folder``; False where that is not permitted."""
    import subprocess

    return (
        os.geteuid() == 0
        and not subprocess.run(
            ["mount", "-t", "tmpfs", "-o", "size=256k", "tmpfs", str(folder)], capture_output=True
        ).returncode
    )


@pytest.mark.slow
@pytest.mark.parametrize("name", COMMANDS)
def test_a_real_small_disk_that_is_full(home, name):
    """The same on a file system of its own, in a process of its own: HDF5 used to crash there."""
    import subprocess

    if not _small_disk(home / "out"):
        pytest.skip("mounting a small file system is not permitted here")
    try:
        room = os.statvfs(home / "out")
        (home / "out" / "ballast").write_bytes(b"x" * (room.f_bavail * room.f_bsize))
        done = subprocess.run(
            [sys.executable, "-m", "tisserand.cli.app", *COMMANDS[name]],
            cwd=home,
            capture_output=True,
            text=True,
            timeout=300,
        )
        assert done.returncode == 2, (done.returncode, done.stderr)
        assert "No space left on device" in done.stderr and "Traceback" not in done.stderr
        assert [p.name for p in (home / "out").iterdir()] == ["ballast"]
    finally:
        subprocess.run(["umount", str(home / "out")], check=True)
