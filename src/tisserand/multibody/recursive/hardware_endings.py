"""How an evaluation with compiled laws ends; the engine does not import this file.

Serves the torques of theory section 5.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from tisserand.multibody.recursive.endings import ending

if TYPE_CHECKING:
    from tisserand.multibody.recursive.compile import CompiledVehicle

#: A compiled law raised an exception, or gave a command that is not finite.
LAW_FAILED = -30


def ending_with_laws(status: int, compiled: CompiledVehicle) -> str:
    """Words for a status of the kernels, of compiled laws too."""
    if status != LAW_FAILED:
        return ending(status, compiled)
    names = " or ".join(law.name for law in compiled.laws or ())
    return f"the compiled law of controller {names} failed or gave a command that is not finite"
