"""What each card means, against closed forms and Nastran's own definitions (Quick Reference Guide)."""

import numpy as np
import pytest

from tisserand.assembly.assemble import assemble
from tisserand.errors import ReadError
from tisserand.model import (
    BeamBlock,
    BushBlock,
    DirectMatrix,
    Equation,
    Interpolation,
    NodalBodies,
    RodBlock,
    ShellBlock,
)
from tisserand.readers.nastran import read_deck
from tisserand.units import SYSTEMS


def read(tmp_path, text, units="SI", control="", **options):
    path = tmp_path / "deck.bdf"
    path.write_text(f"SOL 103\nCEND\n{control}\nBEGIN BULK\n{text}\nENDDATA\n")
    return read_deck(path, units, **options).main


def block(model, kind):
    return next(b for b in model.elements if isinstance(b, kind))


SECTION = "PBAR,1,1,1.-4,1.-8,1.-8,2.-8\nMAT1,1,7.+10,,.3,2700.\n"


def test_cylindrical_positions_and_displacement_axes(tmp_path):
    """CP cylindrical: x = r cos; CD cylindrical: first axis points outward at the grid point itself."""
    model = read(tmp_path, "CORD2C,5,,1.,0.,0.,1.,0.,1.\n,2.,0.,0.\nGRID,1,5,2.,90.,3.,5\nGRID,2,,0.,0.,0.\n")
    assert model.nodes.positions[0] == pytest.approx([1.0, 2.0, 3.0])
    assert model.nodes.axes[0] == pytest.approx(np.array([[0, 1, 0], [-1, 0, 0], [0, 0, 1]]), abs=1e-15)


def test_spherical_and_nested_systems(tmp_path):
    """CORD2S: theta from z, phi about z; CORD1R on grid points given in another system."""
    text = (
        "CORD2S,1,,0.,0.,0.,0.,0.,1.\n,1.,0.,0.\nCORD2R,2,1,1.,90.,0.,2.,90.,0.\n,1.,90.,90.\nCORD1R,3,10,11,12\n"
        "GRID,10,2,0.,0.,0.\nGRID,11,2,0.,0.,1.\nGRID,12,2,1.,0.,0.\nGRID,13,3,0.,0.,5.\nGRID,14,1,2.,90.,90.\n"
    )
    model = read(tmp_path, text)
    at = dict(zip(model.nodes.ids.tolist(), model.nodes.positions))
    assert at[14] == pytest.approx([0.0, 2.0, 0.0], abs=1e-12)
    assert at[10] == pytest.approx([1.0, 0.0, 0.0], abs=1e-12)
    assert at[13] == pytest.approx([6.0, 0.0, 0.0], abs=1e-12)


def test_bar_orientation_offsets_and_pins(tmp_path):
    """Orientation and offsets live in end A's and each end's displacement axes; G0 gives a vector from GA; OFFT flags."""
    grids = "CORD2R,4,,0.,0.,0.,0.,0.,1.\n,0.,1.,0.\nGRID,1,,0.,0.,0.,4\nGRID,2,,2.,0.,0.\nGRID,3,,0.,5.,1.\n"
    bars = (
        "CBAR,1,1,1,2,0.,0.,1.,,\n,45,6,0.,.1,0.,0.,.2,0.\n"  # axes of 4: x=+y, y=-x
        "CBAR,2,1,1,2,3\n"
        "CBAR,3,1,1,2,1.,0.,0.,BGG\n"
        "CBAR,4,1,1,2,0.,0.,1.,GOO\n,,,.5,.1,0.,0.,0.,.3\n"
    )
    bars = bars.replace("CBAR,3,1,1,2,1.,0.,0.,BGG", "CBAR,3,1,1,2,0.,1.,0.,BGG")
    beams = block(read(tmp_path, grids + bars + SECTION), BeamBlock)
    assert beams.orientation[0] == pytest.approx([0.0, 0.0, 1.0])
    assert beams.offsets[0] == pytest.approx(np.array([[-0.1, 0.0, 0.0], [0.0, 0.2, 0.0]]))
    assert np.flatnonzero(beams.releases[0, 0]).tolist() == [3, 4] and np.flatnonzero(
        beams.releases[0, 1]
    ).tolist() == [5]
    assert beams.orientation[1] == pytest.approx([0.0, 5.0, 1.0])
    assert beams.orientation[2] == pytest.approx([0.0, 1.0, 0.0])
    # element axes of bar 4: x along, y = +z (orientation), z = x cross y = -y
    assert beams.offsets[3] == pytest.approx(np.array([[0.5, 0.0, 0.1], [0.0, -0.3, 0.0]]), abs=1e-15)


def test_defaults_of_baror(tmp_path):
    model = read(tmp_path, "BAROR,,1,,,0.,0.,1.\nGRID,1,,0.,0.,0.\nGRID,2,,1.,0.,0.\nCBAR,1,,1,2\n" + SECTION)
    assert block(model, BeamBlock).orientation[0] == pytest.approx([0.0, 0.0, 1.0])


def test_tapered_beam_property(tmp_path):
    """PBEAM: blanks at end B repeat end A, K1 and K2 default to one, N offsets at both ends."""
    text = (
        "GRID,1,,0.,0.,0.\nGRID,2,,1.,0.,0.\nCBEAM,1,1,1,2,0.,1.,0.\nMAT1,1,7.+10,,.3,2700.\n"
        "PBEAM,1,1,2.-4,2.-8,3.-8,1.-9,4.-8,.5\n,0.,0.,0.,0.,0.,0.,0.,0.\n,NO,1.,1.-4,1.-8,,,2.-8\n"
        ",,,,,.01,.02\n,.1,.2,,,.3,.4\n"
    )
    section = read(tmp_path, text).sections[0]
    a, b = section.end_a, section.end_b
    assert (a.area, a.i_zz, a.i_yy, a.i_yz, a.torsion_constant, a.nonstructural_mass) == (
        2e-4,
        2e-8,
        3e-8,
        1e-9,
        4e-8,
        0.5,
    )
    assert (b.area, b.i_zz, b.i_yy, b.torsion_constant, b.nonstructural_mass) == (1e-4, 1e-8, 3e-8, 2e-8, 0.5)
    assert (section.shear_y, section.shear_z) == (1.0, 1.0)
    assert (a.nonstructural_inertia, b.nonstructural_inertia) == (0.01, 0.02)
    assert a.mass_center == b.mass_center == (0.1, 0.2) and a.neutral_axis == (0.3, 0.4)


def test_nodal_body_axes(tmp_path):
    """CONM2: CID -1 gives the center itself in basic axes; a local CID turns offset and inertia; products enter negatively."""
    text = (
        "GRID,1,,1.,2.,3.\nCORD2R,6,,0.,0.,0.,0.,0.,1.\n,0.,1.,0.\n"
        "CONM2,1,1,-1,2.,1.5,2.,3.\n,1.,.1,2.,.2,.3,3.\nCONM2,2,1,6,2.,.5,0.,0.\n,1.,.1,2.,.2,.3,3.\n"
    )
    bodies = block(read(tmp_path, text), NodalBodies)
    own = np.array([[1, -0.1, -0.2], [-0.1, 2, -0.3], [-0.2, -0.3, 3]])
    assert bodies.offset[0] == pytest.approx([0.5, 0.0, 0.0]) and bodies.inertia[0] == pytest.approx(own)
    turn = np.array([[0, 1, 0], [-1, 0, 0], [0, 0, 1.0]])
    assert bodies.offset[1] == pytest.approx([0.0, 0.5, 0.0]) and bodies.inertia[1] == pytest.approx(
        turn.T @ own @ turn
    )


def test_bush_location_and_axes(tmp_path):
    """S = 0.5 by default, OCID gives a point; CID gives the axes, else x runs from A to B."""
    text = (
        "GRID,1,,0.,0.,0.\nGRID,2,,2.,0.,0.\nGRID,3,,0.,0.,0.\nPBUSH,1,K,1.,2.,3.,4.,5.,6.\n,,B,.1,.2\nCORD2R,6,,0.,0.,0.,0.,0.,1.\n,0.,1.,0.\n"
        "CBUSH,1,1,1,2,0.,0.,1.\nCBUSH,2,1,1,2,,,,6\n,.25\nCBUSH,3,1,1,3,,,,0\n,,0,0.,1.,0.\nCBUSH,4,1,1,,,,,0\n"
    )
    bush = block(read(tmp_path, text), BushBlock)
    assert bush.location == pytest.approx(np.array([[1, 0, 0], [0.5, 0, 0], [0, 1, 0], [0, 0, 0.0]]))
    assert bush.axes[0] == pytest.approx(np.array([[1, 0, 0], [0, 0, 1], [0, -1, 0.0]]))
    assert bush.axes[1] == pytest.approx(np.array([[0, 1, 0], [-1, 0, 0], [0, 0, 1.0]]))
    assert bush.nodes[3].tolist() == [0, -1] and bush.damping[0, 1] == 0.2


def test_rods_tubes_and_lone_rods(tmp_path):
    text = (
        "GRID,1,,0.,0.,0.\nGRID,2,,1.,0.,0.\nMAT1,1,7.+10,,.3,2700.\nPROD,1,1,2.,3.,,4.\nPTUBE,2,1,.2,.01\n"
        "CROD,1,1,1,2\nCTUBE,2,2,1,2\nCONROD,3,1,2,1,5.,6.,,7.\n"
    )
    model = read(tmp_path, text)
    rods = block(model, RodBlock)
    areas = [model.sections[k].area for k in rods.section]
    assert areas == pytest.approx([2.0, np.pi * (0.01 - 0.18**2 / 4), 5.0])
    assert [model.sections[k].nonstructural_mass for k in rods.section] == [4.0, 0.0, 7.0]


def test_material_axes_of_shells(tmp_path):
    """THETA turns from side 1-2 about the normal; an integer names a coordinate system whose x axis is projected."""
    text = (
        "GRID,1,,0.,0.,0.\nGRID,2,,1.,0.,0.\nGRID,3,,1.,1.,0.\nGRID,4,,0.,1.,0.\nCORD2R,6,,0.,0.,0.,0.,0.,1.\n,0.,1.,0.\n"
        "PSHELL,1,1,.01,1,,1,,.5\nMAT1,1,7.+10,,.3,2700.\nCQUAD4,1,1,1,2,3,4,30.,.002\nCQUAD4,2,1,1,2,3,4,6\nCTRIA3,3,1,1,2,3,-90.\n"
    )
    model = read(tmp_path, text)
    quads = next(b for b in model.elements if isinstance(b, ShellBlock) and b.nodes.shape[1] == 4)
    tri = next(b for b in model.elements if isinstance(b, ShellBlock) and b.nodes.shape[1] == 3)
    assert quads.material_axis[0] == pytest.approx([np.cos(np.pi / 6), 0.5, 0.0])
    assert quads.material_axis[1] == pytest.approx([0.0, 1.0, 0.0]) and quads.offset[0] == 0.002
    assert tri.material_axis[0] == pytest.approx([0.0, -1.0, 0.0], abs=1e-15)
    assert model.sections[0].areal_mass == pytest.approx(27.5)
    assert model.ledger.balance["mass read"] == pytest.approx(27.5 * 2.5)
    assert model.ledger.balance["center x read"] == pytest.approx((2 * 0.5 + 0.5 * 2 / 3) / 2.5)


def test_interpolation_with_um_and_equation(tmp_path):
    grids = "".join(f"GRID,{k},,{k}.,0.,0.\n" for k in range(1, 5)) + "SPOINT,9\n"
    ties = "RBE3,5,,1,123456,1.,123,2,3\n,.5,1,4\n,UM,2,123,3,123\nMPC,7,1,1,1.,2,5,-2.\n,,9,0,.5\n"
    model = read(tmp_path, grids + ties, "mm-t-s", "MPC = 7")
    rbe3 = next(t for t in model.constraints if isinstance(t, Interpolation))
    assert rbe3.weights.tolist() == [1.0] * 6 + [0.5] and rbe3.terms[-1].tolist() == [3, 0]
    assert rbe3.dependent.tolist() == [[1, 0], [1, 1], [1, 2], [2, 0], [2, 1], [2, 2]]
    mpc = next(t for t in model.constraints if isinstance(t, Equation))
    assert mpc.coefficients == pytest.approx([1.0, -2.0e-3, 0.5]) and mpc.terms[2].tolist() == [4, 0]


def test_direct_matrix_selection(tmp_path):
    """DMIG counts only when K2GG or M2GG names it; the symmetric form gives both triangles."""
    text = (
        "GRID,1,,0.,0.,0.\nGRID,2,,1.,0.,0.\nDMIG,KX,0,6,1,0\nDMIG,KX,1,1,,1,1,5.\n,2,1,-5.\nDMIG,KX,2,1,,2,1,5.\n"
        "DMIG,JUNK,0,6,1,0\nDMIG,JUNK,1,1,,1,1,9.\n"
    )
    model = read(tmp_path, text, control="K2GG = KX")
    direct = block(model, DirectMatrix)
    assert direct.kind == "stiffness" and sorted(direct.value.tolist()) == [-5.0, -5.0, 5.0, 5.0]
    assert not [b for b in read(tmp_path, text).elements]


def test_nonstructural_mass_sets(tmp_path):
    """NSM1 per area, NSML1 a total spread by length: the mass read grows by exactly that."""
    base = (
        "GRID,1,,0.,0.,0.\nGRID,2,,1.,0.,0.\nGRID,3,,1.,1.,0.\nGRID,4,,0.,1.,0.\nPSHELL,1,1,.01,1,,1\nCQUAD4,1,1,1,2,3,4\n"
        "CBAR,2,2,1,2,0.,0.,1.\nCBAR,3,2,2,3,0.,0.,1.\nPBAR,2,1,1.-4,1.-8,1.-8,2.-8\nMAT1,1,7.+10,,.3,2700.\n"
        "NSM1,5,PSHELL,3.,1\nNSML1,6,PBAR,8.,2\nNSMADD,7,5,6\n"
    )
    plain, loaded = read(tmp_path, base), read(tmp_path, base, control="NSM = 7")
    assert loaded.ledger.balance["mass read"] - plain.ledger.balance["mass read"] == pytest.approx(11.0)
    assert {entry.fate for entry in plain.ledger.entries if entry.card.startswith("NSM")} == {"skipped"}


@pytest.mark.parametrize("units", ["mm-t-s", "in-lbf-s", "mm-kg-ms"])
def test_units_scale_every_matrix_entry(tmp_path, units):
    """A deck's K and M in SI are its consistent numbers times force/length and mass (length per rotation)."""
    text = (
        "GRID,1,,0.,0.,0.\nGRID,2,,1.5,.3,0.\nGRID,3,,3.,0.,1.\nGRID,4,,1.,2.,0.\nCBAR,1,1,1,2,0.,0.,1.\n,,,0.,.1,0.,0.,.1,0.\n"
        + SECTION
        + "CONM2,5,3,,2.,.1,.2,.3\n,1.,.1,2.,.2,.3,3.\nCELAS2,6,50.,1,1,3,2\nCELAS2,7,40.,2,5\nCMASS2,8,.5,2,6\nCDAMP2,9,3.,1,4\n"
        "PBUSH,3,K,1.,2.,3.,4.,5.,6.\nCBUSH,10,3,2,3,0.,0.,1.\nPSHELL,4,1,.02,1,,1,,.3\nCTRIA3,11,4,1,2,4\nPARAM,WTMASS,2.5\nPARAM,COUPMASS,1\n"
    )
    plain, scaled = (assemble(read(tmp_path, text, name)) for name in ("consistent", units))
    system = SYSTEMS[units]
    rotation = np.where(plain.dofs.component > 2, system.length, 1.0)
    for word, unit in (
        ("stiffness", system.linear_stiffness),
        ("mass", system.mass),
        ("damping", system.linear_damping),
    ):
        a, b = getattr(plain, word).toarray(), getattr(scaled, word).toarray()
        wanted = a * unit * np.outer(rotation, rotation)
        assert np.abs(b - wanted).max() <= 1e-12 * np.abs(wanted).max()
    assert scaled.nodes.positions == pytest.approx(plain.nodes.positions * system.length, rel=1e-15)


def test_wtmass_scales_all_mass_but_not_direct_matrices(tmp_path):
    text = "GRID,1,,0.,0.,0.\nGRID,2,,1.,0.,0.\nCBAR,1,1,1,2,0.,0.,1.\n" + SECTION + "CONM2,5,2,,2.\nCMASS2,6,.5,2,1\n"
    direct = "DMIG,MX,0,6,1,0\nDMIG,MX,1,3,,1,3,5.\n"
    m1 = assemble(read(tmp_path, text + direct, control="M2GG = MX")).mass.toarray()
    m2 = assemble(read(tmp_path, text + direct + "PARAM,WTMASS,3.\n", control="M2GG = MX")).mass.toarray()
    m0 = assemble(read(tmp_path, text)).mass.toarray()
    assert m2 - m1 == pytest.approx(2.0 * m0, abs=1e-12)


@pytest.mark.parametrize(
    ("key", "letter", "control", "cards", "factor"),
    [
        ("M2GG", "M", "M2GG = 0.5*MX", "", 0.5),
        ("M2GG", "M", "M2GG = .5*MX, .25*MX", "", 0.75),
        ("M2GG", "M", "M2GG = 2.0*MX", "PARAM,CM2,.5\n", 1.0),
        ("K2GG", "K", "K2GG = KX", "PARAM,CK2,.5\n", 0.5),
        ("B2GG", "B", "B2GG = 3.*BX\nPARAM,CB2,.5", "", 1.5),
    ],
)
def test_factors_of_selected_matrices_are_applied(tmp_path, key, letter, control, cards, factor):
    """The factor of case control times that of PARAM CK2, CM2 or CB2."""
    name = f"{letter}X"
    text = "GRID,1\nGRID,2,,1.\nCROD,1,1,1,2\nPROD,1,1,1.\nMAT1,1,7.+10,,.3,2700.\n"
    text += f"DMIG,{name},0,6,1,0\nDMIG,{name},2,2,,2,2,40.\n"
    model = read(tmp_path, text + cards, control=control)
    block = [b for b in model.elements if b.family == "direct matrix"]
    assert sum(float(b.value.sum()) for b in block) == pytest.approx(40.0 * factor)
    assert any("multiplied" in note for note in model.ledger.notes) == (control.count("MX") > 1 or factor != 1.0)


def test_a_symmetric_term_stated_twice_is_refused(tmp_path):
    text = "GRID,1\nGRID,2,,1.\nCROD,1,1,1,2\nPROD,1,1,1.\nMAT1,1,7.+10,,.3,2700.\nDMIG,KX,0,6,1,0\n"
    once = "DMIG,KX,2,1,,2,1,9.\n,2,2,3.\nDMIG,KX,2,2,,2,2,9.\n"
    assert read(tmp_path, text + once, control="K2GG = KX").elements[-1].value.sum() == 24.0
    with pytest.raises(ReadError, match="above and below the diagonal"):
        read(tmp_path, text + once + ",2,1,3.\n", control="K2GG = KX")


@pytest.mark.parametrize("name", ["CK1", "CM1", "CB1"])
def test_factors_of_all_elements_are_refused_by_name(tmp_path, name):
    text = "GRID,1\nGRID,2,,1.\nCROD,1,1,1,2\nPROD,1,1,1.\nMAT1,1,7.+10,,.3,2700.\n"
    assert len(read(tmp_path, text + f"PARAM,{name},1.\n").elements) == 1
    with pytest.raises(ReadError, match=f"PARAM {name} multiplies"):
        read(tmp_path, text + f"PARAM,{name},2.\n")


def test_supports_sets_and_requests(tmp_path):
    """PS and GRDSET, SPCADD with SPC and SPC1 THRU, first subcase over global, SUPORT, ASET1, QSET1, OMIT1, EIGR."""
    text = (
        "GRDSET,,,,,,,6\n"
        + "".join(f"GRID,{k},,{k}.,0.,0.,,{'1' if k == 3 else ''}\n" for k in range(1, 7))
        + "SPOINT,101,THRU,103\nSPCADD,9,1,2\nSPC,1,1,123,0.,2,4\nSPC1,2,5,4,THRU,6\nSPC1,3,3,5\nSUPORT,5,12\n"
        "ASET1,123,1,THRU,3\nQSET1,0,101,THRU,103\nEIGR,4,LAN,1.,50.,,7\nPARAM,GRDPNT,4\n"
    )
    model = read(tmp_path, text, control="SPC = 3\nSUBCASE 10\n  SPC = 9\n  METHOD = 4\nSUBCASE 20\n  SPC = 3")
    held = {
        int(model.nodes.ids[n]): "".join(str(c + 1) for c in np.flatnonzero(f))
        for n, f in zip(model.supports.nodes, model.supports.fixed)
    }
    assert held == {1: "1236", 2: "46", 3: "1", 4: "56", 5: "56", 6: "56"}
    assert model.analysis.reference.tolist() == [[4, 0], [4, 1]]
    assert len(model.analysis.interface) == 9 and model.analysis.modal_points == 3
    assert (model.analysis.count, model.analysis.fmin_hz, model.analysis.fmax_hz) == (7, 1.0, 50.0)
    assert model.nodes.ids[model.analysis.reference_node] == 4
    omitted = read(
        tmp_path, text.replace("ASET1,123,1,THRU,3\n", "OMIT1,123456,2,THRU,6\n").replace("QSET1,0,101,THRU,103\n", "")
    )
    assert {int(omitted.nodes.ids[n]) for n, _ in omitted.analysis.interface} == {1, 101, 102, 103}


@pytest.mark.parametrize("sets", ["SPCADD,8,9\nSPCADD,9,8\n", "SPCADD,8,1,9\nSPCADD,9,1\n"])
def test_a_union_of_supports_that_names_a_union_is_refused(tmp_path, sets):
    text = "GRID,1,,0.,0.,0.\nSPC1,1,123456,1\n" + sets
    with pytest.raises(ReadError, match=r"SPCADD.*names another union; found 9"):
        read(tmp_path, text, control="SPC = 8")
