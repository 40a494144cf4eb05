"""The same input gives the same bits on one machine, whatever PYTHONHASHSEED is; across thread counts numbers agree to 1e-9."""

import os
import subprocess
import sys
from pathlib import Path

import numpy as np
import pytest
from support.case_files import PLATE, plate_mesh, write_case

import tisserand
from tisserand.appendage import load_record

SOURCE = str(Path(tisserand.__file__).parents[1])


def solved(folder: Path, name: str, **environment: str):
    env = {**os.environ, "PYTHONPATH": SOURCE, **environment}
    command = [sys.executable, "-m", "tisserand.cli.app", "modes", "plate.toml", "-o", name, "--quiet"]
    done = subprocess.run(command, cwd=folder, env=env, capture_output=True, text=True)
    assert done.returncode == 0, done.stderr
    return load_record(folder / name)


@pytest.fixture
def folder(tmp_path):
    plate_mesh(tmp_path)
    write_case(tmp_path, PLATE.replace('[outputs]\nrecord = "plate.h5"\n', ""))
    return tmp_path


def test_records_are_the_same_bits_for_any_hash_seed(folder):
    first, second = (solved(folder, f"{seed}.h5", PYTHONHASHSEED=seed, OMP_NUM_THREADS="1") for seed in ("0", "4242"))
    assert np.array_equal(first.nodes.translation, second.nodes.translation)
    assert np.array_equal(first.stiffness, second.stiffness)
    for word in ("inertia", "translation", "rotation", "position_shape", "shape_shape", "modal_mass"):
        assert np.array_equal(getattr(first.integrals, word), getattr(second.integrals, word)), word


@pytest.mark.slow
def test_frequencies_agree_across_thread_counts(folder):
    counts = {n: {f"{word}_NUM_THREADS": n for word in ("OMP", "MKL", "OPENBLAS", "NUMBA")} for n in ("1", "2")}
    one, two = (solved(folder, f"t{n}.h5", **env) for n, env in counts.items())
    assert one.frequencies_hz == pytest.approx(two.frequencies_hz, rel=1e-9)
    assert one.mass == pytest.approx(two.mass, rel=1e-9)
