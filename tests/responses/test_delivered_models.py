"""Delivered models: checks against pyYeti, recovery against statics, files, coupling against the whole."""

import io
from dataclasses import replace

import numpy as np
import pytest
from pyyeti import cb
from pyyeti.nastran import n2p, op4
from support.chains import chain

import tisserand as ts
from tisserand.errors import InputError, RecordError
from tisserand.exporters.delivered_files import matrices_of, write_delivered
from tisserand.modes import solve_modes
from tisserand.readers.matrices import read_matrices
from tisserand.responses.base_drive import shaken
from tisserand.responses.deliver import deliver, reduce_to_interface
from tisserand.responses.delivered_file import load_delivered, save_delivered
from tisserand.responses.delivery_checks import check_delivered, fixed_modes, free_modes, natural
from tisserand.responses.joined_models import join_models
from tisserand.responses.recovery_matrix import RecoveryMatrix


@pytest.fixture(scope="module")
def panel():
    """A free plate, and the ids of its corners."""
    model = ts.assemble(ts.plate(1.2, 0.8, ts.sheet(ts.ALUMINUM, 0.004), elements=(6, 4)))
    x = model.nodes.positions
    corners = [int(model.nodes.ids[np.argmin(np.linalg.norm(x - p, axis=1))]) for p in _corners(x)]
    return model, corners


def _corners(x):
    low, high = x.min(axis=0), x.max(axis=0)
    return [(low[0], low[1], 0), (high[0], low[1], 0), (high[0], high[1], 0), (low[0], high[1], 0)]


@pytest.fixture(scope="module")
def delivered(panel):
    model, corners = panel
    return deliver(reduce_to_interface(model, corners, fmax_hz=40.0), nodes=[int(model.nodes.ids[17])])


def cbcheck(model):
    """What pyYeti finds, its rigid motions normalized to the basic origin."""
    uset = None
    for node, place in zip(model.nodes.ids, model.nodes.positions):
        uset = n2p.addgrid(uset, int(node), "b", 0, place, 0)
    b = np.arange(len(model.physical))
    text = io.StringIO()
    out = cb.cbcheck(text, model.mass, model.stiffness, b, b[:6], uset, uref=[0.0, 0.0, 0.0], rb_norm=True)
    return out, text.getvalue()


def test_the_checks_are_those_of_pyyeti(delivered):
    """cbcheck of pyYeti 1.4 on the same matrices: rigid motions three ways, masses, frequencies, effective masses within 1e-6."""
    ours = check_delivered(delivered)
    theirs, _ = cbcheck(delivered)
    nb = len(delivered.physical)
    for name, rb in (("stiffness", theirs.rbs), ("eigensolution", theirs.rbe)):
        mass = rb.T @ theirs.m @ rb
        assert ours.rigid_mass[name] == pytest.approx(mass, abs=1e-6 * np.abs(mass).max())
        _, center, _, _, inertia, _ = cb.cgmass(0.5 * (mass + mass.T), all6=True)
        assert ours.properties[name].center == pytest.approx(center, abs=1e-6)
        assert ours.properties[name].inertia == pytest.approx(inertia, rel=1e-6, abs=1e-6 * np.abs(inertia).max())
    assert ours.rigid["geometry"][:nb] == pytest.approx(theirs.rbg, abs=1e-9)
    assert ours.energy["geometry"] == pytest.approx(theirs.rbg.T @ theirs.k[:nb, :nb] @ theirs.rbg, abs=1e-4)
    assert ours.fixed_hz == pytest.approx(theirs.cb_frq, rel=1e-6)
    assert ours.effective_percent == pytest.approx(theirs.effmass_percent.to_numpy(), abs=1e-4)
    text = cbcheck(delivered)[1]
    start = text.index("FREE-FREE MODES")
    printed = [float(line.split()[1]) for line in text[start:].splitlines()[4:29] if len(line.split()) == 2]
    n = min(len(printed), len(ours.free_hz))
    assert n > 12 and ours.free_hz[6:n] == pytest.approx(printed[6:n], rel=1e-6, abs=1e-6)
    assert ours.passed and "FIXED-BASE MODES" in ours.text()


def test_a_grounded_model_fails_its_check(delivered):
    stiffness = delivered.stiffness.copy()
    stiffness[2, 2] += 1e3
    found = check_delivered(replace(delivered, stiffness=stiffness))
    assert not found.passed
    assert next(row.name for row in found.rows.rows if not row.passed) == "grounding force"


@pytest.mark.parametrize("method", ["craig-bampton", "craig-chang", "macneal", "irs", "serep", "guyan"])
def test_free_frequencies_of_every_reduction(panel, method):
    """Against the full model: the first elastic mode to the quality that each method claims; SEREP exactly."""
    model, corners = panel
    kept = {} if method in ("irs", "serep", "guyan") else {"count": 12}
    spread = [f"{n}:3" for n in model.nodes.ids[1:-1:4] if n not in corners]
    items = [f"{corners[0]}:123", f"{corners[2]}:23", *spread] if method == "serep" else corners
    part = deliver(reduce_to_interface(model, items, method=method, free=True, **kept))
    ours = np.sqrt(np.abs(free_modes(part)[0][6:])) / (2 * np.pi)
    full = solve_modes(model, free=True, count=6).frequencies_hz
    limit = {"craig-bampton": 2e-3, "craig-chang": 2e-3, "macneal": 2e-3, "serep": 1e-6, "irs": 0.05, "guyan": 0.3}
    assert ours[0] == pytest.approx(full[0], rel=limit[method])
    if method == "serep":
        assert ours[:6] == pytest.approx(full, rel=1e-6)


def test_mixed_boundary_is_exact_where_the_part_is_held_so(panel):
    """Two corners held and two loose: modes with the first two held are those of the full model; free ones within 0.2 %."""
    model, corners = panel
    part = deliver(reduce_to_interface(model, corners[:2], loose=corners[2:], method="mixed", fmax_hz=60.0))
    assert len(part.physical) == 24 and check_delivered(part).passed
    held = ts.Supports.clamp(model.nodes.indices(corners[:2]))
    full = solve_modes(model, supports=held, fmax_hz=60.0).frequencies_hz
    rest = [i for i, c in enumerate(part.coordinates) if c.node is None or c.node > 1]
    values = natural(part.stiffness[np.ix_(rest, rest)], part.mass[np.ix_(rest, rest)])[0]
    assert len(full) > 5
    assert np.sqrt(values[: len(full)]) / (2 * np.pi) == pytest.approx(full, rel=1e-6)
    free = solve_modes(model, free=True, count=4).frequencies_hz
    assert np.sqrt(free_modes(part)[0][6:10]) / (2 * np.pi) == pytest.approx(free, rel=2e-3)


def test_dampers_of_the_structure_push_the_interface(tmp_path):
    """A mass on a spring and a damper, shaken: the force at the base is |m (c s + k) / (m s² + c s + k)|; files keep the rows."""
    m, c, k = 2.0, 60.0, 3e5
    one = chain((m,), (k,), base=1.0)
    D = np.zeros((7, 7))
    D[6, 6] = c  # the coordinate is relative to the base
    rows = tuple(i.named(i.name) for i in one.recoveries if i.name != "spring")
    spring = RecoveryMatrix("both", "LTM", ("force",), ("N",), k * np.eye(7)[6:], np.zeros((1, 7)), c * np.eye(7)[6:])
    model = replace(one, damping=D, recoveries=(*rows, spring))
    save_delivered(model, tmp_path / "damped.h5")
    model = load_delivered(tmp_path / "damped.h5")
    assert matrices_of(model)["LTMV"].shape == (2, 7)
    system = shaken(model, damping=0.0)
    hz = np.geomspace(5.0, 400.0, 60)
    s = 2j * np.pi * hz
    wanted = m * (c * s + k) / (m * s**2 + c * s + k)
    found = system.response(hz, 2)
    base = found[:, system.labels.index("interface force: z")] - 1.0  # the base itself
    assert np.abs(base - wanted).max() < 1e-9 * np.abs(wanted).max()
    assert np.abs(-found[:, system.labels.index("both: force")] - wanted).max() < 1e-9 * np.abs(wanted).max()
    assert system.ratios == pytest.approx(c / (2 * np.sqrt(k * m)))
    D[0, 0] = c
    with pytest.raises(InputError, match="fixed to the ground"):
        shaken(replace(model, damping=D), damping=0.0)


def test_irs_is_closer_than_guyan(panel):
    model, corners = panel
    full = solve_modes(model, free=True, count=3).frequencies_hz
    error = {}
    for method in ("guyan", "irs"):
        part = deliver(reduce_to_interface(model, corners, method=method, free=True))
        error[method] = np.abs(np.sqrt(free_modes(part)[0][6:9]) / (2 * np.pi) / full - 1)
    assert (error["irs"] < 0.3 * error["guyan"]).all()


def boom():
    return ts.assemble(ts.boom(2.0, ts.tube(0.05, 0.002), ts.ALUMINUM, elements=10))


def test_section_element_and_interface_forces_of_a_uniform_acceleration():
    """Statics: the root of a beam accelerated sideways carries its mass times the acceleration, a cut what lies beyond it."""
    model = boom()
    ids, x = model.nodes.ids, model.nodes.positions
    along = int(np.argmax(np.ptp(x, axis=0)))
    root, tip = int(ids[np.argmin(x[:, along])]), int(ids[np.argmax(x[:, along])])
    cut = x[:, along].min() + 1.3
    axis = "xyz"[along]
    side = (along + 1) % 3
    part = deliver(
        reduce_to_interface(model, [root], count=3, inertia_relief=True),
        nodes=[tip], sections={"cut": f"{axis}>{cut:.12g}"}, elements={"root": [int(model.structure.elements[0].ids[0])]},
    )  # fmt: skip
    g = 9.81
    q2 = part.rigid[:, side] * g  # accelerations of a rigid base
    rest = part.modal
    q = np.zeros(len(part))
    q[rest] = np.linalg.solve(part.stiffness[np.ix_(rest, rest)], -(part.mass @ q2)[rest])
    mass = model.mass_properties().mass
    net = part.recovery("net interface force").rows(q, q2)
    assert net[side] == pytest.approx(mass * g, rel=1e-8)
    beyond = x[:, along] > cut
    S = np.where(beyond[model.dofs.node][:, None], model.rigid_body_vectors, 0.0)
    outboard = float((S.T @ (model.mass @ model.rigid_body_vectors))[side, side])
    section = part.recovery("section cut").rows(q, q2)
    assert section[side] == pytest.approx(outboard * g, rel=1e-6)
    assert section[along] == pytest.approx(0.0, abs=1e-6 * mass * g)
    shear = np.hypot(*(part.recovery(f"root shear {w}").rows(q, q2)[0] for w in "yz"))
    element = mass * g * (1.0 - 0.5 / 10)  # half an element's mass is at the root
    assert shear == pytest.approx(element, rel=1e-6)
    deflection = part.recovery("displacement").rows(q, q2)[side]
    tube = np.pi / 4 * (0.025**4 - 0.023**4)
    closed = -mass / 2.0 * g * 2.0**4 / (8 * ts.ALUMINUM.young * tube)
    assert deflection == pytest.approx(closed, rel=0.02)  # thin-walled shear and the chain of ten elements


def test_dofs_without_mass_and_stiffness_are_dropped_by_name():
    """Corners of a brick have no rotations; a node that nothing uses has nothing."""
    model = ts.assemble(ts.block((0.3, 0.2, 0.1), ts.ALUMINUM, elements=(3, 2, 1)))
    x = model.nodes.positions
    feet = [int(model.nodes.ids[np.argmin(np.linalg.norm(x - [*p[:2], x[:, 2].min()], axis=1))]) for p in _corners(x)]
    made = reduce_to_interface(model, feet, count=4)
    assert made.dropped == tuple(f"node {n} R{c}" for n in feet for c in (1, 2, 3))
    assert len(made.component.physical) == 12
    assert check_delivered(deliver(made)).passed


def test_files_keep_everything(delivered, tmp_path):
    save_delivered(delivered, tmp_path / "part.h5")
    again = load_delivered(tmp_path / "part.h5")
    assert again.coordinates == delivered.coordinates and again.notes == delivered.notes
    for word in ("mass", "stiffness", "rigid"):
        assert np.array_equal(getattr(again, word), getattr(delivered, word))
    for a, b in zip(again.recoveries, delivered.recoveries, strict=True):
        assert (a.name, a.kind, a.labels, a.units) == (b.name, b.kind, b.labels, b.units)
        assert np.array_equal(a.displacement, b.displacement) and np.array_equal(a.acceleration, b.acceleration)
    assert ts.open(tmp_path / "part.h5").kind == "delivered"
    wanted = matrices_of(delivered)
    write_delivered(delivered, "op4", tmp_path / "part.op4")
    found = op4.read(str(tmp_path / "part.op4"))
    for name, matrix in wanted.items():
        assert found[name.lower()] == pytest.approx(matrix, rel=1e-14, abs=0.0)
    write_delivered(delivered, "dmig", tmp_path / "part.pch")
    punched = read_matrices(tmp_path / "part.pch", "SI")
    assert punched.size == len(delivered)
    hz = np.sqrt(np.abs(free_modes(delivered)[0][6:12])) / (2 * np.pi)
    from scipy.linalg import eigh

    values = eigh(punched.stiffness.toarray(), punched.mass.toarray(), eigvals_only=True)
    assert np.sqrt(values[6:12]) / (2 * np.pi) == pytest.approx(hz, rel=1e-6)


def test_a_file_of_another_kind_is_refused(tmp_path):
    import h5py

    with h5py.File(tmp_path / "other.h5", "w") as file:
        file.attrs["kind"] = "something"
    with pytest.raises(RecordError, match="not a delivered model"):
        load_delivered(tmp_path / "other.h5")


def test_coupled_halves_are_the_whole():
    """Two booms, delivered apart and joined at a node: the modes of the boom of twice the length, and its recovery."""
    from tisserand.model import Nodes

    long = ts.assemble(ts.boom(4.0, ts.tube(0.05, 0.002), ts.ALUMINUM, elements=20))
    first = ts.boom(2.0, ts.tube(0.05, 0.002), ts.ALUMINUM, elements=10)
    x = first.nodes.positions
    along = int(np.argmax(np.ptp(x, axis=0)))
    step = np.zeros(3)
    step[along] = 2.0
    second = first.changed(nodes=Nodes(first.nodes.ids + 10, x + step), name="second", supports=ts.Supports())
    a, b = ts.assemble(first.changed(name="first", supports=ts.Supports())), ts.assemble(second)
    joint = int(a.nodes.ids[-1])
    assert joint == int(b.nodes.ids[0])
    tip = int(b.nodes.ids[-1])
    parts = [
        deliver(reduce_to_interface(a, [int(a.nodes.ids[0]), joint], count=20)),
        deliver(reduce_to_interface(b, [joint], count=20), nodes=[tip]),
    ]
    joined = join_models(parts)
    hz = np.sqrt(np.abs(free_modes(joined.system)[0])) / (2 * np.pi)
    full = solve_modes(long, free=True, count=8)
    assert hz[6:12] == pytest.approx(full.frequencies_hz[:6], rel=1e-4)
    assert joined.system.mass_properties().mass == pytest.approx(long.mass_properties().mass, rel=1e-9)
    shapes = free_modes(joined.system)[1][:, 6:8]
    rows = joined.system.recovery("second: displacement").rows(shapes, 0.0 * shapes)
    place = long.nodes.indices([int(long.nodes.ids[-1])])[0]
    wanted = long.displacements(full.shapes[:, :2])[place, :3]
    assert np.linalg.norm(rows) == pytest.approx(np.linalg.norm(wanted), rel=1e-4)
    shares = joined.strain_shares(free_modes(joined.system)[1][:, 6:10])
    assert shares.sum(axis=0) == pytest.approx(1.0)
    assert shares[:, 0] == pytest.approx(0.5, abs=0.02)  # the first bending modes are symmetric


def test_mistakes_are_one_sentence(panel, delivered):
    model, corners = panel
    for wrong, options, text in (
        ([999_999], {"count": 2}, "no such node"),
        ([f"{corners[0]}:7"], {"count": 2}, "digits from 1 to 6"),
        ([corners[0], f"{corners[0]}:3"], {"count": 2}, "named twice"),
        (corners, {}, "which modes to keep"),
        (corners, {"count": 2, "fmax_hz": 3.0}, "which modes to keep"),
        (corners, {"method": "guyan", "count": 2}, "no modes to choose"),
        (corners, {"method": "mixed", "count": 2}, "free in the modes"),
    ):
        with pytest.raises(InputError, match=text):
            reduce_to_interface(model, wrong, **options)
    with pytest.raises(InputError, match="unknown recovery matrix"):
        delivered.recovery("nothing")
    with pytest.raises(InputError, match="at least two"):
        join_models([delivered])
    with pytest.raises(InputError, match="both sides"):
        deliver(reduce_to_interface(model, corners, count=2), sections={"far": "x>100"})


def test_fixed_modes_are_those_of_the_full_model(panel, delivered):
    model, corners = panel
    clamped = ts.Supports.clamp(model.nodes.indices(corners))
    full = solve_modes(model, supports=clamped, fmax_hz=80.0).frequencies_hz
    assert fixed_modes(delivered)[0] == pytest.approx(full, rel=1e-8)
