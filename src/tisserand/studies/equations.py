"""Equations of motion of a vehicle file as text."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
from typing import Any, ClassVar

from tisserand.errors import FileError, InputError
from tisserand.files import place_of, write_text
from tisserand.studies.options import EquationsStudy
from tisserand.studies.study_type import task
from tisserand.studies.vehicles import read_vehicle
from tisserand.task_result import TaskResult

_ENDINGS = {"c": (".c", ".h"), "python": (".py",), "latex": (".tex",)}


@dataclass(frozen=True)
class EquationsResult(TaskResult):
    """Equations as text, and what one evaluation of q' and u' costs."""

    task: ClassVar = "equations"

    text: str
    speeds: str
    operations: dict[str, int]
    paths: tuple[Path, ...] = ()

    def as_dict(self) -> dict[str, Any]:
        """The JSON contract of the command."""
        return {
            "speeds": self.speeds,
            "operations": self.operations,
            "text": self.text,
            "paths": [str(p) for p in self.paths],
        }


@task(EquationsStudy)
def equations(study: EquationsStudy) -> EquationsResult:
    """Equations of motion of bodies, modal appendages and rotors, as C, Python or LaTeX, with shared intermediate variables."""
    if study.output is not None and study.output.suffix.lower() not in _ENDINGS[study.to]:
        other = next((word for word, endings in _ENDINGS.items() if study.output.suffix.lower() in endings), "c")
        raise FileError(
            study.output, f"is not a name for {study.to}", expected=" or ".join(_ENDINGS[study.to]),
            advice=f"or state --to {other}",
        )  # fmt: skip
    case = read_vehicle(study.vehicle, study.set)
    if study.output is not None and place_of(study.output).exists() and not study.force:
        raise FileError(study.output, "the file already exists", advice="use --force to replace it")
    try:
        from tisserand.exporters.equations import equations_of
        from tisserand.exporters.equations.printing import text_of
    except ImportError as error:
        raise InputError("sympy is not installed", advice="pip install 'tisserand[equations]'") from error
    loads = [load for load in case.loads if load.kind not in ("joint", "rotor")]  # drives are inputs in any case
    made = equations_of(case.vehicle, study.speeds, translation=study.translation, loads=loads)
    text = text_of(made, study.to)
    paths = () if study.output is None else (write_text(study.output, text),)
    return EquationsResult(text, study.speeds, made.operations.as_dict(), paths)
