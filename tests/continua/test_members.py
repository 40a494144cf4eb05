"""Records of uniform members: closed-form integrals, identities, converged finite elements, and flight."""

import numpy as np
import pytest
from support.beams import clamped_beam

import tisserand as ts

L, MU, EIY, EIZ, EA, GJ, POLAR = 3.2, 1.5, 100.0, 400.0, 3e5, 50.0, 1e-6


def beam(**options):
    return ts.uniform_beam(
        L, MU, bending=(EIY, EIZ), axial=EA, torsion=GJ, polar_inertia=POLAR, **{"count": 5, "damping": 0.01, **options}
    )


def signs(a, b):
    return np.sign(np.einsum("ak,ak->k", a.integrals.coupling, b.integrals.coupling))


def test_cantilever_participation_in_closed_form():
    """int phi = 2 sigma / lambda, int x phi = 2 L / lambda^2 for unit-mass shapes with phi(L) = 2 (Blevins, table 8-1)."""
    record = ts.uniform_beam(L, MU, bending=(EIY, EIZ), count=6)
    rows = [i for i, name in enumerate(record.mode_names) if name.startswith("bending y")][:3]
    lam = np.array([1.875104068711961, 4.694091132974175, 7.854757438237613])
    sigma = (np.sinh(lam) - np.sin(lam)) / (np.cosh(lam) + np.cos(lam))
    root = np.sqrt(MU * L)
    np.testing.assert_allclose(np.abs(record.integrals.translation[1, rows]), root * 2 * sigma / lam, rtol=1e-11)
    np.testing.assert_allclose(np.abs(record.integrals.rotation[2, rows]), root * L * 2 / lam**2, rtol=1e-11)
    np.testing.assert_allclose(record.interface("tip").translation[1, rows], 2 / root, rtol=1e-11)


@pytest.mark.parametrize(
    "ends", ["clamped-free", "free-free", "pinned-pinned", "clamped-pinned", "clamped-clamped", "free-clamped"]
)
def test_integrals_keep_their_identities(ends):
    record = beam(ends=ends, count=12)
    assert max(record.integrals.identity_errors().values()) < 1e-13
    np.testing.assert_allclose(record.integrals.modal_mass, np.eye(12), atol=1e-12)
    assert record.mass == pytest.approx(MU * L, rel=1e-14)
    if ends == "free-free":
        assert np.abs(record.integrals.coupling).max() < 1e-13
        np.testing.assert_allclose(record.reference_point, [L / 2, 0, 0], atol=1e-14)


@pytest.mark.parametrize("tip", [0.0, 2.0])
@pytest.mark.parametrize("offset", [0.0, 0.15])
def test_converged_finite_elements(tip, offset):
    exact = beam(tip_mass=tip, tip_inertia=(0.3 * tip, 0.2 * tip, 0.4 * tip), tip_offset=offset)
    section = ts.rigidities((EIZ, EIY), MU, axial=EA, torsion=GJ, polar_inertia=POLAR)
    body = {"tip_mass": tip, "tip_inertia": (0.3 * tip, 0.2 * tip, 0.4 * tip), "tip_offset": (offset, 0, 0)}
    model = ts.boom(L, section, elements=60, **body)
    near = ts.reduce(ts.solve_modes(ts.assemble(model), count=5), attachment="root", geometric=["tip"])
    np.testing.assert_allclose(exact.frequencies_hz, near.frequencies_hz, rtol=5e-6)
    s = signs(exact, near)
    np.testing.assert_allclose(exact.integrals.inertia, near.integrals.inertia, rtol=1e-9, atol=1e-9)
    np.testing.assert_allclose(exact.integrals.coupling, s * near.integrals.coupling, atol=1e-5)
    np.testing.assert_allclose(exact.integrals.position_shape, s * near.integrals.position_shape, atol=1e-5)
    np.testing.assert_allclose(exact.integrals.shape_shape, np.outer(s, s) * near.integrals.shape_shape, atol=1e-5)
    bent = [i for i, name in enumerate(exact.mode_names) if name.startswith("bending")]
    for name, found in exact.geometric_stiffness.items():
        wanted = np.outer(s, s) * near.geometric_stiffness[name]
        pick = np.ix_(bent, bent)
        np.testing.assert_allclose(found[pick], wanted[pick], atol=1e-3 * np.abs(wanted).max(), err_msg=name)


def test_ritz_beam_is_the_same_machine():
    """The polynomial Ritz beam of the tests shares no code with the continuum: integrals and stiffening agree."""
    ritz = clamped_beam(L, EIY, MU, 2, planes="y")
    exact = ts.uniform_beam(L, MU, bending=(EIY, 1e6 * EIY), count=2)
    s = signs(exact, ritz)
    np.testing.assert_allclose(np.diag(exact.stiffness), np.diag(ritz.stiffness), rtol=1e-8)
    np.testing.assert_allclose(exact.integrals.coupling, s * ritz.integrals.coupling, atol=1e-8)
    for name in ("ax", "wyy", "wzz"):
        np.testing.assert_allclose(
            exact.geometric_stiffness[name], np.outer(s, s) * ritz.geometric_stiffness[name], rtol=1e-6, atol=1e-7
        )


def test_string_frequencies():
    """f_n = n / 2L sqrt(T / mu) in both planes; the sum of participations tends to the mass: 8 / (n pi)^2 for odd n."""
    record = ts.uniform_string(2.0, 0.1, 50.0, count=8, points={"middle": 1.0})
    np.testing.assert_allclose(record.frequencies_hz, np.repeat([1, 2, 3, 4], 2) * np.sqrt(500.0) / 4.0, rtol=1e-13)
    share = record.integrals.translation[1] ** 2 / record.mass
    np.testing.assert_allclose(np.sort(share)[-2:], [8 / (3 * np.pi) ** 2, 8 / np.pi**2], rtol=1e-11)
    assert np.abs(record.interface("middle").translation).max() == pytest.approx(np.sqrt(2 / record.mass), rel=1e-12)


def test_the_record_is_stored_and_flies(tmp_path):
    """Spin-up in miniature: the exact record and converged finite elements move a hub alike."""
    exact = beam(tip_mass=0.5, count=4)
    ts.save_record(exact, tmp_path / "beam.h5")
    section = ts.rigidities((EIZ, EIY), MU, axial=EA, torsion=GJ, polar_inertia=POLAR)
    model = ts.boom(L, section, elements=40, tip_mass=0.5)
    near = ts.reduce(ts.solve_modes(ts.assemble(model), count=4), attachment="root", damping=0.01, geometric=True)
    rates = []
    for record in (ts.load_record(tmp_path / "beam.h5"), near):
        hub = ts.Body("hub", 20.0, inertia=[5, 6, 7])
        craft = ts.Vehicle("craft", [hub], appendages=[ts.MountedAppendage("beam", record, "hub")])
        run = ts.simulate(craft, 4.0, ts.State(angular_velocity=[0.02, 0.05, 0.2]), samples=41, rtol=1e-10)
        assert max(run.balance.worst().values()) < 1e-8
        rates.append(run.angular_velocity)
    np.testing.assert_allclose(rates[0], rates[1], atol=2e-5 * np.abs(rates[1]).max())


@pytest.mark.parametrize(
    "make, words",
    [
        (lambda: ts.uniform_beam(-1.0, 1.0, bending=1.0), "length"),
        (lambda: ts.uniform_beam(1.0, 1.0), "rigidity"),
        (lambda: ts.uniform_beam(1.0, 1.0, bending=1.0, ends="pinned-free"), "joint"),
        (lambda: ts.uniform_beam(1.0, 1.0, bending=1.0, ends="clamped"), "hyphen"),
        (lambda: ts.uniform_beam(1.0, 1.0, bending=1.0, ends="pinned-pinned", tip_mass=1.0), "free end"),
        (lambda: ts.uniform_beam(1.0, 1.0, torsion=1.0), "polar_inertia"),
        (lambda: ts.uniform_beam(1.0, 1.0, bending=1.0, points={"p": 1.2}), "outside"),
        (lambda: ts.uniform_string(1.0, 1.0, 0.0), "tension"),
        (lambda: ts.uniform_string(1.0, 1.0, 1.0, planes="x"), "along y, z"),
    ],
)
def test_refusals_say_what_is_wrong(make, words):
    with pytest.raises(ts.InputError, match=words):
        make()
