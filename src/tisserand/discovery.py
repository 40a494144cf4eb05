"""Modules of a package that nobody lists: what is in the folder belongs to it."""

from __future__ import annotations

from importlib import import_module
from pkgutil import iter_modules
from types import ModuleType


def modules_of(package: str) -> dict[str, ModuleType]:
    """The modules of a package by name, imported in the order of their names; those with an underscore are left out."""
    paths = import_module(package).__path__
    names = sorted(item.name for item in iter_modules(paths) if not item.name.startswith("_"))
    return {name: import_module(f"{package}.{name}") for name in names}
