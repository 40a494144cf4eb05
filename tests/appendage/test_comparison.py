"""Comparison as a release gate: renumbering passes,
a changed panel or a moved mass fails and names its modes.
"""

import dataclasses
import json

import numpy as np
import pytest
from appendage.hand_built import bodies_on_springs, dense_basis
from scipy.spatial.transform import Rotation

import tisserand as ts
from tisserand.appendage import Tolerances, combined, compare, in_frame, keep_modes, read_tolerances, reduce
from tisserand.assembly import assemble
from tisserand.errors import CaseError, InputError
from tisserand.model import NodalBodies, Nodes, ShellBlock, ShellSection, StructuralModel, Supports
from tisserand.modes import solve_modes

WIDTH, HEIGHT, THICK = 1.0, 1.5, 0.01


def panel_section(number, thickness, young=7e10, nu=0.3, rho=2700.0):
    A = young * thickness / (1 - nu**2) * np.array([[1, nu, 0], [nu, 1, 0], [0, 0, (1 - nu) / 2]])
    shear = np.eye(2) * young * thickness / (2 * (1 + nu)) * 5 / 6
    D = A * thickness**2 / 12
    return ShellSection(
        number,
        membrane=A,
        coupling=np.zeros((3, 3)),
        bending=D,
        shear=shear,
        areal_mass=rho * thickness,
        areal_first_moment=0.0,
        areal_inertia=rho * thickness**3 / 12,
        thickness=thickness,
    )


def wing(cells=(6, 9), thick=(THICK, THICK), tip_mass=2.0, mass_at=(0.25, 1.0), renumber=False):
    """Two panels as one plate clamped along its root, with a body on it;
    ``thick`` of the inner and outer panel.
    """
    nx, ny = cells
    x, y = np.meshgrid(np.linspace(0, WIDTH, nx + 1), np.linspace(0, HEIGHT, ny + 1))
    points = np.column_stack([x.ravel(), y.ravel(), np.zeros(x.size)])
    corner = (np.arange(ny)[:, None] * (nx + 1) + np.arange(nx)).ravel()
    quads = np.column_stack([corner, corner + 1, corner + nx + 2, corner + nx + 1])
    outer = points[quads].mean(axis=1)[:, 1] > HEIGHT / 2
    ids = np.arange(1, len(points) + 1)
    at = int(np.linalg.norm(points[:, :2] - [mass_at[0] * WIDTH, mass_at[1] * HEIGHT], axis=1).argmin())
    if renumber:
        order = np.random.default_rng(7).permutation(len(points))
        place = np.argsort(order)
        points, quads, at = points[order], place[quads], int(place[at])
        ids = np.random.default_rng(8).permutation(10 * len(points))[: len(points)] + 1
    shells = ShellBlock(
        np.arange(len(quads)), quads, outer.astype(int), np.tile([1.0, 0, 0], (len(quads), 1)), np.zeros(len(quads))
    )
    body = NodalBodies(
        np.array([9999]), np.array([[at]]), np.array([tip_mass]), np.array([[0.0, 0.0, 0.05]]), np.zeros((1, 3, 3))
    )
    held = np.flatnonzero(points[:, 1] == 0.0)
    structure = StructuralModel(
        "wing", Nodes(ids, points), (shells, body), (panel_section(1, thick[0]), panel_section(2, thick[1])),
        supports=Supports.clamp(held), mass_recipe="lumped",
    )  # fmt: skip
    return reduce(solve_modes(assemble(structure), count=8), reference_point=(0.0, 0.0, 0.0), damping=0.01)


@pytest.fixture(scope="module")
def reference():
    return wing()


def test_an_unchanged_copy_with_renumbered_nodes_passes(reference):
    result = compare(reference, wing(renumber=True))
    assert result.passed and result.node_rule == "nearest nodes" and result.node_distance < 1e-12
    assert min(pair.mac for pair in result.pairs) > 1.0 - 1e-6
    assert max(abs(pair.change) for pair in result.pairs) < 1e-8
    assert compare(reference, reference).node_rule == "same ids"


def test_a_thicker_panel_fails_and_names_the_modes_that_moved(reference):
    changed = wing(thick=(1.1 * THICK, THICK))
    result = compare(reference, changed)
    assert not result.passed
    moved = {pair.name_a for pair in result.pairs if abs(pair.change) > 0.005}
    assert moved and all(any(text.startswith(name) for text in result.breaches) for name in moved)
    assert any(text.startswith("mass +") for text in result.breaches)
    quiet = [pair for pair in result.pairs if pair.passed]
    assert all(not any(text.startswith(pair.name_a + " ") for text in result.breaches) for pair in quiet)


def test_a_moved_mass_fails_though_the_total_mass_is_the_same(reference):
    result = compare(reference, wing(mass_at=(0.75, 0.85)))
    assert not result.passed and result.mass_change == pytest.approx(0.0, abs=1e-12)
    assert any("mass center moved" in text for text in result.breaches)
    assert any(text.startswith("mode ") for text in result.breaches)


def test_models_on_different_meshes_are_paired_by_nearest_nodes(reference):
    coarse, finer = keep_modes(wing(cells=(12, 18)), range(5)), wing(cells=(17, 25))
    loose = Tolerances(frequency=0.03, mac=0.95, effective_mass=0.02, mass=1e-6, center=0.01, inertia=0.02)
    result = compare(coarse, finer, loose)
    assert result.node_rule == "nearest nodes" and 0.001 < result.node_distance < 0.075
    assert result.passed, result.breaches
    assert [pair.modes_b[0] for pair in result.pairs] == list(range(5))


def test_repeated_frequencies_are_compared_as_subspaces():
    """A turned pair of equal-frequency modes is the same model, though every single MAC is 1/2."""
    plain = reduce(dense_basis(bodies_on_springs(), held=(0,)))
    T = np.eye(plain.count)
    T[:2, :2] = Rotation.from_rotvec([0, 0, np.pi / 4]).as_matrix()[:2, :2]
    K = np.array(plain.stiffness)
    K[1, 1] = K[0, 0]  # make the first two frequencies equal
    equal = plain.changed(stiffness=K)
    mixed = combined(equal, T)
    result = compare(equal, mixed)
    assert result.passed
    assert result.pairs[0].modes_a == (0, 1) and result.pairs[0].mac == pytest.approx(1.0)
    assert result.mac[0, 0] < 0.9
    apart = compare(plain, combined(plain, T))
    assert not apart.passed


def test_a_changed_shape_is_seen_though_all_numbers_agree(reference):
    """Only the nodal shapes differ (one mode mixed with its neighbor):
    MAC = cos² of the angle between them.
    """
    nodes = reference.nodes
    phi = np.array(nodes.translation)
    size = np.linalg.norm(phi.reshape(-1, phi.shape[2]), axis=0)
    phi[..., 2] = phi[..., 2] / size[2] + 0.5 * phi[..., 3] / size[3]
    other = reference.changed(nodes=dataclasses.replace(nodes, translation=phi))
    result = compare(reference, other)
    assert [text.split(" (")[0] for text in result.breaches] == ["mode 3"] and "MAC" in result.breaches[0]
    assert result.pairs[2].mac == pytest.approx(0.8, abs=0.1)


def test_swapped_and_missing_modes_are_seen(reference):
    swapped = keep_modes(reference, [1, 0, *range(2, 8)])
    result = compare(reference, swapped)
    assert result.passed and result.pairs[0].modes_b == (1,)
    missing = compare(reference, keep_modes(reference, [0, 1, 3, 4, 5, 6, 7]))
    assert not missing.passed and missing.unpaired_a == (2,)
    assert any("mode 3" in text and "no partner" in text for text in missing.breaches)
    shorter = compare(reference, keep_modes(reference, range(6)))  # modes beyond the last one of b are no breach
    assert shorter.passed and shorter.unpaired_a == (6, 7)


def test_other_frames_and_damping_are_breaches(reference):
    assert any("frames differ" in text for text in compare(reference, in_frame(reference, "buckens")).breaches)
    louder = reference.changed(damping=2.0 * reference.damping)
    assert compare(reference, louder).passed
    assert not compare(reference, louder, {"damping": 0.001}).passed


def test_results_are_plain_data(reference):
    result = compare(reference, wing(thick=(1.1 * THICK, THICK)))
    text = json.dumps(result.as_dict(), allow_nan=False)
    assert json.loads(text)["passed"] is False
    assert len(result.rows()) == len(result.pairs) and "breaches" in repr(result)


def test_tolerances_from_a_file(tmp_path):
    path = tmp_path / "gate.toml"
    path.write_text('[tolerances]\nfrequency = 0.02\nmac = "off"\n')
    found = read_tolerances(path)
    assert found == dataclasses.replace(Tolerances(), frequency=0.02, mac=None)
    path.write_text("frequncy = 0.02\n")
    with pytest.raises(CaseError, match=r"gate.toml.*frequncy.*did you mean 'frequency'"):
        read_tolerances(path)
    path.write_text("frequency = -1\n")
    with pytest.raises(CaseError, match="nonnegative"):
        read_tolerances(path)
    path.write_text("frequency = \n")
    with pytest.raises(CaseError, match="TOML"):
        read_tolerances(path)


def test_models_that_do_not_lie_together_are_refused(reference):
    far = reference.changed(reference_point=np.array([50.0, 0.0, 0.0]))
    with pytest.raises(InputError, match="too few nodes"):
        compare(reference, far)


def test_mean_axis_records_are_compared_as_held_at_the_attachment():
    """Clamped, mean-axis and residual records of one boom list the same held modes, so that a comparison pairs those."""
    model = ts.boom(2.0, ts.rigidities((40.0, 90.0), 0.5), tip_mass=0.3, clamped=False)
    clamped = ts.reduce(ts.solve_modes(ts.assemble(model.with_support("root")), count=4), attachment="root")
    mean = ts.in_frame(clamped, "tisserand")
    assert np.abs(mean.frequencies_hz / clamped.frequencies_hz - 1.0).min() > 0.05
    found = compare(clamped, mean)
    assert found.boundary == "attachment" and found.breaches == ("the frames differ: connection and tisserand",)
    listed = [pair.frequency_b for pair in found.pairs]
    np.testing.assert_allclose(listed, np.sort(clamped.frequencies_hz), rtol=1e-9)
    assert compare(mean, mean).passed and compare(mean, mean).boundary == "attachment"
    free = ts.uniform_beam(1.0, 1.0, bending=1.0, ends="free-free", count=3)
    assert compare(free, free).boundary == "own frame"
