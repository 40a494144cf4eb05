"""The same appendage with another reference point, other axes, mirrored, or in other coordinates."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Any, Literal

import numpy as np
from numpy.typing import ArrayLike

from tisserand.appendage.integrals.directional_sums import rigid_columns
from tisserand.appendage.integrals.geometric_changes import combined_families, shifted_families, turned_families
from tisserand.appendage.integrals.integral_changes import combined_integrals, shifted_integrals, turned_integrals
from tisserand.appendage.record.damping_matrix import natural_modes
from tisserand.appendage.record.node_table import Interface, NodeTable
from tisserand.appendage.record.packed_pairs import mixed
from tisserand.appendage.record.reduced_appendage import ReducedAppendage
from tisserand.arguments import checked_arguments
from tisserand.arrays import FloatArray, IntArray, symmetric
from tisserand.errors import InputError


@checked_arguments
def shifted(appendage: ReducedAppendage, point: ArrayLike) -> ReducedAppendage:
    """Refer everything to another O, given in the source's basic coordinates (m).

    Args:
        appendage: the record.
        point: the new O (3,), m, basic coordinates.
    """
    new = np.asarray(point, dtype=float)
    d = new - appendage.reference_point
    nodes = appendage.nodes
    return appendage.changed(
        integrals=shifted_integrals(appendage.integrals, d),
        nodes=NodeTable(
            nodes.ids,
            nodes.positions - d,
            nodes.translation,
            nodes.rotation,
            nodes.energy,
            nodes.second,
            nodes.foreshortening,
        ),
        interfaces=tuple(replace(i, position=i.position - d) for i in appendage.interfaces),
        reference_point=new,
        sources=tuple(source.shifted(d) for source in appendage.sources),
        bodies=appendage.bodies.shifted(d),
        geometric_stiffness=shifted_families(appendage.geometric_stiffness, d),
        reports=_report(
            appendage, "reference_point", {"rule": "moved", "point": new.tolist()}, held=_moved_held(appendage, d)
        ),
    )


@checked_arguments
def turned(appendage: ReducedAppendage, matrix: ArrayLike) -> ReducedAppendage:
    """Change the body axes by v_new = Q v_old about the basic origin: the rows of Q are the new axes in the old ones.

    Read actively, the appendage itself is turned by Q. Reflections are refused here: see ``mirrored``.

    Args:
        matrix: the rows are the new axes in the old ones (3, 3).
    """
    Q = _orthogonal(matrix)
    if np.linalg.det(Q) < 0.0:
        raise InputError("the axes are left-handed", advice="use mirrored() for a mirror image")
    return _turned(appendage, Q, appendage.name, np.zeros(3))


@checked_arguments
def mirrored(
    appendage: ReducedAppendage, normal: ArrayLike = (0.0, 1.0, 0.0), *, name: str | None = None
) -> ReducedAppendage:
    """Mirror image in the plane through the basic origin with the given normal (left wing from right wing).

    Interface axes are reflected too; the row most nearly along the normal is then reversed so that they stay
    right-handed. Recovery matrices are left out, since their rows have no stated parity.

    Args:
        appendage: the record.
        name: of the image; by default the old one and ``(mirrored)``.
    """
    n = np.asarray(normal, dtype=float)
    if n.shape != (3,) or not np.linalg.norm(n) > 0.0:
        raise InputError("the normal of a mirror must be a vector that is not zero", found=n.tolist())
    n = n / np.linalg.norm(n)
    Q = np.eye(3) - 2.0 * np.outer(n, n)
    image = _turned(appendage, Q, name or f"{appendage.name} (mirrored)", n)
    topology = replace(image.topology, triangles=image.topology.triangles[:, ::-1])
    return image.changed(recovery={}, topology=topology)


def _turned(appendage: ReducedAppendage, Q: FloatArray, name: str, normal: FloatArray) -> ReducedAppendage:
    sign = float(np.sign(np.linalg.det(Q)))
    nodes = appendage.nodes
    both = np.zeros((6, 6))
    both[:3, :3], both[3:, 3:] = Q, sign * Q

    def axes_of(interface: Interface) -> FloatArray:
        rows = interface.axes @ Q.T
        if sign < 0.0:
            rows = np.array(rows)
            worst = int(np.argmax(np.abs(rows @ normal)))
            rows[worst] = -rows[worst]
        return np.asarray(rows)

    return appendage.changed(
        name=name,
        integrals=turned_integrals(appendage.integrals, Q),
        nodes=NodeTable(
            nodes.ids,
            nodes.positions @ Q.T,
            np.einsum("ab,nbk->nak", Q, nodes.translation),
            sign * np.einsum("ab,nbk->nak", Q, nodes.rotation),
            nodes.energy,
            *(
                None if psi is None else np.einsum("ab,nbp->nap", both[: psi.shape[1], : psi.shape[1]], psi)
                for psi in (nodes.second, nodes.foreshortening)
            ),
        ),
        topology=appendage.topology.turned(Q),
        interfaces=tuple(
            Interface(
                i.name,
                i.node_id,
                Q @ i.position,
                axes_of(i),
                Q @ i.translation,
                sign * Q @ i.rotation,
                second_translation=_turned_pairs(Q, i.second_translation),
                second_rotation=_turned_pairs(sign * Q, i.second_rotation),
            )
            for i in appendage.interfaces
        ),
        reference_point=Q @ appendage.reference_point,
        sources=tuple(source.turned(Q) for source in appendage.sources),
        bodies=appendage.bodies.turned(Q),
        geometric_stiffness=turned_families(appendage.geometric_stiffness, Q),
        reports={
            word: entry
            for word, entry in _report(
                appendage, "axes", {"turned_by": Q.tolist()}, held=_turned_held(appendage, Q, sign)
            ).items()
            if word != "spinning"  # shapes in the axes before
        },
    )


def _turned_pairs(Q: FloatArray, psi: FloatArray | None) -> FloatArray | None:
    return None if psi is None else np.einsum("ab,bkl->akl", Q, psi)


def _mixed_pairs(psi: FloatArray | None, T: FloatArray) -> FloatArray | None:
    return None if psi is None else T.T @ psi @ T


@checked_arguments
def combined(
    appendage: ReducedAppendage,
    matrix: ArrayLike,
    *,
    names: Sequence[str] | None = None,
    kinds: Sequence[str] | None = None,
    note: Mapping[str, Any] | None = None,
) -> ReducedAppendage:
    """Other modal coordinates: eta_old = T eta_new with T (k, j), j <= k.

    Args:
        appendage: the record.
        matrix: T.
        names: of the new modes.
        kinds: of the new modes.
        note: entry for the report.
    """
    T = np.asarray(matrix, dtype=float)
    if T.ndim != 2 or T.shape[0] != appendage.count:
        raise InputError("the matrix must have one row per mode", found=T.shape, expected=f"({appendage.count}, j)")
    j = T.shape[1]
    nodes = appendage.nodes
    size = np.abs(T)
    chosen = j > 0 and bool((np.count_nonzero(T, axis=0) == 1).all())  # each new mode is a multiple of an old one
    main = np.argmax(size, axis=0) if j else np.zeros(0, int)
    residuals = appendage.frame.residuals
    averaged: tuple[float, ...] = ()
    if residuals:
        averaged = tuple(float(v) for v in (size.T @ np.asarray(residuals)) / np.maximum(size.sum(axis=0), 1e-300))
    return replace(
        appendage,
        integrals=combined_integrals(appendage.integrals, T),
        stiffness=symmetric(T.T @ appendage.stiffness @ T),
        damping=T.T @ appendage.damping @ T,
        nodes=NodeTable(
            nodes.ids,
            nodes.positions,
            nodes.translation @ T,
            nodes.rotation @ T,
            nodes.energy[:, main] * T[main, np.arange(j)] ** 2 if chosen and nodes.energy is not None else None,
            mixed(nodes.second, T),
            mixed(nodes.foreshortening, T),
        ),
        interfaces=tuple(
            replace(
                i,
                translation=i.translation @ T,
                rotation=i.rotation @ T,
                second_translation=_mixed_pairs(i.second_translation, T),
                second_rotation=_mixed_pairs(i.second_rotation, T),
            )
            for i in appendage.interfaces
        ),
        bodies=appendage.bodies.combined(T),
        frame=replace(appendage.frame, residuals=averaged),
        mode_names=tuple(names) if names is not None else tuple(appendage.mode_names[i] for i in main),
        mode_kinds=tuple(kinds) if kinds is not None else tuple(appendage.mode_kinds[i] for i in main),
        geometric_stiffness=combined_families(appendage.geometric_stiffness, T),
        recovery={n: m @ T for n, m in appendage.recovery.items()},
        reports=_combined_reports(appendage, T, note or {"changed": f"{appendage.count} to {j}"}),
    )


@checked_arguments
def keep_modes(appendage: ReducedAppendage, modes: Sequence[int] | IntArray) -> ReducedAppendage:
    """Keep the given modes (0-based), in the given order.

    Args:
        appendage: the record.
    """
    chosen = np.asarray(modes, dtype=np.int64)
    if chosen.size and (chosen.min() < 0 or chosen.max() >= appendage.count or len(set(chosen.tolist())) < len(chosen)):
        raise InputError(
            "modes must be different numbers", found=chosen.tolist(), expected=f"0 to {appendage.count - 1}"
        )
    return combined(appendage, np.eye(appendage.count)[:, chosen], note={"kept_modes": chosen.tolist()})


@checked_arguments
def renamed(appendage: ReducedAppendage, names: Mapping[int | str, str]) -> ReducedAppendage:
    """Give modes names of your own: 0-based number or present name -> new name.

    Args:
        appendage: the record.
    """
    new = list(appendage.mode_names)
    for key, text in names.items():
        place = new.index(key) if isinstance(key, str) and key in new else key
        if not isinstance(place, int) or not 0 <= place < appendage.count:
            raise InputError("unknown mode", found=repr(key), expected=f"0 to {appendage.count - 1}, or a mode's name")
        new[place] = text
    return appendage.changed(mode_names=tuple(new))


Normalization = Literal["mass", "displacement"]


@checked_arguments
def normalized(appendage: ReducedAppendage, by: Normalization | ArrayLike = "mass") -> ReducedAppendage:
    """Scale the shapes to unit modal mass, to unit largest nodal translation, or by the given factors (k,).

    Args:
        appendage: the record.
        by: ``mass``, ``displacement``, or factors (k,).
    """
    if isinstance(by, str):
        if by == "mass":
            factors = 1.0 / np.where(appendage.massless, 1.0, np.sqrt(np.abs(np.diag(appendage.integrals.modal_mass))))
        elif by == "displacement":
            factors = 1.0 / np.linalg.norm(appendage.nodes.translation, axis=1).max(axis=0)
        else:
            raise InputError("unknown normalization", found=repr(by), expected="mass, displacement, or factors")
    else:
        factors = np.asarray(by, dtype=float)
    if factors.shape != (appendage.count,) or not np.isfinite(factors).all() or (factors == 0.0).any():
        raise InputError("factors must be finite, not zero, one per mode", found=factors.tolist())
    return combined(appendage, np.diag(factors), note={"normalized": by if isinstance(by, str) else "factors"})


@checked_arguments
def natural(appendage: ReducedAppendage) -> ReducedAppendage:
    """Change to natural modes of the reduced matrices: Me = 1, Ke diagonal and ascending.

    Args:
        appendage: the record.
    """
    _, X = natural_modes(appendage.integrals.modal_mass, appendage.stiffness)
    size = np.abs(X)
    X = X * np.sign(X[np.argmax(size, axis=0), np.arange(X.shape[1])]) if X.size else X
    names = tuple(f"mode {i + 1}" for i in range(X.shape[1]))
    return combined(appendage, X, names=names, kinds=("elastic",) * X.shape[1], note={"changed": "natural modes"})


def _orthogonal(matrix: ArrayLike) -> FloatArray:
    Q = np.asarray(matrix, dtype=float)
    if Q.shape != (3, 3) or np.abs(Q @ Q.T - np.eye(3)).max() > 1e-9:
        raise InputError("axes must be three orthonormal rows", found=Q.tolist())
    return Q


# -- reports that speak of O, of axes or of modes ------------------------------------------------------
def _report(
    appendage: ReducedAppendage, word: str, entry: dict[str, Any], held: dict[str, Any] | None = None
) -> dict[str, Any]:
    reports = {**appendage.reports, word: entry}
    if held is not None:
        reports["held"] = held
    return reports


def _combined_reports(appendage: ReducedAppendage, T: FloatArray, note: Mapping[str, Any]) -> dict[str, Any]:
    """Energy by group follows a choice or scaling of modes; for mixtures it is left out."""
    reports = _report(appendage, "coordinates", dict(note))
    groups = reports.pop("energy_by_group", None)
    if groups and bool(((T != 0.0).sum(axis=0) == 1).all()):
        rows = np.argmax(T != 0.0, axis=0)
        reports["energy_by_group"] = {name: [values[r] for r in rows] for name, values in groups.items()}
    return reports


def _moved_held(appendage: ReducedAppendage, d: FloatArray) -> dict[str, Any] | None:
    return _changed_held(appendage, rigid_columns(-d[None])[0])


def _turned_held(appendage: ReducedAppendage, Q: FloatArray, sign: float) -> dict[str, Any] | None:
    T = np.zeros((6, 6))
    T[:3, :3], T[3:, 3:] = Q.T, sign * Q.T
    return _changed_held(appendage, T)


def _changed_held(appendage: ReducedAppendage, T: FloatArray) -> dict[str, Any] | None:
    """Rigid matrices of the report for S_new = S_old T."""
    held = appendage.reports.get("held")
    if not held:
        return None
    changed = dict(held)
    for key, value in held.items():
        if key.endswith("rigid_mass") and value is not None:
            changed[key] = (T.T @ np.asarray(value) @ T).tolist()
    return changed


@checked_arguments
def placed(appendage: ReducedAppendage, point: ArrayLike) -> ReducedAppendage:
    """Move the appendage itself so that its O comes to the given basic point (m); nothing else changes."""
    return appendage.changed(reference_point=np.asarray(point, dtype=float))
