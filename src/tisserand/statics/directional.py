"""Sums of directional element masses over a model: what spin does to loads and to stiffness.

Element matrices are visited once, in chunks; the six assembled matrices are never formed.
"""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np
from scipy.sparse import coo_array, csr_array

from tisserand.arrays import BoolArray, FloatArray, IntArray, skew
from tisserand.assembly.assembled_model import AssembledModel
from tisserand.elements.element_data import DIRECTIONS, dof_rows
from tisserand.elements.registry import prepare
from tisserand.errors import ModelError
from tisserand.model import StructuralModel

#: Numbers of directional matrices held at a time.
_CHUNK_NUMBERS = 1.2e7


def source_of(assembled: AssembledModel, what: str) -> StructuralModel:
    """The structural model behind the matrices, needed for anything that is found element by element."""
    if assembled.structure is None:
        raise ModelError(
            f"{what} is found element by element", where=assembled.name, found="bare matrices",
            expected="a model assembled from elements",
        )  # fmt: skip
    return assembled.structure


def mass_parts(
    model: StructuralModel, recipe: str, at: BoolArray | None = None
) -> Iterator[tuple[IntArray, FloatArray, bool]]:
    """Dof rows (m, nd) in 6 node + component, directional masses (m, 6, nd, nd) and whether they are exact.

    Mass without a displacement field is given as (E_ab M + M E_ab) / 2, where E_ab takes component b of every
    node to component a: exact for translations whose mass is the same in every direction. ``at`` (n,): only elements
    at these nodes.
    """
    wanted = None if at is None else np.append(at, False)
    for whole in model.elements:
        block = whole if wanted is None else whole.select(np.flatnonzero(wanted[whole.nodes].any(axis=1)))
        width = 6 * block.nodes.shape[1]
        step = max(1, int(_CHUNK_NUMBERS / (6 * width * width)))
        for start in range(0, len(block), step):
            part = prepare(model, block.select(slice(start, start + step)))
            if part.massless:
                break
            directional = part.directional_mass(recipe)
            if directional is not None:
                yield dof_rows(part), directional, True
                continue
            mass = part.mass(recipe)
            if mass is not None:
                components, matrices = part.in_basic(mass)
                named = part.named is not None
                yield dof_rows(part, components), _without_field(matrices, components, named), False


def _without_field(mass: FloatArray, components: tuple[int, ...], named: bool) -> FloatArray:
    """(m, 6, nd, nd); a mass between named components moves in them only: its entries of directions a and b."""
    width = mass.shape[1]
    component = np.tile(np.array(components), width // len(components))
    out = np.zeros((len(mass), 6, width, width))
    for i, (a, b) in enumerate(DIRECTIONS):
        if named:
            out[:, i] = mass * ((component == a)[:, None] & (component == b))
            continue
        take = np.zeros((width, width))
        for row in np.flatnonzero(component == a):
            take[row, row + b - a] = 1.0
        out[:, i] = 0.5 * (take @ mass + mass @ take)
    return out


def position_moments(assembled: AssembledModel, about: FloatArray) -> FloatArray:
    """(6 n, 3, 3): row vectors int r_a N_d' dm over all dofs in basic axes, r measured from ``about``, m."""
    model = source_of(assembled, "the load of spin")
    return field_moments(model, assembled.mass_recipe, about)[:, 1:]


def field_moments(model: StructuralModel, recipe: str, about: FloatArray, at: BoolArray | None = None) -> FloatArray:
    """(6 n, 4, 3): row vectors int (1, r)_p N_d' dm over all dofs in basic axes, r measured from ``about``, m.

    ``at`` (n,) limits the sum to the elements at these nodes.

    A translation along b moves every point by 1, so int N_d' dm = (M^{bd})' S_b for any b. A rotation about axis c moves a
    point by e_c x r, so r_a is its component b, (b, c, a) cyclic: int r_a N_d' dm = (M^{bd})' S_c. Where mass has no
    displacement field, nodes represent the points: M [r_a e_d; 0].
    """
    n = len(model.nodes)
    arm = model.nodes.positions - about
    rigid = np.zeros((n, 6, 6))
    rigid[:, :3, :3], rigid[:, :3, 3:], rigid[:, 3:, 3:] = np.eye(3), -skew(arm), np.eye(3)
    spread = np.zeros((n, 6, 4, 3))
    for d in range(3):
        spread[:, d, 0, d], spread[:, d, 1:, d] = 1.0, arm
    straight = spread.reshape(6 * n, 4, 3)
    out = np.zeros((6 * n, 4, 3))
    place = {pair: (i, False) for i, pair in enumerate(DIRECTIONS)} | {
        (b, a): (i, True) for i, (a, b) in enumerate(DIRECTIONS) if a != b
    }
    for rows, directional, exact in mass_parts(model, recipe, at):
        known = (rows >= 0)[..., None]
        value = np.zeros((*rows.shape, 4, 3))
        if exact:
            local = np.where(known, rigid.reshape(6 * n, 6)[rows], 0.0)
            for p in range(4):
                b, column = (0, 0) if p == 0 else (p % 3, 3 + (p + 1) % 3)
                for d in range(3):
                    index, flipped = place[b, d]
                    matrix = directional[:, index] if flipped else directional[:, index].transpose(0, 2, 1)
                    value[:, :, p, d] = np.einsum("mij,mj->mi", matrix, local[:, :, column])
        else:
            local = np.where(known[..., None], straight[rows], 0.0)
            value = np.einsum("mij,mjad->miad", directional[:, :3].sum(axis=1), local)
        np.add.at(out, rows[rows >= 0], value[rows >= 0])
    return out


def momenta(model: StructuralModel, recipe: str, shapes: FloatArray, at: BoolArray | None = None) -> FloatArray:
    """(n, 6, k): M phi of motions (n, 6, k) in basic axes; of the elements at nodes ``at`` (n,) where given."""
    flat = shapes.reshape(6 * len(shapes), -1)
    out = np.zeros_like(flat)
    for rows, directional, _ in mass_parts(model, recipe, at):
        local = np.where((rows >= 0)[..., None], flat[rows], 0.0)
        np.add.at(out, rows[rows >= 0], (directional[:, :3].sum(axis=1) @ local)[rows >= 0])
    return out.reshape(shapes.shape)


def weighted_mass(assembled: AssembledModel, weights: FloatArray, what: str) -> csr_array:
    """sum_ab weights_ab M^{ab} over the independent dofs; weights (3, 3) symmetric or skew."""
    n = 6 * len(assembled.nodes)
    total = csr_array((n, n))
    for rows, directional, _ in mass_parts(source_of(assembled, what), assembled.mass_recipe):
        local = np.zeros(directional[:, 0].shape)
        for i, (a, b) in enumerate(DIRECTIONS):
            local += weights[a, b] * directional[:, i]
            if a != b:
                local += weights[b, a] * directional[:, i].transpose(0, 2, 1)
        total = total + scattered(rows, local, n)
    return csr_array(assembled.recovery.T @ (total @ assembled.recovery))


def scattered(rows: IntArray, matrices: FloatArray, size: int) -> csr_array:
    """Sparse sum of element matrices at the given rows (-1 is ground)."""
    width = rows.shape[1]
    row, column = np.repeat(rows, width, axis=1).ravel(), np.tile(rows, (1, width)).ravel()
    keep = (row >= 0) & (column >= 0)
    return csr_array(coo_array((matrices.ravel()[keep], (row[keep], column[keep])), shape=(size, size)))
