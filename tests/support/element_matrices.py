"""Matrices of a block as one bundle, for tests that look at several of them."""

from types import SimpleNamespace

from tisserand.elements.registry import prepare


def element_matrices(model, block, recipe: str = "consistent") -> SimpleNamespace:
    """nodes, components, stiffness, mass and damping of all elements of a block."""
    part = prepare(model, block)
    return SimpleNamespace(
        nodes=part.nodes,
        components=part.components,
        stiffness=part.stiffness(),
        mass=part.mass(recipe),
        damping=part.damping(),
    )
