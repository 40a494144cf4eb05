"""A spinner with booms: frequencies over spin rate (Campbell), and the spin rate at which flexible booms destabilize it.

Two cantilever booms on a hub that spins about z: nutation couples with the antisymmetric flapping of the booms, and the
centrifugal stress stiffens them. Then the same hub made long and thin, with two rods on springs: the booms alone make z
the axis of largest inertia, which is not enough when they give way. With c = J + m L r (J = 4 m L^2/3) the second
variation of energy at fixed momentum says

    stable if  (I3 - I2)(k + W^2 c) > 2 W^2 c^2,   that is  k/W^2 > 2 c^2/(I3 - I2) - c
"""

from pathlib import Path

import kit
import numpy as np

import tisserand as ts

HUB, RADIUS, LENGTH, DENSITY, RIGIDITY = (120.0, 140.0, 200.0), 0.8, 6.0, 1.1, 320.0
SPINS = (0.1, 0.5, 1.0)


def beam_spinner() -> ts.Vehicle:
    model = kit.beam(LENGTH, 24, 4 * RIGIDITY, DENSITY, clamped=True, depth=0.25)  # flaps easily, lags stiffly
    basis = ts.solve_modes(model, count=14)
    flap = np.flatnonzero(np.abs(model.displacements(basis.shapes)[-1, 2]) > 0.1)
    boom = ts.reduce(basis, attachment="root", geometric=True, modes=flap, name="boom")
    turned = np.diag([-1.0, -1.0, 1.0])
    mounts = (
        ts.MountedAppendage("right", boom, "hub", [RADIUS, 0, 0]),
        ts.MountedAppendage("left", boom, "hub", [-RADIUS, 0, 0], turned),
    )
    return ts.Vehicle("spinner", (ts.Body("hub", 300.0, inertia=HUB),), appendages=mounts)


def frequencies(vehicle: ts.Vehicle, spin: float) -> np.ndarray:
    poles = ts.linearize(vehicle, ts.State(angular_velocity=[0, 0, spin])).poles
    return np.sort(poles.imag[poles.imag > 1e-4])


m, L, r, k = 2.0, 1.5, 0.5, 9.0  # rods: mass, half length, hub radius, spring
THIN = (12.0, 24.0, 14.0)  # hub: z is not its largest axis
J = 4 * m * L**2 / 3
C = J + m * L * r
EXCESS = THIN[2] + 2 * (J + 2 * m * L * r + m * r**2) - THIN[1]  # I3 - I2 of the rigid whole


def rod_spinner() -> ts.Vehicle:
    rod = np.diag([m * L**2 / 3, 0.0, m * L**2 / 3])
    sides = {"right": 1.0, "left": -1.0}
    bodies = [ts.Body("hub", 40.0, inertia=THIN), *(ts.Body(n, m, [0, s * L, 0], rod) for n, s in sides.items())]
    joints = [
        ts.hinge(f"{n} root", "hub", n, [1, 0, 0], parent_point=[0, s * r, 0], stiffness=k) for n, s in sides.items()
    ]
    return ts.Vehicle("rod spinner", bodies, joints)


def growth(vehicle: ts.Vehicle, spin: float) -> float:
    """Largest real part of all poles, 1/s."""
    return float(ts.linearize(vehicle, ts.State(angular_velocity=[0, 0, spin])).poles.real.max())


def critical_spin(vehicle: ts.Vehicle) -> float:
    """Where the linear model begins to grow, by bisection, rad/s."""
    low, high = 0.5, 3.0
    while high - low > 1e-5:
        middle = 0.5 * (low + high)
        low, high = (low, middle) if growth(vehicle, middle) > 2e-3 else (middle, high)
    return 0.5 * (low + high)


def main(folder: Path | None = None) -> dict[str, float]:
    spinner, rods = beam_spinner(), rod_spinner()
    numbers = {}
    for spin in SPINS:
        found = frequencies(spinner, spin)
        for i, value in enumerate(found[found < 40.0]):
            numbers[f"spin {spin} frequency {i + 1}"] = float(value)

    closed = float(np.sqrt(k / (2 * C**2 / EXCESS - C)))
    numbers["critical spin, closed form (rad/s)"] = closed
    numbers["critical spin, linear model (rad/s)"] = critical_spin(rods)
    tilt = {}
    for share in (0.9, 1.1):
        start = ts.State(angular_velocity=[0.0, 0.001, share * closed])
        run = ts.simulate(rods, 60.0, start, samples=601, rtol=1e-10, atol=1e-13)
        tilt[share] = run.times, np.degrees(np.arccos(np.clip(run.rotation[:, 0, 2, 2], -1, 1)))
        numbers[f"tilt at {share} of critical (deg)"] = float(tilt[share][1].max())
        numbers[f"angular momentum balance at {share}"] = run.balance.worst()["angular momentum"]
    if folder is not None:
        draw(folder, spinner, rods, closed, tilt)
    return numbers


def draw(folder, spinner, rods, closed, tilt):
    made, axes = kit.plot(1, 3, width=12.5, height=4.0)
    kit.label(axes[0], "Campbell diagram of the beam spinner", "spin (rad/s)", "frequency (rad/s)")
    for spin in np.linspace(0.05, 3.0, 25):
        f = frequencies(spinner, spin)
        f = f[f < 14.0]
        axes[0].plot(np.full(len(f), spin), f, ".", color="#0072b2", markersize=4)
    kit.label(
        axes[1], "Rod spinner: growth of the linear model", "spin over critical spin (-)", "largest real part (1/s)"
    )
    shares = np.linspace(0.5, 1.5, 41)
    axes[1].plot(shares, [growth(rods, s * closed) for s in shares])
    axes[1].axvline(1.0, color="#8c6d31", linestyle=":", linewidth=1.2)
    kit.label(axes[2], "Rod spinner: tilt of the spin axis", "time (s)", "tilt (deg)")
    for share, (times, angle) in tilt.items():
        axes[2].semilogy(times, np.maximum(angle, 1e-3), label=f"{share} of the critical spin")
    axes[2].legend(frameon=False, fontsize=9)
    kit.save(made, folder, "06_spinner")


if __name__ == "__main__":
    kit.run(main)
