"""Residual vectors of a supplier's run: told by the file, kept in the record, shown in listings, not judged as modes."""

from dataclasses import replace

import numpy as np
import pytest
from support.command import run as command
from support.op2_files import op2
from support.result_files import f06, frame_deck, frame_modes, punch, universal
from support.supplier_files import of_pyyeti

import tisserand as ts
from tisserand.readers.supplier import read_supplier_modes

#: Five columns, of which the last two are no modes: their combination with others is what augmentation gives.
MARKS = ("elastic",) * 3 + ("residual",) * 2


@pytest.fixture(scope="module")
def deck(tmp_path_factory):
    return frame_deck(tmp_path_factory.mktemp("residual"))


@pytest.fixture(scope="module")
def augmented(deck):
    """Three modes and two mass-orthogonal Ritz vectors of the next four modes, unit modal mass."""
    run = frame_modes(deck, count=7, scaling="MASS")
    mix = np.zeros((7, 5))
    mix[:3, :3] = np.eye(3)
    mix[3, 3] = mix[4, 3] = mix[5, 4] = mix[6, 4] = np.sqrt(0.5)
    values = np.einsum("ik,i,ik->k", mix, run.eigenvalues, mix)
    factors = run.effective.participation @ mix
    effective = replace(run.effective, participation=factors, masses=factors**2)
    shapes, numbers = run.shapes @ mix, np.arange(1, 6)
    facts = {"numbers": numbers, "eigenvalues": values, "kinds": MARKS, "modal_masses": np.ones(5)}
    return replace(run, shapes=shapes, effective=effective, **facts)


def files(folder, run):
    hz = run.frequencies_hz
    yield f06(folder / "run.f06", run, before=3)
    yield op2(folder / "number.op2", run, eigrl=(0.0, 3))
    yield op2(folder / "range.op2", run, eigrl=(float(hz[2]) * 1.01, 0))
    yield op2(folder / "words.op2", run, word=8, order=">", eigrl=(float(hz[2]) * 1.01, 3))


def test_the_mark_reaches_the_record_and_every_listing(tmp_path, deck, augmented):
    for path in files(tmp_path, augmented):
        assert read_supplier_modes(path).kinds == MARKS, path.name
        record = path.with_suffix(".h5")
        found = ts.modes(path, deck=deck, units="SI", output=record)
        assert found.exit_code == 0 and found.supplier.verification.rows()[4][0] == "mode 5 (residual)"
        assert ts.load_record(record).mode_kinds == MARKS
    assert (
        "Residual vectors" in command("modes", path, "--deck", deck, "-u", "SI").stdout
    )  # one file stands for all: same record
    told = command("info", record, "--json").data["modes"]
    assert [words.endswith("(residual)") for words in told.values()] == [False] * 3 + [True] * 2
    assert "Residual vectors" in command("modes", record).stdout


def test_without_the_deck_the_mark_stays(tmp_path, augmented):
    for path in files(tmp_path, augmented):
        assert ts.modes(path, units="SI").appendage.mode_kinds == MARKS


def test_a_file_that_does_not_tell_fails_where_the_vectors_are(tmp_path, deck, augmented):
    """Punched, or in an OP2 file without EIGRL, they are listed as modes: no eigenvalue of the deck is there."""
    for path in (punch(tmp_path / "a.pch", augmented), op2(tmp_path / "a.op2", augmented)):
        check = ts.modes(path, units="SI", deck=deck).supplier.verification
        assert {text.split(" (")[0] for text in check.breaches} == {"mode 4", "mode 5"}
    for path in (tmp_path / "a.pch", universal(tmp_path / "a.unv", augmented)):
        assert any("do not tell residual vectors" in note for note in read_supplier_modes(path).notes)


def test_marks_go_by_number_not_by_place(tmp_path, augmented):
    """Shapes of modes 2 to 5 only: the first listed mode is not the first of the table."""
    path = f06(tmp_path / "a.f06", augmented, before=3)
    text = path.read_text().replace(
        "E I G E N V E C T O R   N O .          1", "E I G E N V E C T O R   N O .         99"
    )
    path.write_text(text)
    assert dict(zip((found := read_supplier_modes(path)).numbers.tolist(), found.kinds)) == dict(
        zip(range(2, 6), MARKS[1:])
    )


def test_vectors_that_simcenter_added():
    """residual.op2 of pyyeti (Simcenter 2020, EIGRL up to 150 Hz): 66 listed, nine of them from 178 Hz upward."""
    found = read_supplier_modes(of_pyyeti("cla_test_data_2020/residual.op2"))
    assert found.count == 66 and found.kinds[-9:] == ("residual",) * 9 and found.kinds.count("residual") == 9
    assert found.frequencies_hz[-10] < 150.0 < found.frequencies_hz[-9]
