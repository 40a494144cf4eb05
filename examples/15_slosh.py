"""Slosh and control: where the tank of a hovering lander may sit.

A lander hovers on its engine, which a controller turns to keep it upright. The liquid sways like a pendulum. The engine pushes
the lander sideways when it turns it, and the tank feels both. In a low tank this damps the swing. From about the mass center
upward the controller feeds the liquid, and the swing grows, until the tank is so high that the turn wins over the push. The same
equations by hand (three coordinates, a page of algebra) give the same poles.
"""

from pathlib import Path

import kit
import numpy as np
from scipy.linalg import eig

import tisserand as ts

GRAVITY = 1.62  # of the Moon, m/s²
DRY, INERTIA, NOZZLE = 800.0, 900.0, -1.3  # kg, kg m² across the axis, m
RADIUS, DEPTH, LIQUID, DAMPING = 0.6, 0.6, 600.0, 0.002  # m, m, kg, ratio of critical
ANGLE_GAIN, RATE_GAIN = 0.9, 1.3  # rad of the engine per rad and rad/s of the lander
PLACES = {"low": -0.7, "high": 0.2}  # of the tank's bottom above the mass center of the dry lander, m
SWING, SECONDS = np.radians(2.0), 60.0


def lander(bottom: float) -> tuple[ts.Vehicle, list[ts.Load], list[ts.LinearController]]:
    """Vehicle, thrust that carries its weight, and the law that turns the engine by pushing sideways at the nozzle."""
    liquid = ts.slosh.cylinder(RADIUS, DEPTH, LIQUID)
    dry = ts.Vehicle("lander", [ts.Body("dry", DRY, inertia=[INERTIA, INERTIA, 500.0])], gravity=[0, 0, -GRAVITY])
    vehicle = ts.slosh.with_tank(
        dry, "fuel", "dry", liquid, position=[0, 0, bottom], acceleration=GRAVITY, damping=DAMPING
    )
    thrust = (DRY + LIQUID) * GRAVITY
    laws = []
    for word, axis, side in (("pitch", [0, 1, 0], [1, 0, 0]), ("yaw", [1, 0, 0], [0, -1, 0])):
        seen = ts.signals.attitude_error("dry", axis, name=word), ts.signals.body_rate("dry", axis, f"{word} rate")
        push = ts.loads.force("dry", side, None, point=[0, 0, NOZZLE], name=f"engine turned, {word}")
        laws.append(ts.LinearController(word, seen, (push,), thrust * np.array([[ANGLE_GAIN, RATE_GAIN]])))
    return vehicle, [ts.loads.force("dry", [0, 0, 1], thrust, point=[0, 0, NOZZLE], name="thrust")], laws


def by_hand(bottom: float) -> np.ndarray:
    """Poles of small motion in one plane: x of the dry mass center, lean a, and swing b of the pendulum from the vertical.

    Kinetic energy of the solid part, m_s (x + z_s a)'² / 2 + I a'² / 2, and of the bob, m (x + z_h a - l b)'² / 2; weight;
    the thrust leans with the lander: T (a + d) sideways at the nozzle, d = k a + c a'.
    """
    liquid = ts.slosh.cylinder(RADIUS, DEPTH, LIQUID)
    m, length = float(liquid.masses[0]), float(liquid.lengths[0])
    hinge, solid = bottom + float(liquid.heights[0]) + length, DRY + liquid.rigid_mass
    center = liquid.rigid_mass * (bottom + liquid.rigid_height) / solid  # of the solid part
    offset = bottom + liquid.rigid_height - center
    turn = INERTIA + DRY * center**2 + liquid.rigid_inertia + liquid.rigid_mass * offset**2
    bob = np.array([1.0, hinge, -length])
    body = np.array([1.0, center, 0.0])
    M = solid * np.outer(body, body) + m * np.outer(bob, bob)
    M[1, 1] += turn
    T = (DRY + LIQUID) * GRAVITY
    K = np.diag([0.0, -GRAVITY * (solid * center + m * hinge), m * GRAVITY * length])
    K[0, 1] -= T
    push = np.array([1.0, NOZZLE, 0.0]) * T  # of the turned engine
    K[:, 1] -= push * ANGLE_GAIN
    friction = 2.0 * DAMPING * np.sqrt(GRAVITY / length) * m * length**2 * np.array([0.0, 1.0, -1.0])
    C = np.outer(friction, [0.0, 1.0, -1.0])
    C[:, 1] -= push * RATE_GAIN
    zero, one = np.zeros((3, 3)), np.eye(3)
    return eig(np.block([[zero, one], [-K, -C]]), np.block([[one, zero], [zero, M]]), right=False)


def slosh_pole(poles) -> complex:
    """The pole of the liquid: the fastest that oscillates."""
    return poles[np.argmax(poles.imag)]


def linear_model(bottom: float) -> np.ndarray:
    vehicle, loads, laws = lander(bottom)
    return np.linalg.eigvals(ts.linearize(vehicle, loads=loads, controllers=laws).A)


def fly(bottom: float) -> ts.Trajectory:
    vehicle, loads, laws = lander(bottom)
    start = ts.State(joints={"fuel.1": [0.0, SWING]})
    return ts.simulate(vehicle, SECONDS, start, loads=loads, controllers=laws, samples=1201, rtol=1e-9)


def growth(run: ts.Trajectory) -> float:
    """Rate of the logarithm of successive peaks of the swing, 1/s, when the lander's own motion has died away."""
    swing = np.abs(run.joints["fuel.1"][:, 1])
    late = run.times > 20.0
    peaks = np.flatnonzero((swing[1:-1] > swing[:-2]) & (swing[1:-1] >= swing[2:]) & late[1:-1]) + 1
    return float(np.polyfit(run.times[peaks], np.log(swing[peaks]), 1)[0])


def main(folder: Path | None = None) -> dict[str, float]:
    heights = np.linspace(-0.9, 1.5, 49)
    hand = np.array([slosh_pole(by_hand(z)) for z in heights])
    runs = {name: fly(z) for name, z in PLACES.items()}
    few = heights[::4]
    model = np.array([slosh_pole(linear_model(z)) for z in few])
    if folder is not None:
        draw(folder, heights, hand, few, model, runs)
    found = {"largest gap between hand and linear model (1/s)": float(np.abs(model - hand[::4]).max())}
    for name, z in PLACES.items():
        found[f"growth of the swing, tank {name} (1/s)"] = growth(runs[name])
        found[f"growth by hand, tank {name} (1/s)"] = float(slosh_pole(by_hand(z)).real)
        found[f"energy balance, tank {name}"] = runs[name].balance.worst()["energy"]
    return found


def draw(folder, heights, hand, few, model, runs):
    made, axes = kit.plot(1, 2, width=10.5, height=4.2)
    kit.label(axes[0], "Swing of the liquid over the place of the tank", "bottom of the tank (m)", "growth (1/s)")
    top = 1.5 * hand.real.max()
    axes[0].axhspan(0.0, top, color="#d55e00", alpha=0.08)
    axes[0].axhline(0.0, color="#1f2933", linewidth=0.8)
    axes[0].plot(heights, hand.real, label="equations by hand")
    axes[0].plot(few, model.real, "o", markersize=5, label="linear model of the vehicle")
    axes[0].text(1.48, 0.96 * top, "the controller feeds the liquid", ha="right", va="top", fontsize=9, color="#d55e00")
    low = 1.1 * hand.real.min()
    axes[0].set_ylim(low, top)
    for name, z in PLACES.items():
        axes[0].axvline(z, color="#1f2933", linewidth=0.8, linestyle=":")
        axes[0].text(z + 0.04, 0.5 * low, f"tank {name}", rotation=90, va="center", fontsize=9)
    axes[0].legend(frameon=False, fontsize=9, loc="lower right")
    kit.label(axes[1], "Two flights from a swing of 2 degrees", "time (s)", "swing of the liquid (deg)")
    for name, run in runs.items():
        axes[1].plot(run.times, np.degrees(run.joints["fuel.1"][:, 1]), label=f"tank {name}", linewidth=1.2)
    axes[1].legend(frameon=False, fontsize=9)
    kit.save(made, folder, "15_slosh")


if __name__ == "__main__":
    kit.run(main)
