"""Component-mode decks of other programs: Guyan, Craig-Bampton, superelements with residual vectors, a 278-mode truss."""

import numpy as np
import pytest
from support.corpus import deck, needs_corpus, references

from tisserand.assembly import assemble
from tisserand.modes import solve_modes
from tisserand.modes.coupling import couple
from tisserand.modes.reductions import craig_bampton, guyan
from tisserand.readers.nastran import read_deck

pytestmark = needs_corpus


def main_model(name):
    return assemble(read_deck(deck(name), "consistent").main)


def expected(name, key="freqs_hz"):
    return np.array(references()[name][key], float)


def test_guyan_reduction():
    """ASET of one node, two dofs: static condensation."""
    model = main_model("guyanReduction")
    part = guyan(model, model.structure.analysis.interface)
    got = solve_modes(part.as_model(), count=2).frequencies_hz
    assert got == pytest.approx(expected("guyanReduction"), rel=1e-6)


def test_dynamic_reduction():
    """ASET and QSET: two interface dofs and three fixed-interface modes."""
    model = main_model("dynamicReduction")
    analysis = model.structure.analysis
    part = craig_bampton(model, analysis.interface, count=analysis.modal_points)
    fixed = expected("dynamicReduction", "fixed_interface_hz")[:3]
    assert part.frequencies_hz[part.modal] == pytest.approx(fixed, rel=1e-6)
    got = solve_modes(part.as_model(), count=5).frequencies_hz
    assert got == pytest.approx(expected("dynamicReduction"), rel=1e-6)


@pytest.mark.parametrize("name", ["cbSuper1Mode", "cbSuper2Modes", "cbSuper3Modes"])
def test_two_superelements_make_a_cantilever(name):
    """Two part superelements with one to three modes each, joined at one node."""
    parts = []
    for part in read_deck(deck(name), "consistent").parts:
        analysis = part.model.analysis
        parts.append(craig_bampton(assemble(part.model), analysis.interface, count=analysis.modal_points))
    system = couple(parts)
    wanted = expected(name)
    assert solve_modes(system.model, count=len(wanted)).frequencies_hz == pytest.approx(wanted, rel=1e-6)


def test_craig_bampton_by_suport():
    """CB-EXAMPLE-12: the SUPORT dofs are the interface, three modes with them held."""
    model = main_model("CB-EXAMPLE-12")
    part = craig_bampton(model, model.structure.analysis.reference, count=3)
    assert part.frequencies_hz[part.modal] == pytest.approx(expected("CB-EXAMPLE-12"), rel=1e-6)


def test_all_modes_of_the_truss_station():
    """278 modes of a free truss with coupled mass: six rigid by geometry, all 272 elastic ones within 1e-6."""
    model = main_model("nas2cam_extseout_full")
    basis = solve_modes(model, count=272)
    assert basis.rigid_body_modes == 6
    assert max(basis.proof.rigid_stiffness) < 1e-10
    assert basis.proof.counted == 278
    assert basis.frequencies_hz == pytest.approx(expected("nas2cam_extseout_full")[6:], rel=1e-6)


def forces(path):
    """FORCE cards of a deck as {set: {node: vector}}."""
    sets = {}
    for line in path.read_text().splitlines():
        if line.startswith("FORCE   "):
            field = [line[i : i + 8].strip() for i in range(8, 72, 8)]
            vector = float(field[3]) * np.array([float(v) for v in field[4:7]])
            sets.setdefault(int(field[0]), {})[int(field[1])] = vector
    return sets


def load_columns(model, sets):
    """Distinct load columns over the dofs (every loaded node has basic axes)."""
    columns = np.zeros((model.size, len(sets)))
    index = model.dofs.index
    for k, nodes in enumerate(sets.values()):
        for node, vector in nodes.items():
            (row,) = model.nodes.indices([node])
            columns[index[row, :3], k] += vector
    return np.unique(columns, axis=1)


def inboard():
    model = main_model("nas2cam_extseout_inboard")
    loads = load_columns(model, forces(deck("nas2cam_extseout_inboard")))
    interface = model.structure.analysis.interface
    return craig_bampton(model, interface, fmax_hz=50.0, loads=loads, inertia_relief=True)


def outboard():
    model = main_model("nas2cam_extseout_outboard")
    return craig_bampton(model, model.structure.analysis.interface, fmax_hz=50.0, inertia_relief=True)


@pytest.mark.parametrize("name", ["inboard", "outboard"])
def test_fixed_interface_modes_and_residual_vectors(name):
    """Modes below 50 Hz and the residual vectors of unit accelerations (and, inboard, of the deck's FORCEs)."""
    part = {"inboard": inboard, "outboard": outboard}[name]()
    wanted = expected(f"nas2cam_extseout_{name}", "component_modes_plus_residual_vectors_hz")
    assert np.sort(part.frequencies_hz[part.modal]) == pytest.approx(wanted, rel=1e-5)


def test_assembled_station():
    """Both components joined at four nodes: 6 rigid and 48 elastic system modes within 1e-5.

    The inboard component keeps 8 of its 12 modal coordinates, as many as its deck gives scalar points.
    """
    first, second = inboard(), outboard()
    order = first.modal[np.argsort(first.frequencies_hz[first.modal])][:8]
    system = couple([first.keeping([*first.physical, *order]), second])
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
