"""TIE and tied CONTACT PAIR: nodes of one surface follow the closest points of another.

A node s that is d away from the foot of its perpendicular on a face with shape functions N_i follows

    u_s = sum N_i u_i + d' (change of the normal), or + sum N_i beta_i x d where the face's nodes turn,

so that rigid motion stores no energy. Unless ADJUST=NO, nodes of solids are moved onto solid faces without strain, as Abaqus and
CalculiX do; shells keep their distance, which is half their thicknesses.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from tisserand.arrays import BoolArray, FloatArray, IntArray, skew
from tisserand.elements.surface_field import shape_functions
from tisserand.elements.surface_projection import closest_points, turned_normals
from tisserand.model import Constraint
from tisserand.readers.abaqus.deck import Context
from tisserand.readers.abaqus.draft import Draft
from tisserand.readers.abaqus.scan import Keyword
from tisserand.readers.abaqus.sections import Owner
from tisserand.readers.abaqus.surfaces import Surface, Surfaces
from tisserand.readers.abaqus.tie_rows import equations_of

#: Distance within which nodes are tied unless the deck states it, as a share of the size of the faces.
_REACH = {"abaqus": 0.05, "calculix": 0.025}


@dataclass(frozen=True, eq=False)
class TieMaker:
    """Data needed to build ties: draft, surfaces, node axes (n, 3, 3) or None, which nodes rotate, thickness by element."""

    draft: Draft
    surfaces: Surfaces
    axes: FloatArray | None
    turns: BoolArray
    thickness: dict[int, float]

    def read(self, before: int) -> list[Constraint]:
        """Equations of every TIE and tied CONTACT PAIR."""
        found: list[Constraint] = []
        tied = _tied_interactions(self.draft)
        for context, keyword in self.draft.deck.model:
            if keyword.name == "TIE":
                if "CYCLIC SYMMETRY" in keyword.options or "MULTISTAGE" in keyword.options:
                    self._cyclic(context, keyword)
                    continue
                found += self._pairs(context, keyword, before + len(found))
            elif keyword.name == "CONTACT PAIR":
                if "TIED" not in keyword.options and (keyword.label("INTERACTION") or "") not in tied:
                    continue  # contact that may open
                found += self._pairs(context, keyword, before + len(found))
                self.draft.taken.add(id(keyword))
        return found

    def _cyclic(self, context: Context, keyword: Keyword) -> None:
        """The faces of a cyclic segment; the segments are welded there once the whole is built."""
        self.draft.multistage |= "MULTISTAGE" in keyword.options
        for row, items in keyword.rows():
            if len(items) < 2 or not items[1]:
                raise keyword.error("a tie needs two surfaces", row=row, found=keyword.data[row].strip())
            slave, master = (self.surfaces.get(context, name, keyword, row) for name in items[:2])
            self.draft.faces.append((slave.nodes, master.nodes))
        self.draft.record("*TIE", "used")

    def _pairs(self, context: Context, keyword: Keyword, before: int) -> list[Constraint]:
        found: list[Constraint] = []
        rows = list(keyword.rows())
        if not rows:
            raise keyword.error("the tie names no surfaces", expected="the dependent surface, then the main one")
        for row, items in rows:
            if len(items) < 2 or not items[1]:
                raise keyword.error("a tie needs two surfaces", row=row, found=keyword.data[row].strip())
            slave, master = (self.surfaces.get(context, name, keyword, row) for name in items[:2])
            if not master.faces:
                raise keyword.error(
                    "the main surface has no faces", row=row, found=items[1], expected="a surface of element faces"
                )
            found += self._tie(keyword, row, slave, master, before + len(found))
        self.draft.record(f"*{keyword.name}", "used")
        return found

    def _tie(self, keyword: Keyword, row: int, slave: Surface, master: Surface, before: int) -> list[Constraint]:
        draft = self.draft
        rows = draft.index(slave.nodes)
        own = draft.index(np.unique(np.concatenate([faces.ravel() for faces in master.faces.values()])))
        rows = rows[~np.isin(rows, own)]  # nodes that both surfaces share are tied already
        if keyword.label("TIED NSET"):
            chosen = draft.index(draft.nodes_of(Context(), keyword.options["TIED NSET"], keyword))
            rows = rows[np.isin(rows, chosen)]
        feet = _feet(draft, rows, master)
        gap = np.maximum(feet.distances - self._half_thickness(slave) - self._half_thickness(master), 0.0)
        reach = self._reach(keyword, row, feet.size)
        near = gap <= reach
        if not near.any():
            raise keyword.error(
                "no node is tied",
                row=row,
                found=f"the nearest is {gap.min(initial=np.inf) / draft.units.length:.4g} away",
                expected=f"nodes within {reach / draft.units.length:.4g}",
                advice="set POSITION TOLERANCE, or check the surfaces",
            )
        self._report(keyword, rows, gap, near, reach)
        moves = keyword.options.get("ADJUST", "YES").upper() != "NO"
        stays = self.turns[rows] | np.array([self.turns[nodes].all() for nodes in feet.nodes])
        if moves:
            shift = near & ~stays
            draft.positions = draft.positions.copy()
            draft.positions[rows[shift]] = feet.positions[shift]
        turning = "NO ROTATION" not in keyword.options
        name = f"{keyword.name} {keyword.label('NAME') or ''}".strip()
        found: list[Constraint] = []
        for k in np.flatnonzero(near).tolist():
            nodes, blocks = self._rows(rows[k], feet, k, turning)
            found += equations_of(before + len(found) + 1, name, nodes, blocks, self.axes)
        return found

    def _rows(self, slave: int, feet: _Feet, k: int, turning: bool) -> tuple[IntArray, FloatArray]:
        """Nodes (slave first) and rows (r, p, 6) of one tied node."""
        draft, nodes = self.draft, feet.nodes[k]
        at = feet.coordinates[k : k + 1]
        shape = shape_functions(len(nodes), at)[0][0]
        arm = draft.positions[slave] - feet.positions[k]
        rotates = bool(self.turns[nodes].all())
        both = rotates and turning and bool(self.turns[slave])
        blocks = np.zeros((6 if both else 3, 1 + len(nodes), 6))
        blocks[:3, 0, :3] = np.eye(3)
        blocks[:3, 1:, :3] = -np.einsum("k,ij->ikj", shape, np.eye(3))
        if rotates:
            blocks[:3, 1:, 3:] = np.einsum("k,ij->ikj", shape, skew(arm))
        elif np.linalg.norm(arm) > 0.0:
            blocks[:3, 1:, :3] -= _carried(draft.positions[nodes], at, arm)
        if both:
            blocks[3:, 0, 3:] = np.eye(3)
            blocks[3:, 1:, 3:] = -np.einsum("k,ij->ikj", shape, np.eye(3))
        return np.concatenate([[slave], nodes]), blocks

    def _half_thickness(self, surface: Surface) -> float:
        return 0.5 * max((self.thickness.get(int(e), 0.0) for e in surface.elements), default=0.0)

    def _reach(self, keyword: Keyword, row: int, size: float) -> float:
        if keyword.options.get("POSITION TOLERANCE"):
            value = keyword.number(row, keyword.options["POSITION TOLERANCE"]) * self.draft.units.length
            if value < 0.0:
                raise keyword.error("the position tolerance is negative", found=value)
            return value
        return _REACH[self.draft.flavor] * size

    def _report(self, keyword: Keyword, rows: IntArray, gap: FloatArray, near: BoolArray, reach: float) -> None:
        unit, name = self.draft.units.length, keyword.label("NAME") or "without name"
        text = f"{keyword.name} {name}: {int(near.sum())} nodes tied, gap at most {gap[near].max() / unit:.4g}"
        text += f", mean {gap[near].mean() / unit:.4g} (tolerance {reach / unit:.4g}, in the deck's unit)"
        left = self.draft.node_ids[rows[~near]]
        if len(left):
            listed = ", ".join(str(i) for i in left[:20]) + (", ..." if len(left) > 20 else "")
            text += f"; {len(left)} nodes beyond it are not tied: {listed}"
        self.draft.note(text)


@dataclass(frozen=True, eq=False)
class _Feet:
    """Closest points of n nodes: nodes of their faces, coordinates (n, 2), positions (n, 3) and distances (n,), face size, m."""

    nodes: list[IntArray]
    coordinates: FloatArray
    positions: FloatArray
    distances: FloatArray
    size: float


def _feet(draft: Draft, rows: IntArray, master: Surface) -> _Feet:
    """Of faces with different numbers of nodes the nearest counts."""
    x = draft.positions[rows]
    nodes: list[IntArray] = [np.zeros(0, np.int64)] * len(rows)
    coordinates, positions = np.zeros((len(rows), 2)), np.zeros((len(rows), 3))
    distances, sides = np.full(len(rows), np.inf), []
    for k, faces in master.faces.items():
        index = draft.index(faces)
        corners = draft.positions[index[:, : 3 if k in (3, 6) else 4]]
        sides.append(np.linalg.norm(np.roll(corners, -1, axis=1) - corners, axis=2).ravel())
        if not len(rows):
            continue
        found = closest_points(x, draft.positions[index])
        nearer = found.distances < distances
        coordinates[nearer], positions[nearer] = found.coordinates[nearer], found.positions[nearer]
        distances[nearer] = found.distances[nearer]
        for row in np.flatnonzero(nearer):
            nodes[row] = index[found.faces[row]]
    return _Feet(nodes, coordinates, positions, distances, float(np.concatenate(sides).mean()))


def _carried(face: FloatArray, at: FloatArray, arm: FloatArray) -> FloatArray:
    """(3, k, 3): motion of the end of an arm that a face (k, 3) carries at coordinates (1, 2), per displacement of its nodes.

    The part of the arm along the normal turns with it; the part in the face continues the displacement linearly.
    """
    gradient = shape_functions(len(face), at)[1][0]
    tangents = gradient @ face
    normal = np.cross(tangents[0], tangents[1])
    distance = float(arm @ normal) / float(np.linalg.norm(normal))
    inside = np.linalg.solve(tangents @ tangents.T, tangents @ arm) @ gradient
    return np.asarray(distance * turned_normals(face[None], at)[0] + np.einsum("k,ij->ikj", inside, np.eye(3)))


def _tied_interactions(draft: Draft) -> set[str]:
    """Names of SURFACE INTERACTIONs whose SURFACE BEHAVIOR is TIED."""
    found, current = set(), ""
    for _, keyword in draft.deck.model:
        if keyword.name == "SURFACE INTERACTION":
            current = keyword.label("NAME") or ""
        elif keyword.name == "SURFACE BEHAVIOR" and keyword.options.get("PRESSURE-OVERCLOSURE", "").upper() == "TIED":
            found.add(current)
    return found


def turning_nodes(draft: Draft) -> BoolArray:
    """(n,) whether a node belongs to a shell or beam and so turns."""
    found = np.zeros(len(draft.node_ids), np.bool_)
    for group in draft.groups:
        if group.kind.role in ("shell", "beam") and len(group.ids):
            found[draft.index(group.nodes).ravel()] = True
    return found


def thickness_by_element(owners: list[Owner]) -> dict[int, float]:
    """Thickness of shells by element id, m."""
    return {int(e): owner.thickness for owner in owners if owner.thickness > 0.0 for e in owner.elements}
