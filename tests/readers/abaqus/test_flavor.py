"""Abaqus or CalculiX: marks decide, the user may, and where neither does the assumption is stated."""

import subprocess

import pytest
from oracles.calculix import CCX

import tisserand as ts
from tisserand.errors import TisserandError
from tisserand.model.ledger import ASSUMED
from tisserand.readers.abaqus import read_abaqus
from tisserand.readers.abaqus.element_types import KINDS
from tisserand.readers.abaqus.flavor import ABAQUS_TYPES

BEAM = (
    "*NODE\n1,0,0,0\n2,.5,0,0\n3,1,0,0\n*ELEMENT, TYPE={kind}, ELSET=E\n{cells}*MATERIAL, NAME=M\n*ELASTIC\n7e10, .3\n"
    "*DENSITY\n2700.\n*BEAM SECTION, ELSET=E, MATERIAL=M, SECTION={shape}{more}\n{sizes}\n0,1,0\n{extra}"
    "*BOUNDARY\n1,{held}\n*STEP\n*FREQUENCY{asked}\n2\n*END STEP\n"
)


def deck(kind="B32", shape="RECT", sizes=".01, .01", more="", extra="", held="1,6", asked=""):
    cells = "1,1,2,3\n" if kind == "B32" else "1,1,2\n2,2,3\n"
    return BEAM.format(kind=kind, cells=cells, shape=shape, sizes=sizes, more=more, extra=extra, held=held, asked=asked)


def read(tmp_path, text, **options):
    (tmp_path / "deck.inp").write_text(text)
    return read_abaqus(tmp_path / "deck.inp", "SI", **options)


def program_of(model) -> str:
    """The program in the notes: abaqus, calculix, or assumed where nothing decides."""
    for note in model.ledger.notes:
        if "read as a deck of" in note:
            return "abaqus" if "of Abaqus" in note else "calculix"
        if note.startswith(ASSUMED) and "--flavor abaqus" in note:
            return "assumed"
    return "silent"


@pytest.mark.parametrize(
    ("expected", "parts"),
    [
        ("abaqus", {"held": "ENCASTRE"}),
        ("abaqus", {"asked": ", EIGENSOLVER=LANCZOS"}),
        ("abaqus", {"extra": "*TRANSVERSE SHEAR STIFFNESS\n1e6, 1e6\n"}),
        ("abaqus", {"extra": "*PREPRINT, ECHO=NO\n"}),
        ("abaqus", {"more": ", POISSON=.3"}),
        ("abaqus", {"kind": "B31", "shape": "CIRC", "sizes": ".01"}),
        ("abaqus", {"kind": "B33"}),
        ("calculix", {"asked": ", STORAGE=YES"}),
        ("calculix", {"more": ", OFFSET1=.5"}),
        ("calculix", {"more": ", OFFSET1=.5", "extra": "*PREPRINT\n"}),  # at which Abaqus stops
        ("assumed", {"shape": "CIRC", "sizes": ".01"}),
        ("assumed", {"kind": "B31"}),
        ("silent", {}),  # both programs mean the same
    ],
)
def test_marks_decide(tmp_path, expected, parts):
    assert program_of(read(tmp_path, deck(**parts))) == expected


def test_the_number_of_a_circle_is_a_radius_or_a_diameter(tmp_path):
    text = deck(shape="CIRC", sizes=".02")
    areas = {flavor: read(tmp_path, text, flavor=flavor).sections[0].end_a.area for flavor in ("abaqus", "calculix")}
    assert areas["abaqus"] == pytest.approx(3.14159265 * 4e-4) and areas["calculix"] == pytest.approx(3.14159265e-4)
    with pytest.raises(TisserandError, match="abaqus or calculix"):
        read(tmp_path, text, flavor="ansys")


def test_the_option_reaches_the_reader_and_the_assumption_the_verdict(tmp_path):
    path = tmp_path / "deck.inp"
    path.write_text(deck(shape="CIRC", sizes=".02"))
    assumed = ts.modes(path, units="SI", count=2)
    chosen = ts.modes(path, units="SI", count=2, flavor="abaqus")
    assert chosen.appendage.mass == pytest.approx(4.0 * assumed.appendage.mass)
    words = {name: str(result.verdict.as_dict()) for name, result in (("assumed", assumed), ("chosen", chosen))}
    assert "Abaqus or CalculiX" in words["assumed"] and "Abaqus or CalculiX" not in words["chosen"]
    assert [row.verdict for row in assumed.verdict.rows if "Abaqus or CalculiX" in str(row)] == ["warn"]
    assert ts.open(path, units="SI", flavor="calculix").structure.sections[0].end_a.area == pytest.approx(3.14159265e-4)
    with pytest.raises(TisserandError, match="expected nastran or mystran"):
        (tmp_path / "other.bdf").write_text("BEGIN BULK\nGRID,1\nENDDATA\n")
        ts.open(tmp_path / "other.bdf", units="SI", flavor="abaqus")


def test_abaqus_lumps_first_order_lines_too(tmp_path):
    """B31 and T3D2 are of first order, B33 and B32 are not; LUMPED=NO of a section asks for the consistent mass."""
    recipes = {kind: read(tmp_path, deck(kind, extra="*PREPRINT\n")).mass_recipe for kind in ("B31", "B33", "B32")}
    assert recipes == {"B31": "lumped", "B33": "consistent", "B32": "consistent"}
    assert read(tmp_path, deck("B31", more=", LUMPED=NO")).mass_recipe == "consistent"
    assert read(tmp_path, deck("B31")).mass_recipe == "consistent"  # CalculiX


def test_a_deck_that_abaqus_lumps_in_part_is_told(tmp_path):
    """One recipe holds for the whole deck: a warning names the elements that it is wrong for."""
    shell = (
        "*NODE\n11,0,1,0\n12,1,1,0\n*ELEMENT, TYPE=S4, ELSET=S\n9,1,3,12,11\n*SHELL SECTION, ELSET=S, MATERIAL=M\n.01\n"
    )
    for kind, more, words in (
        ("B33", "", "that of B33 is consistent"),
        ("B31", ", LUMPED=NO", "LUMPED=NO of *BEAM SECTION"),
    ):
        model = read(tmp_path, deck(kind, more=more, extra=shell))
        assert model.mass_recipe == "lumped"
        assert any(note.startswith(ASSUMED) and words in note for note in model.ledger.notes)
    plain = read(tmp_path, deck("B31", extra=shell + "*PREPRINT\n"))
    assert not any(note.startswith(ASSUMED) for note in plain.ledger.notes)


@pytest.mark.slow
@pytest.mark.skipif(CCX is None, reason="CalculiX (ccx) is not installed")
@pytest.mark.parametrize("name", KINDS)
def test_calculix_stops_at_the_types_that_count_as_marks_of_abaqus(tmp_path, name):
    count = KINDS[name].nodes
    nodes = "".join(f"{i},{0.1 * i},{i * i % 7},{i**3 % 11}\n" for i in range(1, 28))
    cells = ",".join(map(str, range(1, min(count, 15) + 1)))
    more = ",\n" + ",".join(map(str, range(16, count + 1))) if count > 15 else ""
    (tmp_path / "deck.inp").write_text(
        f"*NODE\n{nodes}*ELEMENT, TYPE={name}\n1,{cells}{more}\n*STEP\n*STATIC\n*END STEP\n"
    )
    run = subprocess.run([str(CCX), "deck"], cwd=tmp_path, capture_output=True, timeout=60, check=False)
    assert (b"is an unknown element type" in run.stdout) == (name in ABAQUS_TYPES)


@pytest.mark.skipif(CCX is None, reason="CalculiX (ccx) is not installed")
@pytest.mark.parametrize("parts", [{"held": "ENCASTRE"}, {"kind": "B31", "shape": "CIRC", "sizes": ".01, .01"}])
def test_calculix_stops_at_other_marks_of_abaqus(tmp_path, parts):
    for text, stops in ((deck(**parts), True), (deck(), False)):
        (tmp_path / "deck.inp").write_text(text)
        run = subprocess.run([str(CCX), "deck"], cwd=tmp_path, capture_output=True, timeout=60, check=False)
        assert (b"*ERROR" in run.stdout) == stops
