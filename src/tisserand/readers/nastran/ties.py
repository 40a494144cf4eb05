"""Rigid elements and equations: RBE2 RBE1 RBE3 RBAR RROD RTRPLT and MPC sets."""

from __future__ import annotations

import numpy as np

from tisserand.model import Constraint, Equation, Interpolation, RigidElement
from tisserand.readers.nastran.cards import INTEGER, REAL, WORD, Row
from tisserand.readers.nastran.draft import Draft

_ALL = range(6)


def read_ties(draft: Draft, mpc: set[int] | None) -> tuple[Constraint, ...]:
    """Rigid elements in order of id, then the equations of the selected sets (None: none selected)."""
    ties: list[Constraint] = []
    for card, make in (
        ("RBE2", _rbe2),
        ("RBAR", _rbar),
        ("RBAR1", _rbar1),
        ("RBE1", _rbe1),
        ("RBE3", _rbe3),
        ("RROD", _rrod),
        ("RTRPLT", _rtrplt),
    ):
        for row in draft.bulk.rows(card):
            ties.append(make(draft, row))
    ties.sort(key=lambda tie: tie.id)
    for row in draft.bulk.rows("MPC"):
        if mpc is not None and row.integer(0) in mpc:
            ties.append(_mpc(draft, row))
    return tuple(ties)


def _grid(draft: Draft, row: Row, index: int) -> int:
    node = draft.node(row, index)
    if draft.is_scalar(node):
        raise row.error(index, "a rigid element cannot use a scalar point", found=row.integer(index))
    return node


def _rbe2(draft: Draft, row: Row) -> RigidElement:
    number, master, components = row.integer(0), _grid(draft, row, 1), row.components(2)
    last = len(row.fields)
    if last > 3 and row.kind(last - 1) == REAL:
        last -= 1  # thermal expansion
    slaves = draft.node_list(Row(row.card, row.fields[:last], row.line, row.source), 3)
    if not len(slaves):
        raise row.error(3, "no dependent grid point is given")
    if (slaves == master).any():
        raise row.error(3, "the independent grid point is also dependent", found=row.integer(1))
    if draft.nodes.scalar is not None and draft.nodes.scalar[slaves].any():
        raise row.error(3, "a rigid element cannot use a scalar point")
    dependent = [(node, c) for node in slaves.tolist() for c in components]
    return RigidElement(number, [(master, c) for c in _ALL], dependent, "RBE2")  # type: ignore[arg-type]


def _rbar(draft: Draft, row: Row) -> RigidElement:
    number, a, b = row.integer(0), _grid(draft, row, 1), _grid(draft, row, 2)
    free_a, free_b = (row.components(k) if row.text(k) and row.text(k) != b"0" else [] for k in (3, 4))
    tied_a, tied_b = (row.components(k) if row.text(k) and row.text(k) != b"0" else [] for k in (5, 6))
    if not free_a and not free_b:
        free_a = list(_ALL)
    if not tied_a and not tied_b:
        tied_a, tied_b = [c for c in _ALL if c not in free_a], [c for c in _ALL if c not in free_b]
    if len(free_a) + len(free_b) != 6:
        raise row.error(3, "the independent components do not add up to six", found=f"{len(free_a)} + {len(free_b)}")
    independent = [(a, c) for c in free_a] + [(b, c) for c in free_b]
    dependent = [(a, c) for c in tied_a] + [(b, c) for c in tied_b]
    return _rigid(row, number, independent, dependent)


def _rbar1(draft: Draft, row: Row) -> RigidElement:
    number, a, b = row.integer(0), _grid(draft, row, 1), _grid(draft, row, 2)
    return _rigid(row, number, [(a, c) for c in _ALL], [(b, c) for c in row.components(3, "123456")])


def _rigid(row: Row, number: int, independent: list[tuple[int, int]], dependent: list[tuple[int, int]]) -> RigidElement:
    if set(independent) & set(dependent):
        raise row.error(None, "a component is independent and dependent at once", found=f"element {number}")
    if not dependent:
        raise row.error(None, "no dependent component is given", found=f"element {number}")
    return RigidElement(number, np.array(independent), np.array(dependent), row.card)


def _pairs(draft: Draft, row: Row, start: int, stop: int) -> list[tuple[int, int]]:
    """(node, component) rows from pairs of fields; blanks are skipped."""
    out: list[tuple[int, int]] = []
    at = start
    while at < stop:
        if not row.text(at):
            at += 1
            continue
        node = _grid(draft, row, at)
        out.extend((node, c) for c in row.components(at + 1))
        at += 2
    return out


def _rbe1(draft: Draft, row: Row) -> RigidElement:
    words = [k for k in range(len(row.fields)) if row.word(k) == "UM"]
    if not words:
        raise row.error(None, "UM is missing")
    stop = len(row.fields)
    if row.kind(stop - 1) == REAL:
        stop -= 1
    independent = _pairs(draft, row, 1, words[0])
    if len(independent) != 6:
        raise row.error(1, "the independent components do not add up to six", found=len(independent))
    return _rigid(row, row.integer(0), independent, _pairs(draft, row, words[0] + 1, stop))


def _rtrplt(draft: Draft, row: Row) -> RigidElement:
    points = [_grid(draft, row, k) for k in (1, 2, 3)]
    free = [row.components(k) if row.text(k) and row.text(k) != b"0" else [] for k in (4, 5, 6)]
    tied = [row.components(k) if row.text(k) and row.text(k) != b"0" else [] for k in (8, 9, 10)]
    if not any(tied):
        tied = [[c for c in _ALL if c not in own] for own in free]
    if sum(len(own) for own in free) != 6:
        raise row.error(4, "the independent components do not add up to six", found=sum(len(own) for own in free))
    independent = [(node, c) for node, own in zip(points, free) for c in own]
    return _rigid(row, row.integer(0), independent, [(node, c) for node, own in zip(points, tied) for c in own])


def _rrod(draft: Draft, row: Row) -> Equation:
    """A rigid rod: both ends move alike along its axis."""
    number, a, b = row.integer(0), _grid(draft, row, 1), _grid(draft, row, 2)
    axis = draft.nodes.positions[b] - draft.nodes.positions[a]
    if not np.linalg.norm(axis) > 0.0:
        raise row.error(1, "the ends of a rigid rod coincide")
    axis = axis / np.linalg.norm(axis)
    first, second = (draft.axes_of(np.array([node]))[0] @ axis for node in (a, b))
    terms = [(a, c, first[c]) for c in range(3)] + [(b, c, -second[c]) for c in range(3)]
    tied = [(node, c) for node, k in ((a, 3), (b, 4)) if row.text(k) for c in row.components(k)]
    if len(tied) != 1:
        raise row.error(3, "one dependent component is needed", found=len(tied))
    terms.sort(key=lambda term: (term[0], term[1]) != tied[0])
    if terms[0][2] == 0.0:
        raise row.error(3, "the dependent component is perpendicular to the rod", found=tied[0][1] + 1)
    kept = [term for term in terms if term[2] != 0.0]
    return Equation(number, np.array([term[:2] for term in kept]), np.array([term[2] for term in kept]), "RROD")


def _rbe3(draft: Draft, row: Row) -> Interpolation:
    """Groups of (weight, components, points), then UM (where the dependence goes) and ALPHA."""
    number, reference, components = row.integer(0), _grid(draft, row, 2), row.components(3)
    terms: list[tuple[int, int]] = []
    weights: list[float] = []
    at = 4
    while at < len(row.fields) and row.kind(at) != WORD:
        if not row.text(at):
            at += 1
            continue
        weight, own = row.real(at), row.components(at + 1)
        at += 2
        stop = at
        while stop < len(row.fields) and (row.kind(stop) == INTEGER or not row.text(stop) or row.word(stop) == "THRU"):
            stop += 1
        group = draft.node_list(Row(row.card, row.fields[:stop], row.line, row.source), at)
        if not len(group):
            raise row.error(at, "a weight has no grid points")
        for node in group.tolist():
            terms.extend((node, c) for c in own)
            weights.extend([weight] * len(own))
        at = stop
    if not terms:
        raise row.error(4, "no weighted grid point is given")
    dependent = None
    if row.word(at) == "UM":
        stop = next((k for k in range(at + 1, len(row.fields)) if row.kind(k) == WORD), len(row.fields))
        dependent = np.array(_pairs(draft, row, at + 1, stop))
        if len(dependent) != len(components):
            raise row.error(
                at,
                "UM must name as many components as the reference has",
                found=len(dependent),
                expected=len(components),
            )
    return Interpolation(number, reference, np.array(components), np.array(terms), np.array(weights), dependent)


def _mpc(draft: Draft, row: Row) -> Equation:
    """Coefficients turned to SI: displacements in m, rotations in rad."""
    terms: list[tuple[int, int]] = []
    factors: list[float] = []
    for line in range(0, len(row.fields), 8):
        for at in (line + 1, line + 4):
            if not row.text(at):
                continue
            node, own, factor = draft.node(row, at), row.components(at + 1, "0"), row.real(at + 2, 0.0)
            if len(own) != 1:
                raise row.error(at + 1, "one component is needed", found=repr(row.word(at + 1)))
            terms.append((node, own[0]))
            factors.append(factor * (1.0 if own[0] < 3 else draft.units.length))
    if not terms or factors[0] == 0.0:
        raise row.error(3, "the first coefficient must not be zero")
    kept = [k for k, factor in enumerate(factors) if factor != 0.0]
    return Equation(row.integer(0), np.array(terms)[kept], np.array(factors)[kept], "MPC")
