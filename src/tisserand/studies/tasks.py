"""Where each task lives: its module is imported when it is first carried out."""

from __future__ import annotations

from collections.abc import Callable
from importlib import import_module
from typing import Any

#: task -> module of this package and function in it.
TASKS = {
    "demo": ("demo", "demo"),
    "info": ("info", "info"),
    "check": ("check", "check"),
    "modes": ("modes", "modes"),
    "view": ("view", "view"),
    "report": ("report", "report"),
    "diff": ("diff", "diff"),
    "export": ("export", "export"),
    "simulate": ("simulate", "simulate"),
    "frames": ("frames", "frames"),
    "linearize": ("linear", "linearize_file"),
    "system-modes": ("linear", "system_modes"),
    "response": ("linear", "response"),
    "sweep": ("sweep", "sweep"),
    "campbell": ("campbell", "campbell"),
    "montecarlo": ("sweep", "montecarlo"),
    "formats": ("formats", "formats"),
    "schema": ("schema", "schema"),
    "study": ("study_file", "study"),
}


def function_of(task: str) -> Callable[..., Any]:
    """The function that carries a task out."""
    module, name = TASKS[task]
    return getattr(import_module(f"{__package__}.{module}"), name)  # type: ignore[no-any-return]


def __getattr__(name: str) -> Any:
    """A task under the name of its function; ``tasks.pyi`` states its keywords for type checkers."""
    for task, (_, function) in TASKS.items():
        if name == function:
            return function_of(task)
    raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
