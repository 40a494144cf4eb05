"""Pieces of a run: how often they are kept, and the doubts about all of them."""

import numpy as np
import pytest

import tisserand as ts
from tisserand.multibody import segments
from tisserand.multibody.monitor import _beyond
from tisserand.multibody.simulation import Simulation


def simulation():
    bus = ts.Body("bus", 80.0, inertia=[60.0, 50.0, 70.0])
    return Simulation(ts.Vehicle("craft", [bus]), ts.State(angular_velocity=[0.01, 0.02, 0.0]))


@pytest.mark.parametrize("segment, cost, least, most", [(None, 0.0, 40, 40), (None, 100.0, 2, 3), (1.0, 100.0, 20, 20)])
def test_keeping_takes_a_twentieth_of_the_time_unless_its_pace_is_stated(monkeypatch, segment, cost, least, most):
    """A clock on which a piece takes 1 s and keeping takes ``cost``: 40 pieces allow 2 s of keeping beside the first."""
    now, kept = [0.0], []

    class Clock:
        @staticmethod
        def perf_counter():
            return now[0]

    def keep(run, finished):
        kept.append((len(run), finished))
        now[0] += cost

    fly = Simulation.extend

    def timed(self, *args, **options):
        now[0] += 1.0
        return fly(self, *args, **options)

    monkeypatch.setattr(segments, "clock", Clock)
    monkeypatch.setattr(Simulation, "extend", timed)
    run = segments.run_in_segments(simulation(), np.linspace(0.0, 20.0, 401), segment=segment, keep=keep)
    assert least <= len(kept) <= most
    assert kept[0][0] < kept[-1][0] == len(run) == 401
    assert [finished for _, finished in kept] == [False] * (len(kept) - 1) + [True]


@pytest.mark.parametrize("limit", [0.0, 0.5, 2.0, 8.0, 1e9])
def test_the_largest_motion_is_that_of_the_plain_sum(monkeypatch, limit):
    """Random shapes and histories in pieces of a few times: value and time of sum_k phi_k eta_k beyond the limit."""
    monkeypatch.setattr("tisserand.multibody.monitor._SUMMED", 200)
    rng = np.random.default_rng(0)
    shapes, eta = rng.normal(size=(17, 3, 5)), rng.normal(size=(90, 5)) * np.linspace(0.0, 1.0, 90)[:, None]
    plain = np.abs(np.einsum("nak,tk->tna", shapes, eta)).max(axis=(1, 2))
    peak, first = _beyond(shapes, eta, limit)
    over = np.flatnonzero(plain > limit)
    assert peak == pytest.approx(plain.max() if len(over) else 0.0, rel=1e-14)
    assert first == (over[0] if len(over) else 0)


def test_pieces_are_joined_as_if_one_by_one():
    flight = simulation()
    pieces = [flight.run(1.0, samples=5) for _ in range(4)]
    whole = ts.joined(*pieces)
    pairs = ts.joined(ts.joined(ts.joined(pieces[0], pieces[1]), pieces[2]), pieces[3])
    assert np.array_equal(whole.times, np.linspace(0.0, 4.0, 17)) and np.array_equal(whole.attitude, pairs.attitude)
    assert whole.statistics == pairs.statistics and whole.balance.worst() == pairs.balance.worst()
