"""A record of printed tables alone: held modes with mass summary and participation factors, no places of nodes, no shapes."""

from __future__ import annotations

from typing import Any

import numpy as np

from tisserand.appendage.record.json_data import plain
from tisserand.appendage.record.node_table import Interface
from tisserand.appendage.record.reduced_appendage import ReducedAppendage
from tisserand.arrays import FloatArray
from tisserand.errors import FileError
from tisserand.files import storable
from tisserand.readers.given_modes import GivenModes, appendage_of
from tisserand.readers.supplier.supplier_modes import MassSummary, SupplierModes
from tisserand.units import SYSTEMS, UnitSystem

SENTENCES = (
    "node positions are not in the file: the record holds no shapes, so nothing can be loaded or measured on it",
    "P and H are the stated participation factors, about the origin of the basic axes",
    "without nodal masses inertia is constant: L and N are unknown",
)


def tables_alone(
    theirs: SupplierModes, summary: MassSummary | None, units: UnitSystem, damping: float | None
) -> ReducedAppendage:
    """The record about the basic origin; raises, with what is missing, where the tables do not suffice.

    summary: in SI about that origin.
    """
    missing = _missing(theirs, summary)
    if missing:
        raise FileError(
            theirs.path, "the file holds no node positions for its shapes, and too few tables for a record without shapes",
            found=f"no {', no '.join(missing)}", expected="node positions, or all of these for a held structure",
            advice="state the deck with --deck, or ask for an OP2 file with geometry (PARAM,POST,-1)",
        )  # fmt: skip
    assert summary is not None and theirs.effective is not None and theirs.effective.participation is not None
    modal: FloatArray = np.asarray(theirs.modal_masses) * units.mass
    factors = theirs.effective.participation
    zero = np.zeros((1, 3, theirs.count))
    facts: dict[str, Any] = {
        "name": storable(theirs.path.stem), "source": f"{theirs.program}: {theirs.path.name}", "frame": "connection",
        "frequencies_hz": tuple(theirs.frequencies_hz.tolist()), "node_ids": (1,), "positions": np.zeros((1, 3)),
        "translation": zero, "rotation": zero, "modal_masses": tuple(modal.tolist()), "damping_ratios": damping or 0.0,
        "mass": summary.mass, "center": tuple(summary.center.tolist()), "inertia": summary.inertia,
        "participation": factors[:3] * modal, "rotation_participation": factors[3:] * modal * units.length,
    }  # fmt: skip
    record = appendage_of(GivenModes(**facts), theirs.path, SYSTEMS["SI"])
    supplier = {
        "program": theirs.program, "file": theirs.path.name, "subcase": theirs.subcase, "parts": list(theirs.parts),
        "normalization": theirs.normalization, "units": units.name, "level": "constant", "notes": [*theirs.notes, *SENTENCES],
    }  # fmt: skip
    attachment = Interface("attachment", -1, np.zeros(3), np.eye(3), zero[0], zero[0])
    return record.changed(
        interfaces=(attachment,),
        attachment="attachment",
        unit_system="consistent" if units.name == "consistent" else record.unit_system,
        mode_names=tuple(f"mode {number}" for number in theirs.numbers),
        mode_kinds=tuple("residual" if kind == "residual" else "elastic" for kind in theirs.kinds),
        reports=plain(
            {
                **record.reports,
                "supplier": supplier,
                "notes": [*record.reports.get("notes", []), *theirs.notes, *SENTENCES],
            }
        ),
    )


def _missing(theirs: SupplierModes, summary: MassSummary | None) -> list[str]:
    effective = theirs.effective
    factors = effective is not None and effective.participation is not None and effective.reference_id == 0
    stated = factors and effective is not None and effective.rotations
    facts = {
        "mass table about the origin": summary is not None,
        "modal masses": theirs.modal_masses is not None,
        "participation factors about the origin": stated,
        "held structure (rigid-body modes are listed)": "rigid" not in theirs.kinds,
    }
    return [word for word, there in facts.items() if not there]
