"""A satellite with two wings on array drives and a camera: uncertain linear model, and how far jitter may grow.

The structure of a well-known European benchmark (bus, two flexible wings on drives, disturbance at a wheel, line of sight of an
instrument), with numbers of our own. The wings' frequencies, damping, participation and mass are factors with ranges; the linear
fractional form is closed at random factors and compared with the satellite rebuilt with the same ones.
"""

from pathlib import Path

import kit
import numpy as np

import tisserand as ts

RANGES = {"frequency": 0.12, "damping": 0.5, "participation": 0.1, "mass": 0.05}
DRAWN = 60


def satellite() -> ts.Vehicle:
    """Bus, drives with springs about y, wings of 6 m, a camera on a short stiff mast."""
    wing = ts.reduce(
        ts.solve_modes(kit.beam(6.0, 12, 2200.0, 4.0, clamped=True, depth=4.0), count=4),
        attachment="root",
        damping=0.005,
    )
    mast = ts.reduce(ts.solve_modes(kit.beam(1.2, 6, 4e4, 6.0, clamped=True), count=3), attachment="root", damping=0.01)
    bus = ts.Body("bus", 650.0, inertia=[180.0, 140.0, 200.0])
    drives = [ts.Body(f"{side} drive", 4.0, inertia=[0.02, 0.02, 0.02]) for side in ("north", "south")]
    sides = {"north": 1.0, "south": -1.0}
    joints = [
        ts.hinge(
            side,
            "bus",
            f"{side} drive",
            [0.0, 1.0, 0.0],
            parent_point=[0.0, sign * 0.7, 0.0],
            stiffness=900.0,
            damping=1.5,
        )
        for side, sign in sides.items()
    ]
    turns = {"north": [[0, -1, 0], [1, 0, 0], [0, 0, 1]], "south": [[0, 1, 0], [-1, 0, 0], [0, 0, 1]]}
    mounts = [
        ts.MountedAppendage(f"{side} wing", wing, f"{side} drive", attitude=np.array(turns[side], float))
        for side in sides
    ]
    up = np.array([[0, 0, -1], [0, 1, 0], [1, 0, 0]], float)
    mounts.append(ts.MountedAppendage("camera", mast, "bus", [0.2, 0.0, 0.6], attitude=up))
    return ts.Vehicle("satellite", (bus, *drives), joints=joints, appendages=mounts)


def model_of(vehicle: ts.Vehicle) -> ts.UncertainModel:
    """Control torque and wheel force to attitude rate and to the motion of the camera across its mast."""
    loads = [
        ts.loads.torque("bus", [1.0, 0.0, 0.0], "control"),
        ts.loads.force("bus", [0.0, 1.0, 0.0], "wheel", point=[0.3, 0.1, -0.2]),
    ]
    seen = [
        ts.signals.body_rate("bus", [1.0, 0.0, 0.0], "rate"),
        ts.signals.node_deflection("camera", "tip", [0.0, 1.0, 0.0], name="sight"),
    ]
    certain = {f"camera {word}": 0.0 for word in ("mass",)}
    certain |= {f"camera mode {n} {word}": 0.0 for n in (1, 2, 3) for word in ("frequency", "damping", "participation")}
    return ts.uncertain_vehicle(vehicle, loads=loads, outputs=seen, modes=3, ranges=certain, **RANGES)


def main(folder: Path | None = None) -> dict[str, float]:
    model = model_of(satellite())
    hz = np.unique(np.concatenate([np.geomspace(0.1, 30.0, 500), np.linspace(0.2, 4.0, 300)]))
    nominal = np.abs(model.nominal.response(hz))
    _deltas, family = model.family(DRAWN, seed=4)
    gains = np.array([np.abs(system.response(hz)) for system in family])
    poles = [np.linalg.eigvals(system.A) for system in family]
    first = [np.abs(p[p.imag > 0.1]).min() / (2.0 * np.pi) for p in poles]
    sampled = model.nominal.sampled(0.05, delay=0.07)
    shifted = sampled.response(np.array([0.3]))[0, 0, 0] / model.nominal.response(np.array([0.3]))[0, 0, 0]
    if folder is not None:
        draw(folder, hz, nominal, gains)
    return {
        "factors": float(len(model.factors)),
        "size of Delta": float(model.channels),
        "lowest first flexible mode (Hz)": float(min(first)),
        "highest first flexible mode (Hz)": float(max(first)),
        "largest sight per wheel force, drawn over nominal": float(gains[:, :, 1, 1].max() / nominal[:, 1, 1].max()),
        "delay seen at 0.3 Hz, sampled (s)": float(-np.angle(shifted) / (2.0 * np.pi * 0.3)),
        "steps are stable in the sampler": float(np.abs(np.linalg.eigvals(sampled.A)).max() <= 1.0 + 1e-9),
    }


def draw(folder, hz, nominal, gains):
    made, axes = kit.plot(2, width=8.5, height=6.0)
    for a, (o, i), words in zip(axes, ((0, 0), (1, 1)), ("attitude rate per control torque", "sight per wheel force")):
        kit.label(a, f"Two wings on drives: {words}, {DRAWN} of the uncertain systems", "frequency (Hz)", "gain (SI)")
        a.fill_between(hz, gains[:, :, o, i].min(axis=0), gains[:, :, o, i].max(axis=0), color="#cfd8e3", label="drawn")
        a.plot(hz, nominal[:, o, i], color="#0072b2", linewidth=1.3, label="nominal")
        a.set_xscale("log")
        a.set_yscale("log")
    axes[0].legend(frameon=False, fontsize=9)
    kit.save(made, folder, "18_uncertain_satellite")


if __name__ == "__main__":
    kit.run(main)
