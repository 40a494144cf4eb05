"""The Campbell command: frequencies at rest are the modes, the same data in JSON, CSV, picture, record and report."""

from pathlib import Path

import numpy as np
import pytest
from support.command import run

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
    from tisserand.appendage import load_record

    kept = load_record(record)
    assert np.array(kept.reports["campbell"]["frequencies_hz"]) == pytest.approx(table, rel=1e-12)
    assert kept.frequencies_hz == pytest.approx(still["frequencies_hz"], rel=1e-9)


def test_bad_requests_are_refused(tmp_path):
    two = run("campbell", BOOM, "-u", "SI", "--axis", "0,1", "--rates", "0:1:2")
    assert two.exit_code == 2 and "--axis" in two.stderr and "3 numbers" in two.stderr
    none = run("campbell", BOOM, "-u", "SI", "--axis", "0,0,0", "--rates", "0:1:2")
    assert none.exit_code == 2 and "direction" in none.stderr
