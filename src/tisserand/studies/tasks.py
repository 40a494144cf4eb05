"""The module of each task, imported when the task first runs."""

from __future__ import annotations

import functools
import inspect
import os
from collections.abc import Callable
from importlib import import_module
from typing import Any

from tisserand.errors import ArgumentError

#: task -> module of this package and function in it.
TASKS = {
    "demo": ("demo", "demo"),
    "info": ("info", "info"),
    "check": ("check", "check"),
    "modes": ("modes", "modes"),
    "reduce": ("delivery", "reduce"),
    "couple": ("delivery", "couple"),
    "accept": ("accept", "accept"),
    "correlate": ("correlate", "correlate"),
    "base-drive": ("base_drive", "base_drive"),
    "coupled-loads": ("coupled_loads", "coupled_loads_task"),
    "jitter": ("jitter", "jitter"),
    "view": ("view", "view"),
    "report": ("report", "report"),
    "diff": ("diff", "diff"),
    "export": ("export", "export"),
    "simulate": ("simulate", "simulate"),
    "frames": ("frames", "frames"),
    "linearize": ("linear", "linearize_file"),
    "equations": ("equations", "equations"),
    "system-modes": ("linear", "system_modes"),
    "response": ("linear", "response"),
    "uncertain": ("uncertain", "uncertain"),
    "sweep": ("sweep", "sweep"),
    "campbell": ("campbell", "campbell"),
    "montecarlo": ("montecarlo", "montecarlo"),
    "merge": ("merge", "merge"),
    "rerun": ("rerun", "rerun"),
    "formats": ("formats", "formats"),
    "schema": ("schema", "schema"),
    "study": ("study_file", "study"),
}


#: Tasks that share their name with a function on objects: its module, and the type of its first argument.
ON_OBJECTS = {
    "reduce": ("tisserand.appendage", "tisserand.modes:ModalBasis"),
    "couple": ("tisserand.modes", "collections.abc:Sequence"),
    "simulate": ("tisserand.multibody", "tisserand.multibody:Vehicle"),
    "linearize": ("tisserand.multibody", "tisserand.multibody:Vehicle"),
    "system-modes": ("tisserand.multibody", "tisserand.multibody:Vehicle"),
    "campbell": ("tisserand.modes", "tisserand.assembly:AssembledModel"),
}


def function_of(task: str) -> Callable[..., Any]:
    """The function that runs a task."""
    module, name = TASKS[task]
    return getattr(import_module(f"{__package__}.{module}"), name)  # type: ignore[no-any-return]


def _either(task: str) -> Callable[..., Any]:
    """One name for both: a file is given to the task, an object to the function of the same name."""
    module, (home, _, kind) = ON_OBJECTS[task][0], ON_OBJECTS[task][1].partition(":")
    name = task.replace("-", "_")
    on_objects, accepted = getattr(import_module(module), name), getattr(import_module(home), kind)
    first = next(iter(inspect.signature(on_objects).parameters))

    @functools.wraps(on_objects)
    def run(*arguments: Any, **options: Any) -> Any:
        given = arguments[0] if arguments else options.get(first)
        if _names_files(given) or getattr(given, "task", None) == task:
            return function_of(task)(*arguments, **options)
        if given is not None and not isinstance(given, accepted):
            expected = f"the path of a file, or {kind}"
            raise ArgumentError(f"{first} has the wrong type", where=name, found=repr(given), expected=expected)
        return on_objects(*arguments, **options)

    both = f"With the path of a file it is the task ``tisserand {task}``, with the same options."
    run.__doc__ = f"{on_objects.__doc__}\n    {both}\n    "
    return run


def _names_files(given: Any) -> bool:
    """Whether an argument is a path, or a list of paths."""
    if isinstance(given, list | tuple) and given:
        return all(isinstance(item, str | os.PathLike) for item in given)
    return isinstance(given, str | os.PathLike)


def __getattr__(name: str) -> Any:
    """A task under its own name; ``tasks.pyi`` states its keywords for type checkers."""
    task = name.replace("_", "-") if name.replace("_", "-") in TASKS else name
    if task not in TASKS:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    return _either(task) if task in ON_OBJECTS else function_of(task)
