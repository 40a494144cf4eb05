"""Booms whose nodes have no rotary inertia, by the commands: every frame and span is the vehicle of dense finite elements.

A straight chain of lumped CBAR elements has inertia about its own axis in its tip body only, or none at all. Shapes that move the
attachment against the mean axes then move no mass. Oracle: beams written in ``support.dense_booms``, no code of the package.
"""

import numpy as np
import pytest
from support.command import run
from support.dense_booms import AREA, BEND_PLANE_1, BEND_PLANE_2, DENSITY, TORSION, YOUNG, boom_parts, span
from support.mounted_oracle import body_mass, vehicle_poles

import tisserand as ts
from tisserand.appendage.support_mass import listed_modes

pytestmark = pytest.mark.slow

RATIO = 0.005
BUS = {"mass": 80.0, "center": np.zeros(3), "inertia": np.diag([9.0, 12.0, 14.0])}
VEHICLE = """
[bodies.bus]
mass = 80.0
inertia = [9.0, 12.0, 14.0]
[appendages.boom]
record = "boom.h5"
body = "bus"
[simulation]
duration = 0.05
samples = 3
"""
LINE = [(0.375 * i, 0.0, 0.0) for i in range(9)]
SKEW = [(0.2 * i, 0.25 * i, -0.1 * i) for i in range(9)]
ELBOW = [*((0.4 * i, 0.0, 0.0) for i in range(5)), *((1.6, 0.4 * i, 0.0) for i in range(1, 5))]
BEND = [(0.4 * i, 0.02 * i * i, 0.01 * i * i) for i in range(9)]
BODY = (1.3, (0.02, 0.03, 0.01))
BOOMS = {
    "line with a tip body": (LINE, BODY),
    "line with a tip body that has no inertia about it": (LINE, (1.3, (0.0, 0.03, 0.01))),
    "line alone": (LINE, (0.0, (0.0, 0.0, 0.0))),
    "skew line alone": (SKEW, (0.0, (0.0, 0.0, 0.0))),
    "elbow": (ELBOW, (0.0, (0.0, 0.0, 0.0))),
    "bent with a tip body": (BEND, BODY),
}
ROUTES = {
    "clamped": ("clamped", {}),
    "tisserand": ("clamped", {"free": True, "frame": "tisserand"}),
    "buckens": ("clamped", {"frame": "buckens"}),
    "residual": ("residual", {"free": True}),
    "tisserand residual": ("residual", {"free": True, "frame": "tisserand", "mounted": "residual"}),
}


def written(path, points, tip):
    mass, inertia = tip
    lines = ["SOL 103", "CEND", "METHOD = 1", "SPC = 1", "BEGIN BULK", "EIGRL,1,,,4", "MAT1,1,7.0E10,,0.3,2700.0"]
    lines.append(f"PBAR,1,1,{AREA!r},{BEND_PLANE_1!r},{BEND_PLANE_2!r},{TORSION!r}")
    lines += [f"GRID,{i + 1},,{x!r},{y!r},{z!r}" for i, (x, y, z) in enumerate(np.asarray(points, float).tolist())]
    lines += [f"CBAR,{i + 1},1,{i + 1},{i + 2},0.0,0.1,1.0" for i in range(len(points) - 1)]
    if mass:
        a, b, c = inertia
        lines += [f"CONM2,100,{len(points)},,{mass!r},,,,,+", f"+,{a!r},,{b!r},,,{c!r}"]
    path.write_text("\n".join([*lines, "SPC1,1,123456,1", "ENDDATA"]) + "\n")
    assert YOUNG == 7.0e10 and DENSITY == 2700.0
    return boom_parts(points, np.array([0.0, 0.1, 1.0]), mass, inertia)


@pytest.mark.parametrize("name", list(BOOMS))
def test_every_frame_and_span_is_the_vehicle_of_dense_finite_elements(tmp_path, name):
    """Frequencies and damping ratios of the first modes to 1e-8 with 4, 9 and 16 modes; names and listed frequencies agree."""
    parts = written(tmp_path / "boom.bdf", *BOOMS[name])
    bus = ts.Body("bus", BUS["mass"], inertia=BUS["inertia"])
    for count in (4, 9, 16):
        for route, (mounting, options) in ROUTES.items():
            made = ts.modes(tmp_path / "boom.bdf", units="SI", count=count, damping=RATIO, **options)
            hz, zeta = vehicle_poles(
                parts, span(parts, mounting, count), np.eye(6), body_mass(**BUS), np.zeros((6, 6)), RATIO
            )
            vehicle = ts.Vehicle("v", (bus,), appendages=(ts.MountedAppendage("boom", made.appendage, "bus"),))
            found, few = ts.system_modes(vehicle), min(count, 6)
            assert made.appendage.mode_kinds.count("elastic") == count, (count, route)
            assert found.frequencies_hz[:few] == pytest.approx(hz[:few], rel=1e-8), (count, route)
            assert found.damping_ratios[:few] == pytest.approx(zeta[:few], rel=1e-8, abs=1e-8 * RATIO), (count, route)
            assert made.frequencies_hz == pytest.approx(listed_modes(made.appendage)[0], rel=1e-8), (count, route)


def test_the_torsion_of_a_boom_with_a_tip_body_is_listed_and_flown(tmp_path):
    """sqrt(G J / (L I)) on a wall, whatever the frame; free, it moves no mass: static, not 3e8 Hz, in table and JSON."""
    points, (mass, inertia) = BOOMS["line with a tip body"]
    written(tmp_path / "boom.bdf", points, (mass, inertia))
    torsion = np.sqrt(7.0e10 / 2.6 * TORSION / (3.0 * inertia[0])) / (2.0 * np.pi)
    base = (
        "modes",
        tmp_path / "boom.bdf",
        "-u",
        "SI",
        "-n",
        6,
        "--damping",
        RATIO,
        "-o",
        tmp_path / "boom.h5",
        "--force",
    )
    for options in ((), ("--frame", "tisserand"), ("--free", "--frame", "buckens")):
        listed = run(*base, *options, "--json").data
        assert np.abs(np.array(listed["frequencies_hz"]) / torsion - 1.0).min() < 1e-9
        assert listed["damping_ratios"] == pytest.approx([RATIO] * 6, rel=1e-9)
    shown = run(*base, "--free")
    assert "static" in shown.stdout and "no mass" in " ".join(shown.stdout.split())
    data = run(*base, "--free", "--json").data
    assert data["frequencies_hz"].count(None) == 1 and data["mode_kinds"].count("residual") == 6
    names = run("info", tmp_path / "boom.h5", "--json").data["modes"]
    words = ["static" if f is None else f"{f:.6g} Hz" for f in data["frequencies_hz"]]
    assert list(names.values()) == words
    assert [name.startswith("residual") for name in names] == [kind == "residual" for kind in data["mode_kinds"]]
    (tmp_path / "v.toml").write_text(VEHICLE)
    assert run("simulate", tmp_path / "v.toml", "--json").exit_code == 0


def test_a_massless_shape_is_refused_where_no_mount_gives_it_mass(tmp_path):
    """The same record on a body without mass, held by nothing: one sentence that names the shape, no singular matrix."""
    points, tip = BOOMS["line with a tip body"]
    written(tmp_path / "boom.bdf", points, tip)
    run("modes", tmp_path / "boom.bdf", "-u", "SI", "-n", 6, "--free", "-o", tmp_path / "boom.h5")
    text = VEHICLE.replace("mass = 80.0\ninertia = [9.0, 12.0, 14.0]", "mass = 0.0")
    (tmp_path / "v.toml").write_text(text)
    for command in ("system-modes", "simulate", "linearize"):
        refused = run(command, tmp_path / "v.toml")
        assert refused.exit_code == 2 and "residual 6" in refused.stderr, (command, refused.stderr)
