"""Several appendages on one body merged into one, with names kept (TR 32-1576: one appendage per body)."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from numpy.typing import ArrayLike

from tisserand.appendage.frames.transformed_records import shifted
from tisserand.appendage.frames.united_bodies import united, widened
from tisserand.appendage.record.reduced_appendage import FrameRecord, ReducedAppendage
from tisserand.arguments import checked_arguments
from tisserand.errors import ModelError


@checked_arguments
def merged(
    appendages: Sequence[ReducedAppendage], *, name: str = "merged", point: ArrayLike = (0.0, 0.0, 0.0)
) -> ReducedAppendage:
    """One appendage out of several that are fixed in the same body and share its basic axes.

    Place each one first with ``turned`` and ``placed``; ``point`` is the common O. Interfaces become
    ``appendage.interface`` and modes ``appendage: mode``; node ids are kept where they differ and renumbered
    in blocks of a million otherwise (see the report). The result is attached at O.

    Args:
        appendages: the records to put together.
        name: of the result.
    """
    _check(appendages)
    parts = [shifted(part, point) for part in appendages]
    starts = np.cumsum([0, *(part.count for part in parts)])
    wide = [widened(part, slice(a, b), int(starts[-1])) for part, a, b in zip(parts, starts, starts[1:])]
    return united(
        wide,
        name=name,
        point=np.asarray(point, dtype=float),
        frame=FrameRecord(
            "connection",
            "every part is fixed to the body at its attachment",
            tuple(r for part in parts for r in part.frame.residuals or (0.0,) * part.count),
        ),
        mode_names=[f"{part.name}: {mode}" for part in parts for mode in part.mode_names],
        mode_kinds=[kind for part in parts for kind in part.mode_kinds],
        reports={"merged": [part.name for part in parts]},
    )


def _check(appendages: Sequence[ReducedAppendage]) -> None:
    if not appendages:
        raise ModelError("nothing to merge")
    names = [part.name for part in appendages]
    if len(set(names)) < len(names):
        raise ModelError("appendages to merge must have different names", found=names)
    for part in appendages:
        if part.frame.name != "connection":
            raise ModelError(
                "only appendages fixed in the body can be merged",
                where=f"appendage {part.name}",
                found=f"frame {part.frame.name}",
                expected="connection",
                advice='convert it with in_frame(appendage, "connection")',
            )
