"""``tisserand.open``: any supported file as the start of the pipeline.

wing = tisserand.open("wing.bdf", units="SI")
wing.check().passed
basis = wing.modes(count=20)                       # with proof
record = wing.reduce(count=20, damping=0.003)      # modal integrals
run = tisserand.open("vehicle.toml").simulate()
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import KW_ONLY, dataclass, field
from html import escape
from pathlib import Path
from typing import TYPE_CHECKING, Any, Literal, Unpack

from tisserand.appendage.record.reduced_appendage import ReducedAppendage
from tisserand.arguments import checked_arguments
from tisserand.assembly import assemble
from tisserand.assembly.assembled_model import AssembledModel
from tisserand.assembly.model_checks import CheckReport, check_model
from tisserand.errors import InputError
from tisserand.model import StructuralModel
from tisserand.modes.modal_basis import ModalBasis
from tisserand.multibody.trajectory import Trajectory
from tisserand.readers.case import AppendageCase, model_of_case, read_case
from tisserand.readers.matrices.build import without_places
from tisserand.readers.op2.op2_deck import model_of_op2
from tisserand.responses.delivered_model import DeliveredModel
from tisserand.studies.flight import fly
from tisserand.studies.kinds import Kind, kind_of, refuse_other
from tisserand.studies.look import Look
from tisserand.studies.options import ModesStudy
from tisserand.studies.solving import reduced, solved
from tisserand.studies.supplier import SupplierRun, opened_run, reduce_run
from tisserand.units import unit_system

if TYPE_CHECKING:
    from tisserand.studies.tasks import ReduceOptions
    from tisserand.studies.vehicles import VehicleCase


@checked_arguments
@dataclass(frozen=True, eq=False)
class Source:
    """An opened file.

    One of ``structure`` (with its ``case`` if there is one), ``matrices``, ``record``, ``supplier``, ``vehicle`` and
    ``trajectory`` is set; ``kind`` is the name of its entry in the registry. A delivered model also is ``matrices``.

    Attributes:
        path: of the file.
        choices: what was chosen of a deck (subcase, spc, step, flavor), kept in the provenance of its record.
    """

    path: Path
    kind: str
    _: KW_ONLY
    structure: StructuralModel | None = None
    case: AppendageCase | None = None
    matrices: AssembledModel | None = None
    record: ReducedAppendage | None = None
    delivered: DeliveredModel | None = None
    supplier: SupplierRun | None = None
    vehicle: VehicleCase | None = None
    trajectory: Trajectory | None = None
    choices: Mapping[str, int | str] = field(default_factory=dict)

    def __repr__(self) -> str:
        return f"<{self.kind} {str(self.path)!r}>"

    def _repr_html_(self) -> str:
        parts = (self.structure, self.matrices, self.record, self.vehicle, self.trajectory)
        shown = "".join(part._repr_html_() for part in parts if part is not None)
        return f"<p>{escape(self.kind)}: {escape(str(self.path))}</p>{shown}"

    def assemble(self, mass: str | None = None) -> AssembledModel:
        """Mass and stiffness; a record has none, bare matrices are returned as they are.

        Args:
            mass: mass recipe; None takes the model's own.
        """
        if self.matrices is not None:
            if mass is not None:
                raise InputError("matrices already include mass", where=str(self.path), found=f"mass {mass}")
            return self.matrices
        if self.supplier is not None:
            raise InputError(
                "a result file holds no mass and stiffness matrices",
                where=str(self.path),
                expected="the deck of the run",
            )
        if self.vehicle is not None or self.trajectory is not None:
            what = "a vehicle file" if self.vehicle is not None else "a run"
            raise InputError(
                f"{what} holds no mass and stiffness matrices", where=str(self.path), expected="a deck or a case"
            )
        if self.structure is None:
            raise InputError(
                "a record holds reduced data only, not the mass and stiffness matrices of its source",
                where=str(self.path),
                expected="a deck or a case",
            )
        return assemble(self.structure, mass=mass)  # type: ignore[arg-type]

    def check(self, mass: str | None = None) -> CheckReport:
        """Run the model checks.

        Args:
            mass: mass recipe; None takes the model's own.
        """
        if self.structure is None:
            raise InputError("checks need a structural model", where=str(self.path), expected="a deck or a case")
        return check_model(self.structure, self.assemble(mass))

    def modes(self, **options: Unpack[ReduceOptions]) -> ModalBasis:
        """Modes with proof; options are those of ``tisserand modes``."""
        return solved(self, self._study(options))

    def reduce(self, **options: Unpack[ReduceOptions]) -> ReducedAppendage:
        """The reduced appendage; options are those of ``tisserand modes``."""
        study = self._study(options)
        if self.supplier is not None:
            return reduce_run(self.supplier, study).record
        if self.record is None:
            return reduced(self, solved(self, study), study)
        if options:
            raise InputError(
                "a record's modes are fixed", where=str(self.path), advice="reduce its source with the new options"
            )
        return self.record

    def _study(self, options: ReduceOptions) -> ModesStudy:
        for name in ModesStudy.of_files:
            if name in options:
                raise InputError(
                    f"{name}: is not an option of an opened source",
                    advice="state it in tisserand.open, or in save_record",
                )
        return ModesStudy(model=self.path, **options)  # type: ignore[arg-type]

    def simulate(self) -> Trajectory:
        """Run a vehicle file as it states."""
        if self.vehicle is None:
            raise InputError(
                "only a vehicle can be simulated", where=str(self.path), found=self.kind, expected="a vehicle file"
            )
        return fly(self.vehicle)


@checked_arguments(but=("units",))
def open(
    path: str | Path,
    *,
    units: str | None = None,
    format: str | None = None,
    allow: tuple[str, ...] = (),
    step: int | None = None,
    subcase: int | None = None,
    spc: int | None = None,
    flavor: Literal["abaqus", "calculix", "nastran", "mystran"] | None = None,
    deck: str | Path | None = None,
) -> Source:
    """Open a deck, a case, a mesh with its case, matrices, modes, a record, a vehicle file or a run.

    Parameters
    ----------
    path : str or Path
        The file. Its content decides what it is, its ending helps.
    units : str, optional
        Unit system of a deck, of matrices or of modes, which carry none; records and cases state their own.
    format : str, optional
        Name of the format, where the content is not recognized; ``tisserand formats`` lists them.
    allow : tuple of str
        Cards or keywords that may be dropped although they matter.
    step : int, optional
        Step of an Abaqus or CalculiX deck whose boundary and preload apply.
    subcase, spc : int, optional
        Subcase and SPC set of a Nastran deck to apply; the subcase of a result file.
    flavor : {"abaqus", "calculix", "nastran", "mystran"}, optional
        Program that a deck was written for, of .inp decks or of bulk data; default: by words that only one of them knows.
    deck : str or Path, optional
        Deck of the run whose results are opened; for matrices, the deck that places their points.
    """
    look = Look(path)
    return _opened(
        look, kind_of(look, format), units, allow, _stated(step=step, subcase=subcase, spc=spc, flavor=flavor), deck
    )


def open_appendage(
    path: str | Path,
    *,
    units: str | None = None,
    format: str | None = None,
    allow: tuple[str, ...] = (),
    deck: str | Path | None = None,
    **choices: int | str | None,
) -> Source:
    """Open what an appendage can be made of; vehicle files and runs are refused with the command that takes them."""
    look = Look(path)
    kind = kind_of(look, format)
    if format is None and kind.name in ("vehicle", "run", "study"):
        refuse_other(look, "an appendage: a deck, a case or a record")
    return _opened(look, kind, units, allow, _stated(**choices), deck)


#: What each format lets a user choose: first the solution, which results share with their deck.
CHOICES = {"nastran": ("subcase", "spc", "flavor"), "abaqus": ("step", "flavor")}
#: Programs whose decks a format is.
PROGRAMS = {"nastran": ("nastran", "mystran"), "abaqus": ("abaqus", "calculix")}


def _stated(**choices: int | str | None) -> dict[str, Any]:
    return {name: value for name, value in choices.items() if value is not None}


def _opened(
    look: Look,
    kind: Kind,
    units: str | None,
    allow: tuple[str, ...],
    choices: dict[str, Any],
    deck: str | Path | None = None,
) -> Source:
    path = look.path
    if kind.name == "study":
        refuse_other(look, "a model, a record, a vehicle file or a run")
    if kind.gives == "supplier":
        return _opened_results(look, kind, units, allow, choices, deck)
    if deck is not None and kind.name != "matrices":
        raise InputError(
            "deck: goes with a result file such as OP2 or F06, or with matrices", where=str(path), found=deck
        )
    for name in choices:
        if name not in CHOICES.get(kind.name, ()):
            formats = [known for known, names in CHOICES.items() if name in names]
            raise InputError(
                f"'{name}' cannot be chosen for this file", where=str(path), found=f"a {kind.name} file",
                expected=f"a deck of {' or '.join(formats)}",
                advice=f"state mesh.{name} in the case" if kind.name == "case" else None,
            )  # fmt: skip
    if kind.name == "case":
        return _opened_case(look, units, allow)
    if kind.gives == "mesh":
        beside = path.with_suffix(".toml")
        if not beside.exists():
            raise InputError(
                "this mesh format carries no materials or sections",
                where=str(path),
                expected=f"a TOML case beside it ({beside.name}) or given instead of it",
            )
        return _opened_case(Look(beside), units, allow)
    if kind.gives == "structure":
        return Source(path, kind.name, structure=kind.load()(path, units, allow=allow, **choices), choices=choices)
    if kind.name == "matrices" and deck is not None:
        geometry = open_appendage(deck, units=units, allow=allow).structure
        if geometry is None:
            raise InputError("deck: states no structure, so it has no positions for the matrices", where=str(deck))
        return Source(path, kind.name, matrices=kind.load()(path, units, geometry=geometry))
    if kind.name == "matrices":
        return Source(path, kind.name, matrices=without_places(kind.load()(path, units)))
    if kind.name == "modes":
        return Source(path, kind.name, **{kind.gives: kind.load()(path, units)})
    if kind.name == "delivered":
        given = kind.load()(path)
        return Source(path, kind.name, delivered=given, matrices=given.assembled())
    read = kind.load()(path, **({"data": look.table} if kind.name == "vehicle" else {}))
    if kind.name == "record" and units is not None and unit_system(units).name != read.unit_system:
        raise InputError(
            "a record states its own units",
            where=str(path),
            found=f"units {units}",
            expected=read.unit_system,
            advice="leave --units out",
        )
    return Source(path, kind.name, **{kind.gives: read})


def _opened_results(
    look: Look, kind: Kind, units: str | None, allow: tuple[str, ...], choices: dict[str, Any], deck: str | Path | None
) -> Source:
    """A result file and its deck; subcase or step are those of both, other choices are the deck's."""
    own = None
    solution = choices.get("subcase", choices.get("step"))
    if deck is not None:
        beside = kind_of(Look(deck)).name
        kept: dict[str, Any] = {n: value for n, value in choices.items() if n in ("spc", "flavor")}
        if solution is not None and beside in CHOICES:
            kept[CHOICES[beside][0]] = solution
        if beside in ("results", "op2") and Path(deck).suffix.lower() == ".op2":
            model = model_of_op2(Path(deck), units, allow=allow, spc=kept.get("spc"))
            own = Source(Path(deck), "op2", structure=model)
        else:
            own = open_appendage(deck, units=units, allow=allow, **kept)
    elif "spc" in choices:
        raise InputError("'spc' cannot be chosen for a result file", where=str(look.path), advice="it goes with --deck")
    stated = units if units is not None or own is None or own.case is None else own.case.units.name
    name = kind.name if kind.name != "results" else None
    modes = kind.load()(look.path, solution, format=name)
    return Source(look.path, kind.name, supplier=opened_run(look.path, modes, stated, own))


def _opened_case(look: Look, units: str | None, allow: tuple[str, ...]) -> Source:
    case = read_case(look.path, data=look.table)
    if units is not None and unit_system(units) != case.units:
        raise case.error(
            "units",
            "the case states its own units",
            found=f"units {units}",
            expected=case.units.name,
            advice="leave --units out",
        )
    return Source(look.path, "case", structure=model_of_case(case, allow=allow), case=case)
