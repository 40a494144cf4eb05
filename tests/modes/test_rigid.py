"""Rigid motions of spring-linked particles: their number, their mass and what resists them, by counting and by hand."""

import numpy as np
import pytest
from support.hand_built import bare_model

from tisserand.assembly import assemble
from tisserand.modes import solve_modes
from tisserand.modes.rigid import NOTICED, STRAIN_FREE, rigid_set, scaled_rigid_vectors
from tisserand.readers.nastran import read_nastran

POINTS = np.array([[0.0, 0.0, 0.0], [2.0, 0.0, 0.0], [0.0, 3.0, 0.0], [0.0, 0.0, 4.0], [2.0, 3.0, 4.0]])
MASSES = np.array([1.0, 2.0, 3.0, 4.0, 5.0])


def cluster(points=POINTS, masses=MASSES, shift=(0.0, 0.0, 0.0), stiffness=1e6, ground=0.0):
    """Particles linked each to each by springs along their lines; ``ground``: a spring at the first, along x."""
    points = np.asarray(points) + shift
    n = len(points)
    K = np.zeros((3 * n, 3 * n))
    for i in range(n):
        for j in range(i):
            along = points[i] - points[j]
            along = along / np.linalg.norm(along)
            k = stiffness * np.outer(along, along)
            for a, b, sign in ((i, i, 1.0), (j, j, 1.0), (i, j, -1.0), (j, i, -1.0)):
                K[3 * a : 3 * a + 3, 3 * b : 3 * b + 3] += sign * k
    K[0, 0] += ground
    return bare_model(K, np.diag(np.repeat(masses[:n], 3)), points, [0, 1, 2])


def held(model, *dofs):
    out = np.zeros(model.size, bool)
    out[list(dofs)] = True
    return out


def test_vectors_turn_about_the_middle_and_are_scaled_by_the_size():
    model = cluster(shift=(10.0, -20.0, 30.0))
    S = scaled_rigid_vectors(model)
    x = model.nodes.positions
    center, size = 0.5 * (x.min(axis=0) + x.max(axis=0)), np.linalg.norm([2.0, 3.0, 4.0])
    for axis in range(3):
        unit = np.eye(3)[axis]
        assert S[:, axis] == pytest.approx(np.tile(unit, len(x)), abs=1e-15)
        assert S[:, 3 + axis] == pytest.approx(np.cross(unit, x - center).ravel() / size, abs=1e-12)


@pytest.mark.parametrize("shift", [(0.0, 0.0, 0.0), (1e3, -2e3, 5e2)])
def test_a_free_body_has_six_with_unit_mass_and_no_strain(shift):
    model = cluster(shift=shift)
    found = rigid_set(model, held(model))
    assert found.count == 6 and found.massless.shape[1] == 0 and found.grounded == 0
    assert found.vectors.T @ (model.mass @ found.vectors) == pytest.approx(np.eye(6), abs=1e-12)
    assert np.abs(model.stiffness @ found.vectors).max() < 1e-6 and np.abs(found.rayleigh).max() < 1e-3
    assert found.stiffness.max() < 1e-13 and found.resistance < NOTICED
    # any rigid motion is a sum of them
    S = model.rigid_body_vectors
    left = S - found.vectors @ (found.vectors.T @ (model.mass @ S))
    assert np.abs(left).max() < 1e-9 * np.abs(S).max()


def test_supports_take_motions_away_one_by_one():
    model = cluster()
    for dofs, count in (
        ((0,), 5),
        ((0, 1), 4),
        ((0, 1, 2), 3),
        ((0, 1, 2, 4), 2),
        ((0, 1, 2, 4, 5), 1),
        ((0, 1, 2, 4, 5, 8), 0),
    ):
        found = rigid_set(model, held(model, *dofs))
        assert found.count == count and found.grounded == 0
        assert np.abs(found.vectors[list(dofs)]).max(initial=0.0) < 1e-14


def test_a_spring_to_ground_counts_as_grounding():
    model = cluster(ground=1e3)
    found = rigid_set(model, held(model))
    assert (found.count, found.grounded) == (5, 1)
    assert rigid_set(cluster(ground=1e-9), held(model)).count == 6  # below the round-off of its neighbors
    assert found.stiffness[0] == pytest.approx(
        1e3 / (np.sqrt((model.stiffness.data**2).sum()) * np.sqrt(5.0)), rel=1e-12
    )
    faint = rigid_set(cluster(ground=1e6 * 10 * STRAIN_FREE), held(model))
    assert (faint.count, faint.grounded) == (5, 1)
    noted = rigid_set(cluster(ground=1e6 * 0.1 * STRAIN_FREE), held(model))
    assert noted.count == 6 and NOTICED < noted.resistance < STRAIN_FREE


@pytest.mark.parametrize("scale", [1e-12, 1e-6, 1e6, 1e12])
def test_the_unit_of_stiffness_does_not_matter(scale):
    """The same body in other units of force has the same motions: what counts is the ratio to the stiffness around it."""
    model = cluster(stiffness=1e6 * scale, ground=1e3 * scale)
    found = rigid_set(model, held(model))
    assert (found.count, found.grounded) == (5, 1)
    assert found.stiffness == pytest.approx(rigid_set(cluster(ground=1e3), held(model)).stiffness, abs=1e-13)


def test_a_line_of_particles_spins_about_itself_without_mass_or_motion():
    """Particles on one line: the turn about it moves nothing, so five motions stay and none is massless."""
    points = np.outer(np.arange(4.0), [0.6, 0.8, 0.0])
    n = len(points)
    K = np.zeros((3 * n, 3 * n))
    model = bare_model(K, np.eye(3 * n), points, [0, 1, 2])
    assert rigid_set(model, held(model)).count == 5
    light = bare_model(K, np.diag(np.r_[np.zeros(9), np.ones(3)]), points, [0, 1, 2])
    found = rigid_set(light, held(light))
    assert found.count == 3 and found.massless.shape[1] == 2
    assert np.abs(light.mass @ found.massless).max() < 1e-12


@pytest.mark.parametrize(("ground", "free"), [(1.5, 1), (2.6, 0)])
def test_a_stiffness_that_no_solver_can_tell_from_zero_leaves_the_motion_free(ground, free):
    """Three masses of 1 kg, a link of 1e15 N/m: a quotient below 1e-15 of 2e15 / 3, 2 N/m over 3 kg, is noise."""
    K = np.array([[1.0 + ground, -1.0, 0.0], [-1.0, 1.0 + 1e15, -1e15], [0.0, -1e15, 1e15]])
    model = bare_model(K, np.eye(3), [[0.0, 0.0, 0.0], [1.0, 0.0, 0.0], [2.0, 0.0, 0.0]], [0])
    found = rigid_set(model, held(model))
    assert (found.count, found.grounded) == (free, 1 - free)


@pytest.mark.parametrize(("ground", "free"), [(1.5, 2), (2.6, 0)])
def test_two_such_motions_are_both_left_free(ground, free):
    """The same along x and y; the turn in their plane is held by the links across."""
    K = np.array([[1.0 + ground, -1.0, 0.0], [-1.0, 1.0 + 1e15, -1e15], [0.0, -1e15, 1e15]])
    both = np.kron(K, np.eye(2))
    model = bare_model(both, np.eye(6), [[0.0, 0.0, 0.0], [1.0, 0.0, 0.0], [2.0, 0.0, 0.0]], [0, 1])
    found = rigid_set(model, held(model))
    assert (found.count, found.grounded) == (free, 3 - free)
    assert found.vectors.T @ found.vectors == pytest.approx(np.eye(free), abs=1e-12)


@pytest.mark.parametrize("size", [1e-6, 1.0, 1e6])
@pytest.mark.parametrize(("ratio", "massless"), [(1e-12, 0), (1e-15, 1)])
def test_a_direction_without_mass_is_told_by_ratio_not_by_size(size, ratio, massless):
    """Masses along x and y of the same point: below 3e-14 of the other, whatever the units, there is none."""
    model = bare_model(np.zeros((2, 2)), size * np.diag([1.0, ratio]), [[0.0, 0.0, 0.0]], [0, 1])
    found = rigid_set(model, held(model))
    assert (found.count, found.massless.shape[1]) == (2 - massless, massless)


def test_motions_cut_short_by_automatic_holds_are_not_resisted_by_a_ground(tmp_path):
    """A skew rod: the holds of what has no stiffness leave one shift; nothing is connected to the ground."""
    path = tmp_path / "rod.bdf"
    lines = [
        "GRID,1,,0.,0.,0.,,456",
        "GRID,2,,1.,.5,.2,,456",
        "CROD,1,1,1,2",
        "PROD,1,1,1.-4",
        "MAT1,1,7.+10,,.3,2700.",
    ]
    path.write_text("\n".join(["SOL 103", "CEND", "BEGIN BULK", *lines, "ENDDATA", ""]))
    basis = solve_modes(assemble(read_nastran(path, "SI")), count=1)
    assert basis.rigid_body_modes == 1 and not any("to ground" in note for note in basis.notes)
    path.write_text(path.read_text().replace("ENDDATA", "CELAS2,9,1.+4,1,1\nENDDATA"))
    held = solve_modes(assemble(read_nastran(path, "SI")), count=1)
    assert any("to ground" in note for note in held.notes)
