"""A mode shape drawn with matplotlib, for machines where VTK cannot draw."""

from __future__ import annotations

from typing import Any

import numpy as np

from tisserand.views.geometry import DrawnMode
from tisserand.views.style import BODY, GHOST, LINK, TRIAD, figure, shape_colors


def mode_figure(drawn: DrawnMode, *, labels: bool = True) -> Any:
    """A matplotlib figure of one mode: undeformed ghost, deformed shape in color, interface triads.

    Without ``labels`` there is no title and no color bar (for contact sheets).
    """
    from matplotlib.cm import ScalarMappable
    from matplotlib.colors import Normalize
    from mpl_toolkits.mplot3d.art3d import Line3DCollection, Poly3DCollection

    made = figure(9.8, 6.6)
    axes = made.add_subplot(projection="3d")
    colors, size = shape_colors(), drawn.values
    deformed = drawn.deformed
    skin = drawn.skin
    if len(skin.triangles):
        still = drawn.skin.rest(drawn.points)[skin.triangles]
        axes.add_collection3d(Poly3DCollection(still, facecolor=GHOST, alpha=0.12))
        tint = colors(drawn.skin_values[skin.triangles].mean(axis=1))
        axes.add_collection3d(Poly3DCollection(drawn.moved_skin(drawn.scale)[skin.triangles], facecolor=tint))
    if len(drawn.lines):
        axes.add_collection3d(Line3DCollection(drawn.points[drawn.lines], colors=GHOST, linewidths=1.0))
        axes.add_collection3d(
            Line3DCollection(deformed[drawn.lines], colors=colors(size[drawn.lines].mean(axis=1)), linewidths=3.0)
        )
    if len(drawn.links):
        axes.add_collection3d(Line3DCollection(deformed[drawn.links], colors=LINK, linewidths=0.8))
    if len(drawn.bodies):
        axes.scatter(
            *deformed[drawn.bodies].T,
            color=BODY,
            s=24 * (drawn.body_radius / drawn.body_radius.max()) ** 2,
            depthshade=False,
        )
    for axis, color in enumerate(TRIAD):
        if len(drawn.triads):
            axes.add_collection3d(
                Line3DCollection(drawn.moved_triads(drawn.scale)[:, [0, axis + 1]], colors=color, linewidths=2.0)
            )
    cloud = np.vstack([drawn.points, deformed])
    middle, half = (
        0.5 * (cloud.max(axis=0) + cloud.min(axis=0)),
        0.5 * np.maximum(np.ptp(cloud, axis=0), 0.15 * np.ptp(cloud)),
    )
    axes.set(xlim=middle[0] + half[0] * np.array([-1, 1]), ylim=middle[1] + half[1] * np.array([-1, 1]))
    axes.set(zlim=middle[2] + half[2] * np.array([-1, 1]))
    axes.set_box_aspect(half)
    axes.set(xlabel="x (m)", ylabel="y (m)", zlabel="z (m)")
    axes.locator_params(nbins=4)  # ticks of a short side must not run into each other
    axes.view_init(elev=24, azim=-58)
    if labels:
        axes.set_title(drawn.title, loc="left", fontsize=13)
        bar = made.colorbar(ScalarMappable(Normalize(0.0, 1.0), colors), ax=axes, shrink=0.6, pad=0.08)
        bar.set_label(drawn.label)
    return made
