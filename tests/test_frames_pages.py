"""docs/frames.md and docs/how-to/choose-a-frame.md: every block runs as it stands, in order, and the picture is made."""

import importlib.util
import re
import shlex
from pathlib import Path

import pytest
from support.command import run

import tisserand as ts

ROOT = Path(__file__).parents[1]


def follow(page, folder, monkeypatch):
    """Run Python and shell blocks in one folder; a TOML block is the file named before it. Returns the namespace."""
    (folder / "boom.bdf").write_bytes((ROOT / "meshes" / "boom.bdf").read_bytes())
    monkeypatch.chdir(folder)
    scope, done = {}, 0
    text = (ROOT / "docs" / page).read_text(encoding="utf-8")
    for found in re.finditer(r"```(python|bash|toml)\n(.*?)```", text, re.DOTALL):
        kind, code = found.groups()
        if kind == "python":
            exec(compile(code, f"{page}, at {found.start()}", "exec"), scope)
        elif kind == "toml":
            (folder / re.findall(r"`(\w+\.toml)`", text[: found.start()])[-1]).write_text(code)
        else:
            for line in code.splitlines():
                result = run(*shlex.split(line)[1:])
                assert result.exit_code == 0, f"{line}: {result.stderr}"
        done += 1
    return scope, done


def test_the_page_of_frames_runs(tmp_path, monkeypatch):
    scope, done = follow("frames.md", tmp_path, monkeypatch)
    assert done >= 7
    assert "Floating frames" in (tmp_path / "run.html").read_text()
    assert list(scope["found"].frames) == ["tisserand", "buckens", "principal", "milne"]
    hz = {name: mounted_hz(ts.load_record(tmp_path / f"{name}.h5")) for name in ("wing", "residual", "clamped")}
    assert hz["wing"] == pytest.approx(hz["clamped"], rel=1e-8)  # "the same vehicle"
    assert hz["residual"][0] == pytest.approx(hz["clamped"][0], rel=1e-6)  # of two spans of twelve modes


def mounted_hz(record):
    bus = ts.Body("bus", 200.0, inertia=[90.0, 80.0, 100.0])
    vehicle = ts.Vehicle("v", (bus,), appendages=(ts.MountedAppendage("a", record, "bus"),))
    return ts.system_modes(vehicle).frequencies_hz[:4]


def test_the_page_on_choosing_runs(tmp_path, monkeypatch):
    _, done = follow("how-to/choose-a-frame.md", tmp_path, monkeypatch)
    assert done == 1
    frames = [ts.load_record(tmp_path / f"{n}.h5").frame.name for n in ("clamped", "buckens", "floating", "instrument")]
    assert frames == ["connection", "buckens", "tisserand", "node"]
    a, b, c = (mounted_hz(ts.load_record(tmp_path / f"{n}.h5")) for n in ("clamped", "buckens", "floating"))
    assert a == pytest.approx(b, rel=1e-8) and a == pytest.approx(c, rel=1e-8)


def test_the_picture_is_made_and_its_figures_are_those_of_the_page(tmp_path):
    """Bus 14.6 deg, principal axes 12 deg, Buckens 0.04 deg, Tisserand at rest (no angular momentum)."""
    spec = importlib.util.spec_from_file_location("picture", ROOT / "docs" / "make_frames_picture.py")
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    swing = module.main(tmp_path / "p.png")
    assert (tmp_path / "p.png").read_bytes()[:4] == b"\x89PNG"
    assert swing["bus"] == pytest.approx(14.6, abs=0.05) and swing["principal"] == pytest.approx(12.1, abs=0.05)
    assert swing["buckens"] == pytest.approx(0.04, abs=0.005) and swing["tisserand"] < 1e-6
