"""Evaluation of in-plane ply stresses: von Mises, principal stresses, failure index and reserve factor.

Functions of recovered stresses (..., 3) in Pa, order 1, 2, 12; none is linear, so they are evaluated after recovery.
The index
of a theory is 1 at failure; the reserve factor is what the stresses may be multiplied by until then.

| theory | index |
|---|---|
| max stress | largest of s1/X, s2/Y, abs(s12)/S |
| hill | s1²/X² - s1 s2/X² + s2²/Y² + s12²/S²; X, Y by the sign of s1, s2 (mixed term: of s1 s2) |
| hoffman | F1 s1 + F2 s2 + s1²/(Xt Xc) + s2²/(Yt Yc) + s12²/S² - s1 s2/(Xt Xc) |
| tsai-wu | the same with 2 F12 s1 s2 for the mixed term |

F1 = 1/Xt - 1/Xc, F2 = 1/Yt - 1/Yc (Jones, Mechanics of Composite Materials, ch. 2).

Criteria: [Jones1999].
"""

from __future__ import annotations

import numpy as np
from numpy.typing import ArrayLike

from tisserand.arrays import FloatArray
from tisserand.errors import ModelError
from tisserand.model import Strengths

THEORIES = ("max stress", "hill", "hoffman", "tsai-wu")


def von_mises(stress: ArrayLike) -> FloatArray:
    """Equivalent stress of plane stress, Pa."""
    a, b, c = np.moveaxis(np.asarray(stress, dtype=float), -1, 0)
    return np.asarray(np.sqrt(np.maximum(a * a - a * b + b * b + 3.0 * c * c, 0.0)))


def principal_stresses(stress: ArrayLike) -> tuple[FloatArray, FloatArray, FloatArray]:
    """Major and minor principal stress, Pa, and the angle from axis 1 to the major one, rad."""
    a, b, c = np.moveaxis(np.asarray(stress, dtype=float), -1, 0)
    middle, radius = 0.5 * (a + b), np.hypot(0.5 * (a - b), c)
    return np.asarray(middle + radius), np.asarray(middle - radius), np.asarray(0.5 * np.arctan2(2.0 * c, a - b))


def failure_index(stress: ArrayLike, strengths: Strengths, theory: str) -> FloatArray:
    """Index of a theory, 1 at failure; not proportional to the load except for max stress."""
    s = np.asarray(stress, dtype=float)
    _complete(strengths, theory)
    if theory == "max stress":
        return _largest(s, strengths)
    linear, square = _polynomial(s, strengths, theory)
    return np.asarray(linear + square)


def reserve_factor(stress: ArrayLike, strengths: Strengths, theory: str) -> FloatArray:
    """Factor R on the stresses at which the index becomes 1; infinite without stress."""
    s = np.asarray(stress, dtype=float)
    _complete(strengths, theory)
    with np.errstate(divide="ignore", invalid="ignore"):
        if theory == "max stress":
            return np.asarray(1.0 / _largest(s, strengths))
        linear, square = _polynomial(s, strengths, theory)
        root = 2.0 / (linear + np.sqrt(linear * linear + 4.0 * square))  # square R² + linear R = 1
    return np.asarray(np.where((linear == 0.0) & (square == 0.0), np.inf, root))


def bond_index(shear: ArrayLike, bond_strength: float) -> FloatArray:
    """Larger interlaminar shear stress (..., 2) over the strength of the bond, Pa."""
    if not bond_strength > 0.0:
        raise ModelError("the strength of the bond is not given", found=bond_strength, expected="a stress in Pa")
    return np.asarray(np.abs(np.asarray(shear, dtype=float)).max(axis=-1) / bond_strength)


def _complete(strengths: Strengths, theory: str) -> None:
    if theory not in THEORIES:
        raise ModelError("unknown failure theory", found=repr(theory), expected=", ".join(THEORIES))
    words = ("tension_1", "compression_1", "tension_2", "compression_2", "shear_12")
    lacking = [word for word in words if not getattr(strengths, word) > 0.0]
    if lacking:
        raise ModelError(f"{theory} needs strengths that are not given", found=", ".join(lacking))


def _largest(s: FloatArray, k: Strengths) -> FloatArray:
    parts = [
        np.where(s[..., 0] > 0.0, s[..., 0] / k.tension_1, -s[..., 0] / k.compression_1),
        np.where(s[..., 1] > 0.0, s[..., 1] / k.tension_2, -s[..., 1] / k.compression_2),
        np.abs(s[..., 2]) / k.shear_12,
    ]
    return np.asarray(np.max(parts, axis=0))


def _polynomial(s: FloatArray, k: Strengths, theory: str) -> tuple[FloatArray, FloatArray]:
    """Parts of the first and second degree in the stress."""
    a, b, c = s[..., 0], s[..., 1], s[..., 2]
    shear = (c / k.shear_12) ** 2
    if theory == "hill":
        x = np.where(a >= 0.0, k.tension_1, k.compression_1)
        y = np.where(b >= 0.0, k.tension_2, k.compression_2)
        mixed = np.where(a * b >= 0.0, k.tension_1, k.compression_1)
        return np.zeros_like(a), np.asarray((a / x) ** 2 - a * b / mixed**2 + (b / y) ** 2 + shear)
    xx, yy = k.tension_1 * k.compression_1, k.tension_2 * k.compression_2
    linear = (1.0 / k.tension_1 - 1.0 / k.compression_1) * a + (1.0 / k.tension_2 - 1.0 / k.compression_2) * b
    cross = 2.0 * k.interaction if theory == "tsai-wu" else -1.0 / xx
    return np.asarray(linear), np.asarray(a * a / xx + b * b / yy + shear + cross * a * b)
