"""Modes of an appendage: open, solve with proof, reduce, and keep."""

from __future__ import annotations

from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any, ClassVar

import numpy as np

from tisserand.appendage import effective_masses
from tisserand.appendage.integrals.integral_changes import without_rigid
from tisserand.appendage.mount_doubt import mount_doubt
from tisserand.appendage.record.reduced_appendage import ReducedAppendage
from tisserand.appendage.sound_physics import impossible_physics
from tisserand.appendage.support_mass import free_modes, interface_motion, listed_modes
from tisserand.appendage.verdict import Verdict, verdict_of
from tisserand.arrays import FloatArray
from tisserand.assembly.massprops import mass_properties_from_rigid
from tisserand.assembly.plausibility import UNIT_CHECK, wrong_units
from tisserand.errors import CheckFailedError, IdentityError, InputError, MechanismError
from tisserand.modes.doubts import basis_doubts
from tisserand.modes.modal_basis import MEAN_AXES, ModalBasis
from tisserand.studies.directional_masses import mass_by_direction, without_masses
from tisserand.studies.options import ModesStudy
from tisserand.studies.outputs import check_ending, wanted_outputs, write_outputs
from tisserand.studies.solving import reduced, solved
from tisserand.studies.source import Source, open_appendage
from tisserand.studies.study_type import task
from tisserand.studies.supplier import SupplierResult, reduce_run
from tisserand.task_result import TaskResult


@dataclass(frozen=True, eq=False, kw_only=True)
class ModesResult(TaskResult):
    """What ``modes`` found. Mass properties in source basic axes; effective masses about ``reference_point``."""

    task: ClassVar = "modes"

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
    supplier: SupplierResult | None = None

    @property
    def exit_code(self) -> int:
        """1 where a check of the model or a supplier's verification fails, or strain-free motions were not allowed."""
        verification = None if self.supplier is None else self.supplier.verification
        failed = verification is not None and not verification.passed
        return 1 if failed or unallowed(self.appendage) or self.stops else 0

    @property
    def stops(self) -> tuple[str, ...]:
        """Model checks that failed; wrong units are refused before modes are solved, unless they were accepted."""
        rows = self.appendage.reports.get("checks", {}).get("rows", ())
        failed = [row for row in rows if row["verdict"] == "fail" and row["name"] != UNIT_CHECK]
        return tuple(f"a check of the model failed: {row['name']}: {row['message']}" for row in failed)

    @property
    def mounting(self) -> str | None:
        """Span of a mean-axis record on its mount: clamped, residual or free; None if not applicable."""
        return self.appendage.reports.get("mount", {}).get("mounting") if _floating(self.appendage) else None

    @property
    def reference_rule(self) -> str:
        """What chose the reference point O: stated, the attachment, the centroid of the held nodes, or the mass center."""
        return str(self.appendage.reports.get("reference_point", {}).get("rule", "stated"))

    @property
    def verdict(self) -> Verdict:
        """Whether the record is accepted, and the reasons against it."""
        return verdict_of(self.appendage)

    @property
    def proven(self) -> tuple[bool, ...]:
        """Per frequency, whether it is one of a solved mode; False for residual shapes, whose frequencies are Ritz values."""
        return tuple(kind != "residual" for kind in self.appendage.mode_kinds)

    @property
    def damping_ratios(self) -> FloatArray:
        """One ratio per listed mode: held at the attachment where such modes were solved, else floating as listed."""
        return listed_modes(self.appendage)[1]

    @property
    def ritz_frequencies_hz(self) -> FloatArray | None:
        """Free frequencies by the whole span of a clamped or residual basis, Hz: estimates from above, without proof."""
        if self.mounting not in ("clamped", "residual"):
            return None
        return free_modes(self.appendage)[0]

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
            "effective_mass": self.effective_mass if np.isfinite(self.effective_mass).all() else None,
            "reference_point": self.appendage.reference_point,
            "reference_rule": self.reference_rule,
            "verdict": self.verdict.as_dict(),
            "frame": self.appendage.frame.name,
            "mode_kinds": list(self.appendage.mode_kinds),
            "proven": list(self.proven),
            "mounting": self.mounting,
            "ritz_frequencies_hz": self.ritz_frequencies_hz,
            "damping_ratios": self.damping_ratios,
            "units": self.appendage.unit_system,
            "proof": self.proof,
            "ledger": self.ledger,
            "warnings": list(self.warnings),
            "record": None if self.record is None else str(self.record),
            "written": [str(path) for path in self.written],
            **self._supplier_dict(),
        }

    def _supplier_dict(self) -> dict[str, Any]:
        if self.supplier is None:
            return {}
        verification = self.supplier.verification
        level = self.appendage.inertia_level if self.supplier.flies else "none"
        words = {"level": level, "flies": self.supplier.flies, "notes": list(self.supplier.sentences)}
        return {"supplier": words, "verification": None if verification is None else verification.as_dict()}


@task(ModesStudy)
def modes(study: ModesStudy) -> ModesResult:
    """Modes with proof and the reduced appendage; writes the record and what the case's ``[outputs]`` names."""
    if study.output is not None:
        check_ending("record", study.output)
    source = open_appendage(
        study.model, units=study.units, format=study.format, allow=study.allow, deck=study.deck, **study.choices
    )
    wanted = wanted_outputs(source, study.output, stated=not study.ignore_outputs, force=study.force)
    result = found(source, study)
    if not wanted:
        return result
    if motions := unallowed(result.appendage):
        raise MechanismError(
            "no record is made of a structure with strain-free motions beyond the rigid body", where=str(study.model),
            found="; ".join(motions),
            advice="support or connect them, or keep the motions as modes of zero frequency with --allow-mechanisms",
        )  # fmt: skip
    if not result.mass > 0.0:
        raise InputError(
            "no record can be made of this file: mass and integrals are unknown", where=str(study.model),
            found="; ".join(result.warnings[:1]) or None,
            advice="leave --output out to list the frequencies alone" if source.structure is not None
            else "state the deck that places its points with --deck; without it 'tisserand modes' lists frequencies alone",
        )  # fmt: skip
    for what, facts in impossible_physics(result.appendage):  # nothing reads such a record
        raise CheckFailedError(
            f"no record is made of this structure: {what}", where=str(study.model), **facts,
            advice="check masses and inertias that are stated as numbers (CONM2, matrices)",
        )  # fmt: skip
    return replace(result, record=wanted.get("record"), written=write_outputs(result.appendage, wanted))


def found(source: Source, study: ModesStudy) -> ModesResult:
    """The modes of an open source, nothing written."""
    if source.supplier is not None:
        return result_of_run(reduce_run(source.supplier, study), study)
    if source.record is None:
        _refuse_wrong_units(source, study)
        basis = solved(source, study, listed=True)
        try:
            return result_of_basis(judged(reduced(source, basis, study), study), basis)
        except IdentityError:
            if (words := mass_by_direction(basis.model)) is None:
                raise
            return _frequencies_alone(basis, source, study, words)
    if study.model_fields_set.difference(study.of_files):
        raise InputError(
            "a record's modes are fixed", where=str(study.model), advice="run modes on its source with the new options"
        )
    return result_of_record(source.record)


def _frequencies_alone(basis: ModalBasis, source: Source, study: ModesStudy, words: str) -> ModesResult:
    """Modes of a structure whose mass differs from direction to direction."""
    made = result_of_basis(judged(reduced(source, without_masses(basis), study), study), basis)
    unknown = np.full_like(made.effective_mass, np.nan)
    return replace(made, mass=0.0, effective_mass=unknown, warnings=(words, *made.warnings))


def judged(appendage: ReducedAppendage, study: ModesStudy) -> ReducedAppendage:
    """The appendage with a note on whether the study allows the strain-free motions it has."""
    told = appendage.reports.get("mechanisms")
    if not told:
        return appendage
    return replace(appendage, reports={**appendage.reports, "mechanisms": {**told, "allowed": study.allow_mechanisms}})


def unallowed(appendage: ReducedAppendage) -> tuple[str, ...]:
    """Strain-free motions that are listed but were not allowed, in words."""
    told = appendage.reports.get("mechanisms", {})
    return () if told.get("allowed", True) else tuple(told["motions"])


def _refuse_wrong_units(source: Source, study: ModesStudy) -> None:
    strange = [] if source.structure is None or study.accept_units else wrong_units(source.structure)
    if strange:
        more = len(strange) - 1
        raise CheckFailedError(
            "the stated units cannot be right",
            where=str(source.path),
            found=strange[0] + (f"; and {more} more such value{'s' * (more > 1)}" if more else ""),
            advice="state the units of the file with --units, or keep them with --accept-units",
        )


def result_of_basis(appendage: ReducedAppendage, basis: ModalBasis) -> ModesResult:
    """The report of modes that were just solved."""
    properties = basis.model.mass_properties()
    return ModesResult(
        appendage=appendage,
        frequencies_hz=_as_solved(appendage, basis),
        rigid_body_modes=basis.rigid_body_modes,
        mass=properties.mass,
        center_of_mass=properties.center,
        inertia=properties.inertia,
        effective_mass=_effective(appendage),
        proof=None if basis.proof is None else basis.proof.as_dict(),
        ledger=basis.model.ledger.as_dict(),
        warnings=(
            *appendage.reports.get("units_doubt", ()),
            *basis.model.ledger.assumptions,
            *basis_doubts(basis),
            *_mount_doubts(appendage),
        ),
    )


def _as_solved(appendage: ReducedAppendage, basis: ModalBasis) -> FloatArray:
    """Frequencies of solved modes as proven, of residual shapes as the record has them (static without mass)."""
    residual = np.array([kind == "residual" for kind in appendage.mode_kinds], np.bool_)
    return (
        np.where(residual, listed_modes(appendage)[0], basis.frequencies_hz) if residual.any() else basis.frequencies_hz
    )


def result_of_run(found: SupplierResult, study: ModesStudy) -> ModesResult:
    """The report of modes from a result file; a record that can only be viewed is not written."""
    if not found.flies and study.output is not None:
        raise InputError(
            "no record can be made of this file", where=str(study.model), found="; ".join(found.sentences),
            advice="leave --output out to see the verification" if found.verification is not None
            else "state the deck with --deck; 'tisserand view' shows the shapes",
        )  # fmt: skip
    made = result_of_record(found.record)
    if not found.flies:
        made = replace(made, mass=0.0, effective_mass=np.full_like(made.effective_mass, np.nan))
    told = found.flies or found.verification is not None  # with the verification
    return replace(made, supplier=found, warnings=(*made.warnings, *(() if told else found.sentences)))


def result_of_record(appendage: ReducedAppendage) -> ModesResult:
    """The same report from a record."""
    local = mass_properties_from_rigid(appendage.integrals.rigid_mass)
    return ModesResult(
        appendage=appendage,
        frequencies_hz=listed_modes(appendage)[0],
        rigid_body_modes=appendage.rigid_body_modes,
        mass=local.mass,
        center_of_mass=local.center + appendage.reference_point,
        inertia=local.inertia,
        effective_mass=_effective(appendage),
        proof=appendage.reports.get("proof"),
        ledger=appendage.reports.get("ledger", {}),
        warnings=(*appendage.reports.get("units_doubt", ()), *_mount_doubts(appendage)),
    )


def _floating(appendage: ReducedAppendage) -> bool:
    return appendage.frame.name in MEAN_AXES


def _effective(appendage: ReducedAppendage) -> FloatArray:
    """Effective masses (k, 6) of the listed modes about O: of the held modes for a clamped span in mean axes."""
    integrals = appendage.integrals
    if _clamped(appendage) and appendage.attachment is not None:
        integrals = without_rigid(integrals, interface_motion(appendage.interface(appendage.attachment)))
    return effective_masses(integrals)


def _clamped(appendage: ReducedAppendage) -> bool:
    return _floating(appendage) and appendage.reports.get("mount", {}).get("mounting") == "clamped"


def _mount_doubts(appendage: ReducedAppendage) -> tuple[str, ...]:
    """Frequency errors on a mount of free modes alone, or of modes held elsewhere, Hz."""
    mount = appendage.reports.get("mount", {})
    if not mount.get("error_hz"):
        doubt = mount_doubt(appendage)
        return () if doubt is None else (f"the appendage {doubt}",)
    hz, error = mount["held_hz"][0], mount["error_hz"][0]
    wrong = f"about {error:.3g} Hz too high" if np.isfinite(error) else "far too high"
    return (
        f"free modes alone: held at its attachment the lowest mode of {hz:.5g} Hz comes out {wrong}; "
        "'--mounted clamped' or '--mounted residual' have no such error",
    )
