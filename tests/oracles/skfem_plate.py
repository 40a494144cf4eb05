"""Mindlin's plate with Timoshenko bars on one edge, of cubic triangles by scikit-fem: the deck of one quad, one triangle
and four bars (``random_test_bar_plus_tri``) without its elements.

The square lies above (0, 2), the triangle is (0, 3), (1, 3), (0, 4); bars run along x = 0 from y = 0, on the plate's edge
from y = 2. Fields are w and the rotations beta, with shear grad w + beta.
"""

import numpy as np
import scipy.linalg
import scipy.sparse
from scipy.sparse.linalg import splu


def _mesh(skfem, n):
    """Triangles with n parts a side, and the vertex of every lattice point."""
    places: dict[tuple[int, int], int] = {}

    def node(i, j):
        return places.setdefault((i, j), len(places))

    cells = []
    for i in range(n):
        for j in range(2 * n, 3 * n):
            a, b, c, d = node(i, j), node(i + 1, j), node(i + 1, j + 1), node(i, j + 1)
            cells += [[a, b, c], [a, c, d]]
        for j in range(3 * n, 4 * n - i):
            cells.append([node(i, j), node(i + 1, j), node(i, j + 1)])
            if j < 4 * n - i - 1:
                cells.append([node(i + 1, j), node(i + 1, j + 1), node(i, j + 1)])
    points = np.array([(i / n, j / n) for i, j in places])
    return skfem.MeshTri(points.T.copy(), np.array(cells).T.copy()), places


def _beam(bending: float, shear: float, length: float) -> np.ndarray:
    """Exact stiffness of a Timoshenko beam over (w, beta) at both ends."""
    phi, s = 12 * bending / (shear * length**2), -length
    rows = [[12, 6 * s, -12, 6 * s], [6 * s, (4 + phi) * s * s, -6 * s, (2 - phi) * s * s]]
    rows += [[-12, -6 * s, 12, -6 * s], [6 * s, (2 - phi) * s * s, -6 * s, (4 + phi) * s * s]]
    return bending / (length**3 * (1 + phi)) * np.array(rows)


def frequencies_hz(masses: np.ndarray, n: int, *, young, poisson, thickness, area, second, torsion, factor):
    """The six bending frequencies with point ``masses`` (7,) on (0, 0), (0, 1), (0, 2), (0, 3), (0, 4), (1, 2), (1, 3), the
    rotations of the first held; square bars of the given area, second moment, torsion constant and shear factor.
    """
    import skfem

    mesh, places = _mesh(skfem, n)
    element = skfem.ElementVector(skfem.ElementTriP3(), 3)
    plate = skfem.Basis(mesh, element, intorder=7)
    edge = skfem.FacetBasis(mesh, element, facets=mesh.facets_satisfying(lambda x: np.isclose(x[0], 0.0)), intorder=7)
    rigidity, modulus = young * thickness**3 / 12 / (1 - poisson**2), young / 2 / (1 + poisson)

    @skfem.BilinearForm
    def bent(u, v, _):
        (wx, wy), (ax, ay), (bx, by) = u.grad
        (vx, vy), (cx, cy), (dx, dy) = v.grad
        twist = (1 - poisson) / 2 * (ay + bx) * (cy + dx)
        moments = ax * cx + by * dy + poisson * (ax * dy + by * cx) + twist
        slip = (wx + u[1]) * (vx + v[1]) + (wy + u[2]) * (vy + v[2])
        return rigidity * moments + 5 / 6 * modulus * thickness * slip

    @skfem.BilinearForm
    def stiffened(u, v, _):
        (_, wy), (_, ay), (_, by) = u.grad
        (_, vy), (_, cy), (_, dy) = v.grad
        slip = factor * modulus * area * (wy + u[2]) * (vy + v[2])
        return young * second * by * dy + slip + modulus * torsion * ay * cy

    count = plate.N
    whole = scipy.sparse.lil_matrix((count + 6, count + 6))
    whole[:count, :count] = bent.assemble(plate) + stiffened.assemble(edge)
    first, middle = np.arange(count, count + 3), np.arange(count + 3, count + 6)
    corners = [plate.nodal_dofs[:, places[x * n, y * n]] for x, y in ((0, 2), (0, 3), (0, 4), (1, 2), (1, 3))]
    bend, twist = _beam(young * second, factor * modulus * area, 1.0), modulus * torsion * np.array([[1, -1], [-1, 1]])
    for a, b in ((first, middle), (middle, corners[0])):
        for rows, block in (([a[0], a[2], b[0], b[2]], bend), ([a[1], b[1]], twist)):
            whole[np.ix_(rows, rows)] = whole[np.ix_(rows, rows)].toarray() + block
    kept = [first[0], middle[0], *(c[0] for c in corners)]
    inner = np.setdiff1d(np.arange(count + 6), [*kept, *first[1:]])
    matrix = whole.tocsc()
    cross = matrix[inner][:, kept].toarray()
    reduced = matrix[kept][:, kept].toarray() - cross.T @ splu(matrix[inner][:, inner].tocsc()).solve(cross)
    values = scipy.linalg.eigh(reduced, np.diag(masses), eigvals_only=True)
    return np.sqrt(values[1:]) / 2 / np.pi
