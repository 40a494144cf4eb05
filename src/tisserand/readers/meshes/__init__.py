"""Geometry and sets from mesh formats that carry no properties (Gmsh, VTK/VTU, XDMF and meshio's others)."""

from tisserand.readers.meshes.mesh_data import CellBlock, Mesh
from tisserand.readers.meshes.read import read_mesh

__all__ = ["CellBlock", "Mesh", "read_mesh"]
