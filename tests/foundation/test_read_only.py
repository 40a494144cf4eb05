"""docs/architecture.md: NumPy arrays in products are read-only, whatever depth they are at."""

import dataclasses
from collections.abc import Mapping
from pathlib import Path

import numpy as np

import tisserand as ts

ROOT = Path(__file__).parents[2]


def writable(thing: object, path: str, seen: set[int]) -> list[str]:
    """Paths of the arrays that can be written to, in dataclasses, mappings and sequences."""
    if id(thing) in seen:
        return []
    seen.add(id(thing))
    if isinstance(thing, np.ndarray):
        return [path] if thing.flags.writeable else []
    if dataclasses.is_dataclass(thing) and not isinstance(thing, type):
        parts = [(f".{item.name}", getattr(thing, item.name)) for item in dataclasses.fields(thing)]
    elif isinstance(thing, Mapping):
        parts = [(f"[{key}]", value) for key, value in thing.items()]
    elif isinstance(thing, tuple | list):
        parts = [(f"[{place}]", value) for place, value in enumerate(thing)]
    else:
        return []
    return [found for name, value in parts for found in writable(value, path + name, seen)]


def test_arrays_of_every_product_are_read_only():
    model = ts.read_model(ROOT / "meshes" / "boom.bdf", units="SI")
    assembled = ts.assemble(model)
    basis = ts.solve_modes(assembled, count=4)
    floating = ts.solve_modes(assembled, count=4, free=True, frame="buckens", attachment=1)
    record = ts.reduce(basis, attachment=1, damping=0.01)
    hub = ts.Body("hub", 40.0, inertia=[8, 9, 10])
    vehicle = ts.Vehicle("craft", [hub], appendages=[ts.MountedAppendage("boom", record, "hub")])
    run = ts.simulate(vehicle, 0.2, ts.State(angular_velocity=[0.0, 0.0, 0.1]))
    products = {"model": model, "assembled": assembled, "basis": basis, "floating": floating, "record": record}
    products |= {"vehicle": vehicle, "run": run}
    assert {name: found for name, thing in products.items() if (found := writable(thing, name, set()))} == {}


def test_a_writable_array_is_found():
    assert writable({"a": (np.zeros(2),)}, "x", set()) == ["x[a][0]"]
