"""Solvers that lie: on every route a wrong eigenvalue, shape or number of modes ends in an error or is put right.

The solver is patched to return what is wrong; the truth is the same route unpatched, which other tests hold against closed forms.
Where the refinement is switched off too, nothing can be put right, and what the count or the bound can see must raise.
"""

from functools import partial

import numpy as np
import pytest
from support.bar_decks import BEAM, bar, component, condensed, deck, superelement

from tisserand.errors import SingularMatrixError, SolverError
from tisserand.linalg import available_backends
from tisserand.modes import campbell, craig_bampton, free_interface, gyroscopic, gyroscopic_modes, solve_modes, spinning
from tisserand.modes.eigen import Eigenproblem, Pairs
from tisserand.modes.gyroscopic import GyroscopicModes
from tisserand.modes.interface import interface_dofs
from tisserand.modes.lanczos import RitzSet

#: rad/s, out of every axis of symmetry.
SPIN = (0.3, 0.2, 0.4)


def clamped(folder, **options):
    return partial(solve_modes, deck(folder, [*BEAM, *bar(20), "SPC1,1,123456,1"]), **options)


def free(folder, **options):
    return partial(solve_modes, deck(folder, [*BEAM, *bar(20)]), free=True, **options)


def hinged(folder, **options):
    """Three bars joined by balls: mechanisms, kept."""
    links = ["RBE2,900,21,123,101", "RBE2,901,121,123,201", "SPC1,1,123456,1"]
    lines = [*bar(20), *bar(20, 101, 2.0), *bar(20, 201, 4.0)]
    return partial(solve_modes, deck(folder, [*BEAM, *lines, *links]), allow_mechanisms=True, **options)


def strung(folder, **options):
    """Modes about a state of tension, along the beam and from a load across it."""
    control = ["SUBCASE 1", " LOAD=5", "SUBCASE 2", " STATSUB(PRELOAD)=1"]
    loads = ["FORCE,5,21,,900.,1.,0.,0.", "FORCE,5,21,,2.,0.,0.,1."]
    return partial(solve_modes, deck(folder, [*BEAM, *bar(20), "SPC1,1,123456,1", *loads], control), **options)


def mounted(folder, **options):
    """Floating, for a mount at one end."""
    return partial(solve_modes, deck(folder, [*BEAM, *bar(20)]), free=True, attachment=1, **options)


def reduced_part(folder, method, **options):
    """A component with an interface at its tip; its modes are those of the reduced matrices, which the lie has passed through."""
    model = deck(folder, [*BEAM, *bar(20), "SPC1,1,123456,1"])
    return lambda: solve_modes(method(model, interface_dofs(model, [21]), count=8).as_model(), **options)


ROUTES = {
    "dense": partial(clamped, count=5),
    "dense, up to a frequency": partial(clamped, fmax_hz=300.0),
    "dense, free": partial(free, count=5),
    "dense, mechanisms": partial(hinged, count=5),
    **{f"{name}": partial(clamped, count=5, backend=name) for name in available_backends()},
    **{f"{name}, one factor": partial(clamped, fmax_hz=300.0, backend=name) for name in available_backends()},
    **{f"{name}, free": partial(free, count=5, backend=name) for name in available_backends()},
    "superlu, mechanisms": partial(hinged, count=5, backend="superlu"),
    "superlu, band": partial(clamped, fmin_hz=50.0, fmax_hz=600.0, backend="superlu"),
    "ASET": partial(condensed, count=5),
    "Craig-Bampton": partial(component, count=5),
    "superelement": partial(superelement, count=5),
    "prestressed": partial(strung, count=5),
    "prestressed, superlu": partial(strung, count=5, backend="superlu"),
    "mounted, clamped": partial(mounted, count=5, frame="tisserand"),
    "mounted, residual": partial(mounted, count=5),
    "mounted, free": partial(mounted, count=5, mounted="free"),
    "component, Craig-Bampton": partial(reduced_part, method=craig_bampton, count=5),
    "component, free interface": partial(reduced_part, method=free_interface, count=5),
}


def off_by_1e5(values, vectors):
    values = values.copy()
    values[1] *= 1.0 + 1e-5
    return values, vectors


def mixed(values, vectors):
    """Two neighbors turned by 1e-3, which moves their Rayleigh quotients."""
    vectors = vectors.copy()
    a, b = vectors[:, -2].copy(), vectors[:, -1].copy()
    vectors[:, -2], vectors[:, -1] = np.cos(1e-3) * a + np.sin(1e-3) * b, np.cos(1e-3) * b - np.sin(1e-3) * a
    a, b = vectors[:, 0].copy(), vectors[:, 1].copy()
    vectors[:, 0], vectors[:, 1] = np.cos(1e-3) * a + np.sin(1e-3) * b, np.cos(1e-3) * b - np.sin(1e-3) * a
    return values, vectors


def swapped(values, vectors):
    return values, vectors[:, [1, 0, *range(2, len(values))]]


def missed(values, vectors):
    keep = np.arange(len(values)) != 1
    return values[keep], vectors[:, keep]


def doubled(values, vectors):
    order = [0, 0, *range(2, len(values))]
    return values[order], vectors[:, order]


LIES = [off_by_1e5, mixed, swapped, missed, doubled]


def lying(monkeypatch, lie):
    honest = Eigenproblem.nearest

    def nearest(self, *args, **kwargs):
        pairs = honest(self, *args, **kwargs)
        return pairs if len(pairs.values) < 2 else Pairs(*lie(pairs.values, pairs.vectors))

    monkeypatch.setattr(Eigenproblem, "nearest", nearest)


def unrefined(*_):
    raise SingularMatrixError("no refinement today")


@pytest.mark.parametrize("every", [pytest.param(1, marks=pytest.mark.slow), 2])
@pytest.mark.parametrize("route", ROUTES)
def test_a_lie_is_put_right_or_refused(tmp_path, monkeypatch, route, every):
    """The quick suite tells half of the lies on each route, the other half on the next; the slow one all."""
    told = LIES[list(ROUTES).index(route) % every :: every]
    solve = ROUTES[route](tmp_path)
    truth = solve()
    for refined in (True, False):
        for lie in told:
            with monkeypatch.context() as patch:
                lying(patch, lie)
                if not refined:
                    patch.setattr(Eigenproblem, "_inverse_iteration", unrefined)
                try:
                    found = solve()
                except SolverError:
                    continue
            assert found.kinds == truth.kinds and found.rigid_body_modes == truth.rigid_body_modes
            assert found.eigenvalues == pytest.approx(truth.eigenvalues, rel=1e-6), (lie.__name__, refined)


@pytest.mark.parametrize("route", ["dense", "dense, free", "ASET", "Craig-Bampton", "superelement"])
@pytest.mark.parametrize("lie", [missed, doubled], ids=["missed", "doubled"])
def test_where_all_pairs_come_at_once_a_wrong_number_raises(tmp_path, monkeypatch, route, lie):
    solve = ROUTES[route](tmp_path)
    lying(monkeypatch, lie)
    with pytest.raises(SolverError):
        solve()


def test_shapes_that_cannot_be_refined_raise(tmp_path, monkeypatch):
    """Off by a turn of 1e-3 between the first two modes: eigenvalues off by 1e-5 and more, and no way to put them right."""
    solve = ROUTES["dense"](tmp_path)
    lying(monkeypatch, mixed)
    monkeypatch.setattr(Eigenproblem, "_inverse_iteration", unrefined)
    with pytest.raises(SolverError, match=r"accurately|orthogonal"):
        solve()


def spinning_lie(lie, modes):
    values, shapes = lie(np.array(modes.eigenvalues), np.array(modes.shapes))
    return GyroscopicModes(values, shapes, modes.hermitian, modes.rate, modes.notes)


@pytest.mark.parametrize("lie", LIES, ids=lambda lie: lie.__name__)
@pytest.mark.parametrize("elements", [12, 80], ids=["dense", "sparse"])
def test_spinning_structures(tmp_path, monkeypatch, elements, lie):
    """Both gyroscopic routes solve once and refine nothing, so every lie must raise."""
    model = deck(tmp_path, [*BEAM, *bar(elements), "SPC1,1,123456,1"])
    honest = gyroscopic_modes(model, SPIN, count=5)
    assert honest.hermitian and len(honest.eigenvalues) == 5
    module, name = (gyroscopic, "_hermitian") if elements == 12 else (spinning, "_sparse_hermitian")
    solver = getattr(module, name)
    monkeypatch.setattr(module, name, lambda *args: spinning_lie(lie, solver(*args)))
    with pytest.raises(SolverError):
        gyroscopic_modes(model, SPIN, count=5)
    with pytest.raises(SolverError):
        campbell(model, SPIN, [0.0, 0.5], count=3)


def test_an_iteration_that_loses_shapes_of_a_spinning_structure(tmp_path, monkeypatch):
    """The sparse route under a Lanczos iteration that never returns the softest pair."""
    whole = spinning.lanczos

    def blind(*args, **kwargs):
        ritz = whole(*args, **kwargs)
        keep = np.abs(ritz.theta / ritz.theta.max() - 1.0) > 1e-6
        return RitzSet(ritz.theta[keep], ritz.vectors[:, keep], ritz.errors[keep], ritz.solves)

    monkeypatch.setattr(spinning, "lanczos", blind)
    with pytest.raises(SolverError):
        gyroscopic_modes(deck(tmp_path, [*BEAM, *bar(80), "SPC1,1,123456,1"]), SPIN, count=5)
