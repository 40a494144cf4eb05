"""Structures of lines: a boom, a frame of beams, a truss of rods."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TypeVar

import numpy as np
from numpy.typing import ArrayLike

from tisserand.arguments import at_most, checked_arguments
from tisserand.arrays import FloatArray, IntArray
from tisserand.builders.sections import CrossSection
from tisserand.errors import ModelError
from tisserand.model import (
    BeamBlock,
    BeamSection,
    Isotropic,
    Material,
    Nodes,
    RodBlock,
    RodSection,
    Section,
    StructuralModel,
)

#: A member: the names of its two ends.
Member = tuple[str, str]
T = TypeVar("T")
#: Elements of a built model; larger ones are made by a mesh generator and read from a file.
MOST_ELEMENTS = 1_000_000


@checked_arguments
def boom(
    length: float,
    section: CrossSection,
    material: Isotropic | None = None,
    *,
    elements: int = 20,
    start: ArrayLike = (0.0, 0.0, 0.0),
    direction: ArrayLike = (1.0, 0.0, 0.0),
    up: ArrayLike | None = None,
    tip_mass: float = 0.0,
    tip_offset: ArrayLike = (0.0, 0.0, 0.0),
    tip_inertia: ArrayLike | None = None,
    clamped: bool = True,
    name: str = "boom",
) -> StructuralModel:
    """A straight beam with the points ``root`` and ``tip``, clamped at its root unless asked otherwise.

    Args:
        length: m.
        section: such as ``tube(0.05, 0.001)``, or ``rigidities(...)``.
        material: isotropic; None only for a section of given rigidities.
        elements: number of beams.
        start: position of the root, m.
        direction: of the axis; its length does not matter.
        up: direction of the section's height; by default z, or x for a boom along z.
        tip_mass: body at the tip, kg.
        tip_offset: from the tip to that body's mass center, m, basic axes.
        tip_inertia: of that body about its mass center, kg m²: three values or a (3, 3) tensor.
        clamped: hold the root.
        name: of the model.
    """
    if not (np.isfinite(length) and length > 0.0):
        raise ModelError(
            "a length must be a positive number", where=name, found=length, expected="a number above 0, in m"
        )
    along = _unit(direction, name)
    if elements < 1:
        raise ModelError("a boom has at least one element", where=name, found=elements)
    at_most(name, MOST_ELEMENTS, "elements", elements=elements)
    first = np.asarray(start, dtype=float)
    nodes = np.arange(elements + 1)
    model = _model(
        name,
        first + length * (nodes / elements)[:, None] * along,
        _beams(np.column_stack([nodes[:-1], nodes[1:]]), np.zeros(elements, np.int64), _ups(along[None], up, name)),
        (section.beam(1, material),),
        {"root": 1, "tip": elements + 1},
    )
    if tip_mass or tip_inertia is not None:
        model = model.with_mass("tip", tip_mass, offset=tip_offset, inertia=tip_inertia, name="tip body")
    return model.with_support("root") if clamped else model


@checked_arguments
def frame(
    points: Mapping[str, ArrayLike],
    members: Sequence[Member],
    section: CrossSection | Mapping[Member, CrossSection],
    material: Isotropic | None = None,
    *,
    elements: int = 4,
    up: ArrayLike | None = None,
    name: str = "frame",
) -> StructuralModel:
    """Beams welded at named points.

    Args:
        points: name -> position (3,) m; they become points of the model.
        members: pairs of names.
        section: one for all members, or member -> section.
        material: isotropic; None only for sections of given rigidities.
        elements: number of beams per member.
        up: direction of the sections' height; by default z, or x for members along z.
        name: of the model.
    """
    ids, ends, names = _skeleton(points, members, name)
    if elements < 1:
        raise ModelError("a member has at least one element", where=name, found=elements)
    at_most(name, MOST_ELEMENTS, "elements", members=len(members), elements=elements)
    inner = elements - 1
    fraction = np.arange(1, elements) / elements
    span = ends[ids[:, 1]] - ends[ids[:, 0]]
    between = ends[ids[:, 0]][:, None] + fraction[None, :, None] * span[:, None]
    positions = np.vstack([ends, between.reshape(-1, 3)])
    middle = len(ends) + np.arange(len(members) * inner).reshape(len(members), inner)
    chain = np.hstack([ids[:, :1], middle, ids[:, 1:]])
    pairs = np.stack([chain[:, :-1], chain[:, 1:]], axis=2).reshape(-1, 2)
    each = section if isinstance(section, Mapping) else dict.fromkeys(members, section)
    which, cross = _choices(each, members, name)
    sections = tuple(c.beam(i + 1, material) for i, c in enumerate(cross))
    ups = np.repeat(_ups(span, up, name), elements, axis=0)
    block = _beams(pairs, np.repeat(which, elements), ups)
    sets = {f"{a}-{b}": block.ids[i * elements : (i + 1) * elements] for i, (a, b) in enumerate(members)}
    return _model(name, positions, block, sections, names, sets)


@checked_arguments
def truss(
    points: Mapping[str, ArrayLike],
    members: Sequence[Member],
    area: float | CrossSection | Mapping[Member, float | CrossSection],
    material: Isotropic,
    *,
    name: str = "truss",
) -> StructuralModel:
    """Rods pinned at named points: they carry axial force alone.

    Args:
        points: name -> position (3,) m; they become points of the model.
        members: pairs of names.
        area: cross-section of all members, m², or a cross-section, or member -> one of these.
        material: isotropic.
        name: of the model.
    """
    ids, ends, names = _skeleton(points, members, name)
    given: Mapping[Member, float | CrossSection]
    given = area if isinstance(area, Mapping) else dict.fromkeys(members, area)
    which, areas = _choices(given, members, name)
    sections = []
    for i, value in enumerate(areas):
        size = value.station.area if isinstance(value, CrossSection) else float(value)
        if not (np.isfinite(size) and size > 0.0):
            raise ModelError("an area must be a positive number", where=name, found=size, expected="m²")
        sections.append(RodSection(i + 1, material, size))
    block = RodBlock(ids=np.arange(1, len(ids) + 1), nodes=ids, section=which)
    return _model(name, ends, block, tuple(sections), names, {f"{a}-{b}": [i + 1] for i, (a, b) in enumerate(members)})


def _beams(pairs: IntArray, section: IntArray, orientation: FloatArray) -> BeamBlock:
    m = len(pairs)
    return BeamBlock(
        ids=np.arange(1, m + 1),
        nodes=pairs,
        section=section,
        orientation=np.broadcast_to(orientation, (m, 3)),
        offsets=np.zeros((m, 2, 3)),
        releases=np.zeros((m, 2, 6), bool),
    )


def _skeleton(
    points: Mapping[str, ArrayLike], members: Sequence[Member], name: str
) -> tuple[IntArray, FloatArray, dict[str, int]]:
    """Members as rows of points (m, 2), positions (p, 3), names -> node ids."""
    names = list(points)
    place = {word: row for row, word in enumerate(names)}
    if not names:
        raise ModelError("no points are given", where=name, expected="names with three coordinates each, in m")
    for word in names:
        if np.shape(points[word]) != (3,):
            raise ModelError(
                f"point {word!r} is not three coordinates",
                where=name,
                found=repr(points[word]),
                expected="x, y, z in m",
            )
    ends = np.array([np.asarray(points[word], float) for word in names])
    if not len(members):
        raise ModelError("no members are given", where=name, expected="pairs of names")
    rows = []
    for member in members:
        unknown = [end for end in member if end not in place]
        if len(member) != 2 or unknown:
            raise ModelError(
                "a member joins two known points", where=name, found=tuple(member), expected=", ".join(names)
            )
        rows.append((place[member[0]], place[member[1]]))
    ids = np.array(rows, np.int64)
    length = np.linalg.norm(ends[ids[:, 1]] - ends[ids[:, 0]], axis=1)
    if not (length > 0.0).all():
        raise ModelError("a member has no length", where=name, found=members[int(np.argmin(length))])
    return ids, ends, {word: row + 1 for word, row in place.items()}


def _choices(given: Mapping[Member, T], members: Sequence[Member], name: str) -> tuple[IntArray, list[T]]:
    """Which of the different values each member has."""
    missing = [member for member in members if member not in given]
    if missing:
        raise ModelError("a member has no section", where=name, found=missing[0], expected="an entry for every member")
    values = list(dict.fromkeys(given[member] for member in members))
    return np.array([values.index(given[member]) for member in members], np.int64), values


def _ups(span: FloatArray, up: ArrayLike | None, name: str) -> FloatArray:
    """Orientation vector (m, 3) of members along ``span``."""
    along = span / np.linalg.norm(span, axis=1, keepdims=True)
    if up is None:
        upright = np.abs(along[:, 2]) > 1.0 - 1e-6
        return np.where(upright[:, None], [1.0, 0.0, 0.0], [0.0, 0.0, 1.0])
    given = _unit(up, name)
    if (np.abs(along @ given) > 1.0 - 1e-9).any():
        raise ModelError("the direction of height lies along a member", where=name, found=np.asarray(up).tolist())
    return np.tile(given, (len(span), 1))


def _unit(vector: ArrayLike, name: str) -> FloatArray:
    v = np.asarray(vector, dtype=float)
    size = float(np.linalg.norm(v)) if v.shape == (3,) else 0.0
    if not (np.isfinite(size) and size > 0.0):
        raise ModelError("a direction is three numbers, not all zero", where=name, found=v.tolist())
    return np.asarray(v / size)


def materials_of(sections: Sequence[Section]) -> tuple[Material, ...]:
    """The different materials of line sections, in order."""
    return tuple(dict.fromkeys(material for section in sections for material in section.materials))


def _model(
    name: str,
    positions: FloatArray,
    block: BeamBlock | RodBlock,
    sections: tuple[BeamSection, ...] | tuple[RodSection, ...],
    points: Mapping[str, int],
    members: Mapping[str, ArrayLike] | None = None,
) -> StructuralModel:
    return StructuralModel(
        name=name,
        nodes=Nodes(np.arange(1, len(positions) + 1), positions),
        elements=(block,),
        sections=sections,
        materials=materials_of(sections),
        element_sets={word: np.asarray(ids) for word, ids in (members or {}).items()},
        interfaces=points,
    )
