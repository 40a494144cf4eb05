"""Compile the multibody kernels in the background while something else is being done.

On a fresh installation numba compiles each kernel once and keeps it on disk. A child process fills that store on the
second core; where it is full already the child ends in a moment.
"""

from __future__ import annotations

import subprocess
import sys
from typing import Self

#: The child ends with its parent, which holds the other end of its standard input.
_COMPILE = """
import os, threading
threading.Thread(target=lambda: (os.read(0, 1), os._exit(1)), daemon=True).start()
from tisserand.multibody.warm import warm_up
warm_up()
"""


class WarmUp:
    """Starts at once; :meth:`wait` returns when the kernels are on disk (or could not be compiled there, which does no harm).

    At the end of its ``with`` block, or with this process, the child ends.
    """

    def __init__(self) -> None:
        self._child = subprocess.Popen(
            [sys.executable, "-c", _COMPILE],
            stdin=subprocess.PIPE,
            stdout=subprocess.DEVNULL,
            stderr=subprocess.DEVNULL,
        )

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self._child.kill()
        self._child.communicate()

    def wait(self) -> None:
        self._child.wait()
