"""GENEL: an element given by its stiffness K or its flexibility Z, with S for the motion of the dofs that carry it.

With independent dofs u_i, supporting dofs u_d and u_i = S u_d in rigid motion, its energy is that of u_i - S u_d in K (or in the
inverse of Z): the whole stiffness is [K, -K S; -S^T K, S^T K S]. A blank S follows from the geometry of the points.
"""

from __future__ import annotations

import numpy as np

from tisserand.arrays import FloatArray, skew
from tisserand.model import DirectMatrix
from tisserand.readers.nastran.cards import Row
from tisserand.readers.nastran.draft import Draft

_Dofs = list[tuple[int, int]]


def read_general(draft: Draft) -> list[DirectMatrix]:
    """One stiffness matrix of all general elements."""
    nodes: list[tuple[int, int]] = []
    components: list[tuple[int, int]] = []
    values: list[float] = []
    for row in draft.bulk.rows("GENEL"):
        dofs, matrix = _element(draft, row)
        for i, a in enumerate(dofs):
            for j, b in enumerate(dofs):
                if matrix[i, j] != 0.0:
                    nodes.append((a[0], b[0]))
                    components.append((a[1], b[1]))
                    values.append(float(matrix[i, j]))
    if not values:
        return []
    numbers = np.arange(1, len(values) + 1)
    return [DirectMatrix(numbers, np.array(nodes), np.array(components), np.array(values), "stiffness")]


def _element(draft: Draft, row: Row) -> tuple[_Dofs, FloatArray]:
    """Dofs and stiffness, SI."""
    parts = _parts(row)
    own, support = _dofs(draft, row, *parts["UI"]), _dofs(draft, row, *parts["UD"]) if "UD" in parts else []
    word = "K" if "K" in parts else "Z"
    if word not in parts:
        raise row.error(2, "neither K nor Z is given")
    K = _symmetric(row, *parts[word], len(own))
    if word == "Z":
        try:
            K = np.asarray(np.linalg.inv(K), float)
        except np.linalg.LinAlgError:
            raise row.error(parts["Z"][0], "the flexibility Z cannot be inverted") from None
    if not support:
        dofs, matrix = own, K
    else:
        stated = "S" in parts
        S = _rectangle(row, *parts["S"], len(own), len(support)) if stated else _rigid(draft, row, own, support)
        dofs, matrix = own + support, np.block([[K, -K @ S], [-S.T @ K, S.T @ K @ S]])
    units = draft.units
    scale = np.array([units.length if c > 2 else 1.0 for _, c in dofs])
    return dofs, matrix * (units.force / units.length) * np.outer(scale, scale)


def _parts(row: Row) -> dict[str, tuple[int, int]]:
    """First and last field of each list; UD, K, Z and S stand in the first field of a line."""
    marks = [(2, "UI")]
    for at in range(8, len(row.fields), 8):
        if row.word(at) in ("UD", "K", "Z", "S"):
            marks.append((at + (2 if row.word(at) == "UD" else 1), row.word(at)))
    ends = [at - (2 if word == "UD" else 1) for at, word in marks[1:]] + [len(row.fields)]
    return {word: (at, end) for (at, word), end in zip(marks, ends)}


def _dofs(draft: Draft, row: Row, first: int, end: int) -> _Dofs:
    found: _Dofs = []
    for at in range(first, end - 1, 2):
        if row.text(at):
            own = row.components(at + 1, "0")
            if len(own) != 1:
                raise row.error(at + 1, "one component is needed", found=repr(row.word(at + 1)))
            found.append((draft.node(row, at), own[0]))
    if not found:
        raise row.error(first, "no dof is listed")
    return found


def _numbers(row: Row, first: int, end: int, count: int, what: str) -> FloatArray:
    texts = [at for at in range(first, end) if row.text(at)]
    if len(texts) != count:
        raise row.error(first, f"the number of terms of {what} is wrong", found=len(texts), expected=count)
    return np.array([row.real(at) for at in texts])


def _symmetric(row: Row, first: int, end: int, size: int) -> FloatArray:
    """The matrix of its upper triangle, row by row."""
    matrix = np.zeros((size, size))
    rows, columns = np.triu_indices(size)
    matrix[rows, columns] = matrix[columns, rows] = _numbers(row, first, end, size * (size + 1) // 2, "K or Z")
    return matrix


def _rectangle(row: Row, first: int, end: int, rows: int, columns: int) -> FloatArray:
    return _numbers(row, first, end, rows * columns, "S").reshape(rows, columns)


def _rigid(draft: Draft, row: Row, own: _Dofs, support: _Dofs) -> FloatArray:
    """S by geometry (lengths in the units of the deck): the rigid motion of u_i that u_d determines."""
    D_i, D_d = _motions(draft, own), _motions(draft, support)
    S = D_i @ np.linalg.pinv(D_d)
    if np.abs(S @ D_d - D_i).max() > 1e-8 * max(np.abs(D_i).max(), 1.0):
        raise row.error(8, "UD does not determine the rigid motion of UI", advice="state S")
    return np.asarray(S)


def _motions(draft: Draft, dofs: _Dofs) -> FloatArray:
    """(k, 6) motion of dofs under unit translations and rotations about the origin."""
    nodes, components = np.array(dofs).T
    axes = draft.axes_of(nodes)
    full = np.zeros((len(nodes), 6, 6))
    full[:, :3, :3] = full[:, 3:, 3:] = axes
    full[:, :3, 3:] = -axes @ skew(draft.nodes.positions[nodes] / draft.units.length)
    return np.asarray(full[np.arange(len(nodes)), components])
