"""Linear models, system modes and margins of a vehicle file about its initial state; open and closed loop by one rule.

Serves S0 Eqs 112-117 and theory sections 6 and 10.
"""

from __future__ import annotations

from tisserand.errors import InputError
from tisserand.multibody.controllers import LinearController
from tisserand.multibody.linear import LinearModel, linearize
from tisserand.multibody.loads import Load
from tisserand.multibody.margins import LoopMargins, loop_margins
from tisserand.multibody.vehicle_file.whole_file import VehicleCase
from tisserand.multibody.vehicle_modes import SystemModes, system_modes


def linear_model(case: VehicleCase, *, closed_loop: bool = False) -> LinearModel:
    """Linear model about the file's initial state; its sensors and measurements are the outputs.

    Every load is an input of the same name; open loop, the commands of controllers are inputs too.
    """
    loads, controllers = loop_parts(case, closed_loop)
    outputs = (*case.sensors, *case.measurements)
    return linearize(case.vehicle, case.initial, loads=loads, controllers=controllers, outputs=outputs)


def modes_of_case(case: VehicleCase, *, closed_loop: bool = False) -> SystemModes:
    """System modes about the same state, with the same loads and laws."""
    loads, controllers = loop_parts(case, closed_loop)
    return system_modes(case.vehicle, case.initial, loads=loads, controllers=controllers)


def margins_of_case(case: VehicleCase) -> tuple[LoopMargins, ...]:
    """Stability margins of the linear laws of a file, each command opened in turn."""
    laws = [c for c in case.controllers if isinstance(c, LinearController)]
    return loop_margins(case.vehicle, case.initial, controllers=laws, loads=case.loads)


def loop_parts(case: VehicleCase, closed_loop: bool) -> tuple[list[Load], list[LinearController]]:
    """Loads and linear laws of a linear model; open loop, the commands of all laws are loads driven by inputs."""
    laws = [c for c in case.controllers if isinstance(c, LinearController)]
    if not closed_loop:
        commands = [
            load.driven_by(f"{controller.name}/{load.name}")
            for controller in case.controllers
            for load in controller.outputs
        ]
        return [*case.loads, *commands], []
    for controller in case.controllers:
        if controller not in laws:
            raise InputError(
                "a sampled control law has no linear model",
                where=f"{case.path}, controllers.{controller.name}",
                advice="leave the loops open",
            )
    return list(case.loads), laws
