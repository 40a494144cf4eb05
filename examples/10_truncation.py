"""How many modes? The truss of S4 9.9 (see docs/theory/bibliography.md) released with 1, 3 and 12 modes.

Eight nodes, thirteen members, four nodes held. All free nodes are moved by L/10 along x and let go. The error of a
truncated basis is predicted before any run, and then measured.
"""

from pathlib import Path

import kit
import numpy as np

import tisserand as ts

L, MASS, STIFFNESS, AREA = 2.0, 1.5, 40.0, 1e-4  # member length, its mass, k = EA/L
MEMBERS = "12 23 34 41 15 26 37 48 13 16 18 36 38"


def truss() -> ts.AssembledModel:
    corners = [(0, 0, 0), (L, 0, 0), (L, L, 0), (0, L, 0), (0, 0, -L), (L, 0, -L), (L, L, -L), (0, L, -L)]
    points = {str(i + 1): corner for i, corner in enumerate(corners)}
    material = ts.isotropic(STIFFNESS * L / AREA, 0.25, MASS / (AREA * L))
    model = ts.truss(points, [(a, b) for a, b in MEMBERS.split()], AREA, material)
    for foot in "5678":
        model = model.with_support(foot, "123")
    return ts.assemble(model, mass="particles")


def main(folder: Path | None = None) -> dict[str, float]:
    model = truss()
    basis = ts.solve_modes(model, count=12)
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
        prediction = ts.predict_release(basis, u0, range(modes))
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
