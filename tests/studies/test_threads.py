"""Monte Carlo in threads: the same numbers as single runs, failures beside results, and an end at an interrupt."""

import threading

import pytest
from support.appendages import random_bodies
from support.writing_commands import VEHICLE

import tisserand as ts
from tisserand.appendage import save_record
from tisserand.errors import InputError, VehicleError
from tisserand.multibody.segments import run_in_segments
from tisserand.studies.ensembles import executors
from tisserand.studies.ensembles.threads import outcomes_of_threads, runs_compiled
from tisserand.studies.montecarlo import montecarlo
from tisserand.studies.options import MonteCarloStudy, SweepStudy
from tisserand.studies.sweep import sweep


@pytest.fixture
def vehicle(tmp_path):
    save_record(random_bodies(0), tmp_path / "wing.h5")
    path = tmp_path / "bus.toml"
    path.write_text(VEHICLE)
    return path


def test_threads_give_the_bits_of_single_runs(vehicle, monkeypatch):
    used = []

    def watched(*args):
        used.append(threading.active_count())
        return outcomes_of_threads(*args)

    monkeypatch.setattr(executors, "outcomes_of_threads", watched)
    study = {"vehicle": vehicle, "vary": {"bodies.bus.mass": "normal:80:5"}, "count": 6, "seed": 3}
    alone, shared = (montecarlo(MonteCarloStudy(**study, jobs=jobs)) for jobs in (1, 3))
    assert len(used) == 1 and [s.result for s in alone.samples] == [s.result for s in shared.samples]
    values = alone.samples[2].values
    run = ts.fly(ts.read_vehicle(vehicle, values))
    finals = {name: float(history[-1]) for name, history in run.signals.items() if "/" not in name}
    assert alone.samples[2].result["final"] == finals


def test_a_sweep_of_runs_gives_the_bits_of_single_runs(vehicle, tmp_path):
    over = {"bodies.bus.mass": [70.0, 80.0], "bodies.bus.inertia.0": [55.0, 60.0]}
    alone, shared = (
        sweep(SweepStudy(vehicle=vehicle, over=over, runs=True, jobs=jobs, output=tmp_path / f"{jobs}.csv"))
        for jobs in (1, 3)
    )
    assert [s.result for s in alone.samples] == [s.result for s in shared.samples] and len(alone.samples) == 4
    assert (tmp_path / "1.csv").read_text() == (tmp_path / "3.csv").read_text()
    run = ts.fly(ts.read_vehicle(vehicle, alone.samples[3].values))
    peaks = {name: float(abs(history).max()) for name, history in run.signals.items() if "/" not in name}
    assert alone.samples[3].result["peak"] == peaks and alone.samples[0].result["peak"] != peaks
    assert alone.pictures() == "" and not alone.failures


def test_runs_have_no_matrices(vehicle):
    with pytest.raises(InputError, match="runs"):
        SweepStudy(vehicle=vehicle, over={"bodies.bus.mass": [70.0]}, runs=True, matrices=True)


def test_a_sample_that_fails_is_recorded_beside_the_others(vehicle):
    study = MonteCarloStudy(vehicle=vehicle, vary={"bodies.bus.mass": "uniform:-40:80"}, count=6, seed=1, jobs=2)
    found = montecarlo(study)
    assert 0 < found.failures < 6
    assert all("mass" in s.failure for s in found.samples if s.failure)


def test_python_in_the_steps_asks_for_processes(vehicle):
    case = ts.read_vehicle(vehicle)
    assert runs_compiled(case)
    assert not runs_compiled(ts.read_vehicle(vehicle, {"simulation.method": "Radau"}))
    assert not runs_compiled(ts.read_vehicle(vehicle, {"simulation.engine": "likins"}))


def test_an_interrupt_ends_runs_at_their_segments(vehicle):
    simulation = ts.read_vehicle(vehicle, {"simulation.duration": 20.0}).simulation()
    with pytest.raises(KeyboardInterrupt):
        run_in_segments(
            simulation, ts.read_vehicle(vehicle).run.changed(duration=20.0).output_times, stopped=lambda: True
        )
    assert 0.0 < simulation.time < 1.0


def test_threads_end_with_the_loop_that_reads_them():
    begun, ended = threading.Event(), []

    def work(task, stopped):
        if task == 0:
            return {"task": 0}
        begun.set()
        while not stopped():
            stopped_soon.wait(0.01)
        ended.append(task)
        raise VehicleError("stopped")

    stopped_soon = threading.Event()
    results = outcomes_of_threads(work, [(0, 0), (1, 1), (2, 2)], 2)
    assert next(results) == (0, {"task": 0})
    begun.wait(10)
    results.close()
    assert 1 in ended
