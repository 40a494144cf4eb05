# Signatures of the tasks, written by docs/make_reference.py from the declarations.
# fmt: off
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from typing import Any, Literal, TypedDict, overload

from numpy.typing import ArrayLike as ArrayLike

from tisserand.appendage.record.damping_matrix import Damping as Damping
from tisserand.appendage.record.reduced_appendage import ReducedAppendage as ReducedAppendage
from tisserand.appendage.recovery.output_matrices import Elements as Elements
from tisserand.appendage.support_mass import DampingSupport as DampingSupport
from tisserand.arrays import FloatArray as FloatArray
from tisserand.assembly.assembled_model import AssembledModel as AssembledModel
from tisserand.exporters.registry import ExportResult as ExportResult
from tisserand.model import Supports as Supports
from tisserand.modes.campbell import Campbell as Campbell
from tisserand.modes.component import ReducedComponent as ReducedComponent
from tisserand.modes.coupling import CoupledSystem as CoupledSystem
from tisserand.modes.modal_basis import ModalBasis as ModalBasis
from tisserand.multibody.controllers import Controller as Controller
from tisserand.multibody.events import Event as Event
from tisserand.multibody.linear import LinearModel as LinearModel
from tisserand.multibody.loads import Load as Load
from tisserand.multibody.measurements import Measurement as Measurement
from tisserand.multibody.run_options import EngineName as EngineName
from tisserand.multibody.run_options import Method as Method
from tisserand.multibody.run_options import OnLimit as OnLimit
from tisserand.multibody.signals import Signal as Signal
from tisserand.multibody.state import State as State
from tisserand.multibody.trajectory import Trajectory as Trajectory
from tisserand.multibody.vehicle import Vehicle as Vehicle
from tisserand.multibody.vehicle_modes import SystemModes as SystemModes
from tisserand.studies.accept import AcceptResult as AcceptResult
from tisserand.studies.base_drive import DriveResult as DriveResult
from tisserand.studies.campbell import CampbellResult as CampbellResult
from tisserand.studies.check import CheckResult as CheckResult
from tisserand.studies.correlate import CorrelateResult as CorrelateResult
from tisserand.studies.coupled_loads import CoupledLoadsResult as CoupledLoadsResult
from tisserand.studies.delivery import CoupleResult as CoupleResult
from tisserand.studies.delivery import ReduceResult as ReduceResult
from tisserand.studies.demo import DemoResult as DemoResult
from tisserand.studies.diff import DiffResult as DiffResult
from tisserand.studies.ensembles.samples import MonteCarloResult as MonteCarloResult
from tisserand.studies.ensembles.samples import SweepResult as SweepResult
from tisserand.studies.equations import EquationsResult as EquationsResult
from tisserand.studies.formats import FormatsResult as FormatsResult
from tisserand.studies.frames import FramesResult as FramesResult
from tisserand.studies.info import InfoResult as InfoResult
from tisserand.studies.jitter import JitterResult as JitterResult
from tisserand.studies.linear import LinearResult as LinearResult
from tisserand.studies.linear import ResponseResult as ResponseResult
from tisserand.studies.linear import SystemModesResult as SystemModesResult
from tisserand.studies.merge import MergeResult as MergeResult
from tisserand.studies.modes import ModesResult as ModesResult
from tisserand.studies.options import Format as Format
from tisserand.studies.options import Target as Target
from tisserand.studies.pictures import ViewResult as ViewResult
from tisserand.studies.report import ReportResult as ReportResult
from tisserand.studies.rerun import RerunResult as RerunResult
from tisserand.studies.schema import SchemaResult as SchemaResult
from tisserand.studies.simulate import SimulationResult as SimulationResult
from tisserand.studies.study_file import StudyFileResult as StudyFileResult
from tisserand.studies.uncertain import UncertainResult as UncertainResult

class ReduceOptions(TypedDict, total=False):
    count: int | None
    fmin: float | None
    fmax: float | None
    free: bool
    mass: Literal["consistent", "lumped", "coupled", "particles", "bodies"] | None
    allow_mechanisms: bool
    full: bool
    backend: Literal["pardiso", "superlu", "multifrontal", "mumps", "cholmod", "slepc"] | None
    ranks: int | None
    deck: str | Path | None
    frame: Literal["connection", "buckens", "tisserand", "milne", "free"] | str | None
    geometric: bool
    attachment: int | str | None
    reference_point: Sequence[float] | str | None
    mounted: Literal["clamped", "residual", "free"] | None
    points: Mapping[str, int] | Sequence[str]
    damping: float | None
    damping_support: Literal["attachment", "free"] | None
    accept_units: bool
    tolerances: str | Path | None
    solution: str | Path | None

TASKS: dict[str, tuple[str, str]]
ON_OBJECTS: dict[str, tuple[str, str]]

def function_of(task: str) -> Callable[..., Any]: ...
def demo(
    *,
    output: str | Path = ...,
) -> DemoResult: ...
def info(
    model: str | Path,
    *,
    units: str | None = None,
    format: Format | None = None,
    allow: Sequence[str] = ...,
    step: int | None = None,
    subcase: int | None = None,
    spc: int | None = None,
    flavor: Literal["abaqus", "calculix", "nastran", "mystran"] | None = None,
) -> InfoResult: ...
def check(
    model: str | Path,
    *,
    units: str | None = None,
    format: Format | None = None,
    allow: Sequence[str] = ...,
    step: int | None = None,
    subcase: int | None = None,
    spc: int | None = None,
    flavor: Literal["abaqus", "calculix", "nastran", "mystran"] | None = None,
    mass: Literal["consistent", "lumped", "coupled", "particles", "bodies"] | None = None,
) -> CheckResult: ...
def modes(
    model: str | Path,
    *,
    units: str | None = None,
    format: Format | None = None,
    allow: Sequence[str] = ...,
    step: int | None = None,
    subcase: int | None = None,
    spc: int | None = None,
    flavor: Literal["abaqus", "calculix", "nastran", "mystran"] | None = None,
    count: int | None = None,
    fmin: float | None = None,
    fmax: float | None = None,
    free: bool = False,
    mass: Literal["consistent", "lumped", "coupled", "particles", "bodies"] | None = None,
    allow_mechanisms: bool = False,
    full: bool = False,
    backend: Literal["pardiso", "superlu", "multifrontal", "mumps", "cholmod", "slepc"] | None = None,
    ranks: int | None = None,
    deck: str | Path | None = None,
    frame: Literal["connection", "buckens", "tisserand", "milne", "free"] | str | None = None,
    geometric: bool = False,
    attachment: int | str | None = None,
    reference_point: Sequence[float] | str | None = None,
    mounted: Literal["clamped", "residual", "free"] | None = None,
    points: Mapping[str, int] | Sequence[str] = ...,
    damping: float | None = None,
    damping_support: Literal["attachment", "free"] | None = None,
    accept_units: bool = False,
    tolerances: str | Path | None = None,
    solution: str | Path | None = None,
    ignore_outputs: bool = False,
    output: str | Path | None = None,
    force: bool = False,
) -> ModesResult: ...
@overload
def reduce(
    model: str | Path,
    *,
    units: str | None = None,
    format: Format | None = None,
    allow: Sequence[str] = ...,
    step: int | None = None,
    subcase: int | None = None,
    spc: int | None = None,
    flavor: Literal["abaqus", "calculix", "nastran", "mystran"] | None = None,
    interface: Sequence[int | str] = ...,
    method: Literal["craig-bampton", "mixed", "craig-chang", "macneal", "guyan", "irs", "serep"] = "craig-bampton",
    loose: Sequence[int | str] = ...,
    digits: str = "123456",
    fmax: float | None = None,
    factor: float = 2.0,
    count: int | None = None,
    inertia_relief: bool = False,
    free: bool = False,
    mass: Literal["consistent", "lumped", "coupled", "particles", "bodies"] | None = None,
    part: int | None = None,
    nodes: Sequence[int | str] = ...,
    node_digits: str = "123",
    elements: Mapping[str, str | Sequence[int]] | Sequence[str] = ...,
    stresses: Mapping[str, str | Sequence[int]] | Sequence[str] = ...,
    sections: Mapping[str, str] | Sequence[str] = ...,
    moment_point: Sequence[float] | str | None = None,
    name: str | None = None,
    output: str | Path | None = None,
    op4: str | Path | None = None,
    dmig: str | Path | None = None,
    mat: str | Path | None = None,
    record: str | Path | None = None,
    checks: str | Path | None = None,
    plot: str | Path | None = None,
) -> ReduceResult: ...
@overload
def reduce(
    basis: ModalBasis,
    *,
    reference_point: ArrayLike | None = ...,
    attachment: int | str | None = ...,
    interfaces: Mapping[str, int] | Sequence[int] | None = ...,
    interface_axes: Mapping[str, ArrayLike] | None = ...,
    fit_rotations: Sequence[str] = ...,
    damping: Damping | float | Sequence[Damping | float] | None = ...,
    damping_support: DampingSupport = ...,
    name: str | None = ...,
    mode_names: Mapping[int, str] | Sequence[str] | None = ...,
    modes: Sequence[int] | None = ...,
    recovery: Mapping[str, Elements] | None = ...,
    geometric: bool | Sequence[str] = ...,
    options: Mapping[str, Any] | None = ...,
) -> ReducedAppendage: ...
@overload
def couple(
    parts: Sequence[str | Path],
    *,
    name: str = "system",
    fmax: float | None = None,
    output: str | Path | None = None,
    table: str | Path | None = None,
    plot: str | Path | None = None,
) -> CoupleResult: ...
@overload
def couple(
    components: Sequence[ReducedComponent],
    *,
    supports: Supports | None = ...,
    name: str = ...,
) -> CoupledSystem: ...
def accept(
    model: str | Path,
    *,
    units: str | None = None,
    format: Format | None = None,
    allow: Sequence[str] = ...,
    step: int | None = None,
    subcase: int | None = None,
    spc: int | None = None,
    flavor: Literal["abaqus", "calculix", "nastran", "mystran"] | None = None,
    count: int | None = None,
    fmin: float | None = None,
    fmax: float | None = None,
    free: bool = False,
    mass: Literal["consistent", "lumped", "coupled", "particles", "bodies"] | None = None,
    allow_mechanisms: bool = False,
    full: bool = False,
    backend: Literal["pardiso", "superlu", "multifrontal", "mumps", "cholmod", "slepc"] | None = None,
    ranks: int | None = None,
    deck: str | Path | None = None,
    profile: str | None = None,
    reference: str | Path | None = None,
    stated_mass: float | None = None,
    upto: float | None = None,
    output: str | Path | None = None,
    plot: str | Path | None = None,
    record: str | Path | None = None,
) -> AcceptResult: ...
def correlate(
    model: str | Path,
    test: str | Path,
    *,
    units: str | None = None,
    format: Format | None = None,
    allow: Sequence[str] = ...,
    step: int | None = None,
    subcase: int | None = None,
    spc: int | None = None,
    flavor: Literal["abaqus", "calculix", "nastran", "mystran"] | None = None,
    count: int | None = None,
    fmin: float | None = None,
    fmax: float | None = None,
    free: bool = False,
    mass: Literal["consistent", "lumped", "coupled", "particles", "bodies"] | None = None,
    allow_mechanisms: bool = False,
    full: bool = False,
    backend: Literal["pardiso", "superlu", "multifrontal", "mumps", "cholmod", "slepc"] | None = None,
    ranks: int | None = None,
    deck: str | Path | None = None,
    test_units: str | None = None,
    align: Literal["stated", "ids", "fit"] = "stated",
    pairs: Mapping[str, float] | Sequence[str] = ...,
    reach: float | None = None,
    tam: Literal["serep", "guyan"] = "serep",
    least: float = 0.25,
    output: str | Path | None = None,
    plot: str | Path | None = None,
) -> CorrelateResult: ...
def base_drive(
    model: str | Path,
    *,
    environment: Literal["sine", "random", "shock", "transient"],
    direction: Literal["x", "y", "z", "rx", "ry", "rz"],
    spectrum: Sequence[Sequence[float] | str] | None = None,
    spectrum_file: str | Path | None = None,
    history: str | Path | None = None,
    sweep: float | None = None,
    si: bool = False,
    damping: Sequence[Sequence[float] | str],
    recover: Sequence[str] = ...,
    point: Sequence[float] | str | None = None,
    limits: Mapping[str, float] | Sequence[str] = ...,
    force_factor: float | None = None,
    force_slope: float = 2.0,
    sigma: float = 3.0,
    q: float = 10.0,
    points: int = 800,
    output: str | Path | None = None,
    notched: str | Path | None = None,
    plot: str | Path | None = None,
    record: str | Path | None = None,
) -> DriveResult: ...
def coupled_loads(
    model: str | Path,
    *,
    events: Sequence[str | Path],
    damping: Sequence[Sequence[float] | str],
    damped: Literal["system", "parts"] = "system",
    recover: Sequence[str] = ...,
    output: str | Path | None = None,
    plot: str | Path | None = None,
) -> CoupledLoadsResult: ...
def jitter(
    budget: str | Path,
    *,
    set: Mapping[str, Any] | Sequence[str] = ...,
    exposure: float | None = None,
    output: str | Path | None = None,
    plot: str | Path | None = None,
) -> JitterResult: ...
def view(
    model: str | Path,
    *,
    units: str | None = None,
    format: Format | None = None,
    allow: Sequence[str] = ...,
    step: int | None = None,
    subcase: int | None = None,
    spc: int | None = None,
    flavor: Literal["abaqus", "calculix", "nastran", "mystran"] | None = None,
    count: int | None = None,
    fmin: float | None = None,
    fmax: float | None = None,
    free: bool = False,
    mass: Literal["consistent", "lumped", "coupled", "particles", "bodies"] | None = None,
    allow_mechanisms: bool = False,
    full: bool = False,
    backend: Literal["pardiso", "superlu", "multifrontal", "mumps", "cholmod", "slepc"] | None = None,
    ranks: int | None = None,
    deck: str | Path | None = None,
    mode: int = 1,
    save: str | Path | None = None,
    color: Literal["displacement", "energy"] = "displacement",
    deflection: float = 1.0,
) -> ViewResult: ...
def report(
    source: str | Path,
    *,
    output: str | Path | None = None,
    reference: str | Path | None = None,
) -> ReportResult: ...
def diff(
    first: str | Path,
    second: str | Path,
    *,
    units: str | None = None,
    format: Format | None = None,
    allow: Sequence[str] = ...,
    step: int | None = None,
    subcase: int | None = None,
    spc: int | None = None,
    flavor: Literal["abaqus", "calculix", "nastran", "mystran"] | None = None,
    count: int | None = None,
    fmin: float | None = None,
    fmax: float | None = None,
    free: bool = False,
    mass: Literal["consistent", "lumped", "coupled", "particles", "bodies"] | None = None,
    allow_mechanisms: bool = False,
    full: bool = False,
    backend: Literal["pardiso", "superlu", "multifrontal", "mumps", "cholmod", "slepc"] | None = None,
    ranks: int | None = None,
    deck: str | Path | None = None,
    tolerances: str | Path | None = None,
    picture: str | Path | None = None,
) -> DiffResult: ...
def export(
    record: str | Path,
    *,
    to: Target,
    output: str | Path | None = None,
    reference_point: Sequence[float] | str | Literal["center"] | None = None,
    units: str = "SI",
    read_units: str | None = None,
    strict: bool = False,
    force: bool = False,
) -> ExportResult: ...
@overload
def simulate(
    vehicle: str | Path,
    *,
    set: Mapping[str, Any] | Sequence[str] = ...,
    output: str | Path | None = None,
    csv: str | Path | None = None,
    angles: Literal["body-xyz", "body-xzy", "body-yxz", "body-yzx", "body-zxy", "body-zyx", "body-xyx", "body-xzx", "body-yxy", "body-yzy", "body-zxz", "body-zyz", "space-xyz", "space-xzy", "space-yxz", "space-yzx", "space-zxy", "space-zyx", "space-xyx", "space-xzx", "space-yxy", "space-yzy", "space-zxz", "space-zyz"] | None = None,
    plot: str | Path | None = None,
    style: Literal["screen", "paper"] = "screen",
    force: bool = False,
) -> SimulationResult: ...
@overload
def simulate(
    vehicle: Vehicle,
    duration: float,
    initial: State | None = ...,
    *,
    loads: Sequence[Load] = ...,
    controllers: Sequence[Controller] = ...,
    outputs: Sequence[Signal | Measurement] = ...,
    events: Sequence[Event] = ...,
    times: ArrayLike | None = ...,
    samples: int = ...,
    output_step: float | None = ...,
    start: float = ...,
    method: Method = ...,
    rtol: float = ...,
    atol: float | None = ...,
    step: float | None = ...,
    on_limit: OnLimit = ...,
    engine: EngineName = ...,
    max_steps: int = ...,
) -> Trajectory: ...
def frames(
    run: str | Path,
    *,
    frame: Sequence[Literal["tisserand", "buckens", "principal", "milne"]] = ...,
    bodies: Sequence[str] = ...,
    vehicle: str | Path | None = None,
    set: Mapping[str, Any] | Sequence[str] = ...,
    output: str | Path | None = None,
) -> FramesResult: ...
@overload
def linearize(
    vehicle: str | Path,
    *,
    set: Mapping[str, Any] | Sequence[str] = ...,
    closed_loop: bool = False,
    output: str | Path | None = None,
) -> LinearResult: ...
@overload
def linearize(
    vehicle: Vehicle,
    state: State | None = ...,
    *,
    loads: Sequence[Load] = ...,
    controllers: Sequence[Controller] = ...,
    outputs: Sequence[Signal | Measurement] = ...,
    time: float = ...,
) -> LinearModel: ...
def equations(
    vehicle: str | Path,
    *,
    set: Mapping[str, Any] | Sequence[str] = ...,
    speeds: Literal["inertial", "hinge", "angles"] = "inertial",
    to: Literal["c", "python", "latex"] = "c",
    translation: bool = True,
    output: str | Path | None = None,
    force: bool = False,
) -> EquationsResult: ...
@overload
def system_modes(
    vehicle: str | Path,
    *,
    set: Mapping[str, Any] | Sequence[str] = ...,
    closed_loop: bool = False,
    output: str | Path | None = None,
) -> SystemModesResult: ...
@overload
def system_modes(
    vehicle: Vehicle,
    state: State | None = ...,
    *,
    loads: Sequence[Load] = ...,
    controllers: Sequence[Controller] = ...,
    time: float = ...,
) -> SystemModes: ...
def response(
    vehicle: str | Path,
    *,
    set: Mapping[str, Any] | Sequence[str] = ...,
    fmin: float = 0.01,
    fmax: float = 10.0,
    points: int = 400,
    closed_loop: bool = False,
    output: str | Path | None = None,
    plot: str | Path | None = None,
    style: Literal["screen", "paper"] = "screen",
) -> ResponseResult: ...
def uncertain(
    source: str | Path,
    *,
    set: Mapping[str, Any] | Sequence[str] = ...,
    frequency: float | None = None,
    damping: float | None = None,
    participation: float | None = None,
    mass: float | None = None,
    modes: int | None = None,
    ranges: Mapping[str, float] | Sequence[str] = ...,
    samples: int = 0,
    seed: int = 0,
    step: float | None = None,
    delay: float = 0.0,
    output: str | Path | None = None,
    plot: str | Path | None = None,
) -> UncertainResult: ...
def sweep(
    vehicle: str | Path,
    *,
    set: Mapping[str, Any] | Sequence[str] = ...,
    jobs: int = 1,
    scheduler: str | None = None,
    shard: str | None = None,
    keep: str | Path | None = None,
    resume: bool = False,
    over: Mapping[str, Sequence[float] | str] | Sequence[str],
    runs: bool = False,
    closed_loop: bool = False,
    track: bool = False,
    matrices: bool = False,
    output: str | Path | None = None,
    plot: str | Path | None = None,
    style: Literal["screen", "paper"] = "screen",
) -> SweepResult: ...
@overload
def campbell(
    model: str | Path,
    *,
    units: str | None = None,
    format: Format | None = None,
    allow: Sequence[str] = ...,
    step: int | None = None,
    subcase: int | None = None,
    spc: int | None = None,
    flavor: Literal["abaqus", "calculix", "nastran", "mystran"] | None = None,
    axis: Sequence[float] | str,
    rates: Sequence[float] | str,
    count: int = 6,
    about: Sequence[float] | str = ...,
    unstressed: bool = False,
    mass: Literal["consistent", "lumped", "coupled", "particles", "bodies"] | None = None,
    output: str | Path | None = None,
    plot: str | Path | None = None,
    style: Literal["screen", "paper"] = "screen",
    record: str | Path | None = None,
) -> CampbellResult: ...
@overload
def campbell(
    model: AssembledModel,
    axis: FloatArray | Sequence[float],
    rates: Sequence[float] | FloatArray,
    *,
    count: int = ...,
    about: FloatArray | None = ...,
    supports: Supports | None = ...,
    stiffened: bool = ...,
) -> Campbell: ...
def montecarlo(
    vehicle: str | Path,
    *,
    set: Mapping[str, Any] | Sequence[str] = ...,
    jobs: int = 1,
    scheduler: str | None = None,
    shard: str | None = None,
    keep: str | Path | None = None,
    resume: bool = False,
    vary: Mapping[str, str] | Sequence[str],
    design: Literal["random", "latin", "sobol", "corners"] = "random",
    correlate: Mapping[str, float] | Sequence[str] = ...,
    require: Sequence[str] = ...,
    count: int = 20,
    cover: float | None = None,
    seed: int = 0,
    modes: bool = False,
    closed_loop: bool = False,
    measure: Mapping[str, str] | Sequence[str] = ...,
    limit: Sequence[str] = ...,
    percentiles: Sequence[float] | str = ...,
    confidence: float = 90.0,
    sensitivity: Literal["regression", "sobol"] = "regression",
    output: str | Path | None = None,
    histories: str | Path | None = None,
    plot: str | Path | None = None,
    report: str | Path | None = None,
    style: Literal["screen", "paper"] = "screen",
) -> MonteCarloResult: ...
def merge(
    samples: Sequence[str | Path],
    *,
    partial: bool = False,
    limit: Sequence[str] = ...,
    percentiles: Sequence[float] | str = ...,
    confidence: float = 90.0,
    output: str | Path | None = None,
    histories: str | Path | None = None,
    plot: str | Path | None = None,
    report: str | Path | None = None,
    keep: str | Path | None = None,
    style: Literal["screen", "paper"] = "screen",
) -> MergeResult: ...
def rerun(
    samples: Sequence[str | Path],
    *,
    worst: int = 1,
    by: str | None = None,
    sample: Sequence[int] = ...,
    output: str | Path | None = None,
) -> RerunResult: ...
def formats(
) -> FormatsResult: ...
def schema(
    of: Literal["case", "vehicle", "modes", "jitter", "profile", "study"],
) -> SchemaResult: ...
def study(
    file: str | Path,
    *,
    force: bool = False,
) -> StudyFileResult: ...
