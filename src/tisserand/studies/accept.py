"""Acceptance of a model, a record or a delivered model by a profile."""

from __future__ import annotations

import json
from dataclasses import dataclass
from pathlib import Path
from typing import Any, ClassVar

import numpy as np

from tisserand.appendage import Tolerances, compare
from tisserand.appendage.record.reduced_appendage import ReducedAppendage
from tisserand.assembly.model_checks import check_model
from tisserand.errors import InputError
from tisserand.files import csv_name, write_text
from tisserand.responses.acceptance import Acceptance, Measured, judge, read_profile
from tisserand.responses.correlation.alignment import aligned
from tisserand.responses.correlation.correlate_modes import correlate_modes
from tisserand.responses.correlation.measured_modes import is_universal, measured_modes
from tisserand.responses.delivery_checks import check_delivered
from tisserand.responses.measures import (
    Found,
    cross_orthogonality,
    measures_of_comparison,
    measures_of_correlation,
    measures_of_delivery,
    measures_of_model,
    measures_of_products,
    measures_of_record,
)
from tisserand.responses.reduced_against_full import measures_against_full
from tisserand.studies.idle_options import refuse_idle
from tisserand.studies.kept_reports import add_report
from tisserand.studies.kinds import kind_of
from tisserand.studies.look import Look
from tisserand.studies.options import AcceptStudy
from tisserand.studies.source import Source, open_appendage
from tisserand.studies.study_type import task
from tisserand.task_result import TaskResult
from tisserand.views.acceptance import save_acceptance_picture


@dataclass(frozen=True, eq=False)
class AcceptResult(TaskResult):
    """The table of a profile for one source."""

    task: ClassVar = "accept"

    acceptance: Acceptance
    paths: tuple[Path, ...] = ()

    @property
    def accepted(self) -> bool:
        return self.acceptance.accepted

    @property
    def exit_code(self) -> int:
        return 0 if self.accepted else 1

    def as_dict(self) -> dict[str, Any]:
        """The JSON contract of the command."""
        return {
            "name": self.acceptance.name,
            "profile": self.acceptance.title,
            "accepted": self.accepted,
            "criteria": [row.as_dict() for row in self.acceptance.rows],
            "paths": [str(path) for path in self.paths],
        }


@task(AcceptStudy)
def accept(study: AcceptStudy) -> AcceptResult:
    """Judge a source by a profile; what is not accepted is a result here."""
    source = _source(study)
    usual = "delivery" if source.delivered is not None else "correlation" if study.reference is not None else "model"
    profile = read_profile(usual if study.profile is None else study.profile)
    stated = profile.mass if study.stated_mass is None else study.stated_mass
    found, name, mass = _of_delivered(source, study) if source.delivered is not None else _of_appendage(source, study)
    if stated is not None:
        found["mass_error"] = Measured(abs(mass / stated - 1.0), f"{mass:.6g} kg against {stated:.6g} kg")
    result = AcceptResult(judge(name, profile, found))
    paths: list[Path] = []
    if study.output is not None:
        told = json.dumps(result.as_dict(), indent=1) + "\n"
        paths.append(
            write_text(study.output, told if study.output.suffix.lower() == ".json" else _csv(result.acceptance))
        )
    if study.plot is not None:
        paths.append(save_acceptance_picture(result.acceptance, study.plot))
    if study.record is not None:
        entry = {key: value for key, value in result.as_dict().items() if key != "paths"}
        paths.append(add_report(study.record, "acceptance", entry, ("profile",)))
    return AcceptResult(result.acceptance, tuple(paths))


def _source(study: AcceptStudy) -> Source:
    """What is judged. Records and delivered models state their units: with a reference, units and cards are those of that."""
    units, allow = study.units, study.allow
    if kind_of(Look(study.model), study.format).name in ("record", "delivered"):
        if study.reference is None:
            refuse_idle(study, ("units", "allow"), "a file that states its units", where=study.model)
        units, allow = None, ()
    source = open_appendage(
        study.model, units=units, format=study.format, allow=allow, deck=study.deck, **study.choices
    )
    fixed: tuple[str, ...] = ()
    if source.delivered is not None:
        fixed = tuple(name for name in study.solving if name != "mass" or study.reference is None)
    else:
        refuse_idle(study, ("upto",), "a model that was not delivered reduced", where=study.model)
        if source.record is not None and study.reference is None:
            fixed = study.solving
    refuse_idle(study, fixed, "modes that are already solved", where=study.model)
    return source


def _of_delivered(source: Source, study: AcceptStudy) -> tuple[Found, str, float]:
    assert source.delivered is not None
    check = check_delivered(source.delivered, modes=len(source.delivered))
    found = measures_of_delivery(check)
    if study.reference is not None:
        full = _opened(study)
        highest = float(np.nanmax(source.delivered.frequencies_hz, initial=0.0))
        upto = study.upto or 0.5 * highest
        if not upto > 0.0:
            raise InputError("the delivered model has no modes that state a frequency", expected="--upto in Hz")
        found |= measures_against_full(check, full.assemble(study.mass), upto)
    return found, source.delivered.name, check.properties["geometry"].mass


def _opened(study: AcceptStudy) -> Source:
    assert study.reference is not None
    try:
        return open_appendage(study.reference, units=study.units, allow=study.allow)
    except InputError as error:
        if study.units is None or "own units" not in error.what:
            raise
        return open_appendage(study.reference)


def _of_appendage(source: Source, study: AcceptStudy) -> tuple[Found, str, float]:
    found: Found = {}
    record = source.reduce(**study.solved) if source.record is None else source.record  # type: ignore[arg-type]
    if source.structure is not None:
        model = source.assemble(study.mass)
        found |= measures_of_model(model, check_model(source.structure, model))
    found |= measures_of_record(record)
    if study.reference is not None:
        found |= _against(source, record, study)
    return found, record.name, record.mass


def _against(source: Source, record: ReducedAppendage, study: AcceptStudy) -> Found:
    """Frequencies and MAC against another source or a test; cross-orthogonality where the mass and all nodes are known."""
    other = _opened(study)
    if source.structure is not None and other.supplier is not None and is_universal(other.supplier.modes):
        basis = source.modes(**study.solved)  # type: ignore[arg-type]
        test = measured_modes(other.supplier.modes, other.supplier.unit_system)
        placed = aligned(test.ids, test.positions, basis.model.nodes)
        return measures_of_correlation(correlate_modes(test, basis, placed))
    if source.record is not None and other.record is not None:
        refuse_idle(study, study.solving, "modes that are already solved", where=study.model)
    theirs = other.record if other.record is not None else other.reduce(**study.solved)  # type: ignore[arg-type]
    found = measures_of_comparison(compare(theirs, record, Tolerances()))
    if source.structure is not None:
        products = cross_orthogonality(source.modes(**study.solved), theirs)  # type: ignore[arg-type]
        if products is not None:
            found |= measures_of_products(products[: min(products.shape), : min(products.shape)])
    return found


def _csv(acceptance: Acceptance) -> str:
    lines = ["measure,value,at_least,at_most,outcome,source,clause"]
    for row in acceptance.rows:
        c = row.criterion
        numbers = ["" if v is None else f"{v:.10g}" for v in (row.value, c.at_least, c.at_most)]
        lines.append(",".join([c.measure, *numbers, row.outcome, csv_name(c.source), csv_name(c.clause)]))
    return "\n".join(lines) + "\n"
