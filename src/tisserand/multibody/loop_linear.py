"""Linear models of vehicles with loops: small motions that keep them closed, in independent coordinates.

With q = N z and J N = 0 the loops are closed to first degree; the equations along N are free of their forces. Serves theory
sections 6 and 11.
"""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

import numpy as np

from tisserand.arrays import FloatArray, symmetric
from tisserand.errors import VehicleError
from tisserand.multibody.loop_projection import Projector, refuse_open
from tisserand.multibody.perturbed import Perturbed
from tisserand.multibody.recursive.kernels import loop_kernels, loop_row_kernels

if TYPE_CHECKING:
    from tisserand.multibody.linear import LinearModel

#: Rows that depend on others leave less than this part of the largest.
DEPENDENT = 1e-10


def rows_of_speeds(p: Perturbed) -> FloatArray:
    """J (m, n): rates of all rows, scaled to lengths, per unit of each speed."""
    c, at = p.c, loop_row_kernels()
    projector = Projector(c)
    m = sum(one.rows for one in c.loops)
    still = p.y.copy()
    still[c.speeds : c.state] = 0.0
    first = int(c.head["work_size"]) + 18
    rates = []
    for speed in (-1, *p.speed):
        y, found = still.copy(), np.zeros((len(c.loops), 2))
        if speed >= 0:
            y[speed] = 1.0
        loop_kernels().project(c.inner_M, c.F, projector.W, p.U.copy(), p.time, y, projector.buffers, found, 0, -1, 0)
        table = projector.W[first : first + at.COLUMNS * m].reshape(m, at.COLUMNS)
        rates.append(table[:, at.SPEED] * table[:, at.SCALE])
    return np.array(rates[1:]).T - rates[0][:, None]


def kept_motions(p: Perturbed) -> tuple[list[int], FloatArray]:
    """Numbers of independent coordinates, and N (n, k): the motion of all coordinates per unit of each of them."""
    from scipy.linalg import qr

    J = rows_of_speeds(p)
    _refuse_moving(p, J)
    n = J.shape[1]
    _, R, order = qr(J, mode="economic", pivoting=True)
    size = np.abs(np.diag(R))
    rank = int((size > DEPENDENT * max(float(size.max(initial=0.0)), 1e-300)).sum())
    tied, free = order[:rank], np.sort(order[rank:])
    N = np.zeros((n, len(free)))
    N[free, np.arange(len(free))] = 1.0
    N[tied] = -np.linalg.lstsq(J[:, tied], J[:, free], rcond=None)[0]
    return [int(i) for i in free], N


def _refuse_moving(p: Perturbed, J: FloatArray) -> None:
    """Refuse states in which N changes along the motion, and loops without a residual."""
    refuse_open(Projector(p.c), p.time, p.y, p.U)
    for one in p.c.loops:
        if one.loop.kind in ("rolling", "skate", "friction", "stop"):
            raise VehicleError(
                f"a {one.loop.kind} contact has no linear model", where=f"loop {one.name}", advice="simulate"
            )
    moving = [i for i, speed in enumerate(p.speed) if p.y[speed] != 0.0 and np.abs(J[:, i]).max(initial=0.0) > 0.0]
    if moving:
        raise VehicleError(
            "a linear model with loops needs a state in which they do not move",
            where=f"vehicle {p.c.vehicle.name}",
            found=f"{p.names[moving[0]]} moves",
        )


def in_state(p: Perturbed, free: list[int], N: FloatArray) -> tuple[list[int], FloatArray]:
    """The same of states [q; q'; controllers]: rows that are kept, and the matrix from kept to all."""
    n, k, nx = p.count, len(free), p.c.states
    T = np.zeros((2 * n + nx, 2 * k + nx))
    T[:n, :k], T[n : 2 * n, k : 2 * k], T[2 * n :, 2 * k :] = N, N, np.eye(nx)
    return [*free, *(n + i for i in free), *range(2 * n, 2 * n + nx)], T


def along_loops(p: Perturbed, model: LinearModel, free: list[int], N: FloatArray) -> LinearModel:
    """The model in the coordinates ``kept_motions``; ``model`` has all, with accelerations that keep the loops closed."""
    rows, T = in_state(p, free, N)
    rates = N.T @ (model.damping + model.gyroscopic) @ N
    return replace(
        model,
        coordinates=tuple(p.names[i] for i in free),
        mass=N.T @ model.mass @ N,
        damping=symmetric(rates),
        gyroscopic=rates - symmetric(rates),
        stiffness=N.T @ model.stiffness @ N,
        force=N.T @ model.force,
        A=(model.A @ T)[rows],
        B=model.B[rows],
        C=model.C @ T,
        residual=model.residual[free],
    )
