"""Uncertain linear models: closed at any factors they are the model rebuilt with them; sampled systems against scipy."""

import itertools
import json
from pathlib import Path

import numpy as np
import pytest
from scipy.integrate import solve_ivp
from scipy.io import loadmat
from scipy.signal import cont2discrete
from support.command import run

import tisserand as ts
from tisserand.errors import InputError
from tisserand.exporters.statespace import state_space
from tisserand.exporters.uncertain_titop import uncertain_record
from tisserand.responses.sampled_system import LinearSystem
from tisserand.responses.uncertain_parts import varied_record
from tisserand.responses.uncertain_vehicle import _rebuilt, uncertain_vehicle
from tisserand.studies.vehicles import read_vehicle

MESHES = Path(__file__).parents[2] / "meshes"
HZ = np.array([0.01, 0.4, 1.1, 3.0, 9.0, 40.0])
ALL = {"frequency": 0.2, "damping": 0.5, "participation": 0.1, "mass": 0.1}


@pytest.fixture(scope="module")
def record():
    basis = ts.solve_modes(ts.assemble(ts.read_model(MESHES / "boom.bdf", units="SI")), count=4)
    return ts.reduce(basis, attachment=1, damping=0.004, name="boom", interfaces={"tip": 25})


def drawn(model, seed):
    """Factors inside their ranges; participations below one, so that every rebuilt record is realizable."""
    values = np.random.default_rng(seed).uniform(-1.0, 1.0, len(model.factors))
    found = {f.name: f.middle + f.half * d for f, d in zip(model.factors, values)}
    return {name: min(v, 2.0 - v) if "participation" in name else v for name, v in found.items()}


def rebuilt(record, values, outputs):
    s = state_space(varied_record(record, values))
    return LinearSystem(s.A, s.B, s.C[:outputs], s.D[:outputs], s.states, s.inputs, s.outputs[:outputs]).response(HZ)


def agree(ours, theirs, limit=1e-10):
    assert np.abs(ours - theirs).max() < limit * np.abs(theirs).max()
    for o, i in np.ndindex(theirs.shape[1:]):
        if np.abs(theirs[:, o, i]).max() > 1e-6 * np.abs(theirs).max():
            assert np.abs(ours[:, o, i] - theirs[:, o, i]).max() < limit * np.abs(theirs[:, o, i]).max()


@pytest.mark.parametrize("seed", [1, 2, 3])
def test_a_record_closed_at_any_factors_is_the_record_rebuilt(record, seed):
    """All four kinds on four modes with a loaded port: within 1e-10 of the two-port of the varied record, channel by channel."""
    model = uncertain_record(record, **ALL)
    values = drawn(model, seed)
    agree(model.sample(values).response(HZ), rebuilt(record, values, len(model.outputs)))
    assert np.abs(model.sample(values).response(HZ) - model.nominal.response(HZ)).max() > 1e-3


def test_blocks_are_as_small_as_the_physics_allow(record):
    """s², s d, g² and six directions of mass; a port of six loads adds four, the rank of the shapes of four modes."""
    model = uncertain_record(record, **ALL)
    repeats = {factor.name: factor.repeats for factor in model.factors}
    for mode in ("mode 1", "mode 4"):
        assert [repeats[f"{mode} {kind}"] for kind in ("frequency", "damping", "participation")] == [2, 1, 2]
    assert repeats["mass"] == 6 + 4
    assert model.channels == sum(repeats.values()) == len(model.B[0]) - len(model.inputs)
    assert np.abs(model.deltas()).max() == 0.0
    few = uncertain_record(record, frequency=0.1, modes=2, ranges={"mode 2 frequency": 0.0, "mode 1 damping": 0.3})
    assert [(f.name, f.repeats, f.low) for f in few.factors] == [
        ("mode 1 frequency", 2, 0.9),
        ("mode 1 damping", 1, 0.7),
    ]


def test_the_frequency_of_one_mode_moves_its_pole(record):
    """Closed form: poles at s w (-z ± i sqrt(1 - z²)), z = d zeta, for every mode, within 1e-10."""
    model = uncertain_record(record, frequency=0.2, damping=0.5)
    values = drawn(model, 7)
    poles = np.linalg.eigvals(model.sample(values).A)
    wanted = []
    for n, mode in enumerate(record.mode_names):
        w = 2 * np.pi * record.frequencies_hz[n] * values[f"{mode} frequency"]
        z = 0.004 * values[f"{mode} damping"]
        wanted.append(w * complex(-z, np.sqrt(1 - z * z)))
    found = sorted(poles[poles.imag > 0], key=lambda p: p.imag)
    assert found == pytest.approx(sorted(wanted, key=lambda p: p.imag), rel=1e-9)


VEHICLE = """
[bodies.bus]
mass = 420.0
inertia = [110.0, 300.0, 380.0]
[bodies.drive]
mass = 3.0
inertia = [0.01, 0.01, 0.01]
[joints.sadm]
parent = "bus"
child = "drive"
parent_point = [0.0, 0.8, 0.1]
axis = [0.0, 1.0, 0.0]
stiffness = 50.0
damping = 0.2
[appendages.wing]
record = "wing.h5"
body = "drive"
attitude = { axis = [0.0, 0.0, 1.0], angle_deg = 90.0 }
[loads.slew]
kind = "torque"
body = "bus"
direction = [1.0, 0.0, 0.0]
strength = 0.0
[loads.push]
kind = "node_force"
appendage = "wing"
node = "tip"
direction = [0.0, 0.0, 1.0]
strength = 0.0
[sensors.turn]
kind = "attitude"
body = "bus"
direction = [1.0, 0.0, 0.0]
[sensors.rate]
kind = "rate"
body = "bus"
direction = [1.0, 1.0, 0.0]
[sensors.tip]
kind = "deflection"
appendage = "wing"
node = "tip"
direction = [0.0, 0.0, 1.0]
[simulation]
duration = 1.0
"""


@pytest.fixture(scope="module")
def vehicle(record, tmp_path_factory):
    folder = tmp_path_factory.mktemp("uncertain")
    ts.save_record(record, folder / "wing.h5")
    (folder / "craft.toml").write_text(VEHICLE)
    return folder / "craft.toml"


def test_a_vehicle_closed_at_any_factors_is_the_vehicle_rebuilt(vehicle):
    """A wing on a soft drive, loaded at its tip: every channel within 1e-10 of the vehicle with the varied record."""
    case = read_vehicle(vehicle, {})
    loads, seen = list(case.loads), (*case.sensors, *case.measurements)
    model = uncertain_vehicle(case.vehicle, case.initial, loads=loads, outputs=seen, **ALL)
    assert {f.name: f.repeats for f in model.factors}["wing mass"] == 6 + 1  # and one load on its modes
    for seed in (4, 5):
        values = drawn(model, seed)
        linear = ts.linearize(_rebuilt(case.vehicle, values), case.initial, loads=loads, outputs=seen)
        theirs = LinearSystem(linear.A, linear.B, linear.C, linear.D, model.states, linear.inputs, linear.outputs)
        agree(model.sample(values).response(HZ), theirs.response(HZ))


def oscillator():
    A = np.array([[0.0, 1.0], [-9.0, -0.3]])
    return LinearSystem(
        A, np.array([[0.0], [1.0]]), np.array([[1.0, 0.0]]), np.array([[0.2]]), ("x", "v"), ("u",), ("y",)
    )


def test_a_hold_is_that_of_scipy():
    plain = oscillator()
    ours = plain.sampled(0.1)
    theirs = cont2discrete((plain.A, plain.B, plain.C, plain.D), 0.1, method="zoh")
    for a, b in zip((ours.A, ours.B, ours.C, ours.D), theirs):
        assert a == pytest.approx(b, abs=1e-14)


@pytest.mark.parametrize("delay", [0.03, 0.1, 0.17, 0.2, 0.3])
def test_delays_of_any_part_of_a_step_are_exact(delay):
    """Inputs held and delayed, against an integration with the same staircase (rtol 1e-11): outputs at samples within 1e-8."""
    plain, step = oscillator(), 0.1
    held = plain.sampled(step, delay=delay)
    u = np.random.default_rng(0).normal(size=12)

    def acting(t):
        k = int(np.floor((t - delay) / step + 1e-9))
        return u[k] if 0 <= k < len(u) else 0.0

    x, y, _t = np.zeros(2), [], 0.0
    marks = np.unique(np.round([*(step * np.arange(13)), *(delay + step * np.arange(12))], 12))
    for k in range(12):
        y.append(plain.C[0] @ x + plain.D[0, 0] * acting(k * step))
        inner = [m for m in marks if k * step - 1e-9 <= m <= (k + 1) * step + 1e-9]
        for a, b in itertools.pairwise(inner):
            push = acting(0.5 * (a + b))
            x = solve_ivp(lambda _, z, p=push: plain.A @ z + plain.B[:, 0] * p, (a, b), x, rtol=1e-11, atol=1e-13).y[
                :, -1
            ]
    z, ours = np.zeros(len(held.A)), []
    for value in u:
        ours.append(float((held.C @ z + held.D @ [value])[0]))
        z = held.A @ z + held.B @ [value]
    assert ours == pytest.approx(y, abs=1e-8)


def test_command_study_file_and_python_write_the_same(vehicle, tmp_path):
    wing = vehicle.parent / "wing.h5"
    options = ["--frequency", "0.1", "--mass", "0.05", "-n", "2", "--samples", "3", "--seed", "5", "--step", "0.05"]
    files = ["--delay", "0.07", "-o", tmp_path / "a.mat", "--plot", tmp_path / "a.png"]
    done = run("uncertain", wing, *options, *files, "--json")
    assert done.exit_code == 0, done.stderr
    told = json.loads(done.stdout)
    assert [f["repeats"] for f in told["factors"]] == [10, 2, 2]
    (tmp_path / "s.toml").write_text(
        f'[uncertain]\nsource = "{wing}"\nfrequency = 0.1\nmass = 0.05\nmodes = 2\nsamples = 3\nseed = 5\nstep = 0.05\n'
        f'delay = 0.07\noutput = "{tmp_path / "b.mat"}"\n'
    )
    assert run("study", tmp_path / "s.toml").exit_code == 0
    made = ts.uncertain(wing, frequency=0.1, mass=0.05, modes=2, samples=3, seed=5, step=0.05, delay=0.07,
                        output=tmp_path / "c.npz")  # fmt: skip
    a, b, c = loadmat(tmp_path / "a.mat"), loadmat(tmp_path / "b.mat"), np.load(tmp_path / "c.npz")
    for word in ("A", "B", "C", "D", "blk", "family_A", "family_sampled_B", "sampled_A", "family_deltas"):
        assert np.array_equal(a[word], b[word])
        assert a[word] == pytest.approx(c[word].reshape(a[word].shape), abs=0.0)
    assert (a["blk"] == [[-10, 0], [-2, 0], [-2, 0]]).all() and (tmp_path / "a.png").stat().st_size > 5000
    deltas, systems = made.model.family(3, seed=5)
    assert a["family_A"][:, :, 1] == pytest.approx(systems[1].A, abs=0.0)
    assert a["family_deltas"] == pytest.approx(deltas)


def test_python_control_has_the_same_system(record):
    control = pytest.importorskip("control")
    model = uncertain_record(record, frequency=0.1, modes=1)
    whole, nominal = model.to_control(), model.nominal.to_control()
    assert whole.ninputs == model.channels + len(model.inputs) and isinstance(nominal, control.StateSpace)
    assert nominal(2j * np.pi * 3.0) == pytest.approx(model.nominal.response(np.array([3.0]))[0], rel=1e-9, abs=1e-12)
    assert model.nominal.sampled(0.1, delay=0.05).to_control().dt == 0.1


def test_mistakes_are_one_sentence(record, vehicle, tmp_path):
    wing = vehicle.parent / "wing.h5"
    for options, words in (
        ([], "nothing is uncertain"),
        (["--frequency", "1.2"], "below 1"),
        (["--ranges", "mode 9 frequency=0.1"], "unknown uncertain factor"),
        (["--frequency", "0.1", "--delay", "0.1"], "step"),
        (["--frequency", "0.1", "--set", "name=x"], "vehicle file"),
    ):
        done = run("uncertain", wing, *options, "-o", tmp_path / "x.mat")
        assert done.exit_code == 2 and words in done.stderr, (options, done.stderr)
        assert not (tmp_path / "x.mat").exists()
    model = uncertain_record(record, frequency=0.1)
    with pytest.raises(InputError, match=r"outside its range.*mode 1 frequency|mode 1 frequency.*outside its range"):
        model.sample({"mode 1 frequency": 1.2})
