"""A pantograph of four flexible bars unfolds, is latched and rings; the same in Exudyn with nonlinear beam elements.

Two scissors stand on each other: pins in the middle of the bars and at their ends, one foot on a pivot, the other on a rail. A
spring pulls the feet together, and a latch catches the sliding foot. Here each bar has three shapes in a floating frame,
two of the pins close loops between flexible nodes, and the latch is an impact. There each bar is a chain of cable
elements in absolute coordinates (ANCF), all pins are constraints, and no modes, frames or events exist: the two models have
nothing in common but the data. A little damping of the material belongs to them: without it a rigid latch excites every
frequency, and neither model converges from point to point. Needs ``pip install exudyn``.
"""

import warnings
from itertools import pairwise
from pathlib import Path

import kit
import numpy as np

import tisserand as ts

LENGTH, RIGIDITY, AXIAL, DENSITY, PAYLOAD = 1.0, 300.0, 1e7, 0.6, 1.0  # m, N m², N, kg/m, kg on each upper end
LAG = 5e-4  # s: damping of the material, over its stiffness
STIFF, DAMPER, SLACK = 6.0, 0.5, 0.1  # spring between the feet: N/m, N s/m, m
FOLDED, CATCH, SECONDS, RINGING = (
    np.radians(20.0),
    0.6,
    2.8,
    0.4,
)  # rad; feet m apart; s; s of steps after the latch in Exudyn
ELEMENTS, STEP, BLOW, OUTPUT = 8, 5e-4, 1e-6, 0.01  # s; the step of the impact is short, since places move in it, too


def bar(modes: int = 1) -> ts.ReducedAppendage:
    """Bent statically by its pins in the middle and at the tip, and modes between them; one end is clamped to the frame.

    Across the plane it is a thousand times as stiff: the lowest modes lie in the plane.
    """
    section = ts.rigidities(
        (RIGIDITY, 1e3 * RIGIDITY), DENSITY, axial=AXIAL, torsion=1e3 * RIGIDITY, polar_inertia=1e-6
    )
    model = ts.assemble(ts.boom(LENGTH, section, elements=ELEMENTS, up=(0, 1, 0), name="bar"))
    middle, tip = ELEMENTS // 2, ELEMENTS
    shapes = ts.craig_bampton(model, np.array([[middle, 1], [tip, 1]]), count=modes).as_basis()
    named = {"middle": int(model.nodes.ids[middle])}
    lag = ts.Rayleigh(0.0, LAG)
    return ts.natural(ts.reduce(shapes, attachment="root", interfaces=named, geometric=("middle", "tip"), damping=lag))


def pantograph(record: ts.ReducedAppendage) -> ts.Vehicle:
    """Bars a, b (lower scissors) and c, d (upper); a tree of pins, which the loops of ``held`` complete."""
    z = [0, 0, 1]
    bars = [ts.Body(name, 0.0) for name in "abcd"]
    loads = [ts.Body(f"payload {name}", PAYLOAD) for name in "cd"]
    joints = [
        ts.hinge("foot", "ground", "a", z),
        ts.hinge("lower pin", "a", "b", z, parent_interface=("bar a", "middle"), child_interface=("bar b", "middle")),
        ts.hinge("knee", "b", "c", z, parent_interface=("bar b", "tip")),
        ts.hinge("upper pin", "c", "d", z, parent_interface=("bar c", "middle"), child_interface=("bar d", "middle")),
        *(ts.fixed(f"top {name}", name, f"payload {name}", parent_interface=(f"bar {name}", "tip")) for name in "cd"),
    ]
    mounts = [ts.MountedAppendage(f"bar {name}", record, name) for name in "abcd"]
    ground = ts.Body("ground", 1.0)
    return ts.Vehicle("pantograph", [ground, *bars, *loads], joints, appendages=mounts, base_motion="fixed")


def held() -> list[ts.Load]:
    """Rail, second knee, spring between the feet, latch."""
    ground, foot = ts.force_elements.anchor("ground"), ts.force_elements.anchor("b")
    end, seat = ts.force_elements.node_anchor("bar a", "tip"), ts.force_elements.anchor("ground", [CATCH, 0, 0])
    passes = ts.Event("catch", ts.signals.position("b", [1, 0, 0]), CATCH, -1)
    return [
        ts.loops.plane_loop(ground, foot, [0, 1, 0], name="rail"),
        ts.loops.line_loop(end, ts.force_elements.anchor("d"), [0, 0, 1], name="second knee"),
        ts.force_elements.spring(ground, foot, STIFF, damping=DAMPER, length=SLACK),
        ts.latches.switched(ts.loops.plane_loop(seat, foot, [1, 0, 0], name="catch"), begin=passes),
    ]


def fly_here(record: ts.ReducedAppendage, rtol: float = 1e-6) -> ts.Trajectory:
    turn = np.pi - 2.0 * FOLDED
    start = ts.State(joints={"foot": FOLDED, "lower pin": turn, "knee": -turn, "upper pin": turn})
    seen = [
        ts.signals.node_deflection("bar a", place, direction, name=f"{place} {axis}")
        for place in ("middle", "tip")
        for axis, direction in (("x", [1, 0, 0]), ("y", [0, 1, 0]))
    ]
    times = np.arange(0.0, SECONDS + 0.5 * OUTPUT, OUTPUT)
    given = {"loads": held(), "outputs": seen, "times": times, "rtol": rtol, "atol": 1e-2 * rtol}
    return ts.multibody.simulate(pantograph(record), SECONDS, start, **given)


def sag(root, middle, tip):
    """Distance of the middle of a bar from the chord of its ends, (n,) m, from places (n, 2)."""
    chord = (tip - root) / np.linalg.norm(tip - root, axis=1)[:, None]
    return chord[:, 0] * (middle - root)[:, 1] - chord[:, 1] * (middle - root)[:, 0]


def seen_here(run: ts.Trajectory) -> dict[str, np.ndarray]:
    """Places of the foot and of both payloads (n, 2), and the sag of bar a, (n,)."""
    root = np.zeros((len(run.times), 2))
    middle, tip = (np.column_stack([run.signals[f"{place} {axis}"] for axis in "xy"]) for place in ("middle", "tip"))
    places = {name: run.origin[:, run.body(name), :2] for name in ("b", "payload c", "payload d")}
    straight = np.array([LENGTH, 0.0])
    return {**places, "sag": sag(root, middle + 0.5 * straight, tip + straight)}


class InExudyn:
    """The pantograph of ANCF cable elements, with sensors at the feet, the ends and the middle of bar a."""

    def __init__(self):
        import exudyn as exu
        from exudyn import itemInterface as items

        self.exu, self.items, self.mbs = exu, items, exu.SystemContainer().AddSystem()
        add, c, s = self.mbs, LENGTH * np.cos(FOLDED), LENGTH * np.sin(FOLDED)
        roots = {"a": (0, 0, c, s), "b": (c, 0, -c, s), "c": (0, s, c, s), "d": (c, s, -c, s)}
        self.nodes = {name: self.bar(np.array(row[:2]), np.array(row[2:])) for name, row in roots.items()}
        still = add.AddMarker(items.MarkerNodeCoordinate(nodeNumber=add.AddNode(items.NodePointGround()), coordinate=0))
        ground = add.AddMarker(items.MarkerBodyPosition(bodyNumber=add.AddObject(items.ObjectGround())))
        middle = ELEMENTS // 2
        for first, second in (
            (("a", middle), ("b", middle)),
            (("b", -1), ("c", 0)),
            (("c", middle), ("d", middle)),
            (("a", -1), ("d", 0)),
        ):
            add.AddObject(items.ObjectJointRevolute2D(markerNumbers=[self.place(*first), self.place(*second)]))

        def hold(bar, coordinate, **facts):
            at = add.AddMarker(items.MarkerNodeCoordinate(nodeNumber=self.nodes[bar][0], coordinate=coordinate))
            return add.AddObject(items.CoordinateConstraint(markerNumbers=[still, at], **facts))

        for bar, coordinate in (("a", 0), ("a", 1), ("b", 1)):
            hold(bar, coordinate)
        self.latch = hold("b", 0, activeConnector=False)
        self.payload("c")
        self.payload("d")
        feet = [ground, self.place("b", 0)]
        add.AddObject(items.SpringDamper(markerNumbers=feet, referenceLength=SLACK, stiffness=STIFF, damping=DAMPER))
        self.sensors = {
            key: add.AddSensor(
                items.SensorNode(
                    nodeNumber=self.nodes[key[0]][key[1]],
                    outputVariableType=exu.OutputVariableType.Position,
                    storeInternal=True,
                    writeToFile=False,
                )
            )
            for key in (("a", 0), ("a", middle), ("a", -1), ("b", 0), ("c", -1), ("d", -1))
        }
        add.Assemble()
        self.now, self.rows = 0.0, {key: [] for key in self.sensors}

    def bar(self, root, along):
        """Nodes of a straight chain of elements."""
        made = [
            self.mbs.AddNode(
                self.items.NodePoint2DSlope1(referenceCoordinates=[*(root + along * i / ELEMENTS), *(along / LENGTH)])
            )
            for i in range(ELEMENTS + 1)
        ]
        facts = {"massPerLength": DENSITY, "bendingStiffness": RIGIDITY, "axialStiffness": AXIAL}
        facts |= {"bendingDamping": LAG * RIGIDITY, "axialDamping": LAG * AXIAL}
        for ends in pairwise(made):
            one = self.items.ObjectANCFCable2D(length=LENGTH / ELEMENTS, nodeNumbers=list(ends), **facts)
            one.useReducedOrderIntegration = 1
            self.mbs.AddObject(one)
        return made

    def place(self, bar, index):
        return self.mbs.AddMarker(self.items.MarkerNodePosition(nodeNumber=self.nodes[bar][index]))

    def payload(self, bar):
        x = self.mbs.GetNodeParameter(self.nodes[bar][-1], "referenceCoordinates")[:2]
        node = self.mbs.AddNode(self.items.NodePoint2D(referenceCoordinates=list(x)))
        self.mbs.AddObject(self.items.MassPoint2D(mass=PAYLOAD, nodeNumber=node))
        ends = [self.place(bar, -1), self.mbs.AddMarker(self.items.MarkerNodePosition(nodeNumber=node))]
        self.mbs.AddObject(self.items.ObjectJointRevolute2D(markerNumbers=ends))

    def advance(self, seconds: float, step: float) -> None:
        """Trapezoidal steps with constraints on velocities: one that begins to hold is an impact without rebound."""
        settings = self.exu.SimulationSettings()
        integration = settings.timeIntegration
        integration.startTime, integration.endTime = self.now, self.now + seconds
        integration.numberOfSteps = max(1, round(seconds / step))
        integration.generalizedAlpha.useNewmark = integration.generalizedAlpha.useIndex2Constraints = True
        integration.newton.relativeTolerance = 1e-9
        with warnings.catch_warnings():
            warnings.simplefilter("ignore", DeprecationWarning)
            settings.solutionSettings.sensorsWritePeriod = step
            settings.solutionSettings.writeSolutionToFile = False
            settings.linearSolverType = self.exu.LinearSolverType.EigenSparse
        if not self.mbs.SolveDynamic(settings):
            raise RuntimeError("Exudyn did not finish")
        for key, sensor in self.sensors.items():
            self.rows[key].append(np.array(self.mbs.GetSensorStoredData(sensor)))
        data, first = self.mbs.systemData, self.exu.ConfigurationType.Initial
        data.SetODE2Coordinates(data.GetODE2Coordinates(), configuration=first)
        data.SetODE2Coordinates_t(data.GetODE2Coordinates_t(), configuration=first)
        self.now += seconds

    def catch(self) -> None:
        """The foot stays where it is."""
        x = self.mbs.GetNodeOutput(self.nodes["b"][0], self.exu.OutputVariableType.Displacement)[0]
        self.mbs.SetObjectParameter(self.latch, "offset", float(x))
        self.mbs.SetObjectParameter(self.latch, "activeConnector", True)


def fly_exudyn(step: float = STEP):
    """Times (n,), what ``seen_here`` returns, and the time of the latch: where a first run passes the place of the catch."""
    first = InExudyn()
    first.advance(SECONDS - RINGING, step)
    x = first.rows["b", 0][0]
    i = int(np.flatnonzero(x[:, 1] <= CATCH)[0])
    caught = float(np.interp(-CATCH, -x[i - 1 : i + 1, 1], x[i - 1 : i + 1, 0]))
    model = InExudyn()
    model.advance(caught, step)
    model.catch()
    model.advance(BLOW, BLOW)
    model.advance(SECONDS - caught - BLOW, step)
    table = {key: np.vstack([rows[0], *(later[1:] for later in rows[1:])]) for key, rows in model.rows.items()}
    names = {"b": ("b", 0), "payload c": ("c", -1), "payload d": ("d", -1)}
    found = {name: table[key][:, 1:3] for name, key in names.items()}
    found["sag"] = sag(*(table["a", i][:, 1:3] for i in (0, ELEMENTS // 2, -1)))
    return table["b", 0][:, 0], found, caught


def main(folder: Path | None = None) -> dict[str, float]:
    run = fly_here(bar())
    ours = seen_here(run)
    times, table, caught = fly_exudyn()
    theirs = {
        name: np.column_stack([np.interp(run.times, times, column) for column in values.reshape(len(times), -1).T])
        for name, values in table.items()
    }
    travel = float(np.ptp(ours["payload c"][:, 1]))
    before = run.times < min(caught, run.events[0].time)

    def gap(name: str, rows) -> float:
        return float(np.abs(ours[name].reshape(len(run.times), -1) - theirs[name])[rows].max())

    if folder is not None:
        draw(folder, run, ours, times, table)
    return {
        "travel of the payload (m)": travel,
        "largest sag of a bar (m)": float(np.abs(ours["sag"]).max()),
        "latched (s)": run.events[0].time,
        "latched, Exudyn (s)": caught,
        "lost in the latch (J)": float(run.balance.impact_loss[-1]),
        "places before the latch, of the travel": max(gap(n, before) for n in ("b", "payload c", "payload d")) / travel,
        "places after the latch, of the travel": max(gap(n, ~before) for n in ("b", "payload c", "payload d")) / travel,
        "sag before the latch, of the largest": gap("sag", before) / float(np.abs(ours["sag"]).max()),
        "sag after the latch, of the largest": gap("sag", ~before) / float(np.abs(ours["sag"]).max()),
        "energy balance": run.balance.worst()["energy"],
        "gap of the second knee (m)": float(run.loop_drift["second knee"][:, 0].max()),
    }


def draw(folder, run, ours, times, table):
    made, axes = kit.plot(1, 3, width=12.0, height=4.4)
    kit.label(axes[0], "Four flexible bars unfold", "x (m)", "y (m)")
    for index, color in zip((0, 140, 190, 231), ("#9aa5b1", "#56b4e9", "#0072b2", "#1f2933")):
        for name in "abcd":
            k, mount = run.body(name), next(m for m in run.vehicle.appendages if m.body == name)
            bent = mount.record.nodes.positions + mount.record.nodes.translation @ run.modal[f"bar {name}"][index]
            x = run.origin[index, k] + bent @ run.rotation[index, k].T
            axes[0].plot(x[:, 0], x[:, 1], color=color, linewidth=1.6)
        for name in ("payload c", "payload d"):
            axes[0].plot(*run.origin[index, run.body(name), :2], "o", color="#d55e00", markersize=5)
    axes[0].set_aspect("equal")
    kit.label(axes[1], "Payload: Tisserand lines, Exudyn dots", "time (s)", "height (m)")
    axes[1].plot(run.times, ours["payload c"][:, 1])
    axes[1].plot(times[::80], table["payload c"][::80, 1], ".", markersize=4, color="#d55e00")
    kit.label(axes[2], "Sag of the first bar", "time (s)", "middle off the chord (mm)")
    axes[2].plot(run.times, 1e3 * ours["sag"])
    axes[2].plot(times[::40], 1e3 * table["sag"][::40], ".", markersize=4, color="#d55e00")
    kit.save(made, folder, "17_pantograph")


if __name__ == "__main__":
    kit.run(main)
