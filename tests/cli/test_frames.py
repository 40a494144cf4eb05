"""The command ``frames``: the same motion in JSON, CSV, HDF5, Python, study file and report; sentences for missing frames."""

import h5py
import numpy as np
import pytest
from support.command import run
from support.edited import edited

import tisserand as ts

VEHICLE = """
name = "bus and boom"
[bodies.bus]
mass = 20.0
inertia = [4.0, 5.0, 6.0]
[bodies.tip]
mass = 3.0
inertia = [0.3, 0.2, 0.1]
[joints.pivot]
kind = "hinge"
parent = "bus"
child = "tip"
axis = [0.0, 1.0, 0.0]
parent_point = [0.4, 0.1, 0.0]
child_point = [-0.7, 0.0, 0.2]
stiffness = 9.0
[initial]
angular_velocity = [0.1, 0.0, 0.3]
[initial.joints]
pivot = [0.4]
[simulation]
duration = 3.0
samples = 25
"""
ROUND = VEHICLE.replace("[4.0, 5.0, 6.0]", "[4.0, 4.0, 6.0]").partition("[bodies.tip]")[0]


@pytest.fixture(scope="module")
def flown(tmp_path_factory):
    folder = tmp_path_factory.mktemp("frames")
    (folder / "v.toml").write_text(VEHICLE)
    assert run("simulate", folder / "v.toml", "-o", folder / "run.h5").exit_code == 0
    return folder


def test_table_json_csv_and_hdf5_hold_the_same_frames(flown):
    """Rigid parts on a spring hinge: H is conserved, and I w_T = H in every row."""
    shown = run("frames", flown / "run.h5", "-o", flown / "f.csv")
    assert shown.exit_code == 0, shown.stderr
    assert "int r x u dm = 0" in shown.stdout and "residual" in shown.stdout
    data = run("frames", flown / "run.h5", "--json", "-o", flown / "f.h5").data
    assert list(data["frames"]) == ["tisserand", "buckens", "principal", "milne"] and not data["missing"]
    for found in data["frames"].values():
        assert found["rate_residual"] < 1e-13 and (found["place_residual"] or 0.0) < 1e-13
    head, *_ = (flown / "f.csv").read_text().splitlines()
    table = np.loadtxt(flown / "f.csv", delimiter=",", skiprows=1)
    names = [word.strip('"') for word in head.split(",")]
    with h5py.File(flown / "f.h5") as file:
        for name in data["frames"]:
            columns = [names.index(f"{name}_rate_{axis} (rad/s)") for axis in "xyz"]
            assert table[:, columns] == pytest.approx(file[name]["rate"][()], rel=1e-10, abs=1e-12)
        I, w, H = (file["tisserand"][word][()] for word in ("inertia", "rate", "angular_momentum"))
        assert np.einsum("nab,nb->na", I, w) == pytest.approx(H, rel=1e-12)
        np.testing.assert_allclose(H, np.tile(H[0], (len(H), 1)), rtol=1e-9)
    assert run("frames", flown / "run.h5", "--quiet").stdout == ""


def test_python_study_file_and_bodies(flown):
    by_python = ts.frames(flown / "run.h5", frame=("buckens",))
    assert list(by_python.frames) == ["buckens"]
    (flown / "s.toml").write_text('[frames]\nrun = "run.h5"\nframe = ["buckens"]\noutput = "s.h5"\n')
    done = run("study", flown / "s.toml")
    assert done.exit_code == 0, done.stderr
    with h5py.File(flown / "s.h5") as file:
        assert list(file) == ["buckens", "times"]
        assert file["buckens"]["rate"][()] == pytest.approx(by_python.frames["buckens"].rate, abs=1e-15)
    tip = ts.frames(flown / "run.h5", vehicle=flown / "v.toml", bodies=("tip",))
    run_data = ts.load_trajectory(flown / "run.h5")
    for motion in tip.frames.values():  # a rigid body: every frame of it turns with it
        assert motion.rate == pytest.approx(run_data.rate[:, run_data.body("tip")], abs=1e-12)
        assert motion.turn.max() < 1e-7


def test_report_has_the_table_and_its_residuals(flown):
    assert run("report", flown / "run.h5", "-o", flown / "r.html").exit_code == 0
    page = (flown / "r.html").read_text()
    assert "Floating frames" in page and "int (r_j u_k + r_k u_j) dm = 0" in page
    for row in ts.frames(flown / "run.h5").rows():
        assert str(row[3]) in page


def test_frames_that_do_not_exist_and_files_that_hold_none(flown, tmp_path):
    (tmp_path / "round.toml").write_text(
        ROUND + "[initial]\nangular_velocity = [0, 0, 1]\n[simulation]\nduration = 0.1\nsamples = 3\n"
    )
    assert run("simulate", tmp_path / "round.toml", "-o", tmp_path / "round.h5").exit_code == 0
    rigid = run("frames", tmp_path / "round.h5")
    assert rigid.exit_code == 2 and "one rigid body" in rigid.stderr and "round.h5" in rigid.stderr
    text = VEHICLE.replace("[0.3, 0.2, 0.1]", "[0.3, 0.3, 0.3]").replace("[4.0, 5.0, 6.0]", "[5.0, 5.0, 5.0]")
    text = text.replace("[0.4, 0.1, 0.0]", "[0.0, 0.0, 0.0]").replace("[-0.7, 0.0, 0.2]", "[0.0, 0.0, 0.0]")
    (tmp_path / "equal.toml").write_text(text)
    assert run("simulate", tmp_path / "equal.toml", "-o", tmp_path / "equal.h5").exit_code == 0
    some = run("frames", tmp_path / "equal.h5", "--json")
    assert some.exit_code == 0 and list(some.data["frames"]) == ["tisserand", "buckens"]
    assert "two principal moments are equal" in some.data["missing"]["principal"] and "no milne frame" in some.stderr
    asked = run("frames", tmp_path / "equal.h5", "--frame", "principal", "-o", tmp_path / "no.csv")
    assert asked.exit_code == 2 and "two principal moments are equal" in asked.stderr
    assert not (tmp_path / "no.csv").exists()
    for arguments, words in (
        ((flown / "v.toml",), "is a vehicle file"),
        ((flown / "run.h5", "--frame", "bukens"), "--frame unknown choice"),
        ((flown / "run.h5", "--bodies", "tip"), "--vehicle"),
        ((flown / "run.h5", "--bodies", "top", "--vehicle", flown / "v.toml"), "unknown body"),
        ((flown / "run.h5", "-o", flown / "run.h5"), "input of this command"),
        ((flown / "run.h5", "-o", flown / "f.txt"), "extension"),
    ):
        refused = run("frames", *arguments)
        assert refused.exit_code == 2 and words in refused.stderr, refused.stderr


def test_a_run_without_moments_asks_for_its_vehicle(flown, tmp_path):
    """A checkpoint, or a file of an older version."""
    old = tmp_path / "old.h5"
    old.write_bytes((flown / "run.h5").read_bytes())
    with edited(old) as file:
        del file["moments"]
    refused = run("frames", old)
    assert refused.exit_code == 2 and "keeps no mass moments" in refused.stderr and "--vehicle" in refused.stderr
    again = ts.frames(old, vehicle=flown / "v.toml").frames["milne"].rate
    assert again == pytest.approx(ts.frames(flown / "run.h5").frames["milne"].rate, abs=1e-14)
    assert run("report", old, "-o", tmp_path / "old.html").exit_code == 0
    assert "Floating frames" not in (tmp_path / "old.html").read_text()
