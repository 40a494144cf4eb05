"""Options of the tasks on appendages: info, check, modes, view, diff, campbell."""

from __future__ import annotations

from typing import Any, ClassVar, Literal

from tisserand.declarations import FilePath, check, needs, option, problem, ruled
from tisserand.declarations.number_range import DAMPING_RATIO
from tisserand.declarations.shared_words import REFERENCE_DEFAULT
from tisserand.studies.options.plot_options import PLOTS, STYLE, PlotStyle
from tisserand.studies.study_type import Study
from tisserand.studies.values import Frame, NodeOrName, Points, Units, Values, Vector

Mounting = Literal["clamped", "residual", "free"]
MassRecipe = Literal["consistent", "lumped", "coupled", "particles", "bodies"]
#: Names of the registries of readers and exporters, written out so that help does not import them; a test compares.
Format = Literal[
    "nastran", "abaqus", "case", "gmsh", "vtk", "vtu", "xdmf", "med", "medit", "exodus", "stl", "ply", "obj", "off",
    "su2", "flac3d", "run", "results", "op2", "f06", "punch", "frd", "universal", "matrices", "delivered", "record", "sid",
    "vehicle", "study", "modes",
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
FLAVOR = (
    "program that a deck was written for: abaqus or calculix (.inp), nastran or mystran (bulk data; how shells bend); "
    "default: detected by keywords that only one of them has, else calculix and nastran"
)
MASS = "mass model (consistent, lumped, coupled, particles, bodies); default: that of the source"


#: Solvers, written out so that help does not import them; a test compares.
Backend = Literal["pardiso", "superlu", "multifrontal", "mumps", "cholmod", "slepc"]
BACKEND = (
    "solver that factorizes: pardiso, superlu, multifrontal, mumps or cholmod in this process, slepc (SLEPc and MUMPS) on MPI "
    "ranks of their own; default: the best one installed"
)
DECK = (
    "deck of the run whose results are given (OP2, F06, ...): positions, mass and an independent verification come from it; "
    "for matrices: the deck that places their points"
)


class _DeckStudy(Study):
    """How a deck is read."""

    units: Units | None = option(None, UNITS, short="-u")
    format: Format | None = option(None, FORMAT)
    allow: tuple[str, ...] = option((), ALLOW, metavar="CARD")
    step: int | None = option(None, STEP, at_least=1)
    subcase: int | None = option(None, SUBCASE, at_least=1)
    spc: int | None = option(None, SPC, at_least=1)
    flavor: Literal["abaqus", "calculix", "nastran", "mystran"] | None = option(None, FLAVOR)

    @property
    def choices(self) -> dict[str, Any]:
        """Selections within a deck (step, subcase, SPC set, program), as far as they are stated."""
        stated = {"step": self.step, "subcase": self.subcase, "spc": self.spc, "flavor": self.flavor}
        return {name: value for name, value in stated.items() if value is not None}


class _SolvedStudy(_DeckStudy):
    """Which modes of a deck are solved, and of which model."""

    reads: ClassVar[tuple[str, ...]] = ("deck", "tolerances")
    #: The options of this table.
    solving: ClassVar = ("count", "fmin", "fmax", "free", "mass", "allow_mechanisms", "full", "backend", "ranks")

    count: int | None = option(
        None, "number of elastic modes, at most that many with fmax; default: that of the source, else 20",
        short="-n", at_least=1,
    )  # fmt: skip
    fmin: float | None = option(None, "leave out modes below this frequency", unit="Hz", at_least=0.0)
    fmax: float | None = option(None, "all modes up to this frequency", unit="Hz", above=0.0)
    free: bool = option(False, "ignore the supports of the source")
    mass: MassRecipe | None = option(None, MASS)
    allow_mechanisms: bool = option(False, "keep and label strain-free motions")
    full: bool = option(False, "ignore the reduction specified in the deck (ASET, QSET, superelements)")
    backend: Backend | None = option(None, BACKEND)
    ranks: int | None = option(None, "MPI ranks of the backend slepc; default: 2", at_least=1)
    deck: FilePath | None = option(None, DECK, metavar="DECK")

    @property
    def solved(self) -> dict[str, Any]:
        """What was stated of the modes to solve."""
        return {name: getattr(self, name) for name in self.solving if name in self.model_fields_set}

    @check
    def _ascending(self) -> None:
        if self.fmin is not None and self.fmax is not None and not self.fmin < self.fmax:
            raise problem("fmax", "is not above fmin", found=self.fmax, expected=f"a frequency above {self.fmin:g} Hz")


class _OfModel(Study):
    """The file that most tasks take."""

    arguments: ClassVar = ("model",)

    model: FilePath = option(
        ..., "a deck, a TOML case, a mesh with its case, matrices, a result file (OP2, F06 ...), or a record"
    )


class InfoStudy(_DeckStudy, _OfModel):
    """Describe a file: nodes, elements, sets, units, ledger; or what a record, a run or a vehicle file contains."""

    task: ClassVar = "info"


class CheckStudy(_DeckStudy, _OfModel):
    """Check a model: rigid-body energy, mechanisms, disconnected parts, mass balance, units. Exit 1 if a check fails."""

    task: ClassVar = "check"
    doing: ClassVar = "Checking"

    mass: MassRecipe | None = option(None, MASS)


class ModesStudy(_SolvedStudy, _OfModel):
    """Compute modes with proof, or take and verify those of a result file; reduce the appendage, and write its record."""

    task: ClassVar = "modes"
    doing: ClassVar = "Solving"
    #: What concerns the files that are read and written; everything else concerns the modes.
    of_files: ClassVar = (
        "model", "units", "format", "allow", "step", "subcase", "spc", "flavor", "output", "ignore_outputs", "force",
    )  # fmt: skip

    frame: Frame | None = option(
        None,
        "floating frame of the shapes: connection, node:ID, buckens, tisserand, milne or free; it changes "
        "shapes and modal mass, not the supports; default: connection if supported, else buckens",
    )
    geometric: bool = option(False, "add geometric stiffness for acceleration and spin (needed for spinning bodies)")
    attachment: NodeOrName | None = option(
        None,
        "node id or point that carries the appendage; becomes the reference point O; default: the point 'attachment', else the "
        "only node that the supports of the source hold",
        metavar="NODE",
    )
    reference_point: Vector | None = option(
        None,
        f"reference point O of masses and integrals, basic axes; {REFERENCE_DEFAULT}",
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
        None, "support for which the damping ratios hold; default: that of the case, else the attachment"
    )
    accept_units: bool = option(False, "accept units that make densities, moduli or size implausible for any solid")
    tolerances: FilePath | None = option(
        None, "TOML file of limits for the verification of results by their deck", short="-t"
    )
    solution: FilePath | None = option(
        None,
        "folder that 'export --to petsc' wrote and solve.py solved elsewhere: its modes are checked, counted and taken",
        metavar="FOLDER",
    )
    ignore_outputs: bool = option(False, "do not write the files listed in [outputs] of the case")
    output: FilePath | None = option(None, "record to write", short="-o", metavar="RECORD.h5")
    force: bool = option(False, "allow [outputs] of the file outside its folder; inputs are never overwritten")


class ViewStudy(_SolvedStudy, _OfModel):
    """Show mode shapes in a window, or write them to files if there is no screen. A run becomes a film or a page."""

    task: ClassVar = "view"
    reads: ClassVar = ("deck",)
    doing: ClassVar = "Drawing"

    mode: int = option(1, "mode to show first in the window, or to save as a film", short="-m", at_least=1)
    save: FilePath | None = option(
        None,
        "file to write instead of opening a window: .png (all modes, or plots of a run), .gif, .mp4, .webm, .glb, .vtu, .html",
    )
    color: Literal["displacement", "energy"] = option("displacement", "color by displacement or by strain energy")
    deflection: float = option(1.0, "factor of elastic deflections in films and scenes of a run", above=0.0)


class DiffStudy(_SolvedStudy):
    """Compare two appendages: paired modes, effective masses, mass properties. Exit 1 if a tolerance is exceeded."""

    task: ClassVar = "diff"
    arguments: ClassVar = ("first", "second")
    doing: ClassVar = "Comparing"

    first: FilePath = option(..., "reference: a record, deck, case or result file", metavar="A")
    second: FilePath = option(..., "record, deck, case or result file to compare with it", metavar="B")
    tolerances: FilePath | None = option(None, "TOML file of tolerances", short="-t")
    picture: FilePath | None = option(None, "picture of the MAC matrix to write", metavar="MAC.png")


class CampbellStudy(_DeckStudy, _OfModel):
    """Frequencies of a spinning structure over the spin rate, branch by branch."""

    task: ClassVar = "campbell"
    doing: ClassVar = "Spinning"
    endings: ClassVar = {"output": (".csv",), "plot": PLOTS}

    axis: Vector = option(..., "direction of the spin, basic axes", metavar="X,Y,Z")
    rates: Values = option(..., "spin rates: 0:10:21 (from:to:count) or a,b,c", unit="rad/s", metavar="RAD/S")
    count: int = option(6, "number of branches", short="-n", at_least=1)
    about: Vector = option((0.0, 0.0, 0.0), "point on the axis, basic axes", unit="m", metavar="X,Y,Z")
    unstressed: bool = option(False, "leave out the geometric stiffness of the centrifugal stress")
    mass: MassRecipe | None = option(None, MASS)
    output: FilePath | None = option(None, "table to write as CSV", short="-o")
    plot: FilePath | None = option(None, "diagram to write: .png, .pdf or .svg")
    style: PlotStyle = option("screen", STYLE)
    record: FilePath | None = option(None, "record of this model to add the data to", metavar="RECORD.h5")

    _drawn = ruled(needs("style", "plot"))

    @check
    def _some_direction(self) -> None:
        if not any(self.axis):
            raise problem("axis", "has zero length", found=list(self.axis), expected="a direction x,y,z")

    @check
    def _some_rates(self) -> None:
        if max(map(abs, self.rates)) > 1e9:
            raise problem("rates", "is faster than anything spins", expected="at most 1e9 rad/s")
