"""Every parameter of every keyword that is used is read, named in the ledger, or refused by name."""

from pathlib import Path

import numpy as np
import pytest
from support.each_case import check_each

from tisserand.errors import DroppedCardsError
from tisserand.readers.abaqus import read_abaqus
from tisserand.readers.abaqus.deck import Context, Deck
from tisserand.readers.abaqus.draft import Draft
from tisserand.readers.abaqus.ledger import READ, refuse_dropped
from tisserand.readers.abaqus.parameter_table import TABLE
from tisserand.readers.abaqus.parameters import judge_parameters, known_parameters, spell_parameters, use_of
from tisserand.readers.abaqus.scan import Keyword
from tisserand.units import unit_system

HERE = Path("deck.inp")
CELLS = [(keyword, name, *what) for keyword, row in TABLE.items() for name, what in known_parameters(row).items()]


def judged(keyword: str, name: str, value: str = "7") -> Draft:
    """The draft of a deck that is this keyword with this parameter alone."""
    stated = Keyword(keyword, {name: value}, HERE, 42)
    draft = Draft(Deck([(Context(), stated)], {}, [], []), unit_system("SI"), "abaqus")
    draft.taken.add(id(stated))
    judge_parameters(draft)
    return draft


def test_the_table_knows_every_keyword_that_is_read():
    assert set(TABLE) >= READ


def test_every_parameter_has_its_fate():
    assert len(CELLS) > 300
    check_each(CELLS, _has_its_fate)


def _has_its_fate(keyword, name, use, reason, default):
    draft = judged(keyword, name)
    fates = {entry.fate: entry for entry in draft.entries()}
    if use == "used":
        assert not fates and not draft.notes
        return
    assert reason
    if use == "assumed":
        assert not fates and all(word in draft.notes[0] for word in ("assumed: ", keyword, name, "line 42"))
        return
    entry = fates["dropped" if use == "changes" else "skipped"]
    assert entry.card == f"*{keyword}, {name}" and reason in entry.reason
    if use == "changes":
        with pytest.raises(DroppedCardsError, match=f"{name}.*line 42.*allow"):
            refuse_dropped(draft, HERE, ())
        refuse_dropped(draft, HERE, (f"{keyword}, {name}",))
        if default:
            assert not [e for e in judged(keyword, name, default.lower()).entries() if e.fate == "dropped"]


def test_unknown_parameters_are_named_and_refused_where_they_may_matter():
    check_each([(keyword,) for keyword in TABLE], _named_or_refused)


def _named_or_refused(keyword):
    draft, row = judged(keyword, "FOO"), TABLE[keyword]
    dropped = [entry for entry in draft.entries() if entry.fate == "dropped"]
    if row.others:
        assert not dropped and draft.entries()[0].reason == row.others
    elif row.matters:
        assert dropped[0].card == f"*{keyword}, FOO" and "line 42" in dropped[0].reason
    else:
        assert "FOO (line 42) is an unknown parameter" in draft.notes[0]


def test_parameters_that_count_as_used_are_looked_at_by_the_reader():
    """Their names stand in the reader, apart from the table itself."""
    folder = Path(__file__).parents[3] / "src/tisserand/readers/abaqus"
    text = "".join(p.read_text() for p in folder.glob("*.py") if p.name not in ("parameter_table.py", "flavor.py"))
    labels = {
        "CONSTRAINT NAME",
        "LOCATION",
        "TABLE",
        "ELSET",
        "TIE",
        "NGRAPH",
        "NAME",
        "ADD",
        "TYPE",
        "ADJUST",
        "MATERIAL",
    }
    used = [name for _, name, use, *_ in CELLS if use == "used" and name != "INPUT"]
    assert used and [name for name in used if f'"{name}"' not in text and name not in labels] == []


@pytest.mark.parametrize(
    ("keyword", "written", "name"),
    [
        ("NSET", "GEN", "GENERATE"),
        ("COUPLING", "REFNODE", "REF NODE"),
        ("TIE", "POSITIONTOLERANCE", "POSITION TOLERANCE"),
        ("SHELL SECTION", "ORIENT", "ORIENTATION"),
        ("SHELL SECTION", "S", "S"),  # too short to tell
    ],
)
def test_parameters_have_one_spelling(keyword, written, name):
    stated = Keyword(keyword, {written: "1"}, HERE, 1)
    spell_parameters([stated])
    assert list(stated.options) == [name]


def test_the_default_value_of_a_changing_parameter_is_harmless():
    assert use_of(Keyword("BEAM SECTION", {"ROTARY INERTIA": "exact"}, HERE, 1), "ROTARY INERTIA")[0] == "harmless"
    assert use_of(Keyword("BEAM SECTION", {"ROTARY INERTIA": "ISOTROPIC"}, HERE, 1), "ROTARY INERTIA")[0] == "changes"


WHOLE = """*NODE, NSET=ALL
1,0,0,0
2,1,0,0
3,1,1,0
4,0,1,0
5,2,0,0
6,0,0,1
*ELEMENT, TYPE=S4, ELSET=E
1,1,2,3,4
*ELEMENT, TYPE=B31, ELSET=B
2,2,5
*ELEMENT, TYPE=MASS, ELSET=M
3,5
*ELEMENT, TYPE=SPRING1, ELSET=K
4,5
*NSET, NSET=HELD
1, 4
*ELSET, ELSET=BOTH
E, B
*ORIENTATION, NAME=O
1,0,0,0,1,0
*MATERIAL, NAME=A
*ELASTIC
7e10, .3
*DENSITY
2700.
*SHELL SECTION, ELSET=E, MATERIAL=A
.01
*BEAM SECTION, ELSET=B, MATERIAL=A, SECTION=RECT
.01, .02
0,0,1
*MASS, ELSET=M
1.
*SPRING, ELSET=K
3
100.
*EQUATION
2
5,4,1.,2,4,-1.
*BOUNDARY
HELD, 1, 6
*STEP
*FREQUENCY
3
*END STEP
"""
HEADS = [i for i, line in enumerate(WHOLE.splitlines()) if line.startswith("*") and not line.startswith("*END")]


@pytest.mark.parametrize("at", HEADS)
def test_an_unknown_parameter_anywhere_in_a_deck_is_never_silent(tmp_path, at):
    lines = WHOLE.splitlines()
    keyword = lines[at].split(",")[0]
    lines[at] += ", FOO=1"
    (tmp_path / "deck.inp").write_text("\n".join(lines))
    try:
        model = read_abaqus(tmp_path / "deck.inp", "SI")
    except DroppedCardsError as error:
        assert f"{keyword}, FOO" in str(error) and f"line {at + 1}" in str(error)
        model = read_abaqus(tmp_path / "deck.inp", "SI", allow=(f"{keyword[1:]}, FOO",))
        assert any(entry.card == f"{keyword}, FOO" for entry in model.ledger.entries)
    else:
        assert any(f"{keyword}, FOO (line {at + 1})" in note for note in model.ledger.notes)
    assert np.isfinite(model.nodes.positions).all()


def test_structural_couplings_are_refused_where_the_coupled_nodes_turn(tmp_path):
    """On shells it couples their rotations too; on solids it is the continuum one."""
    cube = (
        "*NODE\n1,0,0,0\n2,1,0,0\n3,1,1,0\n4,0,1,0\n5,0,0,1\n6,1,0,1\n7,1,1,1\n8,0,1,1\n9,.5,.5,2\n"
        "*ELEMENT, TYPE=C3D8, ELSET=E\n1,1,2,3,4,5,6,7,8\n*SOLID SECTION, ELSET=E, MATERIAL=A\n*SURFACE, NAME=S\nE, S2\n"
    )
    shell = (
        "*NODE\n1,0,0,0\n2,1,0,0\n3,1,1,0\n4,0,1,0\n9,.5,.5,2\n*ELEMENT, TYPE=S4, ELSET=E\n1,1,2,3,4\n"
        "*SHELL SECTION, ELSET=E, MATERIAL=A\n.01\n*SURFACE, NAME=S\nE, SPOS\n"
    )
    rest = (
        "*MATERIAL, NAME=A\n*ELASTIC\n7e10, .3\n*DENSITY\n2700.\n*COUPLING, CONSTRAINT NAME=C, REFNODE=9, SURFACE=S\n"
    )
    rest += "*DISTRIBUTING, COUPLING=STRUCTURAL\n"
    (tmp_path / "cube.inp").write_text(cube + rest)
    (tmp_path / "shell.inp").write_text(shell + rest)
    assert len(read_abaqus(tmp_path / "cube.inp", "SI").constraints) == 1
    with pytest.raises(DroppedCardsError, match=r"DISTRIBUTING, COUPLING=STRUCTURAL.*rotations"):
        read_abaqus(tmp_path / "shell.inp", "SI")
