"""Cables and membranes under pretension against closed forms of strings and drums; patch test; decks that state it."""

from __future__ import annotations

import numpy as np
import pytest

from tisserand.assembly import assemble, check_model
from tisserand.elements.registry import prepare
from tisserand.model import (
    Isotropic,
    MembraneBlock,
    MembraneSection,
    Nodes,
    RodBlock,
    RodSection,
    StructuralModel,
    Supports,
)
from tisserand.modes import solve_modes
from tisserand.readers.registry import read_model

E, NU, RHO = 4e9, 0.3, 1400.0
FOIL = Isotropic(1, E, E / 2 / (1 + NU), NU, RHO)


def string(n, length=2.0, area=1e-6, tension=20.0):
    x = np.zeros((n + 1, 3))
    x[:, 0] = np.linspace(0.0, length, n + 1)
    block = RodBlock(np.arange(1, n + 1), np.column_stack([np.arange(n), np.arange(1, n + 1)]), np.zeros(n, int))
    section = RodSection(1, FOIL, area, tension=tension)
    supports = Supports.clamp(np.array([0, n]), "123")
    return StructuralModel("string", Nodes(np.arange(1, n + 2), x), (block,), (section,), supports=supports)


def sheet(n, count, a=1.2, b=0.8, force=50.0, thickness=5e-5):
    """A stretched rectangle of n x n cells, held round its edge."""
    step = 2 if count > 4 else 1
    size = step * n + 1
    x, y = np.meshgrid(np.linspace(0, a, size), np.linspace(0, b, size), indexing="ij")
    points = np.column_stack([x.ravel(), y.ravel(), np.zeros(size**2)])
    i, j = (step * k.ravel() for k in np.meshgrid(np.arange(n), np.arange(n), indexing="ij"))
    cells = np.column_stack([size * i + j, size * (i + step) + j, size * (i + step) + j + step, size * i + j + step])
    if count in (3, 6):
        cells = np.vstack([cells[:, [0, 1, 2]], cells[:, [0, 2, 3]]])
    if count > 4:
        cells = np.hstack([cells, (cells + np.roll(cells, -1, axis=1)) // 2])
    used, nodes = np.unique(cells, return_inverse=True)
    points, nodes = points[used], nodes.reshape(len(cells), -1)
    edge = np.flatnonzero((points[:, 0] == 0) | (points[:, 0] == a) | (points[:, 1] == 0) | (points[:, 1] == b))
    A = E * thickness / (1 - NU**2) * np.array([[1, NU, 0], [NU, 1, 0], [0, 0, (1 - NU) / 2]])
    section = MembraneSection(
        1, membrane=A, areal_mass=RHO * thickness, thickness=thickness, prestress=(force, force, 0.0)
    )
    block = MembraneBlock(
        np.arange(1, len(cells) + 1), nodes, np.zeros(len(cells), int), np.tile([1.0, 0, 0], (len(cells), 1))
    )
    supports = Supports.clamp(edge, "123")
    return StructuralModel(
        "sheet", Nodes(np.arange(1, len(points) + 1), points), (block,), (section,), supports=supports
    )


def drum_hz(a=1.2, b=0.8, force=50.0, thickness=5e-5):
    return 0.5 * np.sqrt(force / (RHO * thickness) * (1 / a**2 + 1 / b**2))


def test_string_converges_with_order_two():
    """f_k = k / (2 L) sqrt(T / mu): error falls by four per halving (3.8 to 4.2), 1e-3 at 32 elements in the first mode."""
    exact = np.sqrt(20.0 / (RHO * 1e-6)) / 4.0
    errors = []
    for n in (8, 16, 32):
        found = solve_modes(assemble(string(n), mass="consistent"), count=4).frequencies_hz
        assert found[1] == pytest.approx(found[0], rel=1e-9)  # both planes
        errors.append(found[0] / exact - 1.0)
    assert 3.8 < errors[0] / errors[1] < 4.2 and 3.8 < errors[1] / errors[2] < 4.2
    assert 0.0 < errors[2] < 1e-3


@pytest.mark.parametrize(("count", "order", "last"), ((3, 2, 3.0), (4, 2, 1.1), (6, 4, 0.1), (8, 4, 0.1)))
def test_rectangular_drum_converges(count, order, last):
    """f = sqrt(n / rho t (1/a² + 1/b²)) / 2: order 2 with linear and 4 with quadratic nodes (a half less is allowed).

    The error of bilinear cells is (pi / n)² / 24 at leading order; the others may have ``last`` times it.
    """
    errors = []
    for n in (4, 8):
        basis = solve_modes(assemble(sheet(n, count), mass="consistent"), count=1)
        errors.append(basis.frequencies_hz[0] / drum_hz() - 1.0)
    assert np.log2(errors[0] / errors[1]) > order - 0.5
    assert 0.0 < errors[1] < last * (np.pi / 8) ** 2 / 24


@pytest.mark.parametrize("count", (3, 4, 6, 8))
def test_patch(count):
    """Constant strain on a distorted patch: uniform force per width A e, no force at inner nodes; tolerance 1e-10."""
    model = sheet(3, count, force=0.0)
    x = model.nodes.positions.copy()
    inner = ~np.isin(np.arange(len(x)), model.supports.nodes)
    if count <= 4:
        x[inner, :2] += np.random.default_rng(2).uniform(-0.05, 0.05, (inner.sum(), 2))
    else:
        x[:, :2] = x[:, :2] @ np.array([[1.0, 0.2], [0.1, 0.9]])
    model = model.changed(nodes=Nodes(model.nodes.ids, x))
    strain = np.array([1e-3, -4e-4, 6e-4])
    u = np.zeros((len(x), 6))
    u[:, 0], u[:, 1] = strain[0] * x[:, 0] + 0.5 * strain[2] * x[:, 1], 0.5 * strain[2] * x[:, 0] + strain[1] * x[:, 1]
    part = prepare(model, model.elements[0])
    expected = model.sections[0].membrane @ strain
    assert part.resultants(u)["membrane"] == pytest.approx(np.tile(expected, (len(part), 1)), rel=1e-10)
    force = np.zeros((len(x), 3))
    moved = u[part.nodes][:, :, :3].reshape(len(part), -1)
    np.add.at(force, part.nodes, np.einsum("mpq,mq->mp", part.stiffness(), moved).reshape(len(part), -1, 3))
    assert np.abs(force[inner]).max() <= 1e-10 * np.abs(force).max()


def test_balanced_pretension_lets_the_whole_turn():
    """A cable between the ends of a strut that its tension compresses: the pair is free to turn as one body. Tolerance 1e-12."""
    x = np.array([[0.0, 0, 0], [1, 0.3, 0.2], [2, 0.6, 0.4]])
    strut, cable = (RodSection(k, FOIL, 1e-4, tension=f) for k, f in ((1, -50.0), (2, 50.0)))
    block = RodBlock(np.arange(1, 4), np.array([(0, 2), (0, 1), (1, 2)]), np.array([0, 1, 1]))
    model = StructuralModel("pair", Nodes([1, 2, 3], x), (block,), (strut, cable))
    K = prepare(model, block).stiffness()
    turn = np.cross([0.3, -1.0, 0.4], x)
    force = np.zeros((3, 3))
    np.add.at(force, block.nodes, np.einsum("mpq,mq->mp", K, turn[block.nodes].reshape(3, 6)).reshape(3, 2, 3))
    assert np.abs(force).max() <= 1e-9 * np.abs(K).max()
    assert np.abs(K[0, :3, :3] @ turn[2]).max() > 1.0  # each of them alone is not


def test_checks_name_pretension_that_supports_take_up():
    model = string(8)
    report = check_model(model, assemble(model))
    strain = [item for item in report.rows if "rigid-body strain" in item.name and item.verdict != "ok"]
    assert strain and all(item.verdict == "warn" and "pretension" in item.message for item in strain)


DECK = """*NODE, NSET=ALL
1, 0., 0., 0.
2, 0.5, 0., 0.
3, 1., 0., 0.
4, 0., 0.5, 0.
5, 0.5, 0.5, 0.
6, 1., 0.5, 0.
7, 0., 1., 0.
8, 0.5, 1., 0.
9, 1., 1., 0.
*ELEMENT, TYPE=M3D4, ELSET=FOIL
1, 1, 2, 5, 4
2, 2, 3, 6, 5
3, 4, 5, 8, 7
4, 5, 6, 9, 8
*ELEMENT, TYPE=T3D2, ELSET=ROPE
11, 4, 5
12, 5, 6
*MATERIAL, NAME=M
*ELASTIC
4.E9, 0.3
*DENSITY
1400.
*MEMBRANE SECTION, ELSET=FOIL, MATERIAL=M
5.E-5
*SOLID SECTION, ELSET=ROPE, MATERIAL=M
1.E-6
{stress}
*NSET, NSET=EDGE
1, 2, 3, 4, 6, 7, 8, 9
*BOUNDARY
EDGE, 1, 3
*STEP
*FREQUENCY
1
*END STEP
"""
ABAQUS = "*PREPRINT\n*INITIAL CONDITIONS, TYPE=STRESS\nFOIL, 1.E6, 2.E6, 0.\nROPE, 5.E6"
CALCULIX = "*INITIAL CONDITIONS, TYPE=STRESS\n" + "\n".join(
    [f"{e}, 1, 1.E6, 2.E6, 0., 0., 0., 0." for e in (1, 2, 3, 4)]
    + [f"{e}, 1, 5.E6, 0., 0., 0., 0., 0." for e in (11, 12)]
)


@pytest.mark.parametrize("text", (ABAQUS, CALCULIX), ids=("abaqus", "calculix"))
def test_decks_state_the_stress(text, tmp_path):
    """K across of the node in the middle, by hand: 4/3 (n_x + n_y) of bilinear cells and 2 T / h of the rope; tolerance 1e-12."""
    file = tmp_path / "foil.inp"
    file.write_text(DECK.format(stress=text))
    model = read_model(file, units="SI")
    foil, rope = (block for block in model.elements)
    assert model.sections[foil.section[0]].prestress == pytest.approx((50.0, 100.0, 0.0))
    assert model.sections[rope.section[0]].tension == pytest.approx(5.0)
    assembled = assemble(model)
    middle = (assembled.dofs.node == 4) & (assembled.dofs.component == 2)
    across = assembled.stiffness[middle][:, middle].toarray()[0, 0]
    # bilinear square cells of side h: sum over four cells of n_x int N,x² = 4 n_x / 3, likewise n_y; rope: 2 T / h
    assert across == pytest.approx(4.0 / 3.0 * (50.0 + 100.0) + 2.0 * 5.0 / 0.5, rel=1e-12)
    entry = next(item for item in model.ledger.entries if "INITIAL CONDITIONS" in item.card)
    assert entry.fate == "used"
