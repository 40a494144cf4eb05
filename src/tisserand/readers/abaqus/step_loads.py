"""Loads at the end of static steps: CLOAD, gravity and spin of DLOAD, supports that move, each with its AMPLITUDE.

A load that a later step states again replaces the earlier one (OP=MOD), OP=NEW removes all of its kind. Equal lines of one
step: nodal forces add up; body loads are one load where element set and direction agree, as in CalculiX.
"""

from __future__ import annotations

import numpy as np

from tisserand.arrays import BoolArray, FloatArray
from tisserand.readers.abaqus.deck import Context
from tisserand.readers.abaqus.draft import Draft
from tisserand.readers.abaqus.scan import Keyword

#: Elements that a body load acts on.
_MASSIVE = ("solid", "shell", "membrane", "beam", "rod", "mass")


class StepLoads:
    """Loads that act at the end of the steps taken so far."""

    def __init__(self, draft: Draft, rotation_nodes: dict[int, int]) -> None:
        """``rotation_nodes``: ROT NODE of CalculiX' rigid bodies, whose translations are rotations, and their reference node."""
        self.draft, self._turning = draft, rotation_nodes
        self._local: FloatArray = np.zeros((len(draft.node_ids), 6))  # components in node axes
        self.moved: FloatArray = np.zeros((len(draft.node_ids), 6))
        self._gravity: dict[tuple[str, tuple[float, ...]], FloatArray] = {}
        self.spin, self.about = np.zeros(3), np.zeros(3)
        self._time = 0.0
        self._total = 0.0

    @property
    def acceleration(self) -> FloatArray:
        """(3,) m/s², the sum of all gravity loads."""
        return np.asarray(sum(self._gravity.values(), start=np.zeros(3)))

    def forces(self) -> FloatArray:
        """(n, 6) N and N m, basic axes."""
        if self.draft.axes is None:
            return self._local
        halves = self._local.reshape(-1, 2, 3)
        return np.asarray(np.einsum("nhc,nca->nha", halves, self.draft.axes).reshape(-1, 6))

    def take(self, step: list[Keyword], number: int) -> None:
        """The loads of a step, which replace those of the steps before where they are stated again."""
        self._time = _duration(step)
        self._total += self._time
        stated = np.zeros_like(self._local, np.bool_)
        for keyword in step:
            if keyword.name == "CLOAD":
                self._nodal(keyword, stated)
            elif keyword.name == "DLOAD":
                self._body(keyword, number)
            elif keyword.name == "TEMPERATURE" and any(k.name == "EXPANSION" for _, k in self.draft.deck.model):
                self._lost(keyword, f"thermal stresses of the preload of step {number}")
            elif keyword.name in ("DSLOAD", "CONTACT", "PRE-TENSION SECTION"):
                self._lost(keyword, f"a surface load of the preload of step {number}")
            elif keyword.name == "BOUNDARY":
                self._boundary(keyword)
            elif keyword.name == "STATIC":
                self.draft.taken.add(id(keyword))
                self.draft.record("*STATIC", "used", "the state that the modes start from")

    def _lost(self, keyword: Keyword, reason: str) -> None:
        self.draft.taken.add(id(keyword))
        self.draft.record(f"*{keyword.name}", "dropped", f"{reason} (line {keyword.line})")

    def _used(self, keyword: Keyword) -> None:
        self.draft.taken.add(id(keyword))
        self.draft.record(f"*{keyword.name}", "used", "preload of the modes")

    def _nodal(self, keyword: Keyword, stated: BoolArray) -> None:
        """``stated``: components that this step has stated already; their lines add up."""
        draft, units, factor = self.draft, self.draft.units, self._factor(keyword)
        if keyword.options.get("OP", "MOD").upper() == "NEW":
            self._local[~stated] = 0.0
        for row, items in keyword.rows():
            nodes = draft.index(draft.nodes_of(Context(), items[0], keyword, row))
            component = keyword.integer(row, items[1]) - 1
            if not 0 <= component < 6:
                raise keyword.error("a load acts on a component that is not structural", row=row, found=component + 1)
            value = factor * keyword.number(row, items[2] if len(items) > 2 else "")
            turning = np.array([component < 3 and node in self._turning for node in nodes.tolist()], np.bool_)
            places = np.array([self._turning.get(node, node) for node in nodes[turning].tolist()], np.int64)
            for rows, own in ((nodes[~turning], component), (places, component + 3)):
                if len(rows):
                    old = np.where(stated[rows, own], self._local[rows, own], 0.0)
                    self._local[rows, own] = old + value * (units.force if own < 3 else units.moment)
                    stated[rows, own] = True
        self._used(keyword)

    def _boundary(self, keyword: Keyword) -> None:
        """Supports that move; a later boundary without a value brings them back."""
        if keyword.options.get("OP", "MOD").upper() == "NEW":
            self.moved[:] = 0.0
        draft, units, factor = self.draft, self.draft.units, self._factor(keyword)
        for row, items in keyword.rows():
            if len(items) < 2 or not items[1].isdigit() or not 1 <= int(items[1]) <= 6:
                continue
            first = int(items[1])
            last = keyword.integer(row, items[2]) if len(items) > 2 and items[2] else first
            value = factor * keyword.number(row, items[3]) if len(items) > 3 and items[3] else 0.0
            nodes = draft.index(draft.nodes_of(Context(), items[0], keyword, row))
            for component in range(first - 1, min(last, 6)):
                self.moved[nodes, component] = value * (units.length if component < 3 else 1.0)

    def _body(self, keyword: Keyword, number: int) -> None:
        units, factor = self.draft.units, self._factor(keyword)
        if keyword.options.get("OP", "MOD").upper() == "NEW":
            self._gravity, self.spin = {}, np.zeros(3)
        lost = ""
        for row, items in keyword.rows():
            kind = items[1].upper() if len(items) > 1 else ""
            values = [keyword.number(row, item) for item in items[2:]] + [0.0] * 8
            if kind in ("GRAV", "CENTRIF") and not self._everywhere(items[0], keyword, row):
                lost = lost or f"{kind} on a part of the structure"
            elif kind == "GRAV":
                direction = np.array(values[1:4])
                unit = direction / max(float(np.linalg.norm(direction)), 1e-300)
                place = (items[0].upper(), tuple(np.round(unit, 9).tolist()))
                self._gravity[place] = factor * values[0] * unit * units.length / units.time**2
            elif kind == "CENTRIF":
                axis = np.array(values[4:7])
                speed = np.sqrt(abs(factor * values[0])) / units.time
                self.spin = speed * axis / max(float(np.linalg.norm(axis)), 1e-300)
                self.about = np.array(values[1:4]) * units.length
            else:
                lost = f"a pressure ({kind})"
        if lost:
            self._lost(keyword, f"{lost} in the preload of step {number}")
        else:
            self._used(keyword)

    def _everywhere(self, name: str, keyword: Keyword, row: int) -> bool:
        """Whether a set has all elements with mass."""
        own = self.draft.elements_of(Context(), name, keyword, row)
        groups = [group.ids for group in self.draft.groups if group.kind.role in _MASSIVE]
        return bool(np.isin(np.concatenate(groups), own).all()) if groups else True

    def _factor(self, keyword: Keyword) -> float:
        """Value of the AMPLITUDE of a load at the end of the step; one where it has none."""
        name = keyword.label("AMPLITUDE")
        if name is None:
            return 1.0
        curve = next((k for _, k in self.draft.deck.model if k.name == "AMPLITUDE" and k.label("NAME") == name), None)
        if curve is None:
            raise keyword.error("the amplitude does not exist", found=name)
        other = {"DEFINITION": "TABULAR", "VALUE": "RELATIVE"}
        for option, usual in other.items():
            if curve.options.get(option, usual).upper() != usual:
                raise curve.error(
                    f"the amplitude of a preload is given in another way ({option})",
                    found=curve.options[option],
                    expected=usual,
                )
        numbers = np.concatenate([curve.floats(row) for row, _ in curve.rows()]) if curve.data else np.zeros(0)
        if len(numbers) < 2 or len(numbers) % 2:
            raise curve.error("an amplitude is pairs of time and value", found=f"{len(numbers)} numbers")
        times = numbers[::2] + curve.number(0, curve.options.get("SHIFTX", "0"))
        values = numbers[1::2] + curve.number(0, curve.options.get("SHIFTY", "0"))
        end = self._total if curve.options.get("TIME", "").upper().startswith("TOTAL") else self._time
        self.draft.taken.add(id(curve))
        self.draft.record("*AMPLITUDE", "used", "the value at the end of the preload")
        return float(np.interp(end, times, values))


def _duration(step: list[Keyword]) -> float:
    """Time of a step: the second number of its procedure, one by default."""
    for keyword in step:
        if keyword.name in ("STATIC", "VISCO", "DYNAMIC") or keyword.name.endswith("TEMPERATURE-DISPLACEMENT"):
            rows = [row for row, _ in keyword.rows()]
            values = keyword.floats(rows[0], 2) if rows else np.zeros(2)
            return float(values[1]) if len(values) > 1 and values[1] > 0.0 else 1.0
    return 1.0
