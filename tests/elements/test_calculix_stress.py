"""CalculiX run live on solids: ply stresses of a layered plate, and buckling of a strip by plate bending."""

import re
import shutil
import subprocess

import numpy as np
import pytest
from scipy.linalg import eigh
from support.surfaces import grid, held, plate_section, shell_model

from tisserand.assembly.assemble import assemble
from tisserand.elements.solid_shapes import HEX_EDGES
from tisserand.model import Orthotropic2D, Ply
from tisserand.model.laminate import laminate
from tisserand.statics import geometric_stiffness, nodal_loads, ply_stresses, solve_static

pytestmark = [
    pytest.mark.slow,
    pytest.mark.skipif(shutil.which("ccx") is None, reason="CalculiX (ccx) is not installed"),
]


def bricks(counts, size):
    """20-node bricks on a box that is centered in y and z; the thickness counts fastest."""
    across = [np.linspace(-s / 2, s / 2, n + 1) for s, n in zip(size[1:], counts[1:])]
    axes = [np.linspace(0, size[0], counts[0] + 1), *across]
    points = np.stack([g.ravel() for g in np.meshgrid(*axes, indexing="ij")], axis=1)
    shape = np.array(counts) + 1
    i, j, k = (g.ravel() for g in np.meshgrid(*(np.arange(n) for n in counts), indexing="ij"))
    corners = [(0, 0, 0), (1, 0, 0), (1, 1, 0), (0, 1, 0), (0, 0, 1), (1, 0, 1), (1, 1, 1), (0, 1, 1)]
    cells = np.stack([((i + a) * shape[1] + j + b) * shape[2] + k + c for a, b, c in corners], axis=1)
    pairs = np.sort(np.stack([cells[:, list(e)] for e in HEX_EDGES], axis=1).reshape(-1, 2), axis=1)
    unique, place = np.unique(pairs, axis=0, return_inverse=True)
    cells = np.hstack([cells, len(points) + place.reshape(len(cells), -1)])
    return np.vstack([points, points[unique].mean(axis=1)]), cells, k


def evenly(points, cells, face):
    """Share of every node in an even traction on equal faces of 20-node bricks: -1/12 at corners, 1/3 between."""
    share = np.zeros(len(points))
    on = np.isin(cells, face)
    touching = on.sum(axis=1) == 8
    np.add.at(share, cells[touching][:, :8][on[touching][:, :8]], -1 / 12)
    np.add.at(share, cells[touching][:, 8:][on[touching][:, 8:]], 1 / 3)
    return share / touching.sum()


def deck(points, sets, fixed, materials, forces, step, count=None):
    """An input deck: ``sets`` of 20-node cells by material, nodal ``forces`` (rows, component, value)."""
    lines = ["*NODE, NSET=ALL"] + [f"{i + 1}, {x:.14g}, {y:.14g}, {z:.14g}" for i, (x, y, z) in enumerate(points)]
    number = 0
    for name, cells in sets.items():
        lines.append(f"*ELEMENT, TYPE=C3D20R, ELSET={name}")
        for row in cells:
            number += 1
            words = [str(number), *(str(n + 1) for n in row)]
            lines += [", ".join(words[:12]) + ",", ", ".join(words[12:])]
    lines += ["*NSET, NSET=ROOT", *(f"{n + 1}," for n in fixed), *materials, "*BOUNDARY", "ROOT, 1,3", "*STEP", step]
    lines += [str(count)] if count else []
    lines += ["*CLOAD", *(f"{n + 1}, {component}, {value:.12g}" for n, component, value in forces)]
    return lines


def run(folder, lines):
    (folder / "job.inp").write_text("\n".join([*lines, "*END STEP"]) + "\n")
    subprocess.run(["ccx", "job"], cwd=folder, check=True, capture_output=True, timeout=300)
    return (folder / "job.dat").read_text()


ANGLES, PLY, SIZE = (0.0, 45.0, 90.0, 0.0), 4e-3, (0.4, 0.2)
E1, E2, NU12, NU23, G12, G23 = 140e9, 10e9, 0.3, 0.4, 5e9, 3.5e9


def test_ply_stresses_of_a_layered_plate(tmp_path):
    """[0/45/90/0] cantilever, unsymmetric, under a tip force across and along: stresses in ply axes and interlaminar shear inside
    the plate against bricks, two through every ply.
    """
    nx, ny, per = 16, 8, 2
    thick = PLY * len(ANGLES)
    points, cells, layer = bricks((nx, ny, per * len(ANGLES)), (*SIZE, thick))
    sets = {f"PLY{p}": cells[layer // per == p] for p in range(len(ANGLES))}
    materials = ["*MATERIAL, NAME=UD", "*ELASTIC, TYPE=ENGINEERING CONSTANTS"]
    materials += [f"{E1}, {E2}, {E2}, {NU12}, {NU12}, {NU23}, {G12}, {G12}", f"{G23}, 293."]
    for p, angle in enumerate(ANGLES):
        c, s = np.cos(np.radians(angle)), np.sin(np.radians(angle))
        materials += [f"*ORIENTATION, NAME=AXES{p}", f"{c:.12g}, {s:.12g}, 0., {-s:.12g}, {c:.12g}, 0."]
        materials += [f"*SOLID SECTION, ELSET=PLY{p}, MATERIAL=UD, ORIENTATION=AXES{p}"]
    root, tip = (np.flatnonzero(np.isclose(points[:, 0], x)) for x in (0.0, SIZE[0]))
    force = np.array([2e4, 0.0, 500.0])
    share = evenly(points, cells, tip)
    forces = [(n, c + 1, share[n] * force[c]) for n in tip for c in (0, 2)]
    lines = deck(points, sets, root, materials, forces, "*STATIC")
    for p in range(len(ANGLES)):
        lines += [f"*EL PRINT, ELSET=PLY{p}, GLOBAL=NO", "S"]
    text = run(tmp_path, lines)
    printed = [line.split()[:8] for line in text.splitlines() if re.match(r"^\s+\d+\s+\d\s+\S+E", line)]
    rows = np.array(printed, dtype=float)
    theirs = rows[:, 2:].reshape(-1, 8, 6)
    order = np.concatenate([np.flatnonzero(layer // per == p) for p in range(len(ANGLES))])
    stress = np.empty_like(theirs)
    stress[order] = theirs

    quads_at, quads = grid(nx, ny, lambda a, b: (SIZE[0] * a, SIZE[1] * (b - 0.5)))
    carbon = Orthotropic2D(1, young_1=E1, young_2=E2, poisson_12=NU12, shear_12=G12, shear_1z=G12, shear_2z=G23)
    section = laminate(1, [Ply(carbon, PLY, np.radians(angle)) for angle in ANGLES])
    x, y, _ = quads_at.T
    body = assemble(shell_model(quads_at, quads, section, supports=held(len(quads_at), (x == 0, "123456"))))
    edge = np.flatnonzero(np.isclose(x, SIZE[0]))
    share = np.where(np.isclose(np.abs(y[edge]), SIZE[1] / 2), 0.5, 1.0) / ny
    u = solve_static(body, nodal_loads(body, {int(n) + 1: w * force for n, w in zip(edge, share)})).displacement[:, 0]
    (ours,) = ply_stresses(body, u)

    place = quads_at[quads].mean(axis=1)
    interior = (np.abs(place[:, 0] - SIZE[0] / 2) < 0.25 * SIZE[0]) & (np.abs(place[:, 1]) < 0.3 * SIZE[1])
    layers = per * len(ANGLES)
    by_layer = stress.reshape(nx * ny, layers, 2, 4, 6).mean(
        axis=3
    )  # lower and upper points of each brick: center of the cell
    level = (
        np.arange(per)[:, None] + 0.5 + np.array([-0.5, 0.5]) / np.sqrt(3)
    ).ravel() / per  # heights in a ply, 0 to 1
    found = by_layer.reshape(nx * ny, len(ANGLES), 2 * per, 6)
    line = np.stack([1 - level, level], axis=1)
    plane = np.einsum("zb,mpbc->mpzc", line, ours.stress[:, :, [0, 2]])
    t = level
    parabola = np.stack([2 * (t - 0.5) * (t - 1), 4 * t * (1 - t), 2 * t * (t - 0.5)], axis=1)
    shear = np.einsum("zb,mpbc->mpzc", parabola, ours.shear)
    worst = {}
    for name, mine, other in (
        ("s1", plane[..., 0], found[..., 0]), ("s2", plane[..., 1], found[..., 1]), ("s12", plane[..., 2], found[..., 3]),
        ("s1z", shear[..., 0], found[..., 4]), ("s2z", shear[..., 1], found[..., 5]),
    ):  # fmt: skip
        worst[name] = np.abs(mine - other)[interior].max() / np.abs(other[interior]).max()
    assert worst["s1"] < 0.01 and worst["s2"] < 0.04 and worst["s12"] < 0.02
    assert worst["s1z"] < 0.08 and worst["s2z"] < 0.08


def test_strip_buckles_sideways_by_plate_bending(tmp_path):
    """Cantilever strip with a tip force across: no membrane force in the shells, bending stress in the bricks. The torsion
    constant of thin plates, without 0.63 t/b at the edges, leaves the shells 1.6 % high.
    """
    length, width, depth, young, poisson = 0.5, 0.05, 0.0025, 70e9, 0.3
    points, cells, _ = bricks((24, 4, 1), (length, width, depth))
    root = np.flatnonzero(np.isclose(points[:, 0], 0))
    middle = np.isclose(points[:, 0], length) & np.isclose(points[:, 2], 0) & np.isclose(points[:, 1], 0)
    materials = ["*MATERIAL, NAME=AL", "*ELASTIC", f"{young}, {poisson}", "*SOLID SECTION, ELSET=BODY, MATERIAL=AL"]
    tip = np.flatnonzero(middle)
    text = run(
        tmp_path, deck(points, {"BODY": cells}, root, materials, [(n, 3, 1.0 / len(tip)) for n in tip], "*BUCKLE", 4)
    )
    factors = [float(m) for m in re.findall(r"^\s+\d+\s+(-?\d\.\d+E[+-]\d+)\s*$", text, re.M)]
    theirs = min(f for f in factors if f > 0)

    at, quads = grid(24, 4, lambda a, b: (length * a, width * (b - 0.5)))
    supports = held(len(at), (at[:, 0] == 0, "123456"))
    body = assemble(shell_model(at, quads, plate_section(depth, young, poisson), supports=supports))
    node = int(np.flatnonzero(np.isclose(at[:, 0], length) & np.isclose(at[:, 1], 0))[0]) + 1
    u = solve_static(body, nodal_loads(body, {node: (0, 0, 1.0)})).displacement[:, 0]
    free = ~body.held()
    kg = geometric_stiffness(body, u)[free][:, free].toarray()
    ours = 1 / eigh(-kg, body.stiffness[free][:, free].toarray(), eigvals_only=True)[-1]
    assert ours == pytest.approx(theirs, rel=0.03)
