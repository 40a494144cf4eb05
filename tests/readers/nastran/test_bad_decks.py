"""A wrong deck is refused with file, line, card, field and reason; nothing else ever comes out."""

import re
import time

import pytest
from hypothesis import HealthCheck, Phase, given, settings
from hypothesis import strategies as st

from tisserand.errors import DroppedCardsError, FileError, ModelError, ReadError, TisserandError
from tisserand.readers.nastran import read_deck, read_nastran

GOOD = """SOL 103
CEND
SPC = 1
BEGIN BULK
GRID           1              0.      0.      0.
GRID           2              1.      0.      0.
GRID,3,7,2.,0.,0.
GRID,4,,0.,1.,0.
CORD2R,7,,0.,0.,0.,0.,0.,1.
,1.,0.,0.
CBAR           1       1       1       2      0.      0.      1.
CROD,2,2,2,3
CQUAD4,3,3,1,2,3,4
CTRIA3,4,4,1,2,4,30.
CELAS2,5,100.,1,1,2,1
CONM2,6,3,,2.5,.1
,1.,,2.,,,3.
PBAR,1,1,1.-4,1.-8,1.-8,2.-8
PROD,2,1,1.-4
PSHELL,3,1,.01,1,,1
PCOMP,4,-.005
,1,.005,0.,,1,.005,90.
MAT1           1   7.+10              .3   2700.
RBE2,10,1,123,4
RBE3,11,,3,123,1.,123,1,2
MPC,1,2,1,1.,3,1,-1.
SPC1,1,123456,1
EIGRL,1,,,5
PARAM,WTMASS,1.
ENDDATA
"""

#: what is wrong, the text it replaces, the text put there, line, card, field, words of the reason
WRONG = [
    (
        "word in a coordinate",
        "GRID           2              1.",
        "GRID           2              1x",
        6,
        "GRID",
        4,
        "not a number",
    ),
    ("not a number", "GRID,4,,0.,1.,0.", "GRID,4,,NaN,1.,0.", 8, "GRID", 4, "not a number"),
    ("too large", "GRID,4,,0.,1.,0.", "GRID,4,,1.E400,1.,0.", 8, "GRID", 4, "too large"),
    ("real id", "CROD,2,2,2,3", "CROD,2,2,2.5,3", 12, "CROD", 4, "not a whole number"),
    ("blank id", "CROD,2,2,2,3", "CROD,,2,2,3", 12, "CROD", 2, "blank"),
    ("missing point", "CROD,2,2,2,3", "CROD,2,2,2,99", 12, "CROD", 5, "does not exist"),
    ("missing property", "CROD,2,2,2,3", "CROD,2,99,2,3", 12, "CROD", 3, "does not exist"),
    ("missing material", "PROD,2,1,1.-4", "PROD,2,77,1.-4", 19, "PROD", 3, "does not exist"),
    ("missing system", "GRID,3,7,", "GRID,3,8,", 7, "GRID", 3, "does not exist"),
    ("circle of systems", "CORD2R,7,,", "CORD2R,7,7,", 9, "CORD2R", 2, "circular"),
    ("degenerate system", ",1.,0.,0.\nCBAR", ",0.,0.,3.\nCBAR", 9, "CORD2R", None, "point C lies on the z axis"),
    ("point twice", "GRID,4,,0.,1.,0.", "GRID,4,,0.,1.,0.\nGRID,4,,0.,1.,1.", 9, "GRID", 2, "twice"),
    ("element twice", "CROD,2,2,2,3", "CROD,1,2,2,3", 12, "CROD", 2, "twice"),
    ("negative density", "2700.", "-2700.", 23, "MAT1", 6, "negative"),
    ("Poisson", "              .3", "              .5", 23, "MAT1", None, "Poisson"),
    ("negative area", "PBAR,1,1,1.-4", "PBAR,1,1,-1.-4", 18, "PBAR", 4, "negative"),
    ("zero thickness", "PSHELL,3,1,.01", "PSHELL,3,1,0.", 20, "PSHELL", 4, "thickness"),
    ("ply thickness", ",1,.005,0.,,1,.005,90.", ",1,-.005,0.,,1,.005,90.", 21, "PCOMP", 13, "thickness"),
    ("no orientation", "      0.      0.      1.\nCROD", "\nCROD", 11, "CBAR", 6, "orientation"),
    ("components", "RBE2,10,1,123,4", "RBE2,10,1,127,4", 24, "RBE2", 4, "components"),
    ("self reference", "RBE2,10,1,123,4", "RBE2,10,1,123,1", 24, "RBE2", 5, "also dependent"),
    ("surplus fields", "PROD,2,1,1.-4", "PROD,2,1,1.-4,0.,0.,0.,0.,0.,0.,0.", 19, "PROD", None, "more fields"),
    ("surplus columns", "CROD,2,2,2,3", "CROD,2,2,2,3,4", 12, "CROD", 6, "no meaning"),
    ("not a card", "CROD,2,2,2,3", "C?OD,2,2,2,3", 12, None, None, "not a card"),
    (
        "offset of a property",
        "PSHELL,3,1,.01,1,,1",
        "PSHELL,3,1,.01,1,,1\n,,,,,.02",
        20,
        "PSHELL",
        16,
        "on the elements",
    ),
    ("text after a card", ".3   2700.", ".3   2700.\n,,,,,XYZ", 23, "MAT1", 16, "no meaning"),
    ("count down", "SPC1,1,123456,1", "SPC1,1,123456,9,THRU,2", 27, "SPC1", 6, "counts down"),
    ("weight", "PARAM,WTMASS,1.", "PARAM,WTMASS,-1.", 29, "PARAM", 3, "positive"),
]


def write(tmp_path, text):
    path = tmp_path / "deck.bdf"
    path.write_text(text) if isinstance(text, str) else path.write_bytes(text)
    return path


@pytest.mark.parametrize("case", WRONG, ids=[case[0] for case in WRONG])
def test_errors_name_the_place(case, tmp_path):
    _, old, new, line, card, field, words = case
    assert GOOD.count(old) == 1
    path = write(tmp_path, GOOD.replace(old, new))
    with pytest.raises(ReadError) as caught:
        read_deck(path, "SI")
    error = caught.value
    assert (error.line, error.card, error.field) == (line, card, field)
    assert words in str(error) and str(path) in str(error) and f"line {line}" in str(error)


def test_the_good_deck_is_good(tmp_path):
    model = read_deck(write(tmp_path, GOOD.replace("SPC = 1", "SPC = 1\nMPC = 1")), "SI").main
    assert len(model.elements) == 6 and len(model.constraints) == 3


def test_include_loops_and_missing_files(tmp_path):
    (tmp_path / "a.inc").write_text("INCLUDE 'b.inc'\n")
    (tmp_path / "b.inc").write_text("$ comment\nINCLUDE 'a.inc'\n")
    path = write(tmp_path, GOOD.replace("SPC1,1,123456,1", "INCLUDE 'a.inc'"))
    with pytest.raises(ReadError, match="circular") as caught:
        read_deck(path, "SI")
    assert caught.value.path.name == "b.inc" and caught.value.line == 2
    with pytest.raises(ReadError, match="does not exist") as caught:
        read_deck(write(tmp_path, GOOD.replace("SPC1,1,123456,1", "INCLUDE 'nowhere.inc'")), "SI")
    assert caught.value.line == 27
    with pytest.raises(ReadError, match="not closed"):
        read_deck(write(tmp_path, GOOD.replace("SPC1,1,123456,1", "INCLUDE 'nowhere.inc")), "SI")


def test_errors_in_included_files_name_that_file(tmp_path):
    (tmp_path / "rods.inc").write_text("$ rods\n\nCROD,20,2,2,99\n")
    with pytest.raises(ReadError) as caught:
        read_deck(write(tmp_path, GOOD.replace("SPC1,1,123456,1", "INCLUDE 'rods.inc'")), "SI")
    assert caught.value.path.name == "rods.inc" and caught.value.line == 3
    (tmp_path / "ok.inc").write_text("$ nothing\n$ at all\n")
    text = GOOD.replace("MPC,1,", "INCLUDE 'ok.inc'\nMPC,1,").replace("WTMASS,1.", "WTMASS,x")
    with pytest.raises(ReadError) as caught:  # lines after the INCLUDE keep their own numbers
        read_deck(write(tmp_path, text), "SI")
    assert caught.value.path.name == "deck.bdf" and caught.value.line == 30


def test_files_that_are_no_decks(tmp_path):
    for content, words in ((b"", "empty"), (b"GRID\x00\x01", "binary"), (b"$ only a comment\n", "no grid")):
        with pytest.raises(FileError, match=words):
            read_deck(write(tmp_path, content), "SI")
    with pytest.raises(FileError, match="does not exist"):
        read_deck(tmp_path / "nothing.bdf", "SI")
    with pytest.raises(FileError, match="directory"):
        read_deck(tmp_path, "SI")


def test_dropped_cards_stop_the_run_unless_allowed(tmp_path):
    path = write(tmp_path, GOOD.replace("EIGRL,1,,,5", "EIGRL,1,,,5\nCRAC2D,70,5,1,2,3\nFORCE,1,1,,1.,1.\nXYZZY,1"))
    with pytest.raises(DroppedCardsError, match=r"CRAC2D.*stiffness.*XYZZY") as caught:
        read_nastran(path, "SI")
    assert caught.value.exit_code == 1 and "allow=('CRAC2D', 'XYZZY')" in str(caught.value)
    assert "--allow CRAC2D --allow XYZZY" in caught.value.sentence()
    model = read_nastran(path, "SI", allow=("crac2d", "XYZZY"))
    fates = {entry.card: entry.fate for entry in model.ledger.entries}
    assert fates["CRAC2D"] == fates["XYZZY"] == "dropped" and fates["FORCE"] == "skipped" and fates["GRID"] == "used"
    assert fates["MPC"] == "skipped"  # case control selects none


def test_parts_are_not_silently_lost(tmp_path):
    text = GOOD.replace("ENDDATA", "BEGIN SUPER=5\nGRID,1,,0.,0.,0.\nENDDATA")
    path = write(tmp_path, text)
    whole, alone = read_nastran(path, "SI"), read_nastran(path, "SI", allow=("BEGIN",))
    assert len(whole.nodes) == len(alone.nodes) == 4  # the part's point lies on point 1
    assert any("parts 5 and the main structure are joined" in note for note in whole.ledger.notes)
    external = (
        text.replace("ENDDATA", "").replace("BEGIN SUPER", "SEBULK,5,EXTOP4,,MANUAL,,,30\nBEGIN SUPER") + "ENDDATA\n"
    )
    with pytest.raises(ReadError, match="no file is assigned to the unit of superelement 5"):
        read_nastran(write(tmp_path, external), "SI")
    assert len(read_nastran(path, "SI", part=5).nodes) == 1
    assert len(read_deck(path, "SI").parts) == 1


def test_several_sets_without_case_control(tmp_path):
    bulk = GOOD.split("BEGIN BULK\n")[1].replace("SPC1,1,123456,1", "SPC1,1,123456,1\nSPC1,2,123456,2")
    with pytest.raises(ReadError, match="several SPC sets"):
        read_deck(write(tmp_path, bulk), "SI")
    assert read_deck(write(tmp_path, bulk), "SI", spc=2).main.supports.nodes.tolist() == [1]


LINES = GOOD.split("BEGIN BULK\n")[1].splitlines()
FIELDS = st.sampled_from(
    [
        "",
        "0",
        "-1",
        "1",
        "2",
        "99999999",
        "1.",
        "-1.",
        "NaN",
        "1e400",
        "1.-400",
        "inf",
        "THRU",
        "=",
        "==",
        "*1",
        "*(2)",
        "é",
        "\t",
        "$",
        "'",
        "1.2.3",
        "123456",
        "ALL",
        "+",
        "*",
        "1" * 40,
        "UM",
        "ENDT",
    ]
)


@st.composite
def mutated(draw):
    """A deck with a few random injuries."""
    lines = list(LINES)
    for _ in range(draw(st.integers(1, 4))):
        at = draw(st.integers(0, len(lines) - 1)) if lines else 0
        kind = draw(st.integers(0, 7))
        if not lines:
            break
        if kind == 0:
            lines[at] = lines[at][: draw(st.integers(0, max(len(lines[at]), 1)))]
        elif kind == 1:
            lines.insert(draw(st.integers(0, len(lines))), lines[at])
        elif kind == 2:
            parts = lines[at].split(",")
            i, j = draw(st.integers(0, len(parts) - 1)), draw(st.integers(0, len(parts) - 1))
            parts[i], parts[j] = parts[j], parts[i]
            lines[at] = ",".join(parts)
        elif kind == 3:
            parts = lines[at].split(",")
            parts[draw(st.integers(0, len(parts) - 1))] = draw(FIELDS)
            lines[at] = ",".join(parts)
        elif kind == 4:
            del lines[at]
        elif kind == 5:
            lines.insert(
                at,
                draw(
                    st.sampled_from(
                        [
                            "INCLUDE 'deck.bdf'",
                            "BEGIN SUPER=3",
                            "=,*1,==",
                            "=(5)",
                            "+,1,2",
                            "*,1.",
                            "BEGIN BULK",
                            "CEND",
                            "\t\t,",
                            "=(99999999999)",
                            "SPOINT,1,THRU,999999999",
                            "SET1,1,1,THRU,999999999999",
                        ]
                    )
                ),
            )
        elif kind == 6:
            other = draw(st.integers(0, len(lines) - 1))
            lines[at], lines[other] = lines[other], lines[at]
        else:
            column = draw(st.integers(0, max(len(lines[at]) - 1, 0)))
            lines[at] = lines[at][:column] + draw(st.text(max_size=3)) + lines[at][column + 1 :]
    text = "\n".join(lines) + "\n"
    cut = draw(st.one_of(st.none(), st.integers(0, len(text))))
    return (("SOL 103\nCEND\nSPC = 1\nMPC = 1\nBEGIN BULK\n" if draw(st.booleans()) else "") + text)[:cut]


@settings(
    max_examples=150,
    deadline=None,
    phases=[Phase.generate, Phase.shrink],
    suppress_health_check=[HealthCheck.function_scoped_fixture],
    derandomize=True,
)
@given(mutated())
def test_injured_decks_are_read_or_refused_properly(tmp_path, text):
    """Never a traceback of another kind, never a hang; a ReadError carries its file."""
    path = tmp_path / "deck.bdf"
    path.write_bytes(text.encode("utf-8", "surrogatepass"))
    start = time.monotonic()
    try:
        read_deck(path, "SI", allow=("XYZZY",))
    except (ReadError, FileError) as error:
        assert str(path.parent) in str(error)
    except (DroppedCardsError, ModelError) as error:
        assert isinstance(error, TisserandError) and str(error)
    assert time.monotonic() - start < 20.0


def test_moduli_of_a_solid_that_are_not_positive(tmp_path):
    """A field left out of MAT9 moves all later ones."""
    grids = "GRID,1,,0.,0.,0.\nGRID,2,,1.,0.,0.\nGRID,3,,0.,1.,0.\nGRID,4,,0.,0.,1.\n"
    moduli = "MAT9,9,1.+11,3.+10,2.+10,,,,3.+10\n,8.+10,,,,7.+10\n,3.+10,,,2.5+10,,2.+10,2500.\n"
    (tmp_path / "a.bdf").write_text(f"BEGIN BULK\n{grids}CTETRA,1,1,1,2,3,4\nPSOLID,1,9\n{moduli}ENDDATA\n")
    with pytest.raises(
        ReadError, match=r"line 8: MAT9 field 3: the moduli are not positive definite; found an eigenvalue of -"
    ):
        read_nastran(tmp_path / "a.bdf", "SI")


@pytest.mark.parametrize(
    ("cards", "words"),
    [
        ("PSHELL,1,1,.01,1,-1.,1", "PSHELL field 6: 12I/T**3 must be above zero; found -1"),
        ("PSHELL,1,1,.01,1,0.,1", "PSHELL field 6: 12I/T**3 must be above zero"),
        ("PSHELL,1,1,.01,1,,1,-.5", "PSHELL field 8: TS/T must be above zero; found -0.5"),
        ("PSHELL,1,1,.01,1,,1,0.", "PSHELL field 8: TS/T must be above zero"),
        ("PSHELL,1,2,.01,1,,1", "not positive (membrane); found an eigenvalue of -"),
        ("PSHELL,1,1,.01,2,,1", "not positive (bending)"),
        ("PSHELL,1,1,.01,1,,1\n,,,3", "not positive (membrane, coupling and bending together)"),
        ("PCOMP,1\n,2,.01,0.", "PCOMP field 2: the stiffness of this section is not positive"),
    ],
)
def test_sections_of_shells_without_positive_stiffness(tmp_path, cards, words):
    grids = "GRID,1,,0.,0.,0.\nGRID,2,,1.,0.,0.\nGRID,3,,1.,1.,0.\nGRID,4,,0.,1.,0.\n"
    moduli = "MAT1,1,7.+10,,.3,2700.\nMAT2,2,7.+10,9.+10,,7.+10,,2.+10,2700.\nMAT2,3,7.+10,,,7.+10,,2.+10\n"
    (tmp_path / "a.bdf").write_text(f"BEGIN BULK\n{grids}CQUAD4,1,1,1,2,3,4\n{cards}\n{moduli}ENDDATA\n")
    with pytest.raises(ReadError, match=re.escape(words)):
        read_nastran(tmp_path / "a.bdf", "SI")
