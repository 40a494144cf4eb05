"""Every mistake in a case file is one sentence that names the key and says what to do."""

import pytest
from support.case_files import PLATE, plate_mesh, write_case

from tisserand.errors import CaseError, TisserandError
from tisserand.readers.case import model_of_case, read_case

#: (what is replaced, by what, key in the error, words in the error)
MISTAKES = [
    ('units = "SI"\n', "", "units", "is missing"),
    ('units = "SI"', 'units = "mm-kg"', "units", "unknown unit system"),
    ('units = "SI"', 'units = "mm-t"', "units", "did you mean 'mm-t-s'"),
    ('units = "SI"', "units = { length = 0.0, mass = 1, time = 1 }", "units.length", "above 0"),
    ('name = "plate"', "name = 3", "name", "expected a string"),
    ('name = "plate"', 'nmae = "plate"', "nmae", "did you mean 'name'"),
    ("[mesh]", "[msh]", "msh", "did you mean 'mesh'"),
    ('file = "plate.msh"', 'fil = "plate.msh"', "mesh.fil", "did you mean 'file'"),
    ('file = "plate.msh"', 'file = "plate.msh"\nformat = "gmhs"', "", "did you mean 'gmsh'"),
    ('file = "plate.msh"', 'file = "plate.msh"\nignore = "skinn"', "mesh.ignore", "did you mean 'skin'"),
    ('file = "plate.msh"', 'file = "other.msh"', "", "does not exist"),
    ("young = 7.0e10", "yung = 7.0e10", "materials.aluminum.yung", "did you mean 'young'"),
    ("young = 7.0e10", "young = -7.0e10", "materials.aluminum.young", "above 0"),
    ("young = 7.0e10", 'young = "7e10"', "materials.aluminum.young", "not a finite number"),
    ("young = 7.0e10", "young = inf", "materials.aluminum.young", "not a finite number"),
    ("young = 7.0e10", "young = true", "materials.aluminum.young", "not a finite number"),
    ("poisson = 0.3", "poisson = 0.5", "materials.aluminum.poisson", "below 0.5"),
    ("density = 2700.0", "", "materials.aluminum.density", "is missing"),
    ("density = 2700.0", "densty = 2700.0", "materials.aluminum.densty", "did you mean 'density'"),
    ('kind = "shell"', 'kind = "shel"', "sections.skin.kind", "did you mean 'shell'"),
    ('kind = "shell"', 'kind = "solid"', "sections.skin", "thickness"),
    ("thickness = 0.002", "thickness = 0", "sections.skin.thickness", "above 0"),
    ('material = "aluminum"\nthickness', 'material = "aluminium"\nthickness', "sections.skin.material", "aluminum"),
    ('elements = "skin"', 'elements = "skim"', "sections.skin.elements", "did you mean 'skin'"),
    ('elements = "skin"', 'elements = "rib"', "sections.skin.elements", "cannot be given to line cells"),
    ('elements = "skin"', "elements = 9", "sections.skin.elements", "no group 9"),
    ('elements = "skin"', 'elements = "skin"\ntypes = "tetra"', "sections.skin.types", "one of triangle"),
    ("orientation = [0.0, 0.0, 1.0]", "", "sections.rib.orientation", "is missing"),
    ("orientation = [0.0, 0.0, 1.0]", "orientation = [1.0, 0.0, 0.0]", "sections.rib.orientation", "parallel to a beam"),
    ("orientation = [0.0, 0.0, 1.0]", "orientation = [0.0, 0.0, 0.0]", "sections.rib.orientation", "zero vector"),
    ("orientation = [0.0, 0.0, 1.0]", "orientation = [0.0, 0.0]", "sections.rib.orientation", "expected 3 numbers"),
    ('shape = "BAR"', 'shape = "BARR"', "sections.rib.shape", "did you mean 'BAR'"),
    ("dimensions = [0.01, 0.02]", "dimensions = [0.01]", "sections.rib.dimensions", "needs 2 dimensions"),
    ("at = [2.0, 1.0, 0.0]", "at = [2.0, 1.1, 0.0]", "masses.tip.at", "nearest, node 15, 0.1 length units away"),
    ("at = [2.0, 1.0, 0.0]", 'at = "root_edge"', "masses.tip.at", "no set, node or point has this name"),
    ("at = [2.0, 1.0, 0.0]", 'at = "skin"', "masses.tip.at", "15 nodes are given, but one is needed"),
    ("at = [2.0, 1.0, 0.0]", "at = 99", "masses.tip.at", "no node has this id"),
    ("at = [2.0, 1.0, 0.0]", "at = [2.0, 1.0]", "masses.tip.at", "is not a place"),
    ("mass = 1.5", "mass = -1.5", "masses.tip.mass", "at least 0"),
    ("inertia = [0.02, 0.02, 0.03]", "inertia = [0.02, 0.02, 0.3]", "masses.tip.inertia", "belongs to no rigid body"),
    ("inertia = [0.02, 0.02, 0.03]", "inertia = [[1, 2, 0], [0, 1, 0], [0, 0, 1]]", "masses.tip.inertia", "not symmetric"),
    ('at = "root"\n', 'at = "rot"\n', "supports[0].at", "did you mean 'root'"),
    ('at = "root"\n', "at = [1, 2, 99]\n", "supports[0].at[2]", "no node has this id"),
    ('at = "root"\n', "at = []\n", "supports[0].at", "is not a place; found a list ..,"),
    ('at = "root"\n', 'at = "root"\nplane = { axis = "x", value = 0.0 }\n', "supports[0].plane", "excludes 'at'"),
    ('at = "root"\n', 'plane = { axis = "x", value = 0.1 }\n', "supports[0].plane", "node 1, 0.1 length units away"),
    ('at = "root"\n', 'plane = { axis = "u", value = 0.0 }\n', "supports[0].plane.axis", "x, y, z"),
    ('at = "root"\n', "box = { low = [3, 0, 0], high = [4, 1, 1] }\n", "supports[0].box", "1 length units away"),
    ('at = "root"\n', "box = { low = [0, 1, 0], high = [1, 0, 1] }\n", "supports[0].box.high", "below low"),
    ('at = "root"\n', 'at = "root"\ncomponents = "127"\n', "supports[0].components", "digits out of 123456"),
    ('at = "root"\n', 'at = "root"\ncomponent = "12"\n', "supports[0].component", "did you mean 'components'"),
    ('frame = "connection"', 'frame = "bukens"', "analysis.frame", "did you mean 'buckens'"),
    ('attachment = "root"', 'attachment = "rooot"', "analysis.attachment", "did you mean 'root'"),
    ("count = 6", "count = 6\nfmax_hz = 100.0", "analysis.fmax_hz", "excludes 'count'"),
    ("count = 6", "count = 6.5", "analysis.count", "a whole number"),
    ("count = 6", "count = 0", "analysis.count", "at least 1"),
    ("ratio = 0.005", "ratio = 1.5", "damping.ratio", "below 1"),
    ("ratio = 0.005", "ratoi = 0.005", "damping.ratoi", "did you mean 'ratio'"),
    ("ratio = 0.005", "ratio = 0.005\nstructural = 0.01", "damping.structural", "excludes 'ratio'"),
    ('record = "plate.h5"', 'recrod = "plate.h5"', "outputs.recrod", "did you mean 'record'"),
]  # fmt: skip


@pytest.mark.parametrize(("old", "new", "key", "words"), MISTAKES, ids=[f"{m[2]}-{i}" for i, m in enumerate(MISTAKES)])
def test_a_mistake_is_named_by_its_key(tmp_path, old, new, key, words):
    plate_mesh(tmp_path)
    assert old in PLATE
    path = write_case(tmp_path, PLATE.replace(old, new, 1))
    with pytest.raises(TisserandError, match=words) as caught:
        model_of_case(read_case(path))
    sentence = str(caught.value)
    assert "\n" not in sentence and sentence.endswith((".", "?"))
    if key:
        assert isinstance(caught.value, CaseError)
        assert caught.value.key.startswith(key), sentence
        assert str(path) in sentence
    assert caught.value.exit_code == 2


def test_text_that_is_not_toml_names_the_line(tmp_path):
    path = write_case(tmp_path, 'units = "SI"\nname = \n')
    with pytest.raises(CaseError, match=r"not valid TOML.*line 2"):
        read_case(path)


def test_sections_are_refused_on_a_deck(tmp_path):
    (tmp_path / "plate.inp").write_text("*NODE\n1,0,0,0\n")
    path = write_case(tmp_path, PLATE.replace("plate.msh", "plate.inp"))
    with pytest.raises(CaseError, match="states its own sections and materials"):
        model_of_case(read_case(path))


def test_two_sections_may_not_claim_the_same_cells(tmp_path):
    plate_mesh(tmp_path)
    extra = '[sections.more]\nkind = "shell"\nmaterial = "aluminum"\nthickness = 0.001\n'
    with pytest.raises(
        CaseError, match=r"sections.more: gives a second section to 8 quad cells; found already given by sections.skin"
    ):
        model_of_case(read_case(write_case(tmp_path, PLATE + extra)))
