"""External superelements of Nastran: dofs, points and outputs of an OP4 from the .pch and .asm files next to it.

EXTSEOUT writes KXX and MXX to the OP4, the order of their dofs as EXTRN, boundary GRIDs with their systems and the modal SPOINTs
to the punch files, and MUG1 with its table TUG1: the displacements of more points as combinations of the dofs.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np

from tisserand.arrays import IntArray
from tisserand.errors import FileError, TisserandError
from tisserand.model import Nodes
from tisserand.readers.matrices.bulk_text import cards_of, whole_number
from tisserand.readers.matrices.raw import RawMatrices, RecoveredPoints
from tisserand.readers.nastran.deck import read_deck


def with_neighbors(path: Path, raw: RawMatrices, arrays: Mapping[str, Any]) -> RawMatrices:
    """Matrices of an OP4 with dofs, points and outputs of the files beside it; unchanged where there are none."""
    beside = [file for suffix in (".pch", ".asm") for file in _named(path, suffix)]
    if not beside:
        return raw
    size = raw.stiffness.shape[0]
    dofs, notes = _dofs(beside, size)
    if dofs is None:
        return raw
    points = points_of(beside)
    recovered = _recovered(path, beside, arrays, size, dofs)
    if points is None:
        return replace(raw, dofs=dofs, files=(path, *beside), notes=(*raw.notes, *notes), recovered=recovered)
    grids = np.flatnonzero(~points.scalar) if points.scalar is not None else np.arange(len(points))
    positions = {int(points.ids[k]): points.positions[k] for k in grids}
    axes = {} if points.axes is None else {int(points.ids[k]): points.axes[k] for k in grids}
    notes.append("an external superelement: positions and axes of its points are those of the files beside it")
    return replace(
        raw, dofs=dofs, positions=positions, axes=axes, files=(path, *beside), notes=(*raw.notes, *notes),
        recovered=recovered,
    )  # fmt: skip


def _named(path: Path, suffix: str) -> list[Path]:
    return [file for file in (path.with_suffix(suffix), path.with_suffix(suffix.upper())) if file.exists()][:1]


def external_dofs(path: Path) -> IntArray | None:
    """Dofs (d, 2) that EXTRN lists in order of the matrices; None when there is no EXTRN card."""
    for card in cards_of(path, ("EXTRN",)):
        fields = [field for field in card[1:] if field]
        if len(fields) % 2:
            raise FileError(path, "EXTRN lists pairs of a point and its components", found=len(fields))
        rows = []
        for node, digits in zip(fields[::2], fields[1::2]):
            components = [-1] if digits == "0" else [whole_number(path, digit, 1, 6) - 1 for digit in digits]
            rows += [(whole_number(path, node), component) for component in components]
        return np.array(rows, np.int64)
    return None


def _dofs(beside: list[Path], size: int) -> tuple[IntArray | None, list[str]]:
    """Dofs by EXTRN, else six per boundary point and one per scalar point in order of id, where that fits exactly."""
    stated = None
    for file in beside:
        dofs = external_dofs(file)
        if dofs is not None and len(dofs) == size:
            return dofs, []
        stated = stated or (None if dofs is None else f"EXTRN of {file.name} lists {len(dofs)} dofs")
    if stated:
        raise FileError(beside[0].with_suffix(".op4"), "the files beside the matrices do not fit them", found=stated,
                        expected=f"{size} dofs", advice="give the .pch and .asm of the same run")  # fmt: skip
    points = points_of(beside)
    if points is None:
        return None, []
    scalar = np.zeros(len(points), np.bool_) if points.scalar is None else points.scalar
    rows = [(int(k), c) for k, s in zip(points.ids, scalar) for c in ((-1,) if s else range(6))]
    if len(rows) != size:
        return None, []
    return np.array(sorted(rows), np.int64), ["no EXTRN: dofs are taken in order of point id, six per grid point"]


def points_of(beside: list[Path]) -> Nodes | None:
    """Points of the first file that states grid points, in its own units."""
    for file in beside:
        try:
            deck = read_deck(file, "consistent", allow=("all",))
        except TisserandError as error:
            if "no grid or scalar points" in str(error):
                continue
            raise
        models = [part.model for part in deck.parts] + ([deck.main] if deck.main is not None else [])
        for model in models:
            if model.nodes.scalar is None or not model.nodes.scalar.all():
                return model.nodes
    return None


def _recovered(
    path: Path, beside: list[Path], arrays: Mapping[str, Any], size: int, dofs: IntArray
) -> RecoveredPoints | None:
    """Grid points of MUG1 that are not dofs themselves; table TUG1 assigns the rows to points."""
    matrix = next((value for name, value in arrays.items() if name.lower() == "mug1"), None)
    table = [row for file in beside for row in _table(file, "TUG1")]
    if matrix is None or not table:
        return None
    values = np.atleast_2d(np.asarray(matrix.toarray() if hasattr(matrix, "toarray") else matrix, float))
    if values.shape[1] != size or max(row for _, row in table) + 5 > len(values):
        raise FileError(path, "MUG1 does not fit the matrices or its table", found=f"shape {values.shape}")
    known = set(dofs[:, 0].tolist())
    wanted = [(node, row) for node, row in table if node not in known]
    if not wanted:
        return None
    places = np.concatenate([np.arange(row - 1, row + 5) for _, row in wanted])
    return RecoveredPoints(np.array([node for node, _ in wanted], np.int64), values[places])


def _table(path: Path, name: str) -> list[tuple[int, int]]:
    """(point, first row) of the grid points in the second record of a DTI table: type 1 with six components."""
    for card in cards_of(path, ("DTI",)):
        if card[1].upper() != name or card[2] != "2":
            continue
        words = [word for word in card[3:] if word]
        numbers = [word for word in words if word.isdigit()]
        found = [tuple(int(word) for word in numbers[at : at + 4]) for at in range(0, len(numbers) - 3, 4)]
        return [(node, row) for kind, node, count, row in found if kind == 1 and count == 6]
    return []
