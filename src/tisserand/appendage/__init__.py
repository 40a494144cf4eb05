"""The reduced appendage: modal integrals, damping, mode selection, comparison, and the HDF5 record.

Names are imported when first used.
"""

from __future__ import annotations

from importlib import import_module
from typing import Any

_PUBLIC = {
    "reduce": "reduction",
    "save_record": "record.record_file",
    "load_record": "record.record_file",
    "is_record": "record.record_file",
    "ReducedAppendage": "record.reduced_appendage",
    "NodeTable": "record.reduced_appendage",
    "Interface": "record.reduced_appendage",
    "Topology": "record.reduced_appendage",
    "FrameRecord": "record.reduced_appendage",
    "GEOMETRIC_FAMILIES": "record.reduced_appendage",
    "ModalIntegrals": "integrals.modal_integrals",
    "nodal_body_integrals": "integrals.from_nodal_bodies",
    "shifted": "frames.transformed_records",
    "placed": "frames.transformed_records",
    "turned": "frames.transformed_records",
    "mirrored": "frames.transformed_records",
    "combined": "frames.transformed_records",
    "keep_modes": "frames.transformed_records",
    "renamed": "frames.transformed_records",
    "normalised": "frames.transformed_records",
    "natural": "frames.transformed_records",
    "in_frame": "frames.frame_change",
    "merged": "frames.merged_records",
    "mode_table": "selection.mode_table",
    "ModeTable": "selection.mode_table",
    "effective_masses": "integrals.effective_masses",
    "acceleration_at": "recovery.output_matrices",
    "PlyRecovery": "recovery.ply_stresses",
    "ply_failure": "recovery.ply_stresses",
    "ply_values": "recovery.ply_stresses",
    "compare": "comparison.compare_records",
    "Comparison": "comparison.compare_records",
    "Tolerances": "comparison.tolerances",
    "read_tolerances": "comparison.tolerances",
    "select": "selection.select_modes",
    "Selection": "selection.select_modes",
    "ByFrequency": "selection.criteria",
    "ByEffectiveMass": "selection.criteria",
    "ByCompleteness": "selection.criteria",
    "ByModalCost": "selection.criteria",
    "ByBalancedValue": "selection.criteria",
    "modal_cost": "selection.criteria",
    "balanced_values": "selection.criteria",
    "ByAccuracy": "selection.accuracy",
    "error_curve": "selection.accuracy",
    "modal_response": "response.modal_response",
    "forced_response": "response.forced_response",
    "static_gap": "selection.static_content",
    "Channel": "response.channels",
    "predict_release": "selection.truncation",
    "ModalRatio": "record.damping_matrix",
    "DampingBands": "record.damping_matrix",
    "DampingTable": "record.damping_matrix",
    "GivenMatrix": "record.damping_matrix",
    "Rayleigh": "record.damping_matrix",
    "Structural": "record.damping_matrix",
}

__all__ = sorted(_PUBLIC)


def __getattr__(name: str) -> Any:
    if name in _PUBLIC:
        value = getattr(import_module(f"{__name__}.{_PUBLIC[name]}"), name)
        globals()[name] = value
        return value
    raise AttributeError(f"module {__name__!r} has no attribute {name!r}")


def __dir__() -> list[str]:
    return [*globals(), *_PUBLIC]
