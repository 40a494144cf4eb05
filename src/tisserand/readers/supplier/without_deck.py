"""A record from results alone, at the highest level that the data allow, with one sentence for each level that they do not.

Levels: ``full`` and ``linear`` inertia where every admissible distribution of nodal masses gives the same integrals within
``SPREAD_LIMIT``; ``constant`` inertia where mass properties, P and H are known; otherwise no record, and the shapes
can only be viewed.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np

from tisserand.appendage.record.json_data import plain
from tisserand.appendage.record.node_table import Interface
from tisserand.appendage.record.reduced_appendage import ReducedAppendage
from tisserand.arrays import FloatArray, skew
from tisserand.errors import FileError
from tisserand.files import storable
from tisserand.readers.given_modes import GivenModes, appendage_of
from tisserand.readers.supplier.basic_shapes import BasicShapes, basic_shapes
from tisserand.readers.supplier.mass_bounds import MOST_MODES, NodalMasses, nodal_masses
from tisserand.readers.supplier.reference import point_of
from tisserand.readers.supplier.spreads import Spread, as_stated, higher_integrals
from tisserand.readers.supplier.supplier_modes import MassSummary, SupplierModes
from tisserand.readers.supplier.supplier_momenta import Momenta, known_momenta
from tisserand.readers.supplier.without_places import SENTENCES, tables_alone
from tisserand.units import SYSTEMS, UnitSystem

#: Numbers in the equations beyond which admissible masses are not searched.
_MOST_SEARCHED = 1_000_000


@dataclass(frozen=True, eq=False)
class ResultRecord:
    """A record made of results alone; sentences: what it holds and why not more. flies: whether it may be simulated."""

    record: ReducedAppendage
    sentences: tuple[str, ...]
    flies: bool


def record_without_deck(
    theirs: SupplierModes, units: UnitSystem, *, attachment: int | None = None, damping: float | None = None
) -> ResultRecord:
    """The record of a result file; ``attachment``: node that carries the appendage, ``damping``: ratio of all modes.

    Where no masses can be known the record holds shapes and frequencies for viewing, and ``flies`` is False.
    """
    elastic = theirs.elastic()
    if theirs.geometry is None and attachment is None:
        summary = _summary_about(theirs, np.zeros(3), units)
        said = (*_about_weights(theirs, summary), *SENTENCES)
        return ResultRecord(tables_alone(theirs, summary, units, damping), said, True)
    shapes = basic_shapes(elastic, units)
    free, sentences = _boundary(theirs)
    point, node = _origin(elastic, shapes, attachment, free)
    summary = _summary_about(elastic, point, units)
    sentences += _about_weights(theirs, summary)
    if theirs.program == "CalculiX":
        sentences.append("shapes are taken in basic axes; an FRD file does not tell whether GLOBAL=NO was asked for")
    modal = None if elastic.modal_masses is None else np.asarray(elastic.modal_masses * units.mass)
    admissible = _admissible(elastic, shapes, point, modal, summary, units, sentences)
    momenta = known_momenta(
        elastic, shapes, point, modal=modal, summary=summary, admissible=admissible, free=free, units=units
    )
    sentences += momenta.sentences
    if free is None or modal is None or summary is None or momenta.P is None or momenta.H is None:
        sentences += [*_lacking(theirs, modal, summary), *_own_model(theirs)]
        return ResultRecord(_to_look_at(elastic, shapes, point, units, sentences), tuple(sentences), False)
    spread = higher_integrals(admissible, shapes, point, modal, summary)
    sentences += [*spread.sentences, *(_own_model(theirs) if spread.level != "full" else [])]
    record = _record(
        elastic,
        shapes,
        point=point,
        modal=modal,
        summary=summary,
        momenta=momenta,
        spread=spread,
        free=free,
        damping=damping,
        units=units,
    )
    record = _finished(
        record, elastic, shapes, node=node, free=free, level=spread.level, sentences=sentences, units=units
    )
    return ResultRecord(record, tuple(sentences), True)


def _boundary(theirs: SupplierModes) -> tuple[bool | None, list[str]]:
    """True for free modes, False for held ones, None where some rigid motions are left."""
    rigid = theirs.kinds.count("rigid")
    if rigid == 6:
        return True, ["six rigid-body modes: the structure is free, so P = H = 0"]
    if rigid == 0:
        return False, []
    return None, [
        f"{rigid} rigid-body modes: neither held nor free, so the record cannot fly; state the deck with --deck"
    ]


def _origin(
    theirs: SupplierModes, shapes: BasicShapes, attachment: int | None, free: bool | None
) -> tuple[FloatArray, int]:
    """O (3,) in basic axes, m, and the node that carries the appendage (-1: a point)."""
    if attachment is not None:
        (rows,) = np.nonzero(shapes.ids == attachment)
        if not len(rows):
            raise FileError(theirs.path, "the attachment is not a node of the file", found=attachment)
        return np.array(shapes.positions[rows[0]]), attachment
    held = np.flatnonzero(shapes.held)
    if len(held) == 1:
        return np.array(shapes.positions[held[0]]), int(shapes.ids[held[0]])
    if len(held) and not free:
        return np.asarray(shapes.positions[held].mean(axis=0)), -1
    return np.zeros(3), -1


def _summary_about(theirs: SupplierModes, point: FloatArray, units: UnitSystem) -> MassSummary | None:
    """The mass summary in SI about O; None where the file has none, or its reference is unknown."""
    if theirs.mass is None or theirs.mass.mass <= 0.0:
        return None
    at = point_of(theirs, theirs.mass.reference_id, units)
    if at is None:
        return None
    factor = theirs.wtmass if theirs.mass.whole and theirs.wtmass is not None else 1.0
    mass = theirs.mass.mass * units.mass * factor
    c = at + theirs.mass.center * units.length - point
    arm = skew(c)
    J = theirs.mass.inertia * units.inertia * factor - mass * arm @ arm
    return MassSummary(matrix=np.block([[mass * np.eye(3), -mass * arm], [mass * arm, J]]))


def _own_model(theirs: SupplierModes) -> list[str]:
    """That the file describes its elements, where it does."""
    if not any(part.startswith("EPT") for part in theirs.parts):
        return []
    return [f"the file describes its elements: --deck {theirs.path.name} takes them as the deck"]


def _about_weights(theirs: SupplierModes, summary: MassSummary | None) -> list[str]:
    """What is assumed of a weight table whose factor to mass the file does not state."""
    if summary is None or theirs.mass is None or not theirs.mass.whole or theirs.wtmass is not None:
        return []
    return ["PARAM,WTMASS is not in the file: the mass table is taken as mass"]


def _admissible(
    theirs: SupplierModes,
    shapes: BasicShapes,
    point: FloatArray,
    modal: FloatArray | None,
    summary: MassSummary | None,
    units: UnitSystem,
    sentences: list[str],
) -> NodalMasses | None:
    """Nodal masses that fit the data; None, with a sentence, where they are not searched or none do."""
    if modal is None:
        return None
    n, k = len(shapes.ids), min(theirs.count, MOST_MODES)
    if (10 + k * (k + 1) // 2) * 4 * n > _MOST_SEARCHED:
        sentences.append(f"nodal masses are not searched: {n} nodes and {theirs.count} modes are too many")
        return None
    turn = shapes.rotation if shapes.has_rotations else None
    at = None if theirs.mass is None else point_of(theirs, theirs.mass.reference_id, units)
    reach = 0.0 if at is None else float(np.abs(shapes.positions - at).max(initial=0.0))
    center = np.zeros(3) if summary is None else summary.center
    central = None if summary is None else _about_center(summary)
    found = nodal_masses(shapes.positions - point - center, shapes.translation, turn, modal, central, reach)
    if not found.possible:
        sentences.append(
            f"no masses at the listed nodes explain modal masses and mass summary (best mismatch {100 * found.mismatch:.3g} %): "
            "mass lies between or beyond them"
        )
        return None
    if summary is None:
        low, high, _ = found.bounds(np.concatenate([np.ones(n), np.zeros(found.weights.shape[1] - n)]))
        sentences.append(f"the shapes alone leave the mass between {low:.4g} and {high:.4g} kg")
    return found


def _about_center(summary: MassSummary) -> MassSummary:
    """The same about the mass center, where the equations for nodal masses do not depend on the origin."""
    zero = np.zeros((3, 3))
    return MassSummary(matrix=np.block([[summary.mass * np.eye(3), zero], [zero, summary.inertia]]))


def _lacking(theirs: SupplierModes, modal: FloatArray | None, summary: MassSummary | None) -> list[str]:
    out = []
    if modal is None:
        out.append("no modal masses are stated, so the scale of the modes is unknown")
    if summary is None:
        out.append(f"no mass table is in the file: mass, center and inertia are unknown; {theirs.mass_request}")
    return [*out, "frequencies and shapes can be viewed, but the record cannot be simulated"]


def _record(
    theirs: SupplierModes,
    shapes: BasicShapes,
    *,
    point: FloatArray,
    modal: FloatArray,
    summary: MassSummary,
    momenta: Momenta,
    spread: Spread,
    free: bool,
    damping: float | None,
    units: UnitSystem,
) -> ReducedAppendage:
    """Given modes, all in SI: with nodal masses where they are settled, else with mass properties and momenta."""
    facts: dict[str, Any] = {
        "name": storable(theirs.path.stem), "source": f"{theirs.program}: {theirs.path.name}",
        "frame": "buckens" if free else "connection",
        "frequencies_hz": tuple(theirs.frequencies_hz.tolist()), "node_ids": tuple(shapes.ids.tolist()),
        "positions": shapes.positions, "translation": shapes.translation, "rotation": shapes.rotation,
        "reference_point": tuple(point.tolist()), "modal_masses": tuple(modal.tolist()), "damping_ratios": damping or 0.0,
    }  # fmt: skip
    if spread.masses is not None:
        facts |= {"nodal_masses": spread.masses, "nodal_inertias": spread.inertias}
    else:
        facts |= {
            "mass": summary.mass, "center": tuple((summary.center + point).tolist()), "inertia": summary.inertia,
            "participation": momenta.P, "rotation_participation": momenta.H,
        }  # fmt: skip
    made = appendage_of(GivenModes(**facts), theirs.path, SYSTEMS["SI"])
    if spread.masses is not None:
        losses = 2.0 * np.asarray(made.damping_ratios) * np.sqrt(theirs.eigenvalues) * modal
        made = made.changed(
            integrals=as_stated(made.integrals, summary, momenta, modal),
            stiffness=np.diag(theirs.eigenvalues * modal),
            damping=np.diag(losses),
        )
    return made.changed(unit_system="consistent" if units.name == "consistent" else made.unit_system)


def _to_look_at(
    theirs: SupplierModes, shapes: BasicShapes, point: FloatArray, units: UnitSystem, sentences: list[str]
) -> ReducedAppendage:
    """Shapes and frequencies in a record whose masses are placeholders of one kilogram; ``supports`` says that it cannot fly."""
    k = theirs.count
    size = np.maximum(np.abs(shapes.translation).max(axis=(0, 1)), 1e-300)
    facts = {
        "name": storable(theirs.path.stem), "source": f"{theirs.program}: {theirs.path.name}", "frame": "buckens",
        "frequencies_hz": tuple(theirs.frequencies_hz.tolist()), "node_ids": tuple(shapes.ids.tolist()),
        "positions": shapes.positions, "translation": shapes.translation / size, "rotation": shapes.rotation / size,
        "reference_point": tuple(point.tolist()), "mass": 1.0, "center": tuple(shapes.positions.mean(axis=0).tolist()),
        "inertia": np.eye(3), "modal_masses": (1.0,) * k,
    }  # fmt: skip
    made = appendage_of(GivenModes(**facts), theirs.path, SYSTEMS["SI"])
    made = made.changed(unit_system="consistent")
    return _finished(made, theirs, shapes, node=-1, free=True, level="none", sentences=sentences, units=units)


def _finished(
    record: ReducedAppendage,
    theirs: SupplierModes,
    shapes: BasicShapes,
    *,
    node: int,
    free: bool,
    level: str,
    sentences: list[str],
    units: UnitSystem,
) -> ReducedAppendage:
    """Names, kinds, cells, attachment and the report of where it comes from."""
    k, zero = theirs.count, np.zeros((3, theirs.count))
    interfaces, name = record.interfaces, None
    if node >= 0 or not free:
        name = "attachment"
        row = int(np.flatnonzero(shapes.ids == node)[0]) if node >= 0 else -1
        u, beta = (zero, zero) if row < 0 else (shapes.translation[row], shapes.rotation[row])
        interfaces = (Interface(name, node, np.zeros(3), np.eye(3), u, beta),)
    supplier = {
        "program": theirs.program, "file": theirs.path.name, "subcase": theirs.subcase, "parts": list(theirs.parts),
        "normalization": theirs.normalization, "units": units.name, "level": level,
        "notes": [*theirs.notes, *shapes.notes, *sentences],
    }  # fmt: skip
    notes = [*record.reports.get("notes", []), *theirs.notes, *shapes.notes, *sentences]
    return record.changed(
        interfaces=interfaces,
        attachment=name,
        topology=shapes.topology,
        mode_names=tuple(f"mode {number}" for number in theirs.numbers),
        mode_kinds=tuple("residual" if kind == "residual" else "elastic" for kind in theirs.kinds[:k]),
        inertia_level="linear" if level == "linear" else record.inertia_level,
        reports=plain({**record.reports, "supplier": supplier, "notes": notes}),
    )
