"""A structural model taken apart into JSON and arrays comes back the same."""

from dataclasses import fields, is_dataclass

import numpy as np
import pytest
from support.lines import random_beam
from support.surfaces import grid, plate_section, shell_model

from tisserand.errors import ModelError
from tisserand.model import Isotropic, Ply, RigidElement, Supports
from tisserand.model.laminate import laminate
from tisserand.model.storage import from_plain, to_plain


def same(a, b) -> bool:
    if isinstance(a, np.ndarray):
        return a.dtype == b.dtype and a.shape == b.shape and np.array_equal(a, b, equal_nan=a.dtype.kind == "f")
    if is_dataclass(a):
        return type(a) is type(b) and all(same(getattr(a, f.name), getattr(b, f.name)) for f in fields(a))
    if isinstance(a, (tuple, list)):
        return len(a) == len(b) and all(same(x, y) for x, y in zip(a, b))
    if hasattr(a, "items"):
        return set(a) == set(b) and all(same(v, b[k]) for k, v in a.items())
    return bool(a == b) or (a != a and b != b)


def test_beams_round_trip():
    model = random_beam(3)
    assert same(from_plain(*to_plain(model)), model.changed(ledger=from_plain(*to_plain(model)).ledger, sources=()))


def test_laminates_sets_and_constraints_round_trip():
    points, cells = grid(9, 9, lambda x, y: (x, y))
    skin, core = Isotropic.from_young(1, 7e10, 0.3, 2700.0), Isotropic.from_young(2, 1e8, 0.3, 50.0, "core")
    section = laminate(4, (Ply(skin, 1e-3), Ply(core, 0.02, 0.3), Ply(skin, 1e-3)))
    model = shell_model(points, cells, section).changed(
        node_sets={"a/b": np.arange(80), "..": np.arange(70), "": np.arange(65)},
        interfaces={"tip": 5},
        constraints=(RigidElement(1, [[0, i] for i in range(6)], [[1, 2]]),),
        supports=Supports.clamp([3], "123"),
        materials=(skin, core, plate_section(0.1, 1.0, 0.3) and skin),
    )
    text, arrays = to_plain(model)
    assert "elements/0/nodes" in arrays and len(text) < 20_000
    assert same(from_plain(text, arrays), model)


def test_foreign_types_are_refused():
    model = random_beam(1)
    foreign = type("Foreign", (type(model.nodes),), {})
    nodes = foreign(**{item.name: getattr(model.nodes, item.name) for item in fields(model.nodes)})
    with pytest.raises(ModelError, match=r"cannot be stored.*Foreign"):
        to_plain(model.changed(nodes=nodes))
    with pytest.raises(ModelError, match="unknown type"):
        from_plain('{"type": "Sockets", "fields": {}}', {})
