"""Why nothing can vibrate: every dof is supported, or what is not supported has no stiffness."""

from __future__ import annotations

from typing import Any, NoReturn

import numpy as np

from tisserand.assembly.assembled_model import AssembledModel
from tisserand.errors import InputError
from tisserand.model import Supports

#: Materials named in the message.
_NAMED = 5


def refuse_all_held(model: AssembledModel, supports: Supports) -> NoReturn:
    """Raise: all dofs are held by ``supports``, or some by them and the others automatically, for lack of stiffness."""
    loose = int((~model.dofs.fixed_by(supports)).sum())
    if not loose:
        raise InputError("every dof is supported, so nothing can vibrate", found=f"{model.size} held dofs")
    soft = [] if model.structure is None else [m for m in model.structure.materials if _without_stiffness(m)]
    names = ", ".join(f"{m.name} ({m.id})" if m.name and m.name != str(m.id) else f"{m.id}" for m in soft[:_NAMED])
    raise InputError(
        "no free dof has any stiffness, so nothing can vibrate", where=model.name,
        found=f"material {names} with elastic constants of zero" if soft else f"{loose} dofs without stiffness",
        advice="state its elastic constants" if soft else "check the properties of the elements",
    )  # fmt: skip


def _without_stiffness(material: Any) -> bool:
    """Whether every elastic constant is zero."""
    if hasattr(material, "stiffness"):
        return not np.any(material.stiffness)
    return not any(getattr(material, name, 0.0) for name in ("young", "shear", "young_1", "young_2", "shear_12"))
