"""Errors of shell elements, flat ([Katili1993]) and curved ([Ahmad1970]): folded shape, material axis along the normal."""

from __future__ import annotations

import numpy as np

from tisserand.arrays import BoolArray, FloatArray
from tisserand.errors import InvertedCellError, ModelError
from tisserand.model import ShellBlock


def refuse_collapsed(block: ShellBlock, bad: BoolArray, area: FloatArray, extent: FloatArray, expected: str) -> None:
    """Raise InvertedCellError for the first of the ``bad`` (m,) shells, with its area, m², and largest extent, m."""
    if bad.any():
        row = int(np.argmax(bad))
        raise InvertedCellError(
            "a shell is collapsed, folded or re-entrant",
            ids=(int(block.ids[row]),),
            where=f"shell element {block.ids[row]}",
            found=f"area {area[row]:.3g} m², extent {extent[row]:.3g} m",
            expected=expected,
            advice="check the node order and duplicate nodes",
        )


def refuse_normal_axis(block: ShellBlock, length: FloatArray) -> None:
    """Raise ModelError where the material axis projected on the shell, of ``length`` (m, ...), vanishes."""
    axis = np.asarray(block.material_axis)
    shortest = length.reshape(len(axis), -1).min(axis=1)
    bad = ~(shortest > 1e-9 * np.linalg.norm(axis, axis=1))
    if bad.any():
        row = int(np.argmax(bad))
        raise ModelError(
            "the material axis has no direction in the plane of the shell",
            ids=(int(block.ids[row]),),
            where=f"shell element {block.ids[row]}",
            found=axis[row].tolist(),
            expected="a vector that is not along the element's normal",
        )
