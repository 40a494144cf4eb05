"""Monte Carlo in threads: what runs cost beyond their integration, and rigid trees beside MuJoCo's batch roll-out.

``python benchmarks/ensemble.py [runs]`` prints processor times (user and system of all threads), so that a loaded machine changes
them less than wall times. The slews are those of ``examples/two_wing.toml``, 20 s each, with a drawn mass. Integration alone is
the same steps without reading, tables, records, balance and monitor. MuJoCo is optional (extra ``benchmark``).
"""

from __future__ import annotations

import os
import platform
import sys
import time
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import numpy as np

sys.path.insert(0, str(Path(__file__).parent))
import multibody as trees

FILE = Path(__file__).parents[1] / "examples" / "two_wing.toml"
STATED = {"simulation.duration": 20.0, "simulation.rtol": 1e-6, "simulation.output_step": 0.1}
STEP, STEPS, COPIES = 0.002, 500, 64


def processor_seconds(call) -> tuple[float, float]:
    """Processor and wall time of a call, s."""
    wall, busy = time.perf_counter(), time.process_time()
    call()
    return time.process_time() - busy, time.perf_counter() - wall


def slews(runs: int, threads: int) -> None:
    """Monte Carlo against its integration."""
    from tisserand.studies.montecarlo import montecarlo
    from tisserand.studies.options import MonteCarloStudy
    from tisserand.studies.vehicles import read_vehicle

    def study(count: int, jobs: int):
        vary = {"bodies.bus.mass": "normal:420:10"}
        return montecarlo(MonteCarloStudy(vehicle=FILE, set=STATED, vary=vary, count=count, jobs=jobs))

    study(1, 1)  # kernels and records are ready
    simulations = [read_vehicle(FILE, {**STATED, "bodies.bus.mass": 420.0}).simulation() for _ in range(runs)]
    times = np.linspace(0.0, 20.0, 201)

    def integrate(simulation) -> None:
        run = simulation.begin(times)
        for end in times[5::5]:  # the segments of a run
            simulation.extend(run, end)

    def all_of_them() -> None:
        with ThreadPoolExecutor(threads) as pool:
            list(pool.map(integrate, simulations))

    bare, bare_wall = processor_seconds(all_of_them)
    whole, whole_wall = processor_seconds(lambda: study(runs, threads))
    single, _ = processor_seconds(lambda: study(max(runs // 4, 1), 1))
    print(f"{runs} slews of 20 s, {threads} threads: integration {bare:.1f} s ({bare_wall:.1f} s of the clock)")
    print(f"   Monte Carlo {whole:.1f} s ({whole_wall:.1f} s of the clock): {100.0 * (whole / bare - 1.0):.0f} % more")
    print(f"   one thread: {single / max(runs // 4, 1):.3f} s per run, {threads} threads: {whole / runs:.3f} s per run")


def ours(hinges: int, threads: int) -> float:
    """Processor time of one RK4 step of one tree, us, in a batch."""
    from tisserand.multibody import Simulation

    vehicle, state = trees.chain(hinges)
    made = [Simulation(vehicle, state, method="rk4", step=STEP, on_limit="record") for _ in range(COPIES)]
    grid = np.array([0.0, STEP * STEPS])

    def run(simulation) -> None:
        simulation.extend(simulation.begin(grid), STEP * STEPS)

    run(Simulation(vehicle, state, method="rk4", step=STEP))

    def batch() -> None:
        with ThreadPoolExecutor(threads) as pool:
            list(pool.map(run, made))

    return 1e6 * processor_seconds(batch)[0] / (COPIES * STEPS)


def theirs(hinges: int, threads: int) -> float | None:
    """The same of MuJoCo's roll-out."""
    try:
        import mujoco
        from mujoco import rollout
    except ImportError:
        return None
    model = trees.mujoco_tree(hinges)
    model.opt.timestep, model.opt.integrator = STEP, mujoco.mjtIntegrator.mjINT_RK4
    model.opt.disableflags |= mujoco.mjtDisableBit.mjDSBL_CONTACT | mujoco.mjtDisableBit.mjDSBL_CONSTRAINT
    data = [mujoco.MjData(model) for _ in range(threads)]
    first = np.zeros((COPIES, mujoco.mj_stateSize(model, mujoco.mjtState.mjSTATE_FULLPHYSICS)))
    mujoco.mj_getState(model, data[0], first[0], mujoco.mjtState.mjSTATE_FULLPHYSICS)
    first[:] = first[0]
    with rollout.Rollout(nthread=threads) as batch:
        batch.rollout(model, data, first, nstep=2)
        busy, _ = processor_seconds(lambda: batch.rollout(model, data, first, nstep=STEPS))
    return 1e6 * busy / (COPIES * STEPS)


def tables(runs: int) -> None:
    """All tables of ensembles."""
    threads = os.cpu_count() or 1
    slews(runs, threads)
    for hinges in (20, 100):
        here, there = ours(hinges, threads), theirs(hinges, threads)
        beside = "MuJoCo missing" if there is None else f"MuJoCo {there:.1f} us, ratio {here / there:.2f}"
        print(f"rigid tree, {hinges} hinges, RK4, {COPIES} copies, {threads} threads: {here:.1f} us per step; {beside}")


def main() -> None:
    import numba

    print(
        f"{platform.platform()}, Python {platform.python_version()}, numpy {np.__version__}, numba {numba.__version__}"
    )
    print(f"{os.cpu_count()} cores and threads, load {os.getloadavg()[0]:.1f}")
    tables(int(sys.argv[1]) if len(sys.argv) > 1 else 24)


if __name__ == "__main__":
    main()
