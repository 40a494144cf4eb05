"""Stiffness and consistent mass of solids against scikit-fem, an independent code: the same eigenvalues of K
and of M.
"""

import numpy as np
import pytest
from support.surfaces import solid_model

from tisserand.assembly.assemble import assemble
from tisserand.elements.solid_shapes import TET_EDGES
from tisserand.model import Isotropic

skfem = pytest.importorskip("skfem")
MATERIAL = Isotropic.from_young(1, 1.705e7, 0.31, 4.14e-4)


def matrices(mesh, element, order):
    from skfem.helpers import ddot, dot, sym_grad, trace

    basis = skfem.Basis(mesh, skfem.ElementVector(element), intorder=order)
    lame = MATERIAL.young * MATERIAL.poisson / ((1 + MATERIAL.poisson) * (1 - 2 * MATERIAL.poisson))

    @skfem.BilinearForm
    def stiffness(u, v, _):
        return 2 * MATERIAL.shear * ddot(sym_grad(u), sym_grad(v)) + lame * trace(sym_grad(u)) * trace(sym_grad(v))

    @skfem.BilinearForm
    def mass(u, v, _):
        return MATERIAL.density * dot(u, v)

    return stiffness.assemble(basis).toarray(), mass.assemble(basis).toarray()


def same_eigenvalues(first, second):
    a, b = np.linalg.eigvalsh(first), np.linalg.eigvalsh(second)
    return np.abs(a - b).max() < 1e-11 * np.abs(b).max()


#: Two very flat tetrahedra, as in the corpus deck Simple_Example.
FLAT = np.array([[0, 0, 0], [1, 0.1, 0], [0.9, 1, 0.05], [0.2, 0.3, 0.02], [0.5, 1.2, 0.1]])
PAIR = np.array([[0, 1, 2, 3], [1, 2, 3, 4]])


def ordered(points, cells):
    volume = np.linalg.det(points[cells[:, 1:]] - points[cells[:, :1]])
    return np.array([c if v > 0 else c[[0, 2, 1, 3]] for c, v in zip(cells, volume)])


@pytest.mark.parametrize("kind", ["tet4", "tet10"])
def test_flat_tetrahedra(kind):
    cells = ordered(FLAT, PAIR)
    points = FLAT
    if kind == "tet10":
        pairs = np.sort(np.stack([cells[:, list(e)] for e in TET_EDGES], axis=1).reshape(-1, 2), axis=1)
        unique, place = np.unique(pairs, axis=0, return_inverse=True)
        points = np.vstack([FLAT, FLAT[unique].mean(axis=1)])
        full = np.hstack([cells, len(FLAT) + place.reshape(len(cells), -1)])
    else:
        full = cells
    ours = assemble(solid_model(points, full, kind, MATERIAL))
    element = skfem.ElementTetP2() if kind == "tet10" else skfem.ElementTetP1()
    k, m = matrices(skfem.MeshTet(FLAT.T.copy(), cells.T.copy()), element, 4)
    assert same_eigenvalues(ours.stiffness.toarray(), k)
    assert same_eigenvalues(ours.mass.toarray(), m)


def test_trilinear_brick():
    """A parallelepiped, where 2 x 2 x 2 points are exact."""
    reference = skfem.MeshHex()
    points = reference.p.T @ np.array([[1.0, 0.2, 0.1], [0.3, 0.8, 0.0], [0.1, 0.2, 1.3]])
    k, m = matrices(skfem.MeshHex(points.T.copy(), reference.t), skfem.ElementHex1(), 4)
    unit = np.array([[0, 0, 0], [1, 0, 0], [1, 1, 0], [0, 1, 0], [0, 0, 1], [1, 0, 1], [1, 1, 1], [0, 1, 1]], float)
    corners = unit @ np.array([[1.0, 0.2, 0.1], [0.3, 0.8, 0.0], [0.1, 0.2, 1.3]])
    ours = assemble(solid_model(corners, [list(range(8))], "hex8", MATERIAL))
    assert same_eigenvalues(ours.stiffness.toarray(), k)
    assert same_eigenvalues(ours.mass.toarray(), m)
