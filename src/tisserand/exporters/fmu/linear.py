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
)
_MASS = Variable("mass_scale", "factor on all masses, frequencies unchanged", start=1.0)


def _array(name: str, values: FloatArray) -> str:
    """A constant array; C has none without elements."""
    flat = [repr(float(value)) for value in np.asarray(values, float).ravel()] or ["0.0"]
    lines = [", ".join(flat[i : i + 6]) for i in range(0, len(flat), 6)]
    return f"static const double {name}[{len(flat)}] = {{\n    " + ",\n    ".join(lines) + "};\n"


def _flags(name: str, values: Sequence[bool]) -> str:
    flat = ["1" if value else "0" for value in values] or ["0"]
    return f"static const int {name}[{len(flat)}] = {{{', '.join(flat)}}};\n"


def matrices_header(
    matrices: Mapping[str, FloatArray], start: FloatArray, lightened: Sequence[bool], heavier: Sequence[bool]
) -> str:
    """``matrices.h`` of ``lti.c``: A, A1, A2, B, C, C1, C2, D, the states at the start and what the mass changes."""
    parts = [_array(name, values) for name, values in matrices.items()]
    return "".join([*parts, _array("start_states", start), _flags("lightened", lightened), _flags("heavier", heavier)])


def scaled_parts(system: StateSpace) -> dict[str, FloatArray]:
    """The state space split by what scales: stiffness with s², damping with s d. Masses are factors of loads alone."""
    k, rows = len(system.states) // 2, len(system.outputs)
    columns = np.arange(2 * k)
    A1, A2 = system.A * (columns < k), system.A * (columns >= k)
    A1[:k], A2[:k] = 0.0, 0.0  # eta' = eta' stays
    C1, C2 = system.C * (columns < k), system.C * (columns >= k)
    own = rows - 2 * k  # eta and eta' are outputs too
    C1[own:], C2[own:] = 0.0, 0.0
    return {"A": system.A, "A1": A1, "A2": A2, "B": system.B, "C": system.C, "C1": C1, "C2": C2, "D": system.D}


def appendage_unit(appendage: ReducedAppendage) -> Unit:
    """Base motion and port loads in, base load, port motions and modal coordinates out."""
    system = state_space(appendage)
    k, notes = len(system.states) // 2, comment_lines(appendage)
    lightened = [unit in ("N", "N m") for unit in system.input_units]
    heavier = [unit in ("N", "N m") for unit in system.output_units]

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
        parameters=(*SCALES, _MASS),
        inputs=named(system.inputs, system.input_units, "motion of the base, or load on a port"),
        outputs=outputs,
        states=states,
        generated={"matrices.h": matrices_header(scaled_parts(system), np.zeros(2 * k), lightened, heavier)},
        shared=("lti.c",),
        written_by=f"tisserand {tisserand.__version__}",
        notes=tuple(notes),
    )
