"""Functional mock-up units as FMPy reads, validates and runs them, against the exact solution of the same equations."""

import numpy as np
import pytest
from scipy.linalg import expm
from support.appendages import random_bodies

from tisserand.exporters.clamped import clamped_view
from tisserand.exporters.fmu.package import compiler
from tisserand.exporters.registry import export_appendage
from tisserand.exporters.statespace import state_space

fmpy = pytest.importorskip("fmpy")
pytestmark = pytest.mark.skipif(compiler() is None, reason="no C compiler")
STEP, COUNT = 0.02, 60


def exact(system, inputs):
    """Outputs (COUNT + 1, m) for constant inputs from rest, by the exponential of the whole system."""
    n, m = len(system.A), len(inputs)
    whole = np.zeros((n + m, n + m))
    whole[:n, :n], whole[:n, n:] = system.A, system.B
    jump = expm(whole * STEP)
    x, out = np.zeros(n), []
    for _ in range(COUNT + 1):
        out.append(system.C @ x + system.D @ inputs)
        x = jump[:n, :n] @ x + jump[:n, n:] @ inputs
    return np.array(out)


def flown(path, system, inputs, kind, **start):
    signal = np.zeros(2, dtype=[("time", float), *((name, float) for name in system.inputs)])
    signal["time"] = 0.0, COUNT * STEP
    for name, value in zip(system.inputs, inputs):
        signal[name] = value
    found = fmpy.simulate_fmu(
        str(path), fmi_type=kind, stop_time=COUNT * STEP, step_size=STEP, output_interval=STEP, input=signal,
        output=list(system.outputs), relative_tolerance=1e-11, start_values=start,
    )  # fmt: skip
    return np.column_stack([found[name] for name in system.outputs])


@pytest.fixture(scope="module")
def drive():
    return np.random.default_rng(3).normal(size=18)


@pytest.mark.parametrize("version", [2, 3])
def test_the_validator_passes_and_co_simulation_is_exact(tmp_path, version, drive):
    """Linear units advance by extrapolation to round-off: 1e-12 of the largest output."""
    from fmpy.validation import validate_fmu

    appendage = random_bodies(4)
    path = tmp_path / "wing.fmu"
    result = export_appendage(appendage, f"fmu{version}", path)
    assert result.read_back_error == 0.0
    assert validate_fmu(str(path)) == []
    system = state_space(appendage)
    meant = exact(system, drive)
    assert np.abs(flown(path, system, drive, "CoSimulation") - meant).max() < 1e-12 * np.abs(meant).max()


@pytest.mark.parametrize("version", [2, 3])
def test_model_exchange_follows_the_solver(tmp_path, version, drive):
    appendage = random_bodies(4)
    export_appendage(appendage, f"fmu{version}", tmp_path / "wing.fmu")
    system = state_space(appendage)
    meant = exact(system, drive)
    found = flown(tmp_path / "wing.fmu", system, drive, "ModelExchange")
    assert np.abs(found - meant).max() < 1e-7 * np.abs(meant).max()


def test_parameters_are_those_of_a_varied_record(tmp_path, drive):
    """Frequencies by 1.3, damping ratios by 2 and masses by 1.5, as the record itself is varied."""
    appendage = random_bodies(4)
    export_appendage(appendage, "fmu2", tmp_path / "wing.fmu")
    varied = appendage.changed(
        integrals=appendage.varied(mass_scale=1.5).integrals,
        stiffness=1.5 * 1.3**2 * appendage.stiffness,
        damping=1.5 * 1.3 * 2.0 * appendage.damping,
    )
    system = state_space(varied)
    start = {"frequency_scale": 1.3, "damping_scale": 2.0, "mass_scale": 1.5}
    found = flown(tmp_path / "wing.fmu", state_space(appendage), drive, "CoSimulation", **start)
    rows = slice(0, 18)  # loads and motions; modal coordinates depend on their normalization
    meant = exact(system, drive)
    assert np.abs(found[:, rows] - meant[:, rows]).max() < 1e-12 * np.abs(meant).max()


def test_a_unit_at_rest_weighs_its_rigid_mass(tmp_path):
    """Constant acceleration after the modes have settled (all damping 60 times): the load is the rigid mass."""
    appendage = random_bodies(4)
    export_appendage(appendage, "fmu2", tmp_path / "wing.fmu")
    system = state_space(appendage)
    push = np.zeros(len(system.inputs))
    push[0] = 1.0
    settled = flown(tmp_path / "wing.fmu", system, push, "CoSimulation", frequency_scale=20.0, damping_scale=5.0)[-1]
    assert settled[:6] == pytest.approx(-clamped_view(appendage).rigid_mass[:, 0], rel=2e-2, abs=2e-2)


def test_the_same_record_gives_the_same_description_and_sources(tmp_path):
    import zipfile

    for name in ("a", "b"):
        export_appendage(random_bodies(4), "fmu3", tmp_path / f"{name}.fmu")
    a, b = (zipfile.ZipFile(tmp_path / f"{name}.fmu") for name in ("a", "b"))
    assert a.namelist() == b.namelist()
    assert all(a.read(name) == b.read(name) for name in a.namelist() if not name.startswith("binaries"))


@pytest.mark.parametrize(
    "name", ["x" * 300, "null\x01", "-rf", 'a<b>&"c', "while", "Flügel µ²"], ids=lambda name: ascii(name)[:9]
)
def test_any_name_gives_a_valid_unit_in_a_folder(tmp_path, monkeypatch, name):
    from fmpy.validation import validate_fmu

    from tisserand.exporters.fmu import package

    monkeypatch.setattr(package, "compiler", lambda: None)  # what is asked is the description
    (path,) = export_appendage(random_bodies(4).changed(name=name), "fmu2", tmp_path).paths
    assert validate_fmu(str(path)) == []
    assert len(path.name) < 80 and not path.name.startswith("-")


def test_variables_of_a_unit_have_names_of_their_own():
    from dataclasses import replace

    from tisserand.errors import InputError
    from tisserand.exporters.fmu.linear import appendage_unit

    unit = appendage_unit(random_bodies(4))
    with pytest.raises(InputError, match="two variables of the unit would have the same name"):
        replace(unit, outputs=(*unit.outputs, unit.inputs[0]))


@pytest.mark.parametrize("watched", [False, pytest.param(True, marks=pytest.mark.slow)])
def test_a_program_in_c_may_call_the_unit_in_any_order(tmp_path, watched):
    """Two instances, steps of any length and of none, states kept and restored, reset, wrong calls; without leaks or errors
    where valgrind is there to see them.
    """
    import shutil
    import subprocess
    from pathlib import Path

    from tisserand.exporters.fmu.linear import appendage_unit

    for name, text in appendage_unit(random_bodies(4)).sources(2).items():
        (tmp_path / name).write_text(text)
    shutil.copy(Path(__file__).parents[1] / "support" / "unit_driver.c", tmp_path)
    program = tmp_path / "program"
    flags = ["-std=c99", "-g", "-O0", "-Wall", "-Wextra", "-Werror"]
    sources = sorted(str(path) for path in tmp_path.glob("*.c"))
    subprocess.run([compiler(), *flags, *sources, "-o", str(program), "-lm"], check=True)
    seer = shutil.which("valgrind") if watched else None
    before = [seer, "-q", "--leak-check=full", "--error-exitcode=99"] if seer else []
    done = subprocess.run([*before, str(program)], capture_output=True, text=True, timeout=120)
    assert done.returncode == 0, done.stdout + done.stderr[-2000:]
