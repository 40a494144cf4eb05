"""Oddities of other programs' tables that live runs showed: stars, empty quarters, other titles; and what is told of them."""

from dataclasses import replace

import numpy as np
import pytest
from support.op2_files import op2
from support.result_files import f06, frame_deck, frame_modes, mystran, punch

from tisserand.errors import FileError
from tisserand.readers.supplier import MassSummary, read_supplier_modes


@pytest.fixture(scope="module")
def run(tmp_path_factory):
    return frame_modes(frame_deck(tmp_path_factory.mktemp("odd")), count=3)


def test_negative_eigenvalues_of_mystran_have_a_star(tmp_path, run):
    values = np.array([-5.721583e-9, *run.eigenvalues[1:]])
    path = mystran(tmp_path / "free.f06", replace(run, eigenvalues=values, kinds=()))
    assert "-5.721583E-09*" in path.read_text()
    found = read_supplier_modes(path)
    assert found.eigenvalues[0] == -5.721583e-9 and found.kinds[0] == "rigid" and found.count == 3


@pytest.mark.parametrize("write", (op2, f06, mystran))
def test_mass_tables_are_symmetric_or_refused(tmp_path, run, write):
    """An empty lower left quarter (MYSTRAN) is the mirror of the upper right one; anything else that differs is refused."""
    path = tmp_path / ("run.op2" if write is op2 else "run.f06")
    matrix = np.array(run.mass.matrix)
    matrix[3:, :3] = 0.0
    found = read_supplier_modes(write(path, replace(run, mass=MassSummary(matrix=matrix)))).mass
    np.testing.assert_allclose(found.matrix, run.mass.matrix, atol=1e-6 * np.abs(run.mass.matrix).max())
    wrong = np.array(run.mass.matrix)
    wrong[3:, 3:] += np.triu(0.01 * np.abs(wrong[3:, 3:]).max() * np.ones((3, 3)), 1)
    with pytest.raises(FileError, match="mass table is not symmetric"):
        read_supplier_modes(write(path, replace(run, mass=MassSummary(matrix=wrong))))


def test_modes_in_words_of_8_bytes_are_told(tmp_path, run):
    notes = [read_supplier_modes(op2(tmp_path / f"{word}.op2", run, word=word)).notes for word in (4, 8)]
    assert [any("8 bytes" in note for note in found) for found in notes] == [False, True]


def test_a_punch_file_of_mystran_is_one(tmp_path, run):
    """Its head is that of a printed run, and its title has one word more."""
    path = punch(tmp_path / "run.pch", run)
    text = path.read_text().replace("$EIGENVECTOR       ", "$EIGENVECTOR OUTPUT")
    path.write_text("\n MYSTRAN Version 18.0.0\n >> MYSTRAN BEGIN  :\n" + text)
    np.testing.assert_allclose(read_supplier_modes(path).shapes, run.shapes, atol=5e-7 * np.abs(run.shapes).max())
