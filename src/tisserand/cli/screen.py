"""Everything that a command shows: JSON on standard output, tables and progress for people."""

from __future__ import annotations

import json
import math
import sys
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from typing import TYPE_CHECKING, Any

from tisserand.errors import one_line
from tisserand.studies.shown import shown

if TYPE_CHECKING:
    from rich.console import Console


def plain(value: Any) -> Any:
    """Turn arrays, paths and mappings into JSON values; numbers that are not finite become null."""
    if isinstance(value, Mapping):
        return {str(key): plain(item) for key, item in value.items()}
    if isinstance(value, list | tuple | set | frozenset):
        return [plain(item) for item in value]
    if hasattr(value, "tolist"):
        return plain(value.tolist())
    if isinstance(value, float):
        return value if math.isfinite(value) else None
    if value is None or isinstance(value, bool | int | str):
        return value
    return str(value)


class Screen:
    """Where the output of a command goes. With ``json`` only :meth:`result` writes to standard output."""

    def __init__(self, *, json: bool = False, quiet: bool = False) -> None:
        self.json, self.quiet = json, quiet

    @property
    def talks(self) -> bool:
        """Whether tables and sentences are wanted."""
        return not (self.json or self.quiet)

    def console(self) -> Console:
        from rich.console import Console

        return Console(highlight=False, emoji=False, soft_wrap=False, width=None if sys.stdout.isatty() else 150)

    def result(self, data: Any) -> None:
        """The JSON object, only on request."""
        if self.json:
            sys.stdout.write(json.dumps(plain(data), indent=1, allow_nan=False) + "\n")

    def warn(self, text: str) -> None:
        """One line on standard error; ``--quiet`` does not hide it."""
        sys.stderr.write(f"tisserand: warning: {one_line(text)}\n")

    def fail(self, sentence: str) -> None:
        """Why the exit code is not zero, one line on standard error."""
        sys.stderr.write(f"tisserand: {one_line(sentence)}.\n")

    def say(self, text: str = "") -> None:
        """One line (rich markup) for people; names and paths in it have passed through ``shown``. Long lines are not broken."""
        if self.talks:
            self.console().print(text, soft_wrap=True)

    def verbatim(self, text: str) -> None:
        """Text for people and other programs, unchanged."""
        if self.talks:
            sys.stdout.write(f"{text}\n")

    def wrote(self, paths: Iterable[object]) -> None:
        """The files that were written."""
        for path in paths:
            self.say(f"Wrote [bold]{shown(path)}[/bold]")

    def table(
        self, title: str, columns: Sequence[str], rows: Sequence[Sequence[object]], *, caption: str | None = None
    ) -> None:
        """A table; the first column is left-aligned, numbers to the right."""
        if not self.talks:
            return
        from rich import box
        from rich.table import Table

        console, texts = self.console(), [[cell(value) for value in row] for row in rows]
        widths = [max(map(len, column)) for column in zip(columns, *texts)]
        table = Table(
            title=shown(title),
            title_justify="left",
            title_style="bold",
            min_width=len(title),
            box=box.SIMPLE_HEAD,
            caption=None if caption is None else shown(caption),
            caption_justify="left",
            padding=(0, 1) if sum(widths) + 3 * len(widths) < console.width else 0,
        )
        for number, column in enumerate(columns):
            numeric = number > 0 and all(
                not isinstance(row[number], str) or _looks_numeric(row[number]) for row in rows
            )
            least = widths[number] if numeric or widths[number] <= 4 else min(widths[number], 8)
            table.add_column(shown(column), justify="right" if numeric else "left", no_wrap=numeric, min_width=least)
        for row in texts:
            table.add_row(*row)
        console.print(table)

    @contextmanager
    def working(self, what: str) -> Iterator[None]:
        """A spinner on standard error while something takes time; silent if there is no terminal."""
        if self.json or self.quiet or not sys.stderr.isatty():
            yield
            return
        from rich.console import Console

        with Console(stderr=True).status(shown(what)):
            yield

    @contextmanager
    def counting(self, what: str) -> Iterator[Callable[[int, int], None] | None]:
        """A progress bar on standard error; yields ``progress(done, total)``."""
        if self.json or self.quiet or not sys.stderr.isatty():
            yield None
            return
        from rich.console import Console
        from rich.progress import Progress

        with Progress(console=Console(stderr=True)) as bar:
            task = bar.add_task(shown(what), total=None)
            yield lambda done, total: bar.update(task, completed=done, total=total)


def _looks_numeric(text: object) -> bool:
    try:
        float(str(text).replace("%", "").replace(" ", ""))
    except ValueError:
        return False
    return True


def cell(value: object) -> str:
    """A number or word as shown in a table."""
    if isinstance(value, bool):
        return "yes" if value else "no"
    if isinstance(value, int):
        return str(value)
    if hasattr(value, "item"):
        value = value.item()
    if isinstance(value, float):
        return f"{value:.5g}"
    return shown(value)
