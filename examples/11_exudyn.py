"""A wing exported to Exudyn, and the same hub and wing flown in both tools.

The exported file holds the modal integrals under Exudyn's names, exact, not lumped; Exudyn loads it as a floating-frame body
of reduced order. A hub that spins at 0.8 rad/s lets go of a bent wing. Exudyn's generalized-alpha steps are of second
order: two step sizes are extrapolated to zero (Richardson) before the comparison. Needs ``pip install exudyn``.
"""

import warnings
from dataclasses import fields, replace
from pathlib import Path
from tempfile import TemporaryDirectory

import kit
import numpy as np

import tisserand as ts

HUB_MASS, HUB_INERTIA = 100.0, np.array([20.0, 15.0, 25.0])
SPIN = np.array([0.1, -0.15, 0.8])
BENT = np.array([0.05, 0.02, -0.01, 0.0])
SECONDS, STEP = 2.0, 5e-4


def wing(modes: int = 4) -> ts.ReducedAppendage:
    record = ts.keep_modes(ts.reduced_case(kit.MESHES / "wing.toml"), range(modes))
    return record.changed(damping=np.zeros((modes, modes)))  # the file has no place for damping


def of_first_degree(record: ts.ReducedAppendage) -> ts.ReducedAppendage:
    """The record with the linear displacement field that the file holds: nothing turns to second degree."""
    plain = replace(
        record.integrals,
        turn_first=np.zeros_like(record.integrals.turn_first),
        turn_second=np.zeros_like(record.integrals.turn_second),
    )
    turning = {f.name: getattr(record.bodies, f.name) for f in fields(record.bodies)}
    none = replace(record.bodies, **{name: value[:0] for name, value in turning.items() if value is not None})
    return record.changed(integrals=plain, bodies=none)


def fly_exudyn(record: ts.ReducedAppendage, spin, bent, seconds: float, step: float):
    """Times (n,), modal coordinates (n, k) and hub rates in hub axes (n, 3) from Exudyn."""
    import exudyn as exu
    from exudyn.FEM import ObjectFFRFreducedOrderInterface
    from exudyn.itemInterface import GenericJoint, MarkerBodyRigid, MarkerNodeRigid, SensorBody, SensorNode
    from exudyn.rigidBodyUtilities import RigidBodyInertia

    mbs = exu.SystemContainer().AddSystem()
    body = ObjectFFRFreducedOrderInterface()
    with TemporaryDirectory() as folder:
        path = Path(folder) / "wing.hdf5"
        ts.export_appendage(record, "exudyn", path)
        body.LoadFromFile(str(path), mode="HDF5")
    flexible = body.AddObjectFFRFreducedOrder(mbs, rotationMatrixRef=np.eye(3), initialAngularVelocity=list(spin))
    mbs.SetNodeParameter(flexible["nGenericODE2"], "initialCoordinates", list(bent))
    inertia = RigidBodyInertia(mass=HUB_MASS, inertiaTensor=np.diag(HUB_INERTIA))
    hub = mbs.CreateRigidBody(inertia=inertia, initialAngularVelocity=list(spin), returnDict=True)
    sides = [
        mbs.AddMarker(MarkerBodyRigid(bodyNumber=hub["bodyNumber"])),
        mbs.AddMarker(MarkerNodeRigid(nodeNumber=flexible["nRigidBody"])),
    ]
    mbs.AddObject(GenericJoint(markerNumbers=sides, constrainedAxes=[1] * 6))
    out = exu.OutputVariableType
    seen = {"storeInternal": True, "writeToFile": False}
    eta = mbs.AddSensor(SensorNode(nodeNumber=flexible["nGenericODE2"], outputVariableType=out.Coordinates, **seen))
    rate = mbs.AddSensor(SensorBody(bodyNumber=hub["bodyNumber"], outputVariableType=out.AngularVelocityLocal, **seen))
    mbs.Assemble()
    settings = exu.SimulationSettings()
    settings.timeIntegration.endTime = seconds
    settings.timeIntegration.numberOfSteps = round(seconds / step)
    settings.timeIntegration.generalizedAlpha.spectralRadius = 1.0  # no numerical damping
    settings.timeIntegration.newton.relativeTolerance = 1e-10
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", DeprecationWarning)  # two names of one setting, old and new versions
        settings.solutionSettings.sensorsWritePeriod = 0.01
        settings.solutionSettings.writeSolutionToFile = False
    if not mbs.SolveDynamic(settings):
        raise RuntimeError("Exudyn did not finish")
    table, rates = (np.array(mbs.GetSensorStoredData(s)) for s in (eta, rate))
    return table[:, 0], table[:, 1 : 1 + record.count], rates[:, 1:4]


def fly_here(record: ts.ReducedAppendage, spin, bent, times):
    mount = ts.MountedAppendage("wing", of_first_degree(record), "hub")
    vehicle = ts.Vehicle("hub and wing", (ts.Body("hub", HUB_MASS, inertia=HUB_INERTIA),), appendages=(mount,))
    start = ts.State(angular_velocity=spin, modal={"wing": bent})
    return ts.simulate(vehicle, float(times[-1]), start, times=times, rtol=1e-11, atol=1e-13)


def main(folder: Path | None = None) -> dict[str, float]:
    record = wing()
    times, eta_1, rate_1 = fly_exudyn(record, SPIN, BENT, SECONDS, STEP)
    _, eta_2, rate_2 = fly_exudyn(record, SPIN, BENT, SECONDS, STEP / 2)
    times = np.round(times, 9)
    eta, rate = (4 * eta_2 - eta_1) / 3, (4 * rate_2 - rate_1) / 3
    run = fly_here(record, SPIN, BENT, times)

    def gap(ours, theirs) -> float:
        """Largest difference over the largest change of any component."""
        return float(np.abs(ours - theirs).max() / np.ptp(ours, axis=0).max())

    if folder is not None:
        draw(folder, run, times, eta, rate)
    return {
        "hub rate, one step": gap(run.angular_velocity, rate_1),
        "hub rate, half the step": gap(run.angular_velocity, rate_2),
        "hub rate, extrapolated": gap(run.angular_velocity, rate),
        "modal coordinates, one step": gap(run.modal["wing"], eta_1),
        "modal coordinates, half the step": gap(run.modal["wing"], eta_2),
        "modal coordinates, extrapolated": gap(run.modal["wing"], eta),
    }


def draw(folder, run, times, eta, rate):
    made, axes = kit.plot(1, 2, width=10.0, height=4.0)
    kit.label(axes[0], "Hub rates: Tisserand lines, Exudyn dots", "time (s)", "angular velocity (rad/s)")
    for i, axis in enumerate("xyz"):
        (line,) = axes[0].plot(times, run.angular_velocity[:, i], label=axis)
        axes[0].plot(times[::4], rate[::4, i], ".", color=line.get_color(), markersize=4)
    axes[1].set_ylim(-0.06, 0.075)
    kit.label(axes[1], "Modal coordinates of the wing", "time (s)", "eta (sqrt(kg) m)")
    for k in range(3):
        (line,) = axes[1].plot(times, run.modal["wing"][:, k], label=f"mode {k + 1}")
        axes[1].plot(times[::4], eta[::4, k], ".", color=line.get_color(), markersize=4)
    for a in axes:
        a.legend(frameon=False, fontsize=9, ncols=3)
    kit.save(made, folder, "11_exudyn")


if __name__ == "__main__":
    kit.run(main)
