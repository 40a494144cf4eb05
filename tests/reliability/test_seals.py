"""Content of our HDF5 files that changed after it was written is noticed, whatever the change; older files still load."""

import io
import re

import h5py
import numpy as np
import pytest
from support.appendages import random_bodies
from support.command import run as command
from support.edited import edited
from support.writing_commands import VEHICLE

from tisserand.appendage import load_record, save_record
from tisserand.errors import RecordError
from tisserand.exporters import exudyn
from tisserand.multibody import load_trajectory
from tisserand.stored import SEAL
from tisserand.stored.seal import content_digest
from tisserand.studies.frames import frames
from tisserand.studies.info import describe_written
from tisserand.studies.simulate import simulate


@pytest.fixture(scope="module")
def files(tmp_path_factory):
    """One of every HDF5 file that is written: path and reader by kind."""
    folder = tmp_path_factory.mktemp("sealed")
    save_record(random_bodies(0), folder / "wing.h5")
    (folder / "bus.toml").write_text(VEHICLE)
    simulate(folder / "bus.toml", output=folder / "run.h5")
    frames(folder / "run.h5", output=folder / "frames.h5")
    exudyn.write(random_bodies(0), folder / "exudyn.h5")
    loaders = {"wing": load_record, "run": load_trajectory, "frames": describe_written, "exudyn": describe_written}
    return {name: (folder / f"{name}.h5", load) for name, load in loaders.items()}


def places(content):
    """(path, attribute or None) of everything in a file but its digest."""
    with h5py.File(io.BytesIO(content), "r") as file:
        found = [("/", name) for name in file.attrs if name != SEAL]

        def look(path, item):
            found.extend((path, name) for name in item.attrs)
            if isinstance(item, h5py.Dataset):
                found.append((path, None))

        file.visititems(look)
    return found


def slightly_other(value):
    """The value with its last number one unit in the last place away, or its last text one letter longer."""
    array = np.array(value)
    if array.dtype.kind in "OSU":
        if not array.ndim:
            return (value.decode() if isinstance(value, bytes) else str(value)) + " "
        texts = [text.decode() if isinstance(text, bytes) else text for text in array.reshape(-1)]
        return np.array([*texts[:-1], texts[-1] + "."], dtype=object) if texts else np.array(["new"], dtype=object)
    if not array.size:
        return np.zeros((1, *array.shape[1:]), array.dtype)
    flat = array.reshape(-1)
    flat[-1] = (
        np.nextafter(flat[-1], np.inf)
        if array.dtype.kind == "f"
        else (not flat[-1] if array.dtype.kind == "b" else flat[-1] ^ 1)
    )
    return flat.reshape(array.shape)


KINDS = ("wing", "run", "frames", "exudyn")


@pytest.mark.parametrize(
    ("kind", "every"),
    [*(pytest.param(kind, 1, marks=pytest.mark.slow) for kind in KINDS), *((kind, 17) for kind in KINDS)],
)
def test_the_smallest_change_of_any_value_changes_the_digest(files, kind, every):
    """Every data set and attribute in turn (of the quick suite: every 17th); one value by one unit in its last place."""
    path, load = files[kind]
    content, seen = path.read_bytes(), set()
    with h5py.File(path, "r") as file:
        sealed = file.attrs[SEAL]
        assert content_digest(file) == sealed
    load(path)
    tried = places(content)[::every]
    for place, attribute in tried:
        with h5py.File(io.BytesIO(content), "r+") as file:
            item = file[place]
            if attribute is not None:
                item.attrs[attribute] = slightly_other(item.attrs[attribute])
            else:
                value, kept = slightly_other(item[()]), dict(item.attrs)
                del file[place]
                file.create_dataset(place, data=value).attrs.update(kept)
            seen.add(content_digest(file))
    assert sealed not in seen and len(seen) == len(tried) > 1


@pytest.mark.parametrize(
    ("kind", "place"),
    [
        ("wing", "integrals/center"),
        ("wing", "nodes/positions"),
        ("run", "balance/kinetic"),
        ("run", "position"),
        ("frames", "tisserand/rate"),
        ("exudyn", "massMatrixReduced"),
    ],
)
def test_a_changed_history_or_array_is_refused_with_the_way_out(files, tmp_path, kind, place):
    """A value that is as sound as the one it replaces: only the digest can tell. Without the digest it is the user's own."""
    source, load = files[kind]
    path = tmp_path / source.name
    path.write_bytes(source.read_bytes())
    with h5py.File(path, "r+") as file:
        file[place][...] = file[place][()] * (1 + 1e-12)
    with pytest.raises(RecordError, match="changed after it was written"):
        load(path)
    refused = command("info", path)
    assert refused.exit_code == 2 and re.search(rf"{path.name}.*{SEAL}.*delete", refused.stderr.replace("\n", " "))
    with edited(path):
        pass
    load(path)
    assert command("info", path, "--json").data["content"].startswith("has no digest")
    assert command("info", source, "--json").data["content"].startswith("as written")


def test_lost_added_and_renamed_parts_are_noticed(files, tmp_path):
    source, load = files["run"]

    def lose(file):
        del file["moments"]

    def rename(file):
        file.move("balance/gross_impulse", "balance/other")

    def add(file):
        file["remarks"] = np.arange(3)

    for number, change in enumerate((lose, rename, add)):
        path = tmp_path / f"{number}.h5"
        path.write_bytes(source.read_bytes())
        with h5py.File(path, "r+") as file:
            change(file)
        with pytest.raises(RecordError):
            load(path)


def test_arrays_read_in_pieces_count_whole(monkeypatch):
    """A change anywhere and another shape is another digest; the size of the pieces is not part of it."""
    seen: dict[int, list[str]] = {}
    for piece in (64, 104, 1 << 24):
        monkeypatch.setattr("tisserand.stored.seal._PIECE", piece)
        for number in range(40):
            values = np.zeros(40)
            values[number] = 1.0
            for shape in ((40,), (8, 5), (40, 1), (1, 40)):
                with h5py.File(io.BytesIO(), "w") as file:
                    file["x"] = values.reshape(shape)
                    seen.setdefault(piece, []).append(content_digest(file))
    assert len(set(seen[64])) == 160
    assert seen[64] == seen[104] == seen[1 << 24]
