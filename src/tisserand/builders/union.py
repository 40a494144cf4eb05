"""Two models in one: nodes, elements, sections, ties, supports and names of both."""

from __future__ import annotations

from collections.abc import Callable, Collection, Sequence
from dataclasses import replace
from typing import Any

import numpy as np

from tisserand.arrays import IntArray
from tisserand.errors import ModelError
from tisserand.model import Equation, Interpolation, Nodes, RigidElement, StructuralModel, Supports

#: Statements that hold for a whole model, so that two models must agree on them.
_SHARED = ("mass_recipe", "drilling", "auto_constrain", "unit_system")
_NAMED = ("node_sets", "element_sets", "interfaces")
#: Between the name of a part and its own names while parts are put together.
MARK = "\0"


def distinct_names(names: Sequence[str]) -> list[str]:
    """Names of parts, with a number behind each one that stood before."""
    return [name if name not in names[:i] else f"{name} {names[: i + 1].count(name)}" for i, name in enumerate(names)]


def prefixed(part: StructuralModel, own: str) -> StructuralModel:
    """A part whose points and sets have its name in front."""
    return part.changed(
        **{word: {own + MARK + key: ids for key, ids in getattr(part, word).items()} for word in _NAMED}
    )


def unprefixed(model: StructuralModel, joined: Collection[str]) -> StructuralModel:
    """Names without the part in front where only one part has them and nothing is joined there; ``part.name`` elsewhere."""
    values = {}
    for word in _NAMED:
        found = getattr(model, word)
        tails = [key.split(MARK)[1] for key in found if key not in joined]
        values[word] = {
            key.split(MARK)[1]
            if key not in joined and tails.count(key.split(MARK)[1]) == 1
            else key.replace(MARK, "."): ids
            for key, ids in found.items()
        }
    return model.changed(**values)


def united(a: StructuralModel, b: StructuralModel) -> tuple[StructuralModel, int]:
    """Both models side by side, and the number to add to node indices of ``b``; no name may be in both."""
    for word in _SHARED:
        if getattr(a, word) != getattr(b, word):
            raise ModelError(
                f"the parts differ in {word}", where=f"join {b.name}",
                found=f"{getattr(a, word)} and {getattr(b, word)}", advice="change one of them with .changed()",
            )  # fmt: skip
    rows, sections = len(a.nodes), len(a.sections)
    node_shift = _shift(a.nodes.ids, b.nodes.ids)
    element_shift = _shift(_ids(a), _ids(b))
    tie_shift = max((tie.id for tie in a.constraints), default=0)
    nodes = Nodes(
        np.concatenate([a.nodes.ids, b.nodes.ids + node_shift]),
        np.concatenate([a.nodes.positions, b.nodes.positions]),
        _both(a.nodes.axes, b.nodes.axes, np.eye(3), rows, len(b.nodes)),
        _both(a.nodes.scalar, b.nodes.scalar, np.False_, rows, len(b.nodes)),
    )
    later = tuple(_moved_block(block, rows, sections, element_shift) for block in b.elements)
    ties = tuple(renumbered(replace(tie, id=tie.id + tie_shift), lambda n: n + rows) for tie in b.constraints)
    supports = a.supports.added_to(Supports(b.supports.nodes + rows, b.supports.fixed))
    materials = list(a.materials)
    materials += [material for material in b.materials if not any(material is known for known in materials)]
    return a.changed(
        nodes=nodes,
        elements=(*a.elements, *later),
        sections=(*a.sections, *(section.changed(id=section.id + sections) for section in b.sections)),
        materials=tuple(materials),
        constraints=(*a.constraints, *ties),
        supports=supports,
        coordinate_systems=(*a.coordinate_systems, *b.coordinate_systems),
        node_sets={**a.node_sets, **{name: ids + node_shift for name, ids in b.node_sets.items()}},
        element_sets={**a.element_sets, **{name: ids + element_shift for name, ids in b.element_sets.items()}},
        interfaces={**a.interfaces, **{name: id + node_shift for name, id in b.interfaces.items()}},
        sources=(*a.sources, *b.sources),
    ), rows


def renumbered(tie: Any, new: Callable[[IntArray], IntArray]) -> Any:
    """A tie with its node indices mapped."""

    def rows(pairs: IntArray) -> IntArray:
        return np.column_stack([new(pairs[:, 0]), pairs[:, 1]])

    if isinstance(tie, RigidElement):
        return replace(tie, independent=rows(tie.independent), dependent=rows(tie.dependent))
    if isinstance(tie, Interpolation):
        reference = int(new(np.array([tie.reference]))[0])
        dependent = None if tie.dependent is None else rows(tie.dependent)
        return replace(tie, reference=reference, terms=rows(tie.terms), dependent=dependent)
    assert isinstance(tie, Equation)
    return replace(tie, terms=rows(tie.terms))


def _moved_block(block: Any, rows: int, sections: int, ids: int) -> Any:
    values: dict[str, Any] = {
        "ids": block.ids + ids,
        "nodes": np.where(block.nodes < 0, block.nodes, block.nodes + rows),
    }
    if hasattr(block, "section"):
        values["section"] = block.section + sections
    return replace(block, **values)


def _ids(model: StructuralModel) -> IntArray:
    return np.concatenate([np.asarray(block.ids) for block in model.elements] or [np.zeros(0, np.int64)])


def _shift(first: IntArray, second: IntArray) -> int:
    """What to add to the second ids so that none is used twice."""
    if not len(np.intersect1d(first, second)):
        return 0
    return int(first.max() - second.min() + 1)


def _both(first: Any, second: Any, default: Any, m: int, n: int) -> Any:
    if first is None and second is None:
        return None
    empty = [np.broadcast_to(default, (count, *np.shape(default))) for count in (m, n)]
    return np.concatenate([empty[0] if first is None else first, empty[1] if second is None else second])
