"""An output that is a symbolic link: the file lands where the link points, and the link stays."""

import os
import shutil
from pathlib import Path

import pytest
from support.command import run
from support.writing_commands import COMMANDS, furnish

#: Of the quick suite: one of each way to write.
QUICK = ("report", "frames", "linearize", "export exudyn", "export op4")
#: Commands whose outputs a file states.
OF_FILES = ("modes", "modes outputs", "study")


@pytest.fixture(scope="module")
def home(tmp_path_factory):
    folder = tmp_path_factory.mktemp("linked")
    furnish(folder)
    before = os.getcwd()
    os.chdir(folder)
    yield folder
    os.chdir(before)


@pytest.mark.parametrize(
    "name", [pytest.param(name, marks=() if name in QUICK else pytest.mark.slow) for name in COMMANDS]
)
def test_an_output_through_a_link_lands_where_the_link_points(home, name):
    """Links to an old file, to none, and to another disk; of several outputs each may be one."""
    command, whole = COMMANDS[name]
    out, there = home / "out", home / "there"
    for left in out.iterdir():  # by a test that failed
        left.unlink()
    assert run(*command).exit_code == 0
    names = sorted(os.listdir(out))
    places = [there]
    if os.path.isdir("/dev/shm") and os.stat("/dev/shm").st_dev != home.stat().st_dev:
        places.append(Path(f"/dev/shm/tisserand-test-{os.getpid()}"))
    for place in places:
        place.mkdir()
        try:
            for number, file in enumerate(names):
                (out / file).unlink()
                (out / file).symlink_to(place / file)
                if number == 0:
                    (place / file).write_text("old")
            if name in OF_FILES and place is not there:  # they stay in the folder of the file
                refused = run(*command)
                assert refused.exit_code == 2 and "is outside the folder of the file" in refused.stderr
                assert [path.read_text() for path in place.iterdir()] == ["old"]
                command = (*command, "--force")
            result = run(*command)
            assert result.exit_code == 0, result.stderr
            assert sorted(os.listdir(out)) == sorted(os.listdir(place)) == names
            for file in names:
                assert (out / file).is_symlink() and (place / file).read_bytes() != b"old"
            if len(names) == 1:
                whole(place / names[0])
        finally:
            shutil.rmtree(place)
    for file in names:
        (out / file).unlink()


@pytest.mark.parametrize("name", [name for name, (command, _) in COMMANDS.items() if command[-1].startswith("out/")])
def test_a_link_into_a_missing_folder_is_refused_before_any_work(home, name):
    command, _ = COMMANDS[name]
    link = home / command[-1]
    link.symlink_to(home / "nowhere" / link.name)
    refused = run(*command)
    assert refused.exit_code == 2 and f"mkdir -p {home}/nowhere" in refused.stderr and refused.stderr.count("\n") == 1
    assert os.listdir(home / "out") == [link.name] and not (home / "nowhere").exists()
    link.unlink()
