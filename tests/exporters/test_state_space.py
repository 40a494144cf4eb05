"""State space and SDTlib: the three zero-frequency identities, python-control as reader, and the equations themselves."""

import numpy as np
import pytest
from support.appendages import polynomial_panel, random_bodies

from tisserand.arrays import skew
from tisserand.exporters.clamped import clamped_view, transport
from tisserand.exporters.registry import export_appendage
from tisserand.exporters.statespace import state_space


@pytest.mark.parametrize("appendage", [polynomial_panel(6, 3), random_bodies(1)], ids=lambda a: a.name)
def test_zero_frequency_identities(appendage):
    """W_P/a_P = -M_rr, a_C/a_P = tau, W_P/W_C = tau' (python-control's dcgain reads the exported object)."""
    control = pytest.importorskip("control")
    view = clamped_view(appendage)
    gain = np.asarray(control.dcgain(state_space(appendage).to_control()))
    n = 6 * len(view.ports)
    tau = view.transfer.reshape(n, 6)
    assert gain[:6, :6] == pytest.approx(-view.rigid_mass, abs=1e-12 * np.abs(view.rigid_mass).max())
    assert gain[6 : 6 + n, :6] == pytest.approx(tau, abs=1e-12)
    assert gain[:6, 6 : 6 + n] == pytest.approx(tau.T, abs=1e-12)


def test_reaction_at_high_frequency_is_the_residual_mass():
    """With the modes unable to follow, D holds -(M_rr - A' Me^-1 A): the mass that no mode carries."""
    appendage = random_bodies(2)
    view = clamped_view(appendage)
    residual = view.rigid_mass - view.coupling.T @ np.linalg.solve(view.mass, view.coupling)
    assert state_space(appendage).D[:6, :6] == pytest.approx(-residual, abs=1e-12 * np.abs(residual).max())


def test_a_mean_axis_basis_gives_the_same_transfer_as_the_clamped_one():
    """Frames differ by rigid motion only: W_P/a_P must not depend on the frame the shapes are stored in."""
    clamped = random_bodies(3, offsets=False)
    S = np.stack([transport(p)[:3] for p in clamped.nodes.positions])  # translations of nodes by rigid motion
    rigid = clamped.integrals.rigid_mass
    Z = np.linalg.solve(rigid, clamped.integrals.coupling)  # Buckens: S'M(Phi - S Z) = 0
    from tisserand.appendage.integrals.from_nodal_bodies import nodal_body_integrals
    from tisserand.appendage.record.node_table import Interface, NodeTable

    rng = np.random.default_rng(3)
    points = rng.normal(size=(6, 3)) + np.array([1.0, 0.0, 0.0])
    masses = rng.uniform(0.5, 2.0, 6)
    del points
    shapes = clamped.nodes.translation - S @ Z
    turns = clamped.nodes.rotation - Z[3:]
    integrals = nodal_body_integrals(
        clamped.nodes.positions, masses, np.zeros((6, 3)), np.zeros((6, 3, 3)), shapes, 0 * turns
    )
    assert np.abs(integrals.coupling).max() < 1e-12
    interfaces = tuple(
        Interface(p.name, p.node_id, p.position, p.axes, shapes[row], turns[row])
        for p, row in zip(clamped.interfaces, (0, 2, 4))
    )
    floating = clamped.changed(
        integrals=integrals,
        nodes=NodeTable(clamped.nodes.ids, clamped.nodes.positions, shapes, turns),
        interfaces=interfaces,
    )
    a, b = state_space(clamped), state_space(floating)
    for w in (0.0, 3.0, 9.0):
        pairs = [s.C[:18] @ np.linalg.solve(1j * w * np.eye(len(s.A)) - s.A, s.B) + s.D[:18] for s in (a, b)]
        assert pairs[0] == pytest.approx(pairs[1], abs=1e-9 * np.abs(pairs[0]).max())


def test_sdtlib_names_and_residual_mass(tmp_path):
    """scipy reads the file; DPa0 + LS'LS is the rigid mass at P, J is about the mass center."""
    loadmat = pytest.importorskip("scipy.io").loadmat
    appendage = random_bodies(4)
    export_appendage(appendage, "sdtlib", tmp_path / "a.mat")
    data = loadmat(tmp_path / "a.mat")
    view = clamped_view(appendage)
    assert data["DPa0"] + data["LS"].T @ data["LS"] == pytest.approx(view.rigid_mass, abs=1e-10)
    arm = skew(data["xcg"].ravel())
    assert data["J"] - data["M"][0, 0] * arm @ arm == pytest.approx(view.rigid_mass[3:, 3:], abs=1e-10)
    w2 = np.linalg.eigvals(np.linalg.solve(view.mass, view.stiffness))
    assert np.sort(data["w"].ravel() ** 2) == pytest.approx(np.sort(w2.real), rel=1e-10)
