"""The families, summed element by element, equal Phi' K_geo Phi with the assembled geometric stiffness."""

import numpy as np
from appendage.clouds import shell_structure, with_bodies

from tisserand.appendage import reduce
from tisserand.assembly import assemble
from tisserand.model import Supports
from tisserand.modes import solve_modes
from tisserand.statics import geometric_stiffness, solve_static, spin_load


def test_reduced_spin_stiffening_equals_the_assembled_one():
    structure, *_ = with_bodies(shell_structure(None), [2, 5], np.random.default_rng(0))
    model = assemble(structure.changed(supports=Supports.clamp([6, 7])), mass="consistent")
    basis = solve_modes(model, count=6)
    appendage = reduce(basis, geometric=True)
    w = np.array([0.3, -0.7, 1.1])
    state = solve_static(model, spin_load(model, w, appendage.reference_point))
    assembled = basis.shapes.T @ (geometric_stiffness(model, state.displacement[:, 0]) @ basis.shapes)
    pairs = {"wxx": (0, 0), "wyy": (1, 1), "wzz": (2, 2), "wxy": (0, 1), "wyz": (1, 2), "wzx": (2, 0)}
    ours = sum(w[i] * w[j] * appendage.geometric_stiffness[name] for name, (i, j) in pairs.items())
    assert np.abs(ours - assembled).max() < 1e-8 * np.abs(assembled).max()
