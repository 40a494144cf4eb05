"""The static subcase that modes start from (STATSUB): FORCE, MOMENT, FORCE1, GRAV, RFORCE and their combinations by LOAD."""

from __future__ import annotations

import numpy as np

from tisserand.arrays import BoolArray, FloatArray
from tisserand.model import Preload
from tisserand.model.ledger import ASSUMED
from tisserand.readers.nastran.boundary import enforced, read_supports, selected_sets
from tisserand.readers.nastran.cards import Row
from tisserand.readers.nastran.control import Selection
from tisserand.readers.nastran.draft import Draft

_READ = ("FORCE", "MOMENT", "FORCE1", "GRAV", "RFORCE")
#: Loads that a preload may have and that are not carried out.
_OTHERS = (
    "FORCE2", "MOMENT1", "MOMENT2", "PLOAD", "PLOAD1", "PLOAD2", "PLOAD4", "PLOADX1", "ACCEL", "ACCEL1", "SPCD", "SLOAD",
    "RFORCE1", "DEFORM", "QVOL",
)  # fmt: skip


def read_preload(draft: Draft, permanent: BoolArray, static: Selection | None, number: int | None) -> Preload | None:
    """The state of static subcase ``number``; None where the modes start from the unloaded structure."""
    if static is None or number is None:
        return None
    name = f"subcase {number}"
    wanted = static.number("LOAD")
    if any(
        key.startswith("TEMPERATURE") and not value.startswith(("(MAT", "(INI")) for key, value in static.values.items()
    ):
        for card in ("TEMP", "TEMPD", "TEMPP1", "TEMPRB"):
            if draft.bulk.has(card):
                draft.dropped[card] = f"thermal stresses of the preload of {name}"
    selected = selected_sets(draft, "SPC", ("SPC", "SPC1"), "SPCADD", static.number("SPC"))
    moved, by = enforced(draft, selected)
    if wanted is None and not len(by):
        return None
    sets = {} if wanted is None else _combined(draft, wanted)
    loads = _Loads(draft)
    for card in _READ:
        for row in draft.bulk.rows(card):
            if row.integer(0) in sets:
                loads.take(row, sets[row.integer(0)])
                draft.approximations[card] = f"preload of {name}: linear static state and its geometric stiffness"
    for card in _OTHERS:
        if any(row.integer(0, 0) in sets for row in draft.bulk.rows(card)):
            draft.dropped[card] = f"a load of the preload of {name} that is not supported"
    held = read_supports(draft, permanent, selected)
    if len(by):
        draft.approximations["SPC"] = f"supports that move in the preload of {name}"
    rows = np.flatnonzero(loads.forces.any(axis=1))
    state = Preload(
        name,
        draft.nodes.ids[rows],
        loads.forces[rows],
        acceleration=loads.acceleration,
        spin=loads.spin,
        about=loads.about,
        supports=held,
        moved=moved,
        by=by,
    )
    if not state and not any(card in draft.dropped for card in _OTHERS):
        draft.notes.append(f"{ASSUMED}the preload of {name} selects LOAD {wanted}, which has no loads")
    return state if state else None


def _combined(draft: Draft, wanted: int) -> dict[int, float]:
    """Load sets of a selected LOAD with their factors; the set itself where no LOAD card combines."""
    for row in draft.bulk.rows("LOAD"):
        if row.integer(0) == wanted:
            draft.approximations["LOAD"] = "combines loads of the preload"
            overall = row.real(1, 1.0)
            found: dict[int, float] = {}
            for at in range(2, len(row.fields), 2):
                if row.text(at + 1):
                    found[row.integer(at + 1)] = found.get(row.integer(at + 1), 0.0) + overall * row.real(at, 1.0)
            known = {own.integer(0, 0) for card in (*_READ, *_OTHERS) for own in draft.bulk.rows(card)}
            if missing := sorted(set(found) - known):
                raise row.error(3, "a load set that the preload combines does not exist", found=missing[0])
            return found
    return {wanted: 1.0}


class _Loads:
    """Sums of loads, SI, basic axes."""

    def __init__(self, draft: Draft) -> None:
        self.draft = draft
        self.forces: FloatArray = np.zeros((len(draft.nodes), 6))
        self.acceleration, self.spin, self.about = np.zeros(3), np.zeros(3), np.zeros(3)

    def take(self, row: Row, factor: float) -> None:
        units = self.draft.units
        if row.card in ("FORCE", "MOMENT"):
            node = self.draft.node(row, 1)
            vector = self._vector(row, 2, 4, node) * row.real(3) * factor
            if row.card == "FORCE":
                self.forces[node, :3] += vector * units.force
            else:
                self.forces[node, 3:] += vector * units.moment
        elif row.card == "FORCE1":
            node, a, b = (self.draft.node(row, at) for at in (1, 3, 4))
            along = self.draft.nodes.positions[b] - self.draft.nodes.positions[a]
            length = float(np.linalg.norm(along))
            if length == 0.0:
                raise row.error(3, "the two points of the direction coincide")
            self.forces[node, :3] += along / length * row.real(2) * factor * units.force
        elif row.card == "GRAV":
            self.acceleration = self.acceleration + (
                self._vector(row, 1, 3, None) * row.real(2) * factor * units.length / units.time**2
            )
        else:
            if self.spin.any():
                raise row.error(None, "a preload by two spins is not supported")
            center = self.draft.node(row, 1) if row.text(1) and row.text(1) != b"0" else None
            rate = 2.0 * np.pi * row.real(3, 0.0) / units.time
            self.spin = self._vector(row, 2, 4, center) * rate * np.sqrt(abs(factor))
            self.about = np.zeros(3) if center is None else np.array(self.draft.nodes.positions[center])
            if row.real(8, 0.0) != 0.0:
                raise row.error(8, "angular acceleration in a preload is not supported")

    def _vector(self, row: Row, at_system: int, at: int, node: int | None) -> FloatArray:
        """Three components from field ``at`` on, in the coordinate system of field ``at_system``, as basic axes."""
        components = np.array([row.real(at + k, 0.0) for k in range(3)])
        number = row.integer(at_system, 0)
        if number == 0:
            return components
        system = self.draft.system(row, at_system, number)
        place = system.origin if node is None else self.draft.nodes.positions[node]
        return np.asarray(components @ system.axes_at(np.asarray(place)[None])[0])
