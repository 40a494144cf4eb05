"""Component-mode bases: named coordinates, reduced matrices, and recovery.

A basis is a set of columns over the dofs of a component: static shapes for its interface dofs, modes of the rest, and
residual vectors. Reduced matrices are congruences, T'K T and T'M T, so frequencies never fall below the true ones
(MacNeal's method drops the inertia of its residual shapes and is the one exception).

References: [CraigBampton1968], [MacNeal1971].
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Literal

import numpy as np
from scipy.sparse import csr_array

from tisserand.arguments import checked_arguments
from tisserand.arrays import BoolArray, FloatArray, IntArray, frozen, symmetric
from tisserand.assembly.assembled_model import AssembledModel, DofTable
from tisserand.errors import InputError
from tisserand.model import Nodes
from tisserand.modes.interface import dof_name
from tisserand.modes.modal_basis import FrameConstraint, ModalBasis, ModeKind
from tisserand.modes.rigid import scaled_rigid_vectors

#: Terms below this part of their diagonal ones are left of a subtraction.
_ROUND_OFF = 1e-13
ReductionName = Literal[
    "craig-bampton", "guyan", "irs", "serep", "macneal", "rubin", "craig-chang", "mixed", "assumed", "coupled"
]


@dataclass(frozen=True)
class Coordinate:
    """One reduced coordinate: its name, what it is, and the physical dof it equals (node index, component), if any."""

    name: str
    kind: ModeKind
    node: int | None = None
    component: int | None = None


@dataclass(frozen=True, eq=False, repr=False, kw_only=True)
class ReducedComponent:
    """A component in reduced coordinates q: shapes T (d, k), d = T q; stiffness, mass (k, k); coordinates by name.

    model: the component, with its interface dofs independent; frequencies_hz: (k,) of modal coordinates, NaN elsewhere;
    held: (d,) dofs that supports hold in every column (None: none).
    """

    model: AssembledModel
    method: ReductionName
    shapes: FloatArray
    coordinates: tuple[Coordinate, ...]
    stiffness: FloatArray
    mass: FloatArray
    frequencies_hz: FloatArray
    notes: tuple[str, ...] = ()
    held: BoolArray | None = None

    def __post_init__(self) -> None:
        k = len(self.coordinates)
        object.__setattr__(self, "shapes", frozen(self.shapes, shape=(self.model.size, k)))
        object.__setattr__(self, "stiffness", frozen(self.stiffness, shape=(k, k)))
        object.__setattr__(self, "mass", frozen(self.mass, shape=(k, k)))
        object.__setattr__(self, "frequencies_hz", frozen(self.frequencies_hz, shape=(k,)))
        names = [c.name for c in self.coordinates]
        if len(set(names)) != k:
            raise InputError("two reduced coordinates have the same name", where=f"component {self.model.name}")

    def __len__(self) -> int:
        return len(self.coordinates)

    @property
    def physical(self) -> IntArray:
        """Coordinates that are physical interface dofs."""
        return np.array([i for i, c in enumerate(self.coordinates) if c.node is not None], np.int64)

    @property
    def modal(self) -> IntArray:
        """Coordinates that are not."""
        return np.array([i for i, c in enumerate(self.coordinates) if c.node is None], np.int64)

    def coordinate(self, name: str) -> int:
        """Position of the coordinate of that name."""
        for i, c in enumerate(self.coordinates):
            if c.name == name:
                return i
        raise InputError(
            "unknown reduced coordinate", found=repr(name), expected=", ".join(c.name for c in self.coordinates[:8])
        )

    def keeping(self, chosen: IntArray | list[int]) -> ReducedComponent:
        """The component with only the given coordinates (truncation)."""
        rows = np.asarray(chosen, np.int64)
        return ReducedComponent(
            model=self.model,
            method=self.method,
            shapes=self.shapes[:, rows],
            coordinates=tuple(self.coordinates[i] for i in rows),
            stiffness=self.stiffness[np.ix_(rows, rows)],
            mass=self.mass[np.ix_(rows, rows)],
            frequencies_hz=self.frequencies_hz[rows],
            notes=self.notes,
            held=self.held,
        )

    def recovered(self, q: FloatArray) -> FloatArray:
        """Motion of all nodes in basic axes, (n, 6, m), for reduced motions q (k, m)."""
        return self.model.displacements(self.shapes @ np.asarray(q).reshape(len(self), -1))

    @property
    def rigid_coordinates(self) -> FloatArray:
        """(k, 6) reduced coordinates of the unit rigid motions about the basic origin, fitted in the mass norm.

        Exact for bases that contain the rigid motions (the ``rigid body`` rows of the checks measure it).
        """
        S = self.model.rigid_body_vectors
        q = np.zeros((len(self), 6))
        place = self.physical
        index = self.model.dofs.index
        where = np.array([index[c.node, c.component] for c in self.coordinates if c.node is not None], np.int64)
        if len(place):
            q[place] = S[where]
        rest = self.modal
        if len(rest):
            left = self.shapes[:, rest]
            target = S - self.shapes[:, place] @ q[place]
            if np.abs(target).max() <= 1e-8 * np.abs(S).max():  # static shapes carry the rigid motions alone
                return q
            weight = self.model.mass
            q[rest] = np.linalg.lstsq(left.T @ (weight @ left), left.T @ (weight @ target), rcond=1e-13)[0]
        return q

    def as_basis(self, frame: FrameConstraint | None = None) -> ModalBasis:
        """The columns as a modal basis (frame ``prescribed`` unless given), held where the component is."""
        frame = frame or FrameConstraint("prescribed", f"columns of a {self.method} basis")
        inertia = np.diag(self.mass)
        rayleigh = np.diag(self.stiffness) / np.where(inertia > 0.0, inertia, 1.0)
        return ModalBasis(
            self.model,
            self.shapes,
            rayleigh,
            frame,
            fixed=np.zeros(self.model.size, np.bool_) if self.held is None else self.held,
            labels=tuple(c.name for c in self.coordinates),
            kinds=tuple(c.kind for c in self.coordinates),
            notes=self.notes,
        )

    def as_model(self, first_point_id: int = 100_000_001) -> AssembledModel:
        """The reduced component as an assembled model: interface nodes, and one scalar point per other coordinate."""
        nodes = self.interface_nodes if len(self._interface_rows) else None
        return model_of_coordinates(
            self.interface_coordinates, nodes, self.stiffness, self.mass, rigid=self.rigid_coordinates,
            name=self.model.name, unit_system=self.model.unit_system, first_point_id=first_point_id,
        )  # fmt: skip

    @property
    def interface_nodes(self) -> Nodes:
        """The nodes whose dofs are coordinates, in the order in which they appear."""
        nodes, used = self.model.nodes, self._interface_rows
        axes = None if nodes.axes is None else nodes.axes[used]
        return Nodes(nodes.ids[used], nodes.positions[used], axes, None if nodes.scalar is None else nodes.scalar[used])

    @property
    def interface_coordinates(self) -> tuple[Coordinate, ...]:
        """The coordinates with rows of ``interface_nodes`` as nodes."""
        row = {int(n): i for i, n in enumerate(self._interface_rows)}
        return tuple(c if c.node is None else replace(c, node=row[c.node]) for c in self.coordinates)

    @property
    def _interface_rows(self) -> IntArray:
        return np.array(list(dict.fromkeys(c.node for c in self.coordinates if c.node is not None)), np.int64)

    def __repr__(self) -> str:
        counts = f"{len(self.physical)} interface dofs and {len(self.modal)} others"
        return f"<ReducedComponent {self.model.name!r}: {self.method}, {counts}>"


def model_of_coordinates(
    coordinates: Sequence[Coordinate],
    nodes: Nodes | None,
    stiffness: FloatArray,
    mass: FloatArray,
    *,
    rigid: FloatArray,
    name: str,
    unit_system: str = "SI",
    damping: FloatArray | None = None,
    first_point_id: int = 100_000_001,
) -> AssembledModel:
    """Reduced matrices as an assembled model: the interface nodes, and one scalar point per coordinate without a node.

    nodes: of the interface; None where no coordinate is the motion of a node. rigid: (k, 6) rigid motions about the basic
    origin in these coordinates.
    """
    extra, kept = sum(1 for c in coordinates if c.node is None), 0 if nodes is None else len(nodes)
    ids, positions = np.zeros(0, np.int64), np.zeros((0, 3))
    own, axes = np.zeros(kept, np.bool_), None
    if nodes is not None:
        ids, positions, own = nodes.ids, nodes.positions, own if nodes.scalar is None else nodes.scalar
        turned = np.broadcast_to(np.eye(3), (extra, 3, 3))
        axes = None if nodes.axes is None else np.concatenate([nodes.axes, turned])
    start = max(first_point_id, int(ids.max(initial=0)) + 1)
    ids = np.concatenate([ids, start + np.arange(extra)])
    positions = np.vstack([positions, np.zeros((extra, 3))])
    scalar = np.concatenate([own, np.ones(extra, np.bool_)])
    points = iter(range(kept, len(ids)))
    node = [next(points) if c.node is None else c.node for c in coordinates]
    component = [0 if c.node is None or c.component is None else c.component for c in coordinates]
    table = DofTable(np.array(node, np.int64), np.array(component, np.int64), len(ids))
    return AssembledModel(
        csr_array(stiffness),
        csr_array(mass),
        damping=None if damping is None else csr_array(damping),
        dofs=table,
        recovery=_node_recovery(table, axes),
        rigid_body_vectors=rigid,
        nodes=Nodes(ids, positions, axes, scalar),
        name=name,
        mass_recipe="reduced",
        has_field=False,
        unit_system=unit_system,
    )


def _node_recovery(table: DofTable, axes: FloatArray | None) -> csr_array:
    count = len(table)
    if axes is None:
        rows, cols, values = 6 * table.node + table.component, np.arange(count), np.ones(count)
    else:
        half = table.component // 3 * 3
        rows = (6 * table.node + half)[:, None] + np.arange(3)
        cols = np.repeat(np.arange(count)[:, None], 3, axis=1)
        values = axes[table.node, table.component % 3]
    return csr_array((np.ravel(values), (np.ravel(rows), np.ravel(cols))), shape=(6 * table.node_count, count))


def reduced(
    model: AssembledModel,
    method: ReductionName,
    shapes: FloatArray,
    *,
    coordinates: list[Coordinate],
    eigenvalues: FloatArray,
    notes: tuple[str, ...] = (),
    static: int | None = None,
    rigid: FloatArray | None = None,
    held: BoolArray | None = None,
) -> ReducedComponent:
    """Congruence of K and M with the shapes.

    Entries that are zero in theory are set to zero, where the congruence leaves round-off: the first ``static``
    columns are static shapes, uncoupled in stiffness from all others; ``rigid`` (static, r) are strain-free motions in
    those coordinates (a statically determinate interface then has no stiffness at all).
    """
    stiffness = symmetric(shapes.T @ (model.stiffness @ shapes))
    if static is not None:
        stiffness[:static, static:] = stiffness[static:, :static] = 0.0
    if rigid is not None and rigid.shape[1]:
        part = slice(0, static)
        size = np.sqrt(np.abs(np.diag(stiffness[part, part])))
        size = np.where(size > 0.0, size, 1.0)
        q = np.linalg.qr(rigid * size[:, None])[0]
        scaled = stiffness[part, part] / np.outer(size, size)
        scaled = scaled - q @ (q.T @ scaled)
        scaled = symmetric(scaled - (scaled @ q) @ q.T)
        scaled[np.abs(scaled) < _ROUND_OFF] = 0.0
        stiffness[part, part] = scaled * np.outer(size, size)
    frequencies = np.sqrt(np.maximum(eigenvalues, 0.0)) / (2.0 * np.pi)
    return ReducedComponent(
        model=model,
        method=method,
        shapes=shapes,
        coordinates=tuple(coordinates),
        stiffness=stiffness,
        mass=symmetric(shapes.T @ (model.mass @ shapes)),
        frequencies_hz=frequencies,
        notes=notes,
        held=held,
    )


def physical_coordinate(model: AssembledModel, node: int, component: int) -> Coordinate:
    """Coordinate that equals a physical dof."""
    return Coordinate(dof_name(model, int(node), int(component)), "constraint", int(node), int(component))


def all_dofs(model: AssembledModel) -> ReducedComponent:
    """A component that keeps every dof (the residual structure of a superelement analysis)."""
    names = [physical_coordinate(model, n, c) for n, c in zip(model.dofs.node, model.dofs.component)]
    return reduced(model, "guyan", np.eye(model.size), coordinates=names, eigenvalues=np.full(model.size, np.nan))


@checked_arguments
def assumed_basis(
    model: AssembledModel,
    shapes: FloatArray,
    *,
    labels: tuple[str, ...] = (),
    frame: FrameConstraint | None = None,
    orthonormalize: bool = True,
    tolerance: float = 1e-10,
) -> ModalBasis:
    """Given or assumed shapes (d, k) as a basis.

    ``orthonormalize`` turns them into the Ritz modes of their span (mass-orthonormal, K diagonal); dependent
    columns are dropped and named in the notes. Without a frame the basis is ``prescribed``: legal, but H and T are not
    simplified.

    Args:
        model: the assembled model.
        labels: names of the shapes.
        tolerance: relative size below which a column counts as dependent on the others.
    """
    shapes = np.asarray(shapes, float)
    if shapes.ndim != 2 or shapes.shape[0] != model.size or not np.isfinite(shapes).all():
        raise InputError(
            "given shapes must be finite columns over the model's dofs",
            found=f"shape {shapes.shape}",
            expected=f"({model.size}, k)",
        )
    frame = frame or FrameConstraint("prescribed", "shapes as given; no frame imposed")
    labels = labels or tuple(f"shape {i + 1}" for i in range(shapes.shape[1]))
    gram = symmetric(shapes.T @ (model.mass @ shapes))
    stiff = symmetric(shapes.T @ (model.stiffness @ shapes))
    notes: tuple[str, ...] = ()
    if orthonormalize:
        size = np.sqrt(np.maximum(np.diag(gram), 0.0))
        if (size <= 0.0).any():
            raise InputError("a given shape has no modal mass", found=labels[int(np.argmin(size))])
        values, turn = np.linalg.eigh(gram / np.outer(size, size))
        keep = values > tolerance * values.max()
        base = (turn[:, keep] / np.sqrt(values[keep])) / size[:, None]
        eigenvalues, rotation = np.linalg.eigh(symmetric(base.T @ stiff @ base))
        if not keep.all():
            notes = (f"{int((~keep).sum())} given shapes depend on the others and were dropped",)
        shapes = shapes @ base @ rotation
        labels = tuple(f"Ritz mode {i + 1}" for i in range(shapes.shape[1]))
    else:
        eigenvalues = np.diag(stiff) / np.maximum(np.diag(gram), 1e-300)
    kinds: tuple[ModeKind, ...] = ("assumed",) * shapes.shape[1]
    return ModalBasis(
        model, shapes, eigenvalues, frame, fixed=np.zeros(model.size, np.bool_), labels=labels, kinds=kinds, notes=notes
    )


def rigid_span_error(model: AssembledModel, shapes: FloatArray) -> float:
    """How far the rigid motions lie outside the span of the columns, relative, in the mass norm."""
    S = scaled_rigid_vectors(model)
    M = model.mass
    q = np.linalg.lstsq(shapes.T @ (M @ shapes), shapes.T @ (M @ S), rcond=1e-13)[0]
    rest = S - shapes @ q
    size = np.einsum("ik,ik->k", S, M @ S)
    left = np.einsum("ik,ik->k", rest, M @ rest)
    moving = size > 1e-12 * size.max()
    return float(np.sqrt(np.maximum(left[moving] / size[moving], 0.0)).max(initial=0.0))
