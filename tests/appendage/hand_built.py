"""Hand-built assembled models: no element library, so that the reduction is tested on its own."""

import numpy as np
from scipy.sparse import block_diag, csr_array

from tisserand.arrays import skew
from tisserand.assembly.assembled_model import AssembledModel, DofTable
from tisserand.model import NodalBodies, Nodes, StructuralModel, Supports
from tisserand.modes.modal_basis import FrameConstraint, ModalBasis


def bodies_on_springs(count: int = 5, seed: int = 3) -> AssembledModel:
    """Rigid bodies with offsets at random nodes,
    joined by a random elastic law that no rigid motion strains.
    """
    rng = np.random.default_rng(seed)
    positions = rng.normal(size=(count, 3)) * 2.0
    mass = rng.uniform(1.0, 3.0, count)
    offset = 0.3 * rng.normal(size=(count, 3))
    root = rng.normal(size=(count, 3, 3)) * 0.3
    second = root @ root.transpose(0, 2, 1)
    inertia = np.trace(second, axis1=1, axis2=2)[:, None, None] * np.eye(3) - second
    nodes = Nodes(np.arange(11, 11 + count), positions)
    block = NodalBodies(np.arange(count), np.arange(count)[:, None], mass, offset, inertia)
    structure = StructuralModel(
        "bodies", nodes, (block,), element_sets={"first two": np.array([0, 1])}, interfaces={"tip": 12}
    )
    matrices = []
    for m, d, I in zip(mass, offset, inertia):
        s = m * skew(d)
        matrices.append(np.block([[m * np.eye(3), -s], [s, I - m * skew(d) @ skew(d)]]))
    S = np.zeros((count, 6, 6))
    S[:, :3, :3], S[:, 3:, 3:], S[:, :3, 3:] = np.eye(3), np.eye(3), -skew(positions)
    S = S.reshape(-1, 6)
    full = rng.normal(size=(6 * count, 6 * count))
    project = np.eye(6 * count) - S @ np.linalg.pinv(S)
    stiffness = project @ (full @ full.T) @ project * 50.0
    dofs = DofTable(np.repeat(np.arange(count), 6), np.tile(np.arange(6), count), count)
    return AssembledModel(
        csr_array(0.5 * (stiffness + stiffness.T)), csr_array(block_diag(matrices)), dofs=dofs,
        recovery=csr_array(np.eye(6 * count)), rigid_body_vectors=S, nodes=nodes, name="bodies", structure=structure,
    )  # fmt: skip


def dense_basis(model: AssembledModel, held: tuple[int, ...] = (), name: str | None = None) -> ModalBasis:
    """All modes by a dense solve, clamped at the given node rows or free with rigid motion removed."""
    from scipy.linalg import eigh

    fixed = np.isin(model.dofs.node, held)
    free = ~fixed
    K, M = model.stiffness.toarray(), model.mass.toarray()
    values, vectors = eigh(K[np.ix_(free, free)], M[np.ix_(free, free)])
    skip = 0 if held else 6
    shapes = np.zeros((model.size, len(values) - skip))
    shapes[free] = vectors[:, skip:]
    rows = None if held else (model.mass @ model.rigid_body_vectors).T
    frame = FrameConstraint("connection" if held else "buckens", name or "test frame", rows)
    count = shapes.shape[1]
    labels = tuple(f"mode {i + 1}" for i in range(count))
    return ModalBasis(
        model,
        shapes,
        values[skip:],
        frame,
        fixed=fixed,
        labels=labels,
        kinds=("elastic",) * count,
        rigid_body_modes=0 if held else 6,
    )


def clamped(model: AssembledModel, node: int) -> Supports:
    return Supports.clamp([node])
