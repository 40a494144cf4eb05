"""Bases that are not modes: a Craig-Bampton basis reduced, then seen from the Buckens frame."""

import numpy as np
import pytest
from appendage.clouds import beam_structure
from scipy.linalg import eigh

from tisserand.appendage import in_frame, mode_table, natural, reduce
from tisserand.assembly import assemble
from tisserand.modes.reductions import craig_bampton


def test_rigid_columns_of_a_craig_bampton_basis_vanish_in_the_buckens_frame():
    """Six static shapes of one interface node are rigid motions:
    six columns go, the free frequencies stay.
    """
    model = assemble(beam_structure(None), mass="consistent")
    component = craig_bampton(model, np.array([[0, i] for i in range(6)]), count=12)  # all fixed-interface modes
    appendage = reduce(component.as_basis(), reference_point=(0.0, 0.0, 0.0))
    assert appendage.count == 18
    assert mode_table(appendage).running_fraction[-1] == pytest.approx(np.ones(6), abs=1e-9)
    assert np.abs(np.linalg.eigvalsh(appendage.integrals.residual_mass)).max() < 1e-9 * appendage.mass
    floating = in_frame(appendage, "buckens")
    assert floating.count == 12
    exact = np.sqrt(eigh(model.stiffness.toarray(), model.mass.toarray(), eigvals_only=True)[6:18]) / (2 * np.pi)
    assert natural(floating).frequencies_hz == pytest.approx(exact, rel=1e-6)
    assert np.abs(floating.integrals.coupling).max() < 1e-8 * np.abs(appendage.integrals.coupling).max()
