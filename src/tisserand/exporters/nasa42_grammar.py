"""A strict reader of 42's Flex files, written from the line-by-line grammar that 42's own reader follows."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path

import numpy as np

from tisserand.arrays import FloatArray
from tisserand.errors import ReadError
from tisserand.files import text_of

#: 42 reads the rest of a line into char[80].
LONGEST_TAIL = 79


@dataclass(frozen=True, eq=False, kw_only=True)
class FlexData:
    """Contents of a flexible-body file of NASA 42.

    joint_psi, joint_theta (j, 3, k), node_psi, node_theta (n, 3, k), mass, stiffness, damping (k, k), P, H (k, 3), L (3, 3, k)
    mode axis first, N (3, 3, k, k).
    """

    joint_psi: FloatArray
    joint_theta: FloatArray
    node_psi: FloatArray
    node_theta: FloatArray
    mass: FloatArray
    stiffness: FloatArray
    damping: FloatArray
    P: FloatArray
    H: FloatArray
    L: FloatArray
    N: FloatArray


class _Lines:
    def __init__(self, path: Path) -> None:
        self.path, self.lines, self.at = path, text_of(path).splitlines(), 0

    def error(self, what: str) -> ReadError:
        return ReadError(self.path, self.at, what, found=self.lines[self.at - 1] if self.lines else "nothing")

    def banner(self) -> str:
        if self.at >= len(self.lines):
            raise ReadError(self.path, self.at, "the file ends too early")
        line = self.lines[self.at]
        self.at += 1
        if len(line) > LONGEST_TAIL:
            raise self.error("text longer than 79 characters overruns 42's buffer")
        return line

    def numbers(self, integers: int, reals: int) -> tuple[list[int], list[float]]:
        """A data line: integers, reals, then trailing text, which 42's format needs."""
        if self.at >= len(self.lines):
            raise ReadError(self.path, self.at, "the file ends too early")
        words = self.lines[self.at].split()
        self.at += 1
        if len(words) < integers + reals + 1:
            raise self.error(f"expected {integers + reals} numbers and trailing text")
        tail = self.lines[self.at - 1].split(maxsplit=integers + reals)[-1]
        if len(tail) > LONGEST_TAIL:
            raise self.error("trailing text longer than 79 characters overruns 42's buffer")
        try:
            return [int(w) for w in words[:integers]], [float(w) for w in words[integers : integers + reals]]
        except ValueError:
            raise self.error("not a number") from None

    def sparse(self, shape: tuple[int, ...], order: tuple[int, ...]) -> FloatArray:
        (count,), _ = self.numbers(1, 0)
        out = np.zeros(shape)
        for _ in range(count):
            index, (value,) = self.numbers(len(order), 1)
            place = [0] * len(shape)
            for axis, number in zip(order, index):
                if not 0 <= number < shape[axis]:
                    raise self.error("index out of range")
                place[axis] = number
            out[tuple(place)] = value
        return out


def read_flex(path: Path, *, joints: int, nodes: int) -> FlexData:
    """Read a Flex file; the numbers of joints and nodes are in other files of 42."""
    lines = _Lines(path)
    lines.banner()
    lines.banner()
    (k,), _ = lines.numbers(1, 0)
    lines.banner()
    for _ in range(k):
        lines.numbers(0, 2)
    shapes = []
    for count in (joints, nodes):
        lines.banner()
        for _ in range(2):
            lines.banner()
            shapes.append(lines.sparse((count, 3, k), (2, 0, 1)))
    square = []
    for _ in range(3):
        lines.banner()
        square.append(lines.sparse((k, k), (0, 1)))
    rows = []
    for _ in range(2):
        lines.banner()
        rows.append(np.array([lines.numbers(0, 3)[1] for _ in range(k)]).reshape(k, 3))
    lines.banner()
    L = lines.sparse((3, 3, k), (0, 1, 2))
    lines.banner()
    N = lines.sparse((3, 3, k, k), (0, 1, 2, 3))
    joint_psi, joint_theta, node_psi, node_theta = shapes
    mass, stiffness, damping = square
    P, H = rows
    return FlexData(
        joint_psi=joint_psi,
        joint_theta=joint_theta,
        node_psi=node_psi,
        node_theta=node_theta,
        mass=mass,
        stiffness=stiffness,
        damping=damping,
        P=P,
        H=H,
        L=L,
        N=N,
    )
