"""The output of a command as HTML, for notebooks: the same words and tables as in the terminal."""

from __future__ import annotations

from collections.abc import Sequence
from html import escape
from itertools import pairwise

from tisserand.cli.screen import Screen, cell
from tisserand.errors import one_line
from tisserand.notebook_html import html_table

#: Colors of rich markup that stay readable on white.
_COLORS = {"green": "#007a3d", "yellow": "#9a6700", "red": "#c62828"}


class HtmlScreen(Screen):
    """A screen that keeps what it is given; ``html`` is the page so far."""

    def __init__(self) -> None:
        super().__init__()
        self.html = ""

    @property
    def empty(self) -> bool:
        """Whether there is no output yet."""
        return not self.html

    def say(self, text: str = "") -> None:
        """One line of rich markup as a paragraph."""
        from rich.text import Text

        marked = Text.from_markup(text, emoji=False)
        ends = [place for span in marked.spans for place in (span.start, span.end)]
        inside = ""
        for start, end in pairwise(sorted({0, len(marked), *ends})):
            styles = [str(span.style) for span in marked.spans if span.start <= start and end <= span.end]
            inside += _styled(escape(marked.plain[start:end]), styles)
        self.html += f"<p>{inside}</p>"

    def warn(self, text: str) -> None:
        """A warning as a paragraph."""
        self.html += f"<p>{_styled('warning:', ['yellow'])} {escape(one_line(text))}</p>"

    def verbatim(self, text: str) -> None:
        """Text as it is."""
        self.html += f"<pre>{escape(text)}</pre>"

    def table(
        self, title: str, columns: Sequence[str], rows: Sequence[Sequence[object]], *, caption: str | None = None
    ) -> None:
        """A table, and its caption below it."""
        from rich.text import Text

        texts = [[Text.from_markup(cell(value), emoji=False).plain for value in row] for row in rows]
        self.html += html_table(one_line(title), columns, texts)
        if caption is not None:
            self.html += f"<p>{escape(one_line(caption))}</p>"


def _styled(text: str, styles: Sequence[str]) -> str:
    for style in styles:
        if style == "bold":
            text = f"<b>{text}</b>"
        elif style in _COLORS:
            text = f'<span style="color: {_COLORS[style]}">{text}</span>'
    return text
