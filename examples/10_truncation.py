"""How many modes? The truss of Kane, Likins and Levinson (9.9) released with 1, 3 and 12 modes.

Eight nodes, thirteen members, four nodes held. All free nodes are moved by L/10 along x and let go. The error of a
truncated basis is predicted before any run, and then measured.
"""

from pathlib import Path

import kit
import numpy as np

from tisserand.appendage import predict_release
from tisserand.assembly import assemble
from tisserand.model import Isotropic, Nodes, RodBlock, RodSection, StructuralModel, Supports
from tisserand.modes import solve_modes

L, MASS, STIFFNESS, AREA = 2.0, 1.5, 40.0, 1e-4  # member length, its mass, k = EA/L
MEMBERS = "12 23 34 41 15 26 37 48 13 16 18 36 38"


def truss():
    top = np.array([[0, 0, 0], [L, 0, 0], [L, L, 0], [0, L, 0]], float)
    points = np.concatenate([top, top - [0.0, 0.0, L]])
    pairs = np.array([[int(a) - 1, int(b) - 1] for a, b in MEMBERS.split()])
    young = STIFFNESS * L / AREA
    material = Isotropic(1, young, young / 2.5, 0.25, MASS / (AREA * L))
    return assemble(
        StructuralModel(
            "truss", Nodes(np.arange(1, 9), points), (RodBlock(np.arange(1, 14), pairs, np.zeros(13, int)),),
            (RodSection(1, material, AREA),), (material,), supports=Supports.clamp([4, 5, 6, 7], "123"),
            mass_recipe="particles",
        )
    )  # fmt: skip


def main(folder: Path | None = None) -> dict[str, float]:
    model = truss()
    basis = solve_modes(model, count=12)
    u0 = np.zeros(model.size)
    u0[(model.dofs.component == 0) & ~basis.fixed] = L / 10

    times = np.linspace(0.0, 300.0, 15001)
    omega = np.sqrt(basis.eigenvalues)
    eta = basis.shapes.T @ (model.mass @ u0)

    def response(modes: int) -> np.ndarray:
        return (np.cos(np.outer(times, omega[:modes])) * eta[:modes]) @ basis.shapes[:, :modes].T

    full = response(12)
    start = u0 @ (model.mass @ u0)

    def measured(modes: int) -> float:
        """What is missing, mass-weighted, over the start; a cosine has mean square 1/2."""
        gap = full - response(modes)
        return float(np.sqrt(2.0 * np.mean(np.einsum("ti,ti->t", gap, (model.mass @ gap.T).T)) / start))

    numbers = {f"lambda m/k {i + 1}": float(v) for i, v in enumerate(basis.eigenvalues * MASS / STIFFNESS)}
    for modes in (1, 3, 12):
        prediction = predict_release(basis, u0, range(modes))
        numbers[f"predicted share left out, {modes} modes"] = prediction.relative
        numbers[f"measured share left out, {modes} modes"] = measured(modes)
    if folder is not None:
        draw(folder, model, times, response)
    return numbers


def draw(folder, model, times, response):
    place = int(model.dofs.index[0, 0])
    made, (a,) = kit.plot(width=8.5, height=4.0)
    kit.label(a, "Truss released from x = L/10: node 1", "time (s)", "displacement along x (m)")
    for modes, style in ((12, "-"), (3, "--"), (1, ":")):
        a.plot(times, response(modes)[:, place], style, label=f"{modes} mode{'s' * (modes > 1)}")
    a.set_xlim(0, 25)
    a.legend(frameon=False, fontsize=9, ncols=3)
    kit.save(made, folder, "10_truncation")


if __name__ == "__main__":
    kit.run(main)
