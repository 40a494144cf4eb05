"""Declared types: what they accept, what they say when they do not, and what can be asked of them."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated, Literal

import numpy as np
import pytest

from tisserand.declarations import (
    Declared,
    FilePath,
    check,
    declared,
    expecting,
    json_schema,
    option,
    option_at,
    options,
    problem,
    read_declared,
    tagged_by,
)
from tisserand.errors import CaseError, InputError, UnknownKeyError, VehicleError

Row = tuple[float, float, float]
Spot = Annotated[
    int | str | tuple[float, float, float],
    expecting("a node id, a set or point name, or three coordinates", "is not a place"),
]


class Wave(Declared):
    """A profile of time."""

    shape: Literal["sine"] = option(..., "which profile")
    amplitude: float = option(..., "largest value")


class Ramp(Declared):
    shape: Literal["ramp"] = option(..., "which profile")
    value: float = option(..., "last value")
    duration: float = option(..., "time from first to last value", unit="s", above=0.0)


Profile = float | Annotated[Wave | Ramp, tagged_by("shape")]


class Force(Declared):
    kind: Literal["force"] = option("force", "what acts")
    at: Spot = option(0, "where it acts")
    strength: Profile = option(..., "size", unit="N")


class Torque(Declared):
    kind: Literal["torque"] = option(..., "what acts")
    axis: tuple[float, float, float] = option((0.0, 0.0, 1.0), "axis of the torque")


Turn = Annotated[
    tuple[float, float, float, float] | tuple[Row, Row, Row] | Wave,
    expecting("four numbers, 3 rows of 3 numbers, or a table", "is not an attitude"),
]


class Body(Declared):
    mass: float = option(..., "mass", unit="kg", above=0.0)
    inertia: tuple[float, ...] = option((0.0, 0.0, 0.0), "principal moments", unit="kg m²", at_least=0.0)
    damping: float | tuple[float, ...] | None = option(None, "ratio of critical damping", at_least=0.0, below=1.0)
    count: int | None = option(None, "how many", at_least=1)
    method: Literal["dop853", "rk4"] = option("dop853", "integration method")
    gains: tuple[tuple[float, float], ...] = option((), "gains")
    attitude: Turn | None = option(None, "attitude")
    spots: Spot | tuple[Spot, ...] = option((), "one place or several")
    file: FilePath | None = option(None, "a file")

    @check
    def _count_excludes_gains(self) -> None:
        if self.count is not None and self.gains:
            raise problem("gains", "excludes 'count'", expected="either count or gains")


class Craft(Declared):
    """A vehicle of this test."""

    name: str = option("craft", "name")
    bodies: dict[str, Body] = option({}, "rigid bodies")
    loads: dict[str, Annotated[Force | Torque, tagged_by("kind")]] = option({}, "loads")
    supports: tuple[Force, ...] = option((), "list of tables")
    state_matrix: tuple[float, ...] = option((), "renamed key", key="A")


def refusal(**data: object) -> CaseError:
    with pytest.raises(CaseError) as caught:
        declared(Craft, data, "craft.toml")
    return caught.value


@pytest.mark.parametrize(
    ("data", "key", "words"),
    [
        ({"bodies": {"bus": {"mass": "12"}}}, "bodies.bus.mass", ["string '12'", "a number above 0, in kg"]),
        ({"bodies": {"bus": {"mass": True}}}, "bodies.bus.mass", ["found true"]),
        ({"bodies": {"bus": {"mass": float("nan")}}}, "bodies.bus.mass", ["finite number"]),
        ({"bodies": {"bus": {"mass": -1}}}, "bodies.bus.mass", ["out of range", "-1", "above 0, in kg"]),
        ({"bodies": {"bus": {}}}, "bodies.bus.mass", ["is missing", "a number above 0, in kg"]),
        ({"bodies": {"bus": {"mass": 1, "inertia": [1, 2, -3]}}}, "bodies.bus.inertia[2]", ["at least 0, in kg m²"]),
        ({"bodies": {"bus": {"mass": 1, "count": 1.5}}}, "bodies.bus.count", ["whole number", "1.5", "at least 1"]),
        ({"bodies": {"bus": {"mass": 1, "damping": [0.1, 1.0]}}}, "bodies.bus.damping[1]", ["out of range", "below 1"]),
        ({"bodies": {"bus": {"mass": 1, "damping": "x"}}}, "bodies.bus.damping", ["a number or a list of numbers"]),
        (
            {"bodies": {"bus": {"mass": 1, "method": "rk5"}}},
            "bodies.bus.method",
            ["dop853, rk4", "did you mean 'rk4'?"],
        ),
        ({"bodies": {"bus": 3}}, "bodies.bus", ["the number 3", "a table"]),
        ({"bodies": {"b.c": {"mass": 0}}}, 'bodies."b.c".mass', ["out of range"]),
        ({"loads": {"k": {"kind": "forze"}}}, "loads.k.kind", ["'forze'", "force, torque", "did you mean 'force'?"]),
        ({"loads": {"k": {"kind": "torque", "axis": [1, 2]}}}, "loads.k.axis", ["right length", "3 numbers"]),
        ({"loads": {"k": {"kind": "force", "strength": "a"}}}, "loads.k.strength", ["string 'a'"]),
        ({"loads": {"k": {"kind": "force", "strength": 1, "at": [1, 2]}}}, "loads.k.at", ["not a place", "node id"]),
        (
            {"loads": {"k": {"kind": "force", "strength": {"shape": "ramp", "value": 1, "duration": 0}}}},
            "loads.k.strength.duration",
            ["out of range", "above 0, in s"],
        ),
        ({"loads": {"k": {"kind": "force", "strength": {"shape": "sin"}}}}, "loads.k.strength.shape", ["'sine'?"]),
        ({"loads": {"k": {"kind": "force", "strength": {}}}}, "loads.k.strength.shape", ["is missing", "sine, ramp"]),
        ({"supports": [{"kind": "force", "strength": 1, "at": None}]}, "supports[0].at", ["not a place"]),
        ({"bodies": {"bus": {"mass": 1, "count": 2, "gains": [[1, 2]]}}}, "bodies.bus.gains", ["excludes 'count'"]),
        ({"name": ""}, "name", ["empty"]),
        (
            {"bodies": {"b": {"mass": 1, "attitude": [1, 2, 3]}}},
            "bodies.b.attitude",
            ["not an attitude", "four numbers"],
        ),
        ({"bodies": {"b": {"mass": 1, "attitude": "up"}}}, "bodies.b.attitude", ["not an attitude", "string 'up'"]),
        ({"bodies": {"b": {"mass": 1, "attitude": [1, 2, "x", 3]}}}, "bodies.b.attitude[2]", ["a number"]),
        (
            {"bodies": {"b": {"mass": 1, "attitude": [[1, 0, 0], [0, "x", 0], [0, 0, 1]]}}},
            "bodies.b.attitude[1][1]",
            ["finite number"],
        ),
        ({"bodies": {"b": {"mass": 1, "attitude": {"shape": "sine"}}}}, "bodies.b.attitude.amplitude", ["missing"]),
        ({"bodies": {"b": {"mass": 1, "spots": [1, "a", 3.5]}}}, "bodies.b.spots[1]", ["finite number"]),
        ({"bodies": {"b": {"mass": 1, "spots": [1, "a", 3.5, 4]}}}, "bodies.b.spots[2]", ["not a place", "3.5"]),
    ],
)
def test_a_mistake_is_named_with_key_found_and_expected(data: dict[str, object], key: str, words: list[str]) -> None:
    error = refusal(**data)
    assert error.key == key
    assert str(error).startswith(f"craft.toml: {key}: ")
    assert not error.others, str(error)
    for word in words:
        assert word in str(error), str(error)


def test_a_misspelled_key_suggests_the_right_one_and_is_not_reported_twice() -> None:
    error = refusal(bodies={"bus": {"mas": 1.0}})
    assert isinstance(error, UnknownKeyError)
    assert error.key == "bodies.bus.mas"
    assert "did you mean 'mass'?" in str(error) and not error.others
    inner = refusal(loads={"k": {"kind": "torque", "axes": [0, 0, 1]}})
    assert inner.key == "loads.k.axes" and "did you mean 'axis'?" in str(inner)
    assert inner.expected == "one of kind, axis"


def test_all_mistakes_come_at_once_and_the_misspelled_key_first() -> None:
    error = refusal(bodies={"bus": {"mass": -1, "methud": "rk4"}, "arm": {"mass": "x"}})
    assert error.key == "bodies.bus.methud"
    assert [other.key for other in error.others] == ["bodies.bus.mass", "bodies.arm.mass"]  # type: ignore[attr-defined]
    assert str(error).count("Also: ") == 2 and str(error).count("craft.toml") == 1
    assert len(error.facts()["others"]) == 2  # type: ignore[arg-type]


def test_python_is_checked_by_the_same_words_and_takes_arrays() -> None:
    body = Body(mass=np.float64(2.0), inertia=np.array([1.0, 2.0, 3.0]), count=np.int64(3), method="RK4")
    assert body.inertia == (1.0, 2.0, 3.0) and body.count == 3 and body.method == "rk4"
    assert body.changed(mass=3.0) == Body(mass=3.0, inertia=(1.0, 2.0, 3.0), count=3, method="rk4")
    with pytest.raises(InputError, match=r"mass: is out of range; found 0.0, expected a number above 0, in kg"):
        Body(mass=0.0)

    class Wheel(Declared):
        raises = VehicleError
        speed: float = option(0.0, "speed")

    with pytest.raises(VehicleError, match="did you mean 'speed'"):
        Wheel(sped=1.0)  # type: ignore[call-arg]


def test_options_can_be_asked(tmp_path: Path) -> None:
    by_name = {item.name: item for item in options(Body)}
    mass = by_name["mass"]
    assert (mass.mandatory, mass.unit, mass.range_words, mass.meaning) == (True, "kg", "above 0", "mass")
    assert by_name["method"].choices == ("dop853", "rk4") and by_name["method"].default == "dop853"
    assert by_name["gains"].words == "rows of 2 numbers" and by_name["file"].words == "a file name"
    assert [item.name for item in options(Craft)][-1] == "A"
    found = option_at(Craft, ("loads", "kick", "strength", "duration"))
    assert found is not None and found.unit == "s"
    assert option_at(Craft, ("bodies", "bus", "inertias")) is None


def test_files_are_relative_to_the_file_that_names_them(tmp_path: Path) -> None:
    path = tmp_path / "craft.toml"
    path.write_text('A = [1.0]\n[bodies.bus]\nmass = 1\nfile = "wing.h5"\n')
    craft = read_declared(Craft, path)
    assert craft.bodies["bus"].file == tmp_path / "wing.h5" and craft.state_matrix == (1.0,)
    path.write_text("A = [")
    with pytest.raises(CaseError, match="not valid TOML"):
        read_declared(Craft, path)


def test_the_json_schema_says_what_the_reader_checks() -> None:
    jsonschema = pytest.importorskip("jsonschema")
    schema = json_schema(Craft)
    mass = schema["$defs"]["Body"]["properties"]["mass"]
    assert mass["exclusiveMinimum"] == 0.0 and mass["unit"] == "kg" and mass["description"] == "mass"
    good = {"bodies": {"bus": {"mass": 1, "damping": [0.1]}}, "loads": {"k": {"kind": "torque"}}, "A": [1.0]}
    jsonschema.validate(good, schema)
    for bad in ({"bodies": {"bus": {"mass": 0}}}, {"bodeis": {}}, {"loads": {"k": {"kind": "forze"}}}):
        with pytest.raises(jsonschema.ValidationError):
            jsonschema.validate(bad, schema)
