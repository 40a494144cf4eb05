"""``tisserand view --save`` writes every kind of file it names."""

import importlib.util

import numpy as np
import pytest
from support.appendages import polynomial_panel
from support.command import run
from support.mesh_scripts import MESHES

from tisserand.appendage import save_record
from tisserand.studies.modes import modes


@pytest.fixture(scope="module")
def wing(tmp_path_factory):
    folder = tmp_path_factory.mktemp("wing")
    return save_record(modes(MESHES / "wing.toml", count=2).appendage, folder / "wing.h5")


def size_of_png(path):
    from PIL import Image

    with Image.open(path) as image:
        pixels = np.asarray(image.convert("RGB")).astype(int)
    return pixels


@pytest.mark.parametrize("color", ["displacement", "energy"])
def test_contact_sheet(wing, tmp_path, color):
    assert run("view", wing, "--save", tmp_path / "a.png", "--color", color, "-q").exit_code == 0
    assert run("view", wing, "--save", tmp_path / "b.png", "--color", color, "-q").exit_code == 0
    assert (tmp_path / "a.png").read_bytes() == (tmp_path / "b.png").read_bytes()
    pixels = size_of_png(tmp_path / "a.png")
    assert np.ptp(pixels.reshape(-1, 3), axis=1).max() > 80


def test_the_two_colorings_differ(wing, tmp_path):
    for color in ("displacement", "energy"):
        run("view", wing, "--save", tmp_path / f"{color}.png", "--color", color, "-q")
    assert np.abs(size_of_png(tmp_path / "displacement.png") - size_of_png(tmp_path / "energy.png")).max() > 80


@pytest.mark.parametrize("suffix", [".gif", ".glb", ".vtu", ".html"])
def test_other_files(tmp_path, suffix):
    record = save_record(polynomial_panel(6, 3), tmp_path / "panel.h5")
    target = tmp_path / f"mode{suffix}"
    result = run("view", record, "--mode", 2, "--save", target, "--json")
    assert result.exit_code == 0
    starts = {".gif": b"GIF89a", ".glb": b"glTF", ".vtu": b"<?xml", ".html": b"<!doctype"}
    written = [p for p in tmp_path.iterdir() if p.suffix == suffix]
    assert written
    head = written[0].read_bytes()[:16]
    assert head.lower().startswith(starts[suffix].lower()) or (suffix == ".vtu" and head.startswith(b"<VTKFile"))


def test_mp4_or_a_word_about_the_extra(tmp_path):
    record = save_record(polynomial_panel(4, 2), tmp_path / "panel.h5")
    result = run("view", record, "--save", tmp_path / "mode.mp4")
    if importlib.util.find_spec("imageio_ffmpeg") is None:
        assert result.exit_code == 2
        assert "tisserand[video]" in result.stderr
    else:
        assert (tmp_path / "mode.mp4").read_bytes()[4:8] == b"ftyp"


def test_energy_that_is_not_known_is_said(tmp_path):
    record = save_record(polynomial_panel(4, 2), tmp_path / "panel.h5")
    result = run("view", record, "--save", tmp_path / "a.png", "--color", "energy")
    assert result.exit_code == 2
    assert "strain energy of the modes is not known" in result.stderr
