"""A TOML file is read and parsed once, whatever it holds and whatever is done with it."""

import tomllib
from pathlib import Path

import pytest
from support.case_files import PLATE, plate_mesh, write_case

import tisserand
from tisserand.studies.simulate import simulate

BUS = "[bodies.bus]\nmass = 10.0\ninertia = [1.0, 1.0, 1.0]\n[simulation]\nduration = 1.0\n"


@pytest.mark.parametrize("kind", ["case", "vehicle"])
def test_opening_parses_once(kind, tmp_path, monkeypatch):
    plate_mesh(tmp_path)
    path = write_case(tmp_path, PLATE if kind == "case" else BUS)
    parsed, loads = [], tomllib.loads
    monkeypatch.setattr(tomllib, "loads", lambda text, **options: parsed.append(text) or loads(text, **options))
    assert tisserand.open(path).kind == kind
    assert len(parsed) == 1


@pytest.mark.parametrize("kind", ["case", "vehicle"])
def test_a_task_reads_and_parses_its_file_once(kind, tmp_path, monkeypatch):
    """Also where its output is kept away from every file that it names."""
    plate_mesh(tmp_path)
    path = write_case(tmp_path, PLATE if kind == "case" else BUS)
    parsed, loads = [], tomllib.loads
    monkeypatch.setattr(tomllib, "loads", lambda text, **options: parsed.append(text) or loads(text, **options))
    read, bytes_of = [], Path.read_bytes
    monkeypatch.setattr(Path, "read_bytes", lambda file: read.append(file) or bytes_of(file))
    if kind == "case":
        tisserand.modes(path, count=1, output=tmp_path / "out.h5")
    else:
        simulate(path, output=tmp_path / "out.h5")
    assert len(parsed) == 1 and read.count(path) == 1
