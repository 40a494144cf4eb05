"""Compile the multibody kernels in the background while something else is being done.

On a fresh installation numba compiles each kernel once and keeps it on disk. A child process that flies a tiny vehicle
fills that store on the second core; where it is full already the child ends in a moment.
"""

from __future__ import annotations

import subprocess
import sys

_FLIGHT = """
import numpy as np
from tisserand.multibody import Body, Rotor, Vehicle, hinge, simulate
bodies = (Body("a", 1.0, inertia=np.eye(3)), Body("b", 1.0, inertia=np.eye(3)))
wheel = Rotor("r", "a", np.array([1.0, 0.0, 0.0]), spin_inertia=0.1)
craft = Vehicle("warm", bodies, (hinge("h", "a", "b", (0, 0, 1)),), (wheel,))
simulate(craft, 0.01, samples=3)
"""


class WarmUp:
    """Starts at once; :meth:`wait` returns when the kernels are on disk (or could not be compiled there, which is no harm)."""

    def __init__(self) -> None:
        self._child = subprocess.Popen(
            [sys.executable, "-c", _FLIGHT],
            stdin=subprocess.DEVNULL,
            stdout=subprocess.DEVNULL,
            stderr=subprocess.DEVNULL,
        )

    def wait(self) -> None:
        self._child.wait()
