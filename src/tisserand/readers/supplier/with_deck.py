"""A full record of the supplier's modes with our own mass: their frequencies and shapes, our integrals, and the verification."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace
from typing import Any

import numpy as np

from tisserand.appendage import reduce
from tisserand.appendage.comparison.tolerances import Tolerances
from tisserand.appendage.record.json_data import plain
from tisserand.appendage.record.reduced_appendage import ReducedAppendage
from tisserand.arrays import FloatArray, symmetric
from tisserand.assembly.assembled_model import AssembledModel
from tisserand.errors import FileError, TooManyModesError
from tisserand.files import sha256_of
from tisserand.modes import solve_modes
from tisserand.modes.floating_frames import in_frame
from tisserand.modes.modal_basis import ModalBasis
from tisserand.readers.supplier.deck_shapes import DeckShapes, deck_shapes
from tisserand.readers.supplier.supplier_modes import SupplierModes
from tisserand.readers.supplier.verification import Verification, verify
from tisserand.units import UnitSystem

#: Modes of our own that are solved beyond those of the file, so that each of theirs can find its partner.
_SPARE = 4
#: Least eigenvalue of the modal mass matrix of shapes with unit modal mass; below it, they depend on each other.
_DEPENDENT = 1e-6


@dataclass(frozen=True, eq=False)
class DeckRecord:
    """The record of the supplier's modes, our own record of the same deck, and what the comparison found."""

    record: ReducedAppendage
    own: ReducedAppendage
    verification: Verification


def record_with_deck(
    theirs: SupplierModes,
    model: AssembledModel,
    units: UnitSystem,
    *,
    solving: Mapping[str, Any] | None = None,
    reducing: Mapping[str, Any] | None = None,
    limits: Tolerances | None = None,
) -> DeckRecord:
    """Reduce the supplier's elastic modes with the mass of ``model`` (SI), and verify them by it.

    units: of the file's numbers; solving, reducing: options of ``solve_modes`` and ``reduce`` such as free, attachment, damping;
    limits: what the verification allows.
    """
    elastic = theirs.elastic()
    own = own_modes(model, elastic.count, dict(solving or {}))
    found = deck_shapes(elastic, model, own.fixed, units)
    basis, raw_mass = _basis(elastic, own, found)
    _refuse_dependent(elastic, basis)
    ours = reduce(own, **dict(reducing or {}))
    record = _with_their_frequencies(reduce(basis, **dict(reducing or {})), elastic)
    verification = verify(
        elastic, record, ours, basis, own, found=found, raw_mass=raw_mass, units=units, limits=limits or Tolerances()
    )
    reports = {
        **record.reports,
        "supplier": plain(
            {
                "program": theirs.program, "file": theirs.path.name, "subcase": theirs.subcase, "parts": list(theirs.parts),
                "normalization": theirs.normalization, "level": "full: integrals of the deck's mass with the file's shapes",
                "notes": [*theirs.notes, *found.notes], "verification": verification.as_dict(),
            }
        ),
    }  # fmt: skip
    files = {theirs.path.name: sha256_of(theirs.path)}
    provenance = {**record.provenance, "supplier_files": files}
    provenance.pop("varied", None)
    return DeckRecord(record.changed(reports=reports, provenance=provenance), ours, verification)


def own_modes(model: AssembledModel, count: int, options: dict[str, Any]) -> ModalBasis:
    """Our own modes: a few more than ``count``, or all that there are."""
    try:
        return solve_modes(model, count=count + _SPARE, **options)
    except TooManyModesError as error:
        return solve_modes(model, count=error.most, **options)


def _basis(theirs: SupplierModes, own: ModalBasis, found: DeckShapes) -> tuple[ModalBasis, FloatArray]:
    """Their shapes as a basis in our frame with unit modal mass, and their modal masses (k,) as scaled in the file, kg."""
    model = own.model
    shapes = found.shapes
    if own.frame.rows is not None:  # free structures: what is left of rigid motion in printed digits is taken out
        shapes = in_frame(model, shapes, own.frame)
    raw_mass = np.einsum("ik,ik->k", shapes, model.mass @ shapes)
    size = np.sqrt(np.maximum(raw_mass, 1e-300))
    basis = replace(
        own,
        shapes=shapes / size,
        eigenvalues=theirs.eigenvalues,
        labels=tuple(f"mode {number}" for number in theirs.numbers),
        kinds=tuple("residual" if kind == "residual" else "elastic" for kind in theirs.kinds),
        proof=None,
        notes=("modes are the supplier's",),
        mount=None,
    )
    return basis, np.asarray(raw_mass)


def _refuse_dependent(theirs: SupplierModes, basis: ModalBasis) -> None:
    """Shapes that are combinations of each other over our mass: they are no modes, and their record would be singular."""
    gram = basis.shapes.T @ np.asarray(basis.model.mass @ basis.shapes)
    values, vectors = np.linalg.eigh(0.5 * (gram + gram.T))
    if values[0] > _DEPENDENT:
        return
    parts = np.abs(vectors[:, 0])
    listed = np.flatnonzero(parts > 0.1 * parts.max())
    names = ", ".join(str(int(theirs.numbers[i])) for i in listed[:6])
    raise FileError(
        theirs.path, "modes are combinations of each other over the deck's mass", found=f"modes {names}",
        expected="independent mode shapes", advice="a mode was written twice, or the deck is not the one of the run",
    )  # fmt: skip


def _with_their_frequencies(record: ReducedAppendage, theirs: SupplierModes) -> ReducedAppendage:
    """Stiffness by the supplier's eigenvalues, Ke = (Lambda Me + Me Lambda) / 2; damping ratios and outputs follow."""
    scaled = record.varied(frequency_scale=theirs.frequencies_hz / np.maximum(record.frequencies_hz, 1e-300))
    Me = scaled.integrals.modal_mass
    return scaled.changed(stiffness=symmetric(theirs.eigenvalues[:, None] * Me))
