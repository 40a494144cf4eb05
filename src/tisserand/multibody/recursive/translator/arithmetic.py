"""Numbers: conversions, operations, comparisons. Complex numbers are two reals; a real factor costs two products, not four.

Serves theory section 5.2.
"""

from __future__ import annotations

import ast
import math
import operator
from collections.abc import Callable
from typing import Any

from llvmlite import ir

from tisserand.multibody.recursive.translator.values import (
    F64,
    I64,
    WIDTHS,
    Many,
    Number,
    TranslationError,
    View,
    constant,
    kind_of,
)

_FOLDED: dict[type, Callable[[Any, Any], Any]] = {ast.Add: operator.add, ast.Sub: operator.sub, ast.Mult: operator.mul}
_INTEGER = {ast.Add: "add", ast.Sub: "sub", ast.Mult: "mul"}
_REAL = {ast.Add: "fadd", ast.Sub: "fsub", ast.Mult: "fmul", ast.Div: "fdiv"}
_SIGNS: dict[type, str] = {ast.Lt: "<", ast.LtE: "<=", ast.Gt: ">", ast.GtE: ">=", ast.Eq: "==", ast.NotEq: "!="}


def converted(builder: Any, number: Number, kind: str) -> Number:
    """The number as a wider kind."""
    if number.kind == kind:
        return number
    if number.known is not None and kind == "float":
        return constant(float(number.known))
    if WIDTHS.index(kind) < WIDTHS.index(number.kind):
        raise TranslationError(f"a {number.kind} number cannot become {kind}")
    if kind == "int":
        return Number("int", (builder.zext(number.parts[0], I64),))
    if number.kind == "bool":
        number = converted(builder, number, "int")
    if number.kind == "int":
        number = Number("float", (builder.sitofp(number.parts[0], F64),))
    return number if kind == "float" else Number("complex", (number.parts[0], F64(0.0)))


def fitted(builder: Any, value: Any, kind: Any) -> Any:
    """The value as a kind that holds it."""
    if isinstance(value, Number):
        return converted(builder, value, kind)
    if isinstance(value, Many) and kind != "nothing":
        return Many(tuple(fitted(builder, a, b) for a, b in zip(value.items, kind[2], strict=True)), value.maker)
    if isinstance(value, View):
        sizes = [
            I64(one) if isinstance(one, int) and wanted is None else one
            for one, wanted in zip((*value.shape, *value.strides), kind[2], strict=True)
        ]
        return View(value.element, value.pointer, tuple(sizes[: len(value.shape)]), tuple(sizes[len(value.shape) :]))
    return value


def truth(builder: Any, value: Any) -> Any:
    """Whether a value is true, as one bit."""
    if not isinstance(value, Number) or value.kind == "complex":
        raise TranslationError(f"{kind_of(value)} is neither true nor false")
    if value.kind == "bool":
        return value.parts[0]
    if value.kind == "int":
        return builder.icmp_signed("!=", value.parts[0], I64(0))
    return builder.fcmp_unordered("!=", value.parts[0], F64(0.0))


def negative(builder: Any, value: Number) -> Number:
    """-value."""
    if value.known is not None:
        return constant(-value.known)
    if value.kind == "int":
        return Number("int", (builder.neg(value.parts[0]),))
    return Number(value.kind, tuple(builder.fneg(one) for one in value.parts))


def combined(program: Any, builder: Any, operation: ast.operator, a: Any, b: Any) -> Number:
    """a operation b."""
    kind_a, kind_b, name = kind_of(a), kind_of(b), type(operation)
    if kind_a not in WIDTHS or kind_b not in WIDTHS:
        raise TranslationError(f"{name.__name__} of {kind_a} and {kind_b}")
    if name is ast.Pow:
        return power(program, builder, a, b)
    if "complex" in (kind_a, kind_b):
        return _complex(program, builder, name, a, b)
    if kind_a in ("int", "bool") and kind_b in ("int", "bool") and name is not ast.Div:
        return _integer(builder, name, converted(builder, a, "int"), converted(builder, b, "int"))
    a, b = converted(builder, a, "float"), converted(builder, b, "float")
    if name not in _REAL:
        raise TranslationError(f"{name.__name__} of reals")
    return Number("float", (getattr(builder, _REAL[name])(a.parts[0], b.parts[0]),))


def _integer(builder: Any, name: type, a: Number, b: Number) -> Number:
    if a.known is not None and b.known is not None and name in _FOLDED:
        return constant(_FOLDED[name](a.known, b.known))
    x, y = a.parts[0], b.parts[0]
    if name in _INTEGER:
        return Number("int", (getattr(builder, _INTEGER[name])(x, y),))
    if name not in (ast.FloorDiv, ast.Mod):
        raise TranslationError(f"{name.__name__} of integers")
    rest = builder.srem(x, y)  # of the sign of x; Python's has that of y
    off = builder.and_(builder.icmp_signed("!=", rest, I64(0)), builder.icmp_signed("<", builder.xor(rest, y), I64(0)))
    if name is ast.Mod:
        return Number("int", (builder.select(off, builder.add(rest, y), rest),))
    quotient = builder.sdiv(x, y)
    return Number("int", (builder.select(off, builder.sub(quotient, I64(1)), quotient),))


def _complex(program: Any, builder: Any, name: type, a: Number, b: Number) -> Number:
    a, b = (one if one.kind == "complex" else converted(builder, one, "float") for one in (a, b))
    x, y = a.parts[0], b.parts[0]
    both = a.kind == b.kind
    if name in (ast.Add, ast.Sub):
        step = builder.fadd if name is ast.Add else builder.fsub
        if both:
            return Number("complex", (step(x, y), step(a.parts[1], b.parts[1])))
        if a.kind == "complex":
            return Number("complex", (step(x, y), a.parts[1]))
        return Number("complex", (step(x, y), b.parts[1] if name is ast.Add else builder.fneg(b.parts[1])))
    if name is ast.Mult:
        if both:
            p, q = a.parts[1], b.parts[1]
            real = builder.fsub(builder.fmul(x, y), builder.fmul(p, q))
            return Number("complex", (real, builder.fadd(builder.fmul(x, q), builder.fmul(p, y))))
        factor, other = (y, a) if a.kind == "complex" else (x, b)
        return Number("complex", tuple(builder.fmul(factor, one) for one in other.parts))
    if name is not ast.Div:
        raise TranslationError(f"{name.__name__} of complex numbers")
    if b.kind == "float":
        return Number("complex", tuple(builder.fdiv(one, y) for one in a.parts))
    found = builder.call(program.complex_quotient(), [*converted(builder, a, "complex").parts, *b.parts])
    return Number("complex", (builder.extract_value(found, 0), builder.extract_value(found, 1)))


def emit_quotient(module: Any) -> Any:
    """(a + ib)/(c + id) by Smith's method: no overflow where the quotient has none."""
    pair = ir.LiteralStructType([F64, F64])
    function = ir.Function(module, ir.FunctionType(pair, [F64] * 4), module.get_unique_name("quotient"))
    function.linkage = "internal"
    function.attributes.add("nounwind")
    builder = ir.IRBuilder(function.append_basic_block())
    a, b, c, d = function.args
    magnitude = module.declare_intrinsic("llvm.fabs", [F64])
    first = builder.fcmp_ordered(">=", builder.call(magnitude, [c]), builder.call(magnitude, [d]))
    with builder.if_then(first):
        ratio = builder.fdiv(d, c)
        below = builder.fadd(c, builder.fmul(d, ratio))
        real = builder.fdiv(builder.fadd(a, builder.fmul(b, ratio)), below)
        imaginary = builder.fdiv(builder.fsub(b, builder.fmul(a, ratio)), below)
        builder.ret(_pair(builder, pair, real, imaginary))
    ratio = builder.fdiv(c, d)
    below = builder.fadd(builder.fmul(c, ratio), d)
    real = builder.fdiv(builder.fadd(builder.fmul(a, ratio), b), below)
    imaginary = builder.fdiv(builder.fsub(builder.fmul(b, ratio), a), below)
    builder.ret(_pair(builder, pair, real, imaginary))
    return function


def _pair(builder: Any, kind: Any, first: Any, second: Any) -> Any:
    return builder.insert_value(builder.insert_value(ir.Constant(kind, ir.Undefined), first, 0), second, 1)


def power(program: Any, builder: Any, a: Number, b: Number) -> Number:
    """a**b: products for known whole exponents, else the real function."""
    if isinstance(b.known, int) and 1 <= b.known <= 4:
        out = a
        for _ in range(b.known - 1):
            out = combined(program, builder, ast.Mult(), out, a)
        return out
    base, exponent = converted(builder, a, "float"), converted(builder, b, "float")
    function = builder.module.declare_intrinsic("llvm.pow", [F64])
    return Number("float", (builder.call(function, [base.parts[0], exponent.parts[0]]),))


def compared(builder: Any, sign: ast.cmpop, a: Any, b: Any) -> Number:
    """a sign b, of real numbers."""
    kind = max((kind_of(a), kind_of(b)), key=lambda one: WIDTHS.index(one) if one in WIDTHS else math.inf)
    if kind not in WIDTHS or kind == "complex" or type(sign) not in _SIGNS:
        raise TranslationError(f"{type(sign).__name__} of {kind_of(a)} and {kind_of(b)}")
    if kind != "float":
        kind = "int"
    x, y = converted(builder, a, kind).parts[0], converted(builder, b, kind).parts[0]
    word = _SIGNS[type(sign)]
    if kind == "int":
        return Number("bool", (builder.icmp_signed(word, x, y),))
    compare = builder.fcmp_unordered if word == "!=" else builder.fcmp_ordered
    return Number("bool", (compare(word, x, y),))
