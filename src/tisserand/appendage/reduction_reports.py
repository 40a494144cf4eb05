"""What a record says about its own making: supports, mount, damping, checks of the model."""

from __future__ import annotations

from dataclasses import asdict
from typing import Any

import numpy as np

from tisserand.appendage.frames.reference_points import Reference
from tisserand.appendage.integrals.checked_integrals import moved_origin, source_in_words
from tisserand.appendage.integrals.effective_masses import reachable_rigid_mass
from tisserand.appendage.integrals.from_elements import FieldIntegrals
from tisserand.appendage.integrals.modal_integrals import ModalIntegrals
from tisserand.appendage.record.json_data import plain
from tisserand.appendage.record.named_sets import sets_report
from tisserand.appendage.record.node_table import Interface
from tisserand.appendage.support_mass import DampingSupport
from tisserand.arrays import FloatArray
from tisserand.assembly.assembled_model import AssembledModel
from tisserand.assembly.model_checks import check_model
from tisserand.assembly.plausibility import implausible_units
from tisserand.modes.doubts import mechanism_report
from tisserand.modes.modal_basis import MEAN_AXES, ModalBasis


def reports_of(basis: ModalBasis, choice: Reference, found: FieldIntegrals, **further: Any) -> dict[str, Any]:
    """Reports that follow from the basis, its reference point and its integrals, after ``further`` ones."""
    model = basis.model
    reports = {
        "reference_point": {"rule": choice.rule, "point": choice.point},
        "energy_by_group": {key: value / found.integrals.sizes**2 for key, value in found.energy.items()},
        **further,
        "proof": None if basis.proof is None else basis.proof.as_dict(),
        "ledger": model.ledger.as_dict(),
        "grounded": grounded(basis),
        "held": _held_report(basis, found.integrals, choice.point),
    }
    if model.structure is not None and _at_rest(model):
        reports["checks"] = plain(check_model(model.structure, model, mechanisms=False).as_dict())
    if model.structure is not None and (model.structure.node_sets or model.structure.element_sets):
        reports["sets"] = sets_report(model.structure.node_sets, model.structure.element_sets)
    reports |= mechanism_report(basis)
    mount = _mount_report(basis, choice)
    if mount:
        reports["mount"] = mount
    doubts = [] if model.structure is None else [item.message for item, _ in implausible_units(model.structure)]
    if doubts:
        reports["units_doubt"] = doubts
    return reports


def integrals_report(
    model: AssembledModel, found: FieldIntegrals, identities: dict[str, float], not_kept: Any
) -> dict[str, Any]:
    """Where the integrals come from and how well they hold."""
    return {
        "source": source_in_words(found),
        "without_field": found.without_field,
        "mismatch": found.mismatch,
        "path_spread": found.path_spread,
        "identities": identities,
        "mass_recipe": model.mass_recipe,
        "not_kept": not_kept,
    }


def _held_report(basis: ModalBasis, integrals: ModalIntegrals, point: FloatArray) -> dict[str, Any]:
    """Rigid mass matrices about O: of the free dofs, reached by all modes, and kept by the held dofs."""
    S = np.asarray(basis.model.rigid_body_vectors @ moved_origin(point))
    if not basis.fixed.any():
        return {"held_dofs": 0}
    reachable, free, exact = reachable_rigid_mass(basis, S)
    return {
        "held_dofs": int(basis.fixed.sum()),
        "free_rigid_mass": free,
        "reachable_rigid_mass": reachable if exact else free,
        "held_rigid_mass": integrals.rigid_mass - (reachable if exact else free),
        "exact": exact,
    }


def grounded(basis: ModalBasis) -> float | None:
    """Relative stiffness of rigid motion where springs to ground make it more than round-off, else None."""
    K, S = basis.model.stiffness, basis.model.rigid_body_vectors
    scale = float(abs(K).sum(axis=1).max()) if K.nnz else 0.0
    if scale == 0.0:
        return None
    ratio = float(np.abs(K @ S).max() / (scale * max(float(np.abs(S).max()), 1e-300)))
    return ratio if ratio > 1e-7 else None


def damping_support_word(basis: ModalBasis, attachment: Interface | None, asked: DampingSupport) -> str:
    """What held the appendage when its damping ratios were measured, as a word for the report."""
    if asked == "free" or (attachment is None and not basis.fixed.any()):
        return "free"
    return "attachment" if attachment is not None else "as held"


def _at_rest(model: AssembledModel) -> bool:
    """False about a static state, whose stresses resist rigid rotation: the checks are those of the unloaded model."""
    return not any("modes about the static state" in note for note in model.ledger.notes)


def _mount_report(basis: ModalBasis, choice: Reference) -> dict[str, Any]:
    """How a basis serves a mount: modes clamped there and seen from elsewhere, free ones with residual shapes, or free alone."""
    if basis.mount is not None:
        return asdict(basis.mount)
    own = basis.model.dofs.node == (-1 if choice.node is None else choice.node)
    if basis.frame.name != "connection" and own.any() and basis.fixed[own].all():
        return {"mounting": "clamped"}
    if choice.attachment is None or basis.frame.name not in MEAN_AXES:
        return {}
    return {"mounting": "free" if all(kind == "elastic" for kind in basis.kinds) else "residual"}
