"""Correlation of a model with a test."""

from __future__ import annotations

import json
from dataclasses import dataclass
from pathlib import Path
from typing import Any, ClassVar

from tisserand.appendage.record.json_data import plain
from tisserand.errors import InputError
from tisserand.files import write_text
from tisserand.responses.correlation.alignment import aligned
from tisserand.responses.correlation.correlate_modes import Correlation, correlate_modes
from tisserand.responses.correlation.measured_modes import MeasuredModes, is_universal, measured_modes
from tisserand.studies.options import CorrelateStudy
from tisserand.studies.source import open_appendage
from tisserand.studies.study_type import task
from tisserand.task_result import TaskResult
from tisserand.views.correlation import save_correlation_picture


@dataclass(frozen=True, eq=False)
class CorrelateResult(TaskResult):
    """The pairs of a model and a test, and the files written."""

    task: ClassVar = "correlate"

    correlation: Correlation
    paths: tuple[Path, ...] = ()

    def as_dict(self) -> dict[str, Any]:
        """The JSON contract of the command."""
        return {**self.correlation.as_dict(), "paths": [str(path) for path in self.paths]}


@task(CorrelateStudy)
def correlate(study: CorrelateStudy) -> CorrelateResult:
    """Compare the modes of a model with those of a test."""
    source = open_appendage(study.model, units=study.units, format=study.format, allow=study.allow, **study.choices)
    if source.structure is None:
        raise InputError("correlation needs a structural model", where=str(study.model), found=f"a {source.kind} file")
    test = _test(study, source.structure.unit_system)
    basis = source.modes(**study.solved)  # type: ignore[arg-type]
    pairs = {_whole(point): _whole(node) for point, node in study.pairs.items()}
    placed = aligned(test.ids, test.positions, basis.model.nodes, by=study.align, pairs=pairs, reach=study.reach)
    found = correlate_modes(test, basis, placed, tam=study.tam, least=study.least)
    paths: list[Path] = []
    if study.output is not None:
        told = (
            json.dumps(plain(found.as_dict()), indent=1) + "\n"
            if study.output.suffix.lower() == ".json"
            else _csv(found)
        )
        paths.append(write_text(study.output, told))
    if study.plot is not None:
        paths.append(save_correlation_picture(found, study.plot))
    return CorrelateResult(found, tuple(paths))


def _test(study: CorrelateStudy, units: str) -> MeasuredModes:
    """The measured modes, in the units stated for the test, else in those of the model."""
    other = open_appendage(study.test, units=study.test_units or study.units or units)
    if other.supplier is None or not is_universal(other.supplier.modes):
        raise InputError("is not a file of test shapes", where=str(study.test), found=f"a {other.kind} file",
                         expected="a universal file (UFF, UNV)")  # fmt: skip
    return measured_modes(other.supplier.modes, other.supplier.unit_system)


def _whole(value: str | float) -> int:
    if float(value) != int(float(value)):
        raise InputError("pairs: are ids of points and nodes", found=value, expected="whole numbers, such as 7=3143")
    return int(float(value))


def _csv(found: Correlation) -> str:
    lines = ["test_mode,test_hz,model_mode,model_hz,change,mac,cross_orthogonality"]
    for pair in found.as_dict()["pairs"]:
        lines.append(
            ",".join(f"{pair[word]:.8g}" for word in ("test", "test_hz", "model", "model_hz", "change", "mac", "cross"))
        )
    lines += ["", "direction,comac", *(f"{name},{value:.8g}" for name, value in zip(found.rows, found.comac))]
    return "\n".join(lines) + "\n"
