"""Sampled sensors: statistics of their errors, latency, streams, and what laws and outputs see of them."""

import numpy as np
import pytest

import tisserand as ts
from tisserand.errors import VehicleError
from tisserand.multibody import signals
from tisserand.multibody.accelerometers import Accelerometer
from tisserand.multibody.sensor_errors import ErrorStream, SensorErrors

HUB = ts.Body("hub", 100.0, inertia=[20.0, 25.0, 30.0])
MANY = 100_000


def readings(count=MANY, truth=0.0, name="gyro", **errors):
    stream = ErrorStream(SensorErrors(**errors), name)
    return np.array([stream.reading(truth) for _ in range(count)])


def allan(values, period, group):
    """Allan deviation of means over ``group`` samples."""
    means = values[: len(values) // group * group].reshape(-1, group).mean(axis=1)
    return np.sqrt(0.5 * np.mean(np.diff(means) ** 2))


@pytest.mark.parametrize("errors", [{"sigma": 0.3}, {"noise_density": 0.03}])
def test_white_noise_has_its_deviation_and_no_memory(errors):
    """Density N at period T: N / sqrt(T); 5 standard errors of the mean, of the deviation and of the correlation."""
    x = readings(period=0.01, **errors)
    assert abs(x.mean()) < 5 * 0.3 / np.sqrt(MANY)
    assert x.std() == pytest.approx(0.3, rel=5 / np.sqrt(2 * MANY))
    assert abs(np.corrcoef(x[1:], x[:-1])[0, 1]) < 5 / np.sqrt(MANY)
    kurtosis = np.mean((x / x.std()) ** 4)
    assert kurtosis == pytest.approx(3.0, abs=5 * np.sqrt(24 / MANY))


def test_allan_deviation_of_white_noise_falls_with_the_root_of_time():
    x = readings(period=0.01, noise_density=2e-3)
    for group in (1, 10, 100):
        expected = 2e-3 / np.sqrt(group * 0.01)
        assert allan(x, 0.01, group) == pytest.approx(expected, rel=5 * np.sqrt(group / MANY))


def test_a_random_walk_grows_with_the_root_of_time():
    """Increments are independent, of deviation K sqrt(T); Allan deviation K sqrt(tau / 3) at long times."""
    x = readings(period=0.04, random_walk=0.05)
    steps = np.diff(x)
    assert x[0] == 0.0
    assert steps.std() == pytest.approx(0.05 * 0.2, rel=5 / np.sqrt(2 * MANY))
    assert abs(np.corrcoef(steps[1:], steps[:-1])[0, 1]) < 5 / np.sqrt(MANY)
    group = 100  # (2 n^2 + 1) / (3 n) of n increments, exactly
    exact = 0.05 * np.sqrt(0.04 * (2 * group**2 + 1) / (6 * group))
    assert allan(x, 0.04, group) == pytest.approx(exact, rel=5 * np.sqrt(group / MANY))


def test_quantization_is_uniform_within_half_a_quantum():
    q, truth = 0.1, np.linspace(0.0, 777.7, MANY)
    stream = ErrorStream(SensorErrors(period=1.0, quantum=q), "encoder")
    error = np.array([stream.reading(v) for v in truth]) - truth
    assert np.abs(error).max() <= 0.5 * q * (1 + 1e-9)
    assert error.std() == pytest.approx(q / np.sqrt(12), rel=1e-2)
    assert np.allclose(np.mod(truth + error + 0.5 * q, q), 0.5 * q, atol=1e-9)


def test_a_stream_depends_on_seed_and_name_alone():
    a = readings(200, period=0.1, sigma=1.0, seed=4)
    assert np.array_equal(a, readings(200, period=0.1, sigma=1.0, seed=4))
    assert np.array_equal(a, readings(200, truth=0.0, period=7.0, sigma=1.0, seed=4, latency=2.0))
    walking = readings(200, period=0.1, sigma=1.0, random_walk=1e-9, seed=4)
    assert walking == pytest.approx(a, abs=1e-7)  # the walk has a stream of its own
    for other in (readings(200, period=0.1, sigma=1.0, seed=5), readings(200, name="b", period=0.1, sigma=1.0, seed=4)):
        assert abs(np.corrcoef(a, other)[0, 1]) < 0.35
    first = (-1.2226052, 1.5436828, 0.5481763)  # by Generator.random and NormalDist.inv_cdf of Python
    assert a[:3] == pytest.approx(first, abs=1e-7)


def spin(**errors):
    rate = signals.sensor(signals.body_rate("hub", [0, 0, 1], "gyro"), SensorErrors(**errors))
    vehicle = ts.Vehicle("spinner", (HUB,))
    load = ts.loads.torque("hub", [0, 0, 1], 3.0)
    return ts.simulate(vehicle, 1.0, loads=[load], outputs=[rate], times=np.arange(0.005, 1.0, 0.01))


def test_readings_are_sampled_held_and_late():
    """The rate grows as t / 10: the reading at t is that of the last sample at least a latency before."""
    run = spin(period=0.1, latency=0.25)
    t, held = run.times, run.signals["gyro"]
    assert run.signals["gyro.true"] == pytest.approx(0.1 * t, abs=1e-9)
    behind = np.floor((t - 0.25) / 0.1 + 1e-6) * 0.1
    assert held == pytest.approx(0.1 * np.maximum(behind, 0.0), abs=1e-9)


def test_the_same_sensor_reads_the_same_noise_whatever_else_is_there():
    def flown(*others):
        gyro = signals.sensor(signals.body_rate("hub", [0, 0, 1], "gyro"), SensorErrors(period=0.1, sigma=1e-3))
        run = ts.simulate(ts.Vehicle("still", (HUB,)), 2.0, outputs=[*others, gyro], output_step=0.1)
        return run.signals["gyro"]

    tracker = signals.sensor(signals.attitude_error("hub", [1, 0, 0], name="st"), SensorErrors(period=0.03, sigma=1.0))
    alone = flown()
    assert np.ptp(alone) > 1e-3
    assert np.array_equal(alone, flown(tracker))


def test_a_linear_law_acts_on_the_reading():
    """Torque -k times the held reading of an exact sensor every T: the rate shrinks by 1 - k T / J per sample."""
    gyro = signals.sensor(signals.body_rate("hub", [0, 0, 1], "gyro"), SensorErrors(period=0.2))
    torque = ts.loads.torque("hub", [0, 0, 1], None)
    law = ts.LinearController("damper", (gyro,), (torque,), np.array([[-60.0]]))
    start = ts.State(angular_velocity=[0, 0, 1.0])
    run = ts.simulate(ts.Vehicle("c", (HUB,)), 2.0, start, controllers=[law], output_step=0.2)
    assert run.angular_velocity[:, 2] == pytest.approx(0.6 ** np.arange(11), abs=1e-9)
    model = ts.linearize(ts.Vehicle("c", (HUB,)), controllers=[law], outputs=[gyro])  # exact and continuous
    assert model.poles.real.min() == pytest.approx(-2.0) and model.outputs == ("gyro",)


def test_an_accelerometer_with_errors_feeds_a_law():
    """m a = F + k f: with the specific force f read at every sample, F = 5 N and k = -40 kg of 100 kg."""
    meter = signals.sensor(
        Accelerometer("meter", np.array([1.0, 0, 0]), body="hub"), SensorErrors(period=0.1, bias=0.01)
    )
    law = ts.LinearController("feedback", (meter,), (ts.loads.force("hub", [1, 0, 0], None),), np.array([[-40.0]]))
    load = ts.loads.force("hub", [1, 0, 0], 5.0)
    run = ts.simulate(ts.Vehicle("c", (HUB,)), 1.0, loads=[load], controllers=[law], outputs=[meter], output_step=0.1)
    reading, expected = 0.0, []
    for _ in range(11):
        reading = (5.0 - 40.0 * reading) / 100.0 + 0.01
        expected.append(reading)
    assert run.signals["meter"][1:-1] == pytest.approx(expected[:9], abs=1e-9)  # as held before
    assert run.settings["units"]["signals"]["meter"] == "m/s²"
    with pytest.raises(VehicleError, match="has no linear model"):
        ts.linearize(ts.Vehicle("c", (HUB,)), controllers=[law])


def test_sensors_that_are_due_together_observe_the_vehicle_once(monkeypatch):
    """Three accelerometers, eleven samples: the state before the first reading, between first readings, then once per sample."""
    from tisserand.multibody import simulation

    meters = [
        signals.sensor(Accelerometer(f"meter {i}", np.eye(3)[i], body="hub"), SensorErrors(period=0.1))
        for i in range(3)
    ]
    seen, record = [], simulation.recorded
    monkeypatch.setattr(
        simulation,
        "recorded",
        lambda sim, times, *rest, **more: seen.append(times) or record(sim, times, *rest, **more),
    )
    load = ts.loads.force("hub", [1, 2, 3], 5.0)
    run = ts.simulate(ts.Vehicle("c", (HUB,)), 1.0, loads=[load], outputs=meters, output_step=0.1)
    assert sum(len(times) == 1 for times in seen) <= 3 + 10
    shown = np.array([run.signals[f"meter {i}"][-1] for i in range(3)])
    assert shown == pytest.approx(0.05 * np.array([1, 2, 3]))


@pytest.mark.parametrize(
    ("errors", "words"),
    [
        ({"period": 0.0}, "period of a sensor must be positive"),
        ({"period": 1.0, "sigma": 1.0, "noise_density": 1.0}, "noise is stated twice"),
        ({"period": 1.0, "quantum": -1.0}, "quantum of a sensor must be finite and not negative"),
        ({"period": 1.0, "bias": np.nan}, "bias of a sensor must be finite"),
    ],
)
def test_impossible_errors_are_refused(errors, words):
    with pytest.raises(VehicleError, match=words):
        SensorErrors(**errors)


def test_two_sensors_of_one_name_are_refused():
    made = [
        signals.sensor(signals.body_rate("hub", axis, "gyro"), SensorErrors(period=0.1))
        for axis in ([1, 0, 0], [0, 1, 0])
    ]
    law = ts.LinearController("d", (made[0],), (ts.loads.torque("hub", [1, 0, 0], None),), np.array([[-1.0]]))
    with pytest.raises(VehicleError, match="two sampled sensors have the same name"):
        ts.simulate(ts.Vehicle("c", (HUB,)), 1.0, controllers=[law], outputs=[made[1]])
