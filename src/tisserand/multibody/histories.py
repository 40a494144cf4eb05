"""Time histories of a run as one table: CSV, or Parquet.

Serves the records of theory section 5.4.
"""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np

from tisserand.errors import InputError
from tisserand.files import atomic_path, csv_name
from tisserand.multibody.attitude import angle_rates, orientation_angles
from tisserand.multibody.quantities import ETA, unit_in
from tisserand.multibody.trajectory import Trajectory


def csv_text(run: Trajectory, angles: str | None = None) -> str:
    """Time histories as CSV with units in the heading; ``angles``: a set of orientation angles of the base to add."""
    columns = history_columns(run, angles)
    head = ",".join(csv_name(name) for name, _ in columns)
    body = np.column_stack([values for _, values in columns])
    return head + "\n" + "\n".join(",".join(f"{v:.12g}" for v in row) for row in body) + "\n"


def save_parquet(run: Trajectory, path: str | Path, angles: str | None = None) -> Path:
    """The same table as Parquet (needs pyarrow)."""
    pyarrow, parquet = arrow()
    table = pyarrow.table({name: np.asarray(values) for name, values in history_columns(run, angles)})
    with atomic_path(path) as temporary:
        parquet.write_table(table, temporary)
    return Path(path)


def arrow() -> tuple[Any, Any]:
    """The packages ``pyarrow`` and ``pyarrow.parquet``, or a sentence that says how to get them."""
    try:
        import pyarrow
        import pyarrow.parquet as parquet
    except ImportError as error:
        raise InputError(
            "writing Parquet needs the package pyarrow",
            advice="install the extra with: pip install 'tisserand[tables]', or write CSV",
        ) from error
    return pyarrow, parquet


def _angle_columns(run: Trajectory, angles: str) -> list[tuple[str, Any]]:
    """Orientation angles of the base and their rates."""
    values = np.unwrap(orientation_angles(run.attitude, angles), axis=0)
    rates = angle_rates(run.attitude, run.angular_velocity, angles)
    made = [(f"angle_{i + 1} {angles} (rad)", values[:, i]) for i in range(3)]
    return [*made, *((f"angle_rate_{i + 1} {angles} (rad/s)", rates[:, i]) for i in range(3))]


def history_columns(run: Trajectory, angles: str | None = None) -> list[tuple[str, Any]]:
    """Names with units and values (n,) of every scalar history."""
    columns: list[tuple[str, Any]] = [("time_s", run.times)]
    for word, unit, axes in (
        ("position", "m", "xyz"),
        ("attitude", "-", "0123"),
        ("velocity", "m/s", "xyz"),
        ("angular_velocity", "rad/s", "xyz"),
    ):
        columns += [(f"{word}_{axis} ({unit})", getattr(run, word)[:, i]) for i, axis in enumerate(axes)]
    if angles is not None:
        columns += _angle_columns(run, angles)
    for word, group, histories, unknown in (
        ("joint", "joints", run.joints, "rad or m"),
        ("eta", "modal", run.modal, ETA),
        ("rotor_rate", "rotor_rates", run.rotor_rates, "rad/s"),
        ("signal", "signals", run.signals, "SI"),
    ):
        for name, values in histories.items():
            table, unit = np.asarray(values).reshape(len(run.times), -1), unit_in(run, group, name, unknown)
            many = table.shape[1] > 1
            columns += [
                (f"{word} {name}{f' {i + 1}' if many else ''} ({unit})", table[:, i]) for i in range(table.shape[1])
            ]
    columns.append(("energy_violation (J)", run.balance.checking))
    return columns
