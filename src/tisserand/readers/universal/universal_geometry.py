"""Nodes, displacement axes and elements of a universal file: data sets 15, 2411, 2412 and 2420."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np

from tisserand.arrays import FloatArray, IntArray
from tisserand.errors import FileError, ModelError
from tisserand.model import CoordinateSystem
from tisserand.readers.supplier.supplier_modes import Geometry

_KINDS = ("rectangular", "cylindrical", "spherical")
_Sets = list[dict[Any, Any]]
#: Labels of the basic system where the file does not define them.
_BASIC = (0, 1)


def read_geometry(path: Path, sets: _Sets, notes: list[str]) -> Geometry | None:
    """Nodes of every 2411 and 15 in basic axes; None where there are none.

    A node whose place (15) or displacement axes refer to a system that is not in the file (2420) is left out, with a note.
    """
    systems = _systems(path, sets)
    tables = [_nodes(path, one, systems) for one in sets if one["type"] in (15, 2411)]
    if not tables:
        return None
    ids, places, axes, known = (np.concatenate([table[part] for table in tables]) for part in range(4))
    if not known.all():
        notes.append(
            f"coordinate systems of {int((~known).sum())} nodes are not in the file (2420), such as that of node "
            f"{int(ids[~known][0])}: their places and axes are not used"
        )
        ids, places, axes = ids[known], places[known], axes[known]
    unique, first, inverse = np.unique(ids, return_index=True, return_inverse=True)
    again = np.abs(places - places[first][inverse]).max(axis=1, initial=0.0)
    size = float(np.ptp(places, axis=0).max(initial=0.0)) if len(places) else 0.0
    if (again > 1e-6 * size).any():
        raise FileError(path, "a node has two places", found=f"node {int(ids[int(again.argmax())])}",
                        advice="the file joins several models; send one of them")  # fmt: skip
    if not len(ids):
        return None
    lines, triangles = _cells(sets)
    axes = axes[first]
    own = None if np.array_equal(axes, np.broadcast_to(np.eye(3), axes.shape)) else axes
    return Geometry(ids=unique, positions=places[first], axes=own, lines=lines, triangles=triangles)


def _nodes(
    path: Path, table: dict[Any, Any], systems: dict[int, CoordinateSystem]
) -> tuple[IntArray, FloatArray, FloatArray, Any]:
    """Ids (n,), places (n, 3), displacement axes (n, 3, 3), and whether both are known (n,), of one data set."""
    ids = np.asarray(table["node_nums"], np.int64)
    places = np.column_stack([np.asarray(table[axis], float) for axis in "xyz"])
    export, display = (np.asarray(table[word], np.int64) for word in ("def_cs", "disp_cs"))
    if table["type"] == 2411:  # places are in the axes of the part
        export = np.zeros_like(export)
    axes = np.broadcast_to(np.eye(3), (len(ids), 3, 3)).copy()
    there = [*systems, *_BASIC]
    for number in sorted(set(export.tolist()) & set(systems) - {0}):
        inside = export == number
        places[inside] = systems[number].to_basic(places[inside])
    for number in sorted(set(display.tolist()) & set(systems)):
        inside = display == number
        axes[inside] = systems[number].axes_at(places[inside])
    return ids, places, axes, np.isin(export, there) & np.isin(display, there)


def _systems(path: Path, sets: _Sets) -> dict[int, CoordinateSystem]:
    """Systems by label: the first three rows of a matrix are the axes, the fourth is the origin."""
    out = {}
    for one in sets:
        if one["type"] == 2420:
            for label, kind, matrix in zip(one["CS_sys_labels"], one["CS_types"], one["CS_matrices"]):
                m = np.asarray(matrix, float)
                try:
                    system = CoordinateSystem(int(label), _KINDS[int(kind)], m[3], m[:3])  # type: ignore[arg-type]
                except ModelError as error:
                    raise FileError(path, "axes of a coordinate system (2420) are not a right-handed unit triad",
                                    found=f"system {int(label)}") from error  # fmt: skip
                out[int(label)] = system
    return out


def _cells(sets: _Sets) -> tuple[IntArray, IntArray]:
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
