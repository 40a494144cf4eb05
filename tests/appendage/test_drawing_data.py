"""Strain energy, section outlines and thicknesses that pictures are drawn from."""

from pathlib import Path

import numpy as np
import pytest
from support.edited import edited
from support.mesh_scripts import MESHES, script

from tisserand.appendage import load_record, save_record
from tisserand.appendage.drawing.section_outlines import outline_of
from tisserand.appendage.recovery.strain_energy import strain_energy
from tisserand.model import BeamSection, BeamStation, Isotropic
from tisserand.studies.modes import modes
from tisserand.studies.source import open_appendage


@pytest.fixture(scope="module")
def wing():
    return modes(MESHES / "wing.toml", count=4).appendage


def test_the_elements_energies_add_up_to_the_modal_stiffness():
    """sum over elements of u'K u / 2 = Ke_kk / 2: nothing is lost or counted twice."""
    source = open_appendage(MESHES / "boom.bdf", units="SI")
    basis = source.modes(count=6)
    found = strain_energy(basis.model.structure, basis.model.mass_recipe, basis.model.displacements(basis.shapes))
    modal = np.diag(basis.shapes.T @ (basis.model.stiffness @ basis.shapes))
    assert found.total == pytest.approx(0.5 * modal, rel=1e-9)


def test_a_cantilever_s_energy_follows_the_moment_squared():
    """First bending mode with a tip body: M²/(2 E I) per length, largest at the root, near zero at the tip."""
    boom = modes(MESHES / "boom.bdf", units="SI", count=1).appendage
    along = np.argsort(boom.nodes.positions[:, 0])
    energy = boom.nodes.energy[along, 0]
    assert np.argmax(energy) == 0
    assert energy[-1] < 0.01 * energy[0]
    x = boom.nodes.positions[along, 0]
    m = script("boom")
    slope = np.gradient(boom.nodes.rotation[along, :, 0], x, axis=0)
    bending = 0.5 * (slope[:, 1] ** 2 + slope[:, 2] ** 2)
    inner = m.OUTER - m.WALL
    radius_of_gyration_squared = 0.25 * (m.OUTER**2 + inner**2)
    expected = m.YOUNG * radius_of_gyration_squared / m.DENSITY * bending
    assert energy[2:-2] == pytest.approx(expected[2:-2], rel=0.02, abs=1e-3 * float(energy[0]))


def test_the_wing_knows_its_thicknesses_sections_and_masses(wing):
    w, cells = script("wing"), wing.topology
    assert np.unique(cells.thickness) == pytest.approx([2 * w.FACE + w.CORE])
    radius = np.linalg.norm(cells.outlines, axis=2)
    assert sorted(radius.max(axis=1)) == pytest.approx([np.sqrt(2) * w.HINGE_HALF, w.YOKE_RADIUS])
    assert len(cells.line_outline) == len(cells.lines)
    assert cells.body_mass == pytest.approx([w.CONNECTOR_MASS] * w.PANELS)


def test_they_survive_the_record_and_old_records_do_without(wing, tmp_path: Path):

    again = load_record(save_record(wing, tmp_path / "wing.h5"))
    for word in (
        "line_ids",
        "triangle_ids",
        "thickness",
        "body_mass",
        "outlines",
        "line_outline",
        "line_up",
        "line_offsets",
    ):
        np.testing.assert_array_equal(getattr(again.topology, word), getattr(wing.topology, word))
    np.testing.assert_array_equal(again.nodes.energy, wing.nodes.energy)
    with edited(tmp_path / "wing.h5") as file:
        for path in ("nodes/strain_energy", "topology/thickness", "topology/outlines", "topology/line_outline"):
            del file[path]
    old = load_record(tmp_path / "wing.h5")
    assert old.nodes.energy is None
    assert len(old.topology.thickness) == 0


def area_and_moments(polygon):
    """Shoelace area and second moments about the centroid."""
    p, q = polygon, np.roll(polygon, -1, axis=0)
    cross = p[:, 0] * q[:, 1] - q[:, 0] * p[:, 1]
    square = (p**2 + p * q + q**2) * cross[:, None]
    sign = np.sign(cross.sum())
    return sign * cross.sum() / 2, sign * square.sum(axis=0) / 12


@pytest.mark.parametrize(
    ("shape", "dimensions"),
    [
        ("BAR", (0.02, 0.05)),
        ("I", (0.1, 0.05, 0.06, 0.004, 0.006, 0.005)),
        ("I1", (0.04, 0.01, 0.08, 0.1)),
        ("T", (0.06, 0.05, 0.005, 0.004)),
        ("L", (0.04, 0.05, 0.004, 0.003)),
        ("CHAN", (0.04, 0.08, 0.004, 0.005)),
    ],
)
def test_outlines_have_the_area_and_moments_of_their_section(shape, dimensions):
    from tisserand.model.shapes import shape_properties

    properties = shape_properties(shape, dimensions)
    steel = Isotropic(1, 2e11, 7.7e10, 0.3, 7800.0)
    section = BeamSection(1, steel, BeamStation(1.0, 1.0, 1.0), outline=(shape, dimensions))
    area, (i_zz, i_yy) = area_and_moments(outline_of(section))
    assert area == pytest.approx(properties.area, rel=1e-12)
    assert (i_zz, i_yy) == pytest.approx((properties.i_zz, properties.i_yy), rel=1e-12)


def test_a_section_without_a_shape_is_drawn_as_the_rectangle_of_its_moments():
    section = BeamSection(
        1, Isotropic(1, 2e11, 7.7e10, 0.3, 7800.0), BeamStation(0.02 * 0.05, 0.02 * 0.05**3 / 12, 0.05 * 0.02**3 / 12)
    )
    outline = outline_of(section)
    assert np.ptp(outline, axis=0) == pytest.approx([0.05, 0.02])


def test_drawn_cells_name_their_elements(wing):
    """Quads become two triangles of the same id; every triangle of the first panel's first cell is element 1001."""
    cells, nodes = wing.topology, wing.nodes
    assert np.unique(cells.triangle_ids, return_counts=True)[1].tolist() == [2] * 720
    first = cells.triangles[cells.triangle_ids == 1001]
    assert sorted(set(nodes.ids[first.ravel()].tolist())) == [1001, 1002, 1014, 1015]
    assert sorted(cells.line_ids.tolist())[:3] == [10, 11, 12]


def test_the_skin_of_a_solid_names_the_elements_it_belongs_to():
    bracket = modes(MESHES / "bracket.toml", count=1).appendage
    cells = bracket.topology
    assert len(cells.triangle_ids) == len(cells.triangles)
    assert cells.thickness.max() == 0.0
    edges = np.sort(np.concatenate([cells.triangles[:, [a, b]] for a, b in ((0, 1), (1, 2), (2, 0))]), axis=1)
    assert (np.unique(edges, axis=0, return_counts=True)[1] == 2).all()  # closed surface
