"""Solids through the assembly: shared mass per node pair, mixed models, turned axes, and memory."""

import tracemalloc

import numpy as np
import pytest
from support.lines import STEEL, beam_block, bodies, dense, rectangle, turned

from tisserand.assembly import assemble, check_model
from tisserand.model import BeamSection, Nodes, RigidElement, SolidBlock, SolidSection, StructuralModel, Supports


def bricks(nx=3, ny=2, nz=2, axes=None, kind="hex8"):
    """A box of bricks, slightly skewed so that nothing cancels."""
    grid = np.stack(np.meshgrid(*(np.arange(n + 1) for n in (nx, ny, nz)), indexing="ij"), axis=-1)
    points = grid.reshape(-1, 3) @ np.array([[0.5, 0.03, 0], [0, 0.3, 0.02], [0.01, 0, 0.2]])
    number = np.arange(len(points)).reshape(nx + 1, ny + 1, nz + 1)
    corners = [(0, 0, 0), (1, 0, 0), (1, 1, 0), (0, 1, 0), (0, 0, 1), (1, 0, 1), (1, 1, 1), (0, 1, 1)]
    cells = np.stack([number[i : nx + i, j : ny + j, k : nz + k].ravel() for i, j, k in corners], axis=1)
    block = SolidBlock(np.arange(1, len(cells) + 1), cells, np.zeros(len(cells), int), "hex8")
    nodes = Nodes(np.arange(1, len(points) + 1), points, axes)
    return StructuralModel("bricks", nodes, (block,), (SolidSection(1, STEEL),), materials=(STEEL,))


@pytest.mark.parametrize("recipe", ["consistent", "particles"])
def test_solid_mass_shared_by_translations_equals_the_dense_sum(recipe):
    model = bricks()
    assembled = assemble(model, recipe)
    n = len(model.nodes)
    keep = (6 * np.arange(n)[:, None] + np.arange(3)).ravel()
    assert set(assembled.dofs.component) == {0, 1, 2}
    for word in ("stiffness", "mass"):
        reference = dense(model, recipe, word)[np.ix_(keep, keep)]
        found = getattr(assembled, word)
        assert found.has_sorted_indices
        assert found.toarray() == pytest.approx(reference, abs=1e-13 * np.abs(reference).max())
    assert assembled.mass.nnz <= assembled.stiffness.nnz / 3


def test_turned_axes_and_mixed_elements_give_the_same_physics():
    """Solids with a beam, a body and a rigid arm: turned node axes change no mass property and no rigid
    motion.
    """
    rng = np.random.default_rng(0)
    plain = bricks()
    n = len(plain.nodes)
    axes = np.array([turned(v) for v in rng.normal(size=(n + 2, 3))])
    points = np.vstack([plain.nodes.positions, [[2.0, 0.3, 0.2], [2.5, 0.3, 0.2]]])
    arm = RigidElement(5, [(n, c) for c in range(6)], [(i, c) for i in (n - 1, n - 2, n - 5) for c in range(3)])
    extra = (beam_block([(n, n + 1)]), bodies([n + 1], 5.0, [0.1, 0, 0], np.eye(3)))
    beams = beam_block([(n, n + 1)], section=[1])
    model = StructuralModel(
        "mixed", Nodes(np.arange(1, n + 3), points), (*plain.elements, beams, extra[1]),
        (*plain.sections, BeamSection(2, STEEL, rectangle(0.05, 0.05))), materials=(STEEL,), constraints=(arm,),
    )  # fmt: skip
    local = model.changed(nodes=Nodes(model.nodes.ids, points, axes))
    a, b = assemble(model), assemble(local)
    one, two = a.mass_properties(), b.mass_properties()
    assert two.mass == pytest.approx(one.mass, rel=1e-13)
    assert two.inertia == pytest.approx(one.inertia, rel=1e-11, abs=1e-11)
    for assembled in (a, b):
        report = check_model(assembled.structure, assembled)
        assert report.passed, [row for row in report.rows if row.verdict == "fail"]
        assert max(row.value for row in report.rows[:6]) < 1e-13


def test_peak_memory_stays_below_three_times_the_result():
    """Chunks keep the working memory small: peak below three times the final stiffness and mass."""
    model = bricks(24, 12, 12)
    assemble(bricks())  # compile outside the measurement
    tracemalloc.start()
    try:
        assembled = assemble(model)
        _, peak = tracemalloc.get_traced_memory()
    finally:
        tracemalloc.stop()
    matrices = (assembled.stiffness, assembled.mass)
    final = sum(m.data.nbytes + m.indices.nbytes + m.indptr.nbytes for m in matrices)
    assert final > 5e6
    assert peak < 3.0 * final


def test_supported_block_has_no_mechanism():
    model = bricks().changed(supports=Supports.clamp(np.arange(9), "123"))
    assert check_model(model, assemble(model)).of("mechanisms").verdict == "ok"
