"""Deployment of three panels: a pyro lets go, springs unfold, closed cables keep the panels in step, a latch catches them.

The panels are folded like an accordion against a free bus. Closed cable loops over pulleys make the second hinge turn twice as
far as the first and the third as far as the second; so one latch at the root stops everything at once. What the springs gave is
then lost, or left in the bending of the panels, and the torque at the root tells how hard the blow was. A rigid latch stops the
hinge at once, so the peak of that torque grows with the number of modes: keep those that matter for what is sized by it.
"""

from pathlib import Path

import kit
import numpy as np

import tisserand as ts

LENGTH, MASS, RIGIDITY = 1.6, 6.0, 900.0
RELEASE, STIFF, REST = 2.0, (0.5, 0.12, 0.12), (-2.2, -0.6, 0.6)
FOLDED, OPEN = (0.0, np.pi, -np.pi), (-np.pi / 2.0, 0.0, 0.0)
HINGES = ("root", "middle", "outer")


def vehicle(flexible: bool) -> ts.Vehicle:
    names, z = ("inner", "center", "tip"), [0, 0, 1]
    if flexible:
        bodies = [ts.Body(name, 0.3, inertia=[0.002, 0.002, 0.002]) for name in names]
        basis = ts.solve_modes(kit.beam(LENGTH, 8, RIGIDITY, MASS / LENGTH, clamped=True, depth=4.0), count=4)
        plates = [
            ts.MountedAppendage(f"{name}_plate", ts.reduce(basis, attachment="root", damping=0.005), name)
            for name in names
        ]
    else:
        side = MASS * LENGTH**2 / 12.0
        bodies = [ts.Body(name, MASS, center=[LENGTH / 2, 0, 0], inertia=[0.01, side, side]) for name in names]
        plates = []
    spring = [{"stiffness": k, "rest": r} for k, r in zip(STIFF, REST)]
    wall = [[0, -1, 0], [1, 0, 0], [0, 0, 1]]  # stowed along the wall of the bus
    joints = [ts.hinge("root", "bus", names[0], z, parent_point=[0.6, -0.7, 0], parent_frame=wall, **spring[0])]
    joints += [
        ts.hinge(h, a, b, z, parent_point=[LENGTH, 0, 0], **s)
        for h, a, b, s in zip(HINGES[1:], names, names[1:], spring[1:])
    ]
    bus = ts.Body("bus", 350.0, inertia=[120, 110, 130])
    return ts.Vehicle("three panels", [bus, *bodies], joints, appendages=plates)


def deploy(flexible: bool) -> ts.Trajectory:
    hold = [
        ts.latches.joint_lock("root", end=RELEASE, name="pyro"),
        ts.loops.gear("middle", "root", 2.0, level=np.pi, name="cable 1"),
        ts.loops.gear("outer", "middle", -1.0, name="cable 2"),
        ts.latches.latch("root", OPEN[0], name="catch"),
    ]
    start = ts.State(joints=dict(zip(HINGES, FOLDED)))
    return ts.multibody.simulate(vehicle(flexible), 20.0, start, loads=hold, samples=2001, rtol=1e-9)


def main(folder: Path | None = None) -> dict[str, float]:
    rigid, bent = deploy(False), deploy(True)
    stored = sum(0.5 * k * ((a - r) ** 2 - (b - r) ** 2) for k, r, a, b in zip(STIFF, REST, FOLDED, OPEN))
    caught = {name: run.events[1].time for name, run in (("rigid", rigid), ("bent", bent))}
    torque = bent.joint_torque_vector["root"][:, 2]
    after = bent.times > caught["bent"]
    if folder is not None:
        draw(folder, rigid, bent)
    return {
        "caught, rigid (s)": caught["rigid"],
        "caught, flexible (s)": caught["bent"],
        "energy of the springs (J)": stored,
        "lost in the latch, rigid (J)": float(rigid.balance.impact_loss[-1]),
        "lost in the latch, flexible (J)": float(bent.balance.impact_loss[-1]),
        "rate of the bus after the latch, rigid (rad/s)": float(np.abs(rigid.angular_velocity[-1]).max()),
        "root torque before the latch (N m)": float(np.abs(torque[~after]).max()),
        "root torque after the latch (N m)": float(np.abs(torque[after]).max()),
        "largest pull of the cables (N m)": max(float(np.abs(bent.loop_force[f"cable {i}"]).max()) for i in (1, 2)),
        "energy balance": bent.balance.worst()["energy"],
        "momentum balance": max(bent.balance.worst()["momentum"], bent.balance.worst()["angular momentum"]),
        "gap of the cables (rad)": max(float(bent.loop_drift[f"cable {i}"].max()) for i in (1, 2)),
    }


def draw(folder, rigid, bent):
    made, axes = kit.plot(2, width=8.5, height=6.0)
    kit.label(axes[0], "Three panels unfold in step and are latched at the root", "", "hinge angle (deg)")
    for name in HINGES:
        axes[0].plot(bent.times, np.degrees(bent.joints[name][:, 0]), label=name)
    axes[0].legend(frameon=False, fontsize=9)
    kit.label(axes[1], "", "time (s)", "torque at the root (N m)")
    axes[1].plot(bent.times, bent.joint_torque_vector["root"][:, 2], linewidth=0.8, label="flexible panels")
    axes[1].plot(rigid.times, rigid.joint_torque_vector["root"][:, 2], linewidth=1.2, label="rigid panels")
    axes[1].legend(frameon=False, fontsize=9)
    kit.save(made, folder, "12_deployment")


if __name__ == "__main__":
    kit.run(main)
