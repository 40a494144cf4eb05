"""Functions of a kernel: statements, variables, and one LLVM function for every helper and kinds of arguments.

Serves theory section 5.2.
"""

from __future__ import annotations

import ast
import builtins
import inspect
from functools import cache
from pathlib import Path
from typing import Any

from llvmlite import ir

from tisserand.multibody.recursive.translator.arithmetic import combined, emit_quotient, fitted, truth
from tisserand.multibody.recursive.translator.expressions import Expressions, loop_bounds
from tisserand.multibody.recursive.translator.storage import Variable, field, load, store
from tisserand.multibody.recursive.translator.values import (
    I64,
    NOTHING,
    Many,
    Number,
    TranslationError,
    View,
    kind_of,
    leaf_types,
    leaves_of,
    rebuilt,
    united,
)


class _WiderError(Exception):
    """A variable or result must hold more than was known: the function is made again."""


@cache
def _definitions(path: str) -> dict[int, ast.FunctionDef]:
    """Functions of a source by their first line (of a decorator, if any)."""
    found = {}
    for node in ast.walk(ast.parse(Path(path).read_text(encoding="utf-8"))):
        if isinstance(node, ast.FunctionDef):
            found[min([node.lineno, *(one.lineno for one in node.decorator_list)])] = node
    return found


@cache
def definition_of(function: Any) -> ast.FunctionDef:
    """Syntax tree of a function."""
    return _definitions(inspect.getfile(function))[function.__code__.co_firstlineno]


def plain(thing: Any) -> Any:
    """The Python function of a helper."""
    return getattr(thing, "py_func", thing)


@cache
def _is_straight(function: Any) -> bool:
    """Whether a function has neither branches nor loops and returns at its end, if at all."""
    body = definition_of(function).body
    return not any(isinstance(one, ast.If | ast.For | ast.While) for one in body) and not any(
        isinstance(one, ast.Return) for one in body[:-1]
    )


@cache
def _nested_names(function: Any) -> frozenset[str]:
    """Names that are written inside branches or loops: they need a place in memory; others stand for their last value."""
    found = set()
    for statement in definition_of(function).body:
        if isinstance(statement, ast.If | ast.For | ast.While):
            for node in ast.walk(statement):
                if isinstance(node, ast.Name) and isinstance(node.ctx, ast.Store):
                    found.add(node.id)
    return frozenset(found)


class Program:
    """One module: every helper once for each kinds of arguments."""

    def __init__(self, context: Any, module: Any) -> None:
        self.context, self.module = context, module
        self.made: dict[Any, tuple[Any, Any]] = {}
        self.quotient: Any = None

    def complex_quotient(self) -> Any:
        """Division of complex numbers."""
        self.quotient = self.quotient or emit_quotient(self.module)
        return self.quotient

    def call(self, builder: Any, thing: Any, values: list[Any]) -> Any:
        """Call a helper; straight ones are written in place."""
        function = plain(thing)
        if not inspect.isfunction(function):
            raise TranslationError(f"{thing!r} is not translated")
        if _is_straight(function) and getattr(thing, "targetoptions", {}).get("forceinline"):
            return Body(self, builder, function, values, {}).straight()
        found, result = self.function(function, tuple(kind_of(one) for one in values))
        if not getattr(thing, "targetoptions", {}).get("forceinline"):
            found.attributes.add("noinline")
        out = builder.call(found, [leaf for one in values for leaf in leaves_of(one)])
        types = leaf_types(result)
        parts = [out] if len(types) == 1 else [builder.extract_value(out, i) for i in range(len(types))]
        return rebuilt(result, iter(parts))

    def function(self, function: Any, kinds: tuple[Any, ...]) -> tuple[Any, Any]:
        """The LLVM function of a helper for these kinds, and the kind of its result."""
        key = (function, kinds)
        if key not in self.made:
            variables: dict[str, Any] = {}
            result: list[Any] = []
            while key not in self.made:
                try:
                    self.made[key] = self._attempt(function, kinds, variables, result)
                except _WiderError:
                    continue
        return self.made[key]

    def _attempt(self, function: Any, kinds: tuple[Any, ...], variables: Any, result: list[Any]) -> tuple[Any, Any]:
        types = [leaf for one in kinds for leaf in leaf_types(one)]
        name = self.module.get_unique_name(function.__name__)
        made = ir.Function(self.module, ir.FunctionType(ir.VoidType(), types), name)
        made.linkage = "internal"
        made.attributes.add("nounwind")
        entry, start = made.append_basic_block("entry"), made.append_basic_block("start")
        builder, leaves = ir.IRBuilder(start), iter(made.args)
        body = Body(self, builder, function, [rebuilt(one, leaves) for one in kinds], variables, result, entry)
        try:
            body.whole()
        except _WiderError:
            del self.module.globals[name]
            raise
        ir.IRBuilder(entry).branch(start) if not entry.is_terminated else None
        kind = result[0] if result else "nothing"
        made.ftype = ir.FunctionType(_returned(kind), types)
        made.type = made.ftype.as_pointer()
        made.return_value.type = made.ftype.return_type
        return made, kind


def _returned(kind: Any) -> Any:
    types = leaf_types(kind)
    if not types:
        return ir.VoidType()
    return types[0] if len(types) == 1 else ir.LiteralStructType(types)


class Body(Expressions):
    """One function while it is made."""

    def __init__(
        self,
        program: Program,
        builder: Any,
        function: Any,
        values: list[Any],
        kinds: dict[str, Any],
        result: list[Any] | None = None,
        entry: Any = None,
    ) -> None:
        self.program, self.builder, self.function = program, builder, function
        self.kinds, self.result, self.entry = kinds, result, entry
        self.nested = _nested_names(function)
        self.names: dict[str, Any] = {}
        self.loops: list[tuple[Any, Any]] = []
        words = [one.arg for one in definition_of(function).args.args]
        if len(words) != len(values):
            raise TranslationError(f"{function.__name__} takes {len(words)} arguments, not {len(values)}")
        for word, value in zip(words, values, strict=True):
            self.put(word, value)

    def straight(self) -> Any:
        """The value of a function without branches, written in place."""
        for statement in definition_of(self.function).body:
            if isinstance(statement, ast.Return):
                return NOTHING if statement.value is None else self.located(self.value_of, statement, statement.value)
            self.statement(statement)
        return NOTHING

    def whole(self) -> None:
        """All statements, and the return at the end."""
        self.suite(definition_of(self.function).body)
        if not self.builder.block.is_terminated:
            self.give_back(NOTHING)

    def located(self, make: Any, node: Any, *args: Any) -> Any:
        """Errors with the place in the source."""
        try:
            return make(*args)
        except TranslationError as error:
            if error.args[0].startswith("line "):
                raise
            where = f"line {node.lineno} of {self.function.__name__} ({self.function.__module__})"
            raise TranslationError(f"{where}: {error}") from None

    def name(self, word: str) -> Any:
        """A variable, or what the file of the function knows by that name."""
        if word in self.names:
            found = self.names[word]
            return found.read(self.builder) if isinstance(found, Variable) else found
        if word in self.nested:
            raise TranslationError(f"{word} is read before it is written")
        free = self.function.__code__.co_freevars
        if word in free:
            return self.outside(self.function.__closure__[free.index(word)].cell_contents)
        known = self.function.__globals__
        return self.outside(known[word] if word in known else getattr(builtins, word))

    def put(self, word: str, value: Any) -> None:
        """Let a name stand for a value."""
        if word not in self.nested:
            self.names[word] = value
            return
        kind = kind_of(value)
        before = self.kinds.setdefault(word, kind)
        if kind != before and (wider := united(before, kind)) != before:
            self.kinds[word] = wider
            raise _WiderError
        if word not in self.names:
            self.names[word] = Variable(ir.IRBuilder(self.entry), before, word)
        self.names[word].write(self.builder, value)

    def suite(self, statements: list[ast.stmt]) -> None:
        """Statements in order, up to the one that leaves."""
        for statement in statements:
            if self.builder.block.is_terminated:
                return
            self.located(self.statement, statement, statement)

    def statement(self, node: ast.stmt) -> None:
        """One statement."""
        if isinstance(node, ast.Expr):
            if not isinstance(node.value, ast.Constant):
                self.value_of(node.value)
            return
        make = getattr(self, f"_do_{type(node).__name__.lower()}", None)
        if make is None:
            raise TranslationError(f"{type(node).__name__} is not translated")
        make(node)

    def _do_pass(self, node: ast.Pass) -> None:
        """Nothing."""

    def _do_assign(self, node: ast.Assign) -> None:
        value = self.value_of(node.value)
        for target in node.targets:
            self.assign(target, value)

    def assign(self, target: ast.expr, value: Any) -> None:
        """Write a name, several of them, an entry or a field."""
        if isinstance(target, ast.Name):
            self.put(target.id, value)
        elif isinstance(target, ast.Tuple):
            if not isinstance(value, Many) or len(value.items) != len(target.elts):
                raise TranslationError(f"{kind_of(value)} is not a tuple of {len(target.elts)}")
            for one, part in zip(target.elts, value.items, strict=True):
                self.assign(one, part)
        else:
            store(self.builder, *self.target(target), value)

    def target(self, node: ast.expr) -> tuple[Any, Any]:
        """Element and place of an entry or field."""
        if isinstance(node, ast.Attribute):
            element, pointer, shape = field(self.builder, self.value_of(node.value), node.attr)
        elif isinstance(node, ast.Subscript):
            found: View = self.place(self.value_of(node.value), node.slice)
            element, pointer, shape = found.element, found.pointer, found.shape
        else:
            raise TranslationError(f"{type(node).__name__} cannot be written")
        if shape:
            raise TranslationError("whole views are not written")
        return element, pointer

    def _do_augassign(self, node: ast.AugAssign) -> None:
        if isinstance(node.target, ast.Name):
            before = self.name(node.target.id)
            self.put(node.target.id, combined(self.program, self.builder, node.op, before, self.value_of(node.value)))
            return
        element, pointer = self.target(node.target)
        change = self.value_of(node.value)
        after = combined(self.program, self.builder, node.op, load(self.builder, element, pointer), change)
        store(self.builder, element, pointer, after)

    def _do_if(self, node: ast.If) -> None:
        builder = self.builder
        test = truth(builder, self.value_of(node.test))
        blocks = [builder.append_basic_block() for _ in range(3)]
        builder.cbranch(test, blocks[0], blocks[1])
        for block, statements in zip(blocks, (node.body, node.orelse), strict=False):
            builder.position_at_end(block)
            self.suite(statements)
            if not builder.block.is_terminated:
                builder.branch(blocks[2])
        builder.position_at_end(blocks[2])

    def _do_while(self, node: ast.While) -> None:
        builder = self.builder
        top, inside, after = (builder.append_basic_block() for _ in range(3))
        builder.branch(top)
        builder.position_at_end(top)
        builder.cbranch(truth(builder, self.value_of(node.test)), inside, after)
        self._loop(inside, node.body, top, after)

    def _loop(self, inside: Any, statements: list[ast.stmt], again: Any, after: Any) -> None:
        self.loops.append((again, after))
        self.builder.position_at_end(inside)
        self.suite(statements)
        if not self.builder.block.is_terminated:
            self.builder.branch(again)
        self.loops.pop()
        self.builder.position_at_end(after)

    def _do_for(self, node: ast.For) -> None:
        builder = self.builder
        start, stop, step = loop_bounds(self, node.iter)
        counter = ir.IRBuilder(self.entry).alloca(I64)
        top, inside, again, after = (builder.append_basic_block() for _ in range(4))
        builder.store(start, counter)
        builder.branch(top)
        builder.position_at_end(top)
        builder.cbranch(builder.icmp_signed("<" if step > 0 else ">", builder.load(counter), stop), inside, after)
        builder.position_at_end(again)
        builder.store(builder.add(builder.load(counter), I64(step), flags=["nsw"]), counter)
        builder.branch(top)
        builder.position_at_end(inside)
        self.assign(node.target, Number("int", (builder.load(counter),)))
        self._loop(inside, node.body, again, after)

    def _do_break(self, node: ast.Break) -> None:
        self.builder.branch(self.loops[-1][1])

    def _do_continue(self, node: ast.Continue) -> None:
        self.builder.branch(self.loops[-1][0])

    def _do_return(self, node: ast.Return) -> None:
        self.give_back(NOTHING if node.value is None else self.value_of(node.value))

    def give_back(self, value: Any) -> None:
        """Return a value from an LLVM function."""
        if self.result is None:
            raise TranslationError("a function written in place returns at its end")
        kind = kind_of(value)
        if not self.result:
            self.result.append(kind)
        if self.result[0] != kind:
            wider = united(self.result[0], kind)
            if wider != self.result[0]:
                self.result[0] = wider
                raise _WiderError
        leaves = leaves_of(fitted(self.builder, value, self.result[0]))
        if not leaves:
            self.builder.ret_void()
        elif len(leaves) == 1:
            self.builder.ret(leaves[0])
        else:
            out = ir.Constant(_returned(self.result[0]), ir.Undefined)
            for i, leaf in enumerate(leaves):
                out = self.builder.insert_value(out, leaf, i)
            self.builder.ret(out)
