"""The flights of the demo: the same slew twice, by a torque that leaves the wing ringing and by one that does not.

The first torque is bang-bang, the second the same through a shaper.

The shaper (two impulses, half a period of the ringing apart) is made from what the first flight shows: no model is needed.
"""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path

import numpy as np

from tisserand.appendage.record.reduced_appendage import ReducedAppendage
from tisserand.arrays import FloatArray
from tisserand.multibody import Body, MountedAppendage, Rotor, Vehicle, hinge, loads, profiles, signals, simulate
from tisserand.multibody.profiles import Profile
from tisserand.multibody.trajectory import Trajectory
from tisserand.views.report.replay import scene_of
from tisserand.views.style import CURVES, GHOST, figure, save_figure, tidy

#: Torque of the wheel, N m, and how long it pushes; length of a flight, s; its most revolutions per minute.
TORQUE, PUSH, FLIGHT, WHEEL_LIMIT_RPM = 12.0, 8.0, 30.0, 5000.0
#: Turn of the array while the craft slews, degrees, and when it begins and ends, s.
ARRAY_DEG, ARRAY_START, ARRAY_TIME = 25.0, 1.0, 20.0


@dataclass(frozen=True, eq=False)
class Flights:
    """Both flights, with the frequency of the ringing, Hz."""

    bang: Trajectory
    shaped: Trajectory
    ringing_hz: float

    @property
    def quiet_from(self) -> float:
        """When both torques have ended, s."""
        return PUSH + 0.5 / self.ringing_hz + 0.2

    def ringing(self, run: Trajectory) -> float:
        """Amplitude of the tip after the torque, m."""
        late = run.times > self.quiet_from
        return float(np.ptp(run.signals["tip deflection"][late]) / 2.0)

    @property
    def wheel_peak(self) -> float:
        """Fastest turning of the wheel in both flights, rpm."""
        return max(float(np.abs(run.rotor_rates["wheel"]).max()) for run in (self.bang, self.shaped)) * 30.0 / np.pi


def fly_twice(wing: ReducedAppendage) -> Flights:
    """Slew about x with the wheel, twice, while the array turns on its drive."""
    craft = _craft(wing)
    bang = _slew(craft, profiles.bang_bang(-TORQUE, 0.0, PUSH))
    hz = ringing_frequency(bang.times, bang.signals["tip deflection"], PUSH + 0.2)
    return Flights(bang, _slew(craft, shaped_bang_bang(-TORQUE, PUSH, hz)), hz)


def _craft(wing: ReducedAppendage) -> Vehicle:
    bus = Body("bus", 420.0, inertia=np.diag([170.0, 140.0, 160.0]), points=(("drive mount", (0.0, 0.8, 0.0)),))
    drive = Body("drive", 3.0, inertia=np.diag([0.01, 0.01, 0.01]))
    turning = profiles.smooth_ramp(np.radians(ARRAY_DEG), ARRAY_START, ARRAY_TIME)
    joint = hinge("array drive", "bus", "drive", (0, 1, 0), parent_point=bus.point("drive mount"), motion=turning)
    wheel = Rotor("wheel", "bus", np.array([1.0, 0.0, 0.0]), spin_inertia=0.1, mass=12.0)
    return Vehicle("demo craft", (bus, drive), (joint,), (wheel,), (MountedAppendage("wing", wing, "drive"),))


def _slew(craft: Vehicle, torque: Profile) -> Trajectory:
    acting = (loads.rotor_torque("wheel", torque, name="wheel torque"),)
    seen = (
        signals.node_deflection("wing", "tip", (0, 0, 1), name="tip deflection"),
        signals.attitude_error("bus", (1, 0, 0), name="turn"),
    )
    run = simulate(craft, FLIGHT, loads=acting, outputs=seen, samples=901, rtol=1e-9, atol=1e-11)
    return run.changed(settings={**run.settings, "scene": scene_of(craft, acting)})


def ringing_frequency(times: FloatArray, values: FloatArray, start: float) -> float:
    """Frequency, Hz, of the strongest vibration of a history after ``start``: the sinusoid that fits it best."""
    late = times > start
    t, y = times[late], values[late] - values[late].mean()
    step = float(t[1] - t[0])
    size = np.abs(np.fft.rfft(y * np.hanning(len(y)), 16 * len(y)))
    coarse = np.fft.rfftfreq(16 * len(y), step)
    center = float(coarse[1 + np.argmax(size[1:])])

    def left(hz: float) -> float:
        waves = np.column_stack([np.sin(2 * np.pi * hz * t), np.cos(2 * np.pi * hz * t), np.ones_like(t), t])
        return float(np.linalg.norm(y - waves @ np.linalg.lstsq(waves, y, rcond=None)[0]))

    tried = center * np.linspace(0.97, 1.03, 121)
    return float(tried[np.argmin([left(hz) for hz in tried])])


def shaped_bang_bang(value: float, duration: float, hz: float) -> Profile:
    """Bang-bang through a zero-vibration shaper: half of it at once, half of it half a period later."""
    corners: dict[float, float] = {}
    for delay in (0.0, 0.5 / hz):
        for time, jump in ((0.0, 1.0), (duration / 2.0, -2.0), (duration, 1.0)):
            corners[time + delay] = corners.get(time + delay, 0.0) + 0.5 * value * jump
    times = sorted(corners)
    return profiles.table(times, np.cumsum([corners[t] for t in times]), "hold")


def save_story(flights: Flights, path: Path) -> Path:
    """Both flights in one look: what the wheel does, how the craft turns, how the tip moves."""
    made = figure(12.5, 4.4)
    torque, turn, tip = made.subplots(1, 3)
    tidy(torque, "Torque of the wheel", "time (s)", "N m")
    tidy(turn, "Turn of the bus and of the array", "time (s)", "deg")
    tidy(tip, "Wing tip", "time (s)", "mm")
    for run, name, color in ((flights.bang, "bang-bang", CURVES[1]), (flights.shaped, "shaped", CURVES[0])):
        torque.plot(run.times, run.load_strength["wheel torque"], color=color, label=name, drawstyle="steps-post")
        turn.plot(run.times, np.degrees(run.signals["turn"]), color=color, label=f"bus, {name}")
        rings = f"{name}: rings {1e3 * flights.ringing(run):.1f} mm"
        tip.plot(run.times, 1e3 * run.signals["tip deflection"], color=color, linewidth=1.1, label=rings)
    array = np.degrees(flights.shaped.joints["array drive"][:, 0])
    turn.plot(flights.shaped.times, array, color=CURVES[2], label="array on its drive")
    torque.set_xlim(-0.4, PUSH + 2.0)
    tip.axvspan(flights.quiet_from, FLIGHT, color=GHOST, alpha=0.18, linewidth=0.0)
    for axes in (torque, turn, tip):
        axes.legend(frameon=False, fontsize=9)
    rpm, turned = flights.wheel_peak, np.degrees(flights.shaped.signals["turn"][-1])
    made.suptitle(
        f"The same slew twice: {turned:.0f} degrees, wheel up to {rpm:.0f} of {WHEEL_LIMIT_RPM:.0f} rpm", fontsize=13
    )
    return save_figure(made, path)
