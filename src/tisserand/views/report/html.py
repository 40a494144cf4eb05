"""Building blocks of a page; everything that comes from data is escaped here, once."""

from __future__ import annotations

import json
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from functools import cache
from html import escape
from importlib.resources import files
from typing import Any

import numpy as np


@dataclass(frozen=True)
class Markup:
    """Text that is HTML already."""

    html: str


@dataclass(frozen=True)
class Share:
    """A part of a whole (0 to 1), shown in percent over a bar; ``title`` says what it is in its own unit."""

    part: float
    title: str

    def __float__(self) -> float:
        return self.part


def text(value: object) -> str:
    """A value as shown on the page: numbers short, everything else escaped."""
    if isinstance(value, Markup):
        return value.html
    if isinstance(value, Share):
        return "·" if value.part < 5e-5 else f"{100.0 * value.part:.2f}"
    if isinstance(value, bool | np.bool_):
        return "yes" if value else "no"
    if isinstance(value, float | np.floating):
        return f"{float(value):.5g}" if np.isfinite(value) else "–"
    if value is None:
        return "–"
    return escape(str(value))


def paragraph(value: object, css: str = "") -> Markup:
    return Markup(f'<p class="{css}">{text(value)}</p>' if css else f"<p>{text(value)}</p>")


def table(
    columns: Sequence[str],
    rows: Iterable[Sequence[object]],
    *,
    sortable: bool = False,
    caption: str = "",
    row_attribute: str = "",
) -> Markup:
    """A table; columns whose cells are all numbers are right-aligned. ``row_attribute`` numbers the rows, from 0."""
    body = [list(row) for row in rows]
    numeric = [
        bool(body)
        and all(isinstance(row[i], int | float | np.number | Share) and not isinstance(row[i], bool) for row in body)
        for i in range(len(columns))
    ]
    heads = []
    for name, number in zip(columns, numeric):
        label = f'<button type="button">{escape(name)}</button>' if sortable else escape(name)
        heads.append(f'<th scope="col"{"" if number else " class=text"}>{label}</th>')
    lines = []
    for index, row in enumerate(body):
        mark = f' {row_attribute}="{index}"' if row_attribute else ""
        cells = []
        for value, number in zip(row, numeric):
            full = f' data-value="{float(value)!r}"' if number else " class=text"  # type: ignore[arg-type]
            if isinstance(value, Share):
                full += f' class=share style="--part:{100.0 * min(value.part, 1.0):.1f}%" title="{escape(value.title)}"'
            cells.append(f"<td{full}>{text(value)}</td>")
        lines.append(f"<tr{mark}>{''.join(cells)}</tr>")
    head = f"<caption>{escape(caption)}</caption>" if caption else ""
    css = ' class="sortable"' if sortable else ""
    return Markup(
        f'<div class="scroll" tabindex="0"><table{css}>{head}<thead><tr>{"".join(heads)}</tr></thead><tbody>{"".join(lines)}</tbody></table></div>'
    )


def cards(items: Iterable[tuple[str, object]]) -> Markup:
    """Key figures side by side: (label, value)."""
    inner = "".join(
        f'<div class="card"><b>{text(value)}</b><span>{escape(label)}</span></div>' for label, value in items
    )
    return Markup(f'<div class="cards">{inner}</div>')


def details(summary: str, content: Markup) -> Markup:
    return Markup(f"<details><summary>{escape(summary)}</summary>{content.html}</details>")


def figure(svg: Markup, caption: str, data: Markup | None = None) -> Markup:
    """A chart with its caption, and the numbers behind it for readers who cannot see it."""
    behind = details("Numbers behind this chart", data).html if data is not None else ""
    return Markup(f"<figure>{svg.html}<figcaption>{escape(caption)}</figcaption></figure>{behind}")


def data_block(identifier: str, data: Any) -> Markup:
    """JSON inside the page; ``<`` is written as an escape so that no name can end the block."""
    body = json.dumps(data, separators=(",", ":"), allow_nan=False).replace("<", "\\u003c")
    return Markup(f'<script type="application/json" id="{escape(identifier)}">{body}</script>')


@dataclass(frozen=True)
class Section:
    """One part of the page, reached from the navigation bar."""

    identifier: str
    title: str
    content: tuple[Markup, ...]


def page(
    title: str,
    subtitle: str,
    sections: Sequence[Section],
    scripts: Sequence[str] = (),
    *,
    verdict: tuple[str, str] = ("", ""),
    reasons: Sequence[str] = (),
    figures: Markup | None = None,
) -> str:
    """The whole document with its styles and scripts inside; nothing is fetched.

    verdict: mark (ok, warn, fail) and words of the badge beside the title, which leads to the section ``summary``;
    reasons: what it says when pointed at; figures: key numbers below it.
    """
    assets = files("tisserand.views.report") / "assets"
    style = (assets / "report.css").read_text(encoding="utf-8")
    code = "\n".join(
        (assets / name).read_text(encoding="utf-8") for name in ("viewer.js", "page.js", "charts.js", *scripts)
    )
    menu = "".join(f'<a href="#{s.identifier}">{escape(s.title)}</a>' for s in sections)
    body = "".join(
        f'<section id="{s.identifier}"><h2>{escape(s.title)}</h2>{"".join(part.html for part in s.content)}</section>'
        for s in sections
    )
    policy = "default-src 'none'; style-src 'unsafe-inline'; script-src 'unsafe-inline'; img-src data: blob:"
    library = _library() if '<div class="chart"' in body else ""
    why = escape("\n".join(reasons) or "What was checked")
    badge = (
        f'<a class="verdict {verdict[0]}" href="#summary" title="{why}">{escape(verdict[1])}</a>' if verdict[1] else ""
    )
    return (
        '<!DOCTYPE html>\n<html lang="en"><head><meta charset="utf-8">'
        f'<meta http-equiv="Content-Security-Policy" content="{policy}">'
        '<meta name="viewport" content="width=device-width, initial-scale=1"><link rel="icon" href="data:,">'
        f"<title>{escape(title)}</title><style>{style}</style></head>\n<body>"
        f'<header><div class="top"><h1>{escape(title)}</h1>{badge}'
        '<span class="tools"><button type="button" id="theme">Dark</button><button type="button" id="print">Print</button></span></div>'
        f"<p>{escape(subtitle)}</p>{figures.html if figures else ''}</header>"
        f'<nav aria-label="Sections">{menu}</nav><main>{body}</main>'
        f"{library}<script>{code}</script></body></html>\n"
    )


@cache
def _library() -> str:
    """The chart library as text, which the page runs after its first paint."""
    source = (files("plotly") / "package_data" / "plotly.min.js").read_text(encoding="utf-8")
    return '<script type="text/plain" id="plotly">' + source.replace("</script", "<\\/script") + "</script>"
