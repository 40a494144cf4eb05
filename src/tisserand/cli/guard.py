"""One sentence and an exit code instead of a traceback."""

from __future__ import annotations

import functools
import sys
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any, TypeVar

import typer

from tisserand.errors import FileError, TisserandError
from tisserand.files import keep_inputs

F = TypeVar("F", bound=Callable[..., Any])
#: Names of the commands' parameters that are files to read and files to write.
INPUTS = ("model", "vehicle", "source", "first", "second")
OUTPUTS = ("output", "csv", "plot", "picture", "record")


def guarded(command: F) -> F:
    """Wrap a command: errors of ours become one sentence on standard error and the exit code they carry."""

    @functools.wraps(command)
    def run(*args: Any, **options: Any) -> Any:
        started = time.time()
        try:
            _keep_the_sources(options)
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
            sys.stderr.write(f"tisserand: stopped; {_what_is_left(options.get('output'), started)}.\n")
            raise typer.Exit(130) from None
        except MemoryError:
            if options.get("debug"):
                raise
            sys.stderr.write("tisserand: not enough memory for this model.\n")
            raise typer.Exit(3) from None

    return run  # type: ignore[return-value]


def _what_is_left(output: Path | None, started: float) -> str:
    """What an interrupted command leaves: files are replaced in one rename, so whatever is there can be read."""
    if output is not None and output.is_file() and output.stat().st_mtime >= started:
        return f"{output} holds what was done up to the last checkpoint"
    return "nothing was written"


def _keep_the_sources(options: dict[str, Any]) -> None:
    """No output may take the place of a file that was given as input."""
    inputs = INPUTS if options.get("model") else (*INPUTS, "record")  # export reads a record, campbell writes one
    given = [options[key] for key in inputs if options.get(key)]
    targets = [options[key] for key in OUTPUTS if key not in inputs and isinstance(options.get(key), Path)]
    keep_inputs(targets, given)


def _name_the_source(error: TisserandError, options: dict[str, Any]) -> None:
    """An error found after reading (an element without length, a mechanism) also names the file it came from."""
    given = next((str(options[key]) for key in ("model", "vehicle") if options.get(key)), None)
    if given is None or isinstance(error, FileError) or given in error.sentence():
        return
    error.where = given if error.where is None else f"{given}: {error.where}"
