"""Every option of every task, declared once. Importing this imports no mechanics, so that help stays quick."""

from __future__ import annotations

from pathlib import Path
from typing import Any, ClassVar, Literal

from tisserand.declarations import FilePath, check, option, problem
from tisserand.declarations.number_range import DAMPING_RATIO
from tisserand.studies.study_type import Study
from tisserand.studies.values import Frame, Laws, NodeOrName, Points, Settings, Swept, Units, Values, Vector

Mounting = Literal["clamped", "residual", "free"]
MassRecipe = Literal["consistent", "lumped", "coupled", "particles", "bodies"]
#: Names of the registries of readers and exporters, written out so that help does not import them; a test compares.
Format = Literal[
    "nastran", "abaqus", "case", "gmsh", "vtk", "vtu", "xdmf", "med", "medit", "exodus", "stl", "ply", "obj", "off",
    "su2", "flac3d", "run", "results", "op2", "f06", "punch", "frd", "universal", "matrices", "record", "sid", "vehicle",
    "study", "modes",
]  # fmt: skip
Target = Literal[
    "statespace", "matlab", "sdtlib", "effective-mass", "simscape", "op4", "dmig", "exudyn", "42", "sid", "vtu", "gltf",
]  # fmt: skip
UNITS = (
    "units of a deck that does not state them: SI, mm-t-s, mm-kg-ms, in-lbf-s, ft-slug-s, cm-g-s, "
    "length,mass,time factors, or consistent (numbers unchanged)"
)
FORMAT = "file format, if it is not recognized from the content; see 'tisserand formats'"
ALLOW = "card or keyword that may be dropped even though it matters; repeatable"
STEP = "step of an Abaqus or CalculiX deck or result; default: the first FREQUENCY step of a deck, the only one of a result"
SUBCASE = "subcase of a Nastran deck to apply, or of a result file; default: the first with a METHOD, else the first"
SPC = "SPC set of a Nastran deck to use instead of the one selected in case control"
FLAVOR = "program that an .inp deck was written for; default: by keywords that only one of them knows, else calculix"
MASS = "mass model (consistent, lumped, coupled, particles, bodies); default: that of the source"


DECK = (
    "deck of the run whose results are given (OP2, F06, ...): positions, mass and an independent verification come from it; "
    "for matrices: the deck that places their points"
)


class _ModelStudy(Study):
    arguments: ClassVar = ("model",)

    model: FilePath = option(
        ..., "a deck, a TOML case, a mesh with its case, matrices, a result file (OP2, F06 ...), or a record"
    )
    units: Units | None = option(None, UNITS, short="-u")
    format: Format | None = option(None, FORMAT)
    allow: tuple[str, ...] = option((), ALLOW, metavar="CARD")
    step: int | None = option(None, STEP, at_least=1)
    subcase: int | None = option(None, SUBCASE, at_least=1)
    spc: int | None = option(None, SPC, at_least=1)
    flavor: Literal["abaqus", "calculix"] | None = option(None, FLAVOR)

    @property
    def choices(self) -> dict[str, Any]:
        """Selections within a deck (step, subcase, SPC set, program), as far as they are stated."""
        stated = {"step": self.step, "subcase": self.subcase, "spc": self.spc, "flavor": self.flavor}
        return {name: value for name, value in stated.items() if value is not None}


class InfoStudy(_ModelStudy):
    """Describe a file: nodes, elements, sets, units, ledger; or what a record, a run or a vehicle file contains."""

    task: ClassVar = "info"


class CheckStudy(_ModelStudy):
    """Check a model: rigid-body energy, mechanisms, disconnected parts, mass balance, units. Exit 1 if a check fails."""

    task: ClassVar = "check"
    doing: ClassVar = "Checking"

    mass: MassRecipe | None = option(None, MASS)


class ModesStudy(_ModelStudy):
    """Compute modes with proof, or take and verify those of a result file; reduce the appendage, and write its record."""

    task: ClassVar = "modes"
    reads: ClassVar = ("deck", "tolerances")
    doing: ClassVar = "Solving"

    count: int | None = option(
        None, "number of elastic modes, at most that many with fmax; default: that of the source, else 20",
        short="-n", at_least=1,
    )  # fmt: skip
    fmax: float | None = option(None, "all modes up to this frequency", unit="Hz", above=0.0)
    frame: Frame | None = option(
        None,
        "floating frame of the shapes: connection, node:ID, buckens, tisserand, milne or free; it changes "
        "shapes and modal mass, not the supports; default: connection if supported, else buckens",
    )
    free: bool = option(False, "ignore the supports of the source")
    mass: MassRecipe | None = option(None, MASS)
    allow_mechanisms: bool = option(False, "keep and label strain-free motions")
    geometric: bool = option(False, "add geometric stiffness for acceleration and spin (needed for spinning bodies)")
    attachment: NodeOrName | None = option(
        None,
        "node id or point that carries the appendage; becomes the reference point O; default: the point 'attachment', else the "
        "only node that the supports of the source hold",
        metavar="NODE",
    )
    reference_point: Vector | None = option(
        None,
        "reference point O of masses and integrals, basic axes; default: the attachment, else the centroid of the held nodes, "
        "else the mass center",
        unit="m", metavar="X,Y,Z",
    )  # fmt: skip
    mounted: Mounting | None = option(
        None,
        "shapes of a floating appendage with an attachment: clamped (held there, expressed in the frame), residual (free modes "
        "and residual attachment shapes) or free (free modes alone; their error on a mount is stated); default: clamped for a "
        "stated mean-axis frame, else residual",
    )
    points: Points = option({}, "names of nodes, such as tip=4021; repeatable", metavar="NAME=NODE")
    damping: float | None = option(
        None, "damping ratio of every mode, such as 0.003; default: that of the case, else none",
        metavar="RATIO", **DAMPING_RATIO,
    )  # fmt: skip
    damping_support: Literal["attachment", "free"] | None = option(
        None,
        "what holds the appendage for which damping ratios are given; default: that of the case, else the attachment",
    )
    accept_units: bool = option(False, "keep units in which densities, moduli or size are far from those of any solid")
    deck: FilePath | None = option(None, DECK, metavar="DECK")
    tolerances: FilePath | None = option(
        None, "TOML file of limits for the verification of results by their deck", short="-t"
    )
    full: bool = option(False, "ignore the reduction specified in the deck (ASET, QSET, superelements)")
    ignore_outputs: bool = option(False, "do not write the files listed in [outputs] of the case")
    output: FilePath | None = option(None, "record to write", short="-o", metavar="RECORD.h5")
    force: bool = option(False, "let [outputs] of the file write outside its folder; inputs are never overwritten")


class ViewStudy(_ModelStudy):
    """Show mode shapes in a window, or write them to files if there is no screen."""

    task: ClassVar = "view"
    reads: ClassVar = ("deck",)
    doing: ClassVar = "Drawing"

    mode: int = option(1, "mode to show first, or to save", short="-m", at_least=1)
    count: int | None = option(None, "number of modes when a deck or case is given", short="-n", at_least=1)
    save: FilePath | None = option(
        None, "file to write instead of opening a window: .png (all modes), .gif, .mp4, .glb, .vtu, .html"
    )
    deck: FilePath | None = option(None, DECK, metavar="DECK")
    color: Literal["displacement", "energy"] = option("displacement", "color by displacement or by strain energy")


class ReportStudy(Study):
    """Write a self-contained HTML page: verdict, tables, charts and animated 3-D shapes. It works offline."""

    task: ClassVar = "report"
    arguments: ClassVar = ("source",)
    reads: ClassVar = ("reference",)
    doing: ClassVar = "Writing the report of"

    source: FilePath = option(..., "a reduced record or a run", metavar="FILE.h5")
    output: FilePath | None = option(
        None, "page to write; default: next to the file", short="-o", metavar="REPORT.html"
    )
    reference: FilePath | None = option(None, "record to compare the modes with (MAC)", metavar="RECORD.h5")


class DiffStudy(Study):
    """Compare two appendages: paired modes, effective masses, mass properties. Exit 1 if a tolerance is exceeded."""

    task: ClassVar = "diff"
    arguments: ClassVar = ("first", "second")
    reads: ClassVar = ("tolerances", "deck")
    doing: ClassVar = "Comparing"

    first: FilePath = option(..., "reference: a record, deck, case or result file", metavar="A")
    second: FilePath = option(..., "record, deck, case or result file to compare with it", metavar="B")
    units: Units | None = option(None, UNITS, short="-u")
    tolerances: FilePath | None = option(None, "TOML file of tolerances", short="-t")
    deck: FilePath | None = option(None, DECK, metavar="DECK")
    subcase: int | None = option(None, SUBCASE, at_least=1)
    picture: FilePath | None = option(None, "picture of the MAC matrix to write", metavar="MAC.png")


class ExportStudy(Study):
    """Export a reduced appendage for another tool, after listing what that format cannot represent."""

    task: ClassVar = "export"
    arguments: ClassVar = ("record",)

    record: FilePath = option(..., "a reduced record", metavar="RECORD.h5")
    to: Target = option(..., "target; see 'tisserand formats'", metavar="TARGET")
    output: FilePath | None = option(None, "file to write; default: next to the record", short="-o")
    strict: bool = option(False, "refuse if the target cannot represent everything")
    force: bool = option(False, "replace existing files")


class CampbellStudy(_ModelStudy):
    """Frequencies of a spinning structure over the spin rate, branch by branch."""

    task: ClassVar = "campbell"
    doing: ClassVar = "Spinning"
    endings: ClassVar = {"output": (".csv",), "plot": (".png",)}

    axis: Vector = option(..., "direction of the spin, basic axes", metavar="X,Y,Z")
    rates: Values = option(..., "spin rates: 0:10:21 (from:to:count) or a,b,c", unit="rad/s", metavar="RAD/S")
    count: int = option(6, "number of branches", short="-n", at_least=1)
    about: Vector = option((0.0, 0.0, 0.0), "point on the axis, basic axes", unit="m", metavar="X,Y,Z")
    unstressed: bool = option(False, "leave out the geometric stiffness of the centrifugal stress")
    mass: MassRecipe | None = option(None, MASS)
    output: FilePath | None = option(None, "table to write as CSV", short="-o")
    plot: FilePath | None = option(None, "diagram to write as PNG")
    record: FilePath | None = option(None, "record of this model to add the data to", metavar="RECORD.h5")

    @check
    def _some_direction(self) -> None:
        if not any(self.axis):
            raise problem("axis", "has zero length", found=list(self.axis), expected="a direction x,y,z")

    @check
    def _some_rates(self) -> None:
        if max(map(abs, self.rates)) > 1e9:
            raise problem("rates", "is faster than anything spins", expected="at most 1e9 rad/s")


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
    endings: ClassVar = {"csv": (".csv", ".parquet"), "plot": (".png",)}
    elsewhere: ClassVar = {
        word: f"a key of the vehicle file: change it with --set (simulation.{word})"
        for word in (
            "duration", "samples", "output_step", "segment", "method", "rtol", "atol", "step", "on_limit", "engine",
            "max_steps",
        )
    }  # fmt: skip

    output: FilePath | None = option(None, "run to write", short="-o", metavar="RUN.h5")
    csv: FilePath | None = option(None, "time histories to write: .csv or .parquet (needs pyarrow)")
    plot: FilePath | None = option(None, "plot to write as PNG")
    force: bool = option(False, "let [outputs] of the file write outside its folder; inputs are never overwritten")


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


CLOSED = "close the loops of the linear controllers; if open, their commands are inputs"


class LinearizeStudy(_VehicleStudy):
    """Linear model about the initial state: A, B, C, D with named inputs (loads) and outputs (sensors), poles."""

    task: ClassVar = "linearize"
    doing: ClassVar = "Linearizing"
    endings: ClassVar = {"output": (".npz", ".mat")}

    closed_loop: bool = option(False, CLOSED)
    output: FilePath | None = option(None, "A, B, C, D and more to write as .npz or .mat", short="-o")


class SystemModesStudy(_VehicleStudy):
    """Vibration modes of the whole vehicle about its initial state, loops open unless --closed-loop is given.

    Constant loads act. Modes above the last kept mode of an appendage are marked.
    """

    task: ClassVar = "system-modes"
    doing: ClassVar = "Modes of"

    closed_loop: bool = option(False, CLOSED)


class ResponseStudy(_VehicleStudy):
    """Frequency response from every load to every sensor."""

    task: ClassVar = "response"
    doing: ClassVar = "Response of"
    endings: ClassVar = {"output": (".csv",), "plot": (".png",)}

    fmin: float = option(0.01, "lowest frequency", unit="Hz", above=0.0)
    fmax: float = option(10.0, "highest frequency", unit="Hz", above=0.0)
    points: int = option(
        400, "number of frequencies, spaced logarithmically; more are added at peaks", at_least=2, at_most=1_000_000
    )
    closed_loop: bool = option(False, CLOSED)
    output: FilePath | None = option(None, "table to write as CSV", short="-o")
    plot: FilePath | None = option(None, "Bode plot to write as PNG")

    @check
    def _ascending(self) -> None:
        if not self.fmin < self.fmax:
            raise problem("fmax", "is not above fmin", found=self.fmax, expected=f"a frequency above {self.fmin:g} Hz")


class SweepStudy(_VehicleStudy):
    """Frequencies, damping and poles over any values in the vehicle file (array angle, mass, ...)."""

    task: ClassVar = "sweep"
    doing: ClassVar = "Sweeping"
    endings: ClassVar = {"output": (".csv",), "plot": (".png",)}

    over: Swept = option(
        ...,
        "key of the file and its values: initial.joints_deg.drive=0:180:13 or a,b,c; KEY+KEY=... ties keys to the same "
        "values; repeatable",
        metavar="KEY=VALUES",
    )
    closed_loop: bool = option(False, "include the linear controllers")
    matrices: bool = option(False, "put A, B, C, D of every sample into the result")
    jobs: int = option(1, "parallel processes", short="-j", at_least=1, at_most=1024)
    output: FilePath | None = option(None, "table to write as CSV", short="-o")
    plot: FilePath | None = option(None, "plot to write as PNG")


class MonteCarloStudy(_VehicleStudy):
    """Simulate many vehicles with random values; failures are recorded and do not stop the study."""

    task: ClassVar = "montecarlo"
    doing: ClassVar = "Simulating"
    endings: ClassVar = {"output": (".csv",)}

    vary: Laws = option(
        ...,
        "key of the file and its law: bodies.bus.mass=normal:800:20 or initial.joints_deg.drive=uniform:0:90; KEY+KEY shares "
        "the draw; repeatable",
        metavar="KEY=LAW",
    )
    count: int = option(20, "number of runs", short="-n", at_least=1, at_most=1_000_000)
    seed: int = option(0, "seed of the draws: the same seed gives the same samples", at_least=0)
    jobs: int = option(1, "parallel processes", short="-j", at_least=1, at_most=1024)
    output: FilePath | None = option(None, "table to write as CSV", short="-o")


class DemoStudy(Study):
    """Run the complete workflow on an included solar-array wing: mesh, checks, modes, reduction, slew, pictures."""

    task: ClassVar = "demo"

    output: Path = option(Path("tisserand-demo"), "folder to write", short="-o")


class FormatsStudy(Study):
    """List the supported input and output formats."""

    task: ClassVar = "formats"


class SchemaStudy(Study):
    """Print the JSON Schema of case, vehicle, modes or study files, for completion and checking in editors."""

    task: ClassVar = "schema"
    arguments: ClassVar = ("of",)

    of: Literal["case", "vehicle", "modes", "study"] = option(..., "kind of file: case, vehicle, modes or study")


class StudyFileStudy(Study):
    """Run the tasks of a study file: one table per task, such as [modes] or [simulate], with the options as keys."""

    task: ClassVar = "study"
    arguments: ClassVar = ("file",)

    file: FilePath = option(..., "a study file", metavar="STUDY.toml")
    force: bool = option(False, "let the file write outside its folder; inputs are never overwritten")


#: Every task in the order of the help page.
STUDIES: tuple[type[Study], ...] = (
    DemoStudy, InfoStudy, CheckStudy, ModesStudy, ViewStudy, ReportStudy, DiffStudy, ExportStudy, SimulateStudy, FramesStudy,
    LinearizeStudy, SystemModesStudy, ResponseStudy, SweepStudy, CampbellStudy, MonteCarloStudy, FormatsStudy, SchemaStudy,
    StudyFileStudy,
)  # fmt: skip
