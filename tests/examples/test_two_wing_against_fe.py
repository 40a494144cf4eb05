"""Modes of the two-wing satellite (hybrid coordinates) against free-free modes of the whole finite element vehicle."""

from dataclasses import replace

import numpy as np
import pytest
from support.examples import FOLDER, numbers

from tisserand.assembly import assemble
from tisserand.model import NodalBodies, Nodes, RigidElement, Supports
from tisserand.modes import solve_modes
from tisserand.readers.case import model_of_case, read_case
from tisserand.studies.vehicles import read_vehicle

HALF_TURN = np.diag([-1.0, -1.0, 1.0])
SHIFT = 100_000  # between the ids of the two wings


def moved(model, turn, place, first, shift):
    """Elements and constraints of a wing turned by ``turn`` and put at ``place``; node indices start at ``first``."""
    blocks = []
    for block in model.elements:
        change = {"ids": block.ids + shift, "nodes": np.where(block.nodes < 0, -1, block.nodes + first)}
        for word in ("orientation", "offsets", "offset", "material_axis"):
            vectors = getattr(block, word, None)
            if isinstance(vectors, np.ndarray) and vectors.dtype == float and vectors.shape[-1:] == (3,):
                change[word] = vectors @ turn.T
        if isinstance(block, NodalBodies):
            change["inertia"] = turn @ block.inertia @ turn.T
        blocks.append(replace(block, **change))
    ties = []
    for tie in model.constraints:
        assert isinstance(tie, RigidElement)
        rows = {w: getattr(tie, w) + np.array([first, 0]) for w in ("independent", "dependent")}
        ties.append(replace(tie, id=tie.id + shift, **rows))
    return blocks, ties, model.nodes.positions @ turn.T + place


def whole_vehicle():
    """Both wings, bus and drives as nodal bodies, rigid links from the bus to the wing roots; held nowhere."""
    case = read_vehicle(FOLDER / "two_wing.toml")
    wing = model_of_case(read_case(FOLDER.parent / "meshes" / "wing.toml"))
    n, root = len(wing.nodes), int(wing.nodes.indices([1])[0])
    bus = case.vehicle.body("bus")
    blocks, ties, points, ids = [], [], [np.zeros((1, 3))], [[900_000]]
    for side, (name, turn) in enumerate((("north", np.eye(3)), ("south", HALF_TURN))):
        b, t, p = moved(wing, turn, bus.point(name), 1 + side * n, side * SHIFT)
        blocks, ties = blocks + b, ties + t
        points.append(p)
        ids.append(wing.nodes.ids + side * SHIFT)
    six = lambda node: np.array([(node, c) for c in range(6)])  # noqa: E731
    roots = [1 + root, 1 + n + root]
    ties += [RigidElement(910_000 + i, six(0), six(r)) for i, r in enumerate(roots)]
    drive = case.vehicle.body("north_drive")
    rigid = NodalBodies(
        [920_000, 920_001, 920_002], [[0], [roots[0]], [roots[1]]], [bus.mass, drive.mass, drive.mass],
        np.zeros((3, 3)), [bus.inertia, drive.inertia, drive.inertia],
    )  # fmt: skip
    return replace(
        wing, nodes=Nodes(np.concatenate(ids), np.vstack(points)), elements=(*blocks, rigid), constraints=tuple(ties),
        supports=Supports(), interfaces={}, node_sets={}, element_sets={},
    )  # fmt: skip


@pytest.mark.slow
def test_system_modes_are_the_free_modes_of_the_finite_element_vehicle():
    """The first six modes of the vehicle with 12 clamped modes per wing, to 0.1 % of the whole FE model held nowhere."""
    found = numbers("07_two_wing_slew")
    basis = solve_modes(assemble(whole_vehicle(), mass="consistent"), count=6, free=True)
    assert basis.rigid_body_modes == 6
    ours = [found[f"mode {i + 1} (Hz)"] for i in range(6)]
    assert ours == pytest.approx(basis.frequencies_hz, rel=1e-3)
