"""Standard output and errors as a shell connects them: closed, full, to a reader that leaves, or of another alphabet."""

from __future__ import annotations

import io
import os
import sys
from typing import Any

#: Why standard output could not be written: at most one reason, the first.
_LOST: list[str] = []


class _Leaving(io.FileIO):
    """A descriptor that may become useless: from then on its content goes nowhere, and the work that prints it goes on.

    A reader that leaves is no mistake. A full disk is one: ``lost_output`` tells it once the work is done.
    """

    def write(self, content: object, /) -> int:
        try:
            return super().write(content)  # type: ignore[arg-type]
        except OSError as error:
            if not isinstance(error, BrokenPipeError) and self.fileno() == 1:
                _LOST.append(error.strerror or str(error))
            nowhere = os.open(os.devnull, os.O_WRONLY)
            os.dup2(nowhere, self.fileno())
            os.close(nowhere)
            return super().write(content)  # type: ignore[arg-type]


def lost_output() -> str | None:
    """Why standard output could not be written, after everything was sent; None if it could, or if its reader left."""
    sys.stdout.flush()
    return _LOST[0] if _LOST else None


def settle_streams() -> None:
    """Give the process streams that can always be written to."""
    for name in ("stdout", "stderr"):
        stream = getattr(sys, name)
        if stream is None:  # closed by the caller
            setattr(sys, name, open(os.devnull, "w"))  # noqa: SIM115
            continue
        buffer: Any = getattr(stream, "buffer", None)
        if isinstance(getattr(buffer, "raw", buffer), io.FileIO):
            stream.flush()
            raw = _Leaving(stream.fileno(), "w", closefd=False)
            buffer = raw if stream.write_through else io.BufferedWriter(raw)  # unbuffered: PYTHONUNBUFFERED, python -u
            lines, through = stream.line_buffering, stream.write_through
            settled = io.TextIOWrapper(buffer, stream.encoding, "replace", line_buffering=lines, write_through=through)
            setattr(sys, name, settled)
