"""The typical spacecraft of TR 32-1576, Fig. 1: six substructures, one of them imaginary, flown from one TOML file.

Bus with two wings, a boom and three wheels; an engine on a two-axis gimbal through a massless cross; a scan platform; a
two-hinge antenna arm with a flexible dish. No external load acts, so momentum must stay what it was, whatever the
joints, wheels and 30 modes do among themselves. The same from the command line:

    tisserand simulate examples/fig1_spacecraft.toml -o run.h5
"""

from dataclasses import replace
from pathlib import Path

import kit
import numpy as np

from tisserand.workflows.simulate import fly
from tisserand.workflows.vehicle_file import read_vehicle


def main(folder: Path | None = None, duration: float | None = None) -> dict[str, float]:
    case = read_vehicle(kit.HERE / "fig1_spacecraft.toml")
    if duration is not None:
        case = replace(case, run=replace(case.run, duration=duration))
    run = fly(case)
    sheet, vehicle = run.balance, case.vehicle

    hinges, rotors = len(vehicle.joints), len(vehicle.rotors)
    modes = sum(a.record.count for a in vehicle.appendages)
    H = np.linalg.norm(sheet.angular_momentum[0])
    if folder is not None:
        draw(folder, run)
    return {
        "substructures": len(vehicle.bodies),
        "massless bodies": sum(b.mass == 0.0 for b in vehicle.bodies),
        "degrees of freedom": vehicle.degrees_of_freedom,
        "6 + n + rotors + modes": 6 + hinges + rotors + modes,
        "modes": modes,
        "complete": run.complete,
        "seconds flown": float(run.times[-1]),
        "drift of angular momentum": float(np.abs(sheet.angular_momentum - sheet.angular_momentum[0]).max() / H),
        "drift of momentum (N s)": float(np.abs(sheet.momentum - sheet.momentum[0]).max()),
        "drift of momentum": sheet.worst()["momentum"],
        "energy balance": sheet.worst()["energy"],
        "largest wing tip deflection (m)": float(np.abs(run.signals["north_tip"]).max()),
        "times real time": float(run.times[-1] / run.statistics.wall_seconds),
    }


def draw(folder, run):
    made, axes = kit.plot(2, 2, width=11.0, height=6.6)
    early = run.times <= 60.0
    t = run.times[early]
    kit.label(axes[0], "Hinges let go", "time (s)", "angle (deg)")
    for name, values in run.joints.items():
        axes[0].plot(t, np.degrees(values[early, 0]), label=name.replace("_", " "))
    kit.label(axes[1], "Flexible structures", "time (s)", "deflection (mm)")
    for name in ("north_tip", "south_tip", "boom_tip"):
        axes[1].plot(t, 1e3 * run.signals[name][early], label=name.replace("_", " "), linewidth=1.0)
    kit.label(axes[2], "Bus", "time (s)", "angular velocity (deg/s)")
    for i, axis in enumerate("xyz"):
        axes[2].plot(run.times, np.degrees(run.angular_velocity[:, i]), label=axis, linewidth=1.0)
    kit.label(axes[3], "Angular momentum less its start, over its size", "time (s)", "relative drift (-)")
    H = run.balance.angular_momentum
    for i, axis in enumerate("xyz"):
        axes[3].plot(run.times, (H[:, i] - H[0, i]) / np.linalg.norm(H[0]), label=axis, linewidth=1.0)
    for a in axes:
        a.legend(frameon=False, fontsize=8, ncols=3)
    kit.save(made, folder, "02_fig1_spacecraft")


if __name__ == "__main__":
    kit.run(main)
