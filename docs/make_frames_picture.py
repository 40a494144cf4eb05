"""Draw docs/images/frames_of_a_run.png: a bus with a bent boom from four frames, and how the frames turn in time."""

from __future__ import annotations

import sys
from pathlib import Path

import numpy as np

import tisserand as ts
from tisserand.multibody.attitude import direction_cosines

SHOWN = {"connection": "bus (connection frame)", "buckens": "Buckens", "milne": "Milne", "principal": "principal"}
COLORS = {
    "connection": "#1f2933",
    "tisserand": "#56b4e9",
    "buckens": "#0072b2",
    "principal": "#d55e00",
    "milne": "#009e73",
}

STYLES = {"tisserand": "--", "milne": "--"}


def flown(samples: int) -> tuple[ts.Trajectory, ts.ReducedAppendage]:
    """A boom of 4 m with a tip body, bent by 0.8 m on a free bus of 30 kg, and let go."""
    model = ts.assemble(ts.boom(4.0, ts.tube(0.03, 0.001), ts.ALUMINUM, tip_mass=1.0, elements=10))
    record = ts.reduce(ts.solve_modes(model, count=2), attachment="root")
    tip = record.interface("tip").translation
    plane = int(np.argmax(np.abs(tip[1])))
    eta = np.zeros(2)
    eta[plane] = 0.8 / tip[1, plane]
    bus = ts.Body("bus", 30.0, inertia=[8.0, 4.0, 10.0])  # wide across the boom: principal axes swing
    vehicle = ts.Vehicle("bus and boom", (bus,), appendages=(ts.MountedAppendage("boom", record, "bus"),))
    hz = ts.system_modes(vehicle).frequencies_hz[plane]
    start = ts.State(modal={"boom": eta})
    return ts.simulate(vehicle, 2.0 / hz, start, samples=samples, rtol=1e-10, atol=1e-13), record


def places(run: ts.Trajectory, record: ts.ReducedAppendage) -> np.ndarray:
    """Nodes of the boom at the start, inertial axes, from the mass center."""
    assert run.moments is not None
    nodes = record.nodes.positions + record.nodes.translation @ run.modal["boom"][0]
    boom = run.origin[0, 0] + nodes @ run.rotation[0, 0].T
    return np.vstack([run.origin[0, 0], boom]) - run.moments.center[0]


def angle(motion: ts.FrameMotion) -> np.ndarray:
    """Angle about z since the start, deg."""
    R = direction_cosines(motion.attitude)
    turned = np.degrees(np.unwrap(np.arctan2(R[:, 1, 0], R[:, 0, 0])))
    return np.asarray(turned - turned[0])


def main(target: Path) -> dict[str, float]:
    from matplotlib.figure import Figure

    (coarse, record), (fine, _) = flown(13), flown(241)
    made = Figure(figsize=(10.5, 4.4), dpi=130, layout="constrained")
    left, right = made.subplots(1, 2)
    smooth, few = (ts.floating_frames(run)[0] for run in (fine, coarse))
    y = places(fine, record)
    for name, title in SHOWN.items():
        R = fine.rotation[0, 0] if name == "connection" else direction_cosines(smooth[name].attitude)[0]
        seen = y @ R
        left.plot(seen[1:, 0], seen[1:, 1], STYLES.get(name, "-"), color=COLORS[name], label=title)
        left.plot(seen[0, 0], seen[0, 1], "s", color=COLORS[name], markersize=9)
    left.axhline(0.0, color="#9aa5b1", linewidth=0.7)
    left.set(
        title="One instant, four frames (bus: square)", xlabel="first axis of the frame (m)", ylabel="second axis (m)"
    )
    for name in ("tisserand", "buckens", "milne", "principal"):
        right.plot(fine.times, angle(smooth[name]), STYLES.get(name, "-"), color=COLORS[name], label=name.capitalize())
        right.plot(coarse.times, angle(few[name]), "o", color=COLORS[name], markersize=4)
    bus = np.degrees(np.arctan2(fine.rotation[:, 0, 1, 0], fine.rotation[:, 0, 0, 0]))
    right.plot(fine.times, bus, color=COLORS["connection"], label="Bus")
    right.set(
        title="How each frame turns (dots: six outputs a period)",
        xlabel="time (s)",
        ylabel="turn since the start (deg)",
    )
    for axes in (left, right):
        axes.legend(frameon=False, fontsize=8)
        axes.grid(True, color="#e4e7eb", linewidth=0.8)
    target.parent.mkdir(parents=True, exist_ok=True)
    made.savefig(target)
    swing = {name: float(np.ptp(angle(motion))) for name, motion in smooth.items()}
    return {"bus": float(np.ptp(bus)), **swing}


if __name__ == "__main__":
    where = Path(sys.argv[1]) if len(sys.argv) > 1 else Path(__file__).parent / "images"
    sys.stdout.write(f"{main(where / 'frames_of_a_run.png')}\n")
