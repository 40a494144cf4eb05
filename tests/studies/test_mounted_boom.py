"""The shipped boom on a bus of 200 kg, by the commands: any frame and any span that fits a mount is the same vehicle.

Oracle: dense finite elements of boom and bus in numpy (``support.mounted_oracle``), damping ratio 0.005 of the held modes.
"""

from pathlib import Path

import numpy as np
import pytest
from support.command import run
from support.mounted_oracle import FreeParts, body_mass, free_parts, shapes, vehicle_poles

import tisserand as ts

BOOM = Path(__file__).parents[2] / "meshes" / "boom.bdf"
INERTIA = 89.4  # kg m²: held at 1.32 Hz, the first vehicle mode is then near 2.190 Hz
VEHICLE = """
[bodies.bus]
mass = 200.0
inertia = [89.4, 89.4, 89.4]
[appendages.boom]
record = "wing.h5"
body = "bus"
[simulation]
duration = 0.2
samples = 3
"""


@pytest.fixture(scope="module")
def folder(tmp_path_factory):
    made = tmp_path_factory.mktemp("boom")
    (made / "v.toml").write_text(VEHICLE)
    return made


@pytest.fixture(scope="module")
def parts():
    model = ts.assemble(ts.read_model(BOOM, units="SI"))
    return free_parts(model, 1)


def expected(parts, mounting="clamped", count=8):
    bus = body_mass(200.0, np.zeros(3), INERTIA * np.eye(3))
    return vehicle_poles(parts, shapes(parts, mounting, count), np.eye(6), bus, np.zeros((6, 6)), 0.005)


@pytest.mark.parametrize(
    "options",
    [(), ("--free", "--frame", "tisserand"), ("--free", "--frame", "buckens"), ("--frame", "tisserand"), ("--free",)],
    ids=["clamped", "free tisserand", "free buckens", "held tisserand", "free"],
)
def test_the_boom_of_any_frame_gives_the_vehicle_of_the_clamped_record(folder, parts, options):
    """Frequencies and damping ratios by system-modes and linearize to 1e-8; nobody names the attachment, the deck holds it."""
    made = run("modes", BOOM, "-u", "SI", "-n", 8, "--damping", 0.005, *options, "-o", folder / "wing.h5", "--json")
    assert made.exit_code == 0, made.stderr
    hz, zeta = expected(parts, "residual" if options == ("--free",) else "clamped")
    found = run("system-modes", folder / "v.toml", "--json").data
    assert found["frequencies_hz"][:6] == pytest.approx(hz[:6], rel=1e-8)
    assert found["damping_ratios"][:6] == pytest.approx(zeta[:6], rel=1e-8)
    assert found["frequencies_hz"][0] == pytest.approx(2.190, abs=5e-3)
    assert found["damping_ratios"][0] == pytest.approx(0.0083, abs=5e-5)
    poles = np.array(run("linearize", folder / "v.toml", "--json").data["poles"])
    size = np.sort(np.abs(poles[poles[:, 1] > 1.0] @ [1.0, 1j])) / (2 * np.pi)
    assert size[:6] == pytest.approx(hz[:6], rel=1e-8)
    if not options:
        assert run("simulate", folder / "v.toml", "--json").exit_code == 0


def test_free_modes_alone_are_a_choice_with_its_error_in_hz(folder, parts):
    """'--mounted free' says by how much the held boom comes out too high; the oracle of that span agrees within 2 %."""
    done = run(
        "modes",
        BOOM,
        "-u",
        "SI",
        "-n",
        8,
        "--free",
        "--mounted",
        "free",
        "--damping",
        0.005,
        "-o",
        folder / "f.h5",
        "--json",
    )
    assert done.exit_code == 0 and "Hz too high" in done.stderr
    p = parts
    B = shapes(p, "free", 8)
    held = B - p.S @ (p.C @ B)
    values = np.linalg.eigvals(np.linalg.solve(held.T @ p.M @ held, held.T @ p.K @ held))
    alone, true = (
        np.sqrt(values.real.min()) / (2 * np.pi),
        run("modes", BOOM, "-u", "SI", "-n", 1, "--json").data["frequencies_hz"][0],
    )
    stated = float(done.stderr.partition("comes out about ")[2].partition(" Hz")[0])
    assert stated == pytest.approx(alone - true, rel=0.05)


def test_the_listing_keeps_proven_modes_and_ritz_values_apart_and_says_whose_ratios_it_shows():
    arguments = ("modes", BOOM, "-u", "SI", "-n", 4, "--free", "--damping", 0.005)
    listed = run(*arguments)
    head, _, tail = listed.stdout.partition("Residual attachment shapes")
    assert tail and "residual 1" in tail and "residual 1" not in head and "without proof" in " ".join(tail.split())
    words = " ".join(head.split())
    assert "proven free modes" in words and "stated for the modes held at the attachment" in words
    data = run(*arguments, "--json").data
    assert data["proven"] == [True] * 4 + [False] * 6
    alone = " ".join(run(*arguments, "--mounted", "free", "--damping-support", "free").stdout.split())
    assert "proven free modes alone; zeta: of these free modes, as stated for them" in alone
    clamped = " ".join(run(*arguments, "--frame", "tisserand").stdout.split())
    assert "proven modes held at the attachment, with their zeta" in clamped and "Ritz values" in clamped


def test_fewer_modes_in_a_vehicle_keep_the_residual_shapes(folder, parts):
    """modes = 3 of 8 free modes and 6 residual shapes: the span of 3 free modes and 6 residual shapes, to 1e-8."""
    run("modes", BOOM, "-u", "SI", "-n", 8, "--free", "--damping", 0.005, "-o", folder / "wing.h5")
    cut = run("system-modes", folder / "v.toml", "--set", "appendages.boom.modes=3", "--json").data
    hz, _ = expected(parts, "residual", 3)
    assert cut["frequencies_hz"][:6] == pytest.approx(hz[:6], rel=1e-8)
    assert len(cut["frequencies_hz"]) == 9
    whole = run("system-modes", folder / "v.toml", "--set", "appendages.boom.modes=8", "--json").data
    assert len(whole["frequencies_hz"]) == 14
    refused = run("system-modes", folder / "v.toml", "--set", "appendages.boom.modes=9")
    assert refused.exit_code == 2 and "at most 8 beside 6 residual shapes" in refused.stderr


def condensed(path, kept, held=False):
    """The boom, let go unless held, condensed to some nodes: ``kept`` picks from the list of ids."""
    text = BOOM.read_text() if held else BOOM.read_text().replace("SPC = 1\n", "")
    ids = [int(line.split("*")[1].split()[0]) for line in text.splitlines() if line.startswith("GRID*")]
    path.write_text(text.replace("BEGIN BULK\n", "BEGIN BULK\n" + "".join(f"ASET1,123456,{i}\n" for i in kept(ids))))
    return kept(ids)


@pytest.mark.parametrize(
    ("held", "options"),
    [
        (False, ("--free", "--frame", "tisserand")),
        (False, ("--free",)),
        *((True, ("--frame", frame)) for frame in ("tisserand", "buckens", "milne")),
        (True, ()),
    ],
    ids=["free tisserand", "free residual", "held tisserand", "held buckens", "held milne", "held"],
)
def test_a_condensed_deck_is_mounted_within_its_reduction(folder, parts, held, options):
    """Every fourth node kept: vehicle frequencies and damping of the statically condensed dense matrices, to 1e-8.

    A held root is no part of the ASET, yet the vehicle moves it: the span is that of a root that is kept.
    """
    kept = condensed(folder / "aset.bdf", lambda ids: [i for i in ids[::4] if not (held and i == 1)], held)
    made = run(
        "modes", folder / "aset.bdf", "-u", "SI", "-n", 8, "--damping", 0.005, "--attachment", 1, *options, "-o",
        folder / "wing.h5", "--force", "--json",
    )  # fmt: skip
    assert made.exit_code == 0 and "no residual" not in made.stderr, made.stderr
    assert ts.load_record(folder / "wing.h5").frame.name == dict([options[-2:]] if len(options) > 1 else []).get(
        "--frame", "connection" if held else "buckens"
    )
    model = ts.assemble(ts.read_model(BOOM, units="SI"))
    rows = np.isin(model.nodes.ids[model.dofs.node], [1, *kept])
    T = np.zeros((model.size, rows.sum()))
    T[rows] = np.eye(rows.sum())
    T[~rows] = -np.linalg.solve(parts.K[np.ix_(~rows, ~rows)], parts.K[np.ix_(~rows, rows)])
    small = FreeParts(T.T @ parts.K @ T, T.T @ parts.M @ T, parts.C @ T, parts.S[rows])
    hz, zeta = expected(small, "residual" if options == ("--free",) else "clamped")
    found = run("system-modes", folder / "v.toml", "--json").data
    assert found["frequencies_hz"][:6] == pytest.approx(hz[:6], rel=1e-8)
    assert found["damping_ratios"][:6] == pytest.approx(zeta[:6], rel=1e-8)


def test_a_held_condensed_deck_is_let_go_where_that_is_asked_for(tmp_path):
    """'--free' of a held ASET deck has six rigid motions and the free frequencies of the deck without its support."""
    for name, held in (("held", True), ("loose", False)):
        condensed(tmp_path / f"{name}.bdf", lambda ids: [i for i in ids[::4] if i != 1], held)
    held, loose = (
        run("modes", tmp_path / f"{name}.bdf", "-u", "SI", "-n", 3, "--free", "--json").data
        for name in ("held", "loose")
    )
    assert held["rigid_body_modes"] == 6
    assert held["frequencies_hz"] == pytest.approx(loose["frequencies_hz"], rel=1e-9)


def test_a_condensed_deck_without_its_attachment_says_what_it_has_not(tmp_path):
    """The root is not kept: free modes have no attachment shapes, and a frame is refused with what is missing."""
    deck = tmp_path / "aset.bdf"
    condensed(deck, lambda ids: [i for i in ids[::4] if i != 1])
    plain = run("modes", deck, "-u", "SI", "-n", 3, "--free", "--attachment", 1)
    assert plain.exit_code == 0 and "no residual attachment shapes" in plain.stderr and "--full" in plain.stderr
    refused = run("modes", deck, "-u", "SI", "-n", 3, "--free", "--attachment", 1, "--frame", "tisserand")
    assert refused.exit_code == 2 and "node 1" in refused.stderr and "no component kept" in refused.stderr
    assert "ASET" in refused.stderr and "--full" in refused.stderr
    full = run("modes", deck, "-u", "SI", "-n", 3, "--free", "--attachment", 1, "--frame", "tisserand", "--full")
    assert full.exit_code == 0, full.stderr


def test_effective_masses_of_held_modes_do_not_depend_on_the_frame():
    """The modes listed are held, so they have the effective masses of the clamped deck; free modes have none."""
    held = run("modes", BOOM, "-u", "SI", "-n", 6, "--json").data["effective_mass"]
    seen = run("modes", BOOM, "-u", "SI", "-n", 6, "--free", "--frame", "tisserand", "--json").data["effective_mass"]
    assert np.max(held) > 1.0
    np.testing.assert_allclose(seen, held, rtol=1e-7, atol=1e-7 * np.max(held))


def test_a_case_and_its_vehicle_get_residual_shapes_without_being_told(folder, parts):
    """A case that floats (analysis.free) and a vehicle file that reduces it on the fly are the vehicle of the residual span."""
    (folder / "boom.bdf").write_bytes(BOOM.read_bytes())
    text = 'units = "SI"\n[mesh]\nfile = "boom.bdf"\n[analysis]\ncount = 8\nfree = true\n[damping]\nratio = 0.005\n'
    (folder / "case.toml").write_text(text)
    assert run("modes", folder / "case.toml", "--json").data["mode_kinds"].count("residual") == 6
    (folder / "c.toml").write_text(VEHICLE.replace('record = "wing.h5"', 'case = "case.toml"'))
    found = run("system-modes", folder / "c.toml", "--json")
    assert found.exit_code == 0, found.stderr
    hz, zeta = expected(parts, "residual")
    assert found.data["frequencies_hz"][:6] == pytest.approx(hz[:6], rel=1e-8)
    assert found.data["damping_ratios"][:6] == pytest.approx(zeta[:6], rel=1e-8)
