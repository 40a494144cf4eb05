"""Every Abaqus and CalculiX deck of the corpus is read whole: counts, supports, requests, ledger, and spectra."""

import subprocess
from pathlib import Path

import numpy as np
import pytest
from support.corpus import deck, needs_corpus, references, shared

from tisserand.assembly import assemble
from tisserand.modes import solve_modes
from tisserand.readers.abaqus import read_abaqus

pytestmark = needs_corpus

#: deck -> nodes, (family, count) of its blocks, supported nodes, requested modes
CONTENT = {
    "beam8f": (425, [("solid", 256)], 25, 10),
    "beamf": (261, [("solid", 32)], 21, 10),
    "dloadlin20f": (188, [("solid", 15)], 8, 10),
    "mass2": (261, [("solid", 32), ("nodal body", 1)], 21, 10),
    "boxprofile": (11, [("beam", 10)], 1, 5),
    "spring3": (10, [("solid", 1), ("spring", 1)], 10, 1),
    "blockC3D4": (214, [("solid", 767)], 0, None),
    "blockC3D10": (257, [("solid", 122)], 0, None),
    "blockC3D20": (171, [("solid", 20)], 0, None),
}

#: deck -> largest relative difference allowed of the listed elastic frequencies
AGREEMENT = {
    "beam8f": 5e-5,
    "dloadlin20f": 5e-5,
    "spring3": 5e-8,
    "blockC3D4": 5e-5,
    "blockC3D10": 5e-5,
    "blockC3D20": 5e-5,
    "beamf": 1e-6,
    "mass2": 1e-6,
}


@pytest.mark.parametrize("name", CONTENT)
def test_a_deck_is_read_whole(name):
    nodes, blocks, held, count = CONTENT[name]
    model = read_abaqus(deck(name), "consistent")
    assert len(model.nodes) == nodes
    assert [(block.family, len(block)) for block in model.elements] == blocks
    assert len(model.supports.nodes) == held
    assert model.analysis.count == count
    assert not model.ledger.dropped
    every = {entry.card.lstrip("*").replace(" ", "") for entry in model.ledger.entries}
    wanted = {card.lstrip("*") for card in references()[name]["cards"]} - {"ELEMENT"}
    assert {card for card in wanted if not card.startswith("END")} <= every


def test_the_corpus_has_no_other_decks():
    found = {name for name, entry in references().items() if entry["file"].endswith(".inp")}
    assert found == set(CONTENT)


@pytest.mark.parametrize("name", AGREEMENT)
def test_frequencies_agree_with_the_code_that_wrote_the_deck(name):
    """Source: the program's own results (reference.json); rigid-body zeros of free blocks are left out."""
    model = read_abaqus(deck(name), "consistent")
    reference = np.array([f for f in references()[name]["freqs_hz"] if f > 1e-2])
    basis = solve_modes(assemble(model), count=len(reference))
    np.testing.assert_allclose(basis.frequencies_hz[: len(reference)], reference, rtol=AGREEMENT[name])


#: CalculiX 2.20 on a solid mesh of the same box tube (8520 nodes, C3D20R, walls one element thick, end face held), Hz;
#: half the elements change them by less than 1e-3. The live run is in the slow suite.
BOX_OF_SOLIDS = np.array([33.28564, 43.37357, 199.0423, 258.2140, 388.8511])


def box_frequencies():
    model = read_abaqus(deck("boxprofile"), "consistent")
    return solve_modes(assemble(model), count=5).frequencies_hz


def test_box_beam_bending_agrees_with_the_deck():
    """CalculiX turns B32R into solids: within 5 % for the four bending modes."""
    np.testing.assert_allclose(box_frequencies()[:4], references()["boxprofile"]["freqs_hz"][:4], rtol=0.05)


def test_box_beam_agrees_with_a_solid_tube():
    """The fifth mode is torsion: Bredt's closed section gives 388 Hz, the solid tube 389 Hz, the expanded beam 446 Hz."""
    np.testing.assert_allclose(box_frequencies(), BOX_OF_SOLIDS, rtol=0.012)
    assert references()["boxprofile"]["freqs_hz"][4] > 1.14 * BOX_OF_SOLIDS[4]


@pytest.mark.slow
def test_solid_tube_live(tmp_path):
    """The recorded tube again, by CalculiX itself."""
    write_tube(tmp_path / "tube.inp", around=(6, 4), along=50)
    try:
        subprocess.run(["ccx", "tube"], cwd=tmp_path, capture_output=True, timeout=300, check=True)
    except FileNotFoundError:
        pytest.skip("ccx is not installed")
    rows = [line.split() for line in (tmp_path / "tube.dat").read_text().splitlines()]
    found = [float(row[3]) for row in rows if len(row) == 5 and row[0].isdigit()][:5]
    np.testing.assert_allclose(found, BOX_OF_SOLIDS, rtol=1e-5)


def write_tube(path: Path, around: tuple[int, int], along: int) -> None:
    """A 70 x 50 x 3 tube of length 1000 in twenty-node bricks, held at z = 0 (units of the deck: mm, t, s)."""
    half, wall = (35.0, 25.0), 3.0
    grids = []
    for size, count in zip(half, around):
        inner = np.linspace(wall - size, size - wall, count + 1)
        corners = np.concatenate([[-size], inner, [size]])
        grids.append(np.sort(np.concatenate([corners, 0.5 * (corners[1:] + corners[:-1])])))
    grids.append(np.linspace(0.0, 1000.0, 2 * along + 1))
    brick = np.array(
        [
            (0, 0, 0), (2, 0, 0), (2, 2, 0), (0, 2, 0), (0, 0, 2), (2, 0, 2), (2, 2, 2), (0, 2, 2),
            (1, 0, 0), (2, 1, 0), (1, 2, 0), (0, 1, 0), (1, 0, 2), (2, 1, 2), (1, 2, 2), (0, 1, 2),
            (0, 0, 1), (2, 0, 1), (2, 2, 1), (0, 2, 1),
        ]
    )  # fmt: skip
    number: dict[tuple[int, ...], int] = {}
    elements = []
    for k in range(along):
        for i in range(around[0] + 2):
            for j in range(around[1] + 2):
                if i in (0, around[0] + 1) or j in (0, around[1] + 1):
                    corners = brick + 2 * np.array([i, j, k])
                    elements.append([number.setdefault(tuple(c), len(number) + 1) for c in corners.tolist()])
    lines = ["*NODE"]
    lines += [f"{n},{grids[0][i]:.9g},{grids[1][j]:.9g},{grids[2][k]:.9g}" for (i, j, k), n in number.items()]
    lines.append("*ELEMENT, TYPE=C3D20R, ELSET=E")
    for e, nodes in enumerate(elements, 1):
        lines += [f"{e}," + ",".join(map(str, nodes[:10])) + ",", ",".join(map(str, nodes[10:]))]
    lines += ["*NSET, NSET=FIX", *(str(n) for (_, _, k), n in number.items() if k == 0)]
    lines += [
        "*MATERIAL, NAME=M",
        "*ELASTIC",
        "70000.,0.3",
        "*DENSITY",
        "7.85e-9",
        "*SOLID SECTION, ELSET=E, MATERIAL=M",
    ]
    lines += ["*BOUNDARY", "FIX,1,3", "*STEP", "*FREQUENCY", "8", "*END STEP", ""]
    path.write_text("\n".join(lines))


#: Entries (row, column; dofs node by node, from 1) of the stiffness that Abaqus 2019 exported for rotorDiscTest.inp, N/m; facts
#: published with that deck (jgerstmayr/EXUDYN, rotorDiscTestSTIF1.mtx).
ROTOR = {
    (1, 1): 8.238577604155140e09,
    (1, 4): 3.743165270024819e09,
    (1, 7): -4.245974025318676e08,
    (2, 2): 9.450158546499500e09,
    (2, 3): -4.300831235640480e09,
    (3, 3): 1.728030203593408e10,
    (4, 4): 1.648202598526048e10,
    (3, 24): -1.496563648197585e10,
    (1, 20): 1.209919013181424e08,
    (5, 294): 2.804487218750442e07,
    (6, 6): 1.921467998732658e10,
}


def test_bricks_of_abaqus_have_its_stiffness():
    """C3D8 of 48 distorted bricks: the mean volume strain of the element. Tolerance: sixteen digits, sums of 64 terms."""
    path = shared() / "corpus/sweep/EXUDYN/main/pythonDev/TestModels/testData/rotorDiscTest.inp"
    if not path.exists():
        pytest.skip("the sweep of decks is not in the corpus")
    model = read_abaqus(path, "SI")
    assert not model.ledger.of_fate("approximated") and model.mass_recipe == "lumped"
    body = assemble(model)
    place = body.dofs.index.reshape(len(model.nodes), -1)[:, :3].ravel()
    found = {pair: body.stiffness[place[pair[0] - 1], place[pair[1] - 1]] for pair in ROTOR}
    assert found == {pair: pytest.approx(value, rel=1e-12) for pair, value in ROTOR.items()}
    plain = assemble(read_abaqus(path, "SI", flavor="calculix"))  # the other choice is stiffer
    assert plain.stiffness[place[3], place[3]] > 1.2 * ROTOR[4, 4]
