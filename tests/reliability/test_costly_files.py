"""Small files that ask for much: limits are stated and hold before memory is taken (docs/reliability.md)."""

import pytest

from tisserand.errors import CaseError, FileError, ModelError, TisserandError
from tisserand.files import json_of, toml_of
from tisserand.readers.abaqus import generation, read_abaqus
from tisserand.readers.case import read_case
from tisserand.readers.nastran import read_nastran, replicate
from tisserand.readers.sid import read_sid_appendage

DECKS = [(read_nastran, "INCLUDE '{}'", ".bdf"), (read_abaqus, "*INCLUDE, INPUT={}", ".inp")]
ENDLESS = [
    "duration = 1e308",
    "duration = 1e9\noutput_step = 1e-9",
    "duration = 1.0\noutput_step = 5e-324",
    "duration = 1.0\nsegment = 1e-300",
]
ABAQUS = "*NODE\n1,0,0,0\n2,1,0,0\n*ELEMENT, TYPE=T3D2, ELSET=E\n1,1,2\n"


def test_a_generated_set_of_nodes_takes_only_those_that_exist(tmp_path):
    path = tmp_path / "a.inp"
    section = "*MATERIAL, NAME=S\n*ELASTIC\n2e11,.3\n*SOLID SECTION, ELSET=E, MATERIAL=S\n1e-4\n"
    path.write_text(ABAQUS + "*NSET, NSET=ODD, GENERATE\n1,999999999,2\n" + section)
    assert read_abaqus(path, "SI").node_sets["ODD"].tolist() == [1]


def test_a_generated_set_of_a_billion_elements_is_refused(tmp_path):
    path = tmp_path / "a.inp"
    path.write_text(ABAQUS + "*ELSET, ELSET=ALL, GENERATE\n1,999999999\n")
    with pytest.raises(FileError, match="contain too many elements"):
        read_abaqus(path, "SI")


@pytest.mark.parametrize("most", [None, pytest.param(10_000, marks=pytest.mark.slow)])
@pytest.mark.parametrize(("read", "line", "end"), DECKS)
def test_a_tree_of_includes_that_doubles_is_refused(tmp_path, monkeypatch, read, line, end, most):
    """At the stated limit (slow), and at a lower one."""
    if most is None:
        monkeypatch.setattr("tisserand.readers.includes.MOST_FILES", most := 300)
    for level in range(40):
        (tmp_path / f"f{level}{end}").write_text((line.format(f"f{level + 1}{end}") + "\n") * 2)
    (tmp_path / f"f40{end}").write_text("$ end\n" if end == ".bdf" else "** end\n")
    with pytest.raises(FileError, match=f"too many files; expected at most {most}"):
        read(tmp_path / f"f0{end}", "SI")


@pytest.mark.parametrize(("read", "line", "end"), DECKS)
def test_a_long_chain_of_includes_is_called_deep_not_round(tmp_path, read, line, end):
    for level in range(70):
        (tmp_path / f"f{level}{end}").write_text(line.format(f"f{level + 1}{end}") + "\n")
    (tmp_path / f"f70{end}").write_text("$ end\n")
    with pytest.raises(FileError, match="nested too deeply"):
        read(tmp_path / f"f0{end}", "SI")


@pytest.mark.parametrize(("read", "line", "end"), DECKS)
@pytest.mark.parametrize(("levels", "fault"), [(64, None), (65, "nested too deeply")])
def test_the_limit_of_depth_is_exact(tmp_path, read, line, end, levels, fault):
    """64 files inside one another are read to the end (where a card is wrong); the 65th is refused for its depth."""
    for level in range(levels):
        (tmp_path / f"f{level}{end}").write_text(line.format(f"f{level + 1}{end}") + "\n")
    (tmp_path / f"f{levels}{end}").write_text("GRID,x\n" if end == ".bdf" else "*NODE\nx,0,0,0\n")
    with pytest.raises(FileError) as caught:
        read(tmp_path / f"f0{end}", "SI")
    assert "circle" not in str(caught.value)
    assert (fault or f"f{levels}{end}") in str(caught.value)


@pytest.mark.parametrize(("read", "line", "end"), DECKS)
@pytest.mark.parametrize("length", [1, 2, 5])
def test_a_circle_of_includes_is_called_a_circle(tmp_path, read, line, end, length):
    for level in range(length):
        (tmp_path / f"f{level}{end}").write_text(line.format(f"f{(level + 1) % length}{end}") + "\n")
    with pytest.raises(FileError, match="circle") as caught:
        read(tmp_path / f"f0{end}", "SI")
    assert f"f0{end}" in str(caught.value)


@pytest.mark.parametrize("text", ["a = " + "9" * 5000, "a = " + "[" * 5000, "a = [" * 3000, "a." * 5000 + "b = 1"])
def test_toml_of_absurd_depth_or_digits_is_refused(tmp_path, text):
    path = tmp_path / "a.toml"
    path.write_text(text + "\n")
    with pytest.raises(CaseError):
        read_case(path)


@pytest.mark.parametrize("line", ENDLESS)
def test_a_run_with_more_output_times_than_memory_is_refused(tmp_path, line):
    from tisserand.studies.simulate import simulate

    path = tmp_path / "bus.toml"
    path.write_text(f"[bodies.bus]\nmass = 8.0\ninertia = [6.0, 5.0, 7.0]\n[simulation]\n{line}\n")
    with pytest.raises(TisserandError, match="simulation"):
        simulate(path)


def test_a_sid_object_of_a_billion_rows_is_refused(tmp_path):
    path = tmp_path / "a.SID_FEM"
    sizes = "order = 0\nnrow = 999999999\nncol = 999999999\nnq = 1\nstructure = 3\n"
    path.write_text(f"1 1 :x\npart\nnew modal = a\nMe\n{sizes}end Me\n")
    with pytest.raises(FileError, match="more data than it can contain"):
        read_sid_appendage(path)


def test_a_shell_of_a_material_without_shear_is_refused(tmp_path):
    path = tmp_path / "a.bdf"
    grids = "GRID,1,,0.,0.,0.\nGRID,2,,1.,0.,0.\nGRID,3,,1.,1.,0.\nGRID,4,,0.,1.,0.\n"
    path.write_text(f"BEGIN BULK\n{grids}CQUAD4,1,1,1,2,3,4\nPSHELL,1,1,.01,1,,1\nMAT1,1,7.E10,,,2700.\nENDDATA\n")
    with pytest.raises((FileError, ModelError), match="two of E, G and NU"):
        read_nastran(path, "SI")


def test_a_case_with_a_number_beyond_doubles_names_its_key(tmp_path):
    path = tmp_path / "a.toml"
    path.write_text(
        f'units = "SI"\n[mesh]\nfile = "a.vtu"\n[materials.x]\nyoung = {"9" * 400}\npoisson = 0.3\ndensity = 1.0\n'
    )
    with pytest.raises(CaseError, match=r"materials\.x\.young"):
        read_case(path)


@pytest.mark.parametrize("text", ["{} = 1", "[{}]\na = 1", "x = {{ {} = 1 }}", "[[{}]]\na = 1"])
@pytest.mark.parametrize("part", ["a", "'b c'", '"d.e"', "a "])
def test_a_key_of_twenty_thousand_parts_is_refused_before_it_is_read(tmp_path, text, part):
    path = tmp_path / "a.toml"
    path.write_text("# first\n" + text.format(".".join([part] * 20_000)) + "\n")
    with pytest.raises(CaseError, match="a key has too many parts; found line 2"):
        read_case(path)


def test_dots_in_a_text_are_no_key():
    text = 'a = "' + ".".join("x" * 500) + '"\n# ' + ".".join("x" * 500) + "\n"
    assert toml_of("a.toml", text) == {"a": ".".join("x" * 500)}


def test_replications_of_a_deck_are_limited_in_all(tmp_path, monkeypatch):
    monkeypatch.setattr(replicate, "_MOST", 100)
    path = tmp_path / "a.bdf"
    path.write_text("BEGIN BULK\nGRID,1,,0.,0.,0.\n" + "=,*1,=,*1.,==\n=30\n" * 6 + "ENDDATA\n")
    with pytest.raises(FileError, match="line 10: GRID: the replications of this deck give too many lines"):
        read_nastran(path, "SI")


def test_replicated_cards_of_many_lines_count_by_line(tmp_path, monkeypatch):
    monkeypatch.setattr(replicate, "_MOST", 100)
    path = tmp_path / "a.bdf"
    card = "RBE2,1,1,123456" + ",2" * 5 + "\n" + f"+{',2' * 8}\n" * 9
    path.write_text("BEGIN BULK\n" + card + "=,*1,==\n" + "=,==\n" * 9 + "=10\n" * 10 + "ENDDATA\n")
    with pytest.raises(FileError, match="RBE2: the replications of this deck give too many lines"):
        read_nastran(path, "SI")


@pytest.mark.parametrize(
    "card", ["*NCOPY,CHANGE NUMBER={0},OLD SET=N,NEW SET=N,SHIFT", "*NGEN,NSET=N\n1,{1}", "*ELCOPY,"]
)
def test_what_a_deck_generates_is_limited_in_all(tmp_path, monkeypatch, card):
    """By doublings of a set, by repetition of a card, in parts: counted before it is made."""
    monkeypatch.setattr(generation, "_MOST", 1000)
    if card == "*ELCOPY,":
        card = "*ELCOPY,ELEMENT SHIFT={0},SHIFT NODES=0,OLD SET=E,NEW SET=E"
    cards = "\n".join(card.format(2**i, 101) for i in range(1, 32))
    path = tmp_path / "a.inp"
    path.write_text(f"*NODE,NSET=N\n1,0,0,0\n2,1,0,0\n101,2,0,0\n*ELEMENT,TYPE=B31,ELSET=E\n1,1,2\n{cards}\n")
    with pytest.raises(FileError, match=r"generates too many nodes or elements; found .* expected at most 1000 in all"):
        read_abaqus(path, "SI")


@pytest.mark.parametrize(
    "lines",
    ["".join(f"a{i + 1} = a{i}*a{i}\n" for i in range(60)), "b = 1e300*1e300\n", "b = 9**9**9\n", "b = '1\\n2'\n"],
)
def test_parameters_of_a_deck_are_numbers_of_a_size_and_words_of_a_line(tmp_path, lines):
    """Sixty squarings of ten would take the memory of the world."""
    path = tmp_path / "a.inp"
    path.write_text(f"*PARAMETER\na0 = 10\n{lines}{ABAQUS}")
    with pytest.raises(FileError, match=r"\*PARAMETER: the value of a parameter is not understood"):
        read_abaqus(path, "SI")


def test_elements_of_many_nodes_count_more_than_once(tmp_path, monkeypatch):
    monkeypatch.setattr(generation, "_MOST", 1000)
    path = tmp_path / "a.inp"
    nodes = ",".join(map(str, range(1, 16))) + ",\n" + ",".join(map(str, range(16, 21)))
    path.write_text(f"*NODE\n1,0,0,0\n*ELEMENT,TYPE=C3D20,ELSET=E\n1,{nodes}\n*ELGEN,ELSET=E\n1,350,0,1\n")
    with pytest.raises(FileError, match="generates too many nodes or elements; found 1050 in this deck"):
        read_abaqus(path, "SI")


def test_a_copy_of_an_element_that_does_not_exist_is_refused(tmp_path):
    path = tmp_path / "a.inp"
    path.write_text("*NODE\n1,0,0,0\n*ELSET,ELSET=E\n99\n*ELCOPY,ELEMENT SHIFT=1,SHIFT NODES=0,OLD SET=E,NEW SET=F\n")
    with pytest.raises(FileError, match="ELCOPY: an element does not exist; found element 99"):
        read_abaqus(path, "SI")


def test_json_with_a_number_of_thousands_of_digits_is_refused_in_our_words(tmp_path):
    with pytest.raises(FileError, match="a number has thousands of digits"):
        json_of("a.json", '{"a": ' + "1" * 5000 + "}")


@pytest.mark.parametrize("thickness", ["1e-320", "1e-70", "1e80", "1e200"])
def test_a_shell_of_a_thickness_that_nothing_has_is_refused_by_its_section(tmp_path, thickness):
    """Its stiffness is no number, or its square is none: eigenvalues of such matrices do not converge."""
    path = tmp_path / "a.inp"
    path.write_text(
        "*NODE\n1,0,0,0\n2,1,0,0\n3,1,1,0\n4,0,1,0\n*ELEMENT, TYPE=S4, ELSET=E\n1,1,2,3,4\n"
        f"*MATERIAL, NAME=S\n*ELASTIC\n2e11,.3\n*DENSITY\n7800.\n*SHELL SECTION, ELSET=E, MATERIAL=S\n{thickness}\n"
    )
    with pytest.raises(
        TisserandError, match=r"shell section 1 has a .* stiffness out of range|positive thickness.*at most"
    ):
        read_abaqus(path, "SI")
