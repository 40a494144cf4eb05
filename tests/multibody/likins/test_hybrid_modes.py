"""Hybrid-coordinate modes of a vehicle (rigid hub, clamped wing, sprung wing) against free-free modes of the
whole FE vehicle.

The vehicle: modal records of two cantilevers, a hub, a massless drive on a sprung hinge. The FE vehicle: the
same beams, the hub as a nodal body with rigid links, the hinge as five equations and a torsion spring, held
nowhere.
"""

import numpy as np
import pytest
from scipy.linalg import eigh
from support.lines import STEEL, beam_block, rectangle, straight

from tisserand.appendage import reduce
from tisserand.assembly import assemble
from tisserand.model import BeamSection, NodalBodies, Nodes, RigidElement, ScalarSpringBlock, StructuralModel, Supports
from tisserand.model.constraints import Equation
from tisserand.modes import solve_modes
from tisserand.multibody import Body, MountedAppendage, State, Vehicle, hinge, likins
from tisserand.multibody.likins.applied import applied_loads
from tisserand.multibody.likins.configuration import configure
from tisserand.multibody.likins.equations import assemble as assemble_equations
from tisserand.multibody.likins.state_rows import placed
from tisserand.multibody.likins.wrenches import no_wrenches

ELEMENTS, SPRING = 8, 40.0
SECTION = BeamSection(1, STEEL, rectangle(0.05, 0.004))
POINT_A, POINT_B = np.array([0.4, 0.1, 0.05]), np.array([-0.3, -0.2, 0.0])
HUB_MASS, HUB_CENTER = 12.0, np.array([0.02, -0.03, 0.05])
HUB_INERTIA = np.array([[0.5, 0.02, 0.01], [0.02, 0.7, -0.03], [0.01, -0.03, 0.6]])
ALONG = {"a": ((1.0, 0.0, 0.0), 2.0), "b": ((-1.0, 0.3, 0.0), 1.6)}


def chain(name, start=(0.0, 0.0, 0.0)):
    direction, length = ALONG[name]
    unit = np.array(direction) / np.linalg.norm(direction)
    return straight(ELEMENTS, length, unit) + start


def pairs(first):
    i = np.arange(first, first + ELEMENTS)
    return np.column_stack([i, i + 1])


def record(name, modes):
    """Cantilever modes of one wing about its root, in axes parallel to the hub's."""
    structure = StructuralModel(
        name,
        Nodes(np.arange(1, ELEMENTS + 2), chain(name)),
        (beam_block(pairs(0)),),
        (SECTION,),
        supports=Supports.clamp([0]),
    )
    return reduce(solve_modes(assemble(structure), count=modes), name=name, attachment=1)


def finite_elements():
    """Squared frequencies of the whole FE vehicle, free."""
    n = ELEMENTS + 1
    positions = np.vstack([[np.zeros(3), POINT_B], chain("a", POINT_A), chain("b", POINT_B)])  # hub, carrier, wings
    first_a, first_b = 2, 2 + n
    six = lambda node: np.array([(node, c) for c in range(6)])  # noqa: E731
    links = [RigidElement(1, six(0), six(first_a)), RigidElement(2, six(0), six(1))]
    ties = [Equation(10 + c, np.array([(first_b, c), (1, c)]), np.array([1.0, -1.0])) for c in (0, 1, 2, 3, 5)]
    hub = NodalBodies([900], [[0]], [HUB_MASS], [HUB_CENTER], [HUB_INERTIA])
    spring = ScalarSpringBlock([901], [[1, first_b]], [[4, 4]], [SPRING], [0.0])
    beams = beam_block(np.vstack([pairs(first_a), pairs(first_b)]))
    structure = StructuralModel(
        "vehicle",
        Nodes(np.arange(1, len(positions) + 1), positions),
        (beams, hub, spring),
        (SECTION,),
        constraints=(*links, *ties),
    )
    model = assemble(structure)
    return eigh(model.stiffness.toarray(), model.mass.toarray(), eigvals_only=True)


def hybrid_vehicle(modes):
    """Hub, massless drive on a sprung hinge, and the two wings as modal records."""
    bodies = [Body("hub", HUB_MASS, HUB_CENTER, HUB_INERTIA), Body("drive")]
    joints = [hinge("drive", "hub", "drive", [0, 1, 0], parent_point=POINT_B, stiffness=SPRING)]
    wings = [
        MountedAppendage("a", record("a", modes), "hub", POINT_A),
        MountedAppendage("b", record("b", modes), "drive"),
    ]
    return Vehicle("hybrid", bodies, joints, (), wings)


def hybrid(modes):
    """Squared frequencies of the vehicle: mass matrix of (40), (41) and the modal equations at rest, springs
    and Ke."""
    model = likins.build(hybrid_vehicle(modes))
    here = placed(model, State())
    at = configure(here.system, here.state, first_degree=False)
    loads = applied_loads(model, here, at, np.zeros(3), 0.0, no_wrenches(model))
    mass = assemble_equations(here.system, here.state, loads, at).mass
    stiffness = np.zeros_like(mass)
    stiffness[3, 3] = SPRING
    for part, slots in zip(here.system.substructures, here.system.mode_slots):
        stiffness[4:, 4:][slots, slots] = part.stiffness
    return eigh(stiffness, mass, eigvals_only=True)


@pytest.fixture(scope="module")
def reference():
    return finite_elements()


def test_all_component_modes_give_the_modes_of_the_finite_element_vehicle(reference):
    """A complete basis is exact: every elastic frequency of the free vehicle to 1e-6 (six rigid modes against
    three)."""
    found = hybrid(6 * ELEMENTS)
    assert len(found) - 3 == len(reference) - 6
    elastic, expected = np.sqrt(found[3:]), np.sqrt(reference[6:])
    assert np.abs(found[:3]).max() < 1e-6 * expected[0] ** 2
    assert np.abs(elastic / expected - 1.0).max() < 1e-6


def test_truncated_component_modes_converge_from_above(reference):
    """Rayleigh-Ritz: frequencies fall toward the FE vehicle's as modes are added."""
    expected = np.sqrt(reference[6:10])
    errors = [np.sqrt(hybrid(modes)[3:7]) / expected - 1.0 for modes in (4, 10, 24)]
    assert all(np.all(e > -1e-9) for e in errors)
    assert np.all(errors[1] <= errors[0] + 1e-9) and np.all(errors[2] <= errors[1] + 1e-9)
    assert errors[2].max() < 1e-4
