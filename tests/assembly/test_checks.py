"""Model checks: each must pass on a sound model and name the culprit on a broken one."""

from dataclasses import replace

import numpy as np
import pytest
from support.lines import STEEL, beam_block, beam_model, bodies, random_beam, rectangle, rod_model, straight
from support.surfaces import plate_section

from tisserand.assembly import assemble, check_model, element_mass_properties, find_mechanisms, mass_by_part
from tisserand.assembly.quality import shape_quality
from tisserand.errors import MechanismError, ModelError
from tisserand.model import (
    BeamSection,
    Equation,
    Isotropic,
    Nodes,
    RigidElement,
    ScalarSpringBlock,
    ShellBlock,
    SolidBlock,
    SolidSection,
    StructuralModel,
    Supports,
)
from tisserand.modes import solve_modes

SECTION = BeamSection(1, STEEL, rectangle(0.1, 0.2))
SOUND = ("rigid-body strain, rotation z", "ties carry rigid motion", "mechanisms", "mass balance", "separate parts")


def report_of(model, **options):
    return check_model(model, assemble(model), **options)


def sound_model():
    arm = RigidElement(8, [(4, c) for c in range(6)], [(5, c) for c in range(6)])
    points = np.vstack([straight(4, 2.0), [[2.0, 0.3, 0.1]]])
    block = beam_block(np.column_stack([np.arange(4), np.arange(1, 5)]))
    tip = bodies([5], 3.0, offset=[0.1, 0, 0], inertia=0.2 * np.eye(3))
    return StructuralModel(
        "sound",
        Nodes(np.arange(1, 7), points),
        (block, tip),
        (SECTION,),
        materials=(STEEL,),
        constraints=(arm,),
        supports=Supports.clamp([0]),
    )


def test_sound_model_passes_every_check():
    report = report_of(sound_model())
    assert report.passed
    assert {row.verdict for row in report.rows} == {"ok"}
    assert report.of("mass balance").value < 1e-13
    data = report.as_dict()
    assert data["passed"] is True
    assert [part["mass"] for part in data["mass"]] == pytest.approx([STEEL.density * 0.02 * 2.0, 3.0])
    assert report.mass_by_material() == pytest.approx({"1": STEEL.density * 0.04})


@pytest.mark.parametrize("recipe", ["consistent", "lumped", "particles", "bodies", "coupled"])
def test_mass_by_elements_and_by_rigid_motion_agree(recipe):
    """S'M S of the assembled model equals the sum over elements to 1e-12, ties and offsets included."""
    model = random_beam(2).changed(mass_recipe=recipe)
    model = model.changed(elements=(*model.elements, bodies([1], 2.0, [0.1, 0.2, 0.3], np.diag([1.0, 2.0, 2.5]))))
    by_elements, by_motion = element_mass_properties(model, recipe), assemble(model).mass_properties()
    assert by_elements.mass == pytest.approx(by_motion.mass, rel=1e-12)
    assert by_elements.center == pytest.approx(by_motion.center, rel=1e-12, abs=1e-12)
    assert by_elements.inertia == pytest.approx(by_motion.inertia, rel=1e-11, abs=1e-12)
    parts = mass_by_part(model, recipe)
    assert [part.kind for part in parts] == ["section", "nodal body"]
    assert parts[1].properties.inertia == pytest.approx(np.diag([1.0, 2.0, 2.5]), abs=1e-12)


def test_grounded_equation_fails_the_rigid_strain_check():
    """An MPC with coefficients that do not sum to zero ties the model to ground; the nodes are named."""
    model = sound_model().changed(constraints=(Equation(3, [(2, 2), (1, 2)], [1.0, -0.9]),))
    report = report_of(model)
    assert not report.passed
    row = report.of("rigid-body strain, translation z")
    assert row.verdict == "fail"
    assert row.value > 1e-3
    assert report.of("ties carry rigid motion").verdict == "warn"
    assert report.of("ties carry rigid motion").ids == (3,)
    assert report.of("rigid-body strain, translation x").verdict == "ok"


def test_springs_to_ground_are_told_apart_from_errors():
    spring = ScalarSpringBlock([99], [[2, -1]], [[1, 0]], [1e6], [0.0])
    model = sound_model()
    report = report_of(model.changed(elements=(*model.elements, spring)))
    row = report.of("rigid-body strain, translation y")
    assert row.verdict == "warn"
    assert "ground" in row.message
    assert 3 in row.ids


def test_unused_coincident_and_separate_nodes_are_named():
    points = np.array([[0.0, 0, 0], [1, 0, 0], [1, 0, 0], [2, 0, 0], [9, 9, 9]])
    block = beam_block([(0, 1), (2, 3)])
    model = StructuralModel("gap", Nodes([11, 12, 13, 14, 15], points), (block,), (SECTION,))
    report = report_of(model)
    assert report.of("unused nodes").ids == (15,)
    assert report.of("coincident nodes").ids == (12, 13)
    assert report.of("separate parts").value == 2
    assert report.of("separate parts").verdict == "warn"
    assert not report.passed  # twelve strain-free motions, six of them not rigid
    assert report.of("mechanisms").value == 6
    joined = model.changed(constraints=(RigidElement(1, [(1, c) for c in range(6)], [(2, c) for c in range(6)]),))
    assert report_of(joined).of("coincident nodes").verdict == "ok"
    assert report_of(joined).of("separate parts").verdict == "ok"


def test_mechanism_names_the_nodes_that_move():
    """A square of rods without a diagonal shears without strain; one diagonal cures it."""
    square = np.array([[0.0, 0, 0], [1, 0, 0], [1, 1, 0], [0, 1, 0]])
    sides = [(0, 1), (1, 2), (2, 3), (3, 0)]
    held = Supports.clamp([0, 1], "12")
    model = rod_model(square, sides, supports=held)
    row = report_of(model).of("mechanisms")
    assert row.verdict == "fail"
    assert row.value == 1
    assert set(row.ids) == {3, 4}
    assert report_of(rod_model(square, [*sides, (0, 2)], supports=held)).of("mechanisms").verdict == "ok"


def test_hinge_in_a_cantilever_is_a_mechanism():
    """Both members released in the same rotation: the outer beam swings; the loose nodal rotation is left out."""
    releases = np.zeros((3, 2, 6), bool)
    releases[1, 1, 5] = releases[2, 0, 5] = True
    model = beam_model(straight(3, 3.0), SECTION, orientation=(0, 1, 0), releases=releases)
    model = model.changed(supports=Supports.clamp([0]), auto_constrain=False)
    assembled = assemble(model)
    assert any("1 dofs at 1 nodes have neither stiffness nor mass" in note for note in assembled.notes)
    found = find_mechanisms(assembled, assembled.held())
    assert len(found) == 1
    assert found.moving_nodes(assembled)[0] == 4
    assert len(find_mechanisms(assembled, assembled.held() | (assembled.dofs.node == 3))) == 0


def test_dofs_held_for_want_of_stiffness_bind_no_rigid_motion():
    """A free flat truss: out of plane everything is held automatically, in plane three rigid motions remain."""
    square = np.array([[0.0, 0, 0], [1, 0, 0], [1, 1, 0], [0, 1, 0]])
    model = rod_model(square, [(0, 1), (1, 2), (2, 3), (3, 0), (0, 2)])
    assembled = assemble(model)
    assert assembled.held().sum() == 4
    assert len(find_mechanisms(assembled, assembled.held())) == 0
    free = assemble(model.changed(auto_constrain=False))
    assert len(find_mechanisms(free, free.held())) == 1  # four nodes out of plane, three rigid motions


def test_slender_chain_is_soft_but_no_mechanism():
    """A cantilever of 400 thin beams has a huge condition number and no mechanism."""
    thin = BeamSection(1, STEEL, rectangle(0.002, 0.002))
    model = beam_model(straight(400, 10.0), thin).changed(supports=Supports.clamp([0]))
    assert report_of(model).of("mechanisms").verdict == "ok"


def test_loose_dofs_and_wrong_units_are_warned_about():
    """A plane truss and a density of 7800e12 kg/m3 (tonnes and millimeters mixed up)."""
    model = rod_model([[0, 0, 0], [1.0, 0, 0], [0.5, 0.8, 0]], [(0, 1), (1, 2), (2, 0)])
    heavy = Isotropic.from_young(5, 2.1e5, 0.3, 7.8e15, "steel")
    model = model.changed(sections=(replace(model.sections[0], material=heavy),))
    report = report_of(model.changed(materials=(heavy,)))
    assert report.of("dofs without stiffness").value == 3
    assert report.of("unit plausibility").verdict == "fail"
    assert report.of("unit plausibility").ids == (5,)
    consistent = report_of(model.changed(materials=(heavy,), unit_system="consistent"))
    assert consistent.of("unit plausibility").verdict == "ok"
    assert "skipped" in consistent.of("unit plausibility").message


def test_shape_quality_is_one_for_ideal_shapes_and_falls_for_bad_ones():
    """Regular tetrahedron, cube, square and equilateral triangle give 1; a flattened tetrahedron nearly 0."""
    tet = np.array([[1.0, 1, 1], [-1, 1, -1], [1, -1, -1], [-1, -1, 1]])
    if np.linalg.det(tet[1:] - tet[0]) < 0:
        tet = tet[[0, 2, 1, 3]]
    cube = np.array([[0, 0, 0], [1, 0, 0], [1, 1, 0], [0, 1, 0], [0, 0, 1], [1, 0, 1], [1, 1, 1], [0, 1, 1]], float)
    wedge = np.array([[0, 0, 0], [1, 0, 0], [0.5, np.sqrt(0.75), 0], [0, 0, 1], [1, 0, 1], [0.5, np.sqrt(0.75), 1]])
    for kind, points in (("tet4", tet), ("hex8", cube), ("wedge6", wedge)):
        assert quality_of(points, kind) == pytest.approx(1.0, abs=1e-12)
    flat = tet * np.array([1, 1, 0.01])
    assert 0 < quality_of(flat, "tet4") < 0.05
    assert quality_of(cube[:4], "shell") == pytest.approx(1.0)
    assert quality_of(wedge[:3], "shell") == pytest.approx(1.0)
    assert quality_of(cube[:4] * [40.0, 1, 1], "shell") == pytest.approx(0.1)
    assert quality_of(np.array([[0, 0, 0], [1, 0, 0], [0.2, 0.2, 0], [0, 1.0, 0]]), "shell") < 0.0


def quality_of(points, kind):
    n = len(points)
    if kind == "shell":
        block, section = ShellBlock([1], [np.arange(n)], [0], [[1.0, 0, 0]], [0.0]), plate_section(0.01, 7e10, 0.3)
    else:
        block, section = SolidBlock([1], [np.arange(n)], [0], kind), SolidSection(1, STEEL)
    model = StructuralModel("one", Nodes(np.arange(1, n + 1), points), (block,), (section,))
    return float(shape_quality(model, block)[0])


def test_node_hung_obliquely_goes_along_with_rigid_motion():
    """A node on two rods in an inclined plane is loose across it; holding its nearest dof binds no rigid motion."""
    points = np.array([[0.0, 0, 0], [100, 0, 0], [0, 100, 0], [100, 100, 0], [50, 0, 50]])
    square = [(0, 1), (1, 3), (3, 2), (2, 0), (0, 3)]
    frame = beam_model(points, SECTION)
    beams = beam_block(square)
    hung = rod_model(points, [(4, 2), (4, 3)])
    model = frame.changed(
        elements=(beams, type(hung.elements[0])([91, 92], [[4, 2], [4, 3]], [1, 1])),
        sections=(SECTION, hung.sections[0]),
    )
    assembled = assemble(model)
    assert assembled.held().sum() == 1
    assert len(find_mechanisms(assembled, assembled.held())) == 0
    loose = assemble(model.changed(auto_constrain=False))
    found = find_mechanisms(loose, loose.held())
    assert len(found) == 1
    assert found.moving_nodes(loose).tolist() == [5]


def four_bar(**changes):
    """A square of rods on two held corners: three rods, four free dofs in the plane; it sways without strain."""
    square = np.array([[0.0, 0, 0], [1, 0, 0], [1, 1, 0], [0, 1, 0]])
    model = rod_model(square, [(0, 3), (3, 2), (2, 1)])
    held = np.zeros((4, 6), bool)
    held[:2, :3] = held[2:, 2] = True
    return model.changed(supports=Supports(np.arange(4), held), **changes)


@pytest.mark.parametrize("automatic", [True, False])
def test_linkage_on_held_pivots_is_a_mechanism_and_its_direction_is_reported(automatic):
    """A support holds its node in every direction that it names, also where the rod at it has no stiffness of its own; so
    the sway is no rigid-body motion.
    """
    model = four_bar(auto_constrain=automatic)
    check = report_of(model).of("mechanisms")
    assert check.verdict == "fail" and check.value == 1 and set(check.ids) == {3, 4}
    assert check.message == "1 motion without strain energy: nodes 3 (x), 4 (x)"
    with pytest.raises(MechanismError, match=r"nodes 3 \(x\), 4 \(x\)"):
        solve_modes(assemble(model), count=1)
    brace = rod_model(model.nodes.positions, [(0, 3), (3, 2), (2, 1), (0, 2)])
    braced = brace.changed(supports=model.supports, auto_constrain=automatic)
    assert report_of(braced).of("mechanisms").verdict == "ok"


def test_string_of_two_rods_without_automatic_holds_is_loose_across():
    model = rod_model(straight(2, 2.0), [(0, 1), (1, 2)])
    supports = Supports([0, 2], [[True] * 3 + [False] * 3] * 2)
    check = report_of(model.changed(supports=supports, auto_constrain=False)).of("mechanisms")
    assert check.verdict == "fail" and check.message == "2 motions without strain energy: node 2 (y, z)"
    held = report_of(model.changed(supports=supports)).of("dofs without stiffness")
    assert held.verdict == "warn" and held.message.endswith("held automatically: node 2 (y, z)")


def test_hinged_beam_tells_node_and_direction():
    """The outer half of a cantilever turns about the released axis z: it sways along y."""
    releases = np.zeros((2, 2, 6), bool)
    releases[1, 0, 5] = True
    model = beam_model(straight(2, 2.0), SECTION, orientation=(0, 1, 0), releases=releases)
    check = report_of(model.changed(supports=Supports.clamp([0]))).of("mechanisms")
    assert check.verdict == "fail" and check.message == "1 motion without strain energy: node 3 (y, rotation z)"


def test_model_without_mass_is_reported():
    light = Isotropic(1, STEEL.young, STEEL.shear, STEEL.poisson, 0.0)
    section = BeamSection(1, light, rectangle(0.1, 0.2))
    model = beam_model(straight(2, 2.0), section, orientation=(0, 1, 0)).changed(supports=Supports.clamp([0]))
    check = report_of(model).of("mass")
    assert check.verdict == "fail" and "the total mass is zero, so there are no modes" in check.message
    with pytest.raises(ModelError, match="no mass where it can move"):
        solve_modes(assemble(model), count=1)
    free = model.changed(supports=Supports())
    with pytest.raises(ModelError, match="no mass where it can move"):
        solve_modes(assemble(free), count=1)


def test_unknown_units_are_not_called_kilograms():
    model = sound_model()
    for name, unit in (("SI", "kg"), ("consistent", "mass units")):
        message = report_of(model.changed(unit_system=name)).of("mass balance").message
        assert f" {unit} by elements" in message and ("kg" in message) == (unit == "kg")


def test_the_rigid_strain_line_tells_the_value_and_the_limit_it_is_judged_by():
    from pathlib import Path

    from tisserand.readers.registry import read_model

    model = read_model(Path(__file__).parents[2] / "meshes" / "boom.bdf", units="SI")
    rows = [row for row in check_model(model, assemble(model)).rows if row.name.startswith("rigid-body strain")]
    assert len(rows) == 6
    for row in rows:
        assert row.message.startswith(f"leaves {row.value:.2g} of") and f"limit {row.limit:g}" in row.message


@pytest.mark.parametrize(
    ("ratio", "angle", "named"), [(100, 90, False), (4, 60, False), (2, 40, False), (4, 50, True), (4, 130, True)]
)
def test_long_skew_shells_are_named(ratio, angle, named):
    """Rectangles of any length pass; long and skew quads are named with what they cost."""
    c, s = np.cos(np.radians(angle)), np.sin(np.radians(angle))
    points = np.array([[0, 0, 0], [ratio, 0, 0], [ratio + c, s, 0], [c, s, 0]], float)
    block = ShellBlock([7], [[0, 1, 2, 3]], [0], [[1.0, 0, 0]], [0.0])
    model = StructuralModel("quad", Nodes([1, 2, 3, 4], points), (block,), (plate_section(0.01, 7e10, 0.3, 2700.0),))
    rows = [row for row in check_model(model, assemble(model)).rows if row.name == "long skew shells"]
    assert [row.ids for row in rows] == ([(7,)] if named else [])
    assert all(row.verdict == "warn" and "element 7" in row.message for row in rows)


@pytest.mark.parametrize(
    ("angle", "bending", "named"),
    [(90, "nastran", False), (41, "nastran", False), (39, "nastran", True), (45, "waves", False)],
)
def test_skew_shells_of_nastran_decks_are_named(angle, bending, named):
    """Below 40 degrees, of any length, with the least angle."""
    c, s = np.cos(np.radians(angle)), np.sin(np.radians(angle))
    points = np.array([[0, 0, 0], [4, 0, 0], [4 + c, s, 0], [c, s, 0]], float)
    block = ShellBlock([7], [[0, 1, 2, 3]], [0], [[1.0, 0, 0]], [0.0], bending=bending)
    model = StructuralModel("quad", Nodes([1, 2, 3, 4], points), (block,), (plate_section(0.01, 7e10, 0.3, 2700.0),))
    names = {row.name: row for row in check_model(model, assemble(model)).rows}
    assert ("skew shells" in names) == named
    assert ("long skew shells" in names) == (bending == "waves")
    assert not named or "(least 39)" in names["skew shells"].message
