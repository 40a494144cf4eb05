"""Rigid elements, interpolation elements and equations as rows ``u_dependent = sum c u`` in node axes."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from tisserand.arrays import FloatArray, IntArray
from tisserand.assembly.axes import rigid_rows
from tisserand.errors import ModelError
from tisserand.model import Constraint, Equation, Interpolation, Nodes, RigidElement

#: A rigid motion that the independent dofs leave open shows as a residual above this share.
_OPEN = 1e-8


@dataclass(frozen=True, eq=False)
class TieRows:
    """One constraint solved for its dependents: dependent (q, 2), independent (p, 2), coefficients (q, p)."""

    label: str
    id: int
    dependent: IntArray
    independent: IntArray
    coefficients: FloatArray


def _label(tie: Constraint) -> str:
    return f"{tie.card} {tie.id}"


def rigid_reach(nodes: Nodes, node: IntArray, origin: FloatArray) -> float:
    """Mean distance of nodes from a point, or 1 where they all coincide with it."""
    distance = np.linalg.norm(nodes.positions[node] - origin, axis=1)
    return float(distance.mean()) or 1.0


def rigid_scale(reach: float) -> FloatArray:
    """(6,) that makes lengths of the rotations of a rigid motion."""
    return np.array([1.0, 1.0, 1.0, 1.0 / reach, 1.0 / reach, 1.0 / reach])


def _rigid(nodes: Nodes, tie: RigidElement) -> TieRows:
    """u_d = S_d S_i^-1 u_i with S the rigid motion about the first independent node, rotations scaled to lengths."""
    i, d = tie.independent, tie.dependent
    if len(i) == 0:
        raise ModelError("a rigid element has no independent dofs", where=_label(tie), ids=(tie.id,))
    origin = nodes.positions[i[0, 0]]
    Si, Sd = rigid_rows(nodes, i[:, 0], i[:, 1], origin), rigid_rows(nodes, d[:, 0], d[:, 1], origin)
    if len(i) == 6 and (i[:, 0] == i[0, 0]).all() and len(np.unique(i[:, 1])) == 6:
        return TieRows(_label(tie), tie.id, d, i, Sd @ Si.T)  # one node's triad: orthogonal
    reach = rigid_reach(nodes, np.concatenate([i[:, 0], d[:, 0]]), origin)
    scale = rigid_scale(reach)
    Si, Sd = Si * scale, Sd * scale
    if len(i) > np.linalg.matrix_rank(Si, tol=_OPEN):
        raise ModelError(
            "the independent dofs of a rigid element are redundant",
            where=_label(tie),
            ids=(tie.id,),
            found=f"{len(i)} dofs for {np.linalg.matrix_rank(Si, tol=_OPEN)} rigid motions",
            advice="make the redundant ones dependent",
        )
    coefficients = Sd @ np.linalg.pinv(Si)
    missing = np.abs(coefficients @ Si - Sd).max(axis=1) > _OPEN * np.maximum(np.abs(Sd).max(axis=1), 1e-300)
    if missing.any():
        raise ModelError(
            "the independent dofs do not determine the motion of the dependent ones",
            where=_label(tie),
            ids=(tie.id,),
            found=f"{len(i)} independent dofs; open at nodes {_ids(nodes, d[missing, 0])}",
            expected="six independent dofs that hold a rigid body",
        )
    return TieRows(_label(tie), tie.id, d, i, _clean(coefficients))


def _interpolation(nodes: Nodes, tie: Interpolation) -> TieRows:
    """Least squares: u_ref = (S'W S)^-1 S'W u, S about the reference node; rotation weights carry a length squared.

    Weights are areas or numbers above zero; corners of faces with eight nodes have negative areas, their sum is positive.
    """
    where, t, c = _label(tie), tie.terms, tie.components
    origin = nodes.positions[tie.reference]
    if len(t) == 0 or not (np.isfinite(tie.weights).all() and tie.weights.sum() > 0.0):
        raise ModelError("an interpolation element needs terms with positive weights", where=where, ids=(tie.id,))
    reach = rigid_reach(nodes, np.unique(t[:, 0]), origin)
    weight = np.where(t[:, 1] < 3, tie.weights, tie.weights * reach**2)
    sign, weight = np.where(weight < 0.0, -1.0, 1.0), np.sqrt(np.abs(weight))
    scale = rigid_scale(reach)
    S = weight[:, None] * rigid_rows(nodes, t[:, 0], t[:, 1], origin) * scale
    reference = np.column_stack([np.full(len(c), tie.reference), c])
    wanted = rigid_rows(nodes, reference[:, 0], c, origin) * scale
    if (sign > 0.0).all():
        inverse = np.linalg.pinv(S, rcond=_OPEN)
    else:
        inverse = np.linalg.pinv(S.T @ (sign[:, None] * S), rcond=_OPEN, hermitian=True) @ (sign[:, None] * S).T
    solved = wanted @ inverse
    missing = np.abs(solved @ S - wanted).max(axis=1) > 1e-6 * np.abs(wanted).max(axis=1)
    if missing.any():
        raise ModelError(
            "the terms of an interpolation element do not determine the motion of its reference node",
            where=where,
            ids=(tie.id,),
            found=f"components {''.join(str(x + 1) for x in c[missing])} left open by {len(t)} terms",
            advice="add nodes or components to its terms, or leave those components out",
        )
    coefficients = _clean(solved * weight)
    if tie.dependent is None:
        return TieRows(where, tie.id, reference, t, coefficients)
    return _moved_dependence(nodes, tie, reference, coefficients)


def _moved_dependence(nodes: Nodes, tie: Interpolation, reference: IntArray, coefficients: FloatArray) -> TieRows:
    """Solve ``u_ref - C u_t = 0`` for the stated dependents instead of the reference's dofs."""
    assert tie.dependent is not None
    every = np.concatenate([reference, tie.terms])
    rows = np.concatenate([np.eye(len(reference)), -coefficients], axis=1)
    key = every[:, 0] * 6 + every[:, 1]
    wanted = tie.dependent[:, 0] * 6 + tie.dependent[:, 1]
    where = _label(tie)
    if len(wanted) != len(reference) or not np.isin(wanted, key).all() or len(np.unique(wanted)) != len(wanted):
        raise ModelError(
            "the specified dependent dofs must be among the element's dofs and as many as its components",
            where=where,
            ids=(tie.id,),
            found=f"{len(wanted)} dependents for {len(reference)} components",
        )
    unique, inverse = np.unique(key, return_inverse=True)
    merged = np.zeros((len(rows), len(unique)))
    np.add.at(merged.T, inverse, rows.T)
    is_dependent = np.isin(unique, wanted)
    block = merged[:, is_dependent]
    if np.linalg.cond(block) > 1e10:
        raise ModelError(
            "the interpolation element cannot be solved for the specified dependent dofs",
            where=where,
            ids=(tie.id,),
            advice="choose dependents whose motion determines the reference node",
        )
    solved = -np.linalg.solve(block, merged[:, ~is_dependent])
    dofs = np.column_stack([unique // 6, unique % 6])
    return TieRows(where, tie.id, dofs[is_dependent], dofs[~is_dependent], _clean(np.asarray(solved, float)))


def _equation(nodes: Nodes, tie: Equation) -> TieRows:
    """The first term is the dependent one; further terms on the same dof are added to it."""
    where = _label(tie)
    if len(tie.terms) == 0 or not np.isfinite(tie.coefficients).all():
        raise ModelError("an equation needs terms with finite coefficients", where=where, ids=(tie.id,))
    same = (tie.terms == tie.terms[0]).all(axis=1)
    lead = float(tie.coefficients[same].sum())
    if lead == 0.0 or abs(lead) < 1e-12 * float(np.abs(tie.coefficients).max()):
        raise ModelError(
            "the first coefficient of an equation is zero, so its dependent dof is not determined",
            where=where,
            ids=(tie.id,),
            found=f"{lead:g} at node {_ids(nodes, tie.terms[:1, 0])}",
        )
    return TieRows(where, tie.id, tie.terms[:1], tie.terms[~same], -tie.coefficients[None, ~same] / lead)


def _clean(coefficients: FloatArray) -> FloatArray:
    """Set the round-off of a solve to zero so that it creates no couplings."""
    tiny = np.abs(coefficients) < 1e-14 * np.abs(coefficients).max(initial=0.0)
    return np.where(tiny, 0.0, coefficients)


def _ids(nodes: Nodes, index: IntArray) -> list[int]:
    return [int(x) for x in nodes.ids[np.unique(index)][:10]]


def tie_rows(nodes: Nodes, ties: tuple[Constraint, ...]) -> list[TieRows]:
    """Every constraint solved for its dependents."""
    out = []
    for tie in ties:
        if isinstance(tie, RigidElement):
            out.append(_rigid(nodes, tie))
        elif isinstance(tie, Interpolation):
            out.append(_interpolation(nodes, tie))
        else:
            out.append(_equation(nodes, tie))
    return out
