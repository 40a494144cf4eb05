"""Exact appendages of nodal bodies, with random or hand-made shapes: no finite elements needed."""

import numpy as np

from tisserand.appendage.integrals.from_nodal_bodies import nodal_body_integrals
from tisserand.appendage.record.node_table import Interface, NodeTable
from tisserand.appendage.record.reduced_appendage import FrameRecord, ReducedAppendage
from tisserand.appendage.record.turning_bodies import TurningBodies, no_bodies


def random_appendage(
    seed: int,
    modes: int = 4,
    nodes: int = 6,
    *,
    clamped: bool = True,
    bodies: bool = True,
    name: str = "wing",
    frequency=3.0,
    exact: bool = False,
):
    """Nodal bodies with offsets and inertias; the first node is the root interface, the last the tip.

    exact: the record lists them as bodies that turn exactly.
    """
    rng = np.random.default_rng(seed)
    x = np.cumsum(rng.uniform(0.2, 0.5, (nodes, 3)) * [1.0, 0.4, 0.3], axis=0)
    x[0] = 0.0
    m = rng.uniform(0.3, 1.5, nodes)
    s = rng.normal(size=(nodes, 3)) * 0.1 * bodies
    half = rng.normal(size=(nodes, 3, 3)) * 0.2
    inertia = np.einsum("nij,nkj->nik", half, half)
    inertia = (np.trace(inertia, axis1=1, axis2=2)[:, None, None] * np.eye(3) - inertia) * 0.5 * bodies
    phi, theta = rng.normal(size=(nodes, 3, modes)) * 0.3, rng.normal(size=(nodes, 3, modes)) * 0.3
    if clamped:
        phi[0], theta[0] = 0.0, 0.0
    integrals = nodal_body_integrals(x, m, s, inertia, phi, theta)
    L = np.linalg.cholesky(integrals.modal_mass)
    T = np.linalg.inv(L).T  # mass-normalize
    phi, theta = phi @ T, theta @ T
    integrals = nodal_body_integrals(x, m, s, inertia, phi, theta)
    omega = 2 * np.pi * np.linspace(0.5, 1.0, modes) * frequency
    faces = tuple(
        Interface(label, i + 1, x[i], np.eye(3), phi[i], theta[i])
        for label, i in (("root", 0), ("tip", nodes - 1), ("mid", nodes // 2))
    )
    table = NodeTable(np.arange(1, nodes + 1), x, phi, theta)
    return ReducedAppendage(
        name,
        integrals=integrals,
        stiffness=np.diag(omega**2),
        damping=np.zeros((modes, modes)),
        nodes=table,
        frame=FrameRecord("connection", "held at the root"),
        interfaces=faces,
        attachment="root",
        bodies=TurningBodies(np.arange(nodes), m, s, inertia, x, phi, theta) if exact else no_bodies(modes),
    )
