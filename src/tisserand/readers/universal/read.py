"""Universal files (I-deas, test laboratories) through pyuff: nodes 15 and 2411, elements 2412, shapes 55, axes 2420, units 164.

Layout: University of Cincinnati, "Universal File Formats for Modal Analysis Testing". Complex shapes are refused.
"""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np

from tisserand.arrays import FloatArray, IntArray
from tisserand.errors import FileError, InputError
from tisserand.files import refuse_binary
from tisserand.model import CoordinateSystem
from tisserand.readers.supplier.supplier_modes import Geometry, SupplierModes
from tisserand.readers.universal.sound_sets import sound_set
from tisserand.stored import parsing

_KINDS = ("rectangular", "cylindrical", "spherical")
_WANTED = (15, 55, 151, 164, 2411, 2412, 2420)
_NORMAL_MODE, _REAL = 2, 2


def read_universal(path: Path, subcase: int | None = None) -> SupplierModes:
    """Real normal modes (55) with nodes, axes and elements of the same file; modal masses where they are not zero."""
    sets = _sets(path)
    modes = [s for s in sets if s["type"] == 55 and s.get("analysis_type") == _NORMAL_MODE]
    if not modes:
        complex_modes = any(s["type"] == 55 and s.get("analysis_type") in (3, 7) for s in sets)
        what = "the file holds complex modes only" if complex_modes else "the file holds no mode shapes"
        raise FileError(path, what, expected="data set 55 of normal modes")
    if any(np.iscomplexobj(s["r1"]) for s in modes):
        raise FileError(path, "the mode shapes are complex", expected="real shapes (data type 2)",
                        advice="ask for real modes, or for their real parts with the phase removed")  # fmt: skip
    if subcase is not None:
        modes = [s for s in modes if int(s.get("load_case", 0)) == subcase]
    cases = sorted({int(s.get("load_case", 0)) for s in modes})
    if len(cases) != 1:
        raise FileError(
            path, "one load case must be meant", found=", ".join(map(str, cases)) or "none", advice="state --subcase"
        )
    notes: list[str] = []
    ids = np.sort(np.asarray(modes[0]["node_nums"], np.int64))
    shapes, given = _shapes(path, modes, ids)
    masses = np.array([float(s.get("modal_m", 0.0) or 0.0) for s in modes])
    known = bool((masses > 0.0).all())
    geometry = _geometry(path, sets, notes)
    units = [s for s in sets if s["type"] == 164]
    if units:
        notes.append(f"the file states units {str(units[0].get('units_description', '')).strip()!r}; --units decides")
    header = next((s for s in sets if s["type"] == 151), {})
    return SupplierModes(
        path=path,
        program=str(header.get("program", "")).strip() or "universal file",
        numbers=np.array([int(s["mode_n"]) for s in modes], np.int64),
        eigenvalues=(2.0 * np.pi * np.array([float(s["freq"]) for s in modes])) ** 2,
        node_ids=ids,
        shapes=shapes,
        given=given,
        local_axes=True,
        modal_masses=masses if known else None,
        geometry=geometry,
        subcase=cases[0] or None,
        parts=tuple(f"data set {kind}" for kind in sorted({s["type"] for s in sets})),
        notes=tuple(notes),
    )


def _sets(path: Path) -> list[dict[Any, Any]]:
    """Every data set that is wanted, as pyuff reads it."""
    try:
        import pyuff
    except ImportError as error:
        raise InputError(
            "reading universal files needs pyuff",
            where=str(path),
            advice="install it with: pip install tisserand[universal]",
        ) from error
    raw = path.read_bytes()
    refuse_binary(path, raw, "a universal file in text form")
    if (
        raw.count(b"\n    -1") + raw.startswith(b"    -1") < 2
        or (raw.count(b"\n    -1") + raw.startswith(b"    -1")) % 2
    ):
        raise FileError(path, "is no universal file, or was cut off", expected="data sets between pairs of -1 lines")
    with parsing(path, "is not a universal file that can be read"):
        file = pyuff.UFF(str(path))
        kinds = [int(kind) for kind in file.get_set_types()]
        return [sound_set(dict(file.read_sets(place))) for place, kind in enumerate(kinds) if kind in _WANTED]


def _shapes(path: Path, modes: list[dict[str, Any]], ids: IntArray) -> tuple[FloatArray, Any]:
    """Shapes (n, 6, k) and the components that are given (n, 6)."""
    out = np.zeros((len(ids), 6, len(modes)))
    wide = all("r4" in s for s in modes)
    for k, one in enumerate(modes):
        nodes = np.asarray(one["node_nums"], np.int64)
        order = np.argsort(nodes, kind="stable")
        if not np.array_equal(nodes[order], ids):
            raise FileError(path, "modes list different nodes", found=f"mode {one.get('mode_n')}")
        for c in range(6 if wide else 3):
            out[:, c, k] = np.asarray(one[f"r{c + 1}"], float)[order]
    return out, np.tile(np.arange(6) < (6 if wide else 3), (len(ids), 1))


def _geometry(path: Path, sets: list[dict[Any, Any]], notes: list[str]) -> Geometry | None:
    """Nodes of 2411 or 15 in basic axes; local coordinate systems need 2420."""
    nodes = [s for s in sets if s["type"] in (2411, 15)]
    if not nodes:
        return None
    table = nodes[0]
    ids = np.asarray(table["node_nums"], np.int64)
    places = np.column_stack([np.asarray(table[axis], float) for axis in "xyz"])
    systems = _systems(sets)
    export, display = (np.asarray(table[word], np.int64) for word in ("def_cs", "disp_cs"))
    used = np.concatenate([export, display]) if table["type"] == 15 else display
    lost = sorted(set(used.tolist()) - set(systems) - {0, 1})
    if lost:
        notes.append(f"coordinate systems {lost[:4]} of nodes are not in the file (2420): the geometry is not used")
        return None
    axes = np.broadcast_to(np.eye(3), (len(ids), 3, 3)).copy()
    for number, system in systems.items() if table["type"] == 15 else ():  # those of 2411 are in the axes of the part
        inside = export == number
        places[inside] = system.to_basic(places[inside])
    for number, system in systems.items():
        inside = display == number
        axes[inside] = system.axes_at(places[inside])
    lines, triangles = _cells(sets, ids)
    own = None if np.array_equal(axes, np.broadcast_to(np.eye(3), axes.shape)) else axes
    return Geometry(ids=ids, positions=places, axes=own, lines=lines, triangles=triangles)


def _systems(sets: list[dict[Any, Any]]) -> dict[int, CoordinateSystem]:
    """Local systems by label: the first three rows of a matrix are the axes, the fourth is the origin."""
    out = {}
    for one in sets:
        if one["type"] == 2420:
            for label, kind, matrix in zip(one["CS_sys_labels"], one["CS_types"], one["CS_matrices"]):
                m = np.asarray(matrix, float)
                if int(label) > 1:
                    out[int(label)] = CoordinateSystem(int(label), _KINDS[int(kind)], m[3], m[:3])  # type: ignore[arg-type]
    return out


def _cells(sets: list[dict[Any, Any]], ids: IntArray) -> tuple[IntArray, IntArray]:
    """Lines of beams and rods, triangles of shells; other elements are not drawn."""
    lines, triangles = [], []
    for one in sets:
        if one["type"] != 2412:
            continue
        for key, elements in one.items():
            for element in elements if isinstance(key, int) else ():
                nodes = [int(n) for n in element["nodes_nums"]]
                if key in (11, 21, 22, 23, 24) and len(nodes) >= 2:
                    lines.append((nodes[0], nodes[-1]))
                elif key in (41, 91) and len(nodes) >= 3:
                    triangles.append((nodes[0], nodes[1], nodes[2]))
                elif key in (44, 94) and len(nodes) >= 4:
                    triangles += [(nodes[0], nodes[1], nodes[2]), (nodes[0], nodes[2], nodes[3])]
    return np.array(lines, np.int64).reshape(-1, 2), np.array(triangles, np.int64).reshape(-1, 3)
