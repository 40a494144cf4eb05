"""What every task with a plot offers: endings and styles."""

from __future__ import annotations

from typing import Literal

#: Endings of plots.
PLOTS = (".png", ".pdf", ".svg")
PlotStyle = Literal["screen", "paper"]
STYLE = "style of the plot: screen, or paper (one column, 300 dpi, serif)"
