"""Measure the source tree and write the table of facts in docs/architecture.md.

``python docs/make_facts.py`` rewrites the table; ``--check`` only compares and exits with 1 if it is out of date.
Everything is counted from the syntax trees; nothing is imported.
"""

from __future__ import annotations

import ast
import statistics
import sys
from collections.abc import Iterator
from pathlib import Path

DOCS = Path(__file__).parent
SOURCE = DOCS.parent / "src" / "tisserand"
PAGE = DOCS / "architecture.md"
BEGIN, END = "<!-- facts: made by docs/make_facts.py -->", "<!-- end of facts -->"
LONG_FUNCTION, MANY_ARGUMENTS = 60, 7
_Function = ast.FunctionDef | ast.AsyncFunctionDef


def module_name(path: Path) -> str:
    """Dotted name of a source file."""
    parts = ("tisserand", *path.relative_to(SOURCE).with_suffix("").parts)
    return ".".join(parts[:-1] if parts[-1] == "__init__" else parts)


def trees() -> dict[str, ast.Module]:
    """Syntax tree of every module by its dotted name."""
    return {module_name(path): ast.parse(path.read_text()) for path in sorted(SOURCE.rglob("*.py"))}


def statements(node: ast.AST, *, running: bool = False) -> Iterator[ast.AST]:
    """The node and every statement below it; expressions hold no import, function or class.

    ``running`` leaves out blocks under ``if TYPE_CHECKING``, which import nothing at run time.
    """
    yield node
    if running and isinstance(node, ast.If) and ast.unparse(node.test).endswith("TYPE_CHECKING"):
        return
    for field in ("body", "orelse", "handlers", "finalbody", "cases"):
        for inner in getattr(node, field, ()):
            yield from statements(inner, running=running)


def own_imports(node: ast.AST, modules: set[str], *, running: bool = False) -> Iterator[str]:
    """Modules of the package imported anywhere below ``node`` (with ``running``, only those that are imported at run time)."""
    for item in statements(node, running=running):
        if isinstance(item, ast.ImportFrom) and item.module and item.module.split(".")[0] == "tisserand":
            for alias in item.names:
                inner = f"{item.module}.{alias.name}"
                yield inner if inner in modules else item.module
        elif isinstance(item, ast.Import):
            yield from (alias.name for alias in item.names if alias.name.split(".")[0] == "tisserand")


def functions(tree: ast.Module) -> list[_Function]:
    """Every function and method."""
    return [node for node in statements(tree) if isinstance(node, _Function)]


def hidden_imports(tree: ast.Module, modules: set[str]) -> int:
    """Imports of our own modules inside functions (each statement once)."""
    found = {
        id(item)
        for function in functions(tree)
        for item in statements(function)
        if isinstance(item, ast.ImportFrom | ast.Import) and any(own_imports(item, modules))
    }
    return len(found)


def import_graph(of: dict[str, ast.Module]) -> dict[str, set[str]]:
    """Who imports whom, function-level imports included, a package's own ``__init__`` included."""
    modules = set(of)
    return {name: set(own_imports(tree, modules, running=True)) & modules - {name} for name, tree in of.items()}


def cycles(graph: dict[str, set[str]]) -> list[list[str]]:
    """Groups of modules that import each other (strongly connected components of two or more; Tarjan)."""
    index: dict[str, int] = {}
    low: dict[str, int] = {}
    stack: list[str] = []
    found: list[list[str]] = []
    sys.setrecursionlimit(10_000)

    def visit(node: str) -> None:
        index[node] = low[node] = len(index)
        stack.append(node)
        for other in sorted(graph[node]):
            if other not in index:
                visit(other)
                low[node] = min(low[node], low[other])
            elif other in stack:
                low[node] = min(low[node], index[other])
        if low[node] == index[node]:
            group = [stack.pop()]
            while group[-1] != node:
                group.append(stack.pop())
            if len(group) > 1:
                found.append(sorted(group))

    for node in sorted(graph):
        if node not in index:
            visit(node)
    return found


def arguments(function: _Function) -> int:
    """Number of parameters, ``self`` and ``cls`` apart."""
    every = [*function.args.posonlyargs, *function.args.args, *function.args.kwonlyargs]
    return sum(argument.arg not in ("self", "cls") for argument in every)


def by_position(function: _Function) -> int:
    """Number of parameters that can be given by position, ``self`` and ``cls`` apart."""
    return sum(a.arg not in ("self", "cls") for a in (*function.args.posonlyargs, *function.args.args))


def documented(of: dict[str, ast.Module]) -> float:
    """Share of modules, public classes and public functions with a docstring."""
    things = [
        thing
        for tree in of.values()
        for thing in (
            tree,
            *(
                node
                for node in statements(tree)
                if isinstance(node, ast.ClassDef | _Function) and not node.name.startswith("_")
            ),
        )
    ]
    return sum(ast.get_docstring(thing) is not None for thing in things) / len(things)


def facts(of: dict[str, ast.Module] | None = None) -> dict[str, str]:
    """The measured facts, in words and numbers (``of``: syntax trees by module name; read from the source if None)."""
    of = of or trees()
    lines = [len(path.read_text().splitlines()) for path in SOURCE.rglob("*.py")]
    all_functions = [function for tree in of.values() for function in functions(tree)]
    lengths = [(function.end_lineno or 0) - function.lineno + 1 for function in all_functions]
    modules = set(of)
    # a compiled kernel takes bare arrays, by position
    typed = [function for name, tree in of.items() if "._kernels" not in name for function in functions(tree)]
    return {
        "source files": f"{len(lines)}",
        "source lines": f"{sum(lines)}",
        "median lines of a file": f"{statistics.median(lines):g}",
        "longest file, lines": f"{max(lines)}",
        "imports of our own modules inside functions": f"{sum(hidden_imports(t, modules) for t in of.values())}",
        "import cycles, imports inside functions included": f"{len(cycles(import_graph(of)))}",
        "docstring coverage (modules, public classes and functions)": f"{100.0 * documented(of):.1f} %",
        f"functions over {LONG_FUNCTION} lines": f"{sum(length > LONG_FUNCTION for length in lengths)}",
        f"functions with more than {MANY_ARGUMENTS} parameters": (
            f"{sum(arguments(function) > MANY_ARGUMENTS for function in all_functions)}"
        ),
        f"functions with more than {MANY_ARGUMENTS} parameters by position, kernels apart": (
            f"{sum(by_position(function) > MANY_ARGUMENTS for function in typed)}"
        ),
    }


def table() -> str:
    """The facts as a Markdown table."""
    rows = [f"| {name} | {value} |" for name, value in facts().items()]
    return "\n".join([BEGIN, "| fact | measured |", "|---|---|", *rows, END])


def updated(page: str) -> str:
    """The page with a fresh table."""
    head, _, rest = page.partition(BEGIN)
    _, _, tail = rest.partition(END)
    return head + table() + tail


def main() -> None:
    """Rewrite or check the page."""
    page = PAGE.read_text()
    fresh = updated(page)
    if "--check" in sys.argv[1:]:
        sys.exit(0 if fresh == page else f"{PAGE} is out of date: run python docs/make_facts.py")
    PAGE.write_text(fresh)


if __name__ == "__main__":
    main()
