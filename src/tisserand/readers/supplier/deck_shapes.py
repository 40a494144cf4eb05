"""Shapes of a supplier's run over the independent dofs of our own model, dof by dof; what the file leaves out is expanded.

Missing components (nodes outside the output set, rotations that were not written) follow from the equations of motion of our
model at the supplier's frequency, with the stated components held:
``(K_mm - lambda M_mm) x_m = -(K_mo - lambda M_mo) x_o`` (dynamic expansion, Kidder 1973).
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np
from scipy.sparse import csr_array

from tisserand.arrays import BoolArray, FloatArray, IntArray
from tisserand.assembly.assembled_model import AssembledModel
from tisserand.errors import FileError, SolverError
from tisserand.linalg.factor import factorize
from tisserand.model.ledger import LOCAL_RESULTS
from tisserand.readers.supplier.node_axes import in_deck_axes
from tisserand.readers.supplier.supplier_modes import SupplierModes
from tisserand.units import UnitSystem

#: Distance between the file's and the deck's nodes of one id, relative to the size of the model.
_SAME_PLACE = 1e-4


@dataclass(frozen=True, eq=False)
class DeckShapes:
    """Shapes (d, k) over the independent dofs, SI per unit coordinate; stated: (d,) dofs that the file gives.

    mismatch: (k,) largest difference between the supplier's motion and ours at nodes that ties carry or supports hold, relative
    to the largest motion of the mode; notes: what was expanded or left out.
    """

    shapes: FloatArray
    stated: BoolArray
    mismatch: FloatArray
    notes: tuple[str, ...]


def deck_shapes(theirs: SupplierModes, model: AssembledModel, held: BoolArray, units: UnitSystem) -> DeckShapes:
    """Their shapes in the dofs of ``model``; ``held``: (d,) dofs that do not move.

    Raises where node ids or places show that the deck is another model, or where too little is stated to expand the rest.
    """
    if not len(theirs.node_ids):
        raise FileError(
            theirs.path, "the file holds no mode shapes, so nothing can be compared with the deck",
            expected="eigenvectors", advice="ask for VECTOR = ALL (F06: PRINT; OP2: PARAM,POST,-1)",
        )  # fmt: skip
    notes: list[str] = []
    rows = _rows(theirs, model, units, notes)
    known = rows >= 0
    motion = np.zeros((len(model.nodes), 6, theirs.count))  # in node axes, SI
    given = np.zeros((len(model.nodes), 6), np.bool_)
    values = np.concatenate([theirs.shapes[known, :3], theirs.shapes[known, 3:] / units.length], axis=1)
    local = any(entry.card == LOCAL_RESULTS for entry in model.ledger.entries)
    values = in_deck_axes(values, theirs, rows, model.nodes.axes, notes, local=local)
    motion[rows[known]], given[rows[known]] = values, theirs.given[known]
    if given[:, 3:].any() and not values[:, 3:].any() and not held[model.dofs.component >= 3].all():
        given[:, 3:] = False
        notes.append("rotations are zero at every node of the file, in every mode: they are taken as not stated")
    dofs = model.dofs
    stated = given[dofs.node, dofs.component]
    shapes = np.where(held[:, None], 0.0, motion[dofs.node, dofs.component])
    missing = ~stated & ~held
    if missing.any():
        shapes = _expanded(theirs, model, shapes, missing, held)
        notes.append(
            f"{int(missing.sum())} of {int((~held).sum())} free dofs are not in the file and expanded by our stiffness and mass"
        )
    mismatch = _mismatch(model, shapes, motion, given)
    return DeckShapes(shapes, stated, mismatch, tuple(notes))


def _rows(theirs: SupplierModes, model: AssembledModel, units: UnitSystem, notes: list[str]) -> IntArray:
    """Row of the model per node of the file, -1 where the deck lacks it; a deck of another model is refused."""
    ids, own = theirs.node_ids, model.nodes.ids
    order = np.argsort(own, kind="stable")
    place = np.minimum(np.searchsorted(own[order], ids), len(order) - 1)
    rows = np.where(own[order][place] == ids, order[place], -1)
    lost = ids[rows < 0]
    grids = ids[~np.asarray(theirs.scalar)]
    if np.isin(grids, lost).sum() > len(grids) // 2 or len(lost) == len(ids):
        raise FileError(
            theirs.path, "the deck lacks most nodes of the results", found=f"nodes {lost[:5].tolist()} and others",
            expected=f"nodes of {model.name}", advice=_other_nodes(theirs),
        )  # fmt: skip
    if theirs.open_ended:
        _refuse_cut(theirs, own)
    if len(lost):
        notes.append(f"{len(lost)} nodes of the results are not in the deck and left out, such as {int(lost[0])}")
    if theirs.geometry is not None:
        at = theirs.geometry.rows_of(ids)
        both = (rows >= 0) & (at >= 0)
        if model.nodes.scalar is not None:
            both &= ~model.nodes.scalar[np.maximum(rows, 0)]
        places = model.nodes.positions[rows[both]]
        gap = np.linalg.norm(theirs.geometry.positions[at[both]] * units.length - places, axis=1)
        size = max(float(np.ptp(model.nodes.positions, axis=0).max()), 1e-300)
        if len(gap) and gap.max() > _SAME_PLACE * size:
            worst = int(ids[both][int(gap.argmax())])
            raise FileError(
                theirs.path, "nodes of the results lie elsewhere in the deck", found=f"node {worst}, {gap.max():.4g} m away",
                expected=f"within {_SAME_PLACE * size:.2g} m", advice="check the deck and --units",
            )  # fmt: skip
    return np.asarray(rows, dtype=np.int64)


def _other_nodes(theirs: SupplierModes) -> str:
    if theirs.program != "CalculiX":
        return "state the deck of this run"
    return "state the deck of this run; where shells and beams were expanded to solids, ask for *NODE FILE, OUTPUT=2D"


def _refuse_cut(theirs: SupplierModes, own: IntArray) -> None:
    """A file whose only mode lists the first nodes of the deck and no others: it may have been cut off after a whole node."""
    listed, last = np.sort(theirs.node_ids), int(theirs.node_ids.max())
    beyond = own[own > last]
    if len(beyond) and np.array_equal(listed, np.sort(own[own <= last])):
        raise FileError(
            theirs.path, "may have been cut off: its only mode lists the first nodes of the deck and stops",
            found=f"last node {last}", expected=f"the nodes up to {int(beyond.max())}, or two modes of one output set",
            advice="send the whole file (VECTOR(PUNCH) = ALL)",
        )  # fmt: skip


def _expanded(
    theirs: SupplierModes, model: AssembledModel, shapes: FloatArray, missing: BoolArray, held: BoolArray
) -> FloatArray:
    """Shapes with the missing dofs filled in, mode by mode."""
    m, o = np.flatnonzero(missing), np.flatnonzero(~missing & ~held)
    if not len(o):
        raise FileError(
            theirs.path, "none of the free dofs of the deck is in the file", advice="state the deck of this run"
        )
    K, M = model.stiffness, model.mass
    K_m, M_m = K[m], M[m]
    out = np.array(shapes)
    top = float(theirs.eigenvalues.max())
    for k in np.argsort(theirs.eigenvalues)[::-1].tolist():
        value = max(float(theirs.eigenvalues[k]), 0.0)
        try:
            factor: Any = factorize(csr_array(K_m[:, m] - value * M_m[:, m]))
        except SolverError as error:
            raise _too_few(theirs, len(m), top) from error
        if factor.negative_count:
            raise _too_few(theirs, len(m), value)
        coupling: Any = K_m[:, o] - value * M_m[:, o]
        out[m, k] = -factor.solve(coupling @ shapes[o, k])
    return out


def _too_few(theirs: SupplierModes, count: int, value: float) -> FileError:
    return FileError(
        theirs.path, "too few nodes are in the file to expand the rest",
        found=f"{count} missing dofs that can vibrate on their own below {np.sqrt(max(value, 0.0)) / (2 * np.pi):.4g} Hz",
        advice=theirs.request,
    )  # fmt: skip


def _mismatch(model: AssembledModel, shapes: FloatArray, motion: FloatArray, given: BoolArray) -> FloatArray:
    """(k,) largest difference of stated translations at all nodes between the file and our recovery, over the largest motion."""
    full = model.displacements(shapes)
    own = full if model.nodes.axes is None else np.concatenate(
        [np.einsum("nab,nbk->nak", model.nodes.axes, full[:, part]) for part in (slice(3), slice(3, 6))], axis=1
    )  # fmt: skip
    gap = np.where(given[:, :3, None], np.abs(own[:, :3] - motion[:, :3]), 0.0).max(axis=(0, 1), initial=0.0)
    return np.asarray(gap / np.maximum(np.abs(motion[:, :3]).max(axis=(0, 1), initial=0.0), 1e-300))
