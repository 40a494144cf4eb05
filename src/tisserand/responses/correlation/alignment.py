"""Measured points on a model: the axes of the test moved onto those of the model, and every point to its nearest node.

x_model = rotation @ x_test + shift. The best turn of matched points is that of [Kabsch1976]; without matched points, every turn
of the principal axes is tried and improved by nearest nodes, and a shape that fits two ways is refused.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from itertools import permutations, product
from typing import Literal

import numpy as np
from scipy.spatial import cKDTree

from tisserand.arrays import FloatArray, IntArray
from tisserand.errors import InputError
from tisserand.model import Nodes

AlignBy = Literal["stated", "ids", "fit"]
#: Turns closer than this (rad) are one.
_SAME_TURN = 0.05
#: Two fits whose distances differ by less than this part of the size of the test are equally good.
_AMBIGUOUS = 2e-3
_ROUNDS = 40


@dataclass(frozen=True, eq=False)
class Alignment:
    """rotation (3, 3) and shift (3,) m of the test; rows (p,) of its points and nodes (p,) of the model, distance (p,) m between.

    left_out: ids of points without a node within reach.
    """

    rotation: FloatArray
    shift: FloatArray
    points: IntArray
    nodes: IntArray
    distance: FloatArray
    left_out: tuple[int, ...]
    rule: str


def aligned(
    ids: IntArray, positions: FloatArray, nodes: Nodes, *, by: AlignBy = "stated", pairs: Mapping[int, int] | None = None,
    reach: float | None = None,
) -> Alignment:  # fmt: skip
    """Place test points (n,), (n, 3) m on the nodes of a model.

    by: ``stated`` (the axes are the same), ``ids`` (points and nodes of one id belong together) or ``fit`` (by shape alone);
    pairs: point id -> node id instead; reach: largest distance of a point from its node, m; None takes 2 % of the size.
    """
    size = float(np.ptp(positions, axis=0).max(initial=0.0))
    there = np.flatnonzero(np.ones(len(nodes), bool) if nodes.scalar is None else ~nodes.scalar)
    places = nodes.positions[there]
    rotation, shift, rule = np.eye(3), np.zeros(3), "axes as stated"
    if pairs or by == "ids":
        known = dict(pairs) if pairs else {int(i): int(i) for i in np.intersect1d(ids, nodes.ids)}
        rotation, shift = _of_pairs(ids, positions, nodes, known)
        rule = f"{len(known)} pairs of {'ids' if by == 'ids' and not pairs else 'points and nodes'}"
    elif by == "fit":
        rotation, shift = _by_shape(positions, places, size)
        rule = "fitted by shape"
    moved = positions @ rotation.T + shift
    found = cKDTree(places).query(moved)
    distance, nearest = np.asarray(found[0], float), np.asarray(found[1], np.int64)
    allowed = 0.02 * size if reach is None else reach
    close = distance <= allowed
    if close.sum() < 3:
        raise InputError(
            "fewer than three measured points lie on the model", found=f"{int(close.sum())} within {allowed:.3g} m, nearest "
            f"{distance.min():.3g} m", advice="check the units of the test, align by ids, pairs or fit, or raise the reach",
        )  # fmt: skip
    return Alignment(
        rotation, shift, np.flatnonzero(close), there[nearest[close]], distance[close],
        tuple(int(i) for i in ids[~close]), rule,
    )  # fmt: skip


def best_turn(left: FloatArray, right: FloatArray) -> tuple[FloatArray, FloatArray]:
    """Rotation (3, 3) and shift (3,) that bring points (n, 3) closest to others (n, 3), least squares."""
    a, b = left.mean(axis=0), right.mean(axis=0)
    U, _, Vt = np.linalg.svd((left - a).T @ (right - b))
    flip = np.diag([1.0, 1.0, np.sign(np.linalg.det(Vt.T @ U.T)) or 1.0])
    rotation = Vt.T @ flip @ U.T
    return np.asarray(rotation), np.asarray(b - rotation @ a)


def _of_pairs(
    ids: IntArray, positions: FloatArray, nodes: Nodes, known: Mapping[int, int]
) -> tuple[FloatArray, FloatArray]:
    rows = {int(i): r for r, i in enumerate(ids)}
    there = {int(i): r for r, i in enumerate(nodes.ids)}
    for point, node in known.items():
        if point not in rows or node not in there:
            raise InputError(
                "a pair names a point or node that does not exist", found=f"point {point}, node {node}",
                expected="a point of the test and a node of the model",
            )  # fmt: skip
    left = positions[[rows[p] for p in known]]
    right = nodes.positions[[there[n] for n in known.values()]]
    spread = np.linalg.svd(left - left.mean(axis=0), compute_uv=False) if len(left) else np.zeros(3)
    if len(left) < 3 or spread[1] <= 1e-6 * spread[0]:
        raise InputError(
            "alignment needs three or more matched points that are not on a line", found=f"{len(left)} points",
            advice="name pairs of points and nodes",
        )  # fmt: skip
    return best_turn(left, right)


def _by_shape(positions: FloatArray, places: FloatArray, size: float) -> tuple[FloatArray, FloatArray]:
    """The turn whose moved points are closest to nodes, from all starts along the principal axes."""
    tree = cKDTree(places)
    own, theirs = (np.linalg.svd(x - x.mean(axis=0), full_matrices=True)[2] for x in (positions, places))
    fits: list[tuple[float, FloatArray, FloatArray]] = []
    for order, signs in product(permutations(range(3)), product((1.0, -1.0), repeat=3)):
        start = theirs.T @ np.diag(signs) @ np.eye(3)[list(order)] @ own
        if np.linalg.det(start) < 0.0:
            continue
        fits.append(_improved(positions, places, tree, start))
    fits.sort(key=lambda fit: fit[0])
    error, rotation, shift = fits[0]
    others = [fit for fit in fits[1:] if np.linalg.norm(fit[1] - rotation) > _SAME_TURN]
    if others and others[0][0] - error < _AMBIGUOUS * size:
        raise InputError(
            "the measured points fit the model in two ways", found=f"distances {error:.3g} m and {others[0][0]:.3g} m",
            advice="align by ids, or name three pairs of points and nodes",
        )  # fmt: skip
    return rotation, shift


def _improved(
    positions: FloatArray, places: FloatArray, tree: cKDTree, rotation: FloatArray
) -> tuple[float, FloatArray, FloatArray]:
    """Root mean square distance, rotation and shift after moving to nearest nodes until nothing changes."""
    shift = 0.5 * (places.max(axis=0) + places.min(axis=0))
    moved = positions @ rotation.T
    shift = shift - 0.5 * (moved.max(axis=0) + moved.min(axis=0))
    last = np.inf
    for _ in range(_ROUNDS):
        distance, nearest = tree.query(positions @ rotation.T + shift)
        error = float(np.sqrt(np.mean(distance**2)))
        if error > last * (1.0 - 1e-9):
            break
        last = error
        rotation, shift = best_turn(positions, places[nearest])
    return last, rotation, shift
