"""Rigid elements, interpolations and equations as bulk data."""

from __future__ import annotations

from collections.abc import Iterator

from tisserand.errors import ModelError
from tisserand.exporters.bdf_format import Field, digits, large, small
from tisserand.model import Constraint, Equation, Interpolation, RigidElement, StructuralModel


def tie_cards(model: StructuralModel, tie: Constraint, length: float) -> Iterator[str]:
    """Cards of one tie; ``length`` is the unit of length in m."""
    if isinstance(tie, RigidElement):
        yield _rigid(model, tie)
    elif isinstance(tie, Interpolation):
        yield _interpolation(model, tie)
    else:
        yield _equation(model, tie, length)


def _by_node(rows: list[list[int]]) -> dict[int, list[int]]:
    out: dict[int, list[int]] = {}
    for node, component in rows:
        out.setdefault(node, []).append(component)
    return out


def _rigid(model: StructuralModel, tie: RigidElement) -> str:
    """RBE2 where one node leads with all six components, else RBE1."""
    ids = model.nodes.ids
    leaders, followers = _by_node(tie.independent.tolist()), _by_node(tie.dependent.tolist())
    words = {digits(own) for own in followers.values()}
    if len(leaders) == 1 and len(words) == 1 and len(tie.independent) == 6:
        leader = int(ids[next(iter(leaders))])
        return small("RBE2", tie.id, leader, words.pop(), *(int(ids[node]) for node in followers))
    if len(tie.independent) != 6:
        raise ModelError(
            "only rigid elements with six independent components can be written",
            ids=(tie.id,),
            found=f"element {tie.id}",
        )
    fields: list[Field] = [tie.id]
    fields += _spread([cell for node, own in leaders.items() for cell in (int(ids[node]), digits(own))])
    fields += [None] * (-len(fields) % 8)
    fields += ["UM"]
    fields += _spread([cell for node, own in followers.items() for cell in (int(ids[node]), digits(own))])
    return small("RBE1", *fields)


def _spread(cells: list[int | str]) -> list[Field]:
    """Six cells per line between one leading and one trailing field, as pairs are laid out after UM."""
    out: list[Field] = []
    for start in range(0, len(cells), 6):
        if start:
            out += [None, None]
        out += cells[start : start + 6]
    return out


def _interpolation(model: StructuralModel, tie: Interpolation) -> str:
    ids = model.nodes.ids
    fields: list[Field] = [tie.id, None, int(ids[tie.reference]), digits(tie.components)]
    groups: dict[tuple[float, str], list[int]] = {}
    by_weight: dict[tuple[int, float], list[int]] = {}
    for (node, component), weight in zip(tie.terms.tolist(), tie.weights.tolist()):
        by_weight.setdefault((node, weight), []).append(component)
    for (node, weight), own in by_weight.items():
        groups.setdefault((weight, digits(own)), []).append(int(ids[node]))
    for (weight, word), nodes in groups.items():
        fields += [float(weight), word, *nodes]
    if tie.dependent is not None:
        fields += [None] * (-len(fields) % 8)
        pairs = [
            cell for node, own in _by_node(tie.dependent.tolist()).items() for cell in (int(ids[node]), digits(own))
        ]
        fields += ["UM", *_spread(list(pairs))]
    return large("RBE3", *fields)


def _equation(model: StructuralModel, tie: Equation, length: float) -> str:
    """MPC set 1: a blank field leads every line after the first."""
    fields: list[Field] = [1]
    for k, ((node, component), factor) in enumerate(zip(tie.terms.tolist(), tie.coefficients.tolist())):
        if k and k % 2 == 0:
            fields += [None, None]
        scalar = model.nodes.scalar is not None and bool(model.nodes.scalar[node])
        value = factor if component < 3 else factor / length
        fields += [int(model.nodes.ids[node]), 0 if scalar else component + 1, float(value)]
    return large("MPC", *fields)
