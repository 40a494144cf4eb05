"""Fill the page of the Python API while the site is built: every public name of the root namespace, by package.

A hook of mkdocs: the marker in reference/api.md becomes one entry per name, so the page cannot go stale.
"""

from __future__ import annotations

from collections import defaultdict
from inspect import isclass, isroutine
from pathlib import Path
from typing import Any

import tisserand
from tisserand.lazy import exports

MARKER = "<!-- public names -->"


def entries() -> str:
    """Markdown of all public names: a heading per package, a mkdocstrings entry per class or function."""
    table = exports(Path(tisserand.__file__).with_suffix(".pyi"))
    groups: dict[str, list[str]] = defaultdict(list)
    seen: set[str] = set()
    for public in sorted(table, key=str.lower):
        module, _ = table[public]
        thing = getattr(tisserand, public)
        if not (isclass(thing) or isroutine(thing)):
            groups[module].append(f"### `{public}`\n\n`{thing!r}`\n")
            continue
        path = f"{thing.__module__}.{thing.__qualname__}"
        if path in seen:
            groups[module].append(f"### `{public}`\n\nAnother name of `{thing.__name__}`.\n")
            continue
        seen.add(path)
        groups[module].append(f"::: {path}\n    options:\n      heading_level: 3\n")
    return "\n".join(f"## {module.split('.')[1]}\n\n" + "\n".join(groups[module]) for module in sorted(groups))


def on_page_markdown(markdown: str, **_: Any) -> str:
    """mkdocs calls this with the text of every page."""
    return markdown.replace(MARKER, entries()) if MARKER in markdown else markdown
