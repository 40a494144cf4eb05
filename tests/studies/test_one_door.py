"""One front door: Python, the command line and TOML give the same bits, and so does the chain of functions on a deck."""

import json
import os
import subprocess
import sys
from pathlib import Path

import pytest
from support.appendages import random_bodies
from support.command import run
from support.corpus import deck, needs_corpus, references
from support.same import differences
from support.sweep import decks as swept_decks
from support.sweep import folder as sweep_folder
from support.vehicle_texts import ARM, BUS_AND_WING, RATE

import tisserand as ts
from tisserand.appendage.sound_physics import impossible_physics
from tisserand.errors import MechanismError, TisserandError
from tisserand.studies.modes import modes
from tisserand.studies.simulate import simulate
from tisserand.studies.study_file import study

ROOT = Path(__file__).parents[2]
MESHES = ROOT / "meshes"
#: Mass recipes, a static reduction, component modes, superelements, solids, rotated axes.
SAMPLE = ("beam_modes", "guyanReduction", "dynamicReduction", "cbSuper2Modes", "boxprofile", "bah_plane")


def records(path, units, folder, **options):
    """The record of one source through each door."""
    stated = {"units": units, **options} if units else options
    flags = [
        part
        for key, value in stated.items()
        for part in (f"--{key.replace('_', '-')}", *(() if value is True else (value,)))
    ]
    done = run("modes", path, *flags, "-o", folder / "shell.h5", "-q")
    assert done.exit_code == 0, done.stderr
    keys = "".join(f"{key} = {json.dumps(value)}\n" for key, value in stated.items())
    text = f'[modes]\nmodel = {json.dumps(str(path))}\n{keys}output = "toml.h5"\n'
    (folder / "study.toml").write_text(text)
    assert study(folder / "study.toml").exit_code == 0
    ts.save_record(modes(path, **stated).appendage, folder / "python.h5")
    return {name: ts.load_record(folder / f"{name}.h5") for name in ("shell", "toml", "python")}


def chain(path, units, **options):
    """Function by function, as the README does."""
    return ts.reduce(ts.solve_modes(ts.assemble(ts.read_model(path, units=units)), **options))


def check_deck(path, units, folder, **options):
    found = records(path, units, folder, **options)
    ts.save_record(chain(path, units, **options), folder / "chain.h5")
    ts.save_record(ts.open(path, units=units).reduce(**options), folder / "fluent.h5")
    found |= {name: ts.load_record(folder / f"{name}.h5") for name in ("chain", "fluent")}
    for name, record in found.items():
        assert differences(found["shell"], record) == [], name


def test_a_shipped_deck(tmp_path):
    check_deck(MESHES / "boom.bdf", "SI", tmp_path)


@needs_corpus
@pytest.mark.parametrize("name", [*SAMPLE[::2], *(pytest.param(name, marks=pytest.mark.slow) for name in SAMPLE[1::2])])
def test_corpus_decks(name, tmp_path):
    check_deck(deck(name), "consistent", tmp_path)


def check_deck_that_works(path, folder):
    """Refused by all doors alike, or the same record by all; strain-free motions, which make no record, are allowed there."""
    try:
        result = modes(path, units="consistent")
    except TisserandError as error:
        done = run("modes", path, "-u", "consistent", "-q")
        assert done.exit_code == error.exit_code and error.what in done.stderr
        pytest.skip(f"this deck is refused: {error.what}")
    if not result.mass > 0.0:
        pytest.skip("no record can be made of this deck")
    if result.exit_code:
        done = run("modes", path, "-u", "consistent", "-o", folder / "refused.h5")
        assert done.exit_code == 1 and "--allow-mechanisms" in done.stderr and not (folder / "refused.h5").exists()
        with pytest.raises(MechanismError):
            chain(path, "consistent")
    options = {"allow_mechanisms": True} if result.exit_code else {}
    if any(impossible_physics(modes(path, units="consistent", **options).appendage)):
        done = run(
            "modes", path, "-u", "consistent", *(["--allow-mechanisms"] * bool(options)), "-o", folder / "none.h5"
        )
        assert done.exit_code == 1 and "contradict each other" in done.stderr and not list(folder.iterdir())
        pytest.skip("its masses and inertias contradict each other: no record is made")
    check_deck(path, "consistent", folder, **options)


@needs_corpus
@pytest.mark.slow
@pytest.mark.parametrize("name", [n for n in references() if n not in SAMPLE])
def test_every_corpus_deck_that_works(name, tmp_path):
    check_deck_that_works(deck(name), tmp_path)


def _sweep_sample(every=9):
    """Every ninth deck of the sweep, by name: what has begun to work since takes part without being listed."""
    return sorted(entry["file"] for entry in swept_decks())[::every]


@needs_corpus
@pytest.mark.slow
@pytest.mark.parametrize("name", _sweep_sample())
def test_a_sample_of_the_swept_decks(name, tmp_path):
    check_deck_that_works(sweep_folder() / name, tmp_path)


def test_options_mean_the_same_everywhere(tmp_path):
    options = {"count": 3, "attachment": 1, "damping": 0.004, "mass": "lumped"}
    found = records(MESHES / "boom.bdf", "SI", tmp_path, **options)
    ts.save_record(ts.open(MESHES / "boom.bdf", units="SI").reduce(**options), tmp_path / "fluent.h5")
    found["fluent"] = ts.load_record(tmp_path / "fluent.h5")
    for name, record in found.items():
        assert differences(found["shell"], record) == [], name
    assert len(found["shell"].frequencies_hz) == 3 and found["shell"].damping_ratios[0] == pytest.approx(0.004)


def test_a_case_means_the_same_everywhere(tmp_path):
    found = records(ROOT / "examples" / "boom.toml", None, tmp_path)
    ts.save_record(ts.open(ROOT / "examples" / "boom.toml").reduce(), tmp_path / "fluent.h5")
    found["fluent"] = ts.load_record(tmp_path / "fluent.h5")
    for name, record in found.items():
        assert differences(found["shell"], record) == [], name


def test_a_process_of_its_own_gives_the_same(tmp_path):
    one = {**os.environ, "OMP_NUM_THREADS": "1", "OPENBLAS_NUM_THREADS": "1"}
    args = [str(MESHES / "boom.bdf")]
    ts.save_record(ts.modes(*args, units="SI", count=4).appendage, tmp_path / "python.h5")
    shell = ["-m", "tisserand.cli.app", "modes", *args, "-u", "SI", "-n", "4", "-q", "-o", str(tmp_path / "shell.h5")]
    subprocess.run([sys.executable, *shell], check=True, env=one)
    a, b = (ts.load_record(tmp_path / f"{name}.h5") for name in ("python", "shell"))
    assert differences(a, b) == []


def check_vehicle(path, settings, folder):
    flags = [part for key, value in settings.items() for part in ("--set", f"{key}={value}")]
    done = run("simulate", path, *flags, "-o", folder / "shell.h5", "-q")
    assert done.exit_code == 0, done.stderr
    stated = ", ".join(f"{json.dumps(key)} = {value}" for key, value in settings.items())
    text = f'[simulate]\nvehicle = {json.dumps(str(path))}\nset = {{ {stated} }}\noutput = "toml.h5"\n'
    (folder / "study.toml").write_text(text)
    assert study(folder / "study.toml").exit_code == 0
    assert simulate(path, set=settings, output=folder / "python.h5").exit_code == 0
    ts.save_trajectory(ts.fly(ts.read_vehicle(path, settings)), folder / "chain.h5")
    first = ts.load_trajectory(folder / "shell.h5")
    for name in ("toml", "python", "chain"):
        assert differences(first, ts.load_trajectory(folder / f"{name}.h5")) == [], name
    assert first.times[-1] == settings["simulation.duration"]


def test_a_vehicle(tmp_path):
    (tmp_path / "arm.toml").write_text(ARM)
    check_vehicle(tmp_path / "arm.toml", {"simulation.duration": 0.5}, tmp_path)


def test_a_vehicle_in_segments(tmp_path):
    """Checkpoints restart the integrator: the same ones from every door, so the same bits."""
    ts.save_record(random_bodies(0), tmp_path / "wing.h5")
    (tmp_path / "craft.toml").write_text(BUS_AND_WING + RATE + "[simulation]\noutput_step = 0.1\n")
    settings = {"simulation.duration": 1.0, "simulation.segment": 0.3}
    check_vehicle(tmp_path / "craft.toml", settings, tmp_path)


@pytest.mark.slow
@pytest.mark.parametrize("name", ["fig1_spacecraft", "two_wing"])
def test_the_shipped_vehicles(name, tmp_path):
    check_vehicle(ROOT / "examples" / f"{name}.toml", {"simulation.duration": 2.0}, tmp_path)


def test_one_loop_is_open_and_closed_alike_in_every_task(tmp_path):
    """``closed_loop`` is False in every task that has it."""
    from tisserand.declarations import options
    from tisserand.studies.options import STUDIES

    stated = [item.default for kind in STUDIES for item in options(kind) if item.name == "closed_loop"]
    assert len(stated) >= 4 and not any(stated)
