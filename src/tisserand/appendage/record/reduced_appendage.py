"""The reduced appendage: all data of a flexible structure that a multibody or control tool needs."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import KW_ONLY, dataclass, field, replace
from importlib import import_module
from types import MappingProxyType
from typing import Any, Literal

import numpy as np

from tisserand.appendage.integrals.modal_integrals import ModalIntegrals
from tisserand.appendage.record.damping_matrix import Damping, static_shapes
from tisserand.appendage.record.drawing_topology import Topology
from tisserand.appendage.record.mass_source import MassSource
from tisserand.appendage.record.node_table import Interface, NodeTable
from tisserand.appendage.record.turning_bodies import TurningBodies, no_bodies
from tisserand.arguments import checked_arguments
from tisserand.arrays import BoolArray, FloatArray, frozen
from tisserand.errors import ModelError
from tisserand.html_view import HtmlView
from tisserand.modes.modal_basis import MEAN_AXES
from tisserand.notebook_html import edges_of_cells, html_table, line_drawing

InertiaLevel = Literal["constant", "linear", "full"]
#: One factor for all modes, one per mode, or mode name -> factor (1 for the others).
Factors = float | Sequence[float] | FloatArray | Mapping[str, float]

#: Names of the geometric-stiffness families in order: frame acceleration, angular acceleration, products of
#: rates.
GEOMETRIC_FAMILIES = ("ax", "ay", "az", "alx", "aly", "alz", "wxx", "wyy", "wzz", "wxy", "wyz", "wzx")


@checked_arguments
@dataclass(frozen=True)
class FrameRecord:
    """The floating frame of the shapes, in words, and the violation of its rows per mode.

    Attributes:
        name: of the frame.
        meaning: in words.
        residuals: violation of its rows per mode.
    """

    name: str
    meaning: str
    residuals: tuple[float, ...] = ()


@checked_arguments
@dataclass(frozen=True, eq=False, repr=False)
class ReducedAppendage:
    """A flexible structure in modal coordinates eta (k), about O, in body axes parallel to the source's basic axes.

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
    _: KW_ONLY
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
        """Ke_kk / Me_kk, rad²/s², (k,); infinite for a shape without mass in its mean axes, which is static there."""
        own = np.diag(self.integrals.modal_mass)
        out = np.full(self.count, np.inf)
        return np.asarray(np.divide(np.diag(self.stiffness), own, out=out, where=~self.massless))

    @property
    def massless(self) -> BoolArray:
        """(k,) True for shapes that move the attachment against the mean axes and no mass."""
        if self.frame.name not in MEAN_AXES or self.attachment is None:
            return np.zeros(self.count, np.bool_)
        return static_shapes(self.integrals.modal_mass, self.stiffness)

    @property
    def frequencies_hz(self) -> FloatArray:
        """sqrt(Ke_kk / Me_kk) / 2 pi, Hz, (k,)."""
        return np.asarray(np.sqrt(np.maximum(self.eigenvalues, 0.0)) / (2.0 * np.pi))

    @property
    def top_hz(self) -> float:
        """Highest frequency of the shapes that move mass, Hz; 0 without any."""
        finite = self.frequencies_hz[~self.massless]
        return float(finite.max(initial=0.0))

    @property
    def damping_ratios(self) -> FloatArray:
        """De_kk / (2 omega_k Me_kk), (k,); zero for zero-frequency coordinates."""
        own = np.where(self.massless, 0.0, np.diag(self.integrals.modal_mass))
        scale = 2.0 * np.sqrt(np.maximum(np.diag(self.stiffness), 0.0) * own)
        return np.asarray(np.divide(np.diag(self.damping), scale, out=np.zeros(self.count), where=scale > 0.0))

    def interface(self, name: str) -> Interface:
        """The interface of that name."""
        for candidate in self.interfaces:
            if candidate.name == name:
                return candidate
        known = ", ".join(i.name for i in self.interfaces) or "none"
        raise ModelError("unknown interface", where=f"appendage {self.name}", found=repr(name), expected=known)

    def plot_mode(self, mode: int = 1, color: str = "displacement") -> Any:
        """A picture of mode ``mode`` (from 1), colored by ``displacement`` or strain ``energy``.

        Returns a PyVista plotter if VTK can render here, else a matplotlib figure.

        Args:
            color: ``displacement`` or strain ``energy``.
        """
        views = import_module("tisserand.views.notebook")  # a view looks down, not up
        return views.plot_mode(self, mode, color)

    def show(self) -> HtmlView:
        """All modes, moving, as a page that a notebook displays."""
        page: HtmlView = import_module("tisserand.views.notebook").show_modes(self)
        return page

    @property
    def supports(self) -> dict[str, Any]:
        """Capabilities of the record: inertia level, geometric-stiffness families, outputs, interfaces, units."""
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
        frequency_scale: Factors = 1.0,
        damping: Damping | float | Sequence[float] | None = None,
        shape_gain: Factors = 1.0,
        mass_scale: float = 1.0,
        name: str | None = None,
    ) -> ReducedAppendage:
        """The same appendage with other frequencies, damping, participation or mass, for sensitivity and robustness studies.

        Everything else stays unchanged. Factors are one number, one per mode, or mode name -> number. The rigid mass
        properties change
        with ``mass_scale`` alone; a variation that leaves negative mass to the rigid body is refused. ``provenance`` records it.

        Args:
            frequency_scale: factors on the frequencies; stiffness, elastic forces and stresses follow, damping ratios stay.
            damping: new damping (a ratio, one ratio per mode, or a ``Damping``) in place of the present one.
            shape_gain: factors on what the modes show and how they couple, at unchanged modal mass.
            mass_scale: factor on all mass, rigid and modal; frequencies stay.
            name: of the new record; by default the old one's.
        """
        return import_module("tisserand.appendage.variation").varied(  # type: ignore[no-any-return]
            self,
            frequency_scale=frequency_scale,
            damping=damping,
            shape_gain=shape_gain,
            mass_scale=mass_scale,
            name=name,
        )

    def _repr_html_(self) -> str:
        share = (self.integrals.translation / self.integrals.sizes) ** 2
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
