"""Loops, latches and stops against Exudyn, which has constraints and absolute coordinates where this has a tree and loops."""

import warnings

import numpy as np
import pytest
from support.examples import numbers

from tisserand.multibody import Body, State, Vehicle, hinge, simulate
from tisserand.multibody.latches import end_stop, latch

exudyn = pytest.importorskip("exudyn")
from exudyn import itemInterface as items  # noqa: E402

#: Of the pantograph, stated before it was first flown: places over the travel, sag of a bar over its largest, time of the latch.
PLACES, SAG, WHEN = 1e-3, 3e-2, 1e-3


@pytest.mark.slow
def test_a_pantograph_of_flexible_bars_unfolds_and_rings_as_in_exudyn():
    """Three shapes per bar in floating frames and loops, against nonlinear beam elements in absolute coordinates."""
    found = numbers("17_pantograph")
    for word in ("before", "after"):
        assert found[f"places {word} the latch, of the travel"] < PLACES
        assert found[f"sag {word} the latch, of the largest"] < SAG
    assert found["latched (s)"] == pytest.approx(found["latched, Exudyn (s)"], rel=WHEN)
    assert found["travel of the payload (m)"] > 0.9 and found["largest sag of a bar (m)"] > 0.01
    assert found["energy balance"] < 1e-6 and found["gap of the second knee (m)"] < 1e-9


LENGTH, MASS, GRAVITY = (0.8, 0.6), (2.0, 1.5), 9.81
LIMIT, STIFF, CATCH = 0.5, 400.0, 0.5
STEP, SECONDS = 2e-4, 1.2


def pendulum(**limits) -> Vehicle:
    """Two bars; the lower one hangs on an elbow that starts straight."""
    bars = [
        Body(name, m, center=[0, -0.5 * length, 0], inertia=[m * length**2 / 12, 1e-6, m * length**2 / 12])
        for name, m, length in zip(("upper", "lower"), MASS, LENGTH)
    ]
    z = [0, 0, 1]
    joints = [
        hinge("shoulder", "ground", "upper", z),
        hinge("elbow", "upper", "lower", z, parent_point=[0, -LENGTH[0], 0], **limits),
    ]
    return Vehicle("arm", [Body("ground", 1.0), *bars], joints, base_motion="fixed", gravity=[0, -GRAVITY, 0])


START = State(joints={"shoulder": 1.2, "elbow": 0.0}, joint_rates={"shoulder": 0.0, "elbow": 1.0})


class Arm:
    """The same of two rigid bodies in the plane."""

    def __init__(self):
        self.mbs = mbs = exudyn.SystemContainer().AddSystem()
        ground = mbs.AddMarker(items.MarkerBodyPosition(bodyNumber=mbs.AddObject(items.ObjectGround())))
        self.nodes, before, place, rate = [], ground, np.zeros(2), 0.0
        velocity, turned = np.zeros(2), 1.2
        for m, length, spin in zip(MASS, LENGTH, (0.0, 1.0)):
            rate += spin
            down = np.array([np.sin(turned), -np.cos(turned)])  # along the bar
            center, across = place + 0.5 * length * down, np.array([-down[1], down[0]])
            moving = velocity + 0.5 * length * rate * across
            node = mbs.AddNode(
                items.NodeRigidBody2D(
                    referenceCoordinates=[*center, turned],
                    initialVelocities=[*moving, rate],
                    initialCoordinates=[0] * 3,
                )
            )
            body = mbs.AddObject(items.RigidBody2D(mass=m, inertia=m * length**2 / 12, nodeNumber=node))
            mbs.AddLoad(
                items.Force(
                    markerNumber=mbs.AddMarker(items.MarkerBodyPosition(bodyNumber=body)),
                    loadVector=[0, -m * GRAVITY, 0],
                )
            )
            top, end = (
                mbs.AddMarker(items.MarkerBodyPosition(bodyNumber=body, localPosition=[0, s * 0.5 * length, 0]))
                for s in (1, -1)
            )
            mbs.AddObject(items.RevoluteJoint2D(markerNumbers=[before, top]))
            self.nodes.append(node)
            before, place, velocity = end, place + length * down, velocity + length * rate * across
        self.angles = [mbs.AddMarker(items.MarkerNodeCoordinate(nodeNumber=n, coordinate=2)) for n in self.nodes]
        self.now, self.rows = 0.0, []

    def advance(self, seconds, step):
        settings = exudyn.SimulationSettings()
        ti = settings.timeIntegration
        ti.startTime, ti.endTime, ti.numberOfSteps = self.now, self.now + seconds, max(1, round(seconds / step))
        ti.generalizedAlpha.useNewmark = ti.generalizedAlpha.useIndex2Constraints = True
        ti.newton.relativeTolerance = 1e-10
        with warnings.catch_warnings():
            warnings.simplefilter("ignore", DeprecationWarning)
            settings.solutionSettings.sensorsWritePeriod = step
            settings.solutionSettings.writeSolutionToFile = False
        assert self.mbs.SolveDynamic(settings)
        self.rows.append([np.array(self.mbs.GetSensorStoredData(s)) for s in self.sensors])
        data, first = self.mbs.systemData, exudyn.ConfigurationType.Initial
        data.SetODE2Coordinates(data.GetODE2Coordinates(), configuration=first)
        data.SetODE2Coordinates_t(data.GetODE2Coordinates_t(), configuration=first)
        self.now += seconds

    def assemble(self):
        out, seen = exudyn.OutputVariableType.Coordinates, {"storeInternal": True, "writeToFile": False}
        self.sensors = [
            self.mbs.AddSensor(items.SensorNode(nodeNumber=n, outputVariableType=out, **seen)) for n in self.nodes
        ]
        self.mbs.Assemble()

    def history(self):
        """Times (n,), shoulder and elbow (n, 2)."""
        one, two = (
            np.vstack([rows[0][k], *(later[k][1:] for later in rows[1:])])
            for k, rows in ((0, self.rows), (1, self.rows))
        )
        return one[:, 0], np.column_stack([1.2 + one[:, 3], two[:, 3] - one[:, 3]])


def gap(run, arm) -> float:
    """Largest difference of the two angles, rad."""
    times, angles = arm.history()
    ours = np.column_stack([run.joints[name][:, 0] for name in ("shoulder", "elbow")])
    theirs = np.column_stack([np.interp(run.times, times, column) for column in angles.T])
    return float(np.abs(ours - theirs).max())


def test_an_elbow_that_hits_a_springy_stop_swings_as_in_exudyn():
    """Limit stops of a connector between two angles, trapezoidal steps of 0.2 ms: histories agree to 1e-3 rad over three hits."""
    arm = Arm()
    memory = arm.mbs.AddNode(items.NodeGenericData(initialCoordinates=[1, 0, 0], numberOfDataCoordinates=3))
    arm.mbs.AddObject(
        items.ObjectConnectorCoordinateSpringDamperExt(
            markerNumbers=arm.angles,
            nodeNumber=memory,
            useLimitStops=True,
            limitStopsUpper=LIMIT,
            limitStopsLower=-LIMIT,
            limitStopsStiffness=STIFF,
        )
    )
    arm.assemble()
    arm.advance(SECONDS, STEP)
    run = simulate(
        pendulum(limits=(-LIMIT, LIMIT)),
        SECONDS,
        START,
        loads=[end_stop("elbow", stiffness=STIFF)],
        samples=121,
        rtol=1e-10,
    )
    beyond = np.abs(run.joints["elbow"][:, 0]) > LIMIT
    assert np.count_nonzero(np.diff(beyond.astype(int)) == 1) >= 2  # hit more than once
    assert gap(run, arm) < 1e-3
    assert run.balance.worst()["energy"] < 1e-8


def test_an_elbow_that_latches_swings_on_as_in_exudyn():
    """A constraint on velocities that is switched on: the impact, and one pendulum afterward, to 1e-3 rad."""
    run = simulate(pendulum(), SECONDS, START, loads=[latch("elbow", CATCH, name="catch")], samples=121, rtol=1e-10)
    caught = run.events[0].time
    arm = Arm()
    lock = arm.mbs.AddObject(items.CoordinateConstraint(markerNumbers=arm.angles, offset=CATCH, activeConnector=False))
    arm.assemble()
    arm.advance(caught, STEP)
    angles = arm.history()[1]
    assert angles[-1, 1] == pytest.approx(CATCH, abs=1e-4)  # it is there by itself
    arm.mbs.SetObjectParameter(lock, "activeConnector", True)
    arm.advance(1e-7, 1e-7)
    arm.advance(SECONDS - caught - 1e-7, STEP)
    assert gap(run, arm) < 1e-3
    assert run.balance.impact_loss[-1] > 0.1 and run.balance.worst()["energy"] < 1e-8
