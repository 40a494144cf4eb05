"""Mode selection with a stated reason for every mode kept or dropped (TR 32-1593: perhaps the most important phase).

A criterion votes for each mode and states its reason. With several criteria, a mode is kept if any of them selects it.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Any, Protocol, runtime_checkable

import numpy as np

from tisserand.appendage.frames.transformed_records import keep_modes
from tisserand.appendage.record.json_data import plain
from tisserand.appendage.record.reduced_appendage import ReducedAppendage
from tisserand.arguments import checked_arguments
from tisserand.arrays import BoolArray, FloatArray, IntArray, frozen
from tisserand.errors import InputError
from tisserand.notebook_html import html_table


@dataclass(frozen=True, eq=False)
class Vote:
    """A criterion's verdict: keep (k,), one reason per mode, and numbers worth reporting (JSON-able)."""

    keep: BoolArray
    reasons: tuple[str, ...]
    numbers: dict[str, Any] = field(default_factory=dict)


@runtime_checkable
class Criterion(Protocol):
    """Something that decides which modes to keep."""

    def vote(self, appendage: ReducedAppendage) -> Vote: ...


@checked_arguments
@dataclass(frozen=True, eq=False, repr=False)
class Selection:
    """Modes kept (indices of the source), the reduced appendage, and the reason for every mode of the source.

    Attributes:
        source_name: of the record it chose from.
        names: of all its modes.
        frequencies_hz: of all its modes, Hz.
        reasons: why each was kept or left out.
        reports: what each criterion found.
    """

    source_name: str
    kept: IntArray
    appendage: ReducedAppendage
    names: tuple[str, ...]
    frequencies_hz: FloatArray
    reasons: tuple[str, ...]
    reports: tuple[dict[str, Any], ...]

    def __post_init__(self) -> None:
        object.__setattr__(self, "kept", frozen(self.kept, np.int64, (-1,)))

    def rows(self) -> list[list[object]]:
        """One row per mode of the source: name, Hz, verdict, reason."""
        inside = set(self.kept.tolist())
        return [
            [name, f"{hz:.6g}", "kept" if i in inside else "dropped", reason]
            for i, (name, hz, reason) in enumerate(zip(self.names, self.frequencies_hz, self.reasons))
        ]

    def as_dict(self) -> dict[str, Any]:
        """The same facts as plain data, for JSON."""
        return {
            "kept": self.kept.tolist(),
            "modes": [dict(zip(("name", "hz", "verdict", "reason"), row)) for row in self.rows()],
            "criteria": list(self.reports),
        }

    def _repr_html_(self) -> str:
        title = f"{self.source_name}: {len(self.kept)} of {len(self.names)} modes kept"
        return html_table(title, ("mode", "Hz", "verdict", "reason"), self.rows())

    def __repr__(self) -> str:
        head = f"<Selection of {self.source_name!r}: {len(self.kept)} of {len(self.names)} modes>"
        return "\n".join([head, *("  " + "  ".join(map(str, row)) for row in self.rows())])


@checked_arguments
def select(
    appendage: ReducedAppendage, *criteria: Criterion, keep: Sequence[int | str] = (), drop: Sequence[int | str] = ()
) -> Selection:
    """Keep the modes that any criterion wants, plus ``keep``, minus ``drop`` (0-based numbers or mode names).

    Args:
        appendage: the record.
        criteria: such as ``ByFrequency(20.0)``.
    """
    if not criteria and not keep:
        raise InputError("a selection needs at least one criterion", where=f"appendage {appendage.name}")
    k = appendage.count
    wanted, texts, reports = np.zeros(k, bool), [[] for _ in range(k)], []  # type: ignore[var-annotated]
    for criterion in criteria:
        vote = criterion.vote(appendage)
        wanted |= vote.keep
        for mode in range(k):
            texts[mode].append(vote.reasons[mode])
        stated = {name: value for name, value in vars(criterion).items()}
        reports.append(plain({"criterion": type(criterion).__name__, **stated, "numbers": vote.numbers}))
    for mode in _numbers(appendage, keep):
        wanted[mode] = True
        texts[mode].append("kept by the user")
    for mode in _numbers(appendage, drop):
        wanted[mode] = False
        texts[mode].append("dropped by the user")
    kept = np.flatnonzero(wanted)
    reasons = tuple("; ".join(parts) for parts in texts)
    reduced = keep_modes(appendage, kept)
    dossier = {
        "kept": kept.tolist(),
        "modes": [
            {"name": n, "hz": float(f), "kept": bool(w), "reason": r}
            for n, f, w, r in zip(appendage.mode_names, appendage.frequencies_hz, wanted, reasons)
        ],
        "criteria": reports,
    }
    reduced = reduced.changed(reports={**reduced.reports, "selection": plain(dossier)})
    return Selection(
        appendage.name, kept, reduced, appendage.mode_names, appendage.frequencies_hz, reasons, tuple(reports)
    )


def _numbers(appendage: ReducedAppendage, modes: Sequence[int | str]) -> list[int]:
    out = []
    for mode in modes:
        if isinstance(mode, str):
            if mode not in appendage.mode_names:
                raise InputError("unknown mode", found=repr(mode), expected=", ".join(appendage.mode_names[:10]))
            out.append(appendage.mode_names.index(mode))
        elif 0 <= int(mode) < appendage.count:
            out.append(int(mode))
        else:
            raise InputError("unknown mode", found=mode, expected=f"0 to {appendage.count - 1}")
    return out
