"""Modes of an appendage: read, assemble, solve with proof, reduce, and keep."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace
from pathlib import Path
from typing import TYPE_CHECKING, Any

from tisserand.appendage import ModalRatio, PlyRecovery, Rayleigh, Structural, effective_masses, reduce
from tisserand.appendage.record.reduced_appendage import ReducedAppendage
from tisserand.arrays import FloatArray
from tisserand.assembly.massprops import mass_properties_from_rigid
from tisserand.errors import FileError, InputError
from tisserand.modes import solve_modes
from tisserand.modes.doubts import basis_doubts
from tisserand.workflows.outputs import wanted_outputs, write_outputs
from tisserand.workflows.sources import RECORD_SUFFIXES, Source, open_source
from tisserand.workflows.stated import stated_options

if TYPE_CHECKING:
    from tisserand.modes.modal_basis import ModalBasis
    from tisserand.readers.case.types import AppendageCase, DampingWish

@dataclass(frozen=True, eq=False)
class ModesResult:
    """What ``tisserand modes`` found. Mass properties in source basic axes; effective masses about ``reference_point``."""

    appendage: ReducedAppendage
    frequencies_hz: FloatArray
    rigid_body_modes: int
    mass: float
    center_of_mass: FloatArray
    inertia: FloatArray
    effective_mass: FloatArray
    proof: dict[str, Any] | None
    ledger: dict[str, Any]
    record: Path | None = None
    warnings: tuple[str, ...] = ()
    written: tuple[Path, ...] = ()

    def as_dict(self) -> dict[str, Any]:
        """The JSON contract of the command; mass properties are null for bare matrices without positions."""
        known = self.mass > 0.0
        return {
            "name": self.appendage.name,
            "frequencies_hz": self.frequencies_hz,
            "rigid_body_modes": self.rigid_body_modes,
            "mass": self.mass if known else None,
            "center_of_mass": self.center_of_mass if known else None,
            "inertia": self.inertia if known else None,
            "effective_mass": self.effective_mass,
            "reference_point": self.appendage.reference_point,
            "frame": self.appendage.frame.name,
            "damping_ratios": self.appendage.damping_ratios,
            "units": self.appendage.unit_system,
            "proof": self.proof,
            "ledger": self.ledger,
            "warnings": list(self.warnings),
            "record": None if self.record is None else str(self.record),
            "written": [str(path) for path in self.written],
        }


def compute_modes(
    path: str | Path,
    *,
    count: int | None = None,
    fmax_hz: float | None = None,
    units: str | None = None,
    frame: str | None = None,
    free: bool = False,
    mass: str | None = None,
    allow: tuple[str, ...] = (),
    allow_mechanisms: bool = False,
    geometric: bool = False,
    full: bool = False,
    output: str | Path | None = None,
    case_outputs: bool = False,
    force: bool = False,
    attachment: str | None = None,
    points: tuple[str, ...] = (),
    damping: float | None = None,
) -> ModesResult:
    """Modes of the model at ``path``; see the command's help for the meaning of each option.

    ``case_outputs`` writes the files of the case's ``[outputs]`` too, as the command does; ``output`` wins over its record;
    ``force`` lets ``[outputs]`` write outside the case's folder.
    """
    if output is not None and Path(output).suffix.lower() not in RECORD_SUFFIXES:
        raise FileError(
            output, "a record is an HDF5 file", expected=f"a name that ends in {' or '.join(RECORD_SUFFIXES)}"
        )
    stated = stated_options(attachment, points, damping)
    source = open_source(path, units=units, allow=allow)
    wanted = wanted_outputs(source, output, stated=case_outputs, force=force)
    if source.record is not None:
        if any(option is not None for option in (count, fmax_hz, frame, mass)) or free or stated:
            raise InputError(
                "a record's modes are fixed",
                where=str(path),
                advice="run modes on its source with the new options",
            )
        result = result_of_record(source.record)
    else:
        basis = solve_source(
            source,
            count=count,
            fmax_hz=fmax_hz,
            frame=frame,
            free=free,
            mass=mass,
            allow_mechanisms=allow_mechanisms,
            full=full,
            attachment=attachment,
        )
        result = result_of_basis(source, basis, geometric=geometric, stated=stated)
    if not wanted:
        return result
    return replace(result, record=wanted.get("record"), written=write_outputs(result.appendage, wanted))


def solve_source(
    source: Source,
    *,
    count: int | None = None,
    fmax_hz: float | None = None,
    frame: str | None = None,
    free: bool = False,
    mass: str | None = None,
    allow_mechanisms: bool = False,
    full: bool = False,
    attachment: str | None = None,
) -> ModalBasis:
    """The modal basis of a source; what is not stated comes from its case, then from the deck, then from defaults."""
    if count is not None and count < 1:
        raise InputError("the number of modes must be one or more", found=count)
    if fmax_hz is not None and not fmax_hz > 0.0:
        raise InputError("the frequency limit must be a positive number of Hz", found=fmax_hz)
    fmin_hz = None
    if source.case is not None:
        wish = source.case.analysis
        if count is None and fmax_hz is None:
            count, fmax_hz = wish.count, wish.fmax_hz
        frame, free, fmin_hz = frame or wish.frame, free or wish.free, wish.fmin_hz
        attachment = attachment or wish.attachment
    if frame == "node" and attachment is not None:
        frame = f"node:{attachment}"
    return solve_modes(
        source.assembled(mass), count=count, fmax_hz=fmax_hz, fmin_hz=fmin_hz, frame=frame, free=free,
        allow_mechanisms=allow_mechanisms, full=full,
    )  # fmt: skip


def result_of_basis(
    source: Source, basis: ModalBasis, *, geometric: bool = False, stated: Mapping[str, Any] | None = None
) -> ModesResult:
    """Reduce a basis and gather what the command reports; ``geometric`` adds the geometric-stiffness families.

    ``stated``: options of ``reduce`` that win over what the case says.
    """
    from tisserand.appendage import effective_masses

    options = {**reduction_options(source), **(stated or {})}
    appendage = reduce(basis, **({**options, "geometric": True} if geometric else options))
    properties = basis.model.mass_properties()
    return ModesResult(
        appendage=appendage,
        frequencies_hz=basis.frequencies_hz,
        rigid_body_modes=basis.rigid_body_modes,
        mass=properties.mass,
        center_of_mass=properties.center,
        inertia=properties.inertia,
        effective_mass=effective_masses(appendage.integrals),
        proof=None if basis.proof is None else basis.proof.as_dict(),
        ledger=basis.model.ledger.as_dict(),
        warnings=(*appendage.reports.get("units_doubt", ()), *basis_doubts(basis)),
    )


def reduction_options(source: Source) -> dict[str, Any]:
    """What a case says about reduction: name, reference point, attachment, damping."""
    case = source.case
    if case is None:
        return {}
    options: dict[str, Any] = {"name": case.name, "reference_point": case.analysis.reference_point}
    if case.analysis.attachment is not None:
        options["attachment"] = case.analysis.attachment
    if case.analysis.geometric:
        options["geometric"] = True
    if case.damping is not None:
        options["damping"] = _damping(case.damping)
    if case.recovery:
        options["recovery"] = _recovery(case)
    return options


def _recovery(case: AppendageCase) -> dict[str, Any]:
    """What ``[recovery]`` asks for; the name of a set is looked up when the model is reduced."""
    return {rule.label: PlyRecovery(rule.elements, rule.plies) if rule.plies else rule.elements for rule in case.recovery}


def _damping(wish: DampingWish) -> Any:
    values = wish.values
    if wish.kind == "rayleigh":
        return Rayleigh(*values)
    if wish.kind == "structural":
        return Structural(values[0])
    return ModalRatio(values[0] if wish.kind == "ratio" else values)


def result_of_record(appendage: ReducedAppendage) -> ModesResult:
    """The same report from a record."""
    local = mass_properties_from_rigid(appendage.integrals.rigid_mass)
    return ModesResult(
        appendage=appendage,
        frequencies_hz=appendage.frequencies_hz,
        rigid_body_modes=appendage.rigid_body_modes,
        mass=local.mass,
        center_of_mass=local.center + appendage.reference_point,
        inertia=local.inertia,
        effective_mass=effective_masses(appendage.integrals),
        proof=appendage.reports.get("proof"),
        ledger=appendage.reports.get("ledger", {}),
        warnings=tuple(appendage.reports.get("units_doubt", ())),
    )
