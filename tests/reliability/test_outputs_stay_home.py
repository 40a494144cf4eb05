"""``[outputs]`` of case and vehicle files: never an input, never outside the file's folder unless forced, the right ending."""

import csv

import pytest
from support.case_files import PLATE, plate_mesh, write_case
from support.command import run

VEHICLE = """
[bodies.bus]
mass = 80.0
inertia = [60.0, 50.0, 70.0]
[initial]
angular_velocity = [0.01, 0.02, 0.0]
[sensors."rate\\nof x"]
kind = "rate"
body = "bus"
direction = [1.0, 0.0, 0.0]
[simulation]
duration = 1.0
output_step = 0.1
[outputs]
"""


@pytest.fixture
def home(tmp_path):
    folder = tmp_path / "home"
    folder.mkdir()
    plate_mesh(folder)
    return folder


def modes(folder, line, *options):
    return run("modes", write_case(folder, PLATE.replace('record = "plate.h5"', line)), "-n", 2, *options)


def fly(folder, line, *options):
    (folder / "bus.toml").write_text(VEHICLE + line + "\n")
    return run("simulate", folder / "bus.toml", *options)


@pytest.mark.parametrize("go", [modes, fly], ids=["modes", "simulate"])
def test_a_file_outside_the_folder_is_written_only_by_force(home, go):
    target = home.parent / "away.html"
    result = go(home, 'report = "../away.html"')
    assert result.exit_code == 2 and "outputs.report" in result.stderr and "--force" in result.stderr
    assert not target.exists() and result.stderr.count("\n") == 1
    assert go(home, f'report = "{target}"').exit_code == 2
    assert go(home, 'report = "../away.html"', "--force").exit_code == 0 and target.stat().st_size > 0


def test_a_link_that_leads_out_of_the_folder_is_outside(home):
    (home / "door").symlink_to(home.parent, target_is_directory=True)
    assert modes(home, 'report = "door/away.html"').exit_code == 2
    assert not (home.parent / "away.html").exists()


@pytest.mark.parametrize("force", [(), ("--force",)])
def test_a_case_never_replaces_its_mesh(home, force):
    (home / "plate.vtu").hardlink_to(home / "plate.msh")  # the same file by another name
    before = (home / "plate.msh").read_bytes()
    result = modes(home, 'pictures = "plate.vtu"', *force)
    assert result.exit_code == 2 and "input" in result.stderr
    assert (home / "plate.msh").read_bytes() == before == (home / "plate.vtu").read_bytes()


def test_a_vehicle_never_replaces_its_record(home):
    from support.appendages import random_bodies

    from tisserand.appendage import save_record

    save_record(random_bodies(0), home / "wing.h5")
    before = (home / "wing.h5").read_bytes()
    wing = '[appendages.wing]\nrecord = "wing.h5"\nbody = "bus"\n[outputs]'
    (home / "bus.toml").write_text(VEHICLE.replace("[outputs]", wing) + 'trajectory = "wing.h5"\n')
    for options in ((), ("-o", home / "wing.h5")):
        result = run("simulate", home / "bus.toml", *options)
        assert result.exit_code == 2 and "input" in result.stderr
    assert (home / "wing.h5").read_bytes() == before


@pytest.mark.parametrize(
    "line", ['trajectory = "bus.toml"', 'csv = "run.h5"', 'plot = "a.toml"', 'report = "plate.msh"']
)
def test_a_vehicle_output_with_another_ending_is_refused(home, line):
    result = fly(home, line)
    assert result.exit_code == 2 and f"outputs.{line.split()[0]}" in result.stderr


def test_two_outputs_of_one_name_are_refused(home):
    assert "two outputs" in fly(home, 'trajectory = "a.h5"\ncsv = "b.csv"', "-o", home / "b.csv").stderr


def test_a_name_with_a_line_break_stays_one_cell_of_the_csv(home):
    assert fly(home, 'csv = "run.csv"').exit_code == 0
    with open(home / "run.csv", newline="") as stream:
        rows = list(csv.reader(stream))
    assert len(rows) == 12 and any("rate of x" in name for name in rows[0])
    assert {len(row) for row in rows} == {len(rows[0])}
