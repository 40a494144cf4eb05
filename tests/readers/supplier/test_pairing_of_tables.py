"""Modes without shapes are paired by the least total relative distance of frequency; masses of close modes are summed."""

from types import SimpleNamespace

import numpy as np
import pytest
from support.op2_files import Op2, ident
from support.result_files import frame_deck, frame_modes

from tisserand.appendage.comparison.tolerances import Tolerances
from tisserand.readers.supplier import read_supplier_modes, tables_with_deck


@pytest.mark.parametrize(
    ("theirs", "kinds", "own", "pairs"),
    [
        ([100.0], ["elastic"], [50.0, 160.0], {0: 1}),
        ([1e-3], ["elastic"], [2e-3, 4e-4], {0: 0}),
        ([0.0, 5.0], ["elastic"] * 2, [5.0, 0.0], {0: 1, 1: 0}),
        ([3.0, 3.1], ["residual", "elastic"], [3.0, 9.0], {1: 0}),
        ([3.0], ["residual"], [3.0], {}),
        ([3.0], ["elastic"], [], {}),
    ],
)
def test_the_partner_is_the_nearest_in_relative_frequency(theirs, kinds, own, pairs):
    file = SimpleNamespace(frequencies_hz=np.array(theirs), kinds=tuple(kinds))
    assert tables_with_deck._by_frequency(file, np.array(own)) == pairs


def test_close_modes_are_compared_by_their_sum_and_lonely_ones_not_at_all(monkeypatch):
    """Two modes of one frequency share their masses in another way; one mode is off by 0.5 kg of 2 kg; one has no partner."""
    stated, found = np.zeros((4, 3)), np.zeros((4, 3))
    stated[:2, 0], found[:2, 0] = [0.2, 1.0], [0.9, 0.3]
    stated[2, 1], found[2, 1] = 1.0, 1.5
    floor = np.array([4.0, 2.0, 1.0])
    monkeypatch.setattr(tables_with_deck, "effective_masses_about", lambda *_: ((stated, found, floor), "said"))
    own = SimpleNamespace(frequencies_hz=np.array([1.0, 1.0 + 1e-9, 5.0, 9.0]))
    masses, note = tables_with_deck._effective(None, own, None, {0: 1, 1: 0, 2: 2}, None, Tolerances())
    assert masses == pytest.approx({0: 0.0, 1: 0.0, 2: 0.25}, abs=1e-15) and note == "said"


def test_the_list_of_modes_says_which_vectors_were_added(tmp_path):
    run = frame_modes(frame_deck(tmp_path))
    kinds = tuple("residual" if k == 1 else "elastic" for k in range(run.count))
    theirs = SimpleNamespace(
        count=run.count, path=tmp_path / "run.f06", program="Nastran", frequencies_hz=run.frequencies_hz, kinds=kinds,
        numbers=np.arange(1, run.count + 1), subcase=None, parts=(),
    )  # fmt: skip
    theirs.path.write_text("a printed file")
    made = tables_with_deck._to_list(theirs, SimpleNamespace(notes=(), as_dict=dict))
    assert made.mode_kinds == kinds and made.unit_system == "consistent"
    np.testing.assert_allclose(made.frequencies_hz, run.frequencies_hz, rtol=1e-12)


def op2_of(run, headings, *, listed=None, scalar=None):
    """An OP2 file with a table of the ``listed`` modes (none: no table) and shapes whose headings state ``headings``."""
    file = Op2()
    if listed is not None:
        rows = [file.ints(k, k) + file.reals(np.array([run.eigenvalues[k - 1], 0.0, 0.0, 1.0, 1.0])) for k in listed]
        file.table(b"LAMA", [ident(file, approach=2, table=6, case=1), b"".join(rows)])
    records = []
    for k, value in enumerate(headings):
        rows = [file.ints(10 * int(n) + 1, 1) + file.reals(u) for n, u in zip(run.node_ids, run.shapes[:, :, k])]
        if scalar is not None:
            rows.append(file.ints(10 * scalar + 1, 2) + file.reals(np.array([0.5, 9.0, 9.0, 9.0, 9.0, 9.0])))
        records += [ident(file, approach=2, table=7, case=1, mode=k + 1, value=value), b"".join(rows)]
    file.table(b"OUGV1", records)
    return file


def test_headings_of_shapes_and_rows_of_the_table(tmp_path):
    """Headings of zero state nothing; without a table they are the eigenvalues; modes of one side only are left out, by name."""
    run = frame_modes(frame_deck(tmp_path), scaling="MASS")
    every = range(1, run.count + 1)
    silent = read_supplier_modes(op2_of(run, 0.0 * run.eigenvalues, listed=every).write(tmp_path / "silent.op2"))
    np.testing.assert_allclose(silent.eigenvalues, run.eigenvalues, rtol=1e-6)
    alone = read_supplier_modes(op2_of(run, run.eigenvalues).write(tmp_path / "alone.op2"))
    np.testing.assert_allclose(alone.eigenvalues, run.eigenvalues, rtol=1e-6)
    assert alone.modal_masses is None and any("no eigenvalue table" in note for note in alone.notes)
    fewer = read_supplier_modes(op2_of(run, run.eigenvalues, listed=[1, 2]).write(tmp_path / "fewer.op2"))
    assert fewer.numbers.tolist() == [1, 2] and any("no row in the table" in note for note in fewer.notes)
    longer = read_supplier_modes(op2_of(run, run.eigenvalues[:2], listed=every).write(tmp_path / "longer.op2"))
    assert longer.numbers.tolist() == [1, 2] and any("without a shape" in note for note in longer.notes)


def test_a_scalar_point_has_one_component(tmp_path):
    run = frame_modes(frame_deck(tmp_path), scaling="MASS")
    file = op2_of(run, run.eigenvalues, listed=range(1, run.count + 1), scalar=900)
    found = read_supplier_modes(file.write(tmp_path / "scalar.op2"))
    row = found.node_ids.tolist().index(900)
    assert found.scalar.tolist() == [node == 900 for node in found.node_ids]
    assert found.given[row].tolist() == [True] + [False] * 5 and found.given[~found.scalar].all()
    np.testing.assert_array_equal(found.shapes[row, :, 0], [0.5, 0, 0, 0, 0, 0])


def test_modes_beyond_the_requested_range_are_residual_vectors(tmp_path):
    """EIGRL asks up to a frequency between the second mode and the third; the rest was added by RESVEC."""
    run = frame_modes(frame_deck(tmp_path), scaling="MASS")
    file, top = op2_of(run, run.eigenvalues, listed=range(1, run.count + 1)), np.mean(run.frequencies_hz[1:3])
    file.table(b"CASECC", [file.ints(1, 0, 0, 0, 5, 0)])
    limits = file.ints(308, 8, 348, 5) + file.reals(np.array([0.0, top])) + file.ints(*[0] * 24)
    file.table(b"DYNAMICS", [limits])
    found = read_supplier_modes(file.write(tmp_path / "added.op2"))
    assert found.kinds == ("elastic",) * 2 + ("residual",) * (run.count - 2)
