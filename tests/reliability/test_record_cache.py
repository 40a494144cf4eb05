"""The cache of reduced cases is a convenience: damaged, unwritable or misplaced, it costs the computation and nothing else."""

import os
import sys

import pytest
from support.case_files import PLATE, plate_mesh, write_case
from support.no_root import run_bound

from tisserand.studies.vehicles import cache_folder, reduced_case


@pytest.fixture
def case(tmp_path, monkeypatch):
    monkeypatch.setenv("TISSERAND_CACHE", str(tmp_path / "cache"))
    plate_mesh(tmp_path)
    return write_case(tmp_path, PLATE.replace("count = 6", "count = 2"))


@pytest.mark.parametrize("damage", ["empty", "cut", "noise", "folder"])
def test_a_damaged_entry_is_computed_anew_with_a_note(case, caplog, damage):
    meant = reduced_case(case).frequencies_hz
    (kept,) = cache_folder().glob("*.h5")
    content = kept.read_bytes()
    kept.unlink()
    if damage == "folder":
        kept.mkdir()
    else:
        kept.write_bytes({"empty": b"", "cut": content[: len(content) // 2], "noise": os.urandom(999)}[damage])
    assert reduced_case(case).frequencies_hz == pytest.approx(meant, rel=1e-12)
    assert "recomputed" in caplog.text
    if damage != "folder":
        assert kept.read_bytes()[:4] == content[:4]


def test_a_cache_that_cannot_be_written_costs_a_note(case, caplog, tmp_path, monkeypatch):
    (tmp_path / "file").touch()
    monkeypatch.setenv("TISSERAND_CACHE", str(tmp_path / "file"))
    assert reduced_case(case).count == 2
    assert "is not cached" in caplog.text


@pytest.mark.parametrize("value", ["", "relative/folder"])
def test_an_empty_or_relative_cache_home_counts_as_unset(monkeypatch, tmp_path, value):
    monkeypatch.delenv("TISSERAND_CACHE", raising=False)
    monkeypatch.setenv("XDG_CACHE_HOME", value)
    monkeypatch.setenv("HOME", str(tmp_path))
    assert cache_folder() == tmp_path / ".cache" / "tisserand" / "records"


def test_without_a_home_there_is_still_a_folder():
    code = "from tisserand.studies.vehicles import cache_folder; print(cache_folder())"
    env = {k: v for k, v in os.environ.items() if k not in ("HOME", "TISSERAND_CACHE", "XDG_CACHE_HOME")}
    assert run_bound([sys.executable, "-c", code], env=env).stdout.strip().endswith("records")
