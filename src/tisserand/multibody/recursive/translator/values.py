"""What kernels compute with: numbers, tuples, views of buffers, records. Each has a *kind* that tells how to pass and store it.

Kinds are hashable: a word for a number, else a tuple that begins with a word. The *leaves* of a value are its LLVM values in the
order of its kind; what is constant (shapes of fields of records) belongs to the kind.

Serves theory section 5.2.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from functools import cache
from typing import Any

import numpy as np
from llvmlite import ir

I1, I64, F64 = ir.IntType(1), ir.IntType(64), ir.DoubleType()
POINTER = F64.as_pointer()
#: Numbers from narrow to wide: where two meet in one variable the wider wins.
WIDTHS = ("bool", "int", "float", "complex")
_LEAVES = {"bool": (I1,), "int": (I64,), "float": (F64,), "complex": (F64, F64), "nothing": ()}
_NUMBERS = {"f": "float", "i": "int", "c": "complex"}


class TranslationError(TypeError):
    """A kernel that uses more of Python than the translator knows; the message says where."""


class Layout:
    """A record: places of its fields in words of eight bytes."""

    def __init__(self, dtype: np.dtype[Any]) -> None:
        self.words = dtype.itemsize // 8
        self.fields: dict[str, tuple[int, Any, tuple[int, ...]]] = {}
        for name, (field, offset, *_) in (dtype.fields or {}).items():
            self.fields[name] = (offset // 8, element_of(field.base), field.shape)


@cache
def element_of(dtype: np.dtype[Any]) -> Any:
    """Entry of a buffer: the word of a number, or a layout."""
    return Layout(dtype) if dtype.fields else _NUMBERS[dtype.kind]


def words_of(element: Any) -> int:
    """Words of eight bytes of an entry."""
    return element.words if isinstance(element, Layout) else 2 if element == "complex" else 1


@dataclass(frozen=True, slots=True, eq=False)
class Number:
    """parts: one LLVM value, two for complex; known: the value where it is known now."""

    kind: str
    parts: tuple[Any, ...]
    known: Any = None


@dataclass(frozen=True, slots=True, eq=False)
class Many:
    """A tuple; ``maker`` is the class of a named one."""

    items: tuple[Any, ...]
    maker: Any = None


@dataclass(frozen=True, slots=True, eq=False)
class View:
    """Part of a buffer; sizes are numbers known now or LLVM values, strides count words."""

    element: Any
    pointer: Any
    shape: tuple[Any, ...]
    strides: tuple[Any, ...]


@dataclass(frozen=True, slots=True, eq=False)
class Record:
    """One record of a buffer."""

    layout: Layout
    pointer: Any


@dataclass(frozen=True, slots=True, eq=False)
class Outside:
    """Something of Python that is known now: a function, a module, a class."""

    thing: Any


@dataclass(frozen=True, slots=True, eq=False)
class Called:
    """A compiled function by its address; ``signature`` is numba's."""

    signature: Any
    pointer: Any


NOTHING = Many((), "nothing")


def constant(value: Any) -> Number:
    """A number that is known now."""
    if isinstance(value, bool | np.bool_):
        return Number("bool", (I1(int(value)),), bool(value))
    if isinstance(value, int | np.integer):
        return Number("int", (I64(int(value)),), int(value))
    return Number("float", (F64(float(value)),), float(value))


def kind_of(value: Any) -> Any:
    """The kind of a value."""
    if isinstance(value, Number):
        return value.kind
    if value is NOTHING:
        return "nothing"
    if isinstance(value, Many):
        return ("many", value.maker, tuple(kind_of(one) for one in value.items))
    if isinstance(value, View):
        sizes = tuple(one if isinstance(one, int) else None for one in (*value.shape, *value.strides))
        return ("view", value.element, sizes)
    if isinstance(value, Record):
        return ("record", value.layout)
    if isinstance(value, Called):
        return ("called", value.signature)
    raise TranslationError(f"{value!r} cannot be passed or stored")


def leaves_of(value: Any) -> list[Any]:
    """LLVM values of a value, in the order of ``leaf_types``."""
    if isinstance(value, Number):
        return list(value.parts)
    if isinstance(value, Many):
        return [leaf for one in value.items for leaf in leaves_of(one)]
    if isinstance(value, View):
        return [value.pointer, *(one for one in (*value.shape, *value.strides) if not isinstance(one, int))]
    return [value.pointer]


def leaf_types(kind: Any) -> list[Any]:
    """LLVM types of a kind."""
    if isinstance(kind, str):
        return list(_LEAVES[kind])
    if kind[0] == "many":
        return [leaf for one in kind[2] for leaf in leaf_types(one)]
    if kind[0] == "view":
        return [POINTER, *(I64 for one in kind[2] if one is None)]
    return [POINTER]


def rebuilt(kind: Any, leaves: Iterator[Any]) -> Any:
    """The value of a kind from its leaves."""
    if kind == "nothing":
        return NOTHING
    if isinstance(kind, str):
        return Number(kind, tuple(next(leaves) for _ in _LEAVES[kind]))
    if kind[0] == "many":
        return Many(tuple(rebuilt(one, leaves) for one in kind[2]), kind[1])
    pointer = next(leaves)
    if kind[0] == "record":
        return Record(kind[1], pointer)
    if kind[0] == "called":
        return Called(kind[1], pointer)
    sizes = tuple(next(leaves) if one is None else one for one in kind[2])
    return View(kind[1], pointer, sizes[: len(sizes) // 2], sizes[len(sizes) // 2 :])


def united(first: Any, second: Any) -> Any:
    """The kind that holds values of both."""
    if first == second:
        return first
    if first in WIDTHS and second in WIDTHS:
        return max(first, second, key=WIDTHS.index)
    if first[0] == second[0] == "many" and first[1] is second[1] and len(first[2]) == len(second[2]):
        return ("many", first[1], tuple(united(a, b) for a, b in zip(first[2], second[2], strict=True)))
    if first[0] == second[0] == "view" and first[1] is second[1] and len(first[2]) == len(second[2]):
        return ("view", first[1], tuple(a if a == b else None for a, b in zip(first[2], second[2], strict=True)))
    raise TranslationError(f"one variable cannot hold both {first} and {second}")
