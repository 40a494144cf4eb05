"""Nodal particles of solids: how the mass of an element is divided among its nodes.

``row sums`` int rho N_i dV keep mass and mass center, but are negative at the corners of quadratic and cubic kinds: there the
``scaled diagonal`` is used, m_i = m M_ii / sum M_jj, which is positive always. Pyramids, which have no middle plane, get the
least correction that moves its mass center to theirs.

``lumped`` is Nastran's default. For ten-node tetrahedra that is: no mass at the corners; the midside nodes have their
row sums r_k and a correction that keeps mass and mass center and is least in the measure sum d_k² / |y_k|², where y_k is
the arm of node k from the mass center. With multipliers lambda, d_k = |y_k|² (lambda_0 + lambda . y_k). This rule is
unpublished. It was inferred from the ten frequencies of one Nastran deck of two elements (one of them curved);
together with five-point stiffness it reproduces all printed digits, without fitted numbers.

Scaled diagonal: [Hinton1976].
"""

from __future__ import annotations

import numpy as np

from tisserand.arrays import FloatArray
from tisserand.errors import ModelError
from tisserand.model import SolidBlock

_SCALED_DIAGONAL = ("tet10", "hex20", "hex32", "wedge15", "pyramid13")


def nodal_shares(block: SolidBlock, corners: FloatArray, mass: FloatArray, recipe: str) -> FloatArray:
    """(m, k) kg at the nodes at ``corners`` (m, k, 3) from the consistent scalar mass (m, k, k)."""
    if block.kind == "tet10" and recipe == "lumped":
        return _on_midside_nodes(block, corners, mass.sum(axis=2))
    if block.kind not in _SCALED_DIAGONAL:
        return np.asarray(mass.sum(axis=2))
    diagonal = np.einsum("mii->mi", mass)
    scale = diagonal.sum(axis=1)
    total = mass.sum(axis=(1, 2))
    share = np.asarray(diagonal * (total / np.where(scale == 0.0, 1.0, scale))[:, None])
    return _centered(share, corners, mass.sum(axis=2)) if block.kind == "pyramid13" else share


def _centered(share: FloatArray, corners: FloatArray, rows: FloatArray) -> FloatArray:
    """Shares (m, k) with the mass center of the row sums by the least correction, s_k lambda . y_k, y_k from their own center."""
    total = share.sum(axis=1)
    safe = np.where(total == 0.0, 1.0, total)[:, None]
    center = np.einsum("mk,mka->ma", share, corners) / safe
    arms = corners - center[:, None]
    moments = np.einsum("mk,mka,mkb->mab", share / safe, arms, arms)
    lost = np.einsum("mk,mka->ma", rows, corners) / safe - center
    factors = np.linalg.solve(np.where(total[:, None, None] == 0.0, np.eye(3), moments), lost[..., None])
    return np.asarray(share * (1.0 + (arms @ factors)[..., 0]))


def _on_midside_nodes(block: SolidBlock, corners: FloatArray, rows: FloatArray) -> FloatArray:
    """Row sums (m, 10) with those of the four corners moved onto the six midside nodes."""
    out = np.zeros_like(rows)
    total = rows.sum(axis=1)
    some = np.flatnonzero(total > 0.0)  # elements without density stay at zero
    share = rows[some] / total[some, None]
    arms = corners[some] - np.einsum("mi,mia->ma", share, corners[some])[:, None]
    arms /= np.sqrt((arms**2).sum(axis=2).max(axis=1))[:, None, None]
    moments = np.concatenate([np.ones_like(share)[..., None], arms], axis=2)  # (n, 10, 4): 1, y
    lost = np.einsum("mi,mij->mj", share[:, :4], moments[:, :4])
    weights = (arms[:, 4:] ** 2).sum(axis=2)
    system = np.einsum("mki,mk,mkj->mij", moments[:, 4:], weights, moments[:, 4:])
    factors = np.linalg.solve(system, lost[..., None])
    middle = share[:, 4:] + weights * (moments[:, 4:] @ factors)[..., 0]
    if (middle <= 0.0).any():
        worst = int(some[np.argmin(middle.min(axis=1))])
        raise ModelError(
            "a tet10 is curved so much that its lumped mass would be negative",
            ids=(int(block.ids[worst]),),
            where=f"solid element {block.ids[worst]}",
            expected="midside nodes near the middle of their edges",
            advice="straighten its edges or use the mass model consistent or particles",
        )
    out[some, 4:] = middle * total[some, None]
    return out
