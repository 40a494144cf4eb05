"""Accelerometers of a vehicle file."""

from __future__ import annotations

from tisserand.arrays import FloatArray
from tisserand.multibody.accelerometers import Accelerometer, place_of
from tisserand.multibody.vehicle import Vehicle
from tisserand.schema import Table
from tisserand.workflows.vehicle_file.places import appendage_node, at_key, direction, point


def accelerometer_of(name: str, table: Table, vehicle: Vehicle) -> Accelerometer:
    """Read one; its places are checked against the vehicle at once."""
    along = direction(table, vehicle)
    if table.one_of("body", "appendage") == "body":
        made = Accelerometer(name, along, body=table.text("body"), point=_point(table))
    else:
        appendage, node = appendage_node(table, vehicle)
        made = Accelerometer(name, along, appendage=appendage, node=node)
    with at_key(table):
        place_of(made, vehicle)
    return made


def _point(table: Table) -> FloatArray | str:
    """The stated point, else the origin of the named frame, else the body's origin."""
    return table.text("frame") if table.has("frame") and not table.has("point") else point(table, "point")
