"""Delivered models for other programs: OP4, DMIG and MATLAB files with the recovery matrices and the names of all rows.

Loads are y = LTMD q + LTMA q'' (+ LTMV q' where the structure has dampers of its own, + LTMF f for forces f along recovered
displacements), displacements DTM q, accelerations ATM q''; rows follow one another in the order of the groups.
"""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import numpy as np

import tisserand
from tisserand.arrays import FloatArray
from tisserand.errors import FileError, IdentityError, InputError
from tisserand.exporters.dmig import FIRST_POINT, dmig_lines
from tisserand.exporters.matfile import load_mat
from tisserand.exporters.op4 import op4_text, read_op4_text
from tisserand.exporters.readback import worst
from tisserand.files import write_text
from tisserand.responses.delivered_model import DeliveredModel
from tisserand.responses.recovery_matrix import RecoveryMatrix
from tisserand.stored import write_mat


def matrices_of(model: DeliveredModel) -> dict[str, FloatArray]:
    """MAAX, KAAX (BAAX) over the coordinates, RBG (k, 6), and DTM, ATM, LTMD, LTMA (LTMV) as far as there are such rows."""
    out: dict[str, FloatArray] = {"MAAX": model.mass, "KAAX": model.stiffness, "RBG": model.rigid}
    if model.damping is not None:
        out["BAAX"] = model.damping
    for kind, names in (("DTM", ("DTM", "")), ("ATM", ("", "ATM")), ("LTM", ("LTMD", "LTMA"))):
        items = [item for item in model.recoveries if item.kind == kind]
        if not items:
            continue
        for name, word in zip(names, ("displacement", "acceleration")):
            if name:
                out[name] = np.vstack([getattr(item, word) for item in items])
        if any(item.velocity is not None for item in items):
            rates = [np.zeros_like(item.displacement) if item.velocity is None else item.velocity for item in items]
            out[f"{kind}V"] = np.vstack(rates)
        places = force_places(model)
        if kind == "LTM" and places:
            out["LTMF"] = np.vstack([_per_force(item, places) for item in items])
    return out


def force_places(model: DeliveredModel) -> tuple[str, ...]:
    """The recovered displacements that forces on the inside may act along, by label."""
    return tuple(dict.fromkeys(label for item in model.recoveries for label in item.force_labels))


def _per_force(item: RecoveryMatrix, places: tuple[str, ...]) -> FloatArray:
    out = np.zeros((len(item), len(places)))
    if item.force is not None:
        out[:, [places.index(label) for label in item.force_labels]] = item.force
    return out


def described(model: DeliveredModel) -> dict[str, Any]:
    """What the numbers mean: coordinates, interface nodes, rows with units, JSON-able."""
    rows: dict[str, list[dict[str, str]]] = {"DTM": [], "ATM": [], "LTM": []}
    for item in model.recoveries:
        rows[item.kind] += [{"label": text, "unit": unit} for text, unit in zip(item.full_labels, item.units)]
    return {
        "model": model.name,
        "method": model.method,
        "written_by": f"tisserand {tisserand.__version__}",
        "units": "SI (m, kg, s, N, rad)",
        "coordinates": [
            {"name": c.name, "kind": c.kind, "node": None if c.node is None else int(model.nodes.ids[c.node]),
             "component": None if c.component is None else c.component + 1}
            for c in model.coordinates
        ],
        "interface": [
            {"node": int(i), "position_m": x.tolist()} for i, x in zip(model.nodes.ids, model.nodes.positions)
        ],
        "rows": {kind: found for kind, found in rows.items() if found},
        "forces": list(force_places(model)),
        "dropped": list(model.dropped),
        "notes": list(model.notes),
        "RBG": "unit rigid motions about the basic origin",
    }  # fmt: skip


def _sidecar(model: DeliveredModel, path: Path) -> Path:
    return write_text(path.with_name(path.name + ".json"), json.dumps(described(model), indent=1) + "\n")


def write_delivered_op4(model: DeliveredModel, path: Path) -> list[Path]:
    """ASCII OP4 with 17 digits, names of rows in a JSON file beside it; verified by reading it back."""
    matrices = matrices_of(model)
    write_text(path, op4_text(matrices))
    found = read_op4_text(path.read_text())
    _verified(path, worst((found[name], matrix) for name, matrix in matrices.items()), 1e-14)
    return [path, _sidecar(model, path)]


def write_delivered_mat(model: DeliveredModel, path: Path) -> list[Path]:
    """MATLAB level 5: the matrices, and ``description`` as JSON text; verified by reading it back."""
    matrices = matrices_of(model)
    write_mat(path, {**matrices, "description": json.dumps(described(model))}, do_compression=True, oned_as="column")
    found = load_mat(path)
    _verified(path, worst((found[name], matrix) for name, matrix in matrices.items()), 0.0)
    return [path]


def write_delivered_dmig(model: DeliveredModel, path: Path) -> list[Path]:
    """Bulk data: GRIDs of the interface in basic axes, SPOINTs of the rest, DMIG of the matrices; rows of outputs beside it."""
    if model.nodes.axes is not None and np.abs(model.nodes.axes - np.eye(3)).max() > 1e-12:
        raise InputError(
            "interface nodes with axes of their own have no DMIG form here", where=model.name,
            advice="write OP4 or MATLAB, or state the interface in basic axes",
        )  # fmt: skip
    first = max(FIRST_POINT, int(model.nodes.ids.max(initial=0)))
    lines = [f"$ {model.name}: {model.method}, SI units, written by tisserand {tisserand.__version__}"[:72]]
    lines.append("$ Use with case control K2GG=KAAX, M2GG=MAAX" + (", B2GG=BAAX" if model.damping is not None else ""))
    for number, x in zip(model.nodes.ids, model.nodes.positions):
        lines.append(f"GRID*   {number:<16d}{'':16s}{x[0]:<16.9E}{x[1]:<16.9E}")
        lines.append(f"*       {x[2]:<16.9E}")
    labels, point = [], first
    for c in model.coordinates:
        if c.node is None:
            point += 1
            lines.append(f"SPOINT  {point}")
            labels.append((point, 0))
        else:
            labels.append((int(model.nodes.ids[c.node]), (c.component or 0) + 1))
    for name, matrix in matrices_of(model).items():
        if name in ("KAAX", "MAAX", "BAAX"):
            lines += dmig_lines(name, matrix, labels)
    write_text(path, "\n".join(lines) + "\n")
    return [path, _sidecar(model, path)]


def _verified(path: Path, error: float, tolerance: float) -> None:
    if not error <= tolerance:
        path.unlink(missing_ok=True)
        raise IdentityError("the file differs from the model when read back", where=str(path), found=f"{error:.1e}")


WRITERS = {"op4": write_delivered_op4, "mat": write_delivered_mat, "dmig": write_delivered_dmig}


def write_delivered(model: DeliveredModel, kind: str, path: Path) -> list[Path]:
    """Write one file for another program; ``kind`` is op4, mat or dmig."""
    if path.is_dir():
        raise FileError(path, "is a directory", expected="a file name to write")
    return WRITERS[kind](model, path)
