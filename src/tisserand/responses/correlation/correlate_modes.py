"""Modes of a model against those of a test, at the directions that were measured.

MAC, COMAC [LievenEwins1988], and products over a mass matrix of the measured directions (a test-analysis model): by the modes of
the model (SEREP, exact for its modes) or by static shapes (Guyan).
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, Literal

import numpy as np
from scipy.optimize import linear_sum_assignment
from scipy.sparse import block_array, csc_array
from scipy.sparse.linalg import splu

from tisserand.appendage.comparison.pairing import mac_matrix
from tisserand.arguments import checked_arguments
from tisserand.arrays import FloatArray, IntArray
from tisserand.errors import InputError, SolverError
from tisserand.modes.modal_basis import ModalBasis
from tisserand.responses.correlation.alignment import Alignment
from tisserand.responses.correlation.measured_modes import MeasuredModes

MassBy = Literal["serep", "guyan"]
#: Shapes whose MAC is below this have nothing to do with each other.
STRANGERS = 0.25
#: SEREP needs shapes that the sensors can distinguish: smallest singular value of unit columns.
_BLIND = 1e-3
_DIRECTIONS = "xyz"
#: Directions that move less than this part of the largest motion measure noise.
_MOVING = 0.1


@dataclass(frozen=True, eq=False, kw_only=True)
class Correlation:
    """A model and a test, mode by mode.

    rows: (r,) names of measured directions; test (r, k) and model (r, m) shapes along them; mac (k, m); pairs: (test, model)
    modes; cross (k, m) products over the mass of unit shapes; own (k, k) of test modes with each other; comac (r,) of pairs.
    """

    test: MeasuredModes
    model_name: str
    model_hz: FloatArray
    alignment: Alignment
    rows: tuple[str, ...]
    places: FloatArray
    measured: FloatArray
    computed: FloatArray
    mac: FloatArray
    pairs: tuple[tuple[int, int], ...]
    cross: FloatArray
    own: FloatArray
    comac: FloatArray
    tam: MassBy

    @property
    def unpaired_test(self) -> tuple[int, ...]:
        return tuple(sorted(set(range(len(self.test.hz))) - {t for t, _ in self.pairs}))

    @property
    def unpaired_model(self) -> tuple[int, ...]:
        return tuple(sorted(set(range(len(self.model_hz))) - {m for _, m in self.pairs}))

    def changes(self) -> FloatArray:
        """(pairs,) frequency of the model over that of the test, less one."""
        return np.array([self.model_hz[m] / self.test.hz[t] - 1.0 for t, m in self.pairs])

    def as_dict(self) -> dict[str, Any]:
        """JSON-able."""
        return {
            "test": self.test.name, "model": self.model_name, "tam": self.tam, "test_hz": self.test.hz,
            "model_hz": self.model_hz, "directions": len(self.rows), "alignment": self.alignment.rule,
            "largest_distance": float(self.alignment.distance.max(initial=0.0)),
            "points_left_out": list(self.alignment.left_out), "mac": self.mac, "cross_orthogonality": self.cross,
            "self_orthogonality": self.own, "comac": dict(zip(self.rows, map(float, self.comac))),
            "pairs": [
                {"test": t + 1, "model": m + 1, "test_hz": float(self.test.hz[t]), "model_hz": float(self.model_hz[m]),
                 "change": float(change), "mac": float(self.mac[t, m]), "cross": float(abs(self.cross[t, m]))}
                for (t, m), change in zip(self.pairs, self.changes())
            ],
            "unpaired_test": [t + 1 for t in self.unpaired_test],
            "unpaired_model": [m + 1 for m in self.unpaired_model],
        }  # fmt: skip


@checked_arguments
def correlate_modes(
    test: MeasuredModes, basis: ModalBasis, alignment: Alignment, *, tam: MassBy = "serep", least: float = STRANGERS
) -> Correlation:
    """Compare the modes of a model with measured ones.

    Args:
        test: measured modes.
        basis: modes of the model.
        alignment: of the measured points on the model.
        tam: mass over the measured directions, by modes (``serep``) or static shapes (``guyan``).
        least: smallest MAC of a pair.
    """
    kept = np.flatnonzero([kind == "elastic" for kind in basis.kinds])
    if not len(kept):
        raise InputError("the model has no elastic modes to compare", where=basis.model.name)
    operator, names, measured, places = _directions(test, basis, alignment)
    computed = np.asarray(operator @ basis.shapes[:, kept])
    mac = mac_matrix(measured, computed)
    rows, columns = linear_sum_assignment(-mac)
    pairs = tuple((int(t), int(m)) for t, m in zip(rows, columns) if mac[t, m] >= least)
    mass = _serep_mass(computed) if tam == "serep" else _static_mass(basis, operator)
    return Correlation(
        test=test, model_name=basis.model.name, model_hz=basis.frequencies_hz[kept], alignment=alignment, rows=names,
        places=places, measured=measured, computed=computed, mac=mac, pairs=pairs,
        cross=_products(measured, mass, computed), own=_products(measured, mass, measured),
        comac=comac(measured, computed, pairs), tam=tam,
    )  # fmt: skip


def _directions(
    test: MeasuredModes, basis: ModalBasis, alignment: Alignment
) -> tuple[csc_array, tuple[str, ...], FloatArray, FloatArray]:
    """(r, d) measured directions of the model's dofs, their names, measured shapes (r, k) and places (r, 3).

    A point beside its node moves with it as a rigid body: u + theta x arm.
    """
    model = basis.model
    recovery = model.recovery.tocsr()
    moved = test.positions @ alignment.rotation.T + alignment.shift
    blocks, names, shapes, places = [], [], [], []
    for point, node in zip(alignment.points, alignment.nodes):
        arm = moved[point] - model.nodes.positions[node]
        if not recovery[6 * node + 3 : 6 * node + 6].nnz:
            arm = np.zeros(3)  # a node without rotations
        for c in np.flatnonzero(test.measured[point]):
            along = alignment.rotation @ test.axes[point, c]
            weights = np.concatenate([along, np.cross(arm, along)])
            blocks.append(csc_array(weights[None, :] @ recovery[6 * node : 6 * node + 6]))
            names.append(f"point {test.ids[point]} {_DIRECTIONS[c]}")
            shapes.append(test.shapes[point, c])
            places.append(moved[point])
    operator = csc_array(block_array([[block] for block in blocks]))
    return operator, tuple(names), np.array(shapes), np.array(places)


def _serep_mass(shapes: FloatArray) -> FloatArray:
    """(r, r) mass whose products of the model's own modes are the identity: pinv(Phi)' pinv(Phi), Phi of unit modal mass."""
    size = np.linalg.norm(shapes, axis=0)
    values = np.linalg.svd(shapes / np.maximum(size, 1e-300), compute_uv=False)
    if shapes.shape[1] > shapes.shape[0] or values[-1] < _BLIND:
        raise InputError(
            "the sensors cannot distinguish the modes of the model", found=f"{shapes.shape[1]} modes, {shapes.shape[0]} "
            f"directions, smallest singular value {values[-1]:.1e}",
            advice="ask for fewer modes (--count, --fmax), or take --tam guyan",
        )  # fmt: skip
    inverse = np.linalg.pinv(shapes)
    return np.asarray(inverse.T @ inverse)


def _static_mass(basis: ModalBasis, operator: csc_array) -> FloatArray:
    """(r, r) mass of the static shapes of unit motions along the measured directions, the supports of the modes held.

    [K R'; R 0] [u; f] = [0; e] over the free dofs.
    """
    model = basis.model
    held = np.zeros(model.size, bool) if basis.frame.held is None else np.asarray(basis.frame.held)
    free = np.flatnonzero(~held)
    K = model.stiffness.tocsc()[free][:, free]
    R = operator[:, free]
    scale = float(np.abs(K.diagonal()).mean())
    whole = block_array([[K, scale * R.T], [scale * R, None]], format="csc")
    right = np.zeros((len(free) + R.shape[0], R.shape[0]))
    right[len(free) :] = scale * np.eye(R.shape[0])
    try:
        shapes = splu(whole).solve(right)[: len(free)]
    except RuntimeError as error:
        raise SolverError(
            "the measured directions do not hold the structure, so it has no static shapes", where=model.name,
            advice="take --tam serep",
        ) from error  # fmt: skip
    if not np.isfinite(shapes).all():
        raise SolverError("the static shapes of the measured directions are not finite", advice="take --tam serep")
    return np.asarray(shapes.T @ (model.mass.tocsc()[free][:, free] @ shapes))


def _products(left: FloatArray, mass: FloatArray, right: FloatArray) -> FloatArray:
    """left' M right with all columns of unit size over M."""
    size = [np.sqrt(np.maximum(np.einsum("ik,ij,jk->k", x, mass, x, optimize=True), 1e-300)) for x in (left, right)]
    return np.asarray(left.T @ mass @ right / np.outer(*size))


def comac(left: FloatArray, right: FloatArray, pairs: tuple[tuple[int, int], ...]) -> FloatArray:
    """(r,) agreement of every row over the pairs, shapes scaled to each other; one where neither moves."""
    if not pairs:
        return np.zeros(len(left))
    a, b = left[:, [t for t, _ in pairs]], right[:, [m for _, m in pairs]]
    a = a / np.linalg.norm(a, axis=0)
    b = b / np.linalg.norm(b, axis=0)
    top = (np.abs(a * b)).sum(axis=1) ** 2
    bottom = (a**2).sum(axis=1) * (b**2).sum(axis=1)
    return np.asarray(np.divide(top, bottom, out=np.ones(len(top)), where=bottom > 0.0))


def rows_of(correlation: Correlation) -> list[list[object]]:
    """One row per pair: test mode, Hz, model mode, Hz, change, MAC, cross-orthogonality."""
    return [
        [t + 1, float(correlation.test.hz[t]), m + 1, float(correlation.model_hz[m]), f"{100 * change:+.2f} %",
         f"{correlation.mac[t, m]:.4f}", f"{abs(correlation.cross[t, m]):.4f}"]
        for (t, m), change in zip(correlation.pairs, correlation.changes())
    ]  # fmt: skip


def weakest(correlation: Correlation, count: int = 5) -> IntArray:
    """Rows with the smallest COMAC, smallest first, of those that move by more than a tenth of the largest motion."""
    shapes = correlation.computed[:, [m for _, m in correlation.pairs]]
    size = np.linalg.norm(shapes / np.linalg.norm(shapes, axis=0), axis=1) if shapes.size else np.zeros(len(shapes))
    moving = np.flatnonzero(size > _MOVING * size.max(initial=0.0))
    return np.asarray(moving[np.argsort(correlation.comac[moving])][:count])


def point_comac(correlation: Correlation) -> tuple[FloatArray, FloatArray]:
    """Places (p, 3) m and COMAC (p,) of every point, its directions together, so that those which hardly move count little."""
    a, b = correlation.measured, correlation.computed
    names = [row.rsplit(" ", 1)[0] for row in correlation.rows]
    own = {name: [i for i, other in enumerate(names) if other == name] for name in dict.fromkeys(names)}
    pairs = correlation.pairs
    a = a[:, [t for t, _ in pairs]] / np.linalg.norm(a[:, [t for t, _ in pairs]], axis=0)
    b = b[:, [m for _, m in pairs]] / np.linalg.norm(b[:, [m for _, m in pairs]], axis=0)
    values = [
        np.abs(a[i] * b[i]).sum() ** 2 / max(float((a[i] ** 2).sum() * (b[i] ** 2).sum()), 1e-300) for i in own.values()
    ]
    return correlation.places[[i[0] for i in own.values()]], np.array(values)
