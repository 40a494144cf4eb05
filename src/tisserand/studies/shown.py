"""Names and paths from user files, printed literally."""

from __future__ import annotations

from tisserand.errors import one_line


def shown(text: object) -> str:
    """Text for a line with rich markup: brackets are brackets, line breaks and escape sequences appear as codes."""
    from rich.markup import escape

    return escape(one_line(str(text)))
