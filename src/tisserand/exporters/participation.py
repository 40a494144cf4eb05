"""Modal participation as control engineers exchange it: CSV and an Excel workbook.

L = X' Phi' M [S_t S_r] (k, 6) of the natural modes held at the attachment, unit modal mass; m_eff = L². Its sum over all modes
of the structure is the rigid mass; the residual is what the kept modes leave out.
"""

from __future__ import annotations

import csv
import io
from pathlib import Path

import numpy as np

from tisserand.appendage.record.reduced_appendage import ReducedAppendage
from tisserand.arrays import FloatArray
from tisserand.exporters.clamped import clamped_view
from tisserand.exporters.metadata import comment_lines
from tisserand.exporters.natural import natural_modes
from tisserand.exporters.other_units import unit_words
from tisserand.exporters.readback import worst
from tisserand.exporters.xlsx import Cell, write_xlsx
from tisserand.files import write_text
from tisserand.units import unit_system

_AXES = ("tx", "ty", "tz", "rx", "ry", "rz")
COLUMNS = (
    "mode", "frequency_hz", "omega_rad_s", "damping_ratio", *(f"L_{axis}" for axis in _AXES),
    *(f"meff_{axis}" for axis in _AXES), *(f"fraction_{axis}" for axis in _AXES), *(f"cumulative_{axis}" for axis in _AXES),
)  # fmt: skip


def losses(appendage: ReducedAppendage) -> list[str]:
    """A table of participation factors holds a linear model without shapes."""
    lost = ["linear about rest, seen from the attachment: shapes and the other interfaces are lost"]
    rest = natural_modes(clamped_view(appendage)).off_diagonal
    if rest > 1e-9:
        lost.append(
            f"damping becomes one ratio per mode: terms between modes (up to {rest:.1e} of the largest) are lost"
        )
    return lost


def numbers(appendage: ReducedAppendage) -> FloatArray:
    """(k, 27) every column but the first."""
    view = clamped_view(appendage)
    modes = natural_modes(view)
    omega = modes.omega / unit_system(appendage.unit_system).time
    L = modes.X.T @ view.coupling
    rigid = np.diag(view.rigid_mass)
    fraction = np.divide(L**2, rigid, out=np.zeros_like(L), where=rigid > 0.0)
    return np.column_stack([omega / (2.0 * np.pi), omega, modes.ratios, L, L**2, fraction, np.cumsum(fraction, axis=0)])


def _rigid(appendage: ReducedAppendage) -> list[list[Cell]]:
    """Mass properties, and the rigid and the residual mass matrix about the attachment."""
    view = clamped_view(appendage)
    L = natural_modes(view).X.T @ view.coupling
    length, mass, *_ = unit_words(appendage)
    rows: list[list[Cell]] = [
        ["mass", mass, float(appendage.mass)],
        ["mass center from the attachment", length, *map(float, np.asarray(appendage.integrals.center) - view.point)],
        ["attachment in basic axes", length, *map(float, view.point + appendage.reference_point)],
    ]
    for title, matrix in (
        ("rigid mass matrix about the attachment", view.rigid_mass),
        ("residual mass matrix", view.rigid_mass - L.T @ L),
    ):
        rows.append([title, "", *_AXES])
        for axis, row in zip(_AXES, matrix):
            rows.append([axis, "", *map(float, row)])
    return rows


def write(appendage: ReducedAppendage, path: Path) -> list[Path]:
    table, notes = numbers(appendage), comment_lines(appendage)
    stream = io.StringIO()
    stream.writelines(f"# {line}\n" for line in notes)
    stream.write(
        "# L: participation of modes with unit modal mass in base motion, about the attachment; meff = L squared\n"
    )
    for row in _rigid(appendage):
        stream.write("# " + ", ".join(str(cell) if isinstance(cell, str) else f"{cell:.12g}" for cell in row) + "\n")
    writer = csv.writer(stream, lineterminator="\n")
    writer.writerow(COLUMNS)
    for mode, row in enumerate(table, 1):
        writer.writerow([mode, *(f"{value:.12g}" for value in row)])
    write_text(path, stream.getvalue())
    workbook = path.with_suffix(".xlsx")
    body: list[list[Cell]] = [[mode, *map(float, row)] for mode, row in enumerate(table, 1)]
    write_xlsx(
        workbook, {"participation": [list(COLUMNS), *body], "rigid": _rigid(appendage), "about": [[n] for n in notes]}
    )
    return [path, workbook]


def read_back(appendage: ReducedAppendage, path: Path) -> float:
    rows = [line for line in path.read_text(encoding="utf-8").splitlines() if line and not line.startswith("#")]
    got = np.array([[float(v) for v in row] for row in csv.reader(rows[1:])]).reshape(-1, len(COLUMNS))
    return worst([(got[:, 1:], numbers(appendage))])
