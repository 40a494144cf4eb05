"""Beams of three nodes: patch, rank, locking, closed forms of arcs and rings, stress states, CBEAM3 beside CBEND.

Oracles: Castigliano for the quarter circle, Love for the ring (Timoshenko, Vibration Problems, section 5.11), exact turns of
rigid bodies, chains of two-node beams, the arc's exact end stiffness (CBEND).
"""

import numpy as np
import pytest
from support.lines import STEEL, beam_block, rectangle

from tisserand.assembly import assemble
from tisserand.elements.registry import prepare
from tisserand.errors import ModelError
from tisserand.model import BeamSection, Nodes, StructuralModel, Supports
from tisserand.model.families.curved_beam import CurvedBeamBlock
from tisserand.modes import solve_modes
from tisserand.readers.registry import read_model
from tisserand.statics import nodal_loads, prestress, solve_static

SECTION = BeamSection(1, STEEL, rectangle(0.02, 0.03), shear_y=5 / 6, shear_z=5 / 6)


def arc(elements, angle=np.pi / 2, radius=2.0, closed=False):
    """Curved beams along a circle in the x-y plane from (0, radius); orientation across it."""
    count = 2 * elements + (0 if closed else 1)
    t = angle * np.arange(count) / (2 * elements)
    points = radius * np.column_stack([np.sin(t), np.cos(t), 0 * t])
    first = 2 * np.arange(elements)
    nodes = np.column_stack([first, (first + 2) % count, first + 1])
    vectors = np.tile([0.0, 0.0, 1.0], (elements, 1))
    block = CurvedBeamBlock(first + 1, nodes, np.zeros(elements, int), vectors, np.zeros((elements, 3, 3)))
    supports = Supports() if closed else Supports.clamp(np.array([0]), "123456")
    return StructuralModel("arc", Nodes(np.arange(1, count + 1), points), (block,), (SECTION,), supports=supports)


def one(points, offsets=None):
    offsets = np.zeros((1, 3, 3)) if offsets is None else offsets
    block = CurvedBeamBlock(
        np.array([7]), np.array([[0, 1, 2]]), np.zeros(1, int), np.array([[0.1, 0.2, 1.0]]), offsets
    )
    return StructuralModel("one", Nodes(np.arange(1, 4), np.array(points, float)), (block,), (SECTION,))


BENT = [(0, 0, 0), (1.0, 0.4, 0.1), (0.45, 0.05, 0.1)]
ARMS = np.array([[[0.02, 0.0, 0.05], [0.0, 0.03, -0.02], [0.01, 0.02, 0.0]]])


@pytest.mark.parametrize("arms", [None, ARMS], ids=["plain", "offset"])
def test_rank_and_rigid_motion(arms):
    model = one(BENT, arms)
    values = np.linalg.eigvalsh(prepare(model, model.elements[0]).stiffness()[0])
    assert (np.abs(values) < 1e-9 * values[-1]).sum() == 6 and values[0] > -1e-9 * values[-1]


def test_constant_strains_of_a_straight_beam_are_exact():
    """Tension, twist and pure bending (u = k x² / 2): section forces EA e, GJ k, EI k at both points."""
    model = one([(0, 0, 0), (2.0, 0, 0), (1.0, 0, 0)])
    model = model.changed(elements=(model.elements[0].changed(orientation=np.array([[0.0, 1.0, 0.0]])),))
    x, s, k = model.nodes.positions[:, 0], SECTION.end_a, 1e-3
    u = np.zeros((3, 6))
    u[:, 0], u[:, 3], u[:, 1], u[:, 5], u[:, 2], u[:, 4] = k * x, k * x, k * x**2 / 2, k * x, -k * x**2 / 2, k * x
    found = prepare(model, model.elements[0]).resultants(u)
    E, G = STEEL.young, STEEL.shear
    expected = (E * s.area * k, 0.0, 0.0, G * s.torsion_constant * k, E * s.i_yy * k, E * s.i_zz * k)
    for word, value in zip(("axial force", "shear y", "shear z", "torque", "moment y", "moment z"), expected):
        assert found[word][0] == pytest.approx([value, value], rel=1e-9, abs=1e-9 * E * s.area * k)


@pytest.mark.parametrize("thin", [1.0, 0.01])
def test_quarter_circle_by_castigliano(thin):
    """Radial tip force: u = F pi / 4 (R³ / E I + R / E A + R / K G A); no locking when thin. 3e-4 with four elements."""
    section = BeamSection(1, STEEL, rectangle(0.02 * thin, 0.03 * thin), shear_y=5 / 6, shear_z=5 / 6)
    errors = []
    for count in (2, 4):
        model = assemble(arc(count).changed(sections=(section,)))
        tip = int(model.nodes.ids[-1])
        state = solve_static(model, nodal_loads(model, {tip: (10.0, 0.0, 0.0)}))
        found = model.displacements(state.displacement)[-1, 0, 0]
        a, R = section.end_a, 2.0
        EI, EA, GA = STEEL.young * a.i_yy, STEEL.young * a.area, STEEL.shear * a.area * 5 / 6
        exact = 10.0 * np.pi / 4 * (R**3 / EI + R / EA + R / GA)
        errors.append(abs(found / exact - 1.0))
    assert errors[1] < 3e-4 and errors[1] < errors[0] / 8


def test_ring_vibrates_as_love_has_it():
    """In-plane modes n = 2, 3 of a thin ring: w² = E I n² (n² - 1)² / (rho A R⁴ (n² + 1)); 24 elements, 2e-3."""
    section = BeamSection(1, STEEL, rectangle(0.01, 0.01), shear_y=5 / 6, shear_z=5 / 6)
    model = assemble(arc(24, 2 * np.pi, closed=True).changed(sections=(section,)), mass="consistent")
    found = solve_modes(model, count=8).frequencies_hz
    for n in (2, 3):
        w = np.sqrt(STEEL.young * 0.01**4 / 12 * n**2 * (n**2 - 1) ** 2 / (STEEL.density * 1e-4 * 2.0**4 * (n**2 + 1)))
        assert np.sort(np.abs(found * 2 * np.pi / w - 1.0))[1] < 2e-3  # a pair each


def test_stress_states_turn_with_a_rigid_body():
    """A beam under end loads, turned by a small w: forces turn by w x f, moments halfway; K_geo r(w) is that change."""
    model = one(BENT, ARMS)
    part = prepare(model, model.elements[0])
    rng = np.random.default_rng(4)
    u = 1e-4 * rng.normal(size=(3, 6))
    forces = (part.stiffness()[0] @ u.ravel()).reshape(3, 6)
    w = rng.normal(size=3)
    motion = np.column_stack([np.cross(w, model.nodes.positions), np.tile(w, (3, 1))])
    change = (part.geometric_stiffness(u)[0] @ motion.ravel()).reshape(3, 6)
    assert change[:, :3] == pytest.approx(np.cross(w, forces[:, :3]), abs=1e-9 * np.abs(forces).max())
    assert change[:, 3:] == pytest.approx(0.5 * np.cross(w, forces[:, 3:]), abs=1e-9 * np.abs(forces).max())


def test_prestressed_arc_agrees_with_a_chain_of_straight_beams():
    """A quarter circle pulled and twisted at its tip: first four frequencies of 12 curved and 200 straight beams, 5e-4."""
    load = (400.0, -300.0, 60.0, 5.0, 0.0, 20.0)
    curved = assemble(arc(12), mass="consistent")
    t = np.pi / 2 * np.arange(201) / 200
    points = 2.0 * np.column_stack([np.sin(t), np.cos(t), 0 * t])
    beams = beam_block([(i, i + 1) for i in range(200)], orientation=np.array([0.0, 0.0, 1.0]))
    held = Supports.clamp(np.array([0]), "123456")
    nodes = Nodes(np.arange(1, 202), points)
    chain = assemble(StructuralModel("chain", nodes, (beams,), (SECTION,), supports=held), mass="consistent")
    found = []
    for model in (curved, chain):
        state = solve_static(model, nodal_loads(model, {int(model.nodes.ids[-1]): load}))
        bare = solve_modes(model, count=4).frequencies_hz
        found.append((bare, solve_modes(prestress(model, state.displacement[:, 0]), count=4).frequencies_hz))
    (bare, stressed), (bare_chain, stressed_chain) = found
    assert bare == pytest.approx(bare_chain, rel=5e-4)
    assert stressed == pytest.approx(stressed_chain, rel=5e-4)
    assert np.abs(stressed / bare - 1.0).max() > 0.02  # the state matters


DECK = """SOL 103
CEND
SPC = 1
BEGIN BULK
EIGRL,1,,,2
MAT1,2,1.+7,,.3,.05
PBEAM3,2901,2,.1,.01,.01,0.,.02
PBEND,6901,2,.1,.01,.01,.02,10.
,,,,,,,,
,1.,1.
GRID,1,,0.,10.,0.
GRID,2,,10.,0.,0.
GRID,101,,0.,10.,5.
GRID,102,,10.,0.,5.
CBEND,6901,6901,1,2,10.,0.,0.,3
CONM2,901,2,,1.
CONM2,902,102,,1.
SPC1,1,123456,1,101
"""


def test_cbeam3_beside_cbend(tmp_path):
    """A quarter circle as one bend and as eight three-node beams, with the same tip body: 1e-4 of frequencies."""
    t = np.pi / 2 * np.arange(17) / 16
    ids = [101, *range(201, 216), 102]
    cards = [f"GRID,{n},,{10 * np.sin(a):.12f},{10 * np.cos(a):.12f},5." for n, a in zip(ids[1:-1], t[1:-1])]
    cards += [f"CBEAM3,{k + 1},2901,{ids[2 * k]},{ids[2 * k + 2]},{ids[2 * k + 1]},0.,0.,1." for k in range(8)]
    path = tmp_path / "arcs.bdf"
    path.write_text(DECK.replace(",.3,.05", ",.3,0.") + "\n".join(cards) + "\nENDDATA\n")
    found = solve_modes(assemble(read_model(path, "SI")), count=6).frequencies_hz
    assert found[0::2] == pytest.approx(found[1::2], rel=1e-4)


def test_a_beam_without_middle_point_is_straight(tmp_path):
    """CBEAM3 with two points is a two-node beam: w = F L³ / (3 E I) + F L / (K G A)."""
    path = tmp_path / "two.bdf"
    path.write_text(
        "SOL 103\nCEND\nSPC=1\nBEGIN BULK\nMAT1,2,7.+10,,.3,2700.\nPBEAM3,1,2,1.-4,1.-9,2.-9,,1.-9\nGRID,1,,0.,0.,0.\n"
        "GRID,2,,1.,0.,0.\nCBEAM3,1,1,1,2,,0.,1.,0.\nSPC1,1,123456,1\nENDDATA\n"
    )
    model = assemble(read_model(path, "SI"))
    state = solve_static(model, nodal_loads(model, {2: (0.0, 1.0, 0.0)}))
    moved = model.displacements(state.displacement)[1, 1, 0]
    assert moved == pytest.approx(1 / (3 * 7e10 * 1e-9) + 1 / (7e10 / 2.6 * 1e-4), rel=1e-9)


def test_refusals():
    with pytest.raises(ModelError, match="not between its ends"):
        model = one([(0, 0, 0), (1, 0, 0), (0.9, 0, 0)])
        prepare(model, model.elements[0]).stiffness()
    with pytest.raises(ModelError, match="orientation vector is zero or parallel"):
        model = one([(0, 0, 0), (0.1, 0.2, 1.0), (0.05, 0.1, 0.5)])
        prepare(model, model.elements[0]).stiffness()
    model = one(BENT).changed(sections=(BeamSection(1, STEEL, rectangle(0.02, 0.03)),))
    with pytest.raises(ModelError, match="shear factors above zero"):
        prepare(model, model.elements[0]).stiffness()
