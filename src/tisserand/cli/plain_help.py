"""Help pages without placeholders for switches, which take no value."""

from __future__ import annotations

from typing import Any

from typer.core import TyperCommand


class PlainHelp:
    """A command whose ``--help`` is listed as the switch that it is."""

    def get_help_option(self, ctx: Any) -> Any:
        """The option ``--help``, without a placeholder."""
        found: Any = super().get_help_option(ctx)  # type: ignore[misc]
        if found is not None:
            found.metavar = ""
        return found


class PlainCommand(PlainHelp, TyperCommand):
    """A command of this program."""
