"""A page that a notebook displays and a file can keep."""

from __future__ import annotations

from dataclasses import dataclass
from html import escape
from pathlib import Path

from tisserand.arguments import checked_arguments
from tisserand.files import write_text


@checked_arguments
@dataclass(frozen=True, eq=False, repr=False)
class HtmlView:
    """A self-contained page that a notebook displays; ``save`` writes it to a file.

    Attributes:
        title: of the page.
        height: of its frame in a notebook, pixels.
    """

    page: str
    title: str
    height: int = 720

    def _repr_html_(self) -> str:
        return f'<iframe srcdoc="{escape(self.page, quote=True)}" width="100%" height="{self.height}" style="border:0"></iframe>'

    def save(self, path: str | Path) -> Path:
        """Write the page to a file.

        Args:
            path: the file to write.
        """
        return write_text(path, self.page)

    def __repr__(self) -> str:
        return f"<HtmlView {self.title!r}, {len(self.page) / 1e6:.1f} MB; .save(path) writes it>"
