"""Decks of PrePoMax, FreeCAD, Abaqus/CAE and HyperMesh: CalculiX on the same file, or closed forms."""

from __future__ import annotations

import numpy as np
import pytest
from oracles.calculix import CCX, frequencies_hz
from support.command import run
from support.strangers import cantilever_hz, modes_hz

from tisserand.assembly import assemble

needs_ccx = pytest.mark.skipif(CCX is None, reason="CalculiX (ccx) is not installed")


def block(n=(6, 2, 2), size=(120.0, 20.0, 10.0), first=1):
    """Nodes and C3D8 rows of a box, and node ids by lattice place."""
    ids = np.arange(np.prod([k + 1 for k in n])).reshape([k + 1 for k in n]) + first
    nodes = [
        f"{ids[i, j, k]:7d}, {size[0] * i / n[0]:12.6f}, {size[1] * j / n[1]:12.6f}, {size[2] * k / n[2]:12.6f}"
        for i, j, k in np.ndindex(*ids.shape)
    ]
    cells = []
    for i, j, k in np.ndindex(*n):
        corner = [ids[i + a, j + b, k + c] for c in (0, 1) for a, b in ((0, 0), (1, 0), (1, 1), (0, 1))]
        cells.append(f"{len(cells) + 1:5d}, " + ", ".join(f"{v:5d}" for v in corner))
    return "\n".join(nodes), "\n".join(cells), ids


def prepomax():
    """PrePoMax: sections of remarks, Hash line, ``op=New``, Solver=Pardiso, ``*Output, Frequency=1``, ``*Node file``."""
    nodes, cells, ids = block()
    held = ", ".join(map(str, ids[0].ravel()))
    return f"""**
** Heading +++++++++++++++++++++++++++++++++++++++++++++++++
**
*Heading
Hash: 8Kx1aW2r, Date: 02/11/2023, Unit system: MM_TON_S_C
**
** Nodes +++++++++++++++++++++++++++++++++++++++++++++++++++
**
*Node
{nodes}
**
** Elements ++++++++++++++++++++++++++++++++++++++++++++++++
**
*Element, Type=C3D8, Elset=Solid_part-1
{cells}
**
** Node sets +++++++++++++++++++++++++++++++++++++++++++++++
**
*Nset, Nset=Internal_Selection-1_Fixed-1
{held}
**
** Materials +++++++++++++++++++++++++++++++++++++++++++++++
**
*Material, Name=S235
*Density
7.8E-09
*Elastic
210000, 0.28
**
** Sections ++++++++++++++++++++++++++++++++++++++++++++++++
**
*Solid section, Elset=Solid_part-1, Material=S235
**
** Steps +++++++++++++++++++++++++++++++++++++++++++++++++++
**
** Step-1 ++++++++++++++++++++++++++++++++++++++++++++++++++
**
*Step
*Frequency, Solver={{solver}}
6
**
** Output frequency ++++++++++++++++++++++++++++++++++++++++
**
*Output, Frequency=1
**
** Boundary conditions +++++++++++++++++++++++++++++++++++++
**
*Boundary, op=New
** Name: Fixed-1
*Boundary
Internal_Selection-1_Fixed-1, 1, 3, 0
**
** Field outputs +++++++++++++++++++++++++++++++++++++++++++
**
*Node file
RF, U
*El file
S, E, NOE
*End step
"""


def freecad():
    """FreeCAD: written-by remark, Nall/Evolumes/Eall, MATERIAL remarks, ``*FREQUENCY`` with a range, three *OUTPUT remarks."""
    nodes, cells, ids = block((4, 2, 1), (80.0, 20.0, 5.0))
    held = ",\n".join(map(str, ids[0].ravel())) + ","
    return f"""** written by FreeCAD inp file writer for CalculiX,Abaqus meshes
** all mesh elements.

** Nodes
*Node, NSET=Nall
{nodes}

** Volume elements
*Element, TYPE=C3D8, ELSET=Evolumes
{cells}

** Define element set Eall
*ELSET, ELSET=Eall
Evolumes

***********************************************************
** Element sets for materials and FEM element type (solid, shell, beam, fluid)
*ELSET,ELSET=MechanicalMaterialSolid
Evolumes

***********************************************************
** Node sets for fixed constraint
*NSET,NSET=ConstraintFixed
{held}

***********************************************************
** Physical constants for SI(mm) unit system with Young's modulus in MPa
*MATERIAL, NAME=MechanicalMaterial
*ELASTIC
210000,0.3
*DENSITY
7.9e-09

*SOLID SECTION, ELSET=MechanicalMaterialSolid, MATERIAL=MechanicalMaterial

*STEP
*FREQUENCY
6,0.0,1000000.0

** Fixed Constraints
*BOUNDARY
ConstraintFixed,1
ConstraintFixed,2
ConstraintFixed,3

*NODE FILE
U
*EL FILE
S, E
*END STEP
"""


def cylindrical():
    """A ring quarter with *TRANSFORM, TYPE=C, *ORIENTATION (rectangular), ENGINEERING CONSTANTS, *EQUATION, GENERATE."""
    r, t, z = np.linspace(50.0, 60.0, 3), np.linspace(0.0, np.pi / 2.0, 9), np.linspace(0.0, 8.0, 2)
    ids = np.arange(r.size * t.size * z.size).reshape(r.size, t.size, z.size) + 1
    nodes = "\n".join(
        f"{ids[i, j, k]}, {r[i] * np.cos(t[j]):.9g}, {r[i] * np.sin(t[j]):.9g}, {z[k]:.9g}"
        for i, j, k in np.ndindex(*ids.shape)
    )
    cells = []
    for i, j, k in np.ndindex(r.size - 1, t.size - 1, z.size - 1):
        corner = [ids[i + a, j + b, k + c] for c in (0, 1) for a, b in ((0, 0), (1, 0), (1, 1), (0, 1))]
        cells.append(f"{len(cells) + 1}, " + ",".join(map(str, corner)))
    start, end = (", ".join(map(str, ids[:, row].ravel())) for row in (0, -1))
    tip = ids[1, -1, 0]
    return f"""*HEADING
quarter ring
*NODE, NSET=NALL
{nodes}
*ELEMENT, TYPE=C3D8, ELSET=EALL
{chr(10).join(cells)}
*NSET, NSET=NSTART
{start}
*NSET, NSET=NEND
{end}
*NSET, NSET=NGEN, GENERATE
1, {ids.size}, 1
*ORIENTATION, NAME=OR, SYSTEM=RECTANGULAR
0.,1.,0.,-1.,0.,0.
*MATERIAL, NAME=UD
*ELASTIC, TYPE=ENGINEERING CONSTANTS
140000.,10000.,9000.,.3,.28,.4,5000.,4800.
3500.,
*DENSITY
1.6E-9
*SOLID SECTION, ELSET=EALL, MATERIAL=UD, ORIENTATION=OR
*TRANSFORM, NSET=NGEN, TYPE=C
0.,0.,0.,0.,0.,1.
*EQUATION
2
{ids[0, -1, 0]},1,1.,{tip},1,-1.
*BOUNDARY
NSTART,1,3
*STEP
*FREQUENCY, STORAGE=NO
6
*NODE FILE
U
*END STEP
"""


@needs_ccx
@pytest.mark.parametrize("make", [prepomax, freecad, cylindrical], ids=lambda make: make.__name__)
def test_calculix_decks_as_calculix(tmp_path, make):
    """Six frequencies of the same file; tolerance 1e-5 (seven digits are printed)."""
    text = make()
    theirs = frequencies_hz(text.replace("{solver}", "Spooles"), tmp_path)[:6]
    model, ours = modes_hz(tmp_path, f"{make.__name__}.inp", text.replace("{solver}", "Pardiso"), 6)
    assert ours == pytest.approx(theirs, rel=1e-5)
    told = any("--flavor" in note for note in model.ledger.assumptions)
    assert told == (make is freecad)  # *NODE FILE and *EL FILE are keywords of both programs


def abaqus_cae(instances="*Instance, name=Panel-1, part=Panel\n    5.,  0., 0.\n*End Instance"):
    """Abaqus/CAE: Job name remarks, Preprint, Part, generate, instance translation, internal sets, ENCASTRE, Lanczos, Restart."""
    n, length, width = 24, 240.0, 4.0
    nodes = "\n".join(
        f"{2 * k + c + 1:7d}, {length * k / n:12.6g}, {width * c:12.6g}, 0." for k in range(n + 1) for c in (0, 1)
    )
    cells = "\n".join(f"{k + 1}, {2 * k + 1}, {2 * k + 3}, {2 * k + 4}, {2 * k + 2}" for k in range(n))
    return f"""*Heading
** Job name: Job-1 Model name: Model-1
** Generated by: Abaqus/CAE 2022
*Preprint, echo=NO, model=NO, history=NO, contact=NO
**
** PARTS
**
*Part, name=Panel
*Node
{nodes}
*Element, type=S4R
{cells}
*Nset, nset=Set-1, generate
  1,  {2 * n + 2},  1
*Elset, elset=Set-1, generate
  1,  {n},  1
** Section: Section-1
*Shell Section, elset=Set-1, material=Alu
2., 5
*End Part
**
** ASSEMBLY
**
*Assembly, name=Assembly
**
{instances}
**
*Nset, nset=_PickedSet5, internal, instance=Panel-1
 1, 2
*End Assembly
**
** MATERIALS
**
*Material, name=Alu
*Density
 2.7e-09,
*Elastic
70000., 0.
** ----------------------------------------------------------------
**
** STEP: Step-1
**
*Step, name=Step-1, nlgeom=NO, perturbation
*Frequency, eigensolver=Lanczos, sim=NO, acoustic coupling=on, normalization=mass
3, , , , ,
**
** BOUNDARY CONDITIONS
**
** Name: BC-1 Type: Symmetry/Antisymmetry/Encastre
*Boundary
_PickedSet5, ENCASTRE
**
** OUTPUT REQUESTS
**
*Restart, write, frequency=0
**
** FIELD OUTPUT: F-Output-1
**
*Output, field, variable=PRESELECT
*End Step
"""


def test_abaqus_cae_strip(tmp_path):
    """A strip with nu = 0, clamped: Euler-Bernoulli in bending out of plane; 24 S4R with lumped mass; limit 1 %."""
    model, found = modes_hz(tmp_path, "Job-1.inp", abaqus_cae(), 3)
    inertia, area = 4.0 * 8.0 / 12.0, 8.0
    out = cantilever_hz(240.0, inertia, area)
    across = cantilever_hz(240.0, 2.0 * 64.0 / 12.0, area)
    assert found == pytest.approx(np.sort(np.concatenate([out, across]))[:3], rel=0.01)
    assert model.nodes.positions[:, 0].min() == pytest.approx(0.005)


def test_two_instances_of_a_part_are_two_structures(tmp_path):
    """The second instance is turned by 90 degrees about z and free: it adds six zeros; the first one's modes stay."""
    second = "*Instance, name=Panel-2, part=Panel\n0., 100., 0.\n0., 100., 0., 0., 100., 1., 90.\n*End Instance"
    both = abaqus_cae("*Instance, name=Panel-1, part=Panel\n5., 0., 0.\n*End Instance\n" + second)
    (tmp_path / "two.inp").write_text(both)
    outcome = run("modes", tmp_path / "two.inp", "-u", "mm-t-s", "-n", 3, "--json")
    assert outcome.exit_code == 1 and outcome.data["mode_kinds"].count("mechanism") == 6
    _, one = modes_hz(tmp_path, "one.inp", abaqus_cae(), 3)
    assert outcome.data["frequencies_hz"][6] == pytest.approx(one[0], rel=1e-9)


def hyperworks_abaqus():
    """HyperMesh for Abaqus: HM remarks in stars, NSET over several lines, *INCLUDE, a section line with a comma alone."""
    _, cells, ids = block((3, 1, 1), (30.0, 10.0, 10.0))
    return f"""**
** ABAQUS Input Deck Generated by HyperMesh Version  : 2019.1.0.20
** Template:  ABAQUS/STANDARD 3D
**
*INCLUDE, INPUT=mesh.inc
**HWCOLOR COMP          1    11
*ELEMENT,TYPE=C3D8I,ELSET=block
{cells}
**HMNAME COMP             1block
*SOLID SECTION, ELSET=block, MATERIAL=steel
,
**HMNAME MAT               1steel
*MATERIAL, NAME=steel
*ELASTIC, TYPE = ISOTROPIC
 210000.0  ,0.3       ,0.0
*DENSITY
  7.8000E-09,0.0
*NSET, NSET=root
{ids[0, 0, 0]}, {ids[0, 0, 1]},
{ids[0, 1, 0]}, {ids[0, 1, 1]}
*STEP, NAME=modes
*FREQUENCY, EIGENSOLVER=LANCZOS, NORMALIZATION=MASS
3,
*BOUNDARY
root,1,3,0.0
*END STEP
"""


def test_hypermesh_deck_for_abaqus_with_its_mesh_beside(tmp_path):
    """The mass of the block and three modes: the same model written flat gives the same numbers; Abaqus is recognized."""
    nodes, _, _ = block((3, 1, 1), (30.0, 10.0, 10.0))
    (tmp_path / "mesh.inc").write_text(f"*NODE\n{nodes}\n")
    model, found = modes_hz(tmp_path, "hm.inp", hyperworks_abaqus(), 3)
    assert assemble(model).mass_properties().mass == pytest.approx(7.8e-9 * 3000.0 * 1000.0, rel=1e-9)
    assert model.mass_recipe == "lumped" and not model.ledger.assumptions
    flat = hyperworks_abaqus().replace("*INCLUDE, INPUT=mesh.inc", f"*NODE\n{nodes}")
    assert found == pytest.approx(modes_hz(tmp_path, "flat.inp", flat, 3)[1], rel=1e-12)
