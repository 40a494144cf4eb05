"""Shapes of the arrays of a record from the names of their indices: one length for every name, whichever array comes first."""

from __future__ import annotations

import re

from tisserand.appendage.record.record_layout import Field

_FIXED = {"end": 2, "corner": 3, "point": 16}
#: Index names that mean the same in every group; others (line, body, section) belong to their group.
_COMMON = ("node", "mode", "interface")


class Sizes:
    """Lengths met so far, by name of the index."""

    def __init__(self) -> None:
        self._known: dict[str, int] = {}

    def fault(self, field: Field, shape: tuple[int, ...]) -> str | None:
        """The shape that an array should have, in words, if it has another one; lengths of new names are kept."""
        names = [name.strip() for name in re.sub(r"\(.*?\)", "6", field.indices).split(",") if name.strip()]
        expected = [self._length(field, name) for name in names]
        if len(shape) == len(names) and all(
            want in (None, got) or _six(n, got) for n, want, got in zip(names, expected, shape)
        ):
            for name, got in zip(names, shape):
                if self._length(field, name) is None and name != "row":  # outputs have rows of their own
                    self._known[_key(field, name)] = got
            return None
        words = [name if want is None else str(want) for name, want in zip(names, expected)]
        return f"({', '.join(words)})" if words else "one number"

    def _length(self, field: Field, name: str) -> int | None:
        if name.endswith(("axis", "axis 6")) or name.startswith("axis"):
            return 2 if field.indices.startswith("section, point") else 3  # outlines lie in their section
        if name.startswith("pair of modes"):
            k = self._known.get("mode")
            return None if k is None else k * (k + 1) // 2
        return _FIXED.get(name, self._known.get(_key(field, name)))


def _six(name: str, length: int) -> bool:
    """Translations alone or with rotations."""
    return name.endswith(" 6") and length == 6


def _key(field: Field, name: str) -> str:
    word = name.split()[0]
    return word if word in _COMMON else f"{field.path.rpartition('/')[0]}/{word}"
