"""Given modes: frequencies, shapes and mass properties from a test or another code, as a reduced appendage.

Without a mass matrix the way inertia changes with deformation is unknown: such an appendage has constant
inertia, and says so. With lumped nodal masses the integrals are those of the nodal bodies.
``docs/readers.md`` lists the keys.
"""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import numpy as np

from tisserand.appendage.integrals.from_nodal_bodies import nodal_body_integrals
from tisserand.appendage.integrals.modal_integrals import ModalIntegrals
from tisserand.appendage.record.reduced_appendage import (
    FrameRecord,
    InertiaLevel,
    Interface,
    NodeTable,
    ReducedAppendage,
)
from tisserand.arrays import LEVI_CIVITA, FloatArray, skew
from tisserand.errors import FileError, IdentityError, UnitsError
from tisserand.files import existing_file, sha256_of, text_of
from tisserand.schema import Table, read_toml
from tisserand.stored import read_npz
from tisserand.units import UnitSystem, unit_system

_FRAMES = {
    "connection": "modes of the structure held at its attachment",
    "buckens": "free modes: no linear or angular momentum of deformation",
}
_CONSTANT = (
    "no mass matrix was given: inertia is taken as constant, and coupling of second order between rotation and "
    "deformation, geometric stiffness and stress recovery are not available"
)


def read_modes(path: str | Path, units: str | UnitSystem | None = None) -> ReducedAppendage:
    """Read given modes from JSON, TOML or NPZ. ``units`` overrides nothing: state it here or in the file."""
    table = _open(existing_file(path))
    system = _units(table, units)
    name = table.text("name", table.file.stem)
    frequencies = table.vector("frequencies_hz", minimum=0.0)
    k = len(frequencies)
    if k == 0:
        raise table.error("frequencies_hz", "is empty")
    free = table.choice("frame", tuple(_FRAMES), "connection")
    nodes = _nodes(table, k, system)
    point = table.vector("reference_point", 3, np.zeros(3)) * system.length
    integrals, level, notes = _integrals(table, k, system, nodes, free == "buckens")
    table.number("mass", 0.0)
    omega = 2.0 * np.pi * frequencies
    Me = integrals.modal_mass
    Ke = np.diag(omega**2 * np.diag(Me))
    ratios = _ratios(table, k)
    interfaces, attachment = _interfaces(table, nodes)
    source = table.text("source", "")
    table.close()
    report = {
        "given_modes": {"notes": notes, "source": source, "inertia": level},
        "damping": {"kind": "ratios", "ratios": ratios.tolist()},
        "notes": notes,
    }
    return ReducedAppendage(
        name=name,
        integrals=integrals,
        stiffness=Ke,
        damping=np.diag(2.0 * ratios * omega * np.diag(Me)),
        nodes=nodes,
        frame=FrameRecord(free, _FRAMES[free]),
        reference_point=point,
        interfaces=interfaces,
        attachment=attachment,
        inertia_level=level,
        rigid_body_modes=6 if free == "buckens" else 0,
        unit_system=system.name,
        reports=report,
        provenance={"files": {table.file.name: sha256_of(table.file)}, "kind": "given modes"},
    )


def _open(path: Path) -> Table:
    """The file's content as one table, whatever its format."""
    suffix = path.suffix.lower()
    if suffix == ".toml":
        return read_toml(path)
    if suffix == ".npz":
        return Table({name: values.tolist() for name, values in read_npz(path).items()}, path)
    if suffix != ".json":
        raise FileError(path, "given modes are read from .json, .toml or .npz", found=repr(suffix))
    try:
        content = json.loads(text_of(path))
    except json.JSONDecodeError as error:
        raise FileError(path, f"is not valid JSON: {error}") from error
    if not isinstance(content, dict):
        raise FileError(path, "given modes must be one JSON object", found=type(content).__name__)
    return Table(content, path)


def _units(table: Table, stated: str | UnitSystem | None) -> UnitSystem:
    own = table.maybe_text("units")
    try:
        system = unit_system(own if own is not None else stated)
        if own is not None and stated is not None and unit_system(stated) != system:
            raise UnitsError("two different unit systems are stated", found=f"{own} and {stated}")
    except UnitsError as error:
        raise table.error(
            "units", error.what, found=error.found, expected=error.expected, advice=error.advice
        ) from error
    return system


def _array(table: Table, key: str, shape: tuple[int, ...], default: Any = None) -> FloatArray | None:
    """A nested list of numbers of the given shape; ``default`` when the key is missing."""
    if not table.has(key):
        return None if default is None else np.asarray(default, dtype=float)
    try:
        values = np.array(table.values[key], dtype=float)
    except (ValueError, TypeError):
        raise table.error(key, "is not an array of numbers", expected=f"shape {shape}") from None
    if values.shape != shape or not np.isfinite(values).all():
        raise table.error(
            key, "has the wrong shape or holds values not finite", found=values.shape, expected=shape
        )
    return values


def _nodes(table: Table, k: int, units: UnitSystem) -> NodeTable:
    ids = table.raw("node_ids")
    if (
        not isinstance(ids, list)
        or not all(isinstance(i, int) and not isinstance(i, bool) for i in ids)
        or not ids
    ):
        raise table.error("node_ids", "is not a list of whole numbers")
    if len(set(ids)) != len(ids):
        raise table.error("node_ids", "names a node twice")
    n = len(ids)
    positions, translation = _array(table, "positions", (n, 3)), _array(table, "translation", (n, 3, k))
    if positions is None or translation is None:
        raise table.error("positions" if positions is None else "translation", "is missing")
    rotation = _array(table, "rotation", (n, 3, k), np.zeros((n, 3, k)))
    assert rotation is not None
    point = table.vector("reference_point", 3, np.zeros(3))
    return NodeTable(np.array(ids), (positions - point) * units.length, translation, rotation / units.length)


def _integrals(
    table: Table, k: int, units: UnitSystem, nodes: NodeTable, free: bool
) -> tuple[ModalIntegrals, InertiaLevel, list[str]]:
    n = len(nodes)
    masses = _array(table, "nodal_masses", (n,))
    if masses is not None:
        return _of_bodies(table, k, units, nodes, masses * units.mass)
    mass = table.number("mass", above=0.0) * units.mass
    center = table.vector("center", 3) * units.length
    point = table.vector("reference_point", 3, np.zeros(3)) * units.length
    inertia = _array(table, "inertia", (3, 3))
    if inertia is None:
        raise table.error("inertia", "is missing", expected="3 x 3 about the mass centre")
    if not np.allclose(inertia, inertia.T) or np.linalg.eigvalsh(inertia)[0] < 0.0:
        raise table.error("inertia", "is not a symmetric matrix without negative values")
    arm = skew(center - point)
    J0 = inertia * units.inertia - mass * arm @ arm
    Me = np.diag(_positive(table, "modal_masses", k) * units.mass)
    P, H = _array(table, "participation", (3, k)), _array(table, "rotation_participation", (3, k))
    if P is None or H is None:
        if not free:
            missing = "participation" if P is None else "rotation_participation"
            raise table.error(
                missing,
                "is missing: the coupling of held modes to the base cannot be known without it",
                expected="three rows, one column per mode; or nodal_masses",
            )
        P, H = np.zeros((3, k)), np.zeros((3, k))
    P, H = P * units.mass, H * units.mass * units.length
    L = 0.5 * np.einsum("abc,ak->bck", LEVI_CIVITA, H)  # curl gives H, symmetric part unknown and zero
    N = np.einsum("ab,kl->abkl", np.eye(3) / 3.0, Me)
    zero3, zero33 = np.zeros((3, k, k)), np.zeros((3, 3, k, k))
    made = ModalIntegrals(mass, center - point, J0, P, H, L, N, Me, zero3, zero33)
    lowest = float(np.linalg.eigvalsh(made.residual_mass)[0])
    if lowest < -1e-6 * float(np.abs(made.rigid_mass).max()):
        raise IdentityError(
            "the modes carry more mass than the structure has",
            where=str(table.file),
            found=f"residual mass matrix with eigenvalue {lowest:.4g}",
            expected="none below zero",
            advice="check participation, modal_masses, mass and inertia, and their reference point",
        )
    return made, "constant", [_CONSTANT]


def _of_bodies(
    table: Table, k: int, units: UnitSystem, nodes: NodeTable, masses: FloatArray
) -> tuple[ModalIntegrals, InertiaLevel, list[str]]:
    """Integrals of lumped nodal masses; given modal masses are compared with theirs."""
    n = len(nodes)
    if (masses < 0.0).any() or masses.sum() <= 0.0:
        raise table.error("nodal_masses", "must not be negative and must not all be zero")
    inertias = _array(table, "nodal_inertias", (n, 3, 3), np.zeros((n, 3, 3)))
    offsets = _array(table, "nodal_offsets", (n, 3), np.zeros((n, 3)))
    assert inertias is not None and offsets is not None
    made = nodal_body_integrals(
        nodes.positions,
        masses,
        offsets * units.length,
        inertias * units.inertia,
        nodes.translation,
        nodes.rotation,
    )
    notes = ["integrals are those of the given nodal masses"]
    coupling = made.modal_mass - np.diag(np.diag(made.modal_mass))
    size = float(np.abs(np.diag(made.modal_mass)).max())
    if float(np.abs(coupling).max(initial=0.0)) > 1e-3 * size:
        notes.append("the modes are not orthogonal over the nodal masses: largest coupling "
                     f"{float(np.abs(coupling).max()) / size:.3g} of the largest modal mass")  # fmt: skip
    if table.has("modal_masses"):
        stated = _positive(table, "modal_masses", k) * units.mass
        worst = float(np.abs(np.diag(made.modal_mass) / stated - 1.0).max())
        notes.append(f"modal masses of the nodal masses differ from the stated ones by up to {worst:.3g}")
        if worst > 0.05:
            raise IdentityError(
                "nodal masses and shapes do not give the stated modal masses",
                where=str(table.file),
                found=f"a difference of {100 * worst:.3g} %",
                expected="at most 5 %",
            )
    if table.has("mass"):
        stated_mass = table.number("mass", above=0.0) * units.mass
        if abs(stated_mass / made.mass - 1.0) > 1e-3:
            raise IdentityError(
                "nodal masses do not add up to the stated mass",
                where=str(table.file),
                found=f"{made.mass:.6g} kg",
                expected=f"{stated_mass:.6g} kg",
            )
    for key in ("center", "inertia", "participation", "rotation_participation"):
        if table.has(key):
            notes.append(f"{key} follows from the nodal masses; the stated value is not used")
    return made, "full", notes


def _positive(table: Table, key: str, k: int) -> FloatArray:
    values = table.vector(key, k, np.ones(k))
    if (values <= 0.0).any():
        raise table.error(key, "must be above zero")
    return values


def _ratios(table: Table, k: int) -> FloatArray:
    value = table.raw("damping_ratios", 0.0)
    if isinstance(value, list):
        return table.vector("damping_ratios", k, minimum=0.0)
    return np.full(k, table.number("damping_ratios", 0.0, minimum=0.0))


def _interfaces(table: Table, nodes: NodeTable) -> tuple[tuple[Interface, ...], str | None]:
    """Named nodes; shapes there are the node's own."""
    parent = table.table("interfaces", {})
    rows = {int(node): row for row, node in enumerate(nodes.ids)}
    found = []
    for name in parent.values:
        node = parent.integer(name)
        if node not in rows:
            raise parent.error(name, "no node has this id", found=node)
        row = rows[node]
        found.append(
            Interface(
                name, node, nodes.positions[row], np.eye(3), nodes.translation[row], nodes.rotation[row]
            )
        )
    attachment = table.maybe_text("attachment")
    if attachment is not None and attachment not in parent.values:
        raise table.unknown("attachment", attachment, parent.values, "is not an interface")
    return tuple(found), attachment
