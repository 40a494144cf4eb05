"""Vehicle files, read with their appendages: records, or cases that are reduced on the fly and cached by content."""

from __future__ import annotations

from tisserand.workflows.vehicle_file import VehicleCase, read_vehicle
from tisserand.workflows.vehicle_file.records import cache_folder, reduced_case

__all__ = ["VehicleCase", "cache_folder", "read_vehicle", "reduced_case"]
