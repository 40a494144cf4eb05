"""``[outputs]`` of an appendage case: `modes` writes what is asked for beside the case, and says so."""

import csv
import json

import pytest
from support.case_files import PLATE, plate_mesh, write_case
from support.command import run

import tisserand as ts
from tisserand.appendage import load_record

ALL = '[outputs]\nrecord = "out/plate.h5"\nmodes = "out/plate.csv"\npictures = "out/plate.vtu"\nreport = "out/plate.html"\n'


@pytest.fixture
def folder(tmp_path):
    plate_mesh(tmp_path)
    return tmp_path


def case_with(folder, outputs):
    return write_case(folder, PLATE.replace('[outputs]\nrecord = "plate.h5"\n', outputs))


def test_modes_writes_every_output_of_the_case_beside_it_and_says_so(folder):
    (folder / "out").mkdir()
    result = run("modes", case_with(folder, ALL), "-n", 3)
    assert result.exit_code == 0, result.stderr
    said = result.stdout.replace("\n", "")
    for name in ("plate.h5", "plate.csv", "plate.vtu", "plate.html"):
        assert (folder / "out" / name).stat().st_size > 0 and name in said
    record = load_record(folder / "out" / "plate.h5")
    with open(folder / "out" / "plate.csv", newline="") as stream:
        rows = list(csv.DictReader(stream))
    assert [float(row["frequency (Hz)"]) for row in rows] == pytest.approx(record.frequencies_hz, rel=1e-12)


def test_a_folder_that_does_not_exist_is_refused_before_any_work(folder):
    """The same rule for [outputs], options and Python: folders are never created on the way."""
    case = case_with(folder, ALL)
    for result in (
        run("modes", case, "-n", 3),
        run("modes", case, "-n", 3, "--ignore-outputs", "-o", folder / "out/a.h5"),
    ):
        assert result.exit_code == 2 and "its folder does not exist; create it first: mkdir -p" in result.stderr
    with pytest.raises(ts.InputError, match="its folder does not exist"):
        ts.modes(case, count=3, ignore_outputs=True, output=folder / "out" / "a.h5")
    with pytest.raises(ts.InputError, match="its folder does not exist"):
        ts.save_record(ts.uniform_beam(1.0, 1.0, bending=1.0, count=1), folder / "out" / "a.h5")
    assert not (folder / "out").exists()


def test_the_option_wins_over_the_record_of_the_case(folder):
    path = case_with(folder, '[outputs]\nrecord = "plate.h5"\nmodes = "plate.json"\n')
    data = run("modes", path, "-n", 2, "-o", folder / "mine.h5", "--json").data
    assert (folder / "mine.h5").exists() and not (folder / "plate.h5").exists()
    assert len(json.loads((folder / "plate.json").read_text())["frequencies_hz"]) == 2
    assert data["written"] == [str(folder / "mine.h5"), str(folder / "plate.json")]


def test_other_commands_write_no_outputs(folder):
    assert run("info", case_with(folder, ALL)).exit_code == 0
    assert run("check", case_with(folder, ALL)).exit_code == 0
    assert run("diff", case_with(folder, ALL), case_with(folder, ALL)).exit_code == 0
    assert not (folder / "out").exists()


@pytest.mark.parametrize("line", ['record = "a.txt"', 'modes = "a.h5"', 'pictures = "shots"', 'report = "a.pdf"'])
def test_a_wrong_ending_is_refused_before_anything_is_solved(folder, line):
    result = run("modes", case_with(folder, f"[outputs]\n{line}\n"))
    assert result.exit_code == 2 and f"outputs.{line.split()[0]}" in result.stderr
    assert result.stderr.count("\n") == 1
