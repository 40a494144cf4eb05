"""Condensations to chosen dofs that improve on Guyan's: IRS and SEREP.

Symbols: b the kept dofs, i the others; T_g Guyan's static shapes; Phi modes.

References: [OCallahan1989], [OCallahanAvitabileRiemer1989].
"""

from __future__ import annotations

from functools import partial

import numpy as np

from tisserand.arguments import checked_arguments
from tisserand.arrays import BoolArray, FloatArray, IntArray
from tisserand.assembly.assembled_model import AssembledModel
from tisserand.assembly.element_forces import element_forces
from tisserand.errors import ModelError
from tisserand.linalg import factorize, pencil_of
from tisserand.model import Supports
from tisserand.modes.component import ReducedComponent, physical_coordinate, reduced
from tisserand.modes.interface import dof_name
from tisserand.modes.reductions import _modes_or_none, _prepared, static_shapes
from tisserand.modes.rigid import rigid_set

#: Modes whose motion at the kept dofs is conditioned worse than this cannot be told apart there.
_WORST_CONDITION = 1e8


@checked_arguments
def irs(model: AssembledModel, interface: IntArray, *, supports: Supports | None = None) -> ReducedComponent:
    """Improved reduced system: Guyan's shapes corrected by the inertia of the condensed dofs.

    T = T_g + S M T_g M_g^-1 K_g, with S the flexibility of the other dofs while the kept ones are held and M_g, K_g the matrices
    that Guyan's shapes give. Frequencies are closer than Guyan's; the static response is no longer exact.

    Args:
        model: the assembled model.
        interface: (p, 2) rows (node index, component) of the dofs to keep.
        supports: the boundary; None takes the model's own.
    """
    model, b, held = _prepared(model, interface, supports)
    guyan = static_shapes(model, b, held)
    mass, stiffness = guyan.T @ (model.mass @ guyan), guyan.T @ (model.stiffness @ guyan)
    size = np.sqrt(np.maximum(np.diag(mass), 0.0))
    if (size <= 0.0).any() or np.linalg.cond(mass / np.outer(size, size)) > 1e14:
        raise ModelError(
            "kept dofs carry no mass of their own, so the improved reduction does not exist",
            found=dof_name(model, *np.asarray(interface)[int(np.argmin(size))]),
            advice="keep dofs that move mass, or use guyan",
        )
    rate = np.linalg.solve(mass, stiffness)
    shapes = guyan + _condensed_flexibility(model, b, held, np.asarray(model.mass @ (guyan @ rate)))
    names = [physical_coordinate(model, *row) for row in np.asarray(interface)]
    return reduced(model, "irs", shapes, coordinates=names, eigenvalues=np.full(len(names), np.nan), held=held)


def _condensed_flexibility(model: AssembledModel, b: IntArray, held: BoolArray, load: FloatArray) -> FloatArray:
    """(d, p) static response to loads with the kept dofs held."""
    interior = ~held
    interior[b] = False
    out = np.zeros_like(load)
    if not interior.any():
        return out
    pencil = pencil_of(model.stiffness, model.mass, interior, model.dofs.node)
    factor = factorize(pencil.k, groups=pencil.groups)
    out[pencil.free] = factor.solve(np.ascontiguousarray(load[pencil.free]))
    factor.release()
    return out


@checked_arguments
def serep(model: AssembledModel, interface: IntArray, *, supports: Supports | None = None) -> ReducedComponent:
    """System equivalent reduction: as many of the lowest modes as dofs are kept, T = Phi Phi_b^-1.

    The reduced model has exactly these frequencies; rigid motions count among the modes of a free structure.

    Args:
        model: the assembled model.
        interface: (p, 2) rows (node index, component) of the dofs to keep.
        supports: the boundary; None takes the model's own.
    """
    model, b, held = _prepared(model, interface, supports)
    rigid = rigid_set(model, held, partial(element_forces, model))
    elastic = len(b) - rigid.count
    if elastic < 0:
        raise ModelError(
            "SEREP keeps as many modes as dofs, and the structure has more rigid motions than that",
            found=f"{len(b)} dofs", expected=f"at least {rigid.count}",
        )  # fmt: skip
    basis = _modes_or_none(model, held, elastic, None)
    modes = np.zeros((model.size, 0)) if basis is None else basis.shapes
    phi = np.hstack([rigid.vectors, modes])
    at = phi[b] / np.maximum(np.linalg.norm(phi[b], axis=0), 1e-300)
    condition = float(np.linalg.cond(at / np.maximum(np.linalg.norm(at, axis=1, keepdims=True), 1e-300)))
    if not condition < _WORST_CONDITION:
        raise ModelError(
            "the kept dofs do not tell the lowest modes apart, so SEREP has no inverse there",
            found=f"condition {condition:.1e}", expected=f"below {_WORST_CONDITION:.0e}",
            advice="keep dofs where the modes differ, or use craig-bampton",
        )  # fmt: skip
    names = [physical_coordinate(model, *row) for row in np.asarray(interface)]
    shapes = np.linalg.solve(phi[b].T, phi.T).T
    return reduced(model, "serep", shapes, coordinates=names, eigenvalues=np.full(len(names), np.nan), held=held)
