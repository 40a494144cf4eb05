"""Node order of second-order cells: the same Gmsh mesh through .msh (meshio) and through Gmsh's own Abaqus writer."""

import numpy as np
import pytest
from support.case_files import write_case

from tisserand.assembly import assemble
from tisserand.modes import solve_modes
from tisserand.readers.abaqus import read_abaqus
from tisserand.readers.case import model_of_case, read_case

CASE = """
units = "SI"
mesh.file = "block.msh"
materials.m = { young = 2e11, poisson = 0.3, density = 7800 }
sections.s = { kind = "solid", material = "m", elements = "body" }
"""
PROPERTIES = "*MATERIAL, NAME=M\n*ELASTIC\n2e11, 0.3\n*DENSITY\n7800.\n*SOLID SECTION, ELSET=BODY, MATERIAL=M\n"


@pytest.fixture
def gmsh():
    module = pytest.importorskip("gmsh")
    module.initialize()
    module.option.setNumber("General.Terminal", 0)
    yield module
    module.finalize()


@pytest.mark.parametrize("cell", ["tetra10", "hexahedron20", "wedge15", "tetra", "hexahedron", "wedge"])
def test_both_roads_give_the_same_structure(tmp_path, gmsh, cell):
    """Frequencies of the free block agree to round-off only if no midside node is in the wrong place."""
    block(gmsh, cell)
    gmsh.write(str(tmp_path / "block.msh"))
    gmsh.write(str(tmp_path / "block.inp"))
    with open(tmp_path / "block.inp", "a") as deck:
        deck.write(PROPERTIES)
    mine = assemble(model_of_case(read_case(write_case(tmp_path, CASE, "block.toml"))))
    theirs = assemble(read_abaqus(tmp_path / "block.inp", "SI"))
    assert mine.structure.elements[0].kind == theirs.structure.elements[0].kind
    assert mine.mass_properties().mass == pytest.approx(7800 * 0.06, rel=1e-9)
    a, b = (solve_modes(model, count=6).frequencies_hz for model in (mine, theirs))
    np.testing.assert_allclose(a, b, rtol=1e-8)


def block(gmsh, cell):
    """A 1 x 0.3 x 0.2 block of one kind of cell."""
    gmsh.model.add("block")
    if cell.startswith("tetra"):
        gmsh.model.occ.addBox(0, 0, 0, 1.0, 0.3, 0.2)
    else:
        face = gmsh.model.occ.addRectangle(0, 0, 0, 1.0, 0.3)
        gmsh.model.occ.extrude([(2, face)], 0, 0, 0.2, numElements=[2], recombine=True)
    gmsh.model.occ.synchronize()
    gmsh.option.setNumber("Mesh.MeshSizeMax", 0.15)
    if cell.startswith("hexahedron"):
        for _, curve in gmsh.model.getEntities(1):
            gmsh.model.mesh.setTransfiniteCurve(curve, 4)
        for _, surface in gmsh.model.getEntities(2):
            gmsh.model.mesh.setTransfiniteSurface(surface)
            gmsh.model.mesh.setRecombine(2, surface)
        gmsh.model.mesh.setTransfiniteVolume(1)
    gmsh.model.addPhysicalGroup(3, [1], name="body")
    gmsh.option.setNumber("Mesh.SecondOrderIncomplete", 1)
    gmsh.model.mesh.generate(3)
    if cell[-1].isdigit():
        gmsh.model.mesh.setOrder(2)
