"""Every family is asked every question that the program asks of elements; a family that forgets an answer fails here.

Oracles: symmetry, rigid motions, mass and center by points (no element matrices), finite turns of the whole model, files
written and read back.
"""

from __future__ import annotations

import re
from pathlib import Path

import numpy as np
import pytest
from scipy.spatial.transform import Rotation
from support.each_case import check_each
from support.family_samples import SAMPLES

import tisserand
from tisserand.appendage import reduce
from tisserand.appendage.drawing.drawing_cells import topology_of
from tisserand.assembly import assemble
from tisserand.assembly.partmass import element_mass_properties
from tisserand.assembly.quality import shape_quality
from tisserand.elements.element_data import DIRECTIONS, gathered
from tisserand.elements.registry import prepare
from tisserand.errors import IdentityError, ModelError
from tisserand.exporters.bdf import write_bdf
from tisserand.exporters.registry import export_appendage, targets
from tisserand.model.block_base import FAMILIES
from tisserand.model.family_facts import FamilyFacts
from tisserand.model.mass_points import element_sizes, mass_points
from tisserand.model.storage import from_plain, to_plain
from tisserand.modes import solve_modes
from tisserand.readers.registry import read_model

RECIPES = ("consistent", "lumped", "coupled", "particles", "bodies")
every = pytest.mark.parametrize("name", SAMPLES)


def rigid(model):
    """(n, 6, 6) unit translations and rotations about the basic origin, basic axes."""
    out = np.zeros((len(model.nodes), 6, 6))
    out[:, :3, :3] = out[:, 3:, 3:] = np.eye(3)
    for k in range(3):
        out[:, :3, 3 + k] = np.cross(np.eye(3)[k], model.nodes.positions)
    return out


def _on_nodes(model, recipe):
    """Recipes that put all mass on the nodes, whatever the offsets (Nastran's lumped and coupled shells too)."""
    return recipe == "particles" or (model.elements[-1].family == "shell" and recipe in ("lumped", "coupled"))


def motions(model, count=3):
    return np.random.default_rng(5).normal(size=(len(model.nodes), 6, count))


def test_every_family_has_a_sample():
    sampled = {SAMPLES[name]().elements[-1].family for name in SAMPLES}
    assert sampled == set(FAMILIES)


@pytest.mark.parametrize("kind", FAMILIES.values(), ids=FAMILIES)
def test_facts_name_real_fields(kind):
    assert isinstance(kind.facts, FamilyFacts)
    fields = kind.__dataclass_fields__
    assert set(kind.facts.vectors + kind.facts.axes + kind.facts.tensors + kind.facts.points) <= set(fields)


@every
def test_stiffness_is_symmetric_and_rigid_motion_is_free_unless_grounded(name):
    model = SAMPLES[name]()
    block = model.elements[-1]
    part = prepare(model, block)
    stiffness = part.stiffness()
    if stiffness is None:
        assert block.family in ("nodal body", "scalar mass", "direct matrix")
        return
    components, matrices = part.in_basic(stiffness)
    total = np.zeros((6 * len(model.nodes),) * 2)
    for nodes, matrix in zip(part.nodes, matrices):
        rows = np.where(nodes[:, None] >= 0, 6 * nodes[:, None] + np.array(components), -1).ravel()
        real = rows >= 0
        np.add.at(total, np.ix_(rows[real], rows[real]), matrix[np.ix_(real, real)])
    if block.family == "direct matrix" and block.kind != "stiffness":
        return
    assert np.abs(total - total.T).max() <= 1e-12 * np.abs(total).max()
    assert np.linalg.eigvalsh(total).min() >= -1e-9 * np.abs(total).max()
    stressed = any(section.stressed for section in model.sections)  # what holds the ends of a cable turns them
    if block.family not in ("spring", "bush", "direct matrix") and not stressed:
        assert np.abs(total @ rigid(model).reshape(-1, 6)).max() <= 1e-9 * np.abs(total).max() * model.size


@every
def test_mass_is_symmetric_positive_and_that_of_the_points(name):
    """Mass and center of the assembled element masses against points and weights, which use no shape functions."""
    check_each([(name, recipe) for recipe in RECIPES], _mass_is_that_of_the_points)


def _mass_is_that_of_the_points(name, recipe):
    model = SAMPLES[name]()
    found = element_mass_properties(model, recipe)
    points, weights = zip(*(mass_points(model.nodes, block, model.sections) for block in model.elements))
    points, weights = np.concatenate(points), np.concatenate(weights)
    assert found.mass == pytest.approx(weights.sum(), rel=1e-12)
    if not _on_nodes(model, recipe):
        assert found.center == pytest.approx(weights @ points / weights.sum(), abs=1e-10 * model.size)
    part = prepare(model, model.elements[-1])
    mass = part.mass(recipe)
    if mass is None:
        assert part.massless
        return
    if model.elements[-1].family != "direct matrix":
        assert np.abs(mass - mass.swapaxes(1, 2)).max() <= 1e-12 * np.abs(mass).max()
        assert np.linalg.eigvalsh(mass).min() >= -1e-12 * np.abs(mass).max()


@every
def test_directional_masses_add_up_and_move_rigidly(name):
    """M^{xx} + M^{yy} + M^{zz} is the mass, and rigid motions give the moments of the points."""
    check_each([(name, recipe) for recipe in RECIPES], _directional_masses_add_up)


def _directional_masses_add_up(name, recipe):
    model = SAMPLES[name]()
    part = prepare(model, model.elements[-1])
    directional = part.directional_mass(recipe)
    mass = part.mass(recipe)
    if directional is None or mass is None:
        assert part.massless if mass is None else not part.massless
        return
    assert np.abs(directional[:, :3].sum(axis=1) - mass).max() <= 1e-12 * np.abs(mass).max()
    if _on_nodes(model, recipe):
        return
    X = gathered(rigid(model), part.nodes, part.components)
    points, weights = mass_points(model.nodes, model.elements[-1], model.sections)
    first = weights @ points
    for place, (a, b) in enumerate(DIRECTIONS):
        G = np.einsum("mik,mij,mjl->kl", X, directional[:, place], X)
        assert G[a, b] == pytest.approx(weights.sum(), rel=1e-10)
        c = 3 - b - (b + 1) % 3  # a turn about the axis c moves points along b by the third coordinate
        assert abs(G[a, 3 + c]) == pytest.approx(abs(first[3 - b - c]), abs=1e-9 * weights.sum() * model.size + 1e-12)


@every
def test_energy_is_that_of_the_assembled_matrix(name):
    model = SAMPLES[name]()
    free = model.changed(supports=type(model.supports)(), auto_constrain=False)
    whole = assemble(free)
    shapes = whole.displacements(np.random.default_rng(3).normal(size=(whole.size, 2)))
    q = np.random.default_rng(3).normal(size=(whole.size, 2))
    expected = 0.5 * np.einsum("ik,ik->k", q, whole.stiffness @ q)
    found = sum(prepare(model, block).energy(shapes).sum(axis=0) for block in model.elements)
    assert found == pytest.approx(expected, rel=1e-9)


@every
def test_stress_states_are_symmetric_linear_and_vanish_without_motion(name):
    model = SAMPLES[name]()
    part, u = prepare(model, model.elements[-1]), 1e-3 * motions(model)
    states = part.geometric_states(u)
    if states is None:
        assert model.elements[-1].facts.shape in ("link", "body", "terms")
        return
    first, second, _ = states
    assert np.abs(first - first.swapaxes(1, 2)).max() <= 1e-9 * np.abs(first).max()
    both = part.geometric_stiffness(u[:, :, 0] + 2.0 * u[:, :, 1])
    assert both == pytest.approx(first + 2.0 * second, abs=1e-9 * np.abs(both).max())
    assert not np.abs(part.geometric_stiffness(0.0 * u[:, :, 0])).max()


@every
def test_resultants_are_finite_and_linear(name):
    model = SAMPLES[name]()
    part, u = prepare(model, model.elements[-1]), motions(model)
    first, twice = part.resultants(u[:, :, 0]), part.resultants(2.0 * u[:, :, 0])
    for word, values in first.items():
        assert np.isfinite(values).all() and len(values) == len(part)
        assert twice[word] == pytest.approx(2.0 * values, rel=1e-9, abs=1e-9 * np.abs(values).max())


@every
def test_a_model_turned_and_moved_has_the_same_frequencies(name):
    model = SAMPLES[name]()
    moved = model.rotated((0.3, -1.0, 0.5), 0.8).moved((2.0, -1.0, 0.5))
    first, second = (solve_modes(assemble(item), count=2).frequencies_hz for item in (model, moved))
    assert second == pytest.approx(first, rel=1e-8)


@pytest.mark.parametrize("every", [pytest.param(1, marks=pytest.mark.slow), 3])
@pytest.mark.parametrize("name", SAMPLES)
def test_modes_and_reduction_work_with_every_recipe(name, every):
    """The record has the mass and center of the points, and unit modal mass.

    The quick suite takes every third pair of family and recipe, the slow one all.
    """
    first = list(SAMPLES).index(name)
    check_each([(name, recipe) for recipe in RECIPES[first % every :: every]], _modes_and_reduction_work)


def _modes_and_reduction_work(name, recipe):
    model = SAMPLES[name]()
    record = reduce(solve_modes(assemble(model, mass=recipe), count=2))
    _, weights = zip(*(mass_points(model.nodes, block, model.sections) for block in model.elements))
    assert record.integrals.mass == pytest.approx(np.concatenate(weights).sum(), rel=1e-6)
    assert np.isfinite(record.frequencies_hz).all() and (record.frequencies_hz > 0.0).all()


@every
def test_drawing_size_and_quality(name):
    model = SAMPLES[name]()
    block = model.elements[-1]
    assembled = assemble(model)
    drawn = topology_of(assembled, np.arange(len(model.nodes)))
    shape = block.facts.shape
    if shape in ("line", "link"):
        real = (block.nodes >= 0).all(axis=1)
        assert set(block.ids[real]) <= set(drawn.line_ids)
    if shape in ("surface", "volume"):
        assert set(block.ids) == set(drawn.triangle_ids)
    if shape == "body":
        assert set(block.nodes[:, 0]) == set(drawn.bodies)
    sizes = element_sizes(model.nodes, block)
    assert (sizes > 0.0).all() == (shape in ("line", "surface"))
    quality = shape_quality(model, block)
    assert (quality is not None) == (shape in ("surface", "volume"))
    assert quality is None or ((quality > 0.0) & (quality <= 1.0)).all()


@every
def test_storage_gives_the_same_matrices(name):
    model = SAMPLES[name]()
    again = from_plain(*to_plain(model))
    first, second = assemble(model), assemble(again)
    assert (first.stiffness != second.stiffness).nnz == 0 and (first.mass != second.mass).nnz == 0


@every
def test_a_deck_written_and_read_back_gives_the_same_matrices(name, tmp_path):
    model = SAMPLES[name]().changed(mass_recipe="lumped")
    if any(section.stressed for section in model.sections) or "nine-node" in name:
        with pytest.raises(ModelError, match="cannot be written as bulk data"):
            write_bdf(model, tmp_path / "model.bdf")
        return
    again = read_model(write_bdf(model, tmp_path / "model.bdf"), units="SI")
    first, second = assemble(model), assemble(again)
    text = (tmp_path / "model.bdf").read_text()
    other = name in ("hex8, incompatible", "hex8, selective")
    assert ("written as the default brick" in text) == other
    for word in ("mass",) if other else ("stiffness", "mass", "damping"):
        a, b = getattr(first, word), getattr(second, word)
        assert (a is None) == (b is None)
        if a is not None:
            assert abs(a - b).max() <= 1e-9 * abs(a).max(), word


@every
def test_selected_elements_are_the_same_elements(name):
    """Chunks cut from a block answer as the whole does."""
    model = SAMPLES[name]()
    block = model.elements[-1]
    whole, parts = prepare(model, block), [prepare(model, block.select(np.array([e]))) for e in range(len(block))]
    for ask in (lambda p: p.stiffness(), lambda p: p.mass("consistent"), lambda p: p.damping()):
        expected, found = ask(whole), [ask(part) for part in parts]
        if expected is not None:
            found = [np.zeros((1, *expected.shape[1:])) if item is None else item for item in found]
            assert np.concatenate(found) == pytest.approx(expected, rel=1e-12, abs=1e-12 * np.abs(expected).max())


def test_a_turn_of_node_axes_changes_nothing():
    """Whole-node families do not see node axes: the same frequencies in any axes of the nodes."""
    model = SAMPLES["nodal body"]()
    axes = Rotation.random(len(model.nodes), random_state=1).as_matrix()
    turned = model.changed(nodes=type(model.nodes)(model.nodes.ids, model.nodes.positions, axes))
    first, second = (solve_modes(assemble(item), count=3).frequencies_hz for item in (model, turned))
    assert second == pytest.approx(first, rel=1e-10)


def test_a_mass_of_one_direction_is_refused_by_name():
    """A CMASS2 on x alone gives modes; a record of a body in motion cannot be made from it."""
    model = SAMPLES["scalar mass"]()
    block = model.elements[-1].select(np.array([0, 3]))
    lopsided = model.changed(elements=(*model.elements[:-1], block))
    basis = solve_modes(assemble(lopsided), count=2)
    assert (basis.frequencies_hz > 0.0).all()
    with pytest.raises(IdentityError, match="different mass in each direction"):
        reduce(basis)


FIRST = {model.elements[-1].family: name for name, model in ((name, SAMPLES[name]()) for name in reversed(SAMPLES))}


@pytest.mark.parametrize("family", FIRST)
def test_every_exporter_reads_the_record_back(family, tmp_path, monkeypatch):
    """A record of every family through every target: written, read back within the digits of the format, nothing left beside.

    Units of simulation come as sources alone, which carry all that depends on a family (``tests/exporters`` compiles them).
    """
    monkeypatch.setenv("PATH", "")
    record = reduce(solve_modes(assemble(SAMPLES[FIRST[family]]()), count=2))
    for target in (t for t in targets() if t.takes("record")):
        folder = tmp_path / target.name
        folder.mkdir()
        found = export_appendage(record, target.name, folder / f"body{target.suffix}")
        assert found.read_back_error <= target.tolerance and set(folder.iterdir()) == set(found.paths)


@pytest.mark.parametrize("family", ["shear_panel", "curved_beam"])
def test_a_family_is_named_where_the_guide_says_and_nowhere_else(family):
    """Four files: types with facts, elements, cards read, cards written; old names stay importable from ``tisserand.model``."""
    source = Path(tisserand.__file__).parent
    words = re.compile(
        rf"\b({family}|{family.title().replace('_', '')}(Block|Section))\b|[\"']{family.replace('_', ' ')}[\"']"
    )
    found = {str(path.relative_to(source)) for path in source.rglob("*.py") if words.search(path.read_text())}
    four = {
        f"model/families/{family}.py", f"elements/{family}.py", f"readers/nastran/families/{family}.py",
        f"exporters/bdf_families/{family}.py",
    }  # fmt: skip
    calculix = {"exporters/calculix/lines.py", "exporters/calculix/deck.py"}  # where CalculiX has such an element
    assert four <= found <= four | {"model/__init__.py", "elements/registry.py"} | calculix
    guide = (source.parents[1] / "CONTRIBUTING.md").read_text()
    assert all(name.replace(f"{family}.py", "NAME.py") in guide for name in four)
