"""The appendage case: a TOML file that gives a mesh its materials, sections, masses, supports and points."""

from tisserand.readers.case.build import model_of_case, read_case_model, read_mesh_model
from tisserand.readers.case.case_file import AppendageCase, CaseFile, read_case

__all__ = ["AppendageCase", "CaseFile", "model_of_case", "read_case", "read_case_model", "read_mesh_model"]
