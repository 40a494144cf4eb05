"""Every builder, continuum and edit refuses arguments of a wrong type and sizes that no memory holds, in one sentence."""

from __future__ import annotations

import inspect
import tracemalloc

import numpy as np
import pytest
from support.each_case import check_each

import tisserand as ts
from tisserand.arguments import checked_arguments

TUBE, WALL = ts.tube(0.05, 0.001), ts.sheet(ts.ALUMINUM, 0.002)
POINTS, MEMBERS = {"a": (0, 0, 0), "b": (1, 0, 0), "c": (0, 1, 0)}, [("a", "b"), ("b", "c"), ("a", "c")]
BOOM = ts.boom(2.0, TUBE, ts.ALUMINUM, elements=2)
BEAM = ts.uniform_beam(1.0, 1.0, bending=1.0, count=2)

#: Every public function that builds something, with arguments that work.
WORKING = {
    ts.boom: {"length": 2.0, "section": TUBE, "material": ts.ALUMINUM},
    ts.frame: {"points": POINTS, "members": MEMBERS, "section": TUBE, "material": ts.ALUMINUM},
    ts.truss: {"points": POINTS, "members": MEMBERS, "area": 1e-4, "material": ts.ALUMINUM},
    ts.mast: {"length": 3.0, "bays": 2, "radius": 0.2, "longeron": TUBE, "material": ts.ALUMINUM},
    ts.plate: {"length": 1.0, "width": 0.5, "wall": WALL, "elements": (2, 2)},
    ts.cylinder: {"radius": 0.3, "length": 1.0, "wall": WALL, "elements": (6, 2)},
    ts.block: {"size": (1.0, 0.2, 0.2), "material": ts.ALUMINUM, "elements": (2, 1, 1)},
    ts.tube: {"diameter": 0.05, "wall": 0.001},
    ts.round_bar: {"diameter": 0.05},
    ts.rectangle: {"width": 0.05, "height": 0.02},
    ts.box: {"width": 0.05, "height": 0.02, "wall": 0.001},
    ts.rigidities: {"bending": 10.0, "mass_per_length": 0.5},
    ts.sheet: {"material": ts.ALUMINUM, "thickness": 0.002},
    ts.laminate: {"plies": [(ts.CARBON_T300, 1e-4, 0.0), (ts.CARBON_T300, 1e-4, 90.0)]},
    ts.honeycomb: {"face": ts.ALUMINUM, "face_thickness": 2e-4, "core": ts.HONEYCOMB, "core_thickness": 0.02},
    ts.isotropic: {"young": 7e10, "poisson": 0.3, "density": 2700.0},
    ts.orthotropic: {"young_1": 1e11, "young_2": 1e10, "poisson_12": 0.3, "shear_12": 5e9, "density": 1600.0},
    ts.spring_hinge: {"axis": "x", "stiffness": 10.0},
    ts.bushing: {"stiffness": [1.0] * 6},
    ts.uniform_beam: {"length": 1.0, "mass_per_length": 1.0, "bending": 1.0, "count": 2},
    ts.uniform_string: {"length": 1.0, "mass_per_length": 1.0, "tension": 10.0, "count": 2},
    BEAM.varied: {},
    BOOM.with_point: {"name": "mid", "at": 2},
    BOOM.with_support: {"at": "tip"},
    BOOM.with_mass: {"at": "tip", "mass": 1.0},
    BOOM.with_hub: {"name": "hub", "over": 1},
    BOOM.moved: {"by": (1.0, 0.0, 0.0)},
    BOOM.rotated: {"axis": (0.0, 0.0, 1.0), "angle": 0.1},
}
#: Counts that a builder turns into arrays.
SIZES = ("elements", "bays", "sides", "count", "stations")


class Stranger:
    """An object that fits nothing."""


def _parameters(function):
    return [p for p in inspect.signature(function).parameters.values() if p.kind is not p.VAR_POSITIONAL]


WRONG = [
    (function, p.name, value)
    for function in WORKING
    for p in _parameters(function)
    for value in (Stranger(), "text", 1j, [[1.0], [1.0, 2.0]], {"a": Stranger()}, b"bytes", np.array(["a"]), None)
]


def test_an_argument_of_a_wrong_type_is_refused_with_its_name():
    """Whatever an argument is, the answer is a result or an error of ours; a stranger is always refused by name."""
    assert len(WRONG) > 1000
    check_each(WRONG, _refused_with_its_name)


def _refused_with_its_name(function, name, value):
    arguments = {**WORKING[function], name: value}
    if isinstance(value, Stranger):
        with pytest.raises(ts.InputError, match=f"{name} has the wrong type.*Stranger"):
            function(**arguments)
        return
    try:
        function(**arguments)
    except ts.TisserandError as error:
        assert str(error).count("\n") == 0


@pytest.mark.parametrize(
    "function, name",
    [(f, p.name) for f in WORKING for p in _parameters(f) if p.name in SIZES],
    ids=lambda item: getattr(item, "__name__", item),
)
@pytest.mark.parametrize("number", [10**9, 10**30])
def test_sizes_are_refused_before_they_are_allocated(function, name, number):
    given = WORKING[function].get(name, inspect.signature(function).parameters[name].default)
    size = (number,) * len(given) if isinstance(given, tuple) else number
    tracemalloc.start()
    with pytest.raises(ts.InputError, match=r"too many .*at most"):
        function(**{**WORKING[function], name: size})
    peak = tracemalloc.get_traced_memory()[1]
    tracemalloc.stop()
    assert peak < 20e6


def test_lists_serve_as_tuples_and_numpy_numbers_as_numbers():
    assert ts.rigidities([10.0, 20.0], np.float32(0.5)) == ts.rigidities((10.0, 20.0), 0.5)
    model = ts.plate(np.float64(1.0), 1, WALL, elements=[np.int64(2), 4])
    assert len(model.nodes) == 15


def test_every_builder_of_the_root_namespace_is_listed_here():
    """Functions of the packages builders and continua; nastran_shape and join take any number of positions, weld takes none."""
    listed = {f.__name__ for f in WORKING} | {"nastran_shape", "join", "weld"}
    public = [getattr(ts, name) for name in ts.__all__]
    built = {f.__name__ for f in public if getattr(f, "__module__", "").startswith(("tisserand.builders", "tisserand.cont"))
             and inspect.isfunction(f)}  # fmt: skip
    assert built <= listed


def test_parts_and_dimensions_are_checked_one_by_one():
    with pytest.raises(ts.InputError, match=r"join: parts has the wrong type; found 'panel' \(str\)"):
        ts.join(BOOM, "panel")
    with pytest.raises(ts.InputError, match="dimensions has the wrong type"):
        ts.nastran_shape("I", 1.0, "wide")


def test_hints_of_every_kind():
    @checked_arguments
    def sample(flag: bool, pairs: list[tuple[str, int]], table: dict[str, float]) -> tuple[object, ...]:
        return flag, pairs, table

    assert sample(True, [("a", 1)], {"a": 1}) == (True, [("a", 1)], {"a": 1})
    for wrong in ((1, [], {}), (True, [("a", "b")], {}), (True, [], {"a": None}), (True, [("a",)], {})):
        with pytest.raises(ts.InputError, match="has the wrong type"):
            sample(*wrong)
