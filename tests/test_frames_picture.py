"""The picture of docs/frames.md is drawn, and shows the figures that the page quotes."""

import importlib.util
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[1]


def test_the_picture_is_made_and_its_figures_are_those_of_the_page(tmp_path):
    """Bus 14.6 deg, principal axes 12 deg, Buckens 0.04 deg, Tisserand at rest (no angular momentum)."""
    spec = importlib.util.spec_from_file_location("picture", ROOT / "docs" / "make_frames_picture.py")
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    swing = module.main(tmp_path / "p.png")
    assert (tmp_path / "p.png").read_bytes()[:4] == b"\x89PNG"
    assert swing["bus"] == pytest.approx(14.6, abs=0.05) and swing["principal"] == pytest.approx(12.1, abs=0.05)
    assert swing["buckens"] == pytest.approx(0.04, abs=0.005) and swing["tisserand"] < 1e-6
