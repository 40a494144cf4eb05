"""TIE, tied CONTACT PAIR, couplings and MPCs: rigid motion is free, patches pass, and CalculiX finds the same frequencies."""

from __future__ import annotations

import re
import subprocess

import numpy as np
import pytest
from oracles.calculix import CCX, Deck, frequencies_hz

from tisserand.assembly import assemble
from tisserand.errors import DroppedCardsError, ReadError
from tisserand.modes import solve_modes
from tisserand.readers.abaqus import read_abaqus
from tisserand.readers.registry import read_model
from tisserand.statics import nodal_loads, solve_static

needs_ccx = pytest.mark.skipif(CCX is None, reason="CalculiX (ccx) is not installed")
STEEL = "*MATERIAL,NAME=M\n*ELASTIC\n2.1E11,.3\n*DENSITY\n7800."


def lattice(x, y, z):
    """Half-step lattice (2a+1, 2b+1, 2c+1, 3) of a box between (start, stop, cells) in each direction."""
    lines = [np.linspace(a, b, 2 * n + 1) for a, b, n in (x, y, z)]
    return np.stack(np.meshgrid(*lines, indexing="ij"), axis=-1)


def two_blocks(gap=0.0, tie="*TIE,NAME=T1", kind="C3D20", after=""):
    """A coarse block clamped at z = 0 with a finer, smaller one tied on top of it."""
    deck = Deck()
    low, high = lattice((0, 1, 2), (0, 0.8, 2), (0, 0.5, 1)), lattice((0.1, 0.9, 3), (0.1, 0.7, 3), (0.5 + gap, 1, 1))
    deck.bricks("LOW", low, "low", kind)
    deck.bricks("HIGH", high, "high", kind)
    deck.cards += [STEEL, "*SOLID SECTION,ELSET=LOW,MATERIAL=M", "*SOLID SECTION,ELSET=HIGH,MATERIAL=M"]
    deck.cards += ["*SURFACE,NAME=TOP\nLOW,S2", "*SURFACE,NAME=FOOT\nHIGH,S1", f"{tie}\nFOOT,TOP"]
    if after:
        deck.cards.append(after)
    return deck.text(deck.at(low[:, :, :1], "low"), 6)


def read(tmp_path, text, **options):
    file = tmp_path / "deck.inp"
    file.write_text(text)
    return read_model(file, units="SI", **options)


def modes_hz(model, count=6):
    return solve_modes(assemble(model, mass="consistent"), count=count).frequencies_hz


@needs_ccx
def test_tied_blocks_as_calculix(tmp_path):
    """Six frequencies of two blocks of different meshes, faces of eight nodes; tolerance 1e-6."""
    text = two_blocks()
    assert modes_hz(read(tmp_path, text)) == pytest.approx(frequencies_hz(text, tmp_path), rel=1e-6)


@needs_ccx
def test_adjusted_gap_as_calculix(tmp_path):
    """A gap of 2 mm is closed by moving the dependent nodes; tolerance 1e-6 on frequencies; the ledger tells the gap."""
    text = two_blocks(0.002, "*TIE,NAME=T1,POSITION TOLERANCE=.01")
    model = read(tmp_path, text)
    assert modes_hz(model) == pytest.approx(frequencies_hz(text, tmp_path), rel=1e-6)
    note = next(text for text in model.ledger.notes if "TIE T1" in text)
    assert "40 nodes tied, gap at most 0.002, mean 0.002" in note


@pytest.mark.parametrize("adjust", ("YES", "NO"))
@pytest.mark.parametrize("gap", (0.0, 0.004))
def test_rigid_motion_is_free(gap, adjust, tmp_path):
    """Six rigid motions store no energy, with a gap that stays or is closed: rigid-body forces below 1e-9 of the stiffness."""
    model = read(tmp_path, two_blocks(gap, f"*TIE,NAME=T1,POSITION TOLERANCE=.01,ADJUST={adjust}"))
    assembled = assemble(model)
    force = assembled.stiffness @ assembled.rigid_body_vectors
    scale = abs(assembled.stiffness) @ abs(assembled.rigid_body_vectors)
    assert (np.abs(force) <= 1e-9 * scale.max()).all()
    moved = model.nodes.positions[:, 2]
    assert (np.isclose(moved, 0.504).any()) == (gap > 0.0 and adjust == "NO")


def test_a_tied_contact_pair_is_a_tie(tmp_path):
    first = modes_hz(read(tmp_path, two_blocks()))
    contact = "*CONTACT PAIR,INTERACTION=I1,TYPE=SURFACE TO SURFACE"
    behavior = "*SURFACE INTERACTION,NAME=I1\n*SURFACE BEHAVIOR,PRESSURE-OVERCLOSURE=TIED\n1.E7\n"
    model = read(tmp_path, two_blocks(tie=contact, after=behavior))
    assert modes_hz(model) == pytest.approx(first, rel=1e-10)
    entry = next(item for item in model.ledger.entries if item.card == "*CONTACT PAIR")
    assert entry.fate == "used"


def test_nodes_out_of_reach_are_listed(tmp_path):
    """The upper block overhangs: nodes beyond the edge are not tied, and the ledger names them."""
    deck = Deck()
    low, high = lattice((0, 1, 2), (0, 1, 2), (0, 0.5, 1)), lattice((0.5, 1.5, 2), (0, 1, 2), (0.5, 1, 1))
    deck.bricks("LOW", low, "low", "C3D20")
    deck.bricks("HIGH", high, "high", "C3D20")
    deck.cards += [STEEL, "*SOLID SECTION,ELSET=LOW,MATERIAL=M", "*SOLID SECTION,ELSET=HIGH,MATERIAL=M"]
    deck.cards += ["*SURFACE,NAME=TOP\nLOW,S2", "*SURFACE,NAME=FOOT\nHIGH,S1", "*TIE,NAME=T1\nFOOT,TOP"]
    model = read(tmp_path, deck.text(deck.at(low[:, :, :1], "low"), 6))
    note = next(text for text in model.ledger.notes if "TIE T1" in text)
    beyond = {n for n in deck.at(high[:, :, :1], "high") if deck.positions[n - 1][0] > 1.1}
    assert f"{len(beyond)} nodes beyond it are not tied" in note and str(min(beyond)) in note


def test_far_surfaces_are_refused(tmp_path):
    with pytest.raises(ReadError, match=r"\*TIE: no node is tied; found the nearest is 0.3 away"):
        read(tmp_path, two_blocks(0.3))


def test_cyclic_symmetry_without_a_number_of_segments_is_refused_by_name(tmp_path):
    with pytest.raises(DroppedCardsError, match="cyclic symmetry without"):
        read(tmp_path, two_blocks(tie="*TIE,NAME=T1,CYCLIC SYMMETRY"))


SHELLS = """*NODE,NSET=ALL
{nodes}
*ELEMENT,TYPE=S4,ELSET=A
1,1,2,3,4
2,2,5,6,3
*ELEMENT,TYPE=S4,ELSET=B
3,11,12,13,14
4,14,13,16,15
*MATERIAL,NAME=M
*ELASTIC
7.E10,.3
*DENSITY
2700.
*SHELL SECTION,ELSET=A,MATERIAL=M
.01
*SHELL SECTION,ELSET=B,MATERIAL=M
.01
*SURFACE,NAME=SA
A,SPOS
*SURFACE,NAME=SB
B,E1
*TIE,NAME=T1
SB,SA
*STEP
*FREQUENCY
8
*END STEP
"""


def test_shells_are_tied_with_their_rotations(tmp_path):
    """A plate standing on another one half a thickness above its middle surface: one free body with six rigid motions."""
    points = {1: (0, 0, 0), 2: (1, 0, 0), 3: (1, 1, 0), 4: (0, 1, 0), 5: (2, 0, 0), 6: (2, 1, 0)}
    points |= {11: (0.3, 0.4, 0.005), 12: (1.6, 0.6, 0.005), 13: (1.6, 0.6, 0.5), 14: (0.3, 0.4, 0.5)}
    points |= {15: (0.3, 0.4, 1.0), 16: (1.6, 0.6, 1.0)}
    model = read(tmp_path, SHELLS.format(nodes="\n".join(f"{i},{x},{y},{z}" for i, (x, y, z) in points.items())))
    assembled = assemble(model)
    force = assembled.stiffness @ assembled.rigid_body_vectors
    assert np.abs(force).max() <= 1e-9 * abs(assembled.stiffness).max()
    found = solve_modes(assembled, count=8).frequencies_hz
    assert (found > 1.0).all()  # the rigid motions come apart from these


def block_with(cards, count=6, held=True):
    """A block clamped at z = 0 with a node 1000 above it and its upper face as a surface and a set."""
    deck = Deck()
    body = lattice((0, 1, 2), (0, 0.8, 2), (0, 1.5, 1))
    deck.bricks("LOW", body, "", "C3D20")
    top = deck.at(body[:, :, -1:])
    deck.positions += [np.array([0.4, 0.3, 1.9])]
    pilot = len(deck.positions)
    deck.cards += [STEEL, "*SOLID SECTION,ELSET=LOW,MATERIAL=M", "*SURFACE,NAME=TOP\nLOW,S2"]
    deck.cards += ["*NSET,NSET=NTOP\n" + ",\n".join(map(str, top)), cards.replace("@", str(pilot))]
    return deck, deck.text(deck.at(body[:, :, :1]) if held else [], count), top, pilot


def test_kinematic_coupling_in_cylindrical_axes(tmp_path):
    """Only the tangential motion follows a pilot: a turn about the axis moves nodes by r theta, radial motion is free."""
    cards = "*ORIENTATION,NAME=CYL,SYSTEM=CYLINDRICAL\n.4,.3,0.,.4,.3,1.\n*COUPLING,REF NODE=@,SURFACE=TOP,CONSTRAINT NAME=C,"
    _, text, top, pilot = block_with(cards + "ORIENTATION=CYL\n*KINEMATIC\n2\n")
    model = read(tmp_path, text)
    ties = [tie for tie in model.constraints if tie.card == "COUPLING KINEMATIC"]
    assert len(ties) == len(top)
    x = model.nodes.positions
    row = {int(i): k for k, i in enumerate(model.nodes.ids)}
    turn = np.array([0.0, 0.0, 0.3])
    u = np.zeros((len(x), 6))
    arm = x - x[row[pilot]]
    u[:, :3] = np.cross(turn, arm)
    radial = arm.copy()
    radial[:, 2] = 0.0
    u[:, :3] += 0.7 * radial + np.array([0.0, 0.0, 0.2])  # radial and axial motion of the followers
    u[row[pilot]] = 0.0
    u[row[pilot], 3:] = turn
    for tie in ties:
        assert tie.coefficients @ u[tie.terms[:, 0], tie.terms[:, 1]] == pytest.approx(0.0, abs=1e-12)


TURNED = "*ORIENTATION,NAME=O\n1.,1.,0.,-1.,1.,0.\n{head},ORIENTATION=O\n*KINEMATIC\n1\n"
LOCAL = {
    "cylindrical": "*ORIENTATION,NAME=O,SYSTEM=CYLINDRICAL\n.4,.3,0.,.4,.3,1.\n{head},ORIENTATION=O\n*KINEMATIC\n2\n{all}",
    "turned": TURNED + "{all}",
    "turned, free pilot": TURNED + "*BOUNDARY\n@,4,6\n",
}
HEAD = {"head": "*COUPLING,REF NODE=@,SURFACE=TOP,CONSTRAINT NAME=C", "all": "*BOUNDARY\n@,1,6\n"}


@needs_ccx
@pytest.mark.parametrize("case", LOCAL)
def test_couplings_in_local_axes_as_calculix(case, tmp_path):
    """Six frequencies of a block whose upper face follows a pilot in one local direction; tolerance 1e-6."""
    text = block_with(LOCAL[case].format(**HEAD))[1]
    assert modes_hz(read(tmp_path, text)) == pytest.approx(frequencies_hz(text, tmp_path), rel=1e-6)


def test_a_held_pilot_of_a_distributing_coupling(tmp_path):
    """The mean motion of the face, by area, is held: shapes have none, in all six components; tolerance 1e-9."""
    cards = "*COUPLING,REF NODE=@,SURFACE=TOP,CONSTRAINT NAME=C\n*DISTRIBUTING\n1,6\n*BOUNDARY\n@,1,6\n"
    _, text, top, pilot = block_with(cards)
    model = read(tmp_path, text)
    basis = solve_modes(assemble(model, mass="consistent"), count=4)
    shapes = basis.model.displacements(basis.shapes)
    rows = np.isin(model.nodes.ids, top)
    at = int(np.flatnonzero(model.nodes.ids == pilot)[0])
    arm = model.nodes.positions[rows] - model.nodes.positions[at]
    size = np.abs(shapes).max()
    share = area_shares(model.nodes.positions[rows])
    moving = np.einsum("n,nik->nik", share, shapes[rows][:, :3])
    assert np.abs(moving.sum(axis=0)).max() <= 1e-9 * size
    assert np.abs(np.cross(arm[:, :, None], moving, axis=1).sum(axis=0)).max() <= 1e-9 * size


def area_shares(x):
    """(n,): int N dA over the upper face of ``block_with``, two by two faces of eight nodes: -1/12 and 1/3 of each."""
    i, j = np.round(x[:, 0] / 0.25).astype(int), np.round(x[:, 1] / 0.2).astype(int)
    faces = np.where(i == 2, 2, 1) * np.where(j == 2, 2, 1)
    return faces * np.where((i % 2 == 0) & (j % 2 == 0), -1 / 12, 1 / 3) / 4


def static_displacements(text, pilot, load, folder):
    """(n, 3) by node id of the deck under a load (node, component, value), from CalculiX."""
    cards = "".join(f"{pilot},{component},{value}\n" for component, value in load.items())
    step = f"*STEP\n*STATIC\n*CLOAD\n{cards}*NODE PRINT,NSET=ALL\nU\n*END STEP\n"
    (folder / "static.inp").write_text(text.split("*STEP")[0] + step)
    subprocess.run([CCX, "-i", "static"], cwd=folder, check=True, capture_output=True)
    rows = re.findall(r"^\s*(\d+)\s+(\S+)\s+(\S+)\s+(\S+)\s*$", (folder / "static.dat").read_text(), re.M)
    return {int(row[0]): np.array(row[1:], float) for row in rows}


DISTRIBUTED = {
    "by surface": "*COUPLING,REF NODE=@,SURFACE=TOP,CONSTRAINT NAME=C\n*DISTRIBUTING\n1,6\n",
    "by set": "*ELEMENT,TYPE=DCOUP3D,ELSET=DC\n9001,@\n*DISTRIBUTING COUPLING,ELSET=DC\nNTOP,1.\n",
}


@needs_ccx
@pytest.mark.parametrize(
    ("kind", "load"),
    [("by surface", {1: 2e6, 3: 5e6}), ("by surface", {4: 3e6, 6: 1e6}), ("by set", {1: 2e6, 2: -1e6, 3: 5e6})],
)
def test_distributing_couplings_as_calculix(kind, load, tmp_path):
    """Forces and moments on the pilot: displacements of every node; tolerance 1e-6, as printed. A DCOUP3D takes forces alone."""
    _, text, _, pilot = block_with(DISTRIBUTED[kind])
    theirs = static_displacements(text, pilot, load, tmp_path)
    body = assemble(read(tmp_path, text))
    force = [load.get(component, 0.0) for component in range(1, 7)]
    state = solve_static(body, nodal_loads(body, {pilot: tuple(force if any(force[3:]) else force[:3])}))
    ours = body.displacements(state.displacement)[:, :3, 0]
    kept = [k for k, i in enumerate(body.nodes.ids.tolist()) if i != pilot]
    expected = np.array([theirs[int(body.nodes.ids[k])] for k in kept])
    assert np.abs(ours[kept] - expected).max() < 1e-6 * np.abs(expected).max()


def tied_above(kind):
    """The block with its upper face rigid, or with its mean rotation about z held."""
    deck, _, top, pilot = block_with("")
    last = deck.new_node([0.0, 0.0, 2.0])
    if kind == "rigid body":
        deck.cards.append(f"*RIGID BODY,NSET=NTOP,REF NODE={pilot},ROT NODE={last}")
    else:
        pieces = [str(n) for n in top for _ in range(3)]
        lines = ",\n".join(",".join(pieces[i : i + 12]) for i in range(0, len(pieces), 12))
        deck.cards.append(f"*MPC\nMEANROT,{lines},{last}\n*BOUNDARY\n{last},1,1")
    return deck.text([i for i, x in enumerate(deck.positions, 1) if x[2] == 0.0], 6)


@needs_ccx
@pytest.mark.parametrize("kind", ["rigid body", "mean rotation"])
def test_rigid_bodies_and_mean_rotations_as_calculix(kind, tmp_path):
    """Six frequencies; tolerance 1e-6, as printed."""
    text = tied_above(kind)
    assert modes_hz(read(tmp_path, text)) == pytest.approx(frequencies_hz(text, tmp_path), rel=1e-6)


def test_weights_that_fall_with_the_distance_are_refused(tmp_path):
    cards = "*COUPLING,REF NODE=@,SURFACE=TOP,CONSTRAINT NAME=C\n*DISTRIBUTING,WEIGHTING METHOD=LINEAR\n1,6\n"
    with pytest.raises(ReadError, match="weights that fall with the distance are not supported; found LINEAR"):
        read(tmp_path, block_with(cards)[1])


def test_influence_radius_of_a_coupling(tmp_path):
    """Nodes farther than the radius do not take part."""
    cards = "*COUPLING,REF NODE=@,SURFACE=TOP,CONSTRAINT NAME=C,INFLUENCE RADIUS=.6\n*KINEMATIC\n1,6\n"
    _, text, top, pilot = block_with(cards)
    model = read(tmp_path, text)
    (tie,) = model.constraints
    x = model.nodes.positions
    at = int(np.flatnonzero(model.nodes.ids == pilot)[0])
    near = {int(k) for k in np.flatnonzero(np.isin(model.nodes.ids, top)) if np.linalg.norm(x[k] - x[at]) <= 0.6}
    assert set(tie.dependent[:, 0].tolist()) == near and 0 < len(near) < len(top)


@needs_ccx
def test_a_plane_of_symmetry_through_a_tie(tmp_path):
    """Main nodes, and tied nodes on the same plane, are held alike: CalculiX with the tied nodes' boundary left out; 1e-6."""
    text = two_blocks()
    lines = text.split("*ELEMENT")[0].splitlines()[1:]
    at = {int(line.split(",")[0]): [float(word) for word in line.split(",")[1:]] for line in lines}
    plane = [n for n, (x, _, _) in at.items() if abs(x - 0.5) < 1e-9]
    tied = {n for n, (x, y, z) in at.items() if z == 0.5 and n > min(k for k, p in at.items() if p[2] > 0.5)}
    held = "*BOUNDARY\nHELD,1,3"

    def with_plane(nodes):
        return text.replace(held, f"*NSET,NSET=PLANE\n{_list(nodes)}\n{held}\nPLANE,1,1")

    model = read(tmp_path, with_plane(plane))
    assert len(model.constraints) < 3 * 40  # conditions that say nothing more are left out
    expected = frequencies_hz(with_plane([n for n in plane if n not in tied]), tmp_path)
    assert modes_hz(model) == pytest.approx(expected, rel=1e-6)


def _list(nodes):
    return ",\n".join(map(str, nodes))


def test_full_coupling_does_not_see_its_orientation(tmp_path):
    start = "*ORIENTATION,NAME=O\n1.,1.,0.,-1.,1.,0.\n*MASS,ELSET=PM\n500.\n"
    start += "*ELEMENT,TYPE=MASS,ELSET=PM\n9000,@\n*COUPLING,REF NODE=@,"
    for kind in ("*KINEMATIC\n1,6", "*DISTRIBUTING\n1,6"):
        plain = read(tmp_path, block_with(start + f"SURFACE=TOP,CONSTRAINT NAME=C\n{kind}\n")[1])
        turned = read(tmp_path, block_with(start + f"SURFACE=TOP,CONSTRAINT NAME=C,ORIENTATION=O\n{kind}\n")[1])
        assert modes_hz(turned) == pytest.approx(modes_hz(plain), rel=1e-10)


def test_distributing_coupling_of_one_rotation_in_local_axes(tmp_path):
    """A rigid turn of the followers about the local axis is the pilot's rotation about it; tolerance 1e-10."""
    cards = (
        "*ORIENTATION,NAME=O\n1.,1.,0.,-1.,1.,0.\n*COUPLING,REF NODE=@,SURFACE=TOP,CONSTRAINT NAME=C,ORIENTATION=O\n"
    )
    _, text, _, pilot = block_with(cards + "*DISTRIBUTING\n4,4\n")
    model = read(tmp_path, text)
    (tie,) = (tie for tie in model.constraints if tie.card == "COUPLING DISTRIBUTING")
    axis = np.array([1.0, 1.0, 0.0]) / np.sqrt(2.0)
    x = model.nodes.positions
    at = int(np.flatnonzero(model.nodes.ids == pilot)[0])
    for turn in (0.2 * axis, np.array([0.1, -0.3, 0.4])):
        u = np.column_stack([np.cross(turn, x - x[at]) + np.array([0.5, -0.2, 0.1]), np.tile(turn, (len(x), 1))])
        assert tie.coefficients @ u[tie.terms[:, 0], tie.terms[:, 1]] == pytest.approx(0.0, abs=1e-10)


def _written(folder, text):
    file = folder / "deck.inp"
    file.write_text(text)
    return file


def test_old_distributing_coupling(tmp_path):
    """DCOUP3D with weights: the mean motion of the set, as a COUPLING with the same weights; tolerance 1e-10."""
    mass = "*ELEMENT,TYPE=MASS,ELSET=PM\n9000,@\n*MASS,ELSET=PM\n500.\n"
    old = "*ELEMENT,TYPE=DCOUP3D,ELSET=DC\n9001,@\n*DISTRIBUTING COUPLING,ELSET=DC\nNTOP,1.\n"
    new = "*SURFACE,NAME=NODES,TYPE=NODE\nNTOP,1.\n*COUPLING,REF NODE=@,SURFACE=NODES,CONSTRAINT NAME=C\n*DISTRIBUTING\n1,6\n"
    first, second = (
        modes_hz(read_abaqus(_written(tmp_path, block_with(mass + cards)[1]), "SI", flavor="abaqus"))
        for cards in (old, new)
    )
    assert first == pytest.approx(second, rel=1e-10)


@pytest.mark.parametrize(
    ("line", "count"),
    (
        ("LINEAR,{a},{b},{c}", 3),
        ("QUADRATIC,{a},{b},{d},{c}", 3),
        ("BILINEAR,{a},{b},{c},{e},{f}", 3),
        ("LINK,{a},{b}", 1),
    ),
)
def test_mpcs_follow_linear_fields(line, count, tmp_path):
    """Interpolating MPCs hold for every linear displacement field, a link for rigid motions; tolerance 1e-12."""
    points = {1: (0.25, 0, 0), 2: (0, 0, 0), 3: (1, 0, 0), 4: (0.5, 0, 0), 5: (1, 1, 0), 6: (0, 1, 0), 7: (0.3, 0.4, 0)}
    text = "*NODE,NSET=ALL\n" + "\n".join(f"{i},{x},{y},{z}" for i, (x, y, z) in points.items())
    text += "\n*ELEMENT,TYPE=MASS,ELSET=PM\n" + "\n".join(f"{i},{i}" for i in points) + "\n*MASS,ELSET=PM\n1.\n*MPC\n"
    a = 7 if line.startswith("BILINEAR") else 1
    text += line.format(a=a, b=2, c=3, d=4, e=5, f=6) + "\n*STEP\n*FREQUENCY\n1\n*END STEP\n"
    model = read(tmp_path, text)
    assert len(model.constraints) == count
    rng = np.random.default_rng(1)
    gradient = rng.normal(size=(3, 3))
    if line.startswith("LINK"):
        gradient = gradient - gradient.T
    u = np.zeros((len(points), 6))
    u[:, :3] = model.nodes.positions @ gradient.T + rng.normal(size=3)
    for tie in model.constraints:
        assert tie.coefficients @ u[tie.terms[:, 0], tie.terms[:, 1]] == pytest.approx(0.0, abs=1e-12)


def test_mean_rotation(tmp_path):
    """The pilot turns about the direction of its coordinates by the mean angle: a rigid motion satisfies the tie; 1e-12."""
    deck, _, top, _ = block_with("")
    deck.positions += [np.array([0.0, 0.0, 2.0])]
    pilot = len(deck.positions)
    names = ",".join(f"{n},{n},{n}" for n in top)
    pieces = names.split(",")
    lines = ",\n".join(",".join(pieces[i : i + 12]) for i in range(0, len(pieces), 12))
    deck.cards.append(f"*MPC\nMEANROT,{lines},{pilot}")
    model = read(tmp_path, deck.text([1], 6))
    (tie,) = model.constraints
    u = np.zeros((len(model.nodes), 6))
    u[:, :3] = np.cross([0.5, -0.3, 0.2], model.nodes.positions) + np.array([1.0, 2.0, 3.0])
    at = int(np.flatnonzero(model.nodes.ids == pilot)[0])
    u[at, 3:] = model.nodes.axes[at] @ [0.5, -0.3, 0.2]
    assert model.nodes.axes[at][0] == pytest.approx([0.0, 0.0, 1.0])
    assert tie.coefficients @ u[tie.terms[:, 0], tie.terms[:, 1]] == pytest.approx(0.0, abs=1e-12)
    assembled = assemble(model)
    assert (
        np.abs(assembled.stiffness @ assembled.rigid_body_vectors).max() < 1e-9 * np.abs(assembled.stiffness.data).max()
    )
    assert assembled.mass_properties().mass == pytest.approx(
        assemble(read(tmp_path, block_with("")[1])).mass_properties().mass
    )


def test_unknown_mpcs_are_named(tmp_path):
    with pytest.raises(DroppedCardsError, match=r"MPC SLIDER .unsupported kind"):
        read(tmp_path, block_with("*MPC\nSLIDER,1,2,3")[1])
