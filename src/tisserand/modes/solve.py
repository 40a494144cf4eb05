"""Eigenmodes of an assembled model, with proof.

References: [Grimes1994], [Parlett1980].
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace
from functools import cache
from pathlib import Path
from typing import Literal, TypedDict, Unpack

import numpy as np

from tisserand.arrays import BoolArray, FloatArray
from tisserand.assembly.assembled_model import AssembledModel
from tisserand.assembly.element_forces import ElementForces, element_forces, largest_stiffness
from tisserand.assembly.motion_words import motion_words
from tisserand.errors import InputError, NotConvergedError, SingularMatrixError, SolverError, TooManyModesError
from tisserand.linalg import BackendName, Pencil, pencil_of
from tisserand.model import Supports
from tisserand.modes.eigen import Eigenproblem
from tisserand.modes.eigenvalue_bounds import EIGENVALUE_LIMIT, ElementResiduals, over_all
from tisserand.modes.everything_held import refuse_all_held
from tisserand.modes.floating_frames import connection, converted, frame_of
from tisserand.modes.guess import guessed_eigenvalue, stiffness_scale
from tisserand.modes.mass_check import refuse_indefinite
from tisserand.modes.modal_basis import RIGID_ALONE, FrameConstraint, FrameName, ModalBasis, ModeKind, Proof
from tisserand.modes.orientation import oriented
from tisserand.modes.proof import prove
from tisserand.modes.request import Allowed, Request, Spectrum, requested_modes, squared
from tisserand.modes.rigid import NOTICED, RigidSet, numerical_rigid_set, rigid_set
from tisserand.modes.slepc.eigenproblem import Elsewhere, RemoteEigenproblem, job_of
from tisserand.modes.soft_grounds import resisted
from tisserand.modes.strain_free_motions import (
    HELD_LOOSE,
    ZeroTest,
    massless_mechanisms,
    pivot_dofs,
    refuse,
    strain_free,
)
from tisserand.modes.upper_shift import upper_shift

Normalization = Literal["mass", "max"]
#: What solves: a factorization in this process, or SLEPc on ranks of its own.
SolverName = BackendName | Literal["slepc"]
#: Ranks of SLEPc if none are stated.
RANKS = 2
#: From this many free dofs on a second factorization costs more than guessing where one would do.
ONE_FACTOR_ABOVE = 30_000
#: Beside the iteration towards more modes than this a second factorization costs little.
_FEW = 60
#: What is left of the largest term of an element after it has canceled out.
_ALL_ROUNDOFF = 1e3 * np.finfo(float).eps


class SolveOptions(TypedDict, total=False):
    """Options of :func:`direct_modes`; meanings and defaults as in :func:`tisserand.modes.solve_modes`."""

    count: int | None
    fmax_hz: float | None
    fmin_hz: float | None
    supports: Supports | None
    free: bool
    frame: FrameConstraint | FrameName | None
    normalization: Normalization
    allow_mechanisms: Allowed
    backend: SolverName | None
    ranks: int | None
    solution: Path | None
    seed: int


def direct_modes(model: AssembledModel, **options: Unpack[SolveOptions]) -> ModalBasis:
    """Modes of the whole model as stated; :func:`tisserand.modes.solve_modes` adds what its source requests.

    Every result carries its proof (error bounds, mass-orthogonality, Sturm count); a failed proof raises.
    """
    request = Request(options.get("count"), options.get("fmin_hz"), options.get("fmax_hz"))
    normalization, supports = options.get("normalization", "mass"), options.get("supports")
    if normalization not in ("mass", "max"):
        raise InputError("unknown normalization", found=repr(normalization), expected="mass or max")
    boundary = Supports() if options.get("free") else (model.supports if supports is None else supports)
    held, keep = model.held(boundary), options.get("allow_mechanisms", False)
    if _moves_as_one(model, held):
        return _rigid_motions_alone(model, boundary, held)
    problem = _prepared(model, boundary, request, keep, _solver(options), options.get("seed", 0))
    if isinstance(problem.eigen, RemoteEigenproblem):
        spectrum = problem.eigen.spectrum(problem.zero_test, model, keep)
    else:
        spectrum = requested_modes(problem.eigen, request, problem.zero_test, model, keep)
    return _basis(model, problem, spectrum, boundary, held, options.get("frame"), normalization)


def write_eigenproblem(model: AssembledModel, folder: Path, *, count: int | None, fmax_hz: float | None) -> list[Path]:
    """Write what ``direct_modes`` would have SLEPc solve, supports as stated, for a cluster; returns the files."""
    if _moves_as_one(model, model.held(model.supports)):
        raise InputError("there is nothing to solve: every free dof is a motion that strains nothing")
    problem = _prepared(model, model.supports, Request(count, None, fmax_hz), False, Elsewhere(writes=True), 0)
    assert isinstance(problem.eigen, RemoteEigenproblem)
    return job_of(problem.eigen, folder, "" if model.structure is None else model.structure.name)


def _solver(options: SolveOptions) -> BackendName | Elsewhere | None:
    """What the options state of backend, ranks and solution, or one sentence about what does not go together."""
    backend, ranks, solution = options.get("backend"), options.get("ranks"), options.get("solution")
    if solution is not None:
        if ranks is not None or backend not in (None, "slepc"):
            what = "ranks" if ranks is not None else "backend"
            raise InputError(f"{what}: has no meaning for modes that are already solved", found=str(ranks or backend))
        return Elsewhere(solution=solution)
    if backend == "slepc":
        return Elsewhere(RANKS if ranks is None else ranks)
    if ranks is not None:
        raise InputError("ranks: applies only to the backend slepc", found=f"{ranks}", advice="state --backend slepc")
    return backend


@dataclass(frozen=True, eq=False)
class _Problem:
    eigen: Eigenproblem
    pencil: Pencil
    rigid: RigidSet
    free: BoolArray
    notes: tuple[str, ...]
    elements: Callable[[], ElementForces | None]

    def by_elements(self) -> ElementResiduals | None:
        elements = self.elements()
        return None if elements is None else ElementResiduals(elements, self.pencil, len(self.free))

    @property
    def zero_test(self) -> ZeroTest:
        return ZeroTest(self.pencil, self.elements, len(self.free), 1e-9 * self.eigen.scale)


def _prepared(
    model: AssembledModel,
    boundary: Supports,
    request: Request,
    allow_mechanisms: Allowed,
    backend: BackendName | Elsewhere | None,
    seed: int,
) -> _Problem:
    """Rigid motions taken out, motions without mass and stiffness held, ready to factorize."""
    held = model.held(boundary)
    refuse_all_held(model, boundary)
    elements = cache(lambda: element_forces(model))
    refuse_indefinite(model, ~held)
    rigid = rigid_set(model, held, elements)
    notes: list[str] = []
    free = ~held
    if rigid.massless.shape[1]:
        pivots = pivot_dofs(rigid.massless)
        free[pivots] = False
        spin = np.linalg.solve(rigid.massless[pivots], rigid.vectors[pivots])
        rigid = replace(
            rigid, vectors=rigid.vectors - rigid.massless @ spin
        )  # the others leave the held dofs where they are
        notes.append(f"{rigid.massless.shape[1]} rigid motions carry no mass and are held at one dof each")
    while True:
        pencil = pencil_of(model.stiffness, model.mass, free, model.dofs.node, _places(model))
        vectors = rigid.vectors[pencil.free]
        if request.count is not None and request.count > pencil.size - rigid.count:
            raise TooManyModesError(
                "more modes are requested than there are free dofs", most=pencil.size - rigid.count,
                found=f"{request.count} modes", expected=f"at most {pencil.size - rigid.count} ({pencil.size} free dofs)",
            )  # fmt: skip
        smooth = model.rigid_body_vectors[pencil.free, :3]
        scale = stiffness_scale(pencil, smooth)
        if isinstance(backend, Elsewhere):
            guess = _guess(model, pencil, (request.count or 20) + vectors.shape[1])
            eigen: Eigenproblem = RemoteEigenproblem(pencil, vectors, scale, request, backend, guess)
        else:
            eigen = Eigenproblem(pencil, vectors, scale, request.count or 20, backend, seed)
        try:
            if not _shift_above(model, eigen, request):
                eigen.safe_shift()
        except SolverError as error:  # round-off of motions without mass and stiffness may also look unstable
            loose = massless_mechanisms(pencil, elements(), model.size)
            if not loose.shape[1] and not isinstance(error, SingularMatrixError):
                raise
            if not loose.shape[1]:
                raise NotConvergedError(
                    "the stiffness is singular to its last digit and no mechanism explains it",
                    found=error.what,
                    advice="something without mass is too soft for the digits of what it is joined to: make the stiff part "
                    "rigid (RBE2), or leave out what is too soft to matter",
                ) from error
            shapes = over_all(pencil, loose, model.size)
            if not allow_mechanisms:
                words = "dofs without mass or stiffness; motions with mass are counted once these are held"
                raise refuse(model, shapes, words) from error
            free, pivots = free.copy(), pencil.free[pivot_dofs(loose)]
            free[pivots] = False
            if rigid.vectors.shape[1]:  # the rigid motions leave the held dofs where they are, at no cost
                spin = np.linalg.solve(shapes[pivots], rigid.vectors[pivots])
                rigid = replace(rigid, vectors=rigid.vectors - shapes @ spin)
            notes.append(f"{loose.shape[1]} {HELD_LOOSE} at one dof each: {motion_words(model, shapes)}")
            continue
        if rigid.grounded:
            notes.append(f"{rigid.grounded} rigid motions that the supports allow are resisted by stiffness to ground")
        if rigid.lost:
            notes.append(rigid.lost)
        if rigid.resistance > NOTICED and not rigid.lost:
            notes.append(
                f"the rigid motions are restrained by only {rigid.resistance:.1g} of the stiffness beside it: "
                "too soft to distinguish from round-off, so they count as free"
            )
        if not model.rigid_body_vectors.any() and not (isinstance(backend, Elsewhere) and backend.writes):
            rigid = _rigid_from_null_space(model, eigen, rigid, notes)
        return _Problem(eigen, pencil, rigid, free, tuple(notes), elements)


def _places(model: AssembledModel) -> FloatArray | None:
    """(n, 3) positions of the nodes, m; None where they are unknown (bare matrices)."""
    return model.nodes.positions if model.rigid_body_vectors.any() else None


def _moves_as_one(model: AssembledModel, held: BoolArray) -> bool:
    """Whether ties leave so few motions that what is left of K is the round-off of elements that move as one."""
    free = np.flatnonzero(~held)
    if not 0 < len(free) <= 6 or model.structure is None or not model.structure.constraints:
        return False
    left = float(np.abs(model.stiffness[free][:, free].toarray()).max(initial=0.0))
    return bool(left <= _ALL_ROUNDOFF * largest_stiffness(model.structure))


def _rigid_motions_alone(model: AssembledModel, boundary: Supports, held: BoolArray) -> ModalBasis:
    """No modes: every free dof is a motion that strains nothing."""
    supported = bool(model.dofs.fixed_by(boundary).any())
    own = connection(model, boundary) if supported else frame_of(model, "buckens")
    return ModalBasis(
        model, np.zeros((model.size, 0)), np.zeros(0), own, fixed=held, labels=(), kinds=(),
        rigid_body_modes=int((~held).sum()), notes=(RIGID_ALONE,),
    )  # fmt: skip


def _shift_above(model: AssembledModel, eigen: Eigenproblem, request: Request) -> bool:
    """Try to factorize once, above the wanted modes: at the requested frequency, or at an estimate for a large model."""
    if isinstance(eigen, RemoteEigenproblem):
        return eigen.where.writes
    if eigen.dense or request.fmin_hz or not model.rigid_body_vectors.any():
        return False
    if request.fmax_hz is not None:
        return request.count is None and eigen.try_upper(squared(request.fmax_hz) * (1.0 + 1e-9))
    pencil = eigen.pencil
    wanted = request.count or 20
    if pencil.size < ONE_FACTOR_ABOVE or wanted > _FEW:
        return False
    eigen.analyze_ahead()
    value = _guess(model, pencil, wanted + eigen.rigid.shape[1])
    return value is not None and upper_shift(eigen, value, wanted)


def _guess(model: AssembledModel, pencil: Pencil, count: int) -> float | None:
    """About the ``count``-th eigenvalue, rad²/s², without any factor."""
    if not model.rigid_body_vectors.any():
        return None
    motions = model.rigid_body_vectors[pencil.free]
    value = guessed_eigenvalue(pencil, model.nodes.positions[pencil.groups], motions, count)
    return value if value is not None and value > 0.0 else None


def _rigid_from_null_space(model: AssembledModel, eigen: Eigenproblem, known: RigidSet, notes: list[str]) -> RigidSet:
    """Where no position is known (bare matrices): up to six strain-free motions are the rigid ones; more stay mechanisms."""
    pencil = eigen.pencil
    pairs = eigen.nearest(eigen.safe_shift(), min(7, pencil.size))
    zero = strain_free(pencil, pairs.values, pairs.vectors, 1e-9 * eigen.scale)
    if not 0 < zero.sum() <= 6:
        return known
    vectors = np.zeros((model.size, int(zero.sum())))
    vectors[pencil.free] = pairs.vectors[:, zero]
    eigen.take_out(vectors[pencil.free])
    notes.append(f"{zero.sum()} rigid-body motions found as the null space of K: positions are unknown")
    if words := resisted(model.stiffness, vectors):
        notes.append(words)
    return numerical_rigid_set(model, vectors)


def _basis(
    model: AssembledModel,
    problem: _Problem,
    spectrum: Spectrum,
    boundary: Supports,
    held: BoolArray,
    frame: FrameConstraint | FrameName | None,
    normalization: Normalization,
) -> ModalBasis:
    pencil = problem.pencil
    pairs, errors, digits = problem.eigen.certified(spectrum.pairs, spectrum.zero, problem.by_elements)
    vectors = oriented(pairs.vectors, pairs.values)
    proof: Proof = prove(
        pencil, pairs.values, vectors, problem.rigid, errors=errors, digits=digits, shift=spectrum.shift,
        counted=spectrum.counted, below=spectrum.below, backend=problem.eigen.name, zero=spectrum.zero,
    )  # fmt: skip
    first, last = spectrum.window
    shapes = np.zeros((model.size, last - first))
    shapes[pencil.free] = vectors[:, first:last]
    zero = spectrum.zero[first:last]
    values = np.where(zero, 0.0, pairs.values[first:last])
    kinds: tuple[ModeKind, ...] = tuple("mechanism" if z else "elastic" for z in zero)
    numbers = np.cumsum(zero) * zero + np.cumsum(~zero) * ~zero
    labels = tuple(f"{'mechanism' if z else 'mode'} {n}" for z, n in zip(zero, numbers))
    supported = model.dofs.fixed_by(boundary).any()
    own = connection(model, boundary) if supported else frame_of(model, "buckens")
    rows = (model.mass @ problem.rigid.vectors).T
    if not supported and problem.rigid.source != "geometry":
        meaning = "no momentum: mass-orthogonal to the strain-free motions found, since positions are unknown"
        own = FrameConstraint("buckens", meaning, rows)
    if supported and problem.rigid.count:
        own = FrameConstraint(
            "connection",
            f"{own.meaning}; mass-orthogonal to {problem.rigid.count} rigid motions left free",
            rows,
            own.held,
        )
    basis = ModalBasis(
        model,
        shapes,
        values,
        own,
        fixed=held,
        labels=labels,
        kinds=kinds,
        rigid_body_modes=problem.rigid.count,
        proof=proof,
        notes=(*problem.notes, *spectrum.notes, *_digits_note(proof)),
    )
    wanted = own if frame is None else frame_of(model, frame, supports=boundary) if isinstance(frame, str) else frame
    if wanted is not own and not (wanted.name == own.name and frame == own.name):
        basis = converted(basis, wanted, drop_dependent=False)
    return normalized(basis, normalization)


def _digits_note(proof: Proof) -> tuple[str, ...]:
    if proof.data_error <= EIGENVALUE_LIMIT:
        return ()
    return (f"the last digits of stiffness and mass settle the frequencies to {0.5 * proof.data_error:.1g} only",)


def normalized(basis: ModalBasis, normalization: Normalization) -> ModalBasis:
    """Unit modal mass as solved, or unit largest translation."""
    if normalization == "mass" or not len(basis):
        return basis
    motion = np.abs(basis.model.displacements(basis.shapes))
    size = motion[:, :3].max(axis=(0, 1))
    size = np.where(size > 0.0, size, motion.max(axis=(0, 1)))
    return replace(basis, shapes=basis.shapes / np.where(size > 0.0, size, 1.0))
