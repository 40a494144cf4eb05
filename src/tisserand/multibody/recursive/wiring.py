"""Loads, signals and control laws as rows of the flat tables.

Serves the loads of theory section 3.2.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Any

import numpy as np

from tisserand.arrays import FloatArray
from tisserand.errors import VehicleError
from tisserand.multibody.compiled_law import CompiledLaw
from tisserand.multibody.controllers import Controller, LinearController, SampledController
from tisserand.multibody.environment_law import signal_input
from tisserand.multibody.joints import step_of_speed
from tisserand.multibody.loads import Load
from tisserand.multibody.profiles import Profile
from tisserand.multibody.recursive import engine_model as at
from tisserand.multibody.recursive.bench import (
    Bench,
    body_number,
    coordinate_place,
    find_node,
    from_reference,
    held_input,
    refuse_unknown,
)
from tisserand.multibody.recursive.loop_signals import refuse_loop_signals
from tisserand.multibody.recursive.packing import row
from tisserand.multibody.signals import Signal
from tisserand.multibody.tree import FlexNode

#: Source of loads that a linear law commands; no name of an input.
_COMMANDED = "\0"
#: Endings of the inputs that a first-order hold is made of: value, slope, and the time from which they count.
RAMPED = ("#value", "#slope", "#since")
#: Ending of the inputs that hold what sampled sensors show.
READING = "#reading"


@dataclass(frozen=True, eq=False, kw_only=True)
class Wiring:
    """Records of loads and signals, names of commands and held inputs, and the joint control block [A B C D limits].

    driven: inputs that force elements fill in, after those held from outside; readings: sampled sensors, the number of their
    true signal (-1 of a measurement) and the input that holds what they show; law_signals: first signal of each compiled law.
    """

    load_rows: list[Any]
    load_names: list[str]
    signal_rows: list[Any]
    signal_names: list[str]
    commands: list[str]
    held: list[str]
    control: FloatArray
    control_states: dict[str, slice]
    sampled: list[tuple[SampledController, list[int], list[int]]]
    nodes: list[tuple[int, FlexNode]]
    extra: list[int]
    driven: list[str]
    readings: list[tuple[Signal, int, str]]
    law_signals: dict[str, int]


@dataclass(eq=False)
class _Table:
    """Rows with a name for each."""

    rows: list[Any] = field(default_factory=list)
    names: list[str] = field(default_factory=list)

    def add(self, name: str, *rows: Any) -> None:
        self.rows += rows
        self.names += [name] * len(rows)


def wire(
    bench: Bench,
    loads: Sequence[Load],
    controllers: Sequence[Controller],
    signals: Sequence[Signal],
    driven: Sequence[str] = (),
) -> Wiring:
    """Rows for every load, signal and control law; unknown names raise VehicleError. driven: inputs of force elements."""
    names = [c.name for c in controllers]
    if len(set(names)) != len(names):
        raise VehicleError("two controllers have the same name", found=names)
    refuse_loop_signals(controllers, signals, driven)
    acting, read = _Table(), _Table()
    commands: list[str] = []
    blocks: list[tuple[LinearController, int]] = []
    sampled: list[tuple[SampledController, list[int], list[int]]] = []
    laws: dict[str, int] = {}
    for load in loads:
        if load.source is None:
            raise VehicleError(
                "the load has no strength", where=f"load {load.name}", advice="give a profile or an input name"
            )
        acting.add(load.name, *_load_rows(bench, load))
    for c in controllers:
        first = len(read.rows)
        for s in c.inputs:
            read.add(f"{c.name}/{s.name}", _signal_row(bench, s))
        outputs = [(f"{c.name}/{load.name}", load) for load in c.outputs]
        if isinstance(c, LinearController):
            blocks.append((c, first))
            for name, load in outputs:
                made = _load_rows(bench, load.driven_by(_COMMANDED))
                for one in made:
                    one["source"], one["index"] = at.BY_COMMAND, len(commands)
                acting.add(name, *made)
                commands.append(name)
        elif isinstance(c, CompiledLaw):
            laws[c.name] = first
            for name, load in outputs:
                acting.add(name, *_load_rows(bench, load.driven_by(name)))
        else:
            words = RAMPED if c.hold == "first" else ("",)
            places = [held_input(bench, name + word) for word in words for name, _ in outputs]
            sampled.append((c, list(range(first, len(read.rows))), places))
            for name, load in outputs:
                acting.add(name, *_load_rows(bench, load.driven_by(name)))
    extra = list(range(len(read.rows), len(read.rows) + len(signals)))
    for s in signals:
        read.add(s.name, _signal_row(bench, s))
    readings = [(s, _truth(bench, read, s), f"{name}{READING}") for name, s in bench.sensors.items()]
    control, states = _control_block(blocks, len(read.rows), len(commands))
    sampled = _driven_last(bench, acting.rows, read.rows, sampled, driven)
    return Wiring(
        load_rows=acting.rows,
        load_names=acting.names,
        signal_rows=read.rows,
        signal_names=read.names,
        commands=commands,
        held=bench.held,
        control=control,
        control_states=states,
        sampled=sampled,
        nodes=bench.nodes,
        extra=extra,
        driven=list(driven),
        readings=readings,
        law_signals=laws,
    )


def _reading_row(bench: Bench, s: Signal) -> Any:
    """The record of a sampled sensor: a held input."""
    if bench.sensors.setdefault(s.name, s) is not s:
        raise VehicleError("two sampled sensors have the same name", found=s.name, advice="rename one of them")
    return row(at.SIGNAL, kind=at.SIGNAL_INPUT, index=held_input(bench, f"{s.name}{READING}"))


def _truth(bench: Bench, read: _Table, s: Signal) -> int:
    """Add the signal that a sensor samples; its number, or -1 of a measurement."""
    if s.measures is not None:
        return -1
    read.add(f"{s.name}.true", _signal_row(bench, s.ideal))
    return len(read.rows) - 1


def _driven_last(
    bench: Bench,
    loads: list[Any],
    signals: list[Any],
    sampled: list[tuple[SampledController, list[int], list[int]]],
    driven: Sequence[str],
) -> list[tuple[SampledController, list[int], list[int]]]:
    """Number the inputs that are held from outside before those that force elements drive (in place); the sampled laws."""
    if not driven:
        return sampled
    outside = [name for name in bench.held if name not in driven]
    place = {name: i for i, name in enumerate(outside)}
    place |= {name: max(len(outside), 1) + i for i, name in enumerate(driven)}
    number = [place[name] for name in bench.held]
    for one in loads:
        if one["source"] == at.BY_INPUT:
            one["index"] = number[int(one["index"])]
        if one["kind"] == at.LOAD_MAGNETIC and one["axes"] >= 0:
            one["axes"] = number[int(one["axes"])]
    for one in signals:
        if one["kind"] == at.SIGNAL_INPUT:
            one["index"] = number[int(one["index"])]
    bench.held = outside
    return [(law, ins, [number[i] for i in outs]) for law, ins, outs in sampled]


def _control_block(blocks: list[tuple[LinearController, int]], ns: int, nc: int) -> tuple[FloatArray, dict[str, slice]]:
    nx = sum(c.A.shape[0] for c, _ in blocks)
    A, B, C, D = np.zeros((nx, nx)), np.zeros((nx, ns)), np.zeros((nc, nx)), np.zeros((nc, ns))
    limits = np.tile([-np.inf, np.inf], (nc, 1))
    x = m = 0
    states = {}
    for c, first in blocks:
        n, outs, ins = c.A.shape[0], len(c.outputs), len(c.inputs)
        xs, os, ss = slice(x, x + n), slice(m, m + outs), slice(first, first + ins)
        A[xs, xs], B[xs, ss], C[os, xs], D[os, ss] = c.A, c.B, c.C, c.D
        assert c.limits is not None
        limits[os] = c.limits
        states[c.name] = xs
        x, m = x + n, m + outs
    return np.concatenate([A.ravel(), B.ravel(), C.ravel(), D.ravel(), limits.ravel()]), states


def _load_rows(bench: Bench, load: Load) -> list[Any]:
    """The records of a load; a gravity gradient has one for each body."""
    where = f"load {load.name}"
    if isinstance(load.source, Profile):
        by, index = at.BY_PROFILE, bench.pack.profile(load.source)
    elif load.source == _COMMANDED:
        by, index = at.BY_COMMAND, 0
    else:
        by, index = at.BY_INPUT, held_input(bench, str(load.source))
    shared = {"source": by, "index": index, "direction": load.direction, "rate": load.rate}
    if load.kind == "gradient":
        made = []
        for k in range(len(bench.tree.bodies)):
            if load.environment is not None:
                shared["index"] = held_input(bench, f"{load.name}#{9 * k}")
            made.append(row(at.LOAD, kind=at.LOAD_GRADIENT, target=k, axes=k, point_B=load.extra, **shared))
        return made
    if load.kind == "magnetic":
        k = body_number(bench, load.target, where)
        field = -1 if load.environment is None else held_input(bench, f"{load.name}#0")
        facts = {"axes": field, "point_B": load.extra, "orbit": load.orbit}
        return [row(at.LOAD, kind=at.LOAD_MAGNETIC, target=k, **facts, **shared)]
    point, axes = np.zeros(3), -1
    if load.kind in ("force", "torque"):
        target = body_number(bench, load.target, where)
        axes = body_number(bench, load.axes_of or load.target, where)
        point = from_reference(bench, target, load.target, load.point)
        kind = at.LOAD_FORCE_BODY if load.kind == "force" else at.LOAD_TORQUE_BODY
        kind += int(load.inertial)
    elif load.kind in ("node_force", "node_torque"):
        assert load.node is not None
        target = bench.known.setdefault((load.target, load.node), len(bench.nodes))
        if target == len(bench.nodes):
            bench.nodes.append(find_node(bench.tree, load.target, load.node, where))
        axes = bench.tree.carrier(bench.nodes[target][0])
        kind = (at.LOAD_NODE_FORCE_BODY if load.kind == "node_force" else at.LOAD_NODE_TORQUE_BODY) + int(load.inertial)
    elif load.kind == "joint":
        coordinate_place(bench.places.joint_u, load.target, load.axis, where)
        chain = [i for i, b in enumerate(bench.tree.bodies) if b.joint == load.target]
        step, axes = step_of_speed(bench.vehicle.joint(load.target).kind, load.axis)
        target, kind = chain[step], at.LOAD_JOINT
        if bench.tree.bodies[target].motion is not None and load.source not in bench.geared:
            raise VehicleError(
                "the joint's motion is prescribed, and no torque or lock has an effect on it",
                where=where,
                found=load.target,
                advice="act on another joint, or prescribe no motion",
            )
    else:
        refuse_unknown(dict(bench.places.rotor), load.target, "rotor", where)
        if bench.vehicle.rotor(load.target).mode != "torque":
            raise VehicleError(
                "the rotor is not torque-driven", where=where, found=bench.vehicle.rotor(load.target).mode
            )
        target, kind = bench.places.rotor[load.target], at.LOAD_ROTOR
    return [row(at.LOAD, kind=kind, target=target, axes=axes, point_B=point, **shared)]


def _gravity_row(bench: Bench, s: Signal, where: str) -> Any:
    """The joint's tree body and the numbers of all bodies outboard of it."""
    coordinate_place(bench.places.joint_u, s.target, s.axis, where)
    joint = bench.vehicle.joint(s.target)
    step, _ = step_of_speed(joint.kind, s.axis)
    if joint.steps[step] == "ball":
        raise VehicleError("gravity compensation needs a joint axis, a ball has none", where=where, found=s.target)
    bodies = bench.tree.bodies
    first = [i for i, b in enumerate(bodies) if b.joint == s.target][step]
    outboard = [first]
    for k in range(first + 1, len(bodies)):  # parents come before children
        if bodies[k].parent in outboard:
            outboard.append(k)
    numbers = bench.pack.floats([float(k) for k in outboard])
    return row(at.SIGNAL, kind=at.SIGNAL_GRAVITY, index=first, second=len(outboard), floats=numbers)


def _signal_row(bench: Bench, s: Signal) -> Any:
    """The record of a signal."""
    where, pack = f"signal {s.name}", bench.pack
    if s.errors is not None:
        return _reading_row(bench, s)
    if s.kind == "measured":
        raise VehicleError(
            "a measurement is read by a sampled sensor", where=where, advice="give the sensor its errors"
        )
    if s.kind in ("profile", "profile_rate"):
        kind = at.SIGNAL_PROFILE_RATE if s.kind == "profile_rate" else at.SIGNAL_PROFILE
        return row(at.SIGNAL, kind=kind, index=pack.profile(s.profile))
    if s.kind in ("joint", "joint_rate"):
        places = bench.places.joint_u if s.kind == "joint_rate" else bench.places.joint_q
        return row(at.SIGNAL, kind=at.SIGNAL_STATE, index=coordinate_place(places, s.target, s.axis, where))
    if s.kind == "gravity":
        return _gravity_row(bench, s, where)
    if s.kind in ("input", "loop", "environment"):
        driven = {"input": s.target, "loop": f"{s.target}:{s.axis + 1}", "environment": signal_input(s.name)}
        name = driven[s.kind]
        return row(at.SIGNAL, kind=at.SIGNAL_INPUT, index=held_input(bench, name))
    if s.kind in ("rotor_rate", "rotor_angle", "rotor_inertial"):
        refuse_unknown(dict(bench.places.rotor), s.target, "rotor", where)
        i = bench.places.rotor[s.target]
        if s.kind == "rotor_inertial":
            return row(at.SIGNAL, kind=at.SIGNAL_ROTOR_INERTIAL, index=i)
        first = int(bench.places.head["psi_rate" if s.kind == "rotor_rate" else "psi"])
        return row(at.SIGNAL, kind=at.SIGNAL_STATE, index=first + i)
    if s.kind in ("modal", "modal_rate", "node", "node_rate"):
        return _modal_row(bench, s, where)
    k = body_number(bench, s.target, where)
    if s.kind == "rate":
        return row(at.SIGNAL, kind=at.SIGNAL_RATE, index=k, direction=s.direction)
    if s.kind == "attitude":
        turn = {"reference": s.reference, "axis": s.turn_axis, "second": pack.profile(s.profile)}
        return row(at.SIGNAL, kind=at.SIGNAL_ATTITUDE, index=k, direction=s.direction, **turn)
    point = from_reference(bench, k, s.target, s.point)
    kind = at.SIGNAL_POSITION if s.kind == "position" else at.SIGNAL_VELOCITY
    return row(at.SIGNAL, kind=kind, index=k, direction=s.direction, point_B=point)


def _modal_row(bench: Bench, s: Signal, where: str) -> Any:
    """A combination of modal coordinates or rates, or the displacement of a node along a direction."""
    refuse_unknown(dict(bench.places.eta), s.target, "appendage", where)
    places, rate = bench.places.eta[s.target], s.kind.endswith("rate")
    if s.kind.startswith("node"):
        assert s.node is not None
        _, node = find_node(bench.tree, s.target, s.node, where)
        attitude = next(b.attitude for body in bench.tree.bodies for b in body.blocks if b.name == s.target)
        weights = (attitude @ s.direction) @ node.translation
        if np.any(node.translation_second):
            square = np.einsum("a,akl->kl", attitude @ s.direction, node.translation_second)
            floats = bench.pack.floats(np.concatenate([weights, square.ravel()]))
            bent = {"second": len(weights), "floats": floats, "rate": rate}
            return row(at.SIGNAL, kind=at.SIGNAL_BENT, index=places.start, **bent)
    else:
        weights = np.zeros(0) if s.weights is None else s.weights
    if len(weights) != places.stop - places.start:
        raise VehicleError(
            "the signal needs one weight per mode", where=where, found=len(weights), expected=places.stop - places.start
        )
    first = int(bench.places.head["eta_rate" if rate else "eta"]) + places.start
    floats = bench.pack.floats(weights)
    return row(at.SIGNAL, kind=at.SIGNAL_NODE, index=first, second=len(weights), floats=floats)
