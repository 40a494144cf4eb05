"""Acceptance: sound models pass, each fault fails its own criterion, missing evidence never accepts."""

import json
from dataclasses import replace
from pathlib import Path

import pytest
from support.command import run

import tisserand as ts
from tisserand.errors import InputError
from tisserand.responses.acceptance import Measured, judge, profile_names, read_profile
from tisserand.responses.delivered_file import load_delivered, save_delivered

MESHES = Path(__file__).parents[2] / "meshes"


def outcomes(result):
    return {row.criterion.measure: row.outcome for row in result.acceptance.rows}


def test_every_profile_reads_and_marks_its_limits():
    assert profile_names() == ("correlation", "delivery", "model")
    for name in profile_names():
        for criterion in read_profile(name).criteria:
            assert criterion.clause and criterion.source == "as commonly used"  # none was verified word for word


def test_a_model_and_its_faults(tmp_path):
    sound = outcomes(ts.accept(MESHES / "boom.bdf", units="SI", count=12))
    assert {word: mark for word, mark in sound.items() if mark not in ("pass", "missing")} == {"effective_mass": "FAIL"}
    wrong = ts.accept(MESHES / "boom.bdf", units="SI", stated_mass=1.0)
    assert outcomes(wrong)["mass_error"] == "FAIL" and wrong.exit_code == 1
    mass = ts.assemble(ts.read_model(MESHES / "boom.bdf", units="SI")).mass_properties().mass
    (tmp_path / "own.toml").write_text(
        f'title = "ours"\nmass = {mass}\n[[criteria]]\nmeasure = "mass_error"\nat_most = 1e-6\n'
    )
    done = run(
        "accept",
        MESHES / "boom.bdf",
        "-u",
        "SI",
        "--profile",
        tmp_path / "own.toml",
        "-o",
        tmp_path / "t.csv",
        "--json",
    )
    assert done.exit_code == 0, done.stderr
    assert json.loads(done.stdout)["accepted"]
    assert "mass_error" in (tmp_path / "t.csv").read_text()


def test_a_delivered_model_against_the_full_one(tmp_path):
    ts.reduce(MESHES / "boom.bdf", units="SI", interface=[1], count=12, output=tmp_path / "part.h5")
    good = ts.accept(tmp_path / "part.h5", reference=MESHES / "boom.bdf", units="SI")
    assert good.accepted and outcomes(good)["reduced_frequency_error"] == "pass"
    part = load_delivered(tmp_path / "part.h5")
    mass = part.mass.copy()
    mass[0, 0] *= 1.1
    save_delivered(replace(part, mass=mass), tmp_path / "heavy.h5")
    stiff = part.stiffness.copy()
    stiff[0, 0] = 100.0
    save_delivered(replace(part, stiffness=stiff), tmp_path / "grounded.h5")
    bad = ts.accept(tmp_path / "heavy.h5", reference=MESHES / "boom.bdf", units="SI")
    assert outcomes(bad)["reduced_mass_error"] == "FAIL"
    bad = ts.accept(tmp_path / "grounded.h5")
    assert outcomes(bad)["grounding"] == "FAIL" and not bad.accepted


def test_mac_of_the_reduced_against_the_full_model(tmp_path):
    """A Craig-Bampton model has the shapes of the full one to half its cut-off, free or held inside; swapped rows do not."""
    boom = MESHES / "boom.bdf"
    ids = [int(n) for n in ts.read_model(boom, units="SI").nodes.ids]
    ts.reduce(boom, units="SI", interface=[1], count=12, nodes=ids[2::2], output=tmp_path / "part.h5")
    good = ts.accept(tmp_path / "part.h5", reference=boom, units="SI", plot=tmp_path / "table.png")
    values = {row.criterion.measure: row.value for row in good.acceptance.rows}
    assert good.accepted and values["reduced_mac"] == pytest.approx(1.0, abs=1e-3)
    assert (tmp_path / "table.png").stat().st_size > 10_000
    part = load_delivered(tmp_path / "part.h5")
    moved = [
        replace(item, displacement=item.displacement[::-1].copy()) if item.kind == "DTM" else item
        for item in part.recoveries
    ]
    save_delivered(replace(part, recoveries=tuple(moved)), tmp_path / "swapped.h5")
    assert outcomes(ts.accept(tmp_path / "swapped.h5", reference=boom, units="SI"))["reduced_mac"] == "FAIL"
    ts.reduce(boom, units="SI", interface=[ids[-1]], count=12, nodes=ids[2::2], output=tmp_path / "held.h5")
    held = ts.accept(tmp_path / "held.h5", reference=boom, units="SI")
    values = {row.criterion.measure: row.value for row in held.acceptance.rows}
    assert load_delivered(tmp_path / "held.h5").held == 6  # the root stays clamped
    assert values["reduced_mac"] > 0.999 and values["reduced_frequency_error"] < 1e-3
    ts.reduce(boom, units="SI", interface=[1], count=12, output=tmp_path / "bare.h5")
    row = next(r for r in ts.accept(tmp_path / "bare.h5", reference=boom, units="SI").acceptance.rows
               if r.criterion.measure == "reduced_mac")  # fmt: skip
    assert row.outcome == "missing" and "recover more nodes" in row.words


def test_a_model_against_its_record(tmp_path):
    """The same modes: MAC and cross-orthogonality one, others zero; a model of other thickness fails."""
    record = ts.open(MESHES / "boom.bdf", units="SI").reduce(count=6)
    ts.save_record(record, tmp_path / "boom.h5")
    same = ts.accept(MESHES / "boom.bdf", units="SI", count=6, reference=tmp_path / "boom.h5")
    values = {row.criterion.measure: row.value for row in same.acceptance.rows}
    assert same.accepted and values["cross_orthogonality"] == pytest.approx(1.0, abs=1e-6)
    assert values["off_diagonal"] < 1e-6 and values["frequency_error"] < 1e-9


def test_missing_evidence_does_not_accept():
    profile = read_profile("delivery")
    found = judge("nothing", profile, {})
    assert not found.accepted and {row.outcome for row in found.rows} == {"missing"}
    nan = judge("nan", profile, {c.measure: Measured(float("nan")) for c in profile.criteria})
    assert {row.outcome for row in nan.rows} == {"FAIL"}


def test_mistakes(tmp_path):
    with pytest.raises(InputError, match="unknown profile"):
        ts.accept(MESHES / "boom.bdf", units="SI", profile="strict")
    (tmp_path / "p.toml").write_text('title = "x"\n[[criteria]]\nmeasure = "mac"\n')
    with pytest.raises(InputError, match="at_most: is missing"):
        read_profile(tmp_path / "p.toml")
    (tmp_path / "p.toml").write_text('title = "x"\n[[criteria]]\nmeasure = "mack"\nat_least = 0.9\n')
    with pytest.raises(InputError, match="mack"):
        read_profile(tmp_path / "p.toml")
