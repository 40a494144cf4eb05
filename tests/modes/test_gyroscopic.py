"""Spinning bodies against closed forms and independent solutions (theory section 6, reference case 6)."""

import numpy as np
import pytest
from support.corpus import needs_corpus, reference_case

from tisserand.assembly import assemble
from tisserand.errors import InputError
from tisserand.model import (
    BeamBlock,
    BeamSection,
    BeamStation,
    BushBlock,
    Isotropic,
    NodalBodies,
    Nodes,
    StructuralModel,
    Supports,
)
from tisserand.modes.campbell import campbell
from tisserand.modes.gyroscopic import modes_of_matrices, reduced_spin_terms
from tisserand.modes.spinning import at_speed, gyroscopic_modes, spin_matrices


def random_system(seed=0, n=6):
    rng = np.random.default_rng(seed)
    A, B, C = (rng.normal(size=(n, n)) for _ in range(3))
    return A @ A.T + n * np.eye(n), B - B.T, C @ C.T + 0.5 * np.eye(n)


@pytest.mark.parametrize("seed", range(4))
def test_hermitian_form_satisfies_the_quadratic_problem(seed):
    """Every pair solves (lambda^2 M + lambda G + K) x = 0 with lambda purely imaginary."""
    M, G, K = random_system(seed)
    modes = modes_of_matrices(M, G, K)
    assert modes.hermitian and modes.stable and len(modes.eigenvalues) == len(M)
    assert np.abs(modes.eigenvalues.real).max() == 0.0
    for value, x in zip(modes.eigenvalues, modes.shapes.T):
        left = (value**2 * M + value * G + K) @ x
        assert np.linalg.norm(left) <= 1e-11 * np.linalg.norm(K @ x)


def test_general_solver_agrees_with_the_hermitian_one():
    M, G, K = random_system(3)
    one = modes_of_matrices(M, G, K)
    two = modes_of_matrices(M, G, K, damping=1e-13 * K)
    assert not two.hermitian
    assert two.eigenvalues.imag == pytest.approx(one.eigenvalues.imag, rel=1e-9)


@pytest.mark.parametrize("seed", range(3))
def test_left_and_right_vectors_are_biorthogonal(seed):
    """y^H Q(lambda) = 0 and y_i^H [(lambda_i + lambda_j) M + D + G] x_j = 0 for any D and K (S0 after Eq 118)."""
    M, G, K = random_system(seed)
    rng = np.random.default_rng(seed)
    D, K = 0.2 * rng.normal(size=M.shape), K + rng.normal(size=M.shape)
    modes = modes_of_matrices(M, G, K, D)
    assert not modes.hermitian and any("not symmetric" in note for note in modes.notes)
    for value, y in zip(modes.eigenvalues, modes.left.T):
        residual = y.conj() @ (value**2 * M + value * (G + D) + K)
        assert np.linalg.norm(residual) <= 1e-10 * np.linalg.norm(y) * np.linalg.norm(K)
    l, X, Y = modes.eigenvalues, modes.shapes, modes.left
    products = (l[:, None] + l[None]) * (Y.conj().T @ M @ X) + Y.conj().T @ (D + G) @ X
    off = products - np.diag(np.diag(products))
    assert np.abs(off).max() < 1e-9 * np.abs(np.diag(products)).min()
    plain = modes_of_matrices(M, G, random_system(seed)[2])
    assert np.array_equal(plain.left, plain.shapes)


def test_follower_force_flutters():
    """Two unit oscillators coupled by a circulatory force p: lambda² = -k +- i p, so any p makes one of them grow (Ziegler)."""
    k, p = 4.0, 0.3
    modes = modes_of_matrices(np.eye(2), np.zeros((2, 2)), np.array([[k, p], [-p, k]]))
    expected = np.sqrt(np.array([-k + 1j * p, -k - 1j * p]))
    expected = np.where(expected.imag < 0.0, -expected, expected)
    assert np.sort_complex(modes.eigenvalues) == pytest.approx(np.sort_complex(expected), rel=1e-12)
    assert not modes.stable and any("unstable" in note for note in modes.notes)


def test_proportional_damping_ratio():
    """D = 2 zeta w M for one oscillator: lambda = -zeta w +- i w sqrt(1 - zeta^2)."""
    modes = modes_of_matrices(np.eye(1), np.zeros((1, 1)), np.array([[4.0]]), np.array([[2 * 0.05 * 2.0]]))
    assert modes.damping_ratios == pytest.approx([0.05])
    assert modes.frequencies_hz == pytest.approx([2.0 * np.sqrt(1 - 0.05**2) / 2 / np.pi])


def test_particle_in_a_spinning_frame():
    """A mass on equal springs seen from a frame at Omega: |w0 +- Omega|; unequal springs diverge between the two."""
    w0, spin = 3.0, 1.0
    G = 2 * spin * np.array([[0.0, -1.0], [1.0, 0.0]])
    modes = modes_of_matrices(np.eye(2), G, (w0**2 - spin**2) * np.eye(2))
    assert modes.eigenvalues.imag == pytest.approx([w0 - spin, w0 + spin], rel=1e-13)
    fast = 4.0
    modes = modes_of_matrices(np.eye(2), 2 * fast * np.array([[0.0, -1], [1, 0]]), (w0**2 - fast**2) * np.eye(2))
    assert not modes.hermitian and modes.stable
    assert np.sort(modes.eigenvalues.imag) == pytest.approx([1.0, 7.0], rel=1e-9)
    K = np.diag([9.0, 25.0]) - 16.0 * np.eye(2)
    modes = modes_of_matrices(np.eye(2), 8.0 * np.array([[0.0, -1], [1, 0]]), K)
    assert not modes.stable and any("unstable" in note for note in modes.notes)


def beam_model(elements, direction, *, slender=1e-10, area=1e-2, mass=None):
    """Clamped Euler beam EI = rhoA = L = 1 along ``direction`` from the origin; rotary inertia is ``slender`` of rhoA L^2."""
    n = elements + 1
    axis = np.asarray(direction, float)
    positions = np.linspace(0.0, 1.0, n)[:, None] * axis
    second = slender * area
    material = Isotropic.from_young(1, 1.0 / second, 0.3, 1.0 / area)
    station = BeamStation(area=area, i_zz=second, i_yy=second, torsion_constant=second)
    rows = np.arange(elements)
    other = np.array([0.0, 0.0, 1.0]) if abs(axis[2]) < 0.9 else np.array([1.0, 0.0, 0.0])
    beams = BeamBlock(
        rows + 1,
        np.column_stack([rows, rows + 1]),
        np.zeros(elements, int),
        np.tile(other, (elements, 1)),
        np.zeros((elements, 2, 3)),
        np.zeros((elements, 2, 6), bool),
    )
    structure = StructuralModel(
        "beam",
        Nodes(np.arange(1, n + 1), positions),
        (beams,),
        (BeamSection(1, material, station),),
        materials=(material,),
        supports=Supports.clamp([0]),
    )
    return assemble(structure, mass=mass)


@pytest.mark.parametrize("gamma", [0.5, 2.0, 3.4])
def test_beam_on_the_spin_axis_splits_exactly(gamma):
    """Equal EI in both planes, no rotary inertia: rotating-frame frequencies are |w_n +- Omega| exactly."""
    model = beam_model(12, (0.0, 0.0, 1.0))
    rest = gyroscopic_modes(model, (0.0, 0.0, 0.0), count=6, stiffened=False).frequencies_hz[[0, 2, 4]] * 2 * np.pi
    modes = gyroscopic_modes(model, (0.0, 0.0, gamma), count=6, stiffened=False)
    exact = np.sort(np.concatenate([np.abs(rest - gamma), rest + gamma]))
    assert modes.hermitian
    assert modes.frequencies_hz * 2 * np.pi == pytest.approx(exact, rel=1e-7)


def test_beam_on_the_spin_axis_beyond_its_first_frequency():
    """Above w_1 K is no longer positive definite, yet the motion is stable at |w_n +- Omega|: reported as such."""
    model = beam_model(10, (0.0, 0.0, 1.0))
    modes = gyroscopic_modes(model, (0.0, 0.0, 5.0), count=4, stiffened=False)
    assert not modes.hermitian and modes.stable
    assert any("not positive definite" in note for note in modes.notes)
    assert np.sort(modes.frequencies_hz * 2 * np.pi)[:2] == pytest.approx([5 - 3.51601527, 5 + 3.51601527], rel=1e-5)


def planes(model, modes):
    """Frequencies of flap (along z) and lag (along y) modes, rad/s."""
    motion = np.abs(model.displacements(modes.shapes.real) + 1j * model.displacements(modes.shapes.imag)).max(axis=0)
    omega = modes.frequencies_hz * 2 * np.pi
    return omega[motion[2] > motion[1]], omega[motion[1] > motion[2]]


@needs_corpus
def test_flap_and_lag_of_a_rotating_beam():
    """Reference case 6: clamped beam on a hub of radius delta spun about z, flap (out of plane) and lag (in plane).

    Element tensions are constant, so frequencies converge with h^2: two meshes are extrapolated.
    """
    worst = 0.0
    meshes = [(n, beam_model(n, (1.0, 0.0, 0.0), slender=1e-9)) for n in (60, 120)]
    rows = [r for r in reference_case("case6_spinning")["flap_lag"] if r["gamma"] <= 12 and r["delta"] <= 1][:10]
    assert len(rows) >= 6
    for row in rows:
        flaps, lags = [], []
        for _, model in meshes:
            parts = spin_matrices(model, (0.0, 0.0, 1.0), about=np.array([-float(row["delta"]), 0.0, 0.0]))
            flap, lag = planes(model, at_speed(model, parts, float(row["gamma"]), count=5))
            flaps.append(flap[:2])
            lags.append(lag[:2])
        flap, lag = (v[1] + (v[1] - v[0]) / 3.0 for v in (flaps, lags))
        worst = max(worst, float(np.abs(flap / row["flap"][:2] - 1).max()))
        assert lag == pytest.approx(row["lag_no_axial_coupling"][:2], rel=1e-5)
    assert worst <= 1e-6


def test_flap_frequencies_of_the_theory_file():
    """Omega = 1: 3.68164681 on a fine mesh, and to 1e-6 (EI = rhoA = L = 1, no hub radius)."""
    model = beam_model(160, (1.0, 0.0, 0.0), slender=1e-9)
    modes = gyroscopic_modes(model, (0.0, 0.0, 1.0), count=3)
    assert modes.hermitian
    assert planes(model, modes)[0][0] == pytest.approx(3.68164681, rel=1e-6)


def test_sparse_and_dense_routes_agree():
    model = beam_model(50, (0.6, 0.0, 0.8), slender=1e-6)
    parts = spin_matrices(model, (0.3, 0.2, 1.0))
    dense = at_speed(model, parts, 2.0, count=6)
    from tisserand.modes import spinning

    limit = spinning.DENSE_DOFS
    spinning.DENSE_DOFS = 10
    try:
        sparse = at_speed(model, parts, 2.0, count=6)
    finally:
        spinning.DENSE_DOFS = limit
    assert sparse.hermitian and dense.hermitian
    assert sparse.frequencies_hz == pytest.approx(dense.frequencies_hz, rel=1e-7)


def test_campbell_branches_follow_their_shapes():
    """Beam on the axis: every branch is a straight line of slope +-1 through its frequency at rest."""
    model = beam_model(10, (0.0, 0.0, 1.0))
    rates = np.linspace(0.2, 3.0, 8)
    data = campbell(model, (0.0, 0.0, 2.0), rates, count=4, stiffened=False)
    omega = data.frequencies_hz * 2 * np.pi
    slopes = np.diff(omega, axis=0) / np.diff(rates)[:, None]
    assert np.abs(np.abs(slopes) - 1.0).max() < 1e-6
    assert np.abs(np.diff(slopes, axis=0)).max() < 1e-6
    assert set(data.rows()[0]) == {"rate_rad_s", "f1_hz", "f2_hz", "f3_hz", "f4_hz"}


def test_a_thin_disc_on_a_spinning_rod_gets_its_tilt_stiffness():
    """A thin disc spun about its own axis is stiffened in tilt by Omega^2 (I3 - I1) (theory section 2)."""
    spin, inertia, k = 7.0, np.diag([0.02, 0.02, 0.04]), 3.0
    nodes = Nodes(np.array([1]), np.zeros((1, 3)))
    body = NodalBodies(np.array([1]), np.array([[0]]), np.array([1.0]), np.zeros((1, 3)), inertia[None])
    spring = BushBlock(
        np.array([2]),
        np.array([[0, -1]]),
        np.array([[1e4, 1e4, 1e4, k, k, k]]),
        np.zeros((1, 6)),
        np.eye(3)[None],
        np.zeros((1, 3)),
    )
    model = assemble(StructuralModel("disc", nodes, (body, spring)))
    modes = gyroscopic_modes(model, (0.0, 0.0, spin), count=6, stiffened=False)
    # tilt of a symmetric disc seen from the spinning frame: I1 w^2 -+ (2 I1 - I3) Omega w - k - Omega^2 (I3 - I1) = 0
    I1, I3 = 0.02, 0.04
    expected = []
    for sign in (1.0, -1.0):
        expected += [np.abs(r) for r in np.roots([I1, sign * (2 * I1 - I3) * spin, -(k + spin**2 * (I3 - I1))])]
    got = modes.frequencies_hz * 2 * np.pi
    for value in np.unique(np.round(expected, 9)):
        assert np.abs(got - value).min() <= 1e-9 * value


def test_bad_matrices_are_refused():
    M, G, K = random_system(0)
    with pytest.raises(InputError, match="skew"):
        modes_of_matrices(M, K, K)
    with pytest.raises(InputError, match="symmetric"):
        modes_of_matrices(M + np.triu(M, 1), G, K)
    with pytest.raises(InputError, match="finite"):
        modes_of_matrices(M, G, K * np.nan)
    with pytest.raises(InputError, match="direction"):
        campbell(beam_model(2, (1.0, 0.0, 0.0)), (0.0, 0.0, 0.0), [1.0])


def test_reduced_terms_equal_the_projected_matrices():
    """Modal integrals give the same G and softening as the finite element matrices projected on the modes."""
    from tisserand.appendage.integrals.from_nodal_bodies import nodal_body_integrals
    from tisserand.statics import gyroscopic_matrix, softening_matrix

    rng = np.random.default_rng(2)
    positions = rng.normal(size=(5, 3))
    spread = rng.normal(size=(5, 3, 3)) * 0.3
    inertias = np.einsum("nij,nkj->nik", spread, spread) + 0.2 * np.eye(3)
    masses, offsets = rng.uniform(1, 2, 5), 0.2 * rng.normal(size=(5, 3))
    bodies = NodalBodies(np.arange(1, 6), np.arange(5)[:, None], masses, offsets, inertias)
    springs = BushBlock(
        np.arange(11, 16),
        np.column_stack([np.arange(5), np.full(5, -1)]),
        rng.uniform(50, 90, (5, 6)),
        np.zeros((5, 6)),
        np.tile(np.eye(3), (5, 1, 1)),
        positions,
    )
    model = assemble(StructuralModel("bodies", Nodes(np.arange(1, 6), positions), (bodies, springs)))
    shapes = rng.normal(size=(model.size, 4))
    motion = model.displacements(shapes)
    integrals = nodal_body_integrals(positions, masses, offsets, inertias, motion[:, :3], motion[:, 3:])
    rate = np.array([0.4, -0.9, 1.3])
    G, C = reduced_spin_terms(integrals.cross, integrals.inertia_second, rate, integrals.turn_second)
    assert pytest.approx(shapes.T @ (gyroscopic_matrix(model, rate) @ shapes), abs=1e-11) == G
    assert pytest.approx(shapes.T @ (softening_matrix(model, rate) @ shapes), abs=1e-11) == C


@pytest.mark.slow
@needs_corpus
def test_chordwise_modes_with_axial_coupling():
    """Reference case 6: lag coupled with stretching by the Coriolis force, L sqrt(EA / EI) = 70, to the rows' own convergence.

    The mass has no rotary inertia (as the reference); two meshes are extrapolated, since element tensions are constant.
    """
    meshes = [beam_model(n, (1.0, 0.0, 0.0), slender=1.0 / 70.0**2, mass="coupled") for n in (50, 100)]
    rows = [r for r in reference_case("case6_spinning")["chordwise_with_axial_gyroscopic"] if r["conv"] < 1e-5]
    assert len(rows) >= 7
    for row in rows:
        found = []
        for model in meshes:
            parts = spin_matrices(model, (0.0, 0.0, 1.0), about=np.array([-float(row["delta"]), 0.0, 0.0]))
            modes = at_speed(model, parts, float(row["gamma"]), count=12)
            motion = np.abs(model.displacements(modes.shapes.real) + 1j * model.displacements(modes.shapes.imag))
            size = motion.max(axis=0)
            in_plane = np.maximum(size[0], size[1]) > size[2]
            twisting = size[3] > 1e3 * size[:3].max(axis=0)
            found.append((modes.frequencies_hz * 2 * np.pi)[in_plane & ~twisting][:3])
        best = found[1] + (found[1] - found[0]) / 3.0
        assert best == pytest.approx(row["chordwise"][:3], rel=max(1e-5, 3.0 * row["conv"])), row


def test_the_bound_of_a_gyroscopic_frequency_holds_and_refuses_a_wrong_one():
    """Random M, G, K: the bound is above the true error of a disturbed pair, and far below the limit for a computed one."""
    from tisserand.modes.gyroscopic import GyroscopicModes, hermitian_errors

    rng = np.random.default_rng(11)
    for _ in range(20):
        B, C, S = (rng.standard_normal((6, 6)) for _ in range(3))
        M, K, G = B @ B.T + np.eye(6), C @ C.T + np.eye(6), S - S.T
        exact = modes_of_matrices(M, G, K)
        assert hermitian_errors(exact, M, G, K, lambda loads: np.linalg.solve(K, loads)).max() < 1e-12  # noqa: B023
        size = 10.0 ** rng.uniform(-6, -2)
        values = exact.eigenvalues * (1.0 + size * rng.uniform(-1, 1, 6))
        shapes = exact.shapes + size * rng.standard_normal((6, 6))
        moved = GyroscopicModes(values, shapes, True)
        bound = hermitian_errors(moved, M, G, K, lambda loads: np.linalg.solve(K, loads))  # noqa: B023
        for value, limit in zip(values, bound):
            assert np.abs(exact.eigenvalues / value - 1.0).min() <= limit / (1.0 - limit)


def test_errors_of_damped_spinning_modes_bound_what_round_off_does():
    """Eigenvalues known exactly: M = 1, D and K diagonal, turned by an orthogonal matrix. The bound holds, and it
    grows near critical damping, where the error grows like the square root of round-off."""
    turn = np.linalg.qr(np.random.default_rng(5).normal(size=(5, 5)))[0]
    w, z = np.array([1.0, 10.0, 1e2, 1e3, 1e4]), np.array([0.01, 0.3, 0.999999, 0.02, 0.9])
    modes = modes_of_matrices(np.eye(5), np.zeros((5, 5)), (turn * w**2) @ turn.T, (turn * (2 * z * w)) @ turn.T)
    exact = w * (-z + 1j * np.sqrt(1.0 - z * z))
    order = np.argsort(np.abs(modes.eigenvalues))
    found, bound = modes.eigenvalues[order], modes.errors[order]
    entries = np.finfo(float).eps * w[-1] ** 2 / w**2  # the given K is rounded too
    assert np.all(np.abs(found / exact - 1.0) <= 3.0 * (bound + entries / np.sqrt(1.0 - z * z)))
    assert bound[2] > 10.0 * bound[4]


def test_a_double_eigenvalue_has_the_error_of_a_double_one():
    """Critical damping: a double eigenvalue moves by the square root of round-off, about 1.5e-8 here."""
    modes = modes_of_matrices(np.eye(1), np.zeros((1, 1)), np.eye(1), np.array([[2.0]]))
    assert modes.errors is not None and modes.eigenvalues.real == pytest.approx(-1.0, abs=1e-6)
    assert 1e-8 < modes.errors.max() < 1e-6
