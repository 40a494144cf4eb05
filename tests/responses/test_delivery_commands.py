"""``tisserand reduce`` and ``couple``: shell, study file and Python write the same model; mistakes are one sentence."""

import json
from pathlib import Path

import numpy as np
import pytest
from support.command import run

import tisserand as ts
from tisserand.errors import InputError
from tisserand.exporters.bdf import write_bdf
from tisserand.modes.reductions import free_interface
from tisserand.responses.delivered_file import load_delivered

MESHES = Path(__file__).parents[2] / "meshes"


def same(a, b):
    assert a.coordinates == b.coordinates
    assert np.array_equal(a.mass, b.mass) and np.array_equal(a.stiffness, b.stiffness)
    for x, y in zip(a.recoveries, b.recoveries, strict=True):
        assert x.full_labels == y.full_labels and np.array_equal(x.displacement, y.displacement)


def test_three_doors(tmp_path):
    boom = MESHES / "boom.bdf"
    tip = int(ts.read_model(boom, units="SI").nodes.ids[-1])
    stated = ["--interface", "1", "--fmax", "30", "--nodes", f"{tip}:12", "--sections", "mid=x>0.5"]
    done = run("reduce", boom, "-u", "SI", *stated, "-o", tmp_path / "shell.h5", "--json")
    assert done.exit_code == 0, done.stderr
    told = json.loads(done.stdout)
    assert told["passed"] and told["interface_dofs"][0] == "node 1 T1"
    (tmp_path / "study.toml").write_text(
        f'[reduce]\nmodel = {json.dumps(str(boom))}\nunits = "SI"\ninterface = [1]\nfmax = 30.0\nnodes = "{tip}:12"\n'
        'sections = { mid = "x>0.5" }\noutput = "toml.h5"\n'
    )
    assert ts.study(tmp_path / "study.toml").exit_code == 0
    result = ts.reduce(boom, units="SI", interface=[1], fmax=30.0, nodes=f"{tip}:12", sections={"mid": "x>0.5"})
    shell = load_delivered(tmp_path / "shell.h5")
    same(shell, load_delivered(tmp_path / "toml.h5"))
    same(shell, result.model)
    assert "Modes with the interface held" in str(result)
    checked = run("check", tmp_path / "shell.h5", "--json")
    assert checked.exit_code == 0 and json.loads(checked.stdout)["passed"]


def test_every_file_and_a_record_that_flies(tmp_path):
    """The record of a reduced wing has the frequencies of the wing clamped at its interface."""
    files = {
        name: tmp_path / f"part.{end}"
        for name, end in (("op4", "op4"), ("dmig", "pch"), ("mat", "mat"), ("plot", "png"))
    }
    result = ts.reduce(
        MESHES / "wing.bdf", units="SI", interface=[1], count=6, output=tmp_path / "part.h5", record=tmp_path / "record.h5",
        checks=tmp_path / "checks.txt", **files,
    )  # fmt: skip
    assert all(path.exists() for path in result.paths) and len(result.paths) == 9
    record = ts.load_record(tmp_path / "record.h5")
    assert record.count == 6
    assert np.sort(record.frequencies_hz) == pytest.approx(result.check.fixed_hz, rel=1e-9)
    assert "FREE-FREE MODES" in (tmp_path / "checks.txt").read_text()


def test_coupling_by_command(tmp_path):
    for name, tip in (("a", "1"), ("b", "1")):
        done = run(
            "reduce",
            MESHES / "boom.bdf",
            "-u",
            "SI",
            "--interface",
            tip,
            "-n",
            "4",
            "--name",
            name,
            "-o",
            tmp_path / f"{name}.h5",
        )
        assert done.exit_code == 0, done.stderr
    done = run(
        "couple",
        tmp_path / "a.h5",
        tmp_path / "b.h5",
        "-o",
        tmp_path / "s.h5",
        "--table",
        tmp_path / "t.csv",
        "--plot",
        tmp_path / "t.png",
        "--json",
    )
    assert done.exit_code == 0, done.stderr
    told = json.loads(done.stdout)
    assert told["rigid_modes"] == 6 and told["coordinates"] == 14
    again = ts.couple([tmp_path / "a.h5", tmp_path / "b.h5"])
    assert again.frequencies_hz.tolist() == pytest.approx(told["frequencies_hz"])
    assert load_delivered(tmp_path / "s.h5").recoveries[0].name == "a: interface force"
    assert run("info", tmp_path / "s.h5").exit_code == 0
    done = run("couple", tmp_path / "a.h5")
    assert done.exit_code == 2 and "at least two" in done.stderr


def test_mistakes(tmp_path):
    boom = MESHES / "boom.bdf"
    for flags, text in (
        ([], "no interface is named"),
        (["--interface", "1"], "which modes to keep"),
        (["--interface", "77777", "-n", "2"], "no such node"),
        (["--interface", "feet", "-n", "2"], "unknown point or node set"),
        (["--interface", "1", "-n", "2", "--part", "3"], "no such superelement"),
        (["--interface", "1", "-n", "2", "--digits", "17"], "digits from 1 to 6"),
        (["--interface", "1", "-n", "2", "-o", "x.txt"], "file extension"),
    ):
        done = run("reduce", boom, "-u", "SI", *flags)
        assert done.exit_code == 2 and text in done.stderr and done.stderr.count("\n") == 1, (flags, done.stderr)
    with pytest.raises(InputError):
        ts.reduce(boom, units="SI", interface=[1], count=-1)


def test_base_drive_by_command(tmp_path):
    """Shell, study file and Python give the same peaks; the notched peak is the limit."""
    ts.reduce(
        MESHES / "boom.bdf", units="SI", interface=[1], count=6, sections={"mid": "x>0.5"}, output=tmp_path / "part.h5"
    )
    stated = ("--environment", "sine", "--direction", "z", "--spectrum", "0.5:0.1,100:0.1", "--damping", "0.02")
    free = json.loads(run("base-drive", tmp_path / "part.h5", *stated, "--json").stdout)
    row = max((r for r in free["rows"] if r["unit"] == "N m"), key=lambda r: r["peak"])
    limit = f"{row['row']}={row['peak'] / 3:.12g}"
    files = ("-o", tmp_path / "rows.csv", "--notched", tmp_path / "n.csv", "--plot", tmp_path / "p.png")
    done = run("base-drive", tmp_path / "part.h5", *stated, "--limits", limit, *files, "--json")
    assert done.exit_code == 0, done.stderr
    told = next(r for r in json.loads(done.stdout)["rows"] if r["row"] == row["row"])
    assert told["notched_peak"] == pytest.approx(row["peak"] / 3, rel=1e-9)
    stated_here = 'environment = "sine"\ndirection = "z"\nspectrum = [[0.5, 0.1], [100.0, 0.1]]\ndamping = 0.02\n'
    (tmp_path / "study.toml").write_text(f'[base-drive]\nmodel = "part.h5"\n{stated_here}')
    again = ts.study(tmp_path / "study.toml").results[0][1]
    assert again.as_dict()["rows"] == free["rows"]
    python = ts.base_drive(
        tmp_path / "part.h5", environment="sine", direction="z", spectrum="0.5:0.1,100:0.1", damping=0.02
    )
    assert python.as_dict()["rows"] == free["rows"]
    times = np.arange(0.0, 0.5, 2e-4)
    np.savetxt(tmp_path / "h.csv", np.column_stack([times, np.sin(60 * times)]), delimiter=",")
    moved = ts.base_drive(
        tmp_path / "part.h5", environment="transient", direction="z", history=tmp_path / "h.csv", damping=0.02
    )
    assert moved.values.shape == (len(moved.over), len(moved.labels)) and moved.quasi_static_g > 0.5
    for flags, text in (
        (
            ["transient", "--spectrum", "1:1,2:1", "--damping", "0.02"],
            "--spectrum has no effect with environment transient",
        ),
        (["transient", "--damping", "0.02"], "history: is missing"),
        (["sine", "--spectrum", "1:1,2", "--damping", "0.02"], "not a list of pairs"),
        (["sine", "--spectrum", "1:1,9:1", "--damping", "0.02", "--limits", "no=3"], "no recovered row"),
        (["shock", "--spectrum", "1:1,9:1", "--damping", "2"], "ratios from 0"),
    ):
        done = run("base-drive", tmp_path / "part.h5", "--direction", "z", "--environment", *flags)
        assert done.exit_code == 2 and text in done.stderr and done.stderr.count("\n") == 1, (flags, done.stderr)


def test_parts_with_fewer_modes_than_dofs_are_reduced(tmp_path):
    """Two lumped masses on a bar have two modes, and rotations without mass: exit 0, both modes compared, all files there."""
    model = ts.boom(1.0, ts.tube(0.08, 0.002), ts.ALUMINUM, elements=1, clamped=False)
    write_bdf(model, tmp_path / "bar.bdf")
    done = run("reduce", tmp_path / "bar.bdf", "-u", "SI", "--mass", "lumped", "--interface", "1,2", "--method", "guyan",
               "-o", tmp_path / "bar.h5", "--json")  # fmt: skip
    assert done.exit_code == 0, done.stderr
    rows = [row["name"] for row in json.loads(done.stdout)["checks"]]
    assert sum(name.startswith("frequency ") and "reduced above" in name for name in rows) == 2
    assert (tmp_path / "bar.h5").is_file()


def test_a_record_that_cannot_be_written_leaves_no_other_file(tmp_path):
    model = ts.boom(1.0, ts.tube(0.08, 0.002), ts.ALUMINUM, elements=2, clamped=False)
    write_bdf(model, tmp_path / "bar.bdf")
    done = run("reduce", tmp_path / "bar.bdf", "-u", "SI", "--interface", "1:12345,3:1234", "--method", "guyan",
               "-o", tmp_path / "bar.h5", "--record", tmp_path / "r.h5")  # fmt: skip
    assert done.exit_code == 2 and "record needs static shapes" in done.stderr
    assert not (tmp_path / "bar.h5").exists() and not (tmp_path / "r.h5").exists()


def _straight_boom(folder):
    """A boom of bars on the line (1, 1, 0) with point masses alone, which a turn about the line does not move."""
    along = np.array([1.0, 1.0, 0.0]) / np.sqrt(2.0)
    lines = ["SOL 103", "CEND", "BEGIN BULK", "PBAR,1,1,1.E-4,1.E-8,1.E-8,2.E-8", "MAT1,1,70.E9,,0.33,0."]
    lines += [f"GRID,{i + 1},,{','.join(f'{v:.9f}' for v in 0.2 * i * along)}" for i in range(11)]
    lines += [f"CBAR,{i},1,{i},{i + 1},0.,0.,1." for i in range(1, 11)]
    lines += [f"CONM2,{100 + i},{i},,0.5" for i in range(1, 12)]
    (folder / "boom.bdf").write_text("\n".join([*lines, "ENDDATA"]) + "\n")
    return folder / "boom.bdf"


@pytest.mark.parametrize("interface", ["1,11", "1"])
def test_a_straight_boom_of_point_masses_is_delivered(tmp_path, interface):
    """Five rigid motions move mass; the sixth and the interface dofs that move none are named, and nothing fails.

    The lowest free frequencies are those of the whole boom.
    """
    boom = _straight_boom(tmp_path)
    done = run("reduce", boom, "-u", "SI", "--interface", interface, "-n", 9, "-o", tmp_path / "part.h5")
    assert done.exit_code == 0, done.stdout
    words = " ".join(done.stdout.split())
    assert "turning about (0.707107, 0.707107, 0) through (0.707107, 0.707107, 0) m strains nothing" in words
    assert "last rigid frequency" in words and "(of 5," in words
    if interface == "1,11":
        delivered = ts.reduce(boom, units="SI", interface=[1, 11], count=9)
        full = ts.modes(boom, units="SI", count=2).frequencies_hz
        assert delivered.check.free_hz[5:7] == pytest.approx(full, rel=1e-3)
    judged = run("accept", tmp_path / "part.h5", "--json").data["criteria"]
    (rigid,) = (row for row in judged if row["measure"] == "rigid_modes")
    assert rigid["value"] == 6 and "1 of them without mass" in rigid["words"]


@pytest.mark.parametrize("method", ["craig-chang", "macneal"])
def test_free_interface_methods_of_a_boom_without_torsional_inertia(tmp_path, method):
    """Held at one end: influence coefficients of a cantilever; twisted: G J / L, and nothing where both ends turn alike."""
    delivered = ts.reduce(_straight_boom(tmp_path), units="SI", interface=[1, 11], count=8, method=method).model
    stiffness, mass = np.asarray(delivered.stiffness), np.asarray(delivered.mass)
    values = np.linalg.eigvals(np.linalg.solve(stiffness[6:, 6:], mass[6:, 6:])).real
    found = np.sort(1.0 / np.sqrt(values[values > 1e-14]))[[0, 2]]
    place = 0.2 * np.arange(1, 11)
    low, high = np.minimum.outer(place, place), np.maximum.outer(place, place)
    flexibility = low**2 * (3.0 * high - low) / (6.0 * 70e9 * 1e-8)
    exact = np.sort(1.0 / np.sqrt(np.linalg.eigvalsh(0.5 * flexibility)))[:2]
    np.testing.assert_allclose(found, exact, rtol=1e-3)
    twist = np.zeros(len(mass))
    twist[9:11] = np.sqrt(0.5)
    torsion = 70e9 / 2.66 * 2e-8 / 2.0
    assert twist @ stiffness @ twist == pytest.approx(torsion, rel=1e-9)
    twist[3:5] = np.sqrt(0.5)
    assert abs(twist @ stiffness @ twist) < 1e-9 * torsion


def test_an_interface_that_does_not_follow_a_motion_without_mass(tmp_path):
    """Pinned at both ends, the boom may turn about its line: influence coefficients of a beam on two supports."""
    interface = "1:123,11:123"
    delivered = ts.reduce(
        _straight_boom(tmp_path), units="SI", interface=interface, count=8, method="craig-chang"
    ).model
    stiffness, mass = np.asarray(delivered.stiffness)[6:, 6:], np.asarray(delivered.mass)[6:, 6:]
    found = np.sqrt(np.sort(np.linalg.eigvals(np.linalg.solve(mass, stiffness)).real))[[0, 2]]
    place, length = 0.2 * np.arange(1, 10), 2.0
    low, rest = np.minimum.outer(place, place), length - np.maximum.outer(place, place)
    flexibility = low * rest * (length**2 - rest**2 - low**2) / (6.0 * 70e9 * 1e-8 * length)
    exact = np.sort(1.0 / np.sqrt(np.linalg.eigvalsh(0.5 * flexibility)))[:2]
    np.testing.assert_allclose(found, exact, rtol=1e-3)


def test_rubin_keeps_a_rigid_motion_without_mass(tmp_path):
    """The boom turns about its line without strain; held at one end it has the frequency of a cantilever."""
    model = ts.assemble(ts.read_model(_straight_boom(tmp_path), units="SI"))
    component = free_interface(model, np.array([(0, c) for c in range(6)]), count=8)
    names = [coordinate.name for coordinate in component.coordinates]
    stiffness, mass, shapes = (np.asarray(part) for part in (component.stiffness, component.mass, component.shapes))
    turn = names.index("rigid without mass 1")
    assert abs(stiffness[turn]).max() < 1e-9 * abs(stiffness).max() and abs(mass[turn]).max() < 1e-9
    assert abs(shapes[3:6, turn]).max() > 0.0
    rest = np.linalg.svd(shapes[:6])[2][6:].T  # combinations that do not move the interface
    values = np.linalg.eigvals(np.linalg.solve(rest.T @ stiffness @ rest, rest.T @ mass @ rest)).real
    place = 0.2 * np.arange(1, 11)
    low, high = np.minimum.outer(place, place), np.maximum.outer(place, place)
    flexibility = 0.5 * low**2 * (3.0 * high - low) / (6.0 * 70e9 * 1e-8)
    assert values.max() == pytest.approx(np.linalg.eigvalsh(flexibility).max(), rel=1e-3)
