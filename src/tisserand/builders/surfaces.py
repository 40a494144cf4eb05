"""Structures of shells: flat plates and cylinders, with their edges as node sets."""

from __future__ import annotations

from collections.abc import Mapping

import numpy as np

from tisserand.arguments import at_most, checked_arguments
from tisserand.arrays import FloatArray, IntArray
from tisserand.builders.line_structures import MOST_ELEMENTS
from tisserand.errors import ModelError
from tisserand.model import Material, Nodes, ShellBlock, ShellSection, StructuralModel


@checked_arguments
def plate(
    length: float,
    width: float,
    wall: ShellSection,
    *,
    elements: tuple[int, int] = (16, 8),
    triangles: bool = False,
    name: str = "plate",
) -> StructuralModel:
    """A flat rectangular plate in the plane z = 0: x from 0 to ``length``, y from -``width``/2 to ``width``/2.

    Node sets ``x-``, ``x+``, ``y-``, ``y+`` are its edges and ``edge`` all of them. Points ``root`` and ``tip`` are the
    middles of ``x-`` and ``x+`` if nodes are there (an even number of elements across).

    Args:
        length: along x, m.
        width: along y, m.
        wall: ``sheet(...)``, ``laminate(...)`` or ``honeycomb(...)``; its material axis is x.
        elements: number along x and along y.
        triangles: split every rectangle in two.
        name: of the model.
    """
    nx, ny = _counts(elements, name, (1, 1))
    _positive(name, length=length, width=width)
    x, y = np.meshgrid(np.linspace(0.0, length, nx + 1), np.linspace(-width / 2, width / 2, ny + 1), indexing="ij")
    points = np.column_stack([x.ravel(), y.ravel(), np.zeros(x.size)])
    place = np.arange(x.size).reshape(nx + 1, ny + 1)
    cells = np.stack([place[:-1, :-1], place[1:, :-1], place[1:, 1:], place[:-1, 1:]], axis=-1).reshape(-1, 4)
    if triangles:
        cells = np.concatenate([cells[:, [0, 1, 2]], cells[:, [0, 2, 3]]])
    sets = {"x-": place[0], "x+": place[-1], "y-": place[:, 0], "y+": place[:, -1]}
    sets["edge"] = np.unique(np.concatenate(list(sets.values())))
    middles = {} if ny % 2 else {"root": int(place[0, ny // 2]), "tip": int(place[-1, ny // 2])}
    axis = np.tile([1.0, 0.0, 0.0], (len(cells), 1))
    return _shells(name, points, cells, wall, axis, sets, middles)


@checked_arguments
def cylinder(
    radius: float,
    length: float,
    wall: ShellSection,
    *,
    elements: tuple[int, int] = (24, 16),
    fittings: bool = False,
    name: str = "cylinder",
) -> StructuralModel:
    """A thin-walled circular cylinder along x, from 0 to ``length``. Node sets ``x-`` and ``x+`` are its rims.

    Args:
        radius: of the middle surface, m.
        length: m.
        wall: ``sheet(...)``, ``laminate(...)`` or ``honeycomb(...)``; its material axis is x, its normal points outward.
        elements: number around and along.
        fittings: put rigid fittings on both rims, with the points ``root`` and ``tip`` at their centers.
        name: of the model.
    """
    around, along = _counts(elements, name, (3, 1))
    _positive(name, radius=radius, length=length)
    angle = 2.0 * np.pi * np.arange(around) / around
    x, a = np.meshgrid(np.linspace(0.0, length, along + 1), angle, indexing="ij")
    points = np.column_stack([x.ravel(), radius * np.cos(a.ravel()), radius * np.sin(a.ravel())])
    place = np.arange(x.size).reshape(along + 1, around)
    beside = np.roll(place, -1, axis=1)
    cells = np.stack([place[:-1], place[1:], beside[1:], beside[:-1]], axis=-1).reshape(-1, 4)[:, ::-1]
    axis = np.tile([1.0, 0.0, 0.0], (len(cells), 1))
    made = _shells(name, points, cells, wall, axis, {"x-": place[0], "x+": place[-1]}, {})
    return made.with_hub("root", "x-").with_hub("tip", "x+") if fittings else made


def _shells(
    name: str,
    points: FloatArray,
    cells: IntArray,
    wall: ShellSection,
    axis: FloatArray,
    sets: Mapping[str, IntArray],
    interfaces: Mapping[str, int],
) -> StructuralModel:
    m = len(cells)
    block = ShellBlock(
        ids=np.arange(1, m + 1), nodes=cells, section=np.zeros(m, np.int64), material_axis=axis, offset=np.zeros(m)
    )
    return StructuralModel(
        name=name,
        nodes=Nodes(np.arange(1, len(points) + 1), points),
        elements=(block,),
        sections=(wall,),
        materials=_materials(wall),
        node_sets={word: rows + 1 for word, rows in sets.items()},
        interfaces={word: row + 1 for word, row in interfaces.items()},
    )


def _materials(wall: ShellSection) -> tuple[Material, ...]:
    found: list[Material] = []
    for ply in wall.plies:
        if not any(ply.material is known for known in found):
            found.append(ply.material)
    return tuple(found)


def _counts(elements: tuple[int, int], name: str, least: tuple[int, int]) -> tuple[int, int]:
    first, second = elements
    if first < least[0] or second < least[1]:
        raise ModelError(
            "too few elements", where=name, found=tuple(elements), expected=f"at least {least[0]} by {least[1]}"
        )
    at_most(name, MOST_ELEMENTS, "elements", first=first, second=second)
    return int(first), int(second)


def _positive(name: str, **values: float) -> None:
    for word, value in values.items():
        if not (np.isfinite(value) and value > 0.0):
            raise ModelError(
                f"the {word} must be a positive number", where=name, found=value, expected="a number above 0, in m"
            )
