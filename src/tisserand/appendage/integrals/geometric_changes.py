"""How the geometric-stiffness families change with the reference point and the axes.

A family is linear in the load that makes it: accelerations a of O, angular accelerations al and products w_i
w_j of the frame, accelerations of the modal coordinates (``eta:m``: the load -M phi_m, so that Kg_kl = int phi_m.psi_kl dm), and
unit loads ``F:interface:component`` (1-3 force, 4-6 moment, body axes).
"""

from __future__ import annotations

from collections.abc import Mapping

import numpy as np

from tisserand.appendage.integrals.integral_changes import mixed_shapes
from tisserand.arrays import FloatArray, skew

_ACCELERATION = ("ax", "ay", "az")
_ANGULAR = ("alx", "aly", "alz")
#: Name of the product w_i w_j.
_PRODUCT = {(0, 0): "wxx", (1, 1): "wyy", (2, 2): "wzz", (0, 1): "wxy", (1, 2): "wyz", (2, 0): "wzx"}


def modal_families(families: Mapping[str, FloatArray], count: int) -> FloatArray | None:
    """(k, k, k): Kg of unit accelerations of the k modal coordinates, None unless all are known."""
    found = [families.get(f"eta:{m + 1}") for m in range(count)]
    if any(one is None for one in found):
        return None
    return np.array(found).reshape(count, count, count)


def named_modal(values: FloatArray) -> dict[str, FloatArray]:
    """Names of such families."""
    return {f"eta:{m + 1}": matrix for m, matrix in enumerate(values)}


def combined_families(families: Mapping[str, FloatArray], T: FloatArray) -> dict[str, FloatArray]:
    """Families in coordinates eta_old = T eta_new, T (k, j)."""
    modal = mixed_shapes(modal_families(families, len(T)), T)
    out = {name: T.T @ matrix @ T for name, matrix in families.items() if not name.startswith("eta:")}
    return out if modal is None else out | named_modal(modal)


def families_seen_from(families: Mapping[str, FloatArray], motion: FloatArray) -> dict[str, FloatArray]:
    """Families of shapes that lost the rigid motion [t; c] (6, k) about O: phi_m - t_m - c_m x r works on the same psi."""
    modal = modal_families(families, motion.shape[1])
    if modal is None:
        return dict(families)
    zero = np.zeros(modal.shape[1:])
    six = np.array([families.get(name, zero) for name in (*_ACCELERATION, *_ANGULAR)])
    return dict(families) | named_modal(modal - np.einsum("am,akl->mkl", motion, six))


def shifted_families(families: Mapping[str, FloatArray], d: FloatArray) -> dict[str, FloatArray]:
    """Families for loads referred to O + d: r_new = r - d, so al x r and w x (w x r) lose a uniform part.

    Angular families need the accelerations; without them they are left out.
    """
    out = dict(families)
    complete = all(name in families for name in _ACCELERATION)
    angular = [name for name in families if name in _ANGULAR or name in _PRODUCT.values()]
    if not np.any(d):
        return out
    if not complete:
        for name in angular:
            del out[name]
        return out
    a = np.array([families[name] for name in _ACCELERATION])
    for j, name in enumerate(_ANGULAR):
        if name in families:
            out[name] = families[name] - np.einsum("a,akl->kl", -skew(d)[:, j], a)  # e_j x d = -d~ e_j
    for (i, j), name in _PRODUCT.items():
        if name not in families:
            continue
        uniform = np.zeros(3)
        uniform[i] += d[j]
        if i == j:
            uniform = uniform - d
        else:
            uniform[j] += d[i]
        out[name] = families[name] - np.einsum("a,akl->kl", uniform, a)
    return out


def turned_families(families: Mapping[str, FloatArray], Q: FloatArray) -> dict[str, FloatArray]:
    """Families in axes v_new = Q v_old (Q may be a reflection); incomplete triples are left out unless Q is 1."""
    if np.array_equal(Q, np.eye(3)):
        return dict(families)
    sign = float(np.sign(np.linalg.det(Q)))
    out: dict[str, FloatArray] = {}
    for names, factor in ((_ACCELERATION, 1.0), (_ANGULAR, sign)):
        if all(name in families for name in names):
            old = np.array([families[name] for name in names])
            out.update(zip(names, factor * np.einsum("ij,jkl->ikl", Q, old)))
    if all(name in families for name in _PRODUCT.values()):
        old = np.zeros((3, 3, *families["wxx"].shape))
        for (i, j), name in _PRODUCT.items():
            share = 1.0 if i == j else 0.5
            old[i, j] += share * families[name]
            if i != j:
                old[j, i] += share * families[name]
        new = np.einsum("ia,jb,abkl->ijkl", Q, Q, old, optimize=True)
        out.update({name: new[i, j] + (new[j, i] if i != j else 0.0) for (i, j), name in _PRODUCT.items()})
    out.update({name: matrix for name, matrix in families.items() if name.startswith("eta:")})
    heads = dict.fromkeys(name.rsplit(":", 1)[0] for name in families if name.startswith("F:"))
    for head in heads:
        for start, factor in ((1, 1.0), (4, sign)):
            loads = [f"{head}:{start + c}" for c in range(3)]
            if all(name in families for name in loads):
                old = np.array([families[name] for name in loads])
                out.update(zip(loads, factor * np.einsum("ij,jkl->ikl", Q, old)))
    order = [name for name in families if name in out]
    return {name: out[name] for name in order}
