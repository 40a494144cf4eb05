"""Where the coordinates and speeds of a tree stand in the flat state y, by name and by body.

y = [base pose, joint coordinates, modal coordinates, rotor angles; base rates, joint speeds, modal rates, rotor rates;
states of the control laws; accounts of work and impulse]. Serves theory section 5.2.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from tisserand.multibody.joints import STEP_COORDINATES, STEP_SPEEDS
from tisserand.multibody.recursive.engine_model import HEAD
from tisserand.multibody.recursive.packing import row
from tisserand.multibody.tree import Tree


@dataclass(frozen=True, eq=False, kw_only=True)
class Places:
    """Places in y.

    joint_q, joint_u: joint -> its coordinates and speeds; eta, rotor: appendage -> slice, rotor -> number, within their groups;
    q, u: first coordinate and speed of each tree body; quaternions: first component of each; head: the record ``HEAD``.
    """

    joint_q: dict[str, list[int]]
    joint_u: dict[str, list[int]]
    eta: dict[str, slice]
    rotor: dict[str, int]
    q: list[int]
    u: list[int]
    quaternions: list[int]
    head: Any


def places_of(tree: Tree, states: int) -> Places:
    """The layout of a tree's state with so many ``states`` of control laws."""
    joint_q: dict[str, list[int]] = {}
    joint_u: dict[str, list[int]] = {}
    first_q, first_u, quaternions = [0], [0], [3]
    q, u = 7, 6
    for body in tree.bodies[1:]:
        n, m = STEP_COORDINATES[body.kind], STEP_SPEEDS[body.kind]
        first_q.append(q)
        first_u.append(u)
        if body.kind == "ball":
            quaternions.append(q)
        if body.joint is not None and n:
            joint_q.setdefault(body.joint, []).extend(range(q, q + n))
            joint_u.setdefault(body.joint, []).extend(range(u, u + m))
        q, u = q + n, u + m
    eta: dict[str, slice] = {}
    modes = 0
    for block in (block for body in tree.bodies for block in body.blocks):
        eta[block.name] = slice(modes, modes + block.integrals.count)
        modes += block.integrals.count
    rotor = {r.name: i for i, r in enumerate(r for b in tree.bodies for r in b.rotors)}
    speeds = q + modes + len(rotor)
    state = speeds + u + modes + len(rotor)
    head = row(
        HEAD, modes=modes, states=states, eta=q, psi=q + modes, speeds=speeds, eta_rate=speeds + u,
        psi_rate=speeds + u + modes, state=state, account=state + states, size=state + states + 7,
    )  # fmt: skip
    return Places(
        joint_q=joint_q,
        joint_u={name: [speeds + i for i in places] for name, places in joint_u.items()},
        eta=eta,
        rotor=rotor,
        q=first_q,
        u=[speeds + i for i in first_u],
        quaternions=quaternions,
        head=head,
    )
