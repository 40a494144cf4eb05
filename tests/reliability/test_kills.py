"""Two hundred kills over all writing commands: what is at the output's name can always be read.

Nothing depends on time: a process dies before a chosen step of its own (a file opened for writing, renamed, removed), or inside
the write that passes a chosen number of bytes.
"""

import os
import random
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
        assert {path.stem.split("_")[0].split(".")[0] for path in out.iterdir()} == {"x"}, name
        whole(out / f"x{_ending(command)}")
        _empty(out)
    killed = kept = 0
    for turn in range(2 * KILLS):
        if killed == KILLS:
            break
        name = names[turn % len(names)]
        command, whole = COMMANDS[name]
        output = out / f"x{_ending(command)}"
        old = output.read_bytes() if output.exists() else None
        if turn // len(names) % 2:
            answer = alone(tmp_path, command, size_limit=rng.randrange(sizes[name]))
        else:
            answer = alone(tmp_path, command, kill_at=rng.randrange(steps[name]))
        killed += answer is None
        if output.exists():
            whole(output)
            kept += 1
        else:
            assert old is None, f"{name}: the old file is gone"
    assert killed == KILLS and kept > 0
    for orphan in [path for path in out.iterdir() if path.name.startswith(".")]:
        os.utime(orphan, (0, 0))  # as old as they must be before anybody dares to remove them
    save_record(random_bodies(0), out / "again.h5")
    assert not [path for path in out.iterdir() if path.name.startswith(".")]


def _ending(command) -> str:
    named = [word for word in command if word.startswith("out/x")]
    return named[0].removeprefix("out/x") if named else {"modes": ".csv", "study": ".h5"}[command[0]]


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
