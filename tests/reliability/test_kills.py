"""Two hundred kills over all writing commands: what is at the output's name can always be read.

Nothing depends on time: a process dies before a chosen step of its own (a file opened for writing, renamed, removed), or inside
the write that passes a chosen number of bytes.
"""

import os
import random
import re
import subprocess
import sys

import pytest
from support.appendages import random_bodies
from support.writing_commands import COMMANDS, alone, furnish

from tisserand.appendage import save_record

KILLS = 200


@pytest.mark.slow
@pytest.mark.skipif(sys.platform != "linux", reason="needs a fork server and limits on the size of files")
def test_a_kill_at_any_moment_leaves_a_readable_file_or_none(tmp_path):
    rng = random.Random(0)
    furnish(tmp_path)
    out, names, steps, sizes = tmp_path / "out", list(COMMANDS), {}, {}
    for name, (command, whole) in COMMANDS.items():
        code, errors, steps[name] = alone(tmp_path, command)
        assert code == 0 and steps[name] > 1, (name, errors)
        sizes[name] = max(path.stat().st_size for path in out.iterdir())
        assert all(re.fullmatch(r"(Body_|Flex_|Node_)?x[._].*", path.name) for path in out.iterdir()), name
        whole(out / _output(command))
        _empty(out)
    killed = kept = 0
    for turn in range(2 * KILLS):
        if killed == KILLS:
            break
        name = names[turn % len(names)]
        command, whole = COMMANDS[name]
        home = tmp_path / f"out of {name}"  # where this command's files are while the others run
        if home.exists():
            out.rmdir()
            home.rename(out)
        output = out / _output(command)
        old = output.exists()
        if turn // len(names) % 2:
            answer = alone(tmp_path, command, size_limit=rng.randrange(sizes[name]))
        else:
            answer = alone(tmp_path, command, kill_at=rng.randrange(steps[name]))
        killed += answer is None
        assert output.exists() or not old, f"{name}: the old file is gone"
        if output.exists():
            whole(output)
            kept += 1
        out.rename(home)
        out.mkdir()
    assert killed == KILLS and kept > 0
    orphans = 0
    for home in tmp_path.glob("out of *"):
        for orphan in _hidden(home):
            os.utime(orphan, (0, 0))  # as old as they must be before anybody dares to remove them
            orphans += 1
        save_record(random_bodies(0), home / "again.h5")
        assert _hidden(home) == []
    assert orphans > 0


def _hidden(folder) -> list:
    return [path for path in folder.iterdir() if path.name.startswith(".")]


def _output(command) -> str:
    """The name of the file that a command writes (42: the first of three)."""
    named = [word.removeprefix("out/") for word in command if word.startswith("out/x")]
    name = named[0] if named else {"modes": "x.csv", "study": "x.h5"}[command[0]]
    return f"Flex_{name}" if "42" in command else name


def _empty(folder) -> None:
    for path in folder.iterdir():
        path.unlink()


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
    folder = tmp_path / dead.name.replace("run-", "export-").replace(".h5", "")  # as export leaves one
    folder.mkdir()
    (folder / "half.vtu").write_text("x")
    os.utime(folder, (0, 0))
    write_text(tmp_path / "a.txt", "x")
    host = temporary_prefix("").split("-")[1]
    left = {p for p in (mine, dead, young, foreign, user) if p.exists()}
    assert left == {mine, young, foreign, user} - (set() if host != "ffff" else {foreign})
    assert not folder.exists()
