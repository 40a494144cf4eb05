"""Who computes the samples changes nothing: processes that die, a Dask cluster that loses a worker, shards, resumed studies."""

import json
import os
import signal
import subprocess
import sys
import time

import pytest
from support.appendages import random_bodies
from support.command import run
from support.doomed_work import Broken, Doomed
from support.writing_commands import VEHICLE

import tisserand as ts
from tisserand.appendage import save_record
from tisserand.errors import FileError, InputError, SolverError
from tisserand.studies.ensembles import campaign
from tisserand.studies.ensembles.executors import InProcesses, InThisProcess, OnCluster
from tisserand.studies.ensembles.kept_samples import read_kept
from tisserand.studies.ensembles.processes import outcomes_of_processes
from tisserand.studies.ensembles.shipped_vehicle import ShippedVehicle, _copied

TASKS = [(number, {"x": float(number)}) for number in range(6)]
VARY = {"bodies.bus.mass": "uniform:-5:80", "initial.angular_velocity.0": "normal:0.01:0.002"}


@pytest.fixture
def vehicle(tmp_path):
    save_record(random_bodies(0), tmp_path / "wing.h5")
    path = tmp_path / "bus.toml"
    path.write_text(VEHICLE)
    return path


def outcomes_of(samples):
    return [(s.values, s.result, s.failure) for s in samples]


# -- processes ------------------------------------------------------------------------------------------------------
@pytest.mark.parametrize("deaths", [1, 3])
def test_a_process_that_dies_costs_nothing_and_a_deadly_sample_is_recorded(tmp_path, deaths):
    """Killed once, the sample is computed by a new process; killed three times, it has failed, and the others have not."""
    alone = dict(InThisProcess().outcomes(Doomed(tmp_path, 0), TASKS))
    (tmp_path / "try0").unlink()
    found = dict(InProcesses(2).outcomes(Doomed(tmp_path, deaths), TASKS))
    if deaths == 3:
        assert "ended 3 times" in found[2] and len(list(tmp_path.glob("try*"))) == 3
        found[2] = alone[2]
    assert found == alone and alone[3] == "three is refused." and alone[5] == {"square": 25.0}


def test_processes_that_never_start_are_not_started_for_ever():
    with pytest.raises(SolverError, match="exit code 7"):
        list(outcomes_of_processes(Broken(), TASKS, 1))


# -- Dask ------------------------------------------------------------------------------------------------------------
@pytest.fixture
def cluster(tmp_path):
    """A scheduler and two workers in processes of their own: the scheduler's file, and the processes of the workers."""
    pytest.importorskip("distributed", reason="the extra 'cluster' is not installed")
    place = tmp_path / "scheduler.json"
    here = {**os.environ, "OMP_NUM_THREADS": "1", "PYTHONPATH": os.pathsep.join(sys.path)}
    here["DASK_DISTRIBUTED__SCHEDULER__ALLOWED_FAILURES"] = "2"

    def started(*words):
        command = [sys.executable, "-m", "dask", *words, "--scheduler-file", str(place)]
        return subprocess.Popen(command, env=here, cwd=tmp_path, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)

    quiet = ("--no-dashboard",)
    processes = [started("scheduler", "--port", "0", "--host", "127.0.0.1", *quiet)]
    processes += [started("worker", "--nthreads", "1", "--no-nanny", *quiet) for _ in range(2)]
    yield place, processes[1:]
    for process in processes:
        process.kill()
        process.wait()


@pytest.mark.slow
def test_a_dask_cluster_that_loses_a_worker_gives_the_bits_of_one_process(vehicle, cluster, monkeypatch):
    """One of two workers is killed after the third flight; the others are flown by the one that is left."""
    place, workers = cluster
    study = {"vehicle": vehicle, "vary": VARY, "count": 24, "seed": 3, "set": {"simulation.duration": 2.0}}
    alone = ts.montecarlo(**study)
    assert 0 < alone.failures < 24

    def kill_one(done, total):
        if done == 3:
            workers[0].send_signal(signal.SIGKILL)

    from tisserand.studies.montecarlo import montecarlo

    shared = montecarlo(**study, scheduler=str(place), progress=kill_one)
    assert outcomes_of(shared.samples) == outcomes_of(alone.samples)
    assert workers[0].wait() == -signal.SIGKILL and workers[1].poll() is None
    found = dict(OnCluster(str(place), 1).outcomes(Doomed(vehicle.parent, 0), TASKS))
    assert found[3] == "three is refused." and found[5] == {"square": 25.0}


def test_no_scheduler_and_no_dask_are_one_sentence_each(vehicle, monkeypatch, tmp_path):
    study = {"vehicle": vehicle, "vary": VARY, "count": 2}
    for place, said in (("cluster", "tcp://host:port"), ("nowhere.json", "does not exist")):
        with pytest.raises((InputError, FileError), match=said):
            ts.montecarlo(**study, scheduler=place)
    (tmp_path / "other.json").write_text("[1]")
    with pytest.raises(FileError, match="not the file of a Dask scheduler"):
        ts.montecarlo(**study, scheduler=str(tmp_path / "other.json"))
    monkeypatch.setitem(sys.modules, "distributed", None)
    with pytest.raises(InputError, match=r"tisserand\[cluster\]"):
        ts.montecarlo(**study, scheduler="local")


def test_a_machine_without_the_files_gets_them(vehicle):
    """The copy of a shipped vehicle is read like the original, and its errors name the file as the sender wrote it."""
    shipped = ShippedVehicle(vehicle, {}).shipped()
    copy = _copied(shipped.freight)
    assert copy != vehicle and copy.read_bytes() == vehicle.read_bytes()
    (vehicle.parent / "wing.h5").unlink()
    vehicle.unlink()
    assert shipped.read({"bodies.bus.mass": 70.0}).vehicle.appendages[0].record.count > 0
    with pytest.raises(InputError) as caught:
        shipped.read({"bodies.bus.mass": -1.0})
    assert caught.value.sentence().startswith(f"{vehicle}: ")


# -- shards, interrupts, resumed studies ---------------------------------------------------------------------------------
WORDS = ["--vary", "bodies.bus.mass=uniform:-5:80", "-n", 7, "--seed", 5, "-q"]


def test_shards_merge_to_the_table_of_the_whole_study(vehicle, tmp_path):
    whole, merged = tmp_path / "whole.csv", tmp_path / "merged.csv"
    assert run("montecarlo", vehicle, *WORDS, "-o", whole).exit_code == 0
    parts = [tmp_path / f"part{k}.jsonl" for k in (1, 2, 3)]
    for k, part in enumerate(parts, start=1):
        assert run("montecarlo", vehicle, *WORDS, "--shard", f"{k}/3", "--keep", part).exit_code == 0
    lacking = run("merge", parts[0], parts[2], "-o", merged)
    assert lacking.exit_code == 2 and "found 5 of 7; no 2, 5" in lacking.stderr and not merged.exists()
    assert run("merge", *parts, "-o", merged, "--keep", tmp_path / "all.jsonl", "-q").exit_code == 0
    assert merged.read_bytes() == whole.read_bytes()
    assert (
        run("merge", tmp_path / "all.jsonl", "--json").data["samples"] == run("merge", *parts, "--json").data["samples"]
    )
    some = run("merge", parts[0], "--partial", "--json").data
    assert len(some["samples"]) == 3
    other = run("montecarlo", vehicle, *WORDS[:-3], "--seed", 6, "--shard", "1/3", "--keep", tmp_path / "o.jsonl", "-q")
    assert other.exit_code == 0
    assert "another study" in run("merge", parts[0], tmp_path / "o.jsonl").stderr


def test_shards_of_a_sweep_draw_the_same_curves(vehicle, tmp_path):
    words = ["sweep", vehicle, "--over", "bodies.bus.mass=60:80:3", "-q"]
    pictures = [tmp_path / "whole.svg", tmp_path / "merged.svg"]
    assert run(*words, "--plot", pictures[0]).exit_code == 0
    for k in (1, 2):
        part = tmp_path / f"p{k}.jsonl"
        assert run(*words, "--shard", f"{k}/2", "--keep", part).exit_code == 0
    assert run("merge", tmp_path / "p1.jsonl", tmp_path / "p2.jsonl", "--plot", pictures[1], "-q").exit_code == 0
    curves = [[line for line in p.read_text().splitlines() if line.startswith(("M ", "L "))] for p in pictures]
    assert curves[0] == curves[1] and curves[0]


def test_an_interrupt_keeps_what_is_done_and_resume_goes_on(vehicle, tmp_path, monkeypatch):
    whole = run("montecarlo", vehicle, *WORDS[:-1], "--json").data["samples"]
    keep, table = tmp_path / "kept.jsonl", tmp_path / "table.csv"
    made, sample_of = [], campaign.sample_of

    def counted(values, *others):
        made.append(values)
        if len(made) == 4:
            raise KeyboardInterrupt
        return sample_of(values, *others)

    words = ["montecarlo", vehicle, *WORDS[:-1], "--keep", keep, "-o", table]
    with monkeypatch.context() as patch:
        patch.setattr(campaign, "sample_of", counted)
        stopped = run(*words)
    assert stopped.exit_code == 130 and "kept.jsonl" in stopped.stderr and "table.csv were written" in stopped.stderr
    assert len(read_kept(keep).samples) == 3 and table.read_text().count("\n") == 4
    with keep.open("ab") as stream:  # a power cut in the middle of a line
        stream.write(b'{"sample": 4, "val')
    assert "continue with --resume" in run(*words).stderr
    assert "another study" in run(*words, "--resume", "--seed", "6").stderr
    again = run(*words, "--resume", "--json")
    assert again.exit_code == 0 and again.data["samples"] == whole
    assert len(read_kept(keep).samples) == 7 and table.read_text().count("\n") == 8
    flown = keep.stat().st_size
    assert run(*words, "--resume", "--json").data["samples"] == whole and keep.stat().st_size == flown


def test_files_that_hold_no_samples_are_refused(vehicle, tmp_path):
    keep = tmp_path / "kept.jsonl"
    for text in ("{}\n", "[1]\n", '{"format": "tisserand samples", "version": 9}\n'):
        keep.write_text(text)
        assert "is not a file of samples" in run("merge", keep).stderr
    keep.unlink()
    assert run("montecarlo", vehicle, *WORDS, "--keep", keep).exit_code == 0
    head, first, *_ = keep.read_text().splitlines()
    for change in ({"sample": 99}, {"values": {"x": 1.0}}, {"values": 3}, {"failure": 3}):
        keep.write_text(f"{head}\n{json.dumps({**json.loads(first), **change})}\n")
        assert "line 2" in run("merge", keep).stderr, change


def test_options_of_shards_are_checked(vehicle, tmp_path):
    for words, said in (
        (["--shard", "3/2", "--keep", "a.jsonl"], "K from 1 to N"),
        (["--shard", "3", "--keep", "a.jsonl"], "K from 1 to N"),
        (["--shard", "1/2"], "needs --keep"),
        (["--resume"], "needs --keep"),
        (["--shard", "1/2", "--keep", "a.jsonl", "-o", "x.csv"], "excludes --output"),
        (["--keep", "a.txt"], "expected .jsonl"),
    ):
        refused = run("montecarlo", vehicle, *WORDS, *words)
        assert refused.exit_code == 2 and said in refused.stderr, (words, refused.stderr)


@pytest.mark.slow
def test_processes_end_at_once_when_their_study_does():
    """A generator that is closed waits for nobody."""
    results = InProcesses(2).outcomes(Doomed(None, 0, seconds=60.0), [(5, {"x": 5.0}), (6, {"x": 6.0})])
    begun = time.monotonic()
    with pytest.raises(StopIteration):
        results.close()
        next(results)
    assert time.monotonic() - begun < 30.0
