"""The same input gives the same bits on one machine, whatever PYTHONHASHSEED is; across thread counts numbers agree to 1e-9."""

import csv
import json
import os
import subprocess
import sys
from pathlib import Path

import h5py
import numpy as np
import pytest
import scipy.io
from support.case_files import PLATE, plate_mesh, write_case

import tisserand
from tisserand.appendage import load_record

TESTS = Path(__file__).parents[1]
SOURCE = os.pathsep.join([str(Path(tisserand.__file__).parents[1]), str(TESTS)])


def started(arguments: list[str], folder: Path, **environment: str) -> None:
    env = {**os.environ, "PYTHONPATH": SOURCE, **environment}
    done = subprocess.run([sys.executable, *arguments], cwd=folder, env=env, capture_output=True, text=True)
    assert done.returncode == 0, done.stderr


def test_records_are_the_same_bytes_for_any_hash_seed(tmp_path):
    """Of this process, which has another seed than 4242 unless chance wills it, and of one that has 4242."""
    plate_mesh(tmp_path)
    case = write_case(tmp_path, PLATE.replace('[outputs]\nrecord = "plate.h5"\n', ""))
    assert os.environ.get("PYTHONHASHSEED") != "4242"
    tisserand.modes(case, output=tmp_path / "here.h5")
    command = ["-m", "tisserand.cli.app", "modes", str(case), "-o", "there.h5", "--quiet"]
    started(command, tmp_path, PYTHONHASHSEED="4242")
    assert (tmp_path / "here.h5").read_bytes() == (tmp_path / "there.h5").read_bytes()
    assert load_record(tmp_path / "here.h5").count == 6


def written(home: Path, **environment: str) -> dict[str, Path]:
    """What every writing command writes, by its path in ``home``."""
    started([str(TESTS / "support" / "write_everything.py"), str(home)], TESTS, **environment)
    files = [path for path in sorted(home.rglob("*")) if path.is_file() and path.parent != home]
    return {str(path.relative_to(home)): path for path in files}


def content(path: Path, home: Path) -> object:
    """The bytes of a file; of a run, everything but the seconds that it took."""
    if not path.match("simulate/x.h5"):
        return path.read_bytes().replace(str(home).encode(), b"HOME")
    return {name: values.tobytes() for name, values in numbers(path).items()}


@pytest.mark.slow
def test_every_file_is_the_same_for_any_hash_seed(tmp_path):
    """Records, runs, tables, pictures, pages and exports of every writing command."""
    homes = {seed: tmp_path / f"h{seed}" for seed in ("0", "4242")}
    one, two = (written(home, PYTHONHASHSEED=seed, OMP_NUM_THREADS="1") for seed, home in homes.items())
    assert one.keys() == two.keys() and len(one) > 20
    assert [name for name in one if content(one[name], homes["0"]) != content(two[name], homes["4242"])] == []


def numbers(path: Path) -> dict[str, np.ndarray]:
    """Every array of numbers in a file that holds some; durations of the computation are left out."""
    found: dict[str, np.ndarray] = {}
    if path.suffix in (".h5", ".hdf5"):
        with h5py.File(path) as file:

            def visit(name, item):
                if isinstance(item, h5py.Dataset) and item.dtype.kind in "fiu":
                    found[name] = item[()]

            file.visititems(visit)
    elif path.suffix == ".mat":
        found = {k: v for k, v in scipy.io.loadmat(path).items() if getattr(v, "dtype", np.dtype("O")).kind in "fiu"}
    elif path.suffix == ".npz":
        found = {k: v for k, v in np.load(path).items() if v.dtype.kind in "fiu"}
    elif path.suffix == ".csv":
        rows = list(csv.reader(line for line in path.read_text().splitlines() if not line.startswith("#")))
        for number, head in enumerate(rows[0]):
            column = [row[number] for row in rows[1:]]
            if all(_is_number(cell) for cell in column) and "wall" not in head and "seconds" not in head:
                found[head] = np.array(column, dtype=float)
    elif path.suffix == ".json":
        flat: list[float] = []
        _collect(json.loads(path.read_text()), flat)
        found["json"] = np.array(flat)
    return found


def _is_number(cell: str) -> bool:
    try:
        float(cell)
    except ValueError:
        return False
    return True


def _collect(value: object, into: list[float]) -> None:
    if isinstance(value, dict):
        value = list(value.values())
    if isinstance(value, list):
        for item in value:
            _collect(item, into)
    elif isinstance(value, int | float):
        into.append(float(value))


@pytest.mark.slow
def test_numbers_agree_across_thread_counts(tmp_path):
    """1e-9 of the largest number of each array, over the files of every writing command; wholly round-off arrays are left out."""
    counts = {n: {f"{word}_NUM_THREADS": n for word in ("OMP", "MKL", "OPENBLAS", "NUMBA")} for n in ("1", "2")}
    one, two = (written(tmp_path / f"t{n}", **env) for n, env in counts.items())
    assert one.keys() == two.keys()
    compared, worst = 0, {}
    for name in one:
        first, second = numbers(one[name]), numbers(two[name])
        assert first.keys() == second.keys(), name
        for key, values in first.items():
            assert values.shape == second[key].shape, (name, key)
            size = float(np.abs(values[np.isfinite(values)]).max(initial=0.0))
            if size < 1e-9:
                continue
            compared += 1
            worst[name, key] = float(np.abs(np.nan_to_num(values) - np.nan_to_num(second[key])).max()) / size
    assert compared > 100
    assert {place: error for place, error in worst.items() if error > 1e-9} == {}
