"""CalculiX run live on generated models: the same mesh, the same element, the same frequencies."""

import re
import shutil
import subprocess

import numpy as np
import pytest
from scipy.linalg import eigh
from support.second_order import second_grid
from support.surfaces import grid, held, plate_section, shell_model, solid_model

from tisserand.assembly.assemble import assemble
from tisserand.elements.registry import prepare
from tisserand.elements.solid_material import section_moduli, voigt
from tisserand.elements.solid_shapes import HEX_EDGES, TET_EDGES, center_table, stiffness_table
from tisserand.elements.solid_unlocked import strain_matrix
from tisserand.model import Isotropic, SolidSection
from tisserand.modes import solve_modes
from tisserand.readers.registry import read_model
from tisserand.statics import nodal_loads, solve_static

pytestmark = [
    pytest.mark.slow,
    pytest.mark.skipif(shutil.which("ccx") is None, reason="CalculiX (ccx) is not installed"),
]
ALUMINUM = Isotropic.from_young(1, 70e9, 0.33, 2700.0)
WEDGE_EDGES = ((0, 1), (1, 2), (2, 0), (3, 4), (4, 5), (5, 3), (0, 3), (1, 4), (2, 5))
TETS = ((0, 1, 2, 6), (0, 2, 3, 6), (0, 3, 7, 6), (0, 7, 4, 6), (0, 4, 5, 6), (0, 5, 1, 6))


def calculix(folder, points, cells, kind, section, fixed, count, digits="1,3"):
    """Frequencies in Hz that ccx finds for the mesh, ``fixed`` node rows held in the given range of
    components.
    """
    lines = ["*NODE, NSET=ALL"]
    lines += [f"{i + 1}, {x:.14g}, {y:.14g}, {z:.14g}" for i, (x, y, z) in enumerate(points)]
    lines.append(f"*ELEMENT, TYPE={kind}, ELSET=BODY")
    for i, row in enumerate(cells):
        words = [str(i + 1), *(str(n + 1) for n in row)]
        lines += [", ".join(words[s : s + 12]) + ("," if s + 12 < len(words) else "") for s in range(0, len(words), 12)]
    lines += ["*NSET, NSET=ROOT", *(f"{n + 1}," for n in fixed)]
    lines += ["*MATERIAL, NAME=AL", "*ELASTIC", "70e9, 0.33", "*DENSITY", "2700."]
    lines += [section, "*BOUNDARY", f"ROOT, {digits}", "*STEP", "*FREQUENCY", str(count), "*END STEP"]
    (folder / "job.inp").write_text("\n".join(lines) + "\n")
    subprocess.run(["ccx", "job"], cwd=folder, check=True, capture_output=True, timeout=120)
    rows = re.findall(r"^\s*\d+\s+(\S+E[+-]\d+)\s+(\S+)\s+(\S+)\s+(\S+)\s*$", (folder / "job.dat").read_text(), re.M)
    return np.array([float(row[2]) for row in rows[:count]])


def bricks(counts, size):
    axes = [np.linspace(0, s, n + 1) for s, n in zip(size, counts)]
    points = np.stack([g.ravel() for g in np.meshgrid(*axes, indexing="ij")], axis=1)
    shape = np.array(counts) + 1
    i, j, k = (g.ravel() for g in np.meshgrid(*(np.arange(n) for n in counts), indexing="ij"))
    corners = [(0, 0, 0), (1, 0, 0), (1, 1, 0), (0, 1, 0), (0, 0, 1), (1, 0, 1), (1, 1, 1), (0, 1, 1)]
    cells = np.stack([((i + a) * shape[1] + j + b) * shape[2] + k + c for a, b, c in corners], axis=1)
    x, y, z = points.T
    bent = np.stack([x + 0.05 * z, y + 0.03 * np.sin(3 * x), z + 0.04 * x * y], axis=1)  # no two cells alike
    return bent, cells


def raised(points, cells, edges):
    pairs = np.sort(np.stack([cells[:, list(e)] for e in edges], axis=1).reshape(-1, 2), axis=1)
    unique, place = np.unique(pairs, axis=0, return_inverse=True)
    return np.vstack([points, points[unique].mean(axis=1)]), np.hstack(
        [cells, len(points) + place.reshape(len(cells), -1)]
    )


def mesh(kind):
    points, cells = bricks((6, 2, 2), (2.0, 0.4, 0.3))
    if kind == "tet10":
        return raised(points, np.vstack([cells[:, list(t)] for t in TETS]), TET_EDGES)
    if kind == "hex20":
        return raised(points, cells, HEX_EDGES)
    if kind == "wedge15":
        wedges = np.vstack([cells[:, [0, 1, 2, 4, 5, 6]], cells[:, [0, 2, 3, 4, 6, 7]]])
        return raised(points, wedges, WEDGE_EDGES)
    return points, cells


@pytest.mark.parametrize(
    ("kind", "name", "tolerance"),
    [("tet10", "C3D10", 2e-3), ("hex20", "C3D20", 2e-6), ("hex8", "C3D8", 2e-6), ("wedge15", "C3D15", 2e-3)],
)
def test_solids(tmp_path, kind, name, tolerance):
    points, cells = mesh(kind)
    root = np.flatnonzero(
        np.isclose(points[:, 0] - 0.05 * (points[:, 2] - 0.04 * points[:, 0] * points[:, 1]), 0.0, atol=1e-3)
    )
    theirs = calculix(tmp_path, points, cells, name, "*SOLID SECTION, ELSET=BODY, MATERIAL=AL", root, 8)
    model = solid_model(points, cells, kind, ALUMINUM, supports=held(len(points), (root, "123")))
    ours = np.array(solve_modes(assemble(model), count=8).frequencies_hz)
    assert len(theirs) == 8 and len(root) >= 9
    assert np.abs(ours / theirs - 1).max() < tolerance


def stored(folder, points, cells, kind):
    """Stiffness and mass (d, d) of the free mesh that ccx writes, inner dofs of the elements last."""
    lines = ["*NODE, NSET=ALL", *(f"{i + 1}, " + ", ".join(f"{v:.14g}" for v in p) for i, p in enumerate(points))]
    lines += [f"*ELEMENT, TYPE={kind}, ELSET=BODY"]
    lines += [", ".join(str(n) for n in (i + 1, *(row + 1))) for i, row in enumerate(cells)]
    lines += ["*MATERIAL, NAME=AL", "*ELASTIC", "70e9, 0.33", "*DENSITY", "2700."]
    lines += ["*SOLID SECTION, ELSET=BODY, MATERIAL=AL", "*STEP", "*FREQUENCY, SOLVER=MATRIXSTORAGE", "1", "*END STEP"]
    (folder / "job.inp").write_text("\n".join(lines) + "\n")
    subprocess.run(["ccx", "job"], cwd=folder, check=True, capture_output=True, timeout=120)
    out = []
    for ending in ("sti", "mas"):
        i, j, value = np.loadtxt(folder / f"job.{ending}").T
        full = np.zeros((int(j.max()),) * 2)
        full[i.astype(int) - 1, j.astype(int) - 1] = full[j.astype(int) - 1, i.astype(int) - 1] = value
        out.append(full)
    return out


def test_what_calculix_does_in_bricks_with_incompatible_modes(tmp_path):
    """Matrices of one distorted C3D8I, 33 dofs. To 1e-12: the nine inner dofs stay in the problem and have mass, N and 1 - xi² at
    2 x 2 x 2 points; their strain lacks the factor det J0 / det J of Taylor, Beresford and Wilson, without which a constant
    stress works on them. With it, ours passes the patch test.
    """
    points = np.array(
        [
            [0, 0, 0],
            [1.1, 0.1, 0],
            [1.2, 0.9, 0.05],
            [0, 1, 0],
            [0.05, 0, 0.8],
            [1, 0, 0.9],
            [1, 1.1, 1],
            [0.1, 1, 0.95],
        ]
    )
    cells = np.arange(8)[None]
    K, M = stored(tmp_path, points, cells, "C3D8I")
    table, middle = stiffness_table("hex8", "full"), center_table("hex8").gradients
    det = np.linalg.det(table.gradients @ points)
    functions = np.hstack([table.shapes, 1.0 - table.points**2])
    mass = np.kron(2700.0 * np.einsum("g,gi,gj->ij", det * table.weights, functions, functions), np.eye(3))
    assert pytest.approx(mass, abs=1e-12 * np.abs(mass).max()) == M
    compatible = np.linalg.solve(table.gradients @ points, table.gradients)
    inner = np.linalg.inv(middle[0] @ points) @ (-2.0 * table.points[:, None] * np.eye(3))
    moduli = voigt(section_moduli(SolidSection(1, ALUMINUM))[0])
    found = {}
    for name, factor in (("theirs", np.ones(8)), ("ours", np.linalg.det(middle[0] @ points) / det)):
        strain = strain_matrix(np.concatenate([compatible, factor[:, None, None] * inner], axis=2))
        found[name] = np.einsum("gsi,g,st,gtj->ij", strain, det * table.weights, moduli, strain, optimize=True)
    assert pytest.approx(found["theirs"], abs=1e-12 * np.abs(K).max()) == K
    stretch = (points @ np.diag([1e-3, -4e-4, 2e-4])).ravel()  # a constant strain
    for name, largest in (("ours", 1e-12), ("theirs", np.inf)):
        pushed = np.abs(found[name][24:, :24] @ stretch).max() / np.abs(found[name][:24, :24] @ stretch).max()
        assert pushed < largest and (name == "ours" or pushed > 1e-3)
    one = solid_model(points, cells, "hex8", ALUMINUM, "incompatible")
    condensed = found["ours"][:24, :24] - found["ours"][:24, 24:] @ np.linalg.solve(
        found["ours"][24:, 24:], found["ours"][24:, :24]
    )
    assert prepare(one, one.elements[0]).stiffness()[0] == pytest.approx(condensed, abs=1e-12 * np.abs(condensed).max())


def test_bricks_with_incompatible_modes(tmp_path):
    """C3D8I under a tip force: the same displacements at every node, but for det J0 / det J, which differs from one by 0.3 % at
    most in this mesh: its square of the displacement. Here the inner modes follow their statics, in CalculiX they are
    dofs: a static reduction is off by (f / f_inner)² at most, f_inner the lowest frequency of the inner dofs with all nodes held.
    """
    points, cells = mesh("hex8")
    root = np.flatnonzero(
        np.isclose(points[:, 0] - 0.05 * (points[:, 2] - 0.04 * points[:, 0] * points[:, 1]), 0.0, atol=1e-3)
    )
    tip = int(points[:, 0].argmax())
    lines = ["*NODE, NSET=ALL", *(f"{i + 1}, " + ", ".join(f"{v:.14g}" for v in p) for i, p in enumerate(points))]
    lines += ["*ELEMENT, TYPE=C3D8I, ELSET=BODY"]
    lines += [", ".join(str(n) for n in (i + 1, *(row + 1))) for i, row in enumerate(cells)]
    lines += ["*NSET, NSET=ROOT", *(f"{n + 1}," for n in root), "*MATERIAL, NAME=AL", "*ELASTIC", "70e9, 0.33"]
    lines += ["*SOLID SECTION, ELSET=BODY, MATERIAL=AL", "*BOUNDARY", "ROOT, 1,3", "*STEP", "*STATIC", "*CLOAD"]
    lines += [f"{tip + 1}, 2, 1e9", f"{tip + 1}, 3, 2e9", "*NODE PRINT, NSET=ALL", "U", "*END STEP"]
    (tmp_path / "job.inp").write_text("\n".join(lines) + "\n")
    subprocess.run(["ccx", "job"], cwd=tmp_path, check=True, capture_output=True, timeout=120)
    rows = re.findall(r"^\s*\d+\s+(\S+)\s+(\S+)\s+(\S+)\s*$", (tmp_path / "job.dat").read_text(), re.M)
    theirs = np.array(rows, float)
    model = solid_model(points, cells, "hex8", ALUMINUM, "incompatible", supports=held(len(points), (root, "123")))
    body = assemble(model)
    state = solve_static(body, nodal_loads(body, {tip + 1: (0.0, 1e9, 2e9)}))
    ours = body.displacements(state.displacement)[:, :3, 0]
    assert len(theirs) == len(ours) and np.abs(ours - theirs).max() < 1e-5 * np.abs(theirs).max()
    theirs = calculix(tmp_path, points, cells, "C3D8I", "*SOLID SECTION, ELSET=BODY, MATERIAL=AL", root, 8)
    ours = np.array(solve_modes(body, count=8).frequencies_hz)
    K, M = stored(tmp_path, points, cells, "C3D8I")
    inner = np.arange(3 * len(points), len(K))
    lowest = (
        1.0 / np.sqrt(eigh(M[np.ix_(inner, inner)], K[np.ix_(inner, inner)], eigvals_only=True).max()) / (2 * np.pi)
    )
    assert (np.abs(ours / theirs - 1.0) < 1e-5 + (theirs / lowest) ** 2).all(), (theirs / lowest) ** 2


def test_shells(tmp_path):
    """A curved cantilevered panel: CalculiX expands S8R into bricks; ours are flat four-node facets on a finer mesh, then
    eight-node shells on the same mesh.
    """

    def place(a, b):
        return (1.0 * a, 0.5 * np.sin(1.2 * (b - 0.5)) / np.sin(0.6), 0.5 * np.cos(1.2 * (b - 0.5)) / np.sin(0.6))

    coarse, quads = grid(16, 16, place)
    theirs_cells = []
    for i in range(8):
        for j in range(8):
            first = 2 * i * 17 + 2 * j
            corner = [first, first + 34, first + 36, first + 2]
            middle = [first + 17, first + 35, first + 19, first + 1]
            theirs_cells.append(corner + middle)
    used = np.unique(theirs_cells)
    number = np.full(len(coarse), -1)
    number[used] = np.arange(len(used))
    root = np.flatnonzero(coarse[used][:, 0] == 0)
    theirs = calculix(
        tmp_path,
        coarse[used],
        number[np.array(theirs_cells)],
        "S8R",
        "*SHELL SECTION, ELSET=BODY, MATERIAL=AL\n0.01",
        root,
        6,
        "1,6",
    )
    model = shell_model(
        coarse,
        quads,
        plate_section(0.01, 70e9, 0.33, 2700.0),
        supports=held(len(coarse), (coarse[:, 0] == 0, "123456")),
    )
    ours = np.array(solve_modes(assemble(model), count=6).frequencies_hz)
    assert np.abs(ours / theirs - 1).max() < 0.03
    model = shell_model(
        coarse[used],
        number[np.array(theirs_cells)],
        plate_section(0.01, 70e9, 0.33, 2700.0),
        supports=held(len(used), (root, "123456")),
    )
    ours = np.array(solve_modes(assemble(model), count=6).frequencies_hz)
    assert np.abs(ours / theirs - 1).max() < 0.01


def test_shells_with_thickness_at_the_nodes(tmp_path):
    """A plate hinged at two edges whose thickness varies both ways, *NODAL THICKNESS: CalculiX expands it into bricks of that
    shape. What the two codes do differently (shear factor of one brick, edges held at their middle) is of the order t / b = 4 %
    of torsion and the same in a plate of one thickness but for the variation of t, 30 %; the effect of the taper, f over that of
    the even plate, therefore agrees to 0.3 * 1 %.
    """
    points, cells, unit = second_grid(8, 4, lambda a, b: (1.0 * a, 0.5 * b, 0.0), 8)
    ends = np.flatnonzero((unit[:, 0] == 0) | (unit[:, 0] == 1))
    found = []
    for even in (True, False):
        thickness = 0.02 * (np.ones(len(unit)) if even else 1.0 - 0.5 * unit[:, 0] + 0.3 * unit[:, 1])
        section = "*SHELL SECTION, ELSET=BODY, MATERIAL=AL, NODAL THICKNESS\n0.02\n*NODAL THICKNESS\n"
        section += "\n".join(f"{i + 1}, {t:.14g}" for i, t in enumerate(thickness))
        theirs = calculix(tmp_path, points, cells, "S8R", section, ends, 4)
        model = read_model(tmp_path / "job.inp", units="SI")
        assert even or np.array(model.elements[0].taper) == pytest.approx(thickness[cells] / 0.02)
        found.append((np.array(solve_modes(assemble(model), count=4).frequencies_hz), theirs))
    (ours, theirs), (ours_tapered, theirs_tapered) = found
    assert ours_tapered / ours == pytest.approx(theirs_tapered / theirs, rel=3e-3)
