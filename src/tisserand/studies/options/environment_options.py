"""Options of the tasks on environments: base-drive, coupled-loads, jitter."""

from __future__ import annotations

from typing import ClassVar, Literal

from tisserand.declarations import FilePath, applies, check, needs, needs_some, one_of, option, problem, ruled, when
from tisserand.studies.study_type import Study
from tisserand.studies.values import DampingPairs, FilePaths, Limits, Pairs, Settings, Vector

Environment = Literal["sine", "random", "shock", "transient"]
Axis = Literal["x", "y", "z", "rx", "ry", "rz"]


class BaseDriveStudy(Study):
    """Shake a delivered model at its interface: sine, random, shock or a history; peaks of every recovered row, and notches."""

    task: ClassVar = "base-drive"
    arguments: ClassVar = ("model",)
    reads: ClassVar = ("spectrum_file", "history")
    doing: ClassVar = "Shaking"
    endings: ClassVar = {"output": (".csv",), "notched": (".csv",), "plot": (".png", ".html")}

    model: FilePath = option(..., "delivered model (.h5) that reduce or couple wrote", metavar="PART.h5")
    environment: Environment = option(..., "kind of input: sine, random, shock (a spectrum) or transient (a history)")
    direction: Axis = option(..., "direction of the base acceleration, basic axes")
    spectrum: Pairs | None = option(
        None, "levels over Hz, interpolated log-log: 20:0.01,80:0.04 in g or g²/Hz (random)", metavar="HZ:LEVEL,..."
    )
    spectrum_file: FilePath | None = option(None, "CSV file of the same: Hz, level", metavar="LEVELS.csv")
    history: FilePath | None = option(None, "CSV file of a transient: time in s, acceleration", metavar="HISTORY.csv")
    sweep: float | None = option(
        None, "sweep rate of a sine, downward if negative: responses that have not settled; default: steady", unit="octaves/min",
        metavar="RATE",
    )  # fmt: skip
    si: bool = option(False, "levels along x, y or z are in m/s² instead of g; about an axis they are always in rad/s²")
    damping: DampingPairs = option(..., "damping ratio, or pairs 5:0.01,50:0.02 over Hz", metavar="RATIO")
    recover: tuple[str, ...] = option((), "recovery matrix to show; repeatable; default: all", metavar="NAME")
    point: Vector | None = option(
        None,
        "point about which the base turns, basic axes; default: the middle of the interface",
        unit="m",
        metavar="X,Y,Z",
    )
    limits: Limits = option(
        {}, "limit of a row, or of all rows whose names begin so, SI units: 'interface force=2000'; repeatable (sine, random)",
        metavar="ROW=VALUE",
    )  # fmt: skip
    force_factor: float | None = option(
        None, "C of semi-empirical force limits of the net interface force along the axis (random)", above=0.0
    )
    force_slope: float = option(2.0, "exponent n of the limit above the main mode, (f0/f)^n", at_least=0.0)
    sigma: float = option(3.0, "peak of a random response as a multiple of its rms", above=0.0)
    q: float = option(10.0, "amplification of the shock spectra of rows (transient)", above=0.5)
    points: int = option(800, "number of frequencies in addition to those around the modes", at_least=2)
    output: FilePath | None = option(
        None, "every row over frequency or time to write as CSV", short="-o", metavar="ROWS.csv"
    )
    notched: FilePath | None = option(None, "notched input to write as CSV", metavar="NOTCHED.csv")
    plot: FilePath | None = option(None, "picture (.png) or page (.html) to write", metavar="ROWS.png")
    record: FilePath | None = option(None, "record to add the response to, for its report", metavar="RECORD.h5")

    _environments = ruled(
        applies("spectrum", "spectrum_file", environment=("sine", "random", "shock")),
        applies("history", "q", environment=("transient",)),
        applies("sweep", environment=("sine",)),
        applies("limits", "points", environment=("sine", "random")),
        applies("force_factor", "force_slope", "sigma", environment=("random",)),
        applies("si", direction=("x", "y", "z")),
        applies("point", direction=("rx", "ry", "rz")),
        needs("force_slope", "force_factor"),
        needs_some("notched", "limits", "force_factor"),
        when("environment", "transient", needed=("history",)),
        when("environment", "sine", "random", "shock", then=(one_of("spectrum", "spectrum_file"),)),
    )

    @check
    def _moves(self) -> None:
        if self.sweep == 0.0:
            raise problem("sweep", "does not move", found=0.0, expected="a rate above or below zero")


class CoupledLoadsStudy(Study):
    """Apply forces over time to a delivered system: maxima and minima of every recovered row with time and event."""

    task: ClassVar = "coupled-loads"
    arguments: ClassVar = ("model",)
    reads: ClassVar = ("events",)
    doing: ClassVar = "Loading"
    endings: ClassVar = {"output": (".csv",), "plot": (".png",)}

    model: FilePath = option(
        ..., "delivered model (.h5) of the system that couple wrote, or of one part", metavar="SYSTEM.h5"
    )
    events: FilePaths = option(
        ..., "CSV file of an event: the heading time and a place per force (node 3 T1, or a recovered displacement); repeatable",
        metavar="EVENT.csv",
    )  # fmt: skip
    damping: DampingPairs = option(..., "damping ratio, or pairs 5:0.01,50:0.02 over Hz", metavar="RATIO")
    damped: Literal["system", "parts"] = option(
        "system", "modes that have these ratios: those of the system, or those of the parts with their interfaces held"
    )
    recover: tuple[str, ...] = option((), "recovery matrix to show; repeatable; default: all", metavar="NAME")
    output: FilePath | None = option(None, "extremes to write as CSV", short="-o", metavar="EXTREMES.csv")
    plot: FilePath | None = option(None, "histories of the largest rows to write", metavar="LOADS.png")


class JitterStudy(Study):
    """Jitter budget of a vehicle: wheels over their speed, lines, steps and noise to lines of sight. Exit 1 above a limit."""

    task: ClassVar = "jitter"
    arguments: ClassVar = ("budget",)
    doing: ClassVar = "Adding up"
    endings: ClassVar = {"output": (".csv",), "plot": (".png", ".html")}

    budget: FilePath = option(
        ..., "TOML file of a budget: vehicle, lines of sight, disturbances", metavar="BUDGET.toml"
    )
    set: Settings = option(
        {}, "set a key of the vehicle file, such as bodies.bus.mass=120; repeatable", metavar="KEY=VALUE"
    )
    exposure: float | None = option(
        None, "exposure time of the metrics; default: that of the file", unit="s", above=0.0
    )
    output: FilePath | None = option(None, "every line to write as CSV", short="-o", metavar="LINES.csv")
    plot: FilePath | None = option(
        None, "waterfalls and running root mean square to write: .png, or a page (.html)", metavar="JITTER.png"
    )
