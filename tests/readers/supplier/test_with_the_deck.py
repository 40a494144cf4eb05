"""Results with their deck beside them: the record equals our own, and the verification tells a right run from a wrong one."""

import json
from dataclasses import replace

import numpy as np
import pytest
from support.corpus import deck, needs_corpus
from support.supplier_files import result

import tisserand as ts
from tisserand.appendage.frames.transformed_records import shifted
from tisserand.assembly import assemble
from tisserand.errors import FileError
from tisserand.readers.registry import read_model
from tisserand.readers.supplier import read_supplier_modes
from tisserand.readers.supplier.with_deck import record_with_deck
from tisserand.units import unit_system

pytestmark = needs_corpus


def verified(file, deck_id, **options):
    model = assemble(read_model(deck(deck_id), "SI"))
    return record_with_deck(read_supplier_modes(result(file)), model, unit_system("SI"), **options)


def subspace_error(a, b, groups):
    """Largest difference of P'P and H'H (invariant in repeated modes) of groups of columns, relative to their size."""
    worst = 0.0
    for group in groups:
        left, right = a[:, group] @ a[:, group].T, b[:, group] @ b[:, group].T
        worst = max(worst, np.abs(left - right).max() / max(np.abs(left).max(), 1e-300))
    return worst


@pytest.mark.parametrize("file", ("beam_modes_m1.op2", "beam_modes.f06"))
def test_beam_modes_equal_our_own(file):
    """Frequencies 1e-6, P and H 1e-5 (as products, since bending is a repeated pair), MAC 1 - 1e-8, mass to printed digits."""
    found = verified(file, "beam_modes")
    check = found.verification
    assert check.passed, check.breaches
    assert max(abs(mode.change) for mode in check.modes) < 1e-6
    assert min(mode.mac for mode in check.modes) > 1.0 - 1e-8
    assert max(mode.residual for mode in check.modes) < 1e-5
    assert abs(check.mass) < 1e-6 and check.orthogonality < 1e-6
    own = shifted(found.own, found.record.reference_point)
    groups = [[0, 1], [2, 3], [4], [5], [6, 7], [8, 9]]
    P = subspace_error(own.integrals.translation, found.record.integrals.translation, groups[:2] + groups[3:])
    H = subspace_error(own.integrals.rotation, found.record.integrals.rotation, [*groups[:3], *groups[4:]])
    assert P < 2e-5 and H < 2e-5, (P, H)  # a product of two: twice the error of each
    assert found.record.inertia_level == "full"


def test_flutter_model_with_local_axes_and_ties():
    """0012_flutter (Simcenter 2020, BOPHIG, CD systems, RBE2): frequencies 1e-6, MAC 1 - 1e-8, ties to single precision."""
    check = verified("0012_flutter.op2", "0012_flutter").verification
    assert check.passed, check.breaches
    assert max(abs(mode.change) for mode in check.modes) < 1e-6
    assert min(mode.mac for mode in check.modes) > 1.0 - 1e-8
    assert max(mode.ties for mode in check.modes) < 1e-6


@pytest.mark.parametrize("count", (40, pytest.param(272, marks=pytest.mark.slow)))
def test_free_model(count):
    """full.op2 (free, 278 modes in single precision): elastic modes within the limits, frequencies 1e-5, residuals 1e-4."""
    model = assemble(read_model(deck("nas2cam_extseout_full"), "SI"))
    theirs = read_supplier_modes(result("full.op2"))
    found = record_with_deck(theirs.modes(np.arange(6 + count)), model, unit_system("SI"))
    check = found.verification
    assert check.passed, check.breaches[:3]
    assert theirs.count == 278 and len(check.modes) == count
    assert max(abs(mode.change) for mode in check.modes) < 1e-5
    assert max(mode.residual for mode in check.modes) < 1e-4
    assert found.record.frame.name == "buckens"


@pytest.mark.slow
def test_wing_of_another_university():
    """TU Delft wing by MSC Nastran (F06 only): ten modes, MAC above 0.99 with ours; mass to printed digits."""
    check = verified("sol103.f06", "01_FlexibleTip_sol103").verification
    assert len(check.modes) == 10 and min(mode.mac for mode in check.modes) > 0.99
    assert abs(check.mass) < 1e-6
    assert max(abs(mode.change) for mode in check.modes) < 5e-4


def test_effective_masses_of_the_run_follow_from_our_mass():
    """satk: effective masses that Simcenter states, from its shapes and our mass; 1e-6 of the body's."""
    folder = result("beam_modes.f06").parents[1] / "pyNastran/models/satk"
    model = assemble(read_model(folder / "pn_mwe_s-solution_1.dat", "SI"))
    theirs = read_supplier_modes(folder / "pn_mwe_s-solution_1.op2")
    check = record_with_deck(theirs, model, unit_system("SI")).verification
    assert check.passed and max(mode.effective_mass for mode in check.modes) < 1e-6


def test_a_wrong_deck_fails_its_verification(tmp_path):
    """Young's modulus 3 % higher in the deck: its bending frequencies 1.48 % above theirs, found by frequency and residual."""
    for file in deck("beam_modes").parent.iterdir():
        (tmp_path / file.name).write_text(file.read_text().replace("23.0000+7", "23.0900+7"))
    found = ts.modes(
        result("beam_modes_m1.op2"), units="SI", deck=tmp_path / "beam_modes.dat", output=tmp_path / "x.h5"
    )
    check = found.supplier.verification
    assert found.exit_code == 1 and not check.passed
    assert any("frequency -1.4" in text for text in check.breaches), check.breaches
    assert any("residual" in text for text in check.breaches)
    assert json.dumps(check.as_dict())
    assert ts.load_record(tmp_path / "x.h5").reports["supplier"]["verification"]["passed"] is False


def test_partial_output_is_expanded():
    """Every second node of the beam, translations only: the rest follows from our matrices; MAC 1 - 1e-6, frequencies 1e-6."""
    theirs = read_supplier_modes(result("beam_modes_m1.op2"))
    keep = np.flatnonzero(np.isin(theirs.node_ids, (1, 3, 5, 7, 9, 11)))
    given = np.zeros((len(keep), 6), bool)
    given[:, :3] = True
    low = theirs.modes(np.array([0, 1, 2, 3]))
    few = replace(
        low, node_ids=low.node_ids[keep], shapes=low.shapes[keep] * given[:, :, None], given=given, scalar=None
    )
    model = assemble(read_model(deck("beam_modes"), "SI"))
    check = record_with_deck(few, model, unit_system("SI")).verification
    assert check.passed, check.breaches
    assert min(mode.mac for mode in check.modes) > 1.0 - 1e-6
    assert any("expanded" in note for note in check.notes)


def test_too_few_nodes_are_refused():
    theirs = read_supplier_modes(result("beam_modes_m1.op2"))
    keep = np.flatnonzero(np.isin(theirs.node_ids, (1, 2)))
    few = replace(
        theirs, node_ids=theirs.node_ids[keep], shapes=theirs.shapes[keep], given=theirs.given[keep], scalar=None
    )
    model = assemble(read_model(deck("beam_modes"), "SI"))
    with pytest.raises(FileError, match="too few nodes"):
        record_with_deck(few, model, unit_system("SI"))


def test_the_deck_of_another_model_is_refused():
    theirs = read_supplier_modes(result("beam_modes_m1.op2"))
    with pytest.raises(FileError, match=r"lie elsewhere|lacks most nodes"):
        record_with_deck(theirs, assemble(read_model(deck("0012_flutter"), "SI")), unit_system("SI"))


def test_units_must_be_stated():
    with pytest.raises(ts.errors.UnitsError, match="units"):
        ts.modes(result("beam_modes_m1.op2"))


def test_a_flight_from_results_equals_one_from_the_deck(tmp_path):
    """A bus with the beam as appendage, kicked: attitude of both runs agree to six printed digits."""
    ours, theirs = tmp_path / "ours.h5", tmp_path / "theirs.h5"
    ts.modes(deck("beam_modes"), units="in-lbf-s", count=10, damping=0.01, output=ours)
    made = ts.modes(result("beam_modes_m1.op2"), units="in-lbf-s", deck=deck("beam_modes"), damping=0.01, output=theirs)
    assert made.exit_code == 0
    runs = []
    for record in (ours, theirs):
        vehicle = tmp_path / f"fly_{record.stem}.toml"
        vehicle.write_text(FLIGHT.format(record=record.name))
        runs.append(ts.open(vehicle).simulate())
    for word in ("attitude", "angular_velocity", "velocity"):
        left, right = (getattr(run, word) for run in runs)
        np.testing.assert_allclose(left, right, atol=1e-6 * np.abs(left).max())
    assert np.abs(runs[0].modal["beam"]).max() > 0.0


FLIGHT = """
name = "kick"
[bodies.bus]
mass = 20.0
inertia = [1.0, 1.2, 1.4]
[appendages.beam]
record = "{record}"
body = "bus"
[loads.kick]
kind = "torque"
body = "bus"
direction = [0.0, 1.0, 0.3]
strength = 0.5
[simulation]
duration = 0.02
output_step = 0.001
"""
