"""Flight software in the loop: a vehicle file with noisy sensors and real wheels, stepped from outside.

The file states gyros with noise, bias and random walk, star trackers with noise, wheels with friction, limits and
tachometers, and motors that take inputs. The software below sees readings only: one Kalman filter per axis estimates angle
and gyro bias, a control law commands torques. Its estimation error settles at the steady covariance of the filter, the
solution of a Riccati equation.
"""

from pathlib import Path

import kit
import numpy as np
from scipy.linalg import solve_discrete_are

import tisserand as ts

PERIOD, NOISE, WALK, TRACKER = 0.2, 2e-5, 1e-6, 5e-5
COULOMB, VISCOUS = 2e-3, 2e-5
AXES = "xyz"
INERTIA = np.array([220.0, 180.0, 260.0])


class FlightSoftware:
    """Angle and bias of each axis by a steady Kalman filter; torque -kp angle - kd rate, and the friction of the wheels."""

    def __init__(self) -> None:
        move, see = np.array([[1.0, -PERIOD], [0.0, 1.0]]), np.array([[1.0, 0.0]])
        grow = np.diag([NOISE**2 * PERIOD, WALK**2 * PERIOD])
        ahead = solve_discrete_are(move.T, see.T, grow, np.array([[TRACKER**2]]))
        self.gain = ahead @ see.T / (see @ ahead @ see.T + TRACKER**2)
        self.covariance = (np.eye(2) - self.gain @ see) @ ahead
        self.move, self.state = move, np.zeros((2, 3))
        self.kp, self.kd = 0.02 * INERTIA, 0.2 * INERTIA

    def update(self, readings: dict[str, float]) -> dict[str, float]:
        gyro = np.array([readings[f"gyro_{axis}"] for axis in AXES])
        angle = np.array([readings[f"tracker_{axis}"] for axis in AXES])
        self.state = self.state + self.gain * (angle - self.state[0])
        torque = self.kp * self.state[0] + self.kd * (
            gyro - self.state[1]
        )  # on the wheels; the body feels the reaction
        speed = np.array([readings[f"w{axis}.speed"] for axis in AXES])
        torque += COULOMB * np.sign(speed) + VISCOUS * speed
        self.estimate = self.state.copy()
        self.state = self.move @ self.state + np.array([PERIOD * gyro, np.zeros(3)])
        return {f"torque_{axis}": float(value) for axis, value in zip(AXES, torque)}


def main(folder: Path | None = None) -> dict[str, float]:
    case = ts.read_vehicle(Path(__file__).parent / "flight_software.toml")
    simulation, software = case.simulation(), FlightSoftware()
    readings = simulation.step(1e-6)  # what the sensors show at the start
    estimates, biases = [], []
    for _ in range(round(case.run.duration / PERIOD) - 1):
        torques = software.update(readings)
        estimates.append(software.estimate[0])
        biases.append(software.estimate[1])
        readings = simulation.step(PERIOD, torques)
    run = simulation.trajectory()
    true = np.array([run.signals[f"tracker_{axis}.true"] for axis in AXES]).T[1:-1]
    error = np.array(estimates) - true
    late = len(error) // 2
    torque = np.array([run.load_strength[f"w{axis}.motor"] + run.load_strength[f"w{axis}.limit"] for axis in AXES])
    if folder is not None:
        draw(folder, run, error, np.array(biases), software)
    return {
        "estimation error (urad)": 1e6 * float(np.sqrt(np.mean(error[late:] ** 2))),
        "by the Riccati equation (urad)": 1e6 * float(np.sqrt(software.covariance[0, 0])),
        "star tracker alone (urad)": 1e6 * TRACKER,
        "pointing error (urad)": 1e6 * float(np.sqrt(np.mean(true[late:] ** 2))),
        "largest motor torque (N m)": float(np.abs(torque).max()),
        "estimated bias x (urad/s)": 1e6 * float(np.mean(np.array(biases)[late:, 0])),
        "largest violation of a balance": max(run.balance.worst().values()),
    }


def draw(folder, run, error, biases, software):
    made, (a, b) = kit.plot(2, width=8.5, height=5.6)
    t = run.times[1:-1]
    kit.label(a, "Software in the loop: estimation error of three axes", "time (s)", "angle (µrad)")
    for i, axis in enumerate(AXES):
        a.plot(t, 1e6 * error[:, i], linewidth=0.7, label=axis)
    for sign in (-1, 1):
        a.axhline(3e6 * sign * np.sqrt(software.covariance[0, 0]), color="#1f2933", linewidth=1.0, linestyle="--")
    a.set_ylim(-150, 150)
    a.legend(frameon=False, fontsize=9, ncols=3)
    kit.label(b, "Estimated gyro biases (dotted: at the start; they walk at random)", "time (s)", "bias (µrad/s)")
    for i, stated in enumerate((3e-5, -2e-5, 1e-5)):
        (line,) = b.plot(t, 1e6 * biases[:, i], linewidth=0.9)
        b.axhline(1e6 * stated, color=line.get_color(), linewidth=1.0, linestyle=":")
    b.set_ylim(-60, 60)
    kit.save(made, folder, "16_flight_software")


if __name__ == "__main__":
    kit.run(main)
