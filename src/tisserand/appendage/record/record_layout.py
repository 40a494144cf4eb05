"""Layout of the HDF5 record: one table that the writer, the reader and the documentation share.

Units are written with ``eta`` for the unit of a modal coordinate (kg^0.5 m for mass-normalized modes).
"""

from __future__ import annotations

from dataclasses import dataclass

FORMAT = "tisserand reduced appendage"
#: Raised when a reader of the older number would misunderstand the file; additions that it may ignore do not
#: raise it.
SCHEMA_VERSION = 2


@dataclass(frozen=True)
class Field:
    """One array of the record: where it is, its unit, the order of its indices, and what it means."""

    path: str
    units: str
    indices: str
    meaning: str


INTEGRALS: dict[str, Field] = {
    "mass": Field("integrals/mass", "kg", "", "total mass m"),
    "center": Field("integrals/center", "m", "axis", "mass center c of the undeformed body, from O"),
    "inertia": Field("integrals/inertia", "kg m2", "axis, axis", "inertia J0 of the undeformed body about O"),
    "translation": Field("integrals/translation", "kg m/eta", "axis, mode", "P = int phi dm"),
    "rotation": Field("integrals/rotation", "kg m2/eta", "axis, mode", "H = int r x phi dm"),
    "position_shape": Field(
        "integrals/position_shape", "kg m2/eta", "axis of r, axis of phi, mode", "L_ab,k = int r_a phi_bk dm"
    ),
    "shape_shape": Field(
        "integrals/shape_shape",
        "kg m2/eta2",
        "axis of phi_k, axis of phi_l, mode k, mode l",
        "N_ab,kl = int phi_ak phi_bl dm",
    ),
    "modal_mass": Field("integrals/modal_mass", "kg m2/eta2", "mode, mode", "Me = Phi' M Phi"),
    "turn_first": Field(
        "integrals/turn_first",
        "kg m/eta2",
        "axis, mode, mode",
        "a = 1/2 int psi dm: second-degree displacement (turning, change of frame)",
    ),
    "turn_second": Field(
        "integrals/turn_second",
        "kg m2/eta2",
        "axis, axis, mode, mode",
        "A = 1/2 int r psi' dm of the same displacement",
    ),
}
OPTIONAL_INTEGRALS: dict[str, Field] = {
    "turn_shape": Field(
        "integrals/turn_shape",
        "kg m2/eta3",
        "mode, mode, mode",
        "B = 1/2 int phi_m.psi_kl dm of the same displacement, first index m; absent: not known",
    )
}

#: Nodal bodies that turn exactly; their mass and their part of a, A are also included in the integrals.
BODIES: dict[str, Field] = {
    "rows": Field("bodies/rows", "", "body", "node rows of the bodies"),
    "masses": Field("bodies/masses", "kg", "body", "mass"),
    "offsets": Field("bodies/offsets", "m", "body, axis", "from the node to the mass center"),
    "inertias": Field("bodies/inertias", "kg m2", "body, axis, axis", "inertia about the mass center"),
    "positions": Field("bodies/positions", "m", "body, axis", "undeformed nodes from O, body axes"),
    "translation": Field("bodies/translation", "m/eta", "body, axis, mode", "translation shapes phi of the nodes"),
    "rotation": Field("bodies/rotation", "rad/eta", "body, axis, mode", "rotation shapes theta of the nodes"),
    "second_translation": Field(
        "bodies/second_translation", "m/eta2", "body, axis, mode, mode", "psi: u = phi eta + 1/2 psi(eta, eta)"
    ),
    "second_rotation": Field(
        "bodies/second_rotation", "rad/eta2", "body, axis, mode, mode", "psi of the rotation vector"
    ),
}

#: Present only where known.
OPTIONAL_BODIES: dict[str, Field] = {
    "family_translation": Field(
        "bodies/family_translation", "m/eta2", "body, axis, mode, mode", "psi of foreshortening, with the families"
    ),
    "family_rotation": Field(
        "bodies/family_rotation", "rad/eta2", "body, axis, mode, mode", "psi of foreshortening, rotation vector"
    ),
}

BODY: dict[str, Field] = {
    "stiffness": Field("modes/stiffness", "kg m2/s2/eta2", "mode, mode", "Ke = Phi' K Phi"),
    "damping": Field("modes/damping", "kg m2/s/eta2", "mode, mode", "De, full; its origin is in reports/damping"),
    "reference_point": Field("reference_point", "m", "axis", "O in the source's basic coordinates"),
}

NODES: dict[str, Field] = {
    "ids": Field("nodes/ids", "", "node", "node ids of the source"),
    "positions": Field("nodes/positions", "m", "node, axis", "undeformed positions from O, body axes"),
    "translation": Field("nodes/translation", "m/eta", "node, axis, mode", "translation shapes phi"),
    "rotation": Field("nodes/rotation", "rad/eta", "node, axis, mode", "rotation shapes theta"),
}

INTERFACES: dict[str, Field] = {
    "node_id": Field(
        "interfaces/node_ids", "", "interface", "node id in the source; -1 for a point fixed in the frame"
    ),
    "position": Field("interfaces/positions", "m", "interface, axis", "undeformed positions from O, body axes"),
    "axes": Field("interfaces/axes", "", "interface, interface axis, body axis", "rows are the interface's axes"),
    "translation": Field("interfaces/translation", "m/eta", "interface, axis, mode", "translation shapes, body axes"),
    "rotation": Field("interfaces/rotation", "rad/eta", "interface, axis, mode", "rotation shapes, body axes"),
}

#: Written where some interface states them.
OPTIONAL_INTERFACES: dict[str, Field] = {
    "second_translation": Field(
        "interfaces/second_translation", "m/eta2", "interface, axis, mode, mode", "psi: u = phi eta + 1/2 psi(eta, eta)"
    ),
    "second_rotation": Field(
        "interfaces/second_rotation", "rad/eta2", "interface, axis, mode, mode", "psi of the rotation vector"
    ),
}

#: Written where known; a reader must do without.
OPTIONAL_NODES: dict[str, Field] = {
    "energy": Field(
        "nodes/strain_energy", "m2/s2/eta2", "node, mode", "strain energy per mass around a node, for coloring"
    ),
    "second": Field(
        "nodes/second_translation",
        "m/eta2, rad/eta2",
        "node, axis (3 translations, 3 rotations), pair of modes k <= l",
        "psi of rigid arms and of a change of frame: u = phi eta + 1/2 psi(eta, eta), rotation vector likewise",
    ),
    "foreshortening": Field(
        "nodes/foreshortening",
        "m/eta2, rad/eta2",
        "node, axis (3 translations, 3 rotations), pair of modes k <= l",
        "psi of foreshortening, with the families",
    ),
}

TOPOLOGY: dict[str, Field] = {
    "lines": Field("topology/lines", "", "line, end", "node rows of line cells, for drawing"),
    "triangles": Field("topology/triangles", "", "triangle, corner", "node rows of triangles, for drawing"),
    "bodies": Field("topology/bodies", "", "body", "node rows that carry nodal bodies"),
    "links": Field("topology/links", "", "link, end", "node rows joined by rigid links"),
}

#: Written where known; a reader must do without.
OPTIONAL_TOPOLOGY: dict[str, Field] = {
    "line_ids": Field("topology/line_ids", "", "line", "element ids in the source"),
    "triangle_ids": Field("topology/triangle_ids", "", "triangle", "element ids in the source"),
    "thickness": Field("topology/thickness", "m", "triangle", "thickness of shells, 0 on solids"),
    "body_mass": Field("topology/body_mass", "kg", "body", "mass of the nodal bodies"),
    "outlines": Field("topology/outlines", "m", "section, point, axis", "section polygons in section axes y, z"),
    "line_outline": Field("topology/line_outline", "", "line", "row of the line's outline, -1 for none"),
    "line_up": Field("topology/line_up", "", "line, axis", "section y axis, body axes"),
    "line_offsets": Field(
        "topology/line_offsets", "m", "line, end, axis", "from the nodes to the section's centroid, body axes"
    ),
}

#: Paths of arrays of whole numbers: ids and rows.
WHOLE = {
    field.path
    for field in (
        NODES["ids"], INTERFACES["node_id"], BODIES["rows"], *TOPOLOGY.values(),
        *(OPTIONAL_TOPOLOGY[word] for word in ("line_ids", "triangle_ids", "line_outline")),
    )
}  # fmt: skip

FAMILY = Field("geometric_stiffness", "kg m2/s2/eta2 per unit of the load", "mode, mode", "K = Ke + sum value Kg")
RECOVERY = Field("recovery", "unit of the output per eta", "row, mode", "output = matrix @ eta")
RESIDUALS = Field("frame/residuals", "", "mode", "relative violation of the frame's rows")
FREQUENCIES = Field("modes/frequencies_hz", "1/s", "mode", "derived: sqrt(Ke_kk / Me_kk) / 2 pi")

_SOURCE_UNITS = {"kg": "mass", "m": "length", "m2": "length2", "s": "time", "s2": "time2"}


def unit_text(field: Field, unit_system: str) -> str:
    """Unit of a field: SI, or in words where the source's units are unknown (``consistent``)."""
    if unit_system != "consistent" or not field.units:
        return field.units
    words = field.units.replace("/", " / ").split()
    return " ".join(_SOURCE_UNITS.get(word, word) for word in words).replace(" / ", "/") + " (units of the source)"
