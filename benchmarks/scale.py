"""What a hundred million dofs and a million runs would cost: laws fitted to measured points, and a simulation of the executor.

    python benchmarks/scale.py measure --runs 10 100 --workers 1 2 4     # points of this machine into scale_points.json
    python benchmarks/scale.py plan --picture docs/images/scale.png      # fits, extrapolation, simulation, picture

Points of models are those of docs/performance.md (tet10 panel, 20 modes with proof, one thread). Runs are slews of
``examples/two_wing.toml``, 0.2 s each, so that what the executor adds shows.
"""

from __future__ import annotations

import argparse
import heapq
import json
import os
import platform
import time
from pathlib import Path

import numpy as np

HERE = Path(__file__).parent
POINTS = HERE / "scale_points.json"
FILE = HERE.parent / "examples" / "two_wing.toml"
STATED = {"simulation.duration": 0.2, "simulation.rtol": 1e-6, "simulation.output_step": 0.1}
HOUR = 3600.0
#: What starting Python, numpy and numba takes before any model is read: s of docs/performance.md, and GiB measured.
BASE = {"seconds": 3.0, "gib": 0.12}


def measured_runs(runs: int, workers: int) -> float:
    """Seconds of the clock for a Monte Carlo study of so many short slews."""
    from tisserand.studies.montecarlo import montecarlo
    from tisserand.studies.options import MonteCarloStudy

    begin = time.perf_counter()
    vary = {"bodies.bus.mass": "normal:420:10"}
    montecarlo(MonteCarloStudy(vehicle=FILE, set=STATED, vary=vary, count=runs, jobs=workers))
    return time.perf_counter() - begin


def measure(runs: list[int], workers: list[int]) -> None:
    """Add points of runs to the file."""
    points = json.loads(POINTS.read_text())
    measured_runs(1, 1)  # kernels and records are ready
    known = {(row["runs"], row["workers"]): row for row in points["runs"]}
    for count in runs:
        for number in workers:
            load = os.getloadavg()[0]
            spent = measured_runs(count, number)
            known[count, number] = {"runs": count, "workers": number, "seconds": spent, "load": load}
            print(f"{count} runs, {number} workers: {spent:.2f} s, load {load:.1f}", flush=True)
    points["runs"] = [known[key] for key in sorted(known)]
    points["machine"] = f"{os.cpu_count()} cores, {platform.machine()}, Python {platform.python_version()}"
    POINTS.write_text(json.dumps(points, indent=1) + "\n")


def law(x: np.ndarray, y: np.ndarray, at: np.ndarray) -> tuple[float, np.ndarray, np.ndarray]:
    """(exponent, values, factor of uncertainty at 95 %) of a power law through logarithms, at other places."""
    from scipy.stats import t

    design = np.column_stack([np.ones(len(x)), np.log(x)])
    solution, rest, *_ = np.linalg.lstsq(design, np.log(y), rcond=None)
    degrees = len(x) - 2
    variance = float(rest[0]) / degrees
    places = np.column_stack([np.ones(len(at)), np.log(at)])
    spread = variance * (1.0 + np.einsum("ij,jk,ik->i", places, np.linalg.inv(design.T @ design), places))
    return float(solution[1]), np.exp(places @ solution), np.exp(t.ppf(0.975, degrees) * np.sqrt(spread))


def simulated(
    runs: int, workers: int, task: float, *, start: float = 0.0, overhead: float = 0.0, loss: float = 0.0, seed: int = 0
) -> float:
    """Seconds until the last of ``runs`` ends, event by event.

    Every worker loads the vehicle for ``start`` s; the scheduler hands out one task in ``overhead`` s and is busy meanwhile.
    Tasks take ``task`` s with a spread of a fifth. A worker dies ``loss`` times per hour, comes back after ``start`` s, and
    its task is done again.
    """
    rng = np.random.default_rng(seed)
    free = [(start, worker) for worker in range(workers)]
    heapq.heapify(free)
    scheduler, last, left = 0.0, 0.0, runs
    while left:
        now, worker = heapq.heappop(free)
        begin = max(now, scheduler)
        scheduler = begin + overhead
        spent = task * max(rng.normal(1.0, 0.2), 0.2)
        life = rng.exponential(HOUR / loss) if loss else np.inf
        if life < spent:
            heapq.heappush(free, (scheduler + life + start, worker))
            continue
        left -= 1
        end = scheduler + spent
        last = max(last, end)
        heapq.heappush(free, (end, worker))
    return last


def million(workers: int, task: float) -> float:
    """Hours for a million runs on a cluster: the pace between 10,000 and 30,000 simulated ones goes on.

    Assumed, not measured: 30 s to start a worker, 1 ms of the scheduler per run, 0.1 losses per worker and hour.
    """
    few, many = (simulated(n, workers, task, start=30.0, overhead=1e-3, loss=0.1) for n in (10_000, 30_000))
    return (many + (many - few) * (1e6 - 30_000) / 20_000) / HOUR


def executor_law(rows: list[dict[str, float]], cores: int) -> tuple[float, float, float]:
    """(start, task, overhead) s from the points: start and cost per run on one worker, and what a run costs more on several."""
    one = [(row["runs"], row["seconds"]) for row in rows if row["workers"] == 1]
    runs, seconds = np.array(one).T
    design = np.column_stack([np.ones(len(runs)), runs]) / seconds[:, None]  # relative errors count alike
    start, task = np.linalg.lstsq(design, np.ones(len(runs)), rcond=None)[0]
    more = [
        row["seconds"] / row["runs"] - task / min(row["workers"], cores)
        for row in rows
        if row["workers"] > 1 and row["runs"] == max(runs)
    ]
    return max(float(start), 0.0), float(task), max(float(np.mean(more)), 0.0) if more else 0.0


def plan(picture: str | None) -> None:
    """Everything that docs/scale.md states."""
    points = json.loads(POINTS.read_text())
    models, rows = points["models"], points["runs"]
    dofs = np.array([row["dofs"] for row in models], float)
    at = np.array([1e6, 1e7, 1e8])
    for word, unit in (("seconds", "s"), ("gib", "GiB")):
        exponent, values, factor = law(dofs, np.array([row[word] for row in models]) - BASE[word], at)
        told = ", ".join(f"{a:.0e}: {v:.3g} {unit} (x or / {f:.2g})" for a, v, f in zip(at, values, factor))
        print(f"{word} grow as dofs^{exponent:.2f}; {told}")
    cores = points["cores"]
    start, task, overhead = executor_law(rows, cores)
    print(f"start {start:.2f} s, {1e3 * task:.1f} ms per run, {1e3 * overhead:.2f} ms of overhead per run")
    for row in rows:
        there = simulated(
            row["runs"], min(row["workers"], cores), task, start=start, overhead=overhead * (row["workers"] > 1)
        )
        print(
            f"  {row['runs']:6d} runs, {row['workers']} workers: {row['seconds']:.2f} s measured, {there:.2f} s simulated"
        )
    for workers in (1, 10, 100, 1000):
        for length, name in ((task, "short"), (2.0, "of 2 s")):
            hours = million(workers, length)
            print(
                f"  a million runs {name}, {workers} workers: {hours:.2f} h, {hours * HOUR * workers / 1e6:.3g} s per result"
            )
    if picture:
        draw(models, task, picture)


def draw(models: list, task: float, path: str) -> None:
    """Cost of models against dofs, and of a million runs against workers."""
    import matplotlib

    matplotlib.use("Agg")
    import matplotlib.pyplot as plt

    figure, (left, right) = plt.subplots(1, 2, figsize=(11.0, 4.4), layout="constrained")
    dofs = np.array([row["dofs"] for row in models], float)
    at = np.geomspace(1e4, 1e8, 60)
    for word, color, label in (("seconds", "#1f6fb4", "processor time, s"), ("gib", "#d1691f", "memory, GiB")):
        y = np.array([row[word] for row in models]) - BASE[word]
        exponent, values, factor = law(dofs, y, at)
        left.fill_between(at, values / factor, values * factor, color=color, alpha=0.15, lw=0)
        left.loglog(at, values, color=color, label=f"{label} (dofs^{exponent:.2f})")
        left.loglog(dofs, y, "o", color=color)
    left.axhline(24.0, color="#888888", lw=0.8, ls=":")
    left.text(1.2e4, 27.0, "24 GiB of one machine", color="#555555", fontsize=8)
    left.set(xlabel="dofs", title="One model: 20 modes with proof", ylim=(0.1, 1e7))
    left.legend(frameon=False, loc="upper left")
    workers = np.array([1, 2, 4, 10, 30, 100, 300, 1000, 3000])
    for length, color, name in (
        (task, "#1f6fb4", f"{1e3 * task:.0f} ms"),
        (2.0, "#2a8f4d", "2 s"),
        (60.0, "#8a4fb0", "60 s"),
    ):
        hours = [million(int(n), length) for n in workers]
        right.loglog(workers, hours, "-o", ms=3, color=color, label=f"runs of {name}")
    right.axhline(1e6 * 1e-3 / HOUR, color="#888888", lw=0.8, ls=":")
    right.text(1.1, 1.1e3 / HOUR, "scheduler alone, 1 ms per run", color="#555555", fontsize=8)
    right.set(xlabel="workers", ylabel="hours", title="A million runs, simulated (0.1 losses per worker and hour)")
    right.legend(frameon=False)
    figure.savefig(path, dpi=110)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("part", choices=("measure", "plan"))
    parser.add_argument("--runs", type=int, nargs="+", default=[10, 100, 1000])
    parser.add_argument("--workers", type=int, nargs="+", default=[1, 2, 4])
    parser.add_argument("--picture")
    arguments = parser.parse_args()
    if arguments.part == "measure":
        measure(arguments.runs, arguments.workers)
    else:
        plan(arguments.picture)


if __name__ == "__main__":
    main()
