"""The targets of ``export`` and how they are written: losses listed first, files verified, then moved into place.

A target is a module with ``losses(source)`` (sentences about what the format cannot carry), ``write(source, path)``
(writes ``path`` and its companions, returns them all) and ``read_back(source, path)`` (largest relative difference
between the source and the files); ``notes(source)``, if it has one, says what a user should know and is no loss. Adding a
target is one module and one line in the table.
"""

from __future__ import annotations

import re
import shutil
import tempfile
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from dataclasses import KW_ONLY, dataclass
from importlib import import_module
from pathlib import Path
from typing import Any, ClassVar, Literal

from numpy.typing import ArrayLike

from tisserand.appendage.frames.transformed_records import shifted
from tisserand.appendage.record.reduced_appendage import ReducedAppendage
from tisserand.arguments import checked_arguments
from tisserand.errors import CheckFailedError, FileError, IdentityError, InputError
from tisserand.exporters.other_units import ModelInUnits, in_units
from tisserand.files import atomic_path, existing_folder, place_of, sweep_orphans, temporary_prefix, writing
from tisserand.model import StructuralModel
from tisserand.multibody.vehicle_file import VehicleCase
from tisserand.task_result import TaskResult
from tisserand.units import UnitSystem, unit_system


@dataclass(frozen=True)
class Target:
    """A tool that can be written for. ``tolerance``: largest read-back error that its number format explains.

    units: whether the numbers may be those of another unit system than SI; False where the format or its tool states SI.
    module, vehicle, model: what writes a record, a vehicle file and a structural model; empty where nothing does.
    """

    name: str
    title: str
    files: str
    suffix: str
    module: str
    tolerance: float = 1e-12
    _: KW_ONLY
    units: bool = True
    vehicle: str = ""
    model: str = ""

    def module_for(self, kind: str) -> str:
        """The module that writes a record, a vehicle or a model; a target that does not take it is refused by name."""
        module = {"record": self.module, "vehicle": self.vehicle, "model": self.model}[kind]
        if not module:
            words = {"record": "a record", "vehicle": "a vehicle", "model": "a structural model"}
            given = {"record": self.module, "vehicle": self.vehicle, "model": self.model}
            takes = " or ".join(words[k] for k in words if given[k])
            others = ", ".join(t.name for t in _TARGETS if t.takes(kind))
            raise InputError(
                f"the target {self.name} does not take {words[kind]}", expected=takes,
                advice=f"targets for {words[kind]}: {others}",
            )  # fmt: skip
        return module

    def takes(self, kind: str) -> bool:
        """Whether a record, vehicle or model can be written."""
        return bool({"record": self.module, "vehicle": self.vehicle, "model": self.model}[kind])


_TARGETS = (
    Target("statespace", "control design: state space (TITOP), NumPy", ".npz", ".npz", "statespace_npz"),
    Target("matlab", "control design: state space (TITOP), MATLAB", ".mat", ".mat", "statespace_mat"),
    Target("sdtlib", "SDTlib (ISAE-Supaero) appendage data", ".mat", ".sdt.mat", "sdtlib"),
    Target("effective-mass", "effective-mass table", ".csv, .md", ".csv", "effective_mass", 1e-9),
    Target(
        "participation",
        "modal participation: CSV and Excel",
        ".csv, .xlsx",
        ".participation.csv",
        "participation",
        1e-9,
    ),
    Target("modelica", "Modelica model (state space, scalable)", ".mo", ".mo", "modelica", 1e-9),
    Target(
        "fmu2",
        "FMI 2.0 unit: model exchange, co-simulation",
        ".fmu",
        ".fmu",
        "fmu2",
        units=False,
        vehicle="fmu_vehicle",
    ),
    Target(
        "fmu3",
        "FMI 3.0 unit: model exchange and co-simulation",
        ".fmu",
        ".fmi3.fmu",
        "fmu3",
        units=False,
        vehicle="fmu_vehicle3",
    ),
    Target(
        "fmu2-nonlinear",
        "FMI 2.0 unit of a vehicle, nonlinear",
        ".fmu",
        ".fmu",
        "",
        units=False,
        vehicle="fmu_nonlinear",
    ),
    Target(
        "fmu3-nonlinear",
        "FMI 3.0 unit: as fmu2-nonlinear",
        ".fmu",
        ".fmi3.fmu",
        "",
        units=False,
        vehicle="fmu_nonlinear3",
    ),
    Target("simscape", "Simscape Reduced Order Flexible Solid", ".mat", ".rofs.mat", "simscape"),
    Target("op4", "Nastran OP4 matrices", ".op4", ".op4", "op4", 1e-14),
    Target("dmig", "Nastran DMIG (punch) matrices", ".pch", ".pch", "dmig", 1e-8),
    Target("bdf", "Nastran bulk data of a structural model", ".bdf", ".bdf", "", 1e-8, model="bdf_target"),
    Target("calculix", "CalculiX deck of a structural model", ".inp", ".inp", "", 1e-8, model="calculix_target"),
    Target(
        "petsc", "eigenproblem for SLEPc on a cluster", "folder", ".petsc", "", 1e-12, units=False, model="petsc_target"
    ),
    Target("mjcf", "MuJoCo model of a vehicle", ".xml", ".xml", "", units=False, vehicle="mjcf"),
    Target("basilisk", "Basilisk hub with tuned masses", ".py", ".py", "", units=False, vehicle="basilisk"),
    Target(
        "basilisk-modal",
        "Basilisk hub with a modal effector (C++)",
        ".py",
        ".py",
        "",
        units=False,
        vehicle="basilisk_modal",
    ),
    Target("exudyn", "Exudyn floating-frame object", ".hdf5", ".hdf5", "exudyn"),
    Target("42", "NASA 42 flex, node and body files", ".txt", ".txt", "nasa42", units=False),
    Target("sid", "Standard Input Data (SIMPACK, Dymola, Neweul)", ".SID_FEM", ".SID_FEM", "sid", units=False),
    Target("uff", "universal file of shapes (test laboratories)", ".unv", ".unv", "uff", 1e-5),
    Target("vtu", "ParaView: all modes, and one file per mode", ".vtu, .pvd", ".vtu", "vtu", 1e-12),
    Target("gltf", "any 3-D viewer: morph target per mode", ".glb", ".glb", "gltf", 1e-6, units=False),
)


@dataclass(frozen=True)
class ExportResult(TaskResult):
    """What was written, what the format could not carry, and the largest relative error on reading back."""

    task: ClassVar = "export"

    target: str
    paths: tuple[Path, ...]
    losses: tuple[str, ...]
    read_back_error: float
    notes: tuple[str, ...] = ()

    def as_dict(self) -> dict[str, Any]:
        return {
            "target": self.target,
            "paths": [str(path) for path in self.paths],
            "losses": list(self.losses),
            "read_back_error": self.read_back_error,
            "notes": list(self.notes),
        }


def targets() -> tuple[Target, ...]:
    """All targets."""
    return _TARGETS


def target_of(name: str) -> Target:
    """The target of that name."""
    for target in _TARGETS:
        if target.name == name.lower():
            return target
    raise InputError("unknown export target", found=repr(name), expected=", ".join(t.name for t in _TARGETS))


#: Longest stem of a file that a name gives; endings and temporary names are added to it.
_STEM = 60
#: Targets that write a record without modes: a rigid body or its shape.
_WITHOUT_MODES = ("sid", "vtu", "gltf")


@checked_arguments
def export_appendage(
    appendage: ReducedAppendage,
    target: str,
    path: str | Path,
    *,
    reference_point: ArrayLike | Literal["center"] | None = None,
    units: str | UnitSystem = "SI",
    strict: bool = False,
    force: bool = False,
) -> ExportResult:
    """Write ``appendage`` for ``target`` at ``path``, after listing what is lost.

    Args:
        appendage: the record.
        target: name of the target.
        path: file to write, or an existing folder, in which the file has the name of the appendage.
        reference_point: O of everything in the file, m, basic axes of the source, or ``center`` for the mass center.
        units: unit system of the numbers in the file.
        strict: refuse a format that loses anything.
        force: replace files that exist.
    """
    chosen = target_of(target)
    if appendage.unit_system == "consistent":
        raise InputError(
            "the length unit of the record is unknown (it was created with --units consistent)",
            where=f"appendage {appendage.name}",
            advice="recreate the record with its real units",
        )
    if not appendage.count and chosen.name not in _WITHOUT_MODES:
        raise InputError(
            "the record has no modes to export", where=f"appendage {appendage.name}",
            expected=f"modes, or a target that needs none: {', '.join(_WITHOUT_MODES)}",
        )  # fmt: skip
    system = unit_system(units)
    if not chosen.units and (system.length, system.mass, system.time) != (1.0, 1.0, 1.0):
        raise InputError(f"the target {chosen.name} has SI units", found=system.name, advice="leave --units out")
    if isinstance(reference_point, str):
        appendage = shifted(appendage, appendage.reference_point + appendage.integrals.center)
    elif reference_point is not None:
        appendage = shifted(appendage, reference_point)
    module = chosen.module_for("record")
    named = Named(appendage.name, in_units(appendage, system))
    return _written(named, chosen, module, Path(path), strict=strict, force=force)


@checked_arguments
def export_vehicle(
    case: VehicleCase, target: str, path: str | Path, *, strict: bool = False, force: bool = False
) -> ExportResult:
    """Write the vehicle of a vehicle file for ``target`` at ``path``, after listing what is lost.

    Args:
        case: the file, read: vehicle, initial state, loads and sensors.
        target: name of the target.
        path: file to write, or an existing folder.
        strict: refuse a format that loses anything.
        force: replace files that exist.
    """
    chosen = target_of(target)
    module = chosen.module_for("vehicle")
    return _written(Named(case.vehicle.name, case), chosen, module, Path(path), strict=strict, force=force)


@checked_arguments
def export_model(
    model: StructuralModel,
    target: str,
    path: str | Path,
    *,
    units: str | UnitSystem = "SI",
    strict: bool = False,
    force: bool = False,
) -> ExportResult:
    """Write a structural model for ``target`` at ``path``, after listing what is lost.

    Args:
        model: the structural model.
        target: name of the target.
        path: file to write, or an existing folder.
        units: unit system of the numbers in the file.
        strict: refuse a format that loses anything.
        force: replace files that exist.
    """
    chosen = target_of(target)
    source = Named(model.name, ModelInUnits(model, unit_system(units)))
    return _written(source, chosen, chosen.module_for("model"), Path(path), strict=strict, force=force)


@dataclass(frozen=True)
class Named:
    """What is written, and its name."""

    name: str
    content: Any


def _written(named: Named, chosen: Target, writer: str, path: Path, *, strict: bool, force: bool) -> ExportResult:
    """Losses first, then the files in a temporary folder, read back, and moved into place."""
    source, module = named.content, import_module(f"tisserand.exporters.{writer}")
    losses = tuple(module.losses(source))
    if strict and losses:
        raise CheckFailedError(f"{chosen.title} cannot represent everything: " + "; ".join(losses), where=named.name)
    if path.is_dir() and path.suffix != chosen.suffix:
        path = path / f"{file_stem(named.name)}{chosen.suffix}"
    with writing(path), _working_folder(path) as folder:
        written = [Path(p) for p in module.write(source, folder / path.name)]
        error_found = float(module.read_back(source, folder / path.name))
        if not error_found <= chosen.tolerance:
            raise IdentityError(
                f"the {chosen.name} file differs from its source when read back",
                found=f"{error_found:.1e}",
                expected=f"{chosen.tolerance:.0e} or less",
            )
        final = [path.parent / p.name for p in written]
        taken = [p for p in final if place_of(p).exists()]
        if taken and not force:
            what = "the folder" if taken[0].is_dir() else "the file"
            raise FileError(taken[0], f"{what} already exists", advice="use --force to replace it")
        with ExitStack() as places:  # a name may link to another disk: all are there before one is in place
            for made, destination in reversed(list(zip(written, final))):
                if made.is_dir():
                    _replace_folder(made, destination)
                else:
                    shutil.move(made, places.enter_context(atomic_path(destination)))
    notes = tuple(module.notes(source)) if hasattr(module, "notes") else ()
    return ExportResult(chosen.name, tuple(final), losses, error_found, notes)


def _replace_folder(made: Path, destination: Path) -> None:
    """Put a finished folder in place; one of that name is replaced where it holds nothing but such files."""
    if destination.exists():
        if not (destination / "request.json").is_file():
            raise FileError(destination, "is not a folder of this target", advice="state another --output")
        shutil.rmtree(destination)
    made.rename(destination)


def file_stem(name: str) -> str:
    """A name for files: the first letters, digits, points and dashes of ``name``, the rest as underscores."""
    return re.sub(r"[^\w.-]+", "_", name).strip("._-")[:_STEM] or "export"


@contextmanager
def _working_folder(path: Path) -> Iterator[Path]:
    """A temporary folder next to ``path``."""
    sweep_orphans(existing_folder(path))
    folder = Path(tempfile.mkdtemp(dir=path.parent, prefix=temporary_prefix("export")))
    try:
        yield folder
    except FileError as error:  # in the words of the user, who never sees this folder
        error.where = (error.where or "").replace(str(folder), str(path.parent))
        error.path = Path(str(error.path).replace(str(folder), str(path.parent)))
        raise
    finally:
        try:
            shutil.rmtree(folder, ignore_errors=True)
        except KeyboardInterrupt:
            shutil.rmtree(folder, ignore_errors=True)
            raise
