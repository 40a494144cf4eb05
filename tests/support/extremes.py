"""Vehicle and case files that state every number that such a file can state, and what becomes of them one by one.

``missing`` tells which numeric keys of the declared types no file here states: a new key must be added before it is covered.
"""

import json
from collections.abc import Iterator
from copy import deepcopy
from typing import Any, Literal, get_args, get_origin

from tisserand.declarations.base import Table
from tisserand.declarations.introspection import bare, options

#: What no structure and no vehicle has; the last two are within the range of numbers that are computed with.
VALUES: tuple[Any, ...] = (
    0, -1, 1e-320, 1e200, 1e308, float("nan"), float("inf"), int("1" * 400), 1e30, 1e-30,
)  # fmt: skip
_BODIES = {
    "bus": {
        "mass": 80.0, "center": [0.0, 0.01, 0.0], "inertia": [60.0, 50.0, 70.0], "points": {"mount": [0.5, 0.0, 0.0]},
        "frames": {"head": {"position": [0.0, 0.0, 0.1], "attitude": {"axis": [0.0, 0.0, 1.0], "angle_deg": 3.0}}},
    },
    "dish": {"mass": 4.0, "inertia": [1.0, 1.5, 2.0]},
}  # fmt: skip
_RUN = {"duration": 0.04, "output_step": 0.02, "max_steps": 3000}
_X = [1.0, 0.0, 0.0]


def _joint(**more: Any) -> dict[str, Any]:
    return {"joints": {"hinge": {"parent": "bus", "child": "dish", **more}}}


def _vehicle(**more: Any) -> dict[str, Any]:
    return {"bodies": _BODIES, "simulation": _RUN, **more}


def _between(name: str, point: list[float] | None = None) -> dict[str, Any]:
    return {"first": {"body": "bus", "point": point or [0.0, 0.0, 0.0]}, "second": {"body": name}}


_HINGE: dict[str, Any] = {"axis": [0.0, 1.0, 0.0], "parent_point": [0.5, 0.0, 0.0], "child_point": [0.0, 0.0, 0.0]}
_WHEEL: dict[str, Any] = {
    "wheel": {
        "body": "bus", "axis": [0.0, 0.0, 1.0], "spin_inertia": 0.02, "mass": 0.5, "position": [0.1, 0.0, 0.0],
        "transverse_inertia": 0.015, "damping": 1e-3,
    }
}  # fmt: skip
_WING = {"wing": {"record": "wing.h5", "body": "bus", "position": [0.5, 0.0, 0.0], "attitude": [1.0, 0.0, 0.0, 0.0]}}
_VARIED = {
    "frequency_scale": 1.1, "mode_frequency_scale": {"mode 1": 0.9}, "damping": 0.01, "shape_gain": 1.05,
    "mode_shape_gain": {"mode 2": 0.95}, "mass_scale": 1.02,
}  # fmt: skip
_SINE = {"shape": "sine", "amplitude": 0.1, "frequency_hz": 2.0, "phase_deg": 10.0, "start": 0.0, "offset": 0.01}
_STEP = {"shape": "step", "value": 0.1, "start": 0.01, "end": 0.03}
_RAMP = {"shape": "smooth_ramp", "value": 0.1, "start": 0.0, "duration": 0.03, "first": 0.02}
_BANG = {"shape": "bang_bang", "value": 0.1, "start": 0.0, "duration": 0.02, "coast": 0.01}
_PULSE = {"shape": "versine", "value": 0.1, "start": 0.0, "duration": 0.03}
_SPIN_UP = {"shape": "spin_up", "value": 0.1, "start": 0.0, "duration": 0.03}
_TABLE = {"shape": "table", "times": [0.0, 0.02, 0.05], "values": [0.0, 0.1, 0.0], "interpolation": "cubic"}
_RATE = {"shape": "constant_rate", "rate": 0.1, "start": 0.01, "first": 0.02}
_CHIRP = {
    "shape": "chirp", "amplitude": 0.1, "first_hz": 5.0, "last_hz": 30.0, "duration": 0.04, "start": 0.01, "phase_deg": 10.0,
}  # fmt: skip
_NOISE = {
    "shape": "noise", "frequencies_hz": [30.0, 90.0], "levels": [1e-3, 1e-4], "duration": 0.05, "seed": 3, "start": 0.01,
    "fade": 0.01,
}  # fmt: skip
_END, _TIP = {"body": "bus", "point": [0.1, 0.2, 0.3]}, {"appendage": "wing", "node": 10}
_RUB = {"coulomb": 0.01, "breakaway": 0.02, "stribeck_rate": 0.5, "smoothing_rate": 0.01, "viscous": 0.001}
_FILE = {"shape": "table", "file": "table.csv", "column": 2, "scale": 0.5}
_REACTION = {
    "reaction": {
        "body": "bus",
        "axis": [0.0, 0.0, 1.0],
        "spin_inertia": 0.01,
        "mass": 1.0,
        "position": [0.1, 0.0, 0.0],
        "taper": 0.1,
        "transverse_inertia": 0.005,
        "max_torque": 0.1,
        "max_speed": 50.0,
        "coulomb": 0.01,
        "breakaway": 0.02,
        "viscous": 0.001,
        "stribeck_rate": 0.5,
        "smoothing_rate": 0.01,
        "static_imbalance": 1e-4,
        "static_phase_deg": 10.0,
        "dynamic_imbalance": 1e-4,
        "dynamic_phase_deg": 20.0,
        "tachometer": {"period": 0.01, "quantum": 0.1},
    }
}
_ERRORS = {"period": 0.01, "latency": 0.003, "bias": 0.01, "random_walk": 0.001, "quantum": 0.001, "seed": 1}
_PLATE = {"area": 2.0, "normal": _X, "point": [0.0, 0.0, 0.1]}
#: Beside the vehicles: ``wing.h5`` and this table.
CSV = "t,v\n0.0,0.0\n0.02,0.1\n0.05,0.0\n"

VEHICLES: dict[str, dict[str, Any]] = {
    "free": _vehicle(
        gravity=[0.0, 0.0, -1.0], rotors=_WHEEL, appendages={"wing": {**_WING["wing"], "modes": 2, **_VARIED}},
        **_joint(**_HINGE, stiffness=20.0, damping=0.1, rest=0.01, limits_deg=[-30.0, 30.0]),
        sensors={
            "turn": {"kind": "attitude", "body": "bus", "direction": _X, "slew_deg": _PULSE, "slew_axis": [0.0, 0.0, 1.0]},
            "rate": {"kind": "rate", "body": "bus", "direction": _X},
            "place": {"kind": "position", "body": "bus", "direction": _X, "point": [0.1, 0.0, 0.0]},
            "angle": {"kind": "joint_angle", "joint": "hinge", "axis": 1},
            "bend": {"kind": "deflection", "appendage": "wing", "node": 10, "direction": _X},
            "wanted": {"kind": "profile", "profile": 0.5},
            "felt": {"kind": "accelerometer", "body": "bus", "point": [0.1, 0.0, 0.0], "direction": _X},
            "at_node": {"kind": "accelerometer", "appendage": "wing", "node": 10, "direction": _X},
            "twist": {"kind": "rotation", "appendage": "wing", "node": 10, "direction": _X},
            "push": {"kind": "joint_torque", "joint": "hinge", "direction": _X},
        },
        events={"fast": {"sensor": "rate", "level": 0.5}},
        initial={
            "position": [0.1, 0.0, 0.0], "velocity": [0.1, 0.0, 0.0], "angular_velocity": [0.01, 0.02, 0.0],
            "attitude": [1.0, 0.0, 0.0, 0.0], "joints_deg": {"hinge": 2.0}, "joint_rates_deg": {"hinge": 1.0},
            "modal": {"wing": [0.001, 0.0]}, "modal_rates": {"wing": [0.0, 0.001]}, "rotor_angles": {"wheel": 0.1},
            "rotor_rates": {"wheel": 5.0},
        },
        simulation={**_RUN, "rtol": 1e-6, "atol": 1e-9, "segment": 0.02},
    ),
    "driven": _vehicle(
        rotors=_WHEEL, wheels=_REACTION, appendages=_WING,
        **_joint(**_HINGE, limits=[-1.0, 1.0], stiffness=1.0),
        sensors={
            "turn": {"kind": "attitude", "body": "bus", "direction": _X, "reference": [1.0, 0.0, 0.0, 0.0]},
            "rate": {"kind": "rate", "body": "bus", "direction": _X},
            "gyro": {"kind": "rate", "body": "bus", "direction": _X, "errors": {**_ERRORS, "sigma": 0.001}},
            "imu": {"kind": "accelerometer", "body": "bus", "direction": _X, "errors": {**_ERRORS, "noise_density": 0.001}},
        },
        controllers={
            "rates": {
                "kind": "state_space", "inputs": ["gyro", "imu"], "A": [[0.5]], "B": [[1.0, 0.0]], "C": [[0.1]], "delay": 0.002,
                "D": [[0.1, 0.0]],
                "outputs": {"kind": "torque", "body": "bus", "direction": _X}, "period": 0.01, "discrete": True,
            },
            "hold": {
                "kind": "attitude", "body": "bus", "kp": 2.0, "kd": [1.0, 1.0, 1.0], "ki": 0.1, "limit": 5.0,
                "slew_deg": _RAMP, "slew_axis": [0.0, 0.0, 1.0], "reference": [1.0, 0.0, 0.0, 0.0],
                "notch": {"frequency_hz": 3.0, "width": 0.4, "depth": 0.1},
            },
            "drive": {
                "kind": "joint", "joint": "hinge", "axis": 1, "kp": 1.0, "kd": 0.1, "ki": 0.01, "reference": 0.1, "limit": 2.0,
            },
            "wheel": {"kind": "wheel_speed", "rotor": "wheel", "kp": 0.1, "ki": 0.01, "reference": 3.0, "limit": 1.0},
            "law": {
                "kind": "state_space", "inputs": ["turn"], "A": [[-1.0]], "B": [[1.0]], "C": [[0.1]], "D": [[0.1]],
                "outputs": {"kind": "torque", "body": "bus", "direction": _X}, "limit": 3.0,
            },
            "pulses": {
                "kind": "thruster_pulses", "body": "bus", "kp": 1.0, "kd": [1.0, 1.0, 1.0], "ki": 0.1, "period": 0.02,
                "delay": 0.001, "minimum_on": 0.002, "quantum": 0.001, "deadband_deg": 0.01, "center": [0.0, 0.0, 0.1],
                "slew_deg": _RAMP, "slew_axis": [0.0, 0.0, 1.0], "reference": [1.0, 0.0, 0.0, 0.0],
                "thrusters": {"one": {"point": [0.0, 1.0, 0.0], "direction": _X, "thrust": 0.1}},
            },
            "jets": {
                "kind": "thruster_logic", "inputs": ["turn", "rate"], "deadband_deg": 0.1, "hysteresis": 0.2, "lead": 1.0,
                "strength": 0.5, "period": 0.01, "delay": 0.005,
                "outputs": {"kind": "torque", "body": "bus", "direction": _X},
            },
        },
        loads={
            "force": {"kind": "force", "body": "bus", "point": [0.1, 0.0, 0.0], "direction": _X, "strength": _STEP},
            "torque": {"kind": "torque", "body": "bus", "direction": _X, "strength": _SINE},
            "motor": {"kind": "joint_torque", "joint": "hinge", "axis": 1, "strength": _BANG},
            "spin": {"kind": "rotor_torque", "rotor": "wheel", "strength": {"shape": "constant", "value": 0.1}},
            "sweep": {"kind": "torque", "body": "bus", "direction": _X, "strength": _CHIRP},
            "coil": {"kind": "spring", "first": _END, "second": _TIP, "stiffness": 2.0, "damping": 0.1, "length": 0.3},
            "rope": {"kind": "tether", "first": _END, "second": _TIP, "stiffness": 2.0, "damping": 0.1, "length": 0.3},
            "pad": {
                "kind": "bushing", "first": _END, "second": _TIP, "stiffness": [1.0, 2.0, 3.0], "damping": 0.1,
                "turning_stiffness": 0.2, "turning_damping": [0.1, 0.2, 0.3],
            },
            "rub": {"kind": "joint_friction", "joint": "hinge", "axis": 1, **_RUB},
            "drag": {"kind": "rotor_drag", "rotor": "wheel", **_RUB},
            "tick": {
                "kind": "stepping_drive", "joint": "hinge", "axis": 1, "step_deg": 0.1, "rate_hz": 50.0, "count": 2,
                "start": 0.01, "rise": 0.01,
            },
            "climb": {
                "kind": "torque", "body": "bus", "direction": _X,
                "strength": {"shape": "steps", "value": 0.1, "rate_hz": 50.0, "count": 2, "start": 0.01, "rise": 0.01},
            },
            "hum": {"kind": "torque", "body": "bus", "direction": _X, "strength": _NOISE},
            "node": {"kind": "node_force", "appendage": "wing", "node": 10, "direction": _X, "strength": _TABLE},
            "again": {"kind": "node_torque", "appendage": "wing", "node": 10, "direction": _X, "strength": _FILE},
        },
        initial={"joints": {"hinge": 0.1}, "joint_rates": {"hinge": 0.1}, "spin": {"axis": [0.0, 0.0, 1.0], "rate": 0.1}},
        simulation={**_RUN, "method": "rk4", "step": 0.005},
    ),
    "orbit": _vehicle(
        loads={
            "tide": {
                "kind": "gravity_gradient", "orbit_rate": 1e-3, "vertical": [0.0, 0.0, 1.0], "along": [1.0, 0.0, 0.0],
            },
            "coil": {
                "kind": "magnetic", "body": "bus", "dipole": [1.0, 0.0, 0.0], "field": [0.0, 0.0, 3e-5], "strength": 1.0,
                "orbit_rate": 1e-3, "vertical": [0.0, 0.0, 1.0], "along": [1.0, 0.0, 0.0],
            },
        },
        **_joint(
            kind="gimbal", axes=[[1.0, 0.0, 0.0], [0.0, 1.0, 0.0], [0.0, 0.0, 1.0]], stiffness=[1.0, 1.0, 1.0],
            parent_attitude={"axis": [0.0, 0.0, 1.0], "angle_deg": 5.0}, child_attitude=[1.0, 0.0, 0.0, 0.0],
            limits=[[-1.0, 1.0], [-1.0, 1.0], [-1.0, 1.0]],
        ),
        simulation={"duration": 0.04, "samples": 3, "max_steps": 3000},
    ),
    "moved": _vehicle(
        base={"motion": "prescribed", "x": _RAMP, "y": _RATE, "z": {**_SINE, "end": 0.03},
              "angle_deg": _SPIN_UP, "axis": [0.0, 0.0, 1.0]},
        **_joint(
            kind="universal", axes=[[1.0, 0.0, 0.0], [0.0, 1.0, 0.0]], limits_deg=[[-50.0, 50.0], [-50.0, 50.0]],
            motion_deg=[{**_RAMP, "axis": 1}],
        ),
    ),
    "made": _vehicle(**_joint(kind="prismatic", axis=_X, motion=_RAMP),
        rotors={"wheel": {**_WHEEL["wheel"], "mode": "speed", "profile": 4.0}}),
    "piston": _vehicle(
        **_joint(kind="cylindrical", axis=_X, stiffness=[20.0, 5.0], damping=[1.0, 0.1], rest=[0.01, 0.1],
            limits=[[-1.0, 1.0], [-1.0, 1.0]],
        ),
    ),
    "turned": _vehicle(
        **_joint(kind="universal", axes=[[1.0, 0.0, 0.0], [0.0, 1.0, 0.0]], motion=[{**_SINE, "axis": 2}],
            limits=[[-1.0, 1.0], [-1.0, 1.0]],
        ),
    ),
    "gimballed": _vehicle(
        **_joint(
            kind="gimbal", axes=[[1.0, 0.0, 0.0], [0.0, 1.0, 0.0], [0.0, 0.0, 1.0]],
            limits_deg=[[-50.0, 50.0], [-50.0, 50.0], [-50.0, 50.0]],
        ),
    ),
    "pointed": _vehicle(
        **_joint(**_HINGE, motion_deg=_RAMP),
        controllers={"drive": {"kind": "attitude", "body": "bus", "kp": [1.0, 1.0, 1.0], "kd": 1.0}},
    ),
    "asked": _vehicle(
        **_joint(**_HINGE),
        controllers={"drive": {"kind": "joint", "joint": "hinge", "kp": 1.0, "kd": 1.0, "reference_deg": 3.0}},
    ),
    "planet": _vehicle(
        **_joint(**_HINGE),
        environment={
            "mu": 4e14, "radius": 6.4e6, "j2": 1e-3, "pole": [0.0, 0.0, 1.0], "turn_rate": 7e-5, "dipole": [0.0, 0.0, -3e-5],
            "density": 1e-11, "density_altitude": 4e5, "scale_height": 6e4, "sun": _X, "sun_distance": 1.5e11,
            "sun_radius": 7e8, "light_pressure": 4.5e-6,
        },
        loads={
            "wind": {"kind": "drag", "body": "bus", "plates": [{**_PLATE, "drag_coefficient": 2.0}]},
            "light": {"kind": "solar_pressure", "body": "bus", "plates": [{**_PLATE, "specular": 0.3, "diffuse": 0.2}]},
        },
        sensors={
            "field": {"kind": "magnetometer", "body": "bus", "point": [0.1, 0.0, 0.0], "direction": _X},
            "sun": {"kind": "sunlight", "body": "bus"},
            "height": {"kind": "altitude", "body": "bus"},
        },
        initial={
            "orbit": {
                "semi_major_axis": 7e6, "eccentricity": 0.01, "inclination_deg": 50.0, "node_deg": 10.0, "perigee_deg": 20.0,
                "anomaly_deg": 30.0,
            },
            "attitude": {"angles_deg": [2.0, -1.0, 0.5], "angle_set": "body-zyx"}, "angle_rates_deg": [0.1, 0.2, 0.3],
            "axes": "orbit",
        },
    ),
    "circle": _vehicle(
        **_joint(**_HINGE), environment={}, initial={"orbit": {"altitude": 5e5}},
        slosh={"tank": {"body": "bus", "shape": "sphere", "radius": 0.3, "depth": 0.2, "density": 1000.0}},
    ),
    "tank": _vehicle(
        **_joint(**_HINGE), gravity=[0.0, 0.0, -1.0],
        slosh={
            "tank": {
                "body": "bus", "shape": "cylinder", "radius": 0.3, "depth": 0.4, "mass": 20.0, "position": [0.0, 0.0, 0.1],
                "attitude": [1.0, 0.0, 0.0, 0.0], "modes": 2, "model": "spring", "acceleration": 1.0, "damping": 0.01,
            }
        },
        initial={
            "center_position": [0.1, 0.0, 0.0], "center_velocity": [0.0, 0.1, 0.0], "angular_momentum": [0.0, 1.0, 2.0],
        },
    ),
    "tied": {
        "simulation": _RUN, "base": {"motion": "fixed"}, "gravity": _X,
        "bodies": {"bus": _BODIES["bus"], **dict.fromkeys(("rail", "table", "door", "ball", "blade", "rod"), _BODIES["dish"])},
        "joints": {
            **{name: {"parent": "bus", "child": name, "kind": "free"} for name in ("rail", "table", "door", "ball", "blade")},
            "rod": {"parent": "bus", "child": "rod", "kind": "ball"},
        },
        "loops": {
            "rail": {"kind": "line", **_between("rail"), "direction": _X, "begin": 0.01, "end": 0.03},
            "table": {"kind": "plane", **_between("table"), "normal": _X},
            "door": {"kind": "hinge", **_between("door"), "axis": _X},
            "ball": {"kind": "rolling", **_between("ball", [0.0, 0.0, -0.2]), "normal": [0.0, 0.0, 1.0], "radius": 0.2},
            "blade": {"kind": "skate", **_between("blade"), "across": _X},
            "rod": {
                "kind": "distance", "first": {"body": "bus", "point": [0.5, 0.3, 0.0]},
                "second": {"body": "rod", "point": [0.5, 0.0, 0.0]}, "length": 0.3,
            },
        },
        "sensors": {"pull": {"kind": "loop_force", "loop": "door", "row": 2}},
    },
    "hooks": {
        "simulation": _RUN,
        "bodies": {"bus": _BODIES["bus"], **dict.fromkeys("abcdefgh", _BODIES["dish"])},
        "joints": {name: {"parent": "bus", "child": name, **_HINGE, "limits": [-0.5, 0.5]} for name in "abcdefgh"},
        "loops": {
            "gear": {
                "kind": "gear", "joint": "a", "axis": 1, "driver": "b", "driver_axis": 1, "ratio": 2.0, "level": 0.0,
            },
            "pin": {"kind": "lock", "joint": "c", "axis": 1, "level": 0.0, "end": 0.02},
            "catch": {"kind": "latch", "joint": "d", "axis": 1, "angle": 0.01},
            "hook": {"kind": "latch", "joint": "e", "angle_deg": 0.5},
            "stop": {"kind": "end_stop", "joint": "f", "axis": 1, "restitution": 0.5, "settle_rate": 1e-3},
            "pad": {"kind": "end_stop", "joint": "g", "stiffness": 100.0, "damping": 1.0},
            "brake": {
                "kind": "friction_lock", "joint": "h", "axis": 1, "coulomb": 0.1, "breakaway": 0.2, "stribeck_rate": 0.5,
            },
        },
        "initial": {
            "joints": {"f": 0.49, "g": 0.49},
            "joint_rates": {"d": 0.5, "e": 0.5, "f": 0.5, "g": 0.5, "h": 0.5},
        },
    },
}  # fmt: skip

_ALUMINUM = {"young": 7e10, "poisson": 0.3, "density": 2700.0, "loss_factor": 0.01}
_STRENGTHS = {
    "tension_1": 1e9, "compression_1": 8e8, "tension_2": 5e7, "compression_2": 1e8, "shear_12": 6e7, "interaction": -0.1,
}  # fmt: skip
_RIB = {
    "kind": "beam", "material": "metal", "elements": "rib", "area": 2e-4, "i_zz": 2e-9, "i_yy": 7e-9, "i_yz": 1e-10,
    "torsion_constant": 5e-9, "shear_y": 0.83, "shear_z": 0.83, "orientation": [0.0, 0.0, 1.0],
    "offsets": [[0.0, 0.0, 0.01], [0.0, 0.0, 0.01]], "nonstructural_mass": 0.1,
}  # fmt: skip
_SKIN = {
    "kind": "shell",
    "material": "metal",
    "thickness": 0.002,
    "elements": "skin",
    "offset": 0.001,
    "nonstructural_mass": 0.2,
}
_HELD = {"at": "root"}
#: Decks beside the cases that choose in them.
DECKS = {
    "rod.bdf": "SOL 103\nCEND\nSUBCASE 2\nSPC = 3\nBEGIN BULK\nGRID,1,,0.,0.,0.\nGRID,2,,1.,0.,0.\nCROD,1,1,1,2\nPROD,1,1,1.-4\n"
    "MAT1,1,7.+10,,.3,2700.\nSPC1,3,123456,1\nSPC1,3,23456,2\nENDDATA\n",
    "rod.inp": "*NODE\n1,0,0,0\n2,1,0,0\n*ELEMENT, TYPE=T3D2, ELSET=E\n1,1,2\n*MATERIAL, NAME=M\n*ELASTIC\n7e10,.3\n"
    "*DENSITY\n2700.\n*SOLID SECTION, ELSET=E, MATERIAL=M\n1e-4\n*BOUNDARY\n1,1,3\n2,2,3\n*STEP\n*FREQUENCY\n1\n*END STEP\n",
}
#: Beside the shells: ``plate.msh`` of ``support.case_files``; beside the solids: ``cube.vtu``; ``DECKS``.
CASES: dict[str, dict[str, Any]] = {
    "plate": {
        "units": "SI", "mesh": {"file": "plate.msh", "merge": 1e-6}, "materials": {"metal": _ALUMINUM},
        "sections": {"skin": _SKIN, "rib": _RIB},
        "nodes": {"far": {"position": [2.0, 0.5, 0.3], "id": 900}},
        "masses": {"tip": {"at": [2.0, 1.0, 0.0], "mass": 1.5, "offset": [0.0, 0.0, 0.1], "inertia": [0.02, 0.02, 0.03]}},
        "links": {"arm": {"reference": 900, "nodes": [[2.0, 0.5, 0.0]], "components": 123456}},
        "springs": {
            "tie": {
                "between": [900, [2.0, 1.0, 0.0]], "stiffness": [1e5, 1e5, 1e5, 1e2, 1e2, 1e2],
                "damping": [1.0, 1.0, 1.0, 0.0, 0.0, 0.0],
                "axes": [[1.0, 0.0, 0.0], [0.0, 1.0, 0.0], [0.0, 0.0, 1.0]],
            }
        },
        "supports": [_HELD, {"at": 13, "components": 3}],
        "points": {"first": {"at": 13}, "root": {"at": "root", "rigid": True}, "corner": [2.0, 0.0, 0.0], "tip": 900},
        "analysis": {"frame": "connection", "attachment": "root", "count": 3, "reference_point": [0.0, 0.0, 0.0]},
        "damping": {"ratio": 0.005}, "recovery": {"first": [1, 2], "second": {"elements": 1}},
    },
    "plies": {
        "units": {"length": 1.0, "mass": 1.0, "time": 1.0},
        "mesh": {"file": "plate.msh", "units": {"length": 1.0, "mass": 1.0, "time": 1.0}},
        "materials": {
            "metal": {"young": 7e10, "shear": 2.7e10, "density": 2700.0, "strengths": _STRENGTHS},
            "carbon": {
                "kind": "orthotropic", "young_1": 1e11, "young_2": 8e9, "poisson_12": 0.3, "shear_12": 5e9, "shear_1z": 5e9,
                "shear_2z": 3e9, "density": 1600.0, "strengths": _STRENGTHS,
            },
        },
        "sections": {
            "skin": {
                "kind": "shell", "elements": "skin", "orientation": [1.0, 0.0, 0.0], "bottom": -0.001, "bond_strength": 1e7,
                "failure_theory": "tsai-wu",
                "plies": [
                    {"material": "carbon", "thickness": 0.001, "angle_deg": 30.0}, {"material": "metal", "thickness": 0.001},
                ],
            },
            "rib": {"kind": "beam", "material": "metal", "elements": "rib", "shape": "BAR",
                "dimensions": [0.01, 0.02], "orientation": [0.0, 0.0, 1.0]},
        },
        "supports": {"plane": {"axis": "x", "value": 0.0, "tolerance": 1e-3}},
        "analysis": {"fmin_hz": 0.0, "fmax_hz": 20.0}, "damping": {"ratios": [0.01] * 10},
    },
    "subcase": {"units": "SI", "mesh": {"file": "rod.bdf", "subcase": 2, "spc": 3}, "analysis": {"count": 1}},
    "step": {"units": "SI", "mesh": {"file": "rod.inp", "step": 1}, "analysis": {"count": 1}},
    "rods": {
        "units": "SI", "mesh": {"file": "plate.msh", "ignore": [3]}, "materials": {"metal": _ALUMINUM},
        "sections": {
            "skin": _SKIN,
            "rib": {"kind": "rod", "material": "metal", "elements": [2], "area": 1e-4, "tension": 10.0, "torsion_constant": 1e-9,
                "nonstructural_mass": 0.1},
        },
        "supports": {"box": {"low": [-0.1, -0.1, -0.1], "high": [0.1, 2.0, 0.1]}, "components": 123456},
        "analysis": {"count": 2}, "damping": {"rayleigh": [0.1, 1e-4]},
    },
    "tight": {
        "units": "SI", "mesh": {"file": "plate.msh", "ignore": [3]}, "materials": {"metal": _ALUMINUM},
        "sections": {
            "skin": {
                "kind": "membrane", "material": "metal", "elements": "skin", "thickness": 1e-4, "prestress": [1e3, 1e3, 0.0],
                "orientation": [1.0, 0.0, 0.0], "nonstructural_mass": 0.1,
            },
            "rib": {
                "kind": "cable", "material": "metal", "elements": [2], "area": 1e-5, "tension": 100.0, "nonstructural_mass": 0.1,
            },
        },
        "supports": {"box": {"low": [-0.1, -0.1, -0.1], "high": [3.0, 0.1, 0.1]}}, "analysis": {"count": 2},
    },
    "cube": {
        "units": "SI", "mesh": {"file": "cube.vtu"},
        "materials": {
            "wood": {
                "kind": "orthotropic-solid", "young": [1e10, 1e9, 1e9], "poisson": [0.3, 0.3, 0.3],
                "shear": [1e9, 1e9, 1e9], "density": 500.0,
            }
        },
        "sections": {
            "all": {"kind": "solid", "material": "wood", "axes": [[1.0, 0.0, 0.0], [0.0, 1.0, 0.0], [0.0, 0.0, 1.0]]},
        },
        "supports": {"plane": {"axis": "x", "value": 0.0, "tolerance": 1e-3}}, "analysis": {"count": 2},
        "damping": {"structural": 0.02},
    },
    "crystal": {
        "units": "SI", "mesh": {"file": "cube.vtu"},
        "materials": {
            "salt": {
                "kind": "anisotropic", "density": 500.0,
                "stiffness": [
                    [5e10 if i == j < 3 else 1e10 if i == j or max(i, j) < 3 else 0.0 for j in range(6)] for i in range(6)
                ],
            }
        },
        "sections": {"all": {"kind": "solid", "material": "salt"}},
        "supports": {"plane": {"axis": "x", "value": 0.0, "tolerance": 1e-3}}, "analysis": {"count": 2},
    },
}  # fmt: skip


def toml(value: Any) -> str:
    """A value of TOML in one line."""
    if isinstance(value, dict):
        return "{" + ", ".join(f"{key} = {toml(item)}" for key, item in value.items()) + "}"
    if isinstance(value, list):
        return "[" + ", ".join(toml(item) for item in value) + "]"
    return json.dumps(value) if isinstance(value, str | bool) else repr(value)


def text_of(data: dict[str, Any]) -> str:
    return "".join(f"{key} = {toml(value)}\n" for key, value in data.items())


def lines_of(data: dict[str, Any], path: str = "") -> str:
    """The same with a line for every value, so that changes of lines change values."""
    lines = ""
    for key, value in data.items():
        inner = isinstance(value, dict) and value  # an empty table is a value
        lines += lines_of(value, f"{path}{key}.") if inner else f"{path}{key} = {toml(value)}\n"
    return lines


def numbers(data: Any, path: tuple[Any, ...] = ()) -> Iterator[tuple[Any, ...]]:
    """The places of the numbers in a file; of a list of numbers only the first, and of a list of rows the first row's."""
    if isinstance(data, dict):
        for key, value in data.items():
            yield from numbers(value, (*path, key))
    elif isinstance(data, list):
        for at, value in enumerate(data):
            if at == 0 or isinstance(value, dict):
                yield from numbers(value, (*path, at))
    elif isinstance(data, int | float) and not isinstance(data, bool):
        yield path


def changed(data: dict[str, Any], path: tuple[Any, ...], value: Any) -> dict[str, Any]:
    """A copy with another value at one place."""
    made = deepcopy(data)
    inner: Any = made
    for word in path[:-1]:
        inner = inner[word]
    inner[path[-1]] = value
    return made


def _numeric(annotation: Any) -> bool:
    inner = bare(annotation)
    if inner in (int, float):
        return True
    return get_origin(inner) is not Literal and any(_numeric(item) for item in get_args(inner) if item is not Ellipsis)


def _tables(annotation: Any) -> list[type[Table]]:
    inner = bare(annotation)
    if isinstance(inner, type) and issubclass(inner, Table):
        return [inner]
    return [] if get_origin(inner) is Literal else [t for item in get_args(inner) for t in _tables(item)]


def _owner(kind: type[Table], name: str) -> str:
    """The type that declares an option first, so that what several inherit is asked for once."""
    first = next(k for k in reversed(kind.__mro__) if issubclass(k, Table) and name in k.model_fields)
    return "OnAxis" if first.__name__.endswith("OnAxis") else first.__name__


def numeric_keys(kind: type[Table], seen: set[type[Table]] | None = None) -> set[tuple[str, str]]:
    """Type and name of every option of a file that holds a number."""
    seen = set() if seen is None else seen
    if kind in seen:
        return set()
    seen.add(kind)
    found = set()
    for item in options(kind):
        if _numeric(item.annotation):
            found.add((_owner(kind, item.attribute), item.attribute))
        for table in _tables(item.annotation):
            found |= numeric_keys(table, seen)
    return found


def stated_keys(value: Any) -> set[tuple[str, str]]:
    """The same of a file that was read: what it states."""
    if isinstance(value, dict):
        return {key for item in value.values() for key in stated_keys(item)}
    if isinstance(value, tuple | list):
        return {key for item in value for key in stated_keys(item)}
    if not isinstance(value, Table):
        return set()
    return {
        key
        for name in value.model_fields_set
        for key in (*stated_keys(getattr(value, name)), (_owner(type(value), name), name))
    }
