"""What objects show in a notebook: well-formed, with the numbers that matter, and quick to make."""

from xml.etree import ElementTree

import numpy as np
import pytest

import tisserand as ts
from tisserand.notebook_html import curves, line_drawing


@pytest.fixture(scope="module")
def shown():
    wing = ts.plate(1.0, 0.6, ts.sheet(ts.ALUMINUM, 0.003), elements=(6, 4), name="wing & co").with_support("x-")
    assembled = ts.assemble(wing)
    basis = ts.solve_modes(assembled, count=3)
    record = ts.reduce(basis, attachment="root", damping=0.01)
    hub = ts.Body("hub", 10.0, inertia=[2, 3, 4])
    craft = ts.Vehicle("craft", [hub], appendages=[ts.MountedAppendage("wing", record, "hub")])
    run = ts.simulate(craft, 0.5, ts.State(angular_velocity=[0, 0, 0.1]), samples=21)
    linear, system = ts.linearize(craft), ts.system_modes(craft)
    things = {"model": wing, "assembled": assembled, "basis": basis, "record": record, "vehicle": craft, "run": run}
    return {**things, "linear": linear, "system": system}


@pytest.mark.parametrize(
    "what, words",
    [
        ("model", ("shell", "24", "root")),
        ("assembled", ("independent dofs", "mass (kg)")),
        ("basis", ("frequency (Hz)", "0 missed")),
        ("record", ("damping ratio", "0.01")),
        ("vehicle", ("hub", "3 modes")),
        ("run", ("balance", "rate x")),
        ("linear", ("9 coordinates", "frequency (Hz)")),
        ("system", ("3 modes", "what moves")),
    ],
)
def test_html_is_well_formed_and_tells_the_numbers(shown, what, words):
    text = shown[what]._repr_html_()
    ElementTree.fromstring(f"<div>{text}</div>")
    assert all(word in text for word in words)


@pytest.mark.parametrize("what", ["model", "record", "run"])
def test_a_picture_comes_with_it(shown, what):
    tree = ElementTree.fromstring(f"<div>{shown[what]._repr_html_()}</div>")
    paths = tree.findall(".//{http://www.w3.org/2000/svg}path")
    assert paths and len(paths[-1].attrib["d"]) > 100


def test_the_drawing_keeps_proportions():
    """A square in the plane x-z, seen obliquely: all four corners inside the page, opposite sides parallel."""
    square = np.array([[0, 0, 0], [1, 0, 0], [1, 0, 1], [0, 0, 1]], float)
    text = line_drawing(square, [[0, 1], [1, 2], [2, 3], [3, 0]])
    tree = ElementTree.fromstring(text)
    numbers = [float(v) for v in tree[0].attrib["d"].replace("M", " ").replace("L", " ").split()]
    ends = np.array(numbers).reshape(4, 2, 2)
    sides = ends[:, 1] - ends[:, 0]
    np.testing.assert_allclose(sides[0], -sides[2], atol=0.2)
    np.testing.assert_allclose(sides[1], -sides[3], atol=0.2)
    width, height = float(tree.attrib["width"]), float(tree.attrib["height"])
    assert (ends.reshape(-1, 2) >= 0).all() and (ends.reshape(-1, 2) <= [width, height]).all()


def test_nothing_to_draw():
    assert line_drawing(np.zeros((0, 3)), np.zeros((0, 2))) == ""
    ElementTree.fromstring(curves([0.0, 1.0], np.zeros((2, 1)), ["still"]))


def test_plain_words_everywhere(shown):
    """No object of the pipeline prints its arrays or an address."""
    linear = ts.linearize(shown["vehicle"])
    for item in (*shown.values(), linear, shown["record"].nodes, ts.Simulation(shown["vehicle"])):
        text = repr(item)
        assert text.startswith("<") and " at 0x" not in text and "array(" not in text and len(text) < 600
