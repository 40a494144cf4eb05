"""Published free-vibration benchmarks of beams (NAFEMS), E = 200 GPa, rho = 8000 kg/m3, nu = 0.3."""

import numpy as np
import pytest
from support.lines import beam_block, beam_model, eigenvalues, rectangle, straight

from tisserand.assembly import assemble
from tisserand.model import BeamSection, Isotropic, Nodes, StructuralModel

STEEL = Isotropic.from_young(1, 200e9, 0.3, 8000.0)


def frequencies(assembled, fixed):
    return np.sqrt(eigenvalues(assembled, fixed)) / (2 * np.pi)


def test_fv5_deep_simply_supported_beam():
    """10 m x 2 m x 2 m, x = y = z = Rx = 0 at A, y = z = 0 at B: flexure, torsion, extension, second flexure, Hz."""
    section = BeamSection(1, STEEL, rectangle(2.0, 2.0), shear_y=5 / 6, shear_z=5 / 6)
    count = 40
    assembled = assemble(beam_model(straight(count, 10.0), section, orientation=(0, 1, 0)))
    dofs = assembled.dofs
    fixed = ((dofs.node == 0) & (dofs.component < 4)) | ((dofs.node == count) & np.isin(dofs.component, (1, 2)))
    found = frequencies(assembled, fixed)[:9]
    flexure, torsion, extension = found[[0, 1, 4, 5, 7, 8]], found[[2, 6]], found[3]
    assert flexure == pytest.approx([42.649, 42.649, 148.31, 148.31, 284.55, 284.55], rel=8e-3)
    assert torsion == pytest.approx([71.20, 213.61], rel=2e-3)
    assert extension == pytest.approx(125.00, rel=1e-3)


def test_fv2_pin_ended_double_cross():
    """Eight arms of 5 m, 0.125 m square, in plane, outer ends pinned, 8 elements per arm: sixteen modes, Hz.

    The published values take the arms as stretchless; the two modes that move the center lie 0.6 % below.
    """
    section = BeamSection(1, STEEL, rectangle(0.125, 0.125))
    points, pairs, tips = [np.zeros(3)], [], []
    for k in range(8):
        direction = np.array([np.cos(k * np.pi / 4), np.sin(k * np.pi / 4), 0.0])
        for i in range(1, 9):
            pairs.append((0 if i == 1 else len(points) - 1, len(points)))
            points.append(0.625 * i * direction)
        tips.append(len(points) - 1)
    nodes = Nodes(np.arange(1, len(points) + 1), np.array(points))
    model = StructuralModel("double cross", nodes, (beam_block(pairs),), (section,))
    assembled = assemble(model)
    dofs = assembled.dofs
    fixed = ~np.isin(dofs.component, (0, 1, 5)) | (np.isin(dofs.node, tips) & (dofs.component < 2))
    found = frequencies(assembled, fixed)[:16]
    expected = [11.336, *[17.709] * 7, 45.345, *[57.390] * 7]
    assert found == pytest.approx(expected, rel=7e-3)
