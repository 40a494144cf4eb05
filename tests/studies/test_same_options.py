"""An option that several tasks have means the same in each, and each task has what its neighbors have."""

from pathlib import Path

import numpy as np
import pytest
from support.command import run
from support.vehicle_texts import ARM

import tisserand as ts
from tisserand.declarations import options
from tisserand.studies.options import STUDIES, DiffStudy, ModesStudy, ViewStudy

BOOM = Path(__file__).parents[2] / "meshes" / "boom.bdf"
READING = {"units", "format", "allow", "step", "subcase", "spc", "flavor"}
SOLVING = {"count", "fmin", "fmax", "free", "mass", "allow_mechanisms", "full", "deck"}
#: Same word, another thing, in these tasks only (elsewhere a word means one thing).
OTHER_THINGS: dict[str, set[str]] = {
    "output": {"demo"},  # a folder with a name of its own
    "units": {"export"},  # of the file written
    "count": {"campbell", "montecarlo"},  # branches, runs
    "fmin": {"response"},  # ends of a range that is always swept
    "fmax": {"response"},
    "points": {"base-drive", "response"},  # frequencies
    "frame": {"frames"},  # several
    "reference_point": {"export"},  # or the center of mass
    "damping": {"base-drive", "coupled-loads", "uncertain"},  # or a table over frequency; a relative range
    "mass": {"uncertain"},  # a relative range
    "step": {"uncertain"},  # of sampled systems, s
    "modes": {"montecarlo"},  # instead of runs
    "name": {"couple"},
    "to": {"equations"},  # a language
}


def _declared(kind):
    return {item.attribute: item for item in options(kind)}


def test_tasks_that_read_decks_read_them_alike():
    readers = [
        kind for kind in STUDIES if "units" in kind.model_fields and kind.task != "export"
    ]  # its units are of the file written
    assert {kind.task for kind in readers} == {
        "info",
        "check",
        "modes",
        "view",
        "diff",
        "campbell",
        "reduce",
        "accept",
        "correlate",
    }
    assert all(set(kind.model_fields) >= READING for kind in readers)


def test_tasks_that_solve_modes_solve_them_alike():
    assert all(set(kind.model_fields) >= SOLVING for kind in (ModesStudy, ViewStudy, DiffStudy))


def test_one_word_has_one_meaning():
    seen = {}
    for kind in STUDIES:
        for name, item in _declared(kind).items():
            if kind.task not in OTHER_THINGS.get(name, set()) and name not in kind.arguments:
                first = seen.setdefault(name, (kind.task, item))
                same = (item.annotation, item.default, item.unit) == (
                    first[1].annotation,
                    first[1].default,
                    first[1].unit,
                )
                assert same, f"{name} of {kind.task} and of {first[0]}"


def test_a_band_by_every_door(tmp_path):
    """Modes from fmin to fmax are those of the whole list, by command, keyword, study file, and in a picture."""
    whole = ts.modes(BOOM, units="SI", count=8).frequencies_hz
    low, high = float(whole[2]) - 0.01, float(whole[5]) + 0.01
    band = ts.modes(BOOM, units="SI", fmin=low, fmax=high)
    np.testing.assert_allclose(band.frequencies_hz, whole[2:6], rtol=1e-9)
    done = run("modes", BOOM, "-u", "SI", "--fmin", low, "--fmax", high, "-o", tmp_path / "band.h5", "-q")
    assert done.exit_code == 0, done.stderr
    assert (ts.load_record(tmp_path / "band.h5").frequencies_hz == band.appendage.frequencies_hz).all()
    text = f'[modes]\nmodel = "{BOOM}"\nunits = "SI"\nfmin = {low!r}\nfmax = {high!r}\n'
    (tmp_path / "s.toml").write_text(text)
    assert (ts.study(tmp_path / "s.toml").results[0][1].frequencies_hz == band.frequencies_hz).all()
    wrong = run("modes", BOOM, "-u", "SI", "--fmin", 5, "--fmax", 4)
    assert wrong.exit_code == 2 and "--fmax is not above fmin" in wrong.stderr


def test_pictures_of_other_modes(tmp_path):
    """The picture is of the modes that the options ask for: a free boom has no clamped mode."""
    done = run("view", BOOM, "-u", "SI", "-n", 2, "--free", "--mass", "lumped", "--save", tmp_path / "a.vtu", "-q")
    assert done.exit_code == 0 and (tmp_path / "a.vtu").exists()
    refused = run("view", BOOM, "-u", "SI", "-n", 2, "-m", 3, "--save", tmp_path / "b.gif")
    assert refused.exit_code == 2 and "1 to 2" in refused.stderr


def test_a_record_is_compared_with_a_deck_of_other_units(tmp_path):
    """Units concern the deck alone: the record states its own."""
    record = tmp_path / "boom.h5"
    ts.save_record(ts.modes(BOOM, units="SI", count=3).appendage, record)
    assert ts.diff(record, BOOM, units="SI", count=3).passed
    with pytest.raises(ts.InputError, match="too few nodes"):  # a boom a thousand times as small
        ts.diff(record, BOOM, units="mm-t-s", count=3)
    consistent = ts.diff(record, BOOM, units="SI", count=3, mass="consistent").comparison.rows()
    assert consistent != ts.diff(record, BOOM, units="SI", count=3).comparison.rows()
    assert ts.diff(BOOM, BOOM, units="SI", count=2).passed


@pytest.mark.parametrize(
    ("stated", "word"),
    [
        ({"units": "SI"}, "units: concerns neither"),
        ({"step": 1}, "step: concerns neither"),
        ({"allow": ("CBEND",)}, "allow: concerns neither"),
        ({"deck": BOOM}, "deck: concerns neither"),
        ({"format": "nastran"}, "format: concerns neither"),
        ({"count": 2}, "count: has no effect, because the modes of both"),
    ],
)
def test_an_option_that_concerns_no_file_is_refused(stated, word, tmp_path):
    record = tmp_path / "boom.h5"
    ts.save_record(ts.modes(BOOM, units="SI", count=2).appendage, record)
    with pytest.raises(ts.InputError, match=word):
        ts.diff(record, record, **stated)


def test_system_modes_are_written_as_they_are_returned(tmp_path):
    (tmp_path / "arm.toml").write_text(ARM)
    result = ts.system_modes(tmp_path / "arm.toml", output=tmp_path / "modes.csv")
    head, *rows = (tmp_path / "modes.csv").read_text().splitlines()
    assert head.split(",")[:3] == ["mode", "frequency_hz", "damping_ratio"] and result.paths == (
        tmp_path / "modes.csv",
    )
    written = [float(row.split(",")[1]) for row in rows]
    np.testing.assert_allclose(written, result.modes.frequencies_hz, rtol=1e-9)
