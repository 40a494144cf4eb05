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


BARS = """SOL 103
CEND
SPC=1
MPC=1
BEGIN BULK
GRID,1,,0.,0.,0.
GRID,2,,1.,0.,0.
GRID,3,,2.,0.,0.
CBAR,1,1,1,2,0.,0.,1.
CBAR,2,1,2,3,0.,0.,1.
PBAR,1,1,1.-3,2.-7,3.-7,1.-7
SPC1,1,123456,1
"""
GROUND, SOUND = "MPC,1,3,2,1.,2,2,-.7\n", "MPC,1,3,2,1.,2,2,-1.\n,,2,6,-1.\n"


def deck(tmp_path, tie):
    file = tmp_path / "bars.bdf"
    file.write_text(f"{BARS}MAT1,1,7.+10,,.3,2700.\n{tie}ENDDATA\n")
    return file


def test_a_model_check_that_fails_is_a_failed_check_of_modes(tmp_path):
    """A tie that does not carry rigid motion: the verdict, the code and one sentence agree, as with ``check``."""
    sound = run("modes", deck(tmp_path, SOUND), "-u", "SI", "-n", 2, "--json")
    assert sound.exit_code == 0 and sound.data["verdict"]["overall"] != "fail"
    file = deck(tmp_path, GROUND)
    found = run("modes", file, "-u", "SI", "-n", 2, "--json")
    assert (
        found.exit_code == 1 and found.data["verdict"]["overall"] == "fail" and len(found.data["frequencies_hz"]) == 2
    )
    assert "tisserand: a check of the model failed: rigid-body strain" in found.stderr
    assert "the equations tie the model to ground: node 3 does not follow rigid motion" in found.stderr
    assert run("check", file, "-u", "SI", "-q").exit_code == 1


@pytest.mark.parametrize("constants", ["0.,,.3", ",2.7+10,", "0.,2.7+10,.3"])
def test_a_material_without_stiffness_is_named(tmp_path, constants):
    """E of zero: what it stretches is held for lack of stiffness; the density is not at fault."""
    file = deck(tmp_path, "")
    file.write_text(file.read_text().replace("MPC=1\n", "").replace("7.+10,,.3", constants))
    found = run("modes", file, "-u", "SI")
    assert found.exit_code == 2 and "no free dof with mass has any stiffness" in found.stderr
    assert "material 1 with elastic constants of zero" in found.stderr
