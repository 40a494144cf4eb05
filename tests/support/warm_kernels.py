"""Compile or load the kernels of the commands, once, in the process that the others are forked from."""

import contextlib
import io
import os
import tempfile
from pathlib import Path

import support.warm_commands  # noqa: F401
from support.command import run
from support.writing_commands import COMMANDS, furnish


def warm() -> None:
    """Run every command that uses compiled kernels once; those that draw would leave threads behind."""
    here = Path.cwd()
    with tempfile.TemporaryDirectory() as name, contextlib.redirect_stdout(io.StringIO()):
        furnish(Path(name))
        os.chdir(name)
        try:
            for word in ("modes", "simulate", "linearize", "response", "sweep", "campbell", "frames"):
                run(*COMMANDS[word][0])
        finally:
            os.chdir(here)


warm()
