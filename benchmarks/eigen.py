"""Twenty modes of a tet10 panel from the mesh file: this package, CalculiX and the plain scipy route, side by side.

    python benchmarks/eigen.py 100000 300000 [--skip scipy superlu]  # routes: calculix, fast, multifrontal, superlu, scipy

The panel is aluminum, 2 x 1 x 0.02 m, clamped on a short edge. Every route reads the same input file. Our times
include the proof (residuals, orthogonality, Sturm count); each run is its own process, so the peak memory is its own.
"""

from __future__ import annotations

import argparse
import itertools
import json
import os
import re
import shutil
import subprocess
import sys
import tempfile
import time
from pathlib import Path

import numpy as np

MODES = 20


def panel(dofs: int) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """Points (n, 3), ten-node tetrahedra (m, 10) and the clamped nodes, near the asked number of dofs."""
    across = max(2, round((np.sqrt(dofs / 18.0 + 0.0625) - 0.75) / 2.0))
    counts = (2 * across, across, 1)
    shape = tuple(2 * c + 1 for c in counts)
    grid = np.stack(np.meshgrid(*(np.arange(s) for s in shape), indexing="ij"), axis=-1).reshape(-1, 3)
    points = grid / (np.array(shape) - 1) * np.array([2.0, 1.0, 0.02])
    corner = 2 * np.stack(np.meshgrid(*(np.arange(c) for c in counts), indexing="ij"), axis=-1).reshape(-1, 1, 3)
    cells = []
    for order in itertools.permutations(range(3)):
        path = np.zeros((4, 3), int)
        for step, axis in enumerate(order):
            path[step + 1 :, axis] = 2
        if np.linalg.det(path[1:] - path[0]) < 0:
            path[[2, 3]] = path[[3, 2]]
        middle = [(path[a] + path[b]) // 2 for a, b in ((0, 1), (1, 2), (2, 0), (0, 3), (1, 3), (2, 3))]
        cells.append(corner + np.vstack([path, middle]))
    place = np.concatenate(cells)
    number = (place[..., 0] * shape[1] + place[..., 1]) * shape[2] + place[..., 2]
    return points, number, np.flatnonzero(points[:, 0] == 0.0)


def write_deck(path: Path, dofs: int) -> int:
    """The panel as an Abaqus/CalculiX input file; returns its number of dofs."""
    points, cells, held = panel(dofs)
    with path.open("w") as out:
        out.write("*NODE, NSET=ALL\n")
        out.writelines(f"{i + 1},{x:.12g},{y:.12g},{z:.12g}\n" for i, (x, y, z) in enumerate(points))
        out.write("*ELEMENT, TYPE=C3D10, ELSET=BODY\n")
        out.writelines(f"{i + 1},{','.join(map(str, row + 1))}\n" for i, row in enumerate(cells))
        out.write("*NSET, NSET=ROOT\n")
        out.writelines(f"{n + 1},\n" for n in held)
        out.write("*MATERIAL, NAME=AL\n*ELASTIC\n70e9,0.33\n*DENSITY\n2700.\n*SOLID SECTION, ELSET=BODY, MATERIAL=AL\n")
        out.write("*BOUNDARY\nROOT,1,3\n*STEP\n*FREQUENCY\n20\n*END STEP\n")
    return 3 * len(points)


def ours(deck: str, backend: str | None) -> dict[str, object]:
    """Read, assemble, factorize, iterate and prove; seconds for each."""
    import tisserand.modes.eigen as eigen
    from tisserand.assembly import assemble
    from tisserand.modes import solve_modes
    from tisserand.readers.registry import read_model

    seconds = {"factor": 0.0, "iterate": 0.0}

    def timed(name: str, function):  # type: ignore[no-untyped-def]
        def run(*args, **kwargs):  # type: ignore[no-untyped-def]
            start = time.perf_counter()
            try:
                return function(*args, **kwargs)
            finally:
                seconds[name] += time.perf_counter() - start

        return run

    eigen.Eigenproblem._factor_at = timed("factor", eigen.Eigenproblem._factor_at)
    eigen.lanczos = timed("iterate", eigen.lanczos)
    start = time.perf_counter()
    structure = read_model(deck, units="SI")
    read = time.perf_counter()
    model = assemble(structure)
    assembled = time.perf_counter()
    basis = solve_modes(model, count=MODES, backend=backend)
    done = time.perf_counter()
    solve = done - assembled
    return {
        "read": read - start, "assemble": assembled - read, "factor": seconds["factor"], "iterate": seconds["iterate"],
        "prove": solve - seconds["factor"] - seconds["iterate"], "total": done - start,
        "hz": basis.frequencies_hz.tolist(), "backend": basis.proof.backend if basis.proof else "", "dofs": model.size,
    }  # fmt: skip


def plain_scipy(deck: str) -> dict[str, object]:
    """The same matrices through scipy.sparse.linalg.eigsh with its default factorization."""
    from scipy.sparse.linalg import eigsh

    from tisserand.assembly import assemble
    from tisserand.readers.registry import read_model

    start = time.perf_counter()
    model = assemble(read_model(deck, units="SI"))
    free = np.flatnonzero(~model.held())
    K, M = model.stiffness[free][:, free].tocsc(), model.mass[free][:, free].tocsc()
    ready = time.perf_counter()
    values = eigsh(K, MODES, M, sigma=0.0, return_eigenvectors=True)[0]
    done = time.perf_counter()
    return {"total": done - start, "solve": done - ready, "hz": (np.sqrt(np.sort(values)) / 2 / np.pi).tolist()}


def calculix(deck: str) -> dict[str, object]:
    """CalculiX on the same file."""
    start = time.perf_counter()
    done = subprocess.run(["ccx", Path(deck).stem], cwd=Path(deck).parent, capture_output=True, text=True, check=True)
    total = time.perf_counter() - start
    text = Path(deck).with_suffix(".dat").read_text()
    hz = [float(row.split()[3]) for row in text.splitlines() if re.match(r"^\s+\d+(\s+[-\dE+.]+){4}\s*$", row)][:MODES]
    version = re.search(r"Version\s+([\d.]+)", done.stdout)
    return {"total": total, "hz": hz, "version": version.group(1) if version else ""}


def measured(route: str, deck: Path) -> dict[str, object]:
    """One route in a process of its own: seconds, processor seconds and peak memory in GiB."""
    command = [sys.executable, __file__, "--run", route, str(deck)]
    out = subprocess.run(command, capture_output=True, text=True, check=False)
    if out.returncode:
        return {"error": out.stderr.strip().splitlines()[-1] if out.stderr else "failed"}
    return dict(json.loads(out.stdout.strip().splitlines()[-1]))


def run_here(route: str, deck: str) -> None:
    import resource

    if route == "calculix":
        result = calculix(deck)
        usage = resource.getrusage(resource.RUSAGE_CHILDREN)
    else:
        result = plain_scipy(deck) if route == "scipy" else ours(deck, None if route == "fast" else route)
        usage = resource.getrusage(resource.RUSAGE_SELF)
    result["gib"] = usage.ru_maxrss / 2**20
    result["cpu"] = usage.ru_utime + usage.ru_stime
    print(json.dumps(result))


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("dofs", nargs="*", type=int, default=[100_000, 300_000])
    parser.add_argument("--skip", nargs="*", default=[])
    parser.add_argument("--run", nargs=2, metavar=("ROUTE", "DECK"))
    arguments = parser.parse_args()
    if arguments.run:
        run_here(*arguments.run)
        return
    threads = os.environ.get("OMP_NUM_THREADS", str(os.cpu_count()))
    print(f"{os.cpu_count()} cores, OMP_NUM_THREADS {threads}, load {os.getloadavg()[0]:.1f}, {MODES} modes")
    routes = [r for r in ("calculix", "fast", "multifrontal", "superlu", "scipy") if r not in arguments.skip]
    if shutil.which("ccx") is None:
        routes.remove("calculix")
    for wanted in arguments.dofs:
        with tempfile.TemporaryDirectory() as folder:
            deck = Path(folder) / "panel.inp"
            count = write_deck(deck, wanted)
            print(f"\n{count} dofs")
            results = {}
            for route in routes:
                result = results[route] = measured(route, deck)
                if "error" in result:
                    print(f"  {route:9s} failed: {result['error']}")
                    continue
                parts = "  ".join(
                    f"{k} {result[k]:.2f}"
                    for k in ("read", "assemble", "factor", "iterate", "prove", "solve")
                    if k in result
                )
                peer = f"{result.get('backend', '')}{result.get('version', '')}"
                spent = f"{result['total']:7.2f} s ({result['cpu']:.1f} s of processor)"
                print(f"  {route:9s} {spent}  {result['gib']:.2f} GiB  {parts} {peer}")
            compare(results)


def compare(results: dict[str, dict[str, object]]) -> None:
    """Ratios of time and memory to CalculiX, and the largest difference of frequencies."""
    reference = results.get("calculix", {})
    if "total" not in reference:
        return
    for route, result in results.items():
        if route == "calculix" or "total" not in result:
            continue
        ours_hz, theirs = np.array(result["hz"]), np.array(reference["hz"])
        n = min(len(ours_hz), len(theirs))
        gap = np.abs(ours_hz[:n] / theirs[:n] - 1.0).max() if n else float("nan")
        speed = float(reference["total"]) / float(result["total"])  # type: ignore[arg-type]
        memory = float(result["gib"]) / float(reference["gib"])  # type: ignore[arg-type]
        work = float(reference["cpu"]) / float(result["cpu"])  # type: ignore[arg-type]
        print(f"  {route}: {speed:.2f} x the speed of CalculiX ({work:.2f} x by processor time),", end=" ")
        print(f"{memory:.2f} x its memory, frequencies within {gap:.1e}")


if __name__ == "__main__":
    main()
