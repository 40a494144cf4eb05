"""The main curves of a run on one page."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np

from tisserand.arguments import checked_arguments
from tisserand.multibody.quantities import ETA, unit_in
from tisserand.multibody.trajectory import Trajectory
from tisserand.views.readable import modal_axis, readable
from tisserand.views.style import figure, save_figure, tidy

#: Values below this are drawn as zero lines.
NOISE = 1e-9


def run_figure(run: Trajectory) -> Any:
    """Attitude turn and rates of the base, joints, modal coordinates, rotors, signals, and the balance."""
    panels: list[tuple[str, str, list[tuple[str, Any]]]] = [
        (
            "Angular velocity of the base",
            "deg/s",
            [(a, np.degrees(run.angular_velocity[:, i])) for i, a in enumerate("xyz")],
        )
    ]
    for (title, unit), series in joint_groups(run).items():
        panels.append((title, unit, series))
    for name, values in run.signals.items():
        if "/" not in name:  # the inner signals of controllers stay in the file
            shown, unit = readable(values, unit_in(run, "signals", name, "SI"))
            panels.append((name, unit, [(name, shown)]))
    for name, values in run.modal.items():
        if values.size:
            panels.append(
                (
                    f"Modal coordinates of {name}",
                    modal_axis(unit_in(run, "modal", name, ETA)),
                    [(f"{k + 1}", values[:, k]) for k in range(min(4, values.shape[1]))],
                )
            )
    if run.rotor_rates:
        rates = [(name, readable(values, "rad/s", rotor=True)[0]) for name, values in run.rotor_rates.items()]
        panels.append(("Rotor rates", "rpm", rates))
    b = run.balance
    panels.append(("Balance: energy less work", "J", [("violation", b.checking)]))
    panels = panels[:8]
    rows = -(-len(panels) // 2)
    made = figure(11.0, 2.7 * rows + 0.5)
    for number, (title, unit, series) in enumerate(panels, 1):
        axes = made.add_subplot(rows, 2, number)
        tidy(axes, title, "time (s)", unit)
        for label, values in series:
            axes.plot(run.times, np.ravel(values)[: len(run.times)], label=label, linewidth=1.3)
        largest = max(float(np.abs(values).max(initial=0.0)) for _, values in series)
        if largest < NOISE:  # round-off is not worth a magnifying glass
            axes.set_ylim(-1e3 * NOISE, 1e3 * NOISE)
        if len(series) > 1:
            axes.legend(fontsize=8, frameon=False, ncols=4)
    made.suptitle(run.vehicle_name, fontsize=13)
    return made


def joint_groups(run: Trajectory) -> dict[tuple[str, str], list[tuple[str, Any]]]:
    """Curves of the joints by (title, unit): angles in degrees, slides in meters; quaternions of balls are left out."""
    groups: dict[tuple[str, str], list[tuple[str, Any]]] = {}
    for name, values in run.joints.items():
        unit = unit_in(run, "joints", name, "rad or m")
        if unit == "-":
            continue
        place = {"rad": ("Joint angles", "deg"), "m": ("Joint slides", "m")}.get(unit, ("Joints", unit))
        table = np.degrees(values) if unit == "rad" else values
        for i in range(table.shape[1]):
            label = name if table.shape[1] == 1 else f"{name} {i + 1}"
            groups.setdefault(place, []).append((label, table[:, i]))
    return groups


@checked_arguments
def save_run_plot(run: Trajectory, path: str | Path) -> Path:
    """Draw the run; PNG, PDF or SVG by the ending.

    Args:
        path: the file.
    """
    return save_figure(run_figure(run), path)
