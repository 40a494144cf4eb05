"""A mass matrix as the kinetic energy of a displacement field, with its directional parts.

Directional mass: theory section 2.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from tisserand.arrays import FloatArray, symmetric
from tisserand.elements._kernels_shell import add_field_mass
from tisserand.elements.element_data import DIRECTIONS


@dataclass(frozen=True, eq=False)
class MassField:
    """A displacement field and its mass: u_a = sum_f shapes[a, f] . q psi_f with int psi_f psi_g dm = weights.

    shapes (m, 3, f, nd) over basic dofs, components a along ``axes`` (m, 3, 3) or basic axes where None;
    weights (m, f, f).
    """

    shapes: FloatArray
    weights: FloatArray
    axes: FloatArray | None = None

    def mass(self) -> FloatArray:
        """(m, nd, nd): sum over the three directions, whichever axes they are in."""
        out = np.zeros((len(self.shapes), self.shapes.shape[3], self.shapes.shape[3]))
        for a in range(3):
            shape = np.ascontiguousarray(self.shapes[:, a])
            add_field_mass(shape, self.weights, shape, out)
        return symmetric(out)

    def directional(self) -> FloatArray:
        """(m, 6, nd, nd) in the order of DIRECTIONS."""
        shapes = self.shapes
        if self.axes is not None:
            shapes = np.einsum("mca,mcfn->mafn", self.axes, shapes, optimize=True)
        parts = [np.ascontiguousarray(shapes[:, a]) for a in range(3)]
        out = np.zeros((6, len(shapes), shapes.shape[3], shapes.shape[3]))
        for row, (a, b) in enumerate(DIRECTIONS):
            add_field_mass(parts[a], self.weights, parts[b], out[row])
            if a == b:
                out[row] = symmetric(out[row])
        return np.ascontiguousarray(out.swapaxes(0, 1))
