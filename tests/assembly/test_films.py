"""Films are soft in bending, not without stiffness; membranes are without."""

from dataclasses import replace

import numpy as np
import pytest

import tisserand as ts
from tisserand.assembly import assemble
from tisserand.model.laminate import homogeneous_shell
from tisserand.modes import solve_modes


def cantilever(wall, bending="waves", triangles=False):
    model = ts.plate(1.0, 0.8, wall, elements=(5, 4), triangles=triangles)
    blocks = tuple(replace(block, bending=bending) for block in model.elements)
    return replace(model, elements=blocks).with_support("x-")


@pytest.mark.parametrize("triangles", [False, True])
@pytest.mark.parametrize("bending", ["waves", "nastran"])
def test_frequencies_of_films_are_proportional_to_the_thickness(bending, triangles):
    # Kirchhoff's plate: f / t is the same for every thickness; shear adds (t/L)², below 1e-6
    ratios = []
    for thickness in (5e-4, 5e-6, 1e-6):
        model = assemble(cantilever(ts.sheet(ts.STEEL, thickness), bending, triangles))
        assert not model.auto_supports.fixed[:, :3].any()
        ratios.append(solve_modes(model, count=3).frequencies_hz / thickness)
    np.testing.assert_allclose(ratios[1], ratios[0], rtol=1e-5)
    np.testing.assert_allclose(ratios[2], ratios[0], rtol=1e-5)


def test_deflections_of_membranes_are_held():
    wall = homogeneous_shell(1, ts.STEEL, 5e-6, plane=True)
    model = assemble(cantilever(wall))
    held = np.zeros((30, 6), bool)
    held[model.auto_supports.nodes] = model.auto_supports.fixed
    assert held[5:, 2].all() and not held[:, :2].any()
