"""The JSON Schemas of vehicle, case and modes files and their readers accept the same values, for every key of every table."""

from __future__ import annotations

import functools
from typing import Any, Literal, get_args, get_origin

import jsonschema
import pytest
from support.declared_tables import tables

from tisserand.declarations import declared, json_schema, options
from tisserand.declarations.base import Table
from tisserand.declarations.introspection import members_of
from tisserand.declarations.number_range import LEAST, MOST
from tisserand.errors import InputError
from tisserand.studies.schema import declared_type

EYE = [[1.0, 0.0, 0.0], [0.0, 1.0, 0.0], [0.0, 0.0, 1.0]]
#: Values as a file may hold them: of every type, in and out of range, as people write them.
POOL: list[Any] = [
    True, False, -1, 0, 1, 2, 3, 7, 1.0, 2.0, 3.0, -0.5, 0.0, 0.5, 1.5, 400, 2**63, 1e300,
    "", " ", "a", "bus", "1.5", "SI", " si ", "mm-t-s", "0.001,1,1", "0,1,1", "consistent", "parsec", "123", "112", "0", "1 2",
    "free", "FREE", "Torque", "speed", "prescribed", "prismatic", "gimbal", "quad", "vtu", "file.h5", "TUBE", "shear", "none",
    [], [0], [1], [2.0], [-1.0], [1.5], [1, 2], [2, 1], [0.1, 0.2], [0, 0, 0], [1, 0, 0], [1.0, 2.0, 3.0], [1, 2, 3],
    [0, 0, 0, 0], [1, 0, 0, 0], [-1.0] * 6, [1.0] * 6, EYE, EYE[:2], [[-1, 1]] * 3, [[1, 2], [3]], [[]],
    [[[0.5], [0.5], [0.5]]] * 2, ["a"], ["a", "b"], [""], ["1"], [True], ["stress"], ["line", "quad"],
    {}, {"a": 1}, {"a": []}, {"a": [1.0, 2.0]}, {"a": "b"}, {"length": 1, "mass": 1, "time": 1}, {"shape": "sine"},
    {"shape": "step", "value": 1}, {"at": 1}, {"axis": [0, 0, 1], "angle_deg": 1}, [{}], [{"at": 1}],
]  # fmt: skip

#: What a table states besides its mandatory keys so that it stands alone, and values that generation cannot guess.
NEEDED: dict[str, dict[str, Any]] = {
    "EndTable": {"body": "a"},
    "Latch": {"angle": 1.0},
    "EndStop": {"restitution": 0.5},
    "SloshTable": {"mass": 0.5},
    "OrbitTable": {"semi_major_axis": 0.5},
    **{kind: {"strength": 0.5} for kind in ("Force", "Torque", "JointTorque", "RotorTorque", "NodeLoad")},
    "CaseFile": {"units": "SI"},
    "UniversalJoint": {"axes": EYE[:2]},
    "GimbalJoint": {"axes": EYE},
    "AppendageTable": {"record": "wing.h5"},
    "RotorTable": {"spin_inertia": 0.5},
    "TableShape": {"file": "torque.csv"},
    "TableShapeOnAxis": {"file": "torque.csv"},
    "AccelerometerTable": {"body": "bus"},
    "SupportTable": {"at": 1},
    "AnisotropicTable": {"stiffness": [[1.0 if i == j else 0.0 for j in range(6)] for i in range(6)]},
    "IsotropicTable": {"shear": 0.5},
    "OrthotropicSolidTable": {"poisson": [0.1, 0.1, 0.1]},
    "BeamTable": {"area": 0.5, "i_zz": 0.5, "i_yy": 0.5, "torsion_constant": 0.5},
    "ShellTable": {"plies": [{"material": "a", "thickness": 0.5}]},
    "GivenModes": {
        "node_ids": [1, 2], "frequencies_hz": [0.5], "positions": EYE[:2], "translation": [[[0.5], [0.5], [0.5]]] * 2,
        "nodal_masses": [1.0, 1.0],
    },
}  # fmt: skip

#: What JSON Schema cannot say (docs/reliability.md lists it): values that are compared with another value, or that take
#: arithmetic. The reader alone refuses some of them.
COMPARED: dict[tuple[str, str], str] = {
    ("AxisJoint", "limits"): "lowest below highest",
    ("AxisJoint", "limits_deg"): "lowest below highest",
    ("StepShape", "end"): "after the start",
    ("StepShapeOnAxis", "end"): "after the start",
    ("GravityGradient", "along"): "not parallel to the vertical",
    ("GravityGradient", "vertical"): "not parallel to 'along'",
    ("MassTable", "inertia"): "of a rigid body",
    ("BoxTable", "low"): "below 'high'",
    ("BoxTable", "high"): "above 'low'",
    ("OrthotropicSolidTable", "poisson"): "positive definite",
    ("OrthotropicSolidTable", "young"): "positive definite",
    ("BeamTable", "i_yz"): "i_yz² below i_zz i_yy",
    ("LinkTable", "components"): "digits of a number",
    ("SupportTable", "components"): "digits of a number",
    **{
        ("GivenModes", word): "sizes n and k"
        for word in ("frequencies_hz", "node_ids", "positions", "translation", "rotation")
    },
    **{("GivenModes", f"nodal_{word}"): "sizes n and k" for word in ("masses", "inertias", "offsets")},
    **{("GivenModes", word): "sizes n and k" for word in ("modal_masses", "participation", "rotation_participation")},
    ("GivenModes", "damping_ratios"): "sizes n and k",
    ("GivenModes", "interfaces"): "ids of nodes",
    ("GivenModes", "attachment"): "a name of an interface",
}


def example(annotation: Any, limits: dict[str, float]) -> Any:
    """A value that an option accepts."""
    inner = members_of(annotation)[0]
    if isinstance(inner, type) and issubclass(inner, Table):
        return smallest(inner)
    if get_origin(inner) is Literal:
        return get_args(inner)[0]
    if get_origin(inner) is dict:
        return {"a": example(get_args(inner)[1], limits)}
    if get_origin(inner) is tuple:
        items = get_args(inner)
        return [example(items[0], limits)] * 2 if items[-1] is Ellipsis else [example(item, limits) for item in items]
    return {float: 0.5, int: 2, bool: False, str: "a"}.get(inner, "a")


def smallest(kind: type[Table]) -> dict[str, Any]:
    """The smallest table of a kind that its reader accepts."""
    made = {item.name: example(item.annotation, item.facts.limits) for item in options(kind) if item.mandatory}
    return {**made, **NEEDED.get(kind.__name__, {})}


KINDS = {kind: tuple(tables(declared_type(kind))) for kind in ("vehicle", "case", "modes")}


@functools.cache
def definitions(kind: str) -> dict[str, Any]:
    return json_schema(declared_type(kind))


def rules(kind: str, table: type[Table]) -> jsonschema.Draft202012Validator:
    whole = definitions(kind)
    own = whole if table is declared_type(kind) else {**whole["$defs"][table.__name__], "$defs": whole["$defs"]}
    return jsonschema.Draft202012Validator(own)


def reads(table: type[Table], data: dict[str, Any]) -> bool:
    try:
        declared(table, data, "file.toml")
    except InputError:
        return False
    return True


def beyond_arithmetic(value: Any) -> bool:
    """Magnitudes that overflow in products are refused by the reader alone; the schema states what values mean."""
    if isinstance(value, list):
        return any(map(beyond_arithmetic, value))
    return isinstance(value, float | int) and value != 0 and not (LEAST <= abs(value) <= MOST and abs(value) < 2**63)


def differing(kind: str, table: type[Table], every: int) -> list[tuple[str, Any, str]]:
    """Values of all keys, one of ``every`` of the pool each, that the reader or the schema alone accepts."""
    base, validator = smallest(table), rules(kind, table)
    assert reads(table, base) and validator.is_valid(base), (base, list(validator.iter_errors(base)))
    accepted, found = 0, []
    for number, item in enumerate(options(table)):
        for value in POOL[number % every :: every]:
            data = {**base, item.name: value}
            read = reads(table, data)
            accepted += read
            stricter = not read and (table.__name__, item.name) in COMPARED
            if read != validator.is_valid(data) and not beyond_arithmetic(value) and not stricter:
                found.append((item.name, value, "reader" if read else "schema"))
        without = {key: value for key, value in base.items() if key != item.name}
        if reads(table, without) != validator.is_valid(without):
            found.append((item.name, "left out", "reader" if reads(table, without) else "schema"))
    assert accepted or every > 1
    return found


@pytest.mark.parametrize("kind", KINDS)
def test_reader_and_schema_accept_the_same_values(kind):
    found = {table.__name__: differing(kind, table, every=29) for table in KINDS[kind]}
    assert not any(found.values()), {name: values for name, values in found.items() if values}


@pytest.mark.slow
@pytest.mark.parametrize("kind", KINDS)
def test_reader_and_schema_accept_the_same_values_of_the_whole_pool(kind):
    found = {table.__name__: differing(kind, table, every=1) for table in KINDS[kind]}
    assert not any(found.values()), {name: values for name, values in found.items() if values}
