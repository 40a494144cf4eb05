"""An installation that cannot be written, with a home that cannot be written: every command still works, with a note."""

import os
import shutil
import sys
from pathlib import Path

import pytest
from support.no_root import run_bound

import tisserand

PACKAGE = Path(tisserand.__file__).parent
BOOM = PACKAGE.parents[1] / "meshes" / "boom.bdf"
KERNEL = """
from tisserand.numerics import kernel

@kernel
def twice(x):
    return 2.0 * x

print(twice(21.0))
"""


def closed(folder: Path) -> None:
    for place, _, files in os.walk(folder, topdown=False):
        for name in files:
            os.chmod(os.path.join(place, name), 0o444)
        os.chmod(place, 0o555)


def opened(folder: Path) -> None:
    for place, _, _ in os.walk(folder):
        os.chmod(place, 0o755)


def environment(folder: Path, temporary: Path, packages: Path) -> dict[str, str]:
    return {
        "PATH": os.environ["PATH"], "HOME": str(folder), "TMPDIR": str(temporary), "PYTHONPATH": str(packages),
        "OMP_NUM_THREADS": "1", "PYTHONDONTWRITEBYTECODE": "1", "MPLBACKEND": "Agg",
    }  # fmt: skip


@pytest.fixture
def folder(tmp_path):
    inner = tmp_path / "closed"
    inner.mkdir()
    yield inner
    opened(inner)


def test_kernels_compile_where_nothing_can_be_written(folder, tmp_path):
    (folder / "sums.py").write_text(KERNEL)
    closed(folder)
    (tmp_path / "tmp").mkdir()
    env = environment(folder, tmp_path / "tmp", PACKAGE.parent)
    for _ in range(2):
        done = run_bound([sys.executable, str(folder / "sums.py")], env=env)
        assert done.returncode == 0 and done.stdout.strip() == "42.0", done.stderr
        assert "tisserand: note:" in done.stderr and done.stderr.count("\n") == 1
    (kept,) = (tmp_path / "tmp").iterdir()
    assert kept.stat().st_mode & 0o777 == 0o700 and list(kept.rglob("*.nbi"))


def test_a_cache_folder_of_somebody_else_is_not_used(folder, tmp_path):
    """Cached kernels are programs; a folder that others may write to could hold theirs."""
    (folder / "sums.py").write_text(KERNEL)
    closed(folder)
    trap = tmp_path / "tmp" / f"tisserand-kernels-{os.getuid()}"
    trap.mkdir(parents=True)
    trap.chmod(0o777)
    done = run_bound(
        [sys.executable, str(folder / "sums.py")], env=environment(folder, tmp_path / "tmp", PACKAGE.parent)
    )
    assert done.returncode == 0 and done.stdout.strip() == "42.0", done.stderr
    assert "every run recompiles" in done.stderr and not list(trap.iterdir())


def test_a_damaged_cache_of_kernels_costs_the_compilation_only(tmp_path):
    """Sound, then empty, cut and overwritten, each as the run before left it."""
    (tmp_path / "sums.py").write_text(KERNEL)
    env = {**os.environ, "NUMBA_CACHE_DIR": str(tmp_path / "cache"), "PYTHONPATH": str(PACKAGE.parent)}
    for damage in (lambda sound: b"", lambda sound: sound[: len(sound) // 2], lambda sound: b"\x80" * 99, None):
        done = run_bound([sys.executable, str(tmp_path / "sums.py")], env=env)
        assert done.returncode == 0 and done.stdout.strip() == "42.0", done.stderr
        files = list((tmp_path / "cache").rglob("*.nb*"))
        assert files
        for path in files if damage else ():
            path.write_bytes(damage(path.read_bytes()))


@pytest.mark.slow
def test_modes_run_from_a_read_only_installation(folder, tmp_path):
    shutil.copytree(PACKAGE, folder / "tisserand", ignore=shutil.ignore_patterns("__pycache__"))
    shutil.copy(BOOM, folder / "boom.bdf")
    closed(folder)
    (tmp_path / "tmp").mkdir()
    done = run_bound(
        [sys.executable, "-m", "tisserand.cli.app", "modes", str(folder / "boom.bdf"), "-u", "SI", "-n", "3",
         "-o", str(tmp_path / "boom.h5")],
        env=environment(folder, tmp_path / "tmp", folder), cwd=tmp_path,
    )  # fmt: skip
    assert done.returncode == 0, done.stderr
    assert (tmp_path / "boom.h5").stat().st_size > 0 and "tisserand: note:" in done.stderr
