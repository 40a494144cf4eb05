"""Every corpus deck that can be solved is reduced: identities hold, the record reads back, the totals fit."""

import numpy as np
import pytest
from support.corpus import deck, needs_corpus

from tisserand.appendage import load_record, mode_table, reduce, save_record
from tisserand.assembly import assemble
from tisserand.modes import solve_modes
from tisserand.readers.registry import read_model

#: Deck -> lumped, coupled or consistent mass decides the level that the record may claim.
LEVELS = {
    "beam_modes": "full", "pn_mwe_s-sol_111": "full", "bah_plane": "full", "Simple_Example": "full", "plate_py": "full",
    "random_test_bar_plus_tri": "full", "004_72_bar_truss": "full", "noReduction": "full", "nas2cam_extseout_full": "full",
    "beam8f": "full", "mass2": "full", "boxprofile": "full", "spring3": "full", "blockC3D4": "full", "AQ3U2S004-GIV": "full",
}  # fmt: skip


@needs_corpus
@pytest.mark.parametrize("name", LEVELS)
def test_a_real_deck_becomes_a_consistent_record(name, tmp_path):
    basis = solve_modes(assemble(read_model(deck(name), units="consistent")), count=5)
    appendage = reduce(basis, damping=0.01)
    assert appendage.inertia_level == LEVELS[name]
    assert max(appendage.integrals.identity_errors().values()) < 1e-10
    properties = basis.model.mass_properties()
    assert appendage.mass == pytest.approx(properties.mass, rel=1e-10)
    about = properties.inertia_about(appendage.reference_point)
    assert np.abs(appendage.integrals.inertia - about).max() <= 1e-9 * np.trace(about)
    running = mode_table(appendage).running_fraction[-1]
    assert np.nanmax(running, initial=0.0) < 1.0 + 1e-9
    again = load_record(save_record(appendage, tmp_path / "deck.h5"))
    assert np.array_equal(again.integrals.shape_shape, appendage.integrals.shape_shape)
    assert again.unit_system == "consistent" and again.supports["simulation"] is False
