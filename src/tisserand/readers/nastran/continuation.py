"""Continuation lines that do not follow their parent are moved there by their marks."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from tisserand.arrays import BoolArray, IntArray
from tisserand.readers.nastran.deck_text import SourceText

if TYPE_CHECKING:
    from tisserand.readers.nastran.scan import Lines


def reorder(source: SourceText, lines: Lines, head: BoolArray) -> IntArray | None:
    """New order of the lines, or None when every continuation follows its parent already.

    A mark (``+AB``) that differs from the mark at the end of the line before is looked up among all line ends; unmarked
    continuations belong to the line before them.
    """
    strays = _strays(lines, head)
    if not len(strays) and head[0]:
        return None
    parents: dict[bytes, list[int]] = {}
    others: dict[bytes, list[int]] = {}  # by columns 74 to 80 alone
    for i in range(len(head)):
        line = lines.line(i)
        if line.next_mark:
            parents.setdefault(line.next_mark, []).append(i)
            others.setdefault(line.tail[1:].strip(), []).append(i)
    target: dict[int, list[int]] = {}
    moved = np.zeros(len(head), np.bool_)
    for i in strays.tolist():
        line = lines.line(i)
        found = [p for p in parents.get(line.mark) or others.get(line.mark, []) if p != i]
        before = lines.line(i - 1) if i else None
        if not found and before is not None and not before.next_mark:
            continue
        if len(found) != 1:
            what = "no line ends with the mark of this continuation" if not found else "several lines end with its mark"
            raise source.error(
                line.number, what, card="continuation", field=1, found=repr(line.first.decode("latin-1"))
            )
        target.setdefault(found[0], []).append(i)
        moved[i] = True
        follower = i + 1
        stray = set(strays.tolist())
        while follower < len(head) and not head[follower] and follower not in stray:
            moved[follower] = True
            target.setdefault(follower - 1, []).append(follower)
            follower += 1
    if not head[0] and not moved[0]:
        raise source.error(
            int(lines.number[0]),
            "a continuation precedes any card",
            card="continuation",
            found=repr(lines.line(0).first.decode("latin-1")),
        )
    if not moved.any():
        return None
    order: list[int] = []
    for i in np.flatnonzero(~moved).tolist():
        stack = [i]
        while stack:
            at = stack.pop()
            order.append(at)
            stack.extend(reversed(target.get(at, [])))
        if len(order) > len(head):
            break
    if len(order) != len(head):
        missing = sorted(set(range(len(head))) - set(order))
        raise source.error(int(lines.number[missing[0]]), "continuation marks are circular", card="continuation")
    return np.array(order, np.int64)


def _strays(lines: Lines, head: BoolArray) -> IntArray:
    """Continuations whose mark is not the one at the end of the line before."""
    rows = np.flatnonzero(~head)
    if not len(rows):
        return rows
    if rows[0] == 0:
        stray = [0]
        rows = rows[1:]
    else:
        stray = []
    plain = rows[~lines.slow[rows] & ~lines.slow[rows - 1]]
    marks = lines.gather(lines.start[plain], lines.length[plain], 1, 8)
    ends = lines.gather(lines.start[plain - 1], lines.length[plain - 1], 73, 80)
    marked = (marks != 32).any(axis=1)
    stray.extend(plain[marked & (marks != ends).any(axis=1)].tolist())
    careful = [i for i in rows.tolist() if lines.slow[i] or lines.slow[i - 1]]
    for i in careful:
        mark = lines.line(i).mark
        if mark and mark != lines.line(i - 1).next_mark:
            stray.append(i)
    return np.array(sorted(stray), np.int64)
