"""One sound file of every kind that is read: what the mutations start from."""

import json
import subprocess
import tempfile
from dataclasses import dataclass
from pathlib import Path

import meshio
import numpy as np
import scipy.io
import scipy.sparse as sp
from fuzz.registered import readers, real, samples
from oracles.calculix import CCX
from support.appendages import random_bodies
from support.case_files import PLATE, cube_mesh, plate_mesh
from support.extremes import CASES, CSV, DECKS, VEHICLES, lines_of
from support.op2_files import op2
from support.result_files import f06, frame_deck, frame_modes, mystran, punch, universal

from tisserand.appendage import save_record
from tisserand.exporters.registry import export_appendage

TEXT = {
    ".bdf", ".inp", ".toml", ".msh", ".vtk", ".vtu", ".su2", ".mtx", ".sti", ".mas", ".dof", ".mm", ".pch", ".json", ".sid_fem",
    ".xdmf", ".f06", ".unv", ".mesh", ".off", ".obj", ".mdpa", ".vol", ".f3grid",
}  # fmt: skip
BULK = """SOL 103
CEND
METHOD = 1
SPC = 1
BEGIN BULK
EIGRL,1,,,4
PARAM,GRDPNT,0
CORD2R,5,,0.,0.,0.,0.,0.,1.
+,1.,0.,0.
GRID,1,,0.,0.,0.
GRID,2,,1.,0.,0.
GRID,3,,1.,1.,0.
GRID,4,,0.,1.,0.
GRID,5,,0.,0.,1.
GRID,6,,1.,0.,1.
GRID,7,,1.,1.,1.
GRID,8,,0.,1.,1.,5
GRID,9,,3.,0.,0.
=,*1,=,*1.,==
=(2)
CHEXA,1,1,1,2,3,4,5,6
+,7,8
CQUAD4,2,2,1,2,3,4
CTRIA3,3,2,5,6,7
CBAR,4,3,2,9,0.,0.,1.
CBEAM,5,4,9,10,0.,0.,1.
CROD,6,5,10,11
CONM2,7,11,,2.5,0.,0.,.1
+,.1,,.1,,,.1
CELAS2,8,1.E6,11,1,12,1
CBUSH,9,6,11,12,,,,0
PSOLID,1,1
PSHELL,2,1,.01,1,,1
PBAR,3,1,1.E-3,1.E-6,1.E-6,1.E-6
PBEAM,4,1,1.E-3,1.E-6,1.E-6,,1.E-6
PROD,5,1,1.E-3
PBUSH,6,K,1.E5,1.E5,1.E5,1.E3,1.E3,1.E3
PCOMP,7,,,,,,,SYM
+,2,.001,0.,YES,2,.001,90.,YES
MAT1,1,7.E10,,.3,2700.
MAT8,2,1.E11,8.E9,.3,5.E9,,,1600.
RBE2,10,9,123456,7
RBE3,11,,5,123,1.,123,1,2
+,3
MPC,1,6,1,1.,7,1,-1.
SPC1,1,123456,1,THRU,4
SPCADD,2,1
ENDDATA
"""
DECK = """*HEADING
cube and beam
*NODE, NSET=NALL
1,0,0,0
2,1,0,0
3,1,1,0
4,0,1,0
5,0,0,1
6,1,0,1
7,1,1,1
8,0,1,1
9,3,0,0
*ELEMENT, TYPE=C3D8, ELSET=SOLID
1,1,2,3,4,5,6,7,8
*ELEMENT, TYPE=B31, ELSET=BEAM
2,2,9
*ELEMENT, TYPE=S4, ELSET=SKIN
5,1,2,3,4
*ELEMENT, TYPE=MASS, ELSET=TIP
3,9
*MASS, ELSET=TIP
1.5
*MATERIAL, NAME=STEEL
*ELASTIC
2.1e11, 0.3
*DENSITY
7800.
*SOLID SECTION, ELSET=SOLID, MATERIAL=STEEL
*SHELL SECTION, ELSET=SKIN, MATERIAL=STEEL
0.01
*BEAM SECTION, ELSET=BEAM, MATERIAL=STEEL, SECTION=RECT
0.1,0.2
0,1,0
*NSET, NSET=ROOT, GENERATE
1,4,1
*ELSET, ELSET=ALL, GENERATE
1,5,1
*SURFACE, NAME=SURF, TYPE=ELEMENT
SOLID, S1
*EQUATION
2
5,1,1.,6,1,-1.
*BOUNDARY
ROOT,1,3
*STEP
*FREQUENCY
4
*END STEP
"""
MADE = """*PARAMETER
wide = 0.1*2
last = 13
*NODE, NSET=ENDS
9,0,0,0
<last>,4,0,0
*NGEN, NSET=LINE
9,<last>,2
*NCOPY, CHANGE NUMBER=100, OLD SET=LINE, NEW SET=OTHER, SHIFT
0,1,0
*NFILL, NSET=BETWEEN
LINE,OTHER,2,50
*ELEMENT, TYPE=B31, ELSET=BEAM
1,9,11
*ELGEN, ELSET=BEAM
1,2,2,1
*ELCOPY, ELEMENT SHIFT=10, SHIFT NODES=100, OLD SET=BEAM, NEW SET=BEAM
*MATERIAL, NAME=STEEL
*ELASTIC
2.1e11, 0.3
*DENSITY
7800.
*BEAM SECTION, ELSET=BEAM, MATERIAL=STEEL, SECTION=RECT
<wide>,0.2
0,0,1
"""
VEHICLE = """
name = "satellite"
gravity = [0.0, 0.0, 0.0]
[bodies.bus]
mass = 80.0
inertia = [60.0, 50.0, 70.0]
points = { mount = [0.5, 0.0, 0.0] }
[bodies.dish]
mass = 4.0
center = [0.1, 0.0, 0.0]
inertia = [1.0, 1.5, 2.0]
[joints.hinge]
parent = "bus"
child = "dish"
parent_point = "mount"
axis = [0.0, 1.0, 0.0]
stiffness = 20.0
damping = 0.1
limits_deg = [-30.0, 30.0]
[rotors.wheel]
body = "bus"
axis = [0.0, 0.0, 1.0]
spin_inertia = 0.02
[appendages.wing]
record = "wing.h5"
body = "bus"
[sensors.rate]
kind = "rate"
body = "bus"
direction = [1.0, 0.0, 0.0]
[events.fast]
sensor = "rate"
level = 0.5
[initial]
angular_velocity = [0.01, 0.02, 0.0]
joints_deg = { hinge = 2.0 }
[simulation]
duration = 2.0
output_step = 0.5
method = "auto"
rtol = 1e-8
[outputs]
trajectory = "run.h5"
"""
STUDIES = """
[modes]
model = "plate.toml"
count = 4
fmax = 100.0
frame = "tisserand"
output = "plate.h5"
[[simulate]]
vehicle = "bus.toml"
set = { "bodies.bus.mass" = 90.0 }
output = "run.h5"
[[simulate]]
vehicle = "bus.toml"
csv = "run.csv"
[sweep]
vehicle = "bus.toml"
over = { "bodies.bus.mass" = "80:90:3" }
[montecarlo]
vehicle = "bus.toml"
vary = { "bodies.bus.mass" = "normal:80:1" }
count = 3
seed = 1
[response]
vehicle = "bus.toml"
points = 50
[campbell]
model = "plate.toml"
axis = [0.0, 0.0, 1.0]
rates = "0:1:3"
[view]
model = "plate.h5"
save = "x.png"
"""
MODES = {
    "name": "bar", "units": "SI", "frequencies_hz": [1.0, 2.0], "node_ids": [1, 2],
    "positions": [[0.0, 0.0, 0.0], [1.0, 0.0, 0.0]],
    "translation": [[[0.1, 0.2], [0.0, 0.0], [0.3, 0.1]], [[1.0, -1.0], [0.0, 0.5], [0.0, 0.0]]],
    "nodal_masses": [2.0, 1.5], "damping_ratios": 0.01, "interfaces": {"tip": 2},
}  # fmt: skip


@dataclass(frozen=True)
class Seed:
    """A sound file and the way it is read; ``path`` stands in a folder with everything that it needs beside it."""

    kind: str
    path: Path
    sound: bool = True

    @property
    def text(self) -> bool:
        return self.path.suffix.lower() in TEXT

    def __str__(self) -> str:
        return f"{self.kind} {self.path.name}"


def make_seeds(folder: Path, *, wide: bool = False) -> list[Seed]:
    """Every kind of input in a folder of its own; ``wide`` adds real decks of the corpus."""
    seeds: list[Seed] = []

    def place(kind: str, name: str, content: str | bytes | None = None, *, sound: bool = True) -> Path:
        home = folder / f"{len(seeds):02d}-{kind.replace(':', '-')}"
        home.mkdir(parents=True, exist_ok=True)
        path = home / name
        if content is not None:
            path.write_bytes(content.encode() if isinstance(content, str) else content)
        seeds.append(Seed(kind, path, sound))
        return path

    place("deck", "small.bdf", BULK)
    place("deck", "cube.inp", DECK)
    place("deck", "made.inp", MADE)
    wing = random_bodies(0)
    _meshes(place)
    _matrices(place)
    place("modes", "bar.json", json.dumps(MODES))
    place("modes", "bar.toml", _toml_of_modes())
    flat = {key: np.asarray(value) for key, value in MODES.items() if key != "interfaces"}
    np.savez(place("modes", "bar.npz"), **flat)
    save_record(wing, place("record", "wing.h5"))
    export_appendage(wing, "sid", place("record", "wing.SID_FEM"))
    export_appendage(wing, "exudyn", place("export", "exudyn.h5"))
    vehicle = place("vehicle", "satellite.toml", VEHICLE)
    save_record(wing, vehicle.parent / "wing.h5")
    _run(place, vehicle)
    place("tolerances", "limits.toml", "[tolerances]\nfrequency = 0.01\nmac = 0.9\nunpaired = false\n")
    place("study", "study.toml", STUDIES)
    _stating_everything(place, wing)
    _results(place)
    _calculix(place)
    served = {seed.path.suffix.lower() for seed in seeds}
    for reader in readers():
        for name, content in samples(reader, served):
            place(f"reader:{reader.name}", name, content, sound=False)
    for ending, number in ((".bdf", 15), (".dat", 10), (".inp", 15)):
        for path in real(ending, 40_000)[:: max(len(real(ending, 40_000)) // number, 1)] if wide else ():
            place("deck", path.name, path.read_bytes(), sound=False)
    return seeds


def _stating_everything(place, wing) -> None:
    """Vehicles and cases that state every number that can be stated."""
    for name, data in VEHICLES.items():
        path = place("vehicle", f"{name}.toml", lines_of(data))
        save_record(wing, path.with_name("wing.h5"))
        path.with_name("table.csv").write_text(CSV)
    for name, data in CASES.items():
        path = place("case", f"{name}.toml", lines_of(data))
        (cube_mesh if name in ("cube", "crystal") else plate_mesh)(path.parent)
        for deck, text in DECKS.items():
            path.with_name(deck).write_text(text)


#: A brick held at one end, as CalculiX reads it.
BRICK = """*NODE
1,0,0,0
2,1,0,0
3,1,1,0
4,0,1,0
5,0,0,1
6,1,0,1
7,1,1,1
8,0,1,1
*ELEMENT,TYPE=C3D8,ELSET=E
1,1,2,3,4,5,6,7,8
*MATERIAL,NAME=M
*ELASTIC
7e10,0.3
*DENSITY
2700
*SOLID SECTION,ELSET=E,MATERIAL=M
*BOUNDARY
1,1,3
2,1,3
3,1,3
4,1,3
*STEP
*FREQUENCY
2
*NODE FILE
U
*END STEP
"""


def _calculix(place) -> None:
    """The modes of a brick in a file of CalculiX, with its deck and its tables beside it, where ccx is installed."""
    if CCX is None:
        return
    path = place("results", "brick.frd")
    with tempfile.TemporaryDirectory() as folder:
        (Path(folder) / "brick.inp").write_text(BRICK)
        subprocess.run([CCX, "brick"], cwd=folder, capture_output=True, timeout=100, check=True)
        for ending in (".frd", ".dat"):
            path.with_suffix(ending).write_bytes((Path(folder) / f"brick{ending}").read_bytes())


def _results(place) -> None:
    """Modes of a small frame as other programs write them; ``info`` reads them and says what record they allow."""
    with tempfile.TemporaryDirectory() as folder:
        run = frame_modes(frame_deck(Path(folder)), 3)
    for name, write in (("run.op2", op2), ("run.f06", f06), ("mystran.f06", mystran), ("run.pch", punch)):
        write(place("results", name), run)
    try:
        import pyuff  # noqa: F401
    except ImportError:
        return
    for kind in (15, 2411):
        universal(place("results", f"nodes{kind}.unv"), run, nodes=kind)


def _meshes(place) -> None:
    place(
        "mesh", "tets.su2", "NDIME= 3\nNELEM= 1\n10 0 1 2 3 0\nNPOIN= 4\n0 0 0 0\n1 0 0 1\n0 1 0 2\n0 0 1 3\nNMARK= 0\n"
    )
    case = PLATE.replace('[outputs]\nrecord = "plate.h5"\n', "")
    path = place("case", "plate.toml", case)
    plate_mesh(path.parent)
    for name, form in (
        ("plate.msh", "gmsh22"), ("plate4.msh", "gmsh"), ("binary.msh", "gmsh"), ("binary22.msh", "gmsh22"),
        ("plate.vtk", "vtk"), ("plate.vtu", "vtu"),
        ("plate.xdmf", "xdmf"), ("plate.mesh", "medit"), ("plate.med", "med"), ("plate.stl", "stl"), ("plate.ply", "ply"),
        ("plate.off", "off"), ("plate.obj", "obj"), ("plate.mdpa", "mdpa"), ("plate.vol", "netgen"), ("plate.h5m", "h5m"),
        ("plate.hmf", "hmf"), ("tets.cgns", "cgns"), ("tets.f3grid", "flac3d"), ("tets.msh", "ansys"),
    ):  # fmt: skip
        path = place("mesh", name)
        mesh = meshio.read(plate_mesh(path.parent, "start.msh"))
        if form in ("cgns", "flac3d", "ansys"):
            mesh = meshio.Mesh(mesh.points, [("tetra", np.array([[0, 3, 4, 1]]))])
        if form in ("stl", "ply", "off", "obj", "mdpa", "netgen", "h5m", "hmf"):
            mesh = meshio.Mesh(mesh.points, [("triangle", np.array([[0, 3, 4], [0, 4, 1]]))])
        if form == "gmsh":
            mesh = meshio.Mesh(mesh.points, [mesh.cells[0]])
        if form == "med":
            mesh = meshio.Mesh(mesh.points, mesh.cells)
        mesh.write(path, **({"file_format": form} | ({"binary": name.startswith("binary")} if "gmsh" in form else {})))


def _matrices(place) -> None:
    K = np.diag([3.0, 4.0, 5.0, 6.0]) + np.diag([-1.0] * 3, 1) + np.diag([-1.0] * 3, -1)
    M = np.diag([1.0, 2.0, 3.0, 1.0])
    terms = {w: [(r + 1, c + 1, m[r, c]) for r, c in zip(*np.nonzero(m))] for w, m in (("STIF", K), ("MASS", M))}
    path = place("matrices", "chain_STIF1.mtx")
    for word, rows in terms.items():
        path.with_name(f"chain_{word}1.mtx").write_text("".join(f"{r} {c} {v:.15e}\n" for r, c, v in rows))
    path = place("matrices", "chain.sti")
    for word, end in (("STIF", ".sti"), ("MASS", ".mas")):
        path.with_suffix(end).write_text("".join(f"{r} {c} {v:.15e}\n" for r, c, v in terms[word] if r >= c))
    path.with_suffix(".dof").write_text("10.1\n20.1\n30.1\n40.2\n")
    path = place("matrices", "chain_K.mm")
    scipy.io.mmwrite(path.with_suffix(".mtx"), sp.coo_array(K))
    path.with_suffix(".mtx").rename(path)
    scipy.io.mmwrite(path.with_name("chain_M.mtx"), M)
    path.with_name("chain_M.mtx").rename(path.with_name("chain_M.mm"))
    for version in ("4", "5"):
        scipy.io.savemat(place("matrices", f"chain{version}.mat"), {"K": sp.csc_array(K), "M": M}, format=version)
    scipy.io.savemat(place("matrices", "packed.mat"), {"K": sp.csc_array(K), "M": M}, do_compression=True)
    csr = sp.csr_array(K)
    parts = {"K_data": csr.data, "K_indices": csr.indices, "K_indptr": csr.indptr, "M": M}
    np.savez(place("matrices", "chain.npz"), **parts)
    np.savez_compressed(place("matrices", "packed.npz"), **parts, dofs=[[1, 1], [1, 2], [2, 1], [2, 2]])
    import h5py

    with h5py.File(place("matrices", "chain.h5"), "w") as file:
        file["M"] = M
        for word in ("data", "indices", "indptr"):
            file[f"K/{word}"] = getattr(csr, word)
    cards = ["DMIG,KAA,0,6,2", "DMIG,MAA,0,6,2"]
    for name, word in (("KAA", "STIF"), ("MAA", "MASS")):
        cards += [f"DMIG,{name},{c},1,,{r},1,{v:.6E}" for r, c, v in terms[word] if r >= c]
    place("matrices", "chain.pch", "\n".join(cards) + "\n")
    try:
        from pyyeti.nastran import op4
    except ImportError:
        return
    op4.write(str(place("matrices", "chain.op4")), {"kaa": K, "maa": M})


def _toml_of_modes() -> str:
    lines = [f"{key} = {json.dumps(value)}" for key, value in MODES.items() if key != "interfaces"]
    return "\n".join([*lines, "[interfaces]", "tip = 2"]) + "\n"


def _run(place, vehicle: Path) -> None:
    from tisserand.studies.frames import frames
    from tisserand.studies.simulate import simulate

    run = place("run", "run.h5")
    simulate(vehicle, output=run)
    frames(run, output=place("frames", "frames.h5"))
