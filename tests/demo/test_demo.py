"""The demo: files exist, read back, pictures are not blank, numbers are right, and it finishes without VTK too."""

import csv

import h5py
import numpy as np
import pytest
from matplotlib import image as mpl_image
from support.command import run

from tisserand.appendage import load_record
from tisserand.multibody import load_trajectory
from tisserand.studies.demo import PICTURES
from tisserand.views import renderer

pytestmark = pytest.mark.slow  # `.ci/run` runs the demo as the README gives it


@pytest.fixture(scope="module")
def demo(tmp_path_factory):
    folder = tmp_path_factory.mktemp("demo") / "out"
    renderer.choose_renderer.cache_clear()
    result = run("demo", "-o", folder, "--json")
    assert result.exit_code == 0, result.stderr
    return folder, result.data


def test_every_promised_file_exists_and_reads_back(demo):
    folder, _ = demo
    names = {p.name for p in folder.iterdir()}
    pictures = {f"mode_{i:02d}.png" for i in range(1, PICTURES + 1)}
    assert (
        names
        >= {
            "wing.h5",
            "wing_tisserand.h5",
            "slew.h5",
            "modes.csv",
            "slew.png",
            "story.png",
            "slew_bang_bang.h5",
            "report.html",
            "slew.html",
        }
        | pictures
    )
    wing, free = load_record(folder / "wing.h5"), load_record(folder / "wing_tisserand.h5")
    assert wing.frame.name == "connection" and free.frame.name == "tisserand"
    assert wing.reports["proof"]["missed"] == free.reports["proof"]["missed"] == 0
    assert free.rigid_body_modes == 6
    assert max(free.frame.residuals) < 1e-12
    with h5py.File(folder / "slew.h5") as file:
        assert file.attrs["kind"] == "tisserand trajectory"


def test_mass_is_the_closed_form(demo):
    """Panels, yoke, hinges and connectors by hand: see meshes/wing.py; to 1e-6."""
    assert demo[1]["mass"] == pytest.approx(25.0507671, rel=1e-6)


def test_the_shaped_slew_is_quiet_and_the_other_rings(demo):
    """Two impulses half a period apart cancel: at most a tenth of the ringing is left, the turn is the same."""
    folder, data = demo
    bang, shaped = (load_trajectory(folder / name) for name in ("slew_bang_bang.h5", "slew.h5"))
    assert bang.complete and shaped.complete
    assert np.degrees(shaped.signals["turn"][-1]) == pytest.approx(np.degrees(bang.signals["turn"][-1]), rel=0.02)
    assert data["ringing_m"]["bang-bang"] > 2e-3
    assert data["ringing_m"]["shaped"] < 0.1 * data["ringing_m"]["bang-bang"]
    assert data["balance"]["held"] and max(data["balance"]["worst"].values()) < 1e-9


def test_the_ringing_is_a_mode_of_the_vehicle(demo):
    """The frequency measured on the flight is that of the linear model of the same craft, to 1 %."""
    from tisserand.multibody import system_modes
    from tisserand.studies.demo_flight import _craft

    modes = system_modes(_craft(load_record(demo[0] / "wing.h5")))
    assert np.abs(modes.frequencies_hz / demo[1]["ringing_hz"] - 1.0).min() < 0.01


def test_wheel_momentum_mirrors_the_craft(demo):
    """No external torque: wheel and craft keep their total angular momentum, here zero."""
    trajectory = load_trajectory(demo[0] / "slew.h5")
    wheel = 0.1 * trajectory.rotor_rates["wheel"]
    assert np.abs(wheel).max() > 1.0
    assert np.abs(trajectory.balance.angular_momentum).max() < 1e-9 * np.abs(wheel).max()
    assert 4000.0 < demo[1]["wheel_peak_rpm"] < 5000.0


def test_the_frequency_of_a_known_vibration_is_found():
    """Closed form: a decaying sinusoid with a slow drift, found to 1e-3."""
    from tisserand.studies.demo_flight import ringing_frequency

    t = np.linspace(0.0, 30.0, 901)
    y = 1e-3 * np.exp(-0.03 * t) * np.sin(2 * np.pi * 1.2345 * t + 0.3) + 1e-5 * t
    assert ringing_frequency(t, y, 8.0) == pytest.approx(1.2345, rel=1e-3)


def test_pictures_are_not_blank(demo):
    for path in demo[0].glob("*.png"):
        pixels = np.asarray(mpl_image.imread(path))[..., :3]
        assert np.ptp(pixels) > 0.5 and pixels.reshape(-1, 3).std(axis=0).max() > 0.01, path.name


def test_the_mode_table_is_ascending(demo):
    lines = [line for line in (demo[0] / "modes.csv").read_text().splitlines() if not line.startswith("#")]
    rows = list(csv.DictReader(lines))
    f = [float(row["frequency_hz"]) for row in rows]
    assert f == sorted(f) and len(f) == 12


@pytest.mark.slow
def test_without_vtk_the_same_pictures_come_from_matplotlib(tmp_path, monkeypatch):
    monkeypatch.setenv("TISSERAND_RENDERER", "matplotlib")
    renderer.choose_renderer.cache_clear()
    try:
        result = run("demo", "-o", tmp_path / "out")
    finally:
        renderer.choose_renderer.cache_clear()
    assert result.exit_code == 0
    assert "matplotlib" in result.stdout
    assert (tmp_path / "out" / "mode_01.png").stat().st_size > 20_000
