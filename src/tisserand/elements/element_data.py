"""The interface of every element family: prepared elements, whose geometry is computed once for all queries.

A family is a module in this package whose ``PREPARED`` is a subclass of ``Prepared``; ``registry.prepare`` finds it. Matrices
are in basic axes; dofs are node-major: for node 0 all of ``components``, then node 1, and so on. Families of named components
(springs, scalar masses, direct matrices) have one component per node and element, in NODE axes, and ``in_basic`` expands
their matrices. Callers cut large blocks with ``block.select(slice(...))``.

Matrices: theory sections 1 and 2.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

import numpy as np

from tisserand.arrays import FloatArray, IntArray
from tisserand.model import StructuralModel

#: Order of the six directional mass matrices M^{ab} = int rho N_a' N_b dV; M^{ba} is the transpose of M^{ab}.
DIRECTIONS = ((0, 0), (1, 1), (2, 2), (0, 1), (1, 2), (2, 0))
TRANSLATIONS = (0, 1, 2)
ALL_COMPONENTS = (0, 1, 2, 3, 4, 5)


@dataclass(frozen=True, eq=False)
class TurningMasses:
    """Rigid pieces of m elements that turn with the field, g per element, in basic axes.

    positions (m, g, 3) of their reference points, m; moments (m, g, 4, 4): int (1, rho)(1, rho)' dm about them;
    turn, move (m, g, 3, nd): rotation and translation of the points over the element's dofs.
    """

    positions: FloatArray
    moments: FloatArray
    turn: FloatArray
    move: FloatArray


class Prepared:
    """Prepared elements of one block: m elements with nd dofs each.

    What a family does not have is None: a bush has no mass, a nodal body no stiffness.
    """

    def __init__(self, model: StructuralModel, block: Any) -> None:
        self.model = model
        self.block = block

    def __len__(self) -> int:
        return len(self.block)

    @property
    def nodes(self) -> IntArray:
        """(m, k) node indices, -1 for ground."""
        return np.ascontiguousarray(self.block.nodes)

    @property
    def components(self) -> tuple[int, ...]:
        """Node components that the matrices act on; empty for families of named components."""
        return components_of(self.model, self.block)

    @property
    def named(self) -> IntArray | None:
        """(m, k) component per node and element, in NODE axes, of families of named components; else None."""
        return None if self.components else np.asarray(self.block.components)

    @property
    def massless(self) -> bool:
        """Whether these elements carry no mass at all."""
        return bool(self.block.facts.massless)

    def stiffness(self) -> FloatArray | None:
        """(m, nd, nd) N/m, N, N m."""
        return None

    def mass(self, recipe: str) -> FloatArray | None:
        """(m, nd, nd) kg, kg m, kg m² by the given mass recipe."""
        return None

    def same_mass(self, recipe: str) -> bool:
        """Whether ``mass`` is one matrix (m, k, k) on each of the three translations, which do not couple."""
        return False

    def damping(self) -> FloatArray | None:
        """(m, nd, nd) N s/m, N s, N m s."""
        return None

    def directional_mass(self, recipe: str) -> FloatArray | None:
        """(m, 6, nd, nd) in the order of DIRECTIONS; None where the recipe comes from no displacement field."""
        return None

    def turning_masses(self, recipe: str) -> TurningMasses | None:
        """Pieces whose rotation has a second degree; None where mass sits on translations or has no field."""
        return None

    def geometric_states(self, displacements: FloatArray) -> Iterator[FloatArray] | None:
        """(m, nd, nd) for the stress state of each of the linear displacements (n, 6, p) in basic axes; None if none."""
        return None

    def geometric_stiffness(self, displacement: FloatArray) -> FloatArray | None:
        """(m, nd, nd) for the stress state of one linear displacement (n, 6) in basic axes; None if there is none."""
        states = self.geometric_states(np.asarray(displacement)[..., None])
        return None if states is None else next(states)

    def displaced_stiffness(self, displacement: FloatArray) -> FloatArray | None:
        """(m, nd, nd) change of the elastic stiffness at the displaced place (n, 6), basic axes; None if the family has none."""
        return None

    def resultants(self, displacement: FloatArray) -> dict[str, FloatArray]:
        """Section forces or stresses per element by name, linear in displacement (n, 6); first axis is the element."""
        return {}

    def energy(self, displacements: FloatArray) -> FloatArray:
        """(m, p) J: u'K u / 2 of every element for displacements (n, 6, p) in basic axes."""
        stiffness = self.stiffness()
        if stiffness is None:
            return np.zeros((len(self), displacements.shape[2]))
        components, matrices = self.in_basic(stiffness)
        u = gathered(displacements, self.nodes, components)
        return np.asarray(0.5 * np.einsum("mdk,mdk->mk", u, matrices @ u))

    def in_basic(self, matrices: FloatArray) -> tuple[tuple[int, ...], FloatArray]:
        """Matrices (m, nd, nd) over whole nodes in basic axes, and their components."""
        named = self.named
        if named is None:
            return self.components, matrices
        turn = self._directions(named)
        k = named.shape[1]
        full = np.einsum("mpi,mpq,mqj->mpiqj", turn, matrices, turn)
        return ALL_COMPONENTS, full.reshape(len(self), 6 * k, 6 * k)

    def _directions(self, named: IntArray) -> FloatArray:
        """(m, k, 6) unit motion of every named component in basic axes."""
        out = np.zeros((*named.shape, 6))
        m, k = np.indices(named.shape)
        if self.model.nodes.axes is None:
            out[m, k, named] = 1.0
            return out
        rows = self.model.nodes.axes[self.nodes, named % 3]
        for axis in range(3):
            out[m, k, axis + 3 * (named // 3)] = rows[..., axis]
        return out


def components_of(model: StructuralModel, block: Any) -> tuple[int, ...]:
    """Node components that a block's matrices act on, the same for every chunk cut from it.

    Empty for families of named components (springs, scalar masses, direct matrices).
    """
    asked = block.facts.components
    if asked == "twist":
        return ALL_COMPONENTS if rods_twist(model) else TRANSLATIONS
    return {"all": ALL_COMPONENTS, "translations": TRANSLATIONS, "named": ()}[asked]


def rods_twist(model: StructuralModel) -> bool:
    """Whether any section of the model gives its rods torsional stiffness (decided per model, not per chunk)."""
    return any(section.twists for section in model.sections)


def dof_rows(part: Prepared, components: tuple[int, ...] | None = None) -> IntArray:
    """(m, nd) rows 6 node + component of the elements' dofs, -1 at ground."""
    rows = 6 * part.nodes[:, :, None] + np.array(part.components if components is None else components)
    return np.asarray(np.where(part.nodes[:, :, None] >= 0, rows, -1).reshape(len(part), -1))


def gathered(values: FloatArray, nodes: IntArray, components: tuple[int, ...]) -> FloatArray:
    """Columns (n, 6, c) at the dofs of each element, node-major: (m, k * len(components), c); zero at ground (-1)."""
    picked = values[np.maximum(nodes, 0)][:, :, list(components)]
    if (nodes < 0).any():
        picked = picked * (nodes >= 0)[:, :, None, None]
    return np.ascontiguousarray(picked).reshape(len(nodes), nodes.shape[1] * len(components), values.shape[2])
