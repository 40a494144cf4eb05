"""The reduced appendage: modal integrals, damping, mode selection, comparison, and the HDF5 record.

Names are imported when first used.
"""

from __future__ import annotations

from importlib import import_module
from typing import Any

_PUBLIC = {
    "reduce": "reduction",
    "save_record": "record",
    "load_record": "record",
    "is_record": "record",
    "ReducedAppendage": "types",
    "NodeTable": "types",
    "Interface": "types",
    "Topology": "types",
    "FrameRecord": "types",
    "GEOMETRIC_FAMILIES": "types",
    "ModalIntegrals": "integrals",
    "nodal_body_integrals": "nodal",
    "shifted": "transform",
    "placed": "transform",
    "turned": "transform",
    "mirrored": "transform",
    "combined": "transform",
    "keep_modes": "transform",
    "renamed": "transform",
    "normalised": "transform",
    "natural": "transform",
    "in_frame": "frames",
    "merged": "merging",
    "mode_table": "modetable",
    "ModeTable": "modetable",
    "effective_masses": "effective",
    "acceleration_at": "recovery",
    "PlyRecovery": "ply_recovery",
    "ply_failure": "ply_recovery",
    "ply_values": "ply_recovery",
    "compare": "comparison",
    "Comparison": "comparison",
    "Tolerances": "tolerances",
    "read_tolerances": "tolerances",
    "select": "selection",
    "Selection": "selection",
    "ByFrequency": "criteria",
    "ByEffectiveMass": "criteria",
    "ByCompleteness": "criteria",
    "ByModalCost": "criteria",
    "ByBalancedValue": "criteria",
    "modal_cost": "criteria",
    "balanced_values": "criteria",
    "ByAccuracy": "accuracy",
    "error_curve": "accuracy",
    "modal_response": "response",
    "forced_response": "forced",
    "static_gap": "statics",
    "Channel": "channels",
    "predict_release": "truncation",
    "ModalRatio": "damping",
    "DampingBands": "damping",
    "DampingTable": "damping",
    "GivenMatrix": "damping",
    "Rayleigh": "damping",
    "Structural": "damping",
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
