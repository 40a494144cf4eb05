"""Every table of options that a kind of file may hold."""

from collections.abc import Iterator
from typing import Any, get_args

from tisserand.declarations import options
from tisserand.declarations.base import Table
from tisserand.declarations.introspection import bare


def tables(root: type[Table]) -> Iterator[type[Table]]:
    """Every declared type that a file may hold, each once."""
    seen: list[type[Table]] = []

    def visit(annotation: Any) -> None:
        inner = bare(annotation)
        if isinstance(inner, type) and issubclass(inner, Table):
            if inner not in seen:
                seen.append(inner)
                for item in options(inner):
                    visit(item.annotation)
            return
        for member in get_args(inner):
            visit(member)

    visit(root)
    yield from seen
