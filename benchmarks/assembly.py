"""Stiffness and mass of a tet10 panel: this package against scikit-fem in the same run.

    python benchmarks/assembly.py 100000 300000

Both sides build K and M of the same mesh (aluminum, 2 x 1 x 0.02 m) and their largest difference is printed. Compiling is
done before on a tiny mesh and reported apart (zero when the on-disk cache is warm). Times are of the wall clock and of the
processor (the latter hardly feels other users of the machine). Peak memory is the growth of the resident set while assembling,
in multiples of the final K and M; each size runs in its own process.
"""

from __future__ import annotations

import json
import resource
import subprocess
import sys
import threading
import time
from pathlib import Path

import numpy as np
from eigen import panel
from scipy.sparse import csr_array

YOUNG, POISSON, DENSITY = 70e9, 0.33, 2700.0


def model_of(points: np.ndarray, cells: np.ndarray):  # type: ignore[no-untyped-def]
    """The panel as a structural model."""
    from tisserand.model import Isotropic, Nodes, SolidBlock, SolidSection, StructuralModel

    m = len(cells)
    block = SolidBlock(np.arange(1, m + 1), cells, np.zeros(m, int), "tet10")
    section = SolidSection(1, Isotropic.from_young(1, YOUNG, POISSON, DENSITY))
    return StructuralModel("panel", Nodes(np.arange(1, len(points) + 1), points), (block,), (section,))


def matrices_skfem(points: np.ndarray, cells: np.ndarray) -> tuple[csr_array, csr_array, np.ndarray]:
    """K and M of the corner mesh in scikit-fem, and its dof for each of our (node, component)."""
    import skfem
    from skfem.helpers import ddot, dot, sym_grad, trace

    corners = np.unique(cells[:, :4])
    place = np.full(len(points), -1)
    place[corners] = np.arange(len(corners))
    mesh = skfem.MeshTet(points[corners].T.copy(), place[cells[:, :4]].T.copy())
    basis = skfem.Basis(mesh, skfem.ElementVector(skfem.ElementTetP2()), intorder=4)
    mu = YOUNG / (2 * (1 + POISSON))
    lame = YOUNG * POISSON / ((1 + POISSON) * (1 - 2 * POISSON))

    @skfem.BilinearForm
    def stiffness(u, v, _):  # type: ignore[no-untyped-def]
        return 2 * mu * ddot(sym_grad(u), sym_grad(v)) + lame * trace(sym_grad(u)) * trace(sym_grad(v))

    @skfem.BilinearForm
    def mass(u, v, _):  # type: ignore[no-untyped-def]
        return DENSITY * dot(u, v)

    k, m = stiffness.assemble(basis), mass.assemble(basis)
    return csr_array(k), csr_array(m), basis.doflocs


class Peak:
    """Largest resident set while the block runs, bytes beyond the start."""

    def __enter__(self) -> Peak:
        self.start = self.most = self._now()
        self.run = True
        self.thread = threading.Thread(target=self._watch, daemon=True)
        self.thread.start()
        return self

    def __exit__(self, *_: object) -> None:
        self.run = False
        self.thread.join()
        self.most = max(self.most, self._now())

    def _watch(self) -> None:
        while self.run:
            self.most = max(self.most, self._now())
            time.sleep(0.002)

    @staticmethod
    def _now() -> int:
        pages = int(Path("/proc/self/statm").read_text().split()[1])
        return pages * resource.getpagesize()

    @property
    def growth(self) -> int:
        return self.most - self.start


def bytes_of(*matrices: csr_array) -> int:
    """Memory of CSR matrices."""
    return sum(m.data.nbytes + m.indices.nbytes + m.indptr.nbytes for m in matrices)


def measure(dofs: int) -> dict[str, float]:
    """All numbers of one size."""
    from tisserand.assembly import assemble
    from tisserand.elements.registry import prepare

    begin = time.perf_counter()
    assemble(model_of(*panel(500)[:2]))
    compiled = time.perf_counter() - begin
    begin = time.perf_counter()
    assemble(model_of(*panel(500)[:2]))
    compiled -= time.perf_counter() - begin
    points, cells, _ = panel(dofs)
    model = model_of(points, cells)
    block = model.elements[0]
    best, busy, elements = np.inf, np.inf, 0.0
    for _ in range(5):
        begin, used = time.perf_counter(), time.process_time()
        assembled = assemble(model)
        best, busy = min(best, time.perf_counter() - begin), min(busy, time.process_time() - used)
    final = bytes_of(assembled.stiffness, assembled.mass)
    del assembled
    with Peak() as peak:
        assembled = assemble(model)
    for start in range(0, len(block), 1600):
        part = block.select(slice(start, start + 1600))
        begin = time.perf_counter()
        ready = prepare(model, part)
        ready.stiffness(), ready.mass("consistent")
        elements += time.perf_counter() - begin
    begin, used = time.perf_counter(), time.process_time()
    k, m, where = matrices_skfem(points, cells)
    other, other_busy = time.perf_counter() - begin, time.process_time() - used
    ours = assembled.nodes.positions[assembled.dofs.node]
    order = np.lexsort((assembled.dofs.component, *np.round(ours, 9).T))
    theirs = np.lexsort((_component(where), *np.round(where, 9)))
    rng = np.random.default_rng(0)
    x = rng.normal(size=3 * len(points))
    y = np.empty_like(x)
    y[theirs] = x[order]
    worst = 0.0
    for a, b in ((assembled.stiffness, k), (assembled.mass, m)):
        left, right = (a @ x)[order], (b @ y)[theirs]
        worst = max(worst, float(np.abs(left - right).max() / np.abs(left).max()))
    return {
        "dofs": assembled.size, "compile s": compiled, "assemble s": best, "elements only s": elements, "scikit-fem s": other,
        "ratio": other / best, "processor s": busy, "scikit-fem processor s": other_busy, "processor ratio": other_busy / busy,
        "peak over K and M": peak.growth / final, "difference": worst,
    }  # fmt: skip


def _component(where: np.ndarray) -> np.ndarray:
    """Component of each scikit-fem dof: the three dofs of a point follow each other in the order x, y, z."""
    _, place = np.unique(np.round(where, 9), axis=1, return_inverse=True)
    order = np.argsort(place.ravel(), kind="stable")
    component = np.empty(where.shape[1], int)
    component[order] = np.arange(where.shape[1]) % 3
    return component


def main() -> None:
    """One process per size; prints a table row each."""
    if sys.argv[1:2] == ["--one"]:
        sys.stdout.write(json.dumps(measure(int(sys.argv[2]))) + "\n")
        return
    for size in sys.argv[1:] or ["100000", "300000"]:
        out = subprocess.run([sys.executable, __file__, "--one", size], capture_output=True, text=True, check=True)
        row = json.loads(out.stdout.splitlines()[-1])
        sys.stdout.write("  ".join(f"{key} {value:.4g}" for key, value in row.items()) + "\n")


if __name__ == "__main__":
    main()
