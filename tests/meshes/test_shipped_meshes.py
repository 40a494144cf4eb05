"""The shipped meshes are what their scripts make, with the masses and frequencies of the manifest."""

import importlib.util
import sys
import tomllib
from pathlib import Path

import numpy as np
import pytest
from support.command import run

MESHES = Path(__file__).parents[2] / "meshes"
MANIFEST = tomllib.loads((MESHES / "manifest.toml").read_text())


def script(name: str):
    sys.path.insert(0, str(MESHES))
    try:
        spec = importlib.util.spec_from_file_location(f"mesh_{name}", MESHES / f"{name}.py")
        module = importlib.util.module_from_spec(spec)
        spec.loader.exec_module(module)
    finally:
        sys.path.remove(str(MESHES))
    return module


@pytest.mark.parametrize("name", MANIFEST)
def test_mass_and_frequencies(name):
    """Mass to 1e-6 of its closed form; frequencies within 0.5 % of their source (1e-4 for this package's own)."""
    entry = MANIFEST[name]
    options = [] if entry["file"].endswith(".toml") else ["--units", entry["units"]]
    data = run(
        "modes", MESHES / entry["file"], "--count", len(entry["frequencies_hz"]), *options, "--json"
    ).data
    assert data["mass"] == pytest.approx(script(name).mass(), rel=1e-6)
    assert data["mass"] == pytest.approx(entry["mass_kg"], rel=1e-6)
    tolerance = 1e-4 if entry["source"] == "regression" else 5e-3
    assert data["frequencies_hz"] == pytest.approx(entry["frequencies_hz"], rel=tolerance)
    assert data["proof"]["missed"] == 0


def test_pairs_of_the_axisymmetric_dish_are_complete():
    """Modes of a 12-fold symmetric dish come in pairs; a solver that loses one of a pair is wrong."""
    f = np.array(run("modes", MESHES / "dish.bdf", "-u", "SI", "-n", 6, "--json").data["frequencies_hz"])
    assert f[0::2] == pytest.approx(f[1::2], rel=1e-7)


@pytest.mark.parametrize("name", ["boom", "wing", "dish"])
def test_the_files_are_what_the_scripts_make(name):
    assert (MESHES / f"{name}.bdf").read_text() == script(name).text()


def test_panel_frequencies_are_naviers():
    assert MANIFEST["panel"]["frequencies_hz"] == pytest.approx(
        script("panel").simply_supported_hz(), rel=1e-6
    )
