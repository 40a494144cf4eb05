"""Arguments checked against annotations before a function runs: a value of the wrong type becomes one sentence.

``@checked_arguments`` stands on every public function and type; `tests/test_wrong_types.py` walks the public namespace.
"""

from __future__ import annotations

import builtins
import functools
import inspect
import sys
from collections.abc import Callable, Iterable, Mapping
from typing import Any, TypeVar, Unpack, get_args, get_origin, overload

import numpy as np

from tisserand.argument_types import Numbers, are_numbers, fit, literals, words
from tisserand.errors import ArgumentError, InputError, nearest

__all__ = ["are_numbers", "at_most", "checked_arguments"]

T = TypeVar("T", bound=Callable[..., Any])
_MANY = (inspect.Parameter.VAR_POSITIONAL, inspect.Parameter.VAR_KEYWORD)


@overload
def checked_arguments(thing: T) -> T: ...
@overload
def checked_arguments(*, but: Iterable[str]) -> Callable[[T], T]: ...
def checked_arguments(thing: Any = None, *, but: Iterable[str] = ()) -> Any:
    """Decorator: refuse arguments that do not fit the annotations; lists are accepted as tuples.

    Of a class, the constructor and every public method with parameters are checked. Ranges stay with the function: this checks
    types only.

    Args:
        thing: a function or a class.
        but: arguments that the function checks itself, such as options that are declared elsewhere.
    """
    if thing is None:
        return functools.partial(checked_arguments, but=but)
    left = frozenset(but)
    if not isinstance(thing, type):
        return _checked(thing, thing.__name__, left)
    if "__init__" in vars(thing):
        thing.__init__ = _checked(thing.__init__, thing.__name__, left, thing)  # type: ignore[misc]
    for name, member in list(vars(thing).items()):
        function = getattr(member, "__func__", member)
        if name.startswith("_") or not inspect.isfunction(function):
            continue
        if len(inspect.signature(function).parameters) > (0 if isinstance(member, staticmethod) else 1):
            checked = _checked(function, f"{thing.__name__}.{name}", left)
            setattr(thing, name, checked if member is function else type(member)(checked))
    return thing


def _checked(
    function: Callable[..., Any], where: str, but: frozenset[str], kind: type | None = None
) -> Callable[..., Any]:
    """The function with its arguments checked; ``where`` names it, ``kind`` is the type whose constructor it is."""
    signature = inspect.signature(function)
    needed = [
        name
        for name, item in signature.parameters.items()
        if item.default is inspect.Parameter.empty and item.kind not in _MANY
    ]
    hints: dict[str, Any] = {}

    @functools.wraps(function)
    def run(*args: Any, **kwargs: Any) -> Any:
        if not hints:
            hints.update(_hints(function, kind))
        bound = _bound(where, signature, args, kwargs)
        for name, value in bound.arguments.items():
            hint = hints.get(name, Any)
            if hint is not Any and name not in but:
                bound.arguments[name] = _fitted_parameter(where, signature.parameters[name], hint, value)
        missing = [name for name in needed if name not in bound.arguments]
        if missing:
            raise ArgumentError(
                f"missing argument {missing[0]!r}", where=where, expected=words(hints.get(missing[0], Any))
            )
        return function(*bound.args, **bound.kwargs)

    return run


def _fitted_parameter(where: str, parameter: inspect.Parameter, hint: Any, value: Any) -> Any:
    """The value, or values, of one parameter as the function expects them."""
    if parameter.kind is inspect.Parameter.VAR_POSITIONAL:
        return tuple(_fitted(where, parameter.name, hint, item) for item in value)
    if parameter.kind is not inspect.Parameter.VAR_KEYWORD:
        return _fitted(where, parameter.name, hint, value)
    each = hint if isinstance(hint, dict) else dict.fromkeys(value, hint)
    strange = next((key for key in value if key not in each), None)
    if strange is not None:
        raise _unknown(where, strange, each)
    return {key: _fitted(where, key, each[key], item) for key, item in value.items()}


def _unknown(where: str, name: str, known: Iterable[str]) -> ArgumentError:
    near, listed = nearest(name, known), ", ".join(known)
    words = {"expected": f"one of {listed}"} if near is None else {"advice": f"did you mean {near!r}?"}
    return ArgumentError(f"unknown argument {name!r}", where=where, **words)  # type: ignore[arg-type]


def _bound(
    where: str, signature: inspect.Signature, args: tuple[Any, ...], kwargs: Mapping[str, Any]
) -> inspect.BoundArguments:
    """Arguments by name; one that is unknown, given twice or one too many is an error."""
    try:
        return signature.bind_partial(*args, **kwargs)
    except TypeError as error:
        known = [name for name, item in signature.parameters.items() if item.kind not in _MANY and name != "self"]
        strange = next((name for name in kwargs if name not in signature.parameters), None)
        if strange is not None:
            raise _unknown(where, strange, known) from None
        raise ArgumentError(str(error), where=where, expected=f"the arguments {', '.join(known)}") from None


class _Names(dict[str, Any]):
    """Names of a module; one that only type checkers import stands for any class of that name."""

    def __missing__(self, name: str) -> Any:
        if hasattr(builtins, name):
            raise KeyError(name)  # and Python looks there next
        return type(name, (), {"__only_named__": True})


def _hints(function: Callable[..., Any], kind: type | None) -> dict[str, Any]:
    """Parameter -> its type; of a dataclass, each from the module of the class that declares it."""
    if kind is None or not hasattr(kind, "__dataclass_fields__"):
        return _evaluated(inspect.get_annotations(function), inspect.unwrap(function).__globals__)
    found: dict[str, Any] = {}
    for base in reversed(kind.__mro__[:-1]):
        found |= _evaluated(inspect.get_annotations(base), vars(inspect.getmodule(base)))
    return found


def _evaluated(annotations: Mapping[str, Any], namespace: Mapping[str, Any]) -> dict[str, Any]:
    """Parameter -> its type; keywords that a TypedDict describes are a table of their own."""
    names = _Names({**namespace, "ArrayLike": Numbers})
    found: dict[str, Any] = {}
    for name, hint in annotations.items():
        text = getattr(hint, "__forward_arg__", hint)
        made = eval(text, {}, names) if isinstance(text, str) else text  # our own source
        if get_origin(made) is Unpack:
            table = get_args(made)[0]
            known = not hasattr(table, "__only_named__")
            made = _evaluated(table.__annotations__, vars(sys.modules[table.__module__])) if known else Any
        found[name] = made
    return found


def _fitted(where: str, name: str, hint: Any, value: Any) -> Any:
    """The value as the function expects it, or an error that names the argument."""
    fits, made = fit(value, hint)
    if fits:
        return made
    choices = [word for word in literals(hint) if isinstance(word, str)]
    if isinstance(value, str) and choices:
        near = nearest(value, choices)
        raise ArgumentError(
            f"unknown {name}",
            where=where,
            found=repr(value),
            expected=words(hint),
            advice=None if near is None else f"did you mean {near!r}?",
        )
    text = repr(value)
    found = f"{text[:60]}{'...' if len(text) > 60 else ''} ({type(value).__name__})"
    raise ArgumentError(f"{name} has the wrong type", where=where, found=found, expected=words(hint))


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
