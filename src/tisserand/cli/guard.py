"""One sentence and an exit code instead of a traceback."""

from __future__ import annotations

import json as json_text
import os
import re
import sys
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any

from tisserand.cli.interrupts import no_interrupt_lost
from tisserand.errors import FileError, InputError, TisserandError, one_line
from tisserand.files import PLACED, UNCHANGED


def guarded(values: Mapping[str, Any], work: Callable[[], int], *, json: bool, quiet: bool, debug: bool) -> int:
    """Run a command and return its exit code; a package error becomes one sentence on standard error."""
    before = len(PLACED)
    try:
        _refuse_thread_counts()
        with no_interrupt_lost():
            return work()
    except TisserandError as error:
        if debug:
            raise
        _name_the_source(error, values)
        if error.advice == UNCHANGED and len(PLACED) > before:
            error.advice = written_files(before)
        if json:
            sys.stdout.write(json_text.dumps({"error": error.facts()}, indent=1) + "\n")
        sys.stderr.write(f"tisserand: {error.sentence()}\n")
        return error.exit_code
    except OSError as error:
        if debug:
            raise
        place = f"{error.filename}: " if error.filename else ""
        sys.stderr.write(one_line(f"tisserand: {place}{error.strerror or error}.") + "\n")
        return FileError.exit_code
    except KeyboardInterrupt:
        sys.stderr.write(f"tisserand: interrupted; {written_files(before)}.\n")
        return 130
    except MemoryError:
        if debug:
            raise
        sys.stderr.write("tisserand: not enough memory for this model.\n")
        return 3


def _refuse_thread_counts() -> None:
    """A number of threads on which numba stumbles before any of our code runs."""
    found = os.environ.get("NUMBA_NUM_THREADS")
    if found is not None and not re.fullmatch(r"\s*0*[1-9]\d*\s*", found, re.ASCII):
        advice = "set it to a whole number from 1 on, or unset it"
        raise InputError(
            "the environment variable NUMBA_NUM_THREADS is not a number of threads", found=repr(found), advice=advice
        )


def written_files(since: int = 0) -> str:
    """What a command leaves, in words: files are put in place by one rename, so whatever is there is whole.

    since: how many files had been put in place before the command.
    """
    placed = [path for path in PLACED[since:] if path.exists()]
    if not placed:
        return "nothing was written"
    names = [
        one_line(str(path)) + (" (the run up to the last checkpoint)" if _unfinished(path) else "")
        for path in dict.fromkeys(placed)
    ]
    return f"{' and '.join(filter(None, (', '.join(names[:-1]), names[-1])))} {'was' if len(names) == 1 else 'were'} written"


def _unfinished(path: Path) -> bool:
    """Whether a file is a checkpoint of a run."""
    import h5py

    if not h5py.is_hdf5(path):
        return False
    with h5py.File(path) as file:
        return "complete" in file.attrs and not file.attrs["complete"]


def _name_the_source(error: TisserandError, values: Mapping[str, Any]) -> None:
    """An error of an option or found after reading (an element without length) also names the file that was given."""
    given = next((str(values[key]) for key in ("model", "vehicle") if values.get(key)), None)
    if given is None or isinstance(error, FileError) or given in error.sentence():
        return
    error.where = given if error.where is None else f"{given}: {error.where}"
