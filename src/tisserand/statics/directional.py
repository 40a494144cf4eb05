"""Sums of directional element masses over a model: what spin does to loads and to stiffness.

All element matrices are met once, in chunks; six assembled matrices never exist.
"""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np
from scipy.sparse import coo_array, csr_array

from tisserand.arrays import BoolArray, FloatArray, IntArray, skew
from tisserand.assembly.assembled_model import AssembledModel
from tisserand.elements.element_data import DIRECTIONS
from tisserand.elements.registry import family_of
from tisserand.errors import ModelError
from tisserand.model import DirectMatrix, StructuralModel

#: Numbers of directional matrices held at a time.
_CHUNK_NUMBERS = 1.2e7
_MASSLESS = ("spring", "bush")


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
        if block.family in _MASSLESS or len(block) == 0 or isinstance(block, DirectMatrix):
            continue
        family = family_of(block)
        width = 6 * block.nodes.shape[1]
        step = max(1, int(_CHUNK_NUMBERS / (6 * width * width)))
        for start in range(0, len(block), step):
            part = block.select(slice(start, start + step))
            directional = family.directional_mass(model, part, recipe)
            if directional is not None:
                count = directional.shape[-1] // part.nodes.shape[1]
                yield _rows(part.nodes, np.arange(count)), directional, True
                continue
            batch = family.matrices(model, part, recipe)
            if batch.mass is None:
                continue
            if batch.scalar_components is not None:
                rows = np.where(batch.nodes >= 0, 6 * batch.nodes + batch.scalar_components, -1)
                component = batch.scalar_components
            else:
                rows = _rows(batch.nodes, np.array(batch.components))
                component = np.tile(np.array(batch.components), (len(part), batch.nodes.shape[1]))
            yield rows, _without_field(batch.mass, component, batch.scalar_components is None), False


def _without_field(mass: FloatArray, component: IntArray, whole_nodes: bool) -> FloatArray:
    out = np.zeros((len(mass), 6, *mass.shape[1:]))
    width = mass.shape[1]
    for i, (a, b) in enumerate(DIRECTIONS):
        if not whole_nodes and a != b:
            continue  # a scalar mass moves in its own component only
        take = np.zeros((len(mass), width, width))
        for row in range(width):
            shift = row + (b - a)
            hits = component[:, row] == a
            if hits.any() and 0 <= shift < width:
                take[hits, row, shift] = 1.0
        out[:, i] = 0.5 * (take @ mass + mass @ take)
    return out


def _rows(nodes: IntArray, components: IntArray) -> IntArray:
    rows = 6 * nodes[:, :, None] + components
    return np.where(nodes[:, :, None] >= 0, rows, -1).reshape(len(nodes), -1)


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
