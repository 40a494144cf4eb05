"""Records and runs are checked when they are read: shapes, types, finite numbers, positive masses, rows that exist."""

import h5py
import numpy as np
import pytest
from support.appendages import polynomial_panel, random_bodies

from tisserand.appendage import load_record, save_record
from tisserand.errors import FileError, RecordError
from tisserand.multibody import load_trajectory
from tisserand.studies.simulate import simulate


@pytest.fixture(scope="module")
def record(tmp_path_factory):
    return save_record(polynomial_panel(4, 2), tmp_path_factory.mktemp("record") / "panel.h5").read_bytes()


@pytest.fixture(scope="module")
def run(tmp_path_factory):
    folder = tmp_path_factory.mktemp("run")
    save_record(random_bodies(0), folder / "wing.h5")
    (folder / "bus.toml").write_text(
        '[bodies.bus]\nmass = 80.0\ninertia = [60.0, 50.0, 70.0]\n[appendages.wing]\nrecord = "wing.h5"\nbody = "bus"\n'
        "[initial]\nangular_velocity = [0.01, 0.02, 0.0]\n[simulation]\nduration = 0.2\noutput_step = 0.1\n"
    )
    simulate(folder / "bus.toml", output=folder / "run.h5")
    return (folder / "run.h5").read_bytes()


def change(path, content, place, edit):
    path.write_bytes(content)
    with h5py.File(path, "r+") as file:
        value = edit(file[place][()])
        attrs = dict(file[place].attrs)
        del file[place]
        file[place] = value
        file[place].attrs.update(attrs)
    return path


def put(value):
    def edit(array):
        array = np.array(array)
        array.reshape(-1)[0] = value
        return array

    return edit


@pytest.mark.parametrize(
    ("place", "edit", "words"),
    [
        ("integrals/mass", lambda _: -5.0, "mass is not positive"),
        ("integrals/mass", lambda _: np.nan, "mass is not positive"),
        ("integrals/mass", lambda _: "heavy", "."),
        ("integrals/center", put(np.inf), "center"),
        ("integrals/inertia", put(-1e6), "inertia"),
        ("integrals/modal_mass", put(-1.0), "modal"),
        ("integrals/modal_mass", lambda m: m + np.triu(np.ones_like(m), 1), "symmetric"),
        ("modes/stiffness", put(np.nan), "stiffness"),
        ("modes/stiffness", lambda m: m[:, :-1], "shape"),
        ("nodes/positions", lambda m: m[:-1], "shape"),
        ("nodes/translation", put(np.nan), "translation"),
        ("topology/triangles", put(-1), "nodes that do not exist"),
        ("topology/triangles", put(10**6), "nodes that do not exist"),
        ("interfaces/axes", put(0.3), "axes"),
    ],
)
def test_a_record_that_no_structure_can_have_is_refused(tmp_path, record, place, edit, words):
    with pytest.raises(RecordError, match=words):
        load_record(change(tmp_path / "panel.h5", record, place, edit))


@pytest.mark.parametrize(
    ("place", "edit", "words"),
    [
        ("times", put(9.0), "times do not increase"),
        ("times", lambda t: t[:-1], "shape"),
        ("times", lambda t: t[:0], "times"),
        ("attitude", lambda t: t[:, :3], "attitude"),
        ("attitude", put(np.nan), "attitude"),
        ("rotation", lambda t: t[:, :, :2], "rotation"),
        ("modal/0000", lambda t: t[:-1], "modal"),
        ("modal/0000", put(np.inf), "modal"),
        ("balance/kinetic", lambda t: t[:-1], "shape"),
        ("balance/momentum", put(np.nan), "momentum"),
        ("statistics", lambda _: '{"method": "x", "steps": "many"}', "statistics"),
        ("statistics", lambda _: "[]", "."),
        ("settings", lambda _: "not json", "."),
    ],
)
def test_a_run_that_cannot_have_been_flown_is_refused(tmp_path, run, place, edit, words):
    with pytest.raises(RecordError, match=words):
        load_trajectory(change(tmp_path / "run.h5", run, place, edit))


def test_a_heap_of_texts_that_does_not_end_is_refused_and_not_walked_for_ever(tmp_path, record):
    """HDF5 loops on such a heap; the size of its first object is made to reach beyond it."""
    at = record.index(b"GCOL") + 16 + 8
    path = tmp_path / "panel.h5"
    path.write_bytes(record[:at] + b"\xff" * 8 + record[at + 8 :])
    with pytest.raises(FileError, match="heap of texts"):
        load_record(path)
