"""Exact modal integrals of a structural model, element by element in chunks: never six assembled matrices.

Blocks with directional mass matrices give G^{ab} += X_e' M^{ab} X_e; nodal bodies their closed form; masses
without a displacement field the calibrated lumping of ``lumping.py``.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property
from typing import Any, cast

import numpy as np
from scipy.sparse import csr_array

from tisserand.appendage.integrals.arm_moments import arm_moments, arm_second_shapes
from tisserand.appendage.integrals.directional_sums import added, integrals_of_sums
from tisserand.appendage.integrals.from_mass_matrix import LooseMass, isotropic_blocks, lumped_integrals, realizable
from tisserand.appendage.integrals.from_nodal_bodies import nodal_body_integrals, second_degree, second_shapes
from tisserand.appendage.integrals.modal_integrals import ModalIntegrals
from tisserand.arrays import FloatArray
from tisserand.assembly.rigid_arms import carried_bodies
from tisserand.elements.element_data import DIRECTIONS, Prepared, TurningMasses, gathered
from tisserand.elements.registry import prepare
from tisserand.model import ElementBlock, NodalBodies, StructuralModel

#: Numbers held per chunk of elements (directional matrices and their products), about 40 MB.
_CHUNK_NUMBERS = 5e6


@dataclass
class _Sums:
    """Running sums over all element blocks of one model."""

    columns: int
    nodes: int
    G: FloatArray = field(init=False)
    elements: LooseMass = field(init=False)
    direct: LooseMass = field(init=False)
    bodies: list[ModalIntegrals] = field(default_factory=list)
    energy: dict[str, FloatArray] = field(default_factory=dict)
    without_field: list[str] = field(default_factory=list)
    turns: dict[str, Any] = field(default_factory=dict)

    def __post_init__(self) -> None:
        self.G = np.zeros((3, 3, self.columns, self.columns))
        self.elements = LooseMass.empty(self.nodes, self.columns, near=True)
        self.direct = LooseMass.empty(self.nodes, self.columns, near=False)


@dataclass(frozen=True, eq=False)
class FieldIntegrals:
    """Integrals of a model, and how they were found.

    path_spread: disagreement of the two ways to L; mismatch: relative misfit of masses without a field before
    calibration (0 where there are none or they are exact); without_field: the blocks concerned; energy: phi'M
    phi by group name, (k,) each.
    """

    integrals: ModalIntegrals
    path_spread: float
    mismatch: float
    without_field: tuple[str, ...]
    energy: dict[str, FloatArray]


@dataclass(frozen=True, eq=False)
class _ElementMass:
    """Mass of a chunk of elements by the recipe, made once for all motions."""

    part: Prepared
    recipe: str

    @cached_property
    def directional(self) -> FloatArray | None:
        return self.part.directional_mass(self.recipe)

    @cached_property
    def scalar(self) -> FloatArray:
        """(m, k, k): the mass of one translation, where ``same_mass`` holds."""
        stated, step = self.part.mass(self.recipe), len(self.part.components)
        assert stated is not None
        return np.ascontiguousarray(stated[:, ::step, ::step])

    @cached_property
    def turning(self) -> TurningMasses | None:
        return self.part.turning_masses(self.recipe)

    @cached_property
    def in_basic(self) -> tuple[tuple[int, ...], FloatArray] | None:
        """Components and matrices of masses without a field."""
        stated = self.part.mass(self.recipe)
        return None if stated is None else self.part.in_basic(stated)


def field_integrals(model: StructuralModel, recipe: str, origin: FloatArray, X: FloatArray) -> FieldIntegrals:
    """Integrals over every element of the model about ``origin`` (O in basic coordinates, m).

    X (n, 6, 6 + k) = [S_t, S_r, Phi] at all nodes in basic axes, S about O.
    """
    return several_integrals(model, recipe, origin, (X,))[0]


def several_integrals(
    model: StructuralModel, recipe: str, origin: FloatArray, motions: Sequence[FloatArray]
) -> list[FieldIntegrals]:
    """``field_integrals`` of several X, none with products of two of them; every element is prepared once."""
    positions = model.nodes.positions - origin
    if model.nodes.scalar is not None:
        positions = np.where(model.nodes.scalar[:, None], 0.0, positions)
    sums = [_Sums(X.shape[2], len(positions)) for X in motions]
    for block in cast(tuple[Any, ...], model.elements):
        if block.facts.shape == "body":
            for of, X in zip(sums, motions):
                _add_bodies(of, model, block, positions, X)
            continue
        for rows in _chunks(block, max(X.shape[2] for X in motions)):
            part = prepare(model, block.select(rows))
            if part.massless:
                break
            mass = _ElementMass(part, recipe)
            for of, X in zip(sums, motions):
                _add_elements(of, mass, origin, X)
    return [_summed(of, model, recipe, origin, positions, X) for of, X in zip(sums, motions)]


def _summed(
    sums: _Sums, model: StructuralModel, recipe: str, origin: FloatArray, positions: FloatArray, X: FloatArray
) -> FieldIntegrals:
    """The integrals of one motion from its sums over the elements."""
    distributed, spread = integrals_of_sums(sums.G)
    on_arms = arm_moments(model, recipe, origin, X[:, :, 6:])
    first, second = sums.turns.get("turn_first", 0.0), sums.turns.get("turn_second", 0.0)
    shapes = sums.turns.get("turn_shape", 0.0) + arm_second_shapes(model, recipe, X[:, :, 6:])
    distributed = replace(
        distributed, turn_first=first + on_arms[0], turn_second=second + on_arms[1:], turn_shape=shapes
    )
    parts, mismatch = [distributed], 0.0
    for loose in (sums.elements, sums.direct):
        if loose.total.any():
            lumped, misfit = lumped_integrals(positions, X, loose)
            mismatch = max(mismatch, misfit)
            parts.append(lumped)
    rest = distributed if len(parts) == 1 else realizable(added(parts))
    names = tuple(dict.fromkeys(sums.without_field))
    return FieldIntegrals(added([rest, *sums.bodies]), spread, mismatch, names, sums.energy)


def matrix_integrals(mass: csr_array, positions: FloatArray, X: FloatArray) -> FieldIntegrals:
    """Integrals from a bare mass matrix (6 n, 6 n) in basic axes:
    exact for translation-only isotropic mass, else lumped.
    """
    flat = X.reshape(-1, X.shape[2])
    product = mass @ flat
    rows = np.asarray(product[:, :6]).reshape(-1, 6, 6)
    spread, mismatch = 0.0, 0.0
    names: tuple[str, ...] = ("bare mass matrix",)
    scalar = _isotropic_part(mass)
    if scalar is not None:
        u = np.ascontiguousarray(X[:, :3].transpose(1, 0, 2))
        weighted = [scalar @ u[b] for b in range(3)]
        G = np.array([[u[a].T @ weighted[b] for b in range(3)] for a in range(3)])
        integrals, spread = integrals_of_sums(G)
        names = ()
    else:
        integrals, mismatch = lumped_integrals(positions, X, LooseMass(flat.T @ product, rows))
        integrals = realizable(integrals)
    return FieldIntegrals(integrals, spread, mismatch, names, {})


def _isotropic_part(mass: csr_array) -> csr_array | None:
    """M_s (n, n) if M = M_s (x) 1 on translations with nothing on rotations."""
    n = mass.shape[0] // 6
    matrix = mass.tocoo()
    scale = float(np.abs(matrix.data).max(initial=0.0))
    row_component, column_component = matrix.row % 6, matrix.col % 6
    diagonal = (row_component == column_component) & (row_component < 3)
    if np.abs(matrix.data[~diagonal]).max(initial=0.0) > 1e-12 * scale:
        return None
    parts = []
    for a in range(3):
        keep = diagonal & (row_component == a)
        parts.append(csr_array((matrix.data[keep], (matrix.row[keep] // 6, matrix.col[keep] // 6)), shape=(n, n)))
    if any(np.abs((part - parts[0]).data).max(initial=0.0) > 1e-12 * scale for part in parts[1:]):
        return None
    return parts[0]


def _chunks(block: ElementBlock, columns: int) -> Iterator[slice]:
    size = 6 * block.nodes.shape[1]
    step = max(1, int(_CHUNK_NUMBERS / (6 * size * size + 3 * size * columns)))
    for start in range(0, len(block), step):
        yield slice(start, start + step)


def _groups(model: StructuralModel, block: ElementBlock) -> dict[str, FloatArray | None]:
    """Weights of each element in every group: the family (None:
    all) and every element set that meets the block.
    """
    groups: dict[str, FloatArray | None] = {f"family {block.family}": None}
    for name, ids in model.element_sets.items():
        inside = np.isin(block.ids, ids)
        if inside.any():
            groups[f"set {name}"] = inside.astype(float)
    return groups


def _add_energy(sums: _Sums, model: StructuralModel, block: ElementBlock, energy: FloatArray) -> None:
    for name, weights in _groups(model, block).items():
        share = energy.sum(axis=0) if weights is None else weights @ energy
        sums.energy[name] = sums.energy.get(name, 0.0) + share


def _add_elements(sums: _Sums, mass: _ElementMass, origin: FloatArray, X: FloatArray) -> None:
    part = mass.part
    if part.named is None and part.same_mass(mass.recipe):
        _add_translations(sums, mass, origin, X)
        return
    directional = mass.directional
    if directional is not None:
        Xe = gathered(X, part.nodes, part.components)
        energy = _add_products(sums.G, directional, Xe)
        _add_energy(sums, part.model, part.block, energy[:, 6:])
        _add_turning(sums, mass.turning, origin, Xe)
        return
    if mass.in_basic is None:
        return
    components, matrices = mass.in_basic
    Xe = gathered(X, part.nodes, components)
    product = matrices @ Xe
    _add_energy(sums, part.model, part.block, np.einsum("eik,eik->ek", Xe, product)[:, 6:])
    scalar = isotropic_blocks(matrices, len(components)) if part.named is None else None
    if scalar is not None:  # particles, or shape functions shared by the three translations: a displacement field
        u = Xe.reshape(len(part), -1, len(components), sums.columns)[:, :, :3]
        for a in range(3):
            left = np.ascontiguousarray(u[:, :, a]).reshape(-1, sums.columns)
            for b in range(3):
                sums.G[a, b] += left.T @ (scalar @ u[:, :, b]).reshape(-1, sums.columns)
        return
    sums.without_field.append(part.block.family)
    _add_loose(sums.elements if part.named is None else sums.direct, part, components, Xe, product)


def _add_translations(sums: _Sums, mass: _ElementMass, origin: FloatArray, X: FloatArray) -> None:
    """One matrix for the three translations: M^{ab} = M_s between components a and b, so that M_s u_b serves all a."""
    part, scalar = mass.part, mass.scalar
    step, columns = len(part.components), sums.columns
    Xe = gathered(X, part.nodes, part.components)
    u = [np.ascontiguousarray(Xe[:, a::step]) for a in range(3)]
    energy = np.zeros((len(part), columns))
    for b in range(3):
        product = scalar @ u[b]
        energy += np.einsum("eik,eik->ek", u[b], product)
        for a in range(b + 1):
            block = u[a].reshape(-1, columns).T @ product.reshape(-1, columns)
            sums.G[a, b] += block
            if a != b:
                sums.G[b, a] += block.T
    _add_energy(sums, part.model, part.block, energy[:, 6:])
    _add_turning(sums, mass.turning, origin, Xe)


def _add_loose(
    loose: LooseMass, part: Prepared, components: tuple[int, ...], Xe: FloatArray, product: FloatArray
) -> None:
    """Elements whose mass comes from no field: their matrix, and the field of their consistent mass beside it."""
    columns = Xe.shape[2]
    loose.total += Xe.reshape(-1, columns).T @ product.reshape(-1, columns)
    count = len(components)
    for corner in range(part.nodes.shape[1]):
        here = part.nodes[:, corner]
        local = product[:, corner * count : (corner + 1) * count, :6]
        for place, component in enumerate(components):
            np.add.at(loose.rows[:, component], here[here >= 0], local[here >= 0, place])
    if loose.near is None:
        return
    field_mass = part.directional_mass("consistent")
    if field_mass is None:
        loose.near = None
    else:
        _add_products(loose.near, field_mass, Xe)


def _add_products(G: FloatArray, directional: FloatArray, Xe: FloatArray) -> FloatArray:
    """G^{ab} += X_e' M^{ab} X_e in place; returns X_e . M X_e per element and column, (m, c)."""
    columns = Xe.shape[2]
    energy = np.zeros((len(Xe), columns))
    for place, (a, b) in enumerate(DIRECTIONS):
        product = directional[:, place] @ Xe
        part = Xe.reshape(-1, columns).T @ product.reshape(-1, columns)
        G[a, b] += part
        if a == b:
            energy += np.einsum("eik,eik->ek", Xe, product)
        else:
            G[b, a] += part.T
    return energy


def _add_turning(sums: _Sums, pieces: TurningMasses | None, origin: FloatArray, Xe: FloatArray) -> None:
    """Second-degree rotation of sections, where the family offers it; Xe (m, nd, c) as gathered."""
    if pieces is None:
        return
    theta, phi = (np.einsum("mgai,mik->mgak", of, Xe[:, :, 6:], optimize=True) for of in (pieces.turn, pieces.move))
    count = theta.shape[0] * theta.shape[1]
    mu = pieces.moments.reshape(count, 4, 4)
    x = pieces.positions.reshape(count, 3) - origin
    s, Pi, theta, phi = mu[:, 0, 1:], mu[:, 1:, 1:], theta.reshape(count, 3, -1), phi.reshape(count, 3, -1)
    parts = (*second_degree(x, s, Pi, theta), second_shapes(s, Pi, phi, theta))
    for word, found in zip(("turn_first", "turn_second", "turn_shape"), parts):
        sums.turns[word] = sums.turns.get(word, 0.0) + found


def _add_bodies(sums: _Sums, model: StructuralModel, block: NodalBodies, positions: FloatArray, X: FloatArray) -> None:
    block = carried_bodies(model, block)
    nodes = block.nodes[:, 0]
    rigid_and_shapes = X[nodes]
    phi, theta = rigid_and_shapes[:, :3, 6:], rigid_and_shapes[:, 3:, 6:]
    sums.bodies.append(nodal_body_integrals(positions[nodes], block.mass, block.offset, block.inertia, phi, theta))
    at_center = phi + np.cross(theta, block.offset[:, :, None], axisa=1, axisb=1, axisc=1)
    energy = np.einsum("n,nak,nak->nk", block.mass, at_center, at_center)
    energy += np.einsum("nak,nab,nbk->nk", theta, block.inertia, theta)
    _add_energy(sums, model, block, energy)


def axes_matrix(axes: FloatArray) -> csr_array:
    """(6 n, 6 n) block-diagonal turn from basic to node axes: u_node = axes @ u_basic, rotations likewise."""
    n = len(axes)
    row = (6 * np.arange(n)[:, None, None, None] + 3 * np.arange(2)[None, :, None, None]) + np.arange(3)[:, None]
    column = (6 * np.arange(n)[:, None, None, None] + 3 * np.arange(2)[None, :, None, None]) + np.arange(3)[None, :]
    shape = (n, 2, 3, 3)
    data = np.broadcast_to(axes[:, None], shape)
    index = (np.broadcast_to(row, shape).ravel(), np.broadcast_to(column, shape).ravel())
    return csr_array((data.ravel(), index), shape=(6 * n, 6 * n))
