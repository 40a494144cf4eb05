"""Whether a run balances: the limit of its violations and the verdict. Balances: theory section 5.4."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

import numpy as np

from tisserand.multibody.trajectory import Trajectory

#: Nothing beyond this balances, whatever the tolerance; methods of fixed step, which have none, are held to it.
LOOSEST = 1e-3
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
        return over and f"the run does not balance: {over}, limit {self.limit:.1e} ({self.expected})"

    def as_dict(self) -> dict[str, Any]:
        """The JSON form."""
        return {"worst": dict(self.worst), "limit": self.limit, "held": self.held, "expected": self.expected}


def balance_verdict(run: Trajectory) -> BalanceVerdict:
    """Judge the balance of a run.

    An adaptive method permits an error of rtol per coordinate in one step, averaged over all n of them, so at most
    rtol sqrt(n) in one; energy is quadratic; the errors of N steps at most add up: limit = 2 N sqrt(n) rtol, but not
    below round-off (1e-9) and not above 1e-3. Every inertia level balances to that: ``linear`` and ``full``
    each move a displacement field of their own and leave no term of it out, ``constant`` has its reduced energy (what it leaves
    out shows in ``run.recomputed``).

    Args:
        run: the run.
    """
    return BalanceVerdict(run.balance.worst(), *_tolerated(run))


def judged(run: Trajectory) -> Trajectory:
    """The run with its verdict among the warnings."""
    words = balance_verdict(run).words
    return run.changed(warnings=(*run.warnings, words)) if words else run


def _tolerated(run: Trajectory) -> tuple[float, str]:
    s, rtol = run.statistics, run.settings.get("rtol")
    if s.method == "rk4" or rtol is None:
        return LOOSEST, "the method has no tolerance"
    histories = (run.joints, run.joint_rates, run.modal, run.modal_rates, run.controllers)
    coordinates = 13 + sum(h.shape[1] for group in histories for h in group.values()) + 2 * len(run.rotor_rates)
    steps = max(s.steps, s.calls // STAGES, 1)
    limit = 2.0 * steps * np.sqrt(coordinates) * float(rtol)
    return float(min(max(limit, ROUND_OFF), LOOSEST)), f"{steps} steps of relative tolerance {float(rtol):.0e}"
