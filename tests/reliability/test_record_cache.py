"""The cache of reduced cases is a convenience: damaged, unwritable or misplaced, it costs the computation and nothing else."""

import os
import subprocess
import sys

import h5py
import pytest
from support.case_files import PLATE, plate_mesh, write_case
from support.edited import edited
from support.no_root import run_bound

from tisserand.studies.vehicles import cache_folder, reduced_case


@pytest.fixture
def case(tmp_path, monkeypatch):
    monkeypatch.setenv("TISSERAND_CACHE", str(tmp_path / "cache"))
    plate_mesh(tmp_path)
    return write_case(tmp_path, PLATE.replace("count = 6", "count = 2"))


@pytest.mark.parametrize("damage", ["empty", "cut", "noise", "folder", "one value"])
def test_a_damaged_entry_is_computed_anew_with_a_note(case, caplog, damage):
    meant = reduced_case(case).frequencies_hz
    (kept,) = cache_folder().glob("*.h5")
    content = kept.read_bytes()
    kept.unlink()
    if damage == "folder":
        kept.mkdir()
    elif damage == "one value":
        kept.write_bytes(content)
        with h5py.File(kept, "r+") as file:
            file["integrals/mass"][...] = file["integrals/mass"][()] * (1 + 1e-6)
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


@pytest.mark.skipif(not hasattr(os, "getuid"), reason="needs owners of files")
@pytest.mark.parametrize("planted", ["world can write", "somebody else owns it"])
def test_a_cache_that_others_can_fill_is_not_used(case, caplog, tmp_path, monkeypatch, planted):
    """A record of twice the mass lies where this case is kept: it is never flown."""
    monkeypatch.delenv("TISSERAND_CACHE")
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "home"))
    mass = reduced_case(case).mass
    (kept,) = cache_folder().glob("*.h5")
    with edited(kept) as file:
        for word in ("integrals/mass", "integrals/inertia"):
            file[word][...] = file[word][()] * 2.0
    if planted == "world can write":
        cache_folder().chmod(0o777)
    elif os.getuid() == 0:
        os.chown(cache_folder(), 4242, -1)
    else:
        monkeypatch.setattr(os, "getuid", lambda: 4242)
    assert reduced_case(case).mass == pytest.approx(mass, rel=1e-12)
    assert "others can write to it" in caplog.text


@pytest.mark.slow
def test_processes_that_fill_the_cache_at_once_do_not_disturb_each_other(case, tmp_path):
    """Four at a time: each gets the same record, one entry is left, and it can be read."""
    code = "import sys, pathlib; from tisserand.studies.vehicles import reduced_case"
    code += "; print(repr(reduced_case(pathlib.Path(sys.argv[1])).mass))"
    children = [
        subprocess.Popen(
            [sys.executable, "-c", code, str(case)], stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True
        )
        for _ in range(4)
    ]
    answers = [child.communicate() for child in children]
    assert [child.returncode for child in children] == [0] * 4, answers
    assert len({out for out, _ in answers}) == 1 and {errors for _, errors in answers} == {""}
    assert [path.suffix for path in cache_folder().iterdir()] == [".h5"]
    assert repr(reduced_case(case).mass) == answers[0][0].strip()
