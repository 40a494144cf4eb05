"""Generated nodes and elements are those of the same deck written out, and lie where lines, circles and copies put them."""

import numpy as np
import pytest

from tisserand.assembly import assemble
from tisserand.errors import ReadError
from tisserand.readers.abaqus import read_abaqus

REST = (
    "*MATERIAL, NAME=M\n*ELASTIC\n7e10, .3\n*DENSITY\n2700.\n*SHELL SECTION, ELSET=E, MATERIAL=M\n.01\n"
    "*BOUNDARY\n1, 1, 6\n*STEP\n*FREQUENCY\n3\n*END STEP\n"
)


def read(tmp_path, text):
    (tmp_path / "deck.inp").write_text(text)
    return read_abaqus(tmp_path / "deck.inp", "SI")


def places(model) -> dict[int, list[float]]:
    return dict(zip(model.nodes.ids.tolist(), model.nodes.positions.round(12).tolist()))


def plate(nx: int, ny: int) -> str:
    """Nodes 1 .. and 101 .., ... row by row, elements written out."""
    nodes = "".join(f"{1 + i + 100 * j},{0.5 * i},{0.25 * j},0\n" for j in range(ny + 1) for i in range(nx + 1))
    corner = [(1 + i + 10 * j, 1 + i + 100 * j) for j in range(ny) for i in range(nx)]
    cells = "".join(f"{e},{n},{n + 1},{n + 101},{n + 100}\n" for e, n in corner)
    return f"*NODE, NSET=ALL\n{nodes}*ELEMENT, TYPE=S4, ELSET=E\n{cells}"


WAYS = {
    "fill": "*NODE\n1,0,0,0\n5,2,0,0\n301,0,.75,0\n305,2,.75,0\n*NGEN, NSET=LOW\n1,5\n*NGEN, NSET=HIGH\n301,305,1\n"
    "*NFILL, NSET=ALL\nLOW, HIGH, 3, 100\n",
    "copy": "*NODE\n1,0,0,0\n5,2,0,0\n*NGEN, NSET=LOW\n1,5,1\n"
    "*NCOPY, CHANGE NUMBER=100, OLD SET=LOW, NEW SET=B, SHIFT\n0,.25,0\n,\n"
    "*NCOPY, CHANGE NUMBER=100, OLD SET=B, NEW SET=C, SHIFT\n0,.25,0\n,\n"
    "*NCOPY, CHANGE NUMBER=100, OLD SET=C, NEW SET=D, SHIFT\n0,.25,0\n,\n*NSET, NSET=ALL\nLOW, B, C, D\n",
    "mirror": "*NODE\n1,0,0,0\n5,2,0,0\n101,0,.25,0\n105,2,.25,0\n*NGEN, NSET=A\n1,5\n*NGEN, NSET=B\n101,105\n"
    "*NCOPY, CHANGE NUMBER=300, OLD SET=A, NEW SET=D, REFLECT=MIRROR\n0,.375,0,1,.375,0\n0,.375,1\n"
    "*NCOPY, CHANGE NUMBER=100, OLD SET=B, NEW SET=C, REFLECT=MIRROR\n0,.375,0,1,.375,0\n0,.375,1\n"
    "*NSET, NSET=ALL\nA, B, C, D\n",
}
CELLS = {
    "generated": "*ELEMENT, TYPE=S4\n1,1,2,102,101\n*ELGEN, ELSET=E\n1,4,1,1,3,100,10\n",
    "copied": "*ELEMENT, TYPE=S4\n1,1,2,102,101\n*ELGEN, ELSET=ROW\n1,4\n"
    "*ELCOPY, ELEMENT SHIFT=10, OLD SET=ROW, SHIFT NODES=100, NEW SET=SECOND\n"
    "*ELCOPY, ELEMENT SHIFT=20, OLD SET=ROW, SHIFT NODES=200, NEW SET=THIRD\n*ELSET, ELSET=E\nROW, SECOND, THIRD\n",
}


@pytest.mark.parametrize("cells", CELLS)
@pytest.mark.parametrize("way", WAYS)
@pytest.mark.parametrize("part", [False, True])
def test_a_generated_plate_is_the_plate_written_out(tmp_path, way, cells, part):
    text = WAYS[way] + CELLS[cells]
    section, rest = REST[: REST.index("*BOUNDARY")], REST[REST.index("*BOUNDARY") :]
    if part:
        material, section = section[: section.index("*SHELL")], section[section.index("*SHELL") :]
        text = f"*PART, NAME=P\n{text}{section}*END PART\n*ASSEMBLY, NAME=A\n*INSTANCE, NAME=I, PART=P\n*END INSTANCE\n"
        text += f"*END ASSEMBLY\n{material}{rest.replace('1, 1, 6', 'I.1, 1, 6')}"
        ours = read(tmp_path, text)
    else:
        ours = read(tmp_path, text + REST)
    whole = read(tmp_path, "*PREPRINT\n" + plate(4, 3) + REST)
    assert places(ours) == places(whole) and len(ours.node_sets["ALL"]) == 20
    assert sorted(ours.element_sets["E"]) == sorted(whole.element_sets["E"])
    one, two = (np.linalg.eigvalsh(assemble(model).stiffness.toarray()) for model in (ours, whole))
    np.testing.assert_allclose(one, two, rtol=0, atol=1e-12 * two.max())


def test_circles_and_turned_copies(tmp_path):
    """A quarter circle about a node, three quarters about stated coordinates with a normal, and a set turned three times."""
    text = (
        "*NODE\n1,2,0,0\n7,0,2,0\n99,0,0,0\n20,2,0,1\n23,0,-2,1\n*NGEN, LINE=C, NSET=ARC\n1,7,1,99\n"
        "*NGEN, LINE=C\n20,23,1,,0,0,1,0,0,1\n"
        "*NCOPY, CHANGE NUMBER=100, OLD SET=ARC, NEW SET=NEXT, SHIFT, MULTIPLE=3\n0,0,5\n0,0,0,0,0,1,30.\n"
        "*NCOPY, CHANGE NUMBER=200, OLD SET=ARC, NEW SET=AXIS, REFLECT=LINE\n0,0,0,1,0,0\n"
        "*NCOPY, CHANGE NUMBER=300, OLD SET=ARC, NEW SET=POINT, REFLECT=POINT\n0,0,1\n"
        "*ELEMENT, TYPE=S4, ELSET=E\n1,1,2,102,101\n"
    )
    found = places(read(tmp_path, text + REST))
    for k in range(7):
        a, b = np.radians(15.0 * k), np.radians(15.0 * k + 90.0)
        np.testing.assert_allclose(found[1 + k], [2 * np.cos(a), 2 * np.sin(a), 0], atol=1e-11)
        np.testing.assert_allclose(found[101 + k], [2 * np.cos(b), 2 * np.sin(b), 5], atol=1e-11)
        np.testing.assert_allclose(found[201 + k], [2 * np.cos(a), -2 * np.sin(a), 0], atol=1e-11)
        np.testing.assert_allclose(found[301 + k], [-2 * np.cos(a), -2 * np.sin(a), 2], atol=1e-11)
    for k in range(4):
        np.testing.assert_allclose(found[20 + k], [2 * np.cos(k * np.pi / 2), 2 * np.sin(k * np.pi / 2), 1], atol=1e-11)


@pytest.mark.parametrize(
    ("cards", "message"),
    [
        ("*NGEN, LINE=P\n1,4,1,2\n", r"line 4: \*NGEN: .*LINE=P"),
        ("*NGEN\n1,9,1\n", r"line 5: \*NGEN: a node does not exist; found node 9"),
        ("*NGEN\n1,4,2\n", r"\*NGEN: the numbers of a line do not fit"),
        ("*NGEN, LINE=C\n1,4,1,,9,9,9\n", r"\*NGEN: .*equally far"),
        ("*NCOPY, CHANGE NUMBER=10, OLD SET=ALL, POLE\n1\n", r"\*NCOPY: .*POLE"),
        ("*NCOPY, CHANGE NUMBER=10, OLD SET=NONE, SHIFT\n1,0,0\n", r"\*NCOPY: unknown set; found 'NONE'"),
        ("*NFILL\nALL, X, 2, 1\n", r"\*NFILL: unknown set; found 'X'"),
        ("*ELGEN, ELSET=E\n7,3\n", r"\*ELGEN: an element does not exist; found element 7"),
        ("*ELCOPY, OLD SET=E, ELEMENT SHIFT=1, SHIFT NODES=1, REFLECT\n", r"\*ELCOPY: REFLECT is not supported"),
        ("*ELGEN, ELSET=E\n1,900000,1,1,900000\n", "too many|does not exist"),
    ],
)
def test_what_cannot_be_generated_is_refused_by_name(tmp_path, cards, message):
    with pytest.raises(ReadError, match=message):
        read(tmp_path, "*NODE, NSET=ALL\n1,0,0,0\n4,1,1,0\n" + cards + REST)
