"""Rolling without slipping: a marble on a turntable, which circles slowly and never flies off.

The table turns at a constant rate, and the marble rolls on it by three rows: contact, and no slip in two directions. Newton's
equations give a circle at 2/7 of the rate of the table, whatever the size and mass of a solid sphere: the path closes after
seven halves of a turn, and friction at the contact is all that moves the marble. On a table that is tilted by a small angle it
drifts along the level at 5/2 g sin(angle)/rate instead of running downhill.
"""

from pathlib import Path

import kit
import numpy as np

import tisserand as ts

RADIUS, MASS, RATE, TILT = 0.02, 0.1, 2.0, 0.01
G = 9.81


def marble(tilt: float) -> tuple[ts.Vehicle, list[ts.Load]]:
    z = [0, 0, 1]
    bodies = [
        ts.Body("ground", 1.0),
        *(ts.Body(f"cart {i}", 0.0) for i in "xyz"),
        ts.Body("table", 2.0, inertia=[1, 1, 1]),
    ]
    bodies.append(ts.Body("marble", MASS, inertia=[0.4 * MASS * RADIUS**2] * 3))
    joints = [
        ts.prismatic("x", "ground", "cart x", [1, 0, 0]),
        ts.prismatic("y", "cart x", "cart y", [0, 1, 0]),
        ts.prismatic("z", "cart y", "cart z", z),
        ts.ball("turn", "cart z", "marble"),
        ts.hinge("spindle", "ground", "table", z, motion=ts.profiles.constant_rate(RATE)),
    ]
    weight = [G * np.sin(tilt), 0.0, -G * np.cos(tilt)]
    anchor = ts.force_elements.anchor
    contact = ts.loops.rolling(anchor("table"), anchor("marble"), z, RADIUS, name="contact")
    return ts.Vehicle("turntable", bodies, joints, base_motion="fixed", gravity=weight), [contact]


def roll(tilt: float, turns: float) -> ts.Trajectory:
    duration = turns * 2.0 * np.pi / RATE
    vehicle, loads = marble(tilt)
    spin = (RATE * 0.1 - 0.05) / RADIUS  # no slip at x = 0.1 m with 0.05 m/s along y
    start = ts.State(joints={"x": 0.1, "z": RADIUS}, joint_rates={"y": 0.05, "turn": [spin, 0.0, 0.0]})
    return ts.multibody.simulate(vehicle, duration, start, loads=loads, samples=801, rtol=1e-11)


def main(folder: Path | None = None) -> dict[str, float]:
    level, tilted = roll(0.0, 3.5), roll(TILT, 7.0)
    path, drift = (np.hstack([run.joints["x"], run.joints["y"]]) for run in (level, tilted))
    if folder is not None:
        draw(folder, path, drift)
    friction = np.linalg.norm(level.loop_force["contact"][:, 1:], axis=1)
    return {
        "gap of the path after 7/2 turns (m)": float(np.linalg.norm(path[-1] - path[0])),
        "diameter of the circle (m)": float(np.ptp(path[:, 1])),
        "normal force (N)": float(level.loop_force["contact"][-1, 0]),
        "largest friction (N)": float(friction.max()),
        "drift after 7 turns, across (m)": float(drift[-1, 1] - drift[0, 1]),
        "by the closed form (m)": 2.5 * G * np.sin(TILT) / RATE * float(tilted.times[-1]),
        "drift after 7 turns, downhill (m)": float(drift[-1, 0] - drift[0, 0]),
        "energy balance": level.balance.worst()["energy"],
        "largest drift of the contact (m)": float(level.loop_drift["contact"].max()),
    }


def draw(folder, path, drift):
    made, axes = kit.plot(1, 2, width=11.0, height=3.8)
    axes[0].get_gridspec().set_width_ratios([1.0, 2.4])
    kit.label(axes[0], "Level turntable: a circle", "x (m)", "y (m)")
    axes[0].plot(*path.T)
    kit.label(axes[1], "Tilted by 0.01 rad: it drifts along the level", "y, along the level (m)", "x, downhill (m)")
    axes[1].plot(drift[:, 1], drift[:, 0])
    axes[0].plot(*path[0], "o", color="#d55e00", label="start")
    axes[1].plot(*drift[0, ::-1], "o", color="#d55e00")
    axes[0].plot(0.0, 0.0, "+", color="#1f2933", markersize=9, label="axis of the table")
    axes[0].legend(frameon=False, fontsize=9, loc="upper right")
    axes[0].locator_params(nbins=5)
    for a in axes:
        a.set_aspect("equal", adjustable="datalim")
    kit.save(made, folder, "13_rolling")


if __name__ == "__main__":
    kit.run(main)
