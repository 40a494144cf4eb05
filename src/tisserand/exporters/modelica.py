"""Modelica model of an appendage: the TITOP state space as one block without a library, frequencies and damping scalable.

With s = frequencyScale and d = dampingScale: A = [0 1; -s² K, -s d D], and every row of C that reads eta'' follows.
"""

from __future__ import annotations

import re
from pathlib import Path

import numpy as np

from tisserand.appendage.record.reduced_appendage import ReducedAppendage
from tisserand.arrays import FloatArray
from tisserand.exporters.metadata import comment_lines
from tisserand.exporters.readback import worst
from tisserand.exporters.statespace import StateSpace, state_space
from tisserand.exporters.statespace_npz import losses
from tisserand.files import write_text

__all__ = ["losses", "read_back", "write"]


def _matrix(name: str, values: FloatArray) -> str:
    """A constant matrix; Modelica has no literal for one without rows or columns."""
    if not values.size:
        return f"  parameter Real {name}[{values.shape[0]}, {values.shape[1]}] = zeros({values.shape[0]}, {values.shape[1]});"
    rows = ";\n    ".join(", ".join(repr(float(v)) for v in row) for row in values)
    return f"  parameter Real {name}[{values.shape[0]}, {values.shape[1]}] = [\n    {rows}];"


def parts(system: StateSpace) -> dict[str, FloatArray]:
    """The blocks that scale apart: eta'' = -s² K eta - s d D eta' + B u; y = C2 eta'' + D0 u for the loads and motions."""
    k = len(system.states) // 2
    rows = len(system.outputs) - 2 * k
    B = system.B[k:]
    drive = _acceleration_gain(system, rows, k)
    return {"K": -system.A[k:, :k], "D": -system.A[k:, k:], "B": B, "C2": drive, "D0": system.D[:rows] - drive @ B}


def _acceleration_gain(system: StateSpace, rows: int, k: int) -> FloatArray:
    """C2 (rows, k) with C = C2 [-K, -D]."""
    if not k:
        return np.zeros((rows, 0))
    return np.asarray(np.linalg.solve(system.A[k:, :k].T, system.C[:rows, :k].T).T)


def write(appendage: ReducedAppendage, path: Path) -> list[Path]:
    system = state_space(appendage)
    k, matrices = len(system.states) // 2, parts(system)
    m, n = matrices["D0"].shape
    name = re.sub(r"\W+", "_", path.stem)
    name = name if name[:1].isalpha() else f"M_{name}"
    notes = "\n".join(f"  // {line}" for line in comment_lines(appendage))
    inputs = "\n".join(
        f"  // u[{i}]: {word}, {unit}" for i, (word, unit) in enumerate(zip(system.inputs, system.input_units), 1)
    )
    outputs = "\n".join(
        f"  // y[{i}]: {word}, {unit}" for i, (word, unit) in enumerate(zip(system.outputs[:m], system.output_units), 1)
    )
    states = (
        f"  Real eta[{k}](each start = 0, each fixed = true);\n  Real rate[{k}](each start = 0, each fixed = true);\n"
        if k
        else ""
    )
    motion = (
        "  der(eta) = rate;\n  der(rate) = -frequencyScale^2*K*eta - frequencyScale*dampingScale*D*rate + B*u;\n"
        "  y = C2*der(rate) + D0*u;\n"
        if k
        else "  y = D0*u;\n"
    )
    text = (
        f'model {name} "Flexible appendage: base motion and port loads in, base load and port motions out"\n{notes}\n'
        '  parameter Real frequencyScale = 1 "factor on all frequencies";\n'
        '  parameter Real dampingScale = 1 "factor on all damping ratios";\n'
        + "\n".join(_matrix(word, values) for word, values in matrices.items())
        + f"\n{inputs}\n  input Real u[{n}];\n{outputs}\n  output Real y[{m}];\n{states}equation\n{motion}end {name};\n"
    )
    write_text(path, text)
    return [path]


def read_back(appendage: ReducedAppendage, path: Path) -> float:
    """The matrices as the text states them, put together to the state space again."""
    system, text = state_space(appendage), path.read_text()
    found = {}
    for name, rows, columns, body in re.findall(r"parameter Real (\w+)\[(\d+), (\d+)\] = (\[[^\]]*\]|zeros)", text):
        values = re.findall(r"[-+\d.e]+", body) if body.startswith("[") else []
        found[name] = np.array(values, float).reshape(int(rows), int(columns))
    rates = np.hstack([-found["K"], -found["D"]])
    m, k = len(found["D0"]), len(found["K"])
    return worst(
        [
            (rates, system.A[k:]),
            (found["B"], system.B[k:]),
            (found["C2"] @ rates, system.C[:m]),
            (found["D0"] + found["C2"] @ found["B"], system.D[:m]),
        ]
    )
