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


@pytest.mark.slow
def test_contact_sheets_are_colored_and_repeatable(wing, tmp_path):
    sheets = {}
    for color in ("displacement", "energy"):
        for name in ("a", "b"):
            assert run("view", wing, "--save", tmp_path / f"{color}_{name}.png", "--color", color, "-q").exit_code == 0
        assert (tmp_path / f"{color}_a.png").read_bytes() == (tmp_path / f"{color}_b.png").read_bytes()
        sheets[color] = size_of_png(tmp_path / f"{color}_a.png")
        assert np.ptp(sheets[color].reshape(-1, 3), axis=1).max() > 80
    assert np.abs(sheets["displacement"] - sheets["energy"]).max() > 80


@pytest.mark.parametrize("suffix", [pytest.param(".gif", marks=pytest.mark.slow), ".glb", ".vtu", ".html"])
def test_other_files(tmp_path, suffix):
    record = save_record(polynomial_panel(6, 3), tmp_path / "panel.h5")
    target = tmp_path / f"mode{suffix}"
    one = ("--mode", 2) if suffix == ".gif" else ()  # the others show all modes
    result = run("view", record, *one, "--save", target, "--json")
    assert result.exit_code == 0
    starts = {".gif": b"GIF89a", ".glb": b"glTF", ".vtu": b"<?xml", ".html": b"<!doctype"}
    written = [p for p in tmp_path.iterdir() if p.suffix == suffix]
    assert written
    head = written[0].read_bytes()[:16]
    assert head.lower().startswith(starts[suffix].lower()) or (suffix == ".vtu" and head.startswith(b"<VTKFile"))


@pytest.mark.slow
def test_mp4_or_a_word_about_the_extra(tmp_path):
    record = save_record(polynomial_panel(4, 2), tmp_path / "panel.h5")
    result = run("view", record, "--save", tmp_path / "mode.mp4")
    if importlib.util.find_spec("imageio_ffmpeg") is None:
        assert result.exit_code == 2
        assert "tisserand[video]" in result.stderr
    else:
        assert (tmp_path / "mode.mp4").read_bytes()[4:8] == b"ftyp"


def test_a_missing_package_is_told_before_anything_is_solved(tmp_path, monkeypatch):
    """Without imageio-ffmpeg, or with an ending that is not written: one sentence, nothing opened, nothing drawn."""
    monkeypatch.setattr("tisserand.views.animation.find_spec", lambda name: None)
    monkeypatch.setattr("tisserand.studies.view.open_appendage", None)  # which any use of would tell
    for name, words in (("mode.mp4", "no imageio and no imageio_ffmpeg; pip install 'tisserand[video]'"),
                        ("mode.avi", "unsupported file extension; found .avi")):  # fmt: skip
        result = run("view", MESHES / "wing.toml", "--save", tmp_path / name)
        assert result.exit_code == 2 and words in result.stderr and result.stderr.count("\n") == 1
    assert not list(tmp_path.iterdir())


def test_energy_that_is_not_known_is_said(tmp_path):
    record = save_record(polynomial_panel(4, 2), tmp_path / "panel.h5")
    result = run("view", record, "--save", tmp_path / "a.png", "--color", "energy")
    assert result.exit_code == 2
    assert "strain energy of the modes is not known" in result.stderr
