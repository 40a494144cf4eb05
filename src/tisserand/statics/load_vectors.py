"""Load vectors over the independent dofs: forces at nodes, accelerations of the frame, spin. SI, basic axes."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import numpy as np

from tisserand.arguments import checked_arguments
from tisserand.arrays import FloatArray, skew
from tisserand.assembly.assembled_model import AssembledModel
from tisserand.elements.element_data import DIRECTIONS
from tisserand.errors import ModelError
from tisserand.statics.directional import position_moments

ORIGIN = np.zeros(3)


@checked_arguments
def nodal_loads(assembled: AssembledModel, forces: Mapping[int, Sequence[float]]) -> FloatArray:
    """(d,) for forces N and moments N m ``{node id: (fx, fy, fz[, mx, my, mz])}``; ties carry them to their owners.

    Args:
        assembled: the assembled model.
    """
    full = full_loads(assembled, forces)
    load = assembled.recovery.T @ full.ravel()
    _refuse_lost_moments(assembled, full)
    return np.asarray(load)


def full_loads(assembled: AssembledModel, forces: Mapping[int, Sequence[float]]) -> FloatArray:
    """(n, 6) forces and moments at all nodes, basic axes."""
    full = np.zeros((len(assembled.nodes), 6))
    for row, values in zip(assembled.nodes.indices(list(forces)) if forces else (), forces.values()):
        if len(values) not in (3, 6):
            raise ModelError("a nodal load has three or six components", found=len(values))
        full[row, : len(values)] += values
    return full


def _refuse_lost_moments(assembled: AssembledModel, full: FloatArray) -> None:
    """A moment on a node of solids, or a force on a node of nothing, has no dof to act on."""
    active = np.diff(assembled.recovery.indptr).reshape(-1, 6) > 0
    lost = (full != 0.0) & ~active
    if assembled.nodes.axes is None and lost.any():
        node = int(np.flatnonzero(lost.any(axis=1))[0])
        raise ModelError(
            "a load acts on a component without elements", ids=(int(assembled.nodes.ids[node]),),
            where=f"node {assembled.nodes.ids[node]}", found=full[node].tolist(),
            advice="load a node of the structure; solids carry no moments",
        )  # fmt: skip


@checked_arguments
def acceleration_loads(assembled: AssembledModel, about: FloatArray = ORIGIN) -> FloatArray:
    """(d, 6): inertial loads -int N'(a + alpha x r) dm of unit accelerations (m/s², rad/s²) of the frame at ``about``.

    Theory section 16.3: the loads of a_o and alpha, -M [S_t S_r].

    Args:
        assembled: the assembled model.
    """
    rigid = rigid_about(assembled, about)
    return np.asarray(-(assembled.mass @ rigid))


def rigid_about(assembled: AssembledModel, about: FloatArray) -> FloatArray:
    """(d, 6) rigid-body vectors about a point, m."""
    rigid = np.array(assembled.rigid_body_vectors)
    rigid[:, 3:] += rigid[:, :3] @ skew(np.asarray(about, dtype=float))
    return rigid


@checked_arguments
def spin_loads(assembled: AssembledModel, about: FloatArray = ORIGIN) -> FloatArray:
    """(d, 6): loads -int N'(w x (w x r)) dm per unit product of rates w_i w_j (rad/s)².

    Order xx, yy, zz, xy, yz, zx.

    w x (w x r) = (w w' - w.w 1) r. The coefficient of w_x w_y holds both mixed terms.

    Args:
        assembled: the assembled model.
        about: a point on the spin axis (3,), m.
    """
    moments = position_moments(assembled, np.asarray(about, dtype=float))
    columns = []
    for i, j in DIRECTIONS:
        weight = np.zeros((3, 3))
        weight[i, j] += 1.0
        if i == j:
            weight -= np.eye(3)
        else:
            weight[j, i] += 1.0
        columns.append(-np.einsum("nad,da->n", moments, weight))
    return np.asarray(assembled.recovery.T @ np.stack(columns, axis=1))


def spin_load(assembled: AssembledModel, spin: Sequence[float], about: FloatArray = ORIGIN) -> FloatArray:
    """(d,) centrifugal load of a steady spin ``spin`` (3,) rad/s about a point."""
    w = np.asarray(spin, dtype=float)
    return np.asarray(spin_loads(assembled, about) @ [w[i] * w[j] for i, j in DIRECTIONS])
