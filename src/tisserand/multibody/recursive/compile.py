"""A vehicle with its loads and controllers as flat arrays, once; the right-hand side never touches Python objects.

Serves theory section 5.2.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field

import numpy as np

from tisserand.arrays import FloatArray, IntArray
from tisserand.multibody.controllers import Controller, LinearController
from tisserand.multibody.loads import Load
from tisserand.multibody.profiles import Profile
from tisserand.multibody.recursive import layout as at
from tisserand.multibody.recursive.packing import Packer, has_second_degree, pack_block, pack_node
from tisserand.multibody.recursive.wiring import Wiring, wire
from tisserand.multibody.signals import Signal
from tisserand.multibody.tree import Tree, TreeBody, expand
from tisserand.multibody.vehicle import PrescribedMotion, Vehicle


@dataclass(frozen=True, eq=False, kw_only=True)
class CompiledVehicle:
    """Flat arrays of one vehicle: ints I, floats F, workspace size, and the maps from names to places in the state y.

    joint_q, joint_u: joint -> places of its coordinates and speeds; eta, rotor, control_states: name -> slice or place
    relative to their groups; references (nb, 3): reference point of each tree body in its axes;
    fields: the gravity gradients among the loads.
    """

    vehicle: Vehicle
    tree: Tree
    I: IntArray
    F: FloatArray
    work_size: int
    joint_q: dict[str, list[int]]
    joint_u: dict[str, list[int]]
    eta: dict[str, slice]
    rotor: dict[str, int]
    wiring: Wiring
    references: FloatArray
    quaternions: tuple[int, ...]
    body_index: dict[str, int] = field(default_factory=dict)
    fields: tuple[Load, ...] = ()

    @property
    def size(self) -> int:
        return int(self.I[at.SIZE])

    @property
    def speeds(self) -> int:
        """Place of the first speed in y; coordinates come before it."""
        return int(self.I[at.SPEEDS])

    @property
    def account(self) -> int:
        """Place of the accounts (work, impulse, angular impulse) in y."""
        return int(self.I[at.ACCOUNT])

    def eta_places(self, name: str) -> tuple[slice, slice]:
        """Places of an appendage's modal coordinates and rates in y."""
        s = self.eta[name]
        q, u = int(self.I[at.ETA]), int(self.I[at.ETA_RATE])
        return slice(q + s.start, q + s.stop), slice(u + s.start, u + s.stop)

    def rotor_places(self, name: str) -> tuple[int, int]:
        """Places of a rotor's angle and rate in y."""
        return int(self.I[at.PSI]) + self.rotor[name], int(self.I[at.PSI_RATE]) + self.rotor[name]

    def workspace(self) -> FloatArray:
        return np.zeros(self.work_size)

    def held(self) -> FloatArray:
        """The array U: pose of a driven base and inputs held from outside."""
        U = np.zeros(7 + max(len(self.wiring.held), 1))
        U[3] = 1.0
        return U


def _count_states(
    tree: Tree,
) -> tuple[dict[str, list[int]], dict[str, list[int]], list[int], list[int], int, int, list[int]]:
    joint_q: dict[str, list[int]] = {}
    joint_u: dict[str, list[int]] = {}
    iq, iu, quaternions = [0], [0], [3]
    q, u = 7, 6
    for body in tree.bodies[1:]:
        n, m = {"hinge": (1, 1), "prismatic": (1, 1), "ball": (4, 3), "fixed": (0, 0)}[body.kind]
        iq.append(q)
        iu.append(u)
        if body.kind == "ball":
            quaternions.append(q)
        if body.joint is not None and n:
            joint_q.setdefault(body.joint, []).extend(range(q, q + n))
            joint_u.setdefault(body.joint, []).extend(range(u, u + m))
        q, u = q + n, u + m
    return joint_q, joint_u, iq, iu, q, u, quaternions


def compile_vehicle(
    vehicle: Vehicle, loads: Sequence[Load] = (), controllers: Sequence[Controller] = (), signals: Sequence[Signal] = ()
) -> CompiledVehicle:
    """Flat arrays of a vehicle, its loads, control laws and extra signals (events, outputs)."""
    tree = expand(vehicle)
    joint_q, joint_u, iq, iu, nq, nu, quaternions = _count_states(tree)
    pack = Packer()
    eta: dict[str, slice] = {}
    modes = 0
    for body in tree.bodies:
        for block in body.blocks:
            eta[block.name] = slice(modes, modes + block.integrals.count)
            modes += block.integrals.count
    rotor = {r.name: i for i, r in enumerate(r for b in tree.bodies for r in b.rotors)}
    speeds = nq + modes + len(rotor)
    joint_u = {name: [speeds + i for i in places] for name, places in joint_u.items()}
    nx = sum(c.A.shape[0] for c in controllers if isinstance(c, LinearController))
    state = speeds + nu + modes + len(rotor)

    h = np.zeros(at.HEADER, np.int64)
    h[at.BODIES], h[at.SPEEDS], h[at.MODES], h[at.ROTORS], h[at.STATES] = (
        len(tree.bodies),
        speeds,
        modes,
        len(rotor),
        nx,
    )
    h[at.ETA], h[at.PSI], h[at.ETA_RATE], h[at.PSI_RATE] = nq, nq + modes, speeds + nu, speeds + nu + modes
    h[at.STATE], h[at.ACCOUNT], h[at.SIZE] = state, state + nx, state + nx + 7

    references = np.array(
        [b.child_point if b.child_node is None and i else np.zeros(3) for i, b in enumerate(tree.bodies)]
    )
    bodies = np.zeros((len(tree.bodies), at.B_STRIDE), np.int64)
    wiring = wire(
        vehicle,
        tree,
        loads,
        controllers=controllers,
        signals=signals,
        pack=pack,
        joint_q=joint_q,
        joint_u=joint_u,
        eta=eta,
        rotor=rotor,
        header=h,
    )
    nodes_by_body: dict[int, list[int]] = {}
    rows_node: list[list[int]] = []
    order: list[tuple[int, object, str, int]] = []
    for k, body in enumerate(tree.bodies):
        if body.parent_node is not None:
            order.append((body.parent, body.parent_node, "parent", k))
        if body.child_node is not None:
            order.append((k, body.child_node, "child", k))
    order += [(k, node, "load", i) for i, (k, node) in enumerate(wiring.nodes)]
    order.sort(key=lambda item: item[0])
    node_number: dict[tuple[str, int], int] = {}
    for number, (k, node, use, who) in enumerate(order):
        nodes_by_body.setdefault(k, []).append(number)
        node_number[(use, who)] = number
        rows_node.append(pack_node(pack, tree.bodies[k], k, node, references[k], eta))

    rows_block: list[list[int]] = []
    rows_rotor: list[list[int]] = []
    flex = []
    first_mode = 0
    for k, body in enumerate(tree.bodies):
        row = bodies[k]
        row[at.B_PARENT], row[at.B_KIND] = body.parent, at.KINDS[body.kind]
        row[at.B_Q], row[at.B_U] = iq[k], speeds + iu[k]
        row[at.B_MOTION] = pack.profile(body.motion)
        row[at.B_MODES], row[at.B_ETA] = body.modes, first_mode
        row[at.B_BLOCKS], row[at.B_BLOCK] = len(body.blocks), len(rows_block)
        row[at.B_PARENT_NODE] = node_number.get(("parent", k), -1)
        row[at.B_CHILD_NODE] = node_number.get(("child", k), -1)
        row[at.B_ROTORS], row[at.B_ROTOR] = len(body.rotors), len(rows_rotor)
        mine = nodes_by_body.get(k, [])
        row[at.B_NODES], row[at.B_NODE] = len(mine), mine[0] if mine else 0
        turning = any(has_second_degree(block) for block in body.blocks)
        mass, diagonal = _modal_mass(body, references[k])
        row[at.B_MASS], row[at.B_DIAGONAL] = pack.floats(mass), diagonal
        carries = any(("parent", c) in node_number and tree.bodies[c].parent == k for c in range(len(tree.bodies)))
        row[at.B_DENSE] = int(body.modes > 0 and (carries or row[at.B_CHILD_NODE] >= 0 or turning or not diagonal))
        row[at.B_FLOAT] = _pack_body(pack, body, tree, references[k])
        local = 0
        for block in body.blocks:
            rows_block.append(pack_block(pack, block, references[k], first_mode + local, local))
            local += block.integrals.count
        for r in body.rotors:
            mode = {"torque": 0, "speed": 1, "momentum": 2}[r.mode]
            f = pack.floats([*r.axis, r.spin_inertia, r.damping])
            rows_rotor.append([k, mode, pack.profile(r.profile), f, rotor[r.name]])
        first_mode += body.modes
        flex.append((15 * body.modes) + (body.modes**2 if row[at.B_DENSE] else 0) + (6 * body.modes if turning else 0))

    h[at.GRAVITY] = pack.floats(vehicle.gravity)
    base = vehicle.base_motion
    driven = base if isinstance(base, PrescribedMotion) else PrescribedMotion()
    for place, profile in zip((at.BASE_X, at.BASE_Y, at.BASE_Z, at.BASE_ANGLE), (*driven.translation, driven.angle)):
        h[place] = pack.profile(profile)
    h[at.BASE_AXIS] = pack.floats(driven.axis)

    work = 0
    h[at.BODY_WORK], work = work, work + at.W_STRIDE * len(tree.bodies)
    for k, size in enumerate(flex):
        bodies[k, at.B_FLEX], work = work, work + size
    for row_node in rows_node:
        row_node[at.N_WORK], work = work, work + at.Q_PHI + 6 * row_node[at.N_MODES]
    widest = max((b.integrals.count for body in tree.bodies for b in body.blocks), default=0)
    for place, size in (
        (at.SCRATCH, 160 + 81 * widest + max((row[at.K_MORE] for row in rows_block), default=0) * (3 * widest + 13)),
        (at.AMPLITUDE, len(wiring.load_rows)),
        (at.SIGNAL_WORK, len(wiring.signal_rows)),
        (at.COMMAND_WORK, len(wiring.commands)),
        (at.RESULT, at.RESULTS),
    ):
        h[place], work = work, work + size
    h[at.WORK_SIZE] = work

    for row_load in wiring.load_rows:
        if at.LOAD_NODE_FORCE_BODY <= row_load[at.L_KIND] <= at.LOAD_NODE_TORQUE_INERTIAL:
            row_load[at.L_TARGET] = node_number[("load", row_load[at.L_TARGET])]
    h[at.LOADS], h[at.SIGNALS], h[at.COMMANDS] = len(wiring.load_rows), len(wiring.signal_rows), len(wiring.commands)
    h[at.CONTROL] = pack.floats(wiring.control)
    tables = (
        (at.BODY_TABLE, bodies),
        (at.BLOCK_TABLE, rows_block),
        (at.NODE_TABLE, rows_node),
        (at.ROTOR_TABLE, rows_rotor),
        (at.PROFILE_TABLE, pack.profile_rows),
        (at.LOAD_TABLE, wiring.load_rows),
        (at.SIGNAL_TABLE, wiring.signal_rows),
    )
    ints, place = [h], at.HEADER
    for key, rows in tables:
        h[key] = place
        flat = np.asarray(rows, np.int64).ravel()
        ints.append(flat)
        place += len(flat)
    I, F = np.concatenate(ints), np.array(pack.data or [0.0])
    I.setflags(write=False)
    places = {body.name: i for i, body in enumerate(tree.bodies)}
    return CompiledVehicle(
        vehicle=vehicle,
        tree=tree,
        I=I,
        F=F,
        work_size=work,
        joint_q=joint_q,
        joint_u=joint_u,
        eta=eta,
        rotor=rotor,
        wiring=wiring,
        references=references,
        quaternions=tuple(quaternions),
        body_index=places,
        fields=tuple(load for load in loads if load.kind == "gradient"),
    )


def _modal_mass(body: TreeBody, reference: FloatArray) -> tuple[FloatArray, int]:
    """Me of the blocks, Mr where the modal mass changes with the deformation; whether it is diagonal."""
    mass = np.zeros((body.modes, body.modes))
    local = 0
    for block in body.blocks:
        n = block.integrals.count
        mass[local : local + n, local : local + n] = (
            block.field(reference).constant_mass if has_second_degree(block) else block.integrals.modal_mass
        )
        local += n
    off = np.abs(mass - np.diag(np.diag(mass))).max(initial=0.0)
    diagonal = bool(off <= 1e-13 * np.abs(mass).max(initial=0.0))
    return (np.diag(np.diag(mass)) if diagonal else mass), int(diagonal)


def _pack_body(pack: Packer, body: TreeBody, tree: Tree, reference: FloatArray) -> int:
    """Floats of one body, about its reference point; the undeformed appendages are part of it."""
    mass, first, inertia = body.mass, body.first.copy(), body.inertia.copy()
    for block in body.blocks:
        i = block.integrals
        mass, first, inertia = mass + i.mass, first + i.mass * i.center, inertia + i.inertia
    d = -reference
    shift = np.outer(first, d) + np.outer(d, first) + mass * np.outer(d, d)
    inertia = inertia + np.trace(shift) * np.eye(3) - shift
    first = first + mass * d
    accelerated = inertia.copy()
    for r in body.rotors:
        if r.mode == "torque":
            accelerated -= r.spin_inertia * np.outer(r.axis, r.axis)
    parent_reference = np.zeros(3)
    if body.parent >= 0:
        p = tree.bodies[body.parent]
        parent_reference = p.child_point if p.child_node is None and body.parent else np.zeros(3)
    values = np.concatenate(
        [
            [mass],
            first,
            inertia.ravel(),
            accelerated.ravel(),
            body.axis,
            body.parent_point - parent_reference,
            body.parent_frame.ravel(),
            body.child_frame.T.ravel(),
            body.law,
            reference,
        ]
    )
    return pack.floats(values)


def profiles_of(compiled: CompiledVehicle, loads: Sequence[Load], controllers: Sequence[Controller]) -> list[Profile]:
    """Every profile that acts, for corners and frequencies."""
    found: list[Profile | None] = [b.motion for b in compiled.tree.bodies]
    found += [r.profile for r in compiled.vehicle.rotors]
    base = compiled.vehicle.base_motion
    if isinstance(base, PrescribedMotion):
        found += [*base.translation, base.angle]
    found += [x.source for x in loads if isinstance(x.source, Profile)]
    found += [s.profile for c in controllers for s in c.inputs]
    return [p for p in found if p is not None]
