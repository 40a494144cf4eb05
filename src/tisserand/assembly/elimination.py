"""Exact elimination of dependent dofs: chains are followed; double dependence and cycles are refused by name."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from scipy.sparse import coo_array, csr_array
from scipy.sparse.csgraph import connected_components

from tisserand.arrays import BoolArray, IntArray
from tisserand.assembly.axes import to_basic
from tisserand.assembly.ties import TieRows, tie_rows
from tisserand.errors import ModelError
from tisserand.model import Nodes, StructuralModel


@dataclass(frozen=True, eq=False)
class Elimination:
    """Active dofs (a of them) split into independent ones and the rest: u_dependent = transfer u_independent.

    dependent (a,) mask; transfer (number dependent, number independent) CSR.
    """

    dependent: BoolArray
    transfer: csr_array

    @property
    def transformation(self) -> csr_array:
        """T (a, independent): unit rows for independent dofs, transfer rows for the others."""
        a = len(self.dependent)
        keep, drop = np.flatnonzero(~self.dependent), np.flatnonzero(self.dependent)
        moved = self.transfer.tocoo()
        rows = np.concatenate([keep, drop[moved.row]])
        cols = np.concatenate([np.arange(len(keep)), moved.col])
        return coo_array((np.concatenate([np.ones(len(keep)), moved.data]), (rows, cols)), shape=(a, len(keep))).tocsr()

    def reduce(self, matrix: csr_array) -> csr_array:
        """T' A T by blocks, so that the large independent part is only copied."""
        if not self.dependent.any():
            return matrix
        keep, drop = np.flatnonzero(~self.dependent), np.flatnonzero(self.dependent)
        upper, lower = matrix[keep], matrix[drop]
        cross = upper[:, drop] @ self.transfer
        inner = self.transfer.T @ (lower[:, drop] @ self.transfer)
        out = (upper[:, keep] + cross + cross.T + inner).tocsr()
        out.sum_duplicates()
        out.eliminate_zeros()
        return csr_array(out)


def eliminate(nodes: Nodes, rows: list[TieRows], dof: IntArray, count: int) -> Elimination:
    """Solve all constraints together. ``dof`` (n, 6) numbers the active dofs, ``count`` of them."""
    dependent = np.zeros(count, np.bool_)
    if not rows:
        return Elimination(dependent, csr_array((0, count)))
    dependent, direct = _solved(nodes, rows, dof, count)
    direct.sum_duplicates()
    direct.eliminate_zeros()
    return Elimination(dependent, csr_array(direct))


def _solved(
    nodes: Nodes, rows: list[TieRows], dof: IntArray, count: int, sources: IntArray | None = None
) -> tuple[BoolArray, csr_array]:
    """Dependent dofs (count,) and their rows over the independent ones, or over unit values added to ``sources`` of them."""
    owner = _owners(nodes, rows, dof, count)
    dependent = owner >= 0
    r, c, v = [], [], []
    for tie in rows:
        target = dof[tie.dependent[:, 0], tie.dependent[:, 1]]
        source = dof[tie.independent[:, 0], tie.independent[:, 1]]
        i, j = np.nonzero(tie.coefficients)
        r.append(target[i])
        c.append(source[j])
        v.append(tie.coefficients[i, j])
    place = np.empty(count, np.int64)
    place[dependent], place[~dependent] = np.arange(dependent.sum()), np.arange((~dependent).sum())
    row, col, value = np.concatenate(r), np.concatenate(c), np.concatenate(v)
    chained = dependent[col]
    m, free = int(dependent.sum()), int((~dependent).sum())
    among = coo_array((value[chained], (place[row[chained]], place[col[chained]])), shape=(m, m)).tocsr()
    if sources is None:
        direct = coo_array((value[~chained], (place[row[~chained]], place[col[~chained]])), shape=(m, free)).tocsr()
    else:
        ones, numbers = np.ones(len(sources)), np.arange(len(sources))
        direct = coo_array((ones, (place[sources], numbers)), shape=(m, len(sources))).tocsr()
    among.eliminate_zeros()
    if among.nnz:
        among, direct = _without_cycles(among, direct, owner[dependent], rows)
        while among.nnz:  # (1 - G)^-1 = ... (1 + G^4)(1 + G^2)(1 + G) for nilpotent G: chains halve at every step
            direct = direct + among @ direct
            among = among @ among
            among.eliminate_zeros()
    return dependent, csr_array(direct)


def chain_of(nodes: Nodes, rows: list[TieRows], sources: IntArray) -> csr_array:
    """(6 n, r) motion of all nodes in basic axes for a unit added to each equation in ``sources``.

    ``sources`` are dependent dofs (6 node + component); the independent dofs rest.
    """
    n = len(nodes)
    dependent, direct = _solved(nodes, rows, np.arange(6 * n).reshape(n, 6), 6 * n, sources)
    at = np.flatnonzero(dependent)
    return csr_array(to_basic(nodes, at // 6, at % 6) @ direct)


def _owners(nodes: Nodes, rows: list[TieRows], dof: IntArray, count: int) -> IntArray:
    """(count,) which constraint makes each dof dependent, -1 for none; twice is an error that names both."""
    owner = np.full(count, -1, np.int64)
    for number, tie in enumerate(rows):
        target = dof[tie.dependent[:, 0], tie.dependent[:, 1]]
        taken = owner[target] >= 0
        repeated = len(np.unique(target)) != len(target)
        if taken.any() or repeated:
            first = int(np.flatnonzero(taken)[0]) if taken.any() else 0
            other = rows[int(owner[target[first]])].label if taken.any() else tie.label
            node, component = tie.dependent[first]
            raise ModelError(
                f"component {component + 1} of node {nodes.ids[node]} is made dependent twice, "
                f"by {other} and {tie.label}",
                ids=(tie.id,),
                advice="make one of them depend on the independent node of the other",
            )
        owner[target] = number
    return owner


def _without_cycles(
    among: csr_array, direct: csr_array, owner: IntArray, rows: list[TieRows]
) -> tuple[csr_array, csr_array]:
    """Solve dofs that depend on each other in a cycle; a cycle that leaves their motion undetermined is refused."""
    count, ring = connected_components(among, directed=True, connection="strong")
    sizes = np.bincount(ring, minlength=count)
    looped = (sizes[ring] > 1) | (among.diagonal() != 0.0)
    if not looped.any():
        return among, direct
    correction_rows, correction_cols, correction_values = [], [], []
    for number in np.unique(ring[looped]):
        members = np.flatnonzero(ring == number)
        block = np.eye(len(members)) - among[members][:, members].toarray()
        if np.linalg.cond(block) > 1e10:
            names = ", ".join(rows[int(i)].label for i in np.unique(owner[members])[:6])
            raise ModelError(
                f"constraints depend on each other in a cycle: {names}",
                ids=[rows[int(i)].id for i in np.unique(owner[members])],
                advice="reverse one of them so that one node is independent",
            )
        inverse = np.linalg.inv(block)
        i, j = np.nonzero(inverse)
        correction_rows.append(members[i])
        correction_cols.append(members[j])
        correction_values.append(inverse[i, j])
    inside = np.concatenate([np.zeros(0, np.int64), *correction_rows])
    done = np.zeros(len(ring), np.bool_)
    done[inside] = True
    others = np.flatnonzero(~done)
    solve = coo_array(
        (
            np.concatenate([np.ones(len(others)), *correction_values]),
            (np.concatenate([others, *correction_rows]), np.concatenate([others, *correction_cols])),
        ),
        shape=among.shape,
    ).tocsr()
    outside = among.tocoo()
    same = (ring[outside.row] == ring[outside.col]) & done[outside.row]
    among = coo_array((outside.data[~same], (outside.row[~same], outside.col[~same])), shape=among.shape).tocsr()
    return csr_array(solve @ among), csr_array(solve @ direct)


def dependent_dofs(model: StructuralModel) -> tuple[IntArray, IntArray]:
    """Node and component of every dof that a constraint makes dependent, each once."""
    rows = [tie.dependent for tie in tie_rows(model.nodes, model.constraints)]
    unique = np.unique(np.concatenate([np.zeros((0, 2), np.int64), *rows]), axis=0)
    return unique[:, 0], unique[:, 1]
