"""Participation tables: read by openpyxl, sums against the rigid mass; Modelica text against the state space by simulation."""

import csv
import re

import numpy as np
import pytest
from support.appendages import polynomial_panel, random_bodies

from tisserand.exporters.clamped import clamped_view
from tisserand.exporters.modelica import parts
from tisserand.exporters.participation import COLUMNS
from tisserand.exporters.registry import export_appendage
from tisserand.exporters.statespace import state_space


def test_workbook_and_csv_hold_the_same_table(tmp_path):
    openpyxl = pytest.importorskip("openpyxl")
    panel = polynomial_panel()
    export_appendage(panel, "participation", tmp_path / "p.csv")
    book = openpyxl.load_workbook(tmp_path / "p.xlsx")
    assert book.sheetnames == ["participation", "rigid", "about"]
    rows = list(book["participation"].values)
    assert rows[0] == COLUMNS
    lines = [line for line in (tmp_path / "p.csv").read_text().splitlines() if not line.startswith("#")]
    table = np.array([[float(v) for v in row] for row in csv.reader(lines[1:])])
    assert np.array(rows[1:], float) == pytest.approx(table, rel=1e-10, abs=1e-12)
    assert table[:, 1] == pytest.approx(np.sort(panel.frequencies_hz), rel=1e-12)
    total = dict((row[0], row[2]) for row in book["rigid"].values if row[0] == "mass")
    assert total["mass"] == pytest.approx(panel.mass)


def test_participation_and_residual_make_the_rigid_mass(tmp_path):
    """L' L + residual = rigid mass, and meff = L²: six by six, of coordinates that are not modes."""
    openpyxl = pytest.importorskip("openpyxl")
    appendage = random_bodies(4)
    export_appendage(appendage, "participation", tmp_path / "p.csv")
    book = openpyxl.load_workbook(tmp_path / "p.xlsx")
    table = np.array(list(book["participation"].values)[1:], float)
    L, effective = table[:, 4:10], table[:, 10:16]
    rows = list(book["rigid"].values)
    start = next(i for i, row in enumerate(rows) if row[0] == "residual mass matrix")
    residual = np.array([row[2:8] for row in rows[start + 1 : start + 7]], float)
    assert L.T @ L + residual == pytest.approx(clamped_view(appendage).rigid_mass, rel=1e-12, abs=1e-12)
    assert effective == pytest.approx(L**2, rel=1e-12)


def test_files_are_the_same_bytes_twice(tmp_path):
    for name in ("a", "b"):
        export_appendage(random_bodies(4), "participation", tmp_path / f"{name}.csv")
    assert (tmp_path / "a.xlsx").read_bytes() == (tmp_path / "b.xlsx").read_bytes()


@pytest.mark.parametrize("scale", [1.0, 1.3])
def test_modelica_equations_are_the_state_space(tmp_path, scale):
    """The equation section, evaluated with its matrices: the same eta'' and outputs; a scale moves every pole by it."""
    appendage = random_bodies(4)
    export_appendage(appendage, "modelica", tmp_path / "wing.mo")
    text = (tmp_path / "wing.mo").read_text()
    assert text.startswith("model wing ") and text.rstrip().endswith("end wing;")
    system = state_space(appendage)
    names = {name: value for name, value in parts(system).items()}
    rng = np.random.default_rng(1)
    k = appendage.count
    names |= {"eta": rng.normal(size=k), "rate": rng.normal(size=k), "u": rng.normal(size=len(system.inputs))}
    names |= {"frequencyScale": scale, "dampingScale": 1.0}
    law = re.search(r"der\(rate\) = ([^;]*);", text)[1].replace("^", "**")
    law = re.sub(r"\*(?!\*)(?<!\*\*)(eta|rate|u)\b", r"@\1", law)
    found = eval(law, {}, names)
    K, D = scale**2 * system.A[k:, :k], scale * system.A[k:, k:]
    assert found == pytest.approx(K @ names["eta"] + D @ names["rate"] + system.B[k:] @ names["u"], rel=1e-9)
    out = names["C2"] @ found + names["D0"] @ names["u"]
    if scale == 1.0:
        x = np.concatenate([names["eta"], names["rate"]])
        assert out == pytest.approx((system.C @ x + system.D @ names["u"])[: len(out)], rel=1e-9)
