"""What tasks return, as a notebook shows it: the words and tables of the command, and pictures."""

from __future__ import annotations

import base64
import io
import re
from abc import ABC, abstractmethod
from contextlib import redirect_stdout
from importlib import import_module
from pathlib import Path
from typing import Any, ClassVar

#: Pictures up to this size in bytes are put into the page.
_MOST_BYTES = 4_000_000


class TaskResult(ABC):
    """Base of every result of a task. ``task``: whose command prints it; ``as_dict``: its JSON contract."""

    task: ClassVar[str]

    def __init_subclass__(cls) -> None:
        """Keep ``dataclass`` from writing every field of a result into its ``repr``."""
        if "__repr__" not in vars(cls):
            cls.__repr__ = TaskResult.__repr__  # type: ignore[method-assign]

    def __repr__(self) -> str:
        """One line: each field that fits into a few characters."""
        words = (f"{name} {text}" for name, value in vars(self).items() if (text := _few_words(value)))
        return f"<{type(self).__name__}: {', '.join(words)}>"

    def __str__(self) -> str:
        """What the command prints."""
        screen = import_module("tisserand.cli.screen").Screen()
        with redirect_stdout(io.StringIO()) as page:
            import_module(f"tisserand.cli.show.{self.task.replace('-', '_')}").show(screen, self)
        return "\n".join(line.rstrip() for line in page.getvalue().splitlines()).strip("\n") or repr(self)

    @abstractmethod
    def as_dict(self) -> dict[str, Any]:
        """The JSON contract of the command."""

    def _repr_html_(self) -> str:
        """The output of the command as HTML. By name, because the terminal is above the tasks."""
        page = import_module("tisserand.cli.html_screen").HtmlScreen()
        import_module(f"tisserand.cli.show.{self.task.replace('-', '_')}").show(page, self)
        if page.empty:
            page.table(self.task, ("", ""), [(key, value) for key, value in self.as_dict().items()])
        for warning in getattr(self, "warnings", ()):
            page.warn(warning)
        return f"{page.html}{self.pictures()}"

    def pictures(self) -> str:
        """Drawings (SVG) of the objects that the result holds, and the PNG files that were written, as HTML."""
        held = [value._repr_html_() for value in vars(self).values() if hasattr(value, "_repr_html_")]
        drawings = [drawing for text in held for drawing in re.findall(r"<svg.*?</svg>", text, re.DOTALL)]
        return "".join([*drawings, *map(_image, self._written())])

    def _written(self) -> list[Path]:
        files = [*getattr(self, "paths", ()), *getattr(self, "written", ())]
        return [
            path for path in files if path.suffix == ".png" and path.is_file() and path.stat().st_size < _MOST_BYTES
        ]


def _few_words(value: Any) -> str:
    """A number, a name, or how many there are; nothing of what is long."""
    if isinstance(value, bool | int | float | Path) or (isinstance(value, str) and len(value) <= 40):
        return f"{value:.6g}" if isinstance(value, float) else str(value)
    if hasattr(value, "shape"):
        return " x ".join(map(str, value.shape))
    if isinstance(value, tuple) and value:
        return f"({len(value)})"
    text = repr(value)
    return text if text.startswith("<") and len(text) <= 100 else ""


def _image(path: Path) -> str:
    data = base64.b64encode(path.read_bytes()).decode("ascii")
    return f'<img alt="picture" style="max-width: 100%" src="data:image/png;base64,{data}"/>'
