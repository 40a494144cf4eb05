"""Welds and fasteners between sheets: rigid motion, an aligned weld beside a beam, forces through a lap joint, refusals.

Oracles: exact turns, CBEAM with a round PBEAML, springs in series, equilibrium.
"""

import numpy as np
import pytest

from tisserand.assembly import assemble
from tisserand.errors import TisserandError
from tisserand.modes import solve_modes
from tisserand.readers.registry import read_model
from tisserand.statics import nodal_loads, solve_static

HEAD = "SOL 103\nCEND\nSPC=1\nBEGIN BULK\nMAT1,1,7.+10,,.3,2700.\nPSHELL,10,1,.002,1,,1\nPSHELL,20,1,.003,1,,1\n"


def sheets(n=6, gap=0.004, tilt=0.0):
    """Two meshes that overlap, of different sizes: cards of nodes 1.. and 1001.., elements 1.. and 1001.."""
    cards = []
    for base, prop, m, x0, z in ((0, 10, n, 0.0, 0.0), (1000, 20, n + 1, 0.08, gap)):

        def at(i, j):
            return base + 1 + i * (m + 1) + j  # noqa: B023

        for i in range(m + 1):
            for j in range(m + 1):
                x, y = x0 + 0.12 * i / m, 0.1 * j / m
                cards.append(f"GRID,{at(i, j)},,{x:.10f},{y:.10f},{z + tilt * x:.10f}")
        cards += [
            f"CQUAD4,{base + 1 + i * m + j},{prop},{at(i, j)},{at(i + 1, j)},{at(i + 1, j + 1)},{at(i, j + 1)}"
            for i in range(m) for j in range(m)
        ]  # fmt: skip
    return cards


def joint(tmp_path, cards, extra=(), **values):
    path = tmp_path / "joint.bdf"
    path.write_text(HEAD + "\n".join([*sheets(**values), *cards, *extra]) + "\nENDDATA\n")
    return path


WELDS = ["PWELD,30,1,.006", "GRID,901,,.0937,.0312,.05", "GRID,902,,.1051,.0711,.05"]
FORMS = {
    "PARTPAT": ["CWELD,5031,30,901,PARTPAT\n,10,20", "CWELD,5032,30,902,PARTPAT\n,10,20"],
    "CFAST": [
        "PFAST,40,.006,-1,0,1.+8,2.+7,3.+7,10.\n,20.,30.,.01",
        "CFAST,5031,40,PROP,10,20,901",
        "CFAST,5032,40,PROP,10,20,902",
    ],
}


@pytest.mark.parametrize("form", FORMS)
@pytest.mark.parametrize("tilt", [0.0, 0.4])
def test_joined_sheets_move_as_one_rigid_body(tmp_path, form, tilt):
    """Free: six motions without strain energy, all others stiff; rigid turns of the nodes satisfy every equation."""
    model = assemble(read_model(joint(tmp_path, [*WELDS, *FORMS[form]], ["SPC1,1,123456,901,902"], tilt=tilt), "SI"))
    motion = model.rigid_body_vectors
    force = model.stiffness @ motion
    assert np.abs(force).max() < 1e-8 * abs(model.stiffness).max()
    full = model.displacements(motion)
    for k in range(6):
        turn = np.eye(6)[k][3:]
        assert np.abs(full[model.nodes.ids > 1064, 3:, k] - turn).max() < 1e-9  # the points on the sheets
    found = solve_modes(model, count=8)
    assert found.frequencies_hz.min() > 50.0


def test_an_aligned_weld_is_a_round_beam(tmp_path):
    """CWELD ALIGN between two corners against CBEAM with PBEAML ROD of the same diameter without mass: 1e-9."""
    base = ["SPC1,1,123456,1,THRU,7"]
    ends = "25,1002"
    first = joint(tmp_path, ["PWELD,30,1,.01", f"CWELD,5031,30,,ALIGN,{ends}", *base], gap=0.01)
    weld = solve_modes(assemble(read_model(first, "SI")), count=4).frequencies_hz
    beam = [f"CBEAM,5031,30,{ends},1.,2.,3.", "PBEAML,30,2,,ROD\n,.005", "MAT1,2,7.+10,,.3,0.", *base]
    span = solve_modes(assemble(read_model(joint(tmp_path, beam, gap=0.01), "SI")), count=4).frequencies_hz
    assert weld == pytest.approx(span, rel=1e-9)


@pytest.mark.parametrize("form", FORMS)
def test_a_lap_joint_carries_its_load_in_balance(tmp_path, form):
    """Pulled at one edge, held at the other: reactions balance force and moment; with softer fasteners it gives more."""
    cards = [*WELDS, *FORMS[form], "SPC1,1,123456,1,THRU,7", "SPC1,1,123456,901,902"]
    model = assemble(read_model(joint(tmp_path, cards), "SI"))
    tip = 1000 + 8 * 8
    state = solve_static(model, nodal_loads(model, {tip: (100.0, 0.0, 0.0)}))
    balance = model.rigid_body_vectors.T @ (state.reactions[:, 0] + nodal_loads(model, {tip: (100.0, 0.0, 0.0)}))
    assert np.abs(balance).max() < 1e-6 * 100.0
    soft = [card.replace("PWELD,30,1", "PWELD,30,3").replace("1.+8,2.+7,3.+7", "1.+6,2.+5,3.+5") for card in cards]
    weak = assemble(read_model(joint(tmp_path, [*soft, "MAT1,3,7.+7,,.3"]), "SI"))
    given = solve_static(weak, nodal_loads(weak, {tip: (100.0, 0.0, 0.0)}))
    at = int(np.flatnonzero(model.nodes.ids == tip)[0])
    assert (
        weak.displacements(given.displacement)[at, 0, 0] > 1.2 * model.displacements(state.displacement)[at, 0, 0] > 0.0
    )


@pytest.mark.parametrize(
    ("cards", "words"),
    [
        (["CWELD,5031,30,901,GRIDID,,,QQ"], "this form of a weld is not supported"),
        (["CWELD,5031,30,901,PARTPAT\n,10,77"], "no shell has this property"),
        (["CWELD,5031,99,901,PARTPAT\n,10,20"], "does not exist"),
        (["GRID,903,,.01,.03,.05", "CWELD,5031,30,903,PARTPAT\n,10,20"], "does not project on this sheet"),
    ],
)
def test_refusals_name_the_line(tmp_path, cards, words):
    with pytest.raises(TisserandError, match=rf"joint.bdf, line \d+: CWELD.*{words}") as found:
        read_model(joint(tmp_path, [*WELDS, *cards]), "SI")
    assert found.value.exit_code == 2
