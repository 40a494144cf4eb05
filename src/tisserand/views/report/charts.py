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
) -> Markup:
    """Curves over a common abscissa; ``marks`` are labeled vertical lines; ``log``: a logarithmic axis of the values' sizes.

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
    }
    if not log and largest < floor:
        spec["range"] = [-10.0 * floor, 10.0 * floor]
    if marks:
        spec["marks"] = [[float(place), label] for place, label in marks]
    return _chart(spec, name)


def bars(
    labels: Sequence[str], series: Sequence[tuple[str, FloatArray]], x_label: str, y_label: str, name: str = ""
) -> Markup:
    """Grouped bars, one group per label."""
    sent = [{"name": label, "y": packed(values, "f4")} for label, values in series]
    spec = {"kind": "bars", "x_label": x_label, "y_label": y_label, "labels": list(labels), "series": sent}
    return _chart(spec, name)


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
