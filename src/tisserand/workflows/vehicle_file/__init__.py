"""Vehicle files: a TOML description of bodies, joints, rotors, appendages, loads, control and the run."""

from tisserand.workflows.vehicle_file.read import VehicleCase, read_vehicle

__all__ = ["VehicleCase", "read_vehicle"]
