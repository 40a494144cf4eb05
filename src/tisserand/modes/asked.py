"""``solve_modes``: what is not stated comes from the source (its eigenvalue request, its own reduction), then from defaults.

Requests as EIGRL, ASET and QSET of [NastranQRG] state them.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from functools import partial
from pathlib import Path
from typing import Any

from tisserand.arguments import checked_arguments
from tisserand.assembly.assembled_model import AssembledModel
from tisserand.errors import InputError, SolverError, TooManyModesError
from tisserand.model import Analysis, Supports
from tisserand.modes.deck_reduction import DeckMount, coupled_modes, reduced_modes, require_kept
from tisserand.modes.floating_frames import node_frame
from tisserand.modes.modal_basis import FrameConstraint, FrameName, ModalBasis, Mounting
from tisserand.modes.mounted import floats, mounted_modes
from tisserand.modes.request import Allowed
from tisserand.modes.solve import Normalization, SolveOptions, SolverName, direct_modes
from tisserand.statics import preloaded

#: Number of modes if neither the caller nor the source gives one.
DEFAULT_COUNT = 20


@checked_arguments
def solve_modes(
    model: AssembledModel,
    *,
    count: int | None = None,
    fmax_hz: float | None = None,
    fmin_hz: float | None = None,
    supports: Supports | None = None,
    free: bool = False,
    frame: FrameConstraint | FrameName | str | None = None,
    normalization: Normalization = "mass",
    allow_mechanisms: Allowed = False,
    full: bool = False,
    attachment: int | str | None = None,
    mounted: Mounting | None = None,
    backend: SolverName | None = None,
    ranks: int | None = None,
    solution: str | Path | None = None,
    seed: int = 0,
) -> ModalBasis:
    """Elastic modes: the lowest ``count``, all up to ``fmax_hz``, or a band; if several are given, all of them apply.

    If none is given, the deck's own request applies, else the lowest 20. If the structure has fewer modes than
    requested, all are returned, with a note. A deck that requests a reduction (ASET, QSET, superelements) is reduced
    accordingly unless ``full`` is set or ``supports`` states another boundary.

    supports: the boundary (None: the model's own); free=True holds nothing. Rigid motions that the boundary allows are
    built from geometry, reported as ``rigid_body_modes`` and left out of the shapes; elastic shapes are mass-orthogonal
    to them. frame: floating frame of the shapes (None: connection if anything is held, else buckens; ``node:ID`` or
    ``node:INTERFACE`` for the frame of a node); shapes are converted to it. normalization: unit modal mass, or unit largest
    translation. allow_mechanisms: keep zero-energy motions as leading columns of kind ``mechanism`` instead of raising
    MechanismError (``"few"``: up to 60 of them).

    attachment: node id or interface that will carry the appendage. Where nothing is held and the frame is a mean-axis one
    (buckens, tisserand, milne), it decides the span, which ``mounted`` states: ``clamped`` (default for a stated frame), modes
    held there and seen from the frame, right on any vehicle; ``residual`` (default without a frame), free modes and the residual
    shapes of loads there; ``free``, free modes alone, whose error on a mount is noted in Hz.

    A preload that the source specifies (``model.structure.analysis.preload``) is applied first: the modes are about
    that state.

    Every result carries its proof (residuals, mass-orthogonality, Sturm count); a failed proof raises.

    Args:
        fmin_hz: lowest frequency of the modes, Hz.
        backend: factorization to use; None chooses; ``slepc`` solves with SLEPc and MUMPS in processes of their own.
        ranks: MPI ranks of ``slepc``; None: two.
        solution: folder in which the eigenproblem was solved that ``export --to petsc`` wrote; its pairs are checked and taken.
        seed: of the start vectors, so that modes are repeatable.
    """
    state = None if model.structure is None else model.structure.analysis.preload
    model = preloaded(model)
    asked = Analysis() if model.structure is None else model.structure.analysis
    stated = count is not None
    if count is None and fmax_hz is None:
        count, fmax_hz = asked.count, asked.fmax_hz
        if solution is not None:
            count = fmax_hz = None  # as many as were solved
        elif count is None and fmax_hz is None:
            count = DEFAULT_COUNT
    options: SolveOptions = {
        "fmax_hz": fmax_hz, "fmin_hz": fmin_hz, "free": free, "frame": named_frame(model, frame),
        "normalization": normalization, "allow_mechanisms": allow_mechanisms, "backend": backend, "seed": seed,
        "ranks": ranks, "solution": None if solution is None else Path(solution),
    }  # fmt: skip
    solver: Callable[..., ModalBasis] = direct_modes
    if supports is not None:
        options["supports"] = supports
    elif model.structure is not None and not full:
        solver = coupled_modes if model.structure.parts else reduced_modes if len(asked.interface) else direct_modes
    whole = solver is direct_modes
    if not whole and (backend == "slepc" or solution is not None):
        raise InputError(
            "the reduction that the deck specifies is not computed by SLEPc", found="ASET, QSET or superelements",
            advice="solve the whole model with --full, or leave the backend out",
        )  # fmt: skip
    if attachment is not None and whole and floats(model, supports, free, frame):
        node, span = attachment_id(model, attachment), mounted or ("residual" if frame is None else "clamped")
        solver = partial(mounted_modes, node_id=node, mounting=span)
    elif attachment is not None and not whole and floats(model, supports, free, frame):
        node, span = attachment_id(model, attachment), mounted or ("residual" if frame is None else "clamped")
        try:
            require_kept(model, node)
            solver = partial(solver, mount=DeckMount(node, span))
        except InputError:
            if mounted is not None or frame is not None:
                raise
            solver = partial(_unmounted, solver)
    elif mounted is not None:
        raise InputError(
            "'mounted' applies only to free structures in a mean-axis frame with an attachment",
            found=f"mounted {mounted}" + (", no attachment" if attachment is None else ""),
            expected="an attachment, nothing held, and the buckens, tisserand or milne frame",
        )
    try:
        return _as_many_as_there_are(lambda most: solver(model, count=most, **options), count, stated)
    except SolverError as error:
        if state is None:
            raise
        raise type(error)(
            f"about the static state of {state.name}: {error.what}",
            where=error.where,
            found=error.found,
            expected=error.expected,
            advice="a spinning structure may be stable by gyroscopic forces: see 'tisserand campbell'"
            if state.spin.any()
            else error.advice,
        ) from error


#: End of the note on fewer modes than requested.
ALL_GIVEN = ", and all of them are given"
#: Said of free modes of a deck's own reduction, which has no shapes for a mount.
UNMOUNTED = (
    "the deck's own reduction was applied, so its free modes have no residual attachment shapes and their error on a mount is "
    "unknown: '--full' solves the whole model with them"
)


def _unmounted(solver: Callable[..., ModalBasis], model: AssembledModel, **options: Any) -> ModalBasis:
    basis = solver(model, **options)
    return replace(basis, notes=(*basis.notes, UNMOUNTED))


def _as_many_as_there_are(
    solve: Callable[[int | None], ModalBasis], asked: int | None, stated: bool = True
) -> ModalBasis:
    """That many modes, or as many as the structure has; a note says so where the number was stated (not a deck's or default)."""
    count = asked
    while True:
        try:
            basis = solve(count)
        except TooManyModesError as error:
            if not 0 < error.most < (count or 0):
                raise
            count = error.most
            continue
        if count == asked or not stated:
            return basis
        note = f"{asked} modes were requested; the structure has {len(basis.eigenvalues)}{ALL_GIVEN}"
        return replace(basis, notes=(*basis.notes, note))


def named_frame(model: AssembledModel, frame: FrameConstraint | str | None) -> Any:
    """The frame itself, or for ``node:ID`` and ``node:INTERFACE`` that node's frame."""
    if not isinstance(frame, str) or not frame.startswith("node"):
        return frame
    which = frame.partition(":")[2]
    interfaces = {} if model.structure is None else dict(model.structure.interfaces)
    if not (which in interfaces or which.isdecimal()):
        raise InputError(
            "the node frame needs a node",
            found=frame,
            expected="node:ID with the id of a node, such as node:1"
            + (f", or an interface of {', '.join(map(str, interfaces))}" if interfaces else ""),
        )
    return node_frame(model, int(interfaces.get(which, which)))


def attachment_id(model: AssembledModel, attachment: int | str) -> int:
    """Node id of an attachment given as one or as an interface's name."""
    if not isinstance(attachment, str):
        return int(attachment)
    interfaces = {} if model.structure is None else dict(model.structure.interfaces)
    if attachment not in interfaces:
        raise InputError(
            "the attachment is not a known interface",
            found=repr(attachment),
            expected=", ".join(map(str, interfaces)) or "a node id: no interfaces are named",
        )
    return int(interfaces[attachment])
