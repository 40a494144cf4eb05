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
from tisserand.multibody.moments import mass_moments
from tisserand.multibody.state import State
from tisserand.notebook_html import curves, html_table

if TYPE_CHECKING:
    from tisserand.multibody.moments import MassMoments
    from tisserand.multibody.vehicle import Vehicle


@dataclass(frozen=True, eq=False, repr=False, kw_only=True)
class BalanceSheet:
    """Conservation along a run, per output time.

    momentum, angular_momentum (about the inertial origin), center (n, 3); kinetic, potential, work (of all non-conservative
    forces, integrated along the run) (n,); impulse, angular_impulse (n, 3) of external forces. checking = energy - initial energy
    - work + loss - projected + impact_loss (S4 9.3) and the two momentum residuals vanish for exact motion. loss (n,): energy
    that an implicit method took from vibration which its steps do not resolve (theory section 13), J; zero with explicit
    methods. projected (n,): energy that projections onto loops have added so far, J; impact_loss (n,): that impacts have taken,
    J. mass, kg, and gyration (half the trace of the inertia about the mass center, kg m²) give sizes where momenta are zero;
    gross_impulse N s, gross_angular_impulse N m s: weight and base reaction summed without cancellation; weight_energy J: weight
    times size.
    """

    kinetic: FloatArray
    potential: FloatArray
    work: FloatArray
    momentum: FloatArray
    angular_momentum: FloatArray
    impulse: FloatArray
    angular_impulse: FloatArray
    center: FloatArray
    projected: FloatArray = field(default_factory=lambda: np.zeros(0))
    impact_loss: FloatArray = field(default_factory=lambda: np.zeros(0))
    mass: float = 0.0
    gyration: float = 0.0
    gross_impulse: float = 0.0
    gross_angular_impulse: float = 0.0
    weight_energy: float = 0.0
    loss: FloatArray | None = None

    def __post_init__(self) -> None:
        n = len(self.kinetic)
        if self.loss is None:
            object.__setattr__(self, "loss", np.zeros(n))
        for word in ("projected", "impact_loss"):
            if not len(getattr(self, word)):
                object.__setattr__(self, word, np.zeros(n))
        for word in ("kinetic", "potential", "work", "loss", "projected", "impact_loss"):
            object.__setattr__(self, word, frozen(getattr(self, word), shape=(n,)))
        for word in ("momentum", "angular_momentum", "impulse", "angular_impulse", "center"):
            object.__setattr__(self, word, frozen(getattr(self, word), shape=(n, 3)))

    @property
    def energy(self) -> FloatArray:
        return np.asarray(self.kinetic + self.potential)

    @property
    def checking(self) -> FloatArray:
        """Energy less its initial value less the work done on the system, losses and projections put back, J."""
        given = self.work - np.asarray(self.loss) + self.projected - self.impact_loss
        return np.asarray(self.energy - self.energy[0] - (given - given[0]))

    @property
    def momentum_residual(self) -> FloatArray:
        return np.asarray(self.momentum - self.momentum[0] - (self.impulse - self.impulse[0]))

    @property
    def angular_residual(self) -> FloatArray:
        return np.asarray(
            self.angular_momentum - self.angular_momentum[0] - (self.angular_impulse - self.angular_impulse[0])
        )

    def worst(self) -> dict[str, float]:
        """Largest violation of each balance relative to the largest size of its terms."""

        def relative(residual: FloatArray, floor: float, *terms: FloatArray) -> float:
            scale = max(*(float(np.abs(t).max(initial=0.0)) for t in terms), floor, 1e-300)
            return float(np.abs(residual).max(initial=0.0)) / scale

        swing = 2.0 * max(float(self.kinetic.max(initial=0.0)), 0.0)
        return {
            "energy": relative(self.checking, self.weight_energy, self.kinetic, self.potential, self.work),
            "momentum": relative(
                self.momentum_residual,
                max(float(np.sqrt(swing * self.mass)), self.gross_impulse),
                self.momentum,
                self.impulse,
            ),
            "angular momentum": relative(
                self.angular_residual,
                max(float(np.sqrt(swing * self.gyration)), self.gross_angular_impulse),
                self.angular_momentum,
                self.angular_impulse,
            ),
        }


@dataclass(frozen=True)
class StepStatistics:
    """How the integrator worked."""

    method: str
    steps: int = 0
    rejected: int = 0
    calls: int = 0
    smallest_step: float = 0.0
    wall_seconds: float = 0.0


@dataclass(frozen=True)
class EventRecord:
    """An event at ``time``, s."""

    name: str
    time: float


@checked_arguments
@dataclass(frozen=True, eq=False, repr=False, kw_only=True)
class Trajectory:
    """Histories over ``times`` (n,), s.

    Base: position, velocity (n, 3) inertial axes, attitude (n, 4) scalar first, angular_velocity (n, 3) base axes.
    joints, joint_rates, modal, modal_rates, controllers: name -> (n, k); rotor_angles, rotor_rates: name -> (n,).
    bodies: names; rotation (n, b, 3, 3) body to inertial; origin, origin_velocity, rate, origin_acceleration,
    angular_acceleration (n, b, 3) in inertial axes. joint_force, joint_torque_vector: joint -> (n, 3) on the child at the
    joint, inertial axes (base reaction under the base's name); joint_effort: joint -> (n, k) about its axes.
    signals: name -> (n,); load_strength: name -> (n,). loop_force: loop -> (n, rows), N and N m; loop_drift: loop -> (n, 2)
    residual, m, and rate, m/s, that the steps since the output before had left for projections to correct.
    complete: False when the run stopped early, for ``reason``.
    vehicle: what was flown (not kept in files); audited: totals recomputed without the engine, see ``recomputed``;
    kept_moments: mass moments of the whole vehicle, see ``moments``.

    Attributes:
        vehicle_name: of the vehicle.
        modal_accelerations: name -> (n, k).
        balance: the balance sheet of momentum and energy.
        statistics: of the steps taken.
        events: that happened.
        warnings: in words.
        settings: of the run.
    """

    vehicle_name: str
    times: FloatArray
    position: FloatArray
    attitude: FloatArray
    velocity: FloatArray
    angular_velocity: FloatArray
    joints: Mapping[str, FloatArray]
    joint_rates: Mapping[str, FloatArray]
    modal: Mapping[str, FloatArray]
    modal_rates: Mapping[str, FloatArray]
    modal_accelerations: Mapping[str, FloatArray]
    rotor_angles: Mapping[str, FloatArray]
    rotor_rates: Mapping[str, FloatArray]
    controllers: Mapping[str, FloatArray]
    bodies: tuple[str, ...]
    rotation: FloatArray
    origin: FloatArray
    origin_velocity: FloatArray
    rate: FloatArray
    origin_acceleration: FloatArray
    angular_acceleration: FloatArray
    joint_force: Mapping[str, FloatArray]
    joint_torque_vector: Mapping[str, FloatArray]
    joint_effort: Mapping[str, FloatArray]
    signals: Mapping[str, FloatArray]
    load_strength: Mapping[str, FloatArray]
    balance: BalanceSheet
    statistics: StepStatistics
    loop_force: Mapping[str, FloatArray] = field(default_factory=dict)
    loop_drift: Mapping[str, FloatArray] = field(default_factory=dict)
    complete: bool = True
    reason: str = ""
    events: tuple[EventRecord, ...] = ()
    warnings: tuple[str, ...] = ()
    settings: Mapping[str, Any] = field(default_factory=dict)
    vehicle: Vehicle | None = None
    audited: Mapping[str, Any] | None = None
    kept_moments: MassMoments | None = None

    def __post_init__(self) -> None:
        for word in ARRAYS:
            object.__setattr__(self, word, frozen(getattr(self, word)))
        for word in MAPPINGS:
            object.__setattr__(self, word, MappingProxyType({k: frozen(v) for k, v in getattr(self, word).items()}))
        object.__setattr__(self, "settings", MappingProxyType(dict(self.settings)))

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
        values: dict[str, Any] = {word: getattr(self, word)[rows] for word in ARRAYS}
        for word in MAPPINGS:
            values[word] = {name: history[rows] for name, history in getattr(self, word).items()}
        sheet = {item.name: getattr(self.balance, item.name) for item in fields(BalanceSheet)}
        balance = BalanceSheet(**{word: value[rows] if np.ndim(value) else value for word, value in sheet.items()})
        kept = None if self.kept_moments is None else self.kept_moments.sampled(rows)
        return replace(self, **values, balance=balance, audited=None, kept_moments=kept)

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
        """A copy with some fields replaced.

        Args:
            values: new values by field name.
        """
        if not {*ARRAYS, *MAPPINGS}.isdisjoint(values):  # another motion: nothing that was made of the old one holds
            values = {"audited": None, "kept_moments": None, **values}
        return replace(self, **values)

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


ARRAYS = (
    "times",
    "position",
    "attitude",
    "velocity",
    "angular_velocity",
    "rotation",
    "origin",
    "origin_velocity",
    "rate",
    "origin_acceleration",
    "angular_acceleration",
)
MAPPINGS = (
    "joints",
    "joint_rates",
    "modal",
    "modal_rates",
    "modal_accelerations",
    "rotor_angles",
    "rotor_rates",
    "controllers",
    "joint_force",
    "joint_torque_vector",
    "joint_effort",
    "signals",
    "load_strength",
    "loop_force",
    "loop_drift",
)
