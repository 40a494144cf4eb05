#!/usr/bin/env python3
"""Solve K x = lambda M x on any number of MPI ranks: SLEPc's spectrum slicing on MUMPS, with the counts that prove it complete.

    mpiexec -n 8 python3 solve.py [FOLDER] [--count 40 | --fmax 120] [--fmin 20]

The folder holds stiffness.petsc, mass.petsc and request.json. The results go to vectors.petsc, steps.petsc and
result.json. This file needs Python 3.9, numpy, petsc4py and slepc4py (PETSc with real numbers and MUMPS), and nothing else.
The method is that of [Grimes1994].
"""

from __future__ import annotations

import argparse
import glob
import json
import math
import os
import sys
import time
from typing import Any

import numpy as np

#: Where Debian and Ubuntu keep the modules, which are not on the path of their Python.
DEBIAN = tuple(f"/usr/lib/{x}dir/{x}*/*-real/lib/python3/dist-packages" for x in ("petsc", "slepc"))
MATRIX_ID = 1211216
#: MUMPS: exact inertia (no dense root on several ranks, null pivots reported), room for delayed pivots.
ICNTL = ((13, 1), (24, 1), (14, 60))
#: Modes below the upper shift that are aimed at and accepted, per mode wanted; shifts that are tried.
AIM, MOST, TRIES = 1.3, 2.0, 14
#: Relative residual at which SLEPc ends; the step that follows squares it.
CONVERGED = 1e-10
#: Largest backward error of a factor whose inertia is believed, as in the program that wrote the files.
ACCURATE = 1e-9
#: Pairs of one slice.
SLICE = 60


class Failed(Exception):
    """The solution failed; ``status`` names how."""

    def __init__(self, status: str, sentence: str, **facts: Any) -> None:
        super().__init__(sentence)
        self.status, self.facts = status, facts


def modules() -> tuple[Any, Any]:
    """PETSc and SLEPc, started."""
    try:
        import slepc4py
    except ImportError:
        for pattern in DEBIAN:
            sys.path += sorted(glob.glob(pattern))[-1:]
        import slepc4py
    slepc4py.init([sys.argv[0]])
    from petsc4py import PETSc
    from slepc4py import SLEPc

    if np.issubdtype(PETSc.ScalarType, np.complexfloating):
        raise Failed("failed", "this PETSc was built for complex numbers; the files need one of real numbers")
    return PETSc, SLEPc


def own_rows(path: str, rank: int, ranks: int) -> tuple[int, tuple[int, int], np.ndarray, np.ndarray, np.ndarray]:
    """(size, rows from-to, row pointers, columns, values) of the rows of this rank, from a PETSc matrix file."""
    with open(path, "rb") as stream:
        kind = ">i4" if int.from_bytes(stream.read(4), "big") == MATRIX_ID else ">i8"
        wide = np.dtype(kind).itemsize
        stream.seek(0)
        mark, rows, _, terms = (int(v) for v in np.fromfile(stream, kind, 4))
        if mark != MATRIX_ID:
            raise Failed("failed", f"{path} is no matrix file of PETSc")
        first, last = rows * rank // ranks, rows * (rank + 1) // ranks
        lengths = np.fromfile(stream, kind, rows)
        terms = int(lengths.sum(dtype=np.int64))
        before = int(lengths[:first].sum(dtype=np.int64))
        pointers = np.concatenate([[0], np.cumsum(lengths[first:last], dtype=np.int64)])
        begin = (4 + rows) * wide
        stream.seek(begin + before * wide)
        columns = np.fromfile(stream, kind, int(pointers[-1]))
        stream.seek(begin + terms * wide + before * 8)
        values = np.fromfile(stream, ">f8", int(pointers[-1]))
    if len(values) != pointers[-1]:
        raise Failed("failed", f"{path} is cut short")
    return rows, (first, last), pointers, columns.astype(np.int64), values.astype(np.float64)


def matrix_of(PETSc: Any, rows: tuple[Any, ...]) -> Any:
    size, (first, last), pointers, columns, values = rows
    kind = PETSc.IntType
    if max(int(pointers[-1]), size) > np.iinfo(kind).max:
        raise Failed("failed", "too many terms per rank for a PETSc of 32 bits: use more ranks or a 64-bit build")
    made = PETSc.Mat().createAIJ(
        size=((last - first, size), (last - first, size)),
        csr=(pointers.astype(kind), columns.astype(kind), values),
        comm=PETSc.COMM_WORLD,
    )
    made.setOption(PETSc.Mat.Option.SYMMETRIC, True)
    return made


class Product:
    """Products with rows of this rank in extended precision; what other ranks hold of a vector is fetched once for all."""

    def __init__(self, PETSc: Any, rows: tuple[Any, ...], like: Any) -> None:
        _, _, self.pointers, columns, values = rows
        needed, self.place = np.unique(columns, return_inverse=True)
        self.values = values
        self.local = PETSc.Vec().createSeq(len(needed), comm=PETSc.COMM_SELF)
        chosen = PETSc.IS().createGeneral(needed.astype(PETSc.IntType), comm=PETSc.COMM_SELF)
        self.scatter = PETSc.Scatter().create(like, chosen, self.local, None)
        self.PETSc = PETSc

    def __call__(self, x: Any) -> np.ndarray:
        mode = self.PETSc.ScatterMode.FORWARD
        self.scatter.begin(x, self.local, None, mode)
        self.scatter.end(x, self.local, None, mode)
        there = self.local.getArray().astype(np.longdouble)
        out = np.zeros(len(self.pointers) - 1, np.longdouble)
        step, row = 1 << 22, 0  # terms at a time
        while row < len(out):
            end = max(int(np.searchsorted(self.pointers, self.pointers[row] + step, side="right")) - 1, row + 1)
            a, b = int(self.pointers[row]), int(self.pointers[end])
            terms = self.values[a:b] * there[self.place[a:b]]
            starts = self.pointers[row:end] - a
            filled = np.flatnonzero(np.diff(self.pointers[row : end + 1]))
            if len(filled):
                out[row + filled] = np.add.reduceat(terms, starts[filled])
            row = end
        return out


class Factors:
    """One factor of K - shift M at a time, with its inertia and its health."""

    def __init__(self, PETSc: Any, stiffness: Any, mass: Any, say: Any) -> None:
        self.PETSc, self.stiffness, self.mass, self.say = PETSc, stiffness, mass, say
        self.ksp: Any = None
        self.counts: list[tuple[float, int]] = []
        self.memory = 0

    def release(self) -> None:
        if self.ksp is not None:
            self.ksp.destroy()
            self.matrix.destroy()
        self.ksp = None

    def at(self, shift: float) -> tuple[int, bool, bool]:
        """(inertia, whether it can be trusted, whether the matrix is singular) at a shift."""
        PETSc = self.PETSc
        self.release()
        begin = time.time()
        self.matrix = self.stiffness.copy()
        self.matrix.axpy(-shift, self.mass, structure=PETSc.Mat.Structure.SUBSET_NONZERO_PATTERN)
        self.matrix.setOption(PETSc.Mat.Option.SYMMETRIC, True)
        self.ksp = PETSc.KSP().create(PETSc.COMM_WORLD)
        self.ksp.setOperators(self.matrix)
        pc = direct(self.ksp)
        pc.setFactorSetUpSolverType()
        factor = pc.getFactorMatrix()
        for which, value in ICNTL:
            factor.setMumpsIcntl(which, value)
        try:
            self.ksp.setUp()
        except PETSc.Error as error:
            raise Failed("failed", f"MUMPS could not factorize the matrix (PETSc error {error.ierr})") from error
        told = factor.getMumpsInfog(1)
        if told < 0 and told != -10:
            raise Failed("failed", MUMPS_WORDS.get(told, f"MUMPS failed with INFOG(1) = {told}"))
        self.memory = max(self.memory, 2**20 * factor.getMumpsInfog(22))
        if told == -10 or factor.getMumpsInfog(28) > 0:
            return 0, False, True
        negative = int(factor.getMumpsInfog(12))
        trusted = self.healthy()
        self.counts.append((shift, negative))
        doubt = "" if trusted else ", not trusted"
        self.say(f"{negative} eigenvalues below {hertz(shift)} ({time.time() - begin:.1f} s){doubt}")
        return negative, trusted, self.smallest < 1e-13

    def healthy(self) -> bool:
        """Whether a solve reproduces its load; ``smallest``: about the smallest eigenvalue, scaled to unit diagonal."""
        scale = self.matrix.getDiagonal()
        first, last = scale.getOwnershipRange()
        own = np.sqrt(np.abs(scale.getArray()))
        own[own == 0.0] = 1.0
        load, answer, back = scale.duplicate(), scale.duplicate(), scale.duplicate()
        load.setArray(own * np.cos(1.0 + np.arange(first, last) * 2.399963229728653))
        self.ksp.solve(load, answer)
        self.matrix.mult(answer, back)
        back.axpy(-1.0, load)
        back.setArray(back.getArray() / own)
        answer.setArray(answer.getArray() * own)
        size, error = (v.norm(self.PETSc.NormType.NORM_INFINITY) for v in (answer, back))
        good = math.isfinite(size) and math.isfinite(error)
        self.smallest = 1.0 / max(size, 1.0) if good else 0.0
        return good and error <= ACCURATE * max(size, 1.0)


MUMPS_WORDS = {code: "MUMPS could not get the memory it needs: use more machines" for code in (-9, -13, -19)}


def direct(ksp: Any) -> Any:
    """Solve by a factor of MUMPS alone."""
    ksp.setType("preonly")
    pc = ksp.getPC()
    pc.setType("cholesky")
    pc.setFactorSolverType("mumps")
    return pc


def hertz(shift: float) -> str:
    return f"{math.copysign(math.sqrt(abs(shift)), shift) / (2.0 * math.pi):.6g} Hz"


def lower_end(factors: Factors, request: dict[str, Any]) -> tuple[float, int]:
    """(shift, inertia): below everything, or the lower end of a band."""
    if request["band"]:
        return nudged(factors, request["lower"][0])
    for shift in request["lower"]:
        negative, trusted, singular = factors.at(shift)
        if singular:
            raise Failed("singular", "dofs without mass have no stiffness")
        if negative == 0 and trusted:
            return shift, 0
    raise Failed("unstable", "the stiffness matrix has negative eigenvalues", negative=negative, shift=shift)


def nudged(factors: Factors, shift: float) -> tuple[float, int]:
    """The count at a shift, moved a little where it hits an eigenvalue."""
    for part in (1e-9, 1e-7, 1e-6):
        moved = shift * (1.0 + part)
        negative, trusted, singular = factors.at(moved)
        if trusted and not singular:
            return moved, negative
    raise Failed("singular-shift", f"{hertz(shift)} is an eigenfrequency to many digits", shift=shift)


def upper_end(factors: Factors, request: dict[str, Any], below: int) -> tuple[float, int]:
    """(shift, inertia) above the wanted modes: at the stated frequency, else by counts that grow like a power of it."""
    if request["upper"] is not None and request["count"] is None:
        return nudged(factors, request["upper"])
    wanted = request["count"]
    rigid = 0 if request["band"] else request["rigid"]
    top = math.inf
    if request["upper"] is not None:
        top, counted = nudged(factors, request["upper"])
        if counted - below - rigid <= MOST * wanted + 4:
            return top, counted
    low, high = None, None  # type: tuple[float, int] | None, tuple[float, int] | None
    shift = min(request["guess"], 0.5 * top)
    for _ in range(TRIES):
        shift, counted = nudged(factors, shift)
        found = counted - below - rigid
        if wanted <= found <= MOST * wanted + 4:
            return shift, counted
        if found < wanted:
            if shift >= request["ceiling"]:
                raise Failed("few", "the structure has fewer modes than requested", most=found)
            low = (shift, found)
        else:
            high = (shift, found)
        shift = next_shift(low, high, AIM * wanted + 1.0, request["ceiling"])
        if low and high and high[0] < low[0] * (1.0 + 1e-4):
            break  # a cluster that no shift can part
    if high is None:
        raise Failed("failed", f"{TRIES} factors found no frequency with {wanted} modes below it: state --fmax")
    return nudged(factors, high[0])


def next_shift(low: tuple[float, int] | None, high: tuple[float, int] | None, aim: float, ceiling: float) -> float:
    """The next shift to count at, by a power law through what is known."""
    if low and high:
        if low[1] > 0 and high[1] > low[1]:
            power = math.log(high[0] / low[0]) / math.log(high[1] / low[1])
            shift = float(low[0] * (aim / low[1]) ** power)
        else:
            shift = math.sqrt(low[0] * high[0])
        room = float((high[0] / low[0]) ** 0.1)
        return min(max(shift, low[0] * room), high[0] / room)
    if high:
        return float(high[0] * max((aim / high[1]) ** 2, 1e-2))
    assert low is not None
    step = (aim / low[1]) ** 2 if low[1] > 0 else 30.0
    return float(min(low[0] * min(max(step, 1.3), 100.0), 1.01 * ceiling))


def pairs_between(
    PETSc: Any, SLEPc: Any, stiffness: Any, mass: Any, ends: tuple[float, float], total: int
) -> tuple[np.ndarray, list[Any], Any]:
    """(values, vectors, counts) of all eigenpairs between two shifts, ascending, by spectrum slicing."""
    eps = SLEPc.EPS().create(PETSc.COMM_WORLD)
    eps.setOperators(stiffness, mass)
    eps.setProblemType(SLEPc.EPS.ProblemType.GHEP)
    eps.setWhichEigenpairs(SLEPc.EPS.Which.ALL)
    eps.setInterval(*ends)
    size = stiffness.getSize()[0]
    each = min(max(total + 2, 10), SLICE, size)  # SLEPc slices ten pairs or more
    eps.setType(SLEPc.EPS.Type.KRYLOVSCHUR)
    eps.setKrylovSchurDimensions(each, min(2 * each + 20, size))
    eps.setTolerances(CONVERGED, 200)
    st = eps.getST()
    st.setType(SLEPc.ST.Type.SINVERT)
    direct(st.getKSP())
    for which, value in ICNTL:
        PETSc.Options()[f"st_mat_mumps_icntl_{which}"] = value
    eps.setFromOptions()
    eps.solve()
    values, vectors = [], []
    for i in range(eps.getConverged()):
        x = stiffness.createVecRight()
        values.append(eps.getEigenpair(i, x).real)
        vectors.append(x)
    counts = [[float(s), int(n)] for s, n in zip(*eps.getKrylovSchurInertias())]
    eps.destroy()
    order = np.argsort(values, kind="stable")
    return np.array(values)[order], [vectors[i] for i in order], counts


def steps_of(factors: Factors, products: list[Product], values: np.ndarray, vectors: list[Any]) -> list[Any]:
    """(K - shift M)^-1 (K x - lambda M x) of every pair: it makes the pair sharper and bounds its error."""
    steps = []
    for value, x in zip(values, vectors):
        left = x.duplicate()
        left.setArray(np.asarray(products[0](x) - np.longdouble(value) * products[1](x), np.float64))
        step = x.duplicate()
        factors.ksp.solve(left, step)
        steps.append(step)
    return steps


def write_vectors(PETSc: Any, path: str, vectors: list[Any]) -> None:
    viewer = PETSc.Viewer().createBinary(path, "w", comm=PETSc.COMM_WORLD)
    for x in vectors:
        viewer(x)
    viewer.destroy()


def solve(PETSc: Any, SLEPc: Any, folder: str, request: dict[str, Any], say: Any) -> dict[str, Any]:
    comm = PETSc.COMM_WORLD
    begin = time.time()
    paths = [os.path.join(folder, name) for name in ("stiffness.petsc", "mass.petsc")]
    rows = [own_rows(path, comm.getRank(), comm.getSize()) for path in paths]
    stiffness, mass = (matrix_of(PETSc, own) for own in rows)
    say(f"{rows[0][0]} dofs on {comm.getSize()} ranks, read in {time.time() - begin:.1f} s")
    factors = Factors(PETSc, stiffness, mass, say)
    bottom, below = lower_end(factors, request)
    top, counted = upper_end(factors, request, below)
    factors.release()
    values, vectors, slices, steps = np.zeros(0), [], [], []  # type: Any, list[Any], list[Any], list[Any]
    if counted > below:
        values, vectors, slices = pairs_between(PETSc, SLEPc, stiffness, mass, (bottom, top), counted - below)
        say(f"{len(values)} pairs of {counted - below} counted ({time.time() - begin:.1f} s)")
    again, trusted, _ = factors.at(top)
    if again != counted or not trusted:
        raise Failed("failed", f"two factorizations at {hertz(top)} counted {counted} and {again} eigenvalues")
    if vectors:
        steps = steps_of(factors, [Product(PETSc, own, vectors[0]) for own in rows], values, vectors)
    write_vectors(PETSc, os.path.join(folder, "vectors.petsc"), vectors)
    write_vectors(PETSc, os.path.join(folder, "steps.petsc"), steps)
    return {
        "status": "solved", "values": values.tolist(), "bottom": bottom, "below": below, "top": top, "counted": counted,
        "slices": slices, "counts": factors.counts, "factor_bytes": factors.memory, "seconds": time.time() - begin,
        "ranks": comm.getSize(), "petsc": list(PETSc.Sys.getVersion()), "slepc": list(SLEPc.Sys.getVersion()),
    }  # fmt: skip


def stated(arguments: argparse.Namespace, request: dict[str, Any]) -> dict[str, Any]:
    """The request with what the command line states instead."""
    if arguments.count is not None or arguments.fmax is not None:
        request["count"] = arguments.count
        request["upper"] = None if arguments.fmax is None else (2.0 * math.pi * arguments.fmax) ** 2
    if arguments.fmin:
        request["band"], request["lower"] = True, [(2.0 * math.pi * arguments.fmin) ** 2]
    return request


def main() -> int:
    parser = argparse.ArgumentParser(description="Solve the eigenproblem of this folder with SLEPc and MUMPS.")
    parser.add_argument("folder", nargs="?", default=os.path.dirname(os.path.abspath(__file__)))
    parser.add_argument("--count", type=int, help="number of modes")
    parser.add_argument("--fmax", type=float, help="all modes up to this frequency, Hz")
    parser.add_argument("--fmin", type=float, help="no modes below this frequency, Hz")
    arguments = parser.parse_args()
    if arguments.folder == "probe":  # only whether PETSc and SLEPc are there
        PETSc, SLEPc = modules()
        print("PETSc", *PETSc.Sys.getVersion(), "SLEPc", *SLEPc.Sys.getVersion())
        return 0
    with open(os.path.join(arguments.folder, "request.json"), encoding="utf-8") as stream:
        request = stated(arguments, json.load(stream))
    PETSc, SLEPc = modules()
    first = PETSc.COMM_WORLD.getRank() == 0

    def say(words: str) -> None:
        if first:
            print(words, flush=True)

    try:
        result = solve(PETSc, SLEPc, arguments.folder, request, say)
    except Failed as error:
        result = {"status": error.status, "sentence": str(error), **error.facts}
    except PETSc.Error as error:
        result = {"status": "failed", "sentence": f"PETSc failed: {str(error).splitlines()[-1]}"}
    except OSError as error:
        result = {"status": "failed", "sentence": f"{error.strerror} ({error.filename or arguments.folder})"}
    result["fingerprint"] = request["fingerprint"]
    result["request"] = {word: request[word] for word in ("count", "upper", "band", "lower")}
    if first:
        path = os.path.join(arguments.folder, "result.json")
        with open(path + ".part", "w", encoding="utf-8") as stream:
            json.dump(result, stream, indent=1)
        os.replace(path + ".part", path)
    if result["status"] != "solved":
        print(result["sentence"], file=sys.stderr, flush=True)
        sys.stdout.flush()
        os._exit(3)  # another rank may wait for this one, and would at the end of MPI
    return 0


if __name__ == "__main__":
    sys.exit(main())
