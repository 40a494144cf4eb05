"""Rigid elements, interpolation elements and multi-point equations. Nodes are indices; components 0..5 in node axes."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from tisserand.arrays import FloatArray, IntArray, frozen


@dataclass(frozen=True, eq=False)
class RigidElement:
    """Rigid body motion ties dependent components to independent ones (RBE2, RBAR, kinematic coupling).

    independent, dependent: (p, 2) and (q, 2) rows of (node, component). The independent ones must fix six rigid motions,
    or be one node's subset when the dependents use no more than that.
    """

    id: int
    independent: IntArray
    dependent: IntArray
    card: str = "RBE2"

    def __post_init__(self) -> None:
        object.__setattr__(self, "independent", frozen(self.independent, np.int64, (-1, 2)))
        object.__setattr__(self, "dependent", frozen(self.dependent, np.int64, (-1, 2)))


@dataclass(frozen=True, eq=False)
class Interpolation:
    """The reference node moves as the weighted least-squares rigid motion of others (RBE3, distributing coupling).

    reference: node; components: (q,) of the reference that are made dependent; terms: (p, 2) rows (node, component);
    weights: (p,). ``dependent`` optionally moves the dependence to other dofs (RBE3's UM), (q, 2) rows.
    """

    id: int
    reference: int
    components: IntArray
    terms: IntArray
    weights: FloatArray
    dependent: IntArray | None = None
    card: str = "RBE3"

    def __post_init__(self) -> None:
        object.__setattr__(self, "components", frozen(self.components, np.int64, (-1,)))
        object.__setattr__(self, "terms", frozen(self.terms, np.int64, (-1, 2)))
        object.__setattr__(self, "weights", frozen(self.weights, shape=(len(self.terms),)))
        if self.dependent is not None:
            object.__setattr__(self, "dependent", frozen(self.dependent, np.int64, (-1, 2)))


@dataclass(frozen=True, eq=False)
class Equation:
    """``sum coefficient * u[node, component] = 0``; the first term is the dependent one."""

    id: int
    terms: IntArray
    coefficients: FloatArray
    card: str = "MPC"

    def __post_init__(self) -> None:
        object.__setattr__(self, "terms", frozen(self.terms, np.int64, (-1, 2)))
        object.__setattr__(self, "coefficients", frozen(self.coefficients, shape=(len(self.terms),)))


Constraint = RigidElement | Interpolation | Equation
