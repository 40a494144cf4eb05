"""Campbell diagram of a model: read, assemble, follow the modes over the rate of spin, and keep data, picture and record."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np

from tisserand.errors import InputError
from tisserand.files import write_text
from tisserand.workflows.sources import open_source

if TYPE_CHECKING:
    from tisserand.assembly.assembled_model import AssembledModel
    from tisserand.modes.campbell import Campbell


@dataclass(frozen=True, eq=False)
class CampbellResult:
    """The diagram as data, and the files written."""

    name: str
    data: Campbell
    paths: tuple[Path, ...] = ()

    def as_dict(self) -> dict[str, Any]:
        """The JSON contract of the command."""
        return {"name": self.name, **report_of(self.data), "paths": [str(path) for path in self.paths]}


def report_of(data: Campbell) -> dict[str, Any]:
    """What a record keeps of a diagram; rates in rad/s, one row of frequencies (Hz) and growth (1/s) per rate."""
    return {
        "axis": data.axis.tolist(),
        "spin_rates": data.rates.tolist(),
        "frequencies_hz": data.frequencies_hz.tolist(),
        "growth": data.growth.tolist(),
        "notes": list(data.notes),
    }


def campbell_of(
    path: str | Path,
    axis: Sequence[float],
    rates: Sequence[float],
    *,
    count: int = 6,
    about: Sequence[float] | None = None,
    units: str | None = None,
    mass: str | None = None,
    allow: tuple[str, ...] = (),
    stiffened: bool = True,
    output: str | Path | None = None,
    plot: str | Path | None = None,
    record: str | Path | None = None,
) -> CampbellResult:
    """Frequencies of the model at ``path`` over spin rates (rad/s) about an axis through the basic point ``about``.

    ``output`` writes CSV, ``plot`` a PNG; ``record`` adds the data to an existing record of the same model.
    """
    from tisserand.modes import campbell

    if len(axis) != 3 or (about is not None and len(about) != 3):
        raise InputError("an axis and a point have three components", found=f"{list(axis)}, {about}")
    if count < 1:
        raise InputError("the number of branches must be one or more", found=count)
    if not len(rates):
        raise InputError("no spin rates were given", expected="from:to:count or a,b,c in rad/s")
    model = open_source(path, units=units, allow=allow).assembled(mass)
    point = None if about is None else np.asarray(about, float)
    data = campbell(model, axis, list(rates), count=count, about=point, stiffened=stiffened)
    paths = []
    if output is not None:
        paths.append(write_text(output, _csv(data)))
    if plot is not None:
        from tisserand.views.campbell import save_campbell

        paths.append(save_campbell(data, plot, title=f"Campbell diagram of {model.name}"))
    if record is not None:
        paths.append(_kept(model, data, Path(record)))
    return CampbellResult(model.name, data, tuple(paths))


def _csv(data: Campbell) -> str:
    rows = data.rows()
    lines = [",".join(rows[0])]
    lines += [",".join(f"{value:.10g}" for value in row.values()) for row in rows]
    return "\n".join(lines) + "\n"


def _kept(model: AssembledModel, data: Campbell, path: Path) -> Path:
    """Put the diagram into the reports of a record, if the record is of this model."""
    from tisserand.appendage import load_record, save_record

    kept = load_record(path)
    ours, theirs = model.mass_properties().mass, float(np.trace(kept.integrals.rigid_mass[:3, :3])) / 3.0
    if abs(ours - theirs) > 1e-6 * max(abs(ours), abs(theirs)):
        raise InputError(
            "the record is not of this model", where=str(path), found=f"{theirs:.9g} kg", expected=f"{ours:.9g} kg"
        )  # fmt: skip
    save_record(replace(kept, reports={**kept.reports, "campbell": report_of(data)}), path)
    return path
