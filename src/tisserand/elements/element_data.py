"""What every element family offers, and the batch of matrices it returns.

A family is a module in this package with a ``FAMILY`` object. Matrices are in basic axes; dofs are
node-major: for node 0 all of ``components``, then node 1, and so on. Callers cut large blocks with
``block.select(slice(...))``.

Matrices: theory sections 1 and 2.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, Protocol

from tisserand.arrays import FloatArray, IntArray
from tisserand.model import StructuralModel

#: Order of the six directional mass matrices M^{ab} = int rho N_a' N_b dV; M^{ba} is the transpose of M^{ab}.
DIRECTIONS = ((0, 0), (1, 1), (2, 2), (0, 1), (1, 2), (2, 0))


@dataclass(frozen=True, eq=False)
class ElementBatch:
    """Matrices of m elements: nodes (m, k) node indices (-1 ground), stiffness, mass, damping (m, nd, nd) or None.

    nd = k * len(components), basic axes. Scalar elements instead state one component per node and element,
    scalar_components (m, k) in NODE axes; then nd = k and ``components`` is empty.
    """

    nodes: IntArray
    components: tuple[int, ...]
    stiffness: FloatArray | None = None
    mass: FloatArray | None = None
    damping: FloatArray | None = None
    scalar_components: IntArray | None = None


@dataclass(frozen=True, eq=False)
class TurningMasses:
    """Rigid pieces of m elements that turn with the field, g per element, in basic axes.

    positions (m, g, 3) of their reference points, m; moments (m, g, 4, 4): int (1, rho)(1, rho)' dm about them;
    turn, move (m, g, 3, nd): rotation and translation of the points over the element's dofs. Families whose sections turn
    may offer ``turning_masses(model, block, recipe) -> TurningMasses | None`` for the second-degree terms of the rotation.
    """

    positions: FloatArray
    moments: FloatArray
    turn: FloatArray
    move: FloatArray


class Family(Protocol):
    """The contract of an element family."""

    def matrices(self, model: StructuralModel, block: Any, recipe: str) -> ElementBatch:
        """Stiffness, mass (of the given mass recipe) and damping of every element of the block."""
        ...

    def directional_mass(self, model: StructuralModel, block: Any, recipe: str) -> FloatArray | None:
        """(m, 6, nd, nd) in the order of DIRECTIONS; None if the recipe has no displacement field."""
        ...

    def geometric_stiffness(self, model: StructuralModel, block: Any, displacement: FloatArray) -> FloatArray | None:
        """(m, nd, nd) for the stress state of a linear displacement (n, 6) in basic axes; None if there is none.

        Families whose preparation is costly may offer ``geometric_states`` for many displacements (n, 6, p); callers use
        ``registry.geometric_states``.
        """
        ...

    def resultants(self, model: StructuralModel, block: Any, displacement: FloatArray) -> dict[str, FloatArray]:
        """Section forces or stresses per element by name, linear in displacement (n, 6); first axis is the element."""
        ...
