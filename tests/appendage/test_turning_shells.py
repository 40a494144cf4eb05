"""Second-degree rotation through the thickness of shells against sums over material points that turn by a finite rotation."""

import numpy as np
import pytest
from scipy.spatial.transform import Rotation
from support.surfaces import grid, plate_section, shell_model

from tisserand.appendage.integrals.directional_sums import rigid_columns
from tisserand.appendage.record.mass_source import MassSource

ORIGIN = np.array([0.4, -0.3, 0.2])


def source(recipe, triangles=False, warp=0.05):
    """A thick, slightly warped plate whose mass lies beside its nodes."""
    points, cells = grid(3, 2, lambda x, y: (x, y + 0.2 * x, warp * x * y), triangles)
    model = shell_model(points, cells, plate_section(0.3, 7e10, 0.3, 2700.0), offset=0.1, mass_recipe=recipe)
    return MassSource(points, recipe, model, origin=ORIGIN)


@pytest.mark.parametrize("recipe", ["consistent", "bodies"])
@pytest.mark.parametrize("triangles", [False, True], ids=["quads", "triangles"])
def test_fibers_and_corner_bodies_turn_to_second_degree(recipe, triangles):
    """Midsurface displaced by b x r, fibers or corner bodies turned by exp(b~): J(eta) is wrong by third degree only."""
    mass = source(recipe, triangles)
    axis = np.array([0.5, -0.7, 0.3])
    shape = rigid_columns(mass.positions - ORIGIN)[:, :, 3:] @ axis
    found = mass.integrals(shape[:, :, None])
    errors = []
    for angle in (0.02, 0.01):
        R = Rotation.from_rotvec(angle * axis).as_matrix()
        # the shapes are linear: r + b x r; what remains of R r is 1/2 b~b~ r, which the midsurface lacks and fibers have
        linear = found.inertia_at(np.array([angle]))
        plain = mass_moved(mass, found, angle * axis)
        errors.append((np.abs(linear - plain).max(), np.abs(R @ found.inertia @ R.T - found.inertia).max()))
    assert errors[0][0] / errors[1][0] == pytest.approx(8.0, rel=0.3) or errors[1][0] < 1e-13
    assert errors[1][0] < 1e-4 * errors[1][1]


def mass_moved(mass, found, b):
    """Inertia about O of the same mass when midsurface points go to (1 + b~) x and fibers turn by exp(b~): all moments known."""
    section = mass.structure.sections[0]
    block = mass.structure.elements[0]
    turn = Rotation.from_rotvec(b).as_matrix()
    skewed = np.array([[0, -b[2], b[1]], [b[2], 0, -b[0]], [-b[1], b[0], 0]])
    total = np.zeros((3, 3))
    for cell in block.nodes:
        corners = mass.positions[cell] - ORIGIN
        for x, n, area, share in material_points(corners, mass.recipe):
            for z, part in zip(np.array([-1.0, 1.0]) * section.thickness / np.sqrt(12.0) + 0.1, (0.5, 0.5)):
                if share is None:
                    place = (np.eye(3) + skewed) @ x + turn @ (z * n)
                else:  # carried by a corner as a rigid body
                    corner = corners[share]
                    place = (np.eye(3) + skewed) @ corner + turn @ (x + z * n - corner)
                weight = part * area * section.areal_mass
                total += weight * (place @ place * np.eye(3) - np.outer(place, place))
    return total


def material_points(corners, recipe):
    """(place, normal, area, corner or None) at Gauss points of a flat or warped cell, written out here."""
    k = len(corners)
    if k == 4:
        normal = np.cross(corners[2] - corners[0], corners[3] - corners[1])
        t, w = np.polynomial.legendre.leggauss(4)
        spots = [(a, b, wa * wb) for a, wa in zip(t, w) for b, wb in zip(t, w)]
        shapes = lambda a, b: np.array([(1 - a) * (1 - b), (1 + a) * (1 - b), (1 + a) * (1 + b), (1 - a) * (1 + b)]) / 4  # noqa: E731
        slopes = lambda a, b: (  # noqa: E731
            np.array([-(1 - b), 1 - b, 1 + b, -(1 + b)]) / 4,
            np.array([-(1 - a), -(1 + a), 1 + a, 1 - a]) / 4,
        )
    else:
        normal = np.cross(corners[1] - corners[0], corners[2] - corners[0])
        t, w = np.polynomial.legendre.leggauss(4)
        t, w = 0.5 * (t + 1), 0.5 * w
        spots = [(a, b * (1 - a), wa * wb * (1 - a)) for a, wa in zip(t, w) for b, wb in zip(t, w)]
        shapes = lambda a, b: np.array([1 - a - b, a, b])  # noqa: E731
        slopes = lambda a, b: (np.array([-1.0, 1, 0]), np.array([-1.0, 0, 1]))  # noqa: E731
    n = normal / np.linalg.norm(normal)
    for a, b, weight in spots:
        share = shapes(a, b)
        da, db = (s @ corners for s in slopes(a, b))
        area = weight * np.cross(da, db) @ n  # projected on the element's plane
        if recipe == "consistent":
            yield share @ corners, n, area, None
        else:
            for corner in range(k):
                yield share @ corners, n, area * share[corner], corner


def test_thickness_matters_in_the_second_degree():
    """Without the fibers' turning the rotated inertia would be wrong by rho h^3/12 A b^2, far above round-off."""
    mass = source("consistent", warp=0.0)
    shape = rigid_columns(mass.positions - ORIGIN)[:, :, 3:] @ np.array([1.0, 0.0, 0.0])
    found = mass.integrals(shape[:, :, None])
    fibers = 2700.0 * (0.3**3 / 12 + 0.3 * 0.1**2) * 1.0
    assert found.turns and np.abs(found.turn_second).max() > 0.4 * fibers


def test_mass_on_translations_does_not_turn():
    for recipe in ("lumped", "particles", "coupled"):
        mass = source(recipe)
        shape = rigid_columns(mass.positions - ORIGIN)[:, :, 3:]
        assert not mass.integrals(shape).turns
