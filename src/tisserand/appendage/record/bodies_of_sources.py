"""The turning bodies of a record: gathered from the structures behind it, placed at its nodes."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Any

import numpy as np

from tisserand.appendage.integrals.arm_moments import arm_shapes
from tisserand.appendage.record.mass_source import MassSource
from tisserand.appendage.record.turning_bodies import MOST_BODIES, TurningBodies, gathered_bodies, joined, no_bodies
from tisserand.arrays import FloatArray, IntArray
from tisserand.model import StructuralModel


def bodies_of_sources(
    sources: Sequence[MassSource], positions: FloatArray, translation: FloatArray, rotation: FloatArray
) -> tuple[TurningBodies, dict[str, Any]]:
    """Bodies of all structures behind a node table (positions (n, 3) from O, shapes (n, 3, k)), record axes, and a report."""
    parts, report = [no_bodies(translation.shape[2])], {"found": 0, "exact": 0}
    for source in sources:
        if source.structure is None:
            continue
        rows = source.rows
        part, own = bodies_of_structure(
            source.structure, positions[rows], translation[rows], rotation[rows], source.axes
        )
        parts.append(replace(part, rows=part.rows + source.first_row))
        report = {word: report[word] + own[word] for word in report}
    return joined(parts, [0] * len(parts)), report


def bodies_of_structure(
    structure: StructuralModel,
    positions: FloatArray,
    translation: FloatArray,
    rotation: FloatArray,
    axes: FloatArray | None = None,
) -> tuple[TurningBodies, dict[str, Any]]:
    """Bodies of one structure at the nodes of a record; ``axes``: v_record = axes v_structure."""
    found = gathered_bodies(structure)
    Q = np.eye(3) if axes is None else np.asarray(axes, float)
    at = found.nodes
    bodies = TurningBodies(
        rows=at,
        masses=found.masses,
        offsets=found.offsets @ Q.T,
        inertias=Q @ found.inertias @ Q.T,
        positions=positions[at],
        translation=translation[at],
        rotation=rotation[at],
        second_translation=_on_arms(structure, translation, rotation, Q, at),
    )
    report: dict[str, Any] = {"found": found.found, "exact": len(at)}
    if found.found > len(at):
        report["rule"] = (
            f"the {MOST_BODIES} with the largest inertia about their nodes rotate exactly, the others in a, A only"
        )
    return bodies, report


def _on_arms(
    structure: StructuralModel, translation: FloatArray, rotation: FloatArray, Q: FloatArray, rows: IntArray
) -> FloatArray:
    """psi (b, 3, k, k), record axes, of bodies whose nodes ride on arms without following them as a whole."""
    sign = float(np.sign(np.linalg.det(Q)))
    own = np.concatenate(
        [np.einsum("ba,nbk->nak", Q, translation), sign * np.einsum("ba,nbk->nak", Q, rotation)], axis=1
    )
    return np.asarray(np.einsum("ab,nbkl->nakl", Q, arm_shapes(structure, own, rows)))


def with_foreshortening(
    bodies: TurningBodies, names: Sequence[str], families: Mapping[str, FloatArray]
) -> tuple[TurningBodies, dict[str, FloatArray]]:
    """psi = -Kg of the unit loads ``F:name:1..6`` at each body's node (zero without one), and the families without them."""
    k = bodies.count
    psi = np.zeros((len(bodies), 6, k, k))
    rest = dict(families)
    for i, name in enumerate(names):
        for component in range(6):
            family = rest.pop(f"F:{name}:{component + 1}", None)
            if family is not None:
                psi[i, component] = -family
    return replace(bodies, family_translation=psi[:, :3], family_rotation=psi[:, 3:]), rest
