"""Component-mode decks of other programs: Guyan, Craig-Bampton, superelements with residual vectors, a 278-mode truss."""

import numpy as np
import pytest
from support.corpus import needs_corpus
from support.deck_results import expected, main_model, results, station

from tisserand.modes import solve_modes

pytestmark = needs_corpus


@pytest.mark.parametrize(
    "name", ["guyanReduction", "dynamicReduction", "cbSuper1Mode", "cbSuper2Modes", "cbSuper3Modes", "CB-EXAMPLE-12"]
)
def test_reduced_decks(name):
    """ASET: static condensation; ASET and QSET: two interface dofs and three fixed-interface modes; two part
    superelements with one to three modes each, joined at one node; SUPORT dofs as the interface.
    """
    found, wanted = results(name)
    assert found == pytest.approx(wanted, rel=1e-6)


def test_all_modes_of_the_truss_station():
    """278 modes of a free truss with coupled mass: six rigid by geometry, all 272 elastic ones within 1e-6."""
    model = main_model("nas2cam_extseout_full")
    basis = solve_modes(model, count=272)
    assert basis.rigid_body_modes == 6
    assert max(basis.proof.rigid_stiffness) < 1e-10
    assert basis.proof.counted == 278
    assert basis.frequencies_hz == pytest.approx(expected("nas2cam_extseout_full")[6:], rel=1e-6)


@pytest.mark.parametrize("name", ["inboard", "outboard"])
def test_fixed_interface_modes_and_residual_vectors(name):
    """Modes below 50 Hz and the residual vectors of unit accelerations (and, inboard, of the deck's FORCEs)."""
    found, wanted = results(f"nas2cam_extseout_{name}")
    assert found == pytest.approx(wanted, rel=1e-5)


def test_assembled_station():
    """Both components joined at four nodes: 6 rigid and 48 elastic system modes within 1e-5."""
    system, second = station()
    wanted = expected("nas2cam_extseout_assemble")[6:]
    basis = solve_modes(system.model, count=len(wanted))
    assert basis.rigid_body_modes == 6
    assert basis.frequencies_hz == pytest.approx(wanted, rel=1e-5)
    # and the nodes come back: the first system mode of the reduced station is that of the full one
    model = main_model("nas2cam_extseout_full")
    full = solve_modes(model, count=1)
    mode = system.recovered(1, basis.shapes[:, :1])
    rows = model.nodes.indices(
        second.model.nodes.ids[~_scalar(second.model) & np.isin(second.model.nodes.ids, model.nodes.ids)]
    )
    here = second.model.nodes.indices(model.nodes.ids[rows])
    a, b = mode[here, :3, 0].ravel(), model.displacements(full.shapes)[rows, :3, 0].ravel()
    assert abs(a @ b) / np.linalg.norm(a) / np.linalg.norm(b) > 0.99999


def _scalar(model):
    scalar = model.nodes.scalar
    return np.zeros(len(model.nodes), bool) if scalar is None else scalar
