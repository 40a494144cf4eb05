"""Charts as inline SVG: bars, curves, a matrix of colors. Every axis has its unit."""

from __future__ import annotations

from collections.abc import Sequence
from html import escape
from itertools import pairwise

import numpy as np

from tisserand.arrays import FloatArray
from tisserand.views.report.html import Markup
from tisserand.views.style import CURVES, curve_dash

WIDTH, HEIGHT = 560, 300
LEFT, RIGHT, TOP, BOTTOM = 66, 14, 14, 44
#: Most points of one curve that are drawn; longer series are reduced to minima and maxima per bin.
MOST_POINTS = 900
#: Series per row of the key above a plot (twice as many where all names are short), and letters of a name there.
KEY_COLUMNS, MOST_LETTERS, SHORT_LETTERS = 3, 22, 8


def ticks(low: float, high: float, wanted: int = 5) -> list[float]:
    """Round tick values covering [low, high]."""
    if not np.isfinite([low, high]).all() or high <= low:
        return [low]
    raw = (high - low) / wanted
    power = 10.0 ** np.floor(np.log10(raw))
    step = float(min((m * power for m in (1.0, 2.0, 2.5, 5.0, 10.0)), key=lambda s: abs(s - raw)))
    first = np.ceil(low / step - 1e-9)
    return [float(step * i) + 0.0 for i in np.arange(first, np.floor(high / step + 1e-9) + 1)]  # never -0


def _frame(
    x_range: tuple[float, float],
    y_range: tuple[float, float],
    x_label: str,
    y_label: str,
    *,
    log: bool = False,
    label: str = "",
    names: Sequence[str] = (),
) -> list[str]:
    """Axes with ticks and labels; ``names`` of the series are above the plot, never on it."""
    columns = KEY_COLUMNS if max(map(len, names), default=0) > SHORT_LETTERS else 2 * KEY_COLUMNS
    key = 18 * -(-len(names) // columns)
    parts = [
        f'<svg viewBox="0 {-key} {WIDTH} {HEIGHT + key}" role="img" aria-label="{escape(label)}" style="width:100%;max-width:680px;height:auto">'
    ]
    for number, name in enumerate(names):
        row, column = divmod(number, columns)
        left, base = LEFT + (WIDTH - LEFT) / columns * column, 18 * row - key + 14
        color = CURVES[number % len(CURVES)]
        shown = name if len(name) <= MOST_LETTERS else name[: MOST_LETTERS - 1] + "…"
        if curve_dash(number):
            dash = f'stroke="{color}" stroke-width="3" stroke-dasharray="{curve_dash(number)}"'
            parts.append(f'<line x1="{left:.0f}" x2="{left + 14:.0f}" y1="{base - 5}" y2="{base - 5}" {dash}/>')
        else:
            parts.append(f'<rect x="{left:.0f}" y="{base - 8}" width="14" height="6" fill="{color}"/>')
        parts.append(f'<text x="{left + 19:.0f}" y="{base}">{escape(shown)}<title>{escape(name)}</title></text>')
    for value in ticks(*y_range):
        y = _y(value, y_range)
        shown = f"1e{value:.0f}" if log else f"{value:.4g}"
        parts.append(f'<line x1="{LEFT}" x2="{WIDTH - RIGHT}" y1="{y:.1f}" y2="{y:.1f}" stroke="#e4e7eb"/>')
        parts.append(f'<text x="{LEFT - 6}" y="{y + 4:.1f}" text-anchor="end">{shown}</text>')
    counted = x_label.startswith("mode")  # modes have no halves
    for value in (v for v in ticks(*x_range) if not counted or v == round(v)):
        x = _x(value, x_range)
        parts.append(f'<text x="{x:.1f}" y="{HEIGHT - BOTTOM + 18}" text-anchor="middle">{value:.4g}</text>')
    middle = 0.5 * (LEFT + WIDTH - RIGHT)
    parts.append(f'<text class="soft" x="{middle}" y="{HEIGHT - 6}" text-anchor="middle">{escape(x_label)}</text>')
    up = 0.5 * (TOP + HEIGHT - BOTTOM)
    parts.append(
        f'<text class="soft" transform="translate(14 {up}) rotate(-90)" text-anchor="middle">{escape(y_label)}</text>'
    )
    return parts


def _x(value: float, span: tuple[float, float]) -> float:
    return LEFT + (value - span[0]) / ((span[1] - span[0]) or 1.0) * (WIDTH - LEFT - RIGHT)


def _y(value: float, span: tuple[float, float]) -> float:
    return HEIGHT - BOTTOM - (value - span[0]) / ((span[1] - span[0]) or 1.0) * (HEIGHT - TOP - BOTTOM)


def _envelope(x: FloatArray, y: FloatArray) -> tuple[FloatArray, FloatArray]:
    """At most MOST_POINTS points that keep every extreme."""
    if len(x) <= MOST_POINTS:
        return x, y
    edges = np.linspace(0, len(x), MOST_POINTS // 2 + 1).astype(int)
    rows = []
    for a, b in pairwise(edges):
        rows += sorted({a + int(np.argmin(y[a:b])), a + int(np.argmax(y[a:b]))})
    return x[rows], y[rows]


def curves(
    x: FloatArray,
    series: Sequence[tuple[str, FloatArray]],
    x_label: str,
    y_label: str,
    *,
    log: bool = False,
    marks: Sequence[tuple[float, str]] = (),
    floor: float = 0.0,
) -> Markup:
    """Curves over a common abscissa; ``marks`` are labeled vertical lines; ``log`` draws log10 of the values.

    Values that stay below ``floor`` are round-off: the axis spans ten times it, so that they show as the zero line that they are.
    """
    x = np.asarray(x, float)
    drawn = []
    for name, values in series:
        y = np.asarray(values, float)
        if log:
            y = np.log10(np.maximum(np.abs(y), 1e-300))
        drawn.append((name, np.where(np.isfinite(y), y, np.nan)))
    everything = np.concatenate([y[np.isfinite(y)] for _, y in drawn]) if drawn else np.zeros(0)
    low, high = (float(everything.min()), float(everything.max())) if everything.size else (0.0, 1.0)
    if not log and max(abs(low), abs(high)) < floor:
        low, high = -10.0 * floor, 10.0 * floor
    pad = 0.05 * (high - low) or max(abs(high), 1.0) * 1e-3
    span_x, span_y = (
        (float(x.min(initial=0.0)) if x.size == 0 else float(x[0]), float(x[-1]) if x.size else 1.0),
        (low - pad, high + pad),
    )
    parts = _frame(
        span_x, span_y, x_label, y_label, log=log, label=f"{y_label} against {x_label}", names=[n for n, _ in drawn]
    )
    for place, label in marks:
        if span_x[0] <= place <= span_x[1]:
            at = _x(place, span_x)
            parts.append(
                f'<line x1="{at:.1f}" x2="{at:.1f}" y1="{TOP}" y2="{HEIGHT - BOTTOM}" stroke="#9aa5b1" stroke-dasharray="3 3"/>'
            )
            parts.append(f'<text class="soft" x="{at + 3:.1f}" y="{TOP + 10}" font-size="10">{escape(label)}</text>')
    for number, (name, y) in enumerate(drawn):
        good = np.isfinite(y)
        xs, ys = _envelope(x[good], y[good])
        points = " ".join(f"{_x(a, span_x):.1f},{_y(b, span_y):.1f}" for a, b in zip(xs, ys))
        color = CURVES[number % len(CURVES)]
        dash = f' stroke-dasharray="{curve_dash(number)}"' if curve_dash(number) else ""
        parts.append(
            f'<polyline points="{points}" fill="none" stroke="{color}" stroke-width="1.6"{dash}><title>{escape(name)}</title></polyline>'
        )
    return Markup("".join([*parts, "</svg>"]))


def bars(labels: Sequence[str], series: Sequence[tuple[str, FloatArray]], x_label: str, y_label: str) -> Markup:
    """Grouped bars, one group per label."""
    top = max((float(np.max(values, initial=0.0)) for _, values in series), default=1.0) or 1.0
    span_y = (0.0, 1.08 * top)
    count = max(len(labels), 1)
    label = f"{y_label} by {x_label}"
    parts = _frame((0.5, count + 0.5), span_y, x_label, y_label, label=label, names=[name for name, _ in series])
    slot = (WIDTH - LEFT - RIGHT) / count
    width = 0.8 * slot / max(len(series), 1)
    for number, (name, values) in enumerate(series):
        color = CURVES[number % len(CURVES)]
        for i, value in enumerate(values):
            x = LEFT + slot * i + 0.1 * slot + number * width
            y = _y(float(value), span_y)
            label = f"{labels[i]}, {name}: {value:.4g}"
            parts.append(
                f'<rect x="{x:.1f}" y="{y:.1f}" width="{max(width - 0.5, 0.5):.1f}" height="{HEIGHT - BOTTOM - y:.1f}" fill="{color}">'
                f"<title>{escape(label)}</title></rect>"
            )
    return Markup("".join([*parts, "</svg>"]))


def heat_map(matrix: FloatArray, x_label: str, y_label: str) -> Markup:
    """A matrix of values from 0 to 1 as shades with a title on every cell."""
    rows, columns = matrix.shape
    size = 420 / max(rows, columns, 1)
    wide, high = 60 + size * columns, 40 + size * rows
    parts = [
        f'<svg viewBox="0 0 {wide:.0f} {high:.0f}" role="img" aria-label="{escape(y_label)} against {escape(x_label)}" style="max-width:480px">'
    ]
    for i in range(rows):
        for j in range(columns):
            value = float(matrix[i, j])
            shade = round(255 - 200 * min(max(value, 0.0), 1.0))
            parts.append(
                f'<rect x="{50 + size * j:.1f}" y="{6 + size * i:.1f}" width="{size:.1f}" height="{size:.1f}" fill="rgb({shade},{shade},{min(shade + 30, 255)})" '
                f'stroke="#e4e7eb"><title>{escape(y_label)} {i + 1}, {escape(x_label)} {j + 1}: {value:.3f}</title></rect>'
            )
    parts.append(
        f'<text class="soft" x="{50 + size * columns / 2:.0f}" y="{high - 8:.0f}" text-anchor="middle">{escape(x_label)}</text>'
    )
    parts.append(
        f'<text class="soft" transform="translate(16 {6 + size * rows / 2:.0f}) rotate(-90)" text-anchor="middle">{escape(y_label)}</text>'
    )
    return Markup("".join([*parts, "</svg>"]))
