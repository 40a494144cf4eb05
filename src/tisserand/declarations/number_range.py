"""Numbers that can be computed with: their squares and products stay within the range of doubles."""

from __future__ import annotations

from typing import Any

from pydantic_core import PydanticCustomError

#: Magnitudes of stated numbers other than zero, SI or the file's units: beyond them products of five overflow or vanish.
LEAST, MOST = 1e-60, 1e60
#: Largest whole number, as compiled code counts.
MOST_WHOLE = 2**63 - 1
#: Range of a ratio of critical damping, wherever one is stated: at 1 a mode does not vibrate any more.
DAMPING_RATIO: dict[str, Any] = {"at_least": 0.0, "below": 1.0}
#: Range of a loss factor g, whose viscous equivalent is the ratio g / 2.
LOSS_FACTOR: dict[str, Any] = {"at_least": 0.0, "below": 2.0}


def short(value: Any) -> Any:
    """A whole number of many digits in words; everything else as it is."""
    if isinstance(value, int) and not isinstance(value, bool) and abs(value) >= 10**40:
        return f"a number of {len(str(abs(value))) if abs(value) < 10**4000 else 'thousands of'} digits"
    return value


def computable(value: Any) -> Any:
    """A stated number, or the mistake that no computation can carry it."""
    if isinstance(value, int):
        if abs(value) > MOST_WHOLE:
            raise _mistake("is too large", value, f"a whole number up to {MOST_WHOLE}")
    elif value and not LEAST <= abs(value) <= MOST:
        raise _mistake(
            "is too small or too large to compute with", value, f"zero, or a magnitude from {LEAST:g} to {MOST:g}"
        )
    return value


def _mistake(what: str, value: Any, expected: str) -> Exception:
    facts = {"key": (), "what": what, "found": short(value), "expected": expected, "advice": None, "unknown": False}
    return PydanticCustomError("tisserand", "{what}", facts)  # type: ignore[arg-type]
