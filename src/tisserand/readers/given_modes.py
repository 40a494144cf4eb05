"""Given modes: frequencies, shapes and mass properties from a test or another code, as a reduced appendage.

Without a mass matrix the way inertia changes with deformation is unknown: such an appendage has constant
inertia, and this is recorded. With lumped nodal masses the integrals are those of the nodal bodies.
``docs/readers.md`` lists the keys.
"""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any, Literal

import numpy as np
from pydantic import BeforeValidator, Field, WithJsonSchema

from tisserand.appendage.integrals.from_nodal_bodies import nodal_body_integrals
from tisserand.appendage.integrals.modal_integrals import ModalIntegrals
from tisserand.appendage.record.node_table import Interface, NodeTable
from tisserand.appendage.record.reduced_appendage import FrameRecord, InertiaLevel, ReducedAppendage
from tisserand.arguments import are_numbers
from tisserand.arrays import LEVI_CIVITA, FloatArray, skew
from tisserand.declarations import (
    Declared,
    Key,
    check,
    declared,
    expecting,
    option,
    problem,
    read_toml,
    ruled,
    some_of,
    stating,
    when,
)
from tisserand.declarations.number_range import DAMPING_RATIO
from tisserand.errors import FileError, IdentityError, UnitsError
from tisserand.files import existing_file, json_of, sha256_of, storable, text_of
from tisserand.readers.case.case_values import UnitName
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


def _array(*sizes: int | str, least: float | None = None) -> Any:
    """Nested lists of finite numbers; ``sizes`` are numbers, or names of sizes of at least 1 that other keys state."""
    words = "(" + ", ".join(map(str, sizes)) + ") numbers" + ("" if least is None else f", at least {least:g}")
    schema: dict[str, Any] = {"type": "number"} if least is None else {"type": "number", "minimum": least}
    for size in reversed(sizes):
        fixed = {"minItems": size, "maxItems": size} if isinstance(size, int) else {"minItems": 1}
        schema = {"type": "array", "items": schema, **fixed}

    def read(value: Any) -> FloatArray:
        if not isinstance(value, list | tuple | np.ndarray) or not are_numbers(value):
            raise problem("", "is not an array of numbers", found=value, expected=words)
        values = np.array(value, dtype=float)
        if not np.isfinite(values).all():
            raise problem("", "holds values that are not finite", found=value, expected=words)
        fits = [x == size if isinstance(size, int) else x > 0 for x, size in zip(values.shape, sizes)]
        if values.ndim != len(sizes) or not all(fits):
            raise problem("", "has the wrong shape", found=str(values.shape), expected=words)
        if least is not None and (values < least).any():
            raise problem("", "is out of range", found=float(values.min()), expected=words)
        return values

    return Annotated[Any, BeforeValidator(read), WithJsonSchema(schema), expecting(words)]


if TYPE_CHECKING:
    Points = Any
    Shapes = Any
    Masses = Any
    Inertias = Any
    Matrix = Any
    Participation = Any
else:
    Points, Shapes, Masses = _array("n", 3), _array("n", 3, "k"), _array("n", least=0.0)
    Inertias, Matrix, Participation = _array("n", 3, 3), _array(3, 3), _array(3, "k")
Vector = tuple[float, float, float]
#: One number or more.
Numbers = Annotated[tuple[float, ...], Field(min_length=1)]


class GivenModes(Declared):
    """Modes computed or measured elsewhere, with n nodes and k modes; numbers in the stated units, frequencies in Hz."""

    name: str | None = option(None, "name; default: the file's")
    units: UnitName | None = option(None, "unit system; may be given when the file is read instead")
    source: str | None = option(None, "where the modes come from")
    frame: Literal["connection", "buckens"] = option("connection", "held at the attachment, or free modes")
    frequencies_hz: Annotated[tuple[float, ...], Field(min_length=1)] = option(
        ..., "(k) natural frequencies", unit="Hz", at_least=0.0
    )
    node_ids: Annotated[tuple[int, ...], Field(min_length=1), stating({"uniqueItems": True})] = option(
        ..., "(n) node numbers"
    )
    positions: Points = option(..., "(n, 3) coordinates", unit="length units")
    translation: Shapes = option(..., "(n, 3, k) translations of the shapes")
    rotation: Shapes | None = option(None, "(n, 3, k) rotations of the shapes; default: zero", unit="1/length")
    reference_point: Vector = option((0.0, 0.0, 0.0), "reference point of the record", unit="length units")
    nodal_masses: Masses | None = option(
        None, "(n) lumped masses, from which the integrals are computed", unit="mass units"
    )
    nodal_inertias: Inertias | None = option(None, "(n, 3, 3) inertias of the lumped masses", unit="mass length²")
    nodal_offsets: Points | None = option(None, "(n, 3) from the nodes to the lumped masses", unit="length units")
    mass: float | None = option(None, "total mass; needed without nodal masses", unit="mass units", above=0.0)
    center: Vector | None = option(None, "mass center", unit="length units")
    inertia: Matrix | None = option(None, "(3, 3) about the mass center", unit="mass length²")
    modal_masses: Numbers | None = option(None, "(k) modal masses; default: one", above=0.0)
    participation: Participation | None = option(None, "(3, k) momentum of the shapes")
    rotation_participation: Participation | None = option(
        None, "(3, k) angular momentum of the shapes about the reference point"
    )
    damping_ratios: float | tuple[float, ...] = option(
        0.0, "ratios of critical damping, common or (k)", **DAMPING_RATIO
    )
    interfaces: dict[str, int] = option({}, "named nodes")
    attachment: str | None = option(None, "the interface that carries the appendage")

    _known_mass = ruled(
        some_of(("nodal_masses",), ("mass", "center", "inertia")),
        when(
            "frame",
            "connection",
            then=(
                some_of(
                    ("nodal_masses",),
                    ("participation", "rotation_participation"),
                    because="the coupling of held modes to the base cannot be known without it",
                ),
            ),
        ),
    )

    @check
    def _consistent(self) -> None:
        n, k = len(self.node_ids), len(self.frequencies_hz)
        if len(set(self.node_ids)) != n:
            twice = next(node for place, node in enumerate(self.node_ids) if node in self.node_ids[:place])
            raise problem("node_ids", "names a node twice", found=twice, expected="every node once")
        shapes: dict[str, tuple[int, ...]] = {
            "positions": (n, 3), "translation": (n, 3, k), "rotation": (n, 3, k), "nodal_masses": (n,),
            "nodal_inertias": (n, 3, 3), "nodal_offsets": (n, 3), "inertia": (3, 3), "modal_masses": (k,),
            "participation": (3, k), "rotation_participation": (3, k),
        }  # fmt: skip
        if isinstance(self.damping_ratios, tuple):
            shapes["damping_ratios"] = (k,)
        for word, shape in shapes.items():
            values = getattr(self, word)
            if values is not None and np.shape(values) != shape:
                raise problem(word, "has the wrong shape", found=str(np.shape(values)), expected=str(shape))
        for name, node in self.interfaces.items():
            if node not in self.node_ids:
                raise problem(("interfaces", name), "no node has this id", found=node, expected="one of node_ids")
        if self.attachment is not None and self.attachment not in self.interfaces:
            raise problem("attachment", "is not an interface", found=self.attachment, known=tuple(self.interfaces))
        if self.nodal_masses is None:
            self._states_its_mass()
        elif self.nodal_masses.sum() <= 0.0:
            raise problem("nodal_masses", "are all zero", expected="numbers at least 0, one of them above it")

    def _states_its_mass(self) -> None:
        inertia = np.asarray(self.inertia)
        if not np.allclose(inertia, inertia.T) or np.linalg.eigvalsh(inertia)[0] < 0.0:
            found = np.array2string(inertia, precision=6).replace("\n", "")
            raise problem(
                "inertia", "is not an inertia", found=found, expected="a symmetric matrix without negative values"
            )

    def stated_modal_masses(self) -> FloatArray:
        """(k,), one where none are stated."""
        return np.ones(len(self.frequencies_hz)) if self.modal_masses is None else np.array(self.modal_masses)


def read_modes(path: str | Path, units: str | UnitSystem | None = None) -> ReducedAppendage:
    """Read given modes from JSON, TOML or NPZ. ``units`` overrides nothing: state it here or in the file."""
    file = existing_file(path)
    given = declared(GivenModes, _content(file), file)
    return appendage_of(given, file, _units(given, file, units))


def appendage_of(given: GivenModes, file: Path, system: UnitSystem) -> ReducedAppendage:
    """The reduced appendage of given modes whose numbers are in ``system``; ``file`` is where they come from."""
    frequencies, k = np.array(given.frequencies_hz), len(given.frequencies_hz)
    point = np.array(given.reference_point) * system.length
    rotation = np.zeros_like(given.translation) if given.rotation is None else given.rotation
    positions = (given.positions - np.array(given.reference_point)) * system.length
    nodes = NodeTable(np.array(given.node_ids), positions, given.translation, rotation / system.length)
    integrals, level, notes = _integrals(given, file, system, nodes)
    omega = 2.0 * np.pi * frequencies
    Me = integrals.modal_mass
    Ke = np.diag(omega**2 * np.diag(Me))
    ratios = np.broadcast_to(np.array(given.damping_ratios, float), (k,))
    report = {
        "given_modes": {"notes": notes, "source": given.source or "", "inertia": level},
        "damping": {"kind": "ratios", "ratios": ratios.tolist()},
        "notes": notes,
    }
    return ReducedAppendage(
        name=given.name or storable(file.stem),
        integrals=integrals,
        stiffness=Ke,
        damping=np.diag(2.0 * ratios * omega * np.diag(Me)),
        nodes=nodes,
        frame=FrameRecord(given.frame, _FRAMES[given.frame]),
        reference_point=point,
        interfaces=_interfaces(given, nodes),
        attachment=given.attachment,
        inertia_level=level,
        rigid_body_modes=6 if given.frame == "buckens" else 0,
        unit_system=system.name,
        reports=report,
        provenance={"files": {file.name: sha256_of(file)}, "kind": "given modes"},
    )


def _content(path: Path) -> dict[str, Any]:
    """The content as one table: a NumPy archive, a JSON object, or TOML, whatever the ending is."""
    with path.open("rb") as stream:
        head = stream.read(64)
    if path.suffix.lower() == ".npz" or head.startswith(b"PK\x03\x04"):
        return {name: values.tolist() for name, values in read_npz(path).items()}
    if path.suffix.lower() != ".json" and not head.lstrip(b"\xef\xbb\xbf \t\r\n").startswith(b"{"):
        return read_toml(path)
    content = json_of(path, text_of(path))
    if not isinstance(content, dict):
        raise FileError(path, "given modes must be one JSON object", found=type(content).__name__)
    return content


def _units(given: GivenModes, file: Path, stated: str | UnitSystem | None) -> UnitSystem:
    with Key(file, ("units",)).blamed():
        system = unit_system(given.units if given.units is not None else stated)
        if given.units is not None and stated is not None and unit_system(stated) != system:
            raise UnitsError("two different unit systems are stated", found=f"{given.units} and {stated}")
    return system


def _integrals(
    given: GivenModes, file: Path, units: UnitSystem, nodes: NodeTable
) -> tuple[ModalIntegrals, InertiaLevel, list[str]]:
    if given.nodal_masses is not None:
        return _of_bodies(given, file, units, nodes)
    assert given.mass is not None and given.center is not None
    mass, k = given.mass * units.mass, len(given.frequencies_hz)
    arm_O = np.array(given.center) * units.length - np.array(given.reference_point) * units.length
    arm = skew(arm_O)
    J0 = np.asarray(given.inertia) * units.inertia - mass * arm @ arm
    Me = np.diag(given.stated_modal_masses() * units.mass)
    P, H = given.participation, given.rotation_participation
    if P is None or H is None:  # free modes
        P, H = np.zeros((3, k)), np.zeros((3, k))
    P, H = P * units.mass, H * units.mass * units.length
    L = 0.5 * np.einsum("abc,ak->bck", LEVI_CIVITA, H)  # curl gives H, symmetric part unknown and zero
    N = np.einsum("ab,kl->abkl", np.eye(3) / 3.0, Me)
    zero3, zero33 = np.zeros((3, k, k)), np.zeros((3, 3, k, k))
    made = ModalIntegrals(
        mass=mass,
        center=arm_O,
        inertia=J0,
        translation=P,
        rotation=H,
        position_shape=L,
        shape_shape=N,
        modal_mass=Me,
        turn_first=zero3,
        turn_second=zero33,
    )
    lowest = float(np.linalg.eigvalsh(made.residual_mass)[0])
    if lowest < -1e-6 * float(np.abs(made.rigid_mass).max()):
        raise IdentityError(
            "the modes carry more mass than the structure has",
            where=str(file),
            found=f"residual mass matrix with eigenvalue {lowest:.4g}",
            expected="none below zero",
            advice="check participation, modal_masses, mass and inertia, and their reference point",
        )
    return made, "constant", [_CONSTANT]


def _of_bodies(
    given: GivenModes, file: Path, units: UnitSystem, nodes: NodeTable
) -> tuple[ModalIntegrals, InertiaLevel, list[str]]:
    """Integrals of lumped nodal masses; given modal masses are compared with theirs."""
    n = len(nodes)
    inertias = np.zeros((n, 3, 3)) if given.nodal_inertias is None else given.nodal_inertias
    offsets = np.zeros((n, 3)) if given.nodal_offsets is None else given.nodal_offsets
    made = nodal_body_integrals(
        nodes.positions,
        np.asarray(given.nodal_masses) * units.mass,
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
    if given.modal_masses is not None:
        stated = given.stated_modal_masses() * units.mass
        worst = float(np.abs(np.diag(made.modal_mass) / stated - 1.0).max())
        notes.append(f"modal masses of the nodal masses differ from the stated ones by up to {worst:.3g}")
        if worst > 0.05:
            raise IdentityError(
                "nodal masses and shapes do not give the stated modal masses",
                where=str(file),
                found=f"a difference of {100 * worst:.3g} %",
                expected="at most 5 %",
            )
    if given.mass is not None:
        stated_mass = given.mass * units.mass
        if abs(stated_mass / made.mass - 1.0) > 1e-3:
            raise IdentityError(
                "nodal masses do not add up to the stated mass",
                where=str(file),
                found=f"{made.mass:.6g} kg",
                expected=f"{stated_mass:.6g} kg",
            )
    for key in ("center", "inertia", "participation", "rotation_participation"):
        if getattr(given, key) is not None:
            notes.append(f"{key} follows from the nodal masses; the stated value is not used")
    return made, "full", notes


def _interfaces(given: GivenModes, nodes: NodeTable) -> tuple[Interface, ...]:
    """Named nodes; shapes there are the node's own."""
    rows = {int(node): row for row, node in enumerate(nodes.ids)}
    return tuple(
        Interface(name, node, nodes.positions[row], np.eye(3), nodes.translation[row], nodes.rotation[row])
        for name, node in given.interfaces.items()
        for row in [rows[node]]
    )
