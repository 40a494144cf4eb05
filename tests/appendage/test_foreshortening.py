"""Second-degree displacement of nodes: closed forms of beams, the elastica, duality, gauges, and every change of a record."""

import numpy as np
import pytest
from scipy.integrate import quad, solve_bvp
from scipy.interpolate import CubicHermiteSpline
from scipy.spatial.transform import Rotation
from support.lines import STEEL, beam_block, beam_model, bodies, rectangle, straight

from tisserand.appendage import (
    in_frame,
    keep_modes,
    load_record,
    merged,
    mirrored,
    reduce,
    save_record,
    shifted,
    turned,
)
from tisserand.appendage.integrals.geometric_stiffness import geometric_families
from tisserand.appendage.record.packed_pairs import unpacked
from tisserand.assembly import assemble
from tisserand.model import BeamSection, BeamStation, Isotropic, Nodes, RigidElement, StructuralModel, Supports
from tisserand.modes import solve_modes
from tisserand.modes.reductions import craig_bampton, guyan
from tisserand.statics import nodal_loads, second_displacement, solve_static

SECTION = BeamSection(1, STEEL, rectangle(0.05, 0.02))


def cantilever(count=16, length=2.0, section=SECTION):
    return beam_model(straight(count, length), section).changed(supports=Supports.clamp([0]))


def psi_of(record, name, families=True):
    """psi (6, k, k) of an interface as a run uses it."""
    face = record.interface(name)
    out = np.concatenate(face.psi)
    if families:
        for i in range(6):
            out[i] -= record.geometric_stiffness.get(f"F:{name}:{i + 1}", 0.0)
    return out


def test_bending_shortens_every_node_of_a_beam():
    """psi_x(x) = -int_0^x w_k' w_l' ds with the exact clamped-free functions."""
    n, length = 40, 2.0
    basis = solve_modes(assemble(cantilever(n, length)), count=4)
    record = reduce(basis, attachment=1, interfaces={"tip": n + 1}, geometric=True)
    x = np.linspace(0, length, 4001)
    roots = np.array([1.87510406871, 4.69409113297]) / length
    at = np.linspace(0, length, n + 1)
    found = np.array([record.nodes.psi(i, True)[0] for i in range(n + 1)])
    assert np.abs(found[0]).max() == 0.0
    for axis in (1, 2):  # two modes in each plane
        modes = [k for k in range(4) if np.abs(record.nodes.translation[-1, axis, k]) > 1e-6]
        slopes = []
        for k, b in zip(modes, roots):
            s = (np.cosh(b * length) + np.cos(b * length)) / (np.sinh(b * length) + np.sin(b * length))
            w = np.cosh(b * x) - np.cos(b * x) - s * (np.sinh(b * x) - np.sin(b * x))
            d = b * (np.sinh(b * x) + np.sin(b * x) - s * (np.cosh(b * x) - np.cos(b * x)))
            slopes.append(d / w[-1] * record.nodes.translation[-1, axis, k])
        for a, k in enumerate(modes):
            for b, l in enumerate(modes):
                steps = 0.5 * np.diff(x) * (slopes[a][1:] * slopes[b][1:] + slopes[a][:-1] * slopes[b][:-1])
                exact = -np.interp(at, x, np.concatenate([[0.0], np.cumsum(steps)]))
                assert np.abs(found[:, k, l] - exact).max() < 1e-3 * np.abs(exact).max()
    assert psi_of(record, "tip")[:3] == pytest.approx(record.nodes.psi(n, True)[:3], abs=1e-6 * np.abs(found).max())


def elastica(force, stiffness, length):
    """Tip place of an inextensible cantilever under a dead transverse tip force: EI theta'' = -F cos theta."""

    def slope(s, y):
        return np.array([y[1], -force / stiffness * np.cos(y[0]), np.cos(y[0]), np.sin(y[0])])

    def ends(a, b):
        return np.array([a[0], b[1], a[2], a[3]])

    s = np.linspace(0, length, 400)
    bend = force / stiffness * (length * s - s**2 / 2)
    guess = np.array([bend, force / stiffness * (length - s), s, bend * s / 2])
    solution = solve_bvp(slope, ends, s, guess, tol=1e-12, max_nodes=200000)
    assert solution.success
    return solution.y[2, -1] - length, solution.y[3, -1]


def test_shortening_of_a_bent_cantilever_is_that_of_the_elastica():
    """Tip force that bends by 1 to 2 % of the length: the axial motion of the tip errs by the fourth power of the deflection."""
    length, stiffness = 10.0, 1.4e4
    material = Isotropic(1, 1e10, 5e9, 0.0, 1.0)
    beam = cantilever(
        60, length, BeamSection(1, material, BeamStation(1.0, stiffness / 1e10, stiffness / 1e10, 0.0, 1e-5))
    )
    model = assemble(beam)
    shape = solve_static(model, nodal_loads(model, {61: (0, 1.0, 0)})).displacement
    psi = second_displacement(model, shape).displacement[60, :, 0]
    errors, relative = [], []
    for force in (16.0, 8.0):
        exact, _ = elastica(force, stiffness, length)
        errors.append(0.5 * psi[0] * force**2 - exact)
        relative.append(errors[-1] / exact)
    assert errors[0] / errors[1] == pytest.approx(16.0, rel=0.2)
    assert abs(relative[1]) < 0.01


def test_unit_load_families_are_dual_to_the_field():
    """F families found load by load equal those of the field of all nodes, also at the end of an arm."""
    model = boom_with_arm()
    basis = solve_modes(assemble(model), count=5)
    record = reduce(basis, attachment=1, interfaces={"tip": 5, "arm": 6, "end": 7}, geometric=True)
    rows = {"tip": 4, "arm": 5, "end": 6}
    families, _ = geometric_families(basis, basis.shapes, record.reference_point, rows)
    for name in rows:
        for i in range(6):
            one, two = families[f"F:{name}:{i + 1}"], record.geometric_stiffness[f"F:{name}:{i + 1}"]
            assert np.abs(one - two).max() < 1e-8 * max(np.abs(families[f"F:{name}:{c + 1}"]).max() for c in range(6))
    total = second_displacement(basis.model, basis.shapes).displacement
    for name, row in rows.items():
        wanted = unpacked(total[row], 5)
        assert psi_of(record, name) == pytest.approx(wanted, abs=1e-8 * np.abs(wanted).max())
    assert record.interface("arm").second_translation is not None
    assert record.reports["second_degree"]["gauge"] == "attachment"


def boom_with_arm():
    """A boom whose tip carries a body and a short beam on arms."""
    points = np.concatenate([straight(4, 2.0), [[2.0, 0.3, 0.4], [2.4, 0.3, 0.9]]])
    block = beam_block([[0, 1], [1, 2], [2, 3], [3, 4], [5, 6]])
    lead = RigidElement(1, [(4, c) for c in range(6)], [(5, c) for c in range(6)])
    return StructuralModel(
        "boom",
        Nodes(np.arange(1, 8), points),
        (block, bodies([6], 1.0, inertia=0.02 * np.eye(3))),
        (SECTION,),
        constraints=(lead,),
        supports=Supports.clamp([0]),
    )


def test_free_structures_are_in_the_mean_gauge():
    """int psi dm = int r x psi dm = 0 where nothing holds the structure."""
    model = assemble(beam_model(straight(8, 2.0, (0.6, 0.8, 0.0)), SECTION))
    basis = solve_modes(model, count=4)
    found = second_displacement(model, basis.shapes, Supports())
    assert found.gauge == "mean"
    momenta = np.zeros((6, found.displacement.shape[2]))
    flat = found.displacement.reshape(-1, found.displacement.shape[2])
    momenta = model.rigid_body_vectors.T @ (model.mass @ flat[6 * model.dofs.node + model.dofs.component])
    assert np.abs(momenta).max() < 1e-8 * np.abs(flat).max() * model.mass_properties().mass
    record = reduce(basis, interfaces={"tip": 9}, geometric=True)
    assert record.reports["second_degree"]["gauge"] == "mean"
    shortened = (record.nodes.psi(8, True) - record.nodes.psi(0, True))[:3]
    along = np.einsum("a,akk->k", [0.6, 0.8, 0.0], shortened)
    assert (along < 0.0).all()


# -- the same body told differently ----------------------------------------------------------------------
def place(record, row, eta, families=True):
    """Node from O in record axes."""
    nodes = record.nodes
    psi = nodes.psi(row, families)[:3]
    return nodes.positions[row] + nodes.translation[row] @ eta + 0.5 * np.einsum("akl,k,l->a", psi, eta, eta)


@pytest.fixture(scope="module")
def record():
    return reduce(
        solve_modes(assemble(boom_with_arm()), count=5),
        attachment=1,
        interfaces={"arm": 6, "end": 7},
        geometric=True,
        name="boom",
    )


ETA = np.array([0.02, -0.03, 0.01, 0.02, -0.01])


def test_moved_turned_mirrored_chosen_and_merged_records_keep_their_nodes(record):
    rows, Q = range(7), Rotation.from_rotvec([0.3, -0.8, 0.5]).as_matrix()
    flip = np.diag([1.0, -1.0, 1.0])
    pair = merged([record, mirrored(record, name="other")], point=(0.5, 0, 0))
    chosen = keep_modes(record, [3, 0])
    for row in rows:
        here = place(record, row, ETA)
        assert place(shifted(record, (0.5, 0.2, 0)), row, ETA) == pytest.approx(here - [0.5, 0.2, 0], abs=1e-9)
        assert place(turned(record, Q), row, ETA) == pytest.approx(Q @ here, abs=1e-9)
        assert place(mirrored(record), row, ETA) == pytest.approx(flip @ here, abs=1e-9)
        few = ETA * [1, 0, 0, 1, 0]
        assert place(chosen, row, few[[3, 0]]) == pytest.approx(place(record, row, few), abs=1e-9)
        both = np.concatenate([ETA, 2 * ETA])
        assert place(pair, row, both) == pytest.approx(here - [0.5, 0, 0], abs=1e-9)
        assert place(pair, 7 + row, both) == pytest.approx(flip @ place(record, row, 2 * ETA) - [0.5, 0, 0], abs=1e-9)
    for name in ("arm", "end"):
        wide = np.zeros((6, 10, 10))
        wide[:, :5, :5] = psi_of(record, name)
        assert psi_of(pair, f"boom.{name}") == pytest.approx(wide, abs=1e-12)


def test_a_change_of_frame_keeps_the_shape_of_the_body(record):
    """Distances between nodes in the Buckens frame and in the connection frame differ by the third degree of the motion."""
    floating = in_frame(record, "buckens")
    back = in_frame(floating, "connection")
    errors = []
    for eta in (ETA, 0.5 * ETA):
        one, two, three = (np.array([place(r, row, eta) for row in range(7)]) for r in (record, floating, back))
        errors.append(max(np.abs(np.linalg.norm(one - one[[3]], axis=1) - np.linalg.norm(two - two[[3]], axis=1))))
        assert three == pytest.approx(one, abs=1e-8)
    assert errors[0] / errors[1] == pytest.approx(8.0, rel=0.3)


def test_records_keep_the_field(record, tmp_path):
    save_record(record, tmp_path / "boom.h5")
    again = load_record(tmp_path / "boom.h5")
    for word in ("second", "foreshortening"):
        assert (getattr(again.nodes, word) == getattr(record.nodes, word)).all()
    assert (again.interface("arm").second_translation == record.interface("arm").second_translation).all()


def test_craig_bampton_bases_have_the_field_of_their_gauge():
    """Static shapes of a free interface node are rigid rotations: distances of all nodes stay to second degree and beyond."""
    model = assemble(beam_model(straight(6, 2.0), SECTION))
    basis = craig_bampton(model, np.array([[0, i] for i in range(6)]), count=2).as_basis()
    record = reduce(basis, interfaces={"tip": 7}, geometric=True)
    assert record.reports["second_degree"]["gauge"] == "mean"
    turns = [k for k in range(8) if np.abs(record.nodes.rotation[0, :, k]).max() > 1e-9][:3]
    errors = []
    for size in (0.08, 0.04):
        eta = np.zeros(8)
        eta[turns] = size * np.array([0.5, -0.7, 0.9]) / np.abs(record.nodes.rotation[0][:, turns]).max(axis=0)
        now = np.array([place(record, row, eta) for row in range(7)])
        errors.append(np.abs(np.linalg.norm(now - now[0], axis=1) - np.linspace(0, 2, 7)).max())
    assert errors[0] / errors[1] == pytest.approx(16.0, rel=0.3)


@pytest.mark.parametrize("method", [craig_bampton, guyan])
def test_component_bases_of_held_structures_are_shortened_from_their_support(method):
    """A clamped beam, static shapes of its middle and tip (and modes): psi is -int w_k' w_l' ds from the clamp on.

    The cubic of deflections and rotations leaves out shear, some 1e-4 of it.
    """
    model = assemble(cantilever(8))
    more = {"count": 2} if method is craig_bampton else {}
    basis = method(model, np.array([[4, 1], [8, 1]]), **more).as_basis()
    record = reduce(basis, attachment=1, interfaces={"middle": 5, "tip": 9}, geometric=True)
    assert record.reports["second_degree"]["gauge"] == "attachment"
    x, nodes = record.nodes.positions[:, 0], record.nodes
    slopes = [CubicHermiteSpline(x, nodes.translation[:, 1, k], nodes.rotation[:, 2, k]).derivative() for k in (0, 1)]
    for name, end in (("middle", 1.0), ("tip", 2.0)):
        psi = psi_of(record, name)[0]
        for k, l in ((0, 0), (0, 1), (1, 1)):
            exact = -quad(lambda s, k=k, l=l: slopes[k](s) * slopes[l](s), 0.0, end, points=[0.5, 1.0, 1.5])[0]
            assert psi[k, l] == pytest.approx(exact, rel=1e-3)


def test_large_fields_are_left_to_the_interfaces(monkeypatch):
    """Where the field of all nodes would be too large, interfaces and bodies have it by duality and the report says so."""
    basis = solve_modes(assemble(boom_with_arm()), count=5)
    whole = reduce(basis, attachment=1, interfaces={"end": 7}, geometric=True)
    monkeypatch.setattr("tisserand.appendage.record.packed_pairs.LARGEST_FIELD", 10)
    part = reduce(basis, attachment=1, interfaces={"end": 7}, geometric=True)
    assert part.nodes.foreshortening is None
    assert part.reports["second_degree"]["foreshortening_at"] == "interfaces and bodies"
    assert psi_of(part, "end") == pytest.approx(psi_of(whole, "end"), abs=1e-9 * np.abs(psi_of(whole, "end")).max())
    assert part.bodies.family_translation == pytest.approx(
        whole.bodies.family_translation, abs=1e-9 * np.abs(whole.bodies.family_translation).max()
    )
