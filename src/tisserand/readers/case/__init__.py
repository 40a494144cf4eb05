"""The appendage case: a TOML file that gives a mesh its materials, sections, masses, supports and points."""

from tisserand.readers.case.build import model_of_case, read_case_model, read_mesh_model
from tisserand.readers.case.parse import read_case
from tisserand.readers.case.types import AppendageCase

__all__ = ["AppendageCase", "model_of_case", "read_case", "read_case_model", "read_mesh_model"]
