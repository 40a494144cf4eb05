"""Nastran OP4 in ASCII with 17 significant digits; names and units in a JSON sidecar."""

from __future__ import annotations

from pathlib import Path

import numpy as np

from tisserand.appendage.record.reduced_appendage import ReducedAppendage
from tisserand.arrays import FloatArray
from tisserand.exporters.metadata import write_sidecar
from tisserand.exporters.nastran_matrices import losses, port_names, reduced_matrices
from tisserand.exporters.readback import worst
from tisserand.files import write_text

__all__ = ["losses", "op4_text", "read_back", "read_op4_text", "write"]

_WIDTH, _PER_LINE = 24, 3


def op4_text(matrices: dict[str, FloatArray]) -> str:
    """Dense ASCII OP4: header, then per column `column first_row count` and the values, then the closing column."""
    lines = []
    for name, matrix in matrices.items():
        rows, columns = matrix.shape
        form = (
            6 if rows == columns and np.allclose(matrix, matrix.T, rtol=0.0, atol=0.0) else 1 if rows == columns else 2
        )
        lines.append(f"{columns:8d}{rows:8d}{form:8d}{2:8d}{name:<8s}1P,{_PER_LINE}E{_WIDTH}.16")
        for column in range(columns):
            values = matrix[:, column]
            used = np.flatnonzero(values)
            if len(used) == 0:
                continue
            first, last = int(used[0]), int(used[-1])
            part = values[first : last + 1]
            lines.append(f"{column + 1:8d}{first + 1:8d}{len(part):8d}")
            for start in range(0, len(part), _PER_LINE):
                lines.append("".join(f"{value:{_WIDTH}.16E}" for value in part[start : start + _PER_LINE]))
        lines.append(f"{columns + 1:8d}{1:8d}{1:8d}")
        lines.append(f"{1.0:{_WIDTH}.16E}")
    return "\n".join(lines) + "\n"


def read_op4_text(text: str) -> dict[str, FloatArray]:
    """Read back what :func:`op4_text` writes."""
    found: dict[str, FloatArray] = {}
    lines = iter(text.splitlines())
    for head in lines:
        columns, rows, name = int(head[:8]), int(head[8:16]), head[32:40].strip()
        matrix = np.zeros((rows, columns))
        while True:
            where = next(lines)
            column, first, count = int(where[:8]), int(where[8:16]), int(where[16:24])
            values: list[float] = []
            while len(values) < count:
                row = next(lines)
                values += [float(row[i : i + _WIDTH]) for i in range(0, len(row), _WIDTH)]
            if column > columns:
                break
            matrix[first - 1 : first - 1 + count, column - 1] = values
        found[name] = matrix
    return found


def write(appendage: ReducedAppendage, path: Path) -> list[Path]:
    write_text(path, op4_text(reduced_matrices(appendage)))
    sidecar = write_sidecar(
        appendage, path, matrices=port_names(appendage), coordinates="[six motions of the attachment; eta]"
    )
    return [path, sidecar]


def read_back(appendage: ReducedAppendage, path: Path) -> float:
    found, meant = read_op4_text(path.read_text()), reduced_matrices(appendage)
    return worst((found[name], matrix) for name, matrix in meant.items())
