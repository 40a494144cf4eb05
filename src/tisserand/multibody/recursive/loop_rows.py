"""Loops as records after the tables of the model's buffer.

Serves theory section 11.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from tisserand.arrays import FloatArray, IntArray
from tisserand.errors import VehicleError
from tisserand.multibody.loads import Load
from tisserand.multibody.loop_law import Loop
from tisserand.multibody.loops import inputs_of_loop
from tisserand.multibody.profiles import Profile
from tisserand.multibody.recursive import endings, loop_endings
from tisserand.multibody.recursive.bench import Bench, joint_place, speed_place
from tisserand.multibody.recursive.element_rows import end_of
from tisserand.multibody.recursive.engine_model import POSE
from tisserand.multibody.recursive.kernels import loop_row_kernels
from tisserand.multibody.recursive.packing import row
from tisserand.multibody.recursive.wiring import Wiring
from tisserand.multibody.vehicle import Vehicle

endings.SENTENCES.update(loop_endings.SENTENCES)
#: Inputs that all loops share: energy that projections have added, energy that impacts have taken, J.
PROJECTED, LOST = "loops:projected", "loops:lost"


@dataclass(frozen=True, eq=False, kw_only=True)
class LoopPlaces:
    """Where a loop keeps its numbers in the held array U: ``rows`` multipliers, whether it holds, its constant level.

    size: the length that its residuals are compared with, m; scale (rows,): m per unit of each residual.
    """

    name: str
    loop: Loop
    multipliers: int
    on: int
    level: int
    size: float
    scale: FloatArray

    @property
    def rows(self) -> int:
        return self.loop.rows


def loop_names(loads: Sequence[Load]) -> list[str]:
    """The inputs that loops fill in."""
    chosen = [load for load in loads if load.loop is not None]
    return [one for load in chosen for one in inputs_of_loop(load)] + [PROJECTED, LOST] * bool(chosen)


def geared_inputs(vehicle: Vehicle, loads: Sequence[Load]) -> frozenset[str]:
    """The inputs of gears of which a joint is free; a gear between two prescribed joints raises VehicleError."""
    found: set[str] = set()
    for load in loads:
        if load.loop is None or load.loop.kind != "gear":
            continue
        pairs = list(zip(load.loop.joints, load.loop.axes))
        motions = [vehicle.joint(name).motion for name, _ in pairs]
        if all(axis < len(motion) and motion[axis] is not None for (_, axis), motion in zip(pairs, motions)):
            raise VehicleError(
                "the motions of both joints of a gear are prescribed",
                where=f"load {load.name}",
                found=" and ".join(load.loop.joints),
                advice="leave one of them free, or omit the gear",
            )
        found |= {f"{load.name}#{i}" for i in range(len(pairs))}
    return frozenset(found)


def _across(direction: FloatArray) -> FloatArray:
    """(2, 3) unit vectors across a direction, right-handed with it."""
    first = np.cross(direction, np.eye(3)[np.argmin(np.abs(direction))])
    first = first / np.linalg.norm(first)
    return np.array([first, np.cross(direction, first)])


def _wrenches(loop: Loop, at: Any) -> list[tuple[int, FloatArray, FloatArray]]:
    """Type, force and torque of every row of a loop between places, in axes of its first end."""
    none, eye, along = np.zeros(3), np.eye(3), loop.direction
    if loop.kind == "plane":
        return [(at.POSITION, along, none)]
    if loop.kind == "skate":
        return [(at.SIDE, along, none)]
    across = _across(along) if np.any(along) else np.zeros((0, 3))
    if loop.kind == "line":
        return [(at.POSITION, one, none) for one in across]
    if loop.kind == "rolling":
        grip = [(at.RATE, one, np.cross(-loop.radius * along, one)) for one in across]
        return [(at.POSITION, along, none), *grip]
    rows = [(at.POSITION, one, none) for one in eye]
    rows += [(at.TURN, none, one) for one in eye] if loop.kind == "weld" else []
    return rows + ([(at.AXIS, none, one) for one in across] if loop.kind == "hinge" else [])


def loop_records(
    bench: Bench, wiring: Wiring, numbers: dict[tuple[str, int], int], loads: Sequence[Load]
) -> tuple[list[Any], tuple[LoopPlaces, ...]]:
    """The records of all loops, and their places. numbers: of the nodes, by their use."""
    chosen = [load for load in loads if load.loop is not None]
    if not chosen:
        return [], ()
    at, records, places = loop_row_kernels(), [], []
    first = POSE + max(len(wiring.held), 1)
    rows = 0
    for load in chosen:
        loop, where = load.loop, f"loop {load.name}"
        assert loop is not None
        start = first + wiring.driven.index(f"{load.name}#0")
        one = row(
            at.LOOP,
            kind=at.JOINTS if loop.joints else at.DISTANCE if loop.kind == "distance" else at.PLACES,
            rows=loop.rows,
            row=rows,
            inputs=start,
            multipliers=start + loop.pulls,
            on=start + loop.pulls + loop.rows,
            level=start + loop.pulls + loop.rows + 1,
            profile=bench.pack.profile(loop.level) if isinstance(loop.level, Profile) else -1,
            axis=loop.direction,
            friction=loop.friction,
        )
        _tie(bench, numbers, loop, one, where)
        if one["kind"] == at.PLACES:
            for k, (kind, force, torque) in enumerate(_wrenches(loop, at)):
                one["types"][k], one["force_A"][k], one["torque_A"][k] = kind, force, torque
                one["scale"][k] = 1.0 if np.any(force) else one["size"]
        rows += loop.rows
        records.append(one)
        places.append(
            LoopPlaces(
                name=load.name,
                loop=loop,
                multipliers=int(one["multipliers"]),
                on=int(one["on"]),
                level=int(one["level"]),
                size=float(one["size"]),
                scale=np.array(one["scale"][: loop.rows]),
            )
        )
    return records, tuple(places)


def _tie(bench: Bench, numbers: dict[tuple[str, int], int], loop: Loop, one: Any, where: str) -> None:
    """Ends or joints of a loop into its record, and its size: the longest of its arms, one meter where all are zero."""
    arms = [loop.radius, loop.level if isinstance(loop.level, float) and loop.kind == "distance" else 0.0]
    for i, end in enumerate(loop.ends):
        one["ends"][i], one["points_B"][i], one["C_B"][i] = end_of(bench, numbers, end, where)
        one["on_node"][i] = end.on_appendage
        arms.append(float(np.linalg.norm(one["points_B"][i])))
        if end.on_appendage:
            _, node = bench.nodes[bench.known[end.part, end.place]]  # type: ignore[index]
            arms.append(float(np.linalg.norm(node.position)))
    if len(loop.ends) == 2 and loop.ends[0].part == loop.ends[1].part:
        raise VehicleError("a loop needs two parts", where=where, found=loop.ends[0].part)
    for i, (joint, axis, factor) in enumerate(zip(loop.joints, loop.axes, loop.factors)):
        one["places"][i] = joint_place(bench, joint, axis, where)
        one["speeds"][i], one["factors"][i] = speed_place(bench, False, joint, axis, where), factor
    one["size"] = max(arms) if max(arms) > 0.0 else 1.0
    one["scale"] = 1.0
    if loop.joints and bench.vehicle.joint(loop.joints[0]).kind != "prismatic":
        one["scale"] = one["size"]


def loop_words(records: list[Any]) -> IntArray:
    """The records with the number of rows and of loops, as words of the model's buffer; empty without loops."""
    if not records:
        return np.zeros(0, np.int64)
    parts = [np.ascontiguousarray(one).reshape(1).view(np.int64) for one in records]
    rows = sum(int(one["rows"]) for one in records)
    return np.concatenate([*parts, np.array([rows, len(records)], np.int64)])


def ready_inputs(U: FloatArray, places: Sequence[LoopPlaces]) -> None:
    """Every loop that holds from the start does so at its level (in place)."""
    for one in places:
        loop = one.loop
        U[one.on] = float(loop.begin is None and loop.kind != "stop")
        U[one.level] = loop.level if isinstance(loop.level, float) and loop.kind != "rolling" else loop.radius
