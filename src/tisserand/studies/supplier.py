"""A result file of another program: its modes, its units, and its deck if one was stated."""

from __future__ import annotations

import math
from dataclasses import dataclass, replace
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np

from tisserand.appendage.comparison.tolerances import Tolerances, read_tolerances
from tisserand.appendage.record.reduced_appendage import ReducedAppendage
from tisserand.arrays import IntArray
from tisserand.errors import InputError
from tisserand.files import storable
from tisserand.readers.supplier import SupplierModes
from tisserand.readers.supplier.tables_with_deck import tables_with_deck
from tisserand.readers.supplier.verification import Verification
from tisserand.readers.supplier.with_deck import record_with_deck
from tisserand.readers.supplier.without_deck import record_without_deck
from tisserand.studies.solving import reduction_of
from tisserand.units import UnitSystem, unit_system

if TYPE_CHECKING:
    from tisserand.studies.options import ModesStudy
    from tisserand.studies.source import Source


@dataclass(frozen=True, eq=False)
class SupplierRun:
    """Modes of a result file, the units stated for it (None: not yet), and the deck of the run."""

    modes: SupplierModes
    units: str | None
    deck: Source | None = None

    @property
    def unit_system(self) -> UnitSystem:
        return unit_system(self.units, where=str(self.modes.path))


@dataclass(frozen=True, eq=False)
class SupplierResult:
    """The record of a result file, the verification by its deck (None without one), and what is known in sentences."""

    record: ReducedAppendage
    sentences: tuple[str, ...]
    flies: bool = True
    verification: Verification | None = None


def reduce_run(run: SupplierRun, study: ModesStudy) -> SupplierResult:
    """The record that a study requests; ``flies`` is False if it can only be viewed."""
    units = run.unit_system
    chosen = _chosen(run.modes, study)
    for name in ("frame", "mounted", "full", *_SOLVERS) if run.deck is not None else _ONLY_WITH_DECK:
        if name in study.model_fields_set:
            what = "is fixed by the supplier's modes" if run.deck is not None else "needs the deck of the run"
            raise InputError(f"{name}: {what}", where=str(run.modes.path), advice="leave it out, or state --deck")
    if run.deck is not None:
        limits = None if study.tolerances is None else read_tolerances(study.tolerances)
        return _with_deck(run, chosen, units, study, limits)
    if study.tolerances is not None:
        raise InputError(
            "tolerances: nothing is verified without the deck", where=str(study.tolerances), advice="state --deck"
        )
    node = study.attachment
    if isinstance(node, str):
        raise InputError("attachment: a result file names no points", found=node, expected="a node id")
    found = record_without_deck(chosen, units, attachment=node, damping=study.damping)
    return SupplierResult(found.record, found.sentences, found.flies)


#: What concerns a solution of our own.
_SOLVERS = ("backend", "ranks", "solution")
_ONLY_WITH_DECK = (
    *_SOLVERS,
    "frame",
    "free",
    "mass",
    "allow_mechanisms",
    "geometric",
    "mounted",
    "points",
    "damping_support",
    "full",
)


def _with_deck(
    run: SupplierRun, modes: SupplierModes, units: UnitSystem, study: ModesStudy, limits: Tolerances | None
) -> SupplierResult:
    assert run.deck is not None
    solving = {"free": study.free, "allow_mechanisms": study.allow_mechanisms}
    stated = len(modes.node_ids) > 0
    made = (record_with_deck if stated else tables_with_deck)(
        modes, run.deck.assemble(study.mass), units, solving=solving, reducing=reduction_of(study), limits=limits
    )
    return SupplierResult(made.record, made.verification.notes, stated, made.verification)


def _chosen(modes: SupplierModes, study: ModesStudy) -> SupplierModes:
    """The modes within the stated count and frequencies; rigid ones do not count."""
    order = np.argsort(modes.eigenvalues, kind="stable")
    rigid = [int(i) for i in order if modes.kinds[i] == "rigid"]
    elastic = [int(i) for i in order if modes.kinds[i] != "rigid"]
    low, high = study.fmin or 0.0, math.inf if study.fmax is None else study.fmax
    elastic = [i for i in elastic if low <= modes.frequencies_hz[i] <= high]
    if study.count is not None:
        elastic = elastic[: study.count]
    if not elastic:
        known = modes.elastic().frequencies_hz
        raise InputError("no mode of the file is in that band", where=str(modes.path), found=f"{low:g} to {high:g} Hz",
                         expected=f"modes from {known.min():.5g} to {known.max():.5g} Hz")  # fmt: skip
    keep: IntArray = np.array(rigid + elastic, np.int64)
    return modes.modes(keep)


def described(run: SupplierRun) -> dict[str, Any]:
    """What a result file holds, for ``tisserand info``; no units are needed."""
    modes = run.modes
    geometry, mass = modes.geometry, modes.mass
    return {
        "kind": "modes of another program",
        "name": storable(modes.path.stem),
        "program": modes.program,
        "parts": list(modes.parts),
        "subcase": "only one" if modes.subcase is None else modes.subcase,
        "modes": {f"mode {n} ({kind})": f"{hz:.6g} Hz" for n, kind, hz in zip(modes.numbers, modes.kinds, modes.frequencies_hz)},
        "shapes": {
            "nodes": len(modes.node_ids),
            "rotations": "stated" if modes.has_rotations else "not stated at all nodes",
            "axes": "displacement axes of each node (CD)" if modes.local_axes else "basic",
            "normalization": modes.normalization,
        },
        "geometry": "none" if geometry is None else f"{len(geometry.ids)} nodes"
        + (", some with local axes" if geometry.axes is not None else ""),
        "mass (file units)": "none" if mass is None
        else {"mass": mass.mass, "center": mass.center.tolist(), "reference node": mass.reference_id},
        "effective masses": "stated" if modes.effective is not None else "none",
        "matrices": {name: "x".join(map(str, matrix.shape)) for name, matrix in modes.matrices.items()},
        "notes": list(modes.notes),
    }  # fmt: skip


def opened_run(path: Path, modes: SupplierModes, units: str | None, deck: Source | None) -> SupplierRun:
    """A run with its deck; a deck that is not a structural model is refused."""
    if deck is not None and deck.structure is None and deck.matrices is None:
        raise InputError("the deck beside results must be a structural model", where=str(deck.path), found=deck.kind)
    return replace(SupplierRun(modes, units), deck=deck)
