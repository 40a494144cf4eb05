"""The symmetric three-body system of TR 32-1593 (Fig. 7) three ways: hinges, one-mode appendages, closed form.

A hub carries two rods on sprung hinges. A rod on a hinge and a rod as an appendage whose one mode is "turn about the
hinge" are the same machine, at rest and when it spins: the second only has a modal coordinate for an angle.
"""

from pathlib import Path

import kit
import numpy as np

import tisserand as ts

m, L, r, M, k = 2.0, 1.5, 0.5, 44.0, 9.0  # rod mass and half length, hub radius, total mass, spring
HUB = ts.Body("hub", M - 2 * m, inertia=[12.0, 10.0, 14.0])
ROD = np.diag([m * L**2 / 3, 0.0, m * L**2 / 3])
SIDES = {"right": 1.0, "left": -1.0}


def closed_form() -> list[float]:
    """Squared frequencies at rest: symmetric (rods together), antisymmetric (hub turns against them)."""
    J, R = 4 * m * L**2 / 3, m * L / M
    I1 = 12.0 + 2 * (J + 2 * m * L * r + m * r**2)
    return [k / (J - 2 * M * R**2), k / (J - 2 * (J + M * R * r) ** 2 / I1)]


def with_hinges() -> ts.Vehicle:
    rods = [ts.Body(name, m, [0, side * L, 0], ROD) for name, side in SIDES.items()]
    joints = [
        ts.hinge(f"{name} spring", "hub", name, [1, 0, 0], parent_point=[0, side * r, 0], stiffness=k)
        for name, side in SIDES.items()
    ]
    return ts.Vehicle("rods on hinges", [HUB, *rods], joints)


def with_appendages() -> ts.Vehicle:
    """Each rod is one nodal body at the hinge; its mode turns it about x, its modal stiffness is the spring."""
    still, turn = np.zeros((1, 3, 1)), np.array([[[1.0], [0.0], [0.0]]])
    mounts = []
    for name, side in SIDES.items():
        integrals = ts.nodal_body_integrals(np.zeros((1, 3)), [m], [[0, side * L, 0]], [ROD], still, turn)
        nodes = ts.NodeTable([1], np.zeros((1, 3)), still, turn)
        frame = ts.FrameRecord("connection", "hinge side of the rod")
        record = ts.ReducedAppendage(
            name, integrals=integrals, stiffness=np.array([[k]]), damping=np.zeros((1, 1)), nodes=nodes, frame=frame
        )
        mounts.append(ts.MountedAppendage(name, record, "hub", [0, side * r, 0]))
    return ts.Vehicle("rods as appendages", [HUB], appendages=mounts)


def squared_frequencies(vehicle: ts.Vehicle, spin: float) -> np.ndarray:
    poles = ts.linearize(vehicle, ts.State(angular_velocity=[0, 0, spin])).poles
    return np.sort(poles.imag[poles.imag > 1e-3]) ** 2


def main(folder: Path | None = None) -> dict[str, float]:
    hinges, appendages = with_hinges(), with_appendages()
    spins = np.linspace(0.0, 2.5, 26 if folder else 3)
    by_hinge = np.array([squared_frequencies(hinges, w)[-2:] for w in spins])
    by_mode = np.array([squared_frequencies(appendages, w)[-2:] for w in spins])

    # and in time: one rod is let go
    bent = 0.02
    run_h = ts.simulate(hinges, 10.0, ts.State(joints={"right spring": bent}), rtol=1e-11)
    run_a = ts.simulate(appendages, 10.0, ts.State(modal={"right": [bent]}), rtol=1e-11)
    away = np.abs(run_h.joints["right spring"][:, 0] - run_a.modal["right"][:, 0]).max()

    symmetric, antisymmetric = closed_form()
    if folder is not None:
        draw(folder, spins, by_hinge, by_mode, run_h, run_a)
    return {
        "closed form symmetric": symmetric,
        "closed form antisymmetric": antisymmetric,
        "hinges symmetric": by_hinge[0, 0],
        "hinges antisymmetric": by_hinge[0, 1],
        "appendages symmetric": by_mode[0, 0],
        "appendages antisymmetric": by_mode[0, 1],
        "spinning, hinges against appendages": float(np.abs(by_hinge / by_mode - 1).max()),
        "angle, hinges against appendages (rad)": float(away),
        "energy balance": run_h.balance.worst()["energy"],
    }


def draw(folder, spins, by_hinge, by_mode, run_h, run_a):
    made, axes = kit.plot(1, 2, width=10.0, height=4.0)
    kit.label(axes[0], "Frequencies of the spinning system", "spin about z (rad/s)", "frequency (rad/s)")
    for i in range(2):
        (line,) = axes[0].plot(spins, np.sqrt(by_hinge[:, i]), label=f"hinges, mode {i + 1}")
        style = {"color": line.get_color(), "markersize": 4, "label": f"appendages, mode {i + 1}"}
        axes[0].plot(spins[::3], np.sqrt(by_mode[::3, i]), "o", **style)
    axes[0].plot([0, 0], np.sqrt(closed_form()), "k_", markersize=14, label="closed form")
    axes[0].legend(frameon=False, fontsize=8)
    kit.label(axes[1], "Right rod let go from 0.02 rad", "time (s)", "angle of the rods (rad)")
    for name in SIDES:
        (line,) = axes[1].plot(run_h.times, run_h.joints[f"{name} spring"][:, 0], label=f"{name}, hinge")
        style = {"color": line.get_color(), "markersize": 3.5, "label": f"{name}, mode"}
        axes[1].plot(run_a.times[::20], run_a.modal[name][::20, 0], "o", **style)
    axes[1].legend(frameon=False, fontsize=8, ncols=2)
    kit.save(made, folder, "03_three_bodies")


if __name__ == "__main__":
    kit.run(main)
