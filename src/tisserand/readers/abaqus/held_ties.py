"""Ties whose dependent components a boundary holds: another component becomes the dependent one.

Abaqus and CalculiX allow a boundary on the reference node of a distributing coupling or on a tied node, for example in a plane of
symmetry that cuts both parts. An equation whose components are all held adds nothing and is left out.
"""

from __future__ import annotations

from dataclasses import replace

import numpy as np
from scipy.linalg import qr

from tisserand.arrays import BoolArray
from tisserand.assembly.ties import tie_rows
from tisserand.model import Constraint, Equation, Interpolation, Nodes, Supports


def fit_to_supports(ties: list[Constraint], supports: Supports, nodes: Nodes) -> list[Constraint]:
    """The same conditions with free dependents, as far as there are any."""
    taken = np.zeros((len(nodes), 6), np.bool_)
    taken[supports.nodes] = supports.fixed
    held = taken.copy()
    for tie in ties:
        for node, component in _dependents(tie):
            taken[node, component] = True
    out: list[Constraint] = []
    for tie in ties:
        clash = any(held[node, component] for node, component in _dependents(tie))
        fitted: Constraint | None = tie
        if clash and isinstance(tie, Equation):
            fitted = _equation(tie, held, taken)
        elif clash and isinstance(tie, Interpolation) and tie.dependent is None:
            fitted = _interpolation(tie, held, taken, nodes)
        if fitted is not None:
            out.append(fitted)
    return out


def _dependents(tie: Constraint) -> list[tuple[int, int]]:
    if isinstance(tie, Equation):
        return [(int(tie.terms[0, 0]), int(tie.terms[0, 1]))]
    if isinstance(tie, Interpolation) and tie.dependent is None:
        return [(tie.reference, int(component)) for component in tie.components]
    return [(int(node), int(component)) for node, component in np.asarray(tie.dependent)]


def _equation(tie: Equation, held: BoolArray, taken: BoolArray) -> Equation | None:
    """Led by its largest free term; None if every term is held."""
    node, component = tie.terms.T
    if held[node, component].all():
        return None
    free = ~taken[node, component]
    if not free.any():
        return tie
    lead = int(np.argmax(np.where(free, np.abs(tie.coefficients), 0.0)))
    if abs(tie.coefficients[lead]) < 1e-6 * np.abs(tie.coefficients).max():
        return tie
    order = np.concatenate([[lead], np.delete(np.arange(len(node)), lead)])
    taken[node[lead], component[lead]] = True
    return replace(tie, terms=tie.terms[order], coefficients=tie.coefficients[order])


def _interpolation(tie: Interpolation, held: BoolArray, taken: BoolArray, nodes: Nodes) -> Interpolation:
    """Held components of the reference are exchanged for free components of its terms."""
    rows = tie_rows(nodes, (tie,))[0].coefficients
    fixed = held[tie.reference, tie.components]
    free = np.flatnonzero(~taken[tie.terms[:, 0], tie.terms[:, 1]])
    if len(free) < int(fixed.sum()):
        return tie
    scale = np.abs(rows[fixed]).max(axis=1, keepdims=True)
    _, triangle, order = qr(rows[fixed][:, free] / np.where(scale > 0.0, scale, 1.0), pivoting=True, mode="economic")
    if abs(triangle[-1, int(fixed.sum()) - 1]) < 1e-8 * abs(triangle[0, 0]):
        return tie
    chosen = tie.terms[free[order[: int(fixed.sum())]]]
    taken[chosen[:, 0], chosen[:, 1]] = True
    stays = np.column_stack([np.full(int((~fixed).sum()), tie.reference), tie.components[~fixed]])
    return replace(tie, dependent=np.concatenate([stays, chosen]))
