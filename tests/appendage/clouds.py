"""Structures as clouds of particles, with the shape functions written out here: the brute-force side of
exactness tests.

A cloud is masses (q,), positions (q, 3) and shapes (q, 3, k) of material points; sums over it need no element
library.
"""

from dataclasses import dataclass

import numpy as np

from tisserand.model import (
    BeamBlock,
    BeamSection,
    BeamStation,
    Isotropic,
    NodalBodies,
    Nodes,
    ShellBlock,
    ShellSection,
    SolidBlock,
    SolidSection,
    StructuralModel,
)


@dataclass
class Cloud:
    masses: np.ndarray
    positions: np.ndarray
    shapes: np.ndarray

    def __add__(self, other):
        return Cloud(
            *(np.concatenate([getattr(self, w), getattr(other, w)]) for w in ("masses", "positions", "shapes"))
        )

    def about(self, point):
        return Cloud(self.masses, self.positions - point, self.shapes)


STEEL = Isotropic.from_young(1, 2.1e11, 0.3, 7800.0)


def gauss(count):
    x, w = np.polynomial.legendre.leggauss(count)
    return 0.5 * (x + 1.0), 0.5 * w


def beam_structure(rng):
    """Two slender bars in a bend with offset bodies; Bernoulli bending (no shear flexibility)."""
    points = np.array([[0.0, 0.0, 0.0], [1.2, 0.3, -0.2], [1.9, 1.4, 0.5]])
    station = BeamStation(4e-3, 6e-6, 3e-6, torsion_constant=5e-6)
    section = BeamSection(1, STEEL, station)
    block = BeamBlock(
        np.array([1, 2]), np.array([[0, 1], [1, 2]]), np.zeros(2, int), np.array([[0.1, 0.2, 1.0], [0.3, -1.0, 0.4]]),
        np.zeros((2, 2, 3)), np.zeros((2, 2, 6), bool),
    )  # fmt: skip
    return StructuralModel("bars", Nodes(np.array([5, 6, 9]), points), (block,), (section,), materials=(STEEL,))


def beam_cloud(model, shapes):
    """Hermite cubics along the bar, sections turning with the slope,
    four points per section that have its second moments.
    """
    block, station = model.elements[0], model.sections[0].end_a
    t, w = gauss(6)
    masses, positions, motions = [], [], []
    for (a, b), v in zip(block.nodes, block.orientation):
        start, end = model.nodes.positions[[a, b]]
        L = np.linalg.norm(end - start)
        x = (end - start) / L
        z = np.cross(x, v)
        z /= np.linalg.norm(z)
        C = np.array([x, np.cross(z, x), z])
        u = np.einsum("ij,njk->nik", C, shapes[[a, b], :3])
        r = np.einsum("ij,njk->nik", C, shapes[[a, b], 3:])
        for s, weight in zip(t, w):
            h = np.array([1 - 3 * s**2 + 2 * s**3, s - 2 * s**2 + s**3, 3 * s**2 - 2 * s**3, -(s**2) + s**3])
            g = np.array([-6 * s + 6 * s**2, 1 - 4 * s + 3 * s**2, 6 * s - 6 * s**2, -2 * s + 3 * s**2]) / L
            axial, twist = (1 - s) * u[0, 0] + s * u[1, 0], (1 - s) * r[0, 0] + s * r[1, 0]
            vy = h[0] * u[0, 1] + h[1] * L * r[0, 2] + h[2] * u[1, 1] + h[3] * L * r[1, 2]
            vz = h[0] * u[0, 2] - h[1] * L * r[0, 1] + h[2] * u[1, 2] - h[3] * L * r[1, 1]
            turn_z = g[0] * u[0, 1] + g[1] * L * r[0, 2] + g[2] * u[1, 1] + g[3] * L * r[1, 2]
            turn_y = -(g[0] * u[0, 2] - g[1] * L * r[0, 1] + g[2] * u[1, 2] - g[3] * L * r[1, 1])
            turn = np.array([twist, turn_y, turn_z])
            line = np.array([axial, vy, vz])
            arms = np.zeros((4, 3))
            arms[0, 1] = np.sqrt(2 * station.i_zz / station.area)
            arms[2, 2] = np.sqrt(2 * station.i_yy / station.area)
            arms[1], arms[3] = -arms[0], -arms[2]
            for arm in arms:
                masses.append(STEEL.density * station.area * L * weight / 4)
                positions.append(start + C.T @ (np.array([s * L, 0.0, 0.0]) + arm))
                motions.append(C.T @ (line + np.cross(turn, arm, axisa=0, axisc=0)))
    return Cloud(np.array(masses), np.array(positions), np.array(motions))


_VERTICES = np.array([[0, 0, 0], [1, 0, 0], [1, 1, 0], [0, 1, 0], [0, 0, 1], [1, 0, 1], [1, 1, 1], [0, 1, 1]], float)


def solid_structure(rng):
    """Two distorted bricks sharing a face."""
    base = np.array([[i, j, k] for k in range(2) for j in range(2) for i in range(3)], float)
    points = base * [0.8, 0.5, 0.3] + 0.05 * rng.normal(size=base.shape) + [0.3, -0.2, 0.9]

    def brick(i):
        return [i, i + 1, i + 4, i + 3, i + 6, i + 7, i + 10, i + 9]

    block = SolidBlock(np.array([1, 2]), np.array([brick(0), brick(1)]), np.zeros(2, int), "hex8")
    section = SolidSection(1, STEEL)
    return StructuralModel("bricks", Nodes(np.arange(1, 13), points), (block,), (section,), materials=(STEEL,))


def solid_cloud(model, shapes):
    """Trilinear brick at its 2 x 2 x 2 integration points."""
    block = model.elements[0]
    t, w = gauss(2)
    masses, positions, motions = [], [], []
    for nodes in block.nodes:
        corner = model.nodes.positions[nodes]
        for i, j, k in np.ndindex(2, 2, 2):
            q = np.array([t[i], t[j], t[k]])
            factors = np.where(_VERTICES == 1.0, q, 1.0 - q)
            N = factors.prod(axis=1)
            sign = np.where(_VERTICES == 1.0, 1.0, -1.0)
            dN = np.stack([sign[:, a] * np.delete(factors, a, axis=1).prod(axis=1) for a in range(3)], axis=1)
            masses.append(STEEL.density * np.linalg.det(corner.T @ dN) * w[i] * w[j] * w[k])
            positions.append(N @ corner)
            motions.append(np.einsum("n,nak->ak", N, shapes[nodes, :3]))
    return Cloud(np.array(masses), np.array(positions), np.array(motions))


def shell_structure(rng):
    """A folded plate of three quadrilaterals: two rectangles and a skew one."""
    points = np.array(
        [[0, 0, 0], [1, 0, 0], [1, 0.8, 0], [0, 0.8, 0], [1, 0, 0.7], [1, 0.8, 0.7], [-0.9, 0.1, 0], [-0.7, 1.0, 0]],
        float,
    )
    nodes = np.array([[0, 1, 2, 3], [1, 4, 5, 2], [6, 0, 3, 7]])
    t, E, nu = 0.02, 7e10, 0.3
    A = E * t / (1 - nu**2) * np.array([[1, nu, 0], [nu, 1, 0], [0, 0, (1 - nu) / 2]])
    rho = 2700.0
    section = ShellSection(
        1,
        membrane=A,
        coupling=np.zeros((3, 3)),
        bending=A * t**2 / 12,
        shear=np.eye(2) * E * t / 2.6 * 5 / 6,
        areal_mass=rho * t,
        areal_first_moment=0.0,
        areal_inertia=rho * t**3 / 12,
        thickness=t,
    )
    block = ShellBlock(np.arange(3), nodes, np.zeros(3, int), np.tile([1.0, 0.2, 0.3], (3, 1)), np.zeros(3))
    return StructuralModel("plates", Nodes(np.arange(1, 9), points), (block,), (section,))


def bilinear_cloud(model, shapes):
    """Translations only, bilinear over each quadrilateral, 4 x 4 points: the mass recipe ``coupled``."""
    block, section = model.elements[0], model.sections[0]
    t, w = gauss(4)
    masses, positions, motions = [], [], []
    for nodes in block.nodes:
        corner = model.nodes.positions[nodes]
        for i, j in np.ndindex(4, 4):
            x, y = t[i], t[j]
            N = np.array([(1 - x) * (1 - y), x * (1 - y), x * y, (1 - x) * y])
            along = np.array([[-(1 - y), 1 - y, y, -y], [-(1 - x), -x, x, 1 - x]]) @ corner
            masses.append(section.areal_mass * np.linalg.norm(np.cross(along[0], along[1])) * w[i] * w[j])
            positions.append(N @ corner)
            motions.append(np.einsum("n,nak->ak", N, shapes[nodes, :3]))
    return Cloud(np.array(masses), np.array(positions), np.array(motions))


def thick_shell_cloud(model, shapes):
    """The shell's own field at its integration points, two particles through the thickness at each:
    ``consistent``.
    """
    from tisserand.elements.shell_geometry import physical_gradient, shell_geometry, shell_stiffness
    from tisserand.elements.shell_mass import field_points, mass_field
    from tisserand.elements.shell_strain import local_stiffness

    block, section = model.elements[0], model.sections[0]
    geometry = shell_geometry(model, block)
    stiffness = shell_stiffness(model, block, geometry)
    inner = local_stiffness(geometry, stiffness).inner
    field = mass_field(model, block, geometry, "consistent", lambda: (stiffness, inner))
    at = field_points(4, "consistent")
    _, det = physical_gradient(geometry.flat, at.corner_gradient)
    surface = np.hstack([at.corner, at.bubble, at.cubic, 1.0 - at.points**2])
    z = np.sqrt(section.areal_inertia / section.areal_mass)
    masses, positions, motions = [], [], []
    for e, nodes in enumerate(block.nodes):
        q = shapes[nodes].reshape(24, -1)
        C = geometry.axes[e]
        where = at.corner @ model.nodes.positions[nodes]
        own = section.areal_mass * det[e] * at.weights
        bent = orthogonal(surface, own, 3) @ np.linalg.cholesky(field.weights[e, -5:-2, -5:-2]).T
        sheared = orthogonal(at.corner, own, 2) @ np.linalg.cholesky(field.weights[e, -2:, -2:]).T
        for side in (-z, z):
            functions = np.hstack([surface, side * at.corner, bent, np.sign(side) * sheared])
            local = np.einsum("gf,afn,nk->gak", functions, field.shapes[e], q)
            masses.append(0.5 * section.areal_mass * det[e] * at.weights)
            positions.append(where + side * C[2])
            motions.append(np.einsum("ba,gbk->gak", C, local))
    return Cloud(np.concatenate(masses), np.concatenate(positions), np.concatenate(motions))


def orthogonal(functions, weights, count):
    """Functions at the same points, orthogonal to the given ones and orthonormal under the weights."""
    root = np.sqrt(weights)[:, None]
    left, size, _ = np.linalg.svd(root * functions)
    rank = int((size > 1e-9 * size[0]).sum())
    return left[:, rank : rank + count] / root


def with_bodies(model, nodes, rng):
    """The model with random particle clumps at some nodes as rigid bodies, and the clumps:
    (model, masses, arms).
    """
    count = len(nodes)
    masses, arms = rng.uniform(0.5, 2.0, (count, 7)), rng.normal(size=(count, 7, 3)) * 0.2 + [0.1, -0.2, 0.3]
    total = masses.sum(axis=1)
    center = np.einsum("np,npa->na", masses, arms) / total[:, None]
    rel = arms - center[:, None]
    inertia = np.einsum("np,npa,npa->n", masses, rel, rel)[:, None, None] * np.eye(3)
    inertia = inertia - np.einsum("np,npa,npb->nab", masses, rel, rel)
    block = NodalBodies(np.arange(100, 100 + count), np.asarray(nodes)[:, None], total, center, inertia)
    return model.changed(elements=(*model.elements, block)), masses, arms


def clump_cloud(model, nodes, masses, arms, shapes):
    """First-degree motion phi + theta x arm of every particle of every clump."""
    x = model.nodes.positions[nodes]
    theta = shapes[nodes, 3:]
    moved = shapes[nodes, :3][:, None] + np.cross(theta[:, None], arms[..., None], axisa=2, axisb=2, axisc=2)
    k = shapes.shape[2]
    return Cloud(masses.ravel(), (x[:, None] + arms).reshape(-1, 3), moved.reshape(-1, 3, k))
