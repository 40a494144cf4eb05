"""CalculiX decks that we write: read back to the same matrices, and run by ccx to our frequencies."""

import shutil

import numpy as np
import pytest
from oracles.calculix import frequencies_hz
from support.family_samples import SAMPLES, TURN
from support.second_order import second_grid
from support.surfaces import plate_section

import tisserand as ts
from tisserand.assembly import assemble
from tisserand.errors import ModelError
from tisserand.exporters.bdf_target import matrix_difference
from tisserand.exporters.registry import export_model
from tisserand.model import (
    Analysis,
    Anisotropic3D,
    BeamBlock,
    BeamSection,
    BeamStation,
    BushBlock,
    Equation,
    Isotropic,
    MembraneBlock,
    MembraneSection,
    NodalBodies,
    Nodes,
    Orthotropic2D,
    Ply,
    RigidElement,
    RodBlock,
    RodSection,
    ScalarMassBlock,
    ScalarSpringBlock,
    ShellBlock,
    SolidBlock,
    SolidSection,
    StructuralModel,
    Supports,
)
from tisserand.model.families.curved_beam import CurvedBeamBlock
from tisserand.model.laminate import laminate, solid_stiffness
from tisserand.model.shapes import shape_properties
from tisserand.modes import solve_modes
from tisserand.readers.registry import read_model

ALUMINUM = Isotropic.from_young(1, 70e9, 0.33, 2700.0)
PLY = Orthotropic2D(
    2, young_1=1.2e11, young_2=9e9, poisson_12=0.3, shear_12=5e9, shear_1z=5e9, shear_2z=3.5e9, density=1600.0
)
TETS = ((0, 1, 2, 6), (0, 2, 3, 6), (0, 3, 7, 6), (0, 7, 4, 6), (0, 4, 5, 6), (0, 5, 1, 6))
WEDGES = ((0, 1, 2, 4, 5, 6), (0, 2, 3, 4, 6, 7))
EDGES = {
    "tet10": ((0, 1), (1, 2), (2, 0), (0, 3), (1, 3), (2, 3)),
    "hex20": ((0, 1), (1, 2), (2, 3), (3, 0), (4, 5), (5, 6), (6, 7), (7, 4), (0, 4), (1, 5), (2, 6), (3, 7)),
    "wedge15": ((0, 1), (1, 2), (2, 0), (3, 4), (4, 5), (5, 3), (0, 3), (1, 4), (2, 5)),
}


def turned(points):
    return np.asarray(points, float) @ TURN.T + np.array([0.3, -0.2, 0.5])


def solid_bar(kind, integration="full", material=ALUMINUM, extra=(), **facts):
    """A bent bar of 5 x 2 x 2 cells in general position, held at one end."""
    counts, size = (5, 2, 2), (1.5, 0.4, 0.3)
    axes = [np.linspace(0, s, n + 1) for s, n in zip(size, counts)]
    points = np.stack([g.ravel() for g in np.meshgrid(*axes, indexing="ij")], axis=1)
    i, j, k = (g.ravel() for g in np.meshgrid(*(np.arange(n) for n in counts), indexing="ij"))
    corners = [(0, 0, 0), (1, 0, 0), (1, 1, 0), (0, 1, 0), (0, 0, 1), (1, 0, 1), (1, 1, 1), (0, 1, 1)]
    cells = np.stack([((i + a) * 3 + j + b) * 3 + k + c for a, b, c in corners], axis=1)
    pieces = {"tet": TETS, "wed": WEDGES, "hex": (tuple(range(8)),)}[kind[:3]]
    cells = np.vstack([cells[:, list(piece)] for piece in pieces])
    if kind in EDGES:
        pairs = np.sort(np.stack([cells[:, list(e)] for e in EDGES[kind]], axis=1).reshape(-1, 2), axis=1)
        unique, place = np.unique(pairs, axis=0, return_inverse=True)
        cells = np.hstack([cells, len(points) + place.reshape(len(cells), -1)])
        points = np.vstack([points, points[unique].mean(axis=1)])
    held = np.flatnonzero(points[:, 0] == 0.0)
    x, y, z = points.T
    bent = turned(np.stack([x + 0.05 * z * x, y + 0.03 * np.sin(3 * x), z + 0.04 * x * y], axis=1))
    block = SolidBlock(np.arange(1, len(cells) + 1), cells, np.zeros(len(cells), int), kind)
    turn = None if material is ALUMINUM else TURN
    section = SolidSection(1, material, turn, integration)
    model = StructuralModel(
        f"bar of {kind}", Nodes(np.arange(1, len(bent) + 1), bent), (block, *extra), (section,),
        supports=Supports.clamp(held, "123"),
    )  # fmt: skip
    return model.changed(**facts)


def plate(nodes, section, offset=0.0, taper=False):
    """A curved panel held at one edge."""
    count = {3: (40, 20), 4: (24, 12), 6: (12, 6), 8: (8, 4)}[nodes]
    points, cells, unit = second_grid(*count, lambda a, b: (a, 0.5 * b, 0.15 * a * a), 6 if nodes in (3, 6) else 8)
    cells = np.asarray(cells)[:, : nodes if nodes < 5 else None]
    used, rows = np.unique(cells, return_inverse=True)
    points, unit, cells = np.asarray(points)[used], np.asarray(unit)[used], rows.reshape(cells.shape)
    m = len(cells)
    ratio = (1.0 - 0.4 * unit[:, 0])[cells] if taper else None
    axis = np.tile(TURN @ np.array([1.0, 0.0, 0.0]), (m, 1))
    block = ShellBlock(np.arange(1, m + 1), cells, np.zeros(m, int), axis, np.full(m, offset), ratio)
    held = Supports.clamp(np.flatnonzero(unit[:, 0] == 0.0), "123456")
    return StructuralModel(
        "panel", Nodes(np.arange(1, len(used) + 1), turned(points)), (block,), (section,), supports=held
    )


def sheet(nodes, material=ALUMINUM):
    """A flat membrane held at one edge and kept in its plane."""
    points, cells, unit = second_grid(
        *((12, 8) if nodes == 3 else (6, 4)), lambda a, b: (a, 0.5 * b + 0.1 * a, 0.0), 6 if nodes in (3, 6) else 8
    )
    cells = np.asarray(cells)[:, : nodes if nodes < 5 else None]
    used, rows = np.unique(cells, return_inverse=True)
    points, unit, cells = np.asarray(points)[used], np.asarray(unit)[used], rows.reshape(cells.shape)
    flat = laminate(1, [Ply(material, 2e-3)])
    section = MembraneSection(1, membrane=flat.membrane, areal_mass=flat.areal_mass, thickness=2e-3)
    m, n = len(cells), len(used)
    block = MembraneBlock(np.arange(1, m + 1), cells, np.zeros(m, int), np.tile(TURN[:, 0], (m, 1)))
    fixed = np.zeros((n, 6), bool)
    fixed[:, 2], fixed[unit[:, 0] == 0.0, :3] = True, True
    axes = np.tile(TURN.T, (n, 1, 1))
    return StructuralModel(
        "sheet", Nodes(np.arange(1, n + 1), turned(points), axes), (block,), (section,),
        supports=Supports(np.arange(n), fixed),
    )  # fmt: skip


def beam_of(shape, sizes, extra=(), curved=False, elements=16):
    """A cantilever, or a quarter of a circle of beams with three nodes."""
    drawn = shape_properties(shape, sizes)
    station = BeamStation(drawn.area, drawn.i_zz, drawn.i_yy, drawn.i_yz, drawn.torsion_constant)
    section = BeamSection(1, ALUMINUM, station, shear_y=drawn.shear_y, shear_z=drawn.shear_z, outline=(shape, sizes))
    count = 2 * elements + 1 if curved else elements + 1
    s = np.linspace(0.0, 1.0, count)
    angle = 0.5 * np.pi * s
    points = np.column_stack([np.sin(angle), 1 - np.cos(angle), 0 * s]) if curved else np.outer(s, [1.0, 0.0, 0.0])
    held = Supports.clamp(np.array([0]), "123456")
    vector = np.tile(TURN[:, 2], (elements, 1))
    rows, first = np.arange(elements), np.zeros(elements, int)
    if curved:
        nodes = np.column_stack([2 * rows, 2 * rows + 2, 2 * rows + 1])
        block = CurvedBeamBlock(rows + 1, nodes, first, vector, np.zeros((elements, 3, 3)))
    else:
        nodes = np.column_stack([rows, rows + 1])
        none = np.zeros((elements, 2, 6), bool)
        block = BeamBlock(rows + 1, nodes, first, vector, np.zeros((elements, 2, 3)), none)
    return StructuralModel(
        f"{shape} beams", Nodes(np.arange(1, count + 1), turned(points)), (block, *extra), (section,), supports=held
    )


def tripod():
    """Three rods to a heavy node, whose own bending, which CalculiX has, carries nothing."""
    points = turned([(0, 0, 0), (1, 0, 0), (0, 1, 0), (0.3, 0.4, 0.9)])
    rods = RodBlock(np.arange(1, 4), np.array([(0, 3), (1, 3), (2, 3)]), np.zeros(3, int))
    mass = NodalBodies(np.array([11]), np.array([[3]]), np.array([3000.0]), np.zeros((1, 3)), np.zeros((1, 3, 3)))
    section = RodSection(1, ALUMINUM, 1e-4, nonstructural_mass=0.1)
    held = Supports.clamp(np.array([0, 1, 2]), "123")
    return StructuralModel("tripod", Nodes(np.arange(1, 5), points), (rods, mass), (section,), supports=held)


def on_springs(axes=None):
    """A free bar on springs and bushes in their own axes, with masses on two corners."""
    bar = solid_bar("hex8", "incompatible")
    n, corner = len(bar.nodes), len(bar.nodes) - 1
    springs = ScalarSpringBlock(
        np.array([101, 102, 103]), np.array([(0, -1), (8, -1), (corner, 2)]), np.array([(0, 0), (1, 0), (2, 2)]),
        np.array([3e5, 2e5, 4e5]), np.zeros(3),
    )  # fmt: skip
    along = bar.nodes.positions[corner] - bar.nodes.positions[4]
    x = along / np.linalg.norm(along)
    y = np.cross(x, np.eye(3)[np.argmin(np.abs(x))])
    y /= np.linalg.norm(y)
    own = np.array([TURN, np.stack([x, y, np.cross(x, y)])])
    stiffness = np.zeros((2, 6))
    stiffness[0, :3], stiffness[1, 0] = (1e6, 2e6, 3e6), 5e5
    places = np.array([bar.nodes.positions[20], 0.5 * (bar.nodes.positions[4] + bar.nodes.positions[corner])])
    bushes = BushBlock(
        np.array([104, 105]), np.array([(20, -1), (4, corner)]), stiffness, np.zeros((2, 6)), own, places
    )
    more = BushBlock(
        np.array([106, 107]), np.array([(40, -1), (49, -1)]), np.tile([1e6, 1e6, 2e6, 0, 0, 0], (2, 1)), np.zeros((2, 6)),
        np.array([np.eye(3), TURN]), bar.nodes.positions[[40, 49]],
    )  # fmt: skip
    masses = ScalarMassBlock(
        np.array([108, 109, 110]), np.array([(0, -1)] * 3), np.array([(0, 0), (1, 0), (2, 0)]), np.full(3, 40.0)
    )
    nodes = Nodes(bar.nodes.ids, bar.nodes.positions, None if axes is None else np.tile(axes, (n, 1, 1)))
    return bar.changed(nodes=nodes, elements=(*bar.elements, springs, bushes, more, masses), supports=Supports())


def with_rigid_end(kind="hex8"):
    """A bar whose end is rigid, led by a node with a mass beside it."""
    bar = solid_bar(kind, "incompatible")
    positions = np.vstack([bar.nodes.positions, turned([[1.8, 0.3, 0.1]])])
    leader, end = len(bar.nodes), np.arange(len(bar.nodes) - 9, len(bar.nodes))
    ties = np.array([(node, c) for node in end for c in range(3)])
    rigid = RigidElement(501, np.array([(leader, c) for c in range(6)]), ties)
    mass = NodalBodies(np.array([601]), np.array([[leader]]), np.array([300.0]), np.zeros((1, 3)), np.zeros((1, 3, 3)))
    return bar.changed(
        nodes=Nodes(np.arange(1, leader + 2), positions), elements=(*bar.elements, mass), constraints=(rigid,)
    )


def with_equations():
    """A bar with two nodes tied by equations."""
    bar = solid_bar("hex20")
    last = len(bar.nodes) - 1
    ties = tuple(Equation(700 + c, np.array([(last, c), (3, c), (5, 1)]), np.array([1.0, -0.7, 0.2])) for c in range(3))
    return bar.changed(constraints=ties)


_LAYERS = [Ply(PLY, 2e-3, 0.3), Ply(PLY, 3e-3, -0.6), Ply(ALUMINUM, 2e-3), Ply(PLY, 2e-3, 1.2)]
_STIFF = Anisotropic3D(3, solid_stiffness(ALUMINUM) * np.outer(*[np.array([1.0, 1.5, 0.8, 1.1, 0.9, 1.0])] * 2), 2700.0)
#: Name -> model and share by which frequencies may differ: the digits of ccx for elements that are the same; for those that
#: CalculiX expands into solids, the first order of thickness over length. One brick across a rectangle of 3 by 2 warps as y z
#: and so has J = A b² h² / (3 (b² + h²)), 1.18 times that of the rectangle: half of that in modes of the bend that twist.
CASES = {
    **{
        f"{kind}, {way}": (lambda kind=kind, way=way: solid_bar(kind, way), 2e-6)
        for kind, way in (
            ("tet4", "sampled"), ("tet10", "sampled"), ("wedge6", "sampled"), ("wedge15", "sampled"), ("hex8", "full"),
            ("hex20", "full"), ("hex20", "sampled"),
        )
    },
    "hex8, incompatible": (lambda: solid_bar("hex8", "incompatible"), 5e-3),
    "hex20, anisotropic": (lambda: solid_bar("hex20", material=_STIFF), 2e-6),
    "springs, bushes and masses": (on_springs, 5e-3),
    "springs in turned axes": (lambda: on_springs(TURN), 5e-3),
    "rigid end with a mass": (with_rigid_end, 5e-3),
    "equations": (with_equations, 2e-6),
    "rods": (tripod, 1e-3),
    "quadrilaterals": (lambda: plate(4, plate_section(0.01, 70e9, 0.33, 2700.0)), 0.03),
    "triangles": (lambda: plate(3, plate_section(0.08, 70e9, 0.33, 2700.0)), 0.15),
    "six-node triangles": (lambda: plate(6, plate_section(0.01, 70e9, 0.33, 2700.0), 0.004), 0.03),
    "eight-node quadrilaterals": (lambda: plate(8, plate_section(0.01, 70e9, 0.33, 2700.0), -0.003), 0.03),
    "tapered eight-node quadrilaterals": (lambda: plate(8, laminate(1, [Ply(ALUMINUM, 0.01)]), taper=True), 0.03),
    "one ply": (lambda: plate(8, laminate(1, [Ply(PLY, 0.01, 0.4)])), 0.03),
    "laminate": (lambda: plate(8, laminate(1, _LAYERS, nonstructural_mass=2.0)), 0.03),
    **{f"membrane, {n} nodes": (lambda n=n: sheet(n), 0.02) for n in (3, 4, 8)},
    "membrane of a ply": (lambda: sheet(8, PLY), 0.02),
    "rectangular beams": (lambda: beam_of("BAR", (0.03, 0.02)), 0.02),
    "round beams": (lambda: beam_of("ROD", (0.02,)), 0.02),
    "tubes": (lambda: beam_of("TUBE2", (0.02, 0.003)), 0.02),
    "boxes": (lambda: beam_of("BOX1", (0.04, 0.03, 0.003, 0.003, 0.003, 0.003)), 0.02),
    "curved beams": (lambda: beam_of("BAR", (0.03, 0.02), curved=True), 0.09),
    "beams with a tip mass": (
        lambda: beam_of(
            "BAR", (0.03, 0.02),
            (NodalBodies(np.array([99]), np.array([[16]]), np.array([5.0]), np.zeros((1, 3)), np.zeros((1, 3, 3))),),
        ), 0.02,
    ),
}  # fmt: skip


@pytest.mark.slow
@pytest.mark.skipif(shutil.which("ccx") is None, reason="CalculiX (ccx) is not installed")
@pytest.mark.parametrize("name", list(CASES))
def test_calculix_finds_our_frequencies(name, tmp_path):
    make, limit = CASES[name]
    model = make().changed(analysis=Analysis(count=6))
    export_model(model, "calculix", tmp_path / "a.inp")
    theirs = frequencies_hz((tmp_path / "a.inp").read_text(), tmp_path)[:3]
    ours = np.array(solve_modes(assemble(model, mass="consistent"), count=3).frequencies_hz)
    assert theirs == pytest.approx(ours, rel=limit)


@pytest.mark.parametrize("name", ["hex8, full", "springs in turned axes", "rigid end with a mass", "rectangular beams"])
@pytest.mark.parametrize("units", ["SI", "mm-t-s"])
def test_decks_read_back_to_the_same_matrices(name, units, tmp_path):
    model = CASES[name][0]()
    result = export_model(model, "calculix", tmp_path / "a.inp", units=units)
    again = read_model(tmp_path / "a.inp", units)
    first, second = (assemble(m, mass="consistent") for m in (again, model))
    assert matrix_difference(first, second) < 1e-8 and result.read_back_error < 1e-8
    ours, theirs = (solve_modes(m, count=3).frequencies_hz for m in (second, first))
    assert theirs == pytest.approx(ours, rel=1e-8)


@pytest.mark.parametrize("name", list(SAMPLES))
def test_every_family_is_written_or_refused_by_name(name, tmp_path):
    """A family, form or tie that CalculiX lacks is named with its elements; nothing is left out in silence."""
    model = SAMPLES[name]()
    try:
        result = export_model(model, "calculix", tmp_path / "a.inp")
    except ModelError as error:
        assert "cannot be written for CalculiX" in str(error) and error.ids
        assert list(tmp_path.iterdir()) == []
        return
    again = read_model(tmp_path / "a.inp", "SI")
    kept = {int(i) for block in model.elements if block.facts.shape != "terms" for i in block.ids}
    assert kept <= {int(i) for block in again.elements for i in block.ids}
    assert result.read_back_error <= 1e-8


def test_losses_are_stated(tmp_path):
    boom = ts.boom(2.0, ts.tube(0.05, 0.002), ts.ALUMINUM)
    losses = export_model(boom.changed(mass_recipe="lumped"), "calculix", tmp_path / "a.inp").losses
    assert [word in " ".join(losses) for word in ("recipe lumped", "third node", "into solids")] == [True] * 3


def test_a_reference_node_of_the_structure_is_refused_by_name(tmp_path):
    bar = with_rigid_end()
    led = RigidElement(502, np.array([(0, c) for c in range(6)]), np.array([(5, c) for c in range(3)]))
    with pytest.raises(ModelError, match="RBE2 502 is led by node 1, which belongs to an element"):
        export_model(bar.changed(constraints=(led,)), "calculix", tmp_path / "a.inp")
