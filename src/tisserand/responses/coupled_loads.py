"""Coupled loads: forces on a delivered system, its transient response, and the extremes of every recovered row over events.

Natural modes of the whole system, rigid ones included, are stepped exactly for forces that are straight between samples.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Literal

import numpy as np

from tisserand.arguments import checked_arguments
from tisserand.arrays import FloatArray
from tisserand.errors import FileError, InputError
from tisserand.files import text_of
from tisserand.responses.between_samples import pieces_of, refined
from tisserand.responses.chosen_rows import chosen_rows, require_free_dampers
from tisserand.responses.delivered_model import DeliveredModel
from tisserand.responses.delivery_checks import fixed_modes, free_modes, massless_flexibility
from tisserand.responses.modal_system import DampingLaw, ModalSystem, damping_law
from tisserand.responses.spectra import columns_of

#: Modes below this part of the first that strains are rigid.
_RIGID = 1e-3
Damping = float | tuple[tuple[float, float], ...]
DampedModes = Literal["system", "parts"]


@checked_arguments
def forced(
    model: DeliveredModel,
    inputs: Sequence[str],
    *,
    damping: Damping,
    damped: DampedModes = "system",
    recoveries: Sequence[str] = (),
) -> ModalSystem:
    """The modal system from forces to recovered rows.

    Motions without mass, such as rotations of lumped nodes, and modes that were left out follow their forces at once.

    Args:
        model: a part, or the system that ``join_models`` made.
        inputs: coordinates (``node 3 T1``) or recovered displacements (``NAME: displacement: node 12 T3``, or their label alone)
            that forces act on.
        damping: ratio of all elastic modes, or pairs (Hz, ratio); the structure's own dampers are added.
        damped: whose modes have these ratios, those of the ``system`` or those of its ``parts`` with their interfaces held.
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
    law = damping_law(damping)
    zeta = np.where(rigid, 0.0, law.at(hz)) if damped == "system" else np.zeros(len(hz))
    dampers = [] if model.damping is None else [model.damping]
    dampers += [_damped_parts(model, law)] if damped == "parts" else []
    own = None
    if dampers:
        own = phi.T @ sum(dampers) @ phi
        if count:  # rounding does not damp a free flight
            own[rigid], own[:, rigid] = 0.0, 0.0
    chosen = chosen_rows(model, recoveries)
    places = [_place(model, name) for name in inputs]
    force = np.array([column for _, column in places])
    direct = chosen.displacement @ (massless_flexibility(model) @ force.T)
    direct += np.column_stack([chosen.per_force(label) for label, _ in places])
    return ModalSystem(
        w=w, zeta=zeta, inputs=phi.T @ force.T, second=chosen.acceleration @ phi, zeroth=chosen.displacement @ phi,
        direct=direct, damping=own,
        first=None if chosen.velocity is None else chosen.velocity @ phi,
        input_names=tuple(inputs), labels=chosen.labels, units=chosen.units,
    )  # fmt: skip


def _damped_parts(model: DeliveredModel, law: DampingLaw) -> FloatArray:
    """(k, k) damping of the modes with all interfaces held: M Phi (2 zeta w) Phi'M over the other coordinates.

    Interface dofs have no damping, so that the forces of the parts at a joint add up to the force that acts there.
    """
    hz, shapes = fixed_modes(model)
    if not len(hz):
        raise InputError("damping by parts: no part has modes with its interface held", where=model.name)
    rest = model.modal
    moved = model.mass[np.ix_(rest, rest)] @ shapes[rest]
    out = np.zeros((len(model), len(model)))
    out[np.ix_(rest, rest)] = (moved * (4.0 * np.pi * law.at(hz) * hz)) @ moved.T
    require_free_dampers(
        model, out, "damping by parts needs modes with the interface held, as Craig-Bampton models have"
    )
    return out


def _place(model: DeliveredModel, name: str) -> tuple[str, FloatArray]:
    """Full name and (k,) generalized force of a unit force at a coordinate or along a recovered displacement.

    A displacement may be named by its label alone, such as ``node 12 T3``, where no other has the same.
    """
    for i, c in enumerate(model.coordinates):
        if c.name == name and c.node is not None:
            return name, np.asarray(np.eye(len(model))[i])
    rows = [
        (full, item.displacement[i])
        for item in model.recoveries
        if item.kind == "DTM"
        for i, (full, label) in enumerate(zip(item.full_labels, item.labels))
        if name in (full, label)
    ]
    if len(rows) == 1:
        return rows[0][0], np.asarray(rows[0][1])
    if rows:
        raise InputError(
            "a force acts on a displacement that several parts recover", where=model.name, found=repr(name),
            expected=" or ".join(repr(full) for full, _ in rows),
        )  # fmt: skip
    known = [model.coordinates[i].name for i in model.physical[:4]]
    known += [label for item in model.recoveries if item.kind == "DTM" for label in item.full_labels[:2]]
    raise InputError(
        "a force acts on no interface dof and no recovered displacement", where=model.name, found=repr(name),
        expected=f"such as {', '.join(known)}", advice="recover the loaded nodes with 'reduce --nodes'",
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
    model: DeliveredModel,
    events: Sequence[LoadEvent],
    *,
    damping: Damping,
    damped: DampedModes = "system",
    recoveries: Sequence[str] = (),
) -> CoupledLoads:
    """Transient response of a system to every event, from rest, and the extremes of its rows.

    Args:
        model: a part, or the system that ``join_models`` made.
        events: cases of loads.
        damping: ratio of all elastic modes, or pairs (Hz, ratio).
        damped: whose modes have these ratios, those of the ``system`` or those of its ``parts`` with their interfaces held.
        recoveries: names of recovery matrices; none means all.
    """
    names = [event.name for event in events]
    if not events or len(set(names)) != len(names):
        raise InputError("coupled loads need events of different names", found=", ".join(names) or "none")
    histories: dict[str, tuple[FloatArray, FloatArray]] = {}
    found = []
    for event in events:
        system = forced(model, event.inputs, damping=damping, damped=damped, recoveries=recoveries)
        pieces = pieces_of(system, event.step)
        rows = system.transient(event.step / pieces, refined(event.forces, pieces))
        times = np.asarray(event.start + event.step / pieces * np.arange(len(rows)), np.float64)
        histories[event.name] = (times[::pieces], rows[::pieces])
        high, low = rows.argmax(axis=0), rows.argmin(axis=0)
        found.append((rows.max(axis=0), times[high], rows.min(axis=0), times[low]))
    parts = [np.array(column) for column in zip(*found)]
    return CoupledLoads(Extremes(tuple(names), system.labels, system.units, *parts), histories)
