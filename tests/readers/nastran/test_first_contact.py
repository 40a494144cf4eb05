"""Dialects and habits that real decks show: each small deck says what it must give, by hand."""

import numpy as np
import pytest

from tisserand.errors import DroppedCardsError, ReadError
from tisserand.readers.nastran import read_deck
from tisserand.readers.registry import format_of

ROD = """GRID,1,,0.,0.,0.
GRID,2,,1.,0.,0.
CROD,1,1,1,2
PROD,1,1,1.-4
MAT1,1,7.+10,,.3,2700.
"""


def main(tmp_path, text, name="deck.bdf", **options):
    path = tmp_path / name
    path.write_text(text)
    return read_deck(path, "SI", **options).main


@pytest.mark.parametrize(
    ("name", "text", "expected"),
    [
        ("a.inp", "ID    D01031A,NASTRAN\nAPP DISP\nSOL 3,1\nCEND\nBEGIN BULK\n" + ROD + "ENDDATA\n", "nastran"),
        ("b.inp", "$ NASTRAN FILES=PLT2\n" + ROD, "nastran"),
        ("c.dat", "** a remark\n*HEADING\n*NODE\n1,0.,0.,0.\n", "abaqus"),
        ("d.bdf", "  *Node\n1,0.,0.,0.\n", "abaqus"),
    ],
)
def test_content_decides_the_format(tmp_path, name, text, expected):
    (tmp_path / name).write_text(text)
    assert format_of(tmp_path / name).name == expected


def test_a_deck_without_enddata_is_read_and_says_so(tmp_path):
    model = main(tmp_path, f"SOL 103\nCEND\nBEGIN BULK\n{ROD}")
    assert len(model.nodes) == 2 and any("ENDDATA" in note for note in model.ledger.assumptions)


def test_sets_that_case_control_does_not_select_hold_nothing_and_are_named(tmp_path):
    text = f"SOL 103\nCEND\nBEGIN BULK\n{ROD}SPC1,7,123,1\nENDDATA\n"
    model = main(tmp_path, text)
    assert not len(model.supports.nodes) and "--spc" in " ".join(model.ledger.assumptions)
    chosen = main(tmp_path, text, spc=7)
    assert len(chosen.supports.nodes) == 1 and not chosen.ledger.assumptions


def test_every_unsupported_card_is_listed_with_its_line_and_effect(tmp_path):
    text = f"{ROD}CRAC2D,9,9,1,2\nCBUSH2D,3,3,1,2\nCSEAM,4,4\nFROBNIC,1\n"
    with pytest.raises(DroppedCardsError) as caught:
        main(tmp_path, text)
    words = str(caught.value)
    for part in ("CRAC2D", "line 6", "CBUSH2D", "CSEAM", "FROBNIC", "unknown card", "too low", "come apart"):
        assert part in words
    assert len(main(tmp_path, text, allow=("all",)).elements) == 1


def test_old_cards_become_those_of_today(tmp_path):
    """Two rods on a card, an exponent set apart, a plate of PQUAD2: areas and moduli by hand."""
    grids = "GRID,1,,0.,0.,0.\nGRID,2,,1.,0.,0.\nGRID,3,,1.,1.,0.\nGRID,4,,0.,1.,0.\n"
    rods = "CROD    1       1       1       2       2       1       2       3\nPROD    1       1       2.-4\n"
    plate = "CQUAD2  5       8       1       2       3       4       0.\nPQUAD2  8       1       .01     .5\n"
    text = f"{grids}{rods}{plate}MAT1    1       7.0  +10        .3      2700.\n"
    model = main(tmp_path, text)
    rod, shell = (next(block for block in model.elements if block.family == name) for name in ("rod", "shell"))
    assert rod.ids.tolist() == [1, 2] and rod.nodes.tolist() == [[0, 1], [1, 2]]
    assert shell.nodes.tolist() == [[0, 1, 2, 3]]
    section = model.sections[int(shell.section[0])]
    assert model.materials[0].young == 7e10
    assert np.isclose(section.bending[0, 0], 7e10 / (1 - 0.09) * 0.01**3 / 12, rtol=1e-12)
    assert {e.card: e.fate for e in model.ledger.entries}["CQUAD2"] == "approximated"


def test_free_field_of_nastran95(tmp_path):
    """Blanks separate, ``8)`` states a field, slashes repeat an increment."""
    bulk = "GRDSET,8)246\nGRID,1,,0. 0. 0.\n=(3),*(1),,*(10.),==\nCBAR,1,2,1,2, 0.0,1.0,0.0,1\n=(2),*(1),=,*(1),/,==\n"
    bulk += "PBAR,2,7,1.,1.,1.,1.\nMAT1,7,1.+7,,0.3,0.1\n"
    model = main(tmp_path, f"ID T,NASTRAN\nAPP DISP\nSOL 3,1\nCEND\nBEGIN BULK\n{bulk}ENDDATA\n")
    assert model.nodes.positions[:, 0].tolist() == [0.0, 10.0, 20.0, 30.0]
    assert model.elements[0].nodes.tolist() == [[0, 1], [1, 2], [2, 3]]
    assert model.supports.fixed[0].tolist() == [False, True, False, True, False, True]


def test_replication_in_named_cards_and_of_blank_fields(tmp_path):
    more = "MAT1,2,==\nMAT1,3,=,,.25\nGRID,3,,2.,0.,0.,\n=,*(1),=,*(1.),=,=,=,*(6)\n"
    model = main(tmp_path, ROD + more)
    assert [m.young for m in model.materials] == [7e10] * 3
    assert [round(m.poisson, 12) for m in model.materials] == [0.3, 0.3, 0.25]
    assert model.supports.nodes.tolist() == [3] and model.supports.fixed[0].tolist() == [False] * 5 + [True]


def test_scalar_points_may_be_implied(tmp_path):
    model = main(tmp_path, "CELAS4,1,100.,,2\nCELAS4,2,100.,2,5\nCMASS4,3,1.,2\nCMASS4,4,1.,5\n")
    assert model.nodes.ids.tolist() == [2, 5] and model.nodes.scalar.all()


def test_text_cards_are_not_free_field(tmp_path):
    text = "DEQATN  5       F(RTIP,RROOT) = RTIP - RROOT\nADAPT   150                     120\n        PART=PELEM,ELSET=101\n"
    assert len(main(tmp_path, ROD + text).elements) == 1


def test_old_plates_have_property_ids_of_their_own(tmp_path):
    """PQUAD2 1 and PTRIA2 1 are two properties: 10 and 20 mm."""
    grids = "GRID,1,,0.,0.,0.\nGRID,2,,1.,0.,0.\nGRID,3,,1.,1.,0.\nGRID,4,,0.,1.,0.\nGRID,5,,2.,0.,0.\n"
    plates = "CQUAD2,1,1,1,2,3,4\nCTRIA2,2,1,2,5,3\nPQUAD2,1,1,.01\nPTRIA2,1,1,.02\nMAT1,1,7.+10,,.3,2700.\n"
    model = main(tmp_path, grids + plates)
    thick = {int(i): model.sections[s].thickness for block in model.elements for i, s in zip(block.ids, block.section)}
    assert thick == {1: 0.01, 2: 0.02}


@pytest.mark.parametrize(
    ("first", "second"),
    [
        ("PELAS,50,1.+6", "PELAS,50,2.+6"),
        ("PELAS,50,1.+6,,,51,1.+6", "PELAS,51,2.+6"),
        ("PBUSH,50,K,1.+6,1.+6,1.+6", "PBUSH,50,K,2.+6"),
        ("PBUSH1D,50,1.+6", "PBUSH1D,50,2.+6"),
        ("PMASS,50,1.,51,2.", "PMASS,52,1.,51,3."),
        ("PVISC,50,1.", "PVISC,50,2."),
        ("PDAMP,50,1.", "PDAMP,50,2."),
        ("PGAP,50,,,1.+6", "PGAP,50,,,2.+6"),
        ("GRDSET,,,,,,,12", "GRDSET,,,,,,,13"),
    ],
)
def test_what_is_stated_twice_with_different_values_is_refused(tmp_path, first, second):
    main(tmp_path, f"{ROD}{first}\n{first}\n")
    with pytest.raises(ReadError, match=rf"line 7: {first.split(',')[0]}.*twice with different data"):
        main(tmp_path, f"{ROD}{first}\n{second}\n")


@pytest.mark.parametrize(
    ("cards", "glued"),
    [
        ("BCTABLE,1,,,1\n,SLAVE,2,0.,0.,0.,0.,1\n,,,,,,,\n,MASTERS,1", True),
        ("BCTABLE,1,,,1\n,SLAVE,2,0.,0.,0.,0.,0\n,,,,,,,\n,MASTERS,1", False),
        ("BCONPRG,7,,IGLUE,1", True),
        ("BCONPRG,7,,IGLUE,0", False),
    ],
)
def test_glued_contact_is_refused_by_name(tmp_path, cards, glued):
    """Contact that ties parts for good is no contact that may be left open."""
    deck = f"SOL 103\nCEND\nBCONTACT=1\nBEGIN BULK\n{ROD}{cards}\nENDDATA\n"
    if glued:
        with pytest.raises(
            DroppedCardsError, match=rf"1 {cards.split(',')[0]} .ties or holds grid points .IGLUE., line 10"
        ):
            main(tmp_path, deck)
    else:
        main(tmp_path, deck)
    main(tmp_path, deck.replace("BCONTACT=1\n", ""))


@pytest.mark.parametrize("head", ["", "BEGIN BULK\n", "$ a remark\n\nBEGIN BULK\n", "begin bulk $ of a part\n"])
def test_bulk_data_alone_has_no_case_control(tmp_path, head):
    """The only SPC set holds, whether a line says that bulk data begins or not."""
    model = main(tmp_path, f"{head}{ROD}SPC1,7,123,1\nENDDATA\n")
    assert len(model.supports.nodes) == 1 and "no case control" in " ".join(model.ledger.assumptions)
    stated = main(tmp_path, f"TITLE=X\nBEGIN BULK\n{ROD}SPC1,7,123,1\nENDDATA\n")
    assert not len(stated.supports.nodes)
