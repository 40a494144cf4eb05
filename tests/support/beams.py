"""Euler-Bernoulli beams along x in exact polynomial Ritz bases: integrals by Gauss points, no finite elements."""

import numpy as np
from numpy.polynomial import Polynomial
from numpy.polynomial.legendre import Legendre, leggauss
from scipy.linalg import eigh

from tisserand.appendage.integrals.from_nodal_bodies import nodal_body_integrals
from tisserand.appendage.record.node_table import Interface, NodeTable
from tisserand.appendage.record.reduced_appendage import FrameRecord, ReducedAppendage


def clamped_beam(length, rigidity, density, count, planes="yz", geometric=True, basis=12, name="beam", axis=0):
    """Cantilever of ``length``, EI ``rigidity``, mass per length ``density``; ``count`` modes per plane (``planes`` of y, z).

    Modes are mass-normalized Ritz vectors of x^2 Legendre_j: the first few are exact to 1e-9. Geometric families: axial force
    of frame acceleration along the beam and of spin across it.
    """
    xs, ws = leggauss(60)
    xs, ws = 0.5 * (xs + 1.0), 0.5 * ws
    shapes = [Polynomial([0, 0, 1]) * Legendre.basis(j, domain=[0, 1]).convert(kind=Polynomial) for j in range(basis)]
    f = np.array([p(xs) for p in shapes])
    d1 = np.array([p.deriv()(xs) for p in shapes])
    d2 = np.array([p.deriv(2)(xs) for p in shapes])
    M = density * length * (f * ws) @ f.T
    K = rigidity / length**3 * (d2 * ws) @ d2.T
    values, vectors = eigh(K, M, subset_by_index=[0, count - 1])
    phi, slope, tip = vectors.T @ f, vectors.T @ d1 / length, vectors.T @ np.array([p(1.0) for p in shapes])
    tip_slope = vectors.T @ np.array([p.deriv()(1.0) for p in shapes]) / length
    others = [i for i in range(3) if i != axis]
    across = {"y": others[0], "z": others[1]}
    k = count * len(planes)
    n = len(xs)
    positions = np.zeros((n + 2, 3))
    positions[:n, axis], positions[n + 1, axis] = xs * length, length
    translation, rotation = np.zeros((n + 2, 3, k)), np.zeros((n + 2, 3, k))
    unit = np.eye(3)
    for i, plane in enumerate(planes):
        a, turn = across[plane], np.cross(unit[axis], unit[across[plane]])
        for j in range(count):
            c = i * count + j
            translation[:n, a, c], translation[n + 1, a, c] = phi[j], tip[j]
            rotation[:n, :, c], rotation[n + 1, :, c] = slope[j][:, None] * turn, tip_slope[j] * turn
    masses = np.append(density * length * ws, [0.0, 0.0])
    integrals = nodal_body_integrals(
        positions, masses, np.zeros((n + 2, 3)), np.zeros((n + 2, 3, 3)), translation, rotation
    )
    families = {}
    if geometric:
        x = xs * length
        pull = (slope * (density * (length - x) * ws * length)) @ slope.T
        spin = (slope * (density * (length**2 - x**2) / 2.0 * ws * length)) @ slope.T
        block = np.kron(np.eye(len(planes)), np.ones((1, 1)))
        families["a" + "xyz"[axis]] = -np.kron(block, pull)
        for other in others:
            families["w" + 2 * "xyz"[other]] = np.kron(block, spin)
    table = NodeTable(np.arange(1, n + 3), positions, translation, rotation)
    faces = (
        Interface("root", n + 1, np.zeros(3), np.eye(3), np.zeros((3, k)), np.zeros((3, k))),
        Interface("tip", n + 2, positions[n + 1], np.eye(3), translation[n + 1], rotation[n + 1]),
    )
    stiffness = np.diag(np.tile(values, len(planes)))
    return ReducedAppendage(
        name,
        integrals=integrals,
        stiffness=stiffness,
        damping=np.zeros((k, k)),
        nodes=table,
        frame=FrameRecord("connection", "clamped at the root"),
        interfaces=faces,
        attachment="root",
        geometric_stiffness=families,
    )
