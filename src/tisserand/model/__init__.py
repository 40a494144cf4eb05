"""What the analyst states: nodes, elements, sections, materials, nodal bodies, constraints, supports, sets."""

from tisserand.model.blocks import (
    BeamBlock,
    BushBlock,
    DirectMatrix,
    ElementBlock,
    NodalBodies,
    RodBlock,
    ScalarMassBlock,
    ScalarSpringBlock,
    ShellBlock,
    SolidBlock,
)
from tisserand.model.constraints import Constraint, Equation, Interpolation, RigidElement
from tisserand.model.coordinates import CoordinateSystem
from tisserand.model.ledger import CardEntry, Ledger
from tisserand.model.materials import Anisotropic2D, Anisotropic3D, Isotropic, Material, Orthotropic2D, Strengths
from tisserand.model.nodes import Nodes
from tisserand.model.sections import BeamSection, BeamStation, Ply, RodSection, Section, ShellSection, SolidSection
from tisserand.model.structure import Analysis, Component, StructuralModel
from tisserand.model.supports import Supports

__all__ = [
    "Analysis",
    "Anisotropic2D",
    "Anisotropic3D",
    "BeamBlock",
    "BeamSection",
    "BeamStation",
    "BushBlock",
    "CardEntry",
    "Component",
    "Constraint",
    "CoordinateSystem",
    "DirectMatrix",
    "ElementBlock",
    "Equation",
    "Interpolation",
    "Isotropic",
    "Ledger",
    "Material",
    "NodalBodies",
    "Nodes",
    "Orthotropic2D",
    "Ply",
    "RigidElement",
    "RodBlock",
    "RodSection",
    "ScalarMassBlock",
    "ScalarSpringBlock",
    "Section",
    "ShellBlock",
    "ShellSection",
    "SolidBlock",
    "SolidSection",
    "Strengths",
    "StructuralModel",
    "Supports",
]
