"""Cards of punch files that hold matrices, read by name; other cards are skipped."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

from tisserand.errors import FileError
from tisserand.files import text_of


def whole_number(path: Path, text: str, low: int = 0, high: int = 10**15) -> int:
    """A whole number between two limits: an id, or a component."""
    if not (text.isascii() and text.isdigit() and len(text) < 17 and low <= int(text) <= high):
        raise FileError(path, "an id or component is wrong", found=repr(text[:40]), expected=f"{low} to {high}")
    return int(text)


def real_number(path: Path, text: str) -> float:
    """Nastran's reals: D exponents, or a sign alone before the exponent."""
    cleaned = text.upper().replace("D", "E")
    try:
        return float(cleaned)
    except ValueError:
        for at in range(len(cleaned) - 1, 0, -1):
            if cleaned[at] in "+-" and cleaned[at - 1] not in "E+-":
                try:
                    return float(f"{cleaned[:at]}E{cleaned[at:]}")
                except ValueError:
                    break
        raise FileError(path, "a matrix term is not a number", found=repr(text)) from None


def cards_of(path: Path, wanted: tuple[str, ...]) -> Iterator[list[str]]:
    """Cards of the given names with their continuation lines joined, small, large and free field."""
    current: list[str] | None = None
    for line in text_of(path).splitlines():
        text = line.split("$")[0].rstrip()
        if not text:
            continue
        head = text[:8]
        follows = head.strip() == "" or head[0] in "+*"
        if follows:
            if current is not None:
                current += _data_fields(text)
            continue
        if current is not None:
            yield current
        name = text.split(",")[0].strip().rstrip("*") if "," in text else head.strip().rstrip("*")
        current = [name, *_data_fields(text)] if name.upper() in wanted else None
    if current is not None:
        yield current


def _data_fields(text: str) -> list[str]:
    if "," in text:
        items = [item.strip() for item in text.split(",")][1:9]
        return items + [""] * (8 - len(items))
    wide = "*" in text[:8]
    width, count = (16, 4) if wide else (8, 8)
    body = text[8:].ljust(width * count)
    return [body[i * width : (i + 1) * width].strip() for i in range(count)]
