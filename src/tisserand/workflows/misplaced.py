"""Files that a command was given and another one takes: vehicle files and runs, told by a look inside."""

from __future__ import annotations

import tomllib
from pathlib import Path
from typing import Any

from tisserand.errors import FileError
from tisserand.files import existing_file, text_of
from tisserand.stored import open_hdf5

RUN_SUFFIXES = (".h5", ".hdf5")


def vehicle_table(path: Path) -> dict[str, Any] | None:
    """The content of a TOML file that states bodies and no mesh; None for every other file, broken TOML included."""
    if path.suffix.lower() != ".toml":
        return None
    try:
        table = tomllib.loads(text_of(path))
    except tomllib.TOMLDecodeError:  # whoever reads the file next says where it is broken
        return None
    return table if isinstance(table.get("bodies"), dict) and "mesh" not in table else None


def is_run(path: str | Path) -> bool:
    """Whether the file is a trajectory that ``simulate`` wrote."""
    path = existing_file(path)
    if path.suffix.lower() not in RUN_SUFFIXES:
        return False
    import h5py

    from tisserand.multibody.run_file import KIND

    if not h5py.is_hdf5(path):
        return False
    with open_hdf5(path) as file:
        return bool(file.attrs.get("kind") == KIND)


def refuse_misplaced(path: Path) -> None:
    """Raise where an appendage is needed and the file is a vehicle or a run, and say which command takes it."""
    if vehicle_table(path) is not None:
        raise FileError(
            path,
            "is a vehicle file",
            expected="an appendage: a deck, a case or a record",
            advice=f"fly it with 'tisserand simulate {path.name}'",
        )
    if is_run(path):
        raise FileError(
            path,
            "is a run that simulate wrote",
            expected="an appendage: a deck, a case or a record",
            advice=f"look at it with 'tisserand report {path.name}' or 'tisserand info {path.name}'",
        )


def describe_vehicle(path: Path, table: dict[str, Any]) -> dict[str, Any]:
    """What a vehicle file states, without opening its records."""

    def names(word: str) -> list[str]:
        value = table.get(word, {})
        return list(value) if isinstance(value, dict) else []

    appendages = table.get("appendages", {})
    return {
        "kind": "vehicle file",
        "name": str(table.get("name", path.stem)),
        "taken by": "tisserand simulate, linearise, system-modes, response, sweep, montecarlo",
        **{word: names(word) for word in ("bodies", "joints", "rotors")},
        "appendages": {
            name: str(facts.get("record", facts.get("case", "states neither record nor case")))
            for name, facts in (appendages.items() if isinstance(appendages, dict) else ())
            if isinstance(facts, dict)
        },
        **{word: names(word) for word in ("sensors", "controllers", "loads", "events")},
        "simulation": table.get("simulation", {}),
        "outputs": table.get("outputs", {}),
    }
