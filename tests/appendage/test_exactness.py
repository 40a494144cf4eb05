"""Modal integrals against brute force: the body equations from the integrals equal sums over material points.

Force, torque about O and modal forces of a = a_O + al x y + w x (w x y) + 2 w x u' + u'', y = r + u, for
random motions of random shapes (beams, shells, solids, offset bodies), to 1e-10.
"""

import numpy as np
import pytest
from appendage.clouds import (
    beam_cloud,
    beam_structure,
    bilinear_cloud,
    clump_cloud,
    shell_structure,
    solid_cloud,
    solid_structure,
    thick_shell_cloud,
    with_bodies,
)

from tisserand.appendage import reduce
from tisserand.arrays import skew
from tisserand.assembly import assemble
from tisserand.modes.modal_basis import FrameConstraint, ModalBasis

MODES = 5
POINT = np.array([0.4, -0.3, 0.2])


def random_basis(model, rng):
    shapes = rng.normal(size=(model.size, MODES))
    labels = tuple(f"shape {i}" for i in range(MODES))
    frame = FrameConstraint("prescribed", "random shapes")
    return ModalBasis(
        model,
        shapes,
        np.ones(MODES),
        frame,
        fixed=np.zeros(model.size, bool),
        labels=labels,
        kinds=("assumed",) * MODES,
    )


def brute_force(cloud, v_rate, w, w_rate, eta, rate, acceleration):
    m, phi = cloud.masses, cloud.shapes
    y = cloud.positions + phi @ eta
    a = v_rate + np.cross(w_rate, y) + np.cross(w, np.cross(w, y)) + 2.0 * np.cross(w, phi @ rate) + phi @ acceleration
    return np.concatenate([m @ a, np.einsum("q,qa->a", m, np.cross(y, a)), np.einsum("q,qak,qa->k", m, phi, a)])


def from_integrals(q, v_rate, w, w_rate, eta, rate, acceleration):
    """The same from m, c, J, P, H, L, N, Kx, Me (theory of one flexible body)."""
    P, L, N, Kx = q.translation, q.position_shape, q.shape_shape, q.cross
    W = skew(w_rate) + skew(w) @ skew(w)
    first = q.mass * q.center + P @ eta
    Cr = q.rotation + np.einsum("akl,k->al", Kx, eta)
    J = q.inertia + q.inertia_first @ eta + np.einsum("abkl,k,l->ab", q.inertia_second, eta, eta)
    force = q.mass * v_rate + W @ first + 2.0 * skew(w) @ P @ rate + P @ acceleration
    D = L @ rate + np.einsum("abkl,k,l->ab", N, eta, rate)
    coriolis = 2.0 * (w * np.trace(D) - D.T @ w)
    torque = np.cross(first, v_rate) + J @ w_rate + np.cross(w, J @ w) + coriolis + Cr @ acceleration
    Y = L.transpose(1, 0, 2) + np.einsum("abkl,l->abk", N, eta)
    centrifugal = np.einsum("a,abk,b->k", w, Y, w) - w @ w * np.trace(Y)
    gyroscopic = 2.0 * np.einsum("a,alk,l->k", w, Kx, rate)
    modal = P.T @ v_rate + Cr.T @ w_rate + centrifugal + gyroscopic + q.modal_mass @ acceleration
    return np.concatenate([force, torque, modal])


CASES = {
    "beams": (beam_structure, beam_cloud, "consistent"),
    "solids": (solid_structure, solid_cloud, "consistent"),
    "shells, translations": (shell_structure, bilinear_cloud, "coupled"),
    "shells, thick": (shell_structure, thick_shell_cloud, "consistent"),
}


@pytest.mark.parametrize("name", CASES)
@pytest.mark.parametrize("bodies", [False, True], ids=["bare", "offset bodies"])
def test_body_equations_from_integrals_equal_sums_over_material_points(name, bodies):
    make, cloud_of, recipe = CASES[name]
    rng = np.random.default_rng(len(name))
    structure = make(rng)
    if bodies:
        nodes = [1, 2]
        structure, masses, arms = with_bodies(structure, nodes, rng)
    model = assemble(structure, mass=recipe)
    basis = random_basis(model, rng)
    appendage = reduce(basis, reference_point=POINT)
    assert appendage.inertia_level == "full"
    shapes = model.displacements(basis.shapes)
    cloud = cloud_of(structure, shapes)
    if bodies:
        cloud = cloud + clump_cloud(structure, nodes, masses, arms, shapes)
    cloud = cloud.about(POINT)
    assert appendage.mass == pytest.approx(cloud.masses.sum(), rel=1e-12)
    for _ in range(5):
        motion = (*rng.normal(size=(3, 3)), *rng.normal(size=(3, MODES)))
        wanted = brute_force(cloud, *motion)
        found = from_integrals(appendage.integrals, *motion)
        assert np.abs(found - wanted).max() < 1e-10 * np.abs(wanted).max()


@pytest.mark.parametrize("name", ["beams", "solids"])
def test_the_centrifugal_force_is_the_slope_of_the_energy(name):
    """1/2 w'J1_k w is minus the centrifugal modal force at eta = 0 (TR 32-1576 after Eq 53)."""
    make, cloud_of, recipe = CASES[name]
    rng = np.random.default_rng(1)
    model = assemble(make(rng), mass=recipe)
    basis = random_basis(model, rng)
    q = reduce(basis, reference_point=POINT).integrals
    cloud = cloud_of(model.structure, model.displacements(basis.shapes)).about(POINT)
    w = rng.normal(size=3)
    force = np.einsum("q,qak,qa->k", cloud.masses, cloud.shapes, np.cross(w, np.cross(w, cloud.positions)))
    assert 0.5 * np.einsum("a,abk,b->k", w, q.inertia_first, w) == pytest.approx(-force, rel=1e-10)


def kinetic_energy(q, v, w, eta, rate):
    a = np.einsum("akl,k,l->a", q.turn_first, eta, eta)
    a_rate = 2.0 * np.einsum("akl,k,l->a", q.turn_first, eta, rate)
    A = 2.0 * np.einsum("abkl,k,l->ab", q.turn_second, eta, rate)
    curl = np.array([A[1, 2] - A[2, 1], A[2, 0] - A[0, 2], A[0, 1] - A[1, 0]])
    Cr = q.rotation @ rate + np.einsum("akl,k,l->a", q.cross, eta, rate) + curl
    first = q.mass * q.center + q.translation @ eta + a
    return (
        0.5 * q.mass * v @ v + v @ np.cross(w, first) + 0.5 * w @ q.inertia_at(eta) @ w
        + v @ (q.translation @ rate + a_rate) + w @ Cr + 0.5 * rate @ q.modal_mass @ rate
    )  # fmt: skip


@pytest.mark.parametrize("sections", [False, True], ids=["nodal bodies", "beam sections"])
def test_turning_bodies_and_sections_are_right_to_second_degree(sections):
    """Particles of a piece that turns by R = exp(b~), b = theta eta:
    T from the integrals is wrong by third degree only.
    """
    rng = np.random.default_rng(4)
    structure = beam_structure(rng)
    if sections:
        model = assemble(structure, mass="bodies")
    else:
        structure = structure.changed(elements=(structure.elements[0],))
        structure, masses, arms = with_bodies(structure, [1, 2], rng)
        model = assemble(structure, mass="particles")
    basis = random_basis(model, rng)
    q = reduce(basis, reference_point=POINT).integrals
    assert q.turns
    shapes = model.displacements(basis.shapes)
    if sections:
        from tisserand.elements.registry import prepare

        pieces = prepare(model.structure, structure.elements[0]).turning_masses("bodies")
        at_nodes = structure.elements[0].nodes.ravel()
        mu = pieces.moments.reshape(-1, 4, 4)
        total = mu[:, 0, 0]
        center = mu[:, 0, 1:] / total[:, None]
        spread = mu[:, 1:, 1:] - total[:, None, None] * np.einsum("na,nb->nab", center, center)
        values, axes = np.linalg.eigh(spread)
        legs = np.sqrt(np.maximum(3.0 * values / total[:, None], 0.0))[:, None] * axes  # columns
        legs = legs.transpose(0, 2, 1)
        arms = center[:, None] + np.concatenate([legs, -legs], axis=1)
        masses = np.repeat(total[:, None] / 6.0, 6, axis=1)
        nodes = at_nodes
        extra = []
    else:
        nodes = np.array([1, 2])
        station = structure.sections[0].end_a
        block = structure.elements[0]
        length = np.linalg.norm(np.diff(structure.nodes.positions[block.nodes], axis=1)[:, 0], axis=1)
        half = 0.5 * 7800.0 * station.area * length
        extra = [(half[e], block.nodes[e, end]) for e in range(2) for end in range(2)]

    from scipy.spatial.transform import Rotation

    def brute(v, w, eta, rate):
        step = 1e-6

        def where(coordinates):
            spots, weights = [], []
            for n, m, arm in zip(nodes, masses, arms):
                R = Rotation.from_rotvec(shapes[n, 3:] @ coordinates).as_matrix()
                spots.append(structure.nodes.positions[n] - POINT + shapes[n, :3] @ coordinates + arm @ R.T)
                weights.append(m)
            for m, n in extra:
                spots.append((structure.nodes.positions[n] - POINT + shapes[n, :3] @ coordinates)[None])
                weights.append(np.array([m]))
            return np.concatenate(spots), np.concatenate(weights)

        y, m = where(eta)
        velocity = (where(eta + step * rate)[0] - where(eta - step * rate)[0]) / (2.0 * step)
        speed = v + np.cross(w, y) + velocity
        return 0.5 * np.einsum("q,qa,qa->", m, speed, speed)

    v, w = rng.normal(size=(2, 3))
    eta, rate = rng.normal(size=(2, MODES))
    errors = []
    for size in (0.04, 0.02):
        full, ours = brute(v, w, size * eta, size * rate), kinetic_energy(q, v, w, size * eta, size * rate)
        errors.append(abs(full - ours))
    assert errors[0] / errors[1] == pytest.approx(8.0, rel=0.25)
    without = kinetic_energy(
        type(q)(**{**q.__dict__, "turn_first": 0 * q.turn_first, "turn_second": 0 * q.turn_second}),
        v,
        w,
        0.02 * eta,
        0.02 * rate,
    )
    assert abs(brute(v, w, 0.02 * eta, 0.02 * rate) - without) > 5.0 * errors[1]
