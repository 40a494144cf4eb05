"""What every task returns is shown in a notebook as the command prints it, well-formed, with a picture where there is one."""

import inspect
import re
from pathlib import Path
from xml.etree import ElementTree

import pytest
from support.vehicle_texts import ARM

import tisserand as ts
from tisserand.studies.options import STUDIES
from tisserand.studies.tasks import function_of
from tisserand.task_result import TaskResult

BOOM = Path(__file__).parents[1] / "meshes" / "boom.bdf"
PUSH = """
[loads.push]
kind = "torque"
body = "bar"
direction = [0.0, 1.0, 0.0]
strength = { shape = "constant", value = 0.1 }
[sensors.rate]
kind = "rate"
body = "bar"
direction = [0.0, 1.0, 0.0]
"""
#: Words that the page of each task must hold, and whether it has a picture.
EXPECTED = {
    "info": ("nodes", False),
    "check": ("ok", False),
    "modes": ("Proof: 0 modes missed", True),
    "view": ("Wrote", True),
    "report": ("Wrote", False),
    "diff": ("within tolerances", False),
    "export": ("Wrote", False),
    "simulate": ("arm", True),
    "frames": ("Floating frames", False),
    "linearize": ("Poles", False),
    "system-modes": ("System modes", False),
    "response": ("frequencies", True),
    "sweep": ("mode 1 Hz", True),
    "campbell": ("branch 1 Hz", True),
    "montecarlo": ("2 runs, 0 failed", False),
    "merge": ("2 runs, 0 failed", False),
    "rerun": ("sample", False),
    "formats": ("nastran", False),
    "schema": ("json-schema.org", False),
    "study": ("Proof", True),
    "reduce": ("Modes with the interface held", False),
    "couple": ("System modes", False),
    "accept": ("accepted", False),
    "base-drive": ("sine", False),
    "correlate": ("Smallest COMAC", False),
    "coupled-loads": ("extremes of kick", True),
    "equations": ("operations", False),
    "jitter": ("Jitter budget", False),
    "uncertain": ("mode 1 frequency", False),
}


@pytest.fixture(scope="module")
def results(tmp_path_factory):
    folder = tmp_path_factory.mktemp("results")
    (folder / "arm.toml").write_text(ARM + PUSH)
    (folder / "s.toml").write_text(f'[modes]\nmodel = "{BOOM}"\nunits = "SI"\ncount = 2\n')
    arm, record, run = folder / "arm.toml", folder / "boom.h5", folder / "run.h5"
    one = {"units": "SI"}
    short = {"simulation.duration": 0.2}
    mass = "bodies.bar.mass"
    found = {
        "info": ts.info(BOOM, **one),
        "check": ts.check(BOOM, **one),
        "modes": ts.modes(BOOM, count=3, output=record, **one),
        "simulate": ts.simulate(arm, set=short, output=run),
        "linearize": ts.linearize(arm),
        "system-modes": ts.system_modes(arm),
        "response": ts.response(arm, points=20),
        "sweep": ts.sweep(arm, over={mass: [10.0, 11.0, 12.0]}),
        "montecarlo": ts.montecarlo(arm, vary={mass: "normal:10:0.1"}, count=2, set=short, keep=folder / "kept.jsonl"),
        "merge": ts.merge(folder / "kept.jsonl"),
        "rerun": function_of("rerun")([folder / "kept.jsonl"], sample=[1]),
        "campbell": ts.campbell(BOOM, axis=[0, 0, 1], rates=[0.0, 1.0], count=2, **one),
        "formats": ts.formats(),
        "schema": ts.schema("case"),
        "study": ts.study(folder / "s.toml"),
    }
    found |= {
        "view": ts.view(record, save=folder / "shapes.png"),
        "report": ts.report(record),
        "diff": ts.diff(record, record),
        "export": ts.export(record, to="sid"),
        "frames": ts.frames(run),
        "reduce": ts.reduce(BOOM, interface=[1], count=2, output=folder / "part.h5", **one),
        "accept": ts.accept(record),
        "equations": function_of("equations")(folder / "arm.toml", set={"gravity": [0.0, 0.0, 0.0]}),
    }
    (folder / "j.toml").write_text(
        'vehicle = "arm.toml"\n[sight.pitch]\nrate = 1.0\n[lines.cooler]\ninput = "push"\nlines = [[47.0, 2e-3]]\n'
    )
    found["jitter"] = ts.jitter(folder / "j.toml")
    found["uncertain"] = ts.uncertain(record, frequency=0.1)
    (folder / "other").mkdir()
    part = folder / "other" / "part.h5"
    ts.reduce(BOOM, interface=[1], count=2, output=part, **one)
    found["couple"] = function_of("couple")([folder / "part.h5", part])
    ts.export(record, to="uff", output=folder / "boom.uff")
    found["correlate"] = ts.correlate(BOOM, folder / "boom.uff", count=3, **one)
    found["base-drive"] = ts.base_drive(
        part, environment="sine", direction="z", spectrum="5:1,50:1", damping=0.02, points=20
    )
    (folder / "kick.csv").write_text("time,node 1 T3\n" + "".join(f"{0.001 * i},{float(i < 10)}\n" for i in range(60)))
    found["coupled-loads"] = ts.coupled_loads(
        part, events=[folder / "kick.csv"], damping=0.02, plot=folder / "loads.png"
    )
    return found


@pytest.mark.parametrize("name", EXPECTED)
def test_a_result_is_shown_as_its_command_prints_it(results, name):
    words, picture = EXPECTED[name]
    text = results[name]._repr_html_()
    ElementTree.fromstring(f"<div>{text}</div>")
    assert words in re.sub(r"<[^>]*>", "", text)
    assert ("<svg" in text or "<img" in text) == picture
    assert "[bold]" not in text and "[green]" not in text


def test_every_task_returns_such_a_result():
    for kind in STUDIES:
        hint = inspect.signature(function_of(kind.task)).return_annotation
        module = inspect.getmodule(inspect.unwrap(function_of(kind.task)))
        returned = getattr(module, hint)
        assert issubclass(returned, TaskResult) and returned.task == kind.task
    assert {kind.task for kind in STUDIES} - set(EXPECTED) == {"demo"}


def test_names_cannot_inject_markup(tmp_path):
    deck = tmp_path / "boom.bdf"
    deck.write_text(BOOM.read_text())
    basis = ts.solve_modes(ts.assemble(ts.read_model(deck, units="SI").changed(name="<script>[bold]x")), count=1)
    record = ts.save_record(ts.reduce(basis), tmp_path / "b.h5")
    text = ts.modes(record)._repr_html_()
    assert "<script>" not in text and "&lt;script&gt;[bold]x" in text
    ElementTree.fromstring(f"<div>{text}</div>")


def _returned():
    """Public types that public functions return, by name."""
    for name in sorted(ts.__all__):
        item = getattr(ts, name)
        if callable(item) and not isinstance(item, type) and hasattr(item, "__name__"):
            hint = str(inspect.signature(item).return_annotation)
            if hint in ts.__all__ and isinstance(getattr(ts, hint), type):
                yield hint


#: Small parts that a person passes on and whose repr says everything.
PARTS = {
    "Channel",
    "Connection",
    "CrossSection",
    "FrameConstraint",
    "Isotropic",
    "Joint",
    "Orthotropic2D",
    "Tolerances",
}
PARTS |= {"Interface", "ModalIntegrals", "Supports", "Topology", "PlyRecovery"}


@pytest.mark.parametrize("name", sorted(set(_returned()) - PARTS))
def test_every_type_that_functions_return_has_a_page(name):
    assert hasattr(getattr(ts, name), "_repr_html_")
