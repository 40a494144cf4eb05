"""Whether a run balances: the one limit of its violations, and the verdict. Balances: theory section 5.4."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace
from typing import Any

import numpy as np

from tisserand.multibody.trajectory import Trajectory

#: Nothing beyond this balances, whatever the tolerance; methods of fixed step, which have none, are held to it.
LOOSEST = 1e-3
#: Most that linear inertia may add: beyond it the terms it leaves out matter, and ``full`` is the answer.
LINEAR = 1e-2
LINEAR_WORDS = "terms omitted by linear inertia"
#: Round-off of the balance sheet itself.
ROUND_OFF = 1e-9
#: Stages of one step of order 8: methods that do not count their steps count their calls.
STAGES = 12


@dataclass(frozen=True)
class BalanceVerdict:
    """Whether the balance of a run holds.

    worst: largest relative violation of energy, momentum and angular momentum; limit: of each of them; expected: where the limit
    comes from, in words.
    """

    worst: Mapping[str, float]
    limit: float
    expected: str

    @property
    def held(self) -> bool:
        return all(value <= self.limit for value in self.worst.values())

    @property
    def words(self) -> str:
        """What is wrong, or an empty text."""
        over = ", ".join(f"{name} {value:.1e}" for name, value in self.worst.items() if not value <= self.limit)
        advice = "; full inertia conserves what linear inertia lets drift" if LINEAR_WORDS in self.expected else ""
        return over and f"the run does not balance: {over}, limit {self.limit:.1e} ({self.expected}){advice}"

    def as_dict(self) -> dict[str, Any]:
        """The JSON form."""
        return {"worst": dict(self.worst), "limit": self.limit, "held": self.held, "expected": self.expected}


def balance_verdict(run: Trajectory) -> BalanceVerdict:
    """Judge the balance of a run.

    The error that an adaptive method admits in one step is rtol of every coordinate, in the mean over all n of them, so at
    most rtol sqrt(n) of one; energy is quadratic; errors of N steps add up at most: limit = 2 N sqrt(n) rtol, not below
    round-off (1e-9) nor above 1e-3. ``full`` and ``constant`` inertia balance to that (``constant`` in its reduced energy: what
    it leaves out shows in ``run.recomputed``). ``linear`` leaves out terms of third degree of the energy: a deflection of d
    sizes changes moments of inertia by 2 d, up and down, so that the limit grows by 4 d times the square root of the
    vibration's share of the energy (by the first power of the deformation against the vibration itself, by the square
    against a finite spin), at most 1e-2. That holds for some periods of the vibration: the equations of ``linear`` also leave
    out the force int psi(eta', eta') dm, whose mean does not vanish, so momentum drifts with time; a run long enough to show
    it does not balance, and says so.

    Args:
        run: the run.
    """
    limit, expected = _tolerated(run)
    extra = _left_out(run)
    if extra > 0.0:
        limit, expected = limit + extra, f"{expected}; {extra:.1e} of it for {LINEAR_WORDS}"
    return BalanceVerdict(run.balance.worst(), limit, expected)


def judged(run: Trajectory) -> Trajectory:
    """The run with its verdict among the warnings, and with what the verdict needs kept in the settings."""
    run = replace(run, settings={**run.settings, "linear_inertia": _left_out(run)})
    words = balance_verdict(run).words
    return replace(run, warnings=(*run.warnings, words)) if words else run


def _tolerated(run: Trajectory) -> tuple[float, str]:
    s, rtol = run.statistics, run.settings.get("rtol")
    if s.method == "rk4" or rtol is None:
        return LOOSEST, "the method has no tolerance"
    histories = (run.joints, run.joint_rates, run.modal, run.modal_rates, run.controllers)
    coordinates = 13 + sum(h.shape[1] for group in histories for h in group.values()) + 2 * len(run.rotor_rates)
    steps = max(s.steps, s.calls // STAGES, 1)
    limit = 2.0 * steps * np.sqrt(coordinates) * float(rtol)
    return float(min(max(limit, ROUND_OFF), LOOSEST)), f"{steps} steps of relative tolerance {float(rtol):.0e}"


def _left_out(run: Trajectory) -> float:
    """What appendages of linear inertia may add to the relative violation."""
    if run.vehicle is None:
        return float(run.settings.get("linear_inertia", 0.0))
    sheet, worst = run.balance, 0.0
    terms = (sheet.kinetic, sheet.potential, sheet.work)
    energy = max(*(float(np.abs(term).max(initial=0.0)) for term in terms), 1e-300)
    for mount in run.vehicle.appendages:
        record = mount.record
        size = float(np.linalg.norm(np.ptp(record.nodes.positions, axis=0))) if len(record.nodes) else 0.0
        if mount.inertia != "linear" or not record.count or not size > 0.0:
            continue
        eta, rate = run.modal[mount.name], run.modal_rates[mount.name]
        moved = np.einsum("nak,tk->tna", record.nodes.translation, eta, optimize=True)
        deflection = float(np.linalg.norm(moved, axis=2).max(initial=0.0)) / size
        strain = np.einsum("tk,kl,tl->t", eta, record.stiffness, eta, optimize=True)
        motion = np.einsum("tk,kl,tl->t", rate, record.integrals.modal_mass, rate, optimize=True)
        share = 0.5 * float((strain + motion).max(initial=0.0)) / energy
        worst = max(worst, 4.0 * deflection * float(np.sqrt(min(share, 1.0))))
    return min(worst, LINEAR)
