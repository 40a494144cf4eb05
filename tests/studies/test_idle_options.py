"""An option that has no effect on the file at hand is refused by name, before anything is computed or written."""

from __future__ import annotations

from pathlib import Path

import pytest
from support.command import run

import tisserand as ts

BOOM = Path(__file__).parents[2] / "meshes" / "boom.bdf"
VEHICLE = """
[bodies.bus]
mass = 100.0
inertia = [10.0, 10.0, 10.0]

[sensors.rate]
kind = "rate"
body = "bus"
direction = [1.0, 0.0, 0.0]

[simulation]
duration = 0.1
"""


@pytest.fixture(scope="module")
def files(tmp_path_factory):
    """One file of every kind: a record, a delivered model, a vehicle file and a run."""
    folder = tmp_path_factory.mktemp("idle")
    ts.save_record(ts.modes(BOOM, units="SI", count=2).appendage, folder / "record.h5")
    assert run("reduce", BOOM, "-u", "SI", "--count", 2, "--interface", 1, "-o", folder / "part.h5").exit_code == 0
    (folder / "craft.toml").write_text(VEHICLE)
    ts.simulate(folder / "craft.toml", output=folder / "run.h5")
    return folder


@pytest.mark.parametrize(
    ("words", "option"),
    [
        ("view record.h5 --save new.png --deflection 3", "--deflection"),
        ("view record.h5 --save new.png --mode 2", "--mode"),
        ("view record.h5 --save new.html --color energy", "--color"),
        ("view run.h5 --save new.png --mode 1", "--mode"),
        ("view run.h5 --save new.png --color energy", "--color"),
        ("view run.h5 --save new.png --count 5", "--count"),
        ("view run.h5 --save new.png --deflection 5", "--deflection"),
        ("view run.h5 --save new.html --deflection 5", "--deflection"),
        ("view run.h5 --save new.png -u SI", "--units"),
        ("view run.h5 --save new.png --format nastran", "--format"),
        ("info run.h5 -u SI", "--units"),
        ("info craft.toml --spc 3", "--spc"),
        ("info craft.toml --allow CBEND", "--allow"),
        ("info part.h5 -u SI", "--units"),
        ("check part.h5 --mass lumped", "--mass"),
        ("accept record.h5 --count 1", "--count"),
        ("accept record.h5 -u SI", "--units"),
        ("accept record.h5 --reference record.h5 --upto 10", "--upto"),
        ("accept record.h5 --reference record.h5 --mass lumped", "--mass"),
        ("accept part.h5 --mass lumped", "--mass"),
        ("accept part.h5 --reference record.h5 --fmax 3", "--fmax"),
        ("simulate craft.toml -o new.h5 --style paper", "--style"),
        ("simulate craft.toml -o new.h5 --angles body-zyx --plot new.png", "--angles"),
        ("export record.h5 --to op4 -o new.op4 --read-units SI", "--read-units"),
        ("uncertain record.h5 --frequency 0.1 --seed 3", "--seed"),
        ("sweep craft.toml --over bodies.bus.mass=1,2 --jobs 2 --scheduler tcp://127.0.0.1:9", "--jobs"),
        ("montecarlo craft.toml --vary bodies.bus.mass=uniform:1:2 -j 2 --scheduler tcp://127.0.0.1:9", "--jobs"),
    ],
)
def test_refused_by_name(files, words, option, monkeypatch):
    monkeypatch.chdir(files)
    done = run(*words.split())
    assert done.exit_code == 2
    assert f"{option} has no effect" in done.stderr or f"{option} needs" in done.stderr, done.stderr
    assert not list(files.glob("new*"))


def test_what_has_an_effect_is_taken(files, monkeypatch):
    """Style and angles of files that the vehicle file itself names; units of the reference alone."""
    monkeypatch.chdir(files)
    text = VEHICLE + '\n[outputs]\ncsv = "histories.csv"\nplot = "histories.png"\n'
    (files / "writing.toml").write_text(text)
    ts.simulate("writing.toml", style="paper", angles="body-zyx")
    assert "body-zyx" in (files / "histories.csv").read_text().splitlines()[0]
    assert run("accept", "part.h5", "--reference", BOOM, "-u", "SI").exit_code in (0, 1)
    assert run("accept", "record.h5", "--reference", BOOM, "-u", "SI", "--count", 2).exit_code in (0, 1)


def test_a_record_is_judged_by_a_deck_of_other_units(files, tmp_path):
    """The units are those of the deck; the record states its own."""
    deck = tmp_path / "mm.bdf"
    ts.export(BOOM, to="bdf", output=deck, read_units="SI", units="mm-t-s")
    judged = ts.accept(files / "record.h5", reference=deck, units="mm-t-s", count=2)
    same = ts.accept(files / "record.h5", reference=BOOM, units="SI", count=2)
    assert [row.outcome for row in judged.acceptance.rows] == [row.outcome for row in same.acceptance.rows]
