"""A dual-spin spacecraft with a nutation damper: a despun platform, a rotor, and a ball on a spring that damps nutation.

The damper makes the nutation angle decay. Its rate comes three ways: the flown run, the pole of the linear model, and the
pole of three equations written by hand; the energy-sink estimate is near them. A spinner about its minor axis (the first
American satellite) with the same damper tumbles instead.
"""

from pathlib import Path

import kit
import numpy as np

import tisserand as ts

MASS, TRANSVERSE, AXIAL = 200.0, 80.0, 60.0  # platform: kg, kg m²
SPIN_INERTIA, SPEED = 2.0, 50.0  # rotor: kg m², rad/s
BALL, ARM = 1.0, 0.9  # damper ball kg at x = ARM m, moving along z
MOMENTUM = SPIN_INERTIA * SPEED
NUTATION = MOMENTUM / TRANSVERSE  # rad/s
SPRING = BALL * (1.5 * NUTATION) ** 2
DASHPOT = 0.4 * BALL * NUTATION


def spacecraft(transverse: float = TRANSVERSE, axial: float = AXIAL, rotor: bool = True) -> ts.Vehicle:
    damper = ts.slider(
        "tube", "platform", "ball", [0, 0, 1], parent_point=[ARM, 0, 0], stiffness=SPRING, damping=DASHPOT
    )
    wheels = [ts.Rotor("rotor", "platform", [0, 0, 1], SPIN_INERTIA)] if rotor else []
    platform = ts.Body("platform", MASS, inertia=[transverse, transverse, axial])
    return ts.Vehicle("dual-spin", [platform, ts.Body("ball", BALL)], [damper], wheels)


def nutation_pole(vehicle: ts.Vehicle, spin: float = 0.0, rotor: float = 0.0) -> complex:
    """The slowest pole that decays or grows: rigid motions have none, the damper's own is fast."""
    state = ts.State(angular_velocity=[0, 0, spin], rotor_rates={"rotor": rotor} if rotor else {})
    poles = ts.linearize(vehicle, state).poles
    living = poles[(poles.imag > 1e-3) & (np.abs(poles.real) > 1e-6)]
    return complex(living[np.argmin(np.abs(living.real))])


def pole_by_hand() -> complex:
    """Ix wx' + h wy = 0, Iy wy' - h wx - mu b z'' = 0, mu z'' - mu b wy' + c z' + k z = 0; mu = reduced mass of the ball."""
    mu = BALL * MASS / (BALL + MASS)
    Ix, Iy, h = TRANSVERSE, TRANSVERSE + mu * ARM**2, MOMENTUM
    # x = [wx, wy, z, z']
    left = np.array([[Ix, 0, 0, 0], [0, Iy, 0, -mu * ARM], [0, 0, 1, 0], [0, -mu * ARM, 0, mu]])
    right = np.array([[0, -h, 0, 0], [h, 0, 0, 0], [0, 0, 0, 1], [0, 0, -SPRING, -DASHPOT]])
    poles = np.linalg.eigvals(np.linalg.solve(left, right))
    return complex(min((p for p in poles if p.imag > 0), key=lambda p: abs(p.real)))


def energy_sink() -> float:
    """Decay rate when the ball only takes energy and does not change the motion, 1/s."""
    reach = SPRING - BALL * NUTATION**2 + 1j * DASHPOT * NUTATION
    return DASHPOT * (BALL * ARM) ** 2 * NUTATION**4 / (2 * TRANSVERSE * abs(reach) ** 2)


def main(folder: Path | None = None) -> dict[str, float]:
    vehicle = spacecraft()
    start = ts.State(angular_velocity=[0.05, 0, 0], rotor_rates={"rotor": SPEED})
    run = ts.simulate(vehicle, 900.0, start, samples=1801, rtol=1e-10, atol=1e-13)

    # nutation angle: between the momentum vector and the platform's axis
    H = run.balance.angular_momentum - np.cross(run.balance.center, run.balance.momentum)
    axis = run.rotation[:, 0, :, 2]
    angle = np.arccos(np.clip(np.einsum("na,na->n", H, axis) / np.linalg.norm(H, axis=1), -1, 1))
    late = run.times > 20.0
    decay = -np.polyfit(run.times[late], np.log(angle[late]), 1)[0]

    linear, by_hand = nutation_pole(vehicle, rotor=SPEED), pole_by_hand()
    prolate = nutation_pole(spacecraft(TRANSVERSE, 40.0, rotor=False), spin=1.5)
    oblate = nutation_pole(spacecraft(TRANSVERSE, 120.0, rotor=False), spin=1.5)
    if folder is not None:
        draw(folder, run, angle, -linear.real)
    return {
        "decay of the run (1/s)": float(decay),
        "decay of the linear model (1/s)": -linear.real,
        "decay by hand (1/s)": -by_hand.real,
        "energy sink estimate (1/s)": energy_sink(),
        "nutation frequency, linear model (rad/s)": linear.imag,
        "nutation frequency by hand (rad/s)": by_hand.imag,
        "growth of a minor-axis spinner (1/s)": prolate.real,
        "growth of a major-axis spinner (1/s)": oblate.real,
        "angular momentum balance": run.balance.worst()["angular momentum"],
        "energy lost (J)": float(run.balance.energy[0] - run.balance.energy[-1]),
        "energy balance": run.balance.worst()["energy"],
    }


def draw(folder, run, angle, rate):
    made, axes = kit.plot(1, 2, width=10.0, height=4.0)
    kit.label(axes[0], "Nutation angle", "time (s)", "angle (deg)")
    axes[0].plot(run.times, np.degrees(angle), label="flown")
    axes[0].plot(run.times, np.degrees(angle[0]) * np.exp(-rate * run.times), "--", label="pole of the linear model")
    axes[0].set_ylim(bottom=0.0)
    axes[0].legend(frameon=False, fontsize=9)
    kit.label(axes[1], "Ball in its tube", "time (s)", "displacement (mm)")
    axes[1].plot(run.times, 1e3 * run.joints["tube"][:, 0], linewidth=0.7)
    kit.save(made, folder, "05_dual_spin")


if __name__ == "__main__":
    kit.run(main)
