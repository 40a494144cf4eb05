"""Warnings that a user of modes should see before trusting them.

Serves theory section 7.
"""

from __future__ import annotations

from tisserand.assembly.assembled_model import AssembledModel
from tisserand.assembly.motion_words import motion_words
from tisserand.assembly.singular import row_sizes
from tisserand.assembly.tie_motion import grounding_ties
from tisserand.modes.asked import ALL_GIVEN, UNMOUNTED
from tisserand.modes.loose_parts import loose_words
from tisserand.modes.modal_basis import RIGID_ALONE, ModalBasis
from tisserand.modes.soft_grounds import LOST
from tisserand.modes.strain_free_motions import HELD_LOOSE

NO_POSITIONS = (
    "no dof has a known position and direction, so mass properties and effective masses are unknown and set to zero"
)


def basis_doubts(basis: ModalBasis) -> tuple[str, ...]:
    """Mass that cannot vibrate, springs too soft to be solved, strain-free motions, an empty range, unknown positions."""
    return (
        held_mass_warnings(basis.model)
        + mechanism_warnings(basis)
        + tie_warnings(basis.model)
        + tuple(
            note for note in basis.notes if note in (UNMOUNTED, RIGID_ALONE) or note.endswith(ALL_GIVEN) or LOST in note
        )
        + (() if len(basis) else ("there is no elastic mode in the requested range",))
        + (() if basis.model.rigid_body_vectors.any() else (NO_POSITIONS,))
    )


def tie_warnings(model: AssembledModel) -> tuple[str, ...]:
    """Warnings for equations that do not transmit rigid motion and so hold the structure to ground."""
    ids = grounding_ties(model)
    if not len(ids):
        return ()
    named = ", ".join(map(str, ids[:8].tolist())) + (", ..." if len(ids) > 8 else "")
    words = f"node {named} does not" if len(ids) == 1 else f"nodes {named} do not"
    return (f"the equations tie the model to ground: {words} follow rigid motion",)


def mechanism_warnings(basis: ModalBasis) -> tuple[str, ...]:
    """How many strain-free motions were kept as modes, of which parts, and how many without mass were held instead."""
    return tuple(f"strain-free motions: {words}" for words in mechanism_words(basis))


def mechanism_words(basis: ModalBasis) -> tuple[str, ...]:
    """The same without a preface; the first says how many there are, the others which parts move."""
    kept = basis.kinds.count("mechanism")
    words = [note for note in basis.notes if HELD_LOOSE in note]
    if kept:
        shapes = basis.shapes[:, [kind == "mechanism" for kind in basis.kinds]]
        named = "mechanism 1" if kept == 1 else f"mechanism 1 to {kept}"
        words = [f"{kept} kept as modes of zero frequency ({named})", *loose_words(basis.model, shapes), *words]
    return tuple(words)


def mechanism_report(basis: ModalBasis) -> dict[str, dict[str, object]]:
    """What a record keeps of its strain-free motions; nothing where there are none."""
    words = mechanism_words(basis)
    return {"mechanisms": {"allowed": True, "motions": list(words)}} if words else {}


def held_mass_warnings(model: AssembledModel) -> tuple[str, ...]:
    """Translations that carry mass, have no stiffness, and were held because the deck requests it: mass that cannot vibrate."""
    held = model.dofs.fixed_by(model.auto_supports) & ~model.dofs.fixed_by(model.supports)
    held &= (model.dofs.component < 3) & (row_sizes(model.mass) > 0.0)
    if not held.any():
        return ()
    where = motion_words(model, held[:, None].astype(float))
    return (f"{int(held.sum())} translations with mass have no stiffness and are held automatically: {where}",)
