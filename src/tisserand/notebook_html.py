"""Notebook displays of objects: small tables and line drawings as SVG, without a plotting library."""

from __future__ import annotations

from collections.abc import Sequence
from html import escape

import numpy as np
from numpy.typing import ArrayLike

#: Lines drawn at most; of more, every second, third, ... is taken.
_MOST_LINES = 3000
_COLORS = ("#0072b2", "#d55e00", "#009e73", "#cc79a7", "#e69f00", "#56b4e9")
#: Directions of the page, seen from azimuth -55 and elevation 25 degrees.
_RIGHT = np.array([0.8191520, 0.5735764, 0.0])
_UP = np.array([-0.2424039, 0.3461886, 0.9063078])


def html_table(title: str, headers: Sequence[str], rows: Sequence[Sequence[object]]) -> str:
    """An HTML table; numbers are shortened to six digits."""

    def cell(value: object) -> str:
        return escape(f"{value:.6g}" if isinstance(value, float) else str(value))

    head = "".join(f"<th>{escape(word)}</th>" for word in headers)
    body = "".join("<tr>" + "".join(f"<td>{cell(value)}</td>" for value in row) + "</tr>" for row in rows)
    return f"<table><caption>{escape(title)}</caption><thead><tr>{head}</tr></thead><tbody>{body}</tbody></table>"


def line_drawing(positions: ArrayLike, lines: ArrayLike, *, moved: ArrayLike | None = None, width: int = 420) -> str:
    """Lines (e, 2) between positions (n, 3) as SVG; ``moved`` (n, 3) is drawn over them, deformed to a tenth of the size."""
    x, pairs = np.asarray(positions, float), np.asarray(lines, int)
    if not len(pairs) or not len(x):
        return ""
    pairs = pairs[:: 1 + len(pairs) // _MOST_LINES]
    flat = np.column_stack([x @ _RIGHT, -(x @ _UP)])
    layers = [(flat, "#b8bec7" if moved is not None else "#0072b2")]
    if moved is not None:
        u = np.asarray(moved, float)
        largest = float(np.abs(u).max(initial=0.0))
        size = float(np.ptp(x, axis=0).max())
        y = x + u * (0.1 * size / largest if largest > 0.0 else 0.0)
        layers.append((np.column_stack([y @ _RIGHT, -(y @ _UP)]), "#0072b2"))
    used = np.concatenate([points[np.unique(pairs)] for points, _ in layers])
    low, span = used.min(axis=0), np.maximum(np.ptp(used, axis=0), 1e-12)
    scale = (width - 20) / max(float(span[0]), float(span[1]) * 1.4)
    paths = []
    for points, color in layers:
        ends = 10.0 + (points[pairs] - low) * scale
        path = "".join(f"M{a[0]:.1f} {a[1]:.1f}L{b[0]:.1f} {b[1]:.1f}" for a, b in ends)
        paths.append(f'<path d="{path}" stroke="{color}" stroke-width="1" fill="none"/>')
    return _svg(20 + span[0] * scale, 20 + span[1] * scale, paths)


def curves(times: ArrayLike, values: ArrayLike, names: Sequence[str], *, width: int = 420, height: int = 120) -> str:
    """Histories (n, c) over time as SVG, with their names and the largest size; positive ones stand on the lower edge."""
    t, v = np.asarray(times, float), np.asarray(values, float)
    keep = slice(None, None, 1 + len(t) // 800)
    t, v = t[keep], v[keep]
    largest = float(np.abs(v).max(initial=0.0)) or 1.0
    across = 10 + (t - t[0]) / max(float(t[-1] - t[0]), 1e-300) * (width - 20)
    positive = bool((v >= 0.0).all()) and bool(v.any())
    zero, room = (height - 6.0, height - 22.0) if positive else (height / 2, height / 2 - 16)
    parts = [f'<path d="M10 {zero}H{width - 10}" stroke="#e4e7eb"/>']
    for i, name in enumerate(names):
        color = _COLORS[i % len(_COLORS)]
        down = zero - v[:, i] / largest * room
        path = "M" + "L".join(f"{a:.1f} {b:.1f}" for a, b in zip(across, down))
        parts.append(f'<path d="{path}" stroke="{color}" fill="none"/>')
        parts.append(f'<text x="{12 + 90 * i}" y="11" font-size="10" fill="{color}">{escape(name)}</text>')
    parts.append(
        f'<text x="{width - 10}" y="11" font-size="10" text-anchor="end">{"" if positive else "± "}{largest:.3g}</text>'
    )
    return _svg(width, height, parts)


def _svg(width: float, height: float, parts: Sequence[str]) -> str:
    size = f'width="{width:.0f}" height="{height:.0f}" viewBox="0 0 {width:.0f} {height:.0f}"'
    return f'<svg xmlns="http://www.w3.org/2000/svg" {size}>{"".join(parts)}</svg>'


def edges_of_cells(cells: ArrayLike) -> np.ndarray:
    """Closed outlines of cells (m, k) as pairs (e, 2), each once."""
    c = np.asarray(cells, int)
    pairs = np.stack([c, np.roll(c, -1, axis=1)], axis=2).reshape(-1, 2)
    return np.unique(np.sort(pairs, axis=1), axis=0)
