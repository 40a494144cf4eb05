"""Nodal bodies: the six by six mass, its directional parts, and the physical pendulum."""

import numpy as np
import pytest
from support.lines import STEEL, beam_model, bodies, eigenvalues, rectangle, straight, turned

from tisserand.appendage.integrals.from_nodal_bodies import nodal_body_integrals
from tisserand.assembly import assemble
from tisserand.elements.element_data import DIRECTIONS
from tisserand.elements.registry import prepare
from tisserand.errors import ModelError
from tisserand.model import BeamSection, Nodes, StructuralModel


def random_body(seed=0):
    rng = np.random.default_rng(seed)
    spread = rng.normal(size=(20, 3))
    second = spread.T @ spread
    return bodies([0], 3.0, offset=rng.normal(size=3), inertia=np.trace(second) * np.eye(3) - second)


def test_mass_matrix_is_that_of_its_particles():
    """A rigid body made of particles: M = sum m [1, -r~]' [1, -r~]."""
    rng = np.random.default_rng(3)
    points, masses = rng.normal(size=(12, 3)), rng.uniform(0.1, 1.0, 12)
    total = masses.sum()
    center = masses @ points / total
    arms = points - center
    second = np.einsum("n,na,nb->ab", masses, arms, arms)
    inertia = np.trace(second) * np.eye(3) - second
    model = StructuralModel("body", Nodes([1], np.zeros((1, 3))), (bodies([0], total, center, inertia),))
    expected = np.zeros((6, 6))
    for m, (x, y, z) in zip(masses, points):
        row = np.hstack([np.eye(3), -np.array([[0, -z, y], [z, 0, -x], [-y, x, 0]])])
        expected += m * row.T @ row
    assert assemble(model).mass.toarray() == pytest.approx(expected, rel=1e-12, abs=1e-12)


def test_directional_mass_gives_the_exact_modal_integrals():
    """N_ab,kl = phi_k' M^{ab} phi_l for random nodal motion, against the integrals of rigid nodal bodies."""
    block = random_body()
    model = StructuralModel("body", Nodes([1], np.array([[0.3, -0.2, 0.7]])), (block,))
    found = prepare(model, block).directional_mass("consistent")[0]
    shapes = np.random.default_rng(1).normal(size=(6, 4))
    exact = nodal_body_integrals(
        model.nodes.positions, block.mass, block.offset, block.inertia, shapes[None, :3], shapes[None, 3:]
    )
    for z, (a, b) in enumerate(DIRECTIONS):
        assert shapes.T @ found[z] @ shapes == pytest.approx(exact.shape_shape[a, b], rel=1e-11, abs=1e-11)


def test_offset_body_on_a_turned_node_swings_the_same():
    """Frequencies of a beam with an offset tip body do not depend on the tip's displacement axes."""
    section = BeamSection(1, STEEL, rectangle(0.05, 0.08))
    tip = bodies([4], 20.0, offset=[0.2, 0.1, -0.15], inertia=np.diag([0.5, 0.7, 0.9]))
    axes = np.tile(np.eye(3), (5, 1, 1))
    axes[4] = turned([0.4, 0.2, -0.9])
    plain = assemble(beam_model(straight(4, 2.0), section, extra=(tip,)))
    local = assemble(beam_model(straight(4, 2.0), section, extra=(tip,), axes=axes))
    first = [eigenvalues(model, model.dofs.node == 0)[:10] for model in (plain, local)]
    assert first[0] == pytest.approx(first[1], rel=1e-9)


def test_physical_pendulum_about_a_torsion_spring():
    """Body offset r from a node held but for one rotation: omega^2 = k / (I + m r^2)."""
    section = BeamSection(1, STEEL, rectangle(0.05, 0.05))
    tip = bodies([1], 2.0, offset=[0.0, 0.5, 0.0], inertia=np.diag([0.3, 0.2, 0.4]))
    model = beam_model(straight(1, 1.0), section, extra=(tip,)).changed(mass_recipe="particles")
    assembled = assemble(model)
    free = (assembled.dofs.node == 1) & (assembled.dofs.component == 3)
    stiffness = STEEL.shear * section.end_a.torsion_constant / 1.0
    assert eigenvalues(assembled, ~free) == pytest.approx([stiffness / (0.3 + 2.0 * 0.25)], rel=1e-12)


@pytest.mark.parametrize(("mass", "offset", "words"), [(-1.0, [0, 0, 0], "negative"), (1.0, [np.nan, 0, 0], "finite")])
def test_bad_bodies_are_refused_by_name(mass, offset, words):
    model = StructuralModel("bad", Nodes([1], np.zeros((1, 3))), (bodies([0], mass, offset),))
    with pytest.raises(ModelError, match=words) as caught:
        assemble(model)
    assert "nodal body 1001" in str(caught.value)
