"""Run the command line in this process and keep both streams apart."""

import json
from dataclasses import dataclass

from typer.testing import CliRunner

from tisserand.cli.app import app


@dataclass(frozen=True)
class Run:
    exit_code: int
    stdout: str
    stderr: str

    @property
    def data(self) -> dict:
        return json.loads(self.stdout)


def run(*arguments: object) -> Run:
    """``tisserand ARGUMENTS``; unexpected exceptions are raised, not hidden."""
    result = CliRunner().invoke(app, [str(a) for a in arguments])
    if result.exception is not None and not isinstance(result.exception, SystemExit):
        raise result.exception
    return Run(result.exit_code, result.stdout, result.stderr)
