"""A picture of an acceptance table: how much of every limit a value uses, with value, limit and verdict."""

from __future__ import annotations

from pathlib import Path

import numpy as np

from tisserand.responses.acceptance import Acceptance, Judged
from tisserand.views.style import CURVES, GHOST, INK, figure, save_figure

_COLORS = {"pass": CURVES[2], "FAIL": CURVES[1], "missing": GHOST, "not applicable": GHOST}
#: Ends of the axis: values far within or far beyond a limit are drawn at its ends.
_LEAST, _MOST = 1e-6, 1e3
_USED = "part of the limit that is used (above 1: beyond it)"
#: Measures that are one at best: what they leave is compared with what the limit leaves.
_ONE = ("mac", "reduced_mac", "cross_orthogonality", "effective_mass")


def save_acceptance_picture(acceptance: Acceptance, path: str | Path) -> Path:
    """One bar per criterion: the part of its limit that is used, on a logarithmic axis, into a PNG file."""
    rows = acceptance.rows
    made = figure(11.0, 1.3 + 0.36 * len(rows))
    axes = made.add_subplot()
    for place, row in enumerate(rows):
        share = used(row)
        color = _COLORS[row.outcome]
        if share is not None:
            axes.barh(place, np.clip(share, 2.0 * _LEAST, _MOST), left=_LEAST, color=color, height=0.62)
        value = "" if row.value is None else f"{row.value:.3g}"
        axes.text(1.02, place, f"{value:>9}   {row.criterion.limit}", transform=axes.get_yaxis_transform(), va="center",
                  fontsize=8, family="monospace", color=INK)  # fmt: skip
        axes.text(0.99, place, row.outcome, transform=axes.get_yaxis_transform(), va="center", ha="right", fontsize=9,
                  color=INK, weight="bold" if row.outcome == "FAIL" else "normal")  # fmt: skip
    axes.axvline(1.0, color=INK, linewidth=1.2)
    axes.set_xscale("log")
    axes.set_xlim(_LEAST, _MOST)
    axes.set_ylim(len(rows) - 0.4, -0.6)
    axes.set_yticks(range(len(rows)), [row.criterion.measure.replace("_", " ") for row in rows], fontsize=9)
    axes.set_xlabel(_USED)
    verdict = "accepted" if acceptance.accepted else "not accepted"
    axes.set_title(f"{acceptance.name}: {acceptance.title}, {verdict}", loc="left", fontsize=11, color=INK)
    axes.grid(True, axis="x", color="#e4e7eb", linewidth=0.8)
    axes.set_axisbelow(True)
    for side in ("top", "right"):
        axes.spines[side].set_visible(False)
    return save_figure(made, path)


def used(row: Judged) -> float | None:
    """The part of its limit that a value uses, above 1 beyond it; None where nothing was measured.

    An upper limit is used by value / limit, a lower one by limit / value, or by what both leave to one where one is the best. A
    limit of zero is passed by anything above it, and a NaN goes beyond every limit.
    """
    if row.value is None:
        return None
    shares = [0.0]
    if np.isnan(row.value):
        return float("inf")
    c = row.criterion
    if c.at_most is not None:
        shares.append(row.value / c.at_most if c.at_most > 0.0 else (float("inf") if row.value > c.at_most else 0.0))
    if c.at_least is not None and c.measure in _ONE and c.at_least < 1.0:
        shares.append((1.0 - row.value) / (1.0 - c.at_least))
    elif c.at_least is not None and c.at_least > 0.0:
        shares.append(c.at_least / row.value if row.value > 0.0 else float("inf"))
    return float(max(shares))
