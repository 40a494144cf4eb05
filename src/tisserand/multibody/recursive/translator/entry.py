"""A translated kernel as numba knows it: a function of its own kind, with its cache on disk, its address and its Python door.

Serves theory section 5.2.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from numba.core import cgutils
from numba.extending import intrinsic

from tisserand.multibody.recursive.translator.boundary import taken
from tisserand.multibody.recursive.translator.functions import Program
from tisserand.multibody.recursive.translator.values import Number, TranslationError, kind_of


def shell(function: Callable[..., Any], result: Any) -> Callable[..., Any]:
    """A function with the name, place and arguments of a kernel whose only statement calls its translation."""
    code = function.__code__
    words = ", ".join(code.co_varnames[: code.co_argcount])
    # one tuple of all; a number stands before them, since numba takes a tuple that begins with a function for one of functions
    text = (
        "\n" * (code.co_firstlineno - 1) + f"def {function.__name__}({words}):\n    return _translated((0, {words}))\n"
    )
    names: dict[str, Any] = {"_translated": _translation(function, result), "__name__": function.__module__}
    exec(compile(text, code.co_filename, "exec"), names)  # nothing but the names of the kernel's arguments
    made: Callable[..., Any] = names[function.__name__]
    made.__qualname__, made.__doc__, made.__module__ = function.__qualname__, function.__doc__, function.__module__
    return made


def _translation(function: Callable[..., Any], result: Any) -> Any:
    """The call of a translated kernel inside a function of numba's; it takes one tuple of a number and all arguments."""

    def translated(typing: Any, given: Any) -> Any:
        def build(context: Any, builder: Any, signature: Any, args: Any) -> Any:
            kinds, parts = signature.args[0].types[1:], cgutils.unpack_tuple(builder, args[0])[1:]
            values = [taken(context, builder, kind, part) for kind, part in zip(kinds, parts, strict=True)]
            out = Program(context, builder.module).call(builder, function, values)
            if kind_of(out) not in ("int", "nothing"):
                raise TranslationError(f"{function.__name__} returns {kind_of(out)}, not a status")
            return out.parts[0] if isinstance(out, Number) else context.get_dummy_value()

        return result(given), build

    return intrinsic(translated)
