"""A mode shape drawn with PyVista."""

from __future__ import annotations

from typing import Any

import numpy as np

from tisserand.arrays import FloatArray, IntArray
from tisserand.views.geometry import DrawnMode
from tisserand.views.style import BODY, GHOST, INK, LINK, PICTURE_PIXELS, TRIAD, shape_colors

#: Part of the picture for the shape, as fractions (left, bottom, right, top): the title is above, the color bar below.
STAGE = (0.03, 0.17, 0.97, 0.93)
#: Direction from the shape to the camera.
FROM = np.array([1.0, 1.0, 1.0]) / np.sqrt(3.0)


def mode_plotter(drawn: DrawnMode, *, off_screen: bool = True, labels: bool = True, reach: float | None = None) -> Any:
    """A PyVista plotter with the undeformed ghost, the deformed shape in color, bodies and interface triads.

    Without ``labels`` there is no title and no color bar (for contact sheets). ``reach``: largest displacement, m, that
    the picture must hold (default: the drawn one); the frames of an animation share it, so that the view does not move.
    """
    import pyvista

    quiet_vtk()
    plotter = pyvista.Plotter(off_screen=off_screen, window_size=list(PICTURE_PIXELS))
    plotter.set_background("white")
    bar = {
        "title": drawn.label,
        "color": INK,
        "title_font_size": 20,
        "label_font_size": 18,
        "n_labels": 2,
        "fmt": "%.1f",
        "width": 0.4,
        "height": 0.08,
        "position_x": 0.55,
        "position_y": 0.03,
    }
    colored: dict[str, Any] = {"scalars": "u", "cmap": shape_colors(), "clim": (0.0, 1.0), "show_scalar_bar": False}
    first = {"show_scalar_bar": True, "scalar_bar_args": bar} if labels else {}
    if len(drawn.skin.triangles):
        still = surface(drawn.skin.rest(drawn.points), drawn.skin.triangles)
        plotter.add_mesh(still, color=GHOST, opacity=0.22, show_edges=False)
        mesh = surface(drawn.moved_skin(drawn.scale), drawn.skin.triangles)
        mesh["u"] = drawn.skin_values
        smooth = {"smooth_shading": True, "split_sharp_edges": True, "feature_angle": 40.0, "ambient": 0.25}
        plotter.add_mesh(mesh, **{**colored, **smooth, **first})
        first = {}
    if len(drawn.lines):
        plotter.add_mesh(wires(drawn.points, drawn.lines), color=GHOST, line_width=2)
        mesh = wires(drawn.deformed, drawn.lines)
        mesh["u"] = drawn.values
        plotter.add_mesh(mesh, **{**colored, **first}, line_width=6, render_lines_as_tubes=True)
    if len(drawn.links):
        plotter.add_mesh(wires(drawn.deformed, drawn.links), color=LINK, line_width=1)
    if len(drawn.bodies):
        plotter.add_mesh(balls(drawn.deformed[drawn.bodies], drawn.body_radius), color=BODY, smooth_shading=True)
    for axis, color in enumerate(TRIAD):
        if len(drawn.triads):
            ends = drawn.moved_triads(drawn.scale)[:, [0, axis + 1]].reshape(-1, 3)
            pairs = np.arange(len(ends)).reshape(-1, 2)
            plotter.add_mesh(wires(ends, pairs), color=color, line_width=4)
    if labels:
        plotter.add_text(drawn.title, position="upper_left", font_size=14, color=INK)
    plotter.add_axes(color=INK, xlabel="x", ylabel="y", zlabel="z")
    plotter.view_isometric()
    if labels:
        frame_shape(plotter, drawn, abs(drawn.scale) if reach is None else reach)
    else:
        plotter.camera.zoom(1.2)
    return plotter


def extreme_points(drawn: DrawnMode, reach: float) -> FloatArray:
    """Everything drawn (p, 3), m, at rest and at both ends of the swing."""
    parts = [drawn.points, drawn.skin.rest(drawn.points)]
    for factor in (-reach, reach):
        parts += [drawn.moved(factor), drawn.moved_skin(factor), drawn.moved_triads(factor).reshape(-1, 3)]
    return np.vstack(parts)


def frame_shape(plotter: Any, drawn: DrawnMode, reach: float) -> None:
    """Turn, narrow and shift the view so that the shape fills the stage and nothing else."""
    cloud = extreme_points(drawn, reach)
    middle = 0.5 * (cloud.max(axis=0) + cloud.min(axis=0))
    distance = 4.0 * float(np.linalg.norm(cloud - middle, axis=1).max()) or 1.0
    right = np.cross([0.0, 0.0, 1.0], FROM)
    right /= np.linalg.norm(right)
    depth = distance - (cloud - middle) @ FROM
    seen = np.column_stack([(cloud - middle) @ right, (cloud - middle) @ np.cross(FROM, right)]) / depth[:, None]
    wide, high = PICTURE_PIXELS
    seen[:, 0] *= high / wide  # now in the units of half the picture's height and width
    low, top = seen.min(axis=0), seen.max(axis=0)
    stage_low, stage_top = 2.0 * np.array(STAGE[:2]) - 1.0, 2.0 * np.array(STAGE[2:]) - 1.0
    factor = float(np.min((stage_top - stage_low) / np.maximum(top - low, 1e-9)))
    shift = 0.5 * factor * (low + top) - 0.5 * (stage_low + stage_top)
    camera = plotter.camera
    camera.focal_point, camera.position, camera.up = middle, middle + distance * FROM, (0.0, 0.0, 1.0)
    camera.view_angle = 2.0 * float(np.degrees(np.arctan(1.0 / factor)))
    camera.SetWindowCenter(*shift)
    plotter.renderer.ResetCameraClippingRange()


def quiet_vtk() -> None:
    """Suppress VTK's messages about a missing X server."""
    from vtkmodules.vtkCommonCore import vtkLogger, vtkObject

    vtkLogger.SetStderrVerbosity(vtkLogger.VERBOSITY_OFF)
    vtkObject.GlobalWarningDisplayOff()


def surface(points: FloatArray, triangles: IntArray) -> Any:
    """A PyVista surface of triangles."""
    import pyvista

    faces = np.column_stack([np.full(len(triangles), 3), triangles]).ravel()
    return pyvista.PolyData(np.array(points), faces)


def wires(points: FloatArray, lines: IntArray) -> Any:
    """A PyVista mesh of straight lines."""
    import pyvista

    cells = np.column_stack([np.full(len(lines), 2), lines]).ravel()
    mesh = pyvista.PolyData()
    mesh.points = np.array(points)
    mesh.lines = cells
    return mesh


def balls(centers: FloatArray, radii: FloatArray) -> Any:
    """A PyVista mesh of spheres, m."""
    import pyvista

    cloud = pyvista.PolyData(np.array(centers))
    cloud["radius"] = np.array(radii)
    sphere = pyvista.Sphere(radius=1.0, theta_resolution=16, phi_resolution=12)
    return cloud.glyph(scale="radius", geom=sphere, orient=False, factor=1.0)
