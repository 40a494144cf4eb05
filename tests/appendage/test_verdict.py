"""The verdict: accepted needs mass, proof, checks, ledger and units; what is missing or doubtful is named."""

from dataclasses import replace
from pathlib import Path

import pytest
from support.command import run

import tisserand as ts
from tisserand.appendage.verdict import verdict_of
from tisserand.errors import InputError
from tisserand.exporters.clamped import clamped_view
from tisserand.exporters.metadata import boundary_words

BOOM = Path(__file__).parents[2] / "meshes" / "boom.bdf"


@pytest.fixture(scope="module")
def record():
    return ts.open(BOOM, units="SI").reduce(count=40)


def test_a_sound_record_is_accepted(record):
    verdict = verdict_of(record)
    assert verdict.overall == "ok" and not verdict.reasons and verdict.as_dict()["accepted"]


@pytest.mark.parametrize(
    ("report", "value", "mark", "word"),
    [
        ("proof", None, "warn", "no proof"),
        ("checks", None, "warn", "was not checked"),
        ("checks", {"passed": False, "rows": []}, "fail", "at least one failed"),
        (
            "checks",
            {"passed": True, "rows": [{"verdict": "warn", "name": "coincident nodes", "message": "nodes 1, 2"}]},
            "warn",
            "coincident nodes: nodes 1, 2",
        ),
        ("ledger", {}, "warn", "not recorded"),
        ("ledger", {"entries": [{"card": "CBEND", "fate": "dropped"}]}, "fail", "CBEND"),
        ("ledger", {"entries": [{"card": "GRID", "fate": "used"}], "notes": ["assumed: SPC 1"]}, "warn", "SPC 1"),
        ("units_doubt", ["density 2700000 kg/m³"], "warn", "2700000"),
    ],
)
def test_what_is_missing_or_doubtful_is_not_accepted(record, report, value, mark, word):
    verdict = verdict_of(record.changed(reports={**record.reports, report: value}))
    assert verdict.overall == mark and any(word in reason for reason in verdict.reasons)


def test_the_command_tells_the_verdict(tmp_path):
    said = run("modes", BOOM, "-u", "SI", "-n", 40)
    assert "Accepted" in said.stdout
    unknown = run("modes", BOOM, "-u", "consistent", "-n", 2)
    assert "Accepted" not in unknown.stdout and "length unit is unknown" in unknown.stdout


def test_exports_state_their_boundary_and_refuse_what_nothing_carries(record):
    """Held at one node; free without attachment; free modes alone whose error on the mount is stored."""
    assert boundary_words(record) == "held at 6 dofs, attachment attachment (attachment node 1)"
    assert clamped_view(record).attachment == "attachment"
    loose = replace(record, frame=replace(record.frame, name="buckens"), attachment=None)
    assert boundary_words(loose) == "free: shapes in the buckens frame, no attachment"
    with pytest.raises(InputError, match="names no attachment"):
        clamped_view(loose)
    alone = ts.open(BOOM, units="SI").reduce(count=3, free=True, frame="tisserand", mounted="free")
    assert "(free)" in boundary_words(alone)
    with pytest.raises(InputError, match="free modes alone are too stiff"):
        clamped_view(alone)
