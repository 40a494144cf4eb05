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

#: Ports whose shapes are this dependent cannot become boundary nodes.
INDEPENDENT = 1e-8


def usable_ports(view: ClampedView) -> list[int]:
    """Ports (in order) whose six motions stay independent of the ones before."""
    chosen: list[int] = []
    for port in range(len(view.ports)):
        rows = view.shapes[[*chosen, port]].reshape(-1, view.count)
        rows = rows / np.maximum(np.linalg.norm(rows, axis=1, keepdims=True), 1e-300)
        if len(rows) <= view.count and np.linalg.svd(rows, compute_uv=False)[-1] > INDEPENDENT:
            chosen.append(port)
    return chosen


def losses(appendage: ReducedAppendage) -> list[str]:
    """Interfaces that cannot be boundary frames are named."""
    view = clamped_view(appendage)
    lost = ["linear about rest: inertia changes with deformation and spin terms are lost"]
    kept = usable_ports(view)
    lost = [p.name for i, p in enumerate(view.ports) if i not in kept]
    if lost:
        lost.append(
            "interfaces without six independent motions in the kept modes are left out: "
            + ", ".join(lost)
            + " (keep more modes, or attachment modes)"
        )
    return lost


def matrices(appendage: ReducedAppendage) -> dict[str, FloatArray]:
    """M, K, C ((6n+m) squared), origins (n, 3) m in source axes, quats (n, 4) scalar first."""
    view = clamped_view(appendage)
    kept, k = usable_ports(view), view.count
    full_m = np.block([[view.rigid_mass, view.coupling.T], [view.coupling, view.mass]])
    full_k, full_c = np.zeros((6 + k, 6 + k)), np.zeros((6 + k, 6 + k))
    full_k[6:, 6:], full_c[6:, 6:] = view.stiffness, view.damping
    phi, tau = view.shapes[kept].reshape(-1, k), view.transfer[kept].reshape(-1, 6)
    b = len(phi)
    _, _, Vt = np.linalg.svd(phi) if b else (None, None, np.eye(k))
    N = Vt[b:].T  # no motion at the ports
    G = np.linalg.pinv(phi) if b else np.zeros((k, 0))
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
