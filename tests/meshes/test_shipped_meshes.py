"""The shipped meshes are what their scripts make, with the masses and frequencies of the manifest."""

import tomllib

import numpy as np
import pytest
from oracles import boom_exact
from support.command import run
from support.mesh_scripts import MESHES, script

MANIFEST = tomllib.loads((MESHES / "manifest.toml").read_text())


@pytest.mark.parametrize("name", MANIFEST)
def test_mass_and_frequencies(name):
    """Mass to 1e-6 of its closed form; frequencies within 0.5 % of a closed form or of CalculiX."""
    entry = MANIFEST[name]
    options = [] if entry["file"].endswith(".toml") else ["--units", entry["units"]]
    options += ["--mass", entry["mass"]] if "mass" in entry else []
    data = run("modes", MESHES / entry["file"], "--count", len(entry["frequencies_hz"]), *options, "--json").data
    assert data["mass"] == pytest.approx(script(name).mass(), rel=1e-6)
    assert data["mass"] == pytest.approx(entry["mass_kg"], rel=1e-6)
    assert data["frequencies_hz"] == pytest.approx(entry["frequencies_hz"], rel=5e-3)
    assert data["proof"]["missed"] == 0


def test_pairs_of_the_axisymmetric_dish_are_complete():
    """Modes of a 12-fold symmetric dish come in pairs; a solver that loses one of a pair is wrong."""
    f = np.array(run("modes", MESHES / "dish.bdf", "-u", "SI", "-n", 6, "--json").data["frequencies_hz"])
    assert f[0::2] == pytest.approx(f[1::2], rel=1e-7)


@pytest.mark.parametrize("name", ["boom", "wing", "dish"])
def test_the_files_are_what_the_scripts_make(name):
    assert (MESHES / f"{name}.bdf").read_text() == script(name).text()


def test_panel_frequencies_are_naviers():
    assert MANIFEST["panel"]["frequencies_hz"] == pytest.approx(script("panel").simply_supported_hz(), rel=1e-6)


def test_boom_frequencies_are_the_exact_beams():
    """Zeros of the 6 x 6 dynamic stiffness of the continuous beam and its tip body, pairs told apart."""
    exact = boom_exact.frequencies_hz(script("boom"), 40.0)
    assert MANIFEST["boom"]["frequencies_hz"] == pytest.approx(exact, rel=1e-7)


def test_no_frequency_of_the_manifest_is_our_own():
    assert all("regression" not in entry["source"] for entry in MANIFEST.values())
