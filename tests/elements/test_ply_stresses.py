"""Ply stresses against classical laminate theory worked out by hand, strength of materials and published failure criteria."""

import numpy as np
import pytest
from support.surfaces import grid, held, shell_model

from tisserand.assembly.assemble import assemble
from tisserand.elements.ply_failure import failure_index, principal_stresses, reserve_factor, von_mises
from tisserand.elements.registry import prepare
from tisserand.errors import ModelError
from tisserand.model import Isotropic, Orthotropic2D, Ply, ShellSection, Strengths
from tisserand.model.laminate import homogeneous_shell, laminate
from tisserand.statics import nodal_loads, ply_stresses, solve_static

LENGTH, WIDTH = 1.0, 0.1
CARBON = Orthotropic2D(
    1,
    young_1=140e9,
    young_2=10e9,
    poisson_12=0.3,
    shear_12=5e9,
    shear_1z=5e9,
    shear_2z=3.5e9,
    density=1600.0,
    strengths=Strengths(1500e6, 1200e6, 50e6, 250e6, 70e6),
)
PLY = 0.25e-3
CROSS_PLY = laminate(1, [Ply(CARBON, PLY, angle) for angle in (0, np.pi / 2, np.pi / 2, 0)])


def strip(section, forces, n=8, triangles=False, axis=(1.0, 0.0, 0.0), offset=0.0):
    """Cantilever along x with a tip load (6,) shared by the tip nodes (consistent with a uniform pull): stresses by section."""
    points, cells = grid(n, 2, lambda a, b: (LENGTH * a, WIDTH * (b - 0.5)), triangles)
    x, y, _ = points.T
    root, tip = np.isclose(x, 0), np.isclose(x, LENGTH)
    supports = held(len(points), (root, "15"), (root & np.isclose(y, 0), "234"))
    body = assemble(shell_model(points, cells, section, axis, offset=offset, supports=supports))
    share = np.where(np.isclose(np.abs(y), WIDTH / 2), 0.25, 0.5)
    load = nodal_loads(body, {int(i) + 1: share[i] * np.array(forces, float) for i in np.flatnonzero(tip)})
    state = solve_static(body, load)
    (found,) = ply_stresses(body, state.displacement[:, 0])
    center = points[cells].mean(axis=1)
    return found, center


def plane_moduli():
    """Q11, Q12, Q22 by Jones (2.70)."""
    nu21 = CARBON.poisson_12 * CARBON.young_2 / CARBON.young_1
    whole = 1 - CARBON.poisson_12 * nu21
    return CARBON.young_1 / whole, CARBON.poisson_12 * CARBON.young_2 / whole, CARBON.young_2 / whole


@pytest.mark.parametrize("triangles", [False, True])
def test_cross_ply_strip_in_tension(triangles):
    """[0/90]s under N_x: A11 = A22 = 2 t (Q11 + Q22), A12 = 4 t Q12; e_x = A22 N/(A11 A22 - A12²), e_y = -A12 N/(...)
    (Jones 4.4).
    """
    found, _ = strip(CROSS_PLY, (1000.0, 0, 0, 0, 0, 0), triangles=triangles)
    q11, q12, q22 = plane_moduli()
    a11, a12, n = 2 * PLY * (q11 + q22), 4 * PLY * q12, 1000.0 / WIDTH
    ex, ey = a11 * n / (a11**2 - a12**2), -a12 * n / (a11**2 - a12**2)
    along = (q11 * ex + q12 * ey, q12 * ex + q22 * ey)  # fibers along x
    across = (q11 * ey + q12 * ex, q12 * ey + q22 * ex)  # fibers along y: 1 is y, 2 is x
    size = np.abs(along).max()
    for ply, expected in zip(range(4), (along, across, across, along)):
        assert np.abs(found.stress[:, ply, :, 0] - expected[0]).max() < 1e-9 * size
        assert np.abs(found.stress[:, ply, :, 1] - expected[1]).max() < 1e-9 * size
        assert np.abs(found.stress[:, ply, :, 2]).max() < 1e-9 * size
    assert np.abs(found.shear).max() < 1e-9 * size
    assert found.heights == pytest.approx(PLY * np.array([[-2, -1.5, -1], [-1, -0.5, 0], [0, 0.5, 1], [1, 1.5, 2]]))


def test_cross_ply_strip_in_bending():
    """[0/90]s under M_x: D11 = 2/3 t³ (7 Q11 + Q22), D22 = 2/3 t³ (Q11 + 7 Q22), D12 = 16/3 t³ Q12; stress Q (z kappa)."""
    found, _ = strip(CROSS_PLY, (0, 0, 0, 0, 2.0, 0))
    q11, q12, q22 = plane_moduli()
    d11, d22, d12 = 2 / 3 * PLY**3 * (7 * q11 + q22), 2 / 3 * PLY**3 * (q11 + 7 * q22), 16 / 3 * PLY**3 * q12
    m = 2.0 / WIDTH
    kx, ky = d22 * m / (d11 * d22 - d12**2), -d12 * m / (d11 * d22 - d12**2)
    size = q11 * kx * 2 * PLY
    for ply, turned in enumerate((False, True, True, False)):
        z = found.heights[ply]
        k1, k2 = (ky, kx) if turned else (kx, ky)
        assert np.abs(found.stress[:, ply, :, 0] - z * (q11 * k1 + q12 * k2)).max() < 1e-6 * size
        assert np.abs(found.stress[:, ply, :, 1] - z * (q12 * k1 + q22 * k2)).max() < 1e-6 * size
        assert np.abs(found.strain[:, ply, :, 0] - z * k1).max() < 1e-6 * abs(kx) * 2 * PLY


@pytest.mark.parametrize("theta", np.radians([15.0, 30.0, 60.0]))
def test_off_axis_ply(theta):
    """A single ply at an angle under sigma_x: s1 = c² s, s2 = s² s, s12 = -c s s (Jones 2.6), whichever way the angle is
    stated: on the ply or as the element's material axis.
    """
    c, s, pull = np.cos(theta), np.sin(theta), 400.0 / WIDTH / PLY
    expected = pull * np.array([c * c, s * s, -c * s])
    on_ply, _ = strip(laminate(1, [Ply(CARBON, PLY, theta)]), (400.0, 0, 0, 0, 0, 0))
    on_element, _ = strip(laminate(1, [Ply(CARBON, PLY)]), (400.0, 0, 0, 0, 0, 0), axis=(c, s, 0.0))
    for found in (on_ply, on_element):
        assert np.abs(found.stress - expected).max() < 1e-8 * pull


def test_sandwich_core_carries_the_shear_force():
    """Thin faces, soft core: tau = V/(b d) through the core, d between the middles of the faces; faces bear M/(b d t_f)."""
    face, core = (
        Isotropic.from_young(1, 70e9, 0.0),
        Orthotropic2D(2, young_1=1e3, young_2=1e3, poisson_12=0.0, shear_12=1e3, shear_1z=50e6, shear_2z=20e6),
    )
    tf, tc, force = 0.2e-3, 20e-3, 100.0
    found, center = strip(laminate(1, [Ply(face, tf), Ply(core, tc), Ply(face, tf)]), (0, 0, force, 0, 0, 0), n=16)
    d = tc + tf
    middle = np.abs(center[:, 0] - 0.55) < 0.2  # away from the point support and the tip
    assert np.abs(found.shear[middle, 1, :, 0] / (force / WIDTH / d) - 1).max() < 1e-3
    arm = LENGTH - center[middle, 0]
    bending = force * arm / (WIDTH * d * tf)
    assert np.abs(found.stress[middle, 2, 1, 0] / -bending - 1).max() < 2e-3  # load up: the upper face is compressed
    assert np.abs(found.stress[middle, 0, 1, 0] / bending - 1).max() < 2e-3
    assert np.abs(found.shear[:, 0, 0]).max() < 1e-9 * force / WIDTH / d


@pytest.mark.parametrize("shear", [True, False])
def test_homogeneous_strip_has_the_stresses_of_a_beam(shear):
    """sigma = N/A ± M c/I at the surfaces, tau = 3 V/(2 A) in the middle; also where the section is rigid in shear."""
    steel = Isotropic.from_young(1, 210e9, 0.0)
    t, pull, force = 4e-3, 800.0, 5.0
    section = homogeneous_shell(1, steel, t, plane=True, bending=steel, shear=steel if shear else None)
    found, center = strip(section, (pull, 0, force, 0, 0, 0))
    moment = force * (LENGTH - center[:, 0])
    bending = moment * (t / 2) / (WIDTH * t**3 / 12)
    for place, sign in ((0, 1.0), (1, 0.0), (2, -1.0)):
        expected = pull / (WIDTH * t) + sign * bending
        assert np.abs(found.stress[:, 0, place, 0] - expected).max() < 1e-3 * bending.max()
    away = np.abs(center[:, 0] - 0.55) < 0.2  # point supports and point loads are felt near the ends
    assert np.abs(found.shear[away, 0, 1, 0] / (1.5 * force / (WIDTH * t)) - 1).max() < 1e-3
    assert np.abs(found.shear[:, 0, (0, 2)]).max() < 1e-12 * force / (WIDTH * t)


def test_interlaminar_shear_is_continuous_and_sums_to_the_shear_force():
    """tau is the same on both sides of every interface of an angle-ply laminate; its integral through the thickness is Q."""
    angles = np.radians([45, -45, 0, 90, 0, 20])
    section = laminate(1, [Ply(CARBON, PLY * (1 + i % 2), a) for i, a in enumerate(angles)], bottom=0.3e-3)
    points, cells = grid(2, 2, lambda a, b: (a, b))
    model = shell_model(points, cells, section)
    u = 1e-3 * np.random.default_rng(1).normal(size=(len(points), 6))
    body = assemble(model)
    (found,) = ply_stresses(body, u[body.dofs.node, body.dofs.component])
    forces = prepare(model, model.elements[0]).resultants(u)
    c, s = np.cos(angles), np.sin(angles)
    back = np.stack([np.stack([c, -s], axis=-1), np.stack([s, c], axis=-1)], axis=-2)
    tau = np.einsum("pij,mpzj->mpzi", back, found.shear)
    size = np.abs(tau).max()
    assert np.abs(tau[:, :-1, 2] - tau[:, 1:, 0]).max() < 1e-12 * size
    assert max(np.abs(tau[:, 0, 0]).max(), np.abs(tau[:, -1, 2]).max()) < 1e-12 * size
    thickness = found.heights[:, 2] - found.heights[:, 0]
    simpson = np.array([1, 4, 1]) / 6  # exact: tau is quadratic in a ply
    total = np.einsum("p,mpzi,z->mi", thickness, tau, simpson)
    assert total == pytest.approx(forces["shear"], rel=1e-10)


def test_stresses_sum_to_the_section_forces():
    """int sigma dz = N and int sigma z dz = M for any laminate, surface of reference and offset (Simpson is exact)."""
    angles = np.radians([30, -50, 90, 0])
    section = laminate(1, [Ply(CARBON, PLY * (1 + i), a) for i, a in enumerate(angles)], bottom=-0.4e-3)
    points, cells = grid(2, 2, lambda a, b: (a, b + 0.1 * a, 0.05 * a * b))
    model = shell_model(points, cells, section, offset=2e-3)
    u = 1e-3 * np.random.default_rng(2).normal(size=(len(points), 6))
    body = assemble(model)
    (found,) = ply_stresses(body, u[body.dofs.node, body.dofs.component])
    forces = prepare(model, model.elements[0]).resultants(u)
    c, s = np.cos(angles), np.sin(angles)
    rows = [[c * c, s * s, -2 * c * s], [s * s, c * c, 2 * c * s], [c * s, -c * s, c * c - s * s]]
    turn = np.array(rows).transpose(2, 0, 1)
    flat = np.einsum("pij,mpzj->mpzi", turn, found.stress)
    weight = (found.heights[:, 2] - found.heights[:, 0])[:, None] * np.array([1, 4, 1]) / 6
    for name, power in (("membrane", 0), ("moment", 1)):
        total = np.einsum("pz,mpzi->mi", weight * found.heights**power, flat)
        assert np.abs(total - forces[name]).max() < 1e-9 * np.abs(forces[name]).max()


def test_special_sections():
    """12 I/t³ and fiber places of a plate; MEM and BEND laminates; sections that have no ply stresses say so by name."""
    steel = Isotropic.from_young(1, 210e9, 0.0)
    t, ratio, z = 1e-3, 100.0, 5e-3
    found, _ = strip(homogeneous_shell(1, steel, t, bending_factor=ratio, fibers=(-z, z)), (0, 0, 0, 0, 3.0, 0))
    assert found.stress[:, 0, 2, 0] == pytest.approx(3.0 * z / (WIDTH * ratio * t**3 / 12), rel=1e-9)
    plies = [Ply(steel, t), Ply(steel, t)]
    membrane, _ = strip(laminate(1, plies), (100.0, 0, 0, 0, 0, 0))
    points, cells = grid(1, 1, lambda a, b: (a, b))
    u = 1e-3 * np.random.default_rng(0).normal(size=(4, 6))
    for option, odd in (("MEM", 0), ("BEND", 1)):
        body = assemble(shell_model(points, cells, laminate(1, plies, option=option), drilling=20.0))
        (part,) = ply_stresses(body, u[body.dofs.node, body.dofs.component])
        low, high = part.stress[:, 0, 0], part.stress[:, 1, 2]
        assert np.allclose(low, high if not odd else -high) and np.abs(low).max() > 0
    assert membrane.stress[..., 0] == pytest.approx(100.0 / (WIDTH * 2 * t), rel=1e-9)
    bare = ShellSection(
        7,
        membrane=np.eye(3),
        coupling=np.zeros((3, 3)),
        bending=np.eye(3),
        shear=None,
        areal_mass=1.0,
        areal_first_moment=0.0,
        areal_inertia=0.0,
        thickness=t,
    )
    for section, words in ((bare, "layers"), (laminate(8, plies, option="SMEAR"), "smeared")):
        body = assemble(shell_model(points, cells, section))
        with pytest.raises(ModelError, match=words):
            ply_stresses(body, np.zeros(body.size))


def test_failure_criteria():
    """Each criterion is 1 in the uniaxial strengths; Tsai-Hill of a ply at 45 degrees gives Jones' off-axis strength (2.125);
    the reserve factor scales the stress to an index of 1.
    """
    k = CARBON.strengths
    ends = (k.tension_1, -k.compression_1, k.tension_2, -k.compression_2, k.shear_12)
    alone = np.array(ends)[:, None] * np.eye(3)[[0, 0, 1, 1, 2]]
    some = 1e6 * np.random.default_rng(4).normal(size=(50, 3)) * [400.0, 30.0, 20.0]
    for theory in ("max stress", "hill", "hoffman", "tsai-wu"):
        assert failure_index(alone, k, theory) == pytest.approx(1.0, rel=1e-12)
        factor = reserve_factor(some, k, theory)
        assert failure_index(some * factor[:, None], k, theory) == pytest.approx(1.0, rel=1e-9)
    c = s = np.sqrt(0.5)
    x, y, shear = k.tension_1, k.tension_2, k.shear_12
    off_axis = (c**4 / x**2 + (1 / shear**2 - 1 / x**2) * c * c * s * s + s**4 / y**2) ** -0.5
    found, _ = strip(laminate(1, [Ply(CARBON, PLY, np.pi / 4)], failure_theory="hill"), (1.0, 0, 0, 0, 0, 0))
    assert found.reserve_factor() == pytest.approx(off_axis * WIDTH * PLY, rel=1e-6)
    assert found.failure_index("max stress") == pytest.approx(0.5 / (WIDTH * PLY) / k.tension_2, rel=1e-6)
    assert np.isinf(reserve_factor(np.zeros(3), k, "tsai-wu"))
    with pytest.raises(ModelError, match="unknown failure theory"):
        failure_index(alone, k, "wishes")
    with pytest.raises(ModelError, match="tension_2"):
        failure_index(alone, Strengths(1e6, 1e6, 0.0, 1e6, 1e6), "hill")


def test_von_mises_and_principal_stresses():
    """Pure shear: sqrt 3 tau, ± tau at 45 degrees; and the eigenvalues of random tensors."""
    assert von_mises([0.0, 0.0, 2.0]) == pytest.approx(2 * np.sqrt(3))
    major, minor, angle = principal_stresses([0.0, 0.0, 2.0])
    assert (major, minor, angle) == pytest.approx((2.0, -2.0, np.pi / 4))
    s = np.random.default_rng(5).normal(size=(20, 3))
    values = np.linalg.eigvalsh(np.array([[[a, c], [c, b]] for a, b, c in s]))
    assert np.stack(principal_stresses(s)[:2]) == pytest.approx(values.T[::-1])
