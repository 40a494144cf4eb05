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

import tisserand as ts


def main(folder: Path | None = None, duration: float | None = None) -> dict[str, float]:
    case = ts.read_vehicle(kit.HERE / "fig1_spacecraft.toml")
    if duration is not None:
        case = replace(case, run=case.run.changed(duration=duration))
    run = ts.fly(case)
    sheet, vehicle = run.balance, case.vehicle

    hinges, rotors = len(vehicle.joints), len(vehicle.rotors)
    modes = sum(a.record.count for a in vehicle.appendages)
    H = np.linalg.norm(sheet.angular_momentum[0])
    if folder is not None:
        draw(folder, vehicle, run)
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


def draw(folder, vehicle, run):
    made = kit.figure(11.0, 7.6)
    grid = made.add_gridspec(2, 3, height_ratios=(1.25, 1.0))
    space = made.add_subplot(grid[0, :])
    screen = kit.show_vehicle(space, vehicle, run)
    names = {
        "bus": (0, -0.3, 0.75), "engine": (0, 0, -2.0), "cross": (0.5, 0.4, -1.2), "platform": (0.6, 0.6, 1.7),
        "dish": (2.6, 0.2, -1.5), "arm": (1.5, 0, 0.15), "north wing": (0, 4.6, 1.15), "south wing": (0, -4.0, 1.5),
        "boom": (-4.5, 0, 0.7),
    }  # fmt: skip
    for name, place in names.items():
        space.text(*(np.array(place) @ screen), name, fontsize=9, ha="center")
    axes = [made.add_subplot(grid[1, i]) for i in range(3)]
    early = run.times <= 20.0
    t = run.times[early]
    kit.label(axes[0], "Hinges let go", "time (s)", "angle (deg)")
    for name, values in run.joints.items():
        axes[0].plot(t, np.degrees(values[early, 0]), label=name.replace("_", " "), linewidth=1.0)
    kit.label(axes[1], "Flexible structures", "time (s)", "deflection (mm)")
    for name in ("north_tip", "south_tip", "boom_tip"):
        axes[1].plot(t, 1e3 * run.signals[name][early], label=name.replace("_", " "), linewidth=1.0)
    kit.label(axes[2], "Angular momentum: drift", "time (s)", "drift over its size (-)")
    H = run.balance.angular_momentum
    for i, axis in enumerate("xyz"):
        axes[2].plot(run.times, (H[:, i] - H[0, i]) / np.linalg.norm(H[0]), label=axis, linewidth=0.8)
    for a in axes:
        a.legend(frameon=False, fontsize=7, ncols=3)
    kit.save(made, folder, "02_fig1_spacecraft")


if __name__ == "__main__":
    kit.run(main)
