"""Which signals may read the forces of loops.

Serves theory section 11.
"""

from __future__ import annotations

from collections.abc import Sequence

from tisserand.errors import VehicleError
from tisserand.multibody.controllers import Controller
from tisserand.multibody.signals import Signal


def refuse_loop_signals(controllers: Sequence[Controller], signals: Sequence[Signal], driven: Sequence[str]) -> None:
    """Refuse control laws that read the force of a loop, and unknown loops. driven: inputs that elements and loops fill in."""
    for c in controllers:
        for s in c.inputs:
            if s.kind == "loop":
                raise VehicleError(
                    "a control law cannot read the force of a loop, which depends on its command",
                    where=f"controller {c.name}",
                    found=s.name,
                    advice="measure a motion",
                )
    for s in signals:
        if s.kind == "loop" and f"{s.target}:{s.axis + 1}" not in driven:
            known = sorted({name.removesuffix(":on") for name in driven if name.endswith(":on")})
            raise VehicleError(
                "unknown loop, or row of a loop",
                where=f"signal {s.name}",
                found=f"{s.target}, row {s.axis + 1}",
                expected=", ".join(known) or "no loop acts",
            )
