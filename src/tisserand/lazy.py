"""Public names imported when first used, read from the stub that type checkers read: one list for both."""

from __future__ import annotations

import ast
from collections.abc import Callable
from importlib import import_module
from pathlib import Path
from typing import Any


def exports(stub: Path) -> dict[str, tuple[str, str]]:
    """Public name -> (module, its name there) of every ``from module import name as public`` in a stub file."""
    found: dict[str, tuple[str, str]] = {}
    for node in ast.parse(stub.read_text(encoding="utf-8")).body:
        if isinstance(node, ast.ImportFrom):
            assert node.module is not None
            found.update({alias.asname or alias.name: (node.module, alias.name) for alias in node.names})
    return found


def attach(package: str, file: str) -> tuple[list[str], Callable[[str], Any]]:
    """``__all__`` and ``__getattr__`` of a package from the ``__init__.pyi`` beside its ``__init__.py``."""
    table = exports(Path(file).with_suffix(".pyi"))

    def getter(name: str) -> Any:
        if name not in table:
            raise AttributeError(f"module {package!r} has no attribute {name!r}")
        module, origin = table[name]
        return getattr(import_module(module), origin)

    return sorted(table), getter
