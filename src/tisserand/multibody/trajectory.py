"""The trajectory of a run: named histories, balance sheet, events, warnings, and the reason for its end.

Balances: theory section 5.4.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, fields, replace
from importlib import import_module
from pathlib import Path
from types import MappingProxyType
from typing import TYPE_CHECKING, Any

import numpy as np

from tisserand.arguments import checked_arguments
from tisserand.arrays import FloatArray, IntArray, frozen
from tisserand.errors import VehicleError
from tisserand.html_view import HtmlView
from tisserand.multibody.audit import recompute
from tisserand.multibody.balance_sheet import BalanceSheet
from tisserand.multibody.moments import mass_moments
from tisserand.multibody.state import State
from tisserand.multibody.trajectory_names import NamedHistories
from tisserand.multibody.trajectory_parts import (
    ARRAYS,
    MAPPINGS,
    PART_OF,
    ForceHistories,
    MotionHistories,
    RunOutcome,
    StateHistories,
)
from tisserand.notebook_html import curves, html_table

if TYPE_CHECKING:
    from tisserand.multibody.moments import MassMoments
    from tisserand.multibody.vehicle import Vehicle


@checked_arguments
@dataclass(frozen=True, eq=False, repr=False, kw_only=True)
class Trajectory(NamedHistories):
    """Histories over ``times`` (n,), s, in four parts; every field of a part is an attribute of the run too.

    Attributes:
        vehicle_name: of the vehicle.
        times: output times (n,), s.
        coordinates: the state: position, attitude, joints, modal, ... (``StateHistories``).
        motion: poses, rates and accelerations of bodies, and modal_accelerations (``MotionHistories``).
        forces: in joints, of loads and of loops (``ForceHistories``).
        outcome: statistics, events, warnings, settings, and how the run ended (``RunOutcome``).
        balance: the balance sheet of momentum and energy.
        signals: name -> (n,).
        vehicle: what was flown (not kept in files).
        audited: totals recomputed without the engine, see ``recomputed``.
        kept_moments: mass moments of the whole vehicle, see ``moments``.
    """

    vehicle_name: str
    times: FloatArray
    coordinates: StateHistories
    motion: MotionHistories
    forces: ForceHistories
    outcome: RunOutcome
    balance: BalanceSheet
    signals: Mapping[str, FloatArray] = field(default_factory=dict)
    vehicle: Vehicle | None = None
    audited: Mapping[str, Any] | None = None
    kept_moments: MassMoments | None = None

    def __post_init__(self) -> None:
        object.__setattr__(self, "times", frozen(self.times))
        object.__setattr__(self, "signals", MappingProxyType({k: frozen(v) for k, v in self.signals.items()}))

    def __len__(self) -> int:
        return len(self.times)

    def body(self, name: str) -> int:
        """Number of a body (or floating appendage, or imaginary body) in the histories.

        Args:
            name: of the body.
        """
        if name not in self.bodies:
            raise VehicleError("unknown body", found=name, expected=", ".join(self.bodies))
        return self.bodies.index(name)

    def rate_in_body(self, name: str) -> FloatArray:
        """Inertial angular velocity of a body in its own axes, (n, 3) rad/s.

        Args:
            name: of the body.
        """
        k = self.body(name)
        return np.asarray(np.einsum("nji,nj->ni", self.rotation[:, k], self.rate[:, k]))

    @property
    def recomputed(self) -> Mapping[str, Any]:
        """Differences between the balance sheet and the independent audit (``multibody.recompute``), computed on first access.

        Empty for a run that was read from a file written before they were kept.
        """
        if self.audited is None and self.vehicle is not None:
            object.__setattr__(self, "audited", MappingProxyType(recompute(self, self.vehicle)))
        return self.audited or {}

    @property
    def moments(self) -> MassMoments | None:
        """Mass moments of the whole vehicle, from which its floating frames follow, made on first use.

        None for a run that was read from a file written before they were kept.
        """
        if self.kept_moments is None and self.vehicle is not None:
            object.__setattr__(self, "kept_moments", mass_moments(self, self.vehicle))
        return self.kept_moments

    def sampled(self, rows: slice | IntArray | Sequence[int]) -> Trajectory:
        """The same run at some of its output times: a slice or array of row numbers.

        Args:
            rows: numbers of output times.
        """
        sheet = {item.name: getattr(self.balance, item.name) for item in fields(BalanceSheet)}
        balance = BalanceSheet(**{word: value[rows] if np.ndim(value) else value for word, value in sheet.items()})
        kept = None if self.kept_moments is None else self.kept_moments.sampled(rows)
        return replace(
            self,
            times=self.times[rows],
            coordinates=self.coordinates.each(lambda history: history[rows]),
            motion=self.motion.each(lambda history: history[rows]),
            forces=self.forces.each(lambda history: history[rows]),
            signals={name: history[rows] for name, history in self.signals.items()},
            balance=balance,
            audited=None,
            kept_moments=kept,
        )

    def state(self, index: int = -1) -> State:
        """The state at one output time, to go on from.

        Args:
            index: number of the output time; negative counts from the end.
        """

        def at(histories: Mapping[str, FloatArray]) -> dict[str, FloatArray]:
            return {k: v[index] for k, v in histories.items()}

        return State(
            position=self.position[index],
            attitude=self.attitude[index],
            velocity=self.velocity[index],
            angular_velocity=self.angular_velocity[index],
            joints=at(self.joints),
            joint_rates=at(self.joint_rates),
            modal=at(self.modal),
            modal_rates=at(self.modal_rates),
            rotor_angles={k: float(v) for k, v in at(self.rotor_angles).items()},
            rotor_rates={k: float(v) for k, v in at(self.rotor_rates).items()},
            controllers=at(self.controllers),
        )

    def animate(
        self, path: str | Path | None = None, *, vehicle: Vehicle | None = None, deflection: float = 1.0
    ) -> HtmlView | Path:
        """The moving, deforming vehicle as a page that a notebook displays, or as a file.

        Args:
            path: a film (.gif, .mp4, .webm), a scene (.glb) or a page (.html) to write; None returns the page.
            vehicle: what is drawn; needed where the run keeps no scene.
            deflection: factor of elastic deflections in films and scenes.
        """
        views = import_module("tisserand.views.notebook")  # a view looks down, not up
        made: HtmlView | Path = views.animate(self, path, vehicle, deflection)
        return made

    def changed(self, **values: Any) -> Trajectory:
        """A copy with some fields replaced, of the run or of its parts.

        Args:
            values: new values by field name.
        """
        if not {*ARRAYS, *MAPPINGS}.isdisjoint(values):  # another motion: nothing that was made of the old one holds
            values = {"audited": None, "kept_moments": None, **values}
        own = {word: value for word, value in values.items() if word not in PART_OF}
        for part in {PART_OF[word] for word in values if word in PART_OF}:
            inside = {word: value for word, value in values.items() if PART_OF.get(word) == part}
            own[part] = replace(own.get(part, getattr(self, part)), **inside)
        return replace(self, **own)

    def summary(self) -> str:
        """The run in plain words."""
        worst = ", ".join(f"{k} {v:.1e}" for k, v in self.balance.worst().items())
        s = self.statistics
        ending = "complete" if self.complete else f"stopped: {self.reason}"
        text = (
            f"{self.vehicle_name}: {self.times[0]:.6g} to {self.times[-1]:.6g} s, {len(self)} output times, {ending}; "
            f"{s.method} {s.steps} steps, {s.rejected} rejected, {s.wall_seconds:.3g} s; balance {worst}"
        )
        return text + "".join(f"; warning: {w}" for w in self.warnings)

    def _repr_html_(self) -> str:
        rows: list[tuple[object, object]] = [
            (f"{name} balance", f"{value:.1e}") for name, value in self.balance.worst().items()
        ]
        rows += [("event", event.name) for event in self.events]
        rows += [("warning", text) for text in self.warnings]
        title = f"{self.vehicle_name}: {self.times[0]:g} to {self.times[-1]:g} s, {len(self.times)} times"
        names = ("rate x (rad/s)", "rate y", "rate z")
        return html_table(title, ("", ""), rows) + curves(self.times, self.angular_velocity, names)

    def __repr__(self) -> str:
        return f"<Trajectory {self.summary()}>"
