"""ISat on its four feet: the Craig-Bampton model, with residual vectors of unit accelerations, against the full one."""

import numpy as np
import pytest
from scipy.sparse.linalg import splu
from support.corpus import needs_corpus
from support.sweep import folder

import tisserand as ts
from tisserand.modes import solve_modes
from tisserand.responses.base_drive import AXES, shaken
from tisserand.responses.deliver import deliver, reduce_to_interface
from tisserand.responses.delivery_checks import free_modes

pytestmark = [needs_corpus, pytest.mark.slow]
FEET = [5630, 5631, 5632, 5633]


@pytest.fixture(scope="module")
def isat():
    deck = folder() / "pyNastran/models/iSat/ISat_Launch_Sm_4pt.dat"
    model = ts.assemble(ts.read_model(deck, units="in-lbf-s"))
    return model, deliver(reduce_to_interface(model, FEET, digits="123", fmax_hz=150.0, inertia_relief=True))


def test_free_frequencies(isat):
    """Within 0.1 % up to half of the cut-off (300 Hz); without their supports four legs turn freely, in both models."""
    model, part = isat
    basis = solve_modes(model, free=True, fmax_hz=150.0, allow_mechanisms=True)
    full = basis.frequencies_hz[[kind == "elastic" for kind in basis.kinds]]
    ours = np.sqrt(np.abs(free_modes(part)[0])) / (2 * np.pi)
    ours = ours[ours > 1e-3 * full[0]]
    assert len(full) > 20
    assert ours[: len(full)] == pytest.approx(full, rel=1e-3)


def test_interface_forces_of_a_base_sine(isat):
    """Net forces within 0.5 %, undamped, between the resonances up to half of the cut-off: direct solutions of the full model."""
    model, part = isat
    system = shaken(part, damping=0.0, recoveries=["net interface force"], point=(0.0, 0.0, 0.0))
    modes = system.w / (2 * np.pi)
    gaps = np.sort(modes[modes < 150.0])
    wide = np.argsort(-np.diff(gaps))[:6]
    hz = np.sort(0.5 * (gaps[wide] + gaps[wide + 1]))
    feet = np.zeros((len(model.nodes), 6), bool)
    feet[np.ix_(model.nodes.indices(FEET), [0, 1, 2])] = True
    b = feet[model.dofs.node, model.dofs.component]
    free = ~(b | model.held(ts.Supports()))
    K, M, S = model.stiffness.tocsc(), model.mass.tocsc(), model.rigid_body_vectors
    for axis in "xyz":
        column = AXES.index(axis)
        ours = system.response(hz, column)[:, :3].real
        for i, w in enumerate(2 * np.pi * hz):
            dynamic = (K - w**2 * M).tocsc()
            rigid = S[:, column]
            u = np.zeros(model.size)
            load = -(M @ rigid)[free]
            u[free] = splu(dynamic[free][:, free]).solve(load)
            force = S[:, :3].T @ (M @ (rigid - w**2 * u))  # inertia of everything
            assert ours[i] == pytest.approx(force, abs=5e-3 * np.abs(force).max()), (axis, hz[i])
