"""Every target: losses said first, atomic, never over an existing file, unknown names answered with the list."""

import json

import numpy as np
import pytest
from support.appendages import random_bodies

from tisserand.errors import CheckFailedError, FileError, IdentityError, InputError
from tisserand.exporters import registry
from tisserand.exporters.registry import export_appendage, targets


@pytest.mark.parametrize("target", [t.name for t in targets()])
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


@pytest.mark.parametrize("target", [t.name for t in targets()])
def test_units_frame_and_mode_names_travel(target, tmp_path):
    """In the file itself, or in its JSON sidecar."""
    appendage = random_bodies(9).changed(mode_names=("first flap", "b", "c", "d"))
    result = export_appendage(appendage, target, tmp_path / ("out" + registry.target_of(target).suffix))
    everything = b"".join(p.read_bytes() for p in result.paths)
    if target in ("matlab", "sdtlib", "simscape"):
        from scipy.io import loadmat

        everything = str(loadmat(result.paths[0])["description"][0]).encode()
    assert b"first flap" in everything
    assert b"connection" in everything
    assert b"SI" in everything


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
    with pytest.raises(IdentityError, match="differs from the record when read back"):
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
