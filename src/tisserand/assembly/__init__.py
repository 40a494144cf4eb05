"""Sparse matrices over the independent dofs of a structural model, and the recovery of every node's motion."""

from tisserand.assembly.assemble import assemble
from tisserand.assembly.assembled_model import AssembledModel, DofTable
from tisserand.assembly.massprops import MassProperties, mass_properties_from_rigid, mass_properties_of
from tisserand.assembly.mechanisms import Mechanisms, find_mechanisms
from tisserand.assembly.model_checks import Check, CheckReport, check_model
from tisserand.assembly.partmass import PartMass, element_mass_properties, mass_by_part

__all__ = [
    "AssembledModel",
    "Check",
    "CheckReport",
    "DofTable",
    "MassProperties",
    "Mechanisms",
    "PartMass",
    "assemble",
    "check_model",
    "element_mass_properties",
    "find_mechanisms",
    "mass_by_part",
    "mass_properties_from_rigid",
    "mass_properties_of",
]
