"""Checks of the counts, ids and references of a Gmsh text file, which mesh parsers do not verify.

Versions 2 and 4.1. A wrong count, a node defined twice, an element on a node that is not there or with too few nodes, or a
word where a number belongs is an error with its line; other files are not checked.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from pathlib import Path
from typing import Any

from tisserand.errors import ReadError

#: Nodes of Gmsh's element types.
_NODES = {
    1: 2, 2: 3, 3: 4, 4: 4, 5: 8, 6: 6, 7: 5, 8: 3, 9: 6, 10: 9, 11: 10, 12: 27, 13: 18, 14: 14, 15: 1, 16: 8, 17: 20, 18: 15,
    19: 13,
}  # fmt: skip
Lines = list[list[str]]


class _Section:
    """Lines of one section as words, walked from the first; ``number`` is the line just taken."""

    def __init__(self, file: Path, name: str, first: int, lines: Lines) -> None:
        self.file, self.name, self.first, self.lines, self.at = file, name, first, lines, 0

    def error(self, what: str, **facts: Any) -> ReadError:
        return ReadError(self.file, self.first + self.at, what, card=f"${self.name}", **facts)

    def take(self, least: int, what: str) -> list[str]:
        """The next line, which must have at least so many words."""
        if self.at >= len(self.lines):
            raise self.error("has fewer lines than it states", expected=what)
        self.at += 1
        words = self.lines[self.at - 1]
        if len(words) < least:
            raise self.error("a line is too short", found=repr(" ".join(words)), expected=what)
        return words

    def whole(self, word: str) -> int:
        try:
            return int(word)
        except ValueError:
            raise self.error("is not a whole number", found=repr(word[:40])) from None

    def end(self) -> None:
        if self.at < len(self.lines):
            self.at += 1
            raise self.error("has more lines than it states", found=f"{len(self.lines) - self.at + 1} lines more")


def check_text(file: Path, data: bytes) -> None:
    """Raise at the first line of a Gmsh text file that contradicts the rest."""
    lines = data.decode("utf-8", "replace").split("\n")
    sections = _sections(file, lines)
    form = sections.get("MeshFormat")
    version = next((words[0] for words in (form.lines[:1] if form else ()) if words), "")
    if "Nodes" not in sections or "Elements" not in sections:
        return
    if version.startswith("2"):
        _elements_2(sections["Elements"], _nodes_2(sections["Nodes"]))
    elif version == "4.1":
        _elements_4(sections["Elements"], _nodes_4(sections["Nodes"]))


def _sections(file: Path, lines: Sequence[str]) -> dict[str, _Section]:
    found: dict[str, _Section] = {}
    start = 0
    for number, line in enumerate(lines):
        word = line.strip()
        if word.startswith("$End"):
            body = [text.split() for text in lines[start:number]]
            found.setdefault(word[4:], _Section(file, word[4:], start, body))
        elif word.startswith("$"):
            start = number + 1
    return found


def _coordinates(section: _Section, words: Sequence[str]) -> None:
    for word in words:
        try:
            finite = math.isfinite(float(word))
        except ValueError:
            finite = False
        if not finite:
            raise section.error("is not a finite number", found=repr(word[:40]), expected="a coordinate")


def _known(section: _Section, nodes: set[str], word: str) -> None:
    if word in nodes:
        raise section.error("a node is defined twice", found=f"node {word}")
    nodes.add(word)


def _nodes_2(section: _Section) -> set[str]:
    nodes: set[str] = set()
    for _ in range(section.whole(section.take(1, "the number of nodes")[0])):
        words = section.take(4, "a node's id and three coordinates")
        _known(section, nodes, words[0])
        _coordinates(section, words[1:4])
    section.end()
    return nodes


def _nodes_4(section: _Section) -> set[str]:
    nodes: set[str] = set()
    for _ in range(section.whole(section.take(4, "numbers of blocks and nodes")[0])):
        count = section.whole(section.take(4, "dimension, entity, parametric flag and number of nodes")[3])
        for _ in range(count):
            _known(section, nodes, section.take(1, "a node's id")[0])
        for _ in range(count):
            _coordinates(section, section.take(3, "three coordinates")[:3])
    section.end()
    return nodes


def _elements_2(section: _Section, nodes: set[str]) -> None:
    for _ in range(section.whole(section.take(1, "the number of elements")[0])):
        words = section.take(4, "an element's id, type, tags and nodes")
        tags = section.whole(words[2])
        _element(section, words[0], section.whole(words[1]), words[3 + tags :], nodes)
    section.end()


def _elements_4(section: _Section, nodes: set[str]) -> None:
    for _ in range(section.whole(section.take(4, "numbers of blocks and elements")[0])):
        head = section.take(4, "dimension, entity, type and number of elements")
        for _ in range(section.whole(head[3])):
            words = section.take(2, "an element's id and nodes")
            _element(section, words[0], section.whole(head[2]), words[1:], nodes)
    section.end()


def _element(section: _Section, number: str, kind: int, members: Sequence[str], nodes: set[str]) -> None:
    if len(members) != _NODES.get(kind, len(members)):
        raise section.error(
            f"element {number} of type {kind} has the wrong number of nodes", found=len(members), expected=_NODES[kind]
        )
    for word in members:
        if word not in nodes:
            raise section.error(f"element {number} uses a node that does not exist", found=f"node {word}")
