"""Every file that a TOML file names under any key, so that no output replaces one of them."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any

from pydantic import BaseModel

from tisserand.errors import InputError
from tisserand.files import text_of, toml_of


def named_files(path: str | Path, tables: BaseModel | None = None, *, depth: int = 3) -> list[Path]:
    """The file itself and the existing files that its texts name, ``[outputs]`` apart; TOML files among them are opened too.

    tables: what the file holds, where it was read already.
    """
    path = Path(path)
    found = [path]
    if (path.suffix.lower() != ".toml" and tables is None) or depth == 0:
        return found
    try:
        table = toml_of(path, text_of(path)) if tables is None else tables.model_dump(exclude_none=True)
    except InputError:  # the reader of the file reports what is wrong
        return found
    table.pop("outputs", None)
    for text in _texts(table):
        named = path.parent / text
        if len(text) < 1000 and "\0" not in text and _is_file(named):
            found += named_files(named, depth=depth - 1)
    return found


def _is_file(path: Path) -> bool:
    try:
        return path.is_file()
    except OSError:  # a text too long for a name
        return False


def _texts(value: Any) -> Iterator[str]:
    if isinstance(value, str | Path):
        yield str(value)
    elif isinstance(value, dict | list | tuple):
        for item in value.values() if isinstance(value, dict) else value:
            yield from _texts(item)
