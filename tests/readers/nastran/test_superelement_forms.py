"""Forms of superelements: free and held boundaries in the component modes, parts moved by SELOC, parameters of case control."""

from __future__ import annotations

import numpy as np
import pytest

from tisserand.assembly import assemble
from tisserand.errors import ReadError
from tisserand.modes import mixed_boundary, solve_modes
from tisserand.readers.registry import read_model

BEAM = "".join(f"GRID,{k + 1},,{k * 0.25},0.,0.\n" for k in range(9))
BEAM += "".join(f"CBAR,{k + 1},1,{k + 1},{k + 2},0.,1.,0.\n" for k in range(8))
BEAM += "PBAR,1,1,1.-4,1.-8,2.-8,1.5-8\nMAT1,1,7.+10,,.3,2700.\n"


def read(tmp_path, text, **options):
    file = tmp_path / "deck.bdf"
    file.write_text(text)
    return read_model(file, units="SI", **options)


@pytest.mark.parametrize(
    ("cards", "free"),
    [
        ("BSET1,123456,1\nCSET1,123456,9\n", [9]),
        ("BNDFIX1,123456,1\nBNDFREE1,123456,9\n", [9]),
        ("BNDFIX,1,123456\nBNDFREE,9,123456\n", [9]),
        ("BSET1,123456,1,9\n", []),
    ],
)
def test_free_boundary_dofs_are_free_in_the_component_modes(tmp_path, cards, free):
    """The deck's own reduction with three modes equals the mixed (or Craig-Bampton) reduction stated by hand."""
    modal = "SPOINT,101,THRU,103\nQSET1,,101,THRU,103\n"
    model = read(tmp_path, f"SOL 103\nCEND\nBEGIN BULK\n{BEAM}{cards}{modal}ENDDATA\n")
    whole = assemble(model)
    rows = [(k, c) for k in (0, 8) for c in range(6)]
    fixed, loose = ([r for r in rows if (int(model.nodes.ids[r[0]]) in free) == f] for f in (False, True))
    part = mixed_boundary(whole, np.array(fixed), np.array(loose).reshape(-1, 2), count=3).as_model()
    ours = solve_modes(whole, count=6)
    assert ours.frequencies_hz == pytest.approx(solve_modes(part, count=6).frequencies_hz, rel=1e-9)
    assert any(("mixed" if free else "Craig-Bampton") in note for note in ours.notes)
    assert all(entry.fate == "used" for entry in model.ledger.entries)


PART = "GRID,{0}1,,{1}\nGRID,{0}2,,{2}\nGRID,{0}3,,{3}\nCTRIA3,{0}1,1,{0}1,{0}2,{0}3\nPSHELL,1,1,.01,1\nMAT1,1,7.+10,,.3,2700.\n"


def seloc(a, b):
    main = PART.format(1, "0.,0.,0.", "1.,0.,0.", "0.,1.,0.") + f"SELOC,2,{a},{b}\n"
    moved = PART.format(2, "5.,5.,5.", "5.,6.,5.", "5.,5.,6.")
    return f"SOL 103\nCEND\nBEGIN BULK\n{main}BEGIN SUPER=2\n{moved}ENDDATA\n"


def test_a_part_is_moved_by_three_points(tmp_path):
    """The triangle of part 2 lies far away and in another plane; on the points of the main structure all three become one."""
    model = read(tmp_path, seloc("21,22,23", "11,12,13"))
    assert len(model.nodes) == 3 and sum(len(block) for block in model.elements) == 2
    apart = read(tmp_path, seloc("21,22,23", "11,12,13").replace("SELOC", "$"))
    assert len(apart.nodes) == 6


def test_points_that_do_not_match_are_refused(tmp_path):
    with pytest.raises(ReadError, match="do not match"):
        read(tmp_path, seloc("21,22,23", "12,13,11"))
    with pytest.raises(ReadError, match="does not exist"):
        read(tmp_path, seloc("21,22,29", "11,12,13"))


def test_parameters_of_case_control_are_applied(tmp_path):
    """PARAM is a command of case control too and precedes the bulk data: WTMASS scales mass, COUPMASS selects it."""
    plain = read(tmp_path, f"SOL 103\nCEND\nBEGIN BULK\n{BEAM}ENDDATA\n")
    scaled = read(
        tmp_path, f"SOL 103\nCEND\nPARAM,WTMASS,.5\nPARAM COUPMASS 1\nBEGIN BULK\nPARAM,WTMASS,7.\n{BEAM}ENDDATA\n"
    )
    assert assemble(scaled).mass_properties().mass == pytest.approx(0.5 * assemble(plain).mass_properties().mass)
    assert (plain.mass_recipe, scaled.mass_recipe) == ("lumped", "coupled")
    assert any("PARAM WTMASS .5" in note for note in scaled.ledger.notes)
    with pytest.raises(ReadError, match="WTMASS"):
        read(tmp_path, f"SOL 103\nCEND\nPARAM,WTMASS,-1.\nBEGIN BULK\n{BEAM}ENDDATA\n")


def test_a_missing_method_and_other_boundaries_are_told(tmp_path):
    case = "SOL 103\nCEND\nMETHOD=7\nSUBCASE 1\nSPC=1\nSUBCASE 2\nSPC=2\n"
    text = f"{case}BEGIN BULK\n{BEAM}SPC1,1,123456,1\nSPC1,2,123456,9\nENDDATA\n"
    told = " ".join(read(tmp_path, text).ledger.assumptions)
    assert "no EIGRL or EIGR 7" in told and "subcases 2 select other SPC" in told
    chosen = read(tmp_path, text, subcase=2)
    assert chosen.nodes.ids[chosen.supports.nodes].tolist() == [9]
