"""The reduced appendage: everything a multibody or control tool needs of a flexible structure, once,
exactly.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from importlib import import_module
from types import MappingProxyType
from typing import Any, Literal

import numpy as np

from tisserand.appendage.integrals.modal_integrals import ModalIntegrals
from tisserand.appendage.record.mass_source import MassSource
from tisserand.appendage.record.packed_pairs import unpacked
from tisserand.appendage.record.turning_bodies import TurningBodies, no_bodies
from tisserand.arrays import FloatArray, IntArray, frozen
from tisserand.errors import ModelError
from tisserand.notebook_html import edges_of_cells, html_table, line_drawing

InertiaLevel = Literal["constant", "linear", "full"]

#: Names of the geometric-stiffness families in order: frame acceleration, angular acceleration, products of
#: rates.
GEOMETRIC_FAMILIES = ("ax", "ay", "az", "alx", "aly", "alz", "wxx", "wyy", "wzz", "wxy", "wyz", "wzx")


@dataclass(frozen=True, eq=False, repr=False)
class NodeTable:
    """Nodes of the appendage: ids (n,), positions (n, 3) m from O,
    translation and rotation shapes (n, 3, k); energy (n, k) J/kg per eta²: strain energy per mass around each node,
    for colouring, None where it is not known.

    Second-degree displacement u = phi eta + 1/2 psi(eta, eta), m per eta²: second (n, 3, p) holds always (rigid arms, change of
    frame; None: zero), foreshortening (n, 3, p) together with the geometric-stiffness families (None: not known); single
    precision, p = k (k + 1) / 2 pairs (``packed_pairs``).
    """

    ids: IntArray
    positions: FloatArray
    translation: FloatArray
    rotation: FloatArray
    energy: FloatArray | None = None
    second: FloatArray | None = None
    foreshortening: FloatArray | None = None

    def __post_init__(self) -> None:
        n = len(self.ids)
        object.__setattr__(self, "ids", frozen(self.ids, np.int64, (-1,)))
        object.__setattr__(self, "positions", frozen(self.positions, shape=(n, 3)))
        object.__setattr__(self, "translation", frozen(self.translation, shape=(n, 3, -1)))
        object.__setattr__(self, "rotation", frozen(self.rotation, shape=(n, 3, self.translation.shape[2])))
        if self.energy is not None:
            small = frozen(self.energy, np.float32, (n, self.translation.shape[2]))
            object.__setattr__(self, "energy", small)
        k = self.translation.shape[2]
        for word in ("second", "foreshortening"):
            if getattr(self, word) is not None:
                object.__setattr__(self, word, frozen(getattr(self, word), np.float32, (n, 3, k * (k + 1) // 2)))

    def psi(self, row: int, families: bool) -> FloatArray:
        """psi (3, k, k) of one node, with foreshortening where the families act and it is known.

        Args:
            row: of the node table.
        """
        k = self.translation.shape[2]
        total = np.zeros((3, k, k))
        for values in (self.second, self.foreshortening if families else None):
            if values is not None:
                total += unpacked(values[row], k)
        return total

    def __len__(self) -> int:
        return len(self.ids)

    def __repr__(self) -> str:
        return f"<NodeTable: {len(self)} nodes, {self.translation.shape[2]} modes>"


@dataclass(frozen=True, eq=False)
class Interface:
    """A named point: node row, position (3,) m from O, axes rows (3, 3), shapes (3,
    k) translation and rotation.

    second_translation, second_rotation (3, k, k): psi of the node that holds with and without geometric stiffness (rigid
    arms, change of frame): u = phi eta + 1/2 psi(eta, eta), rotation vector b = theta eta + 1/2 psi_r(eta, eta); zero where
    not stated. Foreshortening is not in it: it is -Kg of the unit-load families ``F:name:1..6``, which act with the other
    families.

    Attributes:
        node_id: id of its node.
    """

    name: str
    node_id: int
    position: FloatArray
    axes: FloatArray
    translation: FloatArray
    rotation: FloatArray
    second_translation: FloatArray | None = None
    second_rotation: FloatArray | None = None

    def __post_init__(self) -> None:
        object.__setattr__(self, "position", frozen(self.position, shape=(3,)))
        object.__setattr__(self, "axes", frozen(self.axes, shape=(3, 3)))
        object.__setattr__(self, "translation", frozen(self.translation, shape=(3, -1)))
        k = self.translation.shape[1]
        object.__setattr__(self, "rotation", frozen(self.rotation, shape=(3, k)))
        for name in ("second_translation", "second_rotation"):
            if getattr(self, name) is not None:
                object.__setattr__(self, name, frozen(getattr(self, name), shape=(3, k, k)))

    @property
    def psi(self) -> tuple[FloatArray, FloatArray]:
        """Second-degree shapes of translation and rotation, (3, k, k) each; zero where not stated."""
        k = self.translation.shape[1]
        zero = np.zeros((3, k, k))
        t, r = self.second_translation, self.second_rotation
        return zero if t is None else t, zero if r is None else r


@dataclass(frozen=True, eq=False)
class Topology:
    """Cells for drawing, by row of the node table:
    lines (e, 2), triangles (t, 3), bodies (b,) node rows with masses, links (l, 2).

    What they are and how thick, each empty where unknown: line_ids (e,), triangle_ids (t,) element ids;
    thickness (t,) m of shells, 0 on solids; body_mass (b,) kg; outlines (s, 16, 2) m section polygons in section axes
    (y, z); line_outline (e,) which of them a line has, -1 none; line_up (e, 3) section y axis in body axes;
    line_offsets (e, 2, 3) m from the nodes to the section's centroid.
    """

    lines: IntArray = field(default_factory=lambda: np.zeros((0, 2), np.int64))
    triangles: IntArray = field(default_factory=lambda: np.zeros((0, 3), np.int64))
    bodies: IntArray = field(default_factory=lambda: np.zeros(0, np.int64))
    links: IntArray = field(default_factory=lambda: np.zeros((0, 2), np.int64))
    thickness: FloatArray = field(default_factory=lambda: np.zeros(0))
    body_mass: FloatArray = field(default_factory=lambda: np.zeros(0))
    outlines: FloatArray = field(default_factory=lambda: np.zeros((0, 16, 2)))
    line_outline: IntArray = field(default_factory=lambda: np.zeros(0, np.int64))
    line_up: FloatArray = field(default_factory=lambda: np.zeros((0, 3)))
    line_offsets: FloatArray = field(default_factory=lambda: np.zeros((0, 2, 3)))
    line_ids: IntArray = field(default_factory=lambda: np.zeros(0, np.int64))
    triangle_ids: IntArray = field(default_factory=lambda: np.zeros(0, np.int64))

    def __post_init__(self) -> None:
        for word, shape in (
            ("lines", (-1, 2)),
            ("triangles", (-1, 3)),
            ("bodies", (-1,)),
            ("links", (-1, 2)),
            ("line_outline", (-1,)),
            ("line_ids", (-1,)),
            ("triangle_ids", (-1,)),
        ):
            object.__setattr__(self, word, frozen(getattr(self, word), np.int64, shape))
        optional: tuple[tuple[str, tuple[int, ...], int | None], ...] = (
            ("thickness", (-1,), len(self.triangles)),
            ("body_mass", (-1,), len(self.bodies)),
            ("outlines", (-1, 16, 2), None),
            ("line_outline", (-1,), len(self.lines)),
            ("line_up", (-1, 3), len(self.lines)),
            ("line_offsets", (-1, 2, 3), len(self.lines)),
            ("line_ids", (-1,), len(self.lines)),
            ("triangle_ids", (-1,), len(self.triangles)),
        )
        for name, form, rows in optional:
            values = getattr(self, name)
            if values.dtype != np.int64:
                values = frozen(values, shape=form)
            if rows is not None and len(values) not in (0, rows):
                raise ModelError(f"{name} must have one entry per cell", found=len(values), expected=rows)
            object.__setattr__(self, name, values)

    def turned(self, Q: FloatArray) -> Topology:
        """The same cells in other axes: r_new = Q r_old."""
        return replace(self, line_up=self.line_up @ Q.T, line_offsets=self.line_offsets @ Q.T)


@dataclass(frozen=True)
class FrameRecord:
    """Which floating frame the shapes live in, in words, and the violation of its rows per mode.

    Attributes:
        name: of the frame.
        meaning: in words.
        residuals: violation of its rows per mode.
    """

    name: str
    meaning: str
    residuals: tuple[float, ...] = ()


@dataclass(frozen=True, eq=False, repr=False)
class ReducedAppendage:
    """A flexible structure in modal coordinates eta (k), in body axes parallel to the source's basic axes,
    about O.

    integrals: inertia about O; stiffness Ke, damping De (k, k); reference_point: O in source basic
    coordinates, m; attachment: name of the interface that carries the appendage (held there for the
    ``connection`` frame); geometric_stiffness: name -> (k, k), K = Ke + sum value_i Kg_i with the values of
    GEOMETRIC_FAMILIES (accelerations of O and rates of the frame in body axes) or ``F:interface:component``
    unit loads; inertia_level: what the integrals support; recovery: name -> (rows, k) output matrices;
    reports: free-form JSON-able dossier (ledger, proof, checks, mode selection, damping provenance);
    unit_system: SI, or ``consistent`` where lengths have no known unit. sources: the mass behind the nodes, so that
    momenta and energy can be recomputed from nodal motion (empty where it is not known). bodies: the nodal bodies that
    the engines turn one by one and exactly; their mass and their part of a, A are in ``integrals`` too.

    Attributes:
        interfaces: named points.
        mode_names: one per mode.
        mode_kinds: elastic, rigid, mechanism, constraint, residual, attachment or assumed.
        topology: cells for drawing.
        rigid_body_modes: number of rigid motions that the boundary left free.
    """

    name: str
    integrals: ModalIntegrals
    stiffness: FloatArray
    damping: FloatArray
    nodes: NodeTable
    frame: FrameRecord
    reference_point: FloatArray = field(default_factory=lambda: np.zeros(3))
    interfaces: tuple[Interface, ...] = ()
    attachment: str | None = None
    mode_names: tuple[str, ...] = ()
    mode_kinds: tuple[str, ...] = ()
    geometric_stiffness: Mapping[str, FloatArray] = field(default_factory=dict)
    inertia_level: InertiaLevel = "full"
    topology: Topology = field(default_factory=Topology)
    recovery: Mapping[str, FloatArray] = field(default_factory=dict)
    rigid_body_modes: int = 0
    unit_system: str = "SI"
    reports: Mapping[str, Any] = field(default_factory=dict)
    provenance: Mapping[str, Any] = field(default_factory=dict)
    sources: tuple[MassSource, ...] = ()
    bodies: TurningBodies = field(default_factory=lambda: no_bodies(0))

    def __post_init__(self) -> None:
        k = self.integrals.count
        if not len(self.bodies):
            object.__setattr__(self, "bodies", no_bodies(k))
        object.__setattr__(self, "stiffness", frozen(self.stiffness, shape=(k, k)))
        object.__setattr__(self, "damping", frozen(self.damping, shape=(k, k)))
        object.__setattr__(self, "reference_point", frozen(self.reference_point, shape=(3,)))
        if not self.mode_names:
            object.__setattr__(self, "mode_names", tuple(f"mode {i + 1}" for i in range(k)))
        if not self.mode_kinds:
            object.__setattr__(self, "mode_kinds", ("elastic",) * k)
        shaped = (self.nodes.translation.shape[2], self.bodies.count)
        if len(self.mode_names) != k or len(self.mode_kinds) != k or shaped != (k, k):
            raise ModelError(
                "names, kinds and shapes must cover every mode", where=f"appendage {self.name}", expected=k
            )
        families = {name: frozen(matrix, shape=(k, k)) for name, matrix in self.geometric_stiffness.items()}
        outputs = {name: frozen(matrix, shape=(-1, k)) for name, matrix in self.recovery.items()}
        object.__setattr__(self, "geometric_stiffness", MappingProxyType(families))
        object.__setattr__(self, "recovery", MappingProxyType(outputs))
        object.__setattr__(self, "reports", MappingProxyType(dict(self.reports)))
        object.__setattr__(self, "provenance", MappingProxyType(dict(self.provenance)))
        if sum(len(source) for source in self.sources) not in (0, len(self.nodes)):
            raise ModelError(
                "the mass sources do not cover the nodes",
                where=f"appendage {self.name}",
                found=sum(len(source) for source in self.sources),
                expected=len(self.nodes),
            )
        names = [interface.name for interface in self.interfaces]
        if len(set(names)) != len(names):
            raise ModelError("two interfaces have the same name", where=f"appendage {self.name}", found=names)
        if self.attachment is not None and self.attachment not in names:
            raise ModelError(
                "the attachment is not an interface",
                where=f"appendage {self.name}",
                found=self.attachment,
                expected=names,
            )

    @property
    def count(self) -> int:
        """Number of modal coordinates k."""
        return self.integrals.count

    @property
    def mass(self) -> float:
        return self.integrals.mass

    @property
    def eigenvalues(self) -> FloatArray:
        """Ke_kk / Me_kk, rad²/s², (k,)."""
        return (
            np.asarray(np.diag(self.stiffness) / np.diag(self.integrals.modal_mass))
            if self.count
            else np.zeros(0)
        )

    @property
    def frequencies_hz(self) -> FloatArray:
        """sqrt(Ke_kk / Me_kk) / 2 pi, Hz, (k,)."""
        return np.asarray(np.sqrt(np.maximum(self.eigenvalues, 0.0)) / (2.0 * np.pi))

    @property
    def damping_ratios(self) -> FloatArray:
        """De_kk / (2 omega_k Me_kk), (k,); zero for zero-frequency coordinates."""
        scale = 2.0 * np.sqrt(np.maximum(self.eigenvalues, 0.0)) * np.diag(self.integrals.modal_mass)
        return np.asarray(
            np.divide(np.diag(self.damping), scale, out=np.zeros(self.count), where=scale > 0.0)
        )

    def interface(self, name: str) -> Interface:
        """The interface of that name."""
        for candidate in self.interfaces:
            if candidate.name == name:
                return candidate
        known = ", ".join(i.name for i in self.interfaces) or "none"
        raise ModelError(
            "unknown interface", where=f"appendage {self.name}", found=repr(name), expected=known
        )

    def plot_mode(self, mode: int = 1, color: str = "displacement") -> Any:
        """A picture of mode ``mode`` (from 1), coloured by ``displacement`` or strain ``energy``:
        PyVista plotter or matplotlib figure, whatever can be drawn here.

        Args:
            color: ``displacement`` or strain ``energy``.
        """
        views = import_module("tisserand.views.notebook")  # a view looks down, not up
        return views.plot_mode(self, mode, color)

    def show(self) -> Any:
        """All modes, moving, as a page that a notebook displays."""
        return import_module("tisserand.views.notebook").show_modes(self)

    @property
    def supports(self) -> dict[str, Any]:
        """What the record can be used for:
        inertia level, geometric-stiffness families, outputs, interfaces, units.
        """
        return {
            "inertia": self.inertia_level,
            "geometric_stiffness": list(self.geometric_stiffness),
            "recovery": list(self.recovery),
            "interfaces": [interface.name for interface in self.interfaces],
            "simulation": self.unit_system != "consistent",
        }

    def changed(self, **values: Any) -> ReducedAppendage:
        """A copy with some fields replaced.

        Args:
            values: new values by field name.
        """
        return replace(self, **values)

    def varied(
        self,
        *,
        frequency_scale: Any = 1.0,
        damping: Any = None,
        shape_gain: Any = 1.0,
        mass_scale: float = 1.0,
        name: str | None = None,
    ) -> ReducedAppendage:
        """The same appendage with other frequencies, damping, participation or mass, for sensitivity and robustness studies.

        What is not named stays. Factors are one number, one per mode, or mode name -> number. The rigid mass properties change
        with ``mass_scale`` alone; a variation that leaves negative mass to the rigid body is refused. ``provenance`` records it.

        Args:
            frequency_scale: factors on the frequencies; stiffness, elastic forces and stresses follow, damping ratios stay.
            damping: new damping (a ratio, one ratio per mode, or a ``Damping``) in place of the present one.
            shape_gain: factors on what the modes show and how they couple, at unchanged modal mass.
            mass_scale: factor on all mass, rigid and modal; frequencies stay.
            name: of the new record; by default the old one's.
        """
        return import_module("tisserand.appendage.variation").varied(  # type: ignore[no-any-return]
            self, frequency_scale=frequency_scale, damping=damping, shape_gain=shape_gain, mass_scale=mass_scale, name=name
        )

    def _repr_html_(self) -> str:
        share = self.integrals.translation**2 / np.maximum(np.diag(self.integrals.modal_mass), 1e-300)
        rows = [
            (name, float(f), float(z), *(float(v) for v in part))
            for name, f, z, part in zip(self.mode_names, self.frequencies_hz, self.damping_ratios, share.T)
        ]
        headers = ("mode", "frequency (Hz)", "damping ratio", "P²/Me x (kg)", "y (kg)", "z (kg)")
        title = f"{self.name}: {self.mass:.6g} kg, frame {self.frame.name}, {self.inertia_level} inertia"
        lines = np.concatenate([self.topology.lines, edges_of_cells(self.topology.triangles)])
        moved = self.nodes.translation[:, :, 0] if self.count else None
        return html_table(title, headers, rows) + line_drawing(self.nodes.positions, lines, moved=moved)

    def __repr__(self) -> str:
        f = self.frequencies_hz
        span = f"{f.min():.4g} .. {f.max():.4g} Hz" if len(f) else "rigid"
        return (
            f"<ReducedAppendage {self.name!r}: {self.mass:.6g} kg, {self.count} modes ({span}), "
            f"frame {self.frame.name}, {self.inertia_level} inertia, {len(self.nodes)} nodes, "
            f"interfaces {[i.name for i in self.interfaces]}>"
        )
