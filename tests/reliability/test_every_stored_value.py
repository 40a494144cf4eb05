"""Every data set and attribute of records and runs, made wrong in every way: refused by name, or of no consequence.

Of no consequence means that the file loads as the same object: what is written again is the same to the byte.
"""

import io
import re

import h5py
import numpy as np
import pytest
from support.appendages import random_bodies
from support.edited import edited
from support.hand_built import beam3d
from support.writing_commands import VEHICLE

import tisserand as ts
from tisserand.appendage import load_record, save_record
from tisserand.errors import RecordError
from tisserand.multibody import load_trajectory, save_trajectory
from tisserand.stored import SEAL
from tisserand.studies.simulate import simulate


def boom():
    """Beams with a turning tip body, families, interfaces and outputs; its finite elements are kept."""
    model = ts.boom(2.0, ts.tube(0.05, 0.001), ts.ALUMINUM, elements=3).with_mass(
        "tip", 0.5, offset=(0.1, 0.0, 0.05), inertia=(0.1, 0.2, 0.25)
    )
    return ts.reduce(ts.solve_modes(ts.assemble(model), count=3), attachment="root", damping=0.01, geometric=True)


def chain():
    """A mass matrix without elements."""
    return ts.reduce(ts.solve_modes(beam3d(3), count=2), damping=0.01)


def flown(folder):
    save_record(random_bodies(0), folder / "wing.h5")
    (folder / "bus.toml").write_text(VEHICLE)
    simulate(folder / "bus.toml", output=folder / "run.h5")
    return folder / "run.h5"


MAKERS = {
    "boom": lambda folder: save_record(boom(), folder / "boom.h5"),
    "chain": lambda folder: save_record(chain(), folder / "chain.h5"),
    "bodies": lambda folder: save_record(random_bodies(0), folder / "bodies.h5"),
    "run": flown,
}


def changes(value):
    """Name -> the value with another type or shape, or with numbers that are none; what cannot be applied is left out."""
    array = np.asarray(value)
    out = {
        "texts": np.array(["a", "b"], dtype=object),
        "empty": np.zeros(0),
        "compound": np.zeros(2, dtype=[("a", "f8"), ("b", "i4")]),
        "complex": (array if array.dtype.kind in "iuf" else np.zeros(2)) + 1j,
        "deeper": np.zeros((*array.shape, 2)),
        "nothing": h5py.Empty("f8"),
    }
    if array.dtype.kind in "iuf" and array.size:
        out["text"] = "hello"
        bad = {"nan": np.nan, "inf": np.inf, "huge": 1e300} | ({"fraction": 0.1} if array.dtype.kind in "iu" else {})
        for name, number in bad.items():
            for place in {0, array.size - 1}:
                changed = array.astype(float)
                changed.reshape(-1)[place] = number
                out[f"{name} at {place}"] = changed
        out |= {f"shorter {axis}": np.delete(array, -1, axis) for axis in range(array.ndim)}
        out |= {f"longer {axis}": np.repeat(array, 2, axis) for axis in range(array.ndim)}
    elif array.dtype.kind in "OSU":
        out |= {"numbers": np.arange(3.0), "bytes": np.bytes_(b"\xff\xfe\xfa")}
        out |= {"shorter": array[:-1]} if array.ndim else {}
        if not array.ndim and str(value.decode() if isinstance(value, bytes) else value)[:1] in ("{", "["):
            out |= {
                "no JSON": "hello",
                "NaN": "NaN",
                "list": "[1, 2]",
                "table": '{"a": 1}',
                "inner NaN": '{"a": [NaN]}',
            }
    return out


def wrong(content, place, attribute, value) -> bytes | None:
    """The file with one data set or attribute replaced; None where HDF5 cannot hold the value."""
    memory = io.BytesIO(content)
    with edited(memory) as file:
        item = file[place]
        try:
            if attribute is not None:
                item.attrs[attribute] = value
            else:
                kept = dict(item.attrs)
                home, _, name = place.rpartition("/")
                del file[place]
                (file[home] if home else file).create_dataset(name, data=value)
                file[place].attrs.update(kept)
        except (TypeError, ValueError, OSError):
            return None
    return memory.getvalue()


def stored(content):
    """(place, attribute or None, value) of everything in a file."""
    found = []
    with h5py.File(io.BytesIO(content), "r") as file:
        found += [("/", name, value) for name, value in file.attrs.items() if name != SEAL]

        def look(place, item):
            if isinstance(item, h5py.Dataset):
                found.append((place, None, item[()]))
            found.extend((place, name, value) for name, value in item.attrs.items())

        file.visititems(look)
    return found


#: Attributes that describe data sets to other tools; nothing here reads them.
WORDS = ("units", "unit", "indices", "meaning", "encoding")
#: What the file is, rather than what it holds: a wrong one says that the file is of another kind.
KIND = ("format", "kind", "schema", "schema_version", "complete")


def allowed(place, attribute, name) -> bool:
    """Other values that a file may hold as well as its own: other names, outputs of fewer rows, another table of remarks."""
    return (
        (place in ("modes/names", "modes/kinds", "interfaces/names") and name == "texts")
        or (place == "frame/residuals" and name == "empty")
        or (place.startswith("recovery/") and name in ("shorter 0", "longer 0"))
        or (place in ("reports", "provenance", "settings", "recomputed") and name in ("table", "inner NaN"))
        or (place.startswith("topology/") and name.startswith(("empty", "shorter", "longer")))  # what is drawn
        or (attribute in ("warnings", "supports") and name in ("list", "table"))
    )


def judge(load, save, content, again, folder, every) -> tuple[int, list[str]]:
    """How many wrong files were refused, and what went wrong with others; one file of ``every`` is tried."""
    victim, faults, refused, number = folder / "victim.h5", [], 0, 0
    for place, attribute, value in stored(content):
        chosen = changes(value)
        if attribute in WORDS:
            chosen = {"complex": chosen["complex"]}
        for name, change in chosen.items():
            number += 1
            bad = wrong(content, place, attribute, change) if number % every == 0 else None
            if bad is None:
                continue
            victim.write_bytes(bad)
            where = f"{place} {attribute or ''}: {name}: "
            try:
                same = save(load(victim), folder / "found.h5").read_bytes() == again
            except RecordError as error:
                refused += 1
                said, word = error.sentence(), (attribute or place).rpartition("/")[2]
                shape = name.startswith(("shorter", "longer", "empty", "deeper"))
                known = r"\w+/\w+|times|names|has another" if shape else f"{word}|{place}"
                named = re.search("interface" if place == "interfaces/names" else known, said)
                if not named and attribute not in KIND:
                    faults.append(f"{where}not by name: {said}")
            except Exception as error:
                faults.append(f"{where}{error!r}")
            else:
                faults += [] if same or allowed(place, attribute, name) else [f"{where}accepted"]
    return refused, faults


@pytest.mark.parametrize(
    ("kind", "every"),
    [
        *(pytest.param(kind, 1, marks=pytest.mark.slow, id=f"{kind} all") for kind in MAKERS),
        pytest.param("boom", 101, id="boom"),
        pytest.param("run", 29, id="run"),
    ],
)
def test_every_value_made_wrong_is_refused_by_name_or_of_no_consequence(tmp_path, monkeypatch, kind, every):
    monkeypatch.setattr("tisserand.files._settle", lambda path: None)  # nothing here has to survive a power cut
    path = MAKERS[kind](tmp_path)
    load, save = (load_trajectory, save_trajectory) if kind == "run" else (load_record, save_record)
    again = save(load(path), tmp_path / "again.h5").read_bytes()
    refused, faults = judge(load, save, path.read_bytes(), again, tmp_path, every)
    assert refused > 10
    assert not faults, f"{len(faults)} of them:\n" + "\n".join(faults)
