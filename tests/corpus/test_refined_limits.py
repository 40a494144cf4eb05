"""Where a deck of single or coarse elements differs by more than 2 % from its program: which side is nearer to the limit."""

from dataclasses import replace

import numpy as np
import pytest
import scipy.linalg
from scipy.sparse.linalg import splu
from support.corpus import deck, needs_corpus
from support.deck_results import results
from support.surfaces import grid, shell_model

from tisserand.assembly import assemble
from tisserand.elements.solid_shapes import TET_EDGES
from tisserand.model import Nodes, StructuralModel
from tisserand.modes import solve_modes
from tisserand.readers.nastran import read_nastran

pytestmark = needs_corpus

BENDING = [1, 2, 4, 5, 6, 8]  # of the 17 elastic modes of random_test_bar_plus_tri


def condensed(model: StructuralModel, n: int) -> np.ndarray:
    """Stiffness (42, 42) of the deck's seven nodes when bars, quad and triangle are cut into n parts a side.

    The quad is the unit square above (0, 2), the triangle (0, 3), (1, 3), (0, 4); bars lie on x = 0.
    """
    places: dict[tuple[int, int], int] = {}

    def node(i, j):
        return places.setdefault((i, j), len(places))

    square = [(i, j) for i in range(n) for j in range(2 * n, 3 * n)]
    quads = [[node(i, j), node(i + 1, j), node(i + 1, j + 1), node(i, j + 1)] for i, j in square]
    lower = [(i, j) for i in range(n) for j in range(3 * n, 4 * n - i)]
    tris = [[node(i, j), node(i + 1, j), node(i, j + 1)] for i, j in lower]
    upper = [(i, j) for i in range(n) for j in range(3 * n, 4 * n - i - 1)]
    tris += [[node(i + 1, j), node(i + 1, j + 1), node(i, j + 1)] for i, j in upper]
    bars = [[node(0, j), node(0, j + 1)] for j in range(4 * n)]
    blocks, start = [], 1
    for block in model.elements:
        kind = {("shell", 4): quads, ("shell", 3): tris, ("beam", 2): bars}
        if (cells := kind.get((block.family, block.nodes.shape[-1]))) is not None:
            ids = np.arange(start, start + len(cells))
            blocks.append(replace(block.select(np.zeros(len(cells), int)), ids=ids, nodes=np.array(cells)))
            start += len(cells)
    points = np.array([(i / n, j / n, 0.0) for i, j in places])
    fine = StructuralModel(
        "refined", Nodes(np.arange(len(points)) + 1, points), tuple(blocks), model.sections,
        drilling=model.drilling, auto_constrain=False,
    )  # fmt: skip
    assembled = assemble(fine)
    kept = [places[round(x * n), round(y * n)] for x, y, _ in model.nodes.positions]
    outer = assembled.dofs.index[kept].ravel()
    inner = np.setdiff1d(np.arange(assembled.size), outer)
    k = assembled.stiffness.tocsc()
    own = k[outer][:, outer].toarray()
    if not len(inner):
        return own
    cross = k[inner][:, outer].toarray()
    return own - cross.T @ splu(k[inner][:, inner].tocsc()).solve(cross)


def test_bending_of_one_quad_and_one_triangle():
    """The deck's masses on the stiffness of ever finer elements. Errors of the six bending modes against 16 parts a
    side: Nastran up to 8.8 %, ours up to 5.9 %. (The stiffness falls slowly, as point loads on a plate do: 32 parts
    change it by 0.5 %.)
    """
    name = "random_test_bar_plus_tri"
    model = read_nastran(deck(name), units="consistent")
    coarse = assemble(model)
    rows = coarse.dofs.index.ravel()
    free = rows[~coarse.held()[rows]]
    mass = coarse.mass.toarray()[np.ix_(free, free)]
    place = np.flatnonzero(~coarse.held()[rows])

    def frequencies(stiffness):
        k, shift = stiffness[np.ix_(place, place)], (2 * np.pi * 40.0) ** 2
        mu = scipy.linalg.eigh(mass, k + shift * mass, eigvals_only=True)[::-1]
        return np.sqrt(np.maximum(1 / mu[3:20] - shift, 0)) / 2 / np.pi

    ours, nastran = results(name)
    assert frequencies(condensed(model, 1)) == pytest.approx(ours, rel=1e-6)
    limit = frequencies(condensed(model, 16))[BENDING]
    assert np.abs(ours[BENDING] / limit - 1).max() < 0.06
    assert np.abs(nastran[BENDING] / limit - 1).max() > 0.085


def test_free_thick_plate():
    """plate_py, t/h = 1.25, 20 x 10: against 80 x 40 with the deck's lumped mass (no rotary inertia), ours is nearer in
    all four modes, clearly so in the two of torsion (0.2 % and 0.1 %, Nastran 0.6 % and 1.1 %).
    """
    ours, nastran = results("plate_py")
    (section,) = read_nastran(deck("plate_py"), units="consistent").sections
    points, cells = grid(80, 40, lambda a, b: (2.0 * a, b))
    limit = solve_modes(assemble(shell_model(points, cells, section, drilling=100.0), "lumped"), count=4)
    own, other = np.abs(ours / limit.frequencies_hz - 1), np.abs(nastran / limit.frequencies_hz - 1)
    assert (own < other).all()
    assert own[1:3].max() < 0.003 and other[1:3].min() > 0.006


def test_two_tetrahedra_by_scikit_fem():
    """Simple_Example with consistent mass, apart from Nastran's lumping (which is not published): scikit-fem finds our
    frequencies on the deck's own corners (sides made straight; one of them is curved in the deck).
    """
    skfem = pytest.importorskip("skfem")
    from skfem.helpers import ddot, dot, sym_grad, trace

    model = read_nastran(deck("Simple_Example"), units="consistent")
    (block,), material = model.elements, model.sections[0].material
    points = model.nodes.positions.copy()
    points[block.nodes[:, 4:]] = points[block.nodes[:, np.array(TET_EDGES)]].mean(axis=2)
    model = replace(model, nodes=replace(model.nodes, positions=points))
    used = np.unique(block.nodes[:, :4])
    cells = np.searchsorted(used, block.nodes[:, :4])
    mesh = skfem.MeshTet(model.nodes.positions[used].T.copy(), cells.T.copy())
    basis = skfem.Basis(mesh, skfem.ElementVector(skfem.ElementTetP2()), intorder=4)
    lame = material.young * material.poisson / ((1 + material.poisson) * (1 - 2 * material.poisson))

    @skfem.BilinearForm
    def stiffness(u, v, _):
        strain = 2 * material.shear * ddot(sym_grad(u), sym_grad(v))
        return strain + lame * trace(sym_grad(u)) * trace(sym_grad(v))

    @skfem.BilinearForm
    def inertia(u, v, _):
        return material.density * dot(u, v)

    k, m = stiffness.assemble(basis).toarray(), inertia.assemble(basis).toarray()
    held = model.nodes.positions[model.supports.nodes]
    gap = np.linalg.norm(basis.doflocs.T[:, None] - held, axis=2).min(axis=1)
    free = np.flatnonzero(gap > 1e-3)
    assert len(free) == 3 * (len(model.nodes) - len(held))
    other = (
        np.sqrt(scipy.linalg.eigh(k[np.ix_(free, free)], m[np.ix_(free, free)], eigvals_only=True))
        / 2
        / np.pi
    )
    ours = solve_modes(assemble(model, "consistent"), count=10).frequencies_hz
    assert ours == pytest.approx(other[:10], rel=1e-8)
