"""Reduced Order Flexible Solid: six zero modes made of the origins, rigid block equal to the mass properties."""

from dataclasses import replace

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


def test_a_port_that_the_modes_hardly_move_is_left_out_of_a_well_conditioned_mass_matrix(tmp_path):
    """Moving such a port alone would take a modal mass far above that of the structure (2e9 kg for a wing of 25 kg)."""
    appendage = random_bodies(5, bodies=9, modes=14)
    root, tip, dish = appendage.interfaces
    stiff = replace(dish, rotation=np.array([1.0, 1.0, 1e-5])[:, None] * dish.rotation)
    result = export_appendage(appendage.changed(interfaces=(root, tip, stiff)), "simscape", tmp_path / "a.mat")
    assert any("left out: dish" in loss for loss in result.losses)
    assert any("linear about rest" in loss for loss in result.losses)
    M, rigid = loadmat(tmp_path / "a.mat")["M"], np.diag(clamped_view(appendage).rigid_mass)
    assert np.diag(M)[:12].max() < 1e4 * rigid.max()
    assert np.linalg.cond(M) == pytest.approx(float(result.notes[0].split("M: ")[1].split(",")[0]), rel=0.1)
    assert np.linalg.cond(M) < 1e8
