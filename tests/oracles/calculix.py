"""A CalculiX frequency run written from scratch: quadratic bricks, rigid bodies, masses."""

import re
import shutil
import subprocess
from dataclasses import dataclass, field
from pathlib import Path

import numpy as np

CCX = shutil.which("ccx")

# Node order of C3D20 on the half-step lattice of one brick: corners, then mid-sides.
_CORNERS = [(0, 0, 0), (2, 0, 0), (2, 2, 0), (0, 2, 0), (0, 0, 2), (2, 0, 2), (2, 2, 2), (0, 2, 2)]
_LEVELS = [(1, 0, 0), (2, 1, 0), (1, 2, 0), (0, 1, 0), (1, 0, 2), (2, 1, 2), (1, 2, 2), (0, 1, 2)]
_UPRIGHT = [(0, 0, 1), (2, 0, 1), (2, 2, 1), (0, 2, 1)]
_BRICK = np.array([*_CORNERS, *_LEVELS, *_UPRIGHT])


def _rows(numbers: list[int]) -> str:
    return ",\n".join(",".join(map(str, numbers[i : i + 10])) for i in range(0, len(numbers), 10))


def _key(part: str, position) -> tuple:
    return (part, *np.round(np.asarray(position) * 1e8).astype(np.int64).tolist())


@dataclass
class Deck:
    """Nodes (shared within a part where positions agree to 1e-8 m), element sets and the cards that follow them."""

    positions: list[np.ndarray] = field(default_factory=list)
    elements: dict[str, list[tuple[str, list[int]]]] = field(default_factory=dict)
    cards: list[str] = field(default_factory=list)
    _known: dict[tuple, int] = field(default_factory=dict)

    def node(self, position, part: str = "") -> int:
        """The node of a part at a position, m, made if new."""
        key = _key(part, position)
        if key not in self._known:
            self._known[key] = self.new_node(position)
        return self._known[key]

    def at(self, lattice: np.ndarray, part: str = "") -> list[int]:
        """The nodes of a part that lie on a lattice of positions (..., 3); lattice points without a node are left out."""
        found = (self._known.get(_key(part, p)) for p in lattice.reshape(-1, 3))
        return [n for n in dict.fromkeys(found) if n is not None]

    def new_node(self, position) -> int:
        """A node of its own, even where another lies."""
        self.positions.append(np.asarray(position, dtype=float))
        return len(self.positions)

    def element(self, group: str, kind: str, nodes: list[int]) -> None:
        self.elements.setdefault(group, []).append((kind, nodes))

    def bricks(self, group: str, lattice: np.ndarray, part: str = "", kind: str = "C3D20R") -> None:
        """Bricks on a lattice of positions (2a+1, 2b+1, 2c+1, 3), m."""
        counts = [(n - 1) // 2 for n in lattice.shape[:3]]
        for corner in np.ndindex(*counts):
            where = 2 * np.array(corner) + _BRICK
            self.element(group, kind, [self.node(lattice[tuple(w)], part) for w in where])

    def rigid(self, name: str, nodes: list[int], position) -> tuple[int, int]:
        """Tie nodes rigidly; returns the reference node and the node that carries the rotations."""
        reference, rotation = self.new_node(position), self.new_node(position)
        self.cards.append(f"*NSET,NSET={name}\n{_rows(sorted(set(nodes)))}")
        self.cards.append(f"*RIGID BODY,NSET={name},REF NODE={reference},ROT NODE={rotation}")
        return reference, rotation

    def text(self, held: list[int], count: int, dofs: str = "1,3") -> str:
        lines = ["*NODE,NSET=ALL"]
        lines += [f"{i},{p[0]:.12g},{p[1]:.12g},{p[2]:.12g}" for i, p in enumerate(self.positions, 1)]
        number = 0
        for group, members in self.elements.items():
            for kind in dict.fromkeys(k for k, _ in members):
                lines.append(f"*ELEMENT,TYPE={kind},ELSET={group}")
                for k, nodes in members:
                    if k == kind:
                        number += 1
                        lines.append(f"{number}," + _rows(nodes))
        lines += self.cards
        lines += ["*NSET,NSET=HELD", _rows(sorted(set(held))), "*BOUNDARY", f"HELD,{dofs}"]
        lines += ["*STEP", "*FREQUENCY", str(count), "*END STEP", ""]
        return "\n".join(lines)


def frequencies_hz(text: str, folder: Path, timeout: float = 900.0) -> np.ndarray:
    """Run CalculiX and read the natural frequencies of its .dat file, Hz."""
    (folder / "run.inp").write_text(text)
    outcome = subprocess.run([CCX, "-i", "run"], cwd=folder, capture_output=True, text=True, timeout=timeout)
    assert outcome.returncode == 0, outcome.stdout[-2000:]
    block = (folder / "run.dat").read_text().split("E I G E N V A L U E   O U T P U T")[1]
    block = block.split("P A R T I C I P A T I O N")[0]
    rows = re.findall(r"^\s*\d+\s+(\S+E\S+)\s+(\S+E\S+)\s+(\S+E\S+)\s+\S+E\S+\s*$", block, re.M)
    assert rows, outcome.stdout[-2000:]
    return np.array([float(row[2]) for row in rows])
