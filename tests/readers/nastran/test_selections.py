"""What case control selects: sets that do not exist, statements that cannot be read, matrices by name or by SET."""

import re

import numpy as np
import pytest

from tisserand.errors import ReadError
from tisserand.readers.nastran import read_deck, read_nastran

BAR = """GRID,1,,0.,0.,0.
GRID,2,,1.,0.,0.
CBAR,1,1,1,2,0.,0.,1.
PBAR,1,1,1.-3,2.-7,3.-7,1.-7
MAT1,1,7.+10,,.3,2700.
"""
#: Selection of case control -> cards of its set 5.
SETS = {
    "SPC": "SPC1,5,123456,1\n",
    "MPC": "MPC,5,2,1,1.,1,1,-1.\n",
    "NSM": "NSM1,5,PBAR,2.5,1\n",
    "SUPORT1": "SUPORT1,5,1,123456\n",
    "TEMPERATURE": "TEMPD,5,20.\nMATT1,1,9\nTABLEM1,9\n,0.,7.+10,100.,6.+10,ENDT\n",
}
#: Two matrices, each of 4 kg on a translation of point 2.
DIRECT = "".join(f"DMIG,{name},0,6,1,0\nDMIG,{name},2,{c},,2,{c},4.\n" for name, c in (("MAA", 1), ("MBB", 2)))


def main(tmp_path, case, cards):
    path = tmp_path / "deck.bdf"
    path.write_text(f"SOL 103\nCEND\n{case}\nBEGIN BULK\n{BAR}{cards}ENDDATA\n")
    return read_deck(path, "SI").main


@pytest.mark.parametrize("key", SETS)
def test_a_selected_set_must_exist_where_there_are_others(tmp_path, key):
    main(tmp_path, f"{key} = 5", SETS[key])
    with pytest.raises(ReadError, match=f"the selected {key} set does not exist; found {key} 9, expected one of 5"):
        main(tmp_path, f"{key} = 9", SETS[key])
    if key != "TEMPERATURE":  # which nothing asks for without tables of materials
        assert any(f"selects {key} 9" in note for note in main(tmp_path, f"{key} = 9", "").ledger.assumptions)


#: Union -> what its members hold, tie or weigh in the model that is read.
UNIONS = {
    "SPC": lambda model: int(model.supports.fixed.sum()),
    "MPC": lambda model: len(model.constraints),
    "NSM": lambda model: model.ledger.balance["mass read"],
}


@pytest.mark.parametrize("key", UNIONS)
def test_unions_name_sets_that_exist_and_apply_alone(tmp_path, key):
    """Missing members are empty, with a warning (two decks of Simcenter's own library have such); not if all are missing.

    A union precedes a set of its own number (QRG, SPCADD; NASTRAN-95 does so).
    """
    cards, measure = SETS[key], UNIONS[key]
    alone = measure(main(tmp_path, f"{key}=5", cards))
    assert measure(main(tmp_path, f"{key}=7", f"{cards}{key}ADD,7,5\n")) == alone
    for members in ("5,6", "6,5"):
        found = main(tmp_path, f"{key}=7", f"{cards}{key}ADD,7,{members}\n")
        assert measure(found) == alone and any(f"names {key} 6" in note for note in found.ledger.assumptions)
    for members in ("6", "6,8"):
        with pytest.raises(ReadError, match=rf"line 11: {key}ADD: none of the {key} sets of the union exists; found 6"):
            main(tmp_path, f"{key}=7", f"{cards}{key}ADD,7,{members}\n")
    more = cards + cards.replace(",5,", ",7,").replace(",123456,1", ",12,2").replace("2,1,1.,1,1", "2,2,1.,1,2")
    found = main(tmp_path, f"{key}=7", f"{more}{key}ADD,7,5\n")
    assert measure(found) == alone and any("the union alone applies" in note for note in found.ledger.assumptions)
    twice = main(tmp_path, f"{key}=7", more.replace(",7,", ",8,") + f"{key}ADD,7,5\n{key}ADD,7,8\n")
    once = main(tmp_path, f"{key}=7", more.replace(",7,", ",8,") + f"{key}ADD,7,5,8\n")
    assert measure(twice) == measure(once) > alone
    lone = main(tmp_path, f"{key}=7", f"{key}ADD,7,6\n")
    assert key == "NSM" or any(f"{key}ADD 7 names {key} 6" in note for note in lone.ledger.assumptions)


@pytest.mark.parametrize(
    ("table", "young"),
    [
        ("TABLEM1,9\n,0.,7.,10.,6.,50.,3.,100.,2.\n,ENDT", 4.875),  # ascending
        ("TABLEM1,9\n,100.,2.,50.,3.,10.,6.,0.,7.\n,ENDT", 4.875),  # descending: the same in NASTRAN-95
        ("TABLEM1,9\n,0.,7.,25.,6.,25.,3.,100.,2.\n,ENDT", 4.5),  # at a jump the mean: the same in NASTRAN-95
        ("TABLEM1,9\n,100.,2.,25.,3.,25.,6.,0.,7.\n,ENDT", 4.5),
        ("TABLEM1,9,LINEAR,LOG\n,0.,7.,25.,9.,25.,4.,100.,2.\n,ENDT", 6.0),  # the geometric mean
        ("TABLEM1,9\n,0.,7.,SKIP,9.,50.,3.,60.,SKIP\n,ENDT,,99.,99.", 5.0),
        ("TABLEM1,9\n,100.,2.,50.,4.,ENDT", 5.0),  # extrapolated by the two points of the end
        ("TABLEM1,9,,,1\n,100.,2.,50.,4.,ENDT", 4.0),  # or constant
        ("TABLEM2,9,5.\n,100.,2.,0.,4.,ENDT", 4.0 - 0.02 * 20.0),
        ("TABLEM3,9,5.,2.\n,100.,2.,0.,4.,ENDT", 4.0 - 0.02 * 10.0),
    ],
)
def test_tables_of_materials_in_either_order(tmp_path, table, young):
    """E at 25 degrees, by hand."""
    model = main(tmp_path, "TEMPERATURE=5", f"TEMPD,5,25.\nMATT1,1,9\n{table}\n")
    scale = 7e10 if table[6] in "23" else 1.0
    assert np.isclose(model.materials[0].young, young * scale, rtol=1e-12)
    entry = next(entry for entry in model.ledger.entries if entry.card.startswith("TABLEM"))
    assert entry.fate == "used"
    entry = next(e for e in main(tmp_path, "ECHO=NONE", f"{table}\n").ledger.entries if e.card.startswith("TABLEM"))
    assert entry.fate == "skipped"


def test_tables_that_turn_back_or_jump_at_their_end_are_refused(tmp_path):
    for points, words in (
        (",0.,7.,75.,6.,25.,3.", "x of a table must ascend or descend; found 25 after 75"),
        (",0.,7.,10.,6.,10.,3.", "a table that jumps at its end cannot be extrapolated; found two values at 10"),
    ):
        with pytest.raises(ReadError, match=words):
            main(tmp_path, "TEMPERATURE=5", f"TEMPD,5,25.\nMATT1,1,9\nTABLEM1,9\n{points},ENDT\n")


@pytest.mark.parametrize("form", [1, 6])
def test_a_term_of_a_matrix_is_stated_once(tmp_path, form):
    head = f"DMIG,MAA,0,{form},1,0\n"
    for cards in ("DMIG,MAA,2,1,,2,1,4.\nDMIG,MAA,2,1,,2,1,4.\n", "DMIG,MAA,2,1,,1,1,4.\n,1,1,4.\n"):
        with pytest.raises(ReadError, match=r"DMIG field (6|12): a term of a matrix is stated twice; found MAA [12] 1"):
            main(tmp_path, "M2GG=MAA", head + cards)


@pytest.mark.parametrize("value", ["10.", "1000.", "1.-3"])
def test_a_square_matrix_is_symmetric(tmp_path, value):
    head = "DMIG,KAA,0,1,1,0\nDMIG,KAA,2,1,,2,2,"
    sound = main(tmp_path, "K2GG=KAA", f"{head}{value}\nDMIG,KAA,2,2,,2,1,{value}\n")
    assert sum(block.facts.one_matrix for block in sound.elements) == 1
    with pytest.raises(
        ReadError, match=r"line 11: DMIG field 6: .* is not symmetric; found KAA: .* at 2 2 and 0 mirrored"
    ):
        main(tmp_path, "K2GG=KAA", f"{head}{value}\n")


def test_modes_of_a_fluid_have_a_request_of_their_own(tmp_path):
    cards = "EIGRL,3,,,5\nEIGRL,4,,,2\n"
    for case in ("METHOD=4\nMETHOD(FLUID)=3", "METHOD(FLUID)=3\nMETHOD(STRUCTURE)=4", "METH = 4\nMETH( FLUID ) = 3"):
        assert main(tmp_path, case, cards).analysis.count == 2


@pytest.mark.parametrize(
    ("case", "added"),
    [
        ("M2GG = MAA", [4.0]),
        ("M2GG = MAA, MBB", [4.0, 4.0]),
        ("SET 100 = MAA, MBB\nM2GG = 100", [4.0, 4.0]),
        ("SET 100 = MAA,\n  MBB\nSUBCASE 1\n  M2GG = 100\nOUTPUT(PLOT)\nSET 100 = ALL", [4.0, 4.0]),
        ("SET 1 = ALL\nSET 2 = MBB\nM2GG = 2", [4.0]),
        ("SET 2 = MBB\nM2GG = .5*MAA, 2", [2.0, 4.0]),
    ],
)
def test_matrices_by_name_factor_and_set(tmp_path, case, added):
    blocks = [block for block in main(tmp_path, case, DIRECT).elements if block.facts.one_matrix]
    assert [float(block.value.sum()) for block in blocks] == added


NUMBERED = ("SPC", "MPC", "NSM", "METHOD", "SUPORT1")


@pytest.mark.parametrize("key", NUMBERED)
def test_a_selection_that_cannot_be_read_is_an_error_with_its_line(tmp_path, key):
    for text in ("= 1,2", "= ABC", "=", "", "1 2", "= 1.5"):
        with pytest.raises(ReadError, match=rf"line 4: the set that case control selects cannot be read \({key}\)"):
            main(tmp_path, f"ECHO=NONE\n{key} {text}", "")


@pytest.mark.parametrize("key", [key for key in SETS if key in NUMBERED])
def test_a_blank_stands_for_the_equals_sign(tmp_path, key):
    for text in ("= 9", " 9", "(STRUCTURE) = 9", "9 $ remark".rjust(12)):
        with pytest.raises(ReadError, match=f"the selected {key} set does not exist; found {key} 9"):
            main(tmp_path, f"{key}{text}", SETS[key])


def test_advice_names_what_exists(tmp_path):
    for key in ("SPC", "MPC"):
        words = " ".join(main(tmp_path, "ECHO=NONE", SETS[key]).ledger.assumptions)
        assert f"{key.lower()}=N" in words and set(re.findall(r"--\w+", words)) <= {"--spc"}


def test_a_power_series_of_the_temperature(tmp_path):
    """TABLEM4: E = 7e10 (1 - 0.1 x + 0.02 x^2), x = (T - 20) / 50, T at most 100; by hand."""
    cards = "MATT1,1,9\nTABLEM4,9,20.,50.,0.,100.\n,1.,-.1,.02,ENDT\n"
    for temperature, x in ((20.0, 0.0), (70.0, 1.0), (300.0, 1.6)):
        model = main(tmp_path, "TEMP(MATERIAL) = 5", f"TEMPD,5,{temperature}\n{cards}")
        assert np.isclose(model.materials[0].young, 7e10 * (1.0 - 0.1 * x + 0.02 * x**2), rtol=1e-13)
    with pytest.raises(ReadError, match="line 11: MATT1 field 3: the table does not exist; found 8"):
        main(tmp_path, "TEMP(MATERIAL) = 5", f"TEMPD,5,20.\n{cards.replace('MATT1,1,9', 'MATT1,1,8')}")


@pytest.mark.parametrize(
    "card, words",
    [
        ("PARAM,NONSENS,3", "not used: PARAM NONSENS"),
        ("PARAM,POST,-1", "not used: PARAM POST"),
        ("PARAM,SNORM,0.", "assumed: PARAM SNORM 0 is not applied"),
        ("PARAM,SNORM,20.", ""),
        ("PARAM,CPBAR,1", "assumed: PARAM CPBAR 1 is not applied"),
        ("PARAM,K6ROT,50.", ""),
    ],
)
def test_parameters_that_are_not_used_are_named(tmp_path, card, words):
    text = "SOL 103\nCEND\nBEGIN BULK\nMAT1,1,7.+10,,.3,2700.\nPROD,1,1,1.-4\nGRID,1,,0.,0.,0.\nGRID,2,,1.,0.,0.\nCROD,1,1,1,2\n"
    (tmp_path / "p.bdf").write_text(text + card + "\nENDDATA\n")
    notes = [note for note in read_nastran(tmp_path / "p.bdf", "SI").ledger.notes if "PARAM" in note]
    assert any(note.startswith(words) for note in notes) if words else notes == []
