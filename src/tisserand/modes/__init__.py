"""Eigensolver with proof, floating frames, component-mode bases, gyroscopic modes."""

from tisserand.modes.frames import (
    buckens,
    connection,
    converted,
    frame_of,
    free_frame,
    in_frame,
    milne,
    node_frame,
    tisserand,
)
from tisserand.modes.solve import solve_modes
from tisserand.modes.types import FrameConstraint, FrameName, ModalBasis, ModeKind, Proof

__all__ = [
    "FrameConstraint",
    "FrameName",
    "ModalBasis",
    "ModeKind",
    "Proof",
    "buckens",
    "connection",
    "converted",
    "frame_of",
    "free_frame",
    "in_frame",
    "milne",
    "node_frame",
    "solve_modes",
    "tisserand",
]
