"""A deck that was cut off, at any byte, is refused or says what it lacks; a deck that is whole says nothing."""

import pytest

from tisserand.assembly import assemble
from tisserand.errors import ModelError, ReadError, TisserandError
from tisserand.readers.nastran import read_nastran

DECK = b"""SOL 103
CEND
BEGIN BULK
MAT1,1,7.+10,,.3,2700.
PROD,1,1,1.-4
GRID           1              0.      0.      0.
GRID           2              1.      0.      0.
GRID           3              1.      1.      0.
CROD,1,1,1,2
CROD,2,1,2,3
CONM2,6,3,,2.5,.1,,,,+A
+A,1.,,2.,,,3.
"""
WHOLE = DECK + b"ENDDATA\n"


def read(folder, raw):
    (folder / "cut.bdf").write_bytes(raw)
    model = read_nastran(folder / "cut.bdf", "SI")
    assemble(model)
    return model


def test_a_deck_cut_at_any_byte_is_refused_or_noted(tmp_path):
    """Every length from BEGIN BULK on; in the middle of a line it is always refused, with the last line."""
    start = WHOLE.index(b"MAT1")
    for length in range(start, len(WHOLE) - 1):
        raw = WHOLE[:length]
        if b"ENDDATA" in raw:
            continue
        try:
            model = read(tmp_path, raw)
        except TisserandError as error:
            said = error.sentence()
            assert "ENDDATA" in said, (raw[-20:], said)
            torn = not raw.endswith(b"\n")
            assert ("ends in the middle of a card" in said) == torn, (raw[-20:], said)
            if torn:
                assert f"line {raw.count(bytes([10])) + 1}" in said
        else:
            assert raw.endswith(b"\n")
            assert any("no ENDDATA" in note for note in model.ledger.assumptions)


@pytest.mark.parametrize("raw", [WHOLE, WHOLE[:-1], WHOLE + b"GRID", WHOLE.replace(b"\n", b"\r\n"), WHOLE + b"\x1a"])
def test_a_whole_deck_says_nothing(tmp_path, raw):
    assert read(tmp_path, raw).ledger.assumptions == ()


def test_a_deck_without_elements_says_that_its_end_is_missing(tmp_path):
    with pytest.raises(ModelError, match="no elements; assumed: the deck has no ENDDATA"):
        read(tmp_path, WHOLE[: WHOLE.index(b"CROD")])


def test_bare_bulk_data_needs_no_end_but_errors_name_a_torn_line(tmp_path):
    bulk = DECK[DECK.index(b"MAT1") :]
    assert read(tmp_path, bulk).ledger.assumptions == ()
    with pytest.raises(ReadError, match="last line of the file has no line end"):
        read(tmp_path, bulk.replace(b"CROD,2,1,2,3\n", b"").replace(b"GRID           2", b"GRID           4")[:-3])
    torn = bulk[: bulk.index(b"CROD,2") + 9]
    with pytest.raises(ReadError, match="last line of the file has no line end: check that the file is complete"):
        read(tmp_path, torn)
