"""EQUATION, MPC, COUPLING (kinematic and distributing), KINEMATIC COUPLING and RIGID BODY."""

from __future__ import annotations

import numpy as np

from tisserand.arrays import FloatArray, IntArray
from tisserand.model import Constraint, Equation, Interpolation, RigidElement
from tisserand.readers.abaqus.deck import Context
from tisserand.readers.abaqus.draft import Draft
from tisserand.readers.abaqus.scan import Keyword, label
from tisserand.readers.abaqus.surfaces import read_surfaces

_SIX = np.arange(6)


def read_constraints(draft: Draft) -> tuple[list[Constraint], dict[int, int]]:
    """Constraints with node rows, and CalculiX' rotation nodes:
    row of the ROT NODE -> row of its REF NODE.
    """
    surfaces = read_surfaces(draft)
    used: set[str] = set()
    found: list[Constraint] = []
    rotation_nodes: dict[int, int] = {}
    coupling: tuple[Context, Keyword] | None = None
    for context, keyword in draft.deck.model:
        name = keyword.name
        if name == "EQUATION":
            found += _equations(draft, context, keyword, len(found))
        elif name == "MPC":
            found += _mpcs(draft, context, keyword, len(found))
        elif name == "COUPLING":
            coupling = (context, keyword)
        elif name in ("KINEMATIC", "DISTRIBUTING"):
            if coupling is None:
                raise keyword.error("is not preceded by *COUPLING")
            found.append(_coupling(draft, *coupling, keyword, surfaces, used, len(found) + 1))
            draft.record("*COUPLING", "used")
            coupling = None
        elif name == "KINEMATIC COUPLING":
            found.append(_old_kinematic(draft, context, keyword, len(found) + 1))
        elif name == "RIGID BODY":
            found.append(_rigid_body(draft, context, keyword, len(found) + 1, rotation_nodes))
        else:
            continue
        if name != "COUPLING":
            draft.record(f"*{name}", "used")
    for name in surfaces:
        fate = "used" if name in used else "skipped"
        draft.record("*SURFACE", fate, "" if name in used else "no coupling uses it")  # type: ignore[arg-type]
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


def _mpcs(draft: Draft, context: Context, keyword: Keyword, before: int) -> list[Constraint]:
    """BEAM (rigid link), TIE (all dofs equal) and PIN (equal translations); the first node follows the second."""
    found: list[Constraint] = []
    for row, items in keyword.rows():
        kind = items[0].upper()
        if kind not in ("BEAM", "TIE", "PIN"):
            draft.record(f"*MPC {kind}", "dropped", "unsupported kind of multi-point constraint")
            continue
        if len(items) < 3:
            raise keyword.error("a multi-point constraint needs two nodes", row=row, found=len(items) - 1)
        leader = draft.index(np.array([draft.one_node(context, items[2], keyword, row)]))
        followers = draft.index(draft.nodes_of(context, items[1], keyword, row))
        if kind == "BEAM":
            found.append(
                RigidElement(before + len(found) + 1, _pairs(leader, _SIX), _pairs(followers, _SIX), "MPC BEAM")
            )
            continue
        for follower in followers:
            for component in range(6 if kind == "TIE" else 3):
                pairs = np.array([[follower, component], [leader[0], component]])
                found.append(Equation(before + len(found) + 1, pairs, np.array([1.0, -1.0]), f"MPC {kind}"))
    return found


def _coupling(
    draft: Draft,
    context: Context,
    head: Keyword,
    keyword: Keyword,
    surfaces: dict[str, tuple[IntArray, FloatArray]],
    used: set[str],
    number: int,
) -> Constraint:
    reference = int(draft.index(np.array([draft.one_node(context, head.option("REF NODE"), head)]))[0])
    wanted = label(head.option("SURFACE"))
    name = next((n for n in (context.full(wanted), wanted) if n in surfaces), None)
    if name is None:
        raise head.error(
            "unknown surface",
            found=wanted,
            expected=", ".join(surfaces) or "a name that the deck defines (it defines none)",
        )
    if head.label("ORIENTATION"):
        raise head.error("a coupling with its own ORIENTATION cannot be read")
    used.add(name)
    nodes, weights = surfaces[name]
    rows = draft.index(nodes)
    keep = rows != reference
    rows, weights = rows[keep], weights[keep]
    if not len(rows):
        raise head.error("the surface of the coupling has no nodes", found=name)
    components = _coupled(keyword)
    if keyword.name == "KINEMATIC":
        return RigidElement(number, _pairs(np.array([reference]), _SIX), _pairs(rows, components), "COUPLING KINEMATIC")
    terms = _pairs(rows, np.arange(3))
    return Interpolation(number, reference, _SIX, terms, np.repeat(weights, 3), None, "COUPLING DISTRIBUTING")


def _coupled(keyword: Keyword) -> IntArray:
    """Components named on the data lines as first,last; all six when there are none."""
    chosen: set[int] = set()
    for row, items in keyword.rows():
        first = _component(keyword, row, items[0])
        last = _component(keyword, row, items[1]) if len(items) > 1 and items[1] else first
        chosen |= set(range(first, last + 1))
    return np.array(sorted(chosen)) if chosen else _SIX


def _old_kinematic(draft: Draft, context: Context, keyword: Keyword, number: int) -> Constraint:
    reference = draft.index(np.array([draft.one_node(context, keyword.option("REF NODE"), keyword)]))
    pairs = []
    for row, items in keyword.rows():
        nodes = draft.index(draft.nodes_of(context, items[0], keyword, row))
        first = _component(keyword, row, items[1]) if len(items) > 1 and items[1] else 0
        last = _component(keyword, row, items[2]) if len(items) > 2 and items[2] else (first if len(items) > 1 else 5)
        pairs.append(_pairs(nodes[nodes != reference[0]], np.arange(first, last + 1)))
    if not pairs:
        raise keyword.error("the coupling has no nodes")
    return RigidElement(number, _pairs(reference, _SIX), np.unique(np.vstack(pairs), axis=0), "KINEMATIC COUPLING")


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
