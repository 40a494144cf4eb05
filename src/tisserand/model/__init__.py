"""What the analyst states: nodes, elements, sections, materials, nodal bodies, constraints, supports, sets."""

from tisserand.model.block_base import Block as ElementBlock
from tisserand.model.blocks import (
    BeamBlock,
    BushBlock,
    DirectMatrix,
    NodalBodies,
    RodBlock,
    ScalarMassBlock,
    ScalarSpringBlock,
    SolidBlock,
)
from tisserand.model.constraints import Constraint, Equation, Interpolation, RigidElement
from tisserand.model.coordinates import CoordinateSystem
from tisserand.model.families.shear_panel import ShearPanelBlock, ShearPanelSection
from tisserand.model.ledger import CardEntry, Ledger
from tisserand.model.materials import Anisotropic2D, Anisotropic3D, Isotropic, Material, Orthotropic2D, Strengths
from tisserand.model.nodes import Nodes
from tisserand.model.preload import Preload
from tisserand.model.section_base import Section
from tisserand.model.sections import (
    BeamSection,
    BeamStation,
    MembraneSection,
    Ply,
    RodSection,
    ShellSection,
    SolidSection,
)
from tisserand.model.structure import Analysis, Component, StructuralModel
from tisserand.model.supports import Supports
from tisserand.model.surface_blocks import MembraneBlock, ShellBlock

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
    "MembraneBlock",
    "MembraneSection",
    "NodalBodies",
    "Nodes",
    "Orthotropic2D",
    "Ply",
    "Preload",
    "RigidElement",
    "RodBlock",
    "RodSection",
    "ScalarMassBlock",
    "ScalarSpringBlock",
    "Section",
    "ShearPanelBlock",
    "ShearPanelSection",
    "ShellBlock",
    "ShellSection",
    "SolidBlock",
    "SolidSection",
    "Strengths",
    "StructuralModel",
    "Supports",
]
