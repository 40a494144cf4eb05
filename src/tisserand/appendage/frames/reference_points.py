"""The reference point O, the attachment, and the named interfaces."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import ArrayLike

from tisserand.appendage.record.node_table import Interface
from tisserand.arrays import FloatArray, frozen, skew
from tisserand.errors import ModelError
from tisserand.modes.modal_basis import ModalBasis

#: Name given to an attachment that the user did not name.
DEFAULT_ATTACHMENT = "attachment"
#: Largest motion of a held attachment over the largest of the mode.
STILL = 1e-6


@dataclass(frozen=True, eq=False)
class Reference:
    """O in basic coordinates, the rule that chose it, and the attachment's interface name and node row (None: a point)."""

    point: FloatArray
    rule: str
    attachment: str | None
    node: int | None


def choose_reference(
    basis: ModalBasis,
    stated: ArrayLike | None,
    attachment: int | str | None,
    interfaces: Mapping[str, int] | Sequence[int] | None,
) -> Reference:
    """Choose the reference point O.

    In this order: the stated point, the attachment's node (the one that the basis was made for), the centroid of nodes
    that hold the structure, the mass center.
    """
    model = basis.model
    if attachment is None and basis.mount is not None:
        attachment = basis.mount.node_id
    name, node = _attachment_node(basis, attachment, named_nodes(basis, interfaces))
    if attachment is not None and node is not None:
        _refuse_moving(basis, node)
    held, holds = held_nodes(basis)
    if node is None and holds:
        if len(held) == 1:
            node = int(held[0])
            name = next((n for n, i in named_nodes(basis, interfaces).items() if i == node), DEFAULT_ATTACHMENT)
        else:
            name = DEFAULT_ATTACHMENT
    if stated is not None:
        point, rule = frozen(stated, shape=(3,)), "stated"
    elif node is not None:
        point, rule = frozen(model.nodes.positions[node]), f"attachment node {int(model.nodes.ids[node])}"
    elif holds:
        point, rule = frozen(_centroid(basis, held)), f"centroid of the {len(held)} held nodes"
    else:
        point, rule = frozen(model.mass_properties().center), "mass center"
    return Reference(point, rule, name, node)


def _refuse_moving(basis: ModalBasis, node: int) -> None:
    """An attachment moves with what carries it: modes of a held structure must vanish there."""
    if basis.frame.name != "connection" or any(kind != "elastic" for kind in basis.kinds) or not len(basis):
        return
    motion = np.abs(basis.model.displacements(basis.shapes)).reshape(len(basis.model.nodes), 6, -1)
    own, largest = motion[node, :3].max(axis=0), motion[:, :3].max(axis=(0, 1))
    moving = own > STILL * np.maximum(largest, 1e-300)
    if moving.any():
        number = int(basis.model.nodes.ids[node])
        raise ModelError(
            f"node {number} cannot be the attachment: the boundary does not hold it", where=basis.model.name,
            found=f"it moves in {int(moving.sum())} of {len(basis)} modes",
            expected="a node that the supports hold, or a floating frame (nothing held)",
            advice=f"hold node {number} in the deck, or let the structure float with --free",
        )  # fmt: skip


def _centroid(basis: ModalBasis, held: FloatArray) -> FloatArray:
    return np.asarray(basis.model.nodes.positions[held].mean(axis=0))


def held_nodes(basis: ModalBasis) -> tuple[FloatArray, bool]:
    """Nodes whose active dofs are all held, and whether they hold the structure against all six rigid motions."""
    model, fixed = basis.model, basis.fixed
    if not fixed.any():
        return np.zeros(0, np.int64), False
    free_count = np.bincount(model.dofs.node[~fixed], minlength=len(model.nodes))
    held = np.unique(model.dofs.node[fixed])
    held = held[free_count[held] == 0]
    rows = fixed & np.isin(model.dofs.node, held)
    S = np.array(model.rigid_body_vectors[rows])
    if len(S) == 0:
        return held, False
    center = model.nodes.positions[held].mean(axis=0)
    S[:, 3:] = S[:, 3:] + S[:, :3] @ skew(center)
    size = max(float(np.ptp(model.nodes.positions, axis=0).max()), 1e-300)
    S[:, 3:] /= size
    return held, bool(np.linalg.matrix_rank(S, tol=1e-9) == 6)


def named_nodes(basis: ModalBasis, interfaces: Mapping[str, int] | Sequence[int] | None) -> dict[str, int]:
    """Node row of each interface name.

    Names of the model come first, then the given ones (an id in a bare list is named ``node 7``).
    """
    model = basis.model
    wanted: dict[str, int] = (
        {} if model.structure is None else {n: int(i) for n, i in model.structure.interfaces.items()}
    )
    if isinstance(interfaces, Mapping):
        wanted.update({str(n): int(i) for n, i in interfaces.items()})
    elif interfaces is not None:
        wanted.update({f"node {int(i)}": int(i) for i in interfaces})
    if not wanted:
        return {}
    rows = model.nodes.indices(list(wanted.values()), [f"point {name!r}" for name in wanted])
    return {name: int(row) for name, row in zip(wanted, rows)}


def _attachment_node(
    basis: ModalBasis, attachment: int | str | None, known: dict[str, int]
) -> tuple[str | None, int | None]:
    if attachment is None:
        if DEFAULT_ATTACHMENT in known:
            return DEFAULT_ATTACHMENT, known[DEFAULT_ATTACHMENT]
        return None, None
    if isinstance(attachment, str):
        if attachment not in known:
            raise ModelError(
                "the attachment is not a known interface",
                found=repr(attachment),
                expected=", ".join(known) or "a node id",
                advice=None if known else f"name the node with --point {attachment}=ID",
            )
        return attachment, known[attachment]
    row = int(basis.model.nodes.indices([int(attachment)], ["the attachment"])[0])
    name = next((n for n, r in known.items() if r == row), DEFAULT_ATTACHMENT)
    return name, row


def interfaces_of(
    basis: ModalBasis,
    shapes: FloatArray,
    reference: Reference,
    interfaces: Mapping[str, int] | Sequence[int] | None,
    axes: Mapping[str, ArrayLike] | None,
    fit_rotations: Sequence[str],
) -> tuple[tuple[Interface, ...], list[str]]:
    """Interfaces with their shapes (n, 6, k) at nodes, and notes on rotations that were fitted.

    Axes default to the node's own displacement axes. A held attachment of several nodes becomes a point
    fixed in the frame.
    """
    model, k = basis.model, shapes.shape[2]
    known = named_nodes(basis, interfaces)
    if reference.node is not None and reference.attachment is not None:
        known = {reference.attachment: reference.node, **known}
    unknown = [n for n in [*(axes or {}), *fit_rotations] if n not in known]
    if unknown:
        raise ModelError("unknown interface", found=", ".join(map(repr, unknown)), expected=", ".join(known) or "none")
    found, notes = [], []
    if reference.attachment is not None and reference.node is None:
        held, _ = held_nodes(basis)
        position = _centroid(basis, held) - reference.point
        found.append(Interface(reference.attachment, -1, position, np.eye(3), np.zeros((3, k)), np.zeros((3, k))))
    for name, row in known.items():
        own = np.eye(3) if model.nodes.axes is None else model.nodes.axes[row]
        turned = np.asarray((axes or {}).get(name, own), dtype=float)
        if turned.shape != (3, 3) or np.abs(turned @ turned.T - np.eye(3)).max() > 1e-9 or np.linalg.det(turned) < 0.0:
            raise ModelError("interface axes must be three right-handed orthonormal rows", where=f"interface {name}")
        theta = shapes[row, 3:]
        if name in fit_rotations:
            theta, count, misfit = fitted_rotation(basis, shapes, row)
            notes.append(
                f"interface {name!r}: rotation fitted to {count} neighbors "
                f"(least-squares rigid motion, misfit {misfit:.1e})"
            )
        position = model.nodes.positions[row] - reference.point
        found.append(Interface(name, int(model.nodes.ids[row]), position, turned, shapes[row, :3], theta))
    return tuple(found), notes


def fitted_rotation(basis: ModalBasis, shapes: FloatArray, row: int) -> tuple[FloatArray, int, float]:
    """Rotation (3, k) of the rigid motion that best fits a node and its neighbors, the neighbors, and the misfit.

    Neighbors are the nodes that share an element with it.
    """
    structure = basis.model.structure
    if structure is None:
        raise ModelError("a rotation can be fitted only where elements are known", where=basis.model.name)
    around: set[int] = set()
    for block in structure.elements:
        touching = block.nodes[(block.nodes == row).any(axis=1)]
        around.update(int(node) for node in touching.ravel() if node >= 0)
    near = np.array(sorted(around), dtype=np.int64)
    arms = basis.model.nodes.positions[near] - basis.model.nodes.positions[row]
    system = np.zeros((len(near), 3, 6))
    system[:, :, :3], system[:, :, 3:] = np.eye(3), -skew(arms)
    tolerance = 1e-9 * max(float(np.abs(arms).max(initial=0.0)), 1e-300)
    if len(near) < 3 or np.linalg.matrix_rank(system.reshape(-1, 6), tol=tolerance) < 6:
        raise ModelError(
            "too few neighbors to fit a rotation", found=f"{len(near)} nodes around node {basis.model.nodes.ids[row]}"
        )
    wanted = shapes[near, :3].reshape(3 * len(near), -1)
    motion, *_ = np.linalg.lstsq(system.reshape(-1, 6), wanted, rcond=None)
    left = wanted - system.reshape(-1, 6) @ motion
    misfit = float(np.linalg.norm(left)) / max(float(np.linalg.norm(wanted)), 1e-300)
    return np.asarray(motion[3:]), len(near), misfit
