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


def test_unions_of_nonstructural_mass_name_sets_that_exist(tmp_path):
    assert np.isclose(main(tmp_path, "NSM=7", SETS["NSM"] + "NSMADD,7,5\n").ledger.balance["mass read"], 2.7 + 2.5)
    with pytest.raises(ReadError, match="the union names a set that does not exist; found 6"):
        main(tmp_path, "NSM=7", SETS["NSM"] + "NSMADD,7,5,6\n")


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
