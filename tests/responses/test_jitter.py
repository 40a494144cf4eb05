"""Jitter: closed forms of one oscillator, agreement of frequency and time domain, and the wheel's own modes."""

import json

import numpy as np
import pytest
from scipy.signal import cont2discrete, lfilter
from support.command import run

import tisserand as ts
from tisserand.errors import InputError
from tisserand.multibody.linear import LinearModel
from tisserand.responses.jitter import (
    Harmonic,
    Lines,
    Noise,
    Wheel,
    WheelMode,
    exposure_weight,
    jitter_budget,
    sight_of,
    stepping,
    waterfall,
)
from tisserand.responses.jitter_shares import mode_shares, path_shares
from tisserand.responses.spectra import spectrum_of

#: Two oscillators of unit inertia at 20 and 55 Hz.
W = 2 * np.pi * np.array([20.0, 55.0])
ZETA = np.array([0.01, 0.02])


def model():
    """Two modes between one torque and two angles, and a closed loop is no different: any A, B, C, D will do."""
    A = np.block([[np.zeros((2, 2)), np.eye(2)], [-np.diag(W**2), -np.diag(2 * ZETA * W)]])
    B = np.vstack([np.zeros((2, 1)), np.array([[1.0], [0.5]])])
    C = np.hstack([np.array([[1.0, 0.4], [0.0, 1.0]]), np.zeros((2, 2))])
    eye, none = np.eye(2), np.zeros((2, 2))
    return LinearModel(
        coordinates=("a", "b"), inputs=("torque",), outputs=("mirror", "bench"), mass=eye, damping=np.diag(2 * ZETA * W),
        gyroscopic=none, stiffness=np.diag(W**2), force=B[2:], A=A, B=B, C=C, D=np.zeros((2, 1)), residual=np.zeros(2),
    )  # fmt: skip


def transfer(hz):
    """rad per N m of 2 mirror - 1 bench, by hand."""
    s = 2j * np.pi * np.asarray(hz)[:, None]
    q = np.array([1.0, 0.5]) / (W**2 + s**2 + 2 * ZETA * W * s)
    return 2 * (q[:, 0] + 0.4 * q[:, 1]) - q[:, 1]


SIGHT = {"los": {"mirror": 2.0, "bench": -1.0}}
WHEEL = Wheel("wheel", "torque", (Harmonic(1.0, 3e-7), Harmonic(2.0, 1e-7), Harmonic(4.42, 5e-8)))


def test_waterfall_by_hand():
    """Amplitude = C w² |H(h w)| over 200 speeds; the worst speed puts the first harmonic on the first mode."""
    speeds = np.linspace(5.0, 60.0, 200)
    found = waterfall(sight_of(model(), SIGHT), WHEEL, speeds)
    for h, harmonic in enumerate(WHEEL.harmonics):
        wanted = harmonic.coefficient * (2 * np.pi * speeds) ** 2 * np.abs(transfer(harmonic.number * speeds))
        assert found.amplitude[:, h, 0] == pytest.approx(wanted, rel=1e-9)
    assert speeds[found.rms[:, 0].argmax()] == pytest.approx(20.0, abs=0.3)


def test_frequency_and_time_domain_agree():
    """Steady vibration in steps of 20 microseconds for 10 s: root mean square within 0.1 %, exposures of 5 ms within 0.5 %."""
    linear = model()
    sight = sight_of(linear, SIGHT)
    cooler = Lines("cooler", "torque", (47.0, 94.0), (2e-3, 5e-4))
    budget = jitter_budget(sight, wheels=[(WHEEL, 23.0)], lines=[cooler])
    h, n = 2e-5, 500_000
    t = h * np.arange(n)
    hz, force = WHEEL.lines(np.array([23.0]))
    lines = [*zip(hz[0], force[0]), *zip(cooler.hz, cooler.amplitude)]
    phases = np.random.default_rng(1).uniform(0, 2 * np.pi, len(lines))
    u = sum(a * np.sin(2 * np.pi * f * t + p) for (f, a), p in zip(lines, phases))
    A, B, C, D, _ = cont2discrete((linear.A, linear.B, sight.rows @ linear.C, np.zeros((1, 1))), h, method="foh")
    poles, vectors = np.linalg.eig(A)
    drive = np.linalg.solve(vectors, B.astype(complex))[:, 0]
    y = D[0, 0] * u
    for pole, into, out in zip(poles, drive, (C @ vectors)[0]):  # exact for forces that are straight between samples
        y = y + np.real(out * lfilter([0.0, 1.0], [1.0, -pole], into * u))
    y = y[300_000:]
    assert np.sqrt(np.mean(y**2)) == pytest.approx(budget.rms()[0], rel=1e-3)
    width = 250  # 5 ms
    windows = y[: len(y) // width * width].reshape(-1, width)
    inside = np.sqrt(np.mean((windows - windows.mean(axis=1, keepdims=True)) ** 2))
    assert inside == pytest.approx(budget.rms(0.005)[0], rel=5e-3)
    means = np.sqrt(np.mean(windows.mean(axis=1) ** 2))
    assert means == pytest.approx(budget.rms(0.005, "displacement")[0], rel=5e-3)
    apart = windows.mean(axis=1)[4:] - windows.mean(axis=1)[:-4]  # 20 ms from one exposure to another
    assert np.sqrt(np.mean(apart**2)) == pytest.approx(budget.rms(0.005, "drift", 0.02)[0], rel=5e-3)


def test_budget_by_source_and_frequency():
    sight = sight_of(model(), SIGHT)
    steps = stepping("drive", "torque", 3.0, 1e-3, harmonics=5)
    assert steps.hz == (3.0, 9.0, 15.0) and steps.amplitude[1] == pytest.approx(4e-3 / (3 * np.pi))
    flat = Noise("friction", "torque", spectrum_of([(1.0, 1e-8), (100.0, 1e-8)]))
    grid = np.geomspace(1.0, 100.0, 20_001)
    budget = jitter_budget(sight, wheels=[(WHEEL, 21.0)], lines=[steps], noises=[flat], noise_hz=grid)
    parts = budget.weighted()
    assert set(parts) == {"wheel", "drive", "friction"}
    total = sum(value[0] for value in parts.values())
    assert budget.rms()[0] == pytest.approx(np.sqrt(total), rel=1e-12)
    drive = sum(0.5 * (a * abs(transfer([f])[0])) ** 2 for f, a in zip(steps.hz, steps.amplitude))
    assert parts["drive"][0] == pytest.approx(drive, rel=1e-9)
    noise = np.trapezoid(1e-8 * np.abs(transfer(grid)) ** 2, grid)
    assert parts["friction"][0] == pytest.approx(noise, rel=1e-9)
    running = budget.cumulative(np.array([0.5, 1000.0]))
    assert running[0, 0] == 0.0 and running[1, 0] == pytest.approx(budget.rms()[0], rel=1e-9)
    jitter, mean = (sum(v[0] for v in budget.weighted(0.02, kind).values()) for kind in ("jitter", "displacement"))
    assert jitter + mean == pytest.approx(total, rel=1e-12)  # they share the variance


def test_modes_of_the_wheel():
    """A radial mode amplifies by Q at its frequency; whirls of a rocking mode split by the gyroscopic torque."""
    mode = WheelMode(60.0, 0.05)
    assert mode.amplification(np.array([60.0]), np.array([30.0]))[0] == pytest.approx(10.0)
    rocking = WheelMode(60.0, 0.05, gyroscopic=1.8)
    half = 0.9 * 30.0
    for whirl in (np.hypot(60.0, half) + half, np.hypot(60.0, half) - half):
        assert rocking.amplification(np.array([whirl]), np.array([30.0]))[0] == pytest.approx(10.0, rel=1e-9)
    shaped = Wheel("w", "torque", (Harmonic(2.0, 1e-7),), (mode,))
    assert shaped.lines(np.array([30.0]))[1][0, 0] == pytest.approx(10.0 * 1e-7 * (2 * np.pi * 30.0) ** 2)


def test_shares_of_modes():
    """At the first resonance the first pair gives nearly everything; parts add up to the response."""
    shares = mode_shares(sight_of(model(), SIGHT), 20.0, "torque", 0)
    assert shares[0][0] == pytest.approx(20.0, rel=1e-9) and shares[0][1] == pytest.approx(0.01, rel=1e-6)
    assert shares[0][2] == pytest.approx(abs(transfer([20.0])[0]), rel=0.01)


def test_paths_by_hand():
    """Every sensor alone: sensitivity times its own response; lines of one source and noise, both angles."""
    sight = sight_of(model(), SIGHT)
    cooler = Lines("cooler", "torque", (47.0, 94.0), (2e-3, 5e-4))
    flat = Noise("friction", "torque", spectrum_of([(1.0, 1e-8), (100.0, 1e-8)]))
    grid = np.geomspace(1.0, 100.0, 4001)
    budget = jitter_budget(sight, lines=[cooler], noises=[flat], noise_hz=grid)
    found = path_shares(sight, budget, {"cooler": "torque"}, {"friction": flat})["los"]

    def angles(hz):
        s = 2j * np.pi * np.asarray(hz)[:, None]
        q = np.array([1.0, 0.5]) / (W**2 + s**2 + 2 * ZETA * W * s)
        return {"mirror": 2 * np.abs(q[:, 0] + 0.4 * q[:, 1]), "bench": np.abs(q[:, 1])}

    for sensor, size in angles(cooler.hz).items():
        assert found["cooler"][sensor] == pytest.approx(np.sqrt(0.5 * ((size * cooler.amplitude) ** 2).sum()), rel=1e-9)
    for sensor, size in angles(grid).items():
        assert found["friction"][sensor] == pytest.approx(np.sqrt(np.trapezoid(1e-8 * size**2, grid)), rel=1e-9)


def test_mistakes():
    with pytest.raises(InputError, match="beginnings of two exposures"):
        exposure_weight(np.array([1.0]), 0.1, "drift", 0.05)
    with pytest.raises(InputError, match="unknown output"):
        sight_of(model(), {"los": {"nothing": 1.0}})
    with pytest.raises(InputError, match="unknown input"):
        waterfall(sight_of(model(), SIGHT), Wheel("w", "no", (Harmonic(1.0, 1.0),)), np.array([1.0]))
    with pytest.raises(InputError, match="exposure"):
        exposure_weight(np.array([1.0]), -1.0)


CRAFT = """
name = "craft"
[bodies.bus]
mass = 100.0
inertia = [20.0, 30.0, 40.0]
[loads.torque]
kind = "torque"
body = "bus"
direction = [1.0, 0.0, 0.0]
strength = 0.0
[sensors.turn]
kind = "attitude"
body = "bus"
direction = [1.0, 0.0, 0.0]
[simulation]
duration = 1.0
"""


def test_from_the_file_of_a_craft_to_its_angle(tmp_path):
    """A rigid craft: a torque T at frequency f turns it by T / (J w²); by command, study file and Python."""
    (tmp_path / "craft.toml").write_text(CRAFT)
    (tmp_path / "jitter.toml").write_text(
        'vehicle = "craft.toml"\n[sight.los]\nturn = 2.0\n[limits]\nlos = 1e-9\n'
        '[lines.cooler]\ninput = "torque"\nlines = [[40.0, 1e-3]]\n'
        '[wheels.w]\ninput = "torque"\nharmonics = [[1.0, 1e-8]]\nspeed = 1200.0\n'
    )
    files = ("-o", tmp_path / "l.csv", "--plot", tmp_path / "j.png")
    done = run("jitter", tmp_path / "jitter.toml", *files, "--json")
    assert done.exit_code == 1, done.stderr  # above its limit
    told = json.loads(done.stdout)
    cooler = 2.0 * 1e-3 / (20.0 * (2 * np.pi * 40.0) ** 2) / np.sqrt(2)
    wheel = 2.0 * 1e-8 / 20.0 / np.sqrt(2)  # C w² / (J w²)
    assert told["sources"]["cooler"][0] == pytest.approx(cooler, rel=1e-6)
    assert told["sources"]["w"][0] == pytest.approx(wheel, rel=1e-6)
    assert told["rms"][0] == pytest.approx(np.hypot(cooler, wheel), rel=1e-6) and not told["passed"]
    (tmp_path / "study.toml").write_text('[jitter]\nbudget = "jitter.toml"\nexposure = 0.01\n')
    timed = ts.study(tmp_path / "study.toml").results[0][1]
    assert timed.totals[0] < told["rms"][0]
    assert ts.jitter(tmp_path / "jitter.toml").totals[0] == told["rms"][0]
    (tmp_path / "jitter.toml").write_text('vehicle = "craft.toml"\n[sight.los]\nturns = 2.0\n')
    done = run("jitter", tmp_path / "jitter.toml")
    assert done.exit_code == 2 and "unknown output" in done.stderr and done.stderr.count("\n") == 1


HELD = """
[controllers.hold]
kind = "attitude"
body = "bus"
kp = 80.0
kd = 60.0
"""


def test_a_closed_loop_by_hand(tmp_path):
    """A rigid craft held by kp and kd: |T / (J s² + kd s + kp)|, below, at and above the bandwidth; open loop without them."""
    (tmp_path / "craft.toml").write_text(CRAFT + HELD)
    lines = [[0.1, 1e-3], [0.3, 1e-3], [5.0, 1e-3]]
    text = f'vehicle = "craft.toml"\nclosed_loop = true\n[sight.los]\nturn = 1.0\n[lines.l]\ninput = "torque"\nlines = {lines}\n'
    (tmp_path / "jitter.toml").write_text(text)
    closed = ts.jitter(tmp_path / "jitter.toml").budget
    s = 2j * np.pi * np.array([0.1, 0.3, 5.0])
    assert np.sqrt(2 * closed.variance[:, 0]) == pytest.approx(np.abs(1e-3 / (20.0 * s**2 + 60.0 * s + 80.0)), rel=1e-6)
    (tmp_path / "jitter.toml").write_text(text.replace("true", "false"))
    free = ts.jitter(tmp_path / "jitter.toml").budget
    assert np.sqrt(2 * free.variance[:, 0]) == pytest.approx(np.abs(1e-3 / (20.0 * s**2)), rel=1e-6)


PANEL = """
[bodies.panel]
mass = 10.0
inertia = [4.0, 1.0, 4.0]
center = [0.0, 1.0, 0.0]
[joints.hinge]
parent = "bus"
child = "panel"
parent_point = [0.0, 0.5, 0.0]
axis = [1.0, 0.0, 0.0]
stiffness = 2000.0
damping = 8.0
"""


def test_the_simulation_vibrates_as_the_budget_predicts(tmp_path):
    """A craft with a sprung panel under control: the flown vehicle (nonlinear, in time) and the budget agree within 0.5 %."""
    text = (CRAFT + HELD + PANEL).replace(
        "strength = 0.0", 'strength = { shape = "sine", amplitude = 1e-2, frequency_hz = 3.0 }'
    )
    (tmp_path / "craft.toml").write_text(text.replace("duration = 1.0", "duration = 30.0\noutput_step = 0.005"))
    (tmp_path / "jitter.toml").write_text(
        'vehicle = "craft.toml"\nclosed_loop = true\nexposure = 0.1\nseparation = 0.25\n[sight.los]\nturn = 1.0\n'
        '[lines.l]\ninput = "torque"\nlines = [[3.0, 1e-2]]\n'
    )
    told = ts.jitter(tmp_path / "jitter.toml", plot=tmp_path / "j.png")
    flown = ts.simulate(tmp_path / "craft.toml").trajectory
    late = flown.times > 20.0
    angle = flown.signals["turn"][late]
    angle = angle - angle.mean()
    assert np.sqrt(np.mean(angle**2)) == pytest.approx(told.metrics["all"][0], rel=5e-3)


def test_the_worst_speed_is_the_worst_within_the_exposure(tmp_path):
    """No speed of the range gives more jitter within the exposure than the one taken; all of the motion peaks elsewhere."""
    (tmp_path / "craft.toml").write_text(CRAFT)
    text = 'vehicle = "craft.toml"\nexposure = 0.002\n[sight.los]\nturn = 1.0\n[wheels.w]\ninput = "torque"\n'
    text += "harmonics = [[1.0, 1e-7], [8.0, 1e-8]]\nspeeds = [60.0, 6000.0]\n"
    (tmp_path / "jitter.toml").write_text(text)
    told = ts.jitter(tmp_path / "jitter.toml")
    fall = told.waterfalls[0]
    seen = np.sqrt(0.5 * ((1.0 - np.sinc(0.002 * fall.hz) ** 2) * fall.amplitude[:, :, 0] ** 2).sum(axis=1))
    assert told.totals[0] == pytest.approx(seen.max(), rel=1e-9)
    assert seen[fall.rms[:, 0].argmax()] < 0.9 * seen.max()


@pytest.mark.parametrize(
    ("old", "new", "said"),
    [
        ("[60.0, 600.0]", "[600.0, 60.0]", "speeds: do not ascend"),
        ("[[1.0, 1e-7]]", "[[-1.0, 1e-7]]", "harmonics: holds one that does not move"),
        ("[[1.0, 1e-7]]", "[]", "harmonics: has no line"),
        ("[[20.0, 1.0]]", "[[0.0, 1.0]]", "lines.c.lines: holds one that does not move"),
        ("[[1.0, 1e-9], [2.0, 1e-9]]", "[[1.0, 1e-9]]", "noises.n.density: a spectrum needs two"),
        ("[lines.c]", "[lines.w]", "two sources have one name"),
    ],
)
def test_sources_that_cannot_be(tmp_path, old, new, said):
    """One sentence that names the key."""
    text = 'vehicle = "craft.toml"\n[sight.los]\nturn = 1.0\n[wheels.w]\ninput = "torque"\nharmonics = [[1.0, 1e-7]]\n'
    text += 'speeds = [60.0, 600.0]\n[lines.c]\ninput = "torque"\nlines = [[20.0, 1.0]]\n'
    text += '[noises.n]\ninput = "torque"\ndensity = [[1.0, 1e-9], [2.0, 1e-9]]\n'
    assert old in text
    path = tmp_path / "jitter.toml"
    path.write_text(text.replace(old, new))
    with pytest.raises(InputError, match=said):
        ts.jitter(path)
