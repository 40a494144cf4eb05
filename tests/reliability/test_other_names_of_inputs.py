"""An output that is an input under another name: every writing command refuses it, and the input stays."""

import os
from pathlib import Path

import pytest
from support.command import run
from support.writing_commands import COMMANDS, furnish

#: Files that an input refers to.
BEHIND = {"bus.toml": ["wing.h5"], "plate.toml": ["plate.msh"]}


@pytest.fixture(scope="module")
def home(tmp_path_factory):
    folder = tmp_path_factory.mktemp("named")
    furnish(folder)
    before = os.getcwd()
    os.chdir(folder)
    yield folder
    os.chdir(before)


@pytest.mark.parametrize("how", ["hard link", "symbolic link", "another path"])
@pytest.mark.parametrize(
    "name", [name for name, (command, _) in COMMANDS.items() if any("out/x" in w for w in command)]
)
def test_an_input_under_another_name_is_never_replaced(home, name, how):
    command, _ = COMMANDS[name]
    place = next(i for i, word in enumerate(command) if word.startswith("out/x"))
    given = [word for word in command[1:3] if (home / word).is_file()]
    for source in {*given, *(file for word in given for file in BEHIND.get(word, ()))}:
        content, alias = (home / source).read_bytes(), home / f"alias{Path(command[place]).suffix}"
        if how == "hard link":
            os.link(home / source, alias)
        elif how == "symbolic link":
            os.symlink(source, alias)
        elif alias.suffix == Path(source).suffix:
            alias = Path("out/../out/..") / source
        else:
            continue
        words = [str(alias) if i == place else word for i, word in enumerate(command)]
        refused = run(*words)
        assert refused.exit_code == 2 and refused.stderr.count("\n") == 1, (words, refused.stderr)
        assert (home / source).read_bytes() == content, words
        if alias.parent == home:
            assert alias.samefile(home / source)
            alias.unlink()
    assert given
