"""Loose parts and mechanisms: ``modes`` lists them, names them and exits with 1; a record needs ``--allow-mechanisms``."""

from __future__ import annotations

import numpy as np
import pytest
from support.command import run

import tisserand as ts
from tisserand.errors import MechanismError

MATERIAL = "*MATERIAL,NAME=M\n*ELASTIC\n2.1E11,.3\n*DENSITY\n7800.\n*SOLID SECTION,ELSET=E,MATERIAL=M\n"


def cubes(tmp_path, count, held=True, far=3.0):
    """Unit cubes (C3D8) in a row, nothing between them; the first is clamped at its foot."""
    nodes, elements = ["*NODE"], ["*ELEMENT,TYPE=C3D8,ELSET=E"]
    for c in range(count):
        corners = [(x + far * c, y, z) for z in (0, 1) for x, y in ((0, 0), (1, 0), (1, 1), (0, 1))]
        nodes += [f"{8 * c + k + 1},{x},{y},{z}" for k, (x, y, z) in enumerate(corners)]
        elements.append(",".join(map(str, [c + 1, *range(8 * c + 1, 8 * c + 9)])))
    boundary = "*BOUNDARY\n" + "\n".join(f"{k},1,3" for k in range(1, 5)) + "\n" if held else ""
    file = tmp_path / "cubes.inp"
    file.write_text("\n".join([*nodes, *elements]) + f"\n{MATERIAL}{boundary}*STEP\n*FREQUENCY\n6\n*END STEP\n")
    return file


def test_a_loose_part_is_listed_at_zero_and_named(tmp_path):
    """The free cube adds six zeros and its own modes to those of the held one: the spectrum is the union of both."""
    file = cubes(tmp_path, 2)
    outcome = run("modes", file, "-u", "SI", "-n", 8, "--json")
    assert outcome.exit_code == 1
    data = outcome.data
    assert data["mode_kinds"].count("mechanism") == 6 and np.all(np.array(data["frequencies_hz"][:6]) == 0.0)
    assert not data["verdict"]["accepted"] and data["verdict"]["overall"] == "fail"
    assert "the part of 8 nodes (from 9 to 16) is joined to no other and held nowhere" in outcome.stderr
    parts = [cubes(tmp_path, 1), None]
    held = ts.modes(parts[0], units="SI", count=8).frequencies_hz
    free = ts.modes(cubes(tmp_path, 1, held=False), units="SI", count=8).frequencies_hz
    assert data["frequencies_hz"][6:] == pytest.approx(np.sort(np.concatenate([held, free]))[:8], rel=1e-9)


def test_python_gives_the_same_and_a_record_is_refused(tmp_path):
    file, record = cubes(tmp_path, 2), tmp_path / "cubes.h5"
    found = ts.modes(file, units="SI", count=2)
    assert found.exit_code == 1 and found.verdict.overall == "fail"
    with pytest.raises(MechanismError, match="no record is made"):
        ts.modes(file, units="SI", count=2, output=record)
    with pytest.raises(MechanismError):
        ts.open(file, units="SI").reduce(count=2)
    outcome = run("modes", file, "-u", "SI", "-n", 2, "-o", record)
    assert outcome.exit_code == 1 and "--allow-mechanisms" in outcome.stderr and not record.exists()


def test_allowed_motions_make_a_record_with_a_warning(tmp_path):
    record = tmp_path / "cubes.h5"
    outcome = run("modes", cubes(tmp_path, 2), "-u", "SI", "-n", 2, "-o", record, "--allow-mechanisms")
    assert outcome.exit_code == 0 and record.exists()
    verdict = ts.modes(record).verdict
    assert verdict.overall == "warn" and any("strain-free" in reason for reason in verdict.reasons)


def test_a_free_structure_in_pieces_names_all_but_the_largest(tmp_path):
    outcome = run("modes", cubes(tmp_path, 3, held=False), "-u", "SI", "-n", 2)
    assert outcome.exit_code == 1 and outcome.stderr.count("is joined to no other") == 2


def test_too_many_motions_are_counted_and_refused(tmp_path):
    """Twelve free cubes have 66 motions beyond the rigid ones: more than are listed; the count is exact."""
    outcome = run("modes", cubes(tmp_path, 12, held=False), "-u", "SI", "-n", 2)
    assert outcome.exit_code == 1 and "66 motions without strain energy" in outcome.stderr


def test_a_model_without_loose_parts_says_nothing_of_them(tmp_path):
    outcome = run("modes", cubes(tmp_path, 1), "-u", "SI", "-n", 2)
    assert outcome.exit_code == 0 and "strain-free" not in outcome.stderr + outcome.stdout
