"""From a TOML file, or data that was read already, to a declared type."""

from __future__ import annotations

from pathlib import Path
from typing import Any, TypeVar

from pydantic import ValidationError

from tisserand.declarations.base import Table
from tisserand.declarations.faults import fault
from tisserand.files import text_of, toml_of

_Type = TypeVar("_Type", bound=Table)


def read_toml(path: str | Path) -> dict[str, Any]:
    """The content of a TOML file. It is data: nothing in it can execute code."""
    file = Path(path)
    return toml_of(file, text_of(file))


def declared(kind: type[_Type], data: dict[str, Any], file: str | Path | None = None) -> _Type:
    """The declared type of some data; ``file`` is their source, for errors and relative file names."""
    folder = None if file is None else Path(file).parent
    try:
        return kind.model_validate(data, context={"folder": folder})
    except ValidationError as error:
        raise fault(kind, data, error.errors(), file) from None


def read_declared(kind: type[_Type], path: str | Path) -> _Type:
    """Read a TOML file and check it; all its mistakes come in one ``CaseError``."""
    return declared(kind, read_toml(path), path)
