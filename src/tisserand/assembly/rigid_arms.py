"""Rigid arms to second degree: a slave on a turning arm moves by b~rho + 1/2 b~b~rho, not by b~rho alone (theory 8.1).

Every rigid element turns by one rotation vector b, linear in the motion of its nodes. A translation of one of its nodes
with place rho from the element's origin and direction e moves by e.(t + b~rho + 1/2 b~b~rho). Solved for the dependents,
u_d = C u_i + 1/2 g with g = g_d - C g_i, g_j = e_j.(b~b~rho_j) = b'(sym(e_j rho_j') - e_j.rho_j 1) b: a quadratic form
b'Q b per dependent dof. Chains carry it on linearly, u = (1 - G)^-1 (D u_i + 1/2 g). Rotation vectors are the same on the
whole element and have no second degree. Interpolation elements average and are not arms.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from weakref import WeakKeyDictionary

import numpy as np
from scipy.sparse import coo_array, csr_array

from tisserand.arrays import FloatArray, IntArray, frozen
from tisserand.assembly.axes import rigid_rows
from tisserand.assembly.elimination import chain_of
from tisserand.assembly.ties import rigid_reach, rigid_scale, tie_rows
from tisserand.model import Equation, NodalBodies, Nodes, RigidElement, StructuralModel

#: An equation is a rigid link of one node if its coefficients are those of a rigid motion to this share of its arm:
#: decks print them with five digits or more.
_LINK = 1e-4
#: A rotation that the independent dofs leave open shows as a null motion above this share.
_OPEN = 1e-8


@dataclass(frozen=True, eq=False, repr=False, kw_only=True)
class RigidArms:
    """The second degree of all rigid elements of a model with n nodes, e of them with arms.

    turn (3 e, 6 n): rotation vectors over [u; beta] of all nodes, basic axes; node, component (r,): dependent
    translations that arms move, components in node axes; element (r,) which arm; form Q (r, 3, 3) m; chain (6 n, r):
    motion of all nodes, basic axes, per unit of each dependent. leader (n, 2): the node that carries all six dofs
    of a node, and the one that carries its translations, as a rigid body, or -1; linear: labels of rigid elements
    whose rotation their independent dofs leave open, taken as linear.
    """

    turn: csr_array
    node: IntArray
    component: IntArray
    element: IntArray
    form: FloatArray
    chain: csr_array
    leader: IntArray
    linear: tuple[str, ...] = ()

    def __post_init__(self) -> None:
        object.__setattr__(self, "form", frozen(self.form, shape=(-1, 3, 3)))

    def __len__(self) -> int:
        return len(self.form)

    def rotations(self, shapes: FloatArray) -> FloatArray:
        """b (e, 3, k) of motions (n, 6, k) in basic axes."""
        k = shapes.shape[2]
        return np.asarray(self.turn @ shapes.reshape(self.turn.shape[1], k)).reshape(self.turn.shape[0] // 3, 3, k)

    def stiffness(self, forces: FloatArray) -> FloatArray:
        """(p, e, 3, 3) on the rotation of each arm: sum lam Q, lam the part of ``forces`` (n, 6, p) that acts through it."""
        lam = self.chain.T @ forces.reshape(self.chain.shape[0], -1)
        out = np.zeros((forces.shape[2], self.turn.shape[0] // 3, 3, 3))
        for p in range(len(out)):
            np.add.at(out[p], self.element, lam[:, p, None, None] * self.form)
        return out

    def moments(self, forces: FloatArray, shapes: FloatArray) -> FloatArray:
        """(p, k, k): work of ``forces`` (n, 6, p) on psi_kl = (second degree of the arms) for motions (n, 6, k)."""
        b = self.rotations(shapes)
        k = b.shape[2]
        flat = b.reshape(self.turn.shape[0], k)
        blocks = self.stiffness(forces)
        return np.array([flat.T @ (block @ b).reshape(flat.shape) for block in blocks]).reshape(len(blocks), k, k)

    def displacement(self, left: FloatArray, right: FloatArray) -> FloatArray:
        """psi (n, 6, p) of pairs of motions: left, right (n, 6, p), basic axes; u = phi eta + 1/2 psi eta eta."""
        a, b = self.rotations(left)[self.element], self.rotations(right)[self.element]
        own = np.einsum("rik,rij,rjk->rk", a, self.form, b, optimize=True)
        return np.asarray(self.chain @ own).reshape(-1, 6, left.shape[2])


_KNOWN: WeakKeyDictionary[StructuralModel, RigidArms] = WeakKeyDictionary()


def rigid_arms(model: StructuralModel) -> RigidArms:
    """Arms of every rigid element and of equations that state a rigid link; found once per model."""
    found = _KNOWN.get(model)
    if found is None:
        found = _KNOWN[model] = _found(model)
    return found


def carried_bodies(model: StructuralModel, block: NodalBodies) -> NodalBodies:
    """The same bodies at the nodes that lead them: m, d + (x_slave - x_master), Ic; chains are followed to their end.

    A body that turns follows a node that carries all six dofs of its own; a particle, one that carries its translations.
    """
    leader = rigid_arms(model).leader
    if not (leader[block.nodes[:, 0]] >= 0).any():
        return block
    node, x = block.nodes[:, 0].copy(), model.nodes.positions
    particle = ~(block.offset.any(axis=1) | block.inertia.any(axis=(1, 2)))
    for _ in range(len(leader)):
        onward = np.where(particle, leader[node, 1], leader[node, 0])
        moving = onward >= 0
        if not moving.any():
            break
        node = np.where(moving, onward, node)
        particle &= ~moving  # on its arm it turns
    return replace(block, nodes=node[:, None], offset=block.offset + x[block.nodes[:, 0]] - x[node])


@dataclass(frozen=True, eq=False)
class _Arm:
    """One rigid element: its dependents (q, 2), and B (3, p) that gives b from independents (p, 2) in node axes."""

    dependent: IntArray
    forms: FloatArray
    independent: IntArray
    turn: FloatArray


def _found(model: StructuralModel) -> RigidArms:
    nodes, count = model.nodes, len(model.nodes)
    leader = np.full((count, 6), -1, np.int64)
    arms: list[_Arm] = []
    linear: list[str] = []
    for stated in model.constraints:
        tie = _link(nodes, stated) if isinstance(stated, Equation) else stated
        if isinstance(tie, RigidElement):
            master = _master(tie)
            if master >= 0:
                leader[tie.dependent[:, 0], tie.dependent[:, 1]] = master
            arm = _arm(nodes, tie, master)
            if arm is None:
                linear.append(f"{tie.card} {tie.id}")
            elif arm.forms.any():
                arms.append(arm)
    whole = np.where((leader == leader[:, :1]).all(axis=1), leader[:, 0], -1)
    moved = np.where((leader[:, :3] == leader[:, :1]).all(axis=1), leader[:, 0], -1)
    return _joined(model, arms, np.stack([whole, moved], axis=1), tuple(linear))


def _joined(model: StructuralModel, arms: list[_Arm], leader: IntArray, linear: tuple[str, ...]) -> RigidArms:
    nodes, n = model.nodes, len(model.nodes)
    node, component, element, form = [], [], [], []
    rows, columns, values = [], [], []
    for number, arm in enumerate(arms):
        real = np.flatnonzero(np.abs(arm.forms).max(axis=(1, 2)) > 0.0)
        node.append(arm.dependent[real, 0])
        component.append(arm.dependent[real, 1])
        element.append(np.full(len(real), number))
        form.append(arm.forms[real])
        i, j = np.nonzero(arm.turn)
        axis = _directions(nodes, arm.independent)[j]  # (t, 3) basic axes
        at = arm.independent[j]
        for c in range(3):
            rows.append(3 * number + i)
            columns.append(6 * at[:, 0] + 3 * (at[:, 1] // 3) + c)
            values.append(arm.turn[i, j] * axis[:, c])
    empty = np.zeros(0, np.int64)
    node_, component_ = np.concatenate([empty, *node]), np.concatenate([empty, *component])
    turn = coo_array(
        (np.concatenate([np.zeros(0), *values]), (np.concatenate([empty, *rows]), np.concatenate([empty, *columns]))),
        shape=(3 * len(arms), 6 * n),
    ).tocsr()
    chain = csr_array((6 * n, len(node_)))
    if len(node_):
        chain = chain_of(nodes, tie_rows(nodes, model.constraints), 6 * node_ + component_)
    return RigidArms(
        turn=csr_array(turn),
        node=node_,
        component=component_,
        element=np.concatenate([empty, *element]),
        form=np.concatenate([np.zeros((0, 3, 3)), *form]),
        chain=chain,
        leader=leader,
        linear=linear,
    )


def _directions(nodes: Nodes, dofs: IntArray) -> FloatArray:
    """(p, 3) direction of each dof's axis in basic axes."""
    if nodes.axes is None:
        return np.asarray(np.eye(3)[dofs[:, 1] % 3])
    return np.asarray(nodes.axes[dofs[:, 0], dofs[:, 1] % 3])


def _master(tie: RigidElement) -> int:
    """The node whose six dofs alone lead the element, or -1."""
    lead = tie.independent
    if len(lead) == 6 and (lead[:, 0] == lead[0, 0]).all() and len(np.unique(lead[:, 1])) == 6:
        return int(lead[0, 0])
    return -1


def _arm(nodes: Nodes, tie: RigidElement, master: int) -> _Arm | None:
    """Forms of the dependents; None where the independent dofs leave open a rotation that an arm needs."""
    i, d = tie.independent, tie.dependent
    origin = nodes.positions[i[0, 0]]
    if master >= 0:
        turn = rigid_rows(nodes, i[:, 0], i[:, 1], origin).T[3:]
        return _Arm(d, _forms(nodes, d, origin), i, turn)
    scale = rigid_scale(rigid_reach(nodes, np.concatenate([i[:, 0], d[:, 0]]), origin))
    Si, Sd = rigid_rows(nodes, i[:, 0], i[:, 1], origin) * scale, rigid_rows(nodes, d[:, 0], d[:, 1], origin) * scale
    inverse = np.linalg.pinv(Si, rcond=_OPEN)
    forms = _forms(nodes, d, origin) - np.einsum("qp,pij->qij", Sd @ inverse, _forms(nodes, i, origin))
    _, sizes, motions = np.linalg.svd(Si)
    open_motions = motions[int((sizes > _OPEN * sizes[0]).sum()) :]
    if np.abs(open_motions[:, 3:]).max(initial=0.0) > _OPEN and np.abs(forms).max(initial=0.0) > 0.0:
        return None
    size = np.abs(forms).max(initial=0.0)
    forms = np.where(np.abs(forms) > 1e-13 * size, forms, 0.0)
    return _Arm(d, forms, i, (scale[:, None] * inverse)[3:])


def _forms(nodes: Nodes, dofs: IntArray, origin: FloatArray) -> FloatArray:
    """Q (q, 3, 3) of translations, sym(e rho') - e.rho 1; zero for rotations."""
    e, rho = _directions(nodes, dofs), nodes.positions[dofs[:, 0]] - origin
    outer = e[:, :, None] * rho[:, None, :]
    Q = 0.5 * (outer + outer.transpose(0, 2, 1)) - np.einsum("qi,qi->q", e, rho)[:, None, None] * np.eye(3)
    keep = dofs[:, 1] < 3
    if nodes.scalar is not None:
        keep = keep & ~nodes.scalar[dofs[:, 0]]
    return np.where(keep[:, None, None], Q, 0.0)


def _link(nodes: Nodes, tie: Equation) -> RigidElement | None:
    """The rigid element that an equation states: one dof follows the six of one other node as a rigid body."""
    same = (tie.terms == tie.terms[0]).all(axis=1)
    others = tie.terms[~same]
    if len(others) == 0 or (others[:, 0] != others[0, 0]).any() or others[0, 0] == tie.terms[0, 0]:
        return None
    if nodes.scalar is not None and nodes.scalar[[tie.terms[0, 0], others[0, 0]]].any():
        return None
    found = np.zeros(6)
    np.add.at(found, others[:, 1], -tie.coefficients[~same] / tie.coefficients[same].sum())
    lead = np.column_stack([np.full(6, others[0, 0]), np.arange(6)])
    origin = nodes.positions[others[0, 0]]
    wanted = (
        rigid_rows(nodes, tie.terms[:1, 0], tie.terms[:1, 1], origin)
        @ rigid_rows(nodes, lead[:, 0], lead[:, 1], origin).T
    )
    reach = np.linalg.norm(nodes.positions[tie.terms[0, 0]] - origin)
    if (np.abs(found - wanted[0]) > _LINK * np.array([1.0, 1.0, 1.0, reach, reach, reach]) + 1e-12).any():
        return None
    return RigidElement(tie.id, lead, tie.terms[:1], tie.card)
