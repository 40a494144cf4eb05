"""The balance sheet of a run: energy, momentum and angular momentum along it, and what remains unexplained.

Balances: theory section 5.4.
"""

from __future__ import annotations

from dataclasses import dataclass, field

import numpy as np

from tisserand.arrays import FloatArray, frozen


@dataclass(frozen=True, eq=False, repr=False, kw_only=True)
class BalanceSheet:
    """Conservation along a run, per output time.

    momentum, angular_momentum (about the inertial origin), center (n, 3); kinetic, potential, work (of all non-conservative
    forces, integrated along the run) (n,); impulse, angular_impulse (n, 3) of external forces. checking = energy - initial energy
    - work + loss - projected + impact_loss (S4 9.3) and the two momentum residuals vanish for exact motion. loss (n,): energy
    that an implicit method took from vibration which its steps do not resolve (theory section 13), J; zero with explicit
    methods. projected (n,): energy that projections onto loops have added so far, J; impact_loss (n,): that impacts have taken,
    J. mass, kg, and gyration (half the trace of the inertia about the mass center, kg m²) give sizes where momenta are zero;
    gross_impulse N s, gross_angular_impulse N m s: weight and base reaction summed without cancellation, and a millionth of all
    other forces; weight_energy J: weight times size, and the energy that such an impulse gives.
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
