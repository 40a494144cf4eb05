"""From what the analyst states to sparse matrices over independent dofs, with the way back to every node."""

from tisserand.assembly.assemble import assemble
from tisserand.assembly.massprops import MassProperties, mass_properties_from_rigid, mass_properties_of
from tisserand.assembly.types import AssembledModel, DofTable

__all__ = [
    "AssembledModel",
    "DofTable",
    "MassProperties",
    "assemble",
    "mass_properties_from_rigid",
    "mass_properties_of",
]
