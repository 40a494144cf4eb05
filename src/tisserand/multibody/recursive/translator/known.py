"""Functions that the translator makes itself: of numbers (``math``, ``len`` ...) and of buffers (registered by their files).

Serves theory section 5.2.
"""

from __future__ import annotations

import ast
import math
from collections.abc import Callable
from typing import Any

from llvmlite import ir

from tisserand.multibody.recursive.translator.arithmetic import compared, converted, fitted
from tisserand.multibody.recursive.translator.storage import size_number
from tisserand.multibody.recursive.translator.values import (
    F64,
    I64,
    WIDTHS,
    Number,
    TranslationError,
    View,
    constant,
    kind_of,
    united,
)

#: What makes a call, by the function that Python would call: ``make(program, builder, *values)``.
KNOWN: dict[Any, Callable[..., Any]] = {}


def known(function: Any) -> Callable[[Callable[..., Any]], Callable[..., Any]]:
    """Register what makes the calls of a function."""

    def register(make: Callable[..., Any]) -> Callable[..., Any]:
        KNOWN[function] = make
        return make

    return register


def _intrinsic(function: Any, name: str) -> None:
    @known(function)
    def make(program: Any, builder: Any, value: Any) -> Number:
        number = converted(builder, value, "float")
        return Number("float", (builder.call(builder.module.declare_intrinsic(name, [F64]), [number.parts[0]]),))


def _library(function: Any, name: str) -> None:
    """A function of the C library."""

    @known(function)
    def make(program: Any, builder: Any, *values: Any) -> Number:
        module = builder.module
        kind = ir.FunctionType(F64, [F64] * len(values))
        found = module.globals.get(name) or ir.Function(module, kind, name)
        return Number("float", (builder.call(found, [converted(builder, one, "float").parts[0] for one in values]),))


for _function, _name in (
    (math.cos, "llvm.cos"),
    (math.sin, "llvm.sin"),
    (math.sqrt, "llvm.sqrt"),
    (math.exp, "llvm.exp"),
    (math.ceil, "llvm.ceil"),
    (math.floor, "llvm.floor"),
    (math.log, "llvm.log"),
):
    _intrinsic(_function, _name)
for _routine, _name in (
    (math.atan2, "atan2"),
    (math.tan, "tan"),
    (math.tanh, "tanh"),
    (math.acos, "acos"),
    (math.asin, "asin"),
):
    _library(_routine, _name)


@known(len)
def _len(program: Any, builder: Any, value: Any) -> Number:
    return size_number(value.shape[0]) if isinstance(value, View) else constant(len(value.items))


@known(abs)
def _abs(program: Any, builder: Any, value: Any) -> Number:
    if kind_of(value) == "int":
        below = builder.icmp_signed("<", value.parts[0], I64(0))
        return Number("int", (builder.select(below, builder.neg(value.parts[0]), value.parts[0]),))
    return Number("float", (builder.call(builder.module.declare_intrinsic("llvm.fabs", [F64]), [*_real(value)]),))


def _real(value: Any) -> tuple[Any, ...]:
    if kind_of(value) != "float":
        raise TranslationError(f"abs of {kind_of(value)}")
    return tuple(value.parts)


@known(math.isfinite)
def _isfinite(program: Any, builder: Any, value: Any) -> Number:
    return compared(builder, ast.Lt(), _abs(program, builder, value), constant(math.inf))


@known(int)
def _int(program: Any, builder: Any, value: Any) -> Number:
    if kind_of(value) == "float":
        return Number("int", (builder.fptosi(value.parts[0], I64),))
    return converted(builder, value, "int")


@known(float)
def _float(program: Any, builder: Any, value: Any) -> Number:
    return converted(builder, value, "float")


def _extreme(function: Any, sign: ast.cmpop) -> None:
    @known(function)
    def make(program: Any, builder: Any, *values: Any) -> Any:
        out = values[0]
        for one in values[1:]:  # as Python: the first stays unless the other is beyond it
            kind = united(kind_of(out), kind_of(one))
            if kind not in WIDTHS or kind == "complex":
                raise TranslationError(f"{function.__name__} of {kind}")
            a, b = fitted(builder, out, kind), fitted(builder, one, kind)
            beyond = compared(builder, sign, b, a).parts[0]
            out = Number(kind, (builder.select(beyond, b.parts[0], a.parts[0]),))
        return out


_extreme(min, ast.Lt())
_extreme(max, ast.Gt())
