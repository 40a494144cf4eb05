"""SEBULK ... COPY and MIRROR: superelements that repeat another one, as it is or reflected in the plane of SEMPLN.

A reflection S = 1 - 2 n n' takes displacements to S u and rotations, which are axial vectors, to -S beta: with T of these two
the matrices become T K T. Where supports and equations name single components, these are turned with the node axes: by -S, a
half turn about the normal n, in which displacements change their sign and rotations stay.
"""

from __future__ import annotations

from dataclasses import replace
from typing import Literal

import numpy as np
from scipy.sparse import block_diag, coo_array, csr_array

from tisserand.arrays import FloatArray
from tisserand.assembly import assemble
from tisserand.model import Analysis, DirectMatrix, Nodes, StructuralModel, Supports
from tisserand.model.constraints import Constraint, Equation
from tisserand.model.placing import names_components
from tisserand.readers.nastran.cards import Bulk, Row
from tisserand.readers.nastran.placed_parts import points_of, triad
from tisserand.units import UnitSystem

#: Kinds of SEBULK that repeat another superelement.
COPIES = ("COPY", "REPEAT", "MIRROR")


def copied_part(
    bulk: Bulk, main: StructuralModel | None, call: Row, model: StructuralModel, units: UnitSystem
) -> StructuralModel:
    """The part that SEBULK makes of another one's model: the same, or its mirror image."""
    number = call.integer(0)
    if call.word(1) != "MIRROR":
        return model.changed(name=f"{model.name}, copied as {number}")
    planes = [row for row in bulk.rows("SEMPLN") if row.integer(0) == number]
    if not planes:
        raise call.error(1, "a mirrored superelement has no SEMPLN that states its plane", found=number)
    row = planes[0]
    if row.word(1) != "PLANE":
        raise row.error(1, "the plane of a mirrored superelement is stated in another way", found=repr(row.word(1)))
    points = points_of(row, bulk, main, 2, units)
    return mirrored(model, points[0], triad(row, points)[2], f"{model.name}, mirrored as {number}")


def mirrored(model: StructuralModel, point: FloatArray, normal: FloatArray, name: str) -> StructuralModel:
    """Mirror image of a model in the plane through ``point`` with unit ``normal``; its elements become direct terms."""
    S = np.eye(3) - 2.0 * np.outer(normal, normal)
    nodes, plain = model.nodes, model.changed(elements=())
    upright = np.abs(S - np.diag(np.diag(S))).max() < 1e-12
    if nodes.axes is None and (upright or not names_components(plain)):
        axes, turn = None, (S, -S)
    else:
        own = np.broadcast_to(np.eye(3), (len(nodes), 3, 3)) if nodes.axes is None else nodes.axes
        axes, turn = -own @ S, (-np.eye(3), np.eye(3))
    bare = assemble(model.changed(constraints=(), supports=Supports(), analysis=Analysis()))
    spread = csr_array(
        (np.ones(bare.size), (6 * bare.dofs.node + bare.dofs.component, np.arange(bare.size))),
        shape=(6 * len(nodes), bare.size),
    )
    T = csr_array(block_diag([*turn] * len(nodes))) @ spread
    named: tuple[tuple[Literal["stiffness", "mass", "damping"], csr_array | None], ...] = (
        ("stiffness", bare.stiffness),
        ("mass", bare.mass),
        ("damping", bare.damping),
    )
    blocks = tuple(_terms(T @ matrix @ T.T, kind) for kind, matrix in named if matrix is not None and matrix.nnz)
    note = "a mirrored superelement: its stiffness and mass are those of the other one, reflected"
    return model.changed(
        name=name,
        nodes=Nodes(nodes.ids, point + (nodes.positions - point) @ S, axes, nodes.scalar),
        elements=blocks,
        constraints=tuple(
            _equation(tie, np.concatenate([np.diag(part) for part in turn])) for tie in model.constraints
        ),
        coordinate_systems=(),
        ledger=replace(model.ledger, notes=(*model.ledger.notes, note)),
    )


def _terms(matrix: csr_array, kind: Literal["stiffness", "mass", "damping"]) -> DirectMatrix:
    """All terms of a matrix over six components per node."""
    terms = coo_array(matrix)
    node, component = np.divmod(np.column_stack(terms.coords), 6)
    return DirectMatrix(np.zeros(len(node), np.int64), node, component, terms.data, kind)


def _equation(tie: Constraint, sign: FloatArray) -> Constraint:
    """Equations name components, which at most change their sign; other ties follow from places and axes."""
    if not isinstance(tie, Equation):
        return tie
    return replace(tie, coefficients=tie.coefficients * np.sign(sign[tie.terms[:, 1]]))
