"""A wheel with imbalance shakes a boom: jitter over the speed of the wheel, run against linear model.

A reaction wheel of 1.5 g cm and 20 g cm² spins up slowly in a free spacecraft with a flexible boom. When its speed passes the
boom's frequency, the pointing error of the hub peaks. At constant speeds the amplitude follows from the linear model as well:
transfer function of force and torque at the wheel times U w².
"""

from pathlib import Path

import kit
import numpy as np

import tisserand as ts

STATIC, DYNAMIC, SPIN, PLACE = 1.5e-5, 2e-6, 0.04, np.array([0.4, 0.0, 0.2])
SPEEDS_HZ = (12.0, 16.0, 20.0, 26.0)
AXIS = np.array([1.0, 0.0, 0.0])


def craft() -> tuple[ts.Vehicle, ts.ReactionWheel]:
    model = kit.beam(2.0, 12, 1150.0, 3.0, clamped=True, depth=1.8)
    boom = ts.reduce(ts.solve_modes(model, count=4), attachment="root", damping=0.01, name="boom")
    wheel = ts.reaction_wheel(
        "wheel", "hub", AXIS, SPIN, position=PLACE, mass=5.0, transverse_inertia=0.025,
        static_imbalance=STATIC, dynamic_imbalance=DYNAMIC,
    )  # fmt: skip
    hub = ts.Body("hub", 200.0, inertia=[35.0, 40.0, 45.0])
    mount = ts.MountedAppendage("boom", boom, "hub", [0.5, 0.0, 0.0])
    return ts.Vehicle("jitter", (hub,), rotors=[wheel.rotor], appendages=[mount]), wheel


def rates() -> list[ts.Signal]:
    return [ts.signals.body_rate("hub", np.eye(3)[i], f"rate {'xyz'[i]}") for i in (1, 2)]


def predicted(vehicle: ts.Vehicle, hertz: float) -> np.ndarray:
    """Amplitudes of the hub's rates about y and z, rad/s, at a constant speed, from the linear model there."""
    w = 2.0 * np.pi * hertz
    across = np.eye(3)[1], np.eye(3)[2]  # y, z: right-handed about x
    loads = [ts.loads.force("hub", axis, "F" + word, point=PLACE) for axis, word in zip(across, "12")]
    loads += [ts.loads.torque("hub", axis, "T" + word) for axis, word in zip(across, "12")]
    model = ts.linearize(vehicle, ts.State(rotor_rates={"wheel": w}), loads=loads, outputs=rates())
    by_name = {"F1": STATIC, "F2": -1j * STATIC, "T1": 1j * DYNAMIC, "T2": DYNAMIC}  # cos, sin, -sin, cos of the angle
    shaken = w * w * np.array([by_name[name] for name in model.inputs])
    return np.abs(
        model.C @ np.linalg.solve(1j * w * np.eye(len(model.A)) - model.A, model.B @ shaken) + model.D @ shaken
    )


def simulated(vehicle: ts.Vehicle, wheel: ts.ReactionWheel, hertz: float) -> np.ndarray:
    """The same from a run, after the boom's own vibration has died away."""
    w = 2.0 * np.pi * hertz
    end = 9.0
    times = np.linspace(end - 4.0 / hertz, end, 401)
    run = ts.simulate(
        vehicle, end, ts.State(rotor_rates={"wheel": w}), loads=wheel.loads, outputs=rates(), times=times, rtol=1e-7
    )
    turn = np.exp(-1j * w * run.times[:-1])  # whole revolutions: what turns with the wheel
    return np.array([2.0 * abs(np.mean(run.signals[f"rate {word}"][:-1] * turn)) for word in "yz"])


def quick(rate: np.ndarray, step: float) -> np.ndarray:
    """What varies faster than 5 Hz: the start of the imbalance and the motor also leave slow motion."""
    from scipy.signal import butter, sosfiltfilt

    return sosfiltfilt(butter(4, 5.0, "highpass", fs=1.0 / step, output="sos"), rate)


def main(folder: Path | None = None) -> dict[str, float]:
    vehicle, wheel = craft()
    gaps = [
        float(np.abs(simulated(vehicle, wheel, f) - predicted(vehicle, f)).max() / predicted(vehicle, f).max())
        for f in SPEEDS_HZ
    ]
    scan = np.linspace(8.0, 30.0, 89)
    curve = np.array([predicted(vehicle, f) for f in scan])
    motor = ts.loads.rotor_torque("wheel", SPIN * 2.0 * np.pi * 1.1)  # 1.1 Hz per second
    sweep = ts.simulate(
        vehicle, 20.0, ts.State(rotor_rates={"wheel": 2.0 * np.pi * 8.0}), loads=[*wheel.loads, motor], outputs=rates(),
        output_step=0.002, rtol=1e-7,
    )  # fmt: skip
    speed = sweep.rotor_rates["wheel"] / (2.0 * np.pi)
    jitter = {word: quick(sweep.signals[f"rate {word}"], 0.002) for word in "yz"}
    loudest = int(np.argmax(np.abs(jitter["z"]) * (speed < 29.5)))  # the filter has an edge
    if folder is not None:
        draw(folder, jitter, speed, scan, curve)
    modes = ts.system_modes(vehicle)
    near = modes.frequencies_hz[np.argmin(np.abs(modes.frequencies_hz - speed[loudest]))]
    return {
        "largest gap between run and linear model": max(gaps),
        "loudest speed of the spin-up (Hz)": float(speed[loudest]),
        "nearest mode of the craft (Hz)": float(near),
        "peak rate of the spin-up (urad/s)": 1e6 * float(np.abs(jitter["z"][loudest])),
        "predicted peak of the scan (urad/s)": 1e6 * float(curve[:, 1].max()),
        "energy balance of the spin-up": sweep.balance.worst()["energy"],
    }


def draw(folder, jitter, speed, scan, curve):
    made, axes = kit.plot(2, width=8.5, height=5.6)
    for a, row, word in zip(axes, curve.T, "yz"):
        title = "A wheel of 1.5 g cm spins up past the modes of a boom" if word == "y" else ""
        kit.label(a, title, "speed of the wheel (Hz)", f"hub rate {word} (µrad/s)")
        a.plot(speed, 1e6 * jitter[word], linewidth=0.5, label="spin-up")
        a.plot(scan, 1e6 * row, color="#d55e00", label="linear model, steady")
        a.plot(scan, -1e6 * row, color="#d55e00")
        a.set_xlim(scan[0], 29.5)
    axes[0].legend(frameon=False, fontsize=9, loc="upper left")
    kit.save(made, folder, "14_jittering_wheel")


if __name__ == "__main__":
    kit.run(main)
