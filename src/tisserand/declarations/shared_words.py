"""Words on options that files and tasks share, so that one rule is stated once."""

from __future__ import annotations

#: Where O lies by default: ``appendage.frames.reference_points.choose_reference``.
REFERENCE_DEFAULT = (
    "default: the attachment, else the centroid of the nodes that are held in all their dofs if these hold the structure, else "
    "the mass center"
)
