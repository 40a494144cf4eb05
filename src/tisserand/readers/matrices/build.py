"""From matrices to an assembled model: units, dof table, recovery and rigid-body vectors."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import numpy as np
from scipy.sparse import csr_array, diags_array

from tisserand.arrays import FloatArray, IntArray, skew
from tisserand.assembly.assembled_model import AssembledModel, DofTable
from tisserand.errors import InputError, UnitsError
from tisserand.files import sha256_of, storable
from tisserand.model import CardEntry, Ledger, Nodes, StructuralModel
from tisserand.readers.matrices.raw import RawMatrices
from tisserand.readers.matrices.recovered import moved_along, placed, with_points
from tisserand.units import UnitSystem


def assembled_of(
    raw: RawMatrices, name: str, units: UnitSystem, geometry: StructuralModel | None = None
) -> AssembledModel:
    """The assembled model of given matrices.

    ``geometry`` (SI) gives node positions and axes where the matrices name their nodes; where they do not,
    its nodes in order of id own three or six dofs each if the count fits.
    """
    d = raw.stiffness.shape[0]
    notes = list(raw.notes)
    dofs = raw.dofs
    if dofs is None and geometry is not None:
        dofs = _by_order(d, geometry, notes)
    scale = _scales(dofs, d, units)
    energy = units.force * units.length
    stiffness, mass, damping = (
        None if matrix is None else csr_array(scale @ matrix @ scale * factor)
        for matrix, factor in ((raw.stiffness, energy), (raw.mass, units.inertia), (raw.damping, energy * units.time))
    )
    assert stiffness is not None and mass is not None
    nodes, table, rigid = _dofs(dofs, d, raw, units, geometry, notes)
    axes = nodes.axes if nodes.axes is not None else np.broadcast_to(np.eye(3), (len(nodes), 3, 3))
    recovery = _recovery(table, axes)
    if rigid is None:
        notes.append("positions are unknown: rigid-body vectors are zero, so mass properties are not available")
        rigid = np.zeros((d, 6))
    else:
        if nodes.scalar is not None:
            rigid = moved_along(stiffness, rigid, nodes.scalar[table.node])
        if raw.recovered is not None:
            more = placed(raw.recovered, scale.diagonal(), units.length, rigid, notes)
            nodes, table, recovery = with_points(nodes, table, recovery, more)
    entries = (CardEntry("matrix", 2 if damping is None else 3, "used", f"{d} dofs"),)
    provenance = tuple(f"{file.name} sha256 {sha256_of(file)}" for file in raw.files)
    return AssembledModel(
        stiffness=stiffness,
        mass=mass,
        dofs=table,
        recovery=recovery,
        rigid_body_vectors=rigid,
        nodes=nodes,
        name=name,
        damping=damping,
        mass_recipe="given",
        has_field=False,
        unit_system=units.name,
        ledger=Ledger(", ".join(str(file) for file in raw.files), entries, (*notes, *provenance)),
        notes=tuple(notes),
    )


def without_places(model: AssembledModel) -> AssembledModel:
    """A model whose nodes have no positions as one of numbered scalar dofs, from which a record of frequencies can be made.

    Unchanged where positions are known, or where the dofs are scalar already.
    """
    if model.rigid_body_vectors.any() or (model.nodes.scalar is not None and model.nodes.scalar.all()):
        return model
    d = model.size
    nodes = Nodes(1 + np.arange(d), np.zeros((d, 3)), None, np.ones(d, np.bool_))
    table = DofTable(np.arange(d), np.zeros(d, np.int64), d)
    note = "the file states no positions of its nodes: dofs are numbered from 1; their deck (--deck) gives positions"
    recovery = _recovery(table, np.broadcast_to(np.eye(3), (d, 3, 3)))
    return replace(model, nodes=nodes, dofs=table, recovery=recovery, notes=(*model.notes, note))


def _by_order(d: int, geometry: StructuralModel, notes: list[str]) -> IntArray | None:
    """Dofs by order of node id when three or six per node fit exactly."""
    ids = np.sort(geometry.nodes.ids)
    for count in (3, 6):
        if d == count * len(ids):
            notes.append(f"dofs are unnamed: taken as {count} per node in order of node id")
            return np.column_stack([np.repeat(ids, count), np.tile(np.arange(count), len(ids))])
    raise InputError(
        "the matrices name no dofs and do not fit the geometry",
        found=f"{d} dofs for {len(ids)} nodes",
        expected="three or six dofs per node",
    )


def _scales(dofs: IntArray | None, d: int, units: UnitSystem) -> csr_array:
    """Diagonal 1 / s with u = s * number: a translation's number is a length, a rotation's is not, a modal one stays as it is."""
    plain = (units.length, units.mass, units.time) == (1.0, 1.0, 1.0)
    if dofs is None and not plain:
        raise UnitsError(
            "the matrices have no named dofs, so lengths and angles cannot be distinguished",
            found=units.name,
            expected="SI or consistent",
            advice="give the geometry, or convert the matrices first",
        )
    values = np.ones(d)
    if dofs is not None:
        values[(dofs[:, 1] >= 0) & (dofs[:, 1] < 3)] = 1.0 / units.length
    return csr_array(diags_array(values))


def _dofs(
    dofs: IntArray | None,
    d: int,
    raw: RawMatrices,
    units: UnitSystem,
    geometry: StructuralModel | None,
    notes: list[str],
) -> tuple[Nodes, DofTable, FloatArray | None]:
    if dofs is None:
        notes.append("dofs are unnamed: they are numbered from 1")
        nodes = Nodes(1 + np.arange(d), np.zeros((d, 3)), None, np.ones(d, np.bool_))
        return nodes, DofTable(np.arange(d), np.zeros(d, np.int64), d), None
    ids = np.unique(dofs[:, 0])
    if len(np.unique(dofs, axis=0)) != d:
        raise InputError("the same dof is named twice in the matrices", found=f"{d} dofs")
    positions = {int(node): np.asarray(place) * units.length for node, place in raw.positions.items()}
    axes: dict[int, FloatArray] = dict(raw.axes)
    if geometry is not None:
        positions = dict(zip(geometry.nodes.ids.tolist(), geometry.nodes.positions))
        if geometry.nodes.axes is not None:
            axes = dict(zip(geometry.nodes.ids.tolist(), geometry.nodes.axes))
    scalar = np.zeros(len(ids), np.bool_)
    scalar[np.searchsorted(ids, dofs[dofs[:, 1] < 0, 0])] = True
    lost = [int(node) for node, is_scalar in zip(ids, scalar) if not is_scalar and int(node) not in positions]
    if lost and positions:
        raise InputError("the geometry lacks nodes of the matrices", found=f"nodes {lost[:5]}")
    table = np.array([positions.get(int(node), np.zeros(3)) for node in ids])
    own = np.array([axes.get(int(node), np.eye(3)) for node in ids]) if axes else None
    nodes = Nodes(ids, table, own, scalar if scalar.any() else None)
    rows = np.searchsorted(ids, dofs[:, 0])
    dof_table = DofTable(rows, np.maximum(dofs[:, 1], 0), len(ids))
    return nodes, dof_table, None if lost else _rigid(nodes, dof_table)


def _rigid(nodes: Nodes, dofs: DofTable) -> FloatArray:
    """(d, 6) unit translations and rotations about the basic origin; scalar dofs do not move."""
    axes = nodes.axes if nodes.axes is not None else np.broadcast_to(np.eye(3), (len(nodes), 3, 3))
    full = np.zeros((len(nodes), 6, 6))
    full[:, :3, :3] = axes
    full[:, :3, 3:] = -axes @ skew(nodes.positions)
    full[:, 3:, 3:] = axes
    if nodes.scalar is not None:
        full[nodes.scalar] = 0.0
    return np.asarray(full[dofs.node, dofs.component])


def _recovery(dofs: DofTable, axes: FloatArray) -> csr_array:
    """(6 n, d): components in node axes to basic axes."""
    d = len(dofs)
    half, inner = dofs.component // 3, dofs.component % 3
    values = axes[dofs.node, inner]  # (d, 3) the dof's direction in basic axes
    rows = 6 * dofs.node[:, None] + 3 * half[:, None] + np.arange(3)
    columns = np.repeat(np.arange(d), 3)
    matrix = csr_array((values.ravel(), (rows.ravel(), columns)), shape=(6 * dofs.node_count, d))
    matrix.eliminate_zeros()
    return matrix


def stem_of(path: Path) -> str:
    """Name of the model: the file's stem without a trailing matrix word such as ``_STIF1``."""
    stem = storable(path.stem)
    for word in ("_STIF", "_stif", "_MASS", "_K", "_stiffness"):
        head, found, _ = stem.rpartition(word)
        if found and head:
            return head
    return stem
