"""A delivered model against the full one: mass, frequencies, and MAC at the dofs that both have.

The full model is solved as the delivered one stands: without supports, or held where its source holds it inside.
"""

from __future__ import annotations

import re
from dataclasses import replace

import numpy as np

from tisserand.appendage.comparison.pairing import clusters, match_modes
from tisserand.arrays import FloatArray, IntArray
from tisserand.assembly.assembled_model import AssembledModel
from tisserand.errors import InputError
from tisserand.model import Supports
from tisserand.modes.asked import solve_modes
from tisserand.modes.interface import COMPONENTS, interface_rows
from tisserand.modes.modal_basis import ModalBasis
from tisserand.responses.acceptance import Measured
from tisserand.responses.delivered_model import DeliveredModel
from tisserand.responses.delivery_checks import DeliveryCheck, free_modes
from tisserand.responses.interface_choice import released

_DOF = re.compile(r"node (\d+) (T[1-3])")
#: Frequencies closer than this, relative, are compared as one subspace.
_CLUSTER = 1e-3


def measures_against_full(check: DeliveryCheck, full: AssembledModel, fmax_hz: float) -> dict[str, Measured]:
    """Mass, frequencies and MAC of a delivered model against the full one, up to a frequency."""
    whole = full.mass_properties().mass
    error = abs(check.properties["geometry"].mass / whole - 1.0)
    out = {"reduced_mass_error": Measured(error, f"of {whole:.6g} kg")}
    basis = _full_modes(check.model, full, fmax_hz)
    kept = np.flatnonzero([kind == "elastic" for kind in basis.kinds])
    hz = basis.frequencies_hz[kept]
    if not len(hz):
        for name in ("reduced_frequency_error", "reduced_mac"):
            out[name] = Measured(None, f"the full model has no mode up to {fmax_hz:g} Hz")
        return out
    values, shapes = free_modes(check.model)
    moving = np.flatnonzero(np.sqrt(np.abs(values)) / (2.0 * np.pi) > 1e-3 * hz[0])
    n = len(hz)
    if len(moving) < n:
        few = f"{len(moving)} of {n} modes to {fmax_hz:g} Hz"
        return out | {"reduced_frequency_error": Measured(float("inf"), few), "reduced_mac": Measured(0.0, few)}
    ours = np.sqrt(values[moving[:n]]) / (2.0 * np.pi)
    worst = np.abs(ours / hz - 1.0)
    state = "held" if check.model.held else "free"
    words = f"{n} {state} modes to {fmax_hz:g} Hz, worst at {hz[int(np.argmax(worst))]:.4g} Hz"
    out["reduced_frequency_error"] = Measured(float(worst.max()), words)
    out["reduced_mac"] = _mac(check.model, full, basis, kept, shapes[:, moving[: n + 4]])
    return out


def _full_modes(model: DeliveredModel, full: AssembledModel, fmax_hz: float) -> ModalBasis:
    """Modes of the full model with the boundary of the delivered one; parts that turn freely are kept as mechanisms."""
    supports = Supports()
    if model.held:
        rows = [
            (_node(full, int(model.nodes.ids[c.node])), c.component) for c in model.coordinates if c.node is not None
        ]
        supports = released(full, np.array(rows, np.int64).reshape(-1, 2), full.supports)[0]
    return solve_modes(
        replace(full, supports=supports), supports=supports, fmax_hz=fmax_hz, allow_mechanisms="few", full=True
    )


def _node(full: AssembledModel, number: int) -> int:
    found = np.flatnonzero(full.nodes.ids == number)
    if not len(found):
        raise InputError(
            "a node of the delivered model is not in the full model", where=full.name, found=f"node {number}",
            advice="name the model that it was reduced from as the reference",
        )  # fmt: skip
    return int(found[0])


def shared_translations(model: DeliveredModel, full: AssembledModel) -> tuple[IntArray, FloatArray]:
    """Translations that both models have: rows (p, 2) of the full one, and (p, k) the same of the reduced coordinates.

    Interface dofs and the rows of every DTM, each once.
    """
    eye = np.eye(len(model))
    found: dict[tuple[int, int], FloatArray] = {}
    for i, c in enumerate(model.coordinates):
        if c.node is not None and c.component is not None and c.component < 3:
            found[_node(full, int(model.nodes.ids[c.node])), c.component] = eye[i]
    for item in model.recoveries:
        for label, row in zip(item.labels, item.displacement) if item.kind == "DTM" else ():
            named = _DOF.fullmatch(label)
            if named is not None:
                found.setdefault((_node(full, int(named[1])), COMPONENTS.index(named[2])), row)
    return np.array(list(found), np.int64).reshape(-1, 2), np.array(list(found.values())).reshape(-1, len(model))


def _mac(
    model: DeliveredModel, full: AssembledModel, basis: ModalBasis, kept: IntArray, shapes: FloatArray
) -> Measured:
    """Worst MAC of partners over the translations that both models have, clusters of equal frequency as one."""
    dofs, rows = shared_translations(model, full)
    if len(dofs) < len(kept):
        few = (
            f"{len(dofs)} translations are recovered, fewer than {len(kept)} modes: recover more nodes (reduce --nodes)"
        )
        return Measured(None, few, missing=True)
    left = interface_rows(basis.model, dofs) @ basis.shapes[:, kept]
    matches, _ = match_modes(left, rows @ shapes, clusters(basis.frequencies_hz[kept], _CLUSTER))
    worst = min(matches, key=lambda match: match.mac)
    at = float(basis.frequencies_hz[kept][worst.modes_a].mean())
    return Measured(worst.mac, f"{len(kept)} modes at {len(dofs)} translations, worst at {at:.4g} Hz")
