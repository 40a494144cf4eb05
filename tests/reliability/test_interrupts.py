"""Ctrl-C at any moment of any writing command: exit code 130, one sentence that is true, and no file that is not whole."""

import os
import re
import sys

import pytest
from support.writing_commands import COMMANDS, alone, furnish

#: Of the quick suite, at every seventh step: one of each way to write.
QUICK = ("modes outputs", "simulate", "export 42")


@pytest.fixture(scope="module")
def home(tmp_path_factory):
    folder = tmp_path_factory.mktemp("interrupted")
    furnish(folder)
    return folder


@pytest.mark.skipif(sys.platform != "linux", reason="needs a fork server")
@pytest.mark.parametrize(
    ("name", "every"),
    [
        *(pytest.param(name, 1, marks=pytest.mark.slow, id=name) for name in COMMANDS),
        *(pytest.param(name, 7, id=f"{name}, some") for name in QUICK),
    ],
)
def test_an_interrupt_before_any_step_leaves_whole_files_and_says_which(home, name, every):
    """Every step on the file system in turn; outputs that are there afterwards are named, and nothing else is."""
    command, whole = COMMANDS[name]
    out = home / "out"
    code, errors, steps = alone(home, command)
    assert code == 0, errors
    complete = _emptied(out)
    for step in range(steps - 1, -1, -every):  # from the last, after which all is written
        code, errors, _ = alone(home, command, interrupt_at=step)
        left = _emptied(out, whole if len(complete) == 1 else None)
        assert code == 130, (step, code, errors)
        assert errors.count("\n") == 1 and errors.startswith("tisserand: interrupted"), (step, errors)
        assert left <= complete, (step, left - complete)
        for file in left:
            assert re.search(re.escape(file), errors), (step, left, errors)
        assert bool(left) != ("nothing was written" in errors), (step, left, errors)


def _emptied(folder, whole=None) -> set[str]:
    """Names of what is in a folder, which is empty afterwards; files are whole."""
    names = set(os.listdir(folder))
    for name in names:
        if whole is not None:
            whole(folder / name)
        (folder / name).unlink()
    return names
