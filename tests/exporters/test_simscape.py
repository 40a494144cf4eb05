"""Reduced Order Flexible Solid: six zero modes made of the origins, rigid block equal to the mass properties."""

import numpy as np
import pytest
from scipy.io import loadmat
from scipy.linalg import eigh
from support.appendages import random_bodies

from tisserand.exporters.clamped import clamped_view, transport
from tisserand.exporters.registry import export_appendage


def test_six_zero_modes_rigid_block_and_frequencies(tmp_path):
    appendage = random_bodies(5, bodies=9, modes=14)
    result = export_appendage(appendage, "simscape", tmp_path / "a.mat")
    data = loadmat(tmp_path / "a.mat")
    K, M, origins = data["K"], data["M"], data["origins"]
    assert len(origins) == 3 and not any("left out" in loss for loss in result.losses)
    rigid = np.zeros((len(K), 6))
    rigid[:18] = np.vstack([transport(o - origins[0]) for o in origins])
    assert np.abs(K @ rigid).max() < 1e-9 * np.abs(K).max()
    assert rigid.T @ M @ rigid == pytest.approx(clamped_view(appendage).rigid_mass, abs=1e-9)
    values = eigh(K, M, eigvals_only=True)
    assert np.sum(np.abs(values) < 1e-7 * values[-1]) == 6
    view = clamped_view(appendage)
    full = np.block([[view.rigid_mass, view.coupling.T], [view.coupling, view.mass]])
    expected = eigh(np.pad(view.stiffness, ((6, 0), (6, 0))), full, eigvals_only=True)
    assert values[6:] == pytest.approx(expected[6:], rel=1e-8)


def test_a_port_that_the_modes_cannot_move_is_named(tmp_path):
    result = export_appendage(random_bodies(6), "simscape", tmp_path / "a.mat")
    assert any("tip, dish" in loss for loss in result.losses)
