"""An installation that cannot be written, with a home that cannot be written: every command still works, with a note."""

import os
import shutil
import sys
from pathlib import Path

import pytest
from support.no_root import run_bound

import tisserand
from tisserand.kernel_cache import _imported, _source_stamp

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


def answer(folder: Path, env: dict[str, str]) -> str:
    """Run the kernel where permissions bind; what it says on standard error, at most one line."""
    done = run_bound([sys.executable, str(folder / "sums.py")], env=env)
    assert done.returncode == 0 and done.stdout.strip() == "42.0" and done.stderr.count("\n") <= 1, done.stderr
    return done.stderr


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
    assert answer(folder, env).startswith("tisserand: note:") and not answer(folder, env), "compiled once, then read"
    (kept,) = (tmp_path / "tmp").iterdir()
    assert kept.stat().st_mode & 0o777 == 0o700 and list(kept.rglob("*.nbi"))


def test_a_cache_folder_of_somebody_else_is_not_used(folder, tmp_path):
    """Cached kernels are programs; a folder that others may write to could hold theirs."""
    (folder / "sums.py").write_text(KERNEL)
    closed(folder)
    trap = tmp_path / "tmp" / f"tisserand-kernels-{os.getuid()}"
    trap.mkdir(parents=True)
    trap.chmod(0o777)
    assert "every run recompiles" in answer(folder, environment(folder, tmp_path / "tmp", PACKAGE.parent))
    assert not list(trap.iterdir())


@pytest.mark.parametrize(
    "damage",
    [None, *(pytest.param(word, marks=pytest.mark.slow) for word in ("cut", "open file", "open folder", "no folder"))],
)
def test_kernels_that_lie_in_the_installation_are_used(folder, tmp_path, damage):
    """They are read where nothing can be written; damaged, or open to others, they cost one compilation."""
    (folder / "sums.py").write_text(KERNEL)
    (tmp_path / "tmp").mkdir()
    env = environment(folder, tmp_path / "tmp", PACKAGE.parent)
    assert not answer(folder, env)
    (kernel,) = (folder / "__pycache__").glob("*.nbc")
    if damage == "cut":
        kernel.write_bytes(kernel.read_bytes()[:-100])
    closed(folder)
    if damage == "open file":
        kernel.chmod(0o666)
    if damage == "open folder":
        kernel.parent.chmod(0o777)
    if damage == "no folder":  # that could take others: none is needed
        trap = tmp_path / "tmp" / f"tisserand-kernels-{os.getuid()}"
        trap.mkdir()
        trap.chmod(0o777)
    said, lost = answer(folder, env), damage not in (None, "no folder")
    assert said.startswith("tisserand: note:") if lost else not said
    assert bool(list((tmp_path / "tmp").rglob("*.nbc"))) == lost
    assert not lost or not answer(folder, env)


@pytest.mark.slow
def test_a_cache_of_the_user_that_others_can_fill_is_not_used(folder, tmp_path):
    (folder / "sums.py").write_text(KERNEL)
    closed(folder)
    for name in ("tmp", "home"):
        (tmp_path / name).mkdir()
    env = {
        **environment(folder, tmp_path / "tmp", PACKAGE.parent), "XDG_CACHE_HOME": str(tmp_path / "home"),
    }  # fmt: skip
    assert not answer(folder, env) and not list((tmp_path / "tmp").iterdir())
    (kernel,) = (tmp_path / "home").rglob("*.nbc")
    kernel.parent.chmod(0o777)
    assert "others can write" in answer(folder, env) and list((tmp_path / "tmp").rglob("*.nbc"))


def test_a_constant_that_kernels_import_is_part_of_them(tmp_path):
    """numba compares the file of a kernel only; a number that it takes from another file would stay as it was compiled."""
    (tmp_path / "numbers.py").write_text("TWO = 2.0\n")
    (tmp_path / "_kernels.py").write_text("from numbers import TWO\n")
    stamp = _source_stamp.__wrapped__
    before = stamp(str(tmp_path / "_kernels.py"))
    (tmp_path / "_kernels_apart.py").write_text("from numbers import TWO\n")
    assert stamp(str(tmp_path / "_kernels.py")) == before, "a neighbor that it does not import"
    (tmp_path / "numbers.py").write_text("TWO = 3.0\n")
    assert stamp(str(tmp_path / "_kernels.py")) != before


def test_stamps_reach_through_the_package():
    """The step of the engine calls the right-hand side, which takes its joints from a third file."""
    recursive = PACKAGE / "multibody" / "recursive"
    seen, left = set(), {recursive / "_kernels_solve.py"}
    while left:
        path = left.pop()
        seen.add(path.name)
        left |= {one for one in _imported(path, path.read_bytes()) if one.name not in seen}
    assert {"_kernels_joints.py", "_kernels_inward.py", "engine_model.py", "workspace.py"} <= seen
    assert "_kernels_elements.py" not in seen and "_kernels_integrate.py" not in seen


@pytest.mark.slow
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
