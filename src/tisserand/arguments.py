"""Arguments checked against a function's annotations before it runs: a value of the wrong type becomes one sentence."""

from __future__ import annotations

import functools
import inspect
import types
from collections.abc import Callable, Mapping, Sequence
from typing import Any, Literal, ParamSpec, TypeVar, Union, get_args, get_origin, get_type_hints

import numpy as np

from tisserand.errors import InputError

P = ParamSpec("P")
R = TypeVar("R")


class _Numbers:
    """Stands for ``ArrayLike`` in annotations, which typing would flatten into eight parts."""


#: Type -> what counts as it, its name in words, and the plural.
_SCALARS: dict[Any, tuple[tuple[type, ...], str, str]] = {
    bool: ((bool, np.bool_), "True or False", "flags"),
    int: ((int, np.integer), "a whole number", "whole numbers"),
    float: ((int, float, np.integer, np.floating), "a number", "numbers"),
    str: ((str,), "a string", "strings"),
}


def checked_arguments(function: Callable[P, R]) -> Callable[P, R]:
    """Decorator: refuse arguments that do not fit the function's annotations; lists are accepted as tuples.

    Ranges stay with the function: this checks types only.
    """
    signature = inspect.signature(function)
    hints: dict[str, Any] = {}

    @functools.wraps(function)
    def run(*args: P.args, **kwargs: P.kwargs) -> R:
        if not hints:
            hints.update(get_type_hints(function, {**function.__globals__, "ArrayLike": _Numbers}))
        bound = signature.bind(*args, **kwargs)
        for name, value in bound.arguments.items():
            fitted = functools.partial(_fitted, function.__name__, name, hints.get(name, Any))
            several = signature.parameters[name].kind is inspect.Parameter.VAR_POSITIONAL
            bound.arguments[name] = tuple(map(fitted, value)) if several else fitted(value)
        return function(*bound.args, **bound.kwargs)

    return run


def at_most(where: str, limit: int, what: str, **factors: int) -> None:
    """Refuse a size before it is allocated.

    Args:
        where: the function or part concerned.
        limit: the largest product of the factors.
        what: what is counted, in words.
        factors: argument -> number.
    """
    size = int(np.prod([int(value) for value in factors.values()], dtype=object))
    if size > limit:
        found = ", ".join(f"{name} = {value}" for name, value in factors.items())
        raise InputError(f"too many {what}", where=where, found=found, expected=f"at most {limit} {what}")


def _fitted(where: str, name: str, hint: Any, value: Any) -> Any:
    """The value as the function expects it, or an error that names the argument."""
    fits, made = _fit(value, hint)
    if fits:
        return made
    text = repr(value)
    found = f"{text[:60]}{'...' if len(text) > 60 else ''} ({type(value).__name__})"
    raise InputError(f"{name} has the wrong type", where=where, found=found, expected=_words(hint))


def _fit(value: Any, hint: Any) -> tuple[bool, Any]:
    """Whether a value fits a type, and the value with lists made tuples where the type is a tuple."""
    if hint is Any or isinstance(hint, TypeVar):
        return True, value
    if hint is type(None):
        return value is None, value
    if hint is _Numbers:
        return are_numbers(value), value
    if hint in _SCALARS:
        flag = isinstance(value, bool | np.bool_) and hint is not bool
        zero_d = isinstance(value, np.ndarray) and value.shape == () and value.dtype.kind in "iuf" and hint is float
        return zero_d or (isinstance(value, _SCALARS[hint][0]) and not flag), value
    origin, inner = get_origin(hint), get_args(hint)
    if origin in (Union, types.UnionType):
        tried = (_fit(value, member) for member in inner)
        return next((made for made in tried if made[0]), (False, value))
    if origin is Literal:
        return value in inner, value
    if origin is np.ndarray:
        return are_numbers(value), value
    if origin is tuple:
        return _fit_tuple(value, inner)
    if origin in (Sequence, list):
        listed = isinstance(value, Sequence | np.ndarray) and not isinstance(value, str | bytes)
        return listed and all(_fit(item, inner[0])[0] for item in value), value
    if origin in (Mapping, dict):
        mapped = isinstance(value, Mapping)
        return mapped and all(_fit(k, inner[0])[0] and _fit(v, inner[1])[0] for k, v in value.items()), value
    return isinstance(value, origin or hint), value


def _fit_tuple(value: Any, inner: tuple[Any, ...]) -> tuple[bool, Any]:
    if not isinstance(value, tuple | list | np.ndarray):
        return False, value
    items = tuple(value)
    wanted = (inner[0],) * len(items) if inner[-1] is Ellipsis else inner
    if len(items) != len(wanted):
        return False, value
    made = [_fit(item, hint) for item, hint in zip(items, wanted)]
    return all(fits for fits, _ in made), tuple(item for _, item in made)


def are_numbers(value: Any) -> bool:
    """Whether NumPy reads a value as numbers; texts and flags are not."""
    try:
        return np.asarray(value).dtype.kind in "iuf"
    except (ValueError, TypeError):  # rows of different lengths
        return False


def _words(hint: Any) -> str:
    """A type in the words of an error message."""
    if hint in _SCALARS:
        return _SCALARS[hint][1]
    if hint is type(None):
        return "None"
    origin, inner = get_origin(hint), get_args(hint)
    if origin in (Union, types.UnionType):
        return " or ".join(dict.fromkeys(map(_words, inner)))
    if origin is Literal:
        return "one of " + ", ".join(map(str, inner))
    if hint is _Numbers or origin is np.ndarray:
        return "numbers" if hint is _Numbers else "an array of numbers"
    if origin is tuple and inner[-1] is not Ellipsis:
        return "(" + ", ".join(map(_words, inner)) + ")"
    if origin in (tuple, list, Sequence):
        return f"a list of {_plural(inner[0])}"
    if origin in (Mapping, dict):
        return f"a table from {_plural(inner[0])} to {_plural(inner[1])}"
    return str(getattr(hint, "__name__", hint))


def _plural(hint: Any) -> str:
    return _SCALARS[hint][2] if hint in _SCALARS else _words(hint)
