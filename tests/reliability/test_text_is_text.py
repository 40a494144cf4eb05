"""Names and paths of other people are printed as they are: no markup, no emoji, no escape sequences, no broken lines."""

import pytest
from support.appendages import random_bodies
from support.command import run

from tisserand.appendage import save_record
from tisserand.errors import FileError

NAME = "a[/bold]b[red]c:warning:"


@pytest.fixture
def home(tmp_path):
    folder = tmp_path / ("[bold]" + "long" * 40)
    folder.mkdir()
    save_record(random_bodies(0).changed(name=NAME), folder / "wing.h5")
    (folder / "bus.toml").write_text(
        f'name = "{NAME}"\n[bodies.bus]\nmass = 80.0\ninertia = [60.0, 50.0, 70.0]\n[appendages."{NAME}"]\nrecord = "wing.h5"\n'
        'body = "bus"\n[initial]\nangular_velocity = [0.01, 0.02, 0.0]\n[simulation]\nduration = 0.2\noutput_step = 0.1\n'
    )
    return folder


def test_modes_and_info_of_a_record_print_its_name(home):
    for command in ("modes", "info"):
        result = run(command, home / "wing.h5")
        assert result.exit_code == 0, result.stderr
        assert NAME in result.stdout


def test_a_written_path_is_printed_whole_on_one_line(home):
    target = home / "out[/bold].h5"
    target.parent.mkdir()
    result = run("simulate", home / "bus.toml", "-o", target)
    assert result.exit_code == 0, result.stderr
    assert NAME in result.stdout and f"Wrote {target}\n" in result.stdout
    assert f"{home / 'page.html'} (" in run("report", target, "-o", home / "page.html").stdout
    result = run("export", home / "wing.h5", "--to", "effective-mass", "-o", home / "wing.csv")
    assert f"Wrote {home / 'wing.csv'}\n" in result.stdout


def test_an_error_is_one_printable_line(tmp_path):
    path = tmp_path / "a\x1b[31m\nb.bdf"
    assert run("info", path).stderr.count("\n") == 1
    text = FileError(path, "x\r\n\x07\ud800").sentence()
    assert text.isprintable() and "\\x1b[31m" in text and "\\n" in text
