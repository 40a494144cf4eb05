"""Tables of runs and ensembles, and their cost against size: ``python benchmarks/runs_tables.py [part ...]``.

Parts: ``trees`` (right-hand side of rigid trees beside Pinocchio and MuJoCo), ``spacecraft`` (600 s of the Fig. 1
spacecraft: methods and the whole command), ``samples`` (a million output times), ``cold`` (first run and demo of an
installation), ``ensemble`` (Monte Carlo and roll-outs), ``cost`` (1 to 500 bodies, 1 to 500 modes; ``--picture FILE`` draws
it). Processor time (user and system, children too) unless a clock is named, since a loaded machine changes it least.
"""

from __future__ import annotations

import argparse
import json
import os
import resource
import shutil
import subprocess
import sys
import tempfile
import time
from pathlib import Path

import numpy as np

sys.path.insert(0, str(Path(__file__).parent))
import ensemble
import modes_tables
import multibody as trees

ROOT = Path(__file__).parents[1]
FIGURE_1 = ROOT / "examples" / "fig1_spacecraft.toml"
PARTS = ("trees", "spacecraft", "samples", "cold", "ensemble", "cost")
TWO_BODIES = """
[bodies.bus]
mass = 400.0
inertia = [110.0, 300.0, 380.0]
[bodies.arm]
mass = 12.0
inertia = [1.0, 2.0, 2.0]
[joints.hinge]
parent = "bus"
child = "arm"
axis = [0.0, 1.0, 0.0]
stiffness = 4.0
damping = 0.2
[initial]
angular_velocity = [0.01, 0.02, 0.03]
joints_deg = { hinge = 10.0 }
[simulation]
duration = 1000.0
output_step = 0.001
rtol = 1e-6
"""


def command(*words: str, **environment: str) -> tuple[float, float, float]:
    """Processor and clock time of one command, s, and its peak memory, GB."""
    before, begun = resource.getrusage(resource.RUSAGE_CHILDREN), time.perf_counter()
    call = (
        "import sys, resource; from tisserand.cli.app import main\ntry:\n    main()\nfinally:\n"
        "    print(resource.getrusage(resource.RUSAGE_SELF).ru_maxrss, file=sys.stderr)"
    )
    made = subprocess.run(
        [sys.executable, "-c", call, *words], env={**os.environ, **environment}, capture_output=True, text=True
    )
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    if made.returncode:
        raise SystemExit(f"tisserand {' '.join(words)} failed: {made.stdout}{made.stderr}")
    busy = after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime
    return busy, time.perf_counter() - begun, int(made.stderr.split()[-1]) / 1e6


def rigid_trees() -> None:
    """One evaluation, call included, beside ``pin.aba`` and ``mj_forward``."""
    print("\nhinges   tisserand us   pin.aba us  ratio   mj_forward us  ratio")
    for hinges in (6, 20, 100):
        rounds = [(trees.ours(*trees.chain(hinges)), trees.pinocchio(hinges), trees.mujoco(hinges)) for _ in range(3)]
        here, *others = (min(x) if x[0] else None for x in zip(*rounds))
        cells = [f"{x:9.2f}  {here / x:5.2f}" if x else "  missing      -" for x in others]
        print(f"{hinges:6d}   {here:12.2f}   {cells[0]}   {cells[1]}")


def spacecraft() -> None:
    """600 s at rtol 1e-6: evaluations, integration, then with books and monitor, and the whole command."""
    from tisserand.multibody.segments import run_in_segments
    from tisserand.studies.vehicles import read_vehicle

    print(
        "\nFig. 1 spacecraft, 600 s, rtol 1e-6      evaluations   integration s   with books and monitor s   momentum"
    )
    for method in ("dop853", "esdirk", "auto"):
        for _ in range(2):  # kernels are loaded by the first
            case = read_vehicle(FIGURE_1, {"simulation.rtol": 1e-6, "simulation.method": method})
            simulation, times = case.simulation(), case.run.output_times
            begun = time.process_time()
            if _ == 0:
                simulation.extend(simulation.begin(times), 600.0)
                bare = time.process_time() - begun
            else:
                run = run_in_segments(simulation, times)
                whole = time.process_time() - begun
        print(
            f"{method:40s} {run.statistics.calls:11d} {bare:15.2f} {whole:26.2f}   {run.balance.worst()['momentum']:.1e}"
        )
    with tempfile.TemporaryDirectory() as folder:
        words = ("simulate", str(FIGURE_1), "--set", "simulation.rtol=1e-6", "-o", f"{folder}/run.h5")
        command(*words)
        busy, clock, memory = command(*words)
    print(f"tisserand simulate, audit and file included: {busy:.2f} s ({clock:.2f} s of the clock), {memory:.2f} GB")


def million_samples() -> None:
    with tempfile.TemporaryDirectory() as folder:
        Path(folder, "two.toml").write_text(TWO_BODIES)
        busy, clock, memory = command("simulate", f"{folder}/two.toml", "-o", f"{folder}/run.h5")
        size = Path(folder, "run.h5").stat().st_size / 1e9
        print(f"\nA million output times of two bodies: simulate {busy:.1f} s ({clock:.1f} s of the clock)")
        print(f"   {memory:.2f} GB of memory for {size:.2f} GB of file")
        busy, clock, memory = command("report", f"{folder}/run.h5", "-o", f"{folder}/run.html")
        print(f"   report {busy:.1f} s ({clock:.1f} s of the clock), {memory:.2f} GB")


def cold_start() -> None:
    """A copy of the sources without compiled kernels, and an empty record cache."""
    print()
    for words in (("simulate", "examples/fig1_spacecraft.toml", "-o", "run.h5"), ("demo", "demo")):
        with tempfile.TemporaryDirectory() as folder:
            for name in ("src", "examples", "meshes"):
                shutil.copytree(ROOT / name, Path(folder, name), ignore=shutil.ignore_patterns("__pycache__"))
            given = [str(Path(folder, word)) if Path(folder, word).exists() else word for word in words]
            given = [f"{folder}/{word}" if word in ("run.h5", "demo") and i else word for i, word in enumerate(given)]
            surroundings = {"PYTHONPATH": f"{folder}/src", "TISSERAND_CACHE": f"{folder}/cache"}
            busy, clock, _ = command(*given, **surroundings)
            again, _, _ = command(*given, **surroundings) if words[0] == "simulate" else (float("nan"), 0.0, 0.0)
            print(f"cold tisserand {words[0]}: {busy:.1f} s ({clock:.1f} s of the clock); again {again:.1f} s")


def counted(kind: str, size: int) -> int:
    """Arithmetic of one evaluation, counted by running the kernels in plain Python."""
    out = subprocess.run(
        [sys.executable, __file__, "--count", kind, str(size)],
        env=dict(os.environ, NUMBA_DISABLE_JIT="1"),
        capture_output=True,
        text=True,
        check=True,
    )
    return int(json.loads(out.stdout)["total"])


def sample(kind: str, size: int):
    """A tree of hinges, or a hub with an appendage of so many modes, and a state."""
    from tisserand.multibody import State

    return (
        trees.chain(size)
        if kind == "hinges"
        else (trees.hub_and_wing(size)[1], State(angular_velocity=[0.1, 0.2, 0.3]))
    )


def cost(picture: str | None, largest: int) -> None:
    """One evaluation against size, with the least time of its arithmetic and of reading its tables once, in cache or not."""
    from tisserand.multibody.recursive.compile import compile_vehicle

    flops, _ = modes_tables._limits()
    print(f"\n{flops / 1e9:.1f} Gflop/s (product of matrices, one thread)")
    found = {}
    for kind, degree in (("hinges", 1), ("modes", 3)):
        at = np.arange(1, degree + 2) * 2
        fit = np.polyfit(at, [counted(kind, int(size)) for size in at], degree)
        rows = []
        for size in (s for s in (1, 2, 5, 10, 20, 50, 100, 200, 500) if s <= largest):
            vehicle, state = sample(kind, size)
            made = compile_vehicle(vehicle)
            held = made.M.nbytes + made.F.nbytes + made.workspace().nbytes
            operations = float(np.polyval(fit, size))
            values = np.ones(held // 8)
            read = trees.best_microseconds(lambda values=values: values.dot(values))
            rows.append((size, trees.ours(vehicle, state), 1e6 * operations / flops, read))
            words = f"{operations:.3g} operations {rows[-1][2]:.2f} us, {held / 1e6:.3f} MB read in {read:.2f} us"
            print(f"{size:4d} {kind}: {rows[-1][1]:8.2f} us; {words}", flush=True)
        found[kind] = np.array(rows)
    if picture:
        draw(found, picture)


def draw(found: dict[str, np.ndarray], path: str) -> None:
    import matplotlib

    matplotlib.use("Agg")
    import matplotlib.pyplot as plt

    figure, axes = plt.subplots(1, 2, figsize=(9, 3.6), layout="constrained")
    for axis, (kind, rows) in zip(axes, found.items()):
        axis.loglog(rows[:, 0], rows[:, 1], "o-", label="one evaluation, us")
        axis.loglog(rows[:, 0], rows[:, 2], "k--", label="its arithmetic at the speed of a product of matrices")
        axis.loglog(rows[:, 0], rows[:, 3], "k:", label="reading its tables once")
        axis.set_xlabel({"hinges": "hinges (rigid tree)", "modes": "modes (hub and one appendage)"}[kind])
        axis.set_ylabel("time (us)")
        axis.grid(visible=True, which="both", alpha=0.3)
    figure.legend(*axes[0].get_legend_handles_labels(), loc="outside upper center", ncols=3, fontsize=8)
    figure.savefig(path, dpi=110)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("parts", nargs="*", default=list(PARTS), help=f"of {', '.join(PARTS)}")
    parser.add_argument("--picture", help="file of the picture of cost against size")
    parser.add_argument("--largest", type=int, default=500, help="largest number of bodies and modes")
    parser.add_argument("--runs", type=int, default=24, help="runs of the Monte Carlo study")
    parser.add_argument("--count", nargs=2)
    arguments = parser.parse_args()
    if arguments.count:
        print(json.dumps(trees.count_here(*sample(arguments.count[0], int(arguments.count[1])))))
        return
    modes_tables.header()
    known = {"trees": rigid_trees, "spacecraft": spacecraft, "samples": million_samples, "cold": cold_start}
    for part in arguments.parts:
        if part == "cost":
            cost(arguments.picture, arguments.largest)
        elif part == "ensemble":
            ensemble.tables(arguments.runs)
        else:
            known[part]()
    print(f"\nload at the end {os.getloadavg()[0]:.1f}")


if __name__ == "__main__":
    main()
