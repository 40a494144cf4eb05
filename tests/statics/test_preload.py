"""Modes about the static state that a deck states: closed forms, CalculiX, and what is refused."""

import re

import numpy as np
import pytest
from support.corpus import needs_corpus, shared

from tisserand.assembly import assemble
from tisserand.errors import DroppedCardsError, ReadError, SolverError
from tisserand.modes import solve_modes
from tisserand.readers.abaqus import read_abaqus
from tisserand.readers.nastran import read_nastran
from tisserand.statics import preloaded

E, RHO, A, I, L = 7e10, 2700.0, 1e-4, 1e-9, 2.0


def strung_beam(tmp_path, cards="", control="", elements=40, spin_free=False):
    """A pinned beam along x whose right end may slide along it; subcase 1 static, subcase 2 modes."""
    n = elements
    grids = "".join(f"GRID,{i + 1},,{L * i / n},0.,0.\n" for i in range(n + 1))
    bars = "".join(f"CBAR,{i + 1},1,{i + 1},{i + 2},0.,1.,0.\n" for i in range(n))
    rest = (
        f"PBAR,1,1,{A},{I},{I},{2 * I}\nMAT1,1,{E:.3e},,.3,{RHO}\nSPC1,1,1234,1\nSPC1,1,234,{n + 1}\nPARAM,COUPMASS,1\n"
    )
    head = f"SOL 103\nCEND\nSPC=1\nSUBCASE 1\n LOAD=5\nSUBCASE 2\n METHOD=1\n{control}"
    path = tmp_path / "beam.bdf"
    path.write_text(f"{head}BEGIN BULK\nEIGRL,1,,,4\n{grids}{bars}{rest}{cards}ENDDATA\n")
    return path


def pinned(tension, mode):
    """Hz of a pinned beam under tension: (n pi / L)² sqrt((E I + T (L / n pi)²) / rho A)."""
    k = mode * np.pi / L
    return k**2 * np.sqrt((E * I + tension / k**2) / (RHO * A)) / (2 * np.pi)


@pytest.mark.parametrize("tension", [500.0, -100.0])
def test_nastran_statsub_is_carried_out(tmp_path, tension):
    """Tolerance 1e-5 on the first two bending pairs with 40 Hermite elements."""
    cards = f"LOAD,5,2.,.5,7\nFORCE,7,41,,{tension},1.,0.,0.\n"
    path = strung_beam(tmp_path, cards, " STATSUB(PRELOAD)=1\n")
    basis = solve_modes(assemble(read_nastran(path, "SI")), count=4)
    wanted = np.repeat([pinned(tension, 1), pinned(tension, 2)], 2)
    assert np.abs(basis.frequencies_hz / wanted - 1).max() < 1e-5
    assert any("subcase 1" in note for note in basis.model.ledger.assumptions)
    bare = solve_modes(assemble(read_nastran(strung_beam(tmp_path, cards), "SI")), count=2)
    assert np.abs(bare.frequencies_hz / pinned(0.0, 1) - 1).max() < 1e-5


def test_a_support_that_an_spc_moves_strings_the_beam(tmp_path):
    """T = E A d / L; modes with the same support held."""
    move = 1e-4
    cards = f"SPC,7,41,1,{move}\nSPCADD,8,1,7\n"
    path = strung_beam(tmp_path, cards, " STATSUB=1\n")
    path.write_text(path.read_text().replace("SPC=1\nSUBCASE 1\n LOAD=5", "SPC=8\nSUBCASE 1\n SPC=8"))
    basis = solve_modes(assemble(read_nastran(path, "SI")), count=2)
    assert np.abs(basis.frequencies_hz / pinned(E * A * move / L, 1) - 1).max() < 1e-5


def test_what_a_preload_names_must_exist(tmp_path):
    force = "FORCE,5,41,,500.,1.,0.,0.\n"
    with pytest.raises(ReadError, match=r"beam.bdf: the static subcase .* found STATSUB = 7, expected one of 1, 2"):
        read_nastran(strung_beam(tmp_path, force, " STATSUB=7\n"), "SI")
    combined = force.replace("FORCE,5", "FORCE,6") + "LOAD,5,1.,1.,6,1.,9\n"
    with pytest.raises(ReadError, match="a load set that the preload combines does not exist; found 9"):
        read_nastran(strung_beam(tmp_path, combined, " STATSUB=1\n"), "SI")
    model = read_nastran(strung_beam(tmp_path, force, " K2GG=NOPE\n"), "SI")
    assert any("K2GG = NOPE, which does not exist" in words for words in model.ledger.assumptions)


def test_a_lowest_frequency_of_the_deck_is_told(tmp_path):
    path = strung_beam(tmp_path)
    path.write_text(path.read_text().replace("EIGRL,1,,,4", "EIGRL,1,20.,200.,4"))
    assert any("above 20 Hz" in words and "--fmin 20" in words for words in read_nastran(path, "SI").ledger.assumptions)


def test_gravity_and_spin_of_a_preload(tmp_path):
    """A beam hanging along x and one spinning about its pinned end carry T(x) = rho A g (L - x) and rho A w² (L² - x²) / 2.

    Rayleigh-Ritz with sines (20 terms), written here, against 40 elements: 1e-4. The spin also softens motion in its plane.
    """
    terms, x = 20, (np.arange(4000) + 0.5) * L / 4000
    k = np.arange(1, terms + 1) * np.pi / L
    slope = k[:, None] * np.cos(np.outer(k, x))

    def ritz(tension, softening=0.0):
        stiff = np.diag(E * I * k**4 * L / 2) + (slope * tension) @ slope.T * (L / 4000)
        mass = RHO * A * L / 2
        values = np.linalg.eigvalsh(stiff / mass) - softening
        return np.sqrt(values[0]) / (2 * np.pi)

    rate, g = 12.0, 300.0
    hung = strung_beam(tmp_path, f"GRAV,5,,{g},1.,0.,0.\n", " STATSUB=1\n")
    wanted = ritz(RHO * A * g * (L - x))
    assert np.abs(solve_modes(assemble(read_nastran(hung, "SI")), count=2).frequencies_hz / wanted - 1).max() < 1e-4
    spun = strung_beam(tmp_path, f"RFORCE,5,1,,{rate / 2 / np.pi:.9f},0.,0.,1.\n", " STATSUB=1\n")
    tension = RHO * A * rate**2 * (L**2 - x**2) / 2
    in_plane, out_of_plane = ritz(tension, rate**2), ritz(tension)
    found = solve_modes(assemble(read_nastran(spun, "SI")), count=2).frequencies_hz
    assert np.abs(found / [in_plane, out_of_plane] - 1).max() < 1e-4


def test_loads_that_a_preload_cannot_have_are_refused_by_name(tmp_path):
    path = strung_beam(tmp_path, "PLOAD1,5,1,FY,FR,0.,1.,1.,1.\n", " STATSUB=1\n")
    with pytest.raises(DroppedCardsError, match=r"PLOAD1.*subcase 1"):
        read_nastran(path, "SI")


def test_buckled_states_name_their_subcase(tmp_path):
    path = strung_beam(tmp_path, "FORCE,5,41,,-1000.,1.,0.,0.\n", " STATSUB=1\n")
    with pytest.raises(SolverError, match=r"subcase 1.*unstable"):
        solve_modes(assemble(read_nastran(path, "SI")), count=2)


@needs_corpus
def test_perturbation_steps_of_calculix():
    """beamf2: a column at 0.99999 of its critical load, where CalculiX gives 705.2072 Hz; 1e-5 on the first two modes."""
    model = read_abaqus(shared() / "corpus/sweep/CalculiX/test/beamf2.inp", "consistent")
    found = solve_modes(assemble(model), count=2).frequencies_hz
    assert np.abs(found / [705.2072, 14614.25] - 1).max() < 1e-5
    assert solve_modes(assemble(model.changed(analysis=type(model.analysis)())), count=1).frequencies_hz[0] > 13000.0


@needs_corpus
def test_unstable_states_have_the_eigenvalues_of_calculix():
    """beam_sens_freq_coord2: a state beyond its stability, refused; its positive eigenvalues are those CalculiX lists (1e-6)."""
    from scipy.sparse.linalg import eigsh

    model = read_abaqus(shared() / "corpus/sweep/CalculiX/test/beam_sens_freq_coord2.inp", "consistent")
    with pytest.raises(SolverError, match="step 1"):
        solve_modes(assemble(model), count=4)
    stressed = preloaded(assemble(model))
    free = np.flatnonzero(~stressed.held())
    K, M = (matrix[free][:, free].tocsc() for matrix in (stressed.stiffness, stressed.mass))
    hz = np.sqrt(np.sort(eigsh(K, 4, M, sigma=1e12, return_eigenvectors=False))) / (2 * np.pi)
    assert np.abs(hz / [125712.1, 125895.9, 283927.2, 296952.8] - 1).max() < 1e-6


def test_steps_choose_their_boundary_and_loads(tmp_path):
    """Two FREQUENCY steps of a cube: the first is taken and said, ``step`` chooses, OP=NEW frees."""
    nodes = "1,0,0,0\n2,1,0,0\n3,1,1,0\n4,0,1,0\n5,0,0,1\n6,1,0,1\n7,1,1,1\n8,0,1,1\n"
    steps = "*STEP\n*FREQUENCY\n2\n*END STEP\n*STEP\n*FREQUENCY\n3\n*BOUNDARY, OP=NEW\n1,1,3\n2,2,3\n3,3,3\n*END STEP\n"
    path = tmp_path / "cube.inp"
    path.write_text(
        f"*NODE, NSET=ALL\n{nodes}*ELEMENT, TYPE=C3D8, ELSET=E\n1,1,2,3,4,5,6,7,8\n*MATERIAL, NAME=M\n*ELASTIC\n2e11,.3,0.\n"
        f"1e11,.3,100.\n*DENSITY\n7800.\n*SOLID SECTION, ELSET=E, MATERIAL=M\n*INITIAL CONDITIONS, TYPE=TEMPERATURE\nALL,50.\n"
        f"*BOUNDARY\n1,1,3\n2,1,3\n3,1,3\n4,1,3\n{steps}"
    )
    first, second = read_abaqus(path, "SI"), read_abaqus(path, "SI", step=2)
    assert "--step" in " ".join(first.ledger.assumptions)
    assert first.supports.fixed.sum() == 12 and second.supports.fixed.sum() == 6
    assert first.analysis.count == 2 and second.analysis.count == 3
    assert first.materials[0].young == pytest.approx(1.5e11, rel=1e-12)  # halfway between the two temperatures


def test_materials_of_nastran_at_a_temperature(tmp_path):
    table = "MATT1,1,9\nTABLEM1,9\n,0.,7.+10,100.,5.+10,ENDT\nTEMPD,3,50.\n"
    path = strung_beam(tmp_path, table)
    path.write_text(path.read_text().replace("SPC=1\n", "SPC=1\nTEMP(MATERIAL)=3\n"))
    assert read_nastran(path, "SI").materials[0].young == pytest.approx(6e10, rel=1e-12)
    for load in ("TEMP(LOAD)=4\nTEMP(INIT)=3\n", "TEMP(INIT)=3\nTEMP(LOAD)=4\n"):  # a load does not replace the other
        path.write_text(re.sub(r"(TEMP\(.*\n)+", load, path.read_text()))
        assert read_nastran(path, "SI").materials[0].young == pytest.approx(6e10, rel=1e-12)
    path.write_text(re.sub(r"(TEMP\(.*\n)+", "", path.read_text()))
    assert read_nastran(path, "SI").materials[0].young == E
    path.write_text(
        path.read_text().replace("SPC=1\n", "SPC=1\nTEMP(INIT)=3\n").replace("ENDDATA", "TEMP,3,4,20.\nENDDATA")
    )
    with pytest.raises(DroppedCardsError, match=r"MATT1.*differ from point to point"):
        read_nastran(path, "SI")


def test_tables_with_logarithmic_axes(tmp_path):
    """E = 7e10 at 1 and 3.5e10 at 100 in logarithms: 7e10 sqrt(1/2) at 10."""
    path = strung_beam(tmp_path, "MATT1,1,9\nTABLEM1,9,LOG,LOG\n,1.,7.+10,100.,3.5+10,ENDT\nTEMPD,3,10.\n")
    path.write_text(path.read_text().replace("SPC=1\n", "SPC=1\nTEMP(MATERIAL)=3\n"))
    assert read_nastran(path, "SI").materials[0].young == pytest.approx(7e10 * 0.5**0.5, rel=1e-12)
    path.write_text(path.read_text().replace("TEMPD,3,10.", "TEMPD,3,-10."))
    with pytest.raises(ReadError, match="above zero"):
        read_nastran(path, "SI")


@pytest.mark.parametrize(
    ("material", "tables", "constants"),
    [
        ("MAT2,1,{0},3.,0.,{1},0.,4.,1.", "MATT2,1,9,,,9", (8.0, 12.0)),
        ("MAT8,1,{0},{1},.3,4.,4.,4.,1.", "MATT8,1,9,9", (8.0, 12.0)),
        ("MAT11,1,{0},{1},6.,.3,.3,.3,4.\n,4.,4.,1.", "MATT11,1,9,9", (8.0, 12.0)),
    ],
)
def test_every_material_card_is_taken_at_the_temperature(tmp_path, material, tables, constants):
    """TABLEM2 multiplies the constants of the card, by 0.7 at 150: the same as the card with those values."""
    head = (
        "SOL 103\nCEND\nTEMP(INIT)=3\nBEGIN BULK\nGRID,1\nGRID,2,,1.\nGRID,3,,0.,1.\nGRID,4,,0.,0.,1.\nTEMPD,3,150.\n"
    )
    shell = "CTRIA3,1,1,1,2,3\nPSHELL,1,1,.1\n" if "MAT11" not in material else "CTETRA,1,1,1,2,3,4\nPSOLID,1,1\n"
    table = f"{tables}\nTABLEM2,9,100.\n,0.,1.,100.,.4,ENDT\n"
    found = []
    for values, extra in ((constants, table), (tuple(0.7 * x for x in constants), "")):
        path = tmp_path / "deck.bdf"
        path.write_text(f"{head}{shell}{material.format(*values)}\n{extra}ENDDATA\n")
        found.append(assemble(read_nastran(path, "SI")).stiffness.toarray())
    np.testing.assert_allclose(found[0], found[1], rtol=0, atol=1e-12 * np.abs(found[1]).max())


def test_a_preload_across_a_rod_is_told(tmp_path):
    """A force where nothing is stiff stresses nothing: the modes are given, and say so."""
    path = tmp_path / "rod.bdf"
    path.write_text(
        "SOL 103\nCEND\nSPC=1\nSUBCASE 1\n LOAD=5\nSUBCASE 2\n METHOD=1\n STATSUB(PRELOAD)=1\nBEGIN BULK\nEIGRL,1,,,1\n"
        "GRID,1,,0.,0.,0.\nGRID,2,,1.,0.,0.\nCROD,1,1,1,2\nPROD,1,1,1.-4\nMAT1,1,7.+10,,.3,2700.\nSPC1,1,123456,1\n"
        "SPC1,1,456,2\nFORCE,5,2,,3.,1.,1.,0.\nENDDATA\n"
    )
    basis = solve_modes(assemble(read_nastran(path, "SI")), count=1)
    assert any(
        "loaded dofs without stiffness" in note and "node 2 (y)" in note for note in basis.model.ledger.assumptions
    )
