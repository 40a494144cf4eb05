"""Records and runs are checked when they are read: shapes, types, finite numbers, positive masses, rows that exist."""

import sys

import numpy as np
import pytest
from support.appendages import polynomial_panel, random_bodies
from support.command import run as run_command
from support.edited import edited
from support.writing_commands import VEHICLE

import tisserand as ts
from tisserand.appendage import load_record, save_record
from tisserand.appendage.frames import transformed_records
from tisserand.appendage.frames.frame_change import in_frame
from tisserand.appendage.frames.merged_records import merged
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
    with edited(path) as file:
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
        ("integrals/mass", lambda _: np.nan, "mass contains"),
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


# -- mechanics ----------------------------------------------------------------------------------------
@pytest.mark.parametrize(
    ("place", "edit", "words"),
    [
        ("modes/stiffness", lambda k: -k, "stiffness has a negative value"),
        ("modes/stiffness", lambda k: k * np.diag([-1.0, 1.0, 1.0]), "stiffness has a negative value"),
        ("modes/damping", lambda d: -100.0 * d, "damping has a negative value"),
        ("integrals/mass", lambda m: 2.0 * m, "mass, center and inertia contradict"),
        ("integrals/inertia", lambda j: 0.0 * j, "mass, center and inertia contradict"),
        ("integrals/center", lambda c: 2.0 * c, "mass, center and inertia contradict"),
        ("integrals/translation", lambda p: 100.0 * p, "the modes carry more than the whole mass"),
        ("integrals/rotation", lambda h: 100.0 * h, "the modes carry more than the whole mass"),
        ("integrals/modal_mass", lambda m: 1e-3 * m, "modal_mass"),
        ("integrals/position_shape", lambda x: 2.0 * x, "eps L = H"),
        ("integrals/shape_shape", lambda x: 2.0 * x, "tr N = Me"),
        ("nodes/ids", put(2), "nodes/ids names a node twice"),
        ("bodies/masses", lambda m: -m, "bodies/masses"),
        ("bodies/inertias", lambda j: -j, "bodies/inertias"),
        ("bodies/positions", lambda p: 2.0 * p, "bodies/positions"),
        ("bodies/translation", lambda p: 2.0 * p, "bodies/translation"),
        ("sources/0/axes", lambda a: 2.0 * a, "sources/0/axes"),
        ("sources/0/axes", lambda a: a[[1, 2, 0]], "sources/0/positions, origin and axes"),
        ("sources/0/origin", lambda o: o + 1.0, "sources/0/positions, origin and axes"),
        ("sources/0/positions", lambda p: 1.1 * p, "sources/0/positions, origin and axes"),
        ("modes/frequencies_hz", lambda f: 2.0 * f, "modes/frequencies_hz"),
    ],
)
def test_a_record_that_contradicts_mechanics_is_refused(tmp_path, reduced_boom, place, edit, words):
    with pytest.raises(RecordError, match=words):
        load_record(change(tmp_path / "boom.h5", reduced_boom, place, edit))


def boom(**options):
    model = ts.boom(2.0, ts.tube(0.05, 0.001), ts.ALUMINUM, elements=4).with_mass(
        "tip", 0.5, offset=(0.1, 0.0, 0.05), inertia=(0.1, 0.2, 0.25)
    )
    return ts.reduce(
        ts.solve_modes(ts.assemble(model), count=3), attachment="root", damping=0.01, geometric=True, **options
    )


@pytest.fixture(scope="module")
def reduced_boom(tmp_path_factory):
    return save_record(boom(), tmp_path_factory.mktemp("boom") / "boom.h5").read_bytes()


VALID = {
    "as reduced": lambda r: r,
    "turned": lambda r: transformed_records.turned(r, np.array([[0.0, -1.0, 0.0], [1.0, 0.0, 0.0], [0.0, 0.0, 1.0]])),
    "mirrored": lambda r: transformed_records.mirrored(r, (0.0, 1.0, 0.0)),
    "shifted": lambda r: transformed_records.shifted(r, (0.3, 0.2, -0.1)),
    "merged": lambda r: merged([r, transformed_records.mirrored(r, (0.0, 1.0, 0.0)).changed(name="other")]),
    "slower": lambda r: r.varied(frequency_scale=0.5),
    "weaker": lambda r: r.varied(shape_gain=0.9),
    "heavier": lambda r: r.varied(mass_scale=2.0),
    "mean axes": lambda r: in_frame(r, "tisserand"),
    "Buckens": lambda r: in_frame(r, "buckens"),
    "natural": transformed_records.natural,
}


@pytest.mark.parametrize("name", VALID)
def test_a_record_changed_by_our_own_functions_is_sound(tmp_path, name):
    record = VALID[name](boom(name="boom"))
    assert load_record(save_record(record, tmp_path / "a.h5")).mass == record.mass


def test_an_audit_that_is_no_number_fails_the_run(tmp_path, monkeypatch):
    save_record(random_bodies(0), tmp_path / "wing.h5")
    (tmp_path / "bus.toml").write_text(VEHICLE)
    audits = sys.modules["tisserand.multibody.audit"]
    monkeypatch.setattr(audits, "audit", lambda run, vehicle: {"momentum": 0.0, "center": np.nan})
    monkeypatch.chdir(tmp_path)
    for more in ((), ("-o", "run.h5"), ("--json",)):
        result = run_command("simulate", "bus.toml", *more)
        assert result.exit_code == 3 and result.stderr.count("\n") == 1
        assert "not finite numbers; found center (integrals)" in result.stderr


@pytest.mark.parametrize(
    ("place", "name", "value"),
    [
        *(("/", "unit_system", value) for value in ("x", "", "Consistent", "unknown", b"\xff\xfe", "[]")),
        *(("frame", "name", value) for value in ("x", "", "Tisserand")),
        *(("sources/0", "recipe", value) for value in ("x", "", "matrix")),
        *(("/", "rigid_body_modes", value) for value in (-1, True, 0.5)),
        *(("geometric_stiffness/ax", "name", value) for value in ("ay", "zz", "F:nowhere:1", "F:root:7")),
        ("recovery/a", "name", "b"),
    ],
)
def test_words_that_decide_the_meaning_of_a_record_are_known_ones(tmp_path, stiffened, place, name, value):
    path = tmp_path / "boom.h5"
    path.write_bytes(stiffened)
    with edited(path) as file:
        file[place].attrs[name] = value
    with pytest.raises(RecordError):
        load_record(path)


@pytest.fixture(scope="module")
def stiffened(tmp_path_factory):
    """A record with geometric stiffness, its mass source and two recovery matrices."""
    boom = ts.open("meshes/boom.bdf", units="SI").reduce(count=2, geometric=True)
    matrix = np.zeros((1, boom.count))
    path = tmp_path_factory.mktemp("stiffened") / "boom.h5"
    save_record(boom.changed(recovery={"a": matrix, "b": matrix}), path)
    load_record(path)
    return path.read_bytes()


@pytest.mark.parametrize("group", ["modal", "signals", "load_strength"])
@pytest.mark.parametrize("names", ["[]", '["a", "b"]', "[1]"])
def test_names_of_a_run_are_those_of_its_arrays(tmp_path, run, group, names):
    path = tmp_path / "run.h5"
    path.write_bytes(run)
    with edited(path) as file:
        held = len(file[group])
        file[group].attrs["names"] = names
    if names == "[]" and not held:
        load_trajectory(path)
    else:
        with pytest.raises(RecordError, match=group if names != "[1]" else "not a list of texts"):
            load_trajectory(path)


def test_a_run_of_no_schema_is_refused(tmp_path, run):
    path = tmp_path / "run.h5"
    path.write_bytes(run)
    with edited(path) as file:
        file.attrs["schema_version"] = -1
    with pytest.raises(RecordError, match="schema"):
        load_trajectory(path)
