"""Modes of runs by other programs: one neutral type, and the record that can be made of it."""

from tisserand.readers.supplier.registry import RESULT_FORMATS, read_supplier_modes, result_format
from tisserand.readers.supplier.supplier_modes import EffectiveMasses, Geometry, MassSummary, SupplierModes

__all__ = [
    "RESULT_FORMATS",
    "EffectiveMasses",
    "Geometry",
    "MassSummary",
    "SupplierModes",
    "read_supplier_modes",
    "result_format",
]
