"""Every class of error leaves the command with the documented code, one sentence and nothing on standard output.

1: a check failed, 2: bad input, 3: a solver failed (docs/architecture.md).
"""

from __future__ import annotations

import inspect
from pathlib import Path

import pytest
from support.command import run

import tisserand.errors as errors
from tisserand.studies import modes as task

BOOM = Path(__file__).parents[2] / "meshes" / "boom.bdf"
_VALUES = {"what": "the sky is falling", "path": "deck.bdf", "line": 7, "key": "bodies.bus", "most": 3}


def every_class(base=errors.TisserandError):
    """The class itself and all that derive from it."""
    found = [base]
    for kind in base.__subclasses__():
        found += every_class(kind)
    return list(dict.fromkeys(found))


def made(kind):
    """An error with every required value, and the facts that all of them take."""
    needed = [
        name
        for name, parameter in inspect.signature(kind).parameters.items()
        if parameter.default is parameter.empty and parameter.kind is not parameter.VAR_KEYWORD
    ]
    return kind(**{name: _VALUES[name] for name in needed}, found="a cloud", expected="blue", advice="look up")


def documented(kind):
    return 1 if issubclass(kind, errors.CheckFailedError) else 3 if issubclass(kind, errors.SolverError) else 2


@pytest.mark.parametrize("kind", every_class(), ids=lambda kind: kind.__name__)
def test_every_error_has_its_code_and_one_sentence(kind, monkeypatch):
    def fail(*args, **options):
        raise made(kind)

    monkeypatch.setattr(task, "open_appendage", fail)
    plain = run("modes", BOOM, "-u", "SI")
    assert plain.exit_code == documented(kind)
    assert plain.stdout == "" and plain.stderr.count("\n") == 1
    for part in (_VALUES["what"], "found a cloud", "expected blue", "look up"):
        assert part in plain.stderr
    said = run("modes", BOOM, "-u", "SI", "--json")
    assert said.exit_code == documented(kind)
    text = said.stdout + said.stderr
    assert f'"error": "{kind.__name__}"' in text and "Traceback" not in text


def test_all_three_codes_occur():
    assert {documented(kind) for kind in every_class()} == {1, 2, 3}
    assert all(kind.exit_code == documented(kind) for kind in every_class())
