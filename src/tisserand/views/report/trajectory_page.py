"""The report of a simulation run: verdict, replay, curves, balance sheet, spectra."""

from __future__ import annotations

import re
from collections.abc import Mapping
from html import unescape
from typing import Any

import numpy as np
import scipy

from tisserand.arrays import FloatArray
from tisserand.multibody.audit import in_words
from tisserand.multibody.balance_verdict import balance_verdict
from tisserand.multibody.quantities import ETA, unit_in
from tisserand.multibody.run_frames import FRAME_CAPTION, FRAME_COLUMNS, floating_frames, frame_rows
from tisserand.multibody.trajectory import Trajectory
from tisserand.views.readable import modal_axis, readable
from tisserand.views.report import charts, html
from tisserand.views.report.html import Markup, Section
from tisserand.views.report.replay import appendages_of, replay_data
from tisserand.views.report.viewers import replay_viewer
from tisserand.views.run_plot import joint_groups

#: Names of the charts over time, as they stand on the page.
_TIMED = re.compile(r'<div class="chart" data-time="1"[^>]* data-name="([^"]*)"')
#: Most rows of the table behind a chart.
MOST_ROWS = 60
#: Histories that stay below this (degrees, m, rad/s, N, N m) are round-off.
NOISE = 1e-9
#: Most curves of one chart.
MOST_CURVES = 8


def trajectory_page(trajectory: Trajectory, scene: Mapping[str, Any] | None = None) -> str:
    """The whole HTML page of a run; ``scene`` (default: the one kept with the run) gives the replay."""
    drawn = scene if scene is not None else trajectory.settings.get("scene")
    charted = [_motion(trajectory), *_histories(trajectory), _balance(trajectory), *_frames(trajectory)]
    sections = []
    if drawn and drawn["parts"] and len(trajectory.times) > 0:
        data = replay_data(trajectory, drawn)
        names = [name for section in charted for part in section.content for name in _TIMED.findall(part.html)]
        viewer = replay_viewer(
            len(data["times"]), trajectory.bodies, appendages_of(drawn), [unescape(name) for name in names],
            list(trajectory.signals),
        )  # fmt: skip
        sections.append(Section("replay", "Replay", (viewer, html.data_block("replay-data", data))))
    sections += [_summary(trajectory), *charted, _spectra(trajectory), _settings(trajectory)]
    span = f"{trajectory.times[0]:.6g} to {trajectory.times[-1]:.6g} s, {len(trajectory)} output times"
    return html.page(
        trajectory.vehicle_name,
        f"Simulation run, {span}",
        sections,
        ("replay.js",),
        verdict=_verdict(trajectory),
        reasons=trajectory.warnings if trajectory.complete else (trajectory.reason, *trajectory.warnings),
        figures=_figures(trajectory),
    )


def _verdict(run: Trajectory) -> tuple[str, str]:
    """Mark and words of the badge."""
    mark = "fail" if not (run.complete and balance_verdict(run).held) else "warn" if run.warnings else "ok"
    return mark, {
        "ok": "Trustworthy: momentum and energy balance",
        "warn": "Usable, with warnings",
        "fail": "Do not trust this run",
    }[mark]


def _figures(run: Trajectory) -> Markup:
    """The numbers that matter, below the title."""
    s, worst = run.statistics, run.balance.worst()
    rate = float(np.degrees(np.linalg.norm(run.angular_velocity, axis=1)).max(initial=0.0))
    return html.cards([
        ("duration, s", float(run.times[-1] - run.times[0])),
        ("bodies", len(run.bodies)),
        ("modal coordinates", sum(values.shape[1] for values in run.modal.values())),
        ("largest rate, deg/s", rate),
        ("energy balance", f"{worst['energy']:.0e}"),
        ("angular momentum balance", f"{worst['angular momentum']:.0e}"),
        (f"steps of {s.method}", s.steps),
    ])  # fmt: skip


def _summary(run: Trajectory) -> Section:
    balance = balance_verdict(run)
    rows: list[list[object]] = [["run", "complete" if run.complete else f"stopped: {run.reason}"]]
    rows += [[f"worst violation of {name}", f"{value:.2e} (relative)"] for name, value in balance.worst.items()]
    rows.append(["limit", f"{balance.limit:.1e} ({balance.expected})"])
    rows += [["independent audit", text] for text in in_words(run.recomputed)]
    rows += [["warning", text] for text in run.warnings]
    rows += [[f"event {event.name}", f"{event.time:.6g} s"] for event in run.events]
    s = run.statistics
    rows.append(
        ["integrator", f"{s.method}, {s.steps} steps, {s.rejected} rejected, {s.wall_seconds:.3g} s of computing"]
    )
    return Section("summary", "Verdict", (html.table(["what", "finding"], rows),))


def _chart(
    run: Trajectory, series: list[tuple[str, FloatArray]], label: str, caption: str, floor: float = 0.0
) -> Markup:
    rows = np.unique(np.linspace(0, len(run) - 1, min(len(run), MOST_ROWS)).round().astype(int))
    table = html.table(
        ["time s", *(name for name, _ in series)],
        [[float(run.times[i]), *(float(v[i]) for _, v in series)] for i in rows],
    )
    drawn = charts.curves(run.times, series, "time (s)", label, floor=floor, name=caption)
    return Markup(f"<div>{html.figure(drawn, caption, table).html}</div>")


def _grid(parts: list[Markup]) -> Markup:
    return Markup('<div class="charts">' + "".join(part.html for part in parts) + "</div>")


def _axes(values: FloatArray, names: tuple[str, ...] = ("x", "y", "z")) -> list[tuple[str, FloatArray]]:
    return [(name, values[:, i]) for i, name in enumerate(names)]


def _motion(run: Trajectory) -> Section:
    attitude = scipy.spatial.transform.Rotation.from_quat(run.attitude, scalar_first=True)
    turned = np.degrees((attitude[0].inv() * attitude).as_rotvec())
    parts = [
        _chart(run, _axes(turned), "angle (deg)", "Turn of the base since the start, as a rotation vector"),
        _chart(
            run, _axes(run.attitude, ("q0", "q1", "q2", "q3")), "quaternion (-)", "Attitude of the base, scalar first"
        ),
        _chart(run, _axes(np.degrees(run.angular_velocity)), "rate (deg/s)", "Angular velocity of the base, base axes"),
        _chart(run, _axes(run.position), "position (m)", "Origin of the base, inertial axes"),
        _chart(run, _axes(run.velocity), "velocity (m/s)", "Velocity of the base's origin"),
    ]
    return Section("motion", "Motion of the base", (_grid(parts),))


def _histories(run: Trajectory) -> list[Section]:
    """Joints, modes, rotors, loads and signals that exist."""
    efforts = {name: unit_in(run, "joint_effort", name, "N m or N") for name in run.joint_effort}
    joints = [
        *(
            _chart(run, series, f"{title} ({unit})", title, NOISE)
            for (title, unit), series in joint_groups(run).items()
        ),
        *_by_unit(run, run.joint_effort, efforts, "Joint efforts"),
    ]
    modal = [
        _chart(
            run,
            _columns(name, values)[:MOST_CURVES],
            modal_axis(unit_in(run, "modal", name, ETA)),
            f"Modal coordinates: {name}",
        )
        for name, values in run.modal.items()
        if values.size
    ]
    speeds = {name: readable(values, "rad/s", rotor=True)[0] for name, values in run.rotor_rates.items()}
    rotors = _by_unit(run, speeds, dict.fromkeys(speeds, "rpm"), "Rotor rates")
    strength = {name: unit_in(run, "load_strength", name, "N or N m") for name in run.load_strength}
    loads, commands = _parted(run.load_strength)
    effort = [
        *_by_unit(run, loads, strength, "Loads"),
        *(
            part
            for name, group in commands.items()
            for part in _by_unit(run, group, strength, f"Commands of {name}", name)
        ),
    ]
    units = {name: unit_in(run, "signals", name, "SI") for name in run.signals}
    outputs, inner = _parted({n: v for n, v in run.signals.items() if n not in run.load_strength})
    signals = []
    for name, values in outputs.items():
        shown, unit = readable(values, units[name])
        signals.append(_chart(run, _columns(name, shown), f"{name} ({unit})", name))
    inside = [part for name, group in inner.items() for part in _by_unit(run, group, units, f"Inputs of {name}", name)]
    parts: list[Markup] = [_grid(signals)] if signals else []
    if inside:
        parts.append(html.details(f"Inner signals of {len(inner)} controllers", _grid(inside)))
    found = [
        Section("signals", "Outputs", tuple(parts)),
        Section("joints", "Joints", (_grid(joints),) if joints else ()),
        Section("modal", "Modal coordinates", (_grid(modal),) if modal else ()),
        Section("rotors", "Rotors", (_grid(rotors),) if rotors else ()),
        Section("effort", "Loads and control effort", (_grid(effort),) if effort else ()),
    ]
    return [section for section in found if section.content]


def _columns(name: str, values: FloatArray) -> list[tuple[str, FloatArray]]:
    table = np.atleast_2d(values.T)
    return [(f"{name} {i + 1}" if len(table) > 1 else name, row) for i, row in enumerate(table)]


def _parted(histories: Mapping[str, FloatArray]) -> tuple[dict[str, FloatArray], dict[str, dict[str, FloatArray]]]:
    """What the user named, and what belongs to each controller (``controller/signal``)."""
    own, inner = {}, dict[str, dict[str, FloatArray]]()
    for name, values in histories.items():
        if "/" in name:
            inner.setdefault(name.partition("/")[0], {})[name] = values
        else:
            own[name] = values
    return own, inner


def _noise(run: Trajectory, unit: str) -> float:
    """What is round-off among quantities of a unit: 1e-7 of the largest effort of that unit, at least NOISE."""
    everything = {"joint_effort": run.joint_effort, "load_strength": run.load_strength}
    sizes = [
        float(np.abs(values).max(initial=0.0))
        for group, histories in everything.items()
        for name, values in histories.items()
        if unit_in(run, group, name, "") == unit
    ]
    return max(NOISE, 1e-7 * max(sizes, default=0.0))


def _by_unit(
    run: Trajectory, histories: Mapping[str, FloatArray], units: Mapping[str, str], caption: str, owner: str = ""
) -> list[Markup]:
    """Charts of histories of one unit together, at most MOST_CURVES in each; names without their ``owner``."""
    groups: dict[str, list[tuple[str, FloatArray]]] = {}
    for name, values in histories.items():
        if values.size:
            shown, unit = readable(values, units[name]) if units[name].startswith("rad") else (values, units[name])
            groups.setdefault(unit, []).extend(_columns(name.removeprefix(f"{owner}/"), shown))
    return [
        _chart(run, series[i : i + MOST_CURVES], unit, caption, _noise(run, unit))
        for unit, series in groups.items()
        for i in range(0, len(series), MOST_CURVES)
    ]


def _balance(run: Trajectory) -> Section:
    b = run.balance
    energy = [("kinetic", b.kinetic), ("potential", b.potential), ("work done", b.work)]
    parts = [
        _chart(run, energy, "energy (J)", "Energy and the work of all non-conservative forces"),
        _chart(run, [("violation", b.checking)], "energy (J)", "Checking function: energy less work, should be zero"),
        _chart(run, _axes(b.angular_momentum), "N m s", "Angular momentum about the inertial origin"),
        _chart(run, _axes(b.angular_residual), "N m s", "Violation of the angular momentum balance"),
        _chart(run, _axes(b.momentum_residual), "N s", "Violation of the linear momentum balance"),
    ]
    return Section("balance", "Balance sheet", (_grid(parts),))


def _frames(run: Trajectory) -> list[Section]:
    """Floating frames of the whole vehicle with their residuals, and how they turn against the base; none for a rigid body."""
    moving = (*run.modal.values(), *run.joints.values(), *run.rotor_rates.values())
    if run.moments is None or not any(values.size for values in moving):
        return []
    found, missing = floating_frames(run)
    parts: list[Markup] = [html.table(list(FRAME_COLUMNS), frame_rows(found))]
    parts += [html.paragraph(f"No {name} frame: {why}") for name, why in missing.items()]
    if found:
        turns: list[tuple[str, FloatArray]] = [(name, np.degrees(motion.turn)) for name, motion in found.items()]
        caption = "Angle of each frame against the base since the start"
        parts.append(_grid([_chart(run, turns, "angle (deg)", caption, NOISE)]))
    return [Section("frames", "Floating frames", (html.paragraph(FRAME_CAPTION), *parts))]


def amplitude_spectrum(times: FloatArray, values: FloatArray) -> tuple[FloatArray, FloatArray]:
    """Frequencies (Hz) and amplitude of a history after removing its mean, Hann window, uniform resampling."""
    count = max(len(times), 8)
    uniform = np.linspace(times[0], times[-1], count)
    resampled = np.interp(uniform, times, values)
    window = np.hanning(count)
    spectrum = np.abs(np.fft.rfft((resampled - resampled.mean()) * window)) * 2.0 / window.sum()
    step = (uniform[-1] - uniform[0]) / (count - 1) or 1.0
    return np.fft.rfftfreq(count, step), spectrum


def _spectra(run: Trajectory) -> Section:
    marks = [(float(f), f"{f:.3g}") for f in run.settings.get("system_modes_hz", [])]
    outputs = [name for name, values in run.signals.items() if values.ndim == 1 and "/" not in name]
    known = [(f"rate {axis}", run.angular_velocity[:, i], "rad/s") for i, axis in enumerate("xyz")]
    known += [(name, run.signals[name], unit_in(run, "signals", name, "SI")) for name in outputs[:3]]
    chosen = [(f"{name} ({unit})", values) for name, (values, unit) in ((n, readable(v, u)) for n, v, u in known)]
    if len(run) < 8:
        return Section("spectra", "Spectra", (html.paragraph("Too few output times for a spectrum."),))
    hz = amplitude_spectrum(run.times, chosen[0][1])[0]
    series = [(name, np.maximum(amplitude_spectrum(run.times, values)[1], 1e-18)) for name, values in chosen]
    note = "System modes are marked by dashed lines." if marks else ""
    picture = charts.curves(hz, series, "frequency (Hz)", "amplitude (unit of each)", log=True, marks=marks)
    return Section("spectra", "Spectra", (html.figure(picture, f"Amplitude spectra (Hann window). {note}"),))


def _settings(run: Trajectory) -> Section:
    rows = [[key, _brief(value)] for key, value in run.settings.items() if key not in ("scene", "units")]
    return Section("settings", "Settings and provenance", (html.table(["what", "value"], rows),))


def _brief(value: Any) -> str:
    text = str(value)
    return text if len(text) < 400 else text[:400] + " ..."
