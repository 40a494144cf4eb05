"""Geometry shared by two-node line elements: ends, length, element axes, and errors that name the element.

Serves theory section 1.
"""

from __future__ import annotations

from typing import NoReturn

import numpy as np

from tisserand.arrays import BoolArray, FloatArray, IntArray
from tisserand.errors import ModelError

#: Shortest element as a fraction of the largest coordinate that describes it (below it, digits are lost).
_SHORTEST = 1e-10


def refuse(kind: str, ids: IntArray, bad: BoolArray, what: str, **facts: object) -> NoReturn:
    """Raise one error that names the first offending element and counts the others."""
    offenders = ids[bad]
    others = f" (and {len(offenders) - 1} more)" if len(offenders) > 1 else ""
    raise ModelError(what, ids=offenders[:20].tolist(), where=f"{kind} {offenders[0]}{others}", **facts)


def axis_and_length(kind: str, ids: IntArray, start: FloatArray, end: FloatArray) -> tuple[FloatArray, FloatArray]:
    """Unit vectors (m, 3) from start to end and lengths (m,) m; a zero length is refused."""
    along = end - start
    length = np.linalg.norm(along, axis=1)
    reach = np.maximum(np.abs(start).max(axis=1), np.abs(end).max(axis=1))
    short = ~(length > _SHORTEST * reach) | (length == 0.0)
    if short.any():
        refuse(
            kind,
            ids,
            short,
            "the element has no length",
            found=f"{length[short][0]:.3g} m between its ends",
            advice="check its nodes and offsets",
        )
    return along / length[:, None], length


def element_axes(kind: str, ids: IntArray, along: FloatArray, orientation: FloatArray) -> FloatArray:
    """Rows x, y, z of the element axes (m, 3, 3): y lies in the plane of x and the orientation vector."""
    size = np.linalg.norm(orientation, axis=1)
    normal = np.cross(along, orientation)
    height = np.linalg.norm(normal, axis=1)
    parallel = ~(height > 1e-6 * size) | (size == 0.0)
    if parallel.any():
        refuse(
            kind,
            ids,
            parallel,
            "the orientation vector is zero or parallel to the element axis",
            found=f"vector {np.round(orientation[parallel][0], 9).tolist()}",
            advice="state a vector that spans the element's x-y plane",
        )
    z = normal / height[:, None]
    return np.stack([along, np.cross(z, along), z], axis=1)
