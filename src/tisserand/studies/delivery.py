"""The tasks on delivered models: reduce a structure to its interface, and couple several."""

from __future__ import annotations

from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, ClassVar

import numpy as np

from tisserand.appendage import PlyRecovery, ReducedAppendage, save_record
from tisserand.appendage import reduce as reduce_basis
from tisserand.arrays import FloatArray, IntArray
from tisserand.assembly import assemble
from tisserand.assembly.assembled_model import AssembledModel
from tisserand.errors import InputError
from tisserand.exporters.delivered_files import write_delivered
from tisserand.files import csv_name, write_text
from tisserand.modes import node_frame
from tisserand.modes.component import ReducedComponent
from tisserand.modes.component_checks import ComponentChecks, check_component
from tisserand.responses.deliver import Reduction, deliver, reduce_to_interface
from tisserand.responses.delivered_file import load_delivered, save_delivered
from tisserand.responses.delivered_model import DeliveredModel
from tisserand.responses.delivery_checks import DeliveryCheck, check_delivered, free_modes
from tisserand.responses.joined_models import join_models
from tisserand.studies.options import CoupleStudy, ReduceStudy
from tisserand.studies.source import Source, open_appendage
from tisserand.studies.study_type import task
from tisserand.task_result import TaskResult
from tisserand.views.delivery import save_delivery_picture, save_share_picture


@dataclass(frozen=True, eq=False)
class ReduceResult(TaskResult):
    """A delivered model, its checks alone and against the full model, and the files written."""

    task: ClassVar = "reduce"

    model: DeliveredModel
    check: DeliveryCheck
    against_full: ComponentChecks
    paths: tuple[Path, ...] = ()

    @property
    def passed(self) -> bool:
        return self.check.passed and self.against_full.passed

    @property
    def exit_code(self) -> int:
        return 0 if self.passed else 1

    def as_dict(self) -> dict[str, Any]:
        """The JSON contract of the command."""
        return {
            "name": self.model.name,
            "method": self.model.method,
            "passed": self.passed,
            "interface_dofs": [self.model.coordinates[i].name for i in self.model.physical],
            "other_coordinates": len(self.model.modal),
            "dropped": list(self.model.dropped),
            "notes": list(self.model.notes),
            **check_dict(self.check),
            "checks": [row_dict(row) for row in (*self.check.rows.rows, *self.against_full.rows)],
            "recovery": {item.name: {"kind": item.kind, "rows": list(item.labels)} for item in self.model.recoveries},
            "paths": [str(path) for path in self.paths],
        }


def check_dict(check: DeliveryCheck) -> dict[str, Any]:
    """Mass, center, frequencies and effective masses of a checked delivery."""
    found = check.properties["geometry"]
    return {
        "mass": found.mass,
        "center_of_mass": found.center,
        "inertia": found.inertia,
        "free_hz": check.free_hz,
        "fixed_hz": check.fixed_hz,
        "effective_mass_percent": check.effective_percent,
    }


def row_dict(row: Any) -> dict[str, Any]:
    """One line of a table of checks."""
    return {"name": row.name, "value": row.value, "limit": row.limit, "passed": row.passed, "meaning": row.meaning}


@task(ReduceStudy)
def reduce(study: ReduceStudy) -> ReduceResult:
    """Reduce a structure to its interface and write the delivered model. A failed check is a result here."""
    source = open_appendage(study.model, units=study.units, format=study.format, allow=study.allow, **study.choices)
    model = _assembled(source, study)
    reduction = _reduction(model, study)
    wanted: dict[str, Any] = dict(study.elements)
    for label, which in study.stresses.items():
        if label in wanted:
            raise InputError("a label names elements and stresses", found=repr(label), expected="a label of its own")
        wanted[label] = PlyRecovery(which, ("stress",))
    delivered = deliver(
        reduction, nodes=study.nodes, digits=study.node_digits, elements=wanted, sections=study.sections,
        moment_point=study.moment_point, name=study.name,
    )  # fmt: skip
    check, against = check_delivered(delivered), check_component(reduction.component)
    record = None if study.record is None else _record(reduction.component)
    return ReduceResult(delivered, check, against, _written(study, record, delivered, check))


def _assembled(source: Source, study: ReduceStudy) -> AssembledModel:
    """The whole source, or one superelement of it."""
    if study.part is None:
        return source.assemble(study.mass)
    parts = () if source.structure is None else source.structure.parts
    for item in parts:
        if item.part == study.part:
            return assemble(item.model, mass=study.mass)
    known = ", ".join(str(item.part) for item in parts) or "the source has none"
    raise InputError("no such superelement", where=str(study.model), found=study.part, expected=known)


def _reduction(model: AssembledModel, study: ReduceStudy) -> Reduction:
    """To the interface that the study names, or to the boundary set of the deck with as many modes as it requests."""
    options: dict[str, Any] = {"method": study.method, "factor": study.factor, "free": study.free}
    options |= {"digits": study.digits, "inertia_relief": study.inertia_relief}
    interface: Any = study.interface
    loose: Any = study.loose
    count = study.count
    if not interface and not loose:
        interface, loose, method = _of_deck(model, study)
        options["method"] = method
        asked = 0 if model.structure is None else model.structure.analysis.modal_points
        if count is None and study.fmax is None and method in ("craig-bampton", "mixed"):
            count = asked
    return reduce_to_interface(model, interface, loose=loose, fmax_hz=study.fmax, count=count, **options)


def _of_deck(model: AssembledModel, study: ReduceStudy) -> tuple[IntArray, IntArray, str]:
    """Held and loose boundary dofs of the deck, and the reduction that it requests unless the study states one."""
    asked = None if model.structure is None else model.structure.analysis
    if asked is None or not len(asked.interface):
        raise InputError(
            "no interface is named", where=str(study.model), expected="--interface with node ids, points or node sets",
            advice="decks with ASET, BSET or superelements state their own",
        )  # fmt: skip
    free = {tuple(row) for row in asked.free_interface.tolist()}
    rows = asked.interface.tolist()
    held = np.array([row for row in rows if tuple(row) not in free], np.int64).reshape(-1, 2)
    loose = np.array([row for row in rows if tuple(row) in free], np.int64).reshape(-1, 2)
    if study.method == "mixed":
        return held, loose, "mixed"
    if "method" in study.model_fields_set:
        return np.vstack([held, loose]), loose[:0], study.method
    if not asked.modal_points and study.count is None and study.fmax is None:
        return np.vstack([held, loose]), loose[:0], "guyan"
    return held, loose, "mixed" if len(loose) else "craig-bampton"


def _written(
    study: ReduceStudy, record: ReducedAppendage | None, model: DeliveredModel, check: DeliveryCheck
) -> tuple[Path, ...]:
    paths: list[Path] = []
    if study.output is not None:
        paths.append(save_delivered(model, study.output))
    for kind in ("op4", "dmig", "mat"):
        target = getattr(study, kind)
        if target is not None:
            paths += write_delivered(model, kind, target)
    if study.record is not None and record is not None:
        paths.append(save_record(record, study.record))
    if study.checks is not None:
        paths.append(write_text(study.checks, check.text()))
    if study.plot is not None:
        paths.append(save_delivery_picture(check, study.plot))
    return tuple(paths)


def _record(part: ReducedComponent) -> ReducedAppendage:
    """The shapes of a component as an appendage on its first interface node with six dofs: all coordinates but those six.

    Static shapes of the other dofs and modes vanish at that node, so they are in its frame already.
    """
    own: dict[int, list[int]] = {}
    for i in part.physical:
        own.setdefault(int(part.coordinates[i].node or 0), []).append(int(i))
    node = next((node for node, dofs in own.items() if len(dofs) == 6), None)
    if node is None or part.method not in ("craig-bampton", "mixed", "guyan"):
        raise InputError(
            "a record needs static shapes and an interface node with six dofs", where=part.model.name, found=part.method,
            expected="craig-bampton, mixed or guyan",
        )  # fmt: skip
    kept = part.keeping([i for i in range(len(part)) if i not in own[node]])
    number = int(part.model.nodes.ids[node])
    return reduce_basis(kept.as_basis(node_frame(part.model, number)), attachment=number, name=part.model.name)


@dataclass(frozen=True, eq=False)
class CoupleResult(TaskResult):
    """Modes of coupled models: frequencies (n,) Hz, rigid ones first, and the strain share (parts, n) of every part."""

    task: ClassVar = "couple"

    system: DeliveredModel
    parts: tuple[str, ...]
    frequencies_hz: FloatArray
    shares: FloatArray
    rigid: int
    paths: tuple[Path, ...] = ()
    warnings: tuple[str, ...] = field(default=())

    def as_dict(self) -> dict[str, Any]:
        """The JSON contract of the command."""
        return {
            "name": self.system.name,
            "parts": list(self.parts),
            "coordinates": len(self.system),
            "rigid_modes": self.rigid,
            "frequencies_hz": self.frequencies_hz,
            "strain_shares": self.shares,
            "mass": self.system.mass_properties().mass,
            "recovery": {item.name: {"kind": item.kind, "rows": list(item.labels)} for item in self.system.recoveries},
            "paths": [str(path) for path in self.paths],
        }


#: Frequencies below this part of the first that strains count as rigid.
_RIGID = 1e-3


@task(CoupleStudy)
def couple(study: CoupleStudy) -> CoupleResult:
    """Couple delivered models at shared interface nodes and compute the modes of the system."""
    joined = join_models([load_delivered(path) for path in study.parts], name=study.name)
    values, shapes = free_modes(joined.system)
    hz = np.sqrt(np.abs(values)) / (2.0 * np.pi)
    rigid = _rigid_count(joined.system, hz)
    kept = slice(None) if study.fmax is None else hz <= study.fmax
    shares = joined.strain_shares(shapes)
    shares[:, :rigid] = 0.0
    hz, shares = hz[kept], shares[:, kept]
    hz[:rigid] = 0.0
    paths: list[Path] = []
    if study.output is not None:
        paths.append(save_delivered(joined.system, study.output))
    if study.table is not None:
        paths.append(write_text(study.table, _table(joined.names, hz, shares)))
    if study.plot is not None:
        paths.append(save_share_picture(joined.names, hz[rigid:], shares[:, rigid:], study.plot))
    return CoupleResult(joined.system, joined.names, hz, shares, rigid, tuple(paths))


def _rigid_count(system: DeliveredModel, hz: FloatArray) -> int:
    """How many of the lowest modes are rigid: as many as the geometry has, if they strain nothing."""
    if system.held:
        return 0
    lead = min(int(np.linalg.matrix_rank(system.rigid)), len(hz))
    floor = hz[lead] if len(hz) > lead else np.inf
    return int((hz[:lead] < _RIGID * floor).sum())


def _table(parts: tuple[str, ...], hz: FloatArray, shares: FloatArray) -> str:
    lines = [",".join(["mode", "frequency_hz", *(csv_name(f"strain share of {name}") for name in parts)])]
    lines += [",".join([str(i + 1), *(f"{v:.10g}" for v in (f, *s))]) for i, (f, s) in enumerate(zip(hz, shares.T))]
    return "\n".join(lines) + "\n"
