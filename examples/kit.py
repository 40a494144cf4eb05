"""What the examples share: small structural models, where the meshes are, and how to run and draw."""

import sys
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any

import numpy as np

import tisserand as ts

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
) -> ts.AssembledModel:
    """A straight slender beam along x, centered when free: EI N m², mass per length kg/m; ``ends`` = (mass, inertia) bodies.

    ``depth`` scales the rigidity in the x-z plane; a large ``area`` (m²) leaves no rotary inertia of the section.
    """
    section = ts.rigidities(
        (rigidity, depth * rigidity),
        density,
        axial=1e9 * area,
        torsion=(1.0 + depth) * rigidity / 2.6,
        polar_inertia=2e-9 * density / area * rigidity,
    )
    start = (0.0 if clamped else -0.5 * length, 0.0, 0.0)
    model = ts.boom(length, section, elements=elements, start=start, up=(0, 1, 0), clamped=clamped, name="beam")
    if ends is not None:
        for point in ("root", "tip"):
            model = model.with_mass(point, ends[0], inertia=ends[1])
    return ts.assemble(model)


def plot(rows: int = 1, columns: int = 1, *, width: float = 9.0, height: float = 4.6) -> tuple[Any, list[Any]]:
    """A figure and its axes, row by row."""
    from matplotlib.figure import Figure

    made = Figure(figsize=(width, height), dpi=130, layout="constrained")
    return made, [made.add_subplot(rows, columns, i + 1) for i in range(rows * columns)]


def label(axes: Any, title: str, x: str, y: str) -> None:
    """Title and axes with their units."""
    axes.set_title(title, loc="left", fontsize=11, color="#1f2933")
    axes.set_xlabel(x)
    axes.set_ylabel(y)
    axes.grid(True, color="#e4e7eb", linewidth=0.8)
    axes.set_prop_cycle(color=("#0072b2", "#d55e00", "#009e73", "#cc79a7", "#e69f00", "#56b4e9", "#000000", "#8c6d31"))
    for side in ("top", "right"):
        axes.spines[side].set_visible(False)


def show_vehicle(
    axes: Any, vehicle: ts.Vehicle, run: ts.Trajectory, index: int = 0, view: Sequence[float] = (-52, 24)
) -> Any:
    """Draw the vehicle at one output time, seen from azimuth and elevation in degrees; returns the projection used.

    Surfaces and lines of the appendages (deformed), bodies as discs of about their mass, joints as lines.
    """
    from matplotlib.collections import LineCollection, PolyCollection

    azimuth, elevation = np.radians(view)
    right = np.array([-np.sin(azimuth), np.cos(azimuth), 0.0])
    toward = np.array([np.cos(elevation) * np.cos(azimuth), np.cos(elevation) * np.sin(azimuth), np.sin(elevation)])
    screen = np.column_stack([right, np.cross(toward, right)])

    def at(body: str, points: Any) -> Any:
        k = run.body(body)
        return run.origin[index, k] + np.asarray(points) @ run.rotation[index, k].T

    for color, mount in zip(("#0072b2", "#0072b2", "#009e73", "#d55e00"), vehicle.appendages):
        nodes, topology = mount.record.nodes, mount.record.topology
        bent = nodes.positions + nodes.translation @ run.modal[mount.name][index]
        x = at(mount.body, mount.origin + bent @ mount.attitude.T) @ screen
        axes.add_collection(PolyCollection(x[topology.triangles], facecolor=color, edgecolor="none", alpha=0.3))
        axes.add_collection(LineCollection(x[topology.lines], colors=color, linewidths=1.8))
        root = np.array([at(mount.body, vehicle.body(mount.body).center), at(mount.body, mount.position)]) @ screen
        axes.plot(*root.T, color="#1f2933", linewidth=1.2)
    for joint in vehicle.joints:
        ends = [at(joint.parent, vehicle.body(joint.parent).center), at(joint.child, joint.child_point)]
        ends.append(at(joint.child, vehicle.body(joint.child).center))
        axes.plot(*(np.array(ends) @ screen).T, color="#1f2933", linewidth=1.2)
    for body in vehicle.bodies:
        style = {"color": "#e07a1f" if body.mass else "white", "edgecolor": "#1f2933", "linewidth": 0.8, "zorder": 3}
        axes.scatter(*(at(body.name, body.center) @ screen), s=25 + 0.35 * body.mass, **style)
    axes.set_aspect("equal")
    axes.set_axis_off()
    return screen


def save(made: Any, folder: Path, name: str) -> None:
    """Write a picture as PNG."""
    folder.mkdir(parents=True, exist_ok=True)
    made.savefig(folder / f"{name}.png", format="png")


def run(main: Callable[[Path | None], dict[str, float]]) -> None:
    """What every script does when it is started: compute, draw into the folder given (docs/images), print the numbers."""
    folder = Path(sys.argv[1]) if len(sys.argv) > 1 else IMAGES
    for name, value in main(folder).items():
        print(f"{name:>42s}  {value:.8g}")
