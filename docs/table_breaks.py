"""Let long names in table cells break after slashes, colons and underscores only. A hook of mkdocs."""

from __future__ import annotations

import re
from typing import Any

CODE_IN_CELL = re.compile(r"(<td[^>]*>)(.*?)(</td>)", re.DOTALL)


def on_page_content(html: str, **_: Any) -> str:
    """mkdocs calls this with the HTML of every page."""

    def cell(found: re.Match[str]) -> str:
        return found[1] + re.sub(r"<code>([^<]*)</code>", lambda code: broken(code[1]), found[2]) + found[3]

    return CODE_IN_CELL.sub(cell, html)


def broken(text: str) -> str:
    """A name as code: whole if it is short, with break opportunities if it is long."""
    if len(text) <= 20:
        return f'<code class="whole">{text}</code>'
    return "<code>" + re.sub(r"(/|::|_)(?=\w)", r"\1<wbr>", text) + "</code>"
