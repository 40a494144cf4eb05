"""Tables inside one flat buffer: rows of records and matrices that kernels read and write in place, without a copy or a check.

A view borrows the memory of its buffer; the Python caller keeps the buffer. Serves theory section 5.2.
"""

from __future__ import annotations

from typing import Any

import numba
import numpy as np
from numba import types
from numba.core import cgutils
from numba.extending import intrinsic
from numba.np import arrayobj, numpy_support

from tisserand.multibody.recursive.translator.known import known
from tisserand.multibody.recursive.translator.storage import contiguous, moved, number_size, scaled_size
from tisserand.multibody.recursive.translator.values import element_of, words_of


def _borrowed(context: Any, builder: Any, result: Any, data: Any, shape: tuple[Any, ...]) -> Any:
    """An array struct of type ``result`` on borrowed memory, C order."""
    item = context.get_constant(types.intp, context.get_abi_sizeof(context.get_data_type(result.dtype)))
    strides: list[Any] = []
    step = item
    for size in reversed(shape):
        strides.insert(0, step)
        step = builder.mul(step, size)
    array = arrayobj.make_array(result)(context, builder)
    pointer = builder.bitcast(data, context.get_data_type(result.dtype).as_pointer())
    arrayobj.populate_array(array, data=pointer, shape=shape, strides=strides, itemsize=item, meminfo=None)
    return array._getvalue()


def _place(context: Any, builder: Any, kind: Any, value: Any, start: Any) -> Any:
    """Address of entry ``start`` of a flat array."""
    array = arrayobj.make_array(kind)(context, builder, value)
    return cgutils.gep(builder, array.data, start)


def records_view(real: np.dtype[Any], twin: np.dtype[Any] | None = None) -> Any:
    """A function ``f(buffer, start, count)`` that gives ``count`` records from entry ``start`` of a flat buffer.

    Args:
        real: the record of a buffer of floats or integers.
        twin: the record of a buffer of complex numbers, if there is one.
    """
    if numba.config.DISABLE_JIT:
        return lambda buffer, start, count: _plain_records(buffer, start, count, real, twin)

    def view(typing: Any, buffer: Any, start: Any, count: Any) -> Any:
        chosen: Any = twin if isinstance(buffer.dtype, types.Complex) else real
        result = types.Array(numpy_support.from_dtype(chosen), 1, "C", readonly=not buffer.mutable)

        def build(context: Any, builder: Any, signature: Any, args: Any) -> Any:
            place = _place(context, builder, signature.args[0], args[0], args[1])
            return _borrowed(context, builder, signature.return_type, place, (args[2],))

        return result(buffer, types.intp, types.intp), build

    made = intrinsic(view)

    @known(made)
    def translated(program: Any, builder: Any, buffer: Any, start: Any, count: Any) -> Any:
        chosen: Any = twin if buffer.element == "complex" else real
        return _translated_part(builder, buffer, start, element_of(chosen), (number_size(builder, count),))

    return made


def _plain_records(buffer: Any, start: int, count: int, real: Any, twin: Any) -> Any:
    """Records in plain Python, to count operations or to change kernels."""
    chosen = twin if np.iscomplexobj(buffer) else real
    words = chosen.itemsize // buffer.itemsize
    return buffer[start : start + count * words].view(chosen).view(np.recarray)


def _table(typing: Any, flat: Any, start: Any, rows: Any, columns: Any) -> Any:
    """``columns`` values in each of ``rows`` rows from entry ``start`` of a flat array."""
    result = types.Array(flat.dtype, 2, "C", readonly=not flat.mutable)

    def build(context: Any, builder: Any, signature: Any, args: Any) -> Any:
        place = _place(context, builder, signature.args[0], args[0], args[1])
        return _borrowed(context, builder, signature.return_type, place, (args[2], args[3]))

    return result(flat, types.intp, types.intp, types.intp), build


def _part(typing: Any, flat: Any, start: Any, count: Any) -> Any:
    """``count`` values from entry ``start`` of a flat array."""
    result = types.Array(flat.dtype, 1, "C", readonly=not flat.mutable)

    def build(context: Any, builder: Any, signature: Any, args: Any) -> Any:
        place = _place(context, builder, signature.args[0], args[0], args[1])
        return _borrowed(context, builder, signature.return_type, place, (args[2],))

    return result(flat, types.intp, types.intp), build


def _translated_part(builder: Any, flat: Any, start: Any, element: Any, shape: tuple[Any, ...]) -> Any:
    """Entries of a flat view from ``start`` on, in another shape or as records."""
    place = scaled_size(builder, number_size(builder, start), words_of(flat.element))
    return contiguous(builder, element, moved(builder, flat.pointer, place), shape)


def plain_table(flat: Any, start: int, rows: int, columns: int) -> Any:
    """``table`` in plain Python."""
    return flat[start : start + rows * columns].reshape(rows, columns)


def plain_part(flat: Any, start: int, count: int) -> Any:
    """``part`` in plain Python."""
    return flat[start : start + count]


table: Any = plain_table if numba.config.DISABLE_JIT else intrinsic(_table)
part: Any = plain_part if numba.config.DISABLE_JIT else intrinsic(_part)


@known(table)
def _known_table(program: Any, builder: Any, flat: Any, start: Any, rows: Any, columns: Any) -> Any:
    shape = (number_size(builder, rows), number_size(builder, columns))
    return _translated_part(builder, flat, start, flat.element, shape)


@known(part)
def _known_part(program: Any, builder: Any, flat: Any, start: Any, count: Any) -> Any:
    return _translated_part(builder, flat, start, flat.element, (number_size(builder, count),))
