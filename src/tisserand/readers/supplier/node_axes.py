"""Displacement axes: those of the result file against those of the deck, node by node."""

from __future__ import annotations

import numpy as np

from tisserand.arrays import FloatArray, IntArray
from tisserand.model.ledger import LOCAL_RESULTS
from tisserand.readers.supplier.supplier_modes import SupplierModes

#: Largest difference of a direction cosine between two records of one system: the digits of positions near the axis of a
#: cylindrical system. It changes a MAC by 1e-8.
_SAME_AXES = 1e-4


def in_deck_axes(
    values: FloatArray,
    theirs: SupplierModes,
    rows: IntArray,
    deck: FloatArray | None,
    notes: list[str],
    *,
    local: bool = False,
) -> FloatArray:
    """Values (m, 6, k) of the file at the nodes that the deck has, in the deck's node axes.

    The file's own axes count where it states them; nodes without a place in the file (F06, punch) have the deck's axes.
    Nodes whose axes differ between file and deck are turned, and named in ``notes``.

    Args:
        values: translations and rotations of the known nodes, in the axes of the file.
        theirs: the result file.
        rows: (n,) row of the deck per node of the file, -1 where the deck lacks it.
        deck: (d, 3, 3) rows are the displacement axes of the deck's nodes; None: basic.
        notes: sentences are added here.
        local: the deck asked for results in node axes, which a file of CalculiX does not tell.
    """
    known = rows >= 0
    ids = theirs.node_ids[known]
    own = np.broadcast_to(np.eye(3), (len(ids), 3, 3)) if deck is None else deck[rows[known]]
    if local and not theirs.local_axes:
        notes.append(f"shapes are taken in the node axes of the deck, which asks for them ({LOCAL_RESULTS})")
        return values
    file = _axes_of_file(theirs, ids, own)
    other = np.abs(file - own).max(axis=(1, 2)) > _SAME_AXES
    if not other.any():
        return values
    if theirs.local_axes:
        notes.append(
            f"displacement axes (CD) of {int(other.sum())} nodes differ between the results and the deck, such as node "
            f"{int(ids[other][0])}: the axes stated in the results are used"
        )
    turn = np.einsum("nab,ncb->nac", own[other], file[other])  # deck from file, through basic axes
    out = np.array(values)
    for part in (slice(3), slice(3, 6)):
        out[other, part] = np.einsum("nac,nck->nak", turn, values[other, part])
    return out


def _axes_of_file(theirs: SupplierModes, ids: IntArray, deck: FloatArray) -> FloatArray:
    """(m, 3, 3) displacement axes of nodes: basic, as the file states them, or the deck's."""
    if not theirs.local_axes:
        return np.broadcast_to(np.eye(3), deck.shape)
    if theirs.geometry is None:
        return deck
    at = theirs.geometry.rows_of(ids)
    stated = theirs.geometry.axes
    own = np.broadcast_to(np.eye(3), deck.shape) if stated is None else stated[np.maximum(at, 0)]
    return np.where((at >= 0)[:, None, None], own, deck)
