"""Reductions of a component to its interface: Guyan, Craig-Bampton, mixed, MacNeal, Rubin, Craig-Chang, residual vectors.

Symbols: b interface dofs, i the others; Psi static shapes; Phi modes; G flexibility.

References: [Guyan1965], [CraigBampton1968], [MacNeal1971], [Rubin1975], [CraigChang1977]; residual vectors: theory section 9.4.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import replace
from functools import partial

import numpy as np
from scipy.sparse import csr_array

from tisserand.arguments import checked_arguments
from tisserand.arrays import BoolArray, FloatArray, IntArray, symmetric
from tisserand.assembly.assembled_model import AssembledModel
from tisserand.assembly.element_forces import element_forces
from tisserand.errors import InputError, ModelError, SingularMatrixError
from tisserand.linalg import factorize, pencil_of
from tisserand.model import Supports
from tisserand.modes.component import (
    Coordinate,
    ReducedComponent,
    ReductionName,
    assumed_basis,
    physical_coordinate,
    reduced,
)
from tisserand.modes.interface import dof_name, promoted
from tisserand.modes.modal_basis import FrameConstraint, ModalBasis, ModeKind
from tisserand.modes.rigid import RigidSet, rigid_set
from tisserand.modes.solve import direct_modes
from tisserand.modes.strain_free_motions import pivot_dofs

#: Static shapes of less than this part of the strain energy of their load are in the span of the modes.
_STRAINLESS = 1e-12
#: A shape has no mass if that is below this part of the largest mass at a dof times its largest motion squared.
_MASSLESS = 1e-18


@checked_arguments
def guyan(model: AssembledModel, interface: IntArray, *, supports: Supports | None = None) -> ReducedComponent:
    """Static condensation to the interface dofs (p, 2) rows (node index, component).

    Args:
        model: the assembled model.
        supports: the boundary; None takes the model's own.
    """
    model, b, held = _prepared(model, interface, supports)
    psi = static_shapes(model, b, held)
    names = [physical_coordinate(model, *row) for row in np.asarray(interface)]
    rigid = rigid_set(model, held, partial(element_forces, model)).vectors[b]
    return reduced(
        model, "guyan", psi, coordinates=names, eigenvalues=np.full(len(names), np.nan), static=len(b), rigid=rigid, held=held
    )  # fmt: skip


@checked_arguments
def craig_bampton(
    model: AssembledModel,
    interface: IntArray,
    *,
    count: int | None = None,
    fmax_hz: float | None = None,
    supports: Supports | None = None,
    loads: FloatArray | None = None,
    inertia_relief: bool = False,
) -> ReducedComponent:
    """Static shapes of the interface dofs and modes with the interface held (Craig and Bampton, 1968).

    loads: (d, m) further static loads whose residual vectors are added; inertia_relief adds those of the six unit
    accelerations. Coordinates: interface dofs by name, then ``fixed mode i``, then ``residual i``.

    Args:
        model: the assembled model.
        count: number of modes.
        fmax_hz: highest frequency of the modes, Hz.
        supports: the boundary; None takes the model's own.
    """
    return mixed_boundary(
        model, interface, np.zeros((0, 2), np.int64), count=count, fmax_hz=fmax_hz, supports=supports, loads=loads,
        inertia_relief=inertia_relief,
    )  # fmt: skip


@checked_arguments
def mixed_boundary(
    model: AssembledModel,
    held_interface: IntArray,
    free_interface: IntArray,
    *,
    count: int | None = None,
    fmax_hz: float | None = None,
    supports: Supports | None = None,
    loads: FloatArray | None = None,
    inertia_relief: bool = False,
) -> ReducedComponent:
    """Craig-Bampton with part of the interface held and part free in the modes.

    Mode columns are stripped of their static interface motion, so all interface dofs stay physical coordinates.

    Args:
        model: the assembled model.
        held_interface: dofs held in the modes.
        free_interface: interface dofs free in the modes.
        count: number of modes.
        fmax_hz: highest frequency of the modes, Hz.
        supports: the boundary; None takes the model's own.
        loads: (d, p) loads whose residual vectors are added.
        inertia_relief: balance those loads by the structure's own inertia.
    """
    fixed = np.asarray(held_interface, np.int64).reshape(-1, 2)
    loose = np.asarray(free_interface, np.int64).reshape(-1, 2)
    interface = np.vstack([fixed, loose])
    model, b, held = _prepared(model, interface, supports)
    psi = static_shapes(model, b, held)
    boundary = held.copy()
    boundary[b[: len(fixed)]] = True
    basis = _modes_or_none(model, boundary, count, fmax_hz)
    shapes = basis.shapes if basis is not None else np.zeros((model.size, 0))
    values = basis.eigenvalues if basis is not None else np.zeros(0)
    notes = (
        ()
        if basis is None or basis.proof is None
        else (f"modes proven complete to {basis.proof.sturm_shift_hz:.6g} Hz",)
    )
    extra = residual_vectors(model, shapes, values, boundary, loads, inertia_relief)
    columns = np.hstack([shapes, extra.shapes])
    columns = columns - psi @ columns[b]
    word = "mode" if len(loose) else "fixed mode"
    names = [physical_coordinate(model, *row) for row in interface]
    names += [Coordinate(f"{word} {i + 1}", "elastic") for i in range(shapes.shape[1])]
    names += [Coordinate(f"residual {i + 1}", "residual") for i in range(extra.shapes.shape[1])]
    eigenvalues = np.concatenate([np.full(len(b), np.nan), values, extra.eigenvalues])
    method: ReductionName = "mixed" if len(loose) else "craig-bampton"
    rigid = rigid_set(model, held, partial(element_forces, model)).vectors[b]
    return reduced(
        model,
        method,
        np.hstack([psi, columns]),
        coordinates=names,
        eigenvalues=eigenvalues,
        notes=notes,
        static=len(b),
        rigid=rigid,
        held=held,
    )


@checked_arguments
def free_interface(
    model: AssembledModel,
    interface: IntArray,
    *,
    method: str = "rubin",
    count: int | None = None,
    fmax_hz: float | None = None,
    supports: Supports | None = None,
) -> ReducedComponent:
    """Free-interface modes with residual flexibility.

    ``rubin``: rigid motions, free modes and residual attachment shapes as generalized coordinates;
    ``craig-chang``: the same span with the interface dofs as physical coordinates;
    ``macneal``: as craig-chang, but the inertia of the residual shapes is neglected.

    Args:
        model: the assembled model.
        method: ``rubin``, ``craig-chang`` or ``macneal``.
        count: number of modes.
        fmax_hz: highest frequency of the modes, Hz.
        supports: the boundary; None takes the model's own.
    """
    if method not in ("rubin", "craig-chang", "macneal"):
        raise InputError("unknown free-interface method", found=repr(method), expected="rubin, craig-chang or macneal")
    model, b, held = _prepared(model, interface, supports)
    rigid = rigid_set(model, held, partial(element_forces, model))
    basis = _modes_or_none(model, held, count, fmax_hz)
    phi = basis.shapes if basis is not None else np.zeros((model.size, 0))
    values = basis.eigenvalues if basis is not None else np.zeros(0)
    load = np.zeros((model.size, len(b)))
    load[b, np.arange(len(b))] = 1.0
    residual = attachment_shapes(model, load, held, rigid) - phi @ ((phi.T @ load) / values[:, None])
    modal = np.hstack([rigid.vectors, phi])
    names = [Coordinate(f"rigid {i + 1}", "rigid") for i in range(rigid.count)]
    names += [Coordinate(f"free mode {i + 1}", "elastic") for i in range(phi.shape[1])]
    zeros = np.concatenate([np.zeros(rigid.count), values])
    if method == "rubin":
        free = _unmoved(_moved(rigid.massless, b))
        names += [Coordinate(f"rigid without mass {i + 1}", "rigid") for i in range(rigid.massless.shape[1])]
        whole = free.shape[1] == len(b)
        names += [
            Coordinate(f"residual {dof_name(model, *row)}" if whole else f"residual {i + 1}", "residual")
            for i, row in enumerate(np.asarray(interface)[: free.shape[1]])
        ]
        shapes = np.hstack([modal, rigid.massless, residual if whole else residual @ free])
        eigenvalues = np.concatenate([zeros, np.zeros(rigid.massless.shape[1]), np.full(free.shape[1], np.nan)])
        return reduced(model, "rubin", shapes, coordinates=names, eigenvalues=eigenvalues, held=held)
    attachment = _attached(residual, rigid.massless, b)
    shapes = np.hstack([attachment, modal - attachment @ modal[b]])
    names = [physical_coordinate(model, *row) for row in np.asarray(interface)] + names
    eigenvalues = np.concatenate([np.full(len(b), np.nan), zeros])
    if method == "craig-chang":
        return reduced(model, "craig-chang", shapes, coordinates=names, eigenvalues=eigenvalues, held=held)
    out = reduced(model, "macneal", shapes, coordinates=names, eigenvalues=eigenvalues, held=held)
    # d = modal q + residual f, f = flex^-1 (u_b - modal_b q): inertia of the modal part alone, which is the unit matrix
    inertia = np.zeros_like(out.mass)
    inertia[len(b) :, len(b) :] = symmetric(modal.T @ (model.mass @ modal))
    return replace(out, mass=inertia, notes=("the inertia of the residual shapes is neglected",))


def _moved(massless: FloatArray, b: IntArray) -> FloatArray:
    """Motion (p, m) of the interface in rigid motions (d, m) without mass; round-off is no motion."""
    motion = massless[b]
    return np.where(np.abs(motion) > 1e-9 * np.abs(massless).max(initial=0.0), motion, 0.0)


def _unmoved(motion: FloatArray) -> FloatArray:
    """(p, p - r) combinations of interface dofs that motions (p, m) of rank r do not move."""
    if not motion.any():
        return np.eye(len(motion))
    left, values, _ = np.linalg.svd(motion)
    return np.asarray(left[:, int((values > 1e-9 * values.max()).sum()) :])


def _attached(residual: FloatArray, massless: FloatArray, b: IntArray) -> FloatArray:
    """(d, p) shapes per unit interface dof of residual shapes (d, p) and rigid motions without mass (d, m).

    u_b = G f + R s with R' f = 0: nothing balances a load that works on a motion R without mass, so that f has no such part
    and the motion s follows the interface.
    """
    flexibility, motion = residual[b], _moved(massless, b)
    own = _unmoved(motion)
    inner = symmetric(own.T @ flexibility @ own)
    size = np.sqrt(np.maximum(np.diag(inner), 0.0))
    if (size <= 0.0).any() or np.linalg.cond(inner / np.outer(size, size)) > 1e13:
        raise ModelError(
            "the residual flexibility of the interface is singular, so its dofs cannot be coordinates",
            advice="keep fewer modes, or use the rubin method",
        )
    force = own @ np.linalg.solve(inner, own.T)
    follow = np.linalg.pinv(motion) @ (np.eye(len(b)) - flexibility @ force)
    return np.asarray(residual @ force + massless @ follow)


def static_shapes(model: AssembledModel, b: IntArray, held: BoolArray) -> FloatArray:
    """(d, p) static shapes per unit interface dof, all other interface dofs held: [-K_ii^-1 K_ib; 1]."""
    out = np.zeros((model.size, len(b)))
    out[b, np.arange(len(b))] = 1.0
    with interior_solver(model, b, held) as solve:
        moved = solve(-np.asarray(csr_array(model.stiffness) @ out))
    return np.asarray(out + moved)


@contextmanager
def interior_solver(
    model: AssembledModel, b: IntArray, held: BoolArray
) -> Iterator[Callable[[FloatArray], FloatArray]]:
    """Static response (d, m) to loads (d, m) with supports and interface dofs held; one factorization, released at the end."""
    interior = ~held
    interior[b] = False
    if not interior.any():
        yield np.zeros_like
        return
    pencil = pencil_of(model.stiffness, model.mass, interior, model.dofs.node)
    try:
        factor = factorize(pencil.k, groups=pencil.groups)
        sound = factor.trusted and factor.negative_count == 0 and factor.smallest_pivot > 1e-13
    except SingularMatrixError:
        sound = False
    if not sound:
        boundary = held.copy()
        boundary[b] = True
        left = rigid_set(model, boundary, partial(element_forces, model)).count
        reason = f"it still allows {left} rigid motions" if left else "the inside has a mechanism"
        raise ModelError(
            "fixing the interface does not restrain the component", found=reason,
            advice="add interface dofs or supports, or use a free-interface method",
        )  # fmt: skip

    def solve(load: FloatArray) -> FloatArray:
        moved = np.zeros_like(load)
        moved[pencil.free] = factor.solve(load[pencil.free])
        return moved

    yield solve
    factor.release()


def attachment_shapes(
    model: AssembledModel, load: FloatArray, held: BoolArray, rigid: RigidSet | None = None
) -> FloatArray:
    """(d, m) static response to loads (d, m); a free body is accelerated by them and shows its elastic part only.

    Inertia relief: the load is balanced by M R R' f, and the response is made mass-orthogonal to the rigid motions R.
    """
    rigid = rigid_set(model, held, partial(element_forces, model)) if rigid is None else rigid
    R, M = rigid.vectors, model.mass
    balanced = load - M @ (R @ (R.T @ load)) if rigid.count else load
    free = ~held
    free[pivot_dofs(np.hstack([R, rigid.massless]))] = False
    pencil = pencil_of(model.stiffness, model.mass, free, model.dofs.node)
    factor = factorize(pencil.k, groups=pencil.groups)
    if not factor.trusted or factor.smallest_pivot < 1e-13:
        raise SingularMatrixError("the stiffness is singular beyond the rigid motions", advice="look for mechanisms")
    out = np.zeros_like(np.asarray(balanced, float))
    out[pencil.free] = factor.solve(np.asarray(balanced)[pencil.free])
    factor.release()
    return np.asarray(out - R @ (R.T @ (M @ out))) if rigid.count else out


def balanced_loads(load: FloatArray, rigid: RigidSet) -> FloatArray:
    """Combinations (d, p) of loads (d, m) that do no work on rigid motions without mass: nothing could balance the others."""
    motion = rigid.massless
    size = np.maximum(np.linalg.norm(load, axis=0), 1e-300)
    if not motion.shape[1]:
        return load
    _, values, right = np.linalg.svd((motion / np.linalg.norm(motion, axis=0)).T @ (load / size), full_matrices=True)
    return np.asarray((load / size) @ right[int((values > 1e-9).sum()) :].T)


def residual_vectors(
    model: AssembledModel,
    shapes: FloatArray,
    eigenvalues: FloatArray,
    held: BoolArray,
    loads: FloatArray | None = None,
    inertia_relief: bool = False,
) -> ModalBasis:
    """Residual vectors: what modes miss of the static response to loads, as pseudo-modes.

    They are mass- and stiffness-orthogonal to the modes and among themselves, of unit mass; those that strain nothing new are
    dropped. A shape that moves no mass stays, with an infinite eigenvalue, and strains as much as the stiffest of the others.
    """
    columns = [] if loads is None else [np.asarray(loads, float).reshape(model.size, -1)]
    if inertia_relief:
        columns.append(model.mass @ model.rigid_body_vectors)
    if not columns:
        return assumed_basis(model, np.zeros((model.size, 0)), orthonormalize=False)
    load = np.hstack(columns)
    load[held] = 0.0
    rigid = rigid_set(model, held, partial(element_forces, model))
    load = balanced_loads(load, rigid)
    static = attachment_shapes(model, load, held, rigid)
    rest = static - shapes @ ((shapes.T @ load) / eigenvalues[:, None]) if shapes.shape[1] else static
    for _ in range(2):
        rest = rest - shapes @ (shapes.T @ (model.mass @ rest))
    return _static_ritz(model, rest, static)


def _static_ritz(model: AssembledModel, rest: FloatArray, static: FloatArray) -> ModalBasis:
    """Ritz modes of static shapes by the inverse pencil (M, K): independent by their strain energy, whatever their mass."""
    K, M = model.stiffness, model.mass
    energy = np.einsum("ik,ik->k", static, K @ static)
    strained = energy > 0.0
    rest = rest[:, strained] / np.sqrt(energy[strained])
    values, turn = np.linalg.eigh(symmetric(rest.T @ (K @ rest)))
    new = values > _STRAINLESS
    base = rest @ (turn[:, new] / np.sqrt(values[new]))
    inverse, turn = np.linalg.eigh(symmetric(base.T @ (M @ base)))
    base, inverse = base @ turn[:, ::-1], inverse[::-1]
    motion = np.abs(base).max(axis=0, initial=0.0)
    heavy = inverse > _MASSLESS * motion**2 * max(float(M.diagonal().max(initial=0.0)), 1e-300)
    eigenvalues = np.divide(1.0, inverse, out=np.full(len(inverse), np.inf), where=heavy)
    stiffest = float(eigenvalues[heavy].max(initial=0.0)) or 1.0
    names = tuple(f"Ritz mode {i + 1}" for i in range(len(inverse)))
    kinds: tuple[ModeKind, ...] = tuple("assumed" for _ in inverse)
    return ModalBasis(
        model, base * np.sqrt(np.where(heavy, eigenvalues, stiffest)), eigenvalues,
        FrameConstraint("prescribed", "static shapes; no frame imposed"),
        fixed=np.zeros(model.size, np.bool_), labels=names, kinds=kinds,
    )  # fmt: skip


def _prepared(
    model: AssembledModel, interface: IntArray, supports: Supports | None
) -> tuple[AssembledModel, IntArray, BoolArray]:
    interface = np.asarray(interface, np.int64).reshape(-1, 2)
    if not len(interface):
        raise InputError("a component needs interface dofs")
    model = promoted(model, interface)
    held = model.held(supports)
    b = model.dofs.index[interface[:, 0], interface[:, 1]]
    clash = model.dofs.fixed_by(model.supports if supports is None else supports)[b]
    if clash.any():
        names = ", ".join(dof_name(model, *row) for row in interface[clash][:6])
        raise ModelError(
            "interface dofs are held by supports", found=names, advice="release them or remove them from the interface"
        )
    held[b] = False  # a dof held only because nothing resists it may still be an interface dof
    return model, b, held


def _modes_or_none(
    model: AssembledModel, held: BoolArray, count: int | None, fmax_hz: float | None
) -> ModalBasis | None:
    """Modes with the given dofs held; None when no mode is requested."""
    if count == 0 or held.all() or (count is None and fmax_hz is None):
        return None
    fixed = np.zeros((model.dofs.node_count, 6), np.bool_)
    fixed[model.dofs.node[held], model.dofs.component[held]] = True
    nodes = np.flatnonzero(fixed.any(axis=1))
    return direct_modes(model, count=count, fmax_hz=fmax_hz, supports=Supports(nodes, fixed[nodes]))
