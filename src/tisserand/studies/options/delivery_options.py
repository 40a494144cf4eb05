"""Options of the tasks on delivered models and tests: reduce, couple, accept, correlate."""

from __future__ import annotations

from typing import ClassVar, Literal

from tisserand.declarations import FilePath, applies, needs, needs_some, one_of, option, ruled
from tisserand.studies.options.model_options import MASS, MassRecipe, _DeckStudy, _OfModel, _SolvedStudy
from tisserand.studies.study_type import Study
from tisserand.studies.values import Digits, ElementChoices, FilePaths, Limits, NodeItems, Sections, Units, Vector

Reduction = Literal["craig-bampton", "mixed", "craig-chang", "macneal", "guyan", "irs", "serep"]
ITEMS = "ids, points and node sets, each with components after a colon if not all are wanted: 101,102:123,feet"


class ReduceStudy(_DeckStudy, _OfModel):
    """Reduce a structure to its interface: matrices, recovery matrices (DTM, ATM, LTM) and checks, for couplings and loads."""

    task: ClassVar = "reduce"
    doing: ClassVar = "Reducing"
    endings: ClassVar = {
        "output": (".h5", ".hdf5"), "record": (".h5", ".hdf5"), "op4": (".op4",), "dmig": (".pch", ".bdf", ".dat"),
        "mat": (".mat",), "checks": (".txt",), "plot": (".png",),
    }  # fmt: skip

    interface: NodeItems = option(
        (), f"interface: {ITEMS}; default: the boundary set of the deck (ASET, QSET)", metavar="NODES"
    )
    method: Reduction = option("craig-bampton", "reduction to the interface")
    loose: NodeItems = option((), f"interface that is free in the modes of method mixed: {ITEMS}", metavar="NODES")
    digits: Digits = option("123456", "components of interface nodes that state none", metavar="DIGITS")
    fmax: float | None = option(
        None, "highest frequency of interest; modes up to 'factor' times it", unit="Hz", above=0.0
    )
    factor: float = option(2.0, "modes are kept up to this many times fmax", at_least=1.0)
    count: int | None = option(None, "number of modes instead of fmax", short="-n", at_least=0)
    inertia_relief: bool = option(False, "add residual vectors of the six unit accelerations")
    free: bool = option(False, "ignore the supports of the source; those at the interface are always released")
    mass: MassRecipe | None = option(None, MASS)
    part: int | None = option(None, "superelement of the deck to reduce, as the deck requests it", at_least=1)
    nodes: NodeItems = option((), f"displacements (DTM) and accelerations (ATM) to recover: {ITEMS}", metavar="NODES")
    node_digits: Digits = option("123", "components of recovered nodes that state none", metavar="DIGITS")
    elements: ElementChoices = option(
        {},
        "section forces and stresses to recover (LTM), LABEL=SET or LABEL=1,2,3; repeatable",
        metavar="LABEL=ELEMENTS",
    )
    stresses: ElementChoices = option(
        {},
        "stresses in the plies of shells to recover (LTM), LABEL=SET or LABEL=1,2,3; repeatable",
        metavar="LABEL=ELEMENTS",
    )
    sections: Sections = option(
        {}, "section forces to recover (LTM), NAME=y>0.35 (beyond a plane, m) or NAME=SET (nodes beyond); repeatable",
        metavar="NAME=CUT",
    )  # fmt: skip
    moment_point: Vector | None = option(
        None,
        "point of the net interface moment, basic axes; default: the middle of the interface",
        unit="m",
        metavar="X,Y,Z",
    )
    name: str | None = option(None, "name of the delivered model; default: that of the source")
    output: FilePath | None = option(None, "delivered model to write", short="-o", metavar="PART.h5")
    op4: FilePath | None = option(None, "Nastran OP4 matrices to write", metavar="PART.op4")
    dmig: FilePath | None = option(None, "Nastran DMIG matrices to write", metavar="PART.pch")
    mat: FilePath | None = option(None, "MATLAB file to write", metavar="PART.mat")
    record: FilePath | None = option(None, "record of the same shapes for vehicles to write", metavar="RECORD.h5")
    checks: FilePath | None = option(None, "all figures of the checks to write as text", metavar="CHECKS.txt")
    plot: FilePath | None = option(None, "picture of frequencies and effective masses to write", metavar="PART.png")

    _methods = ruled(
        applies("loose", method=("mixed",)),
        applies("inertia_relief", method=("craig-bampton", "mixed")),
        applies("fmax", "factor", "count", method=("craig-bampton", "mixed", "craig-chang", "macneal")),
        one_of("fmax", "count", needed=False),
        needs("factor", "fmax"),
        needs_some("digits", "interface", "loose"),
        needs("node_digits", "nodes"),
    )


class CoupleStudy(Study):
    """Couple delivered models at shared interface nodes: system modes, and the system as a delivered model with all recovery."""

    task: ClassVar = "couple"
    arguments: ClassVar = ("parts",)
    doing: ClassVar = "Coupling"
    endings: ClassVar = {"output": (".h5", ".hdf5"), "table": (".csv",), "plot": (".png",)}

    parts: FilePaths = option(..., "delivered models (.h5) that share node ids", metavar="PART.h5")
    name: str = option("system", "name of the system")
    fmax: float | None = option(None, "system modes up to this frequency; default: all", unit="Hz", above=0.0)
    output: FilePath | None = option(None, "delivered model of the system to write", short="-o", metavar="SYSTEM.h5")
    table: FilePath | None = option(None, "system modes to write as CSV", metavar="MODES.csv")
    plot: FilePath | None = option(None, "picture of the share of every part in the modes", metavar="SHARES.png")


class AcceptStudy(_SolvedStudy, _OfModel):
    """Judge a model, record or delivered model by a profile: value, limit, clause and verdict. Exit 1 if it is not accepted."""

    task: ClassVar = "accept"
    reads: ClassVar = ("deck", "reference")
    doing: ClassVar = "Judging"
    endings: ClassVar = {"output": (".csv", ".json"), "plot": (".png",)}

    profile: str | None = option(
        None, "model, delivery, correlation or a TOML file; default: delivery for delivered models, correlation with a "
        "reference, else model", metavar="NAME|FILE.toml",
    )  # fmt: skip
    reference: FilePath | None = option(
        None, "model, record or test modes to compare with; for a delivered model: the full model", metavar="FILE"
    )
    stated_mass: float | None = option(
        None, "mass that the model should have; default: that of the profile", unit="kg", above=0.0
    )
    upto: float | None = option(
        None, "highest frequency at which a delivered model is compared with the full one; default: half its highest mode",
        unit="Hz", above=0.0,
    )  # fmt: skip
    output: FilePath | None = option(None, "table to write", short="-o", metavar="TABLE.csv")
    plot: FilePath | None = option(None, "picture of the table to write", metavar="TABLE.png")
    record: FilePath | None = option(None, "record to add the table to, for its report", metavar="RECORD.h5")

    _compared = ruled(needs("upto", "reference"))


class CorrelateStudy(_SolvedStudy):
    """Compare the modes of a model with those of a test: alignment of its points, MAC, COMAC, cross-orthogonality, pairs."""

    task: ClassVar = "correlate"
    arguments: ClassVar = ("model", "test")
    reads: ClassVar = ("deck",)
    doing: ClassVar = "Correlating"
    endings: ClassVar = {"output": (".csv", ".json"), "plot": (".png",)}

    model: FilePath = option(..., "a deck, a TOML case or a mesh with its case", metavar="MODEL")
    test: FilePath = option(
        ..., "universal file (UFF, UNV) of the test: points (15, 2411) and real shapes (55)", metavar="TEST.uff"
    )
    test_units: Units | None = option(None, "units of the places of test points; default: those of the model")
    align: Literal["stated", "ids", "fit"] = option(
        "stated", "axes of the test: stated (those of the model), ids (points have the ids of nodes) or fit (by shape)"
    )
    pairs: Limits = option(
        {}, "points of the test that are nodes of the model, for alignment: 7=3143; repeatable", metavar="POINT=NODE"
    )
    reach: float | None = option(
        None, "largest distance of a point from its node; default: 2 % of the size of the test", unit="m", above=0.0
    )
    tam: Literal["serep", "guyan"] = option(
        "serep", "mass over the measured directions: by the modes of the model (serep) or by static shapes (guyan)"
    )
    least: float = option(0.25, "smallest MAC of a pair", at_least=0.0, at_most=1.0)
    output: FilePath | None = option(None, "pairs, or everything as JSON, to write", short="-o", metavar="PAIRS.csv")
    plot: FilePath | None = option(None, "picture of MAC, pairs and COMAC to write", metavar="PAIRS.png")
