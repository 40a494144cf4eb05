"""What the examples share: small structural models, where the meshes are, and how to run and draw."""

import sys
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any

import numpy as np

from tisserand.assembly import assemble
from tisserand.assembly.types import AssembledModel
from tisserand.model import (
    BeamBlock,
    BeamSection,
    BeamStation,
    Isotropic,
    NodalBodies,
    Nodes,
    StructuralModel,
    Supports,
)
from tisserand.views.style import figure, tidy

HERE = Path(__file__).parent
MESHES = HERE.parent / "meshes"
IMAGES = HERE.parent / "docs" / "images"


def beam(
    length: float,
    elements: int,
    rigidity: float,
    density: float,
    *,
    clamped: bool = False,
    ends: tuple[float, Sequence[float]] | None = None,
    depth: float = 1.0,
    area: float = 0.1,
) -> AssembledModel:
    """A straight slender beam along x, centred when free: EI N m², mass per length kg/m; ``ends`` = (mass, inertia) bodies.

    ``depth`` scales the rigidity in the x-z plane; a large ``area`` (m²) leaves no rotary inertia of the section.
    """
    n = elements + 1
    x = np.linspace(0.0, length, n) - (0.0 if clamped else 0.5 * length)
    positions = np.column_stack([x, np.zeros(n), np.zeros(n)])
    young = 1e9
    i_zz = rigidity / young
    material = Isotropic.from_young(1, young, 0.3, density / area)
    station = BeamStation(area, i_zz, depth * i_zz, 0.0, (1.0 + depth) * i_zz)
    pairs = np.column_stack([np.arange(elements), np.arange(1, n)])
    blocks: list[Any] = [
        BeamBlock(
            np.arange(1, n), pairs, np.zeros(elements, int), np.tile([0.0, 1.0, 0.0], (elements, 1)),
            np.zeros((elements, 2, 3)), np.zeros((elements, 2, 6), bool), "beam",
        )
    ]  # fmt: skip
    if ends is not None:
        mass, inertia = ends
        blocks.append(
            NodalBodies([901, 902], [[0], [n - 1]], [mass, mass], np.zeros((2, 3)), [np.diag(inertia)] * 2)
        )
    structure = StructuralModel(
        "beam", Nodes(np.arange(1, n + 1), positions), tuple(blocks), (BeamSection(1, material, station),),
        (material,), supports=Supports.clamp([0]) if clamped else Supports(),
        interfaces={"root": 1, "tip": n},
    )  # fmt: skip
    return assemble(structure)


def plot(rows: int = 1, columns: int = 1, *, width: float = 9.0, height: float = 4.6) -> tuple[Any, list[Any]]:
    """A figure in the house style and its axes, row by row."""
    made = figure(width, height)
    return made, [made.add_subplot(rows, columns, i + 1) for i in range(rows * columns)]


def label(axes: Any, title: str, x: str, y: str) -> None:
    """Title and axes with their units."""
    tidy(axes, title, x, y)


def save(made: Any, folder: Path, name: str) -> None:
    """Write a picture as PNG."""
    folder.mkdir(parents=True, exist_ok=True)
    made.savefig(folder / f"{name}.png", format="png")


def run(main: Callable[[Path | None], dict[str, float]]) -> None:
    """What every script does when it is started: compute, draw into the folder given (docs/images), print the numbers."""
    folder = Path(sys.argv[1]) if len(sys.argv) > 1 else IMAGES
    for name, value in main(folder).items():
        print(f"{name:>42s}  {value:.8g}")
