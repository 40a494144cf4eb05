"""Results without mode shapes beside their deck: frequencies, mass table and effective masses are verified; there is no record.

Without shapes a mode can only be paired by its frequency: the pairing is the one of least total relative distance. Effective
masses of modes that are close to each other depend on the choice of their shapes, their sum does not: sums are compared.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import numpy as np
import scipy

from tisserand.appendage import reduce
from tisserand.appendage.comparison.pairing import clusters
from tisserand.appendage.comparison.tolerances import Tolerances
from tisserand.appendage.record.json_data import plain
from tisserand.appendage.record.reduced_appendage import ReducedAppendage
from tisserand.arrays import FloatArray
from tisserand.assembly.assembled_model import AssembledModel
from tisserand.files import storable
from tisserand.modes.modal_basis import ModalBasis
from tisserand.readers.given_modes import GivenModes, appendage_of
from tisserand.readers.supplier.supplier_modes import SupplierModes
from tisserand.readers.supplier.verification import (
    Verification,
    effective_masses_about,
    missing_from_file,
    rigid_difference,
)
from tisserand.readers.supplier.verification_limits import ModeCheck, breaches_of
from tisserand.readers.supplier.with_deck import DeckRecord, own_modes
from tisserand.units import SYSTEMS, UnitSystem

NO_SHAPES = (
    "the file holds no mode shapes: frequencies, mass and effective masses are verified, shapes are not, and no record "
    "can be made; ask for VECTOR = ALL (F06: PRINT; OP2: PARAM,POST,-1)"
)


def tables_with_deck(
    theirs: SupplierModes,
    model: AssembledModel,
    units: UnitSystem,
    *,
    solving: Mapping[str, Any] | None = None,
    reducing: Mapping[str, Any] | None = None,
    limits: Tolerances | None = None,
) -> DeckRecord:
    """Verify what a file without shapes states; the record holds its frequencies for viewing, with placeholders for masses."""
    elastic = theirs.elastic()
    own = own_modes(model, elastic.count, dict(solving or {}))
    ours = reduce(own, **dict(reducing or {}))
    verification = verify_tables(elastic, ours, own, units, limits or Tolerances())
    return DeckRecord(_to_list(elastic, verification), ours, verification)


def verify_tables(
    theirs: SupplierModes, ours: ReducedAppendage, own: ModalBasis, units: UnitSystem, limits: Tolerances
) -> Verification:
    """Check frequencies, mass table and effective masses against those of the deck."""
    partner = _by_frequency(theirs, own.frequencies_hz)
    effective, effective_note = _effective(theirs, own, ours, partner, units, limits)
    modes = []
    for k in range(theirs.count):
        mate, hz = partner.get(k), float(theirs.frequencies_hz[k])
        own_hz = None if mate is None else float(own.frequencies_hz[mate])
        modes.append(
            ModeCheck(
                name=f"mode {theirs.numbers[k]}", kind=theirs.kinds[k], theirs_hz=hz, rayleigh_hz=None, residual=None,
                modal_mass=None, effective_mass=effective.get(k), ties=None,
                own_name=None if mate is None else own.labels[mate], own_hz=own_hz,
                change=None if own_hz is None else (hz - own_hz) / max(own_hz, 1e-300), mac=None,
            )
        )  # fmt: skip
    mass, center, inertia, mass_note = rigid_difference(theirs, ours, own, units)
    lost = missing_from_file(own, theirs, set(partner.values()))
    said = (NO_SHAPES, *theirs.notes, effective_note, mass_note, lost)
    return Verification(
        modes=tuple(modes), orthogonality=None, mass=mass, center=center, inertia=inertia, limits=limits,
        breaches=tuple(breaches_of(modes, None, (mass, center, inertia), ours, limits)),
        notes=tuple(note for note in said if note), mac=None,
    )  # fmt: skip


def _by_frequency(theirs: SupplierModes, own_hz: FloatArray) -> dict[int, int]:
    """Mode of ours per mode of theirs; residual vectors have none."""
    rows = np.array([k for k, kind in enumerate(theirs.kinds) if kind != "residual"], np.int64)
    if not len(rows) or not len(own_hz):
        return {}
    a, b = theirs.frequencies_hz[rows][:, None], own_hz[None, :]
    found = scipy.optimize.linear_sum_assignment(np.abs(a - b) / np.maximum(np.maximum(a, b), 1e-300))
    return {int(rows[i]): int(j) for i, j in zip(*found)}


def _effective(
    theirs: SupplierModes,
    own: ModalBasis,
    ours: ReducedAppendage,
    partner: dict[int, int],
    units: UnitSystem,
    limits: Tolerances,
) -> tuple[dict[int, float], str | None]:
    """Largest difference of effective masses by mode, part of the rigid body's value: of whole clusters of ours."""
    facts, note = effective_masses_about(theirs, own, ours, units)
    if facts is None:
        return {}, note
    stated, found, floor = facts
    mates = {mate: k for k, mate in partner.items()}
    out: dict[int, float] = {}
    for group in clusters(own.frequencies_hz, limits.cluster):
        if all(int(mate) in mates for mate in group):
            rows = [mates[int(mate)] for mate in group]
            worst = float((np.abs(found[group].sum(axis=0) - stated[rows].sum(axis=0)) / floor).max())
            out.update(dict.fromkeys(rows, worst))
    return out, note


def _to_list(theirs: SupplierModes, verification: Verification) -> ReducedAppendage:
    """Names and frequencies in a record that cannot fly; its masses are placeholders of one kilogram."""
    k, zero = theirs.count, np.zeros((1, 3, theirs.count))
    facts: dict[str, Any] = {
        "name": storable(theirs.path.stem), "source": f"{theirs.program}: {theirs.path.name}", "frame": "buckens",
        "frequencies_hz": tuple(theirs.frequencies_hz.tolist()), "node_ids": (1,), "positions": np.zeros((1, 3)),
        "translation": zero, "rotation": zero, "mass": 1.0, "center": (0.0, 0.0, 0.0), "inertia": np.eye(3),
        "modal_masses": (1.0,) * k,
    }  # fmt: skip
    made = appendage_of(GivenModes(**facts), theirs.path, SYSTEMS["SI"])
    supplier = {
        "program": theirs.program, "file": theirs.path.name, "subcase": theirs.subcase, "parts": list(theirs.parts),
        "level": "none", "notes": list(verification.notes), "verification": verification.as_dict(),
    }  # fmt: skip
    return made.changed(
        unit_system="consistent",
        mode_names=tuple(f"mode {number}" for number in theirs.numbers),
        mode_kinds=tuple("residual" if kind == "residual" else "elastic" for kind in theirs.kinds),
        reports=plain({**made.reports, "supplier": supplier}),
    )
