"""From a source to its modes and reduced appendage; options not stated come from the case, then from the deck."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from tisserand.appendage import reduce
from tisserand.appendage.frames.reference_points import DEFAULT_ATTACHMENT
from tisserand.appendage.record.reduced_appendage import ReducedAppendage
from tisserand.errors import InputError
from tisserand.modes import solve_modes
from tisserand.modes.modal_basis import ModalBasis
from tisserand.modes.mounted import floats, sole_held_node
from tisserand.readers.case import AppendageCase
from tisserand.studies.options import ModesStudy

if TYPE_CHECKING:
    from tisserand.studies.source import Source


def solved(source: Source, study: ModesStudy, *, listed: bool = False) -> ModalBasis:
    """The modal basis that a study requests; ``listed``: up to 60 strain-free motions are kept without being allowed."""
    count, fmax_hz, frame, free, attachment = study.count, study.fmax, study.frame, study.free, study.attachment
    fmin_hz, mounted = study.fmin, study.mounted
    if source.case is not None:
        wish = source.case.analysis
        if count is None and fmax_hz is None and study.solution is None:
            count, fmax_hz = wish.count, wish.fmax_hz
        frame, free, fmin_hz = frame or wish.frame, free or wish.free, wish.fmin_hz if fmin_hz is None else fmin_hz
        attachment, mounted = attachment or wish.attachment, mounted or wish.mounted
    _refuse_idle(source, study)
    if frame == "node" and attachment is not None:
        frame = f"node:{attachment}"
    model = source.assemble(study.mass)
    known = {} if model.structure is None else {**model.structure.interfaces, **study.points}
    if attachment is None and DEFAULT_ATTACHMENT in known:
        attachment = DEFAULT_ATTACHMENT
    if attachment is None and floats(model, None, free, frame):
        attachment = sole_held_node(model)  # let go of in the analysis, and still where the appendage is mounted
    return solve_modes(
        model, count=count, fmax_hz=fmax_hz, fmin_hz=fmin_hz, frame=frame, free=free,
        allow_mechanisms=study.allow_mechanisms or ("few" if listed else False), full=study.full,
        attachment=known.get(attachment, attachment) if isinstance(attachment, str) else attachment, mounted=mounted,
        backend=study.backend, ranks=study.ranks, solution=study.solution,
    )  # fmt: skip


def _refuse_idle(source: Source, study: ModesStudy) -> None:
    """Options that would do nothing here."""
    if study.tolerances is not None:
        what = "tolerances: applies only to results that are verified"
        raise InputError(
            what, where=str(source.path), found=str(study.tolerances), expected="a result file and its deck (--deck)"
        )
    if study.damping_support is not None and study.damping is None and (source.case is None or not source.case.damping):
        what = "damping_support: needs a damping ratio"
        raise InputError(
            what, where=str(source.path), found=study.damping_support, expected="--damping, or [damping] in a case"
        )


def reduced(source: Source, basis: ModalBasis, study: ModesStudy) -> ReducedAppendage:
    """The appendage that a study requests."""
    options = {} if source.case is None else _stated_in(source.case)
    options |= reduction_of(study)
    options["options"] = dict(source.choices)
    made: ReducedAppendage = reduce(basis, **options)
    return made


def reduction_of(study: ModesStudy) -> dict[str, Any]:
    """Options of ``reduce`` that a study states."""
    options: dict[str, Any] = {}
    if study.attachment is not None:
        options["attachment"] = study.attachment
    if study.reference_point is not None:
        options["reference_point"] = study.reference_point
    if study.points:
        options["interfaces"] = study.points
    if study.damping is not None:
        options["damping"] = study.damping
    if study.damping_support is not None:
        options["damping_support"] = study.damping_support
    if study.geometric:
        options["geometric"] = True
    return options


def _stated_in(case: AppendageCase) -> dict[str, Any]:
    """Reduction options of a case: name, reference point, attachment, damping, recovery."""
    options: dict[str, Any] = {"name": case.name, "reference_point": case.analysis.reference_point}
    if case.analysis.attachment is not None:
        options["attachment"] = case.analysis.attachment
    if case.analysis.geometric:
        options["geometric"] = True
    if case.damping is not None:
        options["damping"] = case.damping
    options["damping_support"] = case.tables.damping.support
    if case.recovery:
        options["recovery"] = case.recovery
    return options
