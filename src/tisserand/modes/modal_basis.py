"""Floating frames, the proof of an eigensolution, and the modal basis.

Frames: theory section 4.
"""

from __future__ import annotations

from dataclasses import KW_ONLY, dataclass, field
from typing import Literal

import numpy as np

from tisserand.arguments import checked_arguments
from tisserand.arrays import BoolArray, FloatArray, frozen
from tisserand.assembly.assembled_model import AssembledModel
from tisserand.notebook_html import html_table

FrameName = Literal["connection", "node", "buckens", "tisserand", "milne", "free", "prescribed"]
#: Note on a basis without modes, because nothing of the model can strain.
RIGID_ALONE = "the ties leave rigid-body motions only, so there are no modes"
#: Frames that move with the whole body and with no point of it.
MEAN_AXES: tuple[FrameName, ...] = ("buckens", "tisserand", "milne")
#: Span of a mean-axis basis on a mount: modes clamped there, free modes with residual shapes, or free modes alone.
Mounting = Literal["clamped", "residual", "free"]
#: What a column of a basis is.
ModeKind = Literal["elastic", "rigid", "mechanism", "constraint", "residual", "attachment", "assumed"]


@checked_arguments
@dataclass(frozen=True, eq=False)
class FrameConstraint:
    """A floating frame as data: its name, its meaning, and the linear rows that its shapes satisfy.

    rows: (r, d), ``rows @ shape = 0`` for shapes of this frame (None where the frame has none); held: (d,) dofs that are
    zero in this frame, rows of the identity that need no storage;
    ``tisserand`` carries the Buckens rows and keeps the integral of u x u' in momentum and energy (S0 Eqs 44-49).
    """

    name: FrameName
    meaning: str
    rows: FloatArray | None = None
    held: BoolArray | None = None

    def __post_init__(self) -> None:
        if self.rows is not None:
            object.__setattr__(self, "rows", frozen(self.rows))
        if self.held is not None:
            object.__setattr__(self, "held", frozen(self.held, bool))

    def residuals(self, shapes: FloatArray) -> FloatArray:
        """Relative violation per mode: ``|rows @ shape| / (|rows| |shape|)``, shape (k,).

        Args:
            shapes: (d, k) over the independent dofs.
        """
        worst = np.zeros(shapes.shape[1])
        if not len(worst):
            return worst
        size = np.maximum(np.linalg.norm(shapes, axis=0), 1e-300)
        if self.rows is not None and len(self.rows):
            rows = self.rows / np.maximum(np.linalg.norm(self.rows, axis=1, keepdims=True), 1e-300)
            worst = np.abs(rows @ shapes).max(axis=0) / size
        if self.held is not None and self.held.any():
            worst = np.maximum(worst, np.abs(shapes[self.held]).max(axis=0) / size)
        return np.asarray(worst)


@checked_arguments
@dataclass(frozen=True, kw_only=True)
class Proof:
    """Evidence that an eigensolution is complete and accurate.

    missed: modes below the last one that the Sturm count finds and the solver did not return (must be 0);
    sturm_shift_hz: where the inertia was counted; worst_error: largest bound on the relative error of an eigenvalue (at most
    1e-6, the frequency errs by half of it); data_error: largest relative change of an eigenvalue when every term that it
    was computed from (of the matrices, or of the elements) is rounded in its last place;
    worst_residual: max ||K x - lambda M x|| / ||K x|| (mechanisms: ||K x|| / || |K||x| ||);
    worst_orthogonality: max |X'M X - 1|; rigid_rayleigh: Rayleigh quotients of the geometric rigid vectors, rad²/s²;
    rigid_stiffness: ||K r|| / (||K|| ||r||) per direction; backend: factorization used; rigid_from: "geometry", or "null space"
    where positions are unknown and the rigid motions are the strain-free ones that the solver found.
    """

    missed: int
    sturm_shift_hz: float
    counted: int
    worst_residual: float
    worst_orthogonality: float
    rigid_rayleigh: tuple[float, ...] = ()
    rigid_stiffness: tuple[float, ...] = ()
    backend: str = ""
    rigid_from: str = "geometry"
    worst_error: float = 0.0
    data_error: float = 0.0

    def as_dict(self) -> dict[str, object]:
        """The same facts as plain data, for JSON."""
        return {
            "missed": self.missed,
            "sturm_shift_hz": self.sturm_shift_hz,
            "counted": self.counted,
            "worst_error": self.worst_error,
            "data_error": self.data_error,
            "worst_residual": self.worst_residual,
            "worst_orthogonality": self.worst_orthogonality,
            "rigid_rayleigh": list(self.rigid_rayleigh),
            "rigid_stiffness": list(self.rigid_stiffness),
            "backend": self.backend,
            "rigid_from": self.rigid_from,
        }


@dataclass(frozen=True)
class Mount:
    """The node that a mean-axis basis is made for, and how.

    held_hz: lowest frequencies with the node held; error_hz: by how much free modes alone raise them (theory section 9.4).
    Both are empty where the span has no such error.

    Attributes:
        mounting: clamped, residual or free.
        node_id: of the attachment.
    """

    mounting: Mounting
    node_id: int
    held_hz: tuple[float, ...] = ()
    error_hz: tuple[float, ...] = ()


@checked_arguments
@dataclass(frozen=True, eq=False, repr=False)
class ModalBasis:
    """Shapes over the independent dofs of an assembled model, with their frame.

    shapes: (d, k); eigenvalues: (k,) rad²/s² (Rayleigh quotients for shapes that are not eigenvectors); labels: (k,)
    names; kinds: (k,); fixed: (d,) dofs held when the basis was made; rigid_body_modes: number of zero modes found by
    geometry (they are not in ``shapes``); proof: None where the shapes are given or not eigenvectors; mount: the node that
    a mean-axis basis is made for (None: nothing is known of a mount).

    Attributes:
        notes: remarks of the solver.
    """

    model: AssembledModel
    shapes: FloatArray
    eigenvalues: FloatArray
    frame: FrameConstraint
    _: KW_ONLY
    fixed: BoolArray
    labels: tuple[str, ...]
    kinds: tuple[ModeKind, ...]
    rigid_body_modes: int = 0
    proof: Proof | None = None
    notes: tuple[str, ...] = field(default=())
    mount: Mount | None = None

    def __post_init__(self) -> None:
        d = self.model.size
        object.__setattr__(self, "shapes", frozen(self.shapes, shape=(d, -1)))
        k = self.shapes.shape[1]
        object.__setattr__(self, "eigenvalues", frozen(self.eigenvalues, shape=(k,)))
        object.__setattr__(self, "fixed", frozen(self.fixed, np.bool_, (d,)))
        if len(self.labels) != k or len(self.kinds) != k:
            raise ValueError("labels and kinds must name every column")

    def __len__(self) -> int:
        return int(self.shapes.shape[1])

    @property
    def frequencies_hz(self) -> FloatArray:
        """Frequency per column, Hz (zero for eigenvalues not above zero)."""
        return np.asarray(np.sqrt(np.maximum(self.eigenvalues, 0.0)) / (2.0 * np.pi))

    @property
    def frame_residuals(self) -> FloatArray:
        """Relative violation of the frame's rows per mode, (k,)."""
        return self.frame.residuals(self.shapes)

    def _repr_html_(self) -> str:
        rows = [(label, float(f), kind) for label, f, kind in zip(self.labels, self.frequencies_hz, self.kinds)]
        title = f"{self.model.name}: {len(self)} shapes, frame {self.frame.name}"
        if self.proof is not None:
            title += f", {self.proof.missed} missed below {self.proof.sturm_shift_hz:.6g} Hz"
        return html_table(title, ("mode", "frequency (Hz)", "kind"), rows)

    def __repr__(self) -> str:
        f = self.frequencies_hz
        span = f"{f[0]:.4g} .. {f[-1]:.4g} Hz" if len(f) else "no modes"
        return f"<ModalBasis of {self.model.name!r}: {len(self)} shapes, {span}, frame {self.frame.name}>"
