"""A mode shape drawn with PyVista."""

from __future__ import annotations

from typing import Any

import numpy as np

from tisserand.arrays import FloatArray, IntArray
from tisserand.views.geometry import DrawnMode
from tisserand.views.style import BODY, COLOR_MAP, GHOST, INK, LINK, PICTURE_PIXELS


def mode_plotter(drawn: DrawnMode, *, off_screen: bool = True, labels: bool = True) -> Any:
    """A PyVista plotter with the undeformed ghost and the deformed shape coloured by relative displacement.

    Without ``labels`` there is no title and no colour bar (for contact sheets).
    """
    import pyvista

    quiet_vtk()
    plotter = pyvista.Plotter(off_screen=off_screen, window_size=list(PICTURE_PIXELS))
    plotter.set_background("white")
    bar = {
        "title": "relative displacement (-)",
        "color": INK,
        "title_font_size": 20,
        "label_font_size": 18,
        "n_labels": 3,
        "fmt": "%.1f",
        "width": 0.4,
        "height": 0.06,
        "position_x": 0.55,
        "position_y": 0.03,
    }
    magnitude = drawn.magnitude
    shown = not labels
    if len(drawn.triangles):
        plotter.add_mesh(surface(drawn.points, drawn.triangles), color=GHOST, opacity=0.22, show_edges=False)
        mesh = surface(drawn.deformed, drawn.triangles)
        mesh["u"] = magnitude
        plotter.add_mesh(
            mesh,
            scalars="u",
            cmap=COLOR_MAP,
            clim=(0.0, 1.0),
            smooth_shading=True,
            ambient=0.25,
            show_scalar_bar=not shown,
            scalar_bar_args=None if shown else bar,
        )
        shown = True
    if len(drawn.lines):
        plotter.add_mesh(wires(drawn.points, drawn.lines), color=GHOST, line_width=2)
        mesh = wires(drawn.deformed, drawn.lines)
        mesh["u"] = magnitude
        plotter.add_mesh(
            mesh,
            scalars="u",
            cmap=COLOR_MAP,
            clim=(0.0, 1.0),
            line_width=6,
            render_lines_as_tubes=True,
            show_scalar_bar=not shown,
            scalar_bar_args=None if shown else bar,
        )
    if len(drawn.links):
        plotter.add_mesh(wires(drawn.deformed, drawn.links), color=LINK, line_width=1)
    if len(drawn.bodies):
        plotter.add_points(
            drawn.deformed[drawn.bodies], color=BODY, point_size=12, render_points_as_spheres=True
        )
    if labels:
        plotter.add_text(drawn.title, position="upper_left", font_size=14, color=INK)
    plotter.add_axes(color=INK, xlabel="x", ylabel="y", zlabel="z")
    plotter.view_isometric()
    plotter.camera.zoom(1.1)
    return plotter


def quiet_vtk() -> None:
    """No chatter about a missing X server on standard error."""
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
