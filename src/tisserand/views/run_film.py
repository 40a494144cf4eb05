"""A run as a film: the vehicle moving and bending, followed by the camera."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

import numpy as np

from tisserand.errors import InputError
from tisserand.files import atomic_path
from tisserand.multibody.trajectory import Trajectory
from tisserand.views.animation import check_film, write_film
from tisserand.views.moving_scene import MovingPart, MovingScene, moving_scene
from tisserand.views.renderer import choose_renderer
from tisserand.views.style import DPI, INK, figure, shape_colors

#: Direction from the vehicle to the camera.
TOWARD = np.array([0.55, -0.75, 0.45])
#: Frames of a film, and pixels of one.
FRAMES, PIXELS = 96, (1280, 800)
#: Rigid parts in turn.
TINTS = ("#9eadc2", "#dba85c", "#85b39e", "#bd99b8")


def save_run_film(
    run: Trajectory, path: str | Path, scene: Mapping[str, Any] | None = None, *, deflection: float = 1.0
) -> Path:
    """Write the run as ``.gif``, ``.mp4`` or ``.webm``; elastic deflections are drawn ``deflection`` times as large."""
    path = Path(path)
    check_film(path)
    if not deflection > 0.0:
        raise InputError("the factor of the deflection must be positive", found=deflection)
    moving = moving_scene(run, scene, FRAMES)
    draw = _solid_frames if choose_renderer().renderer == "pyvista" else _flat_frames
    with atomic_path(path) as temporary:
        write_film(list(draw(moving, deflection)), temporary, path.suffix.lower())
    return path


def _levels(part: MovingPart, frame: int) -> np.ndarray:
    """Displacement over the largest of the run, 0 to 1."""
    return np.asarray(np.linalg.norm(part.bent(frame), axis=1) / part.level)


def _solid_frames(scene: MovingScene, deflection: float) -> Iterator[np.ndarray]:
    """Frames drawn by VTK."""
    import pyvista

    from tisserand.views.mode_pyvista import quiet_vtk, surface, wires

    quiet_vtk()
    plotter = pyvista.Plotter(off_screen=True, window_size=list(PIXELS))
    plotter.set_background("white")
    smooth = shape_colors()
    drawn: list[tuple[MovingPart, Any]] = []
    for number, part in enumerate(scene.parts):
        for cells, make in ((part.triangles, surface), (part.lines, wires)):
            if len(cells):
                mesh = make(part.at(0, deflection), cells)
                colored: dict[str, Any] = {"color": TINTS[number % len(TINTS)]}
                if part.level > 0.0:
                    mesh["u"] = _levels(part, 0)
                    colored = {"scalars": "u", "cmap": smooth, "clim": (0.0, 1.0), "show_scalar_bar": False}
                plotter.add_mesh(mesh, **colored, ambient=0.35, line_width=2)
                drawn.append((part, mesh))
    plotter.add_axes(color=INK)
    label = plotter.add_text(scene.name, position="upper_left", font_size=11, color=INK)
    reach, toward = scene.reach, TOWARD / np.linalg.norm(TOWARD)
    seen = min(_seen(scene, toward, deflection), reach)
    for frame, time in enumerate(scene.times):
        for part, mesh in drawn:
            mesh.points = part.at(frame, deflection)
            if part.level > 0.0:
                mesh["u"] = _levels(part, frame)
        label.set_text("upper_left", f"{scene.name}   t = {time:.2f} s" + _times(deflection))
        camera = plotter.camera
        camera.focal_point = scene.path[frame]
        camera.position = scene.path[frame] + 6.0 * reach * toward
        camera.up, camera.view_angle = (0.0, 0.0, 1.0), float(2.0 * np.degrees(np.arctan(1.12 * seen / (6.0 * reach))))
        plotter.renderer.ResetCameraClippingRange()
        plotter.render()
        yield np.array(plotter.screenshot(return_img=True))
    plotter.close()


def _seen(scene: MovingScene, toward: np.ndarray, deflection: float) -> float:
    """Half of the height (m) that a picture needs around the followed point so that nothing leaves it in any frame.

    Perspective makes the nearest points larger by 6 / (6 - depth over reach), which is taken into account.
    """
    side = np.cross([0.0, 0.0, 1.0], toward)
    side = side / np.linalg.norm(side)
    up, far = np.cross(toward, side), 1e-9
    for frame in range(0, len(scene.times), max(1, len(scene.times) // 24)):
        for part in scene.parts:
            points = part.at(frame, deflection) - scene.path[frame]
            nearer = 6.0 * scene.reach / (6.0 * scene.reach - points @ toward)
            wide = np.abs(points @ side) * PIXELS[1] / PIXELS[0]
            far = max(far, float((np.maximum(wide, np.abs(points @ up)) * nearer).max(initial=0.0)))
    return far


def _flat_frames(scene: MovingScene, deflection: float) -> Iterator[np.ndarray]:
    """Frames drawn by matplotlib where VTK cannot draw."""
    from mpl_toolkits.mplot3d.art3d import Line3DCollection, Poly3DCollection

    reach = scene.reach
    for frame, time in enumerate(scene.times):
        made = figure(PIXELS[0] / DPI, PIXELS[1] / DPI)
        axes = made.add_subplot(projection="3d")
        for number, part in enumerate(scene.parts):
            points, color = part.at(frame, deflection), TINTS[number % len(TINTS)]
            if len(part.triangles):
                axes.add_collection3d(Poly3DCollection(points[part.triangles], facecolor=color, edgecolor="none"))
            if len(part.lines):
                axes.add_collection3d(Line3DCollection(points[part.lines], color=INK, linewidth=0.8))
        for name, middle in zip("xyz", scene.path[frame]):
            getattr(axes, f"set_{name}lim")(middle - 0.75 * reach, middle + 0.75 * reach)
        axes.set_box_aspect((1, 1, 1))
        axes.set_axis_off()
        made.suptitle(f"{scene.name}   t = {time:.2f} s" + _times(deflection), fontsize=11)
        made.canvas.draw()
        yield np.array(made.canvas.buffer_rgba())[:, :, :3]


def _times(deflection: float) -> str:
    return "" if deflection == 1.0 else f"   deflections x {deflection:g}"
