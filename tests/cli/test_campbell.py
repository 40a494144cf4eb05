"""The Campbell command: frequencies at rest are the modes, the same data in JSON, CSV, picture, record and report."""

from pathlib import Path

import numpy as np
import pytest
from support.command import run

from tisserand.appendage import load_record
from tisserand.appendage.frames.transformed_records import turned
from tisserand.modes import gyroscopic_modes
from tisserand.studies.source import open_appendage
from tisserand.views.report.spinning_shapes import spinning_shapes

BOOM = Path(__file__).parents[2] / "meshes" / "boom.bdf"


def test_campbell_at_rest_is_the_modes_and_flap_rises_with_spin(tmp_path):
    """Southwell: the spin's tension raises flap, omega^2 = omega_0^2 + k Omega^2; at rest nothing else than the modes."""
    record, csv, png = tmp_path / "boom.h5", tmp_path / "c.csv", tmp_path / "c.png"
    still = run("modes", BOOM, "-u", "SI", "-n", 4, "-o", record, "--json").data
    found = run(
        "campbell", BOOM, "-u", "SI", "--axis", "0,0,1", "--rates", "0:3:4", "-n", 4, "-o", csv, "--plot", png,
        "--record", record, "--json",
    )  # fmt: skip
    assert found.exit_code == 0, found.stderr
    table = np.array(found.data["frequencies_hz"])
    assert table.shape == (4, 4) and found.data["spin_rates"] == [0.0, 1.0, 2.0, 3.0]
    assert np.sort(table[0]) == pytest.approx(still["frequencies_hz"], rel=1e-7)
    assert (np.abs(table[-1] - table[0]) > 0).any()
    assert np.loadtxt(csv, delimiter=",", skiprows=1)[:, 1:] == pytest.approx(table, rel=1e-9)
    assert png.read_bytes()[:4] == b"\x89PNG"
    kept = load_record(record)
    assert np.array(kept.reports["campbell"]["frequencies_hz"]) == pytest.approx(table, rel=1e-12)
    assert kept.frequencies_hz == pytest.approx(still["frequencies_hz"], rel=1e-9)


def test_bad_requests_are_refused(tmp_path):
    two = run("campbell", BOOM, "-u", "SI", "--axis", "0,1", "--rates", "0:1:2")
    assert two.exit_code == 2 and "--axis" in two.stderr and "3 numbers" in two.stderr
    none = run("campbell", BOOM, "-u", "SI", "--axis", "0,0,0", "--rates", "0:1:2")
    assert none.exit_code == 2 and "direction" in none.stderr


def test_a_record_keeps_the_turning_shapes_of_the_last_rate(tmp_path):
    """Against ``gyroscopic_modes`` at that rate: each kept shape is one of its shapes, up to a complex factor (16 bits)."""
    record = tmp_path / "boom.h5"
    run("modes", BOOM, "-u", "SI", "-n", 2, "-o", record, "-q")
    words = ("campbell", BOOM, "-u", "SI", "--axis", "0,0,1", "--rates", "0:3:2", "-n", 3)
    assert run(*words, "--record", record, "-q").exit_code == 0
    kept = load_record(record)
    titles, shapes = spinning_shapes(kept)
    assert len(titles) == 3 and titles[0].startswith("branch 1 at 28.65 rpm: ")
    model = open_appendage(BOOM, units="SI").assemble()
    known = gyroscopic_modes(model, [0.0, 0.0, 3.0], count=6).shapes
    rows = model.nodes.indices(kept.nodes.ids)
    full = (model.displacements(known.real) + 1j * model.displacements(known.imag))[rows, :3].reshape(
        -1, known.shape[1]
    )
    ours = shapes.reshape(-1, 3)
    mac = np.abs(ours.conj().T @ full) ** 2 / np.outer((np.abs(ours) ** 2).sum(axis=0), (np.abs(full) ** 2).sum(axis=0))
    assert mac.max(axis=1) == pytest.approx(np.ones(3), abs=1e-6)
    other = turned(kept, np.diag([1.0, -1.0, -1.0]))
    assert "spinning" not in other.reports, "shapes in the axes before would be drawn askew"
