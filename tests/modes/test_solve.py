"""The eigensolver against closed forms, and its proof against sabotage."""

import numpy as np
import pytest
from scipy.sparse import csr_array
from support.corpus import deck, needs_corpus, references
from support.hand_built import bare_model, beam3d, plate

from tisserand.errors import InputError, MechanismError, MissedModesError, ModelError, SolverError
from tisserand.linalg import available_backends, pencil_of
from tisserand.model import Supports
from tisserand.modes import buckens, converted, solve_modes
from tisserand.modes.lanczos import RitzSet, _left
from tisserand.modes.proof import prove
from tisserand.modes.rigid import rigid_set


def chain(n, k=1.0, m=1.0, fixed=False):
    """Equal masses and springs along x with one translation each."""
    K = np.diag(np.full(n, 2.0 * k)) - np.diag(np.full(n - 1, k), 1) - np.diag(np.full(n - 1, k), -1)
    if not fixed:
        K[0, 0] = K[-1, -1] = k
    positions = np.column_stack([np.arange(n, dtype=float), np.zeros((n, 2))])
    return bare_model(K, m * np.eye(n), positions, [0])


def lattice(n, exact=False):
    """Square lattice of n x n masses moving out of plane, edges fixed: 4 - 2 cos - 2 cos, full of repeated pairs."""
    line = np.diag(np.full(n, 2.0)) - np.diag(np.ones(n - 1), 1) - np.diag(np.ones(n - 1), -1)
    K = np.kron(line, np.eye(n)) + np.kron(np.eye(n), line)
    x, y = np.meshgrid(np.arange(n), np.arange(n), indexing="ij")
    model = bare_model(K, np.eye(n * n), np.column_stack([x.ravel(), y.ravel(), 0 * x.ravel()]), [2])
    w = 2.0 - 2.0 * np.cos(np.pi * np.arange(1, n + 1) / (n + 1))
    return model, np.sort((w[:, None] + w[None, :]).ravel())


@pytest.mark.parametrize("backend", [None, *available_backends()])
def test_repeated_pairs_are_complete_on_a_square_lattice(backend):
    """Closed form 4 - 2 cos - 2 cos: every degenerate pair appears twice, on every backend."""
    model, exact = lattice(24)
    basis = solve_modes(model, count=30, backend=backend)
    assert basis.eigenvalues == pytest.approx(exact[:30], rel=1e-10)
    assert basis.proof.missed == 0
    assert basis.shapes.T @ (model.mass @ basis.shapes) == pytest.approx(np.eye(30), abs=1e-12)


def test_modes_below_a_frequency_and_in_a_band_are_all_there():
    model, exact = lattice(24)
    hertz = np.sqrt(exact) / (2 * np.pi)
    below = solve_modes(model, fmax_hz=0.12)
    assert len(below) == (hertz < 0.12).sum()
    band = solve_modes(model, fmin_hz=0.2, fmax_hz=0.22, backend="superlu")
    inside = exact[(hertz > 0.2) & (hertz < 0.22)]
    assert band.eigenvalues == pytest.approx(inside, rel=1e-9)
    upper = solve_modes(model, fmin_hz=0.1, count=5)
    assert upper.frequencies_hz == pytest.approx(hertz[hertz > 0.1][:5], rel=1e-10)
    both = solve_modes(model, fmax_hz=0.2, count=3)
    assert both.frequencies_hz == pytest.approx(hertz[:3], rel=1e-10)
    assert len(solve_modes(model, fmax_hz=1e-3)) == 0


@pytest.mark.parametrize("elements", [12, 200])
def test_clamped_and_free_beam_frequencies(elements):
    """Euler beam: (beta L)^2 sqrt(EI / rhoA) / L^2 with beta L = 1.8751.., 4.6941.. and 4.7300.., 7.8532.."""
    beam = beam3d(elements, EI=(3.0, 5.0))
    scale = np.sqrt(3.0 / 1.5) / 4.0 / (2 * np.pi)
    clamped = solve_modes(beam, count=2).frequencies_hz
    stiff = np.sqrt(5.0 / 3.0)
    assert clamped == pytest.approx(1.875104068711961**2 * scale * np.array([1.0, stiff]), rel=2e-6)
    free = solve_modes(beam, count=2, free=True)
    assert free.frequencies_hz == pytest.approx(4.730040744862704**2 * scale * np.array([1.0, stiff]), rel=2e-5)
    assert free.rigid_body_modes == 6
    assert max(free.proof.rigid_stiffness) < 1e-10
    assert free.proof.counted == 8


@pytest.mark.parametrize("elements", [20, 150])
def test_massless_rotations_add_no_modes(elements):
    """Lumped mass leaves M singular; each translation carries one mode, and the spin about the line none."""
    beam = beam3d(elements, EI=(3.0, 3.5), lumped=True)
    free = solve_modes(beam, count=10, free=True)
    assert free.rigid_body_modes == 5
    if elements == 20:
        everything = solve_modes(beam, fmax_hz=1e6, free=True)
        assert len(everything) == 3 * (elements + 1) - 5
        more = solve_modes(beam, count=3 * (elements + 1) - 4, free=True)
        assert len(more) == len(everything) and f"the structure has {len(everything)}" in more.notes[-1]


def test_partial_supports_leave_their_own_rigid_motions():
    """A beam hinged at one node keeps three rotations; held against y alone it keeps five motions."""
    beam = beam3d(20, EI=(3.0, 5.0))
    hinged = solve_modes(beam, supports=Supports.clamp([0], "123"), count=6)
    assert hinged.rigid_body_modes == 3
    # pinned-free beam: beta L = 3.9266023..
    scale = np.sqrt(3.0 / 1.5) / 4.0 / (2 * np.pi)
    assert hinged.frequencies_hz[0] == pytest.approx(3.92660231204792**2 * scale, rel=1e-5)
    assert hinged.frame.name == "connection" and hinged.frame_residuals.max() < 1e-12
    assert solve_modes(beam, supports=Supports.clamp([3], "2"), count=3).rigid_body_modes == 5


def test_scalar_chain_has_one_rigid_motion_and_the_known_spectrum():
    """Free chain: omega^2 = 4 sin^2(j pi / 2n), the zero mode from geometry."""
    n = 30
    model = chain(n)
    basis = solve_modes(model, count=n - 1)
    assert basis.rigid_body_modes == 1
    assert basis.eigenvalues == pytest.approx(4 * np.sin(np.arange(1, n) * np.pi / (2 * n)) ** 2, rel=1e-9)


def test_soft_springs_to_ground_are_not_taken_for_rigid_motions():
    """A body on springs a million times softer than itself moves at sqrt(k/m), and is reported as grounded."""
    K = chain(10, k=1e6).stiffness.toarray()
    K[0, 0] += 1.0
    model = bare_model(K, np.eye(10), np.column_stack([np.arange(10.0), np.zeros((10, 2))]), [0])
    basis = solve_modes(model, count=3)
    assert basis.rigid_body_modes == 0
    assert basis.eigenvalues[0] == pytest.approx(0.1, rel=1e-5)
    assert any("ground" in note for note in basis.notes)


def test_a_deleted_mode_makes_the_proof_fail():
    """Sabotage: a converged mode is taken away (also one of a repeated pair); the Sturm count must notice."""
    model, exact = lattice(12)
    pencil = pencil_of(model.stiffness, model.mass)
    rigid = rigid_set(model, np.zeros(model.size, bool))
    basis = solve_modes(model, count=11)
    shift = 0.5 * (exact[10] + exact[11])
    counted = int((exact < shift).sum())
    values, shapes, fine = basis.eigenvalues, basis.shapes, np.zeros(11)
    prove(pencil, values, shapes, rigid, errors=fine, digits=fine, shift=shift, counted=counted)
    for gone in (0, 2, 5):
        keep = np.arange(11) != gone
        with pytest.raises(MissedModesError, match="1 modes were missed"):
            prove(
                pencil,
                values[keep],
                shapes[:, keep],
                rigid,
                errors=fine[keep],
                digits=fine[keep],
                shift=shift,
                counted=counted,
            )


def test_a_solver_that_loses_a_mode_is_caught(monkeypatch):
    """The whole route: a pair that the iteration loses once is found by the count and searched for; one that it never returns
    leads to an error, not to a result.
    """
    import tisserand.modes.eigen as eigen

    whole, lost = eigen.lanczos, []

    def careless(always):
        def run(*args, **kwargs):
            ritz = whole(*args, **kwargs)
            keep = np.arange(len(ritz.theta)) != (2 if always or not lost else -1)
            lost.append(keep.all())
            return RitzSet(ritz.theta[keep], ritz.vectors[:, keep], ritz.errors[keep], ritz.solves)

        return run

    model, exact = lattice(24)
    monkeypatch.setattr(eigen, "lanczos", careless(False))
    assert solve_modes(model, count=8, backend="superlu").eigenvalues == pytest.approx(exact[:8], rel=1e-9)
    assert lost[0] == False and len(lost) > 1  # noqa: E712

    def blind(*args, **kwargs):
        ritz = whole(*args, **kwargs)
        keep = np.abs(ritz.theta / ritz.theta.max() - 1.0) > 1e-6  # never the modes nearest to the shift
        return RitzSet(ritz.theta[keep], ritz.vectors[:, keep], ritz.errors[keep], ritz.solves)

    monkeypatch.setattr(eigen, "lanczos", blind)
    with pytest.raises(SolverError):
        solve_modes(model, count=8, backend="superlu")


def test_mechanisms_are_named_or_kept():
    """Two unconnected pieces: the second piece's motion against the first is a mechanism, not a rigid mode."""
    K = np.zeros((6, 6))
    for a, b in ((0, 1), (1, 2), (3, 4), (4, 5)):
        K[np.ix_([a, b], [a, b])] += np.array([[1.0, -1.0], [-1.0, 1.0]])
    model = bare_model(
        K, np.diag([5.0, 5.0, 5.0, 1.0, 1.0, 1.0]), np.column_stack([np.arange(6.0), np.zeros((6, 2))]), [0]
    )
    with pytest.raises(MechanismError) as caught:
        solve_modes(model, count=2)
    assert set(caught.value.nodes) >= {4, 5, 6}
    kept = solve_modes(model, count=2, allow_mechanisms=True)
    assert kept.rigid_body_modes == 1
    assert kept.kinds == ("mechanism", "elastic", "elastic")
    assert kept.labels == ("mechanism 1", "mode 1", "mode 2")
    assert kept.eigenvalues == pytest.approx([0.0, 0.2, 0.6], abs=1e-9)


@pytest.mark.parametrize("backend", [None, "superlu"])
def test_massless_mechanisms_are_found(backend):
    """A massless dof without stiffness in an oblique direction makes K and M share a null vector."""
    K = np.array([[2.0, -1, 0, 0], [-1, 1, 0, 0], [0, 0, 1.0, -1.0], [0, 0, -1.0, 1.0]])
    model = bare_model(K, np.diag([1.0, 1, 0, 0]), np.column_stack([np.arange(4.0), np.zeros((4, 2))]), [3])
    with pytest.raises(MechanismError) as caught:
        solve_modes(model, count=2, backend=backend)
    assert set(caught.value.nodes) == {3, 4}
    kept = solve_modes(model, count=2, backend=backend, allow_mechanisms=True)
    assert kept.eigenvalues == pytest.approx(np.linalg.eigvalsh(K[:2, :2]), rel=1e-10)


def test_results_repeat_bit_for_bit_and_do_not_depend_on_the_seed():
    """Fixed start and reduction order: equal bits; another seed: the same signs and cluster orientation."""
    model, _ = lattice(22)
    one, two = (solve_modes(model, count=12, backend="superlu") for _ in range(2))
    assert np.array_equal(one.shapes, two.shapes)
    other = solve_modes(model, count=12, backend="superlu", seed=7)
    assert other.shapes == pytest.approx(one.shapes, abs=1e-6)


def test_unit_maximum_normalization():
    beam = beam3d(10, EI=(3.0, 5.0))
    basis = solve_modes(beam, count=4, normalization="max")
    motion = np.abs(beam.displacements(basis.shapes))[:, :3].max(axis=(0, 1))
    assert motion == pytest.approx(np.ones(4))


def test_a_request_that_cuts_a_pair_says_so():
    model, exact = lattice(10)
    basis = solve_modes(model, count=2)
    assert basis.eigenvalues == pytest.approx(exact[:2], rel=1e-10)
    assert any("cluster" in note for note in basis.notes)


def test_an_unstable_state_is_refused():
    K = np.diag([1.0, -0.5, 2.0])
    model = bare_model(K, np.eye(3), np.column_stack([np.arange(3.0), np.zeros((3, 2))]), [0])
    with pytest.raises(SolverError, match="unstable"):
        solve_modes(model, count=1)


def test_bad_requests_are_refused():
    beam = beam3d(4)
    every = solve_modes(beam, count=1000)
    assert 0 < len(every.frequencies_hz) < 1000 and "1000 modes were requested" in every.notes[-1]
    with pytest.raises(InputError, match="every dof is supported"):
        solve_modes(beam, count=1, supports=Supports.clamp(list(range(5))))
    with pytest.raises(InputError, match="fmin"):
        solve_modes(beam, fmin_hz=5.0, fmax_hz=1.0)
    with pytest.raises(InputError, match="positive"):
        solve_modes(beam, count=0)
    with pytest.raises(InputError, match="normalization"):
        solve_modes(beam, count=1, normalization="energy")
    broken = csr_array(np.diag([np.nan, 1.0]))
    with pytest.raises(ModelError, match="not finite"):
        bare_model(broken, np.eye(2), [[0, 0, 0], [1, 0, 0]], [0])
    with pytest.raises(ModelError, match="not finite"):
        pencil_of(broken, csr_array(np.eye(2)))


def test_an_iteration_that_stops_says_what_is_left():
    """Never "7 of 7 modes" of an iteration that did not converge."""
    assert _left(5, 7) == "5 of 7 modes" and "7 of 7" not in _left(7, 7) and "end of the range" in _left(7, 7)


def test_free_modes_satisfy_the_mean_axis_rows_and_conversion_is_null():
    """S0 II-A-2-k: free eigenvectors have no momentum, so converting them to the Buckens frame changes nothing."""
    beam = beam3d(15, EI=(3.0, 5.0))
    basis = solve_modes(beam, count=8, free=True)
    assert basis.frame.name == "buckens"
    assert basis.frame_residuals.max() < 1e-12
    again = converted(basis, buckens(beam))
    assert np.abs(again.shapes - basis.shapes).max() < 1e-12 * np.abs(basis.shapes).max()


def test_free_bodies_without_positions_get_their_rigid_motions_from_the_null_space():
    """Bare matrices: the same free beam with and without positions has the same spectrum and six rigid motions."""
    from dataclasses import replace

    beam = beam3d(15, EI=(3.0, 5.0))
    known = solve_modes(beam, count=6, free=True)
    blind = solve_modes(replace(beam, rigid_body_vectors=np.zeros((beam.size, 6))), count=6, free=True)
    assert blind.rigid_body_modes == 6 and blind.proof.counted == 12
    assert blind.frequencies_hz == pytest.approx(known.frequencies_hz, rel=1e-8)
    assert known.proof.rigid_from == "geometry" and blind.proof.rigid_from == "null space"
    assert max(blind.proof.rigid_stiffness) < 1e-10
    assert any("null space" in note for note in blind.notes)
    assert blind.frame.name == "buckens" and blind.frame_residuals.max() < 1e-9


def test_a_seventh_null_motion_without_positions_is_a_mechanism():
    """Seven separate bodies on a line: one null motion each, more than a rigid body can have."""
    from dataclasses import replace

    K = np.kron(np.eye(7), np.array([[1.0, -1.0], [-1.0, 1.0]]))
    model = bare_model(K, np.eye(14), np.column_stack([np.arange(14.0), np.zeros((14, 2))]), [0])
    blind = replace(model, rigid_body_vectors=np.zeros((14, 6)))
    with pytest.raises(MechanismError):
        solve_modes(blind, count=2)


@needs_corpus
def test_matrices_of_a_solid_block_need_no_geometry():
    """Matrices of a free C3D10 block without its mesh: six rigid motions and the modes of the corpus reference."""
    from tisserand.readers.matrices import read_matrices

    matrices = read_matrices(deck("blockC3D10").with_name("blockC3D10_STIF1.mtx"), "consistent")
    basis = solve_modes(matrices, count=10, free=True)
    assert basis.rigid_body_modes == 6 and basis.proof.rigid_from == "null space"
    expected = references()["blockC3D10"]["freqs_hz"][6:12]
    assert basis.frequencies_hz[: len(expected)] == pytest.approx(expected, rel=5e-8)


@needs_corpus
def test_a_superelement_with_a_noisy_singular_mass_has_the_same_modes_on_both_routes():
    """An external superelement whose written mass is indefinite in its last digits."""
    from tisserand.readers.matrices import read_matrices

    folder = deck("blockC3D10").parents[6] / "pyyeti" / "pyyeti" / "tests" / "nas2cam_extseout"
    matrices = read_matrices(folder / "inboard.op4", "consistent")
    dense, sparse = (solve_modes(matrices, count=10, free=True, backend=name) for name in (None, "superlu"))
    assert dense.proof.backend == "dense" and dense.rigid_body_modes == sparse.rigid_body_modes == 6
    assert dense.frequencies_hz == pytest.approx(sparse.frequencies_hz, rel=1e-7)


def test_an_indefinite_mass_is_refused_in_words():
    from tisserand.modes.dense_pencil import projected

    with pytest.raises(SolverError, match="negative kinetic energy"):
        projected(np.eye(2), np.diag([1.0, -0.1]))


@pytest.mark.parametrize("size", [30, 1200])
@pytest.mark.parametrize("count", [1, 3, 20])
@pytest.mark.parametrize(("own", "beside"), [(-1e-7, 0.0), (-50.0, 0.0), (1.0, 1.01)])
def test_an_indefinite_mass_is_refused_however_many_modes_are_requested(size, count, own, beside):
    """A chain with one mass below zero, or one coupling above its masses; with 0.99 there it has modes."""
    from scipy.sparse import diags_array

    K = csr_array(
        diags_array([np.full(size - 1, -1.0), np.full(size, 2.0), np.full(size - 1, -1.0)], offsets=[-1, 0, 1])
    )
    places = np.column_stack([np.arange(float(size)), np.zeros((size, 2))])

    def chain(diagonal, coupling):
        M = np.eye(size)
        M[7, 7], M[7, 8], M[8, 7] = diagonal, coupling, coupling
        return bare_model(K, csr_array(M), places, [0])

    with pytest.raises(SolverError, match="negative kinetic energy"):
        solve_modes(chain(own, beside), count=count)
    assert len(solve_modes(chain(1.0, 0.99), count=count).frequencies_hz) == count


def test_uneven_blocks_survive_a_restart():
    """A dish of 2304 nodes and fifteen modes: blocks that lose a direction must still leave one to restart from."""
    from pathlib import Path

    from tisserand.assembly import assemble
    from tisserand.readers.registry import read_model

    dish = assemble(read_model(Path(__file__).parents[2] / "meshes" / "dish.bdf", units="SI"))
    assert solve_modes(dish, count=15, allow_mechanisms=True).proof.missed == 0


@pytest.mark.parametrize("wanted", [4, 13])
def test_one_factor_above_the_modes_gives_the_same_as_two(wanted, monkeypatch):
    """A large model on SuperLU: a guessed shift, one factorization, and the closed-form spectrum with its repeated pairs."""
    import tisserand.modes.eigen as eigen
    import tisserand.modes.solve as solve

    monkeypatch.setattr(solve, "ONE_FACTOR_ABOVE", 1000)
    made = []
    whole = eigen.Eigenproblem._factor_at

    def counted(self, shift):
        if self._shift != shift:
            made.append(shift)
        return whole(self, shift)

    monkeypatch.setattr(eigen.Eigenproblem, "_factor_at", counted)
    model, exact = plate(70)
    basis = solve_modes(model, count=wanted, backend="superlu")
    assert basis.eigenvalues == pytest.approx(exact[:wanted], rel=1e-10)
    assert basis.proof.missed == 0 and basis.proof.counted == (exact < made[-1]).sum()
    assert made[0] > 0.0
    made.clear()
    limit = float(np.sqrt(0.5 * (exact[wanted] + exact[wanted + 4]))) / (2 * np.pi)
    below = solve_modes(model, fmax_hz=limit, backend="superlu")
    assert len(below) == (np.sqrt(exact) < 2 * np.pi * limit).sum() and len(made) == 1


def test_a_bad_guess_costs_time_and_nothing_else(monkeypatch):
    """Far too low, far too high, and on an eigenvalue: the modes are the same."""
    import tisserand.modes.solve as solve

    monkeypatch.setattr(solve, "ONE_FACTOR_ABOVE", 100)
    model, exact = plate(40)
    for value in (1e-9, 0.5 * exact[0], exact[5], 4.0, 100.0):
        monkeypatch.setattr(solve, "guessed_eigenvalue", lambda *_, value=value: value)
        basis = solve_modes(model, count=7, backend="superlu")
        assert basis.eigenvalues == pytest.approx(exact[:7], rel=1e-9)


def test_a_high_frequency_limit_costs_the_lowest_mode_no_digits():
    """Euler beam, modes up to 2000 times the first: one factor at the top would blur it, so it is found from below."""
    beam = beam3d(150, EI=(3.0, 5.0))
    first = solve_modes(beam, count=2).frequencies_hz
    everything = solve_modes(beam, fmax_hz=2000.0 * first[0])
    assert len(everything) > 40
    assert everything.frequencies_hz[:2] == pytest.approx(first, rel=1e-9)


def zigzag(n):
    """n rods in a free plane zigzag of hinges: 2 n + 2 dofs and n strained rods leave 3 rigid motions and n - 1 mechanisms."""
    places = np.column_stack([np.arange(n + 1.0), np.arange(n + 1) % 2, np.zeros(n + 1)])
    K = np.zeros((2 * n + 2, 2 * n + 2))
    for i, along in enumerate(np.diff(places[:, :2], axis=0) / np.sqrt(2.0)):
        stretch = np.concatenate([-along, along])
        K[2 * i : 2 * i + 4, 2 * i : 2 * i + 4] += 1e7 * np.outer(stretch, stretch)
    return bare_model(K, np.eye(2 * n + 2), places, [0, 1])


def test_mechanisms_are_proven_against_the_round_off_of_their_forces():
    """K x of a mechanism is round-off: a residual relative to itself would be of order one, relative to |K||x| it is tiny."""
    basis = solve_modes(zigzag(11), count=3, allow_mechanisms=True)
    assert basis.kinds == ("mechanism",) * 10 + ("elastic",) * 3 and basis.rigid_body_modes == 3
    assert basis.proof.worst_residual < 1e-7


def test_a_mechanism_that_is_none_fails_the_proof():
    """The other scale is no loophole: an elastic shape that is called strain-free is refused."""
    model = chain(30, fixed=True)
    basis = solve_modes(model, count=4)
    pencil = pencil_of(model.stiffness, model.mass, np.ones(30, bool), model.dofs.node)
    rigid = rigid_set(model, np.zeros(30, bool))
    shift = 1.001 * basis.eigenvalues[-1]
    arguments = (pencil, basis.eigenvalues, basis.shapes, rigid)
    fine = {"errors": np.zeros(4), "digits": np.zeros(4), "shift": shift, "counted": 4}
    assert prove(*arguments, **fine).missed == 0
    with pytest.raises(SolverError, match="identified as strain-free has strain"):
        prove(*arguments, **fine, zero=np.array([True, False, False, False]))


@pytest.mark.parametrize(("rods", "told"), [(11, "10 motions"), (25, "24 motions"), (250, "249 motions")])
def test_refused_mechanisms_are_counted_whatever_number_of_modes_was_asked_for(rods, told):
    for count in (1, 3, 8):
        with pytest.raises(MechanismError, match=told):
            solve_modes(zigzag(rods), count=count)
