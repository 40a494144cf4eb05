"""Comparisons between values of a vehicle file, such as ``bodies.bus.inertia[0] < bodies.bus.inertia[1]``, from a fixed safe set.

Names are dotted paths; one that is not a plain word is written in braces: ``{bodies.my-bus.mass} > 100``. Numbers, + - * / **,
comparisons, and, or, not, and the functions below are known; nothing else is.
"""

from __future__ import annotations

import ast
import math
import operator
import re
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from typing import Any

from tisserand.errors import InputError

FUNCTIONS: Mapping[str, Callable[..., float]] = {
    "abs": abs, "min": min, "max": max, "sqrt": math.sqrt, "exp": math.exp, "log": math.log, "sin": math.sin, "cos": math.cos,
    "tan": math.tan, "hypot": math.hypot, "radians": math.radians, "degrees": math.degrees,
}  # fmt: skip
_BINARY: Mapping[type[ast.AST], Callable[[Any, Any], Any]] = {
    ast.Add: operator.add, ast.Sub: operator.sub, ast.Mult: operator.mul, ast.Div: operator.truediv, ast.Pow: operator.pow,
}  # fmt: skip
_COMPARED: Mapping[type[ast.AST], Callable[[Any, Any], bool]] = {
    ast.Lt: operator.lt, ast.LtE: operator.le, ast.Gt: operator.gt, ast.GtE: operator.ge, ast.Eq: operator.eq,
    ast.NotEq: operator.ne,
}  # fmt: skip
_OPERATORS = (*_BINARY, *_COMPARED, ast.And, ast.Or, ast.Not, ast.USub, ast.UAdd)
#: Letters of an expression.
_MOST_LETTERS = 1000
_WORDS = "numbers, names, + - * / **, comparisons, and, or, not, " + ", ".join(FUNCTIONS)


@dataclass(frozen=True)
class Expression:
    """A text that was parsed; ``names`` are the paths that it uses."""

    text: str
    tree: ast.expr
    braced: tuple[str, ...]

    @property
    def names(self) -> tuple[str, ...]:
        return tuple(dict.fromkeys(self._names(self.tree)))

    def _names(self, node: ast.AST) -> Iterator[str]:
        """The paths below a node, in order; whatever is not known is refused."""
        if isinstance(node, ast.Name | ast.Attribute | ast.Subscript):
            yield self._path(node)
            return
        if isinstance(node, ast.Call):
            named = isinstance(node.func, ast.Name) and node.func.id in FUNCTIONS
            known = named and not node.keywords and bool(node.args)
            inner: list[ast.expr] = list(node.args)
        else:
            known = (isinstance(node, ast.Constant) and type(node.value) in (int, float)) or isinstance(
                node, ast.BinOp | ast.UnaryOp | ast.BoolOp | ast.Compare
            )
            known = known and all(
                type(child) in _OPERATORS for child in ast.iter_child_nodes(node) if not _is_part(child)
            )
            inner = [child for child in ast.iter_child_nodes(node) if isinstance(child, ast.expr)]
        if not known:
            raise _refused(self.text)
        for child in inner:
            yield from self._names(child)

    def value(self, values: Mapping[str, float]) -> Any:
        """The number or truth value; a division by zero and the like give NaN, which satisfies no comparison."""
        try:
            return self._walk(self.tree, values.__getitem__)
        except (ArithmeticError, TypeError, ValueError):
            return math.nan

    def _walk(self, node: ast.AST, look: Callable[[str], float]) -> Any:
        if isinstance(node, ast.Constant) and type(node.value) in (int, float):
            return float(node.value)  # type: ignore[arg-type]
        if isinstance(node, ast.Name | ast.Attribute | ast.Subscript):
            return look(self._path(node))
        if isinstance(node, ast.BinOp) and type(node.op) in _BINARY:
            value = _BINARY[type(node.op)](self._walk(node.left, look), self._walk(node.right, look))
            return value if isinstance(value, int | float) else math.nan  # a root of a negative number is complex
        if isinstance(node, ast.UnaryOp):
            value = self._walk(node.operand, look)
            return not value if isinstance(node.op, ast.Not) else -value if isinstance(node.op, ast.USub) else value
        if isinstance(node, ast.BoolOp):
            truths = [bool(self._walk(item, look)) for item in node.values]
            return all(truths) if isinstance(node.op, ast.And) else any(truths)
        if isinstance(node, ast.Compare) and all(type(op) in _COMPARED for op in node.ops):
            sides = [self._walk(item, look) for item in (node.left, *node.comparators)]
            return all(_COMPARED[type(op)](a, b) for op, a, b in zip(node.ops, sides, sides[1:]))
        if (
            isinstance(node, ast.Call)
            and isinstance(node.func, ast.Name)
            and node.func.id in FUNCTIONS
            and not node.keywords
        ):
            return float(FUNCTIONS[node.func.id](*(self._walk(item, look) for item in node.args)))
        raise _refused(self.text)

    def _path(self, node: ast.AST) -> str:
        if isinstance(node, ast.Name):
            braced = re.fullmatch(r"_braced_(\d+)_", node.id)
            return self.braced[int(braced[1])] if braced else node.id
        if isinstance(node, ast.Attribute):
            return f"{self._path(node.value)}.{node.attr}"
        if isinstance(node, ast.Subscript) and isinstance(node.slice, ast.Constant) and type(node.slice.value) is int:
            return f"{self._path(node.value)}.{node.slice.value}"
        raise _refused(self.text)


def parsed(text: str) -> Expression:
    """An expression, after checking that it holds nothing but what is known."""
    braced: list[str] = []

    def taken(match: re.Match[str]) -> str:
        braced.append(match[1].strip())
        return f"_braced_{len(braced) - 1}_"

    if len(text) > _MOST_LETTERS:
        raise _refused(text)
    try:
        tree = ast.parse(re.sub(r"\{([^{}]+)\}", taken, text).strip(), mode="eval").body
    except (SyntaxError, ValueError, RecursionError, MemoryError):
        raise _refused(text) from None
    made = Expression(text, tree, tuple(braced))
    _ = made.names  # refuses what is not known
    return made


def _is_part(node: ast.AST) -> bool:
    return isinstance(node, ast.expr)


def _refused(text: str) -> InputError:
    return InputError("an expression cannot be read", found=repr(text[:80]), expected=_WORDS)
