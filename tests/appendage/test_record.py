"""The HDF5 record: read back identically, refused clearly, self-explaining in plain h5py."""

import dataclasses

import h5py
import numpy as np
import pytest
from appendage.hand_built import bodies_on_springs, dense_basis

from tisserand.appendage import ModalRatio, is_record, load_record, reduce, save_record
from tisserand.errors import FileError, RecordError


@pytest.fixture(scope="module")
def wing():
    basis = dense_basis(bodies_on_springs(), held=(0,))
    reduced = reduce(basis, interfaces={"sensor / a": 14}, damping=ModalRatio(0.01), name="wing é")
    k = reduced.count
    return reduced.changed(
        geometric_stiffness={"ax": np.eye(k), "F:sensor / a:1": 2.0 * np.eye(k)},
        recovery={"stress/top": np.ones((2, k))},
    )


def assert_same(a, b, path="appendage"):
    if dataclasses.is_dataclass(a):
        assert type(a) is type(b)
        for field in dataclasses.fields(a):
            assert_same(getattr(a, field.name), getattr(b, field.name), f"{path}.{field.name}")
    elif isinstance(a, np.ndarray):
        assert a.dtype == b.dtype and np.array_equal(a, b), path
    elif hasattr(a, "keys"):
        assert list(a) == list(b), path
        for key in a:
            assert_same(a[key], b[key], f"{path}[{key}]")
    elif isinstance(a, tuple) and a and dataclasses.is_dataclass(a[0]):
        assert len(a) == len(b)
        for left, right in zip(a, b):
            assert_same(left, right, path)
    else:
        assert a == b, path


def test_a_record_reads_back_identically(wing, tmp_path):
    path = save_record(wing, tmp_path / "wing.h5")
    assert is_record(path)
    assert_same(wing, load_record(path))


def test_every_array_says_its_unit_its_index_order_and_its_meaning(wing, tmp_path):
    path = save_record(wing, tmp_path / "wing.h5")
    with h5py.File(path) as file:
        arrays = []
        file.visititems(lambda name, item: arrays.append(item) if isinstance(item, h5py.Dataset) else None)
        numeric = [item for item in arrays if item.dtype.kind in "fi"]
        assert len(numeric) > 20
        for item in numeric:
            assert {"units", "indices", "meaning"} <= set(item.attrs), item.name
            named = [word for word in item.attrs["indices"].split(",") if word]
            assert len(named) == item.ndim, item.name
        assert file["integrals/rotation"].attrs["units"] == "kg m2/eta"


def test_a_record_of_unknown_units_says_so(wing, tmp_path):
    path = save_record(wing.changed(unit_system="consistent"), tmp_path / "wing.h5")
    assert load_record(path).unit_system == "consistent"
    with h5py.File(path) as file:
        assert "source" in file["integrals/mass"].attrs["units"]


def test_an_old_record_is_never_half_replaced(wing, tmp_path):
    path = save_record(wing, tmp_path / "wing.h5")
    before = path.read_bytes()
    with pytest.raises(TypeError):
        save_record(wing.changed(reports={"bad": object()}), path)
    assert path.read_bytes() == before
    assert [p.name for p in tmp_path.iterdir()] == ["wing.h5"]
    with pytest.raises(FileError, match="exists"):
        save_record(wing, path, overwrite=False)


def test_newer_foreign_truncated_and_missing_files_are_refused_by_name(wing, tmp_path):
    path = save_record(wing, tmp_path / "wing.h5")
    newer = tmp_path / "newer.h5"
    newer.write_bytes(path.read_bytes())
    with h5py.File(newer, "a") as file:
        file.attrs["schema"] = 99
    with pytest.raises(RecordError, match=r"newer.h5.*schema 99.*update"):
        load_record(newer)

    foreign = tmp_path / "foreign.h5"
    with h5py.File(foreign, "w") as file:
        file["x"] = 1
    with pytest.raises(RecordError, match="not a file of this kind"):
        load_record(foreign)
    assert not is_record(foreign)

    raw = path.read_bytes()
    for length in (100, len(raw) // 2, len(raw) - 10):
        cut = tmp_path / "cut.h5"
        cut.write_bytes(raw[:length])
        with pytest.raises(RecordError):
            load_record(cut)

    text = tmp_path / "text.h5"
    text.write_text("not HDF5")
    with pytest.raises(RecordError, match="not an HDF5"):
        load_record(text)
    with pytest.raises(FileError, match="does not exist"):
        load_record(tmp_path / "none.h5")


def test_a_missing_array_is_named(wing, tmp_path):
    path = save_record(wing, tmp_path / "wing.h5")
    with h5py.File(path, "a") as file:
        del file["integrals/rotation"]
    with pytest.raises(RecordError, match="rotation"):
        load_record(path)


@pytest.mark.slow
def test_the_record_of_the_demo_wing_with_fifty_modes_is_small(tmp_path):
    """Under 20 MB, exact identities, every family; the mesh is the one that ``tisserand demo`` ships."""
    from pathlib import Path

    from tisserand.assembly import assemble
    from tisserand.modes import solve_modes
    from tisserand.readers.registry import read_model

    mesh = Path(__file__).parents[2] / "meshes" / "wing.bdf"
    if not mesh.exists():
        pytest.skip("meshes/wing.bdf is not there")
    basis = solve_modes(assemble(read_model(mesh, units="SI")), count=50)
    appendage = reduce(basis, damping=0.005, geometric=True)
    path = save_record(appendage, tmp_path / "wing.h5")
    assert path.stat().st_size < 20e6
    again = load_record(path)
    assert_same(appendage, again)
    assert again.inertia_level == "full" and len(again.geometric_stiffness) == 12 + 50
    assert max(again.reports["integrals"]["identities"].values()) < 1e-12
    assert again.provenance["sources"][0]["file"] == "wing.bdf" and len(again.provenance["sources"][0]["sha256"]) == 64
    assert again.reports["ledger"]["entries"]
