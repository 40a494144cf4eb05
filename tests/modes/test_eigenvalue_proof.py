"""A wrong eigenvalue never passes: generated models with contrasts of many powers of ten, against exact rational counts.

The oracle is Sylvester's law of inertia in fractions, which rounds nothing and shares no code with the package: a frequency
must lie within 1e-6 of the true one of the springs, beams and masses as stated (2e-6 of the eigenvalue). Where the matrices
have lost more digits than that and nothing else is known, a note must state how many are left, and the frequency must have them;
or the solver must refuse in words.
"""

from fractions import Fraction

import numpy as np
import pytest
from support.exact_counts import as_floats, bending_beam, misplaced, spring_network
from support.hand_built import bare_model, beam3d

from tisserand.assembly import assemble, find_mechanisms
from tisserand.errors import MechanismError, NotConvergedError, SolverError, TisserandError
from tisserand.linalg import pencil_of
from tisserand.modes import solve_modes
from tisserand.modes.eigenvalue_bounds import EIGENVALUE_LIMIT, data_errors, fine_residuals
from tisserand.modes.proof import prove
from tisserand.modes.rigid import rigid_set
from tisserand.readers.nastran import read_nastran

ROUTES = [None, "superlu"]


def on_a_line(K, M, components=(0,)):
    count = len(K) // len(components)
    places = np.column_stack([np.arange(float(count)), np.zeros((count, 2))])
    return bare_model(as_floats(K), as_floats(M), places, list(components))


def stated_tolerance(basis):
    """Tolerance of the eigenvalues: 1e-6 of the frequency, or what the note states: twice the rounding and the solver's 1e-6."""
    noted = [note for note in basis.notes if "last digits" in note]
    assert bool(noted) == (basis.proof.data_error > EIGENVALUE_LIMIT)
    return Fraction(1, 10**6) + 2 * Fraction(basis.proof.data_error) if noted else Fraction(2, 10**6)


def random_network(seed):
    """(K, M, finite modes, decades of stiffness): chain, mesh or star of 4 to 13 masses, some massless, free or grounded."""
    rng = np.random.default_rng(seed)
    n = int(rng.integers(4, 14))
    decades, heavy = float(rng.choice([2, 6, 9, 12, 15])), float(rng.choice([0, 3, 6, 10, 12]))
    k, m = 10.0 ** rng.uniform(-decades / 2, decades / 2, 2 * n), 10.0 ** rng.uniform(-heavy / 2, heavy / 2, n)
    if rng.random() < 0.3:
        m[rng.integers(0, n)] = 0.0
    springs = [(i, i + 1, k[i]) for i in range(n - 1)]
    kind = rng.integers(0, 3)
    if kind == 1:
        springs += [(int(a), int(b), k[n + i]) for i, (a, b) in enumerate(rng.integers(0, n, (n // 2, 2))) if a != b]
    if kind == 2:
        springs = [(0, i, k[i]) for i in range(1, n)]
    ground = [(0, k[n - 1])] if rng.random() < 0.7 else []
    finite = int((m > 0.0).sum()) - (0 if ground else 1)
    return *spring_network(n, springs, ground, m), finite, decades


@pytest.mark.parametrize("backend", ROUTES)
def test_spring_networks_of_any_contrast_are_right_or_refused(backend):
    """Stiffnesses over 2 to 15 decades, masses over 0 to 12: what is returned is right; up to 6 decades nothing is refused."""
    refused = 0
    for seed in range(1000, 1060):
        K, M, finite, decades = random_network(seed)
        try:
            basis = solve_modes(on_a_line(K, M), count=min(finite, 1 + seed % 7), backend=backend)
        except (SolverError, MechanismError):
            refused += 1
            assert decades > 6.0, seed
            continue
        first, tolerance = basis.rigid_body_modes, stated_tolerance(basis)
        assert misplaced(K, M, basis.eigenvalues, first=first, tolerance=tolerance) == [], seed
        assert basis.proof.worst_error <= EIGENVALUE_LIMIT
    assert refused < 20


@pytest.mark.parametrize("stiff_root", [True, False])
@pytest.mark.parametrize(
    "decades", [0, pytest.param(4, marks=pytest.mark.slow), 8, pytest.param(10, marks=pytest.mark.slow), 12]
)
def test_a_beam_with_a_softer_half(decades, stiff_root):
    """10 + 10 elements, one half softer by up to 1e12. A stiff root leaves a soft cantilever, which every contrast must solve; a
    stiff half on a soft root moves like a body on a spring, which the digits of K no longer settle from about 1e8 on.
    """
    soft, h, mass = 7e2 / 10.0**decades, 0.1, 0.027
    halves = ([7e2] * 10, [soft] * 10)
    rigidities = [*halves[0], *halves[1]] if stiff_root else [*halves[1], *halves[0]]
    K, M = bending_beam(rigidities, [h] * 20, [0.0, *[mass] * 19, mass / 2])
    model = on_a_line(K, M, (1, 5))
    for backend in ROUTES:
        try:
            basis = solve_modes(model, count=6, backend=backend)
        except (SolverError, MechanismError):
            assert not stiff_root and decades >= 8
            continue
        assert misplaced(K, M, basis.eigenvalues, tolerance=stated_tolerance(basis)) == []


@pytest.mark.parametrize("young", [700.0, 7.0], ids=["1e8", "1e10"])
def test_a_deck_with_a_softer_half_equals_the_exact_beam(tmp_path, young):
    """The same through a Nastran deck with an RBE2 in the middle: CBAR, lumped mass, softer by 1e8 and 1e10, bending in pairs."""
    lines = [f"GRID,{o + i + 1},,{0.1 * i + o / 100:.3f},0.,0." for o in (0, 100) for i in range(11)]
    lines += [f"CBAR,{o + i},{1 + o // 100},{o + i},{o + i + 1},0.,1.,0." for o in (0, 100) for i in range(1, 11)]
    lines += [f"PBAR,{p},{p},1.-4,1.-8,1.-8,2.-8" for p in (1, 2)]
    lines += ["MAT1,1,7.+10,,0.3,2700.", f"MAT1,2,{young},,0.3,2700.", "RBE2,900,11,123456,101", "SPC1,1,123456,1"]
    model = deck(tmp_path, lines)
    basis = solve_modes(model, count=6)
    mass = 2700.0 * 1e-4 * 0.1
    K, M = bending_beam([7e10 * 1e-8] * 10 + [young * 1e-8] * 10, [0.1] * 20, [0.0, *[mass] * 19, mass / 2])
    assert misplaced(K, M, basis.eigenvalues[::2]) == [] and misplaced(K, M, basis.eigenvalues[1::2]) == []


def deck(folder, lines):
    path = folder / "deck.bdf"
    path.write_text("\n".join(["SOL 103", "CEND", "SPC=1", "BEGIN BULK", *lines, "ENDDATA", ""]))
    return assemble(read_nastran(path, "SI"))


def beams(count, elements, *, density="2700.", tip=None, held=True):
    """Equal separate CBAR cantilevers of 1 m side by side."""
    out = ["PBAR,1,1,1.-4,1.-8,1.-8,2.-8", f"MAT1,1,7.+10,,0.3,{density}"]
    for b in range(count):
        first = 1000 * b + 1
        out += [f"GRID,{first + i},,{i / elements:.8f},{float(b)},0." for i in range(elements + 1)]
        out += [f"CBAR,{first + i},1,{first + i},{first + i + 1},0.,0.,1." for i in range(elements)]
        out += [f"SPC1,1,123456,{first}"] if held else []
        out += [] if tip is None else [f"CONM2,{first + 999},{first + elements},,{tip}"]
    return out


@pytest.mark.parametrize(("count", "elements"), [(40, 10), (55, 4)])
def test_every_copy_of_a_repeated_mode_is_found(tmp_path, count, elements):
    """40 and 55 equal cantilevers: the lowest bending mode has multiplicity 80 and 110; one beam alone tells its value."""
    alone = solve_modes(deck(tmp_path, beams(1, elements)), count=3).eigenvalues
    basis = solve_modes(deck(tmp_path, beams(count, elements)), fmax_hz=1.2 * float(np.sqrt(alone[0])) / (2 * np.pi))
    assert basis.proof.backend != "dense" and len(basis) == 2 * count
    assert basis.eigenvalues == pytest.approx(alone[0], rel=1e-6)
    few = solve_modes(deck(tmp_path, beams(count, elements)), count=10)
    assert few.eigenvalues == pytest.approx(alone[0], rel=1e-6) and few.proof.counted == 2 * count


@pytest.mark.parametrize("backend", ROUTES)
@pytest.mark.parametrize("odd", [1e-6, 1.0, 1e6])
def test_a_repeated_mode_at_the_end_of_the_spectrum(backend, odd):
    """Complete graph of 9 equal masses, one spring unlike the others: the eigenvalue n k up to eight times, and nothing above."""
    springs = [(i, j, 2.0) for i in range(9) for j in range(i)]
    springs[0] = (*springs[0][:2], 2.0 * odd)
    for ground in ([], [(0, 2.0)]):
        K, M = spring_network(9, springs, ground, [1.0] * 9)
        for count in (2, 5, 8):
            basis = solve_modes(on_a_line(K, M), count=count, backend=backend)
            assert misplaced(K, M, basis.eigenvalues, first=basis.rigid_body_modes) == []


def test_twenty_free_cubes_have_six_rigid_motions_and_114_mechanisms(tmp_path):
    corners = [(0, 0, 0), (1, 0, 0), (1, 1, 0), (0, 1, 0), (0, 0, 1), (1, 0, 1), (1, 1, 1), (0, 1, 1)]

    def cubes(count):
        out = ["PSOLID,1,1", "MAT1,1,7.+10,,0.3,2700."]
        for c in range(count):
            out += [f"GRID,{8 * c + j + 1},,{x + 3.0 * c},{float(y)},{float(z)}" for j, (x, y, z) in enumerate(corners)]
            numbers = [str(8 * c + j + 1) for j in range(8)]
            out += [f"CHEXA,{c + 1},1,{','.join(numbers[:6])}", f"+,{','.join(numbers[6:])}"]
        return out

    alone = solve_modes(deck(tmp_path, cubes(1)), count=1, free=True)
    many = solve_modes(deck(tmp_path, cubes(20)), count=10, free=True, allow_mechanisms=True)
    assert many.rigid_body_modes == 6 and many.kinds == ("mechanism",) * 114 + ("elastic",) * 10
    assert many.frequencies_hz[114:] == pytest.approx(alone.frequencies_hz[0], rel=1e-6)


@pytest.mark.slow
def test_84_free_beams_with_mechanisms_allowed(tmp_path):
    """Each part moves freely in five ways with mass (420 less the six of the whole) and in one without."""
    model = deck(tmp_path, beams(84, 2, held=False))
    basis = solve_modes(model, count=10, allow_mechanisms=True)
    assert basis.rigid_body_modes == 6 and basis.kinds == ("mechanism",) * 414 + ("elastic",) * 10


@pytest.mark.parametrize("backend", ROUTES)
@pytest.mark.parametrize("tip", ["10.", "1000."])
def test_heavy_tips_on_beams_without_weight(tmp_path, backend, tip):
    """Tips heavier than their beams by 4e9 and 4e11: sqrt(3 EI / m L³) twice, sqrt(EA / m L), then the beam's own modes."""
    basis = solve_modes(deck(tmp_path, beams(1, 10, density="2.7-5", tip=tip)), count=6, backend=backend)
    mass, own = float(tip), 2.7e-5 * 1e-4 * 0.1
    assert basis.eigenvalues[:3] == pytest.approx([2100.0 / mass] * 2 + [7e6 / mass], rel=2e-6)
    K, M = bending_beam([7e2] * 10, [0.1] * 10, [0.0, *[own] * 9, own / 2 + mass])
    assert misplaced(K, M, basis.eigenvalues[[0, 3, 5]]) == []


def test_springs_of_1e12_beside_1e_3_are_refused_or_right():
    """A stiff pair on a soft spring: 1e12 + 1e-3 keeps one digit of the soft one, so no answer can be right."""
    K, M = spring_network(4, [(0, 1, 1e12), (1, 2, 1e-3), (2, 3, 1e12)], [(0, 1e12)], [1.0] * 4)
    for backend in ROUTES:
        with pytest.raises(TisserandError):
            solve_modes(on_a_line(K, M), count=1, backend=backend)
    K, M = spring_network(
        3, [(0, 1, 1e12), (1, 2, 1e-3)], [(0, 1e12)], [1.0, 1.0, 1.0]
    )  # the soft one outboard: no loss
    for backend in ROUTES:
        basis = solve_modes(on_a_line(K, M), count=3, backend=backend)
        assert misplaced(K, M, basis.eigenvalues) == []


def test_a_singular_mass_with_noise_in_its_last_digits():
    """M = B B' of rank 10 in 16 dofs with noise in its last digit: the modes are those of the exact product, on both routes."""
    rng = np.random.default_rng(7)
    B = rng.integers(-9, 10, (16, 10)) / 8.0
    L = rng.integers(-9, 10, (16, 16)) / 8.0 + 4.0 * np.eye(16)
    noise = rng.uniform(-1e-15, 1e-15, (16, 16))
    model = bare_model(
        L @ L.T, B @ B.T * (1.0 + noise + noise.T), np.column_stack([np.arange(16.0), np.zeros((16, 2))]), [0]
    )
    K, M = (
        [[Fraction(float(x)) for x in row] for row in matrix] for matrix in (L @ L.T, B @ B.T)
    )  # exact: eighths squared
    for backend in ROUTES:
        basis = solve_modes(model, count=8, backend=backend)
        assert misplaced(K, M, basis.eigenvalues) == []


def test_round_off_of_fine_thin_meshes_passes_by_its_effect_on_the_eigenvalue():
    """Euler cantilever of 300 elements: K x is mostly round-off, and the frequency is right to 1e-6 all the same."""
    basis = solve_modes(beam3d(300, EI=(3.0, 5.0)), count=2)
    assert basis.proof.worst_residual > 1e-6 > basis.proof.worst_error
    exact = 1.875104068711961**4 / 2.0**4 * np.array([3.0, 5.0]) / 1.5
    assert basis.eigenvalues == pytest.approx(exact, rel=2e-6)


def test_residuals_with_twice_the_digits_are_exact_to_their_last_one():
    """Rows that cancel to 1e-10 of their terms, against fractions."""
    rng = np.random.default_rng(3)
    stiff = rng.standard_normal((9, 9)) * 1e12
    stiff += stiff.T
    x = rng.standard_normal((9, 2))
    model = bare_model(stiff, np.eye(9), np.zeros((9, 3)), [0])
    pencil = pencil_of(model.stiffness, model.mass)
    values, left = fine_residuals(pencil, np.array([1.0, 2.0]), x)
    for c in range(2):
        column = [Fraction(float(v)) for v in x[:, c]]
        force = [sum(Fraction(float(k)) * v for k, v in zip(row, column)) for row in stiff]
        quotient = sum(f * v for f, v in zip(force, column)) / sum(v * v for v in column)
        assert values[c] == pytest.approx(float(quotient), rel=1e-14)
        assert left[:, c] == pytest.approx(
            [float(f - Fraction(float(values[c])) * v) for f, v in zip(force, column)], rel=1e-9
        )


def test_the_gate_refuses_what_is_off_by_more_than_a_millionth():
    """A value moved by 3e-6, and shapes that are mixed by 1e-3: both were within reach of a residual relative to K x."""
    from tisserand.modes.eigen import Eigenproblem, Pairs
    from tisserand.modes.guess import stiffness_scale

    model = beam3d(20, EI=(3.0, 5.0))
    basis = solve_modes(model, count=4)
    pencil = pencil_of(model.stiffness, model.mass, ~basis.fixed, model.dofs.node)
    rigid, vectors = rigid_set(model, basis.fixed), basis.shapes[pencil.free]
    scale = stiffness_scale(pencil, model.rigid_body_vectors[pencil.free, :3])
    problem = Eigenproblem(pencil, rigid.vectors[pencil.free], scale, 4, None, 0)
    shift = 1.001 * basis.eigenvalues[-1]
    none = np.zeros(4, bool)
    pairs, errors, digits = problem.certified(Pairs(basis.eigenvalues, vectors), none)
    assert (
        prove(pencil, pairs.values, vectors, rigid, errors=errors, digits=digits, shift=shift, counted=4).worst_error
        < 1e-8
    )
    turn = np.eye(4)
    turn[:2, :2] = [[np.cos(1e-3), -np.sin(1e-3)], [np.sin(1e-3), np.cos(1e-3)]]
    mixed, errors = problem._judged(Pairs(basis.eigenvalues, vectors @ turn), np.full(4, np.inf), True, True)
    with pytest.raises(NotConvergedError, match="accurately enough"):
        prove(pencil, mixed.values, mixed.vectors, rigid, errors=errors, digits=digits, shift=shift, counted=4)
    # refined, the mixed shapes become the modes again
    repaired, errors, _ = problem.certified(Pairs(basis.eigenvalues, vectors @ turn), none)
    assert errors.max() < 1e-6 and repaired.values == pytest.approx(basis.eigenvalues, rel=1e-9)


def test_what_the_digits_of_the_matrices_allow_is_measured():
    """A body on a spring k times softer than itself: rounding K moves its eigenvalue by about eps k, measured by moving K."""
    rng = np.random.default_rng(5)
    for contrast in (1e4, 1e8):
        K, M = spring_network(6, [(i, i + 1, contrast * (1.1 + 0.1 * i)) for i in range(5)], [(0, 1.0)], [1.0] * 6)
        model = on_a_line(K, M)
        pencil = pencil_of(model.stiffness, model.mass)
        basis = solve_modes(model, count=1)
        told = float(data_errors(pencil, basis.eigenvalues, basis.shapes)[0])
        moved = []
        for _ in range(200):
            noise = np.triu(rng.uniform(-1.0, 1.0, (6, 6)))
            noise = 2.0**-53 * (noise + np.triu(noise, 1).T)
            x = basis.shapes[:, 0]
            moved.append(x @ (model.stiffness.toarray() * noise) @ x / basis.eigenvalues[0])
        assert 0.2 < told / np.std(moved) < 5.0


def plane_truss(bays, supports, held=None, turned=False):
    """A plane truss of rods: nodes two by two, chords, posts and one diagonal per bay; turned: in a plane oblique to the axes."""
    out = ["PROD,1,1,1.-4", "MAT1,1,7.+10,,0.3,2700.", *supports]
    out += [] if held is None else [f"GRDSET,,,,,,,{held}"]
    places = [(0.6 * i, 0.8 * i, j) if turned else (i, j, 0) for i in range(bays + 1) for j in range(2)]
    out += [f"GRID,{n},,{float(x)},{float(y)},{float(z)}" for n, (x, y, z) in enumerate(places, 1)]
    rods = [(2 * i + 1, 2 * i + 2) for i in range(bays + 1)]
    rods += [(2 * i + a, 2 * i + b) for i in range(bays) for a, b in ((1, 3), (2, 4), (1, 4))]
    return out + [f"CROD,{e},1,{a},{b}" for e, (a, b) in enumerate(rods, 1)]


@pytest.mark.parametrize(
    ("lines", "rigid", "mechanisms"),
    [
        (plane_truss(4, ["SPC1,1,12,1"], held="3456"), 1, 0),
        (plane_truss(90, ["SPC1,1,12,1"]), 1, 0),
        (plane_truss(90, ["SPC1,1,123,1"], turned=True), 1, 0),
        (plane_truss(4, [], held="3456"), 3, 0),
        # nothing holds the nodes out of plane: ten motions, three of them of the whole, and the turn in the plane
        (["PARAM,AUTOSPC,NO", *plane_truss(4, ["SPC1,1,12,1"])], 4, 7),
        (["PARAM,AUTOSPC,NO", *plane_truss(4, ["SPC1,1,123,1"])], 3, 7),
        (["PARAM,AUTOSPC,NO", *plane_truss(8, [], turned=True)], 6, 15),
    ],
    ids=["pinned", "long", "turned", "free", "loose", "pivot", "loose and turned"],
)
def test_check_and_modes_agree_on_mechanisms(tmp_path, lines, rigid, mechanisms):
    """A truss turning in its plane about a pin is a rigid body; counted by hand: dofs without stiffness less rigid motions."""
    model = deck(tmp_path, lines)
    assert len(find_mechanisms(model, model.held())) == mechanisms
    basis = solve_modes(model, count=1, allow_mechanisms=True)
    assert (basis.rigid_body_modes, basis.kinds.count("mechanism")) == (rigid, mechanisms)
    assert not any("too soft" in note for note in basis.notes)
    if mechanisms:
        with pytest.raises(MechanismError, match=f"^{mechanisms} motions"):
            solve_modes(model, count=1)


def test_a_spring_to_ground_that_drowns_in_the_digits_is_noted():
    """1 N/m beside 1e11 N/m: the body counts as free, and a note says what holds it."""
    K, M = spring_network(3, [(0, 1, 1e11), (1, 2, 1e11)], [(0, 1.0)], [1.0] * 3)
    basis = solve_modes(on_a_line(K, M), count=1)
    assert basis.rigid_body_modes == 1 and any("too soft" in note for note in basis.notes)
    assert misplaced(K, M, basis.eigenvalues, first=1) == []


def test_stiffness_that_is_nothing_but_noise_decides_nothing():
    """A component on a determinate interface has no stiffness there: noise of any size in its place changes no mode."""
    from dataclasses import replace

    from scipy.sparse import csr_array

    from tisserand.model import Supports
    from tisserand.modes import craig_bampton, interface_dofs

    beam = replace(beam3d(8, EI=(3.0, 5.0)), supports=Supports())
    part = craig_bampton(beam, interface_dofs(beam, [1], "123456"), count=4)
    assert not part.stiffness[:6, :6].any()
    model, rng = part.as_model(), np.random.default_rng(0)
    clean = solve_modes(model, count=3, supports=Supports())
    for size in (1e-60, 1e-40, 1e-20):
        noise = rng.standard_normal(model.stiffness.shape) * size
        noisy = replace(model, stiffness=csr_array(model.stiffness.toarray() + noise + noise.T))
        for backend in ROUTES:
            basis = solve_modes(noisy, count=3, supports=Supports(), backend=backend)
            assert basis.rigid_body_modes == 6 and basis.eigenvalues == pytest.approx(clean.eigenvalues, rel=1e-9)
