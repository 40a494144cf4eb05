"""The gallery and the folder of examples tell of each other."""

import re

import pytest
from support.command import run
from support.examples import FOLDER, example

DOCS = FOLDER.parent / "docs"
#: Pictures of the demo, of pages and of the window, which no script draws.
SHOWN = {f"{name}.png" for name in ("demo_story", "report", "report_compared", "replay", "window")}
SCRIPTS = sorted(p.stem for p in FOLDER.glob("*.py") if p.stem != "kit")


def test_every_example_has_its_picture_in_the_gallery():
    text = (DOCS / "gallery.md").read_text()
    assert [name for name in SCRIPTS if f"examples/{name}.py" not in text] == []
    pictures = re.findall(r"\(images/(\S+?)\)", text)
    assert sorted(set(pictures) - SHOWN) == sorted(f"{name}.png" for name in SCRIPTS)
    assert all((DOCS / "images" / picture).stat().st_size > 10_000 for picture in pictures)


def test_every_script_is_in_the_table_of_examples():
    text = (DOCS / "examples.md").read_text()
    assert [name for name in SCRIPTS if name[:2].isdigit() and f"`{name}`" not in text] == []


@pytest.mark.parametrize("name", ["01_free_beam", "10_truncation"])
def test_a_script_draws_into_the_given_folder(name, tmp_path):
    example(name).main(tmp_path)
    assert (tmp_path / f"{name}.png").read_bytes()[:4] == b"\x89PNG"


def test_vehicle_files_run_from_the_command_line():
    """The command that examples.md shows, on the shorter of the two files."""
    result = run("sweep", FOLDER / "two_wing.toml", "--over", "joints.north.motion=0:1.5708:2", "--json")
    assert result.exit_code == 0, result.stderr
    low, high = (sample["result"]["frequencies_hz"] for sample in result.data["samples"])
    assert (
        result.data["failures"] == 0 and low[0] == pytest.approx(0.8068, rel=0.1) and high[1] != pytest.approx(low[1])
    )
