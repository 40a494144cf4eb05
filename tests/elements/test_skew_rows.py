"""Rows of skew quads that bend about their parallel sides are Timoshenko's beam across these sides, as in MacNeal's element."""

import numpy as np
import pytest
from support.surfaces import plate_section, shell_model

from tisserand.assembly.assemble import assemble

YOUNG, NU = 7e10, 0.3


@pytest.mark.parametrize("turned", [False, True])
@pytest.mark.parametrize("angle", [90.0, 75.0, 60.0, 45.0, 30.0])
@pytest.mark.parametrize(
    ("ratio", "thick", "error"), [(1.0, 0.05, 1e-9), (1.0, 0.5, 1e-9), (0.25, 2e-5, 1e-6), (4.0, 2e-5, 1e-6)]
)
def test_energy_of_a_strip_under_a_tip_force(angle, ratio, thick, error, turned):
    """w = V h³/(3 D) + V h/S and rotation V h²/(2 D) at the far side, clamped at the near one: energy V w / 2 per width.

    Exact for rhombi of any thickness; for other parallelograms the shear adds about (t/h)² that no flexibility could match in
    both directions.
    """
    radians = np.radians(angle)
    side, width = 0.8 * ratio * np.array([np.cos(radians), np.sin(radians)]), np.array([0.8, 0.0])
    points = np.array([np.zeros(2), width, width + side, side])
    cells = [[1, 2, 3, 0]] if turned else [[0, 1, 2, 3]]
    model = shell_model(
        np.column_stack([points, np.zeros(4)]), cells, plate_section(thick, YOUNG, NU, 2700.0), bending="nastran"
    )
    body = assemble(model)
    h = side[1]
    D, S = YOUNG * thick**3 / (12.0 * (1.0 - NU**2)), 5 / 6 * thick * YOUNG / (2.0 * (1.0 + NU))
    w, turn = h**3 / (3.0 * D) + h / S, h**2 / (2.0 * D)
    motion = np.zeros((4, 6))
    motion[2:, 2], motion[2:, 3] = w, turn  # the far side lies along x: it rises, and turns about x
    u = motion[body.dofs.node, body.dofs.component]
    assert 0.5 * u @ (body.stiffness @ u) == pytest.approx(0.5 * w * 0.8, rel=error)
