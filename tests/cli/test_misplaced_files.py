"""A file of another kind is called by its name, with the command that takes it."""

from pathlib import Path

import pytest
from support.command import run

ROOT = Path(__file__).parents[2]
VEHICLE = """
[bodies.bus]
mass = 100.0
inertia = [50.0, 60.0, 70.0]

[simulation]
duration = 0.1
"""


@pytest.fixture(scope="module")
def folder(tmp_path_factory):
    folder = tmp_path_factory.mktemp("misplaced")
    (folder / "vehicle.toml").write_text(VEHICLE)
    assert run("simulate", folder / "vehicle.toml", "-o", folder / "run.h5", "-q").exit_code == 0
    return folder


def test_info_describes_a_vehicle_file(folder):
    facts = run("info", folder / "vehicle.toml", "--json").data
    assert facts["kind"] == "vehicle file" and facts["bodies"] == ["bus"] and "simulate" in facts["taken by"]
    shipped = run("info", ROOT / "examples" / "two_wing.toml", "--json").data
    assert shipped["kind"] == "vehicle file" and len(shipped["appendages"]) == 2
    assert run("info", folder / "vehicle.toml").exit_code == 0


@pytest.mark.parametrize("command", ["modes", "check", "view"])
def test_a_vehicle_file_is_sent_to_simulate(folder, command):
    result = run(command, folder / "vehicle.toml")
    assert result.exit_code == 2 and result.stderr.count("\n") == 1
    assert "is a vehicle file" in result.stderr and "tisserand simulate vehicle.toml" in result.stderr


@pytest.mark.parametrize("command", ["modes", "check"])
def test_a_run_is_sent_to_report(folder, command):
    result = run(command, folder / "run.h5")
    assert result.exit_code == 2 and result.stderr.count("\n") == 1
    assert "is a run" in result.stderr and "tisserand report run.h5" in result.stderr


def test_report_says_how_to_make_what_it_takes(folder):
    deck = run("report", ROOT / "meshes" / "boom.bdf", "-o", folder / "a.html")
    assert deck.exit_code == 2 and "tisserand modes boom.bdf -o boom.h5" in deck.stderr
    vehicle = run("report", folder / "vehicle.toml", "-o", folder / "a.html")
    assert vehicle.exit_code == 2 and "tisserand simulate vehicle.toml -o vehicle.h5" in vehicle.stderr
    assert not (folder / "a.html").exists()


def test_broken_toml_is_still_told_by_its_reader(folder):
    (folder / "broken.toml").write_text("bodies = {\n")
    result = run("info", folder / "broken.toml")
    assert result.exit_code == 2 and "broken.toml" in result.stderr and result.stderr.count("\n") == 1
