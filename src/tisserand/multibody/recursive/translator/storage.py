"""Memory: variables of a kernel, entries and parts of buffers, fields of records.

Indices count from the start and are not checked.

Serves theory section 5.2.
"""

from __future__ import annotations

from typing import Any

from tisserand.multibody.recursive.translator.arithmetic import converted, fitted
from tisserand.multibody.recursive.translator.values import (
    I64,
    Layout,
    Many,
    Number,
    Record,
    TranslationError,
    View,
    constant,
    kind_of,
    leaf_types,
    leaves_of,
    rebuilt,
    words_of,
)


class Variable:
    """A place on the stack for one name."""

    def __init__(self, builder: Any, kind: Any, name: str) -> None:
        self.kind = kind
        self.places = [builder.alloca(one, name=name) for one in leaf_types(kind)]

    def read(self, builder: Any) -> Any:
        """What the variable holds."""
        return rebuilt(self.kind, iter([builder.load(place) for place in self.places]))

    def write(self, builder: Any, value: Any) -> None:
        """Hold a value of a kind that fits."""
        for leaf, place in zip(leaves_of(fitted(builder, value, self.kind)), self.places, strict=True):
            builder.store(leaf, place)


def moved(builder: Any, pointer: Any, words: Any) -> Any:
    """The place ``words`` further on."""
    if isinstance(words, int):
        return builder.gep(pointer, [I64(words)], inbounds=True) if words else pointer
    return builder.gep(pointer, [words], inbounds=True)


def scaled_size(builder: Any, a: Any, b: Any) -> Any:
    """a b of sizes that are known now or LLVM values."""
    if isinstance(a, int) and isinstance(b, int):
        return a * b
    for one, other in ((a, b), (b, a)):
        if isinstance(one, int) and one == 1:
            return other
    return builder.mul(*(I64(one) if isinstance(one, int) else one for one in (a, b)))


def size_number(size: Any) -> Number:
    """A size as a number."""
    return constant(size) if isinstance(size, int) else Number("int", (size,))


def number_size(builder: Any, value: Any) -> Any:
    """A number as a size."""
    number = converted(builder, value, "int")
    return number.parts[0] if number.known is None else int(number.known)


def load(builder: Any, element: Any, pointer: Any) -> Any:
    """An entry: a number, or a record in place."""
    if isinstance(element, Layout):
        return Record(element, pointer)
    if element == "int":
        return Number("int", (builder.load(builder.bitcast(pointer, I64.as_pointer())),))
    if element == "float":
        return Number("float", (builder.load(pointer),))
    return Number("complex", (builder.load(pointer), builder.load(moved(builder, pointer, 1))))


def store(builder: Any, element: Any, pointer: Any, value: Any) -> None:
    """Write an entry."""
    if isinstance(element, Layout) or not isinstance(value, Number):
        raise TranslationError(f"{kind_of(value)} cannot be written to an entry")
    number = converted(builder, value, element)
    if element == "int":
        builder.store(number.parts[0], builder.bitcast(pointer, I64.as_pointer()))
        return
    builder.store(number.parts[0], pointer)
    if element == "complex":
        builder.store(number.parts[1], moved(builder, pointer, 1))


def field(builder: Any, record: Record, name: str) -> tuple[Any, Any, tuple[int, ...]]:
    """Element, place and shape of a field."""
    if name not in record.layout.fields:
        raise TranslationError(f"the record has no field {name}")
    offset, element, shape = record.layout.fields[name]
    return element, moved(builder, record.pointer, offset), shape


def contiguous(builder: Any, element: Any, pointer: Any, shape: tuple[Any, ...]) -> View:
    """A view of entries that follow each other, C order."""
    strides: list[Any] = []
    step: Any = words_of(element)
    for size in reversed(shape):
        strides.insert(0, step)
        step = scaled_size(builder, step, size)
    return View(element, pointer, shape, tuple(strides))


def part_of(builder: Any, view: View, indices: list[Any]) -> Any:
    """What indices leave of a view: a view, or the place of one entry. An index is a number or a pair of ends (slice)."""
    pointer, shape, strides = view.pointer, [], []
    if len(indices) > len(view.shape):
        raise TranslationError(f"{len(indices)} indices of a view with {len(view.shape)}")
    for i, (size, stride) in enumerate(zip(view.shape, view.strides, strict=True)):
        index = indices[i] if i < len(indices) else (None, None)
        start = index if isinstance(index, Number) else index[0]
        if start is not None:
            pointer = moved(builder, pointer, scaled_size(builder, number_size(builder, start), stride))
        if isinstance(index, Number):
            continue
        strides.append(stride)
        shape.append(_length(builder, size, *index))
    return View(view.element, pointer, tuple(shape), tuple(strides))


def _length(builder: Any, size: Any, start: Any, stop: Any) -> Any:
    end = size if stop is None else number_size(builder, stop)
    begin = 0 if start is None else number_size(builder, start)
    if isinstance(end, int) and isinstance(begin, int):
        return end - begin
    if isinstance(begin, int) and begin == 0:
        return end
    return builder.sub(*(I64(one) if isinstance(one, int) else one for one in (end, begin)))


def item_of(builder: Any, many: Many, index: Number) -> Any:
    """An item of a tuple; all items have one kind where the index is not known now."""
    if index.known is not None:
        return many.items[index.known]
    out = many.items[-1]
    for i in range(len(many.items) - 2, -1, -1):
        here, one = builder.icmp_signed("==", index.parts[0], I64(i)), many.items[i]
        if not isinstance(one, Number) or one.kind != out.kind:
            raise TranslationError("only tuples of numbers of one kind can be indexed by a variable")
        parts = zip(one.parts, out.parts, strict=True)
        out = Number(one.kind, tuple(builder.select(here, a, b) for a, b in parts))
    return out
