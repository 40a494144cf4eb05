"""The books of a run against recovered nodal motion and the finite elements' mass, for every kind of element."""

from dataclasses import replace
from functools import partial

import numpy as np
import pytest
from appendage.hand_built import bodies_on_springs, dense_basis
from scipy.spatial.transform import Rotation
from support.hand_built import matrices_of
from support.lines import STEEL, beam_model, bodies, rectangle, straight
from support.surfaces import grid, plate_section, shell_model, solid_model

from tisserand.appendage import in_frame, load_record, merged, mirrored, placed, reduce, save_record, shifted, turned
from tisserand.assembly import assemble
from tisserand.model import BeamSection, Nodes, RigidElement, Supports
from tisserand.modes import solve_modes
from tisserand.multibody import (
    Body,
    MountedAppendage,
    Rotor,
    State,
    Vehicle,
    hinge,
    load_trajectory,
    nodal_audit,
    recompute,
    save_trajectory,
    simulate,
)
from tisserand.multibody.nodal_audit import mass_of_motion

#: Of sums over 1e4 products, relative.
ROUND_OFF = 1e4 * np.finfo(float).eps
ATTITUDE = Rotation.from_rotvec([0.4, -0.3, 0.8]).as_matrix()


def beams(recipe="consistent"):
    section = BeamSection(1, STEEL, rectangle(0.02, 0.03), shear_y=0.8, shear_z=0.8)
    tip = bodies([6], 3.0, [0.1, 0.05, 0.2], np.diag([0.2, 0.3, 0.25]))
    return beam_model(straight(6, 3.0), section, extra=(tip,), mass_recipe=recipe).changed(supports=Supports.clamp([0]))


def shells(recipe="consistent"):
    points, cells = grid(6, 3, lambda x, y: (2.0 * x, y * (1.0 + 0.3 * x), 0.1 * x * x))
    model = shell_model(points, cells, plate_section(0.01, 7e10, 0.3, 2700.0), offset=0.004)
    edge = np.flatnonzero(points[:, 0] < 1e-9)
    return model.changed(supports=Supports.clamp(edge), mass_recipe=recipe)


def solids(recipe="consistent"):
    n = np.arange(5 * 2 * 2).reshape(5, 2, 2)
    points = np.stack(np.meshgrid(np.linspace(0, 2, 5), [0, 0.2], [0, 0.1], indexing="ij"), -1).reshape(-1, 3)
    corner = [
        n[:-1, 0, 0],
        n[1:, 0, 0],
        n[1:, 1, 0],
        n[:-1, 1, 0],
        n[:-1, 0, 1],
        n[1:, 0, 1],
        n[1:, 1, 1],
        n[:-1, 1, 1],
    ]
    cells = np.stack([c.ravel() for c in corner], axis=1)
    model = solid_model(points, cells, "hex8", STEEL)
    return model.changed(supports=Supports.clamp([0, 1, 2, 3], "123"), mass_recipe=recipe)


def record(structure, **options):
    return reduce(solve_modes(assemble(structure), count=5), **options)


def craft(*appendages, **facts) -> Vehicle:
    mounts = tuple(
        MountedAppendage(f"a{i}", a, "bus" if i == 0 else "arm", [0.3, 0.5 * i, 0.1], ATTITUDE, **facts)
        for i, a in enumerate(appendages)
    )
    return Vehicle(
        "craft",
        (Body("bus", 90.0, [0.1, 0.0, -0.2], [30.0, 35.0, 40.0]), Body("arm", 4.0, inertia=[1.0, 1.1, 0.9])),
        (hinge("h", "bus", "arm", [0, 0, 1], parent_point=[0.0, 0.6, 0.0], stiffness=5.0),),
        (Rotor("wheel", "bus", [1.0, 1.0, 0.0], 0.3),),
        mounts,
    )


def flown(vehicle, engine="recursive", duration=0.2, size=1.0):
    """A spinning craft with appendages bent by about ``size`` tenths of their length."""
    rng = np.random.default_rng(2)
    bent, moving = {}, {}
    for mount in vehicle.appendages:
        nodes = mount.record.nodes  # a torsion mode moves no node: its rotation counts by the meter
        reach = np.maximum(np.abs(nodes.translation).max(axis=(0, 1)), np.abs(nodes.rotation).max(axis=(0, 1)))
        soft = 1.0 / (1.0 + mount.record.frequencies_hz / 2.0)  # stiff modes bend less
        bent[mount.name] = size * 0.1 * soft * rng.normal(size=mount.record.count) / reach
        moving[mount.name] = size * 0.3 * rng.normal(size=mount.record.count) / reach
    start = State(
        velocity=[0.1, -0.2, 0.3],
        angular_velocity=[0.5, -0.3, 0.7],
        modal=bent,
        modal_rates=moving,
        joint_rates={"h": 0.4},
        rotor_rates={"wheel": 10.0},
    )
    return simulate(vehicle, duration, start, samples=5, engine=engine, rtol=1e-6)


def worst(vehicle, **options) -> float:
    return max(nodal_audit(flown(vehicle, **options), vehicle).values())


def agrees(vehicle, **options) -> None:
    """Round-off where nothing but bodies turns; else the field of the engine stands for that of the nodes to third degree.

    The gap falls 8 times when eta and eta' halve, 4 times if a term of second degree differed: the limit is their geometric mean.
    At a tenth of the length the cube is 1e-3.
    """
    gaps = [worst(vehicle, duration=1e-3, size=size, **options) for size in (1.0, 0.5, 0.25)]
    assert gaps[0] < ROUND_OFF or (gaps[0] < 1e-3 and gaps[1] / gaps[2] > np.sqrt(4.0 * 8.0))


@pytest.mark.parametrize("structure", [beams, shells, solids])
@pytest.mark.parametrize("recipe", ["consistent", "particles", "bodies"])
def test_totals_agree_with_the_elements(structure, recipe):
    if structure is solids and recipe == "bodies":
        recipe = "lumped"
    vehicle = craft(record(structure(recipe)))
    agrees(vehicle)
    if structure is solids or recipe == "particles":
        assert worst(vehicle) < ROUND_OFF


@pytest.mark.parametrize("structure", [beams, shells])
def test_families_and_their_nodes_agree(structure):
    """Geometric stiffness: moments by duality in the engine, the psi of every node here; the interior of elements follows the
    nodes only as fine as the mesh is, 1 % of what the families add.
    """
    vehicle = craft(record(structure("particles"), geometric=True))
    agrees(vehicle)


@pytest.mark.slow
def test_likins_engine_agrees_with_the_elements():
    assert worst(craft(record(solids())), engine="likins", duration=0.02) < ROUND_OFF


def test_mass_matrix_without_elements():
    """Nodal bodies known by their matrix alone; two appendages on two bodies."""
    model = bodies_on_springs()
    bare = matrices_of(model)
    plain = reduce(dense_basis(bare, held=(0,)), attachment=11)
    assert plain.sources[0].matrix is not None
    agrees(craft(plain, record(beams())))


def test_wrong_modal_integrals_are_seen():
    """Engine and integral audit share the record's integrals and agree; the nodes know better."""
    good = record(shells())
    usual = worst(craft(good))
    for word, factor in (("shape_shape", 1.3), ("position_shape", 1.01), ("translation", 1.01)):
        bad = good.changed(integrals=replace(good.integrals, **{word: factor * getattr(good.integrals, word)}))
        vehicle = craft(bad)
        table = recompute(flown(vehicle), vehicle)
        assert max(table["integrals"].values()) < ROUND_OFF
        assert max(table["nodes"].values()) > max(1e-7, 3.0 * usual), word


def test_wrong_shapes_are_seen():
    good = record(solids())
    nodes = replace(good.nodes, translation=1.001 * good.nodes.translation)
    assert worst(craft(good.changed(nodes=nodes))) > 1e-6


@pytest.mark.parametrize("change", ["shifted", "turned", "mirrored", "buckens", "placed", "file", "merged"])
def test_the_mass_follows_every_change_of_the_record(change, tmp_path):
    # between nodes, elements with a field of their own follow rotation vectors to first degree only
    good = record(beams("bodies" if change == "buckens" else "consistent"), attachment=1)
    changed = {
        "shifted": lambda: shifted(good, [0.3, -0.2, 0.5]),
        "turned": lambda: shifted(turned(good, ATTITUDE), [0.1, 0.2, 0.3]),
        "mirrored": lambda: mirrored(turned(good, ATTITUDE), [0.0, 0.6, 0.8]),
        "buckens": lambda: in_frame(good, "buckens"),
        "placed": lambda: placed(good, [5.0, 6.0, 7.0]),
        "file": lambda: load_record(save_record(shifted(good, [1.0, 0.0, 0.0]), tmp_path / "r.h5")),
        "merged": lambda: merged(
            [good.changed(name="b"), turned(record(shells(), name="s"), ATTITUDE)], point=[0.2, 0.1, 0.0]
        ),
    }[change]()
    assert len(changed.sources) == (2 if change == "merged" else 1)
    if change == "buckens":  # floats on its mount; its own body in the tree
        changed = changed.changed(attachment="attachment")
    vehicle = craft(changed)
    agrees(vehicle)


def test_moments_of_particles_are_sums():
    """Gamma of lumped mass equals sum m f f' with f = (1, r, u, u') of every node (no shape function between)."""
    appendage = record(solids("lumped"))
    rng = np.random.default_rng(0)
    eta, rate = rng.normal(size=(2, 3, appendage.count))
    gamma = mass_of_motion(appendage, eta, rate)
    r = appendage.nodes.positions
    volume = 2.0 * 0.2 * 0.1
    share = np.bincount(appendage.sources[0].structure.elements[0].nodes.ravel()) * 7800.0 * volume / 4 / 8
    for t in range(3):
        u, d = appendage.nodes.translation @ eta[t], appendage.nodes.translation @ rate[t]
        f = np.hstack([np.ones((len(r), 1)), r, u, d])
        wanted = np.einsum("n,ni,nj->ij", share, f, f)
        assert np.abs(gamma[t] - wanted).max() < 1e-12 * np.abs(wanted).max()


def test_the_run_stores_the_recomputed_totals(tmp_path):
    vehicle = craft(record(solids()), record(beams()).changed(sources=()))
    run = flown(vehicle)
    assert run.audited is None  # made when asked for
    table = run.recomputed
    assert table["nodal_appendages"] == ["a0"] and table["without_nodes"] == ["a1"] and table["nodal_times"] == 5
    assert max(table["nodes"].values()) < ROUND_OFF
    again = load_trajectory(save_trajectory(run, tmp_path / "run.h5"))
    assert again.recomputed == dict(table) and again.vehicle is None
    checkpoint = load_trajectory(save_trajectory(flown(vehicle), tmp_path / "part.h5", audit=False))
    assert checkpoint.recomputed == {}


def rigid(number, master, slaves, components=6):
    dofs = [[int(slave), c] for slave in slaves for c in range(components)]
    return RigidElement(number, [[master, c] for c in range(6)], dofs)


def with_rigid_tip(structure, recipe):
    """The far end of a structure tied to a node away from it that carries a body: its elements' mass moves on arms."""
    model = structure(recipe)
    x = model.nodes.positions
    edge, n = np.flatnonzero(x[:, 0] > x[:, 0].max() - 1e-9), len(x)
    nodes = Nodes(np.arange(1, n + 2), np.vstack([x, x[edge].mean(axis=0) + np.array([0.2, 0.3, 0.4])]))
    tie = rigid(1, n, edge, 3 if structure is solids else 6)
    tip = bodies([n], 3.0, [0.1, 0.05, 0.2], np.diag([0.2, 0.3, 0.25]))
    kept = tuple(block for block in model.elements if block.facts.shape != "body")
    return model.changed(nodes=nodes, elements=(*kept, tip), constraints=(tie,))


def bars_on_arms(recipe):
    """Bars between the ends of rigid arms, whose masters carry bodies: all of the bars' mass moves on arms."""
    count = 4
    model = beam_model(
        straight(count, 2.0) + np.array([0.0, 0.15, 0.1]),
        BeamSection(1, STEEL, rectangle(0.02, 0.03)),
        mass_recipe=recipe,
    )
    masters = straight(count, 2.0, (1.0, 0.01, 0.0))
    ends = np.vstack([model.nodes.positions, masters])
    tips = bodies(range(count + 2, 2 * count + 2), 0.5, [0.05, 0.2, -0.1], np.diag([0.002, 0.003, 0.0025]))
    arms = tuple(rigid(i + 1, count + 1 + i, [i]) for i in range(count + 1))
    return model.changed(
        nodes=Nodes(np.arange(1, len(ends) + 1), ends), elements=(*model.elements, tips), constraints=arms,
        supports=Supports.clamp([count + 1]),
    )  # fmt: skip


ON_ARMS = {
    "bars": bars_on_arms,
    "beams": partial(with_rigid_tip, beams),
    "shells": partial(with_rigid_tip, shells),
    "solids": partial(with_rigid_tip, solids),
}


@pytest.mark.parametrize("recipe", ["consistent", "lumped", "particles"])
@pytest.mark.parametrize("structure", ON_ARMS)
def test_mass_on_rigid_arms_is_counted_once(structure, recipe):
    """Ends of arms have their second degree as nodes; counted again by the moments of the arms, the gap fell only 4 times."""
    agrees(craft(record(ON_ARMS[structure](recipe))))
