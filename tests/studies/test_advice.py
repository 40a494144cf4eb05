"""Messages name only options that exist: flags on the command line, keywords in Python."""

from __future__ import annotations

import ast
import re
from functools import cache
from pathlib import Path

import pytest
from support.source_trees import SOURCE, documented, tree_of

import tisserand as ts
from tisserand.cli.command import COMMON, flags_of
from tisserand.cli.command import FLAGS as OTHER_FLAGS
from tisserand.declarations import options
from tisserand.errors import InputError, keyword_names
from tisserand.studies.options import STUDIES

FLAGS = {
    flag
    for kind in STUDIES
    for item in options(kind)
    for written in flags_of(kind, item.attribute)
    for flag in written.split("/")
} | {flag for flag, _, _ in COMMON.values()}
#: Flags whose keyword has another name.
RENAMED = {flag for flags in OTHER_FLAGS.values() for flag in flags}
KEYWORDS = {item.attribute for kind in STUDIES for item in options(kind)}


@cache
def _texts(path: Path) -> list[tuple[int, str]]:
    """Every text of a module that is no docstring, joined pieces in one, with its line."""
    tree = tree_of(path)
    nodes = list(ast.walk(tree))
    inner = {id(part) for node in nodes if isinstance(node, ast.JoinedStr) for part in node.values}
    docs = {id(node.body[0].value) for node in documented(tree) if isinstance(node.body[0], ast.Expr)}
    found = []
    for node in nodes:
        if id(node) in inner or id(node) in docs:
            continue
        if isinstance(node, ast.Constant) and isinstance(node.value, str):
            found.append((node.lineno, node.value))
        elif isinstance(node, ast.JoinedStr):
            pieces = (str(p.value) if isinstance(p, ast.Constant) else "\0" for p in node.values)
            found.append((node.lineno, "".join(pieces)))
    return found


def _found(pattern: str, holding: str, folders: str = "**"):
    """Matches in the texts of modules; only those whose source holds a word that every match has are parsed."""
    return [
        (f"{path.relative_to(SOURCE)}:{line}", match[1])
        for path in sorted(SOURCE.glob(f"{folders}/*.py"))
        if "cli" not in path.parts and holding in path.read_text(encoding="utf-8")
        for line, text in _texts(path)
        for match in re.finditer(pattern, text)
    ]


def test_flags_in_messages_exist():
    found = _found(r"(?<![\w-])(--[a-z][a-z-]+)(?![\w-]*\0)", "--")
    assert len(found) > 15
    assert not [item for item in found if item[1] not in FLAGS]


def test_commands_in_messages_exist():
    tasks = {kind.task for kind in STUDIES}
    found = _found(r"['`]tisserand ([a-z][a-z-]*)", "tisserand ")
    assert len(found) > 4
    assert not [item for item in found if item[1] not in tasks]


def test_every_flag_has_its_keyword():
    for flag in {flag for _, flag in _found(r"(?<![\w-])(--[a-z][a-z-]+)(?![\w-]*\0)", "--")}:
        assert flag in ("--json", "--quiet", "--debug") or flag[2:].replace("-", "_") in KEYWORDS or flag in RENAMED, (
            flag
        )


@pytest.mark.parametrize(
    ("flags", "keywords"),
    [
        ("use --force to replace it", "use 'force' to replace it"),
        ("keep them with --allow-mechanisms.", "keep them with 'allow_mechanisms'."),
        ("mount free modes alone ('--mounted free')", "mount free modes alone (mounted='free')"),
        ("run 'tisserand modes a.bdf --frame milne'", "run 'tisserand modes a.bdf --frame milne'"),
        ("a dash -- and a word--word", "a dash -- and a word--word"),
    ],
)
def test_python_reads_keywords(flags, keywords):
    assert keyword_names(flags) == keywords
    error = InputError("refused", advice=flags)
    assert keywords.rstrip(".") in str(error) and flags.rstrip(".") in error.sentence()


def test_the_same_mistake_in_both_interfaces(tmp_path):
    from support.command import run

    deck = tmp_path / "a.bdf"
    deck.write_text("GRID,1,,0.,0.,0.\n")
    assert "--units" in run("check", deck).stderr
    with pytest.raises(InputError, match="'units'"):
        ts.check(deck)
