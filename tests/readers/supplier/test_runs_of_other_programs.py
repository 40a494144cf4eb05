"""Numbers that other programs printed or wrote for decks of the corpus, beyond those of test_with_the_deck.py."""

from dataclasses import replace

import numpy as np
import pytest
from support.corpus import deck, needs_corpus
from support.deck_results import main_model, station
from support.result_files import frame_modes
from support.supplier_files import of_pyyeti, result

import tisserand as ts
from tisserand.assembly import assemble
from tisserand.modes import solve_modes
from tisserand.readers.op2.data_blocks import DataBlocks
from tisserand.readers.op2.op2_deck import model_of_op2
from tisserand.readers.op2.op2_geometry import read_geometry
from tisserand.readers.op2.tables import mass_summary, wtmass
from tisserand.readers.registry import read_model
from tisserand.readers.supplier import read_supplier_modes

#: What MYSTRAN 11.0 prints for BAR-CC-GIV: Hz, generalized mass, factors of T3 and R2, effective weights of T3 and R2.
PRINTED = np.array(
    [
        [1.068719e01, 6.800571e-04, -1.510561e00, 1.126327e02, 5.989004e-01, 3.329715e03],
        [6.281653e01, 9.499997e-04, 7.193859e-01, -1.582118e01, 1.897492e-01, 9.177695e01],
        [1.663460e02, 1.461918e-03, -3.357432e-01, 4.801607e00, 6.360191e-02, 1.300855e01],
        [2.899396e02, 1.590132e-03, -1.925280e-01, 2.210775e00, 2.274854e-02, 2.999543e00],
    ]
)


@needs_corpus
def test_printed_by_mystran():
    """Our modes of its deck against what it printed, seven digits: its factors are -phi' M R over the modal mass.

    Tip displacements of the printed shapes are +1, +1, +1 and -1 of the largest one; that fixes the signs of the factors. The
    only held node is the origin, so its factors of rotations are those about the origin (elsewhere they are not).
    """
    own = frame_modes(deck("BAR-CC-GIV"), count=4)
    np.testing.assert_allclose(own.frequencies_hz, PRINTED[:, 0], rtol=1e-6)
    np.testing.assert_allclose(own.modal_masses, PRINTED[:, 1], rtol=2e-6)
    np.testing.assert_allclose(own.effective.masses[[2, 4]].T, PRINTED[:, 4:] * 0.002591, rtol=3e-6)
    signs = np.sign(own.shapes[-1, 2]) * [1.0, 1.0, 1.0, -1.0]
    np.testing.assert_allclose(own.effective.participation[[2, 4]].T * signs[:, None], -PRINTED[:, 2:4], rtol=3e-6)


@needs_corpus
def test_weight_table_of_rdop2gpwg_2():
    """F06 of Simcenter: MO by the deck that it ran, to its seven printed digits; weights are before PARAM,WTMASS."""
    theirs = read_supplier_modes(result("rdop2gpwg_2.f06"))
    model = assemble(read_model(of_pyyeti("nastran_op2_data/rdop2gpwg_2.dat"), "SI"))
    S = model.rigid_body_vectors
    ours = S.T @ (model.mass @ S) / read_supplier_modes(result("rdop2gpwg_2.op2")).wtmass
    for rows in (slice(3), slice(3, 6)):
        for columns in (slice(3), slice(3, 6)):
            a, b = ours[rows, columns], theirs.mass.matrix[rows, columns]
            np.testing.assert_allclose(a, b, rtol=6e-7, atol=1e-6 * np.abs(b).max(initial=0.0))


def test_eight_byte_words_of_simcenter():
    """The same model written with 4-byte and with 8-byte words: weight table and geometry agree to single precision."""
    tables = []
    for bits in (32, 64):
        with DataBlocks(of_pyyeti(f"nastran_op2_data/tugd_2020_{bits}bit.op2")) as file:
            tables.append((mass_summary(file), read_geometry(file, []), wtmass(file)))
    (mass, places, weight), (mass8, places8, weight8) = tables
    np.testing.assert_allclose(mass.matrix, mass8.matrix, rtol=2e-7, atol=1e-6 * np.abs(mass8.matrix).max())
    np.testing.assert_array_equal(places.ids, places8.ids)
    np.testing.assert_allclose(places.positions, places8.positions, rtol=1e-6, atol=1e-6)
    assert weight == pytest.approx(0.00259, rel=1e-6) and weight8 == pytest.approx(0.00259, rel=1e-12)
    assert mass.mass > 0.0 and len(places.ids) > 3


def test_parameters_of_simcenter():
    """PARAM,WTMASS of rdop2gpwg_1 is in its parameter table, to single precision."""
    with DataBlocks(of_pyyeti("nastran_op2_data/rdop2gpwg_1.op2")) as file:
        assert wtmass(file) == pytest.approx(0.00259, rel=1e-3)


@needs_corpus
def test_assembled_external_superelements():
    """assemble.op2 (two external superelements joined): every elastic mode against our own components, coupled.

    Frequencies 1e-5; MAC of the four boundary nodes, with clusters as subspaces, 1 - 1e-4 for the lowest twenty.
    """
    theirs = read_supplier_modes(result("assemble.op2")).elastic()
    system, second = station()
    basis = solve_modes(system.model, count=theirs.count)
    np.testing.assert_allclose(theirs.frequencies_hz, basis.frequencies_hz, rtol=1e-5)
    nodes = [3, 11, 19, 27]
    rows = [int(np.flatnonzero(theirs.node_ids == node)[0]) for node in nodes]
    a = theirs.shapes[rows, :3].reshape(12, -1)
    recovered = system.recovered(1, basis.shapes)
    here = second.model.nodes.indices(nodes)
    local = recovered[here, :3]
    if second.model.nodes.axes is not None:
        local = np.einsum("nab,nbk->nak", second.model.nodes.axes[here], local)
    b = local.reshape(12, -1)
    for k in range(20):
        close = np.abs(basis.frequencies_hz / theirs.frequencies_hz[k] - 1.0) < 1e-3
        part, *_ = np.linalg.lstsq(b[:, close], a[:, k], rcond=None)
        left = np.linalg.norm(a[:, k] - b[:, close] @ part) / np.linalg.norm(a[:, k])
        assert left**2 < 1e-4, (k, left)


@needs_corpus
@pytest.mark.parametrize("units", ("SI", "in-lbf-s", "mm-t-s"))
def test_assembled_results_by_their_own_deck(units):
    """--deck assemble.dat: external superelements are the OP4 files that it assigns; 48 modes, single precision."""
    folder = result("full.op2").parents[1] / "pyyeti/pyyeti/tests/nas2cam_extseout"
    found = ts.modes(result("assemble.op2"), units=units, deck=folder / "assemble.dat")
    check = found.supplier.verification
    assert check.passed and len(check.modes) == 48, check.breaches
    assert max(abs(mode.change) for mode in check.modes) < 1e-7
    assert min(mode.mac for mode in check.modes) > 1.0 - 1e-8
    assert max(abs(mode.modal_mass) for mode in check.modes) < 1e-6
    assert max(mode.residual for mode in check.modes) < 1e-5


@needs_corpus
def test_an_assembly_without_its_matrices_is_refused(tmp_path):
    """The OP4 file of a part is not there, or is that of another part: one sentence."""
    folder = result("full.op2").parents[1] / "pyyeti/pyyeti/tests/nas2cam_extseout"
    for name in ("assemble.dat", "inboard.asm", "outboard.asm", "inboard.pch", "outboard.pch", "outboard.op4"):
        (tmp_path / name).write_bytes((folder / name).read_bytes())
    with pytest.raises(ts.errors.TisserandError, match=r"matrices of a superelement do not exist") as error:
        ts.modes(result("assemble.op2"), units="SI", deck=tmp_path / "assemble.dat")
    assert "inboard.op4" in str(error.value)
    (tmp_path / "inboard.op4").write_bytes((folder / "outboard.op4").read_bytes())
    with pytest.raises(ts.errors.TisserandError, match="do not fit them"):
        ts.modes(result("assemble.op2"), units="SI", deck=tmp_path / "assemble.dat")


@needs_corpus
def test_the_whole_model_beside_assembled_results_asks_for_more_nodes():
    """Four nodes of the whole station are in assemble.op2: too few to know the rest, in one sentence."""
    with pytest.raises(ts.errors.FileError, match="too few nodes"):
        ts.modes(result("assemble.op2"), units="SI", deck=deck("nas2cam_extseout_full"))


@needs_corpus
def test_assembled_results_agree_with_the_whole_model():
    """The station as one model: frequencies of the assembled run within the truncation of its components, 0.2 % below 16 Hz."""
    theirs = read_supplier_modes(result("assemble.op2")).elastic()
    full = solve_modes(main_model("nas2cam_extseout_full"), count=12)
    np.testing.assert_allclose(theirs.frequencies_hz[:12], full.frequencies_hz, rtol=2e-3)
    assert (theirs.frequencies_hz[:12] >= full.frequencies_hz * (1.0 - 1e-6)).all()  # Rayleigh


@needs_corpus
def test_diff_of_a_supplier_and_the_own_model(tmp_path):
    """Correlation table, MAC matrix, frequency and effective-mass differences of satk, from the OP2 and from the deck."""
    folder = result("beam_modes.f06").parents[1] / "pyNastran/models/satk"
    found = ts.diff(
        folder / "pn_mwe_s-solution_1.dat", folder / "pn_mwe_s-solution_1.op2", units="SI", picture=tmp_path / "mac.png",
        deck=folder / "pn_mwe_s-solution_1.dat",
    )  # fmt: skip
    told = found.as_dict()
    assert found.passed and sum(len(pair.modes_a) for pair in found.comparison.pairs) == 3
    assert min(pair.mac for pair in found.comparison.pairs) > 0.999
    assert (tmp_path / "mac.png").stat().st_size > 5_000 and "pairs" in told
    assert all(abs(change) < 1e-5 for pair in found.comparison.pairs for change in pair.effective_mass_change)
    assert all(row[6] in ("+0.000 %", "-0.000 %") for row in found.comparison.rows())


@pytest.mark.slow
@needs_corpus
def test_a_record_of_results_is_like_any_other(tmp_path):
    """view, report, diff and every export take the record of an OP2 with its deck; flights are in test_with_the_deck.py."""
    made = tmp_path / "wing.h5"
    ts.modes(result("beam_modes_m1.op2"), units="in-lbf-s", deck=deck("beam_modes"), count=4, damping=0.01, output=made)
    ts.view(made, save=tmp_path / "shapes.png")
    assert (tmp_path / "shapes.png").stat().st_size > 10_000
    ts.report(made, output=tmp_path / "report.html")
    text = (tmp_path / "report.html").read_text()
    assert "beam_modes_m1.op2" in text
    assert ts.diff(made, made).passed
    from tisserand.exporters.registry import targets

    for target in (t for t in targets() if t.takes("record")):
        written = ts.export(made, to=target.name, output=tmp_path / f"out{target.suffix}")
        assert written.read_back_error <= target.tolerance


def test_residual_vectors_stay_marked(tmp_path):
    """Simcenter's nine residual vectors are residual in the record's names of modes, too."""
    theirs = read_supplier_modes(of_pyyeti("cla_test_data_2020/residual.out"))
    few = theirs.modes(np.arange(55, 62))
    assert [kind == "residual" for kind in few.kinds] == [False, False, True, True, True, True, True]
    assert replace(few).kinds == few.kinds


#: Files that describe their own model, and the deck of the run where the corpus has it.
DESCRIBED = {
    "results/beam_modes_m1.op2": "pyNastran/models/beam_modes/beam_modes.dat",  # MSC: bars, beams, PBARL, CONM2, SPC
    "pyNastran/models/satk/pn_mwe_s-solution_1.op2": "pyNastran/models/satk/pn_mwe_s-solution_1.dat",  # wide grids, SPCADD
    "results/full.op2": "pyyeti/pyyeti/tests/nas2cam_extseout/full.dat",  # coupled mass, RBE2, orientation by grids
    "results/0012_flutter.op2": None,  # shells, springs, RBE2, CORD2R, SPC1
}


@needs_corpus
@pytest.mark.parametrize("file", DESCRIBED)
def test_an_op2_is_its_own_deck(file):
    """Stiffness and mass by GEOM1, GEOM2, GEOM4, EPT and MPT equal those of the deck, and verify the run: single precision."""
    corpus = result("full.op2").parents[1]
    found = assemble(model_of_op2(corpus / file, "SI"))
    if DESCRIBED[file] is not None:
        own = assemble(read_model(corpus / DESCRIBED[file], "SI"))
        for word in ("stiffness", "mass"):
            a, b = getattr(found, word), getattr(own, word)
            assert abs(a - b).max() < 2e-7 * abs(b).max(), word
    check = ts.modes(corpus / file, units="SI", deck=corpus / file, count=20).supplier.verification
    assert check.passed, check.breaches
    assert max(abs(mode.change) for mode in check.modes) < 1e-6
    assert min(mode.mac for mode in check.modes) > 1.0 - 1e-8


def test_an_op2_with_parts_or_unknown_cards_is_no_deck():
    """Superelements, and a set that is not known: one sentence each."""
    for name, words in (
        ("nas2cam_extseout/assemble.op2", "one whole model"),
        ("nas2cam_extseout/inboard_v2007.op2", "not known"),
    ):
        with pytest.raises(ts.errors.FileError, match=words) as error:
            model_of_op2(of_pyyeti(name), "SI")
        assert "\n" not in str(error.value) and "deck of the run" in str(error.value)


@needs_corpus
def test_a_file_that_describes_its_elements_tells_so():
    found = ts.modes(result("0012_flutter.op2"), units="SI").as_dict()["supplier"]
    assert not found["flies"] and "0012_flutter.op2 takes them as the deck" in found["notes"][-1]
