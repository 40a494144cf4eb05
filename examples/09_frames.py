"""A free beam with two end bodies seen from four floating frames (TR 32-1593, Fig. 4).

In the antisymmetric mode the end bodies lie on opposite sides of the Tisserand axis and of the principal axis: the
frames show the same motion differently. Closed form of the massless beam (length 2 l,
rigidity EI, end bodies m, J): w^2 = (3 EI/l^3)(1/m + l^2/J), tip deflection over tip turn = -J/(m l) in the Tisserand frame.
"""

from pathlib import Path

import kit
import numpy as np
from scipy.interpolate import CubicHermiteSpline

import tisserand as ts

EI, l, m, J = 100.0, 2.0, 5.0, 3.0
INERTIA = (J, 0.0, J)  # end bodies are rods across the beam, in its plane


def main(folder: Path | None = None) -> dict[str, float]:
    model = kit.beam(2 * l, 8, EI, 1e-4, ends=(m, INERTIA), depth=4.0, area=1e-4)  # almost massless
    basis = ts.solve_modes(model, count=3, free=True, frame="buckens")
    moved = model.displacements(basis.shapes)
    k = int(np.argmax(np.abs(moved[-1, 1] - moved[0, 1])))  # the tips go opposite ways

    # the same shape in both frames, turned by one radian at the tip
    scale = moved[-1, 5, k]
    shapes = {
        f.name: model.displacements(ts.converted(basis, f).shapes)[:, :, k] / scale
        for f in (ts.buckens(model), ts.milne(model))
    }
    tip = {name: float(s[-1, 1] / s[-1, 5]) for name, s in shapes.items()}

    # let it vibrate, bending and twisting, while it turns, and look from every frame
    record = ts.reduce(basis, name="beam")
    vehicle = ts.Vehicle("free beam", (ts.Body("frame"),), appendages=(ts.MountedAppendage("beam", record, "frame"),))
    amplitude = np.zeros(3)
    amplitude[k] = 0.1 / scale  # end bodies turn by 0.1 rad
    start = ts.State(angular_velocity=[0, 0, 0.5], modal={"beam": amplitude}, modal_rates={"beam": [0.5, 1.0, 0.0]})
    run = ts.simulate(vehicle, 4.0, start, samples=1601, rtol=1e-11, atol=1e-14)
    frames = {name: ts.reexpress(run, vehicle, name) for name in ("tisserand", "buckens", "principal", "milne")}
    H = np.linalg.norm(frames["tisserand"].angular_momentum, axis=1).max()
    leftover = {name: float(np.abs(f.relative_momentum).max() / H) for name, f in frames.items()}
    if folder is not None:
        draw(folder, model.nodes.positions[:, 0], shapes, frames)
    return {
        "eigenvalue (rad2/s2)": float(basis.eigenvalues[k]),
        "closed form (rad2/s2)": 3 * EI / l**3 * (1 / m + l**2 / J),
        "tip deflection over turn, Tisserand": tip["buckens"],
        "closed form, Tisserand": -J / (m * l),
        "tip deflection over turn, principal": tip["milne"],
        "closed form, principal": principal_tip(),
        "swing of the principal frame (rad)": float(turn(frames["buckens"], frames["principal"]).max()),
        "Milne against principal (rad)": float(turn(frames["principal"], frames["milne"]).max()),
        "Tisserand against Buckens (rad)": float(turn(frames["buckens"], frames["tisserand"]).max()),
        "H - I w over H, Tisserand": leftover["tisserand"],
        "H - I w over H, Buckens": leftover["buckens"],
        "H - I w over H, principal": leftover["principal"],
        "angular momentum balance": run.balance.worst()["angular momentum"],
    }


def principal_tip() -> float:
    """Tip deflection over tip turn in the principal frame: the Tisserand shape less a turn that makes int x y dm vanish."""
    w = -J / (m * l)
    Ixx, Iyy, _ = INERTIA
    lean = (m * l * w + Iyy - Ixx) / (m * l**2 + Iyy - Ixx)
    return (w - lean * l) / (1 - lean)


def turn(one, two):
    """Angle between two moving frames, rad."""
    a, b = one.attitude, two.attitude
    vector = a[:, :1] * b[:, 1:] - b[:, :1] * a[:, 1:] - np.cross(a[:, 1:], b[:, 1:])
    return 2 * np.arcsin(np.clip(np.linalg.norm(vector, axis=1), 0, 1))


def draw(folder, x, shapes, frames):
    made, axes = kit.plot(1, 2, width=10.0, height=4.2)
    kit.label(axes[0], "One mode, two frames", "along the frame's first axis (m)", "deflection per rad of tip turn (m)")
    for name, title in (("buckens", "Tisserand/Buckens frame"), ("milne", "principal frame")):
        s = shapes[name]
        curve = CubicHermiteSpline(x, s[:, 1], s[:, 5])  # beams are cubic between their nodes
        fine = np.linspace(x[0], x[-1], 200)
        (line,) = axes[0].plot(fine, curve(fine), label=title)
        for end in (0, -1):  # the end bodies, rods across the beam
            c, t = np.array([x[end], s[end, 1]]), s[end, 5] * 0.35
            across = 0.25 * np.array([-np.sin(t), np.cos(t)])
            axes[0].plot(
                *np.array([c - across, c + across]).T, color=line.get_color(), linewidth=4, solid_capstyle="round"
            )
    axes[0].axhline(0.0, color="#1f2933", linewidth=0.6)
    axes[0].set_ylim(-1.0, 1.0)
    axes[0].legend(frameon=False, fontsize=9, loc="upper center")
    kit.label(axes[1], "Frames of the vibrating, turning beam", "time (s)", "angle to the Buckens frame (rad)")
    for name in ("principal", "tisserand"):
        gap = turn(frames["buckens"], frames[name])
        axes[1].semilogy(frames[name].times[1:], gap[1:], label=name.capitalize())
    axes[1].set_ylim(1e-5, 0.1)
    axes[1].legend(frameon=False, fontsize=9)
    kit.save(made, folder, "09_frames")


if __name__ == "__main__":
    kit.run(main)
