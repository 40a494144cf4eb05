"""Geometric-stiffness families: the rotating beam, and the change of reference point and axes."""

import numpy as np
import pytest
from scipy.linalg import eigh
from scipy.spatial.transform import Rotation
from support.hand_built import matrices_of

import tisserand as ts
from tisserand.appendage import GEOMETRIC_FAMILIES, reduce, shifted, turned
from tisserand.assembly import assemble
from tisserand.errors import ModelError
from tisserand.model import BeamStation, Isotropic
from tisserand.modes import solve_modes


def unit_beam(elements=40, tilt=None, start=(0.0, 0.0, 0.0)):
    """Clamped beam along x with EI = rho A = L = 1, stiff axially, no rotary inertia to speak of."""
    area, inertia, young = 1.0, 1e-6, 1e6
    material = Isotropic(1, young, young, 0.0, 1.0)
    section = ts.CrossSection(BeamStation(area, inertia, 4.0 * inertia, torsion_constant=inertia))
    Q = np.eye(3) if tilt is None else tilt
    beam = ts.boom(1.0, section, material, elements=elements, start=start, direction=Q[:, 0], up=Q[:, 2])
    structure = beam.changed(interfaces={"tip": elements + 1})
    return assemble(structure, mass="consistent")


@pytest.fixture(scope="module")
def beam():
    return reduce(solve_modes(unit_beam(), count=16), geometric=["tip"])


@pytest.mark.parametrize(("rate", "wanted"), [(0.0, 3.51601527), (1.0, 3.68164681), (12.0, 13.17015049)])
def test_flap_frequencies_of_a_rotating_beam(beam, rate, wanted):
    """Published first flap frequency of a rotating clamped beam (EI = rho A = L = 1, no hub radius).

    Spin about z: flap is along z, where EI = 1 (the orientation vector is the element's y axis).
    """
    K = beam.stiffness + rate**2 * beam.geometric_stiffness["wzz"]
    flap = np.abs(beam.interface("tip").translation[2]) > 1e-6
    assert flap.sum() >= 4
    values = eigh(K[np.ix_(flap, flap)], beam.integrals.modal_mass[np.ix_(flap, flap)], eigvals_only=True)
    assert np.sqrt(values[0]) == pytest.approx(wanted, rel=3e-4)


def test_a_tip_load_at_the_buckling_force_takes_the_stiffness_away(beam):
    """Euler: a clamped-free column buckles at pi² EI / 4 L²;
    the family F:tip:1 must make K singular there.
    """
    flap = np.abs(beam.interface("tip").translation[2]) > 1e-6
    K, G = beam.stiffness[np.ix_(flap, flap)], beam.geometric_stiffness["F:tip:1"][np.ix_(flap, flap)]
    load = 1.0 / eigh(G, K, eigvals_only=True)[-1]  # tension stiffens: K - load G is singular
    assert load == pytest.approx(np.pi**2 / 4, rel=2e-3)


def test_families_are_complete_and_need_elements(beam):
    assert list(beam.geometric_stiffness)[:12] == list(GEOMETRIC_FAMILIES)
    model = unit_beam(4)
    bare = matrices_of(model)
    with pytest.raises(ModelError, match="bare matrices"):
        reduce(solve_modes(bare, count=2), geometric=True)
    with pytest.raises(ModelError, match="unknown interface"):
        reduce(solve_modes(model, count=2), geometric=["nose"])


def combination(families, a, al, w):
    values = dict(
        zip(GEOMETRIC_FAMILIES, [*a, *al, *(w[i] * w[j] for i, j in ((0, 0), (1, 1), (2, 2), (0, 1), (1, 2), (2, 0)))])
    )
    return sum(values[name] * families[name] for name in GEOMETRIC_FAMILIES)


def test_the_same_motion_stiffens_alike_seen_from_another_point_and_other_axes(beam):
    """a' = a + al x d + w x (w x d) at O + d; v' = Q v in turned axes."""
    rng = np.random.default_rng(2)
    a, al, w, d = rng.normal(size=(4, 3))
    before = combination(beam.geometric_stiffness, a, al, w)
    moved = shifted(beam, beam.reference_point + d)
    a_new = a + np.cross(al, d) + np.cross(w, np.cross(w, d))
    assert np.allclose(combination(moved.geometric_stiffness, a_new, al, w), before, atol=1e-12 * np.abs(before).max())
    Q = Rotation.from_rotvec([0.4, -1.0, 0.3]).as_matrix()
    other = turned(beam, Q)
    assert np.allclose(
        combination(other.geometric_stiffness, Q @ a, Q @ al, Q @ w), before, atol=1e-12 * np.abs(before).max()
    )
    tip = sum(rng_value * other.geometric_stiffness[f"F:tip:{c + 1}"] for c, rng_value in enumerate(Q @ a))
    assert np.allclose(tip, sum(v * beam.geometric_stiffness[f"F:tip:{c + 1}"] for c, v in enumerate(a)), atol=1e-12)


def test_families_follow_a_beam_built_elsewhere(beam):
    """The same beam modeled at another place and angle gives the families of the moved record (up to
    mode signs).
    """
    Q = Rotation.from_rotvec([0.2, 0.5, -0.7]).as_matrix()
    built = reduce(solve_modes(unit_beam(tilt=Q, start=(1.0, 2.0, 3.0)), count=16), geometric=True)
    made = turned(beam, Q)
    for name in GEOMETRIC_FAMILIES:
        a, b = np.abs(built.geometric_stiffness[name]), np.abs(made.geometric_stiffness[name])
        assert np.abs(a - b).max() < 1e-5 * max(np.abs(b).max(), 1.0), name
