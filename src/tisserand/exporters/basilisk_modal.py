"""Basilisk: a Python module that compiles a state effector with all modal integrals and adds it with its hub to a simulation.

The effector (``basilisk_sources``) is written against the headers of ``bsk-sdk``. By back-substitution a body with the modal
equation Me eta'' + P'.a + C'.omega' = g gives the hub -P Me^-1 P', -P Me^-1 C', -P Me^-1 g and so on, beside its mass, first
moment and inertia at eta; equations: ``exporters.equations.appendages``.
"""

from __future__ import annotations

from importlib.resources import files
from pathlib import Path
from typing import Any

import numpy as np

from tisserand.errors import VehicleError
from tisserand.exporters.basilisk import free_body, module_text, not_in_the_hub, start_of, table_of
from tisserand.exporters.readback import worst
from tisserand.files import write_text
from tisserand.multibody.inertia import point_inertia
from tisserand.multibody.tree import FlexBlock, TreeBody, expand
from tisserand.multibody.vehicle_file import VehicleCase

_NAMES = ("modalAppendage.h", "modalAppendage.cpp", "modalAppendage.i")
_HEAD = '''"""{title}: a hub with modal appendages for Basilisk; SI units, axes of the base body.

    spacecraft, appendages = add_vehicle(simulation, "task")

The effector is compiled when it is first needed, or by running this file: it needs the packages bsk and bsk-sdk (of the same
version) and a C++ compiler. The library goes to a folder beside this file.
"""

'''
_BODY = '''

def build():
    """Compile the effector unless it is there for these sources and this Basilisk; returns its folder."""
    import hashlib
    import os
    import shutil
    import subprocess
    import sys
    import sysconfig
    from pathlib import Path

    import Basilisk
    import bsk_sdk
    import numpy

    version = bsk_sdk.bsk_version()
    if Basilisk.__version__ != version:
        raise RuntimeError(f"Basilisk is {Basilisk.__version__}, bsk-sdk is {version}: install the same version of both")
    here = Path(__file__).resolve()
    folder = here.with_name(here.stem + "_effector")
    ending = sysconfig.get_config_var("EXT_SUFFIX")
    mark = hashlib.sha256(repr((SOURCES, version, ending)).encode()).hexdigest()
    stamp, library = folder / "built.txt", folder / f"_modalAppendage{ending}"
    if stamp.is_file() and library.is_file() and stamp.read_text() == mark:
        return folder
    folder.mkdir(exist_ok=True)
    stamp.unlink(missing_ok=True)
    for name, text in SOURCES.items():
        (folder / name).write_text(text)
    root = Path(bsk_sdk.package_root())
    headers, interfaces = root / "include", root / "swig"
    inside = headers / "Basilisk"
    places = [
        headers, headers / "compat", headers / "eigen3", inside, inside / "architecture",
        inside / "architecture" / "_GeneralModuleFiles", inside / "architecture" / "utilities",
        inside / "architecture" / "utilities" / "moduleIdGenerator", sysconfig.get_paths()["include"], numpy.get_include(),
    ]
    swigged = [interfaces, interfaces / "architecture", interfaces / "architecture" / "_GeneralModuleFiles"]
    own = Path(sys.executable).with_name("swig")
    swig = str(own) if own.exists() else shutil.which("swig")
    compiler = os.environ.get("CXX") or next(filter(None, map(shutil.which, ("c++", "g++", "clang++"))), None)
    if not swig or not compiler:
        raise RuntimeError("a C++ compiler and swig (which bsk-sdk installs) are needed to build the effector")
    parts = [
        root / "runtime_min" / "stateEffector.cpp", root / "runtime_min" / "dynamicEffector.cpp",
        root / "runtime_min" / "dynParamManager.cpp", root / "runtime_min" / "stateData.cpp",
        root / "arch_min" / "sys_model.cpp", root / "arch_min" / "moduleIdGenerator.cpp",
        root / "arch_utilities" / "bskLogging.cpp",
    ]
    subprocess.run(
        [swig, "-python", "-c++", *(f"-I{place}" for place in [*swigged, *places]), "-outdir", str(folder),
         "-o", str(folder / "wrapped.cpp"), str(folder / "modalAppendage.i")],
        check=True,
    )
    subprocess.run(
        [compiler, "-std=c++17", "-O2", "-w", "-shared", "-fPIC", f"-I{folder}", *(f"-I{place}" for place in places),
         str(folder / "modalAppendage.cpp"), str(folder / "wrapped.cpp"), *map(str, parts), "-o", str(library)],
        check=True,
    )
    stamp.write_text(mark)
    return folder


def add_vehicle(simulation, task):
    """Add the spacecraft to a task of the simulation; returns it and its appendages."""
    import sys

    from Basilisk.simulation import spacecraft

    folder = str(build())
    if folder not in sys.path:
        sys.path.append(folder)
    from modalAppendage import ModalAppendage

    def column(values):
        return [[float(value)] for value in values]

    hub, appendages = spacecraft.Spacecraft(), []
    hub.ModelTag = VEHICLE["name"]
    hub.hub.mHub = VEHICLE["mass"]
    hub.hub.r_BcB_B = column(VEHICLE["center"])
    hub.hub.IHubPntBc_B = VEHICLE["inertia"]
    hub.hub.r_CN_NInit = column(VEHICLE["position"])
    hub.hub.v_CN_NInit = column(VEHICLE["velocity"])
    hub.hub.sigma_BNInit = column(VEHICLE["sigma"])
    hub.hub.omega_BN_BInit = column(VEHICLE["angular_velocity"])
    for number, one in enumerate(VEHICLE["appendages"]):
        made = ModalAppendage()
        made.ModelTag = one["name"]
        made.mass, made.inertia, made.firstMoment = one["mass"], one["inertia"], column(one["first_moment"])
        made.P, made.H, made.L, made.N = one["P"], one["H"], one["L"], one["N"]
        made.modalMass, made.stiffness, made.damping = one["modal_mass"], one["stiffness"], one["damping"]
        made.etaInit, made.etaDotInit = column(one["eta"]), column(one["eta_rate"])
        made.constantInertia = one["constant_inertia"]
        made.nameOfEtaState, made.nameOfEtaDotState = f"eta{number}", f"etaDot{number}"
        hub.addStateEffector(made)
        appendages.append(made)
    simulation.AddModelToTask(task, hub)
    for made in appendages:
        simulation.AddModelToTask(task, made)
    return hub, appendages


if __name__ == "__main__":
    print(build())
'''


def _hub(case: VehicleCase) -> TreeBody:
    """The free body; appendages that float on their mount are refused by name."""
    free_body(case)
    tree = expand(case.vehicle)
    if len(tree.bodies) > 1:
        raise VehicleError(
            "appendages whose frame floats on its mount cannot be written for Basilisk",
            found=", ".join(body.name for body in tree.bodies[1:]), expected="appendages held on their body",
            advice="make the record with --frame connection",
        )  # fmt: skip
    return tree.bodies[0]


def losses(case: VehicleCase) -> list[str]:
    """What the effector leaves out."""
    turned = [b.name for b in _hub(case).blocks if b.level != "constant" and (b.integrals.turns or len(b.bodies))]
    first = (
        f"displacements are of first degree: turning nodes and geometric stiffness are left out: {', '.join(turned)}"
    )
    return [*([first] if turned else []), *not_in_the_hub(case)]


def notes(case: VehicleCase) -> list[str]:
    """How to build it."""
    return ["the module compiles its effector when it is first used: it needs bsk, bsk-sdk and a C++ compiler"]


def _appendage(block: FlexBlock, case: VehicleCase) -> dict[str, Any]:
    I, k = block.integrals, block.integrals.count
    eta, rate = (
        np.broadcast_to(part.get(block.name, 0.0), (k,)).tolist()
        for part in (case.initial.modal, case.initial.modal_rates)
    )
    arrays = {
        "first_moment": I.mass * I.center,
        "inertia": I.inertia,
        "P": I.translation,
        "H": I.rotation,
        "L": np.transpose(I.position_shape, (0, 2, 1)).reshape(3, 3 * k),
        "N": np.transpose(I.shape_shape, (2, 0, 3, 1)).reshape(3 * k, 3 * k),
        "modal_mass": I.modal_mass,
        "stiffness": block.mount.record.stiffness,
        "damping": block.mount.record.damping,
    }
    return {
        "name": block.name, "mass": float(I.mass), "constant_inertia": block.level == "constant", "eta": eta, "eta_rate": rate,
        **{name: np.asarray(value, float).tolist() for name, value in arrays.items()},
    }  # fmt: skip


def vehicle_data(case: VehicleCase) -> dict[str, Any]:
    """Everything that the module states."""
    hub = _hub(case)
    appendages = [_appendage(block, case) for block in hub.blocks]
    center = hub.first / hub.mass if hub.mass else np.zeros(3)
    mass = hub.mass + sum(one["mass"] for one in appendages)
    first = hub.first + sum(
        (np.array(one["first_moment"]) + np.array(one["P"]) @ one["eta"] for one in appendages), np.zeros(3)
    )
    flow = sum((np.array(one["P"]) @ one["eta_rate"] for one in appendages), np.zeros(3))
    return {
        "name": case.vehicle.name,
        "mass": float(hub.mass),
        "center": center.tolist(),
        "inertia": (hub.inertia - point_inertia(hub.mass, center)).tolist(),
        **start_of(case, first / mass, flow / mass),
        "appendages": appendages,
    }


def write(case: VehicleCase, path: Path) -> list[Path]:
    folder = files("tisserand.exporters") / "basilisk_sources"
    sources = "".join(f"    {name!r}: r'''{(folder / name).read_text(encoding='utf-8')}''',\n" for name in _NAMES)
    body = "\nSOURCES = {\n" + sources + "}\n" + _BODY
    return [write_text(path, module_text(_HEAD, case, vehicle_data(case), body))]


def read_back(case: VehicleCase, path: Path) -> float:
    """Every number of the module's table."""
    found, meant = table_of(path), vehicle_data(case)
    pairs: list[tuple[object, object]] = [
        (np.append(1.0, found[key]), np.append(1.0, meant[key])) for key in meant if key not in ("name", "appendages")
    ]
    for a, b in zip(found["appendages"], meant["appendages"], strict=True):
        pairs += [(np.append(1.0, a[key]), np.append(1.0, b[key])) for key in b if key != "name"]
    return worst(pairs)
