"""Every option is declared once: commands, keywords, study files, schemas and pages all come from the declarations."""

import inspect
import json
import subprocess
import sys
from pathlib import Path

import numpy as np
import pytest
from support.command import run
from support.vehicle_texts import ARM, BUS_AND_WING

import tisserand as ts
from tisserand.cli.app import COMMANDS
from tisserand.cli.command import command_of
from tisserand.declarations import options
from tisserand.errors import CaseError, InputError
from tisserand.studies.options import STUDIES, ModesStudy, MonteCarloStudy, SimulateStudy, SweepStudy
from tisserand.studies.study_file import studies_of
from tisserand.studies.tasks import ON_OBJECTS, TASKS, function_of

ROOT = Path(__file__).parents[2]
BOOM = ("modes", ROOT / "meshes" / "boom.bdf", "-u", "SI")


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
        needed |= {"environment": "sine", "direction": "z", "damping": 0.02, "events": "e.csv", "spectrum": "1:1,2:1"}
        needed = {name: value for name, value in needed.items() if name in kind.model_fields}
        with pytest.raises(InputError, match=r"missing\.toml: the file does not exist"):
            function(*missing.values(), **needed)
    if kind.task in ON_OBJECTS:
        with pytest.raises(InputError, match=r"(vehicle|model|basis|components) has the wrong type; found 3"):
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


def test_a_coordinate_is_stated_in_one_unit(tmp_path):
    """Every option with a twin in degrees excludes it, for each joint that both name."""
    (tmp_path / "arm.toml").write_text(
        ARM + "[initial]\njoints_deg = { shoulder = 3.0 }\njoint_rates_deg = { shoulder = 1.0 }\n"
    )
    for word in ("joints", "joint_rates"):
        with pytest.raises(CaseError, match=rf"initial.{word}_deg.shoulder: excludes {word}.shoulder"):
            ts.read_vehicle(tmp_path / "arm.toml", {f"initial.{word}.shoulder": 0.1})
    assert (
        ts.read_vehicle(tmp_path / "arm.toml", {"initial.joints_deg.shoulder": 4.0}).initial.joints["shoulder"] > 0.06
    )


@pytest.mark.parametrize(
    ("stated", "words"),
    [
        (["-t", "none.toml"], "--tolerances applies only to results that are verified"),
        (["--damping-support", "free"], "--damping-support needs a damping ratio"),
        (["--deck", "a.bdf"], "--deck goes with a result file"),
    ],
)
def test_an_option_that_would_do_nothing_is_refused(stated, words):
    done = run("modes", ROOT / "meshes" / "boom.bdf", "-u", "SI", "-n", 2, *stated)
    assert done.exit_code == 2 and words in done.stderr


@pytest.mark.parametrize("text", [".5", "5.", "-.5e-3", "+5.e1", "0.5", "5"])
def test_numbers_are_set_as_people_write_them(text):
    assert SimulateStudy(vehicle="v.toml", set=[f"joints.drive.stiffness={text}"]).set == {
        "joints.drive.stiffness": float(text)
    }


def test_an_assignment_without_value_quotes_an_example_of_its_option():
    for kind, name, example in (
        (SimulateStudy, "set", "bodies.bus.mass=120"),
        (SweepStudy, "over", "bodies.bus.mass=100:140:5"),
        (MonteCarloStudy, "vary", "bodies.bus.mass=normal:120:2"),
        (ModesStudy, "points", "tip=4021"),
    ):
        file = {kind.arguments[0]: "a"}
        with pytest.raises(InputError, match=f"such as {example}"):
            kind(**file, **{name: ["mass"]})
        kind(**file, **{name: [example]})


@pytest.mark.parametrize("stated", [{"unit": "SI"}, {"units": "SI", "count": "many"}, {"units": "SI", "free": 3}])
def test_wrong_arguments_of_tasks_are_type_errors_too(stated):
    with pytest.raises(TypeError) as caught:
        ts.modes(ROOT / "meshes" / "boom.bdf", **stated)
    assert isinstance(caught.value, InputError)
    with pytest.raises(InputError) as caught:
        ts.modes(ROOT / "meshes" / "boom.bdf", count=-1)
    assert not isinstance(caught.value, TypeError), "a value out of range is of the right type"


def test_whole_numbers_of_numpy_and_with_a_point_count_everywhere(tmp_path):
    numpy = ModesStudy(model="a", count=np.int64(2), attachment=np.int64(1), points={"tip": np.int64(25)})
    assert (numpy.count, numpy.attachment, numpy.points) == (2, 1, {"tip": 25})
    assert ModesStudy(model="a", count=2.0, attachment="1.0", points=["tip=25.0"]).points == {"tip": 25}
    boom = [ROOT / "meshes" / "boom.bdf", "-u", "SI"]
    done = run("modes", *boom, "-n", "2.0", "--attachment", "1.0", "--point", "tip=25.0", "--json")
    assert done.exit_code == 0 and len(done.data["frequencies_hz"]) == 2
    assert "found the number 2.5" in run("modes", *boom, "-n", "2.5").stderr
    (tmp_path / "arm.toml").write_text(ARM)
    assert ts.read_vehicle(tmp_path / "arm.toml", {"bodies.bar.mass": np.float32(3.0)}).vehicle.body("bar").mass == 3.0


def test_results_print_what_their_command_prints():
    boom = ROOT / "meshes" / "boom.bdf"
    result = ts.modes(boom, units="SI", count=2)
    assert str(result).split() == run("modes", boom, "-u", "SI", "-n", 2).stdout.split()
    assert repr(result).startswith("<ModesResult: ") and len(repr(result)) < 500 and "\n" not in repr(result)


def test_two_tasks_of_a_study_do_not_write_one_file(tmp_path):
    task = f'[[modes]]\nmodel = "{ROOT / "meshes" / "boom.bdf"}"\nunits = "SI"\ncount = 2\noutput = "a.h5"\n'
    (tmp_path / "s.toml").write_text(task + task)
    done = run("study", tmp_path / "s.toml")
    assert done.exit_code == 2 and "modes.output: is also written by another task" in done.stderr
    assert [path.name for path in tmp_path.iterdir()] == ["s.toml"]
    (tmp_path / "s.toml").write_text('[modes]\nmodel = "none.bdf"\n')
    assert "[modes]" in run("study", tmp_path / "s.toml").stderr


@pytest.mark.parametrize(
    ("words", "said"),
    [
        (["schema", "foo"], "tisserand: KIND unknown choice"),
        (["modes", "a.bdf", "-u"], "see 'tisserand modes --help'"),
        ([*BOOM, "--attachment", "top"], "--point top=ID"),
        ([*BOOM, "--point", "tip=9999", "-n", "1"], "found point 'tip' = 9999, expected ids of the 25 nodes, 1 to 25."),
        ([*BOOM, "--attachment", "9999"], "found the attachment = 9999, expected ids of the 25 nodes"),
        ([*BOOM, "--frame", "node:0"], "found the node of the frame = 0, expected ids of the 25 nodes"),
        (
            ["export", "a.h5", "--to", "Nastran"],
            "uff, vtu, gltf; Nastran's own are op4 and dmig of a record, bdf of a model.",
        ),
    ],
)
def test_messages_name_what_the_reader_wrote(words, said):
    assert said in run(*words).stderr


def test_an_appendage_is_not_a_body(tmp_path):
    ts.save_record(ts.modes(ROOT / "meshes" / "boom.bdf", units="SI", count=2).appendage, tmp_path / "wing.h5")
    sensor = '[sensors.turn]\nkind = "rate"\nbody = "wing"\ndirection = [0.0, 0.0, 1.0]\n[simulation]\nduration = 1.0\n'
    (tmp_path / "v.toml").write_text(BUS_AND_WING + sensor)
    with pytest.raises(CaseError, match=r"sensors.turn.body: is not a body; found 'wing', expected one of bus"):
        ts.read_vehicle(tmp_path / "v.toml")
