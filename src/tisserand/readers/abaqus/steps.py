"""The step that applies, and the static state that it starts from: CLOAD, gravity and spin of the steps before a perturbation.

CalculiX starts a FREQUENCY step from the preload where *STEP states PERTURBATION; Abaqus starts every FREQUENCY step from the
last general state, whose loads change the stiffness where that step has NLGEOM.
"""

from __future__ import annotations

import numpy as np

from tisserand.arrays import FloatArray
from tisserand.errors import ReadError
from tisserand.model import Preload, Supports
from tisserand.readers.abaqus.deck import Context
from tisserand.readers.abaqus.draft import Draft
from tisserand.readers.abaqus.initial_stress import INITIAL_STRESS
from tisserand.readers.abaqus.scan import Keyword

_GENERAL = ("STATIC", "VISCO", "COUPLED TEMPERATURE-DISPLACEMENT", "UNCOUPLED TEMPERATURE-DISPLACEMENT", "DYNAMIC")


def step_words(steps: list[list[Keyword]]) -> list[str]:
    """Every step in words, for ``info`` and for errors: ``1: STATIC (NLGEOM)``."""
    known = (
        *_GENERAL,
        "FREQUENCY",
        "BUCKLE",
        "MODAL DYNAMIC",
        "STEADY STATE DYNAMICS",
        "HEAT TRANSFER",
        "COMPLEX FREQUENCY",
    )
    out = []
    for number, step in enumerate(steps, 1):
        kinds = [keyword.name for keyword in step if keyword.name in known] or ["no procedure"]
        extra = [word for word in ("PERTURBATION", "NLGEOM") if word in step[0].options]
        out.append(f"{number}: {', '.join(kinds)}" + (f" ({', '.join(extra)})" if extra else ""))
    return out


def chosen_step(draft: Draft, asked: int | None, file: object) -> int | None:
    """Index of the step whose boundary and request apply: the one requested (from 1), else the first FREQUENCY step."""
    steps = draft.deck.steps
    if asked is not None:
        if not 1 <= asked <= len(steps):
            expected = "; ".join(step_words(steps)) or "no step: the deck has none"
            raise ReadError(str(file), None, "the deck has no such step", found=asked, expected=expected)
        return asked - 1
    requests = [i for i, step in enumerate(steps) if any(keyword.name == "FREQUENCY" for keyword in step)]
    if len(requests) > 1:
        listed = ", ".join(str(i + 1) for i in requests)
        draft.assume(f"steps {listed} ask for frequencies; step {requests[0] + 1} is taken (choose with --step N)")
    return requests[0] if requests else None


def read_preload(draft: Draft, chosen: int | None, supports: Supports) -> Preload | None:
    """The static state before the chosen step; None where it starts from the unloaded structure."""
    if chosen is None:
        return None
    steps = draft.deck.steps
    if not any(keyword.name == "FREQUENCY" for keyword in steps[chosen]):
        return None
    before = [
        (i, step)
        for i, step in enumerate(steps[:chosen])
        if "PERTURBATION" not in step[0].options and any(k.name in _GENERAL for k in step)
    ]
    large = any(
        step[0].options.get("NLGEOM", "NO").upper() != "NO" for _, step in before if "NLGEOM" in step[0].options
    )
    starts = large if draft.flavor == "abaqus" else "PERTURBATION" in steps[chosen][0].options
    if not before or not starts:
        if before:
            draft.assume(f"step {chosen + 1} starts from the unloaded structure: the loads of earlier steps do not act")
        return None
    name = f"step {before[-1][0] + 1}"
    if any(card == INITIAL_STRESS and fate == "skipped" for card, fate, _ in draft.fates):
        draft.record(INITIAL_STRESS, "dropped", f"initial stress of shells, solids or beams in the preload of {name}")
    loads = _Loads(draft)
    for number, step in before:
        loads.take(step, number + 1)
    state = Preload(
        name,
        draft.node_ids[loads.rows],
        loads.forces[loads.rows],
        acceleration=loads.acceleration,
        spin=loads.spin,
        about=loads.about,
        supports=supports,
        large=large,
        displaced=True,
        moved=np.argwhere(loads.moved),
        by=loads.moved[loads.moved != 0.0],
    )
    if any(keyword.name == "CONTACT PAIR" for _, keyword in draft.deck.model):
        draft.record("*CONTACT PAIR", "dropped", f"contact closes under the preload of {name}")
    if not state:
        return None
    if large:
        draft.assume(f"{name} asks for large displacements; its state is computed linearly")
    return state


class _Loads:
    """Loads that add up over steps; OP=NEW removes what was."""

    def __init__(self, draft: Draft) -> None:
        self.draft = draft
        self.forces: FloatArray = np.zeros((len(draft.node_ids), 6))
        self.moved: FloatArray = np.zeros((len(draft.node_ids), 6))
        self.acceleration, self.spin, self.about = np.zeros(3), np.zeros(3), np.zeros(3)

    @property
    def rows(self) -> np.ndarray:
        return np.flatnonzero(self.forces.any(axis=1))

    def take(self, step: list[Keyword], number: int) -> None:
        for keyword in step:
            if keyword.name == "CLOAD":
                self._nodal(keyword)
            elif keyword.name == "DLOAD":
                self._body(keyword, number)
            elif keyword.name == "TEMPERATURE":
                self._lost(keyword, f"thermal stresses of the preload of step {number}")
            elif keyword.name in ("DSLOAD", "CONTACT", "PRE-TENSION SECTION"):
                self._lost(keyword, f"a surface load of the preload of step {number}")
            elif keyword.name == "BOUNDARY":
                self._boundary(keyword)

    def _lost(self, keyword: Keyword, reason: str) -> None:
        self.draft.taken.add(id(keyword))
        self.draft.record(f"*{keyword.name}", "dropped", f"{reason} (line {keyword.line})")

    def _used(self, keyword: Keyword) -> None:
        self.draft.taken.add(id(keyword))
        self.draft.record(f"*{keyword.name}", "used", "preload of the modes")

    def _nodal(self, keyword: Keyword) -> None:
        draft, units = self.draft, self.draft.units
        if keyword.options.get("OP", "MOD").upper() == "NEW":
            self.forces[:] = 0.0
        table = np.zeros_like(self.forces)
        for row, items in keyword.rows():
            nodes = draft.index(draft.nodes_of(Context(), items[0], keyword, row))
            component = keyword.integer(row, items[1]) - 1
            if not 0 <= component < 6:
                raise keyword.error("a load acts on a component that is not structural", row=row, found=component + 1)
            value = keyword.number(row, items[2] if len(items) > 2 else "")
            axes = np.eye(3)[None] if draft.axes is None else draft.axes[nodes]
            unit = units.force if component < 3 else units.moment
            half = slice(0, 3) if component < 3 else slice(3, 6)
            table[nodes, half] += value * unit * axes[:, component % 3]
        self.forces += table
        self._used(keyword)

    def _boundary(self, keyword: Keyword) -> None:
        """Supports that move; a later boundary without a value brings them back."""
        if keyword.options.get("OP", "MOD").upper() == "NEW":
            self.moved[:] = 0.0
        draft, units = self.draft, self.draft.units
        for row, items in keyword.rows():
            if len(items) < 2 or not items[1].isdigit() or not 1 <= int(items[1]) <= 6:
                continue
            first = int(items[1])
            last = keyword.integer(row, items[2]) if len(items) > 2 and items[2] else first
            value = keyword.number(row, items[3]) if len(items) > 3 and items[3] else 0.0
            nodes = draft.index(draft.nodes_of(Context(), items[0], keyword, row))
            for component in range(first - 1, min(last, 6)):
                self.moved[nodes, component] = value * (units.length if component < 3 else 1.0)

    def _body(self, keyword: Keyword, number: int) -> None:
        units = self.draft.units
        if keyword.options.get("OP", "MOD").upper() == "NEW":
            self.acceleration, self.spin = np.zeros(3), np.zeros(3)
        lost = ""
        for row, items in keyword.rows():
            kind = items[1].upper() if len(items) > 1 else ""
            values = [keyword.number(row, item) for item in items[2:]] + [0.0] * 8
            if kind == "GRAV":
                direction = np.array(values[1:4])
                unit = direction / max(float(np.linalg.norm(direction)), 1e-300)
                self.acceleration = values[0] * unit * units.length / units.time**2
            elif kind == "CENTRIF":
                axis = np.array(values[4:7])
                self.spin = np.sqrt(abs(values[0])) * axis / max(float(np.linalg.norm(axis)), 1e-300) / units.time
                self.about = np.array(values[1:4]) * units.length
            else:
                lost = kind
        if lost:
            self._lost(keyword, f"a pressure ({lost}) in the preload of step {number}")
        else:
            self._used(keyword)
