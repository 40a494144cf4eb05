"""Vehicle files: a spacecraft and a run of it in one TOML file."""

from tisserand.multibody.vehicle_file.whole_file import VehicleCase, VehicleFile, read_vehicle, vehicle_case

__all__ = ["VehicleCase", "VehicleFile", "read_vehicle", "vehicle_case"]
