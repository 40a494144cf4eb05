"""A file for Exudyn's ``ObjectFFRFreducedOrderInterface.LoadFromFile`` (HDF5), with our exact integrals inside.

C_ab,k = delta_ab tr L_k - L_ba,k;  S_ab,kl = delta_ab tr N_kl - N_ba,kl;  Kx_a,kl = (int phi_k x phi_l)_a.
"""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import numpy as np

from tisserand.appendage.record.reduced_appendage import ReducedAppendage
from tisserand.arrays import FloatArray, skew
from tisserand.exporters.metadata import describe
from tisserand.exporters.readback import worst
from tisserand.stored import create_hdf5

#: What the file says it is, for ``tisserand info``.
KIND = "tisserand export for Exudyn"


def losses(appendage: ReducedAppendage) -> list[str]:
    """Exudyn's object holds no damping matrix in this file, no rotations of nodes, and no second-degree rotation terms."""
    lost = []
    if np.abs(appendage.nodes.rotation).max(initial=0.0) > 0.0:
        lost.append("rotations of nodes are not in the mode basis (translations only)")
    if np.abs(appendage.damping).max(initial=0.0) > 0.0:
        lost.append(
            "damping is not part of the file: set dampingMatrixReduced on the object (the description in the file contains De)"
        )
    if np.abs(appendage.integrals.turn_second).max(initial=0.0) > 0.0:
        lost.append("second-degree rotation of nodal bodies is lost")
    if appendage.geometric_stiffness:
        lost.append("geometric stiffness is lost")
    return lost


def invariants(appendage: ReducedAppendage) -> dict[str, FloatArray]:
    """The matrices under Exudyn's names."""
    integrals, k = appendage.integrals, appendage.count
    L, N, P = integrals.position_shape, integrals.shape_shape, integrals.translation
    unit = np.eye(3)
    C = unit[:, :, None] * np.trace(L) - L.transpose(1, 0, 2)
    S = unit[:, :, None, None] * np.trace(N) - N.transpose(1, 0, 2, 3)
    nodes = appendage.nodes
    return {
        "modeBasis": nodes.translation.reshape(-1, k),
        "xRef": nodes.positions.ravel(),
        "massMatrixReduced": np.array(integrals.modal_mass),
        "stiffnessMatrixReduced": np.array(appendage.stiffness),
        "inertiaLocal": np.array(integrals.inertia),
        "Mtt": integrals.mass * unit,
        "chiU": np.array(integrals.center),
        "chiUtilde": skew(integrals.center),
        "mPhitTPsi": np.array(P),
        "mPhitTPsiTilde": np.concatenate([skew(P[:, m]) for m in range(k)], axis=1) if k else np.zeros((3, 0)),
        "mXRefTildePsi": -integrals.rotation,
        "mXRefTildePsiTilde": C.transpose(0, 2, 1).reshape(3, 3 * k),
        "mPsiTildePsi": -integrals.cross.transpose(1, 0, 2).reshape(3 * k, k),
        "mPsiTildePsiTilde": S.transpose(2, 0, 3, 1).reshape(3 * k, 3 * k),
    }


def write(appendage: ReducedAppendage, path: Path) -> list[Path]:
    """HDF5 as Exudyn's LoadDictFromHDF5 reads it: every item stores its Python type in an attribute."""
    k, n = appendage.count, len(appendage.nodes)
    items: dict[str, tuple[str, Any]] = {name: ("ndarray", value) for name, value in invariants(appendage).items()}
    items |= {
        "fileVersion": ("int", 1),
        "totalMass": ("float", float(appendage.mass)),
        "infoList": ("ndarray", np.array([k, n, 3, 4, 7, 7 + k])),
        "trigList": ("ndarray", appendage.topology.triangles),
        "rigidBodyNodeType": ("str", "NodeType.RotationEulerParameters"),
    }
    with create_hdf5(path) as file:
        file.attrs["kind"] = KIND
        file.attrs["description"] = json.dumps({**describe(appendage), "damping": appendage.damping.tolist()})
        for name, (kind, value) in items.items():
            made = file.create_dataset(name, data=value)
            made.attrs["datatype"] = kind
        file.create_group("postProcessingModes").attrs["datatype"] = "dict"
    return [path]


def read_back(appendage: ReducedAppendage, path: Path) -> float:
    import h5py

    with h5py.File(path, "r") as file:
        return worst((file[name][()], meant) for name, meant in invariants(appendage).items())
