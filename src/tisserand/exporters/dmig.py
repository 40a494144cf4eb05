"""Nastran punch file: GRID of the attachment, SPOINTs of the modes, DMIG of the reduced matrices."""

from __future__ import annotations

from pathlib import Path

import numpy as np

from tisserand.appendage.record.reduced_appendage import ReducedAppendage
from tisserand.arrays import FloatArray
from tisserand.exporters.clamped import clamped_view
from tisserand.exporters.metadata import comment_lines
from tisserand.exporters.nastran_matrices import losses as matrix_losses
from tisserand.exporters.nastran_matrices import reduced_matrices
from tisserand.exporters.readback import worst
from tisserand.files import write_text

#: Scalar points of the modes start behind this id.
FIRST_POINT = 900_000
_NAMES = ("KAAX", "MAAX", "BAAX")


def losses(appendage: ReducedAppendage) -> list[str]:
    """The other interfaces are named: the punch file holds the attachment and the modes only."""
    ports = [p.name for p in clamped_view(appendage).ports]
    dropped = [f"motion of the other interfaces is lost: {', '.join(ports)} (op4 has it)"] if ports else []
    return [*matrix_losses(appendage), *dropped]


def write(appendage: ReducedAppendage, path: Path) -> list[Path]:
    """Large field throughout; symmetric matrices state each pair once (lower triangle by columns)."""
    view, matrices = clamped_view(appendage), reduced_matrices(appendage)
    grid = _attachment_id(appendage)
    position = view.point + appendage.reference_point
    lines = [f"$ {line}"[:72] for line in comment_lines(appendage)]
    lines.append("$ Use with case control K2GG=KAAX, M2GG=MAAX, B2GG=BAAX")
    lines.append(f"GRID*   {grid:<16d}{'':16s}{position[0]:<16.9E}{position[1]:<16.9E}")
    lines.append(f"*       {position[2]:<16.9E}")
    lines += [f"SPOINT  {FIRST_POINT + mode + 1}" for mode in range(view.count)]
    labels = [(grid, c + 1) for c in range(6)] + [(FIRST_POINT + mode + 1, 0) for mode in range(view.count)]
    for name in _NAMES:
        lines += dmig_lines(name, matrices[name], labels)
    write_text(path, "\n".join(lines) + "\n")
    return [path]


def _attachment_id(appendage: ReducedAppendage) -> int:
    """Id of the attachment grid; one for an imaginary node at the reference point or at a point without a node."""
    node = 1 if appendage.attachment is None else int(appendage.interface(appendage.attachment).node_id)
    return node if node > 0 else 1


def dmig_lines(name: str, matrix: FloatArray, labels: list[tuple[int, int]]) -> list[str]:
    """DMIG entries of a symmetric matrix over (node, component) labels, lower triangle by columns, large field."""
    lines = [f"DMIG    {name:<8s}{0:8d}{6:8d}{2:8d}{0:8d}"]
    for column, (node, component) in enumerate(labels):
        rows = column + np.flatnonzero(matrix[column:, column])
        if len(rows) == 0:
            continue
        lines.append(f"DMIG*   {name:<16s}{node:16d}{component:16d}")
        for row in rows:
            value = f"{matrix[row, column]:16.9E}".replace("E", "D")
            lines.append(f"*       {labels[row][0]:16d}{labels[row][1]:16d}{value:>16s}")
    return lines


def read_back(appendage: ReducedAppendage, path: Path) -> float:
    meant = reduced_matrices(appendage)
    grid, size = _attachment_id(appendage), len(meant["MAAX"])
    found = {name: np.zeros((size, size)) for name in _NAMES}
    place = {(grid, c + 1): c for c in range(6)} | {(FIRST_POINT + m + 1, 0): 6 + m for m in range(size - 6)}
    name, column = "", -1
    for line in path.read_text().splitlines():
        if line.startswith("DMIG*"):
            name, column = line[8:24].strip(), place[int(line[24:40]), int(line[40:56])]
        elif line.startswith("*       ") and name:
            row = place[int(line[8:24]), int(line[24:40])]
            found[name][row, column] = found[name][column, row] = float(line[40:56].replace("D", "E"))
    return worst((found[n], meant[n]) for n in _NAMES)
