"""The modal integrals of a basis, checked against the assembled mass and by their identities."""

from __future__ import annotations

import numpy as np

from tisserand.appendage.integrals.directional_sums import rigid_columns
from tisserand.appendage.integrals.from_elements import FieldIntegrals, field_integrals, matrix_integrals
from tisserand.appendage.integrals.nodal_mass_matrix import mass_at_nodes
from tisserand.appendage.record.reduced_appendage import InertiaLevel
from tisserand.arrays import FloatArray
from tisserand.assembly.tie_motion import grounding_ties
from tisserand.errors import IdentityError
from tisserand.modes.modal_basis import ModalBasis

#: Identities of exact integrals may be violated by round-off only.
IDENTITY_TOLERANCE = 1e-8
#: Largest mismatch of calibrated mass for which it counts as exact, and for which `full` and `linear` are
#: claimed.
EXACT_MISMATCH, FULL_MISMATCH, LINEAR_MISMATCH = 1e-6, 0.01, 0.1


def integrals_of(
    basis: ModalBasis, shapes: FloatArray, positions: FloatArray, Phi: FloatArray, point: FloatArray
) -> FieldIntegrals:
    """Integrals of the structure's elements, or of the bare mass matrix, checked against the assembled mass."""
    model = basis.model
    rigid = rigid_columns(positions)
    if model.nodes.scalar is not None:  # a dof without direction takes no part in rigid motion
        rigid = np.where(model.nodes.scalar[:, None, None], 0.0, rigid)
    if model.structure is None:
        mass, nodal = mass_at_nodes(model, Phi)
        X = np.concatenate([rigid, nodal], axis=2)
        return matrix_integrals(mass, positions, X)
    X = np.concatenate([rigid, shapes], axis=2)
    found = field_integrals(model.structure, model.mass_recipe, point, X)
    S = model.rigid_body_vectors @ moved_origin(point)
    assembled = np.hstack([S, Phi])
    total = assembled.T @ (model.mass @ assembled)
    ours = np.block(
        [
            [found.integrals.rigid_mass, found.integrals.coupling],
            [found.integrals.coupling.T, found.integrals.modal_mass],
        ]
    )
    size = np.sqrt(np.maximum(np.diag(total), 0.0))
    scale = np.maximum(np.outer(size, size), 1e-9 * max(float(size.max(initial=0.0)) ** 2, 1e-300))
    apart = np.abs(ours - total) / scale
    if len(grounding_ties(model)):  # the assembled rigid motions are none there; those of the elements are
        apart = apart[6:, 6:]
    worst = float(apart.max(initial=0.0))
    if worst > 1e-7:
        _refuse_lopsided(model.name, total[:3, :3])
        raise IdentityError(
            "the mass integrals of the elements do not match the assembled mass matrix",
            where=f"model {model.name}",
            found=f"relative difference {worst:.2e}",
            expected="below 1e-7",
            advice="the assembled matrix contains mass that belongs to no element, or the wrong mass recipe was used",
        )
    return found


def _refuse_lopsided(name: str, rigid_mass: FloatArray) -> None:
    """Refuse masses on single components (CMASS, DMIG) that give a structure a different mass in each direction."""
    mean = float(np.trace(rigid_mass)) / 3.0
    if np.abs(rigid_mass - mean * np.eye(3)).max() > 1e-7 * abs(mean):
        directions = ", ".join(f"{value:.6g}" for value in np.diag(rigid_mass))
        raise IdentityError(
            "scalar or direct masses give the structure a different mass in each direction",
            where=f"model {name}",
            found=f"{directions} kg along x, y, z",
            expected="one mass in all directions, as a body in motion has",
            advice="give these masses in all three directions (CONM2); frequencies alone need no record",
        )


def moved_origin(point: FloatArray) -> FloatArray:
    """(6, 6) that turns rigid vectors about the basic origin into those about ``point``:
    S_O = S T, T = [1, x~; 0, 1].
    """
    return np.asarray(rigid_columns(-np.asarray(point, dtype=float)[None, :])[0])


def inertia_level(found: FieldIntegrals) -> InertiaLevel:
    if not found.without_field or found.mismatch <= FULL_MISMATCH:
        return "full"
    return "linear" if found.mismatch <= LINEAR_MISMATCH else "constant"


def source_in_words(found: FieldIntegrals) -> str:
    """Where L and N come from, in words."""
    if not found.without_field:
        return "displacement field"
    if found.mismatch <= EXACT_MISMATCH:
        return "displacement field, and masses at single nodes (exact)"
    return "calibrated to the mass matrix for part of the mass"


def assert_identities(name: str, found: FieldIntegrals, level: InertiaLevel) -> dict[str, float]:
    errors = found.integrals.identity_errors()
    if not found.without_field:
        errors["two ways to L"] = found.path_spread
    for identity, error in errors.items():
        if not error <= IDENTITY_TOLERANCE:
            raise IdentityError(
                f"the modal integrals violate the identity {identity}",
                where=f"appendage {name}",
                found=f"{error:.2e}",
                expected=f"below {IDENTITY_TOLERANCE:g}",
                advice="the mass model has no displacement field although its element family declares one",
            )
    return errors
