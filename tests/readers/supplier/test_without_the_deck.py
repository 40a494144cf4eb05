"""Results without a deck: the record at the level that the data allow, against our own record of the deck."""

from dataclasses import replace

import numpy as np
import pytest
from support.corpus import deck, needs_corpus
from support.supplier_files import of_pyyeti, result

import tisserand as ts
from tisserand.errors import FileError, InputError
from tisserand.readers.supplier import EffectiveMasses, read_supplier_modes
from tisserand.readers.supplier.without_deck import record_without_deck
from tisserand.units import unit_system

SI = unit_system("SI")


def beam():
    return read_supplier_modes(result("beam_modes_m1.op2"))


def of_the_deck(theirs):
    from tisserand.assembly import assemble
    from tisserand.readers.registry import read_model
    from tisserand.readers.supplier.with_deck import record_with_deck

    made = record_with_deck(theirs, assemble(read_model(deck("beam_modes"), "SI")), SI).record
    return made.integrals, np.sqrt(theirs.modal_masses)


@needs_corpus
@pytest.mark.slow
def test_mass_table_and_shapes_settle_the_beam():
    """Twelve nodes, ten modes: all admissible masses agree; P, H, L and N against the deck's mass, 1 % of their scale."""
    theirs = beam()
    found = record_without_deck(theirs, SI)
    assert found.flies and found.record.inertia_level == "full"
    exact, size = of_the_deck(theirs)  # unit modal masses there, the file's here
    ours = found.record.integrals
    scale = np.sqrt(exact.mass)
    reach = 10.0
    assert ours.mass == pytest.approx(exact.mass, rel=1e-3)
    assert np.abs(ours.translation / size - exact.translation).max() < 0.01 * scale
    assert np.abs(ours.rotation / size - exact.rotation).max() < 0.01 * scale * reach
    assert np.abs(ours.position_shape / size - exact.position_shape).max() < 0.01 * scale * reach
    assert np.abs(ours.shape_shape / np.outer(size, size) - exact.shape_shape).max() < 0.02
    assert found.record.attachment == "attachment"


@needs_corpus
def test_effective_masses_get_their_signs_from_the_shapes():
    """Effective masses computed from the deck, without sign: P and H of the record equal the signed ones, 1 % of their scale."""
    theirs = beam().modes(np.arange(6))
    exact, size = of_the_deck(theirs)
    masses = np.vstack([exact.translation, exact.rotation]) ** 2
    found = record_without_deck(replace(theirs, effective=EffectiveMasses(masses=masses)), SI)
    assert found.flies
    assert any("sign" in text for text in found.sentences)
    assert np.abs(found.record.integrals.translation / size - exact.translation).max() < 0.01 * np.sqrt(exact.mass)


@needs_corpus
def test_stated_participation_factors_are_used():
    """satk: P is MPFACS times the modal mass; mass, center and inertia are those of RBMASS."""
    folder = result("beam_modes.f06").parents[1] / "pyNastran/models/satk"
    theirs = read_supplier_modes(folder / "pn_mwe_s-solution_1.op2")
    found = record_without_deck(theirs, SI)
    assert found.flies
    np.testing.assert_allclose(found.record.integrals.translation, theirs.effective.participation[:3], atol=2e-4)
    assert found.record.mass == pytest.approx(5.076652, rel=1e-3)


@needs_corpus
def test_without_masses_there_is_something_to_look_at_and_no_flight(tmp_path):
    """0012_flutter has no mass table: one sentence per missing thing, no record; it can be drawn (the slow test below)."""
    path = result("0012_flutter.op2")
    found = record_without_deck(read_supplier_modes(path), SI)
    assert not found.flies and not found.record.supports["simulation"]
    assert any("no mass table" in text for text in found.sentences)
    with pytest.raises(InputError, match="no record can be made"):
        ts.modes(path, units="SI", output=tmp_path / "no.h5")
    assert not (tmp_path / "no.h5").exists()
    assert ts.modes(path, units="SI").as_dict()["supplier"]["level"] == "none"


@pytest.mark.slow
def test_shapes_without_masses_are_drawn(tmp_path):
    ts.view(result("0012_flutter.op2"), units="SI", save=tmp_path / "shapes.png")
    assert (tmp_path / "shapes.png").stat().st_size > 10_000


def test_free_modes_with_a_mass_table_are_constant():
    """residual.op2 (Simcenter, free, external superelement): P = H = 0, inertia constant, with the reason."""
    theirs = read_supplier_modes(of_pyyeti("cla_test_data_2020/residual.op2"))
    low = theirs.modes(np.arange(12))
    found = record_without_deck(low, SI)
    assert found.flies and found.record.inertia_level == "constant" and found.record.frame.name == "buckens"
    assert not found.record.integrals.translation.any()
    assert found.record.mass == pytest.approx(1.755052, rel=1e-6)
    assert any("explain" in text or "constant" in text for text in found.sentences)


def test_shapes_without_places_are_refused():
    with pytest.raises(FileError, match="no node positions"):
        record_without_deck(read_supplier_modes(of_pyyeti("nastran_op2_data/rdop2gpwg_1.op2")), SI)


@needs_corpus
def test_a_gap_in_the_data_widens_the_bounds():
    """One mode only: the mass table and one equation leave L open, so inertia is not full."""
    found = record_without_deck(beam().modes(np.array([0])), SI)
    assert not (found.flies and found.record.inertia_level == "full")
