"""Everything that modal integrals derive from their arrays, against sums over moving particles."""

import numpy as np
import pytest

from tisserand.appendage.integrals.modal_integrals import ModalIntegrals


class Particles:
    """Particles at r (n, 3) that move by phi eta + 1/2 psi eta eta; phi (n, 3, k), psi (n, 3, k, k) symmetric in modes."""

    def __init__(self, seed: int, n: int = 7, k: int = 3):
        rng = np.random.default_rng(seed)
        self.m, self.r = rng.uniform(0.5, 2.0, n), rng.normal(size=(n, 3)) + np.array([1.0, -2.0, 0.5])
        self.phi, self.psi = rng.normal(size=(n, 3, k)), rng.normal(size=(n, 3, k, k))
        self.psi = self.psi + self.psi.transpose(0, 1, 3, 2)

    def integrals(self, **changes) -> ModalIntegrals:
        m, r, phi, psi = self.m, self.r, self.phi, self.psi
        values = {
            "mass": m.sum(),
            "center": m @ r / m.sum(),
            "inertia": self.inertia(r),
            "translation": np.einsum("n,nak->ak", m, phi),
            "rotation": sum(mi * np.cross(ri, p.T).T for mi, ri, p in zip(m, r, phi)),
            "position_shape": np.einsum("n,na,nbk->abk", m, r, phi),
            "shape_shape": np.einsum("n,nak,nbl->abkl", m, phi, phi),
            "modal_mass": np.einsum("n,nak,nal->kl", m, phi, phi),
            "turn_first": 0.5 * np.einsum("n,nakl->akl", m, psi),
            "turn_second": 0.5 * np.einsum("n,na,nbkl->abkl", m, r, psi),
        }
        return ModalIntegrals(**{**values, **changes})

    def inertia(self, r):
        return sum(mi * (ri @ ri * np.eye(3) - np.outer(ri, ri)) for mi, ri in zip(self.m, r))

    def placed(self, eta, second=1.0):
        return self.r + self.phi @ eta + 0.5 * second * np.einsum("nakl,k,l->na", self.psi, eta, eta)


@pytest.fixture(params=range(3))
def cloud(request):
    return Particles(request.param)


def test_inertia_of_the_deformed_body(cloud):
    """First degree exactly as the particles have it; second-degree motion to that degree (the rest falls with the cube)."""
    made, eta = cloud.integrals(), np.array([0.3, -0.2, 0.5])
    none = {"turn_first": np.zeros((3, 3, 3)), "turn_second": np.zeros((3, 3, 3, 3))}
    assert cloud.integrals(**none).inertia_at(eta) == pytest.approx(cloud.inertia(cloud.placed(eta, 0.0)), rel=1e-13)
    errors = [np.abs(made.inertia_at(h * eta) - cloud.inertia(cloud.placed(h * eta))).max() for h in (1e-2, 5e-3)]
    assert errors[0] / errors[1] == pytest.approx(8.0, rel=0.1)
    step = 1e-5
    for k, unit in enumerate(np.eye(3)):
        slope = (cloud.inertia(cloud.placed(step * unit)) - cloud.inertia(cloud.placed(-step * unit))) / (2.0 * step)
        assert made.inertia_first[:, :, k] == pytest.approx(slope, rel=1e-7, abs=1e-7)
    assert made.inertia_second == pytest.approx(made.inertia_second.transpose(1, 0, 3, 2), rel=1e-14)


def test_moments_and_couplings(cloud):
    made, m, r, phi, psi = cloud.integrals(), cloud.m, cloud.r, cloud.phi, cloud.psi
    one = np.column_stack([np.ones(len(m)), r])
    assert made.moments == pytest.approx(np.einsum("n,na,nb->ab", m, one, one), rel=1e-12, abs=1e-12)
    assert made.shape_moments == pytest.approx(np.einsum("n,na,nbk->abk", m, one, phi), rel=1e-12)
    assert made.second_moments == pytest.approx(0.5 * np.einsum("n,na,nbkl->abkl", m, one, psi), rel=1e-12)
    crossed = sum(mi * np.cross(p[:, :, None], p[:, None, :], axis=0) for mi, p in zip(m, phi))
    assert made.cross == pytest.approx(crossed, rel=1e-12, abs=1e-12)
    assert made.turns and not cloud.integrals(turn_first=0 * psi[0], turn_second=np.zeros((3, 3, 3, 3))).turns
    assert made.count == 3


def test_rigid_and_residual_mass(cloud):
    """Kinetic energy of rigid motion plus modes; what modes cannot carry is its least value over the modal speeds."""
    made, m, r, phi = cloud.integrals(), cloud.m, cloud.r, cloud.phi
    rng = np.random.default_rng(9)
    v, w = rng.normal(size=3), rng.normal(size=3)
    speeds = v + np.cross(w, r)
    rigid = np.r_[v, w]
    assert rigid @ made.rigid_mass @ rigid == pytest.approx(m @ (speeds**2).sum(axis=1), rel=1e-12)
    assert made.coupling.T @ rigid == pytest.approx(np.einsum("n,na,nak->k", m, speeds, phi), rel=1e-12)
    weighted = (np.sqrt(m)[:, None, None] * phi).reshape(-1, 3)
    target = (np.sqrt(m)[:, None] * speeds).ravel()
    left = target - weighted @ np.linalg.lstsq(weighted, target, rcond=None)[0]
    assert rigid @ made.residual_mass @ rigid == pytest.approx(left @ left, rel=1e-10)


def test_identities_hold_and_their_violations_are_measured_against_the_body(cloud):
    made = cloud.integrals()
    assert max(made.identity_errors().values()) < 1e-13
    largest = np.abs(made.modal_mass).max()
    reach = max(np.sqrt(np.trace(made.inertia) / (2.0 * made.mass)), np.abs(made.center).max())
    bent = made.rotation.copy()
    bent[1, 2] += 0.25
    N = made.shape_shape.copy()
    N[0, 1, 0, 2] += 0.5
    wrong = cloud.integrals(rotation=bent, shape_shape=N).identity_errors()
    assert wrong["eps L = H"] == pytest.approx(0.25 / (np.sqrt(made.mass * largest) * reach), rel=1e-10)
    assert wrong["N_ab,kl = N_ba,lk"] == pytest.approx(0.5 / largest, rel=1e-10)
    N = made.shape_shape.copy()
    N[2, 2, 1, 1] += 0.125
    assert cloud.integrals(shape_shape=N).identity_errors()["tr N = Me"] == pytest.approx(0.125 / largest, rel=1e-10)
    heavy = cloud.integrals(modal_mass=0.1 * made.modal_mass)  # modes that carry more than the body has
    lowest = np.linalg.eigvalsh(heavy.residual_mass)[0]
    assert lowest < 0.0
    expected = -lowest / np.abs(made.rigid_mass).max()
    assert heavy.identity_errors()["residual mass >= 0"] == pytest.approx(expected, rel=1e-10)
