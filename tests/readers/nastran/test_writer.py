"""Model to BDF to model: the same stiffness, mass, supports and ids; and the corpus decks likewise."""

from dataclasses import replace

import numpy as np
import pytest
from support.corpus import deck, needs_corpus

import tisserand as ts
from tisserand.assembly.assemble import assemble
from tisserand.errors import FileError, ModelError
from tisserand.exporters.bdf import bdf_text, write_bdf
from tisserand.readers.nastran import read_deck, read_nastran
from tisserand.readers.registry import format_of, read_model

EVERYTHING = """SOL 103
CEND
SPC = 1
MPC = 1
K2GG = KX
METHOD = 1
BEGIN BULK
EIGRL,1,.1,200.,9
CORD2C,5,,0.,0.,0.,0.,0.,1.
,1.,0.,0.
CORD2R,6,,0.,0.,0.,.3,.2,1.
,1.,.1,0.
GRID,1,,0.,0.,0.
GRID,2,,1.,.1,0.,5
GRID,3,,1.,1.,.2,6
GRID,4,,0.,1.,0.
GRID,5,,0.,0.,1.
GRID,6,,1.,0.,1.
GRID,7,,1.,1.,1.
GRID,8,,0.,1.,1.,5
GRID,9,,.5,.5,1.7
GRID,10,,2.,.5,1.7
SPOINT,50,51
CBAR,1,1,1,2,0.,0.,1.,,
,45,,0.,.05,0.,0.,.06,.01
CBEAM,2,2,2,3,0.,0.,1.
,,,.01,0.,0.,0.,.02,0.
CROD,3,3,3,4
CONROD,4,4,5,1,1.-4,2.-9,,.3
CQUAD4,5,5,1,2,3,4,25.,.003
CQUAD4,6,6,5,6,7,8
CTRIA3,7,7,7,8,9,6
CTRIA3,8,8,5,6,9
CTETRA,9,9,1,2,4,5
CHEXA,10,10,1,2,3,4,5,6
,7,8
CPENTA,11,9,1,2,4,5,6,8
CPYRAM,12,9,5,6,7,8,9
CELAS2,13,1.+4,1,4,7,5
CELAS2,14,2.+4,50,,51
CDAMP2,15,12.,3,2
CBUSH,16,16,2,8,0.,.1,1.
,.3
CBUSH,17,16,5,,,,,6
CMASS2,18,.7,6,3
CONM2,19,9,6,3.,.1,.2,.3
,1.,.1,2.,.2,.3,3.
CONM1,20,3,6,4.,,5.,.1,
,6.,,.2,.3,1.,.1,.2,
,.1,2.,,,,,,3.
PBAR,1,1,1.-4,1.-8,2.-8,2.5-8,.1
,,,,,,,,
,.8,.7,3.-9
PBEAM,2,1,2.-4,2.-8,3.-8,1.-9,4.-8,.5
,0.,0.,0.,0.,0.,0.,0.,0.
,NO,1.,1.-4,1.-8,,,2.-8
,.9,.8,,,.01,.02
,.01,.02,,,.003,.004
PROD,3,1,1.-4,1.-9
PSHELL,5,1,.01,2,1.1,1,.8,2.5
PSHELL,6,1,.005,1,,1
PCOMP,7,-.002,1.5
,3,.001,30.,,3,.001,-45.
,1,.002
PCOMP,8,,,,,,,SYM
,3,.001,10.,,3,.001,60.
PSOLID,9,1
PSOLID,10,4,6
PBUSH,16,K,1.+5,2.+5,3.+5,4.+3,5.+3,6.+3
,,B,1.,2.,3.,.1,.2,.3
MAT1,1,7.+10,,.3,2700.
MAT2,2,8.+10,2.+10,1.+9,6.+10,2.+9,2.5+10
MAT8,3,1.4+11,1.+10,.3,5.+9,5.+9,3.5+9,1600.
MAT9,4,2.+11,1.+11,1.+11,,,,2.+11
,1.+11,,,,2.1+11
,8.+10,,,8.1+10,,8.2+10,7800.
RBE2,30,9,123,10
RBE3,31,,10,456,1.,123,6,7
,8,2.,12,5
MPC,1,4,1,1.,1,6,.5
,,50,0,-.25
SPC1,1,123456,1,5
SPC1,1,13,2
DMIG,KX,0,6,1,0
DMIG,KX,6,1,,6,1,5.+4
,7,5,-1.+3
DMIG,KX,7,5,,7,5,1.+3
SUPORT,9,12
ASET1,123,6,7
PARAM,COUPMASS,1
PARAM,K6ROT,50.
PARAM,AUTOSPC,NO
PARAM,GRDPNT,7
ENDDATA
"""


@pytest.fixture
def model(tmp_path):
    path = tmp_path / "everything.bdf"
    path.write_text(EVERYTHING)
    return read_deck(path, "SI").main


def assert_same(first, second, tolerance):
    a, b = assemble(first), assemble(second, first.mass_recipe)
    assert a.dofs.node.tolist() == b.dofs.node.tolist() and a.dofs.component.tolist() == b.dofs.component.tolist()
    for word in ("stiffness", "mass", "damping"):
        p, q = getattr(a, word), getattr(b, word)
        assert (p is None) == (q is None)
        if p is not None and p.nnz:
            assert abs(p - q).max() <= tolerance * abs(p).max(), word
    assert (a.held() == b.held()).all()
    assert first.nodes.ids.tolist() == second.nodes.ids.tolist()
    assert first.supports.fixed.tolist() == second.supports.fixed.tolist()
    for x, y in zip(first.elements, second.elements):
        if x.family not in ("direct matrix", "spring"):
            assert x.ids.tolist() == y.ids.tolist()


@pytest.mark.parametrize("units", ["SI", "mm-t-s", "in-lbf-s"])
def test_everything_survives_the_round_trip(model, tmp_path, units):
    """Every family, tie, matrix, frame and request at once; 16 columns hold 12 digits."""
    path = write_bdf(model, tmp_path / "again.bdf", units=units)
    again = read_deck(path, units).main
    assert_same(model, again, 1e-10)
    for word in ("count", "fmin_hz", "fmax_hz", "reference_node"):
        assert getattr(again.analysis, word) == pytest.approx(getattr(model.analysis, word))
    assert again.analysis.interface.tolist() == model.analysis.interface.tolist()
    assert again.analysis.reference.tolist() == model.analysis.reference.tolist()
    assert (again.drilling, again.auto_constrain, again.mass_recipe) == (50.0, False, "coupled")
    assert again.ledger.balance["mass read"] == pytest.approx(model.ledger.balance["mass read"], rel=1e-10)


def test_writing_twice_gives_the_same_text(model):
    assert bdf_text(model) == bdf_text(model)


@needs_corpus
@pytest.mark.parametrize(
    "name",
    [
        "beam_modes",
        "pn_mwe_s-solution_1",
        "bah_plane",
        "0012_flutter",
        "nas2cam_extseout_outboard",
        "Simple_Example",
        "02_RigidTip_sol103",
    ],
)
def test_corpus_decks_survive_the_round_trip(name, tmp_path):
    model = read_deck(deck(name), "SI").main
    assert_same(model, read_deck(write_bdf(model, tmp_path / "again.bdf"), "SI").main, 1e-11)


def test_what_cannot_be_written_is_refused(model, tmp_path):
    from dataclasses import replace

    beams = [b for b in model.elements if b.family == "beam"]
    tapered = model.changed(elements=(replace(beams[1], recipe="bar"),))
    with pytest.raises(ModelError, match="PBAR"):
        bdf_text(tapered)
    write_bdf(model, tmp_path / "x.bdf")
    with pytest.raises(FileError, match="already exists"):
        write_bdf(model, tmp_path / "x.bdf", overwrite=False)


def test_registry_picks_the_format(model, tmp_path):
    """By extension, by content, by name; unknown files are refused."""
    path = write_bdf(model, tmp_path / "deck.bdf")
    assert len(read_model(path, "SI").nodes) == len(model.nodes)
    strange = tmp_path / "deck.strange"
    strange.write_text(path.read_text())
    assert format_of(strange).name == "nastran"
    nothing = tmp_path / "deck.xyz123"
    nothing.write_text("hello\n")
    with pytest.raises(FileError, match="format"):
        read_model(nothing, "SI")
    assert np.isfinite(read_model(strange, "SI", format="nastran").nodes.positions).all()


@pytest.mark.parametrize("card", ["CQUAD8", "CTRIA6"])
def test_material_axes_of_curved_shells_come_back(tmp_path, card):
    """PCOMP with MCID on a curved element: the axis is projected at every point, which one THETA cannot state; 1e-12."""
    corners = (
        [(0.0, 0.0), (1.0, 0.1), (1.1, 0.9), (0.1, 1.0)] if card == "CQUAD8" else [(0.0, 0.0), (1.0, 0.1), (0.3, 1.0)]
    )
    middle = [tuple((np.array(a) + b) / 2.0) for a, b in zip(corners, corners[1:] + corners[:1])]
    points = [(x, y, 0.3 * np.sin(2 * x + 3 * y)) for x, y in corners + middle]
    grids = "".join(f"GRID,{i},,{x:.9f},{y:.9f},{z:.9f}\n" for i, (x, y, z) in enumerate(points, 1))
    nodes = ",".join(map(str, range(1, len(points) + 1)))
    fields = f"{card},1,1,{nodes}".split(",")
    tail = [*[""] * 4, "3"] if card == "CQUAD8" else ["3"]
    lines = [",".join(part) for part in (fields[:9], ["", *fields[9:], *tail])]
    element = "\n".join(lines) + "\n"
    text = (
        "BEGIN BULK\nMAT8,8,1.3+11,9.+9,.3,5.+9,4.+9,3.+9,1600.\nPCOMP,1\n,8,.004,30.,YES,8,.006,-45.,YES\n"
        "CORD2R,3,,0.,0.,0.,.2,.1,1.\n,.8,.5,.1\n" + grids + element + "ENDDATA\n"
    )
    (tmp_path / "one.bdf").write_text(text)
    first = assemble(read_model(tmp_path / "one.bdf", "SI"))
    again = assemble(read_model(write_bdf(first.structure, tmp_path / "two.bdf"), "SI"))
    K = first.stiffness.toarray()
    assert again.stiffness.toarray() == pytest.approx(K, abs=1e-10 * np.abs(K).max())


def test_a_preload_is_not_lost(tmp_path):
    deck = (
        "SOL 103\nCEND\nSPC=1\nSUBCASE 1\nLOAD=10\nSUBCASE 2\nMETHOD=1\nSTATSUB=1\nBEGIN BULK\nEIGRL,1,,,3\n"
        "MAT1,1,7.+10,,.3,2700.\nPBAR,1,1,1.-4,1.-9,1.-9,1.-9\nGRID,1,,0.,0.,0.\nGRID,2,,1.,0.,0.\nGRID,3,,2.,0.,0.\n"
        "CBAR,1,1,1,2,0.,0.,1.\nCBAR,2,1,2,3,0.,0.,1.\nSPC1,1,123456,1\nFORCE,10,3,,300.,1.,0.,0.\nENDDATA\n"
    )
    (tmp_path / "pre.bdf").write_text(deck)
    with pytest.raises(ModelError, match="the preload of subcase 1 cannot be written"):
        write_bdf(read_model(tmp_path / "pre.bdf", "SI"), tmp_path / "out.bdf")
    assert not (tmp_path / "out.bdf").exists()


@pytest.mark.parametrize(
    "kind, flavor", [("C3D8", "abaqus"), ("C3D8I", "abaqus"), ("C3D8I", "calculix"), ("C3D8R", "abaqus")]
)
def test_bricks_that_psolid_cannot_state_are_named(tmp_path, caplog, kind, flavor):
    """Either the stiffness comes back, or the deck and the log say that the element is another one."""
    points = [(x, y, z) for z in (0, 1) for x, y in ((0, 0), (1, 0.1), (1.1, 1), (0, 1))]
    rows = "\n".join(f"{i},{x},{y},{z}" for i, (x, y, z) in enumerate(points, 1))
    text = f"*NODE\n{rows}\n*ELEMENT,TYPE={kind},ELSET=E\n1,1,2,3,4,5,6,7,8\n*SOLID SECTION,ELSET=E,MATERIAL=M\n"
    (tmp_path / "brick.inp").write_text(text + "*MATERIAL,NAME=M\n*ELASTIC\n7e10,.3\n*DENSITY\n2700.\n")
    model = read_model(tmp_path / "brick.inp", "SI", flavor=flavor)
    K = assemble(model).stiffness.toarray()
    back = assemble(read_model(write_bdf(model, tmp_path / "brick.bdf"), "SI")).stiffness.toarray()
    same = back == pytest.approx(K, abs=1e-9 * np.abs(K).max())
    named = "other elements" in caplog.text and "integration is written as" in (tmp_path / "brick.bdf").read_text()
    assert bool(same) != named


def test_shells_of_two_kinds_are_named(tmp_path, caplog):
    """One deck states one kind of shells: the others become Nastran's, and the user is told."""
    wall = ts.sheet(ts.STEEL, 0.01)
    own = ts.plate(1.0, 0.5, wall, elements=(2, 2))
    theirs = replace(own, elements=tuple(replace(block, bending="nastran") for block in own.elements))
    for model in (own, theirs):
        assert "of 4 shells" not in write_bdf(model, tmp_path / "one.bdf").read_text()
    assert not caplog.text
    both = ts.join(own, theirs.named("other"), at=("x+", "x-"))
    text = write_bdf(both, tmp_path / "both.bdf").read_text()
    assert "$ 4 of 8 shells bend otherwise than Nastran's" in text and "4 of 8 shells" in caplog.text


def test_shells_with_drilling_dofs_are_approximated(tmp_path):
    for card, plain in (("CQUADR", "CQUAD4"), ("CTRIAR", "CTRIA3")):
        grids = "GRID,1,,0.,0.,0.\nGRID,2,,1.,0.,0.\nGRID,3,,1.,1.,0.\nGRID,4,,0.,1.,0."
        shell = f"{card},1,1,1,2,3{',4' if card == 'CQUADR' else ''}"
        rest = "PSHELL,1,1,.01,1,,1\nMAT1,1,7.+10,,.3,2700.\nENDDATA\n"
        (tmp_path / "a.bdf").write_text(f"BEGIN BULK\n{grids}\n{shell}\n{rest}")
        entry = next(e for e in read_nastran(tmp_path / "a.bdf", "SI").ledger.entries if e.card == card)
        assert entry.fate == "approximated" and f"used as {plain}" in entry.reason
