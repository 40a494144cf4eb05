"""What a file holds, as data."""

from __future__ import annotations

from dataclasses import dataclass
from importlib import import_module
from pathlib import Path
from typing import Any, ClassVar

import h5py
import numpy as np

from tisserand.appendage.record.reduced_appendage import ReducedAppendage
from tisserand.appendage.support_mass import frequency_words, listed_modes
from tisserand.arrays import without_roundoff
from tisserand.assembly.assembled_model import AssembledModel
from tisserand.exporters.exudyn import KIND as EXUDYN
from tisserand.files import storable
from tisserand.model import StructuralModel
from tisserand.multibody.balance_verdict import balance_verdict
from tisserand.multibody.trajectory import Trajectory
from tisserand.stored import SEAL, broken_seal, open_hdf5, refuse_broken
from tisserand.studies.frames import KIND as FRAMES
from tisserand.studies.idle_options import refuse_idle
from tisserand.studies.kinds import kind_of
from tisserand.studies.look import Look
from tisserand.studies.options import InfoStudy
from tisserand.studies.source import Source, open
from tisserand.studies.study_file import studies_of
from tisserand.studies.study_type import task
from tisserand.studies.supplier import described
from tisserand.task_result import TaskResult
from tisserand.views.report.appendage_page import DIRECTIONS, effective_fractions


@dataclass(frozen=True)
class InfoResult(TaskResult):
    """Facts by title."""

    task: ClassVar = "info"

    facts: dict[str, Any]

    def as_dict(self) -> dict[str, Any]:
        """The JSON contract of the command."""
        return self.facts


#: Kinds of files that state their units and drop nothing, in words.
WORDS = {"vehicle": "vehicle file", "study": "study file", "delivered": "delivered model"}


@task(InfoStudy)
def info(study: InfoStudy) -> InfoResult:
    """Facts about a deck, case, mesh, record, run or vehicle file."""
    look = Look(study.model)
    if study.format is None and look.hdf5 is not None and look.hdf5[0] in (FRAMES, EXUDYN):
        refuse_idle(study, ("units", "allow", *study.choices), "a file of results", where=look.path)
        return InfoResult(describe_written(look.path))
    kind = kind_of(look, study.format).name
    if kind in ("vehicle", "study", "run", "delivered"):
        refuse_idle(study, ("units", "allow", *study.choices), f"a {WORDS.get(kind, kind)}", where=look.path)
    if kind == "vehicle" and look.table is not None:
        return InfoResult({**describe_vehicle(look.path, look.table), "next": next_steps(look.path, kind, None)})
    if kind == "study":
        return InfoResult({**describe_studies(look.path), "next": next_steps(look.path, kind, None)})
    source = open(study.model, units=study.units, format=study.format, allow=study.allow, **study.choices)
    if source.trajectory is not None:
        return InfoResult(
            {**describe_run(source.trajectory), **_seal(look.path), "next": next_steps(look.path, "run", None)}
        )
    if source.record is not None:
        steps = next_steps(look.path, "record", None)
        return InfoResult({**describe_record(source.record), **_seal(look.path), "next": steps})
    if source.supplier is not None:
        return InfoResult(described(source.supplier))
    if source.matrices is not None:
        return InfoResult(describe_matrices(source.matrices))
    assert source.structure is not None
    units = None if kind == "case" else study.units
    steps = [
        step.replace(" -u SI", "") if kind == "case" else step for step in next_steps(look.path, "structure", units)
    ]
    return InfoResult({**describe_structure(source.structure), **_choices(source), "next": steps})


def describe_written(path: Path) -> dict[str, Any]:
    """What a file holds that is written for others (frames, an export), after the check of its digest."""
    sizes: dict[str, Any] = {}

    def add(name: str, item: Any) -> None:
        if isinstance(item, h5py.Dataset):
            sizes[name] = " x ".join(map(str, item.shape)) or "1"

    with open_hdf5(path) as file:
        file.visititems(add)
        broken, kind = broken_seal(file), str(file.attrs["kind"])
    refuse_broken(path, broken)
    return {"kind": kind.removeprefix("tisserand "), "name": storable(path.stem), "size": sizes, **_seal(path)}


def _seal(path: Path) -> dict[str, str]:
    """Whether the digest of an HDF5 file was checked when it was read; formats of other tools have none."""
    if not h5py.is_hdf5(path):
        return {}
    with open_hdf5(path) as file:
        known = SEAL in file.attrs
    return {"content": "as written (its digest holds)" if known else "has no digest: later changes cannot be noticed"}


def _choices(source: Source) -> dict[str, Any]:
    """What a deck offers to choose from: steps, or subcases and sets."""
    if source.kind not in ("nastran", "abaqus"):
        return {}
    offers = import_module(f"tisserand.readers.{source.kind}.offers").offers
    return dict(offers(source.path, source.choices.get("flavor")))


def describe_matrices(model: AssembledModel) -> dict[str, Any]:
    size = {"dofs": model.size, "nodes": len(model.nodes), "stiffness terms": int(model.stiffness.nnz)}
    return {
        "kind": "matrices",
        "name": model.name,
        "units": model.unit_system,
        "size": size,
        "notes": list(model.notes),
    }


def describe_vehicle(path: Path, table: dict[str, Any]) -> dict[str, Any]:
    """What a vehicle file states, without opening its records."""

    def names(word: str) -> list[str]:
        value = table.get(word, {})
        return list(value) if isinstance(value, dict) else []

    appendages = table.get("appendages", {})
    return {
        "kind": "vehicle file",
        "name": str(table.get("name", storable(path.stem))),
        "taken by": "tisserand simulate, linearize, system-modes, response, sweep, montecarlo",
        **{word: names(word) for word in ("bodies", "joints", "rotors")},
        "appendages": {
            name: str(facts.get("record", facts.get("case", "states neither record nor case")))
            for name, facts in (appendages.items() if isinstance(appendages, dict) else ())
            if isinstance(facts, dict)
        },
        **{word: names(word) for word in ("sensors", "controllers", "loads", "events")},
        "simulation": table.get("simulation", {}),
        "outputs": table.get("outputs", {}),
    }


def describe_studies(path: Path) -> dict[str, Any]:
    """The tasks of a study file in their order, with what each reads and writes."""
    return {
        "kind": "study file",
        "taken by": "tisserand study",
        "tasks": [
            {
                "task": item.task,
                "reads": [str(file) for file in item.inputs],
                "writes": list(map(str, item.outputs.values())),
            }
            for item in studies_of(path)
        ],
    }


def describe_structure(model: StructuralModel) -> dict[str, Any]:
    elements: dict[str, int] = {}
    for block in model.elements:
        kind = getattr(block, "kind", block.family) if block.family == "solid" else block.family
        elements[str(kind)] = elements.get(str(kind), 0) + len(block)
    across = "across (length units)" if model.unit_system == "consistent" else "across (m)"
    return {
        "kind": "structural model",
        "name": model.name,
        "units": model.unit_system,
        "size": {"nodes": len(model.nodes), across: model.size, "mass recipe": model.mass_recipe},
        "elements": elements,
        "constraints": len(model.constraints),
        "supports": {"nodes": len(model.supports.nodes), "components": int(model.supports.fixed.sum())},
        "node sets": {name: len(ids) for name, ids in model.node_sets.items()},
        "element sets": {name: len(ids) for name, ids in model.element_sets.items()},
        "interfaces": dict(model.interfaces),
        "ledger": {f"{entry.card} ({entry.fate})": entry.count for entry in model.ledger.entries},
        "sources": [str(path) for path in model.sources],
    }


def describe_run(run: Trajectory) -> dict[str, Any]:
    verdict = balance_verdict(run)
    return {
        "kind": "trajectory",
        "name": run.vehicle_name,
        "time": {
            "from (s)": float(run.times[0]),
            "to (s)": float(run.times[-1]),
            "samples": len(run.times),
            "ending": "complete" if run.complete else f"stopped: {run.reason}",
        },
        "integration": {"method": run.statistics.method, "steps": run.statistics.steps},
        "balance": {
            **{f"worst {name} violation (relative)": value for name, value in verdict.worst.items()},
            "limit": f"{verdict.limit:.1e} ({verdict.expected})",
            "verdict": "balances" if verdict.held else "does not balance",
        },
        "bodies": list(run.bodies),
        "modal coordinates": {name: int(values.shape[1]) for name, values in run.modal.items()},
        "signals": list(run.signals),
        "events": {event.name: f"{event.time:.6g} s" for event in run.events},
        "warnings": list(run.warnings),
    }


def describe_record(appendage: ReducedAppendage) -> dict[str, Any]:
    reach = float(abs(appendage.nodes.positions).max(initial=0.0))
    inertia = without_roundoff(appendage.integrals.inertia, float(np.diag(appendage.integrals.inertia).max()))
    return {
        "kind": "reduced appendage",
        "name": appendage.name,
        "units": appendage.unit_system,
        "frame": {"name": appendage.frame.name, "meaning": appendage.frame.meaning},
        "inertia": {
            "mass (kg)": appendage.mass,
            "center from O (m)": without_roundoff(appendage.integrals.center, reach).tolist(),
            "inertia about O, xx yy zz (kg m²)": np.diag(inertia).tolist(),
            "inertia about O, xy xz yz (kg m²)": inertia[[0, 0, 1], [1, 2, 2]].tolist(),
            "reference point O (m)": appendage.reference_point.tolist(),
            "level": appendage.inertia_level,
        },
        "modes": {
            name: words + (" (residual)" if kind == "residual" and not name.startswith("residual") else "")
            for name, words, kind in zip(
                appendage.mode_names, frequency_words(listed_modes(appendage)[0]), appendage.mode_kinds
            )
        },
        "effective mass": _carried(appendage),
        "interfaces": {point.name: f"node {point.node_id}" for point in appendage.interfaces},
        "geometric stiffness": list(appendage.geometric_stiffness),
        "provenance": dict(appendage.provenance),
    }


def _carried(appendage: ReducedAppendage) -> dict[str, dict[str, Any]]:
    """The direction in which each mode carries the largest share of the rigid mass or inertia, and that share."""
    effective, rigid = effective_fractions(appendage)
    share = effective / np.where(rigid > 0.0, rigid, np.inf)
    best = share.argmax(axis=1) if len(share) else []
    return {
        name: {"direction": DIRECTIONS[axis], "share": float(share[k, axis])}
        for k, (name, axis) in enumerate(zip(appendage.mode_names, best))
    }


def next_steps(path: Path, kind: str, units: str | None) -> list[str]:
    """Commands that take such a file."""
    said = f" -u {units}" if units else " -u SI"
    steps = {
        "record": ["view {0}", "report {0}", "export {0} --to TARGET", "diff OTHER {0}"],
        "run": ["report {0}", "view {0} --save run.gif", "frames {0}"],
        "vehicle": ["simulate {0} -o run.h5", "system-modes {0}", "linearize {0}", "sweep {0} --over KEY=VALUES"],
        "study": ["study {0}"],
        "structure": ["check {0}{1}", "modes {0}{1} -o modes.h5", "view {0}{1}"],
    }
    return [f"tisserand {step.format(storable(str(path)), said)}" for step in steps.get(kind, [])]
