"""Standard output and errors as a shell connects them: closed, to a reader that leaves, or of another alphabet."""

from __future__ import annotations

import io
import os
import sys
from typing import Any


class _Leaving(io.FileIO):
    """A descriptor whose reader may leave: from then on its content goes nowhere, and the work that prints it goes on."""

    def write(self, content: object, /) -> int:
        try:
            return super().write(content)  # type: ignore[arg-type]
        except BrokenPipeError:
            nowhere = os.open(os.devnull, os.O_WRONLY)
            os.dup2(nowhere, self.fileno())
            os.close(nowhere)
            return super().write(content)  # type: ignore[arg-type]


def settle_streams() -> None:
    """Give the process streams that can always be written to, short of a full disk."""
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
