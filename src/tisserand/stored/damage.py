"""Errors at the boundary of a parser: undecodable content raises a package error, programming mistakes stay visible."""

from __future__ import annotations

import struct
import zipfile
import zlib
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from tisserand.errors import FileError, TisserandError

#: What decoding wrong content raises, whoever decodes it.
_CONTENT = (
    ArithmeticError,
    EOFError,
    LookupError,
    OSError,
    TypeError,
    ValueError,
    struct.error,
    zipfile.BadZipFile,
    zlib.error,
)
#: Longest quote of what a library says; some quote the whole file.
_QUOTED = 160


@contextmanager
def parsing(path: str | Path, what: str, kind: type[FileError] = FileError, **facts: object) -> Iterator[None]:
    """Raise a ``kind`` about ``path`` for content that cannot be decoded in this block; keep the block to the decoding.

    Other exceptions (a missing attribute, a failed assertion, an endless recursion) count as the file's fault only where
    a library raised them; raised by this package, they are mistakes of the program and pass.
    """
    try:
        yield
    except TisserandError:
        raise
    except Exception as error:
        if not (isinstance(error, _CONTENT) or _raised_elsewhere(error)):
            raise
        raise kind(path, what, **{"found": _first_line(error), **facts}) from error


def _raised_elsewhere(error: BaseException) -> bool:
    """True if the innermost frame lies outside this package."""
    step = error.__traceback__
    while step is not None and step.tb_next is not None:
        step = step.tb_next
    return step is not None and not str(step.tb_frame.f_globals.get("__name__", "")).startswith("tisserand")


def _first_line(error: BaseException) -> str:
    line = (str(error).strip("'\"").splitlines() or [""])[0] or type(error).__name__
    return line if len(line) <= _QUOTED else f"{line[:_QUOTED]} ..."
