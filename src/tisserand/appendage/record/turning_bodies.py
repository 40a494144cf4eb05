"""Rigid bodies at nodes that turn with them by finite angles: what the engines move one by one and exactly.

Symbols: m mass, d offset from node to mass center, Ic inertia about the center, r node from O; phi, theta nodal shapes;
psi second-degree shapes, u = phi eta + 1/2 psi(eta, eta), rotation vector b = theta eta + 1/2 psi_r(eta, eta).
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import KW_ONLY, dataclass, replace
from typing import Any, cast

import numpy as np

from tisserand.arrays import LEVI_CIVITA, FloatArray, IntArray, frozen, skew, symmetric
from tisserand.assembly.rigid_arms import carried_bodies
from tisserand.model import StructuralModel

#: Turning bodies that a record keeps one by one: each costs about 20 k + 3 k² operations per evaluation with k modes. Of
#: more, those with the largest inertia about their nodes are kept; the rest enters a, A only.
MOST_BODIES = 32


@dataclass(frozen=True, eq=False, repr=False)
class TurningBodies:
    """b rigid bodies in k modal coordinates, body axes, positions from O.

    rows (b,): node rows of the record; masses (b,) kg; offsets d (b, 3) m, node to mass center; inertias (b, 3, 3) kg m²
    about the mass center; positions (b, 3) m of the nodes; translation, rotation (b, 3, k) nodal shapes.
    second_translation, second_rotation (b, 3, k, k): psi of the node that always holds (change of frame), zero by default;
    family_translation, family_rotation likewise: its foreshortening, which holds together with the geometric-stiffness
    families of the record; None where it is not known.
    """

    rows: IntArray
    masses: FloatArray
    offsets: FloatArray
    inertias: FloatArray
    positions: FloatArray
    translation: FloatArray
    rotation: FloatArray
    _: KW_ONLY
    second_translation: FloatArray | None = None
    second_rotation: FloatArray | None = None
    family_translation: FloatArray | None = None
    family_rotation: FloatArray | None = None

    def __post_init__(self) -> None:
        b, k = len(self.rows), np.asarray(self.translation).shape[-1]
        object.__setattr__(self, "rows", frozen(self.rows, np.int64, (b,)))
        shapes = {
            "masses": (b,),
            "offsets": (b, 3),
            "inertias": (b, 3, 3),
            "positions": (b, 3),
            "translation": (b, 3, k),
            "rotation": (b, 3, k),
        }
        for name, shape in shapes.items():
            object.__setattr__(self, name, frozen(getattr(self, name), shape=shape))
        for name in _SECOND:
            value = getattr(self, name)
            if value is None and name.startswith("second"):
                value = np.zeros((b, 3, k, k))
            if value is not None:
                object.__setattr__(self, name, frozen(value, shape=(b, 3, k, k)))

    def __len__(self) -> int:
        return len(self.rows)

    @property
    def count(self) -> int:
        """Modal coordinates k."""
        return int(self.translation.shape[2])

    @property
    def first_moments(self) -> FloatArray:
        """s = m d (b, 3) kg m about the nodes."""
        return np.asarray(self.masses[:, None] * self.offsets)

    @property
    def second_moments(self) -> FloatArray:
        """Pi = int rho rho' dm (b, 3, 3) kg m² about the nodes."""
        own = 0.5 * np.trace(self.inertias, axis1=1, axis2=2)[:, None, None] * np.eye(3) - self.inertias
        return np.asarray(own + np.einsum("n,na,nb->nab", self.masses, self.offsets, self.offsets))

    def psi(self, families: bool) -> tuple[FloatArray, FloatArray]:
        """psi of translation and rotation (b, 3, k, k), with foreshortening where the families act and it is known."""
        assert self.second_translation is not None and self.second_rotation is not None
        t, r = self.second_translation, self.second_rotation
        if families and self.family_translation is not None and self.family_rotation is not None:
            t, r = t + self.family_translation, r + self.family_rotation
        return t, r

    def shifted(self, d: FloatArray) -> TurningBodies:
        """O moved by d."""
        return replace(self, positions=self.positions - d)

    def turned(self, Q: FloatArray) -> TurningBodies:
        """Axes v_new = Q v_old; rotations change sign under a reflection."""
        Q = np.asarray(Q, float)
        sign = float(np.sign(np.linalg.det(Q)))
        vectors = {name: getattr(self, name) @ Q.T for name in ("offsets", "positions")}
        for name in ("translation", "rotation", *_SECOND):
            if getattr(self, name) is not None:
                factor = sign if name.endswith("rotation") else 1.0
                vectors[name] = factor * np.einsum("ab,nb...->na...", Q, getattr(self, name))
        return replace(self, inertias=Q @ self.inertias @ Q.T, **vectors)

    def combined(self, T: FloatArray) -> TurningBodies:
        """Coordinates eta_old = T eta_new."""
        seconds = {name: T.T @ getattr(self, name) @ T for name in _SECOND if getattr(self, name) is not None}
        return replace(self, translation=self.translation @ T, rotation=self.rotation @ T, **seconds)

    def without_rigid(self, motion: FloatArray) -> TurningBodies:
        """Seen from a frame that moves by the rigid motion [t; c] (6, k) about O; psi is created (``rigid_taken_out``)."""
        t, r = self.psi(False)
        phi, theta, t, r = rigid_taken_out(self.positions, self.translation, self.rotation, t, r, motion)
        return replace(self, translation=phi, rotation=theta, second_translation=t, second_rotation=r)

    def carried(self, attitude: FloatArray, origin: FloatArray) -> TurningBodies:
        """In axes turned by ``attitude`` (columns = old axes) about a point from which O lies at ``origin``."""
        return self.turned(attitude).shifted(-np.asarray(origin, float))

    def without_second_rigid(self, translation: FloatArray, rotation: FloatArray) -> TurningBodies:
        """Less the second-degree rigid motion (3, k, k) each: psi -= t + c x r, psi_r -= c."""
        t, r = self.psi(False)
        t = t - translation - np.einsum("nab,bkl->nakl", -skew(self.positions), rotation)
        return replace(self, second_translation=t, second_rotation=r - rotation)


_SECOND = ("second_translation", "second_rotation", "family_translation", "family_rotation")


def no_bodies(k: int) -> TurningBodies:
    """None, in k modal coordinates."""
    return TurningBodies(
        rows=np.zeros(0, np.int64),
        masses=np.zeros(0),
        offsets=np.zeros((0, 3)),
        inertias=np.zeros((0, 3, 3)),
        positions=np.zeros((0, 3)),
        translation=np.zeros((0, 3, k)),
        rotation=np.zeros((0, 3, k)),
    )


def joined(parts: Sequence[TurningBodies], first_rows: Sequence[int]) -> TurningBodies:
    """All bodies of parts in the same coordinates, node rows moved; foreshortening is known where every part knows it."""
    if not parts:
        raise ValueError("nothing to join")
    values = {
        name: np.concatenate([getattr(part, name) for part in parts])
        for name in ("masses", "offsets", "inertias", "positions", "translation", "rotation", *_SECOND[:2])
    }
    for name in _SECOND[2:]:
        if all(getattr(part, name) is not None for part in parts if len(part)):
            values[name] = np.concatenate(
                [getattr(part, name if len(part) else "second_translation") for part in parts]
            )
    rows = np.concatenate([part.rows + int(first) for part, first in zip(parts, first_rows)])
    return TurningBodies(rows=rows, **values)


def rigid_taken_out(
    positions: FloatArray,
    translation: FloatArray,
    rotation: FloatArray,
    second_translation: FloatArray,
    second_rotation: FloatArray,
    motion: FloatArray,
) -> tuple[FloatArray, FloatArray, FloatArray, FloatArray]:
    """phi, theta, psi, psi_r of nodes (n, ...) seen from a frame that moves by tau = t eta and turns by gam = c eta.

    y_new = exp(-gam~)(y - tau): 1/2 psi_new = 1/2 psi - gam x (phi_new eta) - 1/2 gam x (gam x r), and the rotation vector
    b_new = b - gam - 1/2 gam x b. motion (6, k) = [t; c] about O.
    """
    t, c = motion[:3], motion[3:]
    phi = translation - t + skew(positions) @ c  # - c x r = + r~ c

    def pairs(left: FloatArray, right: FloatArray) -> FloatArray:
        """left_k x right_l + left_l x right_k for (3, k) and (n, 3, k)."""
        one = np.einsum("abc,bk,ncl->nakl", LEVI_CIVITA, left, right, optimize=True)
        return np.asarray(one + one.transpose(0, 1, 3, 2))

    twice = -skew(positions) @ c  # c_k x r
    psi = second_translation - pairs(c, phi) - 0.5 * pairs(c, twice)
    return phi, rotation - c, psi, second_rotation - 0.5 * pairs(c, rotation)


@dataclass(frozen=True, eq=False)
class Gathered:
    """Turning bodies of a structure at its nodes, basic axes: nodes (b,) rows, masses, offsets, inertias as above.

    members: per nodal-body block of the structure, which of its bodies are among them; found: how many there were before the
    largest were chosen.
    """

    nodes: IntArray
    masses: FloatArray
    offsets: FloatArray
    inertias: FloatArray
    members: tuple[np.ndarray, ...]
    found: int


def nothing_gathered() -> Gathered:
    """No turning bodies."""
    return Gathered(np.zeros(0, np.int64), np.zeros(0), np.zeros((0, 3)), np.zeros((0, 3, 3)), (), 0)


def gathered_bodies(model: StructuralModel, most: int = MOST_BODIES) -> Gathered:
    """Nodal bodies that rotate, merged into one per node.

    Bodies on a node or on its rigid arms are merged; particles (no offset, no inertia) on the node itself are left out.

    Of more than ``most`` those with the largest inertia about their node are taken.
    """
    blocks = [
        carried_bodies(model, block) for block in cast(tuple[Any, ...], model.elements) if block.facts.shape == "body"
    ]
    if not blocks:
        return nothing_gathered()
    at = np.concatenate([block.nodes[:, 0] for block in blocks])
    mass = np.concatenate([block.mass for block in blocks])
    offset = np.concatenate([block.offset for block in blocks])
    own = np.concatenate([block.inertia for block in blocks])
    about_node = own - mass[:, None, None] * skew(offset) @ skew(offset)
    nodes, place = np.unique(at, return_inverse=True)
    m, s, I = np.zeros(len(nodes)), np.zeros((len(nodes), 3)), np.zeros((len(nodes), 3, 3))
    np.add.at(m, place, mass)
    np.add.at(s, place, mass[:, None] * offset)
    np.add.at(I, place, about_node)
    size = np.trace(I, axis1=1, axis2=2)
    turning = np.flatnonzero(np.abs(I).max(axis=(1, 2), initial=0.0) > 0.0)
    found = len(turning)
    if found > most:
        turning = np.sort(turning[np.argsort(-size[turning], kind="stable")[:most]])
    d = s[turning] / np.where(m[turning] > 0.0, m[turning], 1.0)[:, None]
    Ic = symmetric(I[turning] + m[turning, None, None] * skew(d) @ skew(d))
    chosen = np.isin(place, turning)
    ends = np.cumsum([len(block.mass) for block in blocks])
    return Gathered(nodes[turning], m[turning], d, Ic, tuple(np.split(chosen, ends[:-1])), found)
