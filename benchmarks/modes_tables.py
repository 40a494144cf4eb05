"""Every table of docs/performance.md about modes, shells and checks, with machine, versions, threads and load.

    python benchmarks/modes_tables.py                       # all parts, about twelve minutes on two quiet cores
    python benchmarks/modes_tables.py panels shells         # some of: panels, many, shells, check, blocks, million
    python benchmarks/modes_tables.py cost --picture docs/images/modes_cost.png   # cost against size, with the physical limit

Every row is a process of its own: seconds of the clock, processor seconds and peak memory belong to it alone. ``OMP_NUM_THREADS``
holds for all programs; without it each takes the cores it finds.
"""

from __future__ import annotations

import argparse
import json
import os
import platform
import shutil
import subprocess
import sys
import tempfile
import time
from importlib.metadata import PackageNotFoundError, version
from pathlib import Path

import numpy as np
from eigen import calculix, compare, write_deck

PARTS = ("panels", "many", "shells", "check", "blocks", "million")
MODES_AT = 30_000  # dofs of the panel whose cost is shown against the number of modes
SIDE = 224  # quads along each side of the shell: 50,176 CQUAD4


def header() -> None:
    """Machine, versions, threads and load."""
    model = next(
        (x.split(":")[1].strip() for x in _lines("/proc/cpuinfo") if x.startswith("model name")), platform.machine()
    )
    found = []
    for name in ("tisserand", "numpy", "scipy", "numba", "mkl"):
        try:
            found.append(f"{name} {version(name)}")
        except PackageNotFoundError:
            found.append(f"{name} not installed")
    threads = os.environ.get("OMP_NUM_THREADS", "not set")
    print(f"{model}, {os.cpu_count()} cores, OMP_NUM_THREADS {threads}, load {os.getloadavg()[0]:.1f}")
    print(f"Python {platform.python_version()}, {', '.join(found)}; {time.strftime('%Y-%m-%d %H:%M')}")


def _lines(path: str) -> list[str]:
    try:
        return Path(path).read_text().splitlines()
    except OSError:
        return []


# -- decks --------------------------------------------------------------------------------------------------------------
def write_block(path: Path, dofs: int, kind: str) -> None:
    """A cube of tet10 or hex20, clamped at one face."""
    half = 2 * max(2, round((dofs / (3.0 if kind == "tet10" else 1.5)) ** (1 / 3) / 2.0))
    grid = np.stack(np.meshgrid(*(np.arange(half + 1),) * 3, indexing="ij"), axis=-1).reshape(-1, 3)
    number = np.arange(len(grid)).reshape((half + 1,) * 3)
    corner = np.stack(np.meshgrid(*(np.arange(0, half, 2),) * 3, indexing="ij"), axis=-1).reshape(-1, 1, 3)
    if kind == "tet10":
        cells = _tets(corner)
    else:
        cells = corner + np.array(_HEX20)
    rows = number[tuple(np.moveaxis(cells, 2, 0))]
    used = np.unique(rows)
    place = np.zeros(len(grid), int)
    place[used] = np.arange(1, len(used) + 1)
    points = grid[used] / half
    with path.open("w") as out:
        out.write("*NODE, NSET=ALL\n")
        out.writelines(f"{i + 1},{x:.9g},{y:.9g},{z:.9g}\n" for i, (x, y, z) in enumerate(points))
        out.write(f"*ELEMENT, TYPE={'C3D10' if kind == 'tet10' else 'C3D20'}, ELSET=BODY\n")
        for i, row in enumerate(place[rows]):
            words = ",".join(map(str, row[:15])) + ("," + "\n" + ",".join(map(str, row[15:])) if len(row) > 15 else "")
            out.write(f"{i + 1},{words}\n")
        held = np.flatnonzero(points[:, 0] == 0.0) + 1
        out.write("*NSET, NSET=ROOT\n" + "".join(f"{n},\n" for n in held))
        out.write("*MATERIAL, NAME=AL\n*ELASTIC\n70e9,0.33\n*DENSITY\n2700.\n*SOLID SECTION, ELSET=BODY, MATERIAL=AL\n")
        out.write("*BOUNDARY\nROOT,1,3\n*STEP\n*FREQUENCY\n20\n*END STEP\n")


_HEX20 = [
    (0, 0, 0), (2, 0, 0), (2, 2, 0), (0, 2, 0), (0, 0, 2), (2, 0, 2), (2, 2, 2), (0, 2, 2), (1, 0, 0), (2, 1, 0),
    (1, 2, 0), (0, 1, 0), (1, 0, 2), (2, 1, 2), (1, 2, 2), (0, 1, 2), (0, 0, 1), (2, 0, 1), (2, 2, 1), (0, 2, 1),
]  # fmt: skip


def _tets(corner: np.ndarray) -> np.ndarray:
    """(m, 10, 3) grid places of the six tetrahedra of every cube (m, 1, 3)."""
    import itertools

    cells = []
    for order in itertools.permutations(range(3)):
        path = np.zeros((4, 3), int)
        for step, axis in enumerate(order):
            path[step + 1 :, axis] = 2
        if np.linalg.det(path[1:] - path[0]) < 0:
            path[[2, 3]] = path[[3, 2]]
        middle = [(path[a] + path[b]) // 2 for a, b in ((0, 1), (1, 2), (2, 0), (0, 3), (1, 3), (2, 3))]
        cells.append(corner + np.vstack([path, middle]))
    return np.concatenate(cells)


def write_shell(path: Path, side: int) -> None:
    """A slightly curved plate, 2 x 1 m of 2 mm, as CQUAD4, clamped at one edge."""
    n = side + 1
    with path.open("w") as out:
        out.write(
            "SOL 103\nCEND\nSPC = 1\nBEGIN BULK\nMAT1,1,7.+10,,.33,2700.\nPSHELL,1,1,.002,1,,1\nPARAM,AUTOSPC,YES\n"
        )
        for i in range(n):
            for j in range(n):
                x, y = 2.0 * i / side, j / side
                out.write(f"GRID    {i * n + j + 1:8d}        {x:8.5f}{y:8.5f}{0.05 * np.sin(3 * x) * y:8.5f}\n")
        for i in range(side):
            for j in range(side):
                a, b = i * n + j + 1, (i + 1) * n + j + 1
                out.write(f"CQUAD4  {i * side + j + 1:8d}       1{a:8d}{b:8d}{b + 1:8d}{a + 1:8d}\n")
        out.writelines(f"SPC1    {1:8d}  123456{j + 1:8d}\n" for j in range(n))
        out.write("ENDDATA\n")


def write_s8r(path: Path, side: int) -> int:
    """The same plate as S8R of CalculiX with about as many nodes; returns their number."""
    cells = max(4, round(side / np.sqrt(3.0)))
    n = 2 * cells + 1
    number = np.zeros((n, n), int)
    with path.open("w") as out:
        out.write("*NODE, NSET=ALL\n")
        count = 0
        for i in range(n):
            for j in range(n):
                if i % 2 and j % 2:
                    continue
                count += 1
                number[i, j] = count
                x, y = i / cells, 0.5 * j / cells
                out.write(f"{count},{x:.9g},{y:.9g},{0.05 * np.sin(3 * x) * y:.9g}\n")
        out.write("*ELEMENT, TYPE=S8R, ELSET=BODY\n")
        around = ((0, 0), (2, 0), (2, 2), (0, 2), (1, 0), (2, 1), (1, 2), (0, 1))
        for c, (i, j) in enumerate((2 * i, 2 * j) for i in range(cells) for j in range(cells)):
            out.write(f"{c + 1}," + ",".join(str(number[i + a, j + b]) for a, b in around) + "\n")
        out.write("*NSET, NSET=ROOT\n" + "".join(f"{k},\n" for k in number[0] if k))
        out.write(
            "*MATERIAL, NAME=AL\n*ELASTIC\n70e9,0.33\n*DENSITY\n2700.\n*SHELL SECTION, ELSET=BODY, MATERIAL=AL\n.002\n"
        )
        out.write("*BOUNDARY\nROOT,1,6\n*STEP\n*FREQUENCY\n20\n*END STEP\n")
    return count


# -- rows, each in its own process ---------------------------------------------------------------------------------------
def modes_row(deck: str, backend: str, count: str) -> dict[str, object]:
    """Read, assemble, solve."""
    from tisserand.assembly import assemble
    from tisserand.linalg import pardiso
    from tisserand.modes import solve_modes
    from tisserand.readers.registry import read_model

    factor = {}
    control, made = pardiso._control, pardiso.PardisoFactor._factorize

    def counting():  # type: ignore[no-untyped-def]
        out = control()
        out[17] = out[18] = -1  # the analysis reports terms and flops of the factor
        return out

    def watched(self, matrix):  # type: ignore[no-untyped-def]
        factor.update(terms=int(self._control[17]), mflop=int(self._control[18]))
        made(self, matrix)

    pardiso._control = counting
    pardiso.PardisoFactor._factorize = watched  # type: ignore[method-assign]
    marks = [(time.perf_counter(), time.process_time())]

    def mark() -> None:
        marks.append((time.perf_counter(), time.process_time()))

    structure = read_model(deck, units="SI")
    mark()
    model = assemble(structure)
    mark()
    basis = solve_modes(model, count=int(count), backend=None if backend == "fast" else backend)
    mark()
    spent = {name: b[1] - a[1] for name, a, b in zip(("read", "assemble", "modes"), marks, marks[1:])}
    proof = basis.proof
    return {
        **spent, **factor, "total": marks[-1][0] - marks[0][0], "dofs": model.size, "hz": basis.frequencies_hz.tolist(),
        "backend": proof.backend, "bound": proof.worst_error, "terms_k": model.stiffness.nnz,
    }  # fmt: skip


def shell_row(deck: str) -> dict[str, object]:
    """Read, assemble, solve and reduce, processor seconds each."""
    import tisserand as ts
    from tisserand.appendage.reduction import reduce

    marks = [(time.perf_counter(), time.process_time())]
    source = ts.open(deck, units="SI")
    marks.append((time.perf_counter(), time.process_time()))
    model = source.assemble()
    marks.append((time.perf_counter(), time.process_time()))
    basis = ts.solve_modes(model, count=20)
    marks.append((time.perf_counter(), time.process_time()))
    reduce(basis)
    marks.append((time.perf_counter(), time.process_time()))
    names = ("read", "assemble", "modes", "reduce")
    spent = {name: b[1] - a[1] for name, a, b in zip(names, marks, marks[1:])}
    return {**spent, "total": marks[-1][0] - marks[0][0], "dofs": model.size, "hz": basis.frequencies_hz.tolist()}


def check_row(deck: str) -> dict[str, object]:
    """``tisserand check``."""
    from tisserand.assembly import assemble, check_model
    from tisserand.readers.registry import read_model

    start = time.perf_counter()
    structure = read_model(deck, units="SI")
    model = assemble(structure)
    report = check_model(structure, model)
    return {
        "total": time.perf_counter() - start,
        "nodes": len(structure.nodes),
        "dofs": model.size,
        "passed": report.passed,
    }


ROWS = {"modes": modes_row, "shell": shell_row, "check": check_row, "calculix": calculix}


def measured(*words: str) -> dict[str, object]:
    """One row in a process of its own, with its processor time and peak memory in GiB."""
    out = subprocess.run([sys.executable, __file__, "--run", *words], capture_output=True, text=True, check=False)
    if out.returncode:
        return {"error": out.stderr.strip().splitlines()[-1] if out.stderr.strip() else f"status {out.returncode}"}
    return dict(json.loads(out.stdout.strip().splitlines()[-1]))


def run_here(words: list[str]) -> None:
    import resource

    result = ROWS[words[0]](*words[1:])
    who = resource.RUSAGE_CHILDREN if words[0] == "calculix" else resource.RUSAGE_SELF
    usage = resource.getrusage(who)
    print(json.dumps(result | {"gib": usage.ru_maxrss / 2**20, "cpu": usage.ru_utime + usage.ru_stime}))


def show(label: str, row: dict[str, object]) -> dict[str, object]:
    if "error" in row:
        print(f"  {label:32s} failed: {row['error']}", flush=True)
        return row
    parts = "  ".join(f"{k} {row[k]:.2f}" for k in ("read", "assemble", "modes", "reduce") if k in row)
    more = "  ".join(str(row[k]) for k in ("dofs", "nodes", "backend", "version") if k in row)
    print(
        f"  {label:32s} {row['total']:7.1f} s  {row['cpu']:7.1f} s of processor  {row['gib']:5.2f} GiB  {parts}  {more}",
        flush=True,
    )
    return row


# -- tables --------------------------------------------------------------------------------------------------------------
def panels(folder: Path, sizes: list[int], routes: list[str]) -> None:
    for size in sizes:
        deck = folder / f"panel{size}.inp"
        write_deck(deck, size)
        print(f"\nTet10 panel, {size} dofs, 20 modes with proof")
        results = {"calculix": show("CalculiX", measured("calculix", str(deck)))} if shutil.which("ccx") else {}
        for backend in routes:
            results[backend] = show(backend, measured("modes", str(deck), backend, "20"))
        compare(results)


def many(folder: Path) -> None:
    deck = folder / "many.inp"
    write_deck(deck, 100_000)
    print("\nTet10 panel, 100,000 dofs, many modes")
    for count in (20, 200, 500):
        row = show(f"{count} modes", measured("modes", str(deck), "fast", str(count)))
        if "modes" in row:
            print(f"    {float(row['modes']) / count:.3f} s of processor per mode")  # type: ignore[arg-type]


def shells(folder: Path) -> None:
    deck, other = folder / "shell.bdf", folder / "s8r.inp"
    write_shell(deck, SIDE)
    print(f"\n{SIDE**2} CQUAD4, 20 modes")
    show("CQUAD4", measured("shell", str(deck)))
    if shutil.which("ccx"):
        nodes = write_s8r(other, SIDE)
        show(f"CalculiX S8R, {nodes} nodes", measured("calculix", str(other)))


def check(folder: Path) -> None:
    deck = folder / "check.inp"
    write_deck(deck, 3_000_000)
    print("\nCheck of a million nodes")
    show("check", measured("check", str(deck)))


def blocks(folder: Path) -> None:
    for kind in ("tet10", "hex20"):
        deck = folder / f"{kind}.inp"
        write_block(deck, 100_000, kind)
        print(f"\nCube of {kind}, 100,000 dofs, 20 modes")
        show("fast", measured("modes", str(deck), "fast", "20"))


def million(folder: Path) -> None:
    deck = folder / "million.inp"
    write_deck(deck, 1_000_000)
    print("\nTet10 panel, a million dofs, 20 modes")
    show("fast", measured("modes", str(deck), "fast", "20"))


def cost(folder: Path, picture: str | None, sizes: list[int]) -> None:
    """Cost against size and number of modes, with the time that the flops of the factor and the bytes moved take at least."""
    flops, bandwidth = _limits()
    print(f"\n{flops / 1e9:.1f} Gflop/s (product of matrices, one thread), {bandwidth / 1e9:.1f} GB/s (copy)")
    rows = []
    for size, count in [*((size, 20) for size in sizes), *((MODES_AT, count) for count in (1, 5, 100, 500))]:
        deck = folder / f"cost{size}.inp"
        if not deck.exists():
            write_deck(deck, size)
        row = show(f"{size} dofs, {count} modes", measured("modes", str(deck), "fast", str(count)))
        if "mflop" in row:
            moved = 16.0 * row["terms"] * (3 * count / 8 + 1) + 24.0 * row["terms_k"]  # type: ignore[operator]
            row["limit"] = 1e6 * row["mflop"] / flops + moved / bandwidth  # type: ignore[operator]
            rows.append((size, count, row))
    if picture:
        _draw(rows, picture)


def _limits() -> tuple[float, float]:
    a = np.random.default_rng(0).normal(size=(1200, 1200))
    b = np.zeros(20_000_000)
    a @ a
    begin = time.process_time()
    for _ in range(3):
        a @ a
    flops = 3 * 2.0 * 1200**3 / (time.process_time() - begin)
    c = b.copy()
    begin = time.process_time()
    for _ in range(3):
        np.copyto(c, b)
    return flops, 3 * 16.0 * len(b) / (time.process_time() - begin)


def _draw(rows: list[tuple[int, int, dict[str, object]]], path: str) -> None:
    import matplotlib

    matplotlib.use("Agg")
    import matplotlib.pyplot as plt

    figure, axes = plt.subplots(1, 2, figsize=(9, 3.6), layout="constrained")
    sized = [(row["dofs"], row["cpu"], row["limit"], row["gib"]) for _, count, row in rows if count == 20]
    moded = sorted((count, row["modes"], row["limit"]) for size, count, row in rows if size == MODES_AT)
    for axis, table, word in ((axes[0], sized, "dofs (20 modes)"), (axes[1], moded, f"modes ({MODES_AT:,} dofs)")):
        x, y, least = (np.array([r[i] for r in table], float) for i in range(3))
        order = np.argsort(x)
        axis.loglog(x[order], y[order], "o-", label="measured, processor s")
        axis.loglog(x[order], least[order], "k--", label="flops of the factor and bytes moved")
        axis.set_xlabel(word)
        axis.grid(visible=True, which="both", alpha=0.3)
        axis.legend()
    figure.savefig(path, dpi=110)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("parts", nargs="*", default=list(PARTS), help=f"of {', '.join((*PARTS, 'cost'))}")
    parser.add_argument(
        "--sizes", nargs="*", type=int, help="dofs of the panels (100000 300000), or of the cost (10000 to 1000000)"
    )
    parser.add_argument(
        "--routes", nargs="*", default=["fast", "superlu", "multifrontal"], help="of the panels, beside CalculiX"
    )
    parser.add_argument("--picture", help="file of the picture of cost against size")
    parser.add_argument("--run", nargs="+")
    arguments = parser.parse_args()
    if arguments.run:
        run_here(arguments.run)
        return
    header()
    known = {"many": many, "shells": shells, "check": check, "blocks": blocks, "million": million}
    with tempfile.TemporaryDirectory() as name:
        for part in arguments.parts:
            if part == "cost":
                cost(Path(name), arguments.picture, arguments.sizes or [10_000, 30_000, 100_000, 300_000, 1_000_000])
            elif part == "panels":
                panels(Path(name), arguments.sizes or [100_000, 300_000], arguments.routes)
            else:
                known[part](Path(name))
    print(f"\nload at the end {os.getloadavg()[0]:.1f}")


if __name__ == "__main__":
    main()
