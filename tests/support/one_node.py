"""The smallest record: one node, no modes."""

import numpy as np

from tisserand.appendage.integrals.modal_integrals import ModalIntegrals
from tisserand.appendage.record.node_table import NodeTable
from tisserand.appendage.record.reduced_appendage import FrameRecord, ReducedAppendage


def one_node() -> ReducedAppendage:
    k = 0
    zero = np.zeros
    integrals = ModalIntegrals(
        mass=2.0,
        center=zero(3),
        inertia=np.eye(3),
        translation=zero((3, k)),
        rotation=zero((3, k)),
        position_shape=zero((3, 3, k)),
        shape_shape=zero((3, 3, k, k)),
        modal_mass=zero((k, k)),
        turn_first=zero((3, k, k)),
        turn_second=zero((3, 3, k, k)),
    )
    nodes = NodeTable(np.array([7]), zero((1, 3)), zero((1, 3, k)), zero((1, 3, k)))
    return ReducedAppendage(
        "stone",
        integrals=integrals,
        stiffness=zero((k, k)),
        damping=zero((k, k)),
        nodes=nodes,
        frame=FrameRecord("connection", "a single node"),
    )
