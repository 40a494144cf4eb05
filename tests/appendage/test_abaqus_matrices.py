"""Bare matrices exported by Abaqus against the deck read and assembled here: the same modal integrals."""

import numpy as np
import pytest
from support.corpus import deck, needs_corpus

from tisserand.appendage import reduce
from tisserand.assembly import assemble
from tisserand.modes import solve_modes
from tisserand.readers.matrices import read_matrices
from tisserand.readers.registry import read_model


@needs_corpus
@pytest.mark.parametrize("name", ["blockC3D10", "blockC3D20"])
def test_integrals_of_exported_matrices_equal_those_of_the_deck(name):
    """Consistent mass of solids is M_s (x) 1,
    so L and N follow exactly from Abaqus' own mass matrix (formats 8 B).
    """
    path = deck(name)
    structure = read_model(path, units="SI")
    stiffness, mass = (path.with_name(f"{name}_{word}1.mtx") for word in ("STIF", "MASS"))
    bare = read_matrices(stiffness, "SI", mass=mass, geometry=structure)
    ours = reduce(solve_modes(assemble(structure, mass="consistent"), count=8, free=True), reference_point=(0, 0, 0))
    given = reduce(solve_modes(bare, count=8, free=True), reference_point=(0, 0, 0))
    assert given.inertia_level == "full" and given.reports["integrals"]["mismatch"] == 0.0
    assert given.mass == pytest.approx(ours.mass, rel=1e-6)
    assert given.integrals.inertia == pytest.approx(
        ours.integrals.inertia, rel=1e-6, abs=1e-9 * np.trace(ours.integrals.inertia)
    )
    assert given.frequencies_hz == pytest.approx(ours.frequencies_hz, rel=1e-5)
    single = np.abs(np.diff(ours.frequencies_hz)) > 1e-3 * ours.frequencies_hz[1:]
    alone = np.concatenate([[True], single]) & np.concatenate([single, [True]])
    assert alone.sum() >= 2
    for k in np.flatnonzero(alone):  # signs of modes are free: compare even forms
        a, b = ours.integrals, given.integrals
        assert np.abs(b.position_shape[..., k]) == pytest.approx(
            np.abs(a.position_shape[..., k]), abs=1e-4 * np.abs(a.position_shape).max()
        )
        assert b.shape_shape[..., k, k] == pytest.approx(a.shape_shape[..., k, k], abs=1e-4)
