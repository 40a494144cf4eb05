"""CBUSH1D, CVISC, CDAMP, PELAST and CSHEAR: what is read reaches stiffness, damping matrix and record; closed forms by hand."""

from __future__ import annotations

import numpy as np
import pytest

from tisserand.appendage import reduce
from tisserand.assembly import assemble
from tisserand.errors import ReadError
from tisserand.modes import solve_modes
from tisserand.readers.registry import read_model

HEAD = """SOL 103
CEND
SPC = 1
METHOD = 1
BEGIN BULK
EIGRL,1,,,2
SPC1,1,123456,1
GRID,1,,0.,0.,0.
GRID,2,,3.,4.,0.
MAT1,1,7.E10,,.3,2700.
CONM2,90,2,,2.
"""


def read(tmp_path, bulk, units="SI"):
    file = tmp_path / "deck.bdf"
    file.write_text(HEAD + bulk + "ENDDATA\n")
    return read_model(file, units=units)


def between(assembled, matrix):
    """(3, 3) block of node 2's translations."""
    rows = (assembled.dofs.node == 1) & (assembled.dofs.component < 3)
    return matrix[rows][:, rows].toarray()


AXIS = np.array([0.6, 0.8, 0.0])


def test_cbush1d_acts_along_its_line(tmp_path):
    """K and C times the dyad of the line; tolerance 1e-12."""
    model = read(
        tmp_path, "CBUSH1D,1,7,1,2\nPBUSH1D,7,5000.,30.\nCELAS2,2,100.,2,1\nCELAS2,3,100.,2,2\nCELAS2,4,100.,2,3\n"
    )
    assembled = assemble(model)
    assert between(assembled, assembled.stiffness) == pytest.approx(5000.0 * np.outer(AXIS, AXIS) + 100.0 * np.eye(3))
    assert between(assembled, assembled.damping) == pytest.approx(30.0 * np.outer(AXIS, AXIS))


def test_cbush1d_to_ground_needs_an_axis(tmp_path):
    with pytest.raises(ReadError, match="CID must give the axis"):
        read(tmp_path, "CBUSH1D,1,7,2\nPBUSH1D,7,5000.\n")
    model = read(tmp_path, "CBUSH1D,1,7,2,,0\nPBUSH1D,7,5000.\n")
    assembled = assemble(model)
    assert between(assembled, assembled.stiffness) == pytest.approx(np.diag([5000.0, 0, 0]))


def test_dampers_reach_the_record(tmp_path):
    """A mass on three springs with a CVISC and a CDAMP2: modal damping phi' C phi in the record; tolerance 1e-9."""
    springs = "CELAS2,2,100.,2,1\nCELAS2,3,200.,2,2\nCELAS2,4,300.,2,3\n"
    model = read(tmp_path, springs + "CVISC,5,8,1,2\nPVISC,8,12.,5.\nCDAMP2,6,3.,2,3\n")
    assert all(entry.fate == "used" for entry in model.ledger.entries if entry.card in ("CVISC", "PVISC", "CDAMP2"))
    assembled = assemble(model)
    C = 12.0 * np.outer(AXIS, AXIS) + np.diag([0, 0, 3.0])
    assert between(assembled, assembled.damping) == pytest.approx(C)
    record = reduce(solve_modes(assembled, count=3))
    phi = np.eye(3) / np.sqrt(2.0)  # modes along x, y, z in order of stiffness
    signs = np.sign(record.damping[0, 1] * AXIS[0] * AXIS[1])
    expected = phi.T @ C @ phi
    expected[0, 1] = expected[1, 0] = signs * abs(expected[0, 1])
    assert record.damping == pytest.approx(expected, rel=1e-9, abs=1e-9)


def test_a_damper_without_property_is_refused(tmp_path):
    with pytest.raises(ReadError, match=r"CVISC.*the property does not exist"):
        read(tmp_path, "CVISC,5,8,1,2\n")


@pytest.mark.parametrize("table", ("PELAST,4,11", "PBUSHT,5,K,11", "PDAMPT,6,11"))
def test_tables_leave_the_nominal_value(table, tmp_path):
    """As in Nastran's modes: the linear value holds, and the ledger says so."""
    model = read(tmp_path, f"CELAS1,2,4,2,1\nPELAS,4,100.\n{table}\nTABLED1,11\n,0.,1.,1.,2.,ENDT\n")
    entry = next(item for item in model.ledger.entries if item.card == table.split(",")[0])
    assert entry.fate == "skipped" and "nominal" in entry.reason
    assembled = assemble(model)
    assert between(assembled, assembled.stiffness)[0, 0] == pytest.approx(100.0)


def test_sections_by_mesh_are_named(tmp_path):
    """MDLPRM,TWBRBML,0 asks for meshed sections, which the equations of the library stand for: the ledger names it."""
    for value, fate in (("0", "approximated"), ("1", "skipped")):
        path = tmp_path / "bar.bdf"
        path.write_text(
            f"SOL 103\nCEND\nSPC=1\nBEGIN BULK\nMDLPRM,HDF5,1,TWBRBML,{value}\nMAT1,1,7.+10,,.3,2700.\nPBARL,1,1,,BOX\n"
            ",.06,.04,.002,.002\nGRID,1,,0.,0.,0.\nGRID,2,,1.,0.,0.\nCBAR,1,1,1,2,0.,1.,0.\nSPC1,1,123456,1\nENDDATA\n"
        )
        entries = {entry.card: entry.fate for entry in read_model(path, "SI").ledger.entries}
        assert entries["MDLPRM"] == fate


def test_cshear_in_any_units(tmp_path):
    """A panel of 2 x 1 in mm units: K of node 3 by the closed form of a rectangle, c = (2, 1) / 2 over 2 / (G t); 1e-9."""
    deck = "GRID,11,,0.,0.,0.\nGRID,12,,2000.,0.,0.\nGRID,13,,2000.,1000.,0.\nGRID,14,,0.,1000.,0.\n"
    deck += "CSHEAR,1,7,11,12,13,14\nPSHEAR,7,2,2.,1.E-9\nMAT1,2,7.E4,,.3,2.7E-9\n"
    model = read(tmp_path, deck, units="mm-t-s")
    section = model.sections[model.elements[0].section[0]]
    assert section.thickness == pytest.approx(2e-3) and section.densities[0] == pytest.approx(2700 * 2e-3 + 1e-9 * 1e9)
    assembled = assemble(model.changed(auto_constrain=False))
    rows = (model.nodes.ids[assembled.dofs.node] == 13) & (assembled.dofs.component < 3)
    Z = 2.0 / (7e10 / 2.6 * 2e-3)
    c = np.array([1.0, 0.5, 0.0])
    assert assembled.stiffness[rows][:, rows].toarray() == pytest.approx(np.outer(c, c) / Z, rel=1e-9, abs=1e-3)
