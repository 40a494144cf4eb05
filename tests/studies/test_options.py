"""Every option is declared once: commands, keywords, study files, schemas and pages all come from the declarations."""

import inspect
import json
import subprocess
import sys
from pathlib import Path

import pytest
from support.command import run

import tisserand as ts
from tisserand.cli.app import COMMANDS
from tisserand.cli.command import command_of
from tisserand.declarations import options
from tisserand.errors import CaseError, InputError
from tisserand.studies.options import STUDIES, ModesStudy, SweepStudy
from tisserand.studies.study_file import studies_of
from tisserand.studies.tasks import ON_OBJECTS, TASKS, function_of

ROOT = Path(__file__).parents[2]


def test_every_study_is_a_command_and_a_function():
    assert [kind.task for kind in STUDIES] == list(COMMANDS) == list(TASKS)
    for kind in STUDIES:
        assert COMMANDS[kind.task] == " ".join(kind.__doc__.split())
        assert callable(function_of(kind.task))


@pytest.mark.parametrize("kind", STUDIES, ids=lambda kind: kind.task)
def test_a_command_has_the_options_of_its_study(kind):
    names = {parameter.name for parameter in command_of(kind.task).params}
    assert names - {"json", "quiet", "debug", "help"} == {item.attribute for item in options(kind)}
    page = run(kind.task, "--help").stdout
    assert "Usage" in page and "--json" in page
    assert "<bool>" not in page


@pytest.mark.parametrize("kind", STUDIES, ids=lambda kind: kind.task)
def test_a_function_states_its_keywords(kind):
    function = function_of(kind.task)
    assert set(inspect.signature(function).parameters) == {item.attribute for item in options(kind)}
    assert all(item.meaning[1:].split(";")[0] in function.__doc__ for item in options(kind))


@pytest.mark.parametrize("kind", STUDIES, ids=lambda kind: kind.task)
def test_every_task_is_at_the_root(kind):
    """A file goes to the task, an object to the function of the same name; anything else is refused in a sentence."""
    function = getattr(ts, kind.task.replace("-", "_"))
    missing = {name: "missing.toml" for name in kind.arguments}
    if kind.task not in ("demo", "formats", "schema"):
        needed = {item.attribute: "1,2,3" for item in options(kind) if item.mandatory and item.attribute not in missing}
        needed |= {"to": "sid"} if kind.task == "export" else {}
        needed |= {"over": {"a": [1.0]}, "vary": {"a": "normal:1:1"}} if kind.task in ("sweep", "montecarlo") else {}
        needed = {name: value for name, value in needed.items() if name in kind.model_fields}
        with pytest.raises(InputError, match=r"missing\.toml: the file does not exist"):
            function(*missing.values(), **needed)
    if kind.task in ON_OBJECTS:
        with pytest.raises(InputError, match=r"(vehicle|model) has the wrong type; found 3"):
            function(3)


def test_help_loads_neither_the_declarations_nor_the_mechanics():
    code = (
        "import sys; from typer.testing import CliRunner; from tisserand.cli.app import app; "
        "assert CliRunner().invoke(app, ['--help']).exit_code == 0; "
        "print([m for m in ('pydantic', 'numpy', 'scipy', 'numba', 'h5py') if m in sys.modules])"
    )
    found = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert found.stdout.strip() == "[]"


def test_help_of_a_command_loads_no_mechanics():
    code = (
        "import sys; from typer.testing import CliRunner; from tisserand.cli.app import app; "
        "assert CliRunner().invoke(app, ['modes', '--help']).exit_code == 0; "
        "print([m for m in ('numpy', 'scipy', 'numba', 'h5py') if m in sys.modules])"
    )
    found = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert found.stdout.strip() == "[]"


@pytest.mark.parametrize(
    ("stated", "word"),
    [
        ({"count": 0}, "count: is out of range"),
        ({"countt": 3}, "did you mean 'count'"),
        ({"mass": "lumpd"}, "did you mean 'lumped'"),
        ({"points": ["tip"]}, "KEY=VALUE"),
        ({"fmax": float("nan")}, "fmax"),
    ],
)
def test_mistakes_are_named(stated, word):
    with pytest.raises(InputError, match=word.replace("(", "\\(")):
        ModesStudy(model="a.bdf", **stated)


def test_values_as_people_type_them():
    study = SweepStudy(vehicle="a.toml", over=["a.b=0:180:4", "c+d=1,2"])
    assert study.over == {"a.b": (0.0, 60.0, 120.0, 180.0), "c+d": (1.0, 2.0)}
    assert SweepStudy(vehicle="a.toml", over={"a.b": [0, 60]}).over == {"a.b": (0.0, 60.0)}
    assert SweepStudy(vehicle="a.toml", over=["a=1"], set=["x.y=true", "z=abc", "w=[1, 2]"]).set == {
        "x.y": True,
        "z": "abc",
        "w": [1, 2],
    }


def test_study_files(tmp_path):
    path = tmp_path / "s.toml"
    path.write_text('[[modes]]\nmodel = "a.bdf"\ncount = 2\n[[modes]]\nmodel = "b.bdf"\n[check]\nmodel = "a.bdf"\n')
    found = studies_of(path)
    assert [item.task for item in found] == ["modes", "modes", "check"]
    assert found[0].model == tmp_path / "a.bdf" and found[1].count is None
    path.write_text('[modes]\nmodel = "a.bdf"\ncont = 2\n')
    with pytest.raises(CaseError, match=r"modes\.cont.*did you mean 'count'"):
        studies_of(path)
    path.write_text('[mods]\nmodel = "a.bdf"\n')
    with pytest.raises(CaseError, match="did you mean 'modes'"):
        studies_of(path)


def test_the_study_schema_knows_every_task(tmp_path):
    schema = json.loads(run("schema", "study").stdout)
    assert schema["$schema"].endswith("2020-12/schema")
    assert {"modes", "simulate", "system-modes"} <= set(schema["properties"])
    assert schema["$defs"]["ModesStudy"]["properties"]["count"]["description"]


def test_open_tells_what_a_file_is(tmp_path):
    boom = ts.open(ROOT / "meshes" / "boom.bdf", units="SI")
    assert boom.kind == "nastran" and boom.structure is not None and boom.check().passed
    assert ts.open(ROOT / "examples" / "boom.toml").kind == "case"
    record = ts.save_record(boom.reduce(count=2), tmp_path / "boom.h5")
    assert ts.open(record).kind == "record"
    named = tmp_path / "boom.txt"
    named.write_text((ROOT / "meshes" / "boom.bdf").read_text())
    assert ts.open(named, units="SI").kind == "nastran"
    assert ts.open(named, units="SI", format="nastran").kind == "nastran"
    with pytest.raises(InputError, match="unknown format"):
        ts.open(named, units="SI", format="nastrn")
    with pytest.raises(InputError, match="fixed"):
        ts.open(record).reduce(count=1)
    with pytest.raises(InputError, match="output"):
        boom.reduce(output=tmp_path / "b.h5")
    assert run("view", record, "-n", 1).exit_code == 2
    disguised = tmp_path / "boom.inp"
    disguised.write_text((ROOT / "meshes" / "boom.bdf").read_text())
    assert ts.open(disguised, units="SI").kind == "nastran"


def test_a_case_is_parsed_once(monkeypatch):
    import tomllib

    seen, real = [], tomllib.loads
    monkeypatch.setattr(tomllib, "loads", lambda text: seen.append(text) or real(text))
    ts.open(ROOT / "examples" / "boom.toml")
    assert len(seen) == 1


def test_a_study_file_writes_beside_itself_and_keeps_its_inputs(tmp_path):
    boom, inner = ROOT / "meshes" / "boom.bdf", tmp_path / "inner"
    inner.mkdir()
    (inner / "boom.bdf").write_text(boom.read_text())
    path = inner / "s.toml"
    head = '[modes]\nmodel = "boom.bdf"\nunits = "SI"\ncount = 1\n'
    path.write_text(head + 'output = "../out.h5"\n')
    refused = run("study", path)
    assert refused.exit_code == 2 and "modes.output: is outside the folder" in refused.stderr
    assert not (tmp_path / "out.h5").exists()
    assert run("study", path, "--force", "-q").exit_code == 0 and (tmp_path / "out.h5").exists()
    path.write_text(head + 'output = "s.toml"\n')
    assert "is the input of this command" in run("study", path).stderr
