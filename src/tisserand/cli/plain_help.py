"""Help pages as plain text: no placeholder for switches, which take no value, and no word is broken at its hyphen.

Pages drawn by rich cost a third of the time of ``--help`` in imports alone.
"""

from __future__ import annotations

from typing import Any

from typer.core import TyperCommand

#: Stands for a hyphen until the lines are broken.
UNBROKEN = "\N{NON-BREAKING HYPHEN}"
#: Columns of a page, where the terminal has them.
WIDTH = 100


class PlainHelp:
    """A command with a plain help page."""

    def make_context(self, *args: Any, **options: Any) -> Any:
        """The context of a call, with the width of the page."""
        return super().make_context(*args, max_content_width=WIDTH, **options)  # type: ignore[misc]

    def get_help(self, ctx: Any) -> str:
        """The page."""
        return str(super().get_help(ctx)).replace(UNBROKEN, "-")  # type: ignore[misc]

    def get_help_option(self, ctx: Any) -> Any:
        """The option ``--help``, without a placeholder."""
        found: Any = super().get_help_option(ctx)  # type: ignore[misc]
        if found is not None:
            found.metavar = ""
        return found


class PlainCommand(PlainHelp, TyperCommand):
    """A command of this program."""
