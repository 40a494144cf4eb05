"""Between numba and the translator: arguments that come in, and compiled functions that are called by their addresses.

Serves theory section 5.2.
"""

from __future__ import annotations

from typing import Any

from numba import types
from numba.core import cgutils
from numba.np import arrayobj, numpy_support

from tisserand.multibody.recursive.translator.arithmetic import converted
from tisserand.multibody.recursive.translator.storage import contiguous
from tisserand.multibody.recursive.translator.values import (
    I64,
    NOTHING,
    POINTER,
    Called,
    Number,
    TranslationError,
    View,
    element_of,
    kind_of,
    words_of,
)

_NUMBERS = {types.float64: "float", types.int64: "int", types.boolean: "bool"}


def taken(context: Any, builder: Any, kind: Any, value: Any) -> Any:
    """An argument of numba's as a value of the translator."""
    if isinstance(kind, types.Array) and kind.layout == "C":
        array = arrayobj.make_array(kind)(context, builder, value)
        shape = tuple(builder.extract_value(array.shape, i) for i in range(kind.ndim))
        element = element_of(numpy_support.as_dtype(kind.dtype))
        return contiguous(builder, element, builder.bitcast(array.data, POINTER), shape)
    if isinstance(kind, types.FunctionType):
        proxy = cgutils.create_struct_proxy(kind)(context, builder, value)
        return Called(kind.signature, builder.bitcast(proxy.jit_addr, POINTER))
    if kind in _NUMBERS:
        return Number(_NUMBERS[kind], (value,))
    raise TranslationError(f"kernels take arrays in C order, numbers and compiled functions, not {kind}")


def given(context: Any, builder: Any, kind: Any, value: Any) -> Any:
    """A value of the translator as an argument of numba's."""
    if isinstance(kind, types.Array) and isinstance(value, View) and len(value.shape) == kind.ndim:
        shape = [I64(one) if isinstance(one, int) else one for one in value.shape]
        item, strides, step = 8 * words_of(value.element), list[Any](), I64(8 * words_of(value.element))
        for size in reversed(shape):
            strides.insert(0, step)
            step = builder.mul(step, size)
        array = arrayobj.make_array(kind)(context, builder)
        data = builder.bitcast(value.pointer, array.data.type)
        arrayobj.populate_array(array, data=data, shape=shape, strides=strides, itemsize=I64(item), meminfo=None)
        return array._getvalue()
    if kind in _NUMBERS:
        return converted(builder, value, _NUMBERS[kind]).parts[0]
    raise TranslationError(f"{kind_of(value)} cannot be passed as {kind}")


def call_address(context: Any, builder: Any, function: Called, values: list[Any]) -> Any:
    """Call a compiled function of numba's; an exception in one that returns a status counts as a status of 1."""
    result, kinds = function.signature.return_type, function.signature.args
    if len(kinds) != len(values):
        raise TranslationError(f"a compiled function takes {len(kinds)} arguments, not {len(values)}")
    kind = context.call_conv.get_function_type(result, kinds)
    pointer = builder.bitcast(function.pointer, kind.as_pointer())
    args = [given(context, builder, one, value) for one, value in zip(kinds, values, strict=True)]
    status, out = context.call_conv.call_function(builder, pointer, result, kinds, args)
    if result == types.int64:
        out = builder.select(status.is_error, I64(1), out)
    return NOTHING if result == types.void else taken(context, builder, result, out)
