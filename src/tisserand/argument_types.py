"""Whether a value fits a type of an annotation, and the type in words."""

from __future__ import annotations

import types
from collections.abc import Iterable, Mapping, Sequence
from typing import Annotated, Any, Literal, TypeVar, Union, get_args, get_origin

import numpy as np


class Numbers:
    """Stands for ``ArrayLike`` in annotations, which typing would flatten into eight parts."""


#: Type -> what counts as it, its name in words, and the plural.
_SCALARS: dict[Any, tuple[tuple[type, ...], str, str]] = {
    bool: ((bool, np.bool_), "True or False", "flags"),
    int: ((int, np.integer), "a whole number", "whole numbers"),
    float: ((int, float, np.integer, np.floating), "a number", "numbers"),
    complex: ((int, float, complex, np.number), "a number, real or complex", "numbers, real or complex"),
    str: ((str,), "a string", "strings"),
}
#: Type of an array's items -> the kinds of array that can become it, and what they are in words.
_ITEMS: dict[Any, tuple[str, str]] = {
    np.float64: ("iuf", "numbers"),
    np.int64: ("iu", "whole numbers"),
    np.bool_: ("b", "flags"),
    np.complex128: ("iufc", "numbers, real or complex"),
}


def fit(value: Any, hint: Any) -> tuple[bool, Any]:
    """Whether a value fits a type, and the value with lists made tuples where the type is a tuple."""
    if hint is Any or isinstance(hint, TypeVar):
        return True, value
    if hint is None or hint is type(None):
        return value is None, value
    if hint is Numbers:
        return are_numbers(value), value
    if hint in _SCALARS:
        return _is_scalar(value, hint), value
    origin, inner = get_origin(hint), get_args(hint)
    if origin is Annotated:
        return fit(value, inner[0])
    if origin in (Union, types.UnionType):
        tried = (fit(value, member) for member in inner)
        return next((made for made in tried if made[0]), (False, value))
    if origin is Literal:
        return any(type(value) is type(word) and value == word for word in inner), value
    if origin is np.ndarray:
        return _is_array(value, inner), value
    if origin is tuple:
        return _fit_tuple(value, inner)
    if origin in (Sequence, list, Iterable):
        return _is_list(value, origin, inner[0]), value
    if origin in (Mapping, dict):
        mapped = isinstance(value, Mapping)
        return mapped and all(fit(k, inner[0])[0] and fit(v, inner[1])[0] for k, v in value.items()), value
    return _is_instance(value, origin or hint), value


def _is_scalar(value: Any, hint: Any) -> bool:
    if isinstance(value, np.ndarray):
        return value.shape == () and value.dtype.kind in "iuf" and hint is float
    flag = isinstance(value, bool | np.bool_) and hint is not bool
    return isinstance(value, _SCALARS[hint][0]) and not flag


def _is_instance(value: Any, kind: Any) -> bool:
    """Whether a value is of a class; of one that is only named, whether a class of that name is among its bases."""
    if hasattr(kind, "__only_named__"):
        return any(base.__name__ == kind.__name__ for base in type(value).__mro__)
    return isinstance(value, kind)


def _is_array(value: Any, inner: tuple[Any, ...]) -> bool:
    """Whether NumPy reads a value as the array of an annotation; whole numbers may be written as floats."""
    item = get_args(inner[1])[0] if len(inner) > 1 and get_args(inner[1]) else None
    kinds = _ITEMS.get(item, ("", ""))[0]
    if not kinds:
        return isinstance(value, np.ndarray | Sequence) and not isinstance(value, str | bytes)
    array = _as_array(value)
    if array is None:
        return False
    whole = kinds == "iu" and array.dtype.kind == "f" and bool((array == np.floor(array)).all())
    return array.dtype.kind in kinds or array.size == 0 or whole


def _is_list(value: Any, origin: Any, item: Any) -> bool:
    if isinstance(value, str | bytes):
        return False
    if isinstance(value, np.ndarray) and value.ndim == 1 and item in (int, float):
        return value.dtype.kind in ("iu" if item is int else "iuf")
    if origin is Iterable and not isinstance(value, Sequence | np.ndarray):
        return isinstance(value, Iterable)  # looking would consume it
    return isinstance(value, Sequence | np.ndarray) and all(fit(part, item)[0] for part in value)


def _fit_tuple(value: Any, inner: tuple[Any, ...]) -> tuple[bool, Any]:
    if not isinstance(value, tuple | list | np.ndarray) or (isinstance(value, np.ndarray) and value.ndim == 0):
        return False, value
    items = tuple(value)
    if not inner:
        return True, items
    wanted = (inner[0],) * len(items) if inner[-1] is Ellipsis else inner
    if len(items) != len(wanted):
        return False, value
    made = [fit(item, hint) for item, hint in zip(items, wanted)]
    same = isinstance(value, tuple) and all(new is old for (_, new), old in zip(made, items))
    return all(fits for fits, _ in made), value if same else tuple(item for _, item in made)


def _as_array(value: Any) -> np.ndarray | None:
    try:
        return np.asarray(value)
    except (ValueError, TypeError):  # rows of different lengths
        return None


def are_numbers(value: Any) -> bool:
    """Whether NumPy reads a value as numbers; texts and flags are not."""
    array = _as_array(value)
    return array is not None and array.dtype.kind in "iuf"


def literals(hint: Any) -> list[Any]:
    """The values that the literal types among the members of a type allow."""
    origin, inner = get_origin(hint), get_args(hint)
    if origin is Literal:
        return list(inner)
    inside = inner if origin in (Union, types.UnionType) else inner[:1] if origin is Annotated else ()
    return [value for member in inside for value in literals(member)]


def words(hint: Any) -> str:
    """A type in the words of an error message."""
    if hint in _SCALARS:
        return _SCALARS[hint][1]
    if hint is None or hint is type(None):
        return "None"
    origin, inner = get_origin(hint), get_args(hint)
    if origin is Annotated:
        return words(inner[0])
    if origin in (Union, types.UnionType):
        return " or ".join(dict.fromkeys(map(words, inner)))
    if origin is Literal:
        return "one of " + ", ".join(map(str, inner))
    if hint is Numbers:
        return "numbers"
    if origin is np.ndarray:
        item = get_args(inner[1])[0] if len(inner) > 1 and get_args(inner[1]) else None
        return f"an array of {_ITEMS.get(item, ('', 'values'))[1]}"
    if origin is tuple and inner and inner[-1] is not Ellipsis:
        return "(" + ", ".join(map(words, inner)) + ")"
    if origin in (tuple, list, Sequence, Iterable):
        return f"a list of {_plural(inner[0])}"
    if origin in (Mapping, dict):
        return f"a table from {_plural(inner[0])} to {_plural(inner[1])}"
    return str(getattr(hint, "__name__", hint))


def _plural(hint: Any) -> str:
    return _SCALARS[hint][2] if hint in _SCALARS else words(hint)
