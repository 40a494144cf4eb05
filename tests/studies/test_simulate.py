"""Vehicle files flown through the command line: results, checkpoints, analyses."""

import time
from multiprocessing import get_context

import numpy as np
import pytest
from support.appendages import random_bodies
from support.command import run

from tisserand.appendage import save_record
from tisserand.multibody import load_trajectory
from tisserand.multibody.frequency_response import frequency_response
from tisserand.multibody.vehicle_file.linear_case import linear_model, modes_of_case
from tisserand.studies.simulate import simulate
from tisserand.studies.vehicles import read_vehicle

FREE = """
name = "free craft"

[bodies.bus]
mass = 80.0
inertia = [60.0, 50.0, 70.0]

[appendages.wing]
record = "wing.h5"
body = "bus"
position = [0.0, 0.9, 0.0]

[sensors.tip]
kind = "deflection"
appendage = "wing"
node = "tip"
direction = [0.0, 0.0, 1.0]

[sensors.rate]
kind = "rate"
body = "bus"
direction = [1.0, 0.0, 0.0]

[loads.kick]
kind = "torque"
body = "bus"
direction = [1.0, 0.0, 0.0]
strength = { shape = "versine", value = 5.0, duration = 1.0 }

[initial]
angular_velocity = [0.01, 0.02, 0.0]

[simulation]
duration = 5.0
output_step = 0.05
rtol = 1e-9
"""


@pytest.fixture
def vehicle(tmp_path):
    save_record(random_bodies(0), tmp_path / "wing.h5")
    path = tmp_path / "vehicle.toml"
    path.write_text(FREE)
    return path


def test_simulate_json_contract_and_files(vehicle, tmp_path):
    result = run(
        "simulate",
        vehicle,
        "-o",
        tmp_path / "run.h5",
        "--csv",
        tmp_path / "run.csv",
        "--plot",
        tmp_path / "run.png",
        "--json",
    )
    assert result.exit_code == 0, result.stderr
    data = result.data
    assert data["complete"] and data["final_time"] == pytest.approx(5.0)
    assert data["worst_energy_violation"] < 1e-7 and data["worst_angular_momentum_violation"] < 1e-7
    assert set(data["final_state"]) >= {"attitude", "angular_velocity", "modal"}
    trajectory = load_trajectory(tmp_path / "run.h5")
    assert trajectory.attitude[-1] == pytest.approx(data["final_state"]["attitude"])
    assert len(trajectory.times) == 101 and np.all(np.diff(trajectory.times) > 0.0)
    table = np.genfromtxt(tmp_path / "run.csv", delimiter=",", skip_header=1)
    assert table.shape[0] == 101 and table[:, 0] == pytest.approx(trajectory.times)
    assert (tmp_path / "run.png").stat().st_size > 10_000


def test_segments_join_into_the_run_without_seams(vehicle, tmp_path):
    """Ten checkpoints give the same trajectory as one piece, to the integrator's tolerance; work and impulse go on."""
    run("simulate", vehicle, "-o", tmp_path / "ten.h5")
    vehicle.write_text(FREE + "segment = 5.0\n")
    run("simulate", vehicle, "-o", tmp_path / "one.h5")
    ten, one = load_trajectory(tmp_path / "ten.h5"), load_trajectory(tmp_path / "one.h5")
    assert ten.times == pytest.approx(one.times)
    assert ten.attitude == pytest.approx(one.attitude, abs=1e-7)
    assert ten.balance.work == pytest.approx(one.balance.work, abs=1e-6 * np.abs(one.balance.work).max())
    assert ten.balance.worst()["energy"] < 1e-7


def test_the_report_of_a_run(vehicle, tmp_path):
    run("simulate", vehicle, "-o", tmp_path / "run.h5")
    result = run("report", tmp_path / "run.h5", "-o", tmp_path / "run.html", "--json")
    assert result.exit_code == 0
    page = (tmp_path / "run.html").read_text()
    assert "replay-data" in page and "Balance sheet" in page


def test_an_event_stops_the_run_and_says_so(vehicle, tmp_path):
    vehicle.write_text(FREE + "\n[events.fast]\nsensor = 'rate'\nlevel = 0.03\ndirection = 'rising'\nstop = true\n")
    data = run("simulate", vehicle, "--json").data
    assert not data["complete"] and data["events"][0]["name"] == "fast"
    assert 0.0 < data["final_time"] < 5.0


def test_system_modes_agree_with_the_frequency_response(vehicle):
    """|tip/kick| peaks at the system modes: two routes through the linear model."""
    case = read_vehicle(vehicle)
    modes = modes_of_case(case)
    model = linear_model(case, closed_loop=True)
    assert model.inputs == ("kick",) and model.outputs == ("tip", "rate")
    f = modes.frequencies_hz[0]
    hz = np.linspace(0.9 * f, 1.1 * f, 801)
    peak = hz[np.argmax(np.abs(frequency_response(model, hz)[:, 0, 0]))]
    assert peak == pytest.approx(f, rel=5e-3)


def test_static_gain_of_a_rigid_body(vehicle):
    """At rest and far below the modes: rate/torque = (I^-1)_xx / (i w) with I of the whole craft about its mass center."""
    vehicle.write_text(FREE.replace("angular_velocity = [0.01, 0.02, 0.0]", ""))
    case = read_vehicle(vehicle)
    model = linear_model(case, closed_loop=True)
    low = 1e-4
    gain = abs(frequency_response(model, np.array([low]))[0, 1, 0]) * 2 * np.pi * low
    from tisserand.multibody.equilibrium import vehicle_inertia

    inertia = vehicle_inertia(case.vehicle, case.initial)
    assert gain == pytest.approx(np.linalg.inv(inertia)[0, 0], rel=1e-5)


def test_linearize_system_modes_response_and_sweep_commands(vehicle, tmp_path):
    vehicle.write_text(FREE.replace("angular_velocity = [0.01, 0.02, 0.0]", ""))
    linear = run("linearize", vehicle, "-o", tmp_path / "lin.npz", "--json")
    assert linear.exit_code == 0, linear.stderr
    with np.load(tmp_path / "lin.npz") as data:
        assert data["A"].shape[0] == linear.data["states"] == 2 * (6 + 4)
    base = run("system-modes", vehicle, "--json").data["frequencies_hz"]
    swept = run(
        "sweep",
        vehicle,
        "--over",
        "bodies.bus.mass=80,160",
        "-o",
        tmp_path / "s.csv",
        "--plot",
        tmp_path / "s.png",
        "--json",
    ).data
    assert swept["samples"][0]["result"]["frequencies_hz"] == pytest.approx(base, rel=1e-9)
    assert swept["samples"][1]["result"]["frequencies_hz"][0] < base[0]
    response = run(
        "response",
        vehicle,
        "--from",
        0.1,
        "--to",
        5,
        "--points",
        20,
        "-o",
        tmp_path / "r.csv",
        "--plot",
        tmp_path / "r.png",
        "--json",
    )
    assert np.shape(response.data["magnitude"])[1:] == (2, 1)
    assert len(response.data["hz"]) >= 20  # more are added around poles
    assert (tmp_path / "r.png").exists() and (tmp_path / "s.csv").read_text().count("\n") == 3


def test_sweep_failures_are_recorded_not_fatal(vehicle):
    data = run("sweep", vehicle, "--over", "bodies.bus.mass=80,-1", "--json").data
    assert data["failures"] == 1 and "bodies.bus.mass" in data["samples"][1]["failure"]
    assert data["samples"][0]["failure"] is None


def test_monte_carlo_is_repeatable(vehicle, tmp_path):
    options = ["montecarlo", vehicle, "--vary", "bodies.bus.mass=normal:80:5", "-n", 3, "--seed", 4, "--json"]
    first, again = run(*options).data, run(*options).data
    assert [s["values"] for s in first["samples"]] == [s["values"] for s in again["samples"]]
    assert [s["result"]["peak"] for s in first["samples"]] == [s["result"]["peak"] for s in again["samples"]]
    assert len({s["values"]["bodies.bus.mass"] for s in first["samples"]}) == 3


TWO_ARMS = """
[bodies.bus]
mass = 80.0
inertia = [60.0, 50.0, 70.0]
[bodies.left]
mass = 1.0
inertia = [0.1, 0.1, 0.1]
[bodies.right]
mass = 1.0
inertia = [0.1, 0.1, 0.1]
[joints.left]
parent = "bus"
child = "left"
parent_point = [0.0, 1.0, 0.0]
axis = [0.0, 1.0, 0.0]
stiffness = 50.0
[joints.right]
parent = "bus"
child = "right"
parent_point = [0.0, -1.0, 0.0]
axis = [0.0, 1.0, 0.0]
stiffness = 50.0
[appendages.port]
record = "wing.h5"
body = "left"
[appendages.starboard]
record = "wing.h5"
body = "right"
[simulation]
duration = 1.0
"""


def test_tied_keys_turn_together(vehicle, tmp_path):
    """KEY+KEY: every sample equals the one with both keys set by hand; without a tie the keys make a grid."""
    vehicle.write_text(TWO_ARMS)
    left, right = "initial.joints_deg.left", "initial.joints_deg.right"
    data = run("sweep", vehicle, "--over", f"{left}+{right}=0:60:3", "-o", tmp_path / "s.csv", "--json").data
    assert data["keys"] == [left, right]
    assert [s["values"] for s in data["samples"]] == [{left: a, right: a} for a in (0.0, 30.0, 60.0)]
    by_hand = modes_of_case(read_vehicle(vehicle, {left: 60.0, right: 60.0}))
    assert data["samples"][2]["result"]["frequencies_hz"] == pytest.approx(by_hand.frequencies_hz)
    assert (tmp_path / "s.csv").read_text().startswith(f"{left},{right},mode_1_hz")
    grid = run("sweep", vehicle, "--over", f"{left}=0,60", "--over", f"{right}=0,60", "--json").data
    assert len(grid["samples"]) == 4
    twice = run("sweep", vehicle, "--over", f"{left}+{right}=0,60", "--over", f"{right}=0,60")
    assert twice.exit_code == 2 and "swept twice" in twice.stderr


@pytest.mark.slow
def test_two_processes_fly_the_same_samples_and_keep_the_failures(vehicle):
    """Spawned processes give the numbers of one process; a mass drawn negative is recorded, not fatal."""
    options = ["montecarlo", vehicle, "--vary", "bodies.bus.mass=uniform:-40:120", "-n", 5, "--seed", 3, "--json"]
    one, two = run(*options).data, run(*options, "--jobs", 2).data
    assert 0 < one["failures"] < 5
    assert [s["values"] for s in one["samples"]] == [s["values"] for s in two["samples"]]
    assert [s["failure"] for s in one["samples"]] == [s["failure"] for s in two["samples"]]
    for a, b in zip(one["samples"], two["samples"]):
        assert (a["result"] or {}).get("peak") == (b["result"] or {}).get("peak")


def test_a_spin_about_the_major_axis_is_steady(vehicle, tmp_path):
    """A rigid craft set spinning about its major axis keeps its rate vector (Euler)."""
    vehicle.write_text(
        "[bodies.bus]\nmass = 10.0\ninertia = [[4.0, 0.3, 0.0], [0.3, 6.0, 0.2], [0.0, 0.2, 7.0]]\n"
        '[initial]\nspin = { axis = "major", rate = 0.7 }\n[simulation]\nduration = 20.0\n'
    )
    run("simulate", vehicle, "-o", tmp_path / "spin.h5")
    trajectory = load_trajectory(tmp_path / "spin.h5")
    assert trajectory.angular_velocity == pytest.approx(
        np.tile(trajectory.angular_velocity[0], (len(trajectory), 1)), abs=1e-9
    )
    assert np.linalg.norm(trajectory.angular_velocity[0]) == pytest.approx(0.7)


@pytest.mark.slow
def test_killing_a_run_at_random_moments_never_leaves_an_unreadable_file(vehicle, tmp_path):
    """Fifty kills; whenever the file exists it reads, and no temporary file is taken for it."""
    changed = FREE.replace("duration = 5.0", "duration = 2000.0").replace("output_step = 0.05", "output_step = 1.0")
    vehicle.write_text(changed + "segment = 20.0\n")
    target, rng, seen = tmp_path / "run.h5", np.random.default_rng(0), 0
    for _ in range(50):
        target.unlink(missing_ok=True)
        process = get_context("fork").Process(target=simulate, args=(vehicle,), kwargs={"output": target})
        process.start()
        deadline = time.monotonic() + 60.0
        while not target.exists() and time.monotonic() < deadline and process.is_alive():
            time.sleep(0.002)
        time.sleep(float(rng.uniform(0.0, 0.3)))
        process.kill()
        process.join()
        if target.exists():
            assert len(load_trajectory(target).times) > 1
            seen += 1
    assert seen >= 40


def test_accelerometers_are_second_derivatives_of_positions(vehicle, tmp_path):
    """At a body point and at a bending node: specific force equals the second difference of the inertial position."""
    extra = """
[sensors.acc_body]
kind = "accelerometer"
body = "bus"
point = [0.3, 0.2, -0.1]
direction = [0.0, 1.0, 0.0]

[sensors.acc_tip]
kind = "accelerometer"
appendage = "wing"
node = "tip"
direction = [0.0, 0.0, 1.0]
"""
    vehicle.write_text(FREE.replace("output_step = 0.05", "output_step = 0.0025") + extra)
    run("simulate", vehicle, "-o", tmp_path / "run.h5")
    trajectory, case = load_trajectory(tmp_path / "run.h5"), read_vehicle(vehicle)
    R, origin, t = trajectory.rotation[:, 0], trajectory.origin[:, 0], trajectory.times
    tip = case.vehicle.appendage("wing").record.interface("tip")
    places = {
        "acc_body": (np.array([0.3, 0.2, -0.1]), np.array([0.0, 1.0, 0.0])),
        "acc_tip": (
            np.array([0.0, 0.9, 0.0]) - random_bodies(0).interface("root").position + tip.position,
            np.array([0.0, 0.0, 1.0]),
        ),
    }
    for name, (place, direction) in places.items():
        bent = trajectory.modal["wing"] @ tip.translation.T if name == "acc_tip" else 0.0
        path = origin + np.einsum("nab,nb->na", R, place + bent + np.zeros((len(t), 3)))
        second = (path[2:] - 2 * path[1:-1] + path[:-2]) / (t[1] - t[0]) ** 2
        expected = np.einsum("na,nab,b->n", second, R[1:-1], direction)
        assert trajectory.signals[name][1:-1] == pytest.approx(expected, abs=2e-3 * np.abs(expected).max())


def test_csv_or_a_clear_word_about_parquet(vehicle, tmp_path):
    result = run("simulate", vehicle, "--csv", tmp_path / "run.parquet")
    try:
        import pyarrow.parquet as parquet
    except ImportError:
        assert result.exit_code == 2 and "pyarrow" in result.stderr
        return
    assert parquet.read_table(tmp_path / "run.parquet").num_rows == 101


def test_a_run_is_not_written_under_a_foreign_ending(tmp_path):
    path = tmp_path / "v.toml"
    path.write_text('name = "v"\n[bodies.a]\nmass = 1.0\ninertia = [1.0, 1.0, 1.0]\n[simulation]\nduration = 1.0\n')
    result = run("simulate", path, "-o", tmp_path / "out.txt")
    assert result.exit_code == 2 and ".h5" in result.stderr and not (tmp_path / "out.txt").exists()


def test_system_modes_beyond_the_kept_ones_are_marked(vehicle):
    """No mode below the last kept frequency of the wing is marked, every one above it is."""
    data = run("system-modes", vehicle, "--json").data
    last = float(read_vehicle(vehicle).vehicle.appendages[0].record.frequencies_hz.max())
    assert data["last_kept_hz"] == pytest.approx(last)
    assert data["beyond_kept_modes"] == [f > last for f in data["frequencies_hz"]]
    assert True in data["beyond_kept_modes"] and False in data["beyond_kept_modes"]
    shown = run("system-modes", vehicle).stdout
    assert shown.count("beyond the kept modes") == sum(data["beyond_kept_modes"])
