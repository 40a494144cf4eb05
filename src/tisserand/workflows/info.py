"""What a file holds, as data."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Any

from tisserand.appendage.record.reduced_appendage import ReducedAppendage
from tisserand.arrays import without_roundoff
from tisserand.files import existing_file
from tisserand.model import StructuralModel
from tisserand.workflows.misplaced import describe_vehicle, is_run, vehicle_table
from tisserand.workflows.sources import open_source

if TYPE_CHECKING:
    from tisserand.multibody.trajectory import Trajectory


def describe(path: str | Path, *, units: str | None = None, allow: tuple[str, ...] = ()) -> dict[str, Any]:
    """Facts about a deck, case, mesh, record, run or vehicle file."""
    path = existing_file(path)
    vehicle = vehicle_table(path)
    if vehicle is not None:
        return describe_vehicle(path, vehicle)
    if is_run(path):
        from tisserand.multibody.run_file import load_trajectory

        return describe_run(load_trajectory(path))
    source = open_source(path, units=units, allow=allow)
    if source.record is not None:
        return describe_record(source.record)
    if source.matrices is not None:
        model = source.matrices
        size = {"dofs": model.size, "nodes": len(model.nodes), "stiffness terms": int(model.stiffness.nnz)}
        return {
            "kind": "matrices",
            "name": model.name,
            "units": model.unit_system,
            "size": size,
            "notes": list(model.notes),
        }
    assert source.structure is not None
    return describe_structure(source.structure)


def describe_structure(model: StructuralModel) -> dict[str, Any]:
    elements: dict[str, int] = {}
    for block in model.elements:
        kind = getattr(block, "kind", block.family) if block.family == "solid" else block.family
        elements[str(kind)] = elements.get(str(kind), 0) + len(block)
    return {
        "kind": "structural model",
        "name": model.name,
        "units": model.unit_system,
        "size": {"nodes": len(model.nodes), "across (m)": model.size, "mass recipe": model.mass_recipe},
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
        "worst violation (relative)": run.balance.worst(),
        "bodies": list(run.bodies),
        "modal coordinates": {name: int(values.shape[1]) for name, values in run.modal.items()},
        "signals": list(run.signals),
        "events": {event.name: f"{event.time:.6g} s" for event in run.events},
        "warnings": list(run.warnings),
    }


def describe_record(appendage: ReducedAppendage) -> dict[str, Any]:
    reach = float(abs(appendage.nodes.positions).max(initial=0.0))
    return {
        "kind": "reduced appendage",
        "name": appendage.name,
        "units": appendage.unit_system,
        "frame": {"name": appendage.frame.name, "meaning": appendage.frame.meaning},
        "inertia": {
            "mass (kg)": appendage.mass,
            "centre from O (m)": without_roundoff(appendage.integrals.center, reach).tolist(),
            "reference point O (m)": appendage.reference_point.tolist(),
            "level": appendage.inertia_level,
        },
        "modes": {name: f"{f:.6g} Hz" for name, f in zip(appendage.mode_names, appendage.frequencies_hz)},
        "interfaces": {point.name: f"node {point.node_id}" for point in appendage.interfaces},
        "geometric stiffness": list(appendage.geometric_stiffness),
        "provenance": dict(appendage.provenance),
    }
