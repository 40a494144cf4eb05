"""Basilisk: a Python module that adds a rigid hub with its appendages as tuned masses to a simulation.

With what Basilisk brings along each held mode becomes a ``linearSpringMassDamper``, a mass that slides along one
direction (``tuned``). The hub holds the rest of the rigid mass. An effector with all modal integrals: ``basilisk_modal``.
"""

from __future__ import annotations

import ast
from pathlib import Path
from typing import Any

import numpy as np

from tisserand.arrays import FloatArray
from tisserand.errors import VehicleError
from tisserand.exporters.left_out import left_out, named, refuse_loops
from tisserand.exporters.mjcf import whole_bodies
from tisserand.exporters.readback import worst
from tisserand.exporters.tuned import tuned
from tisserand.files import write_text
from tisserand.multibody.attitude import direction_cosines
from tisserand.multibody.inertia import point_inertia
from tisserand.multibody.vehicle_file import VehicleCase

_HEAD = '''"""{title}: a hub with tuned masses for Basilisk; SI units, axes of the base body.

    spacecraft, masses = add_vehicle(simulation, "task")
"""

'''
_BODY = '''

def add_vehicle(simulation, task):
    """Add the spacecraft to a task of the simulation; returns it and its sliding masses."""
    from Basilisk.simulation import linearSpringMassDamper, spacecraft

    def column(values):
        return [[float(value)] for value in values]

    hub, masses = spacecraft.Spacecraft(), []
    hub.ModelTag = VEHICLE["name"]
    hub.hub.mHub = VEHICLE["mass"]
    hub.hub.r_BcB_B = column(VEHICLE["center"])
    hub.hub.IHubPntBc_B = VEHICLE["inertia"]
    hub.hub.r_CN_NInit = column(VEHICLE["position"])
    hub.hub.v_CN_NInit = column(VEHICLE["velocity"])
    hub.hub.sigma_BNInit = column(VEHICLE["sigma"])
    hub.hub.omega_BN_BInit = column(VEHICLE["angular_velocity"])
    for number, one in enumerate(VEHICLE["masses"]):
        made = linearSpringMassDamper.LinearSpringMassDamper()
        made.ModelTag = one["name"]
        made.k, made.c, made.massInit = one["stiffness"], one["damping"], one["mass"]
        made.r_PB_B, made.pHat_B = column(one["point"]), column(one["axis"])
        made.rhoInit, made.rhoDotInit = one["place"], one["rate"]
        made.nameOfRhoState, made.nameOfRhoDotState = f"rho{number}", f"rhoDot{number}"
        made.nameOfMassState = f"mass{number}"
        hub.addStateEffector(made)
        masses.append(made)
    simulation.AddModelToTask(task, hub)
    for made in masses:
        simulation.AddModelToTask(task, made)
    return hub, masses
'''


def losses(case: VehicleCase) -> list[str]:
    """What a hub with sliding masses cannot carry."""
    free_body(case)
    return [*tuned(case.vehicle, whole_bodies(case.vehicle), ("slide",))[2], *not_in_the_hub(case)]


def vehicle_data(case: VehicleCase) -> dict[str, Any]:
    """Everything that the module states."""
    vehicle, state = case.vehicle, case.initial
    free_body(case)
    whole = whole_bodies(vehicle)
    rest, made, _ = tuned(vehicle, whole, ("slide",))
    name = str(vehicle.base)
    part = rest[name]
    center, all_center = part.first / part.mass, whole[name].first / whole[name].mass
    masses: list[dict[str, Any]] = []
    for one in made[name]:
        mount = one.name.rsplit(":mode", 1)[0]
        place, rate = (
            float(one.row @ np.broadcast_to(modal.get(mount, 0.0), one.row.shape))
            for modal in (state.modal, state.modal_rates)
        )
        masses.append(
            {
                "name": one.name, "mass": one.mass, "stiffness": one.stiffness, "damping": one.damping,
                "point": one.point.tolist(), "axis": one.axis.tolist(), "place": place, "rate": rate,
            }
        )  # fmt: skip
    shifted, drifts = (
        sum((one["mass"] * one[key] * np.array(one["axis"]) for one in masses), np.zeros(3)) / whole[name].mass
        for key in ("place", "rate")
    )
    return {
        "name": vehicle.name,
        "mass": part.mass,
        "center": center.tolist(),
        "inertia": (part.inertia - point_inertia(part.mass, center)).tolist(),
        **start_of(case, all_center + shifted, drifts),
        "masses": masses,
    }


def start_of(case: VehicleCase, center: FloatArray, drift: FloatArray) -> dict[str, Any]:
    """The initial state as Basilisk wants it: place and velocity of the mass center, modified Rodrigues parameters, rate.

    Args:
        case: the vehicle file.
        center: mass center of the deformed vehicle in body axes, m.
        drift: its rate in body axes, m/s.
    """
    state = case.initial
    R_NB, w = direction_cosines(state.attitude), np.asarray(state.angular_velocity)
    q = np.asarray(state.attitude) * (1.0 if state.attitude[0] >= 0.0 else -1.0)
    return {
        "position": (state.position + R_NB @ center).tolist(),
        "velocity": (state.velocity + R_NB @ (np.cross(w, center) + drift)).tolist(),
        "sigma": (q[1:] / (1.0 + q[0])).tolist(),
        "angular_velocity": w.tolist(),
    }


def free_body(case: VehicleCase) -> None:
    """Refuse by name what is not one free body."""
    vehicle = case.vehicle
    refuse_loops(case, "Basilisk")
    if vehicle.joints or vehicle.base_motion != "free" or np.any(vehicle.gravity):
        what = "joints" if vehicle.joints else "uniform gravity" if np.any(vehicle.gravity) else "a driven base"
        found = ", ".join(joint.name for joint in vehicle.joints) or vehicle.name
        raise VehicleError(
            f"{what} cannot be written for Basilisk", found=found, expected="one free body with appendages"
        )


def not_in_the_hub(case: VehicleCase) -> list[str]:
    """Parts of the file that a hub with its appendages does not hold."""
    return [*named("rotors are locked in the hub", [r.name for r in case.vehicle.rotors]), *left_out(case)]


def module_text(head: str, case: VehicleCase, data: dict[str, Any], body: str) -> str:
    """A Python module with a table of numbers."""
    title = case.vehicle.name.replace("\\", " ").replace('"', "'")
    rows = [f"    {key!r}: {value!r}," for key, value in data.items()]
    return head.format(title=title) + "\n".join(["VEHICLE = {", *rows, "}"]) + "\n" + body


def table_of(path: Path) -> dict[str, Any]:
    """The table of numbers of such a module."""
    tree = ast.parse(path.read_text(encoding="utf-8"))
    table: dict[str, Any] = ast.literal_eval(next(node.value for node in tree.body if isinstance(node, ast.Assign)))
    return table


def write(case: VehicleCase, path: Path) -> list[Path]:
    return [write_text(path, module_text(_HEAD, case, vehicle_data(case), _BODY))]


def read_back(case: VehicleCase, path: Path) -> float:
    """Every number of the module's table."""
    found, meant = table_of(path), vehicle_data(case)
    pairs: list[tuple[object, object]] = [
        (np.append(1.0, found[key]), np.append(1.0, meant[key])) for key in meant if key not in ("name", "masses")
    ]
    for a, b in zip(found["masses"], meant["masses"], strict=True):
        pairs += [(np.append(1.0, a[key]), np.append(1.0, b[key])) for key in b if key != "name"]
    return worst(pairs)
