"""Why nothing can vibrate: every dof is supported, or those with mass have no stiffness and are held for lack of it.

Serves theory section 7.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from tisserand.assembly.assembled_model import AssembledModel
from tisserand.errors import InputError
from tisserand.model import Supports

#: Materials named in the message.
_NAMED = 5


def refuse_all_held(model: AssembledModel, supports: Supports) -> None:
    """Raise where all dofs, or all that carry mass, are held: by ``supports``, or automatically, for lack of stiffness."""
    held, stated = model.held(supports), model.dofs.fixed_by(supports)
    if stated.all():
        raise InputError("every dof is supported, so nothing can vibrate", found=f"{model.size} held dofs")
    automatic = held & ~stated
    mass = np.asarray(model.mass.diagonal())
    if not automatic.any() or not (held.all() or (not mass[~held].any() and mass[automatic].any())):
        return
    soft = [] if model.structure is None else [m for m in model.structure.materials if _without_stiffness(m)]
    names = ", ".join(f"{m.name} ({m.id})" if m.name and m.name != str(m.id) else f"{m.id}" for m in soft[:_NAMED])
    raise InputError(
        "no free dof with mass has any stiffness, so nothing can vibrate", where=model.name,
        found=f"material {names} with elastic constants of zero" if soft else f"{int(automatic.sum())} dofs without stiffness",
        advice="state its elastic constants" if soft else "check the properties of the elements",
    )  # fmt: skip


def _without_stiffness(material: Any) -> bool:
    """Whether it resists no stretch."""
    if hasattr(material, "stiffness"):
        return not np.any(material.stiffness)
    return not any(getattr(material, name, 0.0) for name in ("young", "young_1", "young_2"))
