"""Expressions of a kernel.

Serves theory section 5.2.
"""

from __future__ import annotations

import ast
from typing import Any

from tisserand.multibody.recursive.translator.arithmetic import combined, compared, fitted, negative, truth
from tisserand.multibody.recursive.translator.boundary import call_address
from tisserand.multibody.recursive.translator.known import KNOWN
from tisserand.multibody.recursive.translator.storage import contiguous, field, item_of, load, part_of, size_number
from tisserand.multibody.recursive.translator.values import (
    I1,
    I64,
    Called,
    Many,
    Number,
    Outside,
    Record,
    TranslationError,
    View,
    constant,
    kind_of,
    leaf_types,
    leaves_of,
    rebuilt,
    united,
)


class Expressions:
    """Values of expressions; ``value_of`` chooses by the kind of syntax."""

    program: Any
    builder: Any

    def name(self, word: str) -> Any:
        """What a name stands for."""
        raise NotImplementedError

    def value_of(self, node: ast.expr) -> Any:
        """The value of an expression."""
        make = getattr(self, f"_{type(node).__name__.lower()}", None)
        if make is None:
            raise TranslationError(f"{type(node).__name__} is not translated")
        return make(node)

    def _constant(self, node: ast.Constant) -> Any:
        return constant(node.value)

    def _name(self, node: ast.Name) -> Any:
        return self.name(node.id)

    def _tuple(self, node: ast.Tuple) -> Many:
        return Many(tuple(self.value_of(one) for one in node.elts))

    def _attribute(self, node: ast.Attribute) -> Any:
        return self.attribute(self.value_of(node.value), node.attr)

    def attribute(self, value: Any, name: str) -> Any:
        """A field of a record or a named tuple, the shape of a view, the real part of a number."""
        if isinstance(value, Record):
            element, pointer, shape = field(self.builder, value, name)
            return contiguous(self.builder, element, pointer, shape) if shape else load(self.builder, element, pointer)
        if isinstance(value, Many) and hasattr(value.maker, "_fields"):
            return value.items[value.maker._fields.index(name)]
        if isinstance(value, Outside):
            return self.outside(getattr(value.thing, name))
        if isinstance(value, View) and name == "shape":
            return Many(tuple(size_number(one) for one in value.shape))
        if isinstance(value, Number) and name == "real":
            return Number("float", value.parts[:1]) if value.kind == "complex" else value
        raise TranslationError(f"{kind_of(value)} has no {name}")

    def outside(self, thing: Any) -> Any:
        """Something of Python that is known now."""
        if isinstance(thing, bool | int | float):
            return constant(thing)
        if type(thing) is tuple:
            return Many(tuple(self.outside(one) for one in thing))
        return Outside(thing)

    def _subscript(self, node: ast.Subscript) -> Any:
        value = self.value_of(node.value)
        if isinstance(value, Many):
            return item_of(self.builder, value, self.value_of(node.slice))
        found = self.place(value, node.slice)
        return found if found.shape else load(self.builder, found.element, found.pointer)

    def place(self, value: Any, index: ast.expr) -> Any:
        """What an index leaves of a view; no shape: one entry."""
        if not isinstance(value, View):
            raise TranslationError(f"{kind_of(value)} has no entries")
        nodes = index.elts if isinstance(index, ast.Tuple) else [index]
        return part_of(self.builder, value, [self._index(one) for one in nodes])

    def _index(self, node: ast.expr) -> Any:
        if not isinstance(node, ast.Slice):
            return self.value_of(node)
        if node.step is not None:
            raise TranslationError("slices with steps are not translated")
        return tuple(None if one is None else self.value_of(one) for one in (node.lower, node.upper))

    def _binop(self, node: ast.BinOp) -> Any:
        return combined(self.program, self.builder, node.op, self.value_of(node.left), self.value_of(node.right))

    def _unaryop(self, node: ast.UnaryOp) -> Any:
        value = self.value_of(node.operand)
        if isinstance(node.op, ast.Not):
            return Number("bool", (self.builder.not_(truth(self.builder, value)),))
        return negative(self.builder, value) if isinstance(node.op, ast.USub) else value

    def _compare(self, node: ast.Compare) -> Any:
        left, out = self.value_of(node.left), None
        for sign, other in zip(node.ops, node.comparators, strict=True):
            right = self.value_of(other)
            if isinstance(sign, ast.In):
                here = I1(0)
                for one in right.items:
                    here = self.builder.or_(here, compared(self.builder, ast.Eq(), left, one).parts[0])
            else:
                here = compared(self.builder, sign, left, right).parts[0]
            out, left = here if out is None else self.builder.and_(out, here), right
        return Number("bool", (out,))

    def _boolop(self, node: ast.BoolOp) -> Any:
        """``and``, ``or``: what follows is evaluated only where it decides."""
        stop = isinstance(node.op, ast.Or)
        end, coming = self.builder.append_basic_block("decided"), []
        for one in node.values[:-1]:
            found, following = truth(self.builder, self.value_of(one)), self.builder.append_basic_block()
            self.builder.cbranch(found, *((end, following) if stop else (following, end)))
            coming.append((I1(int(stop)), self.builder.block))
            self.builder.position_at_end(following)
        last = truth(self.builder, self.value_of(node.values[-1]))
        coming.append((last, self.builder.block))
        self.builder.branch(end)
        self.builder.position_at_end(end)
        out = self.builder.phi(I1)
        for value, block in coming:
            out.add_incoming(value, block)
        return Number("bool", (out,))

    def _ifexp(self, node: ast.IfExp) -> Any:
        test, builder = truth(self.builder, self.value_of(node.test)), self.builder
        blocks = [builder.append_basic_block() for _ in range(3)]
        builder.cbranch(test, blocks[0], blocks[1])
        ends, values = [], []
        for block, one in zip(blocks, (node.body, node.orelse), strict=False):
            builder.position_at_end(block)
            values.append(self.value_of(one))
            ends.append(builder.block)
        kind = united(kind_of(values[0]), kind_of(values[1]))
        found = []
        for end, value in zip(ends, values, strict=True):
            builder.position_at_end(end)
            found.append(leaves_of(fitted(builder, value, kind)))
            builder.branch(blocks[2])
        builder.position_at_end(blocks[2])
        out = []
        for i, leaf in enumerate(leaf_types(kind)):
            out.append(builder.phi(leaf))
            for end, leaves in zip(ends, found, strict=True):
                out[-1].add_incoming(leaves[i], end)
        return rebuilt(kind, iter(out))

    def _call(self, node: ast.Call) -> Any:
        function = self.value_of(node.func)
        values = [self.value_of(one) for one in node.args]
        if isinstance(function, Called):
            return call_address(self.program.context, self.builder, function, values)
        if node.keywords or not isinstance(function, Outside):
            raise TranslationError("only functions by position are called")
        thing = function.thing
        if isinstance(thing, type) and hasattr(thing, "_fields"):
            return Many(tuple(values), thing)
        if thing in KNOWN:
            return KNOWN[thing](self.program, self.builder, *values)
        return self.program.call(self.builder, thing, values)


def loop_bounds(self: Expressions, node: ast.expr) -> tuple[Any, Any, int]:
    """Start, stop and step of ``range(...)``."""
    if not (isinstance(node, ast.Call) and isinstance(node.func, ast.Name) and node.func.id == "range"):
        raise TranslationError("only loops over ranges are translated")
    values = [self.value_of(one) for one in node.args]
    if any(kind_of(one) != "int" for one in values):
        raise TranslationError("the ends of a range are whole numbers")
    step = values[2].known if len(values) == 3 else 1
    if not isinstance(step, int) or step == 0:
        raise TranslationError("the step of a range is known beforehand")
    start = values[0].parts[0] if len(values) > 1 else I64(0)
    return start, values[1 if len(values) > 1 else 0].parts[0], step
