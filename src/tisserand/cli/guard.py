"""One sentence and an exit code instead of a traceback."""

from __future__ import annotations

import json as json_text
import sys
import time
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any, TypeVar

from tisserand.errors import FileError, TisserandError, one_line
from tisserand.studies.study_type import Study

S = TypeVar("S", bound=Study)


def guarded(
    values: Mapping[str, Any], make: Callable[[], S], work: Callable[[S], int], *, json: bool, quiet: bool, debug: bool
) -> int:
    """Create the study, run it and return the exit code; a package error becomes one sentence on standard error."""
    started = time.time()
    try:
        return work(make())
    except TisserandError as error:
        if debug:
            raise
        _name_the_source(error, values)
        if json:
            sys.stdout.write(json_text.dumps({"error": error.facts()}, indent=1) + "\n")
        sys.stderr.write(f"tisserand: {error.sentence()}\n")
        return error.exit_code
    except OSError as error:
        if debug:
            raise
        if not isinstance(error, BrokenPipeError):
            place = f"{error.filename}: " if error.filename else ""
            sys.stderr.write(one_line(f"tisserand: {place}{error.strerror or error}.") + "\n")
        return FileError.exit_code
    except KeyboardInterrupt:
        sys.stderr.write(f"tisserand: interrupted; {_what_is_left(values.get('output'), started)}.\n")
        return 130
    except MemoryError:
        if debug:
            raise
        sys.stderr.write("tisserand: not enough memory for this model.\n")
        return 3


def _what_is_left(output: Path | None, started: float) -> str:
    """What an interrupted command leaves: files are replaced in one rename, so whatever is there can be read."""
    if output is not None and output.is_file() and output.stat().st_mtime >= started:
        return f"{output} contains the run up to the last checkpoint"
    return "nothing was written"


def _name_the_source(error: TisserandError, values: Mapping[str, Any]) -> None:
    """An error of an option or found after reading (an element without length) also names the file that was given."""
    given = next((str(values[key]) for key in ("model", "vehicle") if values.get(key)), None)
    if given is None or isinstance(error, FileError) or given in error.sentence():
        return
    error.where = given if error.where is None else f"{given}: {error.where}"
