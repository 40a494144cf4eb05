"""Loads inside a reduced part while forces and moments act: against closed forms and the full model's own section."""

import numpy as np
import pytest
from scipy.sparse import csc_array
from scipy.sparse.linalg import splu

import tisserand as ts
from tisserand.exporters.delivered_files import described, matrices_of
from tisserand.responses.coupled_loads import forced
from tisserand.responses.deliver import deliver, reduce_to_interface
from tisserand.responses.delivered_file import load_delivered, save_delivered
from tisserand.responses.joined_models import join_models

LENGTH, COUNT, CUT = 4.0, 16, 2.625


@pytest.fixture(scope="module")
def beam():
    """A free tube along x whose lumped nodes have no rotary inertia about y and z; ids of both ends."""
    model = ts.assemble(
        ts.boom(LENGTH, ts.tube(0.08, 0.002), ts.ALUMINUM, elements=COUNT, clamped=False), mass="lumped"
    )
    x = model.nodes.positions
    assert (model.mass.diagonal()[(model.dofs.component > 3)] == 0.0).all()
    return model, int(model.nodes.ids[x[:, 0].argmin()]), int(model.nodes.ids[x[:, 0].argmax()])


def whole(model, hz, node, component, beyond=CUT):
    """Force and moment on everything beyond the cut in the full model, by its own matrices: sum of K u over those dofs."""
    place = int(np.flatnonzero((model.nodes.ids[model.dofs.node] == node) & (model.dofs.component == component))[0])
    unit = np.zeros(model.size)
    unit[place] = 1.0
    u = splu(csc_array(model.stiffness - (2 * np.pi * hz) ** 2 * model.mass)).solve(unit)
    own = model.nodes.positions[model.dofs.node, 0] > beyond
    lever = (
        model.nodes.positions[model.dofs.node, 0] - model.nodes.positions[model.nodes.positions[:, 0] > beyond, 0].min()
    )
    push = np.where(own, model.stiffness @ u, 0.0)
    force = np.array([push[model.dofs.component == c].sum() for c in range(3)])
    moment = np.array([push[model.dofs.component == c].sum() for c in range(3, 6)])
    moment[1] -= (lever * push)[model.dofs.component == 2].sum()
    moment[2] += (lever * push)[model.dofs.component == 1].sum()
    return -np.concatenate([force, moment])


def found(part, name, hz):
    system = forced(part, [name], damping=0.0)
    rows = [i for i, label in enumerate(system.labels) if "section cut" in label]
    return system.response(np.array([hz]), 0)[0, rows]


def close(ours, theirs, part, turns):
    """Within a part of what acts: 1 N, or 1 N m (which is 1 N m over the length as a force)."""
    size = np.repeat([1.0 / LENGTH, 1.0] if turns else [1.0, LENGTH], 3)
    assert (np.abs(ours - theirs) < part * size).all(), (ours, theirs)


def test_a_moment_on_a_rotation_without_mass_is_carried_through_the_section(beam):
    """Slow moment on the free end: the rest carries what the lumps beyond do not take, m_i (x_i - xc) / I of each, within 1e-5.

    Eight of 90 modes; without the static part of the others the shear was 2 % off.
    """
    model, first, last = beam
    part = deliver(reduce_to_interface(model, [first, last], count=8), sections={"cut": f"x>{CUT}"})
    ours = found(part, f"node {last} R2", 0.03)
    x = model.nodes.positions[:, 0]
    m = np.zeros(len(x))
    along = model.dofs.component == 2
    m[model.dofs.node[along]] = model.mass.diagonal()[along]
    center = (m * x).sum() / m.sum()
    turn = 1.0 / (m * (x - center) ** 2).sum()  # angular acceleration per unit moment about y: z'' = -(x - xc) turn
    beyond = x > CUT
    shear = (-m * (x - center) * turn)[beyond].sum()
    moment = (m * (x - center) * (x - x[beyond].min()) * turn)[beyond].sum() - 1.0
    close(ours.real, np.array([0.0, 0.0, shear, 0.0, moment, 0.0]), 1e-5, True)


@pytest.mark.parametrize("method", ["craig-bampton", "craig-chang"])
@pytest.mark.parametrize("component", [0, 2, 4])
def test_sections_of_few_modes_follow_the_full_model(beam, method, component):
    """Forces and moments at an end, at 0.3 of the first frequency, ten modes: the full model's own section within 1e-3."""
    model, first, last = beam
    items = [f"{first}:123", last] if method == "craig-chang" else [first, last]
    part = deliver(reduce_to_interface(model, items, method=method, count=10), sections={"cut": f"x>{CUT}"})
    word = ("T1", "T2", "T3", "R1", "R2", "R3")[component]
    close(found(part, f"node {last} {word}", 8.0).real, whole(model, 8.0, last, component), 1e-3, component > 2)


def test_motions_without_mass_in_the_reduced_matrices_follow_at_once(beam):
    """Every dof of five nodes on the interface of a mass at each: its rotations move no mass, yet moments pass, within 1e-9."""
    model = ts.assemble(ts.boom(LENGTH, ts.tube(0.08, 0.002), ts.ALUMINUM, elements=4, clamped=False), mass="lumped")
    ids = [int(i) for i in model.nodes.ids]
    part = deliver(reduce_to_interface(model, ids, method="guyan"), sections={"cut": f"x>{CUT}"})
    assert (np.diag(part.mass) == 0.0).any()
    last = int(model.nodes.ids[model.nodes.positions[:, 0].argmax()])
    close(found(part, f"node {last} R2", 5.0).real, whole(model, 5.0, last, 4), 1e-9, True)
    system = forced(part, [f"node {last} R2"], damping=0.0)
    row = system.labels.index(f"interface force: node {last} R2")
    assert system.response(np.array([5.0]), 0)[0, row] == pytest.approx(1.0, abs=1e-9)
    history = system.transient(1e-3, np.linspace(0.0, 1.0, 20)[:, None])
    assert history[:, row] == pytest.approx(np.linspace(0.0, 1.0, 20), abs=1e-9)


def test_forces_inside_reach_the_section(beam, tmp_path):
    """A force on a recovered node between the cut and the end, eight modes: within 1e-3; from a file and in a system as well."""
    model, first, last = beam
    inside = int(model.nodes.ids[np.abs(model.nodes.positions[:, 0] - 3.25).argmin()])
    part = deliver(
        reduce_to_interface(model, [first, last], count=8), nodes=[inside], sections={"cut": f"x>{CUT}"}, name="beam"
    )
    part = load_delivered(save_delivered(part, tmp_path / "beam.h5"))
    wanted = whole(model, 8.0, inside, 2)
    close(found(part, f"displacement: node {inside} T3", 8.0).real, wanted, 1e-3, False)
    assert matrices_of(part)["LTMF"].shape == (24, 3) and len(described(part)["forces"]) == 3
    other = deliver(reduce_to_interface(model, [first], count=4), name="other")
    system = join_models([part, other]).system
    item = system.recovery("beam: section cut")
    assert item.force_labels[0] == f"beam: displacement: node {inside} T1"
    direct = forced(system, [f"beam: displacement: node {inside} T3"], damping=0.0, recoveries=["beam: section cut"])
    assert np.abs(direct.direct).max() > 1e-3


def test_a_shaken_beam_with_few_modes_carries_its_whole_mass(beam):
    """Base at one end moving slowly along z, one pair of modes: the root section holds the mass beyond it, within 1e-6."""
    from tisserand.responses.base_drive import AXES, shaken

    model, first, _ = beam
    part = deliver(reduce_to_interface(model, [first], count=2), sections={"cut": "x>0.1"})
    system = shaken(part, damping=0.01)
    row = system.labels.index("section cut: force z")
    mass = sum(
        model.mass.diagonal()[i]
        for i in np.flatnonzero(model.dofs.component == 2)
        if model.nodes.positions[model.dofs.node[i], 0] > 0.1
    )
    slow = system.response(np.array([1e-3]), AXES.index("z"))[0, row]
    assert slow.real == pytest.approx(mass, rel=1e-6)


def test_a_force_inside_a_part_is_no_force_of_its_interface(beam):
    """A free part feels nothing at its interface; of two joined ones each feels the other alone: 1e-9 of the force of 1 N.

    What static shapes carry of the force to the interface was counted as a force there (up to all of it).
    """
    model, first, last = beam
    inner = int(model.nodes.ids[np.abs(model.nodes.positions[:, 0] - 2.25).argmin()])
    part = deliver(reduce_to_interface(model, [first, last], count=8), nodes=[inner, last], name="a")
    for name, alone in ((f"node {inner} T3", True), (f"displacement: node {last} T3", False)):
        system = forced(part, [name], damping=0.0)
        rows = np.array([label.startswith("interface force") for label in system.labels])
        felt = system.response(np.array([3.0]), 0)[0, rows]
        there = np.array([label.endswith(f"force: node {last} T3") for label in np.array(system.labels)[rows]])
        assert felt == pytest.approx(np.where(there & (not alone), 1.0, 0.0), abs=1e-9)
    other = deliver(reduce_to_interface(model, [first], count=6), name="b")
    one = deliver(reduce_to_interface(model, [first], count=6), nodes=[inner], name="a")
    joined = forced(join_models([one, other]).system, [f"node {inner} T3"], damping=0.0)
    both = [joined.labels.index(f"{name}: net interface force: force z") for name in "ab"]
    ours, theirs = joined.response(np.array([3.0]), 0)[0, both]
    assert abs(theirs) > 1e-2 and ours == pytest.approx(-theirs, abs=1e-9)
