"""A factor that does not fit in memory is kept on disk; what fits nowhere is refused before it is tried."""

from pathlib import Path

import numpy as np
import pytest
from support.hand_built import plate

import tisserand.linalg.pardiso as pardiso
from tisserand.errors import SolverError
from tisserand.linalg import available_backends, factorize, pencil_of
from tisserand.linalg.memory import _of_group, memory_left
from tisserand.modes import solve_modes

with_mkl = pytest.mark.skipif("pardiso" not in available_backends(), reason="MKL is not installed")


@with_mkl
def test_a_factor_on_disk_solves_and_counts_as_one_in_memory(monkeypatch):
    """Membrane of 90 x 90: the same solution, the closed-form count at two shifts, and no file left behind."""
    model, exact = plate(90)
    pencil = pencil_of(model.stiffness, model.mass)
    load = np.random.default_rng(0).normal(size=(pencil.size, 3))
    inside = factorize(pencil.shifted(0.031), backend="pardiso")
    monkeypatch.setattr(pardiso, "memory_left", lambda: int(1.2 * inside.memory_bytes))
    outside = factorize(pencil.shifted(0.031), backend="pardiso")
    assert inside.name == "MKL PARDISO" and outside.name == "MKL PARDISO, factor on disk" and outside.trusted
    assert outside.solve(load) == pytest.approx(inside.solve(load), rel=1e-9, abs=1e-9)
    assert outside.negative_count == (exact < 0.031).sum() > 5
    folder = Path(outside._folder.name)
    assert sum(path.stat().st_size for path in folder.iterdir()) > 1e6
    again = outside.renewed(pencil.shifted(0.31))
    assert again.negative_count == (exact < 0.31).sum()
    again.release()
    assert not folder.exists()


@with_mkl
def test_modes_with_a_factor_on_disk_are_proven_all_the_same(monkeypatch):
    model, exact = plate(60)
    needed = factorize(pencil_of(model.stiffness, model.mass).shifted(-1.0), backend="pardiso").memory_bytes
    monkeypatch.setattr(pardiso, "memory_left", lambda: int(1.2 * needed))
    basis = solve_modes(model, count=6, backend="pardiso")
    assert basis.proof.backend == "MKL PARDISO, factor on disk"
    assert basis.eigenvalues == pytest.approx(exact[:6], rel=1e-9)


@with_mkl
def test_what_does_not_fit_on_disk_either_is_refused_in_words(monkeypatch):
    model, _ = plate(60)
    monkeypatch.setattr(pardiso, "memory_left", lambda: 100_000)
    with pytest.raises(SolverError, match="memory is too short for the factorization") as caught:
        factorize(pencil_of(model.stiffness, model.mass).shifted(-1.0), backend="pardiso")
    assert "GiB" in str(caught.value) and "coarser" in str(caught.value)


def test_memory_left_obeys_the_limit_of_a_group(tmp_path):
    (tmp_path / "memory.max").write_text("3000000\n")
    (tmp_path / "memory.current").write_text("1000000\n")
    assert _of_group(tmp_path) == 2_000_000
    (tmp_path / "memory.max").write_text("max\n")
    assert _of_group(tmp_path) is None and _of_group(tmp_path / "none") is None
    left = memory_left()
    assert left is None or left > 0
