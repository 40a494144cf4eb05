"""Simscape Multibody's Reduced Order Flexible Solid: K, M, C over boundary dofs first, then retained modal dofs.

Coordinates are changed from (x_P, eta) to (x_P, x_C1, ..., q): eta = G (x_C - tau x_P) + N q, with phi G = 1, phi N = 0.
"""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np

from tisserand.appendage.record.reduced_appendage import ReducedAppendage
from tisserand.arrays import FloatArray, symmetric
from tisserand.exporters.clamped import ClampedView, clamped_view
from tisserand.exporters.matfile import load_mat, save_mat
from tisserand.exporters.readback import worst

#: A port becomes a boundary node where moving it alone along any direction takes less than 1 / WEAKEST² of the rigid mass.
WEAKEST = 0.01


def usable_ports(view: ClampedView) -> list[int]:
    """Ports (in order) whose six motions stay independent of the ones before."""
    chosen: list[int] = []
    rigid = np.diag(view.rigid_mass)
    units = np.sqrt(np.repeat([rigid[:3].mean(), rigid[3:].mean()], 3))  # a shape times its unit: sqrt of a mass ratio
    root = np.linalg.cholesky(view.mass) if view.count else np.zeros((0, 0))
    for port in range(len(view.ports)):
        rows = (units[:, None] * view.shapes[[*chosen, port]]).reshape(-1, view.count)
        rows = np.linalg.solve(root, rows.T).T  # per unit modal mass
        if len(rows) <= view.count and np.linalg.svd(rows, compute_uv=False)[-1] > WEAKEST:
            chosen.append(port)
    return chosen


def losses(appendage: ReducedAppendage) -> list[str]:
    """Interfaces that cannot be boundary frames are named."""
    view = clamped_view(appendage)
    lost = ["linear about rest: inertia changes with deformation and spin terms are lost"]
    kept = usable_ports(view)
    without = [p.name for i, p in enumerate(view.ports) if i not in kept]
    if without:
        lost.append(
            "interfaces without six independent motions in the kept modes are left out: "
            + ", ".join(without)
            + " (keep more modes, or add constraint modes of these nodes: craig_bampton)"
        )
    return lost


def notes(appendage: ReducedAppendage) -> list[str]:
    """How well the mass matrix is conditioned, as it is and with a diagonal of ones."""
    M = matrices(appendage)["M"]
    size = np.sqrt(np.diag(M))
    return [
        f"condition number of M: {np.linalg.cond(M):.1e}, with a diagonal of ones {np.linalg.cond(M / np.outer(size, size)):.1e}"
    ]


def matrices(appendage: ReducedAppendage) -> dict[str, FloatArray]:
    """M, K, C ((6n+m) squared), origins (n, 3) m in source axes, quats (n, 4) scalar first."""
    view = clamped_view(appendage)
    kept, k = usable_ports(view), view.count
    full_m = np.block([[view.rigid_mass, view.coupling.T], [view.coupling, view.mass]])
    full_k, full_c = np.zeros((6 + k, 6 + k)), np.zeros((6 + k, 6 + k))
    full_k[6:, 6:], full_c[6:, 6:] = view.stiffness, view.damping
    phi, tau = view.shapes[kept].reshape(-1, k), view.transfer[kept].reshape(-1, 6)
    b = len(phi)
    N = _inner(phi, view.mass)
    G = _lightest(phi, view.mass) if b else np.zeros((k, 0))
    T = np.block([[np.eye(6), np.zeros((6, b + k - b))], [-G @ tau, np.hstack([G, N])]]) if b else np.eye(6 + k)
    frames = (
        [(view.point, np.eye(3))]
        if appendage.attachment is None
        else [(view.point, appendage.interface(view.attachment).axes)]
    )
    frames += [(view.ports[i].position, view.ports[i].axes) for i in kept]
    return {
        "M": symmetric(T.T @ full_m @ T),
        "K": symmetric(T.T @ full_k @ T),
        "C": symmetric(T.T @ full_c @ T),
        "origins": np.array([position + appendage.reference_point for position, _ in frames]),
        "quats": np.array([quaternion(axes.T) for _, axes in frames]),
    }


def _lightest(phi: FloatArray, mass: FloatArray) -> FloatArray:
    """G (k, b) with phi G = 1 that takes the least modal mass: Me^-1 phi' (phi Me^-1 phi')^-1."""
    over = np.linalg.solve(mass, phi.T)
    return np.asarray(np.linalg.solve(phi @ over, over.T).T)


def _inner(phi: FloatArray, mass: FloatArray) -> FloatArray:
    """N (k, k - b): coordinates that move no port, with a modal mass of one."""
    _, _, Vt = np.linalg.svd(phi) if len(phi) else (None, None, np.eye(len(mass)))
    free = Vt[len(phi) :].T
    root = np.linalg.cholesky(symmetric(free.T @ mass @ free)) if free.shape[1] else np.zeros((0, 0))
    return np.asarray(np.linalg.solve(root, free.T).T)


def quaternion(matrix: Any) -> FloatArray:
    """Scalar-first unit quaternion of a rotation matrix, scalar part not negative."""
    from scipy.spatial.transform import Rotation

    x, y, z, w = Rotation.from_matrix(np.asarray(matrix)).as_quat()
    return np.array([w, x, y, z]) * (1.0 if w >= 0.0 else -1.0)


def write(appendage: ReducedAppendage, path: Path) -> list[Path]:
    view = clamped_view(appendage)
    names = [view.attachment, *(view.ports[i].name for i in usable_ports(view))]
    save_mat(appendage, path, {**matrices(appendage), "frames": np.array(names, dtype=object).reshape(-1, 1)})
    return [path]


def read_back(appendage: ReducedAppendage, path: Path) -> float:
    data = load_mat(path)
    return worst((data[name].reshape(meant.shape), meant) for name, meant in matrices(appendage).items())
