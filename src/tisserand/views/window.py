"""The interactive window: mode list, amplitude and phase sliders, undeformed ghost, picking with ids."""

from __future__ import annotations

from typing import Any

import numpy as np

from tisserand.appendage.record.reduced_appendage import ReducedAppendage
from tisserand.arrays import FloatArray
from tisserand.errors import InputError
from tisserand.views.geometry import COLORS, DRAWN_FRACTION, drawn_mode
from tisserand.views.mode_pyvista import balls, quiet_vtk, surface, wires
from tisserand.views.style import BODY, COLOR_MAP, GHOST, INK, LINK, TRIAD

#: Most lines of the mode list on the screen.
LISTED = 24


class ModeWindow:
    """A PyVista window on an appendage.

    Keys: n and p for next and previous mode, a to animate, g for the ghost, c to color by displacement or strain energy.
    """

    def __init__(
        self, appendage: ReducedAppendage, mode: int = 1, color: str = "displacement", *, off_screen: bool = False
    ) -> None:
        import pyvista

        if appendage.count == 0:
            raise InputError("there are no modes to show", where=f"appendage {appendage.name}")
        self.appendage, self.mode, self.color = appendage, mode, color
        self.amplitude, self.phase, self.running = DRAWN_FRACTION, 90.0, False
        quiet_vtk()
        self.plotter = pyvista.Plotter(
            off_screen=off_screen, window_size=[1400, 900], title=f"Tisserand: {appendage.name}"
        )
        self.plotter.set_background("white")
        drawn = drawn_mode(appendage, mode, color=color)
        self.skin: Any = None
        self.wired: list[Any] = []
        self.ghosts: list[Any] = []
        if len(drawn.skin.triangles):
            self.skin = surface(drawn.skin.rest(drawn.points), drawn.skin.triangles)
            self._add(self.skin, is_link=False)
        for rows, is_link in ((drawn.lines, False), (drawn.links, True)):
            if len(rows):
                mesh = wires(drawn.points, rows)
                self._add(mesh, is_link=is_link)
                self.wired.append(mesh)
        self.balls: Any = None
        if len(drawn.bodies):
            self.balls = balls(drawn.points[drawn.bodies], drawn.body_radius)
            self.plotter.add_mesh(self.balls, color=BODY, smooth_shading=True, pickable=False)
        self.dots: Any = None
        if self.skin is None and not self.wired:
            self.dots = pyvista.PolyData(np.array(drawn.points))
            self.plotter.add_mesh(self.dots, color=BODY, point_size=12, render_points_as_spheres=True)
        self._triads()
        self._controls()
        self.show_mode(mode)

    def _add(self, mesh: Any, *, is_link: bool) -> None:
        ghost = mesh.copy()
        self.ghosts.append(self.plotter.add_mesh(ghost, color=GHOST, opacity=0.25, pickable=False))
        mesh["u"] = np.zeros(mesh.n_points)
        style: dict[str, Any] = {"color": LINK} if is_link else {"scalars": "u", "cmap": COLOR_MAP, "clim": (0.0, 1.0)}
        self.plotter.add_mesh(mesh, line_width=5, show_scalar_bar=False, **style)

    def _triads(self) -> None:
        """A small triad at every interface, with its name."""
        import pyvista

        size = 0.06 * float(np.ptp(self.appendage.nodes.positions, axis=0).max() or 1.0)
        for point in self.appendage.interfaces:
            for axis, color in zip(point.axes, TRIAD):
                self.plotter.add_mesh(
                    pyvista.Line(point.position, point.position + size * axis), color=color, line_width=3
                )
        if self.appendage.interfaces:
            places = np.array([p.position for p in self.appendage.interfaces])
            labels = [p.name for p in self.appendage.interfaces]
            self.plotter.add_point_labels(places, labels, font_size=14, text_color=INK, shape_opacity=0.4)

    def _controls(self) -> None:
        plotter = self.plotter
        plotter.add_axes(color=INK)
        plotter.add_slider_widget(self._set_amplitude, (0.0, 0.4), value=self.amplitude, title="amplitude", color=INK,
                                  pointa=(0.70, 0.92), pointb=(0.96, 0.92), style="modern")  # fmt: skip
        plotter.add_slider_widget(self._set_phase, (0.0, 360.0), value=self.phase, title="phase (deg)", color=INK,
                                  pointa=(0.70, 0.76), pointb=(0.96, 0.76), style="modern")  # fmt: skip
        plotter.add_key_event("n", lambda: self.show_mode(self.mode + 1))
        plotter.add_key_event("p", lambda: self.show_mode(self.mode - 1))
        plotter.add_key_event("a", self._toggle)
        plotter.add_key_event("g", self._ghost)
        plotter.add_key_event("c", self._next_color)
        plotter.enable_point_picking(
            self._picked, show_message=False, use_picker=True, show_point=True, left_clicking=False
        )

    def show_mode(self, mode: int) -> None:
        """Show mode ``mode`` (from 1), clipped to what exists."""
        self.mode = min(max(mode, 1), self.appendage.count)
        self.drawn = drawn_mode(self.appendage, self.mode, color=self.color)
        self.plotter.add_text(
            self._listing(), position="upper_left", font_size=9, color=INK, name="modes", font="courier"
        )
        keys = (
            f"color: {self.drawn.label}, 0 dark to 1 bright\nn/p mode   a animate   g ghost   c color   P pick a node"
        )
        self.plotter.add_text(keys, position="lower_left", font_size=9, color=INK, name="keys")
        self._deform()

    def _listing(self) -> str:
        appendage = self.appendage
        effective = (appendage.integrals.coupling / appendage.integrals.sizes) ** 2
        effective = np.where(effective > 1e-9 * appendage.mass, effective, 0.0)  # round-off is not worth reading
        first = max(0, min(self.mode - LISTED // 2, appendage.count - LISTED))
        rows = ["    #       Hz   Mx kg   My kg   Mz kg"]
        for k in range(first, min(first + LISTED, appendage.count)):
            mark = ">" if k == self.mode - 1 else " "
            masses = " ".join(f"{effective[a, k]:7.3g}" for a in range(3))
            rows.append(f"{mark}{k + 1:4d} {appendage.frequencies_hz[k]:8.4g} {masses}")
        return "\n".join(rows)

    def _factor(self) -> float:
        """Largest displacement now, m."""
        extent = float(np.ptp(self.drawn.points, axis=0).max()) or 1.0
        return self.amplitude * extent * float(np.sin(np.radians(self.phase)))

    def _deform(self) -> None:
        factor = self._factor()
        moved = self.drawn.moved(factor)
        for mesh in self.wired:
            mesh.points = moved
            mesh["u"] = self.drawn.values
        if self.skin is not None:
            self.skin.points = self.drawn.moved_skin(factor)
            self.skin["u"] = self.drawn.skin_values
        if self.balls is not None:
            self.balls.points = balls(moved[self.drawn.bodies], self.drawn.body_radius).points
        if self.dots is not None:
            self.dots.points = moved
        if self.plotter.render_window is not None:
            self.plotter.render()

    def _set_amplitude(self, value: float) -> None:
        self.amplitude = value
        if hasattr(self, "drawn"):
            self._deform()

    def _set_phase(self, value: float) -> None:
        self.phase = value
        if hasattr(self, "drawn"):
            self._deform()

    def _toggle(self) -> None:
        self.running = not self.running
        if self.running:
            self.plotter.add_timer_event(max_steps=100_000, duration=40, callback=self._tick)

    def _tick(self, step: int) -> None:
        if self.running:
            self.phase = (self.phase + 8.0) % 360.0
            self._deform()

    def _ghost(self) -> None:
        for actor in self.ghosts:
            actor.SetVisibility(not actor.GetVisibility())
        self.plotter.render()

    def _next_color(self) -> None:
        """Switch between displacement and strain energy, where the latter is known."""
        if self.appendage.nodes.energy is not None:
            self.color = COLORS[(COLORS.index(self.color) + 1) % len(COLORS)]
            self.show_mode(self.mode)

    def _picked(self, *arguments: Any) -> None:
        """Name the node nearest to the picked point."""
        place = np.asarray(arguments[0], float).ravel()[:3]
        if self.skin is not None:
            shown, rows = self.skin.points, self.drawn.skin.source
        else:
            shown = (self.wired[0] if self.wired else self.dots).points
            rows = np.arange(len(self.drawn.points))
        row = int(rows[np.argmin(np.linalg.norm(np.asarray(shown) - place, axis=1))])
        x, y, z = self.appendage.nodes.positions[row]
        text = f"node {self.appendage.nodes.ids[row]} at ({x:.4g}, {y:.4g}, {z:.4g}) m{self._element_at(place)}"
        self.plotter.add_text(text, position="lower_right", font_size=11, color=INK, name="picked")

    def _element_at(self, place: FloatArray) -> str:
        """Description of the element whose centroid is nearest to a picked point; empty if ids are unknown."""
        cells, shown = self.appendage.topology, self.drawn.moved(self._factor())
        found = []
        for rows, ids in ((cells.triangles, cells.triangle_ids), (cells.lines, cells.line_ids)):
            if len(ids):
                distance = np.linalg.norm(shown[rows].mean(axis=1) - place, axis=1)
                nearest = int(np.argmin(distance))
                found.append((float(distance[nearest]), int(ids[nearest])))
        return f", element {min(found)[1]}" if found else ""


def open_window(appendage: ReducedAppendage, mode: int = 1, color: str = "displacement") -> None:
    """Open the window and wait until it is closed."""
    ModeWindow(appendage, mode, color).plotter.show()
