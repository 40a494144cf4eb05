"""Expressions from a fixed safe set, such as ``bodies.bus.inertia[0] < bodies.bus.inertia[1]`` or ``rms(after(rate, 10))``.

Names are dotted paths; one that is not a plain word is written in braces: ``{bodies.my-bus.mass} > 100``. Numbers, + - * / **,
comparisons, and, or, not, and the functions of the caller are known; whatever else is there is refused by its name.
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


@dataclass(frozen=True)
class Function:
    """A function that expressions may call: with how many arguments, and what computes it."""

    of: Callable[..., Any]
    least: int = 1
    most: int = 1


NUMBERS: Mapping[str, Function] = {
    "abs": Function(abs), "min": Function(min, 2, 20), "max": Function(max, 2, 20), "sqrt": Function(math.sqrt),
    "exp": Function(math.exp), "log": Function(math.log), "sin": Function(math.sin), "cos": Function(math.cos),
    "tan": Function(math.tan), "hypot": Function(math.hypot, 1, 20), "radians": Function(math.radians),
    "degrees": Function(math.degrees),
}  # fmt: skip
_BINARY: Mapping[type[ast.AST], Callable[[Any, Any], Any]] = {
    ast.Add: operator.add, ast.Sub: operator.sub, ast.Mult: operator.mul, ast.Div: operator.truediv, ast.Pow: operator.pow,
}  # fmt: skip
_COMPARED: Mapping[type[ast.AST], Callable[[Any, Any], bool]] = {
    ast.Lt: operator.lt, ast.LtE: operator.le, ast.Gt: operator.gt, ast.GtE: operator.ge, ast.Eq: operator.eq,
    ast.NotEq: operator.ne,
}  # fmt: skip
_SIGNS = (ast.USub, ast.UAdd)
#: Letters of an expression.
_MOST_LETTERS = 1000


@dataclass(frozen=True)
class Expression:
    """A text that was parsed; ``names`` are the paths that it uses; functions: those that it may call."""

    text: str
    tree: ast.expr
    braced: tuple[str, ...]
    functions: Mapping[str, Function]
    comparisons: bool = True

    @property
    def names(self) -> tuple[str, ...]:
        return tuple(dict.fromkeys(self._names(self.tree)))

    def _names(self, node: ast.AST) -> Iterator[str]:
        """The paths below a node, in order; whatever is not known is refused."""
        if isinstance(node, ast.Name | ast.Attribute | ast.Subscript):
            yield self._path(node)
            return
        self._check(node)
        inner = node.args if isinstance(node, ast.Call) else ast.iter_child_nodes(node)
        for child in inner:
            if isinstance(child, ast.expr):
                yield from self._names(child)

    def _check(self, node: ast.AST) -> None:
        """Refuse a node that is not of the set, with the piece of text that it is."""
        if isinstance(node, ast.Call):
            name = node.func.id if isinstance(node.func, ast.Name) else ""
            function = self.functions.get(name)
            if function is None or node.keywords or any(isinstance(item, ast.Starred) for item in node.args):
                raise self._refused(node)
            if not function.least <= len(node.args) <= function.most:
                many = str(function.least)
                many += f" to {function.most}" if function.most > function.least else ""
                raise InputError(
                    f"an expression calls {name} with {len(node.args)} arguments",
                    found=repr(self.text[:80]),
                    expected=many,
                )
            return
        known = isinstance(node, ast.Constant) and type(node.value) in (int, float)
        known |= isinstance(node, ast.BinOp) and type(node.op) in _BINARY
        known |= isinstance(node, ast.UnaryOp) and type(node.op) in _SIGNS
        if self.comparisons:
            known |= isinstance(node, ast.BoolOp) or (isinstance(node, ast.UnaryOp) and isinstance(node.op, ast.Not))
            known |= isinstance(node, ast.Compare) and all(type(op) in _COMPARED for op in node.ops)
        if not known:
            raise self._refused(node)

    def value(self, values: Mapping[str, Any]) -> Any:
        """The number or truth value; a division by zero and the like give NaN, which satisfies no comparison."""
        try:
            return self._walk(self.tree, values.__getitem__)
        except (ArithmeticError, TypeError, ValueError):
            return math.nan

    def _walk(self, node: ast.AST, look: Callable[[str], Any]) -> Any:
        if isinstance(node, ast.Name | ast.Attribute | ast.Subscript):
            return look(self._path(node))
        self._check(node)
        if isinstance(node, ast.Constant):
            return float(node.value)  # type: ignore[arg-type]
        if isinstance(node, ast.BinOp):
            value = _BINARY[type(node.op)](self._walk(node.left, look), self._walk(node.right, look))
            return math.nan if isinstance(value, complex) else value  # a root of a negative number is complex
        if isinstance(node, ast.UnaryOp):
            value = self._walk(node.operand, look)
            return not value if isinstance(node.op, ast.Not) else -value if isinstance(node.op, ast.USub) else value
        if isinstance(node, ast.BoolOp):
            truths = [bool(self._walk(item, look)) for item in node.values]
            return all(truths) if isinstance(node.op, ast.And) else any(truths)
        if isinstance(node, ast.Compare):
            sides = [self._walk(item, look) for item in (node.left, *node.comparators)]
            return all(_COMPARED[type(op)](a, b) for op, a, b in zip(node.ops, sides, sides[1:]))
        assert isinstance(node, ast.Call) and isinstance(node.func, ast.Name)
        return self.functions[node.func.id].of(*(self._walk(item, look) for item in node.args))

    def _path(self, node: ast.AST) -> str:
        if isinstance(node, ast.Name):
            braced = re.fullmatch(r"_braced_(\d+)_", node.id)
            return self.braced[int(braced[1])] if braced else node.id
        if isinstance(node, ast.Attribute):
            return f"{self._path(node.value)}.{node.attr}"
        if isinstance(node, ast.Subscript) and isinstance(node.slice, ast.Constant) and type(node.slice.value) is int:
            return f"{self._path(node.value)}.{node.slice.value}"
        raise self._refused(node)

    def _refused(self, node: ast.AST) -> InputError:
        piece = ast.unparse(node)[:60]
        for number, name in enumerate(self.braced):
            piece = piece.replace(f"_braced_{number}_", f"{{{name}}}")
        return InputError(
            f"an expression holds {piece!r}, which is not of the known set",
            found=repr(self.text[:80]),
            expected=self._words(),
        )

    def _words(self) -> str:
        logic = "comparisons, and, or, not, " if self.comparisons else ""
        return f"numbers, names, + - * / **, {logic}{', '.join(self.functions)}"


def parsed(text: str, functions: Mapping[str, Function] = NUMBERS, *, comparisons: bool = True) -> Expression:
    """An expression, after checking that it holds nothing but what is known; ``comparisons``: whether it may be true or false."""
    braced: list[str] = []

    def taken(match: re.Match[str]) -> str:
        braced.append(match[1].strip())
        return f"_braced_{len(braced) - 1}_"

    made = Expression(text, ast.Constant(0.0), (), functions, comparisons)
    if len(text) > _MOST_LETTERS:
        raise InputError("an expression is too long", found=f"{len(text)} letters", expected=f"at most {_MOST_LETTERS}")
    try:
        tree = ast.parse(re.sub(r"\{([^{}]+)\}", taken, text).strip(), mode="eval").body
        made = Expression(text, tree, tuple(braced), functions, comparisons)
        _ = made.names  # refuses what is not known
    except (SyntaxError, ValueError, RecursionError, MemoryError):
        raise InputError("an expression cannot be read", found=repr(text[:80]), expected=made._words()) from None
    return made
