"""The mode table: the data of every mode that an analyst examines before trusting a model."""

from __future__ import annotations

import csv
import io
from dataclasses import dataclass
from typing import Any

import numpy as np

from tisserand.appendage.integrals.effective_masses import effective_masses, shown_effective_masses
from tisserand.appendage.record.json_data import plain
from tisserand.appendage.record.reduced_appendage import ReducedAppendage
from tisserand.arguments import checked_arguments
from tisserand.arrays import FloatArray, without_roundoff
from tisserand.files import csv_text
from tisserand.notebook_html import html_table

DIRECTIONS = ("T1", "T2", "T3", "R1", "R2", "R3")


@checked_arguments
@dataclass(frozen=True, eq=False, repr=False, kw_only=True)
class ModeTable:
    """Per mode (k rows), about O in body axes.

    frequencies_hz, damping_ratios, modal_mass (k,); effective_mass (k, 6) kg and kg m²; running_fraction (k,
    6): running sum over ``reachable`` (6,), the rigid mass that modes can reach (NaN where that is zero);
    rigid (6,) diagonal of the whole rigid mass and held (6,) what stays with the interface; translation P,
    rotation H (k, 3); screw (k,) = P.H / (|P| |H|): not zero means that no single spring-mass or hinge is
    equivalent; energy: group -> (k,) fraction of kinetic energy; frame_residuals (k,).

    Attributes:
        names: names of the modes.
        kinds: kinds of the modes.
    """

    names: tuple[str, ...]
    kinds: tuple[str, ...]
    frequencies_hz: FloatArray
    damping_ratios: FloatArray
    modal_mass: FloatArray
    effective_mass: FloatArray
    running_fraction: FloatArray
    rigid: FloatArray
    reachable: FloatArray
    held: FloatArray
    translation: FloatArray
    rotation: FloatArray
    screw: FloatArray
    energy: dict[str, FloatArray]
    frame_residuals: FloatArray

    def __len__(self) -> int:
        return len(self.names)

    @property
    def headers(self) -> list[str]:
        """Column names with units."""
        return [
            "name", "kind", "frequency (Hz)", "damping ratio", "modal mass",
            *(f"effective {d} ({'kg' if d[0] == 'T' else 'kg m2'})" for d in DIRECTIONS),
            *(f"running sum {d}" for d in DIRECTIONS),
            "Px", "Py", "Pz", "Hx", "Hy", "Hz", "P.H / |P||H|", "frame residual",
            *(f"kinetic energy: {name}" for name in self.energy),
        ]  # fmt: skip

    def rows(self) -> list[list[Any]]:
        """One list per mode in the order of ``headers``."""
        numbers = np.column_stack(
            [
                self.frequencies_hz, without_roundoff(self.damping_ratios), self.modal_mass,
                shown_effective_masses(self.effective_mass, self.rigid), self.running_fraction,
                self.translation, self.rotation, self.screw, self.frame_residuals, *self.energy.values(),
            ]
        )  # fmt: skip
        return [[n, k, *values] for n, k, values in zip(self.names, self.kinds, numbers.tolist())]

    def as_csv(self) -> str:
        """The table as CSV text."""
        stream = io.StringIO()
        writer = csv.writer(stream, lineterminator="\n")
        writer.writerow(map(csv_text, self.headers))
        writer.writerows([csv_text(name), csv_text(kind), *values] for name, kind, *values in self.rows())
        return stream.getvalue()

    def as_dict(self) -> dict[str, Any]:
        """JSON-able."""
        return {str(word): plain(getattr(self, word)) for word in self.__dataclass_fields__}

    def _repr_html_(self) -> str:
        return html_table("modes", self.headers, self.rows())

    def __repr__(self) -> str:
        lines = [f"{'mode':<20}{'Hz':>12}{'zeta':>9}" + "".join(f"{d:>9}" for d in DIRECTIONS) + "   (running %)"]
        for i, name in enumerate(self.names):
            shares = "".join("        -" if np.isnan(v) else f"{100 * v:9.2f}" for v in self.running_fraction[i])
            lines.append(f"{name[:19]:<20}{self.frequencies_hz[i]:12.5g}{self.damping_ratios[i]:9.4f}{shares}")
        return "\n".join(lines)


@checked_arguments
def mode_table(appendage: ReducedAppendage) -> ModeTable:
    """Frequencies, effective masses with running sums, momenta, screw content, energies and frame residuals.

    Args:
        appendage: the record.
    """
    integrals = appendage.integrals
    effective = effective_masses(integrals)
    rigid = np.diag(integrals.rigid_mass).copy()
    report = appendage.reports.get("held") or {}
    reach = report.get("reachable_rigid_mass")
    reachable = rigid if reach is None else np.diag(np.asarray(reach, dtype=float)).copy()
    running = np.cumsum(effective, axis=0)
    floor = 1e-12 * np.concatenate([np.full(3, rigid[:3].max()), np.full(3, max(rigid[3:].max(), 1e-300))])
    fraction = np.divide(running, reachable, out=np.full_like(running, np.nan), where=reachable > floor)
    P, H = integrals.translation.T, integrals.rotation.T
    size = np.linalg.norm(P, axis=1) * np.linalg.norm(H, axis=1)
    dots = np.einsum("ka,ka->k", P, H)
    small = 1e-9 * np.sqrt(rigid[:3].max() * max(rigid[3:].max(), 1e-300)) * np.diag(integrals.modal_mass)
    residuals = appendage.frame.residuals or (0.0,) * appendage.count
    groups = appendage.reports.get("energy_by_group") or {}
    return ModeTable(
        names=appendage.mode_names,
        kinds=appendage.mode_kinds,
        frequencies_hz=appendage.frequencies_hz,
        damping_ratios=appendage.damping_ratios,
        modal_mass=np.diag(integrals.modal_mass).copy(),
        effective_mass=effective,
        running_fraction=fraction,
        rigid=rigid,
        reachable=reachable,
        held=rigid - reachable,
        translation=P,
        rotation=H,
        screw=np.divide(dots, size, out=np.zeros_like(dots), where=size > small),
        energy={name: np.asarray(values, dtype=float) for name, values in groups.items()},
        frame_residuals=np.asarray(residuals, dtype=float),
    )
