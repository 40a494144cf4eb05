"""Histories of the outputs of many runs: kept on the disk as runs end, so that memory does not grow with them."""

from __future__ import annotations

import tempfile
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np

from tisserand.arrays import FloatArray
from tisserand.multibody.quantities import unit_in
from tisserand.multibody.trajectory import Trajectory
from tisserand.statistics.envelopes import Envelope, envelope
from tisserand.stored import create_hdf5

KIND, SCHEMA_VERSION = "tisserand histories", 1


def outputs_of(run: Trajectory) -> dict[str, FloatArray]:
    """Outputs of a run by name: its sensors; the inner signals of controllers are left out."""
    return {name: values for name, values in run.signals.items() if "/" not in name}


def output_units(run: Trajectory) -> dict[str, str]:
    """Their units."""
    return {name: unit_in(run, "signals", name, "SI") for name in outputs_of(run)}


def histories_of(run: Trajectory) -> dict[str, Any]:
    """Times and outputs of a run as plain data, to be sent and kept."""
    return {"times": run.times, "signals": outputs_of(run), "units": output_units(run)}


@dataclass(frozen=True)
class _Place:
    """Where the histories of a run are: first byte, number of times, names in order."""

    begin: int
    count: int
    names: tuple[str, ...]


class HistoryStore:
    """Histories by number of sample, in a temporary file that vanishes with this object. Rows: times, then every output."""

    def __init__(self) -> None:
        self._stream = tempfile.TemporaryFile(prefix="tisserand-histories-")  # noqa: SIM115
        self._places: dict[int, _Place] = {}
        self._end = 0
        self.units: dict[str, str] = {}

    def __len__(self) -> int:
        return len(self._places)

    @property
    def numbers(self) -> list[int]:
        """Of the samples that have histories, in order."""
        return sorted(self._places)

    def add(self, number: int, data: Mapping[str, Any]) -> None:
        """Keep the histories of a sample."""
        names = tuple(data["signals"])
        rows = np.array([data["times"], *(data["signals"][name] for name in names)], float)
        self._stream.seek(self._end)
        self._stream.write(rows.tobytes())
        self._places[number] = _Place(self._end, rows.shape[1], names)
        self._end += rows.nbytes
        self.units.update(data["units"])

    def row(self, number: int, name: str | None = None) -> FloatArray:
        """An output of a sample over its times; the times themselves without a name."""
        place = self._places[number]
        line = 0 if name is None else 1 + place.names.index(name)
        self._stream.seek(place.begin + 8 * place.count * line)
        return np.frombuffer(self._stream.read(8 * place.count))

    def data(self, number: int) -> dict[str, Any]:
        """The histories of a sample as they were added."""
        names = self._places[number].names
        signals = {name: self.row(number, name) for name in names}
        return {"times": self.row(number), "signals": signals, "units": {name: self.units[name] for name in names}}

    def envelopes(self) -> tuple[Envelope, ...]:
        """Envelopes of all outputs over the times of the first run, up to the earliest end; others are interpolated to them."""
        numbers = self.numbers
        if not numbers:
            return ()
        end = min(float(self.row(number)[-1]) for number in numbers)
        times = self.row(numbers[0])
        times = times[times <= end * (1.0 + 1e-12)]

        def read(number: int, name: str) -> Any:
            def values(part: slice) -> FloatArray:
                own, row = self.row(number), self.row(number, name)
                alike = len(own) >= len(times) and np.array_equal(own[: len(times)], times)
                return row[part] if alike else np.interp(times[part], own, row)

            return values

        names = self._places[numbers[0]].names
        return tuple(envelope(name, self.units[name], times, [read(one, name) for one in numbers]) for name in names)

    def save(self, path: str | Path, keys: Mapping[str, Iterable[float]]) -> Path:
        """All histories as HDF5: one dataset (runs, n) per output, NaN after the end of shorter runs.

        keys: values of every sample that has histories, in order.
        """
        numbers = self.numbers
        most = max(place.count for place in self._places.values())
        names = self._places[numbers[0]].names
        with create_hdf5(path) as file:
            file.attrs.update({"kind": KIND, "schema_version": SCHEMA_VERSION})
            file["sample"] = np.array(numbers) + 1
            for key, values in keys.items():
                file.create_group("keys") if "keys" not in file else None
                file["keys"].create_dataset(key.replace("/", "_"), data=np.array(list(values)))
            for name in (None, *names):
                place = "times" if name is None else f"outputs/{name}"
                table = file.create_dataset(place, (len(numbers), most), "f8", fillvalue=np.nan)
                table.attrs["unit"] = "s" if name is None else self.units[name]
                for i, number in enumerate(numbers):
                    row = self.row(number, name)
                    table[i, : len(row)] = row
        return Path(path)

    def close(self) -> None:
        self._stream.close()
