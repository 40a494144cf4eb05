"""Mass on rigid arms against material points moved by exact finite rotation."""

import numpy as np
import pytest
from scipy.spatial.transform import Rotation
from support.lines import STEEL, beam_block, beam_model, bodies, rectangle, rod_model, straight
from support.surfaces import grid, plate_section, shell_model

from tisserand.appendage import reduce
from tisserand.appendage.record.mass_source import MassSource
from tisserand.assembly import assemble
from tisserand.model import (
    BeamSection,
    Equation,
    Interpolation,
    Nodes,
    RigidElement,
    SolidBlock,
    SolidSection,
    StructuralModel,
    Supports,
)
from tisserand.modes import solve_modes
from tisserand.statics import softening_matrix

ORIGIN = np.array([0.4, -0.3, 0.2])
INERTIA = np.array([[0.5, 0.05, -0.1], [0.05, 0.7, 0.02], [-0.1, 0.02, 0.4]])
WORDS = (
    "inertia",
    "translation",
    "rotation",
    "position_shape",
    "shape_shape",
    "modal_mass",
    "turn_first",
    "turn_second",
)


def dofs(node, components="123456"):
    return [(node, int(c) - 1) for c in components]


def rbe2(id, lead, follow, components="123456"):
    return RigidElement(id, dofs(lead), dofs(follow, components))


# -- an offset body is the same body on an arm -----------------------------------------------------------
ARM = np.array([0.3, 0.1, 0.6])


def boom(tip_body, extra_points=(), constraints=()):
    """Clamped boom of five beams with a body; nodes from 6 on are extra."""
    points = np.concatenate([straight(5, 3.2), *([p] for p in extra_points)])
    section = BeamSection(1, STEEL, rectangle(0.05, 0.03))
    model = beam_model(points, section, extra=(tip_body,))
    beams = model.elements[0].select(np.arange(5))
    return model.changed(elements=(beams, tip_body), constraints=constraints, supports=Supports.clamp([0]))


def spellings():
    """The same 18 kg body 0.3, 0.1, 0.6 m off the tip: node 5 of the boom."""
    tip, knee = np.array([3.2, 0, 0]), np.array([3.2, 0.5, -0.2])
    end = tip + ARM
    yield "one arm", boom(bodies([6], 18.0, inertia=INERTIA), [end], (rbe2(1, 5, 6),))
    half = boom(bodies([6], 18.0, offset=0.4 * ARM, inertia=INERTIA), [tip + 0.6 * ARM], (rbe2(1, 5, 6),))
    yield "arm and offset", half
    yield "arm on arm", boom(bodies([7], 18.0, inertia=INERTIA), [knee, end], (rbe2(2, 6, 7), rbe2(1, 5, 6)))
    terms = []
    for c in range(3):
        lever = [np.cross(np.eye(3)[k], ARM)[c] for k in range(3)]
        terms.append(Equation(10 + c, [(6, c), (5, c), *dofs(5, "456")], [1.0, -1.0, *(-x for x in lever)]))
        terms.append(Equation(20 + c, [(6, 3 + c), (5, 3 + c)], [1.0, -1.0]))
    yield "equations", boom(bodies([6], 18.0, inertia=INERTIA), [end], tuple(terms))


@pytest.mark.parametrize(("name", "model"), list(spellings()), ids=[n for n, _ in spellings()])
def test_an_offset_body_equals_the_same_body_on_an_arm(name, model):
    """CONM2 with offset and CONM2 on an RBE2 arm: every integral of the record agrees to 1e-12."""
    offset = reduce(solve_modes(assemble(boom(bodies([5], 18.0, offset=ARM, inertia=INERTIA))), count=6), attachment=1)
    on_arm = reduce(solve_modes(assemble(model), count=6), attachment=1)
    flip = np.sign((offset.nodes.translation[5] * on_arm.nodes.translation[5]).sum(axis=0))
    assert (
        np.abs(offset.stiffness - flip[:, None] * on_arm.stiffness * flip).max() < 1e-9 * np.abs(offset.stiffness).max()
    )
    # the same shapes on both, so that eigensolvers do not enter
    shapes = np.concatenate([offset.nodes.translation, offset.nodes.rotation], axis=1)
    base = assemble(model)
    full = base.displacements(_dofs_of(base, shapes))
    one = MassSource(offset.nodes.positions, "consistent", offset.sources[0].structure, origin=ORIGIN).integrals(shapes)
    two = MassSource(base.nodes.positions, "consistent", model, origin=ORIGIN).integrals(full)
    for word in WORDS:
        a, b = getattr(one, word), getattr(two, word)
        assert np.abs(a - b).max() < 1e-12 * np.abs(a).max(), word


def _dofs_of(assembled, shapes):
    """(d, k) independent dofs of nodal shapes (n, 6, k) that the model's first n nodes have."""
    return np.array([shapes[n, c] for n, c in zip(assembled.dofs.node, assembled.dofs.component)])


def test_a_particle_on_an_arm_of_translations_turns_with_it():
    """RBE2 of components 123: a point mass needs no rotation of its own node."""
    offset = boom(bodies([5], 4.0, offset=ARM))
    on_arm = boom(bodies([6], 4.0), [np.array([3.2, 0, 0]) + ARM], (rbe2(1, 5, 6, "123"),))
    rng = np.random.default_rng(0)
    shapes = rng.normal(size=(6, 6, 2))
    moved = assemble(on_arm)
    one = MassSource(offset.nodes.positions, "consistent", offset, origin=ORIGIN).integrals(shapes)
    two = MassSource(on_arm.nodes.positions, "consistent", on_arm, origin=ORIGIN).integrals(
        moved.displacements(_dofs_of(moved, shapes))
    )
    for word in WORDS:
        assert getattr(one, word) == pytest.approx(getattr(two, word), abs=1e-12 * np.abs(getattr(one, word)).max()), (
            word
        )


# -- everything that rides on one master, any family and recipe -------------------------------------------


def riders(recipe):
    """Models whose nodes all follow one master, by family."""
    section = BeamSection(1, STEEL, rectangle(0.3, 0.2))
    points, cells = grid(2, 2, lambda x, y: (x, y + 0.1 * x, 0.0))
    plate = plate_section(0.2, 7e10, 0.3, 2700.0)
    yield "beam", beam_model(straight(2, 1.5, (0.8, 0.6, 0.0)), section, mass_recipe=recipe, recipe="bar")
    aside = np.tile([0.1, 0.3, -0.2], (2, 2, 1))
    yield "offset beam", beam_model(straight(2, 1.5), section, offsets=aside, mass_recipe=recipe, recipe="bar")
    yield "quads", shell_model(points, cells, plate, offset=0.15, mass_recipe=recipe)
    yield "triangles", shell_model(*grid(2, 2, lambda x, y: (x, y, 0.0), True), plate, mass_recipe=recipe)
    yield "rods", rod_model(np.array([[0.0, 0, 0], [1, 0.2, 0], [0.3, 1, 0.4]]), [[0, 1], [1, 2]], recipe=recipe)
    yield "solids", _cube(recipe)


def _cube(recipe):
    corners = np.array([[x, y, z] for z in (0, 1) for x, y in ((0, 0), (1, 0), (1, 1), (0, 1))], float)
    return StructuralModel(
        "cube",
        Nodes(np.arange(1, 9), corners),
        (SolidBlock([1], [np.arange(8)], [0], "hex8"),),
        (SolidSection(1, STEEL),),
        mass_recipe=recipe,
    )


RECIPES = ("consistent", "lumped", "coupled", "particles", "bodies")
FAMILIES = ("beam", "offset beam", "quads", "triangles", "rods", "solids")


@pytest.mark.parametrize("recipe", RECIPES)
@pytest.mark.parametrize("family", FAMILIES)
def test_what_one_master_carries_turns_as_a_whole(family, recipe):
    """J(eta), first moment and int y r' of a rigid passenger turned by exp(b~) about its master: errors of third degree."""
    model = dict(riders(recipe))[family]
    n = len(model.nodes)
    master = np.array([-0.5, 0.7, 0.3])
    nodes = Nodes(np.arange(1, n + 2), np.concatenate([model.nodes.positions, [master]]))
    follow = "123" if family in ("rods", "solids") else "123456"
    arms = tuple(rbe2(i, n, i, follow) for i in range(n))
    model = model.changed(nodes=nodes, constraints=arms)
    axis = np.array([0.8, -0.6, 0.0])  # a shell turned about its normal too would bow between its corners
    if family in ("rods", "solids"):
        axis = np.array([0.5, -0.7, 0.4])
    if family in ("beam", "offset beam"):
        axis = np.cross(nodes.positions[1] - nodes.positions[0], [0.2, -0.3, 0.9])
    push = np.array([0.3, 0.1, -0.2])
    motion = np.zeros((n + 1, 6, 1))
    motion[:, :3, 0] = push + np.cross(axis, nodes.positions - master)
    motion[:, 3:, 0] = axis
    found = MassSource(nodes.positions, recipe, model, origin=ORIGIN).integrals(motion)
    second = 0.5 * np.trace(found.inertia) * np.eye(3) - found.inertia
    m, c, x = found.mass, found.center, master - ORIGIN
    errors = []
    for eta in (0.08, 0.04):
        R, t = Rotation.from_rotvec(eta * axis).as_matrix(), eta * push
        shift = x + t - R @ x  # y = R r + shift
        first = m * (R @ c) + m * shift
        inertia = (
            R @ second @ R.T + np.outer(R @ (m * c), shift) + np.outer(shift, R @ (m * c)) + m * np.outer(shift, shift)
        )
        inertia = np.trace(inertia) * np.eye(3) - inertia
        ours = m * c + found.translation[:, 0] * eta + found.turn_first[:, 0, 0] * eta**2
        # J to second degree of the one field: J0 + J1 eta + J2 eta² + that of a, A
        ours_inertia = found.inertia_at(np.array([eta]))
        errors.append([np.abs(ours - first).max(), np.abs(ours_inertia - inertia).max()])
    ratio = np.array(errors[0]) / np.array(errors[1])
    compared = 1 if recipe == "coupled" and family in ("beam", "rods") else 2  # no linear stretch along their axes
    assert ratio[:compared] == pytest.approx(8.0, rel=0.1)


# -- beams between arms of their own: material points ------------------------------------------------------
def beam_points(count=6):
    """Gauss stations and four points per section with its mass and second moments."""
    t, w = np.polynomial.legendre.leggauss(count)
    return 0.5 * (t + 1), 0.5 * w


def hermite(t, length):
    return np.array(
        [1 - 3 * t**2 + 2 * t**3, length * (t - 2 * t**2 + t**3), 3 * t**2 - 2 * t**3, length * (t**3 - t**2)]
    )


def slopes(t, length):
    return np.array([(6 * t**2 - 6 * t) / length, 1 - 4 * t + 3 * t**2, (6 * t - 6 * t**2) / length, 3 * t**2 - 2 * t])


def exact_moments(ends, moved, thetas, section, density):
    """int y dm and inertia of an Euler beam along x whose ends moved by ``moved`` (2, 3) with rotation vectors ``thetas``: cubic
    deflection, linear stretch and twist, sections turned by exp of their rotation vector."""
    length = ends[1, 0] - ends[0, 0]
    first, second = np.zeros(3), np.zeros((3, 3))
    spots = [(y, z) for y in (-1, 1) for z in (-1, 1)]
    for t, w in zip(*beam_points()):
        h, d = hermite(t, length), slopes(t, length)
        u = np.array(
            [
                (1 - t) * moved[0, 0] + t * moved[1, 0],
                h @ [moved[0, 1], thetas[0, 2], moved[1, 1], thetas[1, 2]],
                h @ [moved[0, 2], -thetas[0, 1], moved[1, 2], -thetas[1, 1]],
            ]
        )
        turn = np.array(
            [
                (1 - t) * thetas[0, 0] + t * thetas[1, 0],
                -(d @ [moved[0, 2], -thetas[0, 1], moved[1, 2], -thetas[1, 1]]),
                d @ [moved[0, 1], thetas[0, 2], moved[1, 1], thetas[1, 2]],
            ]
        )
        R = Rotation.from_rotvec(turn).as_matrix()
        center = ends[0] + t * (ends[1] - ends[0]) + u - ORIGIN
        for y, z in spots:
            place = center + R @ [0.0, y * np.sqrt(section[1]), z * np.sqrt(section[2])]
            dm = 0.25 * w * length * density * section[0]
            first, second = first + dm * place, second + dm * np.outer(place, place)
    return first, np.trace(second) * np.eye(3) - second


@pytest.mark.parametrize("spelling", ["arms", "offsets"])
def test_a_beam_between_two_turning_arms(spelling):
    """Ends on arms of different masters that turn differently: first moment and inertia err by third degree."""
    width, height, density = 0.3, 0.2, 7800.0
    area = (width * height, height**2 / 12, width**2 / 12)  # the section's y axis lies along z
    section = BeamSection(1, STEEL, rectangle(width, height))
    masters = np.array([[0.0, 0.2, -0.4], [1.8, -0.3, 0.5]])
    ends = np.array([[0.2, 0, 0], [1.7, 0, 0]])
    if spelling == "arms":
        model = StructuralModel(
            "beam", Nodes(np.arange(1, 5), np.concatenate([masters, ends])), (beam_block([[2, 3]]),), (section,),
            constraints=(rbe2(1, 0, 2), rbe2(2, 1, 3)),
        )  # fmt: skip
    else:
        offsets = (ends - masters)[None]
        model = StructuralModel("beam", Nodes([1, 2], masters), (beam_block([[0, 1]], offsets=offsets),), (section,))
    rng = np.random.default_rng(7)
    q = rng.normal(size=(2, 6))
    assembled = assemble(model)
    motion = assembled.displacements(_dofs_of(assembled, q[:, :, None]))
    found = MassSource(model.nodes.positions, "consistent", model, origin=ORIGIN).integrals(motion)
    errors = []
    for eta in (0.04, 0.02):
        turns = Rotation.from_rotvec(eta * q[:, 3:]).as_matrix() - np.eye(3)
        moved = eta * q[:, :3] + np.einsum("iab,ib->ia", turns, ends - masters)
        # second degree of the ends enters the deflection between them; rotation vectors stay linear
        first, inertia = exact_moments(ends, moved, eta * q[:, 3:], area, density)
        ours = found.mass * found.center + found.translation[:, 0] * eta + found.turn_first[:, 0, 0] * eta**2
        errors.append([np.abs(ours - first).max(), np.abs(found.inertia_at(np.array([eta])) - inertia).max()])
    assert np.array(errors[0]) / np.array(errors[1]) == pytest.approx([8.0, 8.0], rel=0.15)


def test_centrifugal_softening_of_mass_on_arms_equals_that_of_offset_bodies():
    """K of spin: offset body, body on an arm, and the second-degree moments of the record, w'(tr A...) w, are one."""
    spin = np.array([0.3, -0.5, 1.1])
    offset = assemble(boom(bodies([5], 18.0, offset=ARM, inertia=INERTIA)))
    _, model = next(spellings())
    on_arm = assemble(model)
    one, two = softening_matrix(offset, spin, ORIGIN), softening_matrix(on_arm, spin, ORIGIN)
    assert abs(one - two).max() < 1e-12 * abs(one).max()
    rng = np.random.default_rng(5)
    q = rng.normal(size=(offset.size, 1))
    found = MassSource(offset.nodes.positions, "consistent", offset.structure, origin=ORIGIN).integrals(
        offset.displacements(q)
    )
    eye = np.eye(1)[0]
    quadratic = found.inertia_at(eye) + found.inertia_at(-eye) - 2 * found.inertia
    assert float(q[:, 0] @ (one @ q[:, 0])) == pytest.approx(-0.5 * spin @ quadratic @ spin, rel=1e-10)


def test_a_body_on_the_reference_of_an_rbe3_stays_there():
    """An averaging element is no arm: its reference node keeps its body."""
    model = boom(bodies([6], 2.0, inertia=INERTIA), [np.array([3.2, 0.4, 0.0])])
    average = Interpolation(1, 6, np.arange(6), [*dofs(4, "123456"), *dofs(5, "123456")], np.ones(12))
    rng = np.random.default_rng(1)
    shapes = rng.normal(size=(7, 6, 1))
    tied, free = model.changed(constraints=(average,)), model
    a = MassSource(model.nodes.positions, "consistent", tied, origin=ORIGIN).integrals(shapes)
    b = MassSource(model.nodes.positions, "consistent", free, origin=ORIGIN).integrals(shapes)
    assert a.turn_second == pytest.approx(b.turn_second, abs=1e-14)
