"""Every generated mesh: six strain-free motions by geometry, none beyond them, and complete pairs on the dish."""

from pathlib import Path

import numpy as np
import pytest

from tisserand.assembly import assemble
from tisserand.linalg import factorize, pencil_of
from tisserand.modes import solve_modes
from tisserand.readers.nastran import read_nastran

MESHES = Path(__file__).parents[2] / "meshes"


@pytest.fixture(scope="module")
def models():
    return {name: assemble(read_nastran(MESHES / f"{name}.bdf", "SI")) for name in ("wing", "boom", "dish")}


@pytest.mark.parametrize("name", ["wing", "boom", "dish"])
def test_rigid_motions_are_geometric_and_counted(models, name):
    """||K r|| <= 1e-10 ||K|| ||r|| per direction; the inertia at a tenth of the first elastic eigenvalue is six."""
    model = models[name]
    basis = solve_modes(model, count=8, free=True)
    assert basis.rigid_body_modes == 6
    assert max(basis.proof.rigid_stiffness) <= 1e-10
    assert np.abs(basis.proof.rigid_rayleigh).max() <= 1e-6 * basis.eigenvalues[0]
    pencil = pencil_of(model.stiffness, model.mass, ~model.dofs.fixed_by(model.auto_supports), model.dofs.node)
    factor = factorize(pencil.shifted(0.1 * basis.eigenvalues[0]), groups=pencil.groups)
    assert factor.trusted and factor.negative_count == 6
    assert basis.frame_residuals.max() <= 1e-12


def test_pairs_of_the_dish_are_complete(models):
    """A body of revolution meshed with rotational symmetry: modes come in equal pairs or alone, and no pair is cut."""
    basis = solve_modes(models["dish"], count=12, free=True)
    f = basis.frequencies_hz
    pairs = np.abs(np.diff(f) / f[1:]) < 1e-6
    assert pairs.sum() >= 3
    assert not (pairs[:-1] & pairs[1:]).any()
