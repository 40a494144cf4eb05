"""The prestressed state as a new assembled model, and the matrices of spin.

K_geo follows from the stresses of a linear displacement; centrifugal softening and the gyroscopic matrix are
kept apart, so that a caller may add, scale or leave them.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace

import numpy as np
from scipy.sparse import csr_array

from tisserand.arguments import checked_arguments
from tisserand.arrays import FloatArray, skew
from tisserand.assembly.assemble import chunks
from tisserand.assembly.assembled_model import AssembledModel
from tisserand.assembly.rigid_arms import rigid_arms
from tisserand.elements.element_data import Prepared
from tisserand.errors import ModelError
from tisserand.model import StructuralModel
from tisserand.statics.arm_forces import arm_stiffness, element_forces, loaded_nodes
from tisserand.statics.directional import scattered, source_of, weighted_mass
from tisserand.statics.load_vectors import ORIGIN, full_loads, spin_load
from tisserand.statics.static_solution import StaticSolution, solve_static
from tisserand.statics.turning_masses import turning_softening


def geometric_stiffness(
    assembled: AssembledModel, displacement: FloatArray, dead_loads: Mapping[int, Sequence[float]] | None = None
) -> csr_array:
    """(d, d) K_geo of the stresses that a displacement (d,) over independent dofs makes. Linear in it.

    Forces keep their direction, moments are semi-tangential. Rigid arms turn: the force that elements take from the end
    of an arm works on its second degree (theory 8.1). ``dead_loads`` {node id: (fx, fy, fz[, mx, my, mz])}: loads
    N, basic axes, among those that stress the structure which sit on arms themselves and keep their direction.
    """
    model = source_of(assembled, "geometric stiffness")
    moved = np.asarray(displacement, dtype=float)
    if moved.shape != (assembled.size,):
        raise ModelError(
            "one displacement over the independent dofs is needed", found=moved.shape, expected=(assembled.size,)
        )
    nodal = assembled.displacements(moved)[:, :, 0]
    total = _summed(model, len(assembled.nodes), lambda part: part.geometric_stiffness(nodal))
    arms = rigid_arms(model)
    if len(arms):
        forces = element_forces(model, nodal[:, :, None], loaded_nodes(arms, len(nodal)))[:, :, 0]
        forces = forces - full_loads(assembled, dead_loads or {})
        total = total + arm_stiffness(arms, forces)
    return csr_array(assembled.recovery.T @ (total @ assembled.recovery))


def displaced_stiffness(assembled: AssembledModel, displacement: FloatArray) -> csr_array:
    """(d, d) change of the elastic stiffness of solids at the place to which a displacement (d,) leads; of no other family."""
    model = source_of(assembled, "the stiffness of a displaced structure")
    nodal = assembled.displacements(np.asarray(displacement, dtype=float))[:, :, 0]
    total = _summed(model, len(assembled.nodes), lambda part: part.displaced_stiffness(nodal))
    return csr_array(assembled.recovery.T @ (total @ assembled.recovery))


def _summed(model: StructuralModel, nodes: int, matrices_of: Callable[[Prepared], FloatArray | None]) -> csr_array:
    """(6 n, 6 n) sum of element matrices over the leading components of their nodes, basic axes."""
    total = csr_array((6 * nodes, 6 * nodes))
    for block in model.elements:
        for part in chunks(model, block):
            matrices = matrices_of(part)
            if matrices is None:
                continue
            count = matrices.shape[-1] // part.nodes.shape[1]
            rows = (6 * part.nodes[:, :, None] + np.arange(count)).reshape(len(part), -1)
            total = total + scattered(rows, matrices, 6 * nodes)
    return total


@checked_arguments
def prestress(
    assembled: AssembledModel,
    displacement: FloatArray,
    *,
    dead_loads: Mapping[int, Sequence[float]] | None = None,
    name: str | None = None,
) -> AssembledModel:
    """The same model with stiffness K + K_geo of the stress state caused by ``displacement`` (d,).

    ``dead_loads`` as in ``geometric_stiffness``.

    Args:
        assembled: the assembled model.
        name: of the new model.
    """
    stiffness = csr_array(assembled.stiffness + geometric_stiffness(assembled, displacement, dead_loads))
    stiffness.sort_indices()
    note = "stiffness includes the geometric stiffness of a stress state"
    structure = None if assembled.structure is None else assembled.structure.changed(parts=())  # parts know no stress
    return replace(
        assembled, stiffness=stiffness, structure=structure, name=name or assembled.name, notes=(*assembled.notes, note)
    )


def spun(
    assembled: AssembledModel, spin: Sequence[float], about: FloatArray = ORIGIN, *, inertia_relief: bool = False
) -> tuple[AssembledModel, StaticSolution]:
    """The model stressed by a steady spin (rad/s, basic axes) about a point, and that static state.

    No softening is added.
    """
    state = solve_static(assembled, spin_load(assembled, spin, about), inertia_relief=inertia_relief, uncarried="hold")
    return prestress(assembled, state.displacement[:, 0]), state


def gyroscopic_matrix(assembled: AssembledModel, spin: Sequence[float]) -> csr_array:
    """(d, d) skew G with the Coriolis force G q': G = 2 sum_ab (w~)_ab M^{ab}, theory section 16.3."""
    return weighted_mass(assembled, 2.0 * skew(np.asarray(spin, dtype=float)), "the gyroscopic matrix")


def softening_matrix(assembled: AssembledModel, spin: Sequence[float], about: FloatArray = ORIGIN) -> csr_array:
    """(d, d) symmetric centrifugal term to ADD to the stiffness.

    It is sum_ab (w~w~)_ab M^{ab}, and the second degree of the rotation of nodal bodies, sections, fibers and rigid arms
    (``turning_softening``).
    """
    w = skew(np.asarray(spin, dtype=float))
    field = weighted_mass(assembled, w @ w, "centrifugal softening")
    model = source_of(assembled, "centrifugal softening")
    extra = turning_softening(model, assembled.mass_recipe, np.asarray(spin, dtype=float), about)
    return csr_array(field + assembled.recovery.T @ (extra @ assembled.recovery))
