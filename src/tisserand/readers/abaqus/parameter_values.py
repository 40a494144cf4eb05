"""PARAMETER: names for numbers and words, by arithmetic, that other lines of a deck name as ``<name>``."""

from __future__ import annotations

import ast
import math
import operator
import re
import warnings
from collections.abc import Callable, Sequence

from tisserand.readers.abaqus.scan import Keyword

Value = int | float | str
_NAMED = re.compile(r"<\s*([A-Za-z]\w*)\s*>")
_STATED = re.compile(r"([A-Za-z]\w*)\s*=(?!=)\s*(.+)")
_FUNCTIONS: dict[str, Callable[..., float]] = {
    **{name: getattr(math, name) for name in ("sqrt", "sin", "cos", "tan", "asin", "acos", "atan", "exp", "log")},
    "log10": math.log10,
    "abs": abs,
    "float": float,
    "int": int,
}
_OPERATORS: dict[type[ast.AST], Callable[..., float]] = {
    ast.Add: operator.add,
    ast.Sub: operator.sub,
    ast.Mult: operator.mul,
    ast.Div: operator.truediv,
    ast.Pow: math.pow,
    ast.USub: operator.neg,
    ast.UAdd: operator.pos,
}
#: Letters of one expression; largest magnitude of a number, so that products of products end.
_LONGEST, _LARGEST = 400, 1e60
#: Names that a message lists.
_LISTED = 12


def insert_parameters(keywords: Sequence[Keyword]) -> None:
    """Replace every ``<name>`` by its value, in place; a deck without PARAMETER keeps its text."""
    values: dict[str, Value] = {}
    for keyword in keywords:
        if keyword.name == "PARAMETER":
            _state(keyword, values)
    if not values:
        return
    for keyword in keywords:
        if keyword.name in ("PARAMETER", "HEADING"):
            continue
        for name, text in keyword.options.items():
            if "<" in text:
                keyword.options[name] = _inserted(keyword, None, text, values)
        for row, text in enumerate(keyword.data):
            if "<" in text:
                keyword.data[row] = _inserted(keyword, row, text, values)


def _inserted(keyword: Keyword, row: int | None, text: str, values: dict[str, Value]) -> str:
    def value(found: re.Match[str]) -> str:
        if found[1].upper() not in values:
            known = ", ".join([*list(values)[:_LISTED], *(["..."] if len(values) > _LISTED else [])])
            raise keyword.error("no *PARAMETER states this name", row=row, found=found[0], expected=f"one of {known}")
        given = values[found[1].upper()]
        return given if isinstance(given, str) else repr(given)

    return _NAMED.sub(value, text)


def _state(keyword: Keyword, values: dict[str, Value]) -> None:
    if set(keyword.options) - {"INPUT"}:
        raise keyword.error(
            "parameters that depend on others by a table are not supported", found=", ".join(keyword.options)
        )
    for row, line in enumerate(keyword.data):
        text = line.partition("#")[0].strip()
        if not text:
            continue
        stated = _STATED.fullmatch(text)
        if stated is None or len(text) > _LONGEST:
            raise keyword.error("a line states no parameter", row=row, found=repr(text[:40]), expected="name = value")
        name, value = stated[1].upper(), _value(keyword, row, stated[2], values)
        if values.setdefault(name, value) != value:
            raise keyword.error(
                "a parameter is stated twice with different values", row=row, found=f"{stated[1]} = {value}",
                expected=f"{values[name]} as before",
            )  # fmt: skip


def _value(keyword: Keyword, row: int, text: str, values: dict[str, Value]) -> Value:
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore", SyntaxWarning)  # what Python says of spelling
            return _computed(ast.parse(text, mode="eval").body, values)
    except KeyError as error:
        raise keyword.error("a parameter is not stated before it is used", row=row, found=str(error.args[0])) from None
    except (SyntaxError, ValueError, TypeError, ArithmeticError, RecursionError, MemoryError) as error:
        why = str(error) if type(error) is ValueError else "it cannot be computed"
        raise keyword.error(
            f"the value of a parameter is not understood: {why}", row=row, found=repr(text[:60]),
            expected="numbers, names stated before, + - * / ** and functions such as sqrt",
        ) from None  # fmt: skip


def _computed(node: ast.AST, values: dict[str, Value]) -> Value:
    found = _result(node, values)
    if not isinstance(found, str) and not abs(found) <= _LARGEST:
        raise ValueError(f"a number beyond {_LARGEST:g}")
    if isinstance(found, str) and not found.isprintable():
        raise ValueError("a word of several lines")
    return found


def _result(node: ast.AST, values: dict[str, Value]) -> Value:
    if (
        isinstance(node, ast.Constant)
        and isinstance(node.value, int | float | str)
        and not isinstance(node.value, bool)
    ):
        return node.value
    if isinstance(node, ast.Name):
        return values[node.id.upper()]
    if isinstance(node, ast.UnaryOp) and type(node.op) in _OPERATORS:
        return _OPERATORS[type(node.op)](_number(node.operand, values))
    if isinstance(node, ast.BinOp) and type(node.op) in _OPERATORS:
        left, right = _number(node.left, values), _number(node.right, values)
        whole = isinstance(left, int) and isinstance(right, int)
        if whole and isinstance(node.op, ast.Div):
            if right == 0 or left % right:
                raise ValueError("a quotient of whole numbers; write one with a point")
            return left // right
        found = _OPERATORS[type(node.op)](left, right)
        return int(found) if whole and isinstance(node.op, ast.Pow) and found.is_integer() else found
    if isinstance(node, ast.Call) and isinstance(node.func, ast.Name) and not node.keywords:
        if node.func.id not in _FUNCTIONS:
            raise ValueError(f"{node.func.id} is not a function here")
        return _FUNCTIONS[node.func.id](*(_number(item, values) for item in node.args))
    raise ValueError("only arithmetic is possible here")


def _number(node: ast.AST, values: dict[str, Value]) -> int | float:
    found = _computed(node, values)
    if isinstance(found, str):
        raise ValueError("a word in arithmetic")
    return found
