"""A disk that fills up: one sentence, exit code 2, the old file as it was, nothing half-written beside it."""

import builtins
import errno
import os
import subprocess
import sys
from pathlib import Path

import pytest
from support.command import run
from support.writing_commands import COMMANDS, alone, furnish

from tisserand.files import write_text


@pytest.fixture
def home(tmp_path, monkeypatch):
    furnish(tmp_path)
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
        result = run(*COMMANDS[name][0])
    assert result.exit_code == 2, (result.stdout, result.stderr)
    assert "No space left on device" in result.stderr and "Traceback" not in result.stderr
    assert "/." not in result.stderr, "a temporary name, which nobody asked for"
    assert {p.name: p.read_text() for p in (home / "out").iterdir()} == {"x.h5": "old", "x.html": "old", "x.csv": "old"}


@pytest.mark.slow
@pytest.mark.parametrize("name", COMMANDS)
def test_the_same_command_writes_where_there_is_space(home, name):
    """The other half: what the test above refuses is refused for want of space only."""
    result = run(*COMMANDS[name][0])
    assert result.exit_code == 0, result.stderr
    assert any(p.stat().st_size for p in (home / "out").iterdir())
    assert not [p for p in (home / "out").iterdir() if p.name.startswith(".")]


@pytest.mark.parametrize("written", [(), ("wing.csv",)])
def test_a_demo_that_cannot_write_removes_its_empty_folder_or_names_what_is_there(home, monkeypatch, written):
    def modes(source, folder, tell):
        for name in written:
            write_text(folder / name, "1,2\n")
        fill(monkeypatch, home / "new")
        write_text(folder / "wing.h5", "3,4\n")

    monkeypatch.setattr("tisserand.studies.demo._modes", modes)
    result = run("demo", "-o", "new")
    assert result.exit_code == 2 and "new/wing.h5: cannot be written (No space left on device)" in result.stderr
    assert result.stderr.endswith("; new/wing.csv was written.\n" if written else "; nothing was changed.\n")
    assert (home / "new").exists() == bool(written)


def _small_disk(folder: Path) -> bool:
    """Mount 256 KiB of memory at ``folder``; False where that is not permitted."""
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
    if not _small_disk(home / "out"):
        pytest.skip("mounting a small file system is not permitted here")
    try:
        room = os.statvfs(home / "out")
        (home / "out" / "ballast").write_bytes(b"x" * (room.f_bavail * room.f_bsize))
        answer = alone(home, COMMANDS[name][0])
        assert answer is not None, "the command was killed"
        assert answer[0] == 2, answer
        assert "No space left on device" in answer[1] and "Traceback" not in answer[1]
        assert [p.name for p in (home / "out").iterdir()] == ["ballast"]
    finally:
        subprocess.run(["umount", str(home / "out")], check=True)
