"""A TOML file is parsed once, whatever it holds."""

import tomllib

import pytest
from support.case_files import PLATE, plate_mesh, write_case

import tisserand

BUS = "[bodies.bus]\nmass = 10.0\ninertia = [1.0, 1.0, 1.0]\n[simulation]\nduration = 1.0\n"


@pytest.mark.parametrize("kind", ["case", "vehicle"])
def test_opening_parses_once(kind, tmp_path, monkeypatch):
    plate_mesh(tmp_path)
    path = write_case(tmp_path, PLATE if kind == "case" else BUS)
    parsed, loads = [], tomllib.loads
    monkeypatch.setattr(tomllib, "loads", lambda text, **options: parsed.append(text) or loads(text, **options))
    assert tisserand.open(path).kind == kind
    assert len(parsed) == 1
