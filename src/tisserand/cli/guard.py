"""One sentence and an exit code instead of a traceback."""

from __future__ import annotations

import functools
import sys
from collections.abc import Callable
from typing import Any, TypeVar

import typer

from tisserand.errors import FileError, TisserandError

F = TypeVar("F", bound=Callable[..., Any])


def guarded(command: F) -> F:
    """Wrap a command: errors of ours become one sentence on standard error and the exit code they carry."""

    @functools.wraps(command)
    def run(*args: Any, **options: Any) -> Any:
        try:
            return command(*args, **options)
        except TisserandError as error:
            if options.get("debug"):
                raise
            _name_the_source(error, options)
            if options.get("json"):
                import json

                sys.stdout.write(json.dumps({"error": error.facts()}, indent=1) + "\n")
            sys.stderr.write(f"tisserand: {error.sentence()}\n")
            raise typer.Exit(error.exit_code) from None
        except KeyboardInterrupt:
            sys.stderr.write("tisserand: stopped.\n")
            raise typer.Exit(130) from None
        except MemoryError:
            if options.get("debug"):
                raise
            sys.stderr.write("tisserand: not enough memory for this model.\n")
            raise typer.Exit(3) from None

    return run  # type: ignore[return-value]


def _name_the_source(error: TisserandError, options: dict[str, Any]) -> None:
    """An error found after reading (an element without length, a mechanism) also names the file it came from."""
    given = next((str(options[key]) for key in ("model", "vehicle", "record") if options.get(key)), None)
    if given is None or isinstance(error, FileError) or given in error.sentence():
        return
    error.where = given if error.where is None else f"{given}: {error.where}"
