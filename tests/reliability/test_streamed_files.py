"""HDF5 files that go to the disk as they are made: a disk that fills up on the way, and long runs made in pieces."""

import importlib
import io
from dataclasses import fields

import h5py
import numpy as np
import pytest

from tisserand.errors import FileError
from tisserand.multibody import Body, State, Vehicle, hinge, recompute, simulate
from tisserand.multibody.engines import recursive_engine
from tisserand.stored import create_hdf5, hdf5
from tisserand.stored.streams import PatientStream


class Small(io.BytesIO):
    """A disk of a megabyte."""

    def write(self, data):
        if self.tell() + len(data) > 1_000_000:
            raise OSError(28, "No space left on device")
        return super().write(data)


def test_hdf5_writes_through_the_stream_what_it_reads_back():
    plain, values = io.BytesIO(), np.arange(30000.0).reshape(-1, 3)
    with h5py.File(PatientStream(plain), "w") as file:
        file["values"] = values
        file.attrs["unit"] = "m"
        assert np.array_equal(file["values"][100:200], values[100:200])
    with h5py.File(io.BytesIO(plain.getvalue()), "r") as file:
        assert np.array_equal(file["values"][()], values) and file.attrs["unit"] == "m"


def test_a_disk_that_fills_up_in_the_middle_leaves_the_old_file(tmp_path, monkeypatch):
    target = tmp_path / "run.h5"
    target.write_bytes(b"as it was")
    monkeypatch.setattr(hdf5, "PatientStream", lambda plain: PatientStream(Small()))
    with pytest.raises(FileError, match="No space left"), create_hdf5(target) as file:
        for number in range(40):
            file[f"{number}"] = np.zeros(10_000)
    assert target.read_bytes() == b"as it was" and list(tmp_path.iterdir()) == [target]


def test_a_run_in_pieces_of_rows_is_the_whole_run(monkeypatch):
    bodies = (Body("a", 10.0, inertia=[5, 6, 7]), Body("b", 2.0, [0.3, 0, 0], [1, 1, 1]))
    vehicle = Vehicle("v", bodies, (hinge("h", "a", "b", [0, 0, 1], parent_point=[1, 0, 0], stiffness=2.0),))
    state = State(angular_velocity=[0.1, 0.2, 0.3], joint_rates={"h": [1.0]})
    whole = simulate(vehicle, 2.0, state, samples=23)
    monkeypatch.setattr(recursive_engine, "ROWS", 5)
    monkeypatch.setattr(importlib.import_module("tisserand.multibody.moments"), "ROWS", 5)
    pieces = simulate(vehicle, 2.0, state, samples=23)
    for part in ("coordinates", "motion", "forces"):
        for item in fields(getattr(whole, part)):
            one, two = (getattr(getattr(run, part), item.name) for run in (whole, pieces))
            named = one.keys() if hasattr(one, "keys") else ()
            assert all(np.array_equal(one[name], two[name]) for name in named) and (named or np.array_equal(one, two))
    assert np.array_equal(whole.moments.second, pieces.moments.second)
    assert recompute(whole, vehicle) == recompute(pieces, vehicle)
