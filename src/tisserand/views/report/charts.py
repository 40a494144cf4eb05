"""Charts of a page: what is drawn, as data for the chart library inside the page. Every axis has its unit."""

from __future__ import annotations

import json
from collections.abc import Sequence
from html import escape
from itertools import pairwise
from typing import Any

import numpy as np

from tisserand.arrays import FloatArray
from tisserand.views.report.html import Markup
from tisserand.views.report.packing import packed

#: Most points of one curve that are drawn; longer series are reduced to minima and maxima per bin.
MOST_POINTS = 2000


def _envelope(x: FloatArray, y: FloatArray) -> tuple[FloatArray, FloatArray]:
    """At most MOST_POINTS points that keep every extreme."""
    if len(x) <= MOST_POINTS:
        return x, y
    edges = np.linspace(0, len(x), MOST_POINTS // 2 + 1).astype(int)
    rows = []
    for a, b in pairwise(edges):
        rows += sorted({a + int(np.argmin(y[a:b])), a + int(np.argmax(y[a:b]))})
    return x[rows], y[rows]


def _chart(spec: dict[str, Any], name: str) -> Markup:
    body = json.dumps(spec, separators=(",", ":"), allow_nan=False).replace("<", "\\u003c")
    label = f"{spec['y_label']} against {spec['x_label']}"
    time = ' data-time="1"' if spec["x_label"].startswith("time") else ""
    return Markup(
        f'<div class="chart"{time} role="img" aria-label="{escape(label)}" data-name="{escape(name or label)}">'
        f'<script type="application/json">{body}</script></div>'
    )


def curves(
    x: FloatArray,
    series: Sequence[tuple[str, FloatArray]],
    x_label: str,
    y_label: str,
    *,
    log: bool = False,
    marks: Sequence[tuple[float, str]] = (),
    floor: float = 0.0,
    name: str = "",
    log_x: bool = False,
    pointed: bool = False,
    levels: Sequence[tuple[float, str]] = (),
    dashed: Sequence[int] = (),
) -> Markup:
    """Curves over a common abscissa; ``marks`` are labeled vertical lines and ``levels`` horizontal ones.

    ``log``: a logarithmic axis of the values' sizes; ``log_x``: of the abscissa. ``pointed`` marks every sample;
    ``dashed`` numbers the curves that lie on others.

    Values that stay below ``floor`` are round-off: the axis spans ten times it, so that they show as the zero line that they are.
    """
    x = np.asarray(x, float)
    sent, largest = [], 0.0
    for label, values in series:
        y = np.asarray(values, float)
        y = np.maximum(np.abs(y), 1e-30) if log else y
        good = np.isfinite(y)
        xs, ys = _envelope(x[good], y[good])
        largest = max(largest, float(np.abs(ys).max(initial=0.0)))
        sent.append({"name": label, "x": packed(xs, "f8"), "y": packed(ys, "f4")})
    spec: dict[str, Any] = {
        "kind": "curves",
        "x_label": x_label,
        "y_label": y_label,
        "log": log,
        "series": sent,
        "counted": x_label.startswith("mode"),  # modes have no halves
        "count": len(x),
        "log_x": log_x,
        "pointed": pointed,
        "dashed": list(dashed),
        "levels": [[float(value), label] for value, label in levels],
    }
    if not log and largest < floor:
        spec["range"] = [-10.0 * floor, 10.0 * floor]
    if marks:
        spec["marks"] = [[float(place), label] for place, label in marks]
    return _chart(spec, name)


def bands(x: FloatArray, names: Sequence[str], table: FloatArray, x_label: str, y_label: str, name: str = "") -> Markup:
    """Nested bands over an abscissa: rows (2 b + 1, n) from the lowest to the highest, the middle one as a line.

    names: of the line and of the b bands, from the narrowest to the widest.
    """
    middle = len(table) // 2
    sent = []
    for width in range(middle, 0, -1):
        for row, filled in ((middle - width, False), (middle + width, True)):
            part = {"x": packed(x, "f8"), "y": packed(table[row], "f4"), "band": width, "filled": filled}
            sent.append({"name": names[width], **part})
    sent.append({"name": names[0], "x": packed(x, "f8"), "y": packed(table[middle], "f4")})
    spec = {"kind": "curves", "x_label": x_label, "y_label": y_label, "log": False, "series": sent, "count": len(x)}
    return _chart(spec, name)


def dots(
    groups: Sequence[tuple[str, FloatArray, FloatArray, FloatArray]],
    x_label: str,
    y_label: str,
    z_label: str,
    *,
    levels: Sequence[tuple[float, str]] = (),
    name: str = "",
) -> Markup:
    """Points (name, x, y, size) colored by the logarithm of a size over five decades; ``levels`` are horizontal lines."""
    largest = max((float(size.max(initial=0.0)) for *_, size in groups), default=0.0) or 1.0
    sent = [
        {"name": label, "x": packed(x, "f8"), "y": packed(y, "f4"), "z": packed(np.maximum(size, 1e-5 * largest), "f4")}
        for label, x, y, size in groups
    ]
    spec = {
        "kind": "dots", "x_label": x_label, "y_label": y_label, "z_label": z_label, "largest": largest, "series": sent,
        "levels": [[float(value), label] for value, label in levels],
    }  # fmt: skip
    return _chart(spec, name)


def bars(
    labels: Sequence[str], series: Sequence[tuple[str, FloatArray]], x_label: str, y_label: str, name: str = ""
) -> Markup:
    """Grouped bars, one group per label."""
    sent = [{"name": label, "y": packed(values, "f4")} for label, values in series]
    spec = {
        "kind": "bars", "x_label": x_label, "y_label": y_label, "labels": list(labels), "series": sent,
        "counted": x_label.startswith("mode"), "count": len(labels),
    }  # fmt: skip
    return _chart(spec, name)


def histogram(
    edges: FloatArray, counts: FloatArray, x_label: str, *, marks: Sequence[tuple[float, str]] = (), name: str = ""
) -> Markup:
    """Numbers of runs between edges; ``marks`` are labeled vertical lines."""
    centers = 0.5 * (np.asarray(edges)[:-1] + np.asarray(edges)[1:])
    spec = {
        "kind": "bars", "x_label": x_label, "y_label": "runs", "gap": 0.03, "marks": [[float(x), text] for x, text in marks],
        "series": [{"name": "runs", "x": packed(centers, "f8"), "y": packed(np.asarray(counts, float), "f4")}],
    }  # fmt: skip
    return _chart(spec, name)


def tornado(
    labels: Sequence[str],
    series: Sequence[tuple[str, FloatArray, FloatArray, FloatArray]],
    x_label: str,
    name: str = "",
) -> Markup:
    """Horizontal bars (name, value, low, high) with their bounds, one group per label, the first one at the bottom."""
    sent = [
        {"name": word, "x": packed(value, "f8"), "low": packed(low, "f8"), "high": packed(high, "f8")}
        for word, value, low, high in series
    ]
    return _chart({"kind": "tornado", "x_label": x_label, "y_label": "", "labels": list(labels), "series": sent}, name)


def points(
    x: FloatArray, y: FloatArray, numbers: Sequence[int], x_label: str, y_label: str, *,
    levels: Sequence[tuple[float, str]] = (), name: str = "",
) -> Markup:  # fmt: skip
    """Points with their numbers; ``levels`` are horizontal lines."""
    one = {"name": y_label, "x": packed(x, "f8"), "y": packed(y, "f8"), "text": [int(n) for n in numbers]}
    lines = [[float(value), text] for value, text in levels]
    return _chart({"kind": "points", "x_label": x_label, "y_label": y_label, "series": [one], "levels": lines}, name)


def heat_map(matrix: FloatArray, x_label: str, y_label: str, name: str = "") -> Markup:
    """A matrix of values from 0 to 1 as shades."""
    rows, columns = matrix.shape
    spec = {
        "kind": "heat",
        "x_label": x_label,
        "y_label": y_label,
        "rows": rows,
        "columns": columns,
        "z": packed(matrix, "f4"),
        "series": [],
    }
    return _chart(spec, name)
