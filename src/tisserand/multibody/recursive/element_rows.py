"""Force elements as records after the tables of the model's buffer.

Serves theory section 3.2.
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from tisserand.arrays import FloatArray, IntArray
from tisserand.errors import VehicleError
from tisserand.multibody.element_law import Anchor
from tisserand.multibody.force_elements import inputs_of
from tisserand.multibody.loads import Load
from tisserand.multibody.recursive.bench import Bench, body_number, from_reference, joint_place, speed_place
from tisserand.multibody.recursive.engine_model import POSE
from tisserand.multibody.recursive.kernels import element_kernels
from tisserand.multibody.recursive.packing import row
from tisserand.multibody.recursive.wiring import Wiring


def element_names(loads: Sequence[Load]) -> list[str]:
    """The inputs that elements drive; two elements of one name raise VehicleError."""
    names = [load.name for load in loads if load.element is not None or load.loop is not None]
    twice = sorted({name for name in names if names.count(name) > 1})
    if twice:
        raise VehicleError(
            "two force elements or loops have the same name", found=", ".join(twice), advice="rename one of them"
        )
    return [one for load in loads if load.element is not None for one in inputs_of(load)]


def with_elements(
    M: IntArray,
    bench: Bench,
    wiring: Wiring,
    numbers: dict[tuple[str, int], int],
    loads: Sequence[Load],
    loops: IntArray,
) -> IntArray:
    """The buffer with the words of its loops, the records of its elements, their number and the address of the engine.

    Unchanged without elements and loops. numbers: of the nodes, by their use.
    """
    chosen = [load for load in loads if load.element is not None]
    if not chosen and not len(loops):
        return M
    at = element_kernels()
    kinds = {"spring": at.SPRING, "tether": at.TETHER, "bushing": at.BUSHING, "end_stop": at.STOP}
    rows = []
    for load in chosen:
        e = load.element
        assert e is not None
        one = row(
            at.ELEMENT,
            kind=kinds.get(e.kind, at.FRICTION),
            inputs=POSE + max(len(wiring.held), 1) + wiring.driven.index(f"{load.name}#0"),
            stiffness=e.stiffness,
            damping=e.damping,
            length=e.length,
            friction=e.friction,
        )
        if e.target:
            one["speed"] = speed_place(bench, e.kind == "rotor_drag", e.target, e.axis, f"load {load.name}")
        if e.kind == "end_stop":
            one["place"] = joint_place(bench, e.target, e.axis, f"load {load.name}")
            one["friction"][:2] = bench.vehicle.joint(e.target).limits[e.axis]
        for i, end in enumerate(e.ends):
            one["ends"][i], one["points_B"][i], one["C_B"][i] = end_of(bench, numbers, end, f"load {load.name}")
            one["on_node"][i] = end.on_appendage
        rows.append(one)
    parts = [np.ascontiguousarray(one).reshape(1).view(np.int64) for one in rows]
    out = np.concatenate([M, loops, *parts, np.array([len(rows), 0, at.engine_address()], np.int64)])
    out.setflags(write=False)
    return out


def with_complex_engine(M: IntArray) -> IntArray:
    """The buffer with the address of the engine on complex numbers."""
    at = element_kernels()
    out = M.copy()
    out[-2] = at.engine_address(complex_numbers=True)
    out.setflags(write=False)
    return out


def end_of(
    bench: Bench, numbers: dict[tuple[str, int], int], end: Anchor, where: str
) -> tuple[int, FloatArray, FloatArray]:
    """Body or node, point from the reference point and axes of an end."""
    if end.on_appendage:
        assert isinstance(end.place, (int, str))
        number = bench.known[end.part, end.place]
        k, _ = bench.nodes[number]
        mounted = next(b.attitude for b in bench.tree.bodies[k].blocks if b.name == end.part)
        return numbers["load", number], np.zeros(3), mounted
    assert not isinstance(end.place, int)
    k, body = body_number(bench, end.part, where), bench.vehicle.body(end.part)
    axes = np.eye(3)
    if isinstance(end.place, str) and any(frame.name == end.place for frame in body.frames):
        axes = body.frame(end.place).attitude
    return k, from_reference(bench, k, end.part, end.place), axes
