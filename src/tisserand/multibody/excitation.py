"""How much of the excitation lies above the last kept mode: spectra of loads, commands and prescribed accelerations.

A truncated appendage cannot respond to excitation faster than its last mode. Pulses shorter than the period of that
mode, chattering
thrusters and fast loops put their energy there; slews, steps and ramps do not: a pulse of length T keeps all but
1/(pi² f T) of its energy below f.

Serves theory section 7.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from tisserand.arrays import FloatArray
from tisserand.multibody.compiled_law import CompiledLaw
from tisserand.multibody.controllers import LinearController
from tisserand.multibody.profiles import Profile
from tisserand.multibody.recursive.wiring import RAMPED, READING
from tisserand.multibody.trajectory import Trajectory
from tisserand.multibody.vehicle import PrescribedMotion

if TYPE_CHECKING:
    from tisserand.multibody.simulation import Simulation

#: Energy of the varying part of an excitation above the last kept mode that is worth a sentence: a lone pulse has that much when
#: it lasts half a period of that mode.
ENERGY_FRACTION = 0.2
#: Root mean square of what lies above, over the peak: smaller ripple is not reported.
RIPPLE_FRACTION = 0.01
#: Samples per period of the frequency requested, and the most samples looked at.
SAMPLES_PER_PERIOD, MOST_SAMPLES = 16, 2**18
#: A record shorter than this many periods is inconclusive.
LEAST_PERIODS = 2.0


@dataclass(frozen=True, eq=False)
class Excitation:
    """A history ``value(times)`` with its corners, s.

    resolved, Hz: content above is unknown (recorded histories); fastest, Hz: highest sine between corners.
    """

    name: str
    value: Callable[[FloatArray], FloatArray]
    corners: FloatArray
    resolved: float = np.inf
    fastest: float = 0.0


def excitations(run: Trajectory, simulation: Simulation) -> list[Excitation]:
    """Everything that drove a run: profiles and held commands exactly, commands of linear blocks as recorded."""
    found = [_of_profile(f"load {x.name}", x.source) for x in simulation.loads if isinstance(x.source, Profile)]
    vehicle = simulation.vehicle
    for joint in vehicle.joints:
        found += [_of_profile(f"the motion of joint {joint.name}", p, 2) for p in joint.motion if p is not None]
    for rotor in vehicle.rotors:
        if rotor.mode != "torque" and rotor.profile is not None:
            found.append(_of_profile(f"the {rotor.mode} of rotor {rotor.name}", rotor.profile, 1))
    if isinstance(vehicle.base_motion, PrescribedMotion):
        excited = (*vehicle.base_motion.translation, vehicle.base_motion.angle)
        found += [_of_profile("the motion of the base", p, 2) for p in excited if p is not None]
    times, held = simulation.held_history()
    commands = {f"{c.name}/{load.name}" for c in simulation.controllers for load in c.outputs}
    for i, name in enumerate(simulation.compiled.wiring.held if len(times) else ()):
        if name.endswith((READING, *RAMPED)):  # what a sensor shows drives nothing by itself
            continue
        found.append(_of_steps(f"{'command' if name in commands else 'input'} {name}", times, held[:, i]))
    if len(run.times) > 1:
        pace = 0.5 / float(np.diff(run.times).max())
        for controller in simulation.controllers:
            if isinstance(controller, LinearController | CompiledLaw) or controller.hold == "first":
                names = [f"{controller.name}/{load.name}" for load in controller.outputs]
                found += [_of_record(f"command {n}", run.times, run.load_strength[n], pace) for n in names]
    return found


def _of_profile(name: str, profile: Profile, order: int = 0) -> Excitation:
    """A load profile, or the acceleration (order 2) or torque (order 1) that a prescribed motion requires."""
    fastest = profile.highest_frequency_hz
    return Excitation(name, lambda t: profile.derivatives(t)[order], profile.starts, fastest=fastest)


def _of_steps(name: str, times: FloatArray, values: FloatArray) -> Excitation:
    changed = np.flatnonzero(np.diff(values, prepend=0.0) != 0.0)
    t, v = times[changed], np.concatenate([[0.0], values[changed]])
    return Excitation(name, lambda at: v[np.searchsorted(t, at, side="right")], t)


def _of_record(name: str, times: FloatArray, values: FloatArray, pace: float) -> Excitation:
    return Excitation(name, lambda at: np.interp(at, times, values), times, pace)


def energy_above(excitation: Excitation, frequency: float, begin: float, end: float) -> tuple[float, float]:
    """Energy fraction of the varying part above ``frequency`` (Hz), and its root mean square over the peak.

    Averages over cells of a sixteenth of a period (exact at corners, so that no pulse falls between samples) give the energy
    below; the rest of the whole lies above. Zero when the record is too short or too coarse.
    """
    length = end - begin
    if length * frequency < LEAST_PERIODS or excitation.resolved < 2.0 * frequency:
        return 0.0, 0.0
    count = int(np.ceil(length * frequency * SAMPLES_PER_PERIOD))
    if count > MOST_SAMPLES:  # look where it begins
        count = MOST_SAMPLES
        inside = excitation.corners[(excitation.corners > begin) & (excitation.corners < end)]
        length = count / (frequency * SAMPLES_PER_PERIOD)
        begin = min(max(begin, float(inside[0]) - 0.1 * length), end - length) if len(inside) else begin
        end = begin + length
    cells = np.linspace(begin, end, count + 1)
    corners = excitation.corners[(excitation.corners > begin) & (excitation.corners < end)]
    pieces = int(np.clip(np.ceil(4.0 * excitation.fastest * length / count), 1, 64))
    edges = np.union1d(np.union1d(np.linspace(begin, end, count * pieces + 1), cells), corners)
    widths = np.diff(edges)
    nodes, weights = np.polynomial.legendre.leggauss(3)
    t = edges[:-1, None] + 0.5 * widths[:, None] * (1.0 + nodes)
    x = excitation.value(t)
    peak = float(np.abs(x).max(initial=0.0))
    if peak == 0.0:
        return 0.0, 0.0
    share = 0.5 * widths[:, None] * weights
    x = x - float((share * x).sum()) / length
    whole = float((share * x * x).sum())
    if whole <= (1e-6 * peak) ** 2 * length:
        return 0.0, 0.0
    first = np.searchsorted(edges, cells[:-1])
    means = np.add.reduceat((share * x).sum(axis=1), first) / (length / count)
    spectrum = np.abs(np.fft.rfft(means)) ** 2 * (length / count**2)
    hertz = np.arange(len(spectrum)) / length
    below = hertz <= frequency
    spectrum[1:] *= 2.0
    low = float((spectrum[below] / np.sinc(hertz[below] * length / count) ** 2).sum())
    high = max(whole - low, 0.0)
    return high / whole, float(np.sqrt(high / length)) / peak


def excitation_warnings(run: Trajectory, simulation: Simulation, tops: dict[str, float]) -> list[str]:
    """One sentence per appendage (name -> highest kept frequency, Hz) whose last mode is slower than what was applied."""
    out: list[str] = []
    if not tops or len(run.times) < 2:
        return out
    acting = excitations(run, simulation)
    begin, end = float(run.times[0]), float(run.times[-1])
    for name, top in tops.items():
        excited = []
        for excitation in acting:
            fraction, ripple = energy_above(excitation, top, begin, end)
            if fraction > ENERGY_FRACTION and ripple > RIPPLE_FRACTION:
                excited.append((fraction, excitation.name))
        if excited:
            fraction, what = max(excited)
            others = f" ({len(excited) - 1} more like it)" if len(excited) > 1 else ""
            out.append(
                f"{fraction:.0%} of the energy of {what}{others} lies above the last kept mode of {name} ({top:.4g} Hz), "
                "which cannot respond to it: keep more modes or smooth the excitation"
            )
    return out
