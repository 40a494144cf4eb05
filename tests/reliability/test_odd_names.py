"""Files whose names hold spaces, marks, line breaks or bytes that are no text: every writing command reads and writes them."""

import os

import pytest
from support.command import run
from support.writing_commands import COMMANDS, furnish

#: What stands before the ending of every file, inputs and outputs.
ODD = {
    "spaces and marks": "a b [bold]'\"$%#;&",
    "letters of other scripts": "\u043a\u0440\u044b\u043b\u043e\u7ffc",
    "no UTF-8": os.fsdecode(b"w\xffng\x80"),
    "a line break": "one\ntwo",
}
#: Inputs by the names that the commands give them.
INPUTS = ("plate.toml", "bus.toml", "study.toml", "wing.h5", "run.h5", "plate.msh")


@pytest.fixture(params=ODD, ids=str)
def odd(tmp_path, monkeypatch, request):
    """A folder in which every input has an odd name; the mark, and names old to new."""
    mark = ODD[request.param]
    furnish(tmp_path)
    monkeypatch.chdir(tmp_path)
    names = {name: mark + name for name in INPUTS}
    for old, new in names.items():
        os.rename(old, new)
    if mark.isprintable() and '"' not in mark:  # TOML holds no other names
        for old in ("plate.toml", "bus.toml", "study.toml"):
            text = (tmp_path / names[old]).read_text()
            for before, after in names.items():
                text = text.replace(f'"{before}"', f'"{after}"')
            (tmp_path / names[old]).write_text(text.replace("out/x", f"out/{mark}x"))
    else:
        for old in ("wing.h5", "plate.msh", "plate.toml"):
            os.symlink(names[old], old)
    return mark, names


@pytest.mark.slow
@pytest.mark.parametrize("name", COMMANDS)
def test_every_command_reads_and_writes_files_of_any_name(odd, name):
    mark, names = odd
    command, _ = COMMANDS[name]
    words = [names.get(word, word.replace("out/x", f"out/{mark}x")) for word in command]
    result = run(*words)
    assert result.exit_code == 0, result.stderr
    written = os.listdir("out")
    assert written and not [file for file in written if file.startswith(".")]
    told = run(*words[:1], *words[1:], "--json") if name in ("simulate", "modes") else None
    assert told is None or told.exit_code == 0, told.stderr


def test_a_run_of_an_odd_vehicle_is_read_back(odd):
    mark, names = odd
    assert run("simulate", names["bus.toml"], "-o", f"{mark}.h5").exit_code == 0
    for command, target in (("info", ()), ("report", ("-o", f"out/{mark}.html")), ("frames", ())):
        result = run(command, f"{mark}.h5", *target)
        assert result.exit_code == 0, (command, result.stderr)
