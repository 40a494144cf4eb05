"""EQUATION, COUPLING (kinematic and distributing), KINEMATIC and DISTRIBUTING COUPLING, RIGID BODY; MPC and ties."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from tisserand.arrays import FloatArray, IntArray, skew
from tisserand.model import Constraint, Equation, Interpolation, RigidElement
from tisserand.readers.abaqus.deck import Context
from tisserand.readers.abaqus.draft import Draft
from tisserand.readers.abaqus.materials import Orientation
from tisserand.readers.abaqus.mpcs import read_mpcs
from tisserand.readers.abaqus.scan import Keyword
from tisserand.readers.abaqus.sections import Owner
from tisserand.readers.abaqus.surfaces import Surfaces, read_surfaces
from tisserand.readers.abaqus.tie_rows import equations_of
from tisserand.readers.abaqus.ties import TieMaker, thickness_by_element, turning_nodes

_SIX = np.arange(6)


@dataclass(frozen=True, eq=False)
class _Reader:
    """Data needed to read the constraints of a deck: draft, surfaces, orientations by full name, node axes."""

    draft: Draft
    surfaces: Surfaces
    orientations: dict[str, Orientation]
    axes: FloatArray | None

    def orientation(self, context: Context, keyword: Keyword) -> Orientation | None:
        """The ORIENTATION that a keyword names."""
        wanted = keyword.label("ORIENTATION")
        if wanted is None:
            return None
        found = self.orientations.get(context.full(wanted), self.orientations.get(wanted))
        if found is None:
            known = ", ".join(self.orientations) or "a name that the deck defines (it defines none)"
            raise keyword.error("unknown orientation", found=wanted, expected=known)
        return found


def read_constraints(
    draft: Draft, orientations: dict[str, Orientation], owners: list[Owner], axes: FloatArray | None
) -> tuple[list[Constraint], dict[int, int]]:
    """Constraints with node rows, and nodes whose translations stand for rotations: row of the ROT NODE -> row of its REF NODE.

    Nodes that ties adjust are moved; nodes that stand for a mean rotation get axes along it.
    """
    reader = _Reader(draft, read_surfaces(draft), orientations, axes)
    found: list[Constraint] = []
    rotation_nodes: dict[int, int] = {}
    coupling: tuple[Context, Keyword] | None = None
    for context, keyword in draft.deck.model:
        name = keyword.name
        if name == "EQUATION":
            found += _equations(draft, context, keyword, len(found))
        elif name == "MPC":
            found += read_mpcs(draft, context, keyword, len(found), rotation_nodes)
        elif name == "COUPLING":
            coupling = (context, keyword)
        elif name in ("KINEMATIC", "DISTRIBUTING"):
            if coupling is None:
                raise keyword.error("is not preceded by *COUPLING")
            found += _coupling(reader, *coupling, keyword, len(found) + 1)
            draft.record("*COUPLING", "used")
            coupling = None
        elif name == "KINEMATIC COUPLING":
            found += _old_kinematic(reader, context, keyword, len(found) + 1)
        elif name == "DISTRIBUTING COUPLING":
            found += _old_distributing(reader, context, keyword, len(found) + 1)
        elif name == "RIGID BODY":
            found.append(_rigid_body(draft, context, keyword, len(found) + 1, rotation_nodes))
        else:
            continue
        if name != "COUPLING":
            draft.record(f"*{name}", "used")
    ties = TieMaker(draft, reader.surfaces, axes, turning_nodes(draft), thickness_by_element(owners))
    found += ties.read(len(found))
    for name in reader.surfaces.known:
        fate = "used" if name in reader.surfaces.used else "skipped"
        draft.record("*SURFACE", fate, "" if fate == "used" else "no coupling or tie uses it")  # type: ignore[arg-type]
    return found, rotation_nodes


def _pairs(rows: IntArray, components: IntArray) -> IntArray:
    return np.column_stack([np.repeat(rows, len(components)), np.tile(components, len(rows))])


def _component(keyword: Keyword, row: int, text: str) -> int:
    number = keyword.integer(row, text)
    if not 1 <= number <= 6:
        raise keyword.error("a degree of freedom is not structural", row=row, found=number, expected="1 to 6")
    return number - 1


def _equations(draft: Draft, context: Context, keyword: Keyword, before: int) -> list[Constraint]:
    """N, then N terms (node or set, dof, coefficient) over any number of lines; sets pair up member by member."""
    found: list[Constraint] = []
    rows = list(keyword.rows())
    at = 0
    while at < len(rows):
        row, items = rows[at]
        count, at = keyword.integer(row, items[0]), at + 1
        terms: list[str] = []
        while len(terms) < 3 * count and at < len(rows):
            terms += [item for item in rows[at][1] if item]
            at += 1
        if count < 1 or len(terms) != 3 * count:
            raise keyword.error(
                "an equation has the wrong number of terms", row=row, found=len(terms) // 3, expected=count
            )
        sides = [draft.nodes_of(context, terms[3 * k], keyword, row) for k in range(count)]
        size = max(len(side) for side in sides)
        if any(len(side) not in (1, size) for side in sides):
            raise keyword.error("an equation contains sets of different length", row=row, found=[len(s) for s in sides])
        components = [_component(keyword, row, terms[3 * k + 1]) for k in range(count)]
        factors = np.array([keyword.number(row, terms[3 * k + 2]) for k in range(count)])
        if factors[0] == 0.0:
            raise keyword.error("the first coefficient of an equation is zero", row=row)
        table = np.column_stack([np.broadcast_to(draft.index(side), size) for side in sides])
        for members in table:
            pairs = np.column_stack([members, components])
            found.append(Equation(before + len(found) + 1, pairs, factors, "EQUATION"))
    return found


def _coupling(reader: _Reader, context: Context, head: Keyword, keyword: Keyword, number: int) -> list[Constraint]:
    draft = reader.draft
    reference = int(draft.index(np.array([draft.one_node(context, head.option("REF NODE"), head)]))[0])
    surface = reader.surfaces.get(context, head.option("SURFACE"), head)
    rows = draft.index(surface.nodes)
    keep = rows != reference
    if head.options.get("INFLUENCE RADIUS"):
        radius = head.number(0, head.options["INFLUENCE RADIUS"]) * draft.units.length
        keep &= np.linalg.norm(draft.positions[rows] - draft.positions[reference], axis=1) <= radius
    rows, weights = rows[keep], surface.weights[keep]
    if not len(rows):
        raise head.error("the surface of the coupling has no nodes", found=head.option("SURFACE"))
    components = _coupled(keyword)
    own = reader.orientation(context, head)
    whole = all(part <= set(components) or not part & set(components) for part in ({0, 1, 2}, {3, 4, 5}))
    if keyword.name == "KINEMATIC":
        card = "COUPLING KINEMATIC"
        if own is None or whole:  # a rigid link of whole translations and rotations is the same in any axes
            return [RigidElement(number, _pairs(np.array([reference]), _SIX), _pairs(rows, components), card)]
        return _kinematic_in(reader, number, reference, rows, components, own.axes_at(draft.positions[rows]))
    if draft.flavor == "abaqus":  # its translations are always coupled
        components = np.union1d(components, np.arange(3))
        whole = len(components) in (3, 6)
    method = keyword.options.get("WEIGHTING METHOD", "UNIFORM").upper()
    if method != "UNIFORM":
        raise keyword.error("weights that fall with the distance are not supported", found=method, expected="UNIFORM")
    if keyword.options.get("COUPLING", "").upper() == "STRUCTURAL" and turning_nodes(draft)[rows].any():
        reason = f"a connection: rotations of shells or beams are coupled too (line {keyword.line})"
        draft.record("*DISTRIBUTING, COUPLING=STRUCTURAL", "dropped", reason)
    card = "COUPLING DISTRIBUTING"
    if own is None or whole:
        return [
            Interpolation(number, reference, components, _pairs(rows, np.arange(3)), np.repeat(weights, 3), None, card)
        ]
    axes = own.axes_at(draft.positions[[reference]])[0]
    return _distributing_in(reader, number, reference, rows, weights, components, axes)


def _kinematic_in(
    reader: _Reader, number: int, reference: int, rows: IntArray, components: IntArray, axes: FloatArray
) -> list[Constraint]:
    """Components of local axes (m, 3, 3) that follow the rigid motion of the reference node."""
    found: list[Constraint] = []
    for node, local in zip(rows, axes):
        arm = reader.draft.positions[node] - reader.draft.positions[reference]
        blocks = np.zeros((len(components), 2, 6))
        for row, component in enumerate(components):
            direction = local[component % 3]
            part = slice(0, 3) if component < 3 else slice(3, 6)
            blocks[row, 0, part], blocks[row, 1, part] = direction, -direction
            if component < 3:
                blocks[row, 1, 3:] = -np.cross(arm, direction)
        nodes = np.array([node, reference])
        found += equations_of(number + len(found), "COUPLING KINEMATIC", nodes, blocks, reader.axes)
    return found


def _distributing_in(
    reader: _Reader,
    number: int,
    reference: int,
    rows: IntArray,
    weights: FloatArray,
    components: IntArray,
    axes: FloatArray,
) -> list[Constraint]:
    """Components of local axes (3, 3) of the reference node that are the weighted mean motion of the others."""
    arm = reader.draft.positions[rows] - reader.draft.positions[reference]
    reach = float(np.linalg.norm(arm, axis=1).mean()) or 1.0
    rigid = np.zeros((len(rows), 3, 6))
    rigid[:, :, :3], rigid[:, :, 3:] = np.eye(3), -skew(arm) / reach
    weighted = np.einsum("n,nij->nij", weights, rigid)
    mean = np.linalg.pinv(np.einsum("nia,nib->ab", weighted, rigid), rcond=1e-8) @ weighted.reshape(-1, 6).T
    mean[3:] /= reach
    blocks = np.zeros((len(components), 1 + len(rows), 6))
    for row, component in enumerate(components):
        part = slice(0, 3) if component < 3 else slice(3, 6)
        blocks[row, 0, part] = axes[component % 3]
        blocks[row, 1:, :3] = -(axes[component % 3] @ mean[part]).reshape(-1, 3)
    nodes = np.concatenate([[reference], rows])
    return list(equations_of(number, "COUPLING DISTRIBUTING", nodes, blocks, reader.axes))


def _old_distributing(reader: _Reader, context: Context, keyword: Keyword, number: int) -> list[Constraint]:
    """DISTRIBUTING COUPLING: weights of nodes whose mean motion the node of a DCOUP3D element has."""
    draft = reader.draft
    chosen = draft.elements_of(context, keyword.option("ELSET"), keyword)
    references = [
        int(node)
        for group in draft.groups
        if group.kind.role == "reference"
        for node in group.nodes[np.isin(group.ids, chosen), 0]
    ]
    if len(references) != 1:
        raise keyword.error("the element set needs one DCOUP3D element", found=len(references))
    reference = int(draft.index(np.array(references))[0])
    weights: dict[int, float] = {}
    for row, items in keyword.rows():
        weight = keyword.number(row, items[1], 1.0) if len(items) > 1 else 1.0
        for node in draft.index(draft.nodes_of(context, items[0], keyword, row)).tolist():
            if node != reference:
                weights[node] = weight
    if not weights:
        raise keyword.error("the coupling has no nodes")
    if draft.flavor == "calculix":  # forces alone are distributed, wherever the reference node is
        nodes, shares = np.array([reference, *weights]), np.array(list(weights.values())) / sum(weights.values())
        factors = np.concatenate([[1.0], -shares])
        pairs = [np.column_stack([nodes, np.full(len(nodes), component)]) for component in range(3)]
        return [Equation(number + c, pairs[c], factors, "DISTRIBUTING COUPLING") for c in range(3)]
    terms, values = _pairs(np.array(list(weights)), np.arange(3)), np.repeat(list(weights.values()), 3)
    return [Interpolation(number, reference, _SIX, terms, values, None, "DISTRIBUTING COUPLING")]


def _coupled(keyword: Keyword) -> IntArray:
    """Components named on the data lines as first,last; all six when there are none."""
    chosen: set[int] = set()
    for row, items in keyword.rows():
        first = _component(keyword, row, items[0])
        last = _component(keyword, row, items[1]) if len(items) > 1 and items[1] else first
        chosen |= set(range(first, last + 1))
    return np.array(sorted(chosen)) if chosen else _SIX


def _old_kinematic(reader: _Reader, context: Context, keyword: Keyword, number: int) -> list[Constraint]:
    draft, own = reader.draft, reader.orientation(context, keyword)
    reference = draft.index(np.array([draft.one_node(context, keyword.option("REF NODE"), keyword)]))
    pairs = []
    for row, items in keyword.rows():
        nodes = draft.index(draft.nodes_of(context, items[0], keyword, row))
        first = _component(keyword, row, items[1]) if len(items) > 1 and items[1] else 0
        last = _component(keyword, row, items[2]) if len(items) > 2 and items[2] else (first if len(items) > 1 else 5)
        pairs.append(_pairs(nodes[nodes != reference[0]], np.arange(first, last + 1)))
    if not pairs:
        raise keyword.error("the coupling has no nodes")
    tied = np.unique(np.vstack(pairs), axis=0)
    if own is None:
        return [RigidElement(number, _pairs(reference, _SIX), tied, "KINEMATIC COUPLING")]
    found: list[Constraint] = []
    for node in np.unique(tied[:, 0]):
        axes = own.axes_at(draft.positions[[node]])
        components = tied[tied[:, 0] == node, 1]
        found += _kinematic_in(reader, number + len(found), int(reference[0]), np.array([node]), components, axes)
    return found


def _rigid_body(
    draft: Draft, context: Context, keyword: Keyword, number: int, rotation_nodes: dict[int, int]
) -> Constraint:
    """Nodes of NSET, TIE NSET, PIN NSET or ELSET move with REF NODE; pinned nodes keep their rotations."""
    reference = draft.index(np.array([draft.one_node(context, keyword.option("REF NODE"), keyword)]))
    pairs = []
    for option, components in (("NSET", _SIX), ("TIE NSET", _SIX), ("PIN NSET", np.arange(3))):
        if keyword.label(option):
            nodes = draft.index(draft.nodes_of(context, keyword.options[option], keyword))
            pairs.append(_pairs(nodes[nodes != reference[0]], components))
    if keyword.label("ELSET"):
        chosen = draft.elements_of(context, keyword.options["ELSET"], keyword)
        parts = [group.nodes[np.isin(group.ids, chosen)].ravel() for group in draft.groups]
        nodes = draft.index(np.unique(np.concatenate(parts)))
        pairs.append(_pairs(nodes[nodes != reference[0]], _SIX))
    if not pairs:
        raise keyword.error("the rigid body has no nodes", expected="NSET=, TIE NSET=, PIN NSET= or ELSET=")
    if keyword.label("ROT NODE"):
        turning = draft.index(np.array([draft.one_node(context, keyword.options["ROT NODE"], keyword)]))
        rotation_nodes[int(turning[0])] = int(reference[0])
    return RigidElement(number, _pairs(reference, _SIX), np.unique(np.vstack(pairs), axis=0), "RIGID BODY")
