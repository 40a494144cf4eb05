"""Syntax trees of the package's own source, parsed once per process for every test that reads them."""

import ast
from collections.abc import Iterator
from functools import cache
from pathlib import Path

SOURCE = Path(__file__).parents[2] / "src" / "tisserand"


@cache
def tree_of(path: Path) -> ast.Module:
    """Syntax tree of one source file."""
    return ast.parse(path.read_text(encoding="utf-8"))


@cache
def source_trees() -> dict[Path, ast.Module]:
    """Syntax tree of every source file."""
    return {path: tree_of(path) for path in sorted(SOURCE.rglob("*.py"))}


def documented(node: ast.AST) -> Iterator[ast.Module | ast.ClassDef | ast.FunctionDef]:
    """The module, classes and functions at and below a node: statements only, an expression holds none."""
    if isinstance(node, ast.Module | ast.ClassDef | ast.FunctionDef):
        yield node
    for field in ("body", "orelse", "handlers", "finalbody", "cases"):
        for inner in getattr(node, field, ()):
            yield from documented(inner)
