"""Tables for notebooks: a list of rows as HTML."""

from __future__ import annotations

from collections.abc import Sequence
from html import escape


def html_table(title: str, headers: Sequence[str], rows: Sequence[Sequence[object]]) -> str:
    """An HTML table; numbers are shortened to six digits."""

    def cell(value: object) -> str:
        return escape(f"{value:.6g}" if isinstance(value, float) else str(value))

    head = "".join(f"<th>{escape(word)}</th>" for word in headers)
    body = "".join("<tr>" + "".join(f"<td>{cell(value)}</td>" for value in row) + "</tr>" for row in rows)
    return f"<table><caption>{escape(title)}</caption><thead><tr>{head}</tr></thead><tbody>{body}</tbody></table>"
