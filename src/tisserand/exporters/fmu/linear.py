"""Units of linear models: an appendage seen from its attachment, or a vehicle about a state."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import numpy as np

import tisserand
from tisserand.appendage.record.reduced_appendage import ReducedAppendage
from tisserand.arrays import FloatArray
from tisserand.exporters.fmu.unit import Unit, Variable
from tisserand.exporters.metadata import comment_lines
from tisserand.exporters.statespace import StateSpace, state_space

SCALES = (
    Variable("frequency_scale", "factor on the frequencies of appendages", start=1.0),
    Variable("damping_scale", "factor on the damping ratios of appendages", start=1.0),
    Variable("mass_scale", "factor on all masses and inertias; frequencies of appendages stay", start=1.0),
)
#: How the parts of a matrix are named in ``lti.c``, behind its own name.
PARTS = ("", "_heavy", "_light", "_stiff", "_stiff_heavy", "_damped", "_damped_heavy")


def _array(name: str, values: FloatArray) -> str:
    """A constant array, or NULL where all of it is zero."""
    if not np.any(values):
        return f"#define {name} ((const double *)0)\n"
    flat = [repr(float(value)) for value in np.asarray(values, float).ravel()]
    lines = [", ".join(flat[i : i + 6]) for i in range(0, len(flat), 6)]
    return f"static const double {name}[{len(flat)}] = {{\n    " + ",\n    ".join(lines) + "};\n"


def matrices_header(matrices: Mapping[str, FloatArray], states: int) -> str:
    """``matrices.h`` of ``lti.c``: every part of A, B, C, D (absent: zero), and the states at the start, which are zero."""
    names = [f"{matrix}{part}" for matrix in "ABCD" for part in PARTS]
    parts = [_array(name, matrices.get(name, np.zeros(0))) for name in names]
    return "".join([*parts, f"static const double start_states[{max(states, 1)}] = {{0.0}};\n"])


def scaled_parts(system: StateSpace) -> dict[str, FloatArray]:
    """The state space split by what scales: stiffness with s², damping with s d; loads in with 1 / mass, loads out with mass."""
    k, rows = len(system.states) // 2, len(system.outputs)
    columns = np.arange(2 * k)
    first, second = columns < k, columns >= k
    moving = (columns >= k)[:, None]  # eta' = eta' stays
    own = (np.arange(rows) < rows - 2 * k)[:, None]  # eta and eta' are outputs too
    heavy = np.array([unit in ("N", "N m") for unit in system.output_units])[:, None]
    light = np.array([unit in ("N", "N m") for unit in system.input_units])[None]
    return {
        "A": system.A,
        "A_stiff": system.A * first * moving,
        "A_damped": system.A * second * moving,
        "B": system.B,
        "B_light": system.B * light,
        "C": system.C,
        "C_heavy": system.C * heavy,
        "C_stiff": system.C * first * own,
        "C_stiff_heavy": system.C * first * own * heavy,
        "C_damped": system.C * second * own,
        "C_damped_heavy": system.C * second * own * heavy,
        "D": system.D,
        "D_heavy": system.D * (heavy & ~light),
        "D_light": system.D * (~heavy & light),
    }


def appendage_unit(appendage: ReducedAppendage) -> Unit:
    """Base motion and port loads in, base load, port motions and modal coordinates out."""
    system = state_space(appendage)
    k, notes = len(system.states) // 2, comment_lines(appendage)

    def named(names: Sequence[str], units: Sequence[str], meaning: str) -> tuple[Variable, ...]:
        plain = [unit.replace("N m", "N.m") if not unit.startswith("eta") else "" for unit in units]
        return tuple(Variable(name, meaning, unit) for name, unit in zip(names, plain))

    outputs = named(system.outputs, system.output_units, "load on the base, motion of a port, or modal coordinate")
    states = tuple(
        Variable(f"state {name}", "modal coordinate" if i < k else "its rate") for i, name in enumerate(system.states)
    )
    return Unit(
        name=appendage.name,
        description=f"Flexible appendage {appendage.name}, linear about rest",
        parameters=SCALES,
        inputs=named(system.inputs, system.input_units, "motion of the base, or load on a port"),
        outputs=outputs,
        states=states,
        generated={"matrices.h": matrices_header(scaled_parts(system), 2 * k)},
        shared=("lti.c",),
        written_by=f"tisserand {tisserand.__version__}",
        notes=tuple(notes),
    )
