"""A structural model turned and moved: x_new = Q x + d for every point, v_new = Q v for every direction."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import numpy as np
from numpy.typing import ArrayLike

from tisserand.arrays import FloatArray, skew
from tisserand.errors import ModelError
from tisserand.model.constraints import Equation
from tisserand.model.nodes import Nodes


def rotation_of(axis: ArrayLike, angle: float) -> FloatArray:
    """Rotation matrix (3, 3) of a turn by ``angle`` rad about ``axis`` (Rodrigues)."""
    a = np.asarray(axis, dtype=float)
    length = float(np.linalg.norm(a)) if a.shape == (3,) else 0.0
    if not (length > 0.0 and np.isfinite(length) and np.isfinite(angle)):
        raise ModelError(
            "a rotation needs an axis of three numbers, not all zero, and an angle", found=(a.tolist(), angle)
        )
    n = skew(a / length)
    return np.asarray(np.eye(3) + np.sin(angle) * n + (1.0 - np.cos(angle)) * n @ n)


def placed_fields(model: Any, Q: FloatArray, d: FloatArray) -> dict[str, object]:
    """The fields of a structural model that change with its position."""
    if d.shape != (3,) or not np.isfinite(d).all():
        raise ModelError("a translation is three numbers in m", where=model.name, found=d.tolist())
    nodes = model.nodes
    turns = not np.array_equal(Q, np.eye(3))
    axes = nodes.axes
    if turns and (axes is not None or names_components(model)):
        own = np.broadcast_to(np.eye(3), (len(nodes), 3, 3)) if axes is None else axes
        axes = own @ Q.T
    return {
        "nodes": Nodes(nodes.ids, nodes.positions @ Q.T + d, axes, nodes.scalar),
        "elements": tuple(_placed_block(block, Q, d) for block in model.elements),
        "sections": tuple(section.turned(Q) if turns else section for section in model.sections),
        "analysis": model.analysis
        if model.analysis.preload is None
        else replace(model.analysis, preload=model.analysis.preload.placed(Q, d)),
        "coordinate_systems": tuple(
            replace(system, origin=Q @ system.origin + d, axes=system.axes @ Q.T) for system in model.coordinate_systems
        ),
    }


def names_components(model: Any) -> bool:
    """Whether single components of node axes are named somewhere, so that these axes must turn too."""
    if any(block.facts.components == "named" for block in model.elements):
        return True
    held = model.supports.fixed
    if any((some.any(axis=1) != some.all(axis=1)).any() for some in (held[:, :3], held[:, 3:])):
        return True
    return any(_partial(tie) for tie in model.constraints)


def _partial(tie: Any) -> bool:
    """Whether a tie names some but not all of the translations, or of the rotations, of a node."""
    if isinstance(tie, Equation):
        return True
    rows = (
        tie.dependent if tie.dependent is not None else np.column_stack([np.zeros_like(tie.components), tie.components])
    )
    for node in np.unique(rows[:, 0]):
        held = np.zeros(6, bool)
        held[rows[rows[:, 0] == node, 1]] = True
        if any(part.any() != part.all() for part in (held[:3], held[3:])):
            return True
    return False


def _placed_block(block: Any, Q: FloatArray, d: FloatArray) -> Any:
    facts = block.facts
    turned = {name: getattr(block, name) @ Q.T for name in (*facts.vectors, *facts.axes)}
    turned |= {name: Q @ getattr(block, name) @ Q.T for name in facts.tensors}
    turned |= {name: getattr(block, name) @ Q.T + d for name in facts.points}
    return replace(block, **turned) if turned else block
