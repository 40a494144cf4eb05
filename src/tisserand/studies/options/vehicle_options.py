"""Options of the tasks on vehicle files and runs: simulate, frames, linearize, system-modes, response, sweep, montecarlo."""

from __future__ import annotations

from typing import ClassVar, Literal

from tisserand.declarations import FilePath, applies, check, excludes, needs, option, problem, ruled
from tisserand.declarations.angle_sets import AngleSet
from tisserand.studies.ensemble_values import Measures, Percents, SampleNumbers
from tisserand.studies.options.plot_options import PLOTS, STYLE, PlotStyle
from tisserand.studies.study_type import Study
from tisserand.studies.values import FilePaths, Laws, Limits, Scheduler, Settings, Shard, Swept

CLOSED = "close the loops of the linear controllers; if open, their commands are inputs"


class _VehicleStudy(Study):
    arguments: ClassVar = ("vehicle",)

    vehicle: FilePath = option(..., "a vehicle file", metavar="VEHICLE.toml")
    set: Settings = option(
        {}, "value in the file to replace, such as simulation.rtol=1e-10; repeatable", metavar="KEY=VALUE"
    )


class SimulateStudy(_VehicleStudy):
    """Simulate a vehicle with flexible appendages and check its momentum and energy balance. Exit 1 if it fails."""

    task: ClassVar = "simulate"
    doing: ClassVar = "Simulating"
    endings: ClassVar = {"csv": (".csv", ".parquet"), "plot": PLOTS}
    elsewhere: ClassVar = {
        word: f"a key of the vehicle file: change it with --set (simulation.{word})"
        for word in (
            "duration", "samples", "output_step", "segment", "method", "rtol", "atol", "step", "on_limit", "engine",
            "max_steps",
        )
    }  # fmt: skip

    output: FilePath | None = option(None, "run to write", short="-o", metavar="RUN.h5")
    csv: FilePath | None = option(None, "time histories to write: .csv or .parquet (needs pyarrow)")
    angles: AngleSet | None = option(
        None, "orientation angles of the base, and their rates, to add to the time histories"
    )
    plot: FilePath | None = option(None, "plot to write: .png, .pdf or .svg")
    style: PlotStyle = option("screen", STYLE)
    force: bool = option(False, "allow [outputs] of the file outside its folder; inputs are never overwritten")


class FramesStudy(Study):
    """Express a run in the Tisserand, Buckens, principal and Milne frames, with the residual of each definition."""

    task: ClassVar = "frames"
    arguments: ClassVar = ("run",)
    reads: ClassVar = ("vehicle",)
    doing: ClassVar = "Frames of"

    run: FilePath = option(..., "a run", metavar="RUN.h5")
    frame: tuple[Literal["tisserand", "buckens", "principal", "milne"], ...] = option(
        (), "frame to find: tisserand, buckens, principal or milne; repeatable; default: all that exist", metavar="NAME"
    )
    bodies: tuple[str, ...] = option(
        (),
        "body, or floating appendage, to follow instead of the whole vehicle; repeatable; needs vehicle",
        metavar="NAME",
    )
    vehicle: FilePath | None = option(
        None, "the vehicle file that was flown, for bodies and for runs of older versions", metavar="VEHICLE.toml"
    )
    set: Settings = option({}, "value of the vehicle file that was replaced; repeatable", metavar="KEY=VALUE")
    output: FilePath | None = option(None, "histories to write as .csv or .h5", short="-o")

    _of_vehicle = ruled(needs("bodies", "vehicle"), needs("set", "vehicle"))


class LinearizeStudy(_VehicleStudy):
    """Linear model about the initial state: A, B, C, D with named inputs (loads) and outputs (sensors), poles."""

    task: ClassVar = "linearize"
    doing: ClassVar = "Linearizing"
    endings: ClassVar = {"output": (".npz", ".mat")}

    closed_loop: bool = option(False, CLOSED)
    output: FilePath | None = option(None, "A, B, C, D and more to write as .npz or .mat", short="-o")


class UncertainStudy(Study):
    """Linear model with uncertain modes and mass in linear fractional form: factors, blocks, families, sampled systems."""

    task: ClassVar = "uncertain"
    arguments: ClassVar = ("source",)
    doing: ClassVar = "Uncertain model of"
    endings: ClassVar = {"output": (".npz", ".mat"), "plot": (".png",)}

    source: FilePath = option(
        ..., "a record (.h5), or a vehicle file with loops open", metavar="RECORD.h5|VEHICLE.toml"
    )
    set: Settings = option({}, "value in the vehicle file to replace; repeatable", metavar="KEY=VALUE")
    frequency: float | None = option(
        None, "half range of all frequencies, relative: 0.1 means 0.9 to 1.1; default: certain", above=0.0, below=1.0
    )
    damping: float | None = option(
        None, "half range of all damping ratios, relative; default: certain", above=0.0, below=1.0
    )
    participation: float | None = option(
        None, "half range of the participation of all modes, relative; default: certain", above=0.0, below=1.0
    )
    mass: float | None = option(
        None, "half range of the mass of every appendage, relative; default: certain", above=0.0, below=1.0
    )
    modes: int | None = option(None, "how many of the lowest modes are uncertain; default: all", short="-n", at_least=0)
    ranges: Limits = option(
        {},
        "half range of one factor, such as 'mode 1 frequency=0.2'; 0 makes it certain; repeatable",
        metavar="FACTOR=RANGE",
    )
    samples: int = option(
        0, "number of random systems within the ranges, to write and to plot", at_least=0, at_most=10000
    )
    seed: int = option(0, "seed of the draw", at_least=0)
    step: float | None = option(None, "sample time of discrete systems (zero-order hold) to add", unit="s", above=0.0)
    delay: float = option(
        0.0, "input delay of sampled systems, not necessarily a whole number of steps", unit="s", at_least=0.0
    )
    output: FilePath | None = option(None, "matrices, blocks and families to write as .npz or .mat", short="-o")
    plot: FilePath | None = option(None, "largest gain of nominal and drawn systems to write", metavar="GAIN.png")

    _sampled = ruled(needs("delay", "step"), needs("seed", "samples"))


class EquationsStudy(_VehicleStudy):
    """Symbolic equations of motion of bodies, modal appendages and rotors by Kane's method, with the operations they cost."""

    task: ClassVar = "equations"
    doing: ClassVar = "Equations of"
    endings: ClassVar = {"output": (".c", ".h", ".py", ".tex")}

    speeds: Literal["inertial", "hinge", "angles"] = option(
        "inertial", "motion variables: inertial components of angular velocity, hinge rates, or rates of all angles"
    )
    to: Literal["c", "python", "latex"] = option("c", "language: c, python or latex")
    translation: bool = option(True, "let a free base translate; without it the mass center is eliminated")
    output: FilePath | None = option(None, "file to write; default: the terminal", short="-o")
    force: bool = option(False, "replace an existing file")


class SystemModesStudy(_VehicleStudy):
    """Vibration modes of the whole vehicle about its initial state, loops open unless --closed-loop is given.

    Constant loads act. Modes above the last kept mode of an appendage are marked.
    """

    task: ClassVar = "system-modes"
    doing: ClassVar = "Modes of"
    endings: ClassVar = {"output": (".csv",)}

    closed_loop: bool = option(False, CLOSED)
    output: FilePath | None = option(None, "table to write as CSV", short="-o")


class ResponseStudy(_VehicleStudy):
    """Frequency response from every load to every sensor."""

    task: ClassVar = "response"
    doing: ClassVar = "Response of"
    endings: ClassVar = {"output": (".csv",), "plot": PLOTS}

    fmin: float = option(0.01, "lowest frequency", unit="Hz", above=0.0)
    fmax: float = option(10.0, "highest frequency", unit="Hz", above=0.0)
    points: int = option(
        400, "number of frequencies, spaced logarithmically; more are added at peaks", at_least=2, at_most=1_000_000
    )
    closed_loop: bool = option(False, CLOSED)
    output: FilePath | None = option(None, "table to write as CSV", short="-o")
    plot: FilePath | None = option(None, "Bode plot to write: .png, .pdf or .svg")
    style: PlotStyle = option("screen", STYLE)

    _drawn = ruled(needs("style", "plot"))

    @check
    def _ascending(self) -> None:
        if not self.fmin < self.fmax:
            raise problem("fmax", "is not above fmin", found=self.fmax, expected=f"a frequency above {self.fmin:g} Hz")


class _SamplesStudy(_VehicleStudy):
    """Options of every study of many samples: where they are computed and kept."""

    jobs: int = option(
        1, "samples computed in parallel: threads, or processes if Python code runs; workers of a local cluster",
        short="-j", at_least=1, at_most=1024,
    )  # fmt: skip
    scheduler: Scheduler | None = option(
        None,
        "Dask cluster to compute on: local, tcp://host:port or its scheduler.json; default: this process and its jobs",
    )
    shard: Shard | None = option(
        None, "compute one part of the samples, such as 3/40, and keep it for 'tisserand merge'", metavar="K/N"
    )
    keep: FilePath | None = option(
        None, "file of samples to write as they end, for --resume and 'tisserand merge'", metavar="SAMPLES.jsonl"
    )
    resume: bool = option(False, "continue from the file named by --keep: samples already in it are not recomputed")

    _kept = ruled(
        needs("shard", "keep"), needs("resume", "keep"), excludes("shard", "output"), excludes("shard", "plot")
    )


class SweepStudy(_SamplesStudy):
    """Frequencies, damping and poles, or runs, over any values in the vehicle file (array angle, mass, ...)."""

    task: ClassVar = "sweep"
    doing: ClassVar = "Sweeping"
    endings: ClassVar = {"output": (".csv",), "plot": PLOTS, "keep": (".jsonl",)}

    over: Swept = option(
        ...,
        "key of the file and its values: initial.joints_deg.drive=0:180:13 or a,b,c; KEY+KEY=... ties keys to the same "
        "values; repeatable",
        metavar="KEY=VALUES",
    )
    runs: bool = option(False, "simulate every sample, as 'montecarlo' does, instead of computing its modes")
    closed_loop: bool = option(False, "include the linear controllers")
    track: bool = option(
        False,
        "number modes by their shapes (MAC) along the first key instead of by frequency, and list where they cross",
    )
    matrices: bool = option(False, "put A, B, C, D of every sample into the result")
    output: FilePath | None = option(None, "table to write as CSV", short="-o")
    plot: FilePath | None = option(None, "plot to write: .png, .pdf or .svg")
    style: PlotStyle = option("screen", STYLE)

    _simulated = ruled(
        excludes("runs", "plot"), excludes("runs", "matrices"), excludes("runs", "closed_loop"), excludes("runs", "track"),
        excludes("shard", "track"), needs("style", "plot"),
    )  # fmt: skip


#: Files of a study of runs: a table, histories, a picture and a page.
_RUN_FILES = {
    "output": (".csv", ".parquet"),
    "plot": PLOTS,
    "report": (".html",),
    "histories": (".h5", ".hdf5"),
    "keep": (".jsonl",),
}
_TABLE = "table of all samples to write: .csv or .parquet (needs the extra tables)"
_PLOT = "picture to write (.png, .pdf, .svg): envelopes, histograms, tornadoes and scatter"
_REPORT = "page to write (.html): statistics, limits, histograms, tornadoes, scatter, envelopes, samples"
_HISTORIES = "outputs of all runs over time to write (.h5)"
_LIMIT = "what a run should keep: a measure or an expression compared with a number; repeatable"


class MonteCarloStudy(_SamplesStudy):
    """Simulate many vehicles with random values; failures are recorded and do not stop the study."""

    task: ClassVar = "montecarlo"
    doing: ClassVar = "Simulating"
    endings: ClassVar = _RUN_FILES

    vary: Laws = option(
        ...,
        "key of the file and its law: bodies.bus.mass=normal:800:20, uniform:0:90, lognormal, triangular, integer, table; a law "
        "after * or + is relative to the value in the file; KEY+KEY shares the draw; repeatable",
        metavar="KEY=LAW",
    )
    design: Literal["random", "latin", "sobol", "corners"] = option(
        "random", "points to run: random, latin (hypercube), sobol, or all corners of the laws"
    )
    correlate: Limits = option({}, "correlation of two varied keys, KEY,KEY=R; repeatable", metavar="KEY,KEY=R")
    require: tuple[str, ...] = option(
        (), "condition on values in the file that every sample must satisfy; repeatable", metavar="TEXT"
    )
    count: int = option(
        20, "number of runs; not with corners, which have their own", short="-n", at_least=1, at_most=1_000_000
    )
    cover: float | None = option(
        None, "instead of a number of runs: as many as the largest value needs to be above this part of all runs",
        unit="%", above=0.0, below=100.0,
    )  # fmt: skip
    seed: int = option(0, "seed of the draws: the same seed gives the same samples", at_least=0)
    modes: bool = option(
        False, "compute system modes instead of runs; they are paired with those of the file by shape (MAC)"
    )
    closed_loop: bool = option(False, "include the linear controllers in the modes")
    measure: Measures = option(
        {}, "a number of every run from its outputs, such as late=rms(after(rate,10)); repeatable", metavar="NAME=TEXT"
    )
    limit: tuple[str, ...] = option((), _LIMIT, metavar="TEXT")
    percentiles: Percents = option((50.0, 95.0, 99.73), "percentiles to state, with bounds", unit="%", metavar="A,B,C")
    confidence: float = option(90.0, "confidence of all bounds", unit="%", above=0.0, below=100.0)
    sensitivity: Literal["regression", "sobol"] = option(
        "regression", "regression, or Sobol indices by a Saltelli design: count times (keys + 2) runs"
    )
    output: FilePath | None = option(None, _TABLE, short="-o")
    histories: FilePath | None = option(None, _HISTORIES)
    plot: FilePath | None = option(None, _PLOT)
    report: FilePath | None = option(None, _REPORT)
    style: PlotStyle = option("screen", STYLE)

    _meant = ruled(
        applies("count", "cover", "seed", "correlate", "require", design=("random", "latin", "sobol")),
        excludes("cover", "count"),
        excludes("modes", "measure"),
        excludes("modes", "histories"),
        excludes("shard", "report"),
        needs("closed_loop", "modes"),
        needs("style", "plot"),
    )


class MergeStudy(Study):
    """Merge the shards of a sweep or a Monte Carlo study; the result equals that of the whole study."""

    task: ClassVar = "merge"
    arguments: ClassVar = ("samples",)
    endings: ClassVar = _RUN_FILES

    samples: FilePaths = option(..., "files of samples, one or several", metavar="SAMPLES.jsonl...")
    partial: bool = option(False, "merge the samples that exist even if some are missing")
    limit: tuple[str, ...] = option((), f"{_LIMIT}; default: those of the study", metavar="TEXT")
    percentiles: Percents = option(
        (50.0, 95.0, 99.73), "percentiles to state, with bounds; else those of the study", unit="%", metavar="A,B,C"
    )
    confidence: float = option(
        90.0, "confidence of all bounds; else that of the study", unit="%", above=0.0, below=100.0
    )
    output: FilePath | None = option(None, _TABLE, short="-o")
    histories: FilePath | None = option(None, f"{_HISTORIES}; its samples or shards had --histories, too")
    plot: FilePath | None = option(
        None, "plot to write: .png, .pdf or .svg; that of runs needs shards with --histories"
    )
    report: FilePath | None = option(None, _REPORT)
    keep: FilePath | None = option(None, "one file of all samples to write", metavar="SAMPLES.jsonl")
    style: PlotStyle = option("screen", STYLE)

    _drawn = ruled(needs("style", "plot"))


class RerunStudy(Study):
    """Fly samples of a Monte Carlo study again, the worst ones or by number, and write their runs with all histories."""

    task: ClassVar = "rerun"
    arguments: ClassVar = ("samples",)
    doing: ClassVar = "Flying again"

    samples: FilePaths = option(..., "files of samples, one or several", metavar="SAMPLES.jsonl...")
    worst: int = option(1, "how many of the worst samples", short="-n", at_least=1, at_most=1000)
    by: str | None = option(
        None,
        "measure that decides which is worst, such as rate.peak; default: the first limit of the study",
        metavar="MEASURE",
    )
    sample: SampleNumbers = option((), "number of a sample to fly instead, from 1; repeatable", metavar="NUMBER")
    output: FilePath | None = option(
        None, "folder for the runs; default: next to the file of samples", short="-o", metavar="FOLDER"
    )

    _chosen = ruled(excludes("sample", "worst"), excludes("sample", "by"))
