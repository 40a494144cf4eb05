"""Compile the multibody kernels in the background while something else is being done.

On a fresh installation numba compiles each kernel once and keeps it on disk. A child process fills that store on the
second core; where it is full already the child ends in a moment.
"""

from __future__ import annotations

import subprocess
import sys

_COMPILE = "from tisserand.multibody.warm import warm_up; warm_up()"


class WarmUp:
    """Starts at once; :meth:`wait` returns when the kernels are on disk (or could not be compiled there, which does no harm)."""

    def __init__(self) -> None:
        self._child = subprocess.Popen(
            [sys.executable, "-c", _COMPILE],
            stdin=subprocess.DEVNULL,
            stdout=subprocess.DEVNULL,
            stderr=subprocess.DEVNULL,
        )

    def wait(self) -> None:
        self._child.wait()
