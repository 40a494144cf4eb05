"""MASS, ROTARY INERTIA, SPRING and DASHPOT: values on element sets of point and two-node elements."""

from __future__ import annotations

import numpy as np

from tisserand.arrays import FloatArray, IntArray
from tisserand.model import BushBlock, ElementBlock, NodalBodies, ScalarSpringBlock
from tisserand.readers.abaqus.deck import Context
from tisserand.readers.abaqus.draft import Draft, ElementGroup
from tisserand.readers.abaqus.materials import Orientation
from tisserand.readers.abaqus.oriented_springs import needs_directions, oriented_spring, spring_matrix
from tisserand.readers.abaqus.scan import Keyword, fields

_NEEDS = {"mass": "MASS", "rotary": "ROTARY INERTIA", "spring": "SPRING", "dashpot": "DASHPOT"}


def point_blocks(draft: Draft, orientations: dict[str, Orientation]) -> list[ElementBlock]:
    """Nodal bodies and springs of the deck, SI."""
    values: dict[int, tuple[Keyword, FloatArray, FloatArray]] = {}
    turned: dict[int, Orientation] = {}
    for context, keyword in draft.deck.model:
        if keyword.name in _NEEDS.values():
            first, second = _values(draft, keyword)
            if keyword.name == "ROTARY INERTIA":
                second = _inertia(keyword, second, _orientation(keyword, orientations, context), context.rotation)
            own = _orientation(keyword, orientations, context) if keyword.name in ("SPRING", "DASHPOT") else None
            for element in draft.elements_of(context, keyword.option("ELSET"), keyword):
                values[int(element)] = (keyword, first, second)
                if own is not None:
                    turned[int(element)] = own
            draft.record(f"*{keyword.name}", "used")
    blocks: list[ElementBlock] = []
    for group in draft.groups:
        if group.kind.role in _NEEDS and len(group.ids):
            given = [_value(group, values, int(element)) for element in group.ids]
            draft.record(group.type, "used", count=len(group.ids))
            blocks += _block(draft, group, [g[1] for g in given], [g[2] for g in given], turned)
    return blocks


def _orientation(keyword: Keyword, orientations: dict[str, Orientation], context: Context) -> Orientation | None:
    """The system that a keyword names; None where it names none."""
    name = keyword.label("ORIENTATION")
    if name is None:
        return None
    found = orientations.get(context.full(name), orientations.get(name))
    if found is None:
        known = ", ".join(orientations) or "a name that the deck defines (it defines none)"
        raise keyword.error("unknown orientation", found=name, expected=known)
    return found


def _value(
    group: ElementGroup, values: dict[int, tuple[Keyword, FloatArray, FloatArray]], element: int
) -> tuple[Keyword, FloatArray, FloatArray]:
    needed = _NEEDS[group.kind.role]
    if element not in values or values[element][0].name != needed:
        raise group.keyword.error(f"element {element} of type {group.type} has no *{needed}")
    return values[element]


def _values(draft: Draft, keyword: Keyword) -> tuple[FloatArray, FloatArray]:
    """Components (springs) and numbers of the value line."""
    if keyword.name in ("MASS", "ROTARY INERTIA"):
        rows = [row for row, _ in keyword.rows()]
        if not rows:
            raise keyword.error("has no value")
        numbers = keyword.floats(rows[0], 6)
        if numbers[:3].min() < 0.0:
            raise keyword.error("is negative", row=rows[0], found=keyword.data[rows[0]].strip())
        by_direction = keyword.name == "MASS" and keyword.options.get("TYPE", "").upper().startswith("ANISO")
        if by_direction and (np.ptp(numbers[:3]) > 0.0 or numbers[3:6].any()):
            reason = f"a mass that differs from direction to direction (line {keyword.line}): a record needs one mass"
            draft.record("*MASS, TYPE=ANISOTROPIC", "dropped", reason)
        return np.zeros(0), numbers
    if "NONLINEAR" in keyword.options:
        draft.record(f"*{keyword.name}, NONLINEAR", "dropped", "only linear springs and dashpots are used")
        return np.ones(2), np.zeros(1)
    filled = [row for row, _ in keyword.rows()]
    if not filled:
        raise keyword.error("has no value")
    value_row = filled[-1] if len(filled) < 2 or filled[0] > 0 else filled[1]
    components = keyword.floats(0, 2)[:2] if value_row != 0 else np.zeros(2)
    if len(fields(keyword.data[value_row])) > 1 and len(filled) > 2:
        draft.note(f"*{keyword.name} depends on temperature or frequency: the first line is used")
    return components, keyword.floats(value_row, 1)[:1]


def _inertia(
    keyword: Keyword, numbers: FloatArray, orientation: Orientation | None, rotation: FloatArray
) -> FloatArray:
    """Tensor (3, 3) in global axes from I11, I22, I33, I12, I13, I23 (tensor components, so I12 = -int x1 x2 dm)."""
    a, b, c, ab, ac, bc = numbers[:6]
    tensor = np.array([[a, ab, ac], [ab, b, bc], [ac, bc, c]])
    axes = rotation.T if orientation is None else orientation.axes_at(np.zeros((1, 3)))[0]
    moments = np.linalg.eigvalsh(tensor)
    if moments[0] < -1e-9 * max(moments[2], 0.0) or moments[0] + moments[1] < moments[2] * (1.0 - 1e-9):
        raise keyword.error("belongs to no rigid body", found=f"principal values {moments.tolist()}")
    return np.asarray(axes.T @ tensor @ axes)


def _block(
    draft: Draft, group: ElementGroup, first: list[FloatArray], second: list[FloatArray], turned: dict[int, Orientation]
) -> list[ElementBlock]:
    m, nodes, units = len(group.ids), draft.index(group.nodes), draft.units
    role = group.kind.role
    if role == "mass":
        masses = np.array([value[0] for value in second]) * units.mass
        return [NodalBodies(group.ids, nodes, masses, np.zeros((m, 3)), np.zeros((m, 3, 3)))]
    if role == "rotary":
        inertias = np.array(second) * units.inertia
        return [NodalBodies(group.ids, nodes, np.zeros(m), np.zeros((m, 3)), inertias)]
    value = np.array([numbers[0] for numbers in second])
    if (value < 0.0).any():
        raise group.keyword.error(
            "a spring or dashpot has a negative value", found=f"element {int(group.ids[np.argmin(value)])}"
        )
    if group.kind.cell == "axial":
        return _axial(draft, group, nodes, value)
    components = np.array(first, dtype=np.int64).reshape(m, 2)
    if group.kind.cell == "ground":
        nodes, components = (np.column_stack([nodes[:, 0], np.full(m, -1)]), np.repeat(components[:, :1], 2, axis=1))
    else:
        components = np.where(components == 0, components[:, :1], components)
    if (components < 1).any() or (components > 6).any():
        raise group.keyword.error("a spring has no degree of freedom", expected="a first data line with 1 to 6")
    return _between(draft, role, group.ids, nodes, components - 1, value, turned)


def _between(
    draft: Draft,
    role: str,
    ids: IntArray,
    nodes: IntArray,
    components: IntArray,
    value: FloatArray,
    turned: dict[int, Orientation],
) -> list[ElementBlock]:
    """Springs along components of their nodes as they are, those in other axes as a matrix."""
    own = [turned.get(element) for element in ids.tolist()]
    apart = np.array([needs_directions(draft, nodes[i], system) for i, system in enumerate(own)])
    plain = _scalar(draft, role, ids, nodes, components, value)
    terms = []
    for i in np.flatnonzero(apart).tolist():
        rate = float((plain.stiffness if role == "spring" else plain.damping)[i])
        terms += oriented_spring(draft, int(ids[i]), nodes[i], components[i], rate, own[i])
    kept: list[ElementBlock] = [plain.select(~apart)] if not apart.all() else []
    return [*kept, *spring_matrix(terms, role)]


def _scalar(
    draft: Draft, role: str, ids: IntArray, nodes: IntArray, components: IntArray, value: FloatArray
) -> ScalarSpringBlock:
    units, turning = draft.units, components[:, 0] > 2
    if role == "spring":
        k = value * np.where(turning, units.moment, units.linear_stiffness)
        return ScalarSpringBlock(ids, nodes, components, k, np.zeros(len(ids)))
    c = value * np.where(turning, units.rotational_damping, units.linear_damping)
    return ScalarSpringBlock(ids, nodes, components, np.zeros(len(ids)), c)


def _axial(draft: Draft, group: ElementGroup, nodes: IntArray, value: FloatArray) -> list[ElementBlock]:
    """SPRINGA and DASHPOTA act along the line between their nodes:
    a scalar spring where that is a global axis.
    """
    along = draft.positions[nodes[:, 1]] - draft.positions[nodes[:, 0]]
    length = np.linalg.norm(along, axis=1)
    if (length == 0.0).any():
        raise group.keyword.error(
            f"a {group.type} has zero length and so no direction", found=f"element {int(group.ids[np.argmin(length)])}"
        )
    unit = along / length[:, None]
    aligned = np.abs(unit).max(axis=1) > 1.0 - 1e-12
    blocks: list[ElementBlock] = []
    if aligned.any():
        axis = np.abs(unit[aligned]).argmax(axis=1)
        pairs = np.column_stack([axis, axis])
        blocks.append(_scalar(draft, group.kind.role, group.ids[aligned], nodes[aligned], pairs, value[aligned]))
    if not aligned.all():
        x = unit[~aligned]
        y = np.cross(x, np.eye(3)[np.abs(x).argmin(axis=1)])
        y = y / np.linalg.norm(y, axis=1, keepdims=True)
        m = len(x)
        rates = np.zeros((2, m, 6))
        spring = group.kind.role == "spring"
        scale = draft.units.linear_stiffness if spring else draft.units.linear_damping
        rates[0 if spring else 1, :, 0] = value[~aligned] * scale
        middle = draft.positions[nodes[~aligned]].mean(axis=1)
        axes = np.stack([x, y, np.cross(x, y)], axis=1)
        blocks.append(BushBlock(group.ids[~aligned], nodes[~aligned], rates[0], rates[1], axes, middle))
    return blocks
