"""One look for every picture: color-blind-safe maps, readable sizes, units on every axis."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from contextvars import ContextVar
from pathlib import Path
from typing import Any

#: Perceptually uniform and safe for color-blind readers.
COLOR_MAP = "viridis"
#: The same order of hues without its darkest end, for moving pictures: nothing gets near black at rest.
LIT_MAP = ("#46549e", "#2f78a7", "#2699a0", "#3eb489", "#80cc60", "#c6db42", "#fde233")
GHOST = "#b8bec7"
INK = "#1f2933"
LINK = "#d1495b"
BODY = "#e07a1f"
#: Axes x, y, z of a triad.
TRIAD = ("#c1272d", "#1a8f3c", "#1f5fbf")
#: Okabe-Ito order, for curves.
CURVES = ("#0072b2", "#d55e00", "#009e73", "#cc79a7", "#e69f00", "#56b4e9", "#000000", "#8c6d31")
#: Lines, dashes (SVG) and markers that distinguish curves of one color.
LINES = (("-", "", "o"), ("--", "7 3", "s"), (":", "2 3", "^"), ("-.", "8 3 2 3", "D"))
PICTURE_PIXELS = (1280, 860)
DPI = 130


def curve_look(number: int) -> dict[str, str]:
    """Color, line and marker of curve ``number`` (from 0); the first 32 all differ."""
    again, place = divmod(number, len(CURVES))
    line, _, marker = LINES[again % len(LINES)]
    return {"color": CURVES[place], "linestyle": line, "marker": marker}


def branch_look(number: int, below: int | None) -> dict[str, Any]:
    """The look of a branch that may lie on branch ``below``: dashes then, through which that branch is seen."""
    look: dict[str, Any] = {**curve_look(number)}
    if below is not None:
        look |= {"linestyle": (0, (5, 5))}
    return look


def curve_dash(number: int) -> str:
    """``stroke-dasharray`` of curve ``number`` (from 0) in SVG."""
    return LINES[number // len(CURVES) % len(LINES)][1]


#: Sizes by style: dots per inch, letters, scale of the figure, family of letters.
STYLES: dict[str, dict[str, Any]] = {
    "screen": {"dpi": DPI, "size": 10.0, "scale": 1.0, "family": "sans-serif"},
    "paper": {"dpi": 300, "size": 8.0, "scale": 0.68, "family": "serif"},
}
_style: ContextVar[str] = ContextVar("style", default="screen")


@contextmanager
def drawn_as(style: str) -> Iterator[None]:
    """Draw everything inside in a style: ``screen``, or ``paper`` (a column of a page, 300 dots per inch, serif letters)."""
    token = _style.set(style)
    try:
        yield
    finally:
        _style.reset(token)


def figure(width: float = 9.0, height: float = 6.0, **options: Any) -> Any:
    """A matplotlib figure that needs no screen and never touches global state; inches on a screen."""
    from matplotlib import rc_context
    from matplotlib.backends.backend_agg import FigureCanvasAgg
    from matplotlib.figure import Figure

    look = STYLES[_style.get()]
    size = (look["scale"] * width, look["scale"] * height)
    with rc_context({"font.size": look["size"], "font.family": look["family"]}):
        made = Figure(figsize=size, dpi=look["dpi"], layout="constrained", **options)
    FigureCanvasAgg(made)
    return made


def shape_colors() -> Any:
    """Colors of shapes and of moving vehicles: the same as on the pages, nowhere near black."""
    from matplotlib.colors import LinearSegmentedColormap

    return LinearSegmentedColormap.from_list("lit", list(LIT_MAP))


def dress(made: Any) -> None:
    """Give all letters of a finished figure the size and family of the style; a second call changes nothing."""
    from matplotlib.text import Text

    look = STYLES[_style.get()]
    if _style.get() == "screen" or getattr(made, "dressed", False):
        return
    part = look["size"] / STYLES["screen"]["size"]
    made.dressed = True
    ticks = [label for axes in made.axes for label in (*axes.get_xticklabels(), *axes.get_yticklabels())]
    for axes in made.axes:
        axes.tick_params(which="both", labelsize=look["size"], labelfontfamily=look["family"])
    for text in set(made.findobj(Text)) - set(ticks):
        text.set_fontsize(part * text.get_fontsize())
        text.set_fontfamily(look["family"])


def save_figure(made: Any, path: str | Path) -> Path:
    """Write a figure as PNG, PDF or SVG by its ending; the same figure gives the same bytes."""
    from matplotlib import rc_context

    from tisserand.files import atomic_path

    look, kind = STYLES[_style.get()], Path(path).suffix.lower().lstrip(".") or "png"
    undated = {"pdf": {"CreationDate": None}, "svg": {"Date": None}}.get(kind, {})
    letters = {"font.size": look["size"], "font.family": look["family"], "svg.hashsalt": "tisserand"}
    dress(made)
    with atomic_path(path) as temporary, rc_context(letters):
        made.savefig(temporary, format=kind, metadata=undated)
    return Path(path)


def tidy(axes: Any, title: str, x_label: str, y_label: str) -> None:
    """Labels, light grid and no box around a plot."""
    axes.set_title(title, loc="left", fontsize=11, color=INK)
    axes.set_xlabel(x_label)
    axes.set_ylabel(y_label)
    axes.grid(True, color="#e4e7eb", linewidth=0.8)
    axes.set_prop_cycle(color=CURVES)
    for side in ("top", "right"):
        axes.spines[side].set_visible(False)
