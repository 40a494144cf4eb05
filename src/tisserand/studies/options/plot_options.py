"""What every task with a plot offers: endings and styles."""

from __future__ import annotations

from typing import Literal

#: Endings of plots.
PLOTS = (".png", ".pdf", ".svg")
PlotStyle = Literal["screen", "paper"]
STYLE = "look of the plot: for a screen, or for a column of a paper (300 dots per inch, serif letters)"
