"""Every target: losses said first, atomic, never over an existing file, unknown names answered with the list."""

import json
import zipfile
from pathlib import Path

import numpy as np
import pytest
from scipy.linalg import eigh
from support.appendages import random_bodies

import tisserand as ts
from tisserand.errors import CheckFailedError, FileError, IdentityError, InputError
from tisserand.exporters import registry
from tisserand.exporters.registry import export_appendage, targets

MESHES = Path(__file__).parents[2] / "meshes"


@pytest.mark.parametrize("target", [t.name for t in targets() if t.takes("record")])
def test_every_target_reads_back_and_does_not_overwrite(target, tmp_path):
    appendage = random_bodies(9)
    path = tmp_path / ("out" + registry.target_of(target).suffix)
    result = export_appendage(appendage, target, path)
    assert all(p.exists() and p.parent == tmp_path for p in result.paths)
    assert result.read_back_error <= registry.target_of(target).tolerance
    before = {p: p.read_bytes() for p in result.paths}
    with pytest.raises(FileError, match="already exists"):
        export_appendage(appendage, target, path)
    assert {p: p.read_bytes() for p in result.paths} == before
    export_appendage(appendage, target, path, force=True)
    assert sorted(p.name for p in tmp_path.iterdir()) == sorted(p.name for p in result.paths)


@pytest.mark.parametrize("target", [t.name for t in targets() if t.takes("record")])
def test_units_frame_and_mode_names_travel(target, tmp_path):
    """In the file itself, or in its JSON sidecar."""
    appendage = random_bodies(9).changed(mode_names=("first flap", "b", "c", "d"))
    result = export_appendage(appendage, target, tmp_path / ("out" + registry.target_of(target).suffix))
    everything = b"".join(p.read_bytes() for p in result.paths)
    if target in ("matlab", "sdtlib", "simscape"):
        from scipy.io import loadmat

        everything = str(loadmat(result.paths[0])["description"][0]).encode()
    if target.startswith("fmu"):
        with zipfile.ZipFile(result.paths[0]) as unit:
            everything = b"".join(unit.read(name) for name in unit.namelist())
    assert b"first flap" in everything
    assert b"connection" in everything
    assert b"SI" in everything


@pytest.mark.parametrize("source", ["mm-t-s", "mm-kg-ms"])
@pytest.mark.parametrize("target", [t.name for t in targets() if t.takes("record")])
def test_a_record_from_a_deck_in_other_units_is_written_like_one_in_si(source, target, tmp_path, monkeypatch):
    """Records hold SI whatever their source: every file is that of the same record from a deck in SI, byte by byte."""
    monkeypatch.setenv("PATH", "")
    files = []
    for units in ("SI", source):
        (tmp_path / units).mkdir()
        made = export_appendage(random_bodies(9).changed(unit_system=units), target, tmp_path / units)
        files.append({p.name: p.read_bytes() for p in made.paths})
    assert files[0] == files[1]


def test_strict_refuses_a_format_that_loses_something(tmp_path):
    with pytest.raises(CheckFailedError, match="42 has no J"):
        export_appendage(random_bodies(), "42", tmp_path / "a.txt", strict=True)
    assert list(tmp_path.iterdir()) == []


def test_unknown_targets_get_the_list(tmp_path):
    with pytest.raises(InputError, match="statespace, matlab"):
        export_appendage(random_bodies(), "adams", tmp_path / "a")


def test_a_file_that_reads_back_wrong_is_never_left_behind(tmp_path, monkeypatch):
    from tisserand.exporters import op4

    monkeypatch.setattr(
        op4, "op4_text", lambda matrices, real=op4.op4_text: real({k: 1.001 * v for k, v in matrices.items()})
    )
    with pytest.raises(IdentityError, match="differs from its source when read back"):
        export_appendage(random_bodies(), "op4", tmp_path / "a.op4")
    assert list(tmp_path.iterdir()) == []


def test_records_without_known_units_are_refused(tmp_path):
    with pytest.raises(InputError, match="length unit of the record is unknown"):
        export_appendage(random_bodies().changed(unit_system="consistent"), "sid", tmp_path / "a.SID_FEM")


def test_the_42_warning_about_joint_reference_points_is_said(tmp_path):
    result = export_appendage(random_bodies(), "42", tmp_path / "a.txt")
    assert any("REFPT_JOINT" in loss for loss in result.losses)
    assert "REFPT_JOINT" in (tmp_path / "Body_a.txt").read_text()


def test_sidecars_are_plain_json(tmp_path):
    result = export_appendage(random_bodies(), "op4", tmp_path / "a.op4")
    facts = json.loads(result.paths[1].read_text())
    assert np.allclose(facts["reference_point_m"], random_bodies().reference_point)


def test_a_folder_takes_the_name_of_the_appendage(tmp_path):
    result = export_appendage(random_bodies(), "op4", tmp_path)
    assert [p.name for p in result.paths] == ["random_bodies.op4", "random_bodies.op4.json"]


def test_strict_accepts_what_loses_nothing(tmp_path):
    """Shapes without rotation, no damping, every node a named point and constant inertia: nothing is lost in these formats."""
    plain = random_bodies(2, offsets=False)
    bare = plain.changed(damping=0.0 * plain.damping)
    assert export_appendage(bare, "exudyn", tmp_path / "a.hdf5", strict=True).losses == ()
    unnamed = bare.changed(inertia_level="constant", interfaces=(), attachment=None)
    assert export_appendage(unnamed, "sid", tmp_path / "a.SID_FEM", strict=True).losses == ()


def test_punch_files_name_the_interfaces_that_they_drop(tmp_path):
    assert any("tip, dish" in loss for loss in export_appendage(random_bodies(), "dmig", tmp_path).losses)
    assert not any("tip, dish" in loss for loss in export_appendage(random_bodies(), "op4", tmp_path).losses)


def test_42_about_the_mass_center_has_no_warning_and_a_whole_body_block(tmp_path):
    """Shapes that carry no momentum become REFPT_CM once O is the mass center; the block has the nine lines of 42's body."""
    free = ts.in_frame(random_bodies(), "buckens")
    assert any("REFPT_JOINT" in loss for loss in export_appendage(free, "42", tmp_path / "a.txt").losses)
    result = export_appendage(free, "42", tmp_path / "b.txt", reference_point="center")
    assert not any("REFPT_JOINT" in loss for loss in result.losses)
    lines = [line for line in (tmp_path / "Body_b.txt").read_text().splitlines() if not line.startswith("!")]
    assert lines[0].startswith("====") and [line.split("! ")[1].split()[0] for line in lines[1:]] == [
        "Mass", "Moments", "Products", "Location", "Constant", "Constant", "Geometry", "Node", "Flex",
    ]  # fmt: skip
    inertia = np.array(lines[2].split("!")[0].split(), float)
    mass, c = free.mass, free.integrals.center
    about_center = free.integrals.inertia - mass * (c @ c * np.eye(3) - np.outer(c, c))
    assert inertia == pytest.approx(np.diag(about_center), rel=1e-12)


@pytest.mark.parametrize("units", ["mm-t-s", "mm-kg-ms", "in-lbf-s", "0.5,3,2"])
@pytest.mark.parametrize("target", [t.name for t in targets() if t.units and t.takes("record")])
def test_numbers_of_another_unit_system_read_back(target, units, tmp_path):
    path = tmp_path / ("out" + registry.target_of(target).suffix)
    limit = registry.target_of(target).tolerance
    assert export_appendage(random_bodies(9), target, path, units=units).read_back_error <= limit


@pytest.mark.parametrize("units", ["mm-t-s", "mm-kg-ms", "in-lbf-s", "0.5,3,2"])
@pytest.mark.parametrize("target", ["op4", "dmig"])
def test_files_in_other_units_open_to_the_same_matrices(target, units, tmp_path):
    """Rigid masses (entries of the attachment) and all frequencies are those of the file in SI."""
    found = {}
    for system in ("SI", units):
        path = tmp_path / (system.replace(",", "_") + registry.target_of(target).suffix)
        export_appendage(random_bodies(9), target, path, units=system)
        opened = ts.open(path, units=system).matrices
        K, M = opened.stiffness.toarray(), opened.mass.toarray()
        values = eigh(K, M, eigvals_only=True)
        found[system] = np.concatenate([values[6:], np.sort(np.diag(M))[-3:]])
    assert found[units] == pytest.approx(found["SI"], rel=1e-6)


def test_formats_that_state_si_refuse_other_units(tmp_path):
    with pytest.raises(InputError, match="has SI units"):
        export_appendage(random_bodies(), "gltf", tmp_path, units="mm-t-s")


@pytest.fixture(scope="module")
def rigid_record(tmp_path_factory):
    """A boom below whose first mode the band ends."""
    found = ts.modes(MESHES / "boom.bdf", units="SI", fmax=1e-3)
    assert found.appendage.count == 0
    return found.appendage


@pytest.mark.parametrize("target", [t.name for t in targets() if t.takes("record")])
def test_a_record_without_modes_is_written_or_refused_in_words(target, rigid_record, tmp_path):
    try:
        assert export_appendage(rigid_record, target, tmp_path).paths
    except InputError as error:
        assert "no modes to export" in str(error) and list(tmp_path.iterdir()) == []
