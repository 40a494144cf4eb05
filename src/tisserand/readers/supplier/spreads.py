"""How well shapes and mass summary determine L and N: spread of each integral over all admissible nodal masses.

The scale of an integral is the largest value that it can have by the Cauchy-Schwarz inequality, about the mass center c, so it
does not depend on the origin: |L_ab,k| <= sqrt(tr R Me_k) and |N_ab,kl| <= sqrt(Me_k Me_l), with R the second moments of mass
about c, tr R = tr J_c / 2.
"""

from __future__ import annotations

from dataclasses import dataclass, field, replace

import numpy as np

from tisserand.appendage.integrals.modal_integrals import ModalIntegrals
from tisserand.arrays import LEVI_CIVITA, FloatArray
from tisserand.readers.supplier.basic_shapes import BasicShapes
from tisserand.readers.supplier.mass_bounds import NodalMasses, pair_function, participation_functions
from tisserand.readers.supplier.supplier_modes import MassSummary
from tisserand.readers.supplier.supplier_momenta import SPREAD_LIMIT, Momenta, second_moment

#: Modes for which L and N are bounded: nine linear programs for each pair, twice.
_MOST_MODES = 12


@dataclass(frozen=True, eq=False)
class Spread:
    """Level of inertia, and one admissible distribution (masses (n,), inertias (n, 3, 3)) where L, or L and N, are settled."""

    level: str
    masses: FloatArray | None = None
    inertias: FloatArray | None = None
    sentences: list[str] = field(default_factory=list)


def higher_integrals(
    admissible: NodalMasses | None, shapes: BasicShapes, point: FloatArray, modal: FloatArray, summary: MassSummary
) -> Spread:
    """``linear`` where all of L, ``full`` where N too stays within the limit; ``constant`` with the reason otherwise.

    summary: rigid mass about ``point``.
    """
    if admissible is None:
        return Spread("constant", sentences=["without nodal masses inertia is constant: L and N are unknown"])
    turn = shapes.rotation if shapes.has_rotations else None
    n, _, k = shapes.translation.shape
    if k > _MOST_MODES:
        return Spread(
            "constant", sentences=[f"L and N are not bounded for more than {_MOST_MODES} modes: inertia is constant"]
        )
    made = participation_functions(shapes.positions - point - summary.center, shapes.translation, turn)
    size = np.sqrt(modal)
    seen: list[FloatArray] = [admissible.start]
    L = made["L"].reshape(9 * k, -1)
    worst = _worst(admissible, L, np.tile(np.sqrt(second_moment(summary)) * size, 9), seen)
    if worst > SPREAD_LIMIT:
        return Spread("constant", sentences=[
            f"admissible nodal masses leave L open by {100 * worst:.3g} % of its scale (limit {100 * SPREAD_LIMIT:g} %): "
            "inertia is constant",
        ])  # fmt: skip
    pairs = [(a, b, i, j) for i in range(k) for j in range(i, k) for a in range(3) for b in range(3)]
    N = np.array([pair_function(shapes.translation, turn, *pair) for pair in pairs])
    second = _worst(admissible, N, np.array([size[i] * size[j] for _, _, i, j in pairs]), seen)
    masses, inertias = _mean(seen, n, turn is not None)
    level = "full" if second <= SPREAD_LIMIT else "linear"
    said = f"all admissible nodal masses agree on L within {100 * worst:.2g} %, on N within {100 * second:.2g} % of their scale"
    return Spread(level, masses, inertias, [f"{said}: inertia is {level}"])


def as_stated(made: ModalIntegrals, summary: MassSummary, momenta: Momenta, modal: FloatArray) -> ModalIntegrals:
    """Integrals of nodal masses with what the file states kept to its digits: rigid mass about O, P, H and modal masses (k,).

    Nodal masses fit them within the limits of the search only. L gets the rotation-like part that gives H (H_a = eps_abc L_bc),
    N the part that gives the modal masses (N_aa,kl = Me_kl).
    """
    assert momenta.P is not None and momenta.H is not None
    missing = momenta.H - np.einsum("abc,bck->ak", LEVI_CIVITA, made.position_shape)
    L = made.position_shape + 0.5 * np.einsum("abc,ak->bck", LEVI_CIVITA, missing)
    Me = np.diag(modal)
    N = made.shape_shape + np.einsum("ab,kl->abkl", np.eye(3) / 3.0, Me - np.einsum("aakl->kl", made.shape_shape))
    return replace(
        made, mass=summary.mass, center=summary.center, inertia=np.array(summary.matrix[3:, 3:]), translation=momenta.P,
        rotation=momenta.H, position_shape=L, shape_shape=N, modal_mass=Me,
    )  # fmt: skip


def _worst(admissible: NodalMasses, functions: FloatArray, scales: FloatArray, seen: list[FloatArray]) -> float:
    """Largest half spread over its scale; stops at the first one beyond a hundred limits."""
    worst = 0.0
    for function, scale in zip(functions, scales):
        if not np.abs(function).max(initial=0.0) > 0.0:
            continue
        low, high, reached = admissible.bounds(function)
        seen += reached
        worst = max(worst, 0.5 * (high - low) / max(float(scale), 1e-300))
        if worst > 100.0 * SPREAD_LIMIT:
            break
    return worst


def _mean(seen: list[FloatArray], n: int, turning: bool) -> tuple[FloatArray, FloatArray]:
    """The mean of all distributions seen, which is admissible too: masses (n,), inertias (n, 3, 3) = tr(Pi) 1 - Pi."""
    x = np.mean(seen, axis=0)
    inertias = np.zeros((n, 3, 3))
    if turning:
        p = x[n:].reshape(n, 3)
        inertias[:, range(3), range(3)] = p.sum(axis=1, keepdims=True) - p
    return x[:n], inertias
