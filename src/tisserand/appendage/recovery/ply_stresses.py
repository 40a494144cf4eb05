"""Ply stresses as outputs of a modal record: matrices over the modal coordinates, and their evaluation after a run.

``element:LABEL:ply stress`` and ``ply strain`` have rows over elements, plies from bottom to top, places (bottom, middle,
top) and components 1, 2, 12 of the ply's axes; ``ply shear`` has components 1z, 2z (``elements.shell_plies``). Where the
elements have several sections, the name ends with the section's. ``reports["recovery"]`` holds shapes, plies and
strengths, so that failure can be judged after a simulation from the record alone.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import asdict, dataclass
from typing import Any

import numpy as np
from numpy.typing import ArrayLike

from tisserand.appendage.record.reduced_appendage import ReducedAppendage
from tisserand.arguments import checked_arguments
from tisserand.arrays import FloatArray, IntArray
from tisserand.elements.ply_failure import failure_index, reserve_factor
from tisserand.elements.shell_plies import COMPONENTS, PLACES, SHEARS, PlyStates, ply_states
from tisserand.errors import ModelError
from tisserand.model import ShellSection, Strengths, StructuralModel

QUANTITIES = ("stress", "strain", "shear")


@checked_arguments
@dataclass(frozen=True)
class PlyRecovery:
    """Shells whose ply values are wanted as outputs: an element set's name or ids, and which of stress, strain, shear.

    Attributes:
        elements: name of an element set, or ids.
        quantities: which of stress, strain, shear.
    """

    elements: str | Sequence[int] | IntArray
    quantities: Sequence[str] = ("stress", "shear")

    def __post_init__(self) -> None:
        unknown = [word for word in self.quantities if word not in QUANTITIES]
        if unknown or not self.quantities:
            raise ModelError("unsupported ply quantity", found=", ".join(unknown), expected=", ".join(QUANTITIES))


def ply_outputs(
    structure: StructuralModel, shapes: FloatArray, label: str, ids: IntArray, quantities: Sequence[str]
) -> tuple[dict[str, FloatArray], dict[str, Any]]:
    """Matrices (rows, k) of the shells with the given ids, and their meaning; shapes (n, 6, k) in basic axes."""
    states = ply_states(structure, shapes, ids)
    if not states:
        raise ModelError("the elements of a recovery label include no shells", where=f"recovery {label!r}")
    matrices: dict[str, FloatArray] = {}
    meaning: dict[str, Any] = {}
    for state in states:
        end = f" of {state.section.name or state.section.id}" if len(states) > 1 else ""
        for quantity in quantities:
            name = f"element:{label}:ply {quantity}{end}"
            if name in matrices:
                raise ModelError("two shell sections have the same name", where=f"recovery {label!r}", found=end[4:])
            values = getattr(state, quantity)
            matrices[name] = values.reshape(-1, values.shape[-1])
            meaning[name] = _meaning(state, quantity, values.shape[:-1])
    return matrices, meaning


@checked_arguments
def ply_values(appendage: ReducedAppendage, name: str, eta: ArrayLike) -> FloatArray:
    """(..., m, p, 3, c) values of an output ``element:LABEL:ply ...`` for modal coordinates eta (..., k).

    Args:
        appendage: the record.
        name: of the output.
    """
    coordinates = np.asarray(eta, dtype=float)
    shape = _metadata(appendage, name)["shape"]
    return np.asarray((coordinates @ appendage.recovery[name].T).reshape(*coordinates.shape[:-1], *shape))


@checked_arguments
def ply_failure(
    appendage: ReducedAppendage, name: str, eta: ArrayLike, theory: str | None = None, *, reserve: bool = False
) -> FloatArray:
    """Failure index (..., m, p, 3) of an output ``ply stress``, or with ``reserve`` the reserve factor.

    ``theory`` defaults to that of the section.

    Args:
        appendage: the record.
        name: of the output.
        eta: modal coordinates (..., k).
    """
    metadata = _metadata(appendage, name)
    chosen = theory or metadata["failure_theory"]
    if metadata["quantity"] != "stress" or not chosen:
        raise ModelError(
            "a failure index requires ply stresses and a failure theory",
            where=name,
            found=f"{metadata['quantity']}, theory {chosen!r}",
        )
    stress = ply_values(appendage, name, eta)
    judge = reserve_factor if reserve else failure_index
    out = np.empty(stress.shape[:-1])
    for p, ply in enumerate(metadata["plies"]):
        if ply["strengths"] is None:
            raise ModelError(
                "a ply has no strengths", where=f"{name}, ply {p + 1}", found=f"material {ply['material']}"
            )
        out[..., p, :] = judge(stress[..., p, :, :], Strengths(**ply["strengths"]), chosen)
    return out


def _meaning(state: PlyStates, quantity: str, shape: tuple[int, ...]) -> dict[str, Any]:
    section = state.section
    return {
        "family": "shell",
        "elements": state.elements.tolist(),
        "shape": list(shape),
        "quantity": quantity,
        "section": section.name or str(section.id),
        "places": list(PLACES),
        "components": list(SHEARS if quantity == "shear" else COMPONENTS),
        "plies": _plies(section, state.heights),
        "failure_theory": section.failure_theory,
        "bond_strength": section.bond_strength,
    }


def _plies(section: ShellSection, heights: FloatArray) -> list[dict[str, Any]]:
    out = []
    for number, (ply, z) in enumerate(zip(section.plies, heights), 1):
        strengths = getattr(ply.material, "strengths", None)
        out.append(
            {
                "id": ply.id or number,
                "material": ply.material.name or str(ply.material.id),
                "angle_deg": float(np.degrees(ply.angle)),
                "heights": z.tolist(),
                "strengths": None if strengths is None else asdict(strengths),
            }
        )
    return out


def _metadata(appendage: ReducedAppendage, name: str) -> dict[str, Any]:
    meaning = appendage.reports.get("recovery", {})
    if name not in appendage.recovery or "plies" not in meaning.get(name, {}):
        known = [key for key, value in meaning.items() if "plies" in value]
        raise ModelError("the record has no such ply output", found=repr(name), expected=", ".join(known) or "none")
    return dict(meaning[name])
