"""A free beam: modes without supports, and what a floating frame does to their shapes.

A free body has six rigid motions; they are known from geometry and never searched numerically. The shapes that remain
live in the Buckens frame: no linear and no angular momentum of deformation (TR 32-1593 Eqs 37, 47). The same modes seen
from a frame that rides on the middle of the beam look different, and their frequencies are the same.
"""

from pathlib import Path

import kit
import numpy as np

import tisserand as ts

LENGTH, RIGIDITY, DENSITY, ELEMENTS = 4.0, 250.0, 1.5, 40


def main(folder: Path | None = None) -> dict[str, float]:
    model = kit.beam(LENGTH, ELEMENTS, RIGIDITY, DENSITY, depth=6.0)  # stiffer out of plane: no double frequencies
    basis = ts.solve_modes(model, count=8, free=True, frame="buckens")
    record = ts.reduce(basis)
    riding = ts.converted(basis, ts.node_frame(model, ELEMENTS // 2 + 1))

    # beta L of the bending modes in the x-y plane: w^2 = beta^4 EI/rhoA
    moved = model.displacements(basis.shapes)
    plane = np.flatnonzero(np.abs(moved[:, 1]).max(axis=0) > 10.0 * np.abs(moved[:, [0, 2]]).max(axis=(0, 1)))[:3]
    beta = (basis.eigenvalues[plane] * DENSITY / RIGIDITY) ** 0.25 * LENGTH

    if folder is not None:
        draw(folder, model, plane, moved, model.displacements(riding.shapes), basis.frequencies_hz)
    return {
        **{f"beta L {i + 1}": float(b) for i, b in enumerate(beta)},
        "rigid-body modes": basis.rigid_body_modes,
        "modes missed": basis.proof.missed,
        "momentum of deformation": float(np.abs(record.integrals.translation).max()),
        "angular momentum of deformation": float(np.abs(record.integrals.rotation).max()),
        "riding frame moves its node": float(np.abs(model.displacements(riding.shapes)[ELEMENTS // 2]).max()),
    }


def draw(folder, model, plane, floating, riding, hz):
    made, axes = kit.plot(1, 2, width=10.0, height=4.0)
    x = model.nodes.positions[:, 0]
    for a, shapes, title in zip(axes, (floating, riding), ("Buckens frame", "Frame riding on the middle node")):
        kit.label(a, title, "along the beam (m)", "shape (1/sqrt(kg))")
        for k in plane:
            a.plot(x, shapes[:, 1, k], label=f"{hz[k]:.2f} Hz")
    axes[0].legend(frameon=False, fontsize=9)
    kit.save(made, folder, "01_free_beam")


if __name__ == "__main__":
    kit.run(main)
