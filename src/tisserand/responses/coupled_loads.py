"""Coupled loads: forces on a delivered system, its transient response, and the extremes of every recovered row over events.

Natural modes of the whole system, rigid ones included, are stepped exactly for forces that are straight between samples.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

import numpy as np

from tisserand.arguments import checked_arguments
from tisserand.arrays import FloatArray
from tisserand.errors import FileError, InputError
from tisserand.files import text_of
from tisserand.responses.delivered_model import DeliveredModel
from tisserand.responses.delivery_checks import free_modes
from tisserand.responses.modal_system import ModalSystem, damping_law
from tisserand.responses.spectra import columns_of

#: Modes below this part of the first that strains are rigid.
_RIGID = 1e-3
Damping = float | tuple[tuple[float, float], ...]


@checked_arguments
def forced(
    model: DeliveredModel, inputs: Sequence[str], *, damping: Damping, recoveries: Sequence[str] = ()
) -> ModalSystem:
    """The modal system from forces to recovered rows.

    Args:
        model: a part, or the system that ``join_models`` made.
        inputs: coordinates (``node 3 T1``) or recovered displacements (``NAME: displacement: node 12 T3``) that forces act on.
        damping: ratio of all elastic modes, or pairs (Hz, ratio); the structure's own dampers are added.
        recoveries: names of recovery matrices; none means all.
    """
    values, phi = free_modes(model)
    hz = np.sqrt(np.maximum(values, 0.0)) / (2.0 * np.pi)
    count = 0 if model.held else min(int(np.linalg.matrix_rank(model.rigid)), len(hz))
    rigid = np.zeros(len(hz), bool)
    if count and len(hz) > count:
        rigid[:count] = hz[:count] < _RIGID * hz[count]
    elif count:
        rigid[:count] = True
    w = np.where(rigid, 0.0, 2.0 * np.pi * hz)
    zeta = np.where(rigid, 0.0, damping_law(damping).at(hz))
    if model.damping is not None:
        own = np.einsum("ki,kl,li->i", phi, model.damping, phi, optimize=True)
        zeta = zeta + np.divide(own, 2.0 * w, out=np.zeros_like(w), where=w > 0.0)
    chosen = [model.recovery(name) for name in recoveries] if recoveries else list(model.recoveries)
    if not chosen:
        raise InputError("the model recovers nothing", where=model.name, advice="reduce it with --nodes or --sections")
    second = np.vstack([item.acceleration for item in chosen]) @ phi
    force = np.array([_place(model, name) for name in inputs])
    return ModalSystem(
        w=w, zeta=zeta, inputs=phi.T @ force.T, second=second,
        zeroth=np.vstack([item.displacement for item in chosen]) @ phi, direct=np.zeros((len(second), len(inputs))),
        input_names=tuple(inputs), labels=tuple(label for item in chosen for label in item.full_labels),
        units=tuple(unit for item in chosen for unit in item.units),
    )  # fmt: skip


def _place(model: DeliveredModel, name: str) -> FloatArray:
    """(k,) generalized force of a unit force at a coordinate or along a recovered displacement."""
    for i, c in enumerate(model.coordinates):
        if c.name == name and c.node is not None:
            return np.asarray(np.eye(len(model))[i])
    for item in model.recoveries:
        if item.kind == "DTM" and name in item.full_labels:
            return np.asarray(item.displacement[item.full_labels.index(name)])
    known = [model.coordinates[i].name for i in model.physical[:4]]
    raise InputError(
        "a force acts on no interface dof and no recovered displacement", where=model.name, found=repr(name),
        expected=f"such as {', '.join(known)}, or a row of a DTM", advice="recover the loaded nodes with 'reduce --nodes'",
    )  # fmt: skip


@dataclass(frozen=True, eq=False)
class LoadEvent:
    """A case of loads: times at equal steps from ``start`` (s), forces (n, i) N or N m at named places."""

    name: str
    start: float
    step: float
    inputs: tuple[str, ...]
    forces: FloatArray


def read_event(path: str | Path) -> LoadEvent:
    """A CSV file: the heading ``time`` and one name per force, then times (s, equal steps) and forces."""
    path = Path(path)
    heads = [word.strip() for word in text_of(path).lstrip("\ufeff").split("\n", 1)[0].split(",")]
    if heads[0].lower() not in ("time", "time_s", "t") or len(heads) < 2:
        raise FileError(
            path, "is not a table of forces", found=heads[0][:40], expected="a heading: time, then a place per force"
        )
    table = columns_of(path)
    times = table[:, 0]
    step = np.diff(times)
    if table.shape[1] != len(heads) or len(times) < 2 or not (step > 0.0).all() or np.ptp(step) > 1e-6 * step.mean():
        raise FileError(
            path, "is not a table of forces", expected="ascending times at equal steps and one column per name"
        )
    return LoadEvent(path.stem, float(times[0]), float(step.mean()), tuple(heads[1:]), table[:, 1:])


@dataclass(frozen=True, eq=False)
class Extremes:
    """Maxima and minima of rows over events: values (e, r), times (e, r) s, per event."""

    events: tuple[str, ...]
    labels: tuple[str, ...]
    units: tuple[str, ...]
    maximum: FloatArray
    maximum_time: FloatArray
    minimum: FloatArray
    minimum_time: FloatArray

    def envelope(self) -> list[tuple[str, str, float, float, str, float, float, str]]:
        """Per row: label, unit, maximum, its time and event, minimum, its time and event."""
        out = []
        for r, label in enumerate(self.labels):
            high, low = int(self.maximum[:, r].argmax()), int(self.minimum[:, r].argmin())
            out.append((
                label, self.units[r], float(self.maximum[high, r]), float(self.maximum_time[high, r]), self.events[high],
                float(self.minimum[low, r]), float(self.minimum_time[low, r]), self.events[low],
            ))  # fmt: skip
        return out


@dataclass(frozen=True, eq=False)
class CoupledLoads:
    """Extremes of all events, and the histories (n, r) of each event."""

    extremes: Extremes
    histories: Mapping[str, tuple[FloatArray, FloatArray]]


@checked_arguments
def coupled_loads(
    model: DeliveredModel, events: Sequence[LoadEvent], *, damping: Damping, recoveries: Sequence[str] = ()
) -> CoupledLoads:
    """Transient response of a system to every event, from rest, and the extremes of its rows.

    Args:
        model: a part, or the system that ``join_models`` made.
        events: cases of loads.
        damping: ratio of all elastic modes, or pairs (Hz, ratio).
        recoveries: names of recovery matrices; none means all.
    """
    names = [event.name for event in events]
    if not events or len(set(names)) != len(names):
        raise InputError("coupled loads need events of different names", found=", ".join(names) or "none")
    histories: dict[str, tuple[FloatArray, FloatArray]] = {}
    found = []
    for event in events:
        system = forced(model, event.inputs, damping=damping, recoveries=recoveries)
        rows = system.transient(event.step, event.forces)
        times = np.asarray(event.start + event.step * np.arange(len(rows)), np.float64)
        histories[event.name] = (times, rows)
        high, low = rows.argmax(axis=0), rows.argmin(axis=0)
        found.append((rows.max(axis=0), times[high], rows.min(axis=0), times[low]))
    parts = [np.array(column) for column in zip(*found)]
    return CoupledLoads(Extremes(tuple(names), system.labels, system.units, *parts), histories)
