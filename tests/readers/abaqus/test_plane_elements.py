"""Plane strain and plane stress (CPE, CPS; CPLSTN, CPLSTS) are slices in a plane; axisymmetric elements are refused by name."""

import subprocess

import numpy as np
import pytest
from oracles.calculix import CCX

from tisserand.assembly import assemble
from tisserand.errors import TisserandError
from tisserand.modes import solve_modes
from tisserand.readers.nastran import read_nastran
from tisserand.readers.registry import read_model

YOUNG, POISSON, DENSITY = 7e10, 0.3, 2700.0
LENGTH, HEIGHT, THICKNESS = 1.0, 0.3, 0.02


def mesh(corners, second, nx, ny, skew=1.0):
    """Nodes {id: (x, y)}, elements [node ids] and the ids at x = 0 of a clamped bar of quads or triangles."""
    ids, elements = {}, []
    for i in range(nx):
        for j in range(ny):
            a, b = 2 * i, 2 * j
            quad = [(a, b), (a + 2, b), (a + 2, b + 2), (a, b + 2)]
            for cell in [quad] if corners == 4 else [quad[:3], [quad[0], quad[2], quad[3]]]:
                middles = [((p[0] + q[0]) // 2, (p[1] + q[1]) // 2) for p, q in zip(cell, cell[1:] + cell[:1])]
                elements.append([ids.setdefault(p, len(ids) + 1) for p in cell + middles * second])
    places = {}
    for (a, b), number in ids.items():
        x, y = LENGTH * a / (2 * nx), HEIGHT * b / (2 * ny)
        bulge = skew * np.sin(np.pi * x / LENGTH)
        places[number] = (x + 0.02 * bulge * np.sin(7 * y), y + 0.01 * bulge * np.sin(5 * x + y))
    return places, elements, [number for (a, _), number in ids.items() if a == 0]


def deck(kind, nx=4, ny=2, z=0.0):
    places, elements, fixed = mesh(4 if kind[3] in "48" else 3, kind[3] in "68", nx, ny)
    lines = [f"{n},{x:.9f},{y:.9f},{z}" for n, (x, y) in places.items()]
    rows = [",".join(map(str, [k + 1, *nodes])) for k, nodes in enumerate(elements)]
    head = ["*NODE", *lines, f"*ELEMENT,TYPE={kind},ELSET=E", *rows, "*BOUNDARY", *(f"{n},1,2" for n in fixed)]
    material = f"*MATERIAL,NAME=M\n*ELASTIC\n{YOUNG},{POISSON}\n*DENSITY\n{DENSITY}\n"
    section = f"*SOLID SECTION,ELSET=E,MATERIAL=M\n{THICKNESS}\n*STEP\n*FREQUENCY\n6\n*END STEP\n"
    return "\n".join(head) + "\n" + material + section


def modes(tmp_path, kind, count=6, **size):
    (tmp_path / "deck.inp").write_text(deck(kind, **size))
    model = read_model(tmp_path / "deck.inp", units="SI", flavor="calculix")
    return model, solve_modes(assemble(model), count=count)


@pytest.mark.skipif(CCX is None, reason="CalculiX (ccx) is not installed")
def test_plane_strain_of_calculix(tmp_path):
    """CPE8, expanded there into bricks: six modes to the seven digits that it prints."""
    (tmp_path / "run.inp").write_text(deck("CPE8"))
    subprocess.run([str(CCX), "run"], cwd=tmp_path, capture_output=True, timeout=120, check=False)
    lines = [line.split() for line in (tmp_path / "run.dat").read_text().splitlines()]
    theirs = [float(items[3]) for items in lines if len(items) == 5 and items[0].isdigit()][:6]
    model, found = modes(tmp_path, "CPE8")
    np.testing.assert_allclose(found.frequencies_hz, theirs, rtol=1e-6)
    assert any("modes in the x-y plane" in note for note in model.ledger.assumptions)


@pytest.mark.parametrize("kind", ["CPE3", "CPE4", "CPE6", "CPS3", "CPS4", "CPS6", "CPS8"])
def test_all_shapes_converge_to_one_bar(tmp_path, kind):
    """First longitudinal mode of a bar: sqrt(E' / rho) / 4 L with E' = E, E / (1 - nu²) in plane strain; 2 % (the clamp)."""
    modulus = YOUNG / (1.0 - POISSON**2) if kind.startswith("CPE") else YOUNG
    wanted = np.sqrt(modulus / DENSITY) / (4.0 * LENGTH)
    _, found = modes(tmp_path, kind, count=3, nx=20, ny=3)
    motion = np.abs(found.model.displacements(found.shapes)[:, :3]).sum(axis=0)
    along = found.frequencies_hz[np.argmax(motion[0] / motion[1])]
    assert abs(along / wanted - 1.0) < 0.02
    assert not motion[2].any()


def test_the_mass_is_that_of_the_slice(tmp_path):
    _, found = modes(tmp_path, "CPE4", count=1)
    places, elements, _ = mesh(4, False, 4, 2)
    area = sum(
        0.5
        * abs(sum(places[a][0] * places[b][1] - places[b][0] * places[a][1] for a, b in zip(row, row[1:] + row[:1])))
        for row in elements
    )
    assert np.isclose(found.model.mass_properties().mass, DENSITY * THICKNESS * area, rtol=1e-12)


def test_abaqus_lumps_the_mass_of_first_order(tmp_path):
    for kind, recipe in (("CPE4", "lumped"), ("CPS3", "lumped"), ("CPE8", "consistent")):
        (tmp_path / "deck.inp").write_text(deck(kind))
        assert read_model(tmp_path / "deck.inp", units="SI", flavor="abaqus").mass_recipe == recipe


@pytest.mark.parametrize(("kind", "card"), [("CPE", "CPLSTN"), ("CPS", "CPLSTS")])
@pytest.mark.parametrize("count", [3, 4, 6, 8])
def test_nastran_plane_elements_are_the_same(tmp_path, kind, card, count):
    """In the x-z plane, with consistent mass: 1e-6, the digits of the coordinates."""
    places, elements, fixed = mesh(4 if count in (4, 8) else 3, count in (6, 8), 4, 2)
    rows = []
    for number, nodes in enumerate(elements):
        row = ",".join(map(str, [number + 1, 1, *nodes[:6]]))
        rows.append(f"{card}{count},{row}" + (f"\n,{nodes[6]},{nodes[7]}" if count == 8 else ""))
    cards = [f"GRID,{n},,{x:.7f},0.,{y:.7f}" for n, (x, y) in places.items()] + rows
    cards += [f"PPLANE,1,1,{THICKNESS}", f"MAT1,1,{YOUNG:.1e},,{POISSON},{DENSITY}"]
    cards += ["SPC1,1,123456," + str(n) for n in fixed]
    (tmp_path / "deck.bdf").write_text("SOL 103\nCEND\nSPC=1\nBEGIN BULK\n" + "\n".join(cards) + "\nENDDATA\n")
    theirs = read_nastran(tmp_path / "deck.bdf", "SI")
    ours, _ = modes(tmp_path, f"{kind}{count}")
    theirs, ours = (solve_modes(assemble(m.changed(mass_recipe="consistent")), count=6) for m in (theirs, ours))
    np.testing.assert_allclose(theirs.frequencies_hz, ours.frequencies_hz, rtol=1e-6)


@pytest.mark.parametrize(
    ("kind", "change", "words"),
    [
        ("CPE4", ("1,0.000000000,0.000000000,0.0", "1,0.,0.,.1"), "plane elements do not lie in the x-y plane"),
        ("CPE4", (f"\n{THICKNESS}\n", "\n0.\n"), "the thickness of plane elements must be above zero"),
        (
            "CPE4",
            ("*BOUNDARY", "*ELEMENT,TYPE=S4,ELSET=X\n90,1,2,3,4\n*BOUNDARY"),
            "spatial structure; found CPE4 beside S4",
        ),
        ("CAX4", ("", ""), "8 CAX4 .first in line 17; axisymmetric.*C3D20"),
        ("SAX1", ("", ""), "SAX1 .first in line .*axisymmetric shells.*S8R"),
        ("CPS4I", ("", ""), "CPS4I .first in line .*plane stress"),
    ],
)
def test_refused_by_name(tmp_path, kind, change, words):
    text = deck("CPE4").replace("TYPE=CPE4", f"TYPE={kind}").replace(*change)
    (tmp_path / "deck.inp").write_text(text)
    with pytest.raises(TisserandError, match=words):
        read_model(tmp_path / "deck.inp", units="SI")
