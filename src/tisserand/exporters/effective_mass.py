"""Effective-mass table as CSV and Markdown."""

from __future__ import annotations

import csv
import io
from pathlib import Path

import numpy as np

from tisserand.appendage.integrals.effective_masses import shown_effective_masses
from tisserand.appendage.record.reduced_appendage import ReducedAppendage
from tisserand.arrays import FloatArray, without_roundoff
from tisserand.exporters.clamped import clamped_view
from tisserand.exporters.metadata import comment_lines
from tisserand.exporters.natural import natural_modes
from tisserand.exporters.other_units import unit_words
from tisserand.exporters.readback import worst
from tisserand.files import markdown_name, write_text
from tisserand.units import unit_system

COLUMNS = ("mode", "frequency_hz", "damping_ratio", "mx_kg", "my_kg", "mz_kg", "ix_kg_m2", "iy_kg_m2", "iz_kg_m2")


def columns(appendage: ReducedAppendage) -> tuple[str, ...]:
    """Head of the table; units are part of the names in SI and stand in the comments otherwise."""
    return COLUMNS if appendage.unit_system == "SI" else (*COLUMNS[:3], "mx", "my", "mz", "ix", "iy", "iz")


def losses(appendage: ReducedAppendage) -> list[str]:
    return ["a table of effective masses contains no shapes, signs or modal integrals"]


def numbers(appendage: ReducedAppendage) -> FloatArray:
    """(k, 8) frequency, damping ratio and six effective masses of the natural modes, about the attachment."""
    view = clamped_view(appendage, carried=False)
    modes = natural_modes(view)
    effective = (modes.X.T @ view.coupling) ** 2
    hz = modes.omega / (2.0 * np.pi * unit_system(appendage.unit_system).time)
    return np.column_stack([hz, modes.ratios, effective])


def write(appendage: ReducedAppendage, path: Path) -> list[Path]:
    table, rigid = numbers(appendage), np.diag(clamped_view(appendage, carried=False).rigid_mass)
    table[:, 1] = without_roundoff(table[:, 1])
    table[:, 2:] = shown_effective_masses(table[:, 2:], rigid)
    stream = io.StringIO()
    for line in comment_lines(appendage):
        stream.write(f"# {line}\n")
    writer = csv.writer(stream, lineterminator="\n")
    writer.writerow(columns(appendage))
    for number, row in enumerate(table, 1):
        writer.writerow([number, *(f"{value:.12g}" for value in row)])
    write_text(path, stream.getvalue())
    length, unit, *_ = unit_words(appendage)
    head = [
        "mode",
        "Hz",
        "damping ratio",
        *(f"M{axis} {unit}" for axis in "xyz"),
        *(f"I{axis} {unit} {length}²" for axis in "xyz"),
    ]
    lines = [
        f"# Effective masses of {markdown_name(appendage.name)}",
        "",
        "| " + " | ".join(head) + " |",
        "|" + "---|" * len(head),
    ]
    lines += ["| " + " | ".join([str(i), *(f"{v:.5g}" for v in row)]) + " |" for i, row in enumerate(table, 1)]
    lines.append("| sum | | | " + " | ".join(f"{v:.5g}" for v in table[:, 2:].sum(axis=0)) + " |")
    lines.append("| rigid | | | " + " | ".join(f"{v:.5g}" for v in rigid) + " |")
    lines += ["", *(f"- {markdown_name(line)}" for line in comment_lines(appendage)), ""]
    markdown = path.with_suffix(".md")
    write_text(markdown, "\n".join(lines))
    return [path, markdown]


def read_back(appendage: ReducedAppendage, path: Path) -> float:
    rows = [line for line in path.read_text(encoding="utf-8").splitlines() if line and not line.startswith("#")]
    got = np.array([[float(v) for v in row] for row in csv.reader(rows[1:])]).reshape(-1, len(COLUMNS))
    return worst([(got[:, 1:], numbers(appendage))])
