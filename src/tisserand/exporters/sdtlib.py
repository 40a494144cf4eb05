"""Appendage data with the names that SDTlib (Satellite Dynamics Toolbox) uses, as a MATLAB file."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np

from tisserand.appendage.record.reduced_appendage import ReducedAppendage
from tisserand.arrays import skew
from tisserand.exporters.clamped import clamped_view
from tisserand.exporters.matfile import load_mat, save_mat
from tisserand.exporters.natural import natural_modes
from tisserand.exporters.readback import worst


def losses(appendage: ReducedAppendage) -> list[str]:
    """What a linear, diagonally damped model cannot carry."""
    lost = ["linear about rest: inertia changes with deformation and spin terms are lost"]
    rest = natural_modes(clamped_view(appendage)).off_diagonal
    if rest > 1e-9:
        lost.append(
            f"damping becomes one ratio per mode: off-diagonal terms (largest {rest:.1e} of the diagonal) are lost"
        )
    return lost


def values(appendage: ReducedAppendage) -> dict[str, Any]:
    """Values of an SDTlib block.

    M mass, J inertia at the mass center, xcg from P, LS (k, 6) participation at P, w rad/s, zeta, DPa0 residual mass at P,
    EV_C (6 c, k) port shapes, TauCP (6 c, 6), cdP, cdC positions of P and the ports in source axes.
    """
    view = clamped_view(appendage)
    modes = natural_modes(view)
    mass = appendage.mass
    center = np.asarray(appendage.integrals.center) - view.point
    LS = modes.X.T @ view.coupling
    origin = appendage.reference_point
    return {
        "M": np.array([[mass]]),
        "J": view.rigid_mass[3:, 3:] + mass * skew(center) @ skew(center),
        "xcg": center.reshape(3, 1),
        "LS": LS,
        "w": modes.omega.reshape(-1, 1),
        "zeta": modes.ratios.reshape(-1, 1),
        "DPa0": view.rigid_mass - LS.T @ LS,
        "EV_C": view.shapes.reshape(-1, view.count) @ modes.X,
        "TauCP": view.transfer.reshape(-1, 6),
        "cdP": (view.point + origin).reshape(3, 1),
        "cdC": np.array([p.position + origin for p in view.ports]).reshape(-1, 3),
    }


def write(appendage: ReducedAppendage, path: Path) -> list[Path]:
    ports = np.array([p.name for p in clamped_view(appendage).ports], dtype=object).reshape(-1, 1)
    save_mat(appendage, path, {**values(appendage), "ports": ports})
    return [path]


def read_back(appendage: ReducedAppendage, path: Path) -> float:
    data = load_mat(path)
    return worst((data[name].reshape(meant.shape), meant) for name, meant in values(appendage).items())
