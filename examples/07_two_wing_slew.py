"""A two-wing satellite: slewing with and without input shaping, and its poles against the angle of the arrays.

A bang-bang torque turns the craft fastest and leaves the wings ringing. The same torque through a zero-vibration shaper
(two impulses, half a period of the lowest mode apart) takes half a period longer and leaves them quiet. The frequencies
that a controller must avoid move with the array angle: the weekly table of a control team. From the command line:

    tisserand sweep examples/two_wing.toml --over joints.north.motion=0:1.5708:7
"""

from dataclasses import replace
from pathlib import Path

import kit
import numpy as np

import tisserand as ts

FILE = kit.HERE / "two_wing.toml"
TORQUE, PUSH = 6.0, 20.0  # N m, s


def slewed(case: ts.VehicleCase, torque: ts.profiles.Profile):
    load = case.loads[0].driven_by(torque)
    return ts.fly(replace(case, loads=(load,), run=case.run.changed(duration=50.0, output_step=0.05)))


def shaped(omega: float, ratio: float) -> ts.profiles.Profile:
    """Bang-bang through a zero-vibration shaper for one mode: impulses 1/(1+K) and K/(1+K), half a damped period apart."""
    half = np.pi / (omega * np.sqrt(1 - ratio**2))
    K = np.exp(-ratio * omega * half)
    weights = np.array([1.0, K]) / (1 + K)
    corners: dict[float, float] = {}
    for weight, delay in zip(weights, (0.0, half)):
        for time, jump in ((0.0, 1.0), (PUSH / 2, -2.0), (PUSH, 1.0)):
            corners[time + delay] = corners.get(time + delay, 0.0) + TORQUE * weight * jump
    times = sorted(corners)
    return ts.profiles.table(times, np.cumsum([corners[t] for t in times]), "hold")


def at_angle(degrees: float):
    """System modes with both arrays turned."""
    angle = float(np.radians(degrees))
    case = ts.read_vehicle(FILE, {"joints.north.motion": angle, "joints.south.motion": angle})
    return ts.system_modes(case.vehicle, case.initial)


def main(folder: Path | None = None) -> dict[str, float]:
    case = ts.read_vehicle(FILE)
    modes = ts.system_modes(case.vehicle)
    roll = int(np.argmax([excited(modes, i) for i in range(4)]))  # the mode that the torque about x shakes
    omega, ratio = 2 * np.pi * modes.frequencies_hz[roll], modes.damping_ratios[roll]
    bang = slewed(case, ts.profiles.bang_bang(TORQUE, 0.0, PUSH))
    quiet = slewed(case, shaped(omega, ratio))

    def residual(run) -> float:
        late = run.times > PUSH + np.pi / omega + 0.1
        return float(np.ptp(run.signals["tip"][late]) / 2)

    angles = np.linspace(0.0, 90.0, 13 if folder else 4)
    table = np.array([at_angle(a).frequencies_hz[:8] for a in angles])
    if folder is not None:
        draw(folder, bang, quiet, angles, table)
    return {
        "rigid-body modes": modes.rigid,
        **{f"mode {i + 1} (Hz)": float(f) for i, f in enumerate(table[0][:6])},
        **{f"mode {i + 1} at 90 deg (Hz)": float(f) for i, f in enumerate(table[-1][:6])},
        "shaped for (Hz)": float(omega / (2 * np.pi)),
        "slew, bang-bang (deg)": float(np.degrees(bang.signals["turn"][-1])),
        "slew, shaped (deg)": float(np.degrees(quiet.signals["turn"][-1])),
        "ringing after bang-bang (mm)": 1e3 * residual(bang),
        "ringing after shaping (mm)": 1e3 * residual(quiet),
        "angular momentum balance": quiet.balance.worst()["angular momentum"],
        "energy balance": quiet.balance.worst()["energy"],
    }


def excited(modes, i: int) -> float:
    """How much of a mode is a turn of the base about x."""
    row = modes.coordinates.index("base.turn.x")
    return float(np.abs(modes.shapes[row, i]) / np.linalg.norm(modes.shapes[:, i]))


def draw(folder, bang, quiet, angles, table):
    made, axes = kit.plot(1, 3, width=13.0, height=4.2)
    kit.label(axes[0], "Slew about x", "time (s)", "torque (N m)")
    for run, name in ((bang, "bang-bang"), (quiet, "shaped")):
        axes[0].plot(run.times, run.load_strength["slew"], label=name, drawstyle="steps-post")
    axes[0].set_xlim(-0.5, 25)
    kit.label(axes[1], "Wing tip", "time (s)", "deflection (mm)")
    for run, name in ((bang, "bang-bang"), (quiet, "shaped")):
        axes[1].plot(run.times, 1e3 * run.signals["tip"], label=name, linewidth=1.0)
    kit.label(axes[2], "System modes against array angle", "array angle (deg)", "frequency (Hz)")
    for i in range(table.shape[1]):
        axes[2].plot(angles, table[:, i], marker="o", markersize=3)
    for a in axes[:2]:
        a.legend(frameon=False, fontsize=9)
    kit.save(made, folder, "07_two_wing_slew")


if __name__ == "__main__":
    kit.run(main)
