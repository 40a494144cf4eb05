"""Shapes of BEAM SECTION: values by hand, and nodes beside the shear center; finite deflections of cantilevers in closed form."""

from __future__ import annotations

import numpy as np
import pytest

from tisserand.assembly import assemble
from tisserand.errors import ReadError
from tisserand.readers.registry import read_model

DECK = """*NODE
1, 0., 0., 0.
2, 2., 0., 0.
*ELEMENT, TYPE=B33, ELSET=E
1, 1, 2
*MATERIAL, NAME=M
*ELASTIC
7.E10, 0.3
*DENSITY
2700.
*BEAM SECTION, SECTION={shape}, ELSET=E, MATERIAL=M
{sizes}
0., 1., 0.
*BOUNDARY
1, 1, 6
*STEP
*FREQUENCY
2
*END STEP
"""


def read(tmp_path, shape, sizes):
    file = tmp_path / "beam.inp"
    file.write_text(DECK.format(shape=shape, sizes=sizes))
    return read_model(file, units="SI")


def tip(model, force):
    """(6,) motion of the free end under a force (3,) N."""
    assembled = assemble(model)
    load = np.zeros(assembled.size)
    for component in range(3):
        load[(assembled.dofs.node == 1) & (assembled.dofs.component == component)] = force[component]
    free = ~assembled.held()
    K = assembled.stiffness[free][:, free].toarray()
    full = np.zeros(assembled.size)
    full[free] = np.linalg.solve(K, load[free])
    return assembled.displacements(full)[1, :, 0]


def test_i_section_about_its_middle(tmp_path):
    """h 0.2, flanges 0.1 x 0.01, web 0.006, axis 1 along y, height along z: F L³ / 3 E I in both planes; tolerance 1e-9."""
    model = read(tmp_path, "I", "0.1, 0.2, 0.1, 0.1, 0.01, 0.01, 0.006")
    about_1 = (0.1 * 0.2**3 - 0.094 * 0.18**3) / 12
    about_2 = (2 * 0.01 * 0.1**3 + 0.18 * 0.006**3) / 12
    assert tip(model, (0, 0, 100.0))[2] == pytest.approx(100.0 * 8 / (3 * 7e10 * about_1), rel=1e-9)
    assert tip(model, (0, 100.0, 0))[1] == pytest.approx(100.0 * 8 / (3 * 7e10 * about_2), rel=1e-9)


def test_i_section_on_its_bottom(tmp_path):
    """Nodes at the bottom: an axial force bends the beam by its arm h / 2, w = F (h/2) L² / (2 E I) at the tip; 1e-9."""
    model = read(tmp_path, "I", "0., 0.2, 0.1, 0.1, 0.01, 0.01, 0.006")
    inertia = (0.1 * 0.2**3 - 0.094 * 0.18**3) / 12
    moved = tip(model, (1000.0, 0, 0))
    assert moved[2] == pytest.approx(1000.0 * 0.1 * 4 / (2 * 7e10 * inertia), rel=1e-9)
    area = 2 * 0.001 + 0.18 * 0.006
    assert moved[0] == pytest.approx(1000.0 * 2 / 7e10 * (1 / area + 0.1**2 / inertia), rel=1e-9)


def test_box_of_unequal_walls_bends_about_its_centroid(tmp_path):
    """Nodes in the middle of the box, the thick wall on its +2 side: an axial force bends by the centroid's distance."""
    model = read(tmp_path, "BOX", "0.1, 0.2, 0.004, 0.01, 0.004, 0.002")
    walls = [
        (0.095, 0.1 * 0.01),
        (-0.099, 0.1 * 0.002),
        (-0.004, 2 * 0.004 * 0.188),
    ]  # height and area: +2, -2, both sides
    area = sum(a for _, a in walls)
    centroid = sum(z * a for z, a in walls) / area
    own = [0.1 * 0.01**3 / 12, 0.1 * 0.002**3 / 12, 2 * 0.004 * 0.188**3 / 12]
    inertia = sum(o + a * (z - centroid) ** 2 for o, (z, a) in zip(own, walls))
    assert tip(model, (1000.0, 0, 0))[2] == pytest.approx(1000.0 * centroid * 4 / (2 * 7e10 * inertia), rel=1e-9)


def test_other_shapes_are_refused_by_name(tmp_path):
    with pytest.raises(ReadError, match="unsupported beam shape; found TRAPEZOID, expected RECT, CIRC, PIPE, BOX, I"):
        read(tmp_path, "TRAPEZOID", "0.1, 0.1, 0.1, 0.05")
