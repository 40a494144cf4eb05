"""Correlation with a test whose answer is known: shapes of the model itself, measured in other axes, units and directions."""

import json
from pathlib import Path

import numpy as np
import pytest
import pyuff
from scipy.spatial.transform import Rotation
from support.command import run

import tisserand as ts
from tisserand.errors import InputError
from tisserand.model import Nodes
from tisserand.modes import solve_modes
from tisserand.responses.correlation.alignment import aligned, best_turn
from tisserand.responses.correlation.correlate_modes import comac, correlate_modes
from tisserand.responses.correlation.measured_modes import MeasuredModes

TURN = Rotation.from_euler("xyz", [20.0, -35.0, 70.0], degrees=True).as_matrix()  # test axes from model axes
SHIFT = np.array([0.3, -1.2, 0.4])


@pytest.fixture(scope="module")
def panel():
    """Eight modes of a clamped plate."""
    structure = ts.plate(1.2, 0.8, ts.sheet(ts.ALUMINUM, 0.004), elements=(8, 5))
    edge = structure.nodes.indices([int(i) for i in structure.nodes.ids[structure.nodes.positions[:, 0] < 1e-9]])
    structure = structure.changed(supports=ts.Supports.clamp(edge))
    return solve_modes(ts.assemble(structure), count=8)


def measured(basis, *, points=None, directions=(0, 1, 2), modes=6):
    """The model's own modes at some nodes, in axes that are turned and shifted."""
    x = basis.model.nodes.positions
    rows = np.arange(0, len(x), 3) if points is None else np.asarray(points)
    moved = (x[rows] - SHIFT) @ TURN
    u = np.einsum("ba,nbk->nak", TURN, basis.model.displacements(basis.shapes[:, :modes])[rows, :3])
    used = np.zeros((len(rows), 3), bool)
    used[:, list(directions)] = True
    axes = np.broadcast_to(np.eye(3), (len(rows), 3, 3))
    return MeasuredModes(
        "test", basis.frequencies_hz[:modes] * 1.02, basis.model.nodes.ids[rows] + 1000, moved, axes, u, used
    )


def test_a_test_of_the_model_itself_is_the_model(panel):
    """Three pairs of points: MAC and cross-orthogonality (SEREP) are the identity within 1e-8, COMAC one."""
    basis = panel
    test = measured(basis)
    placed = aligned(test.ids, test.positions, basis.model.nodes, pairs=_pairs(test))
    assert placed.rotation == pytest.approx(TURN, abs=1e-9) and placed.shift == pytest.approx(SHIFT, abs=1e-9)
    found = correlate_modes(test, basis, placed)
    assert found.pairs == tuple((i, i) for i in range(6)) and found.unpaired_model == (6, 7)
    assert np.diag(found.mac) == pytest.approx(1.0, abs=1e-9)
    assert np.abs(found.cross) == pytest.approx(np.eye(6, 8), abs=1e-8)
    assert found.own == pytest.approx(np.eye(6), abs=1e-8)
    assert found.comac == pytest.approx(1.0, abs=1e-9)
    assert found.changes() == pytest.approx(1 / 1.02 - 1.0, rel=1e-9)


def test_a_sensor_in_the_wrong_place_is_found(panel):
    """A sensor that measures another point in other directions has the smallest COMAC; the formula by hand."""
    basis = panel
    test = measured(basis)
    placed = aligned(test.ids, test.positions, basis.model.nodes, pairs=_pairs(test))
    shapes = test.shapes.copy()
    shapes[7] = shapes[3][::-1]
    wrong = MeasuredModes(test.name, test.hz, test.ids, test.positions, test.axes, shapes, test.measured)
    found = correlate_modes(wrong, basis, placed)
    assert found.rows[int(found.comac.argmin())].startswith(f"point {test.ids[7]} ")
    rng = np.random.default_rng(2)
    a, b = rng.normal(size=(5, 3)), rng.normal(size=(5, 3))
    by_hand = [
        sum(abs(a[i, r] * b[i, r]) / np.linalg.norm(a[:, r]) / np.linalg.norm(b[:, r]) for r in range(3)) ** 2
        / sum((a[i, r] / np.linalg.norm(a[:, r])) ** 2 for r in range(3))
        / sum((b[i, r] / np.linalg.norm(b[:, r])) ** 2 for r in range(3))
        for i in range(5)
    ]  # fmt: skip
    assert comac(a, b, ((0, 0), (1, 1), (2, 2))) == pytest.approx(by_hand, rel=1e-12)


def _pairs(test):
    return {int(i): int(i) - 1000 for i in test.ids[[1, 5, 12]]}


def test_static_mass_of_the_measured_directions(panel):
    """Guyan over the normal directions: partners have products of one, others below 0.02."""
    basis = panel
    rows = np.flatnonzero(basis.model.nodes.positions[:, 0] > 1e-9)[::2]
    x = basis.model.nodes.positions[rows]
    shapes = basis.model.displacements(basis.shapes[:, :4])[rows, :3]
    used = np.tile([False, False, True], (len(rows), 1))
    axes = np.broadcast_to(np.eye(3), (len(rows), 3, 3))
    test = MeasuredModes("t", basis.frequencies_hz[:4], basis.model.nodes.ids[rows], x, axes, shapes, used)
    placed = aligned(test.ids, test.positions, basis.model.nodes)
    found = correlate_modes(test, basis, placed, tam="guyan")
    assert [found.mac[pair] for pair in found.pairs] == pytest.approx([1.0] * 4, abs=1e-9)
    size = np.abs(found.cross[:, :4])
    assert np.diag(size) == pytest.approx(1.0, abs=1e-9)
    assert (size - np.diag(np.diag(size))).max() < 0.02


def test_points_beside_nodes_move_with_them(panel):
    """A sensor on a bracket of 1 cm above the plate: u + theta x arm."""
    basis = panel
    test = measured(basis)
    x = basis.model.nodes.positions[::3]
    six = basis.model.displacements(basis.shapes[:, :6])[::3]
    arm = np.array([0.0, 0.0, 0.01])
    u = six[:, :3] + np.cross(six[:, 3:], arm[None, :, None], axisa=1, axisb=1, axisc=1)
    above = MeasuredModes(
        "b", test.hz, test.ids, (x + arm - SHIFT) @ TURN, test.axes, np.einsum("ba,nbk->nak", TURN, u), test.measured
    )
    placed = aligned(test.ids, test.positions, basis.model.nodes, pairs=_pairs(test))
    moved = aligned(above.ids, above.positions + 0.0, basis.model.nodes, by="stated", reach=10.0)
    moved = type(moved)(placed.rotation, placed.shift, placed.points, placed.nodes, placed.distance, (), "given")
    found = correlate_modes(above, basis, moved)
    assert np.diag(found.mac) == pytest.approx(1.0, abs=1e-9)


def test_the_best_turn_and_its_doubts(panel):
    rng = np.random.default_rng(3)
    a = rng.normal(size=(9, 3))
    rotation, shift = best_turn(a, a @ TURN.T + SHIFT)
    assert rotation == pytest.approx(TURN, abs=1e-12) and shift == pytest.approx(SHIFT, abs=1e-12)
    basis = panel
    test = measured(basis, points=range(len(basis.model.nodes.positions)))
    cloud = Nodes(np.arange(1, 61), rng.uniform(size=(60, 3)) * [1.0, 0.6, 0.3])
    some = np.arange(0, 60, 2)
    placed = aligned(cloud.ids[some], (cloud.positions[some] - SHIFT) @ TURN, cloud, by="fit")
    assert placed.rotation == pytest.approx(TURN, abs=1e-9) and placed.shift == pytest.approx(SHIFT, abs=1e-9)
    assert np.array_equal(placed.nodes, some) and "fitted" in placed.rule
    by_id = aligned(cloud.ids[some], (cloud.positions[some] - SHIFT) @ TURN, cloud, by="ids")
    assert by_id.rotation == pytest.approx(TURN, abs=1e-9)
    with pytest.raises(InputError, match="fit the model in two ways"):
        aligned(test.ids, test.positions, basis.model.nodes, by="fit")
    with pytest.raises(InputError, match="fewer than three measured points"):
        aligned(test.ids, test.positions + 50.0, basis.model.nodes)
    with pytest.raises(InputError, match="three or more matched points"):
        aligned(test.ids, test.positions, basis.model.nodes, pairs={int(test.ids[0]): 1})
    few = measured(basis, points=[10, 11], directions=(2,))
    three = aligned(test.ids, test.positions, basis.model.nodes, pairs=_pairs(test))
    short = type(three)(three.rotation, three.shift, np.arange(2), np.array([10, 11]), np.zeros(2), (), "given")
    with pytest.raises(InputError, match="cannot distinguish"):
        correlate_modes(few, basis, short)


def universal(path, basis, rows, factor=1e3, modes=4):
    """A test file in millimeters, written by pyuff: points (15) and shapes (55)."""
    x = factor * basis.model.nodes.positions[rows]
    ids = np.arange(len(rows)) + 1
    file = pyuff.UFF(str(path))
    zeros = np.zeros(len(rows))
    nodes = {"type": 15, "node_nums": ids, "def_cs": zeros, "disp_cs": zeros, "color": zeros}
    file.write_sets({**nodes, "x": x[:, 0], "y": x[:, 1], "z": x[:, 2]}, "overwrite")
    u = basis.model.displacements(basis.shapes[:, :modes])[rows, :3]
    for k in range(modes):
        file.write_sets(
            {
                "type": 55, "model_type": 1, "analysis_type": 2, "data_ch": 2, "spec_data_type": 8, "data_type": 2,
                "load_case": 1, "mode_n": k + 1, "freq": float(basis.frequencies_hz[k]), "modal_m": 0.0,
                "modal_damp_vis": 0.01, "modal_damp_his": 0.0, "node_nums": ids, "n_data_per_node": 3, "field_type": 2,
                "id1": "a", "id2": "b", "id3": "c", "id4": "d", "id5": "e",
                "r1": u[:, 0, k], "r2": u[:, 1, k], "r3": u[:, 2, k],
            },
            "add",
        )  # fmt: skip


def test_by_command_study_file_and_python(tmp_path):
    """A test in millimeters of a model in meters; pairs, picture and acceptance; mistakes are one sentence."""
    wing = Path(__file__).parents[2] / "meshes" / "boom.bdf"
    basis = ts.open(wing, units="SI").modes(count=6)
    universal(tmp_path / "test.uff", basis, np.arange(2, len(basis.model.nodes), 2))
    stated = ("-u", "SI", "--test-units", "mm-t-s", "-n", "6")
    files = ("-o", tmp_path / "pairs.csv", "--plot", tmp_path / "pairs.png")
    done = run("correlate", wing, tmp_path / "test.uff", *stated, *files, "--json")
    assert done.exit_code == 0, done.stderr
    told = json.loads(done.stdout)
    assert [pair["mac"] for pair in told["pairs"]] == pytest.approx([1.0] * 4, abs=1e-6)
    assert max(abs(pair["change"]) for pair in told["pairs"]) < 1e-5  # digits of the file
    assert (tmp_path / "pairs.png").stat().st_size > 10_000 and "comac" in (tmp_path / "pairs.csv").read_text()
    (tmp_path / "study.toml").write_text(
        f'[correlate]\nmodel = {json.dumps(str(wing))}\ntest = "test.uff"\nunits = "SI"\ntest_units = "mm-t-s"\ncount = 6\n'
    )
    again = ts.study(tmp_path / "study.toml").results[0][1]
    assert json.loads(run("correlate", wing, tmp_path / "test.uff", *stated, "--json").stdout)["pairs"] == told["pairs"]
    assert "Smallest COMAC" in str(again)
    for flags, text in (
        (["-u", "SI", "-n", "6", "--test-units", "SI"], "fewer than three"),
        ([*stated, "--pairs", "1=2.5"], "whole numbers"),
        ([*stated, "--pairs", "1=999999"], "does not exist"),
    ):
        done = run("correlate", wing, tmp_path / "test.uff", *flags)
        assert done.exit_code == 2 and text in done.stderr and done.stderr.count("\n") == 1, (flags, done.stderr)
    done = run("correlate", wing, wing, "-u", "SI")
    assert done.exit_code == 2 and "test shapes" in done.stderr


def test_acceptance_against_a_test(tmp_path):
    """The model against its own test passes; a softer model fails by its frequencies alone."""
    boom = Path(__file__).parents[2] / "meshes" / "boom.bdf"
    basis = ts.open(boom, units="SI").modes(count=6)
    universal(tmp_path / "test.uff", basis, np.arange(2, len(basis.model.nodes), 2), factor=1.0)
    good = ts.accept(boom, units="SI", count=6, reference=tmp_path / "test.uff")
    values = {row.criterion.measure: row.value for row in good.acceptance.rows}
    assert good.accepted and values["cross_orthogonality"] == pytest.approx(1.0, abs=1e-5)
    assert values["off_diagonal"] < 1e-4 and values["unpaired_modes"] == 0
    softer = tmp_path / "softer.bdf"
    softer.write_text(boom.read_text().replace("70000000000.", "55000000000."))
    assert softer.read_text() != boom.read_text()
    bad = ts.accept(softer, units="SI", count=6, reference=tmp_path / "test.uff")
    assert {row.criterion.measure for row in bad.acceptance.rows if row.outcome == "FAIL"} == {"frequency_error"}
