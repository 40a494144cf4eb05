"""The preloaded state that a source specifies, as a new assembled model: K + K_geo, and softening if it spins.

Linear preload as in Nastran's STATSUB and the PERTURBATION steps of CalculiX: K u = f, the stresses of u stiffen or soften, and a
spin adds the change of its own load (theory sections 8 and 16.3).
"""

from __future__ import annotations

from dataclasses import replace

import numpy as np
from scipy.sparse import csr_array

from tisserand.arrays import FloatArray
from tisserand.assembly.assembled_model import AssembledModel
from tisserand.assembly.rigid_arms import rigid_arms
from tisserand.errors import ModelError
from tisserand.model import Preload
from tisserand.model.ledger import ASSUMED
from tisserand.statics.load_vectors import acceleration_loads, nodal_loads, spin_load
from tisserand.statics.prestress import displaced_stiffness, prestress, softening_matrix
from tisserand.statics.static_solution import solve_static

#: A linear state that moves the structure by more than this part of its size is no state of a large-displacement analysis.
LARGEST_MOTION = 0.05
#: Rigid bodies whose arms turn by more than this in a preload are refused: frequencies are then up to 0.3 % off (8 turn²).
LARGEST_TURN = 0.02


def preloaded(assembled: AssembledModel) -> AssembledModel:
    """The model about the static state that its source specifies; unchanged if there is none."""
    structure = assembled.structure
    state = None if structure is None else structure.analysis.preload
    if structure is None or state is None or not state:
        return assembled
    dead = {int(node): force.tolist() for node, force in zip(state.node_ids, state.forces)}
    try:
        load = nodal_loads(assembled, dead)
        if state.acceleration.any():
            load = load - acceleration_loads(assembled)[:, :3] @ state.acceleration
        if state.spin.any():
            load = load + spin_load(assembled, state.spin.tolist(), state.about)
        moved = _moved_supports(assembled, state)
        solution = solve_static(assembled, load - assembled.stiffness @ moved, state.supports, uncarried="hold")
    except ModelError as error:
        raise ModelError(
            f"the preload of {state.name} cannot be applied: {error.what}",
            where=error.where or assembled.name,
            found=error.found,
            expected=error.expected,
            advice=error.advice,
        ) from error
    displacement = moved + solution.displacement[:, 0]
    reach = float(np.abs(assembled.displacements(displacement)[:, :3]).max(initial=0.0))
    if state.large and reach > LARGEST_MOTION * structure.size:
        raise ModelError(
            f"{state.name} asks for large displacements, and its linear state moves too far to stand for them",
            where=assembled.name,
            found=f"{reach:.3g} over a size of {structure.size:.3g}",
            expected=f"at most {LARGEST_MOTION:.0%}",
        )
    stressed = prestress(assembled, displacement, dead_loads=dead or None)
    stiffness = stressed.stiffness
    if state.displaced:
        stiffness = csr_array(stiffness + displaced_stiffness(assembled, displacement))
    if state.spin.any():
        stiffness = csr_array(stiffness + softening_matrix(assembled, state.spin.tolist(), state.about))
    stiffness.sort_indices()
    note = f"{ASSUMED}modes about the static state of {state.name}: linear preload with geometric stiffness"
    note += ", solids at their displaced place" if state.displaced else ""
    note += " and centrifugal softening, without gyroscopic terms" if state.spin.any() else ""
    note += _turning_arms(assembled, displacement, state)
    lost = tuple(f"{ASSUMED}the preload of {state.name} does not load them: {words}" for words in solution.notes)
    kept = structure.changed(parts=(), analysis=replace(structure.analysis, preload=None))
    return replace(
        stressed,
        stiffness=stiffness,
        structure=kept,
        ledger=replace(assembled.ledger, notes=(*assembled.ledger.notes, note, *lost)),
    )


def _turning_arms(assembled: AssembledModel, displacement: FloatArray, state: Preload) -> str:
    """Words on rigid bodies of CalculiX decks, with solids at their displaced place: arms are those of the unloaded one."""
    arms = None if assembled.structure is None or not state.displaced else rigid_arms(assembled.structure)
    if arms is None or not len(arms):
        return ""
    turn = float(np.linalg.norm(arms.rotations(assembled.displacements(displacement)), axis=1).max(initial=0.0))
    if turn > LARGEST_TURN:
        raise ModelError(
            f"the preload of {state.name} turns a rigid body too far: its arms are taken at the unloaded place",
            where=assembled.name,
            found=f"{turn:.3g} rad",
            expected=f"at most {LARGEST_TURN:g}",
            advice="replace the rigid body by stiff elements, or lower the load",
        )
    return f"; rigid bodies turn under their load, which CalculiX leaves out, by up to {turn:.2g} rad"


def _moved_supports(assembled: AssembledModel, state: Preload) -> FloatArray:
    """(d,) displacements that the state prescribes at held dofs, zero elsewhere."""
    out = np.zeros(assembled.size)
    held = assembled.held(state.supports)
    place = {(int(n), int(c)): i for i, (n, c) in enumerate(zip(assembled.dofs.node, assembled.dofs.component))}
    for (node, component), value in zip(state.moved.tolist(), state.by.tolist()):
        at = place.get((node, component))
        if at is None or not held[at]:
            raise ModelError(
                "a prescribed displacement is at a component that ties determine or nothing holds",
                found=f"component {component + 1} of node {int(assembled.nodes.ids[node])}",
            )
        out[at] = value
    return out


__all__ = ["Preload", "preloaded"]
