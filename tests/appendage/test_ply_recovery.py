"""Ply stresses carried by a modal record, against the statics of the full model and closed forms."""

import numpy as np
import pytest
from support.surfaces import grid, held, shell_model

from tisserand.appendage import PlyRecovery, keep_modes, load_record, ply_failure, ply_values, reduce, save_record
from tisserand.assembly import assemble
from tisserand.errors import ModelError
from tisserand.model import Isotropic, Orthotropic2D, Ply, ShellBlock, Strengths
from tisserand.model.laminate import homogeneous_shell, laminate
from tisserand.modes import solve_modes
from tisserand.statics import nodal_loads, ply_stresses, solve_static

LENGTH, WIDTH, FORCE = 1.0, 0.2, 4.0
CARBON = Orthotropic2D(
    1, young_1=140e9, young_2=10e9, poisson_12=0.0, shear_12=5e9, shear_1z=5e9, shear_2z=3.5e9, density=1600.0,
    name="carbon", strengths=Strengths(1500e6, 1200e6, 50e6, 250e6, 70e6),
)  # fmt: skip
LAYERS = laminate(1, [Ply(CARBON, 1e-3), Ply(CARBON, 2e-3, np.pi / 2), Ply(CARBON, 1e-3)], failure_theory="tsai-wu")


@pytest.fixture(scope="module")
def strip():
    """Clamped laminate strip with every mode kept, so that the record holds any static state."""
    points, cells = grid(5, 1, lambda a, b: (LENGTH * a, WIDTH * b))
    supports = held(len(points), (points[:, 0] == 0, "123456"))
    model = shell_model(
        points, cells, LAYERS, supports=supports, element_sets={"root": np.array([1])}, interfaces={"tip": 12}
    )
    body = assemble(model, mass="consistent")
    basis = solve_modes(body, count=50)  # all that have mass
    wanted = {
        "root": PlyRecovery("root", ("stress", "strain", "shear")),
        "force": "root",
        "all": PlyRecovery(range(1, 6)),
    }
    record = reduce(basis, recovery=wanted)
    load = nodal_loads(body, {11: (0, 0, FORCE / 2), 12: (0, 0, FORCE / 2)})
    state = solve_static(body, load).displacement[:, 0]
    eta = np.linalg.lstsq(basis.shapes, state, rcond=None)[0]
    return body, record, state, eta


def test_record_gives_the_stresses_of_the_full_model(strip):
    """Stresses of a static state by the record's matrices and by the elements: the same to round-off of the expansion."""
    body, record, state, eta = strip
    (full,) = ply_stresses(body, state, [1])
    for quantity in ("stress", "strain", "shear"):
        found = ply_values(record, f"element:root:ply {quantity}", eta)
        assert found.shape == getattr(full, quantity).shape == (1, 3, 3, 2 if quantity == "shear" else 3)
        assert np.abs(found - getattr(full, quantity)).max() < 1e-6 * np.abs(getattr(full, quantity)).max()
    assert record.recovery["element:all:ply stress"].shape == (5 * 3 * 3 * 3, len(eta))


def test_outer_fiber_stress_of_a_clamped_strip(strip):
    """No Poisson coupling: sigma_1 = E1 z M/D, D = E1 (h³ - c³)/12 + E2 c³/12, c the turned core; at the first center."""
    _, record, _, eta = strip
    h, c = 4e-3, 2e-3
    bending = 140e9 * (h**3 - c**3) / 12 + 10e9 * c**3 / 12
    moment = FORCE / WIDTH * (LENGTH - 0.1)
    stress = ply_values(
        record, "element:root:ply stress", np.stack([eta, 2 * eta, 0 * eta])
    )  # a history of three states
    assert stress.shape == (3, 1, 3, 3, 3)
    assert stress[:, 0, 0, 0, 0] == pytest.approx(np.array([1, 2, 0]) * 140e9 * h / 2 * moment / bending, rel=1e-3)
    assert stress[0, 0, 1, 2, 1] == pytest.approx(
        -10e9 * c / 2 * moment / bending, rel=1e-3
    )  # turned ply: 2 is along the strip


def test_failure_from_the_record_alone(strip, tmp_path):
    """Index and reserve factor after storage and mode selection; the reserve factor brings Tsai-Wu to 1."""
    _, record, _, eta = strip
    save_record(record, tmp_path / "strip.h5")
    back = load_record(tmp_path / "strip.h5")
    name = "element:root:ply stress"
    factor = ply_failure(back, name, eta, reserve=True)
    worst = factor.min()
    assert worst > 1 and ply_failure(back, name, worst * eta).max() == pytest.approx(1.0, rel=1e-9)
    assert ply_failure(back, name, eta, "max stress").max() < 1
    few = keep_modes(back, range(10))
    assert ply_values(few, name, eta[:10]).shape == (1, 3, 3, 3)
    told = back.reports["recovery"][name]
    assert [ply["angle_deg"] for ply in told["plies"]] == pytest.approx([0, 90, 0]) and told["components"] == [
        "1",
        "2",
        "12",
    ]


def test_several_sections_and_mistakes(strip):
    """One matrix per section, named after it; unknown names and quantities are one sentence."""
    body, record, _, eta = strip
    model = body.structure
    steel = homogeneous_shell(2, Isotropic.from_young(2, 210e9, 0.3, 7800.0), 2e-3, name="plate")
    block = model.elements[0]
    halves = ShellBlock(block.ids, block.nodes, [0, 0, 1, 1, 1], block.material_axis, block.offset)
    mixed = model.changed(sections=(LAYERS, steel), elements=(halves,))
    found = reduce(solve_modes(assemble(mixed), count=3), recovery={"x": PlyRecovery([1, 4])})
    assert found.recovery["element:x:ply stress of 1"].shape == (27, 3)
    assert found.recovery["element:x:ply stress of plate"].shape == (9, 3)
    with pytest.raises(ModelError, match="no strengths"):
        ply_failure(found, "element:x:ply stress of plate", np.ones(3), "hill")
    with pytest.raises(ModelError, match="unsupported ply quantity"):
        PlyRecovery([1], ("color",))
    with pytest.raises(ModelError, match="no such ply output"):
        ply_values(record, "element:force:moment", eta)
    with pytest.raises(ModelError, match="requires ply stresses"):
        ply_failure(record, "element:root:ply shear", eta)
