"""Shapes of a result file in basic axes at known places, SI per unit coordinate, and the cells between them."""

from __future__ import annotations

from dataclasses import KW_ONLY, dataclass

import numpy as np

from tisserand.appendage.record.drawing_topology import Topology
from tisserand.arrays import BoolArray, FloatArray, IntArray
from tisserand.errors import FileError
from tisserand.readers.supplier.supplier_modes import SupplierModes
from tisserand.units import UnitSystem


@dataclass(frozen=True, eq=False)
class BasicShapes:
    """Nodes with their places and shapes.

    ids (n,), positions (n, 3) m, basic axes; translation and rotation (n, 3, k), rotation per m; held: (n,) nodes of the
    structure that stand still in every mode; topology by row; notes: what was left out.
    """

    ids: IntArray
    positions: FloatArray
    translation: FloatArray
    rotation: FloatArray
    has_rotations: bool
    held: BoolArray
    _: KW_ONLY
    topology: Topology
    notes: tuple[str, ...]


def basic_shapes(theirs: SupplierModes, units: UnitSystem) -> BasicShapes:
    """The grid points whose places the file states; raises where there are none."""
    geometry = theirs.geometry
    if not len(theirs.node_ids):
        raise FileError(theirs.path, "the file holds no mode shapes", expected="eigenvectors",
                        advice=theirs.request)  # fmt: skip
    if geometry is None:
        raise FileError(
            theirs.path, "the file holds no node positions for its shapes", expected="nodes with coordinates",
            advice="state the deck with --deck, or ask for an OP2 file with geometry (PARAM,POST,-1)",
        )  # fmt: skip
    notes = []
    rows = geometry.rows_of(theirs.node_ids)
    keep = (rows >= 0) & ~np.asarray(theirs.scalar)
    lost = int((rows < 0).sum() - (np.asarray(theirs.scalar) & (rows < 0)).sum())
    if lost:
        notes.append(f"{lost} nodes have shapes but no place in the file and are left out")
    if not keep.any():
        raise FileError(
            theirs.path,
            "the file states a position for none of the nodes of its shapes",
            advice="state the deck with --deck",
        )
    if not theirs.given[keep, :3].all():
        raise FileError(
            theirs.path, "translations are missing at some nodes", advice="ask for all components, or state --deck"
        )
    at = rows[keep]
    u, beta = theirs.shapes[keep, :3], theirs.shapes[keep, 3:]
    if theirs.local_axes and geometry.axes is not None:
        turn = geometry.axes[at]
        u, beta = (np.einsum("nab,nak->nbk", turn, part) for part in (u, beta))
    has = bool(theirs.given[keep, 3:].all()) and bool(beta.any())
    if not has:
        notes.append("rotations of the nodes are not in the file; they are taken as zero")
    ids = theirs.node_ids[keep]
    topology, used = _topology(geometry.lines, geometry.triangles, ids)
    still = (np.abs(u).max(axis=(1, 2)) == 0.0) & (np.abs(beta).max(axis=(1, 2)) == 0.0)
    return BasicShapes(
        ids,
        geometry.positions[at] * units.length,
        np.ascontiguousarray(u),
        np.ascontiguousarray(beta) / units.length,
        has,
        still & used if used.any() else still,
        topology=topology,
        notes=tuple(notes),
    )


def _topology(lines: IntArray, triangles: IntArray, ids: IntArray) -> tuple[Topology, BoolArray]:
    """Cells by row of the listed nodes, and which nodes they touch."""
    order = np.argsort(ids, kind="stable")
    used = np.zeros(len(ids), np.bool_)
    parts = []
    for cells in (lines, triangles):
        inside = cells[np.isin(cells, ids).all(axis=1)] if len(cells) else cells
        found = order[np.searchsorted(ids[order], inside)] if len(inside) else inside
        used[found.ravel()] = True
        parts.append(found)
    return Topology(lines=parts[0], triangles=parts[1]), used
