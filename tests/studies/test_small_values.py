"""Values that are empty, of another type or beside the point: one sentence each, before anything runs."""

import inspect
from pathlib import Path

import pytest

import tisserand as ts

BOOM = Path(__file__).parents[2] / "meshes" / "boom.bdf"
VEHICLE = "[bodies.bus]\nmass = 100.0\ninertia = [50.0, 60.0, 70.0]\n[simulation]\nduration = 0.1\n"


@pytest.fixture
def vehicle(tmp_path):
    path = tmp_path / "v.toml"
    path.write_text(VEHICLE)
    return path


@pytest.mark.parametrize(
    ("call", "said"),
    [
        (lambda path: ts.sweep(path, over={}), "over: is empty"),
        (lambda path: ts.sweep(path, over={"bodies.bus.mass": []}), "is empty; expected at least one value"),
        (lambda path: ts.sweep(path, over={"name": [1, 2]}), "name: is not a number"),
        (lambda path: ts.montecarlo(path, vary={}), "vary: is empty"),
        (lambda path: ts.simulate(path, set={"bodies.bus.mas": 3, "foo.bar": 1}), "Also: foo.bar: unknown key"),
        (lambda path: ts.simulate(path, set={'"bodies.bus".mass': 3}), "unknown key"),
        (lambda path: ts.modes(""), "model: is empty"),
        (lambda path: ts.modes(path, frame="foo"), "frame: unknown choice; found 'foo', expected one of connection"),
        (lambda path: ts.open(path).modes(), "a vehicle file holds no mass and stiffness matrices"),
        (lambda path: ts.tube(-1.0, 0.1), "diameter -1, wall 0.1"),
        (lambda path: ts.truss({}, [], 1e-4, ts.STEEL), "no points are given"),
    ],
)
def test_one_sentence(vehicle, call, said):
    with pytest.raises(ts.InputError) as error:
        call(vehicle)
    assert said in str(error.value) and "did you mean 'bodies.mass'" not in str(error.value)


def test_a_list_in_json_is_no_case(tmp_path):
    (tmp_path / "list.json").write_text("[1]")
    with pytest.raises(ts.InputError) as error:
        ts.open(tmp_path / "list.json")
    assert "mesh" not in str(error.value)


def test_the_mass_file_of_a_pair_is_called_that(tmp_path):
    (tmp_path / "k_STIF1.mtx").write_text("1 1 2.0\n")
    (tmp_path / "k_MASS1.mtx").write_text("1 1 1.0\n")
    with pytest.raises(ts.InputError, match="k_STIF1"):
        ts.open(tmp_path / "k_MASS1.mtx", units="SI")


def test_three_factors_are_a_unit_system():
    boom = ts.open(BOOM, units=(1.0, 1.0, 1.0))
    assert boom.structure is not None and len(repr(boom)) < 200


def test_one_spring_serves_all_axes():
    joint = ts.gimbal("g", "a", "b", [[0, 0, 1], [0, 1, 0], [1, 0, 0]], stiffness=2.0)
    assert joint.stiffness == (2.0, 2.0, 2.0)


def test_signatures_are_readable():
    for function in (ts.modes, ts.sweep, ts.montecarlo, ts.export):
        text = str(inspect.signature(function))
        assert "Annotated" not in text and "Validator" not in text and "Result" in text
    assert "Parameters" in ts.modes.__doc__ and "count" in ts.modes.__doc__
