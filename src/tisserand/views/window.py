"""The interactive window: a panel of modes to click, slim sliders, moving shape, undeformed ghost, picking with ids."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import numpy as np

from tisserand.appendage.record.reduced_appendage import ReducedAppendage
from tisserand.appendage.support_mass import frequency_words, listed_modes
from tisserand.arrays import FloatArray
from tisserand.errors import InputError
from tisserand.views.geometry import COLORS, DRAWN_FRACTION, drawn_mode
from tisserand.views.mode_pyvista import balls, quiet_vtk, surface, wires
from tisserand.views.style import BODY, GHOST, INK, LINK, TRIAD, shape_colors

#: Most lines of the mode list on the screen, its width and the height of a line, pixels.
LISTED, PANEL, LINE = 24, 440, 22
#: Pixels of the window, and how much of the free space a shape may fill.
PIXELS, FILLED = (1400, 900), 0.84
_ACCENT, _PAPER = "#0067a3", "#f3f6f9"


class ModeWindow:
    """A PyVista window on an appendage.

    A click on a line of the panel shows that mode; the wheel over the panel scrolls it. Keys: n and p for next and previous mode,
    a to animate, g for the ghost, c to color by displacement or strain energy, f to fit.
    """

    def __init__(
        self, appendage: ReducedAppendage, mode: int = 1, color: str = "displacement", *, off_screen: bool = False
    ) -> None:
        import pyvista

        if appendage.count == 0:
            raise InputError("there are no modes to show", where=f"appendage {appendage.name}")
        self.appendage, self.mode, self.color = appendage, mode, color
        self.amplitude, self.phase, self.running, self.first = DRAWN_FRACTION, 90.0, True, 0
        quiet_vtk()
        self.plotter = pyvista.Plotter(
            off_screen=off_screen, window_size=list(PIXELS), title=f"Tisserand: {appendage.name}"
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
        self._panel()
        self._controls()
        self.show_mode(mode)

    def _add(self, mesh: Any, *, is_link: bool) -> None:
        ghost = mesh.copy()
        self.ghosts.append(self.plotter.add_mesh(ghost, color=GHOST, opacity=0.25, pickable=False))
        mesh["u"] = np.zeros(mesh.n_points)
        style: dict[str, Any] = (
            {"color": LINK} if is_link else {"scalars": "u", "cmap": shape_colors(), "clim": (0.0, 1.0)}
        )
        self.plotter.add_mesh(mesh, line_width=5, show_scalar_bar=False, ambient=0.3, **style)

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
            self.plotter.add_point_labels(places, labels, font_size=14, text_color=INK, shape_opacity=0.4,
                                          always_visible=True)  # fmt: skip

    def _panel(self) -> None:
        """The list of modes on the left: one line of text each, which can be clicked."""
        self.lines = []
        for number in range(-1, min(LISTED, self.appendage.count)):
            line = self.plotter.add_text(
                "", position=(14, self._height(number)), font_size=8, font="courier", color=INK
            )
            self.lines.append(line)
        self.plotter.add_text(self.appendage.name, position=(14, PIXELS[1] - 34), font_size=12, color=INK)

    @staticmethod
    def _height(number: int) -> int:
        """Pixels from the lower edge to the line of a mode (the heads of the columns are line -1)."""
        return PIXELS[1] - 78 - LINE * (number + 1)

    def _controls(self) -> None:
        plotter = self.plotter
        plotter.add_axes(color=INK, viewport=(0.88, 0.0, 1.0, 0.16))
        slim = {
            "color": INK,
            "title_height": 0.016,
            "slider_width": 0.012,
            "tube_width": 0.003,
            "fmt": "%.3g",
            "style": "modern",
        }
        plotter.add_slider_widget(self._set_amplitude, (0.0, 0.4), value=self.amplitude, title="amplitude",
                                  pointa=(0.01, 0.13), pointb=(0.11, 0.13), **slim)  # fmt: skip
        plotter.add_slider_widget(self._set_phase, (0.0, 360.0), value=self.phase, title="phase (deg)",
                                  pointa=(0.125, 0.13), pointb=(0.225, 0.13), **slim)  # fmt: skip
        plotter.add_key_event("n", lambda: self.show_mode(self.mode + 1))
        plotter.add_key_event("p", lambda: self.show_mode(self.mode - 1))
        plotter.add_key_event("a", self._toggle)
        plotter.add_key_event("g", self._ghost)
        plotter.add_key_event("c", self._next_color)
        plotter.add_key_event("f", self._fit)
        plotter.iren.add_observer("LeftButtonPressEvent", lambda *_: self.click(*plotter.iren.get_event_position()))
        for event, step in (("MouseWheelForwardEvent", -3), ("MouseWheelBackwardEvent", 3)):
            plotter.iren.add_observer(event, lambda *_, by=step: self._scroll(by, *plotter.iren.get_event_position()))
        plotter.enable_point_picking(
            self._picked, show_message=False, use_picker=True, show_point=True, left_clicking=False
        )

    def click(self, x: int, y: int) -> None:
        """A click at pixels from the lower left corner: a line of the panel shows its mode."""
        wide, high = self.plotter.window_size
        number = (self._height(-1) + LINE - int(y * PIXELS[1] / high)) // LINE - 1
        if x * PIXELS[0] / wide < PANEL and 0 <= number < min(LISTED, self.appendage.count - self.first):
            self.show_mode(self.first + number + 1)

    def _scroll(self, by: int, x: int, y: int) -> None:
        if x * PIXELS[0] / self.plotter.window_size[0] < PANEL:
            self.first = max(0, min(self.first + by, self.appendage.count - LISTED))
            self._list()
            self.plotter.render()

    def show_mode(self, mode: int) -> None:
        """Show mode ``mode`` (from 1), clipped to what exists."""
        self.mode = min(max(mode, 1), self.appendage.count)
        self.drawn = drawn_mode(self.appendage, self.mode, color=self.color)
        if not self.first < self.mode <= self.first + LISTED:
            self.first = max(0, min(self.mode - LISTED // 2, self.appendage.count - LISTED))
        self._list()
        keys = (
            f"color: {self.drawn.label}, 0 dark to 1 bright\nclick a mode   n/p next, previous   a animate   g ghost   "
            "c color   f fit   P pick a node"
        )
        self.plotter.add_text(keys, position=(14, 12), font_size=8, color=INK, name="keys")
        self._deform()

    def _list(self) -> None:
        """Fill the lines of the panel: number, frequency, effective masses; the mode that is shown stands out."""
        appendage = self.appendage
        effective = (appendage.integrals.coupling / appendage.integrals.sizes) ** 2
        effective = np.where(effective > 1e-9 * appendage.mass, effective, 0.0)  # round-off is not worth reading
        words = frequency_words(listed_modes(appendage)[0])
        self.lines[0].input = "  #          Hz    Mx kg    My kg    Mz kg"
        for number, line in enumerate(self.lines[1:]):
            k = self.first + number
            masses = " ".join(f"{effective[a, k]:8.3g}" for a in range(3))
            hz = words[k].removesuffix(" Hz")[:10]
            line.input = f"{k + 1:3d}  {hz:>10} {masses}"
            shown = k == self.mode - 1
            line.prop.color, line.prop.bold = (_ACCENT if shown else INK), shown
            line.prop.background_color, line.prop.background_opacity = _PAPER, 1.0 if shown else 0.0

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
            self.running = False
            self._deform()

    def _toggle(self) -> None:
        self.running = not self.running

    def _tick(self, step: int) -> None:
        if self.running:
            self.phase = (self.phase + 8.0) % 360.0
            self._deform()

    def _ghost(self) -> None:
        for actor in self.ghosts:
            actor.SetVisibility(not actor.GetVisibility())
        self.plotter.render()

    def _fit(self) -> None:
        """The whole shape, at both ends of its motion, in the space beside the panel."""
        self.plotter.view_isometric(render=False)
        camera, ends = self.plotter.camera, self.amplitude * (float(np.ptp(self.drawn.points, axis=0).max()) or 1.0)
        cloud = np.vstack([self.drawn.points, self.drawn.moved(ends), self.drawn.moved(-ends)])
        eye, aim = np.array(camera.position), np.array(camera.focal_point)
        ahead = (aim - eye) / np.linalg.norm(aim - eye)
        right = np.cross(ahead, camera.up)
        axes = np.array([right, np.cross(right, ahead)]) / np.linalg.norm(right)
        flat = (cloud - aim) @ axes.T
        middle = 0.5 * (flat.min(axis=0) + flat.max(axis=0))
        camera.position, camera.focal_point = eye + middle @ axes, aim + middle @ axes
        wide, high = np.abs((flat - middle) / ((cloud - eye) @ ahead)[:, None]).max(axis=0)
        beside = (PIXELS[0] - PANEL) / PIXELS[1]  # of the free space, width over height of the window
        if max(wide, high) > 0.0:
            camera.view_angle = 2.0 * float(np.degrees(np.arctan(max(high, wide / beside) / FILLED)))
        camera.SetWindowCenter(-PANEL / PIXELS[0], -0.08)
        self.plotter.reset_camera_clipping_range()
        if self.plotter.render_window is not None:
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

    def show(self, memory: Path | None = None) -> None:
        """Open the window, moving, from where it was last looked at; wait until it is closed.

        Args:
            memory: file that keeps the camera between windows; None keeps nothing.
        """
        self._fit()
        if memory is not None:
            self._recall(memory)
        self.plotter.add_timer_event(max_steps=10_000_000, duration=40, callback=self._tick)
        self.plotter.show(auto_close=False)
        if memory is not None:
            self._remember(memory)
        self.plotter.close()

    def _recall(self, memory: Path) -> None:
        """Take the camera of the last window on a model of this name and size, if there was one."""
        try:
            kept = json.loads(memory.read_text(encoding="utf-8"))[self._key]
            self.plotter.camera_position = [tuple(map(float, row)) for row in kept]
        except (OSError, ValueError, KeyError, TypeError):
            return

    def _remember(self, memory: Path) -> None:
        try:
            kept = json.loads(memory.read_text(encoding="utf-8"))
        except (OSError, ValueError):
            kept = {}
        rows = [[float(v) for v in row] for row in self.plotter.camera_position]
        try:
            memory.parent.mkdir(parents=True, exist_ok=True)
            memory.write_text(json.dumps({**dict(kept), self._key: rows}), encoding="utf-8")
        except OSError:
            return

    @property
    def _key(self) -> str:
        return f"{self.appendage.name}, {len(self.appendage.nodes)} nodes"


def open_window(
    appendage: ReducedAppendage, mode: int = 1, color: str = "displacement", memory: Path | None = None
) -> None:
    """Open the window and wait until it is closed; ``memory`` is the file that keeps the camera."""
    ModeWindow(appendage, mode, color).show(memory)
