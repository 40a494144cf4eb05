"""Forms of text that public decks use: equations over several lines, blanks between numbers, headers of other programs."""

import pytest

from tisserand.errors import ReadError
from tisserand.readers.nastran import read_nastran
from tisserand.readers.nastran.control import split_sections
from tisserand.readers.nastran.deck_text import load
from tisserand.readers.nastran.dialect95 import is_nastran95
from tisserand.readers.nastran.physical import split_line
from tisserand.readers.nastran.scan import scan


def test_lines_of_an_equation_are_no_cards(tmp_path):
    path = tmp_path / "a.bdf"
    path.write_text(
        "DEQATN       100OBJ(X1,X2,X4) = RSS(X1+0.0, X2+0.1,\n        X4+0.565, X5)\n"
        "+       X6, X7)\nGRID,1,,0.,0.,0.\nFROB,2\n"
    )
    source = load(path)
    _, sections = split_sections(source)
    bulk = scan(source, sections[0].text, 0)
    assert bulk.counts() == {"DEQATN": 1, "GRID": 1, "FROB": 1}
    assert source.place(next(bulk.rows("FROB")).line)[1] == 5


@pytest.mark.parametrize(
    ("line", "fields"),
    [
        (b"PSHEAR, 401     1       1.0     0.5, 1.,30.", (b"401", b"1", b"1.0", b"0.5", b"1.", b"30.")),
        (b"CROD,7 9,1 -2", (b"7", b"9", b"1 -2")),
        (b"MAT1,1,7. +10,,.3", (b"1", b"7. +10", b"", b".3")),
        (b"SET1,4,ALPHA BETA", (b"4", b"ALPHA BETA")),
    ],
)
def test_blanks_separate_numbers_between_commas(line, fields):
    assert split_line(line, 0).fields[: len(fields)] == fields


@pytest.mark.parametrize(
    ("text", "old"),
    [
        (b"ID D01031A,NASTRAN\nSOL 1,0\n", True),
        (b"SOL 13\nID X,NASTRAN\n", True),
        (b"ID,NASTRAN,model\nSOL 601,106\n", False),
        (b"ID A,NASTRAN\nSOL 103\n", False),
        (b"SOL SESTATIC\nID A,NASTRAN\n", False),
    ],
)
def test_later_solutions_are_not_those_of_nastran_95(text, old):
    assert is_nastran95(text) is old


def test_a_misspelled_card_is_named_where_its_content_is_missing(tmp_path):
    path = tmp_path / "gird.bdf"
    path.write_text(
        "GRID,1,,0.,0.,0.\nGIRD,2,,1.,0.,0.\nCBAR,1,1,1,2,0.,1.,0.\nPBAR,1,1,.01,1.-5,1.-5,1.-5\nMAT1,1,7.+10,,.3\n"
    )
    with pytest.raises(
        ReadError, match=r"gird.bdf, line 2: GIRD: this card is not known.* expected GRID; .*line 3: CBAR .* found 2"
    ):
        read_nastran(path, "SI")


def test_continuations_are_found_by_the_last_seven_columns_of_their_mark(tmp_path):
    """Column 73 does not count: ``ABC`` is continued by ``+BC``, wherever that stands."""
    bar = "GRID,1\nGRID,2,,1.\nMAT1,1,7.+10,,.3,2700.\nCBAR,1,1,1,2,0.,0.,1.\n"
    head = "PBAR    1       1       1.-3    2.-7    3.-7    1.-7    2.5             "
    rest = "BC      " + " " * 56 + "{mark}\n"
    inertia = "+ND" + " " * 29 + "1.-7\n"  # K1 and K2 blank, I12 in the ninth field of the third line
    found = []
    for mark in ("+BC", "ABC", "1BC", "*BC"):
        text = (
            bar.replace("CBAR", f"{head}{mark}\nCBAR") + "+" + rest.format(mark="XND") + "SPC1,1,123456,1\n" + inertia
        )
        (tmp_path / "deck.bdf").write_text(f"SOL 103\nCEND\nBEGIN BULK\n{text}ENDDATA\n")
        found.append(repr(read_nastran(tmp_path / "deck.bdf", "SI").sections))
    assert len(set(found)) == 1
