"""Reduction of decks: effective masses, totals, reference points, mass without a displacement field."""

from dataclasses import replace

import numpy as np
import pytest
from appendage.clouds import beam_structure, shell_structure, solid_structure, with_bodies
from appendage.hand_built import bodies_on_springs, dense_basis
from scipy.sparse import csr_array
from support.corpus import deck, needs_corpus, references
from support.hand_built import matrices_of

from tisserand.appendage import effective_masses, mode_table, reduce
from tisserand.assembly import assemble
from tisserand.errors import IdentityError, ModelError
from tisserand.model import Supports
from tisserand.modes import solve_modes
from tisserand.readers.registry import read_model

TIP_MASS = "pn_mwe_s-solution_1"


@needs_corpus
def test_effective_masses_of_the_nastran_tip_mass_deck():
    """Simcenter Nastran's MEFFMASS about the basic origin, summed over repeated frequencies, to 1e-4."""
    reference = references()[TIP_MASS]
    wanted = np.array(reference["modal_effective_mass_rows_T1_to_R3_cols_mode"]).T
    wanted = np.array([wanted[0] + wanted[1], wanted[2]])  # the first two frequencies are equal
    basis = solve_modes(assemble(read_model(deck(TIP_MASS), units="consistent")), count=3)
    appendage = reduce(basis, reference_point=(0.0, 0.0, 0.0))
    assert appendage.unit_system == "consistent"
    found = effective_masses(appendage.integrals)
    found = np.array([found[0] + found[1], found[2]])
    large = wanted > 1e-10
    assert np.abs(found[large] / wanted[large] - 1.0).max() < 1e-4
    assert np.abs(found[~large]).max() < 1e-10 * found.max()
    table = mode_table(appendage)
    assert table.running_fraction[-1, [0, 1, 2, 4, 5]] == pytest.approx(
        [v for v in reference["meff_fraction_sum"] if v], abs=2e-6
    )
    body = reference["rigid_body_mass"]
    assert table.reachable[[0, 4]] == pytest.approx([body["m"], body["I"]], rel=1e-6)


@needs_corpus
def test_all_finite_modes_of_the_deck_reach_the_whole_free_mass():
    basis = solve_modes(assemble(read_model(deck(TIP_MASS), units="consistent")), count=25)
    appendage = reduce(basis, reference_point=(0.0, 0.0, 0.0))
    table = mode_table(appendage)
    live = [0, 1, 2, 4, 5]
    assert np.abs(table.running_fraction[-1, live] - 1.0).max() < 1e-10
    half_element = 0.5 * 100.0 / 5 * appendage.mass  # only to size the number below
    assert 0.0 < table.held[0] < half_element and table.held[0] == pytest.approx(0.00851686, rel=1e-5)


@pytest.mark.parametrize("make", [beam_structure, shell_structure, solid_structure])
@pytest.mark.parametrize("recipe", ["consistent", "lumped", "particles", "bodies"])
def test_all_modes_together_reach_what_the_held_nodes_leave(make, recipe):
    """Sum of effective masses over all modes = q' M_ff^-1 q to 1e-10, whatever the mass model."""
    rng = np.random.default_rng(0)
    structure, *_ = with_bodies(make(rng), [2, 3] if make is not beam_structure else [1, 2], rng)
    model = assemble(structure, mass=recipe)
    held = (0, 1, 6) if make is solid_structure else (0,)
    fixed = np.isin(model.dofs.node, held)
    free = ~fixed
    M = model.mass.toarray()[np.ix_(free, free)]
    alive = np.diag(M) > 0.0
    if not alive.all():  # massless dofs follow statically
        K = model.stiffness.toarray()[np.ix_(free, free)]
        dead = ~alive
        G = -np.linalg.solve(K[np.ix_(dead, dead)], K[np.ix_(dead, alive)])
        from scipy.linalg import eigh

        values, vectors = eigh(K[np.ix_(alive, alive)] + K[np.ix_(alive, dead)] @ G, M[np.ix_(alive, alive)])
        part = np.zeros((free.sum(), len(values)))
        part[alive], part[dead] = vectors, G @ vectors
        shapes = np.zeros((model.size, len(values)))
        shapes[free] = part
        basis = dense_basis_of(model, shapes, values, fixed)
    else:
        basis = dense_basis(model, held=held)
    appendage = reduce(basis)
    report = appendage.reports["held"]
    assert report["exact"]
    reached = appendage.integrals.coupling @ np.linalg.solve(
        appendage.integrals.modal_mass, appendage.integrals.coupling.T
    )
    wanted = np.array(report["reachable_rigid_mass"])
    assert np.abs(reached - wanted).max() < 1e-10 * np.abs(wanted).max()
    assert np.linalg.eigvalsh(np.array(report["held_rigid_mass"]))[0] > -1e-10 * wanted.max()


def dense_basis_of(model, shapes, values, fixed):
    from tisserand.modes.modal_basis import FrameConstraint, ModalBasis

    labels = tuple(f"mode {i + 1}" for i in range(len(values)))
    frame = FrameConstraint("connection", "held")
    return ModalBasis(model, shapes, values, frame, fixed=fixed, labels=labels, kinds=("elastic",) * len(values))


def test_free_modes_carry_no_momentum():
    """Free elastic modes satisfy P = H = 0 (TR 32-1593, theorem at the end of II-A-2-k);
    O is the mass center.
    """
    model = assemble(beam_structure(None), mass="consistent")
    appendage = reduce(solve_modes(model, count=6, free=True))
    scale = np.sqrt(np.diag(appendage.integrals.rigid_mass))
    assert np.abs(appendage.integrals.coupling / scale[:, None]).max() < 1e-7
    assert appendage.reports["reference_point"]["rule"] == "mass center"
    assert np.abs(appendage.integrals.center).max() < 1e-12
    assert appendage.rigid_body_modes == 6 and appendage.attachment is None


def test_the_reference_point_is_the_attachment_or_the_middle_of_what_is_held():
    basis = dense_basis(bodies_on_springs(), held=(0,))
    one = reduce(basis)
    assert one.reports["reference_point"]["rule"] == "attachment node 11"
    assert one.attachment == "attachment" and one.interface("attachment").node_id == 11
    assert np.abs(one.interface("attachment").translation).max() == 0.0
    named = reduce(basis, interfaces={"root": 11, "tip": 12})
    assert named.attachment == "root"
    several = reduce(dense_basis(bodies_on_springs(), held=(0, 3)))
    assert several.interface("attachment").node_id == -1
    assert np.abs(several.interface("attachment").position).max() < 1e-15
    assert np.allclose(several.reference_point, several.reports["reference_point"]["point"])
    with pytest.raises(ModelError, match="not a known interface"):
        reduce(basis, attachment="roof")
    with pytest.raises(ModelError, match="do not exist"):
        reduce(basis, interfaces={"far": 999})


def test_the_attachment_force_of_a_free_vibration_is_the_rate_of_momentum():
    """K-based reaction: force on the appendage = P eta'' = -P Me^-1 Ke eta,
    moment likewise with H (lumped mass).
    """
    appendage = reduce(dense_basis(bodies_on_springs(), held=(0,)), attachment=11)
    q = appendage.integrals
    rate_of_momentum = -q.coupling @ np.linalg.solve(q.modal_mass, appendage.stiffness)
    found = appendage.recovery["interface force:attachment"]
    assert np.abs(found - rate_of_momentum).max() < 1e-9 * np.abs(rate_of_momentum).max()


def test_kinetic_energy_by_set_adds_up():
    appendage = reduce(dense_basis(bodies_on_springs(), held=(0,)))
    table = mode_table(appendage)
    assert table.energy["family nodal body"] == pytest.approx(np.ones(appendage.count), rel=1e-12)
    share = table.energy["set first two"]
    assert (share >= 0.0).all() and (share <= 1.0).all() and 0.05 < share.mean() < 0.95
    assert "kinetic energy: set first two" in table.as_csv().splitlines()[0]
    assert len(table.rows()) == appendage.count and len(table.rows()[0]) == len(table.headers)


def test_bare_matrices_of_solids_are_exact_and_those_of_beams_say_their_mismatch():
    """formats 8(B): M = M_s (x) 1 gives L and N exactly;
    8(D): otherwise calibrated lumping with the mismatch stated.
    """
    rng = np.random.default_rng(2)
    for make, exact in ((solid_structure, True), (beam_structure, False)):
        model = assemble(make(rng), mass="consistent")
        bare = matrices_of(model, has_field=False)
        fixed = np.isin(model.dofs.node, (0, 1, 2) if exact else (0,))
        shapes = np.where(fixed[:, None], 0.0, rng.normal(size=(model.size, 4)))
        full, given = (reduce(dense_basis_of(m, shapes, np.ones(4), fixed)) for m in (model, bare))
        assert np.allclose(given.integrals.coupling, full.integrals.coupling, rtol=1e-10)
        assert np.allclose(given.integrals.modal_mass, full.integrals.modal_mass, rtol=1e-10)
        report = given.reports["integrals"]
        if exact:
            assert np.allclose(
                given.integrals.shape_shape,
                full.integrals.shape_shape,
                atol=1e-10 * np.abs(full.integrals.shape_shape).max(),
            )
            assert np.allclose(given.integrals.position_shape, full.integrals.position_shape, atol=1e-10)
            assert given.inertia_level == "full" and report["mismatch"] == 0.0
        else:
            assert report["mismatch"] > 1e-3 and given.inertia_level != "full"
            assert "calibrated" in report["source"]
        assert max(given.integrals.identity_errors().values()) < 1e-10


def scalar_functions(q):
    """int f f' dm of f = (r - c, phi) over their sizes (3 + 3k, 3 + 3k): a Gram matrix of any displacement field."""
    m, c, k = q.mass, q.center, q.count
    second = 0.5 * np.trace(q.inertia) * np.eye(3) - q.inertia - m * np.outer(c, c)
    mixed = (q.position_shape - np.einsum("a,bk->abk", c, q.translation)).reshape(3, 3 * k)
    shapes = q.shape_shape - np.einsum("ak,bl->abkl", q.translation, q.translation) / m
    gram = np.block([[second, mixed], [mixed.T, shapes.transpose(0, 2, 1, 3).reshape(3 * k, 3 * k)]])
    size = np.sqrt(np.concatenate([np.full(3, np.trace(second)), np.tile(np.diag(q.modal_mass), 3)]))
    return gram / np.outer(size, size)


def test_coupled_beam_mass_is_a_displacement_field():
    """Ends that carry a quarter of the member along the axis, Hermite's bending: near the consistent field without its rotary
    inertia, with integrals that are sums of squares.
    """
    from support.lines import STEEL, beam_model, rectangle, straight

    from tisserand.model import BeamSection

    structure = beam_model(straight(8, 2.0), BeamSection(1, STEEL, rectangle(0.03, 0.02)))
    structure = structure.changed(supports=Supports.clamp([0]))
    exact = reduce(solve_modes(assemble(structure, mass="consistent"), count=4))
    given = reduce(solve_modes(assemble(structure, mass="coupled"), count=4))
    report = given.reports["integrals"]
    assert report["without_field"] == [] and report["source"] == "displacement field"
    assert given.inertia_level == "full"
    J2 = [np.einsum("aakk->k", a.integrals.inertia_second) for a in (exact, given)]
    assert J2[1] == pytest.approx(J2[0], rel=1e-3)
    assert np.linalg.eigvalsh(scalar_functions(given.integrals))[0] > -1e-12


@pytest.mark.parametrize("seed", range(4))
def test_mass_without_a_field_gets_integrals_of_some_field(seed):
    """L and N that no mass has (random symmetric parts): P, H, J0 and Me stay, the rest becomes a Gram matrix."""
    from tisserand.appendage.integrals.from_mass_matrix import realizable
    from tisserand.appendage.integrals.from_nodal_bodies import nodal_body_integrals

    rng = np.random.default_rng(seed)
    n, k = 6, 3
    half = rng.normal(size=(n, 3, 3))
    own = np.einsum("nab,ncb->nac", half, half) + 3.0 * np.eye(3)
    shapes = rng.normal(size=(2, n, 3, k))
    good = nodal_body_integrals(rng.normal(size=(n, 3)), rng.uniform(1, 2, n), rng.normal(size=(n, 3)), own, *shapes)
    wrong = rng.normal(size=(3, 3, k))
    size = 0.5 * np.abs(good.position_shape).max()
    L = good.position_shape + size * (wrong + wrong.transpose(1, 0, 2))
    more = rng.normal(size=(3, 3, k, k))
    more = more + more.transpose(1, 0, 3, 2)
    more -= np.eye(3)[:, :, None, None] * np.trace(more) / 3.0
    bad = replace(good, position_shape=L, shape_shape=good.shape_shape + 0.3 * np.abs(good.modal_mass).max() * more)
    assert np.linalg.eigvalsh(scalar_functions(bad))[0] < -0.01
    found = realizable(bad)
    assert np.linalg.eigvalsh(scalar_functions(found))[0] > -1e-9
    assert max(found.identity_errors().values()) < 1e-9
    for word in ("translation", "rotation", "modal_mass", "inertia"):
        assert getattr(found, word) == pytest.approx(getattr(good, word), abs=1e-12)


def test_lumping_of_a_bare_beam_matrix_converges_with_the_mesh():
    """Nodal bodies from M alone: the mismatch and the error of J2 fall as the elements shrink, and P,
    H, Me are exact.
    """
    from support.lines import STEEL, beam_model, rectangle, straight

    from tisserand.model import BeamSection

    worst = []
    for count in (8, 16, 32):
        structure = beam_model(straight(count, 2.0), BeamSection(1, STEEL, rectangle(0.03, 0.02)))
        model = assemble(structure.changed(supports=Supports.clamp([0])), mass="consistent")
        basis = solve_modes(model, count=4)
        bare = matrices_of(model)
        exact, given = (reduce(basis), reduce(dense_basis_of(bare, basis.shapes, basis.eigenvalues, basis.fixed)))
        J2 = [np.einsum("aakk->k", a.integrals.inertia_second) for a in (exact, given)]
        worst.append((given.reports["integrals"]["mismatch"], np.abs(J2[1] / J2[0] - 1.0).max()))
        assert np.allclose(given.integrals.coupling, exact.integrals.coupling, atol=1e-9)
    assert worst[1][0] < 0.4 * worst[0][0] and worst[2][0] < 0.4 * worst[1][0]
    assert worst[2][1] < 0.01


def test_a_family_that_lies_about_its_field_is_caught(monkeypatch):
    """Directional matrices that do not add up to the mass, or hold no displacement field, must not pass."""
    from tisserand.elements.registry import prepare

    structure = beam_structure(None)
    model = assemble(structure, mass="consistent")
    basis = dense_basis(model, held=(0,))
    family = prepare(structure, structure.elements[0])
    honest = type(family).directional_mass
    monkeypatch.setattr(type(family), "directional_mass", lambda *a: 1.01 * honest(*a))
    with pytest.raises(IdentityError, match="do not match"):
        reduce(basis)

    def swapped(*a):
        values = np.array(honest(*a))
        values[:, [0, 1]] = values[:, [1, 0]]
        return values

    monkeypatch.setattr(type(family), "directional_mass", swapped)
    with pytest.raises(IdentityError, match=r"two ways to L|eps L = H"):
        reduce(basis)


def test_rotations_of_solid_nodes_are_fitted_only_on_request():
    structure = solid_structure(np.random.default_rng(3))
    model = assemble(structure)
    shapes = np.array(model.rigid_body_vectors[:, 3:])  # rigid rotations: the fit must return them exactly
    basis = dense_basis_of(model, shapes, np.ones(3), np.zeros(model.size, bool))
    plain = reduce(basis, interfaces={"corner": 3}, reference_point=np.zeros(3))
    assert np.abs(plain.interface("corner").rotation).max() == 0.0
    fitted = reduce(basis, interfaces={"corner": 3}, fit_rotations=["corner"], reference_point=np.zeros(3))
    assert np.allclose(fitted.interface("corner").rotation, np.eye(3), atol=1e-10)
    assert any("fitted" in note for note in fitted.reports["notes"])


def test_matrices_given_term_by_term_count_as_mass():
    """CONM1-like terms at one node are a rigid body: exact integrals."""
    from tisserand.model import DirectMatrix

    rng = np.random.default_rng(6)
    with_body, *_ = with_bodies(beam_structure(rng), [2], rng)
    body = with_body.elements[1]
    from tisserand.elements.registry import prepare

    matrix = prepare(with_body, body).mass("consistent")[0]
    row, column = np.nonzero(matrix)
    terms = DirectMatrix(
        np.arange(len(row)), np.full((len(row), 2), 2), np.column_stack([row, column]), matrix[row, column], "mass"
    )
    other = with_body.changed(elements=(with_body.elements[0], terms))
    one, two = (reduce(dense_basis(assemble(m, mass="consistent"), held=(0,))) for m in (with_body, other))
    assert two.inertia_level == "full"
    for word in ("shape_shape", "position_shape", "turn_second", "inertia"):
        a, b = getattr(one.integrals, word), getattr(two.integrals, word)
        assert np.abs(np.abs(a) - np.abs(b)).max() < 1e-8 * np.abs(a).max(), word


def test_csr_input_is_not_changed():
    model = bodies_on_springs()
    before = csr_array(model.mass).copy()
    reduce(dense_basis(model, held=(0,)))
    assert (abs(before - model.mass)).nnz == 0
