"""Hub + appendage in Exudyn: the same system, loads and output times as ours, with the settings that suit Exudyn best.

Two forms of the same physics: ``joint`` (rigid hub, reduced-order body, a fixed joint between them) and ``merged`` (the hub's
mass and inertia are added to the body's integrals: no joint, no constraint but that of the Euler parameters). No files are
written, sensors store 101 times, the torque is constant within four segments, so that no Python code runs in the solver.
"""

from __future__ import annotations

import time
import warnings
from pathlib import Path
from tempfile import TemporaryDirectory

import numpy as np

HUB_MASS, HUB_INERTIA, ARM = 500.0, np.array([200.0, 180.0, 220.0]), np.array([1.0, 0.0, 0.0])
#: End of each segment, s, and the torque about z in it, N m: a bang-bang slew of 6 s from 0.5 s on.
SEGMENTS = ((0.5, 0.0), (3.5, 5.0), (6.5, -5.0), (10.0, 0.0))
SECONDS, OUTPUT_STEP = 10.0, 0.1


def build(wing, merged: bool, explicit: bool):
    """The system, its torque and the sensor of the modal coordinates."""
    import exudyn as exu
    from exudyn.FEM import ObjectFFRFreducedOrderInterface
    from exudyn.itemInterface import GenericJoint, MarkerBodyRigid, MarkerNodeRigid, SensorNode, Torque
    from exudyn.rigidBodyUtilities import RigidBodyInertia

    from tisserand.arrays import skew
    from tisserand.exporters.exudyn import write

    mbs = exu.SystemContainer().AddSystem()
    body = ObjectFFRFreducedOrderInterface()
    with TemporaryDirectory() as folder:
        path = Path(folder) / "wing.hdf5"
        write(wing, path)
        body.LoadFromFile(str(path), mode="HDF5")
    if explicit:  # explicit solvers allow no constraint, so no Euler parameters
        body.rigidBodyNodeType = exu.NodeType.RotationRxyz
    if merged:
        mass, d = body.totalMass, -ARM
        body.chiU = (mass * body.chiU + HUB_MASS * d) / (mass + HUB_MASS)
        body.chiUtilde = skew(body.chiU)
        body.inertiaLocal = body.inertiaLocal + np.diag(HUB_INERTIA) + HUB_MASS * ((d @ d) * np.eye(3) - np.outer(d, d))
        body.totalMass = mass + HUB_MASS
        body.Mtt = body.totalMass * np.eye(3)
    flexible = body.AddObjectFFRFreducedOrder(mbs, positionRef=list(ARM), rotationMatrixRef=np.eye(3))
    place = mbs.AddMarker(MarkerNodeRigid(nodeNumber=flexible["nRigidBody"]))
    pushed = place
    if not merged:
        inertia = RigidBodyInertia(mass=HUB_MASS, inertiaTensor=np.diag(HUB_INERTIA))
        hub = mbs.CreateRigidBody(inertia=inertia, returnDict=True)["bodyNumber"]
        pushed = mbs.AddMarker(MarkerBodyRigid(bodyNumber=hub))
        side = mbs.AddMarker(MarkerBodyRigid(bodyNumber=hub, localPosition=list(ARM)))
        mbs.AddObject(GenericJoint(markerNumbers=[side, place], constrainedAxes=[1] * 6))
    load = mbs.AddLoad(Torque(markerNumber=pushed, loadVector=[0, 0, 0], bodyFixed=True))
    eta = mbs.AddSensor(
        SensorNode(
            nodeNumber=flexible["nGenericODE2"],
            outputVariableType=exu.OutputVariableType.Coordinates,
            storeInternal=True,
            writeToFile=False,
        )
    )
    mbs.Assemble()
    return mbs, load, eta


def fly(wing, step: float, *, merged: bool, method: str = "GeneralizedAlpha"):
    """Wall time of the solver, s, and modal coordinates (101, k) every 0.1 s over 10 s."""
    import exudyn as exu

    explicit = method != "GeneralizedAlpha"
    mbs, load, eta = build(wing, merged, explicit)
    start, wall, rows = 0.0, 0.0, []
    for end, torque in SEGMENTS:
        mbs.SetLoadParameter(load, "loadVector", [0, 0, torque])
        settings = exu.SimulationSettings()
        settings.timeIntegration.startTime, settings.timeIntegration.endTime = start, end
        settings.timeIntegration.numberOfSteps = round((end - start) / step)
        settings.timeIntegration.verboseMode = 0
        settings.timeIntegration.automaticStepSize = False
        settings.timeIntegration.generalizedAlpha.spectralRadius = 1.0  # no numerical damping: second order, best phase
        settings.timeIntegration.newton.useModifiedNewton = True
        with warnings.catch_warnings():
            warnings.simplefilter("ignore", DeprecationWarning)
            settings.solutionSettings.sensorsWritePeriod = OUTPUT_STEP
            settings.solutionSettings.writeSolutionToFile = False
        begun = time.perf_counter()
        done = mbs.SolveDynamic(settings, solverType=getattr(exu.DynamicSolverType, method))
        wall += time.perf_counter() - begun
        if not done:
            raise RuntimeError("Exudyn did not finish")
        rows.append(np.array(mbs.GetSensorStoredData(eta))[int(start > 0.0) :])
        now = mbs.systemData
        first = exu.ConfigurationType.Initial
        now.SetODE2Coordinates(now.GetODE2Coordinates(), configuration=first)
        now.SetODE2Coordinates_t(now.GetODE2Coordinates_t(), configuration=first)
        start = end
    return wall, np.vstack(rows)[:, 1:]
