"""A vehicle with its loads and controllers as flat arrays, once; the right-hand side never touches Python objects.

Serves theory section 5.2.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from functools import cached_property
from typing import Any

import numpy as np

from tisserand.arrays import FloatArray, IntArray
from tisserand.multibody.compiled_law import CompiledLaw
from tisserand.multibody.controllers import Controller, LinearController
from tisserand.multibody.environment_law import EnvironmentLaw
from tisserand.multibody.force_elements import plain_loads
from tisserand.multibody.loads import Load
from tisserand.multibody.profiles import Profile
from tisserand.multibody.recursive.bench import Bench
from tisserand.multibody.recursive.body_rows import Nodes, body_rows
from tisserand.multibody.recursive.element_rows import element_names, with_complex_engine, with_elements
from tisserand.multibody.recursive.engine_model import (
    BLOCK,
    BODY,
    LOAD,
    LOAD_NODE_FORCE_BODY,
    LOAD_NODE_TORQUE_INERTIAL,
    NODE,
    POSE,
    PROFILE,
    ROTOR,
    SIGNAL,
    TURNING,
    Model,
    read_model,
    written,
)
from tisserand.multibody.recursive.environment_rows import (
    input_names,
    refuse_two_gravities,
    surroundings_of,
    with_complex_engine_around,
    with_surroundings,
)
from tisserand.multibody.recursive.hardware_rows import hardware_names, pack_hardware, place_inner
from tisserand.multibody.recursive.kernels import (
    element_rhs,
    element_tangent,
    environment_kernels,
    environment_rhs,
    environment_tangent,
    hardware_kernels,
    kernels,
    loop_kernels,
    loop_row_kernels,
    loop_tangent,
)
from tisserand.multibody.recursive.loop_rows import (
    LoopPlaces,
    geared_inputs,
    loop_names,
    loop_records,
    loop_words,
    ready_inputs,
)
from tisserand.multibody.recursive.packing import Packer, rows
from tisserand.multibody.recursive.places import places_of
from tisserand.multibody.recursive.wiring import Wiring, wire
from tisserand.multibody.recursive.workspace import Workspace, place_tables, read_workspace
from tisserand.multibody.signals import Signal
from tisserand.multibody.tree import Tree, expand
from tisserand.multibody.vehicle import PrescribedMotion, Vehicle


@dataclass(frozen=True, eq=False, kw_only=True)
class CompiledVehicle:
    """Tables of one vehicle: the buffer M of the model, the constants F, and the maps from names to places in the state y.

    joint_q, joint_u: joint -> places of its coordinates and speeds; eta, rotor, control_states: name -> slice or place
    relative to their groups; references (nb, 3): reference point of each tree body in its axes;
    fields: the laws of gravity among the loads; elements: force elements are among them; laws: compiled control laws, None
    without these and without wheels; surroundings: laws of the environment by their first input.
    """

    vehicle: Vehicle
    tree: Tree
    M: IntArray
    F: FloatArray
    joint_q: dict[str, list[int]]
    joint_u: dict[str, list[int]]
    eta: dict[str, slice]
    rotor: dict[str, int]
    wiring: Wiring
    references: FloatArray
    quaternions: tuple[int, ...]
    body_index: dict[str, int] = field(default_factory=dict)
    fields: tuple[Load, ...] = ()
    elements: bool = False
    laws: tuple[Any, ...] | None = None
    loops: tuple[LoopPlaces, ...] = ()
    surroundings: dict[str, EnvironmentLaw] = field(default_factory=dict)

    def __getstate__(self) -> dict[str, Any]:
        if self.wiring.driven:
            raise TypeError("a vehicle with driven inputs is compiled for one process: send the vehicle and its loads")
        return self.__dict__

    @cached_property
    def model(self) -> Model:
        """The tables as NumPy records."""
        return read_model(self.M)

    @cached_property
    def head(self) -> Any:
        """Sizes and places: the record ``HEAD`` of the model."""
        return self.model.head[0]

    @property
    def size(self) -> int:
        return int(self.head["size"])

    @property
    def speeds(self) -> int:
        """Place of the first speed in y; coordinates come before it."""
        return int(self.head["speeds"])

    @property
    def state(self) -> int:
        """Place of the first state of the control laws in y."""
        return int(self.head["state"])

    @property
    def account(self) -> int:
        """Place of the accounts (work, impulse, angular impulse) in y."""
        return int(self.head["account"])

    @property
    def states(self) -> int:
        """States of the control laws."""
        return int(self.head["states"])

    def eta_places(self, name: str) -> tuple[slice, slice]:
        """Places of an appendage's modal coordinates and rates in y."""
        s = self.eta[name]
        q, u = int(self.head["eta"]), int(self.head["eta_rate"])
        return slice(q + s.start, q + s.stop), slice(u + s.start, u + s.stop)

    def rotor_places(self, name: str) -> tuple[int, int]:
        """Places of a rotor's angle and rate in y."""
        return int(self.head["psi"]) + self.rotor[name], int(self.head["psi_rate"]) + self.rotor[name]

    def joint_places(self, body: int) -> tuple[int, int]:
        """Places of the first coordinate and the first speed of a tree body's joint in y."""
        one = self.model.bodies[body]
        return int(one["q"]), int(one["u"])

    def workspace(self) -> FloatArray:
        """A buffer for one evaluation at a time."""
        own = loop_row_kernels().scratch_size(sum(one.rows for one in self.loops)) if self.loops else 0
        return np.zeros(int(self.head["work_size"]) + own)

    def opened(self, W: FloatArray) -> Workspace:
        """The tables of a buffer."""
        return read_workspace(self.head, W)

    def held(self) -> FloatArray:
        """The array U: pose of a driven base and inputs held from outside."""
        U = np.zeros(POSE + max(len(self.wiring.held), 1) + len(self.wiring.driven))
        U[3] = 1.0
        ready_inputs(U, self.loops)
        return U

    def driven_place(self, name: str) -> int:
        """Place in U of an input that the engine fills in."""
        return POSE + max(len(self.wiring.held), 1) + self.wiring.driven.index(name)

    @property
    def rhs(self) -> Any:
        """The compiled right-hand side of this vehicle; what it does not have costs nothing."""
        return environment_rhs() if self.surroundings else self.equipped_rhs

    @property
    def inner_M(self) -> IntArray:
        """The buffer without what surrounds the vehicle."""
        return self.M[: int(self.M[environment_kernels().INNER])] if self.surroundings else self.M

    @property
    def equipped_rhs(self) -> Any:
        """The same once the surroundings have filled their inputs."""
        return _last(self.elements, bool(self.loops), self.laws is not None)

    @property
    def inner_rhs(self) -> Any:
        """The same once wheels and compiled laws have filled theirs too."""
        return _last(self.elements, bool(self.loops), hardware=False)

    def drive_elements(self, time: float, Y: Any, U: Any) -> int:
        """Fill the inputs U (n, m) of surroundings, force elements and loops at complex states Y (n, size); status."""
        given = (self.F, self.workspace().astype(complex), U, float(time), Y)
        if self.surroundings:
            status = int(environment_tangent()(with_complex_engine_around(self.M), *given))
            if status:
                return status
        if self.loops:
            fill = loop_tangent()
            return int(fill(with_complex_engine(self.inner_M), *given, np.zeros(self.size, complex)))
        return int(element_tangent()(with_complex_engine(self.inner_M), *given)) if self.elements else 0


def compile_vehicle(
    vehicle: Vehicle, loads: Sequence[Load] = (), controllers: Sequence[Controller] = (), signals: Sequence[Signal] = ()
) -> CompiledVehicle:
    """Tables of a vehicle, its loads, control laws and extra signals (events, outputs)."""
    tree, pack = expand(vehicle), Packer()
    places = places_of(tree, sum(c.A.shape[0] for c in controllers if isinstance(c, LinearController)))
    head = places.head
    references = np.array(
        [b.child_point if b.child_node is None and i else np.zeros(3) for i, b in enumerate(tree.bodies)]
    )
    bench = Bench(vehicle, tree, pack, places, geared=geared_inputs(vehicle, loads))
    elements, surroundings = element_names(loads), surroundings_of(loads, controllers, signals)
    refuse_two_gravities(vehicle, surroundings, loads)
    driven = [*elements, *loop_names(loads), *hardware_names(loads, controllers)]
    driven += input_names(surroundings, len(tree.bodies))
    wiring = wire(bench, plain_loads(loads), controllers, signals, driven)
    nodes = Nodes(pack, tree, references, places.eta, wiring)
    bodies, blocks, rotors = body_rows(pack, tree, references, places, nodes)
    _surroundings(pack, head, vehicle)
    for one in wiring.load_rows:
        if LOAD_NODE_FORCE_BODY <= one["kind"] <= LOAD_NODE_TORQUE_INERTIAL:
            one["target"] = nodes.number[("load", int(one["target"]))]
    records, loops = loop_records(bench, wiring, nodes.number, loads)
    head["commands"], head["control"] = len(wiring.commands), pack.floats(wiring.control)
    head["mass_size"] = sum(int(b["modes"]) ** 2 for b in bodies if b["dense"])
    head["column_count"] = sum(int(n["modes"]) for n in nodes.rows)
    widest, more = (max((int(b[word]) for b in blocks), default=0) for word in ("modes", "more"))
    head["scratch"] = 60 + 60 * widest + more * (3 * widest + 13)
    tables = {
        "bodies": rows(BODY, bodies),
        "blocks": rows(BLOCK, blocks),
        "nodes": rows(NODE, nodes.rows),
        "turning": rows(TURNING, pack.turning),
        "rotors": rows(ROTOR, rotors),
        "profiles": rows(PROFILE, pack.profiles),
        "loads": rows(LOAD, wiring.load_rows),
        "signals": rows(SIGNAL, wiring.signal_rows),
    }
    for name, table in tables.items():
        head[name] = len(table)
    place_tables(head)
    hardware = pack_hardware(pack, bench, wiring, loads, controllers, rotors)
    M = with_elements(written(head, tables), bench, wiring, nodes.number, loads, loop_words(records))
    compiled = CompiledVehicle(
        vehicle=vehicle,
        tree=tree,
        M=with_surroundings(
            M, bench, wiring, surroundings, last=_last(bool(elements), bool(loops), bool(len(hardware)))
        ),
        F=np.concatenate([pack.constants, hardware]),
        joint_q=places.joint_q,
        joint_u=places.joint_u,
        eta=places.eta,
        rotor=places.rotor,
        wiring=wiring,
        references=references,
        quaternions=tuple(places.quaternions),
        body_index={body.name: i for i, body in enumerate(tree.bodies)},
        fields=tuple(load for load in plain_loads(loads) if load.kind == "gradient"),
        elements=bool(elements),
        laws=tuple(c for c in controllers if isinstance(c, CompiledLaw)) if len(hardware) else None,
        loops=loops,
        surroundings=surroundings,
    )
    if len(hardware):
        place_inner(compiled.F, compiled.inner_rhs)
    return compiled


def _last(elements: bool, loops: bool, hardware: bool) -> Any:
    """The engine that runs once the surroundings have filled their inputs."""
    if hardware:
        return hardware_kernels().rhs_with_hardware
    if loops:
        return loop_kernels().rhs_with_loops
    return element_rhs() if elements else kernels().rhs


def _surroundings(pack: Packer, head: Any, vehicle: Vehicle) -> None:
    """Gravity and a driven base."""
    base = vehicle.base_motion
    driven = base if isinstance(base, PrescribedMotion) else PrescribedMotion()
    head["gravity_N"], head["base_axis_B"] = vehicle.gravity, driven.axis
    head["base_profiles"] = [pack.profile(profile) for profile in (*driven.translation, driven.angle)]


def profiles_of(compiled: CompiledVehicle, loads: Sequence[Load], controllers: Sequence[Controller]) -> list[Profile]:
    """Every profile that acts, for corners and frequencies."""
    found: list[Profile | None] = [b.motion for b in compiled.tree.bodies]
    found += [r.profile for r in compiled.vehicle.rotors]
    base = compiled.vehicle.base_motion
    if isinstance(base, PrescribedMotion):
        found += [*base.translation, base.angle]
    found += [x.source for x in loads if isinstance(x.source, Profile)]
    found += [x.loop.level for x in loads if x.loop is not None and isinstance(x.loop.level, Profile)]
    found += [s.profile for c in controllers for s in c.inputs]
    return [p for p in found if p is not None]
