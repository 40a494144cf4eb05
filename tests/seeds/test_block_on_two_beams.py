"""A rigid block between two beams that are clamped to it and to opposite walls (S4 8.9, 10.6), against the closed forms.

The beams lie on one line, length L each; the block spans 2b between their tips, whose transverse displacements are q1, q2.
"""

import numpy as np
import pytest

import tisserand as ts

YOUNG, SIDE, LENGTH, HALF, MASS = 7e10, 0.01, 0.8, 0.15, 6.0
EI = YOUNG * SIDE**4 / 12.0


def deck(elements: int, inertia: float) -> str:
    """Wall, beam, block (rigid arms from its center), beam, wall along x; the beams have no mass, motion is in x-y."""
    lines = ["SOL 103", "BEGIN BULK", "GRID,100,,0.,0.,0.,,345", f"GRID,200,,{-HALF},0.,0.", f"GRID,300,,{HALF},0.,0."]
    area = SIDE**2
    element = 0
    for tip, sign in ((200, -1.0), (300, 1.0)):
        previous = tip
        for i in range(1, elements + 1):
            node = tip + i
            lines.append(
                f"GRID,{node},,{sign * (HALF + LENGTH * i / elements)},0.,0.,,{123456 if i == elements else 345}"
            )
            element += 1
            lines.append(f"CBAR,{element},1,{previous},{node},0.,1.,0.")
            previous = node
    lines += [
        f"PBAR,1,1,{area},{SIDE**4 / 12},{SIDE**4 / 12},{SIDE**4 / 6}", f"MAT1,1,{YOUNG},,0.3,0.",
        "RBE2,900,100,123456,200,300", f"CONM2,901,100,,{MASS}", f"+,{inertia},,{inertia},,,{inertia}", "ENDDATA",
    ]  # fmt: skip
    return "\n".join(lines) + "\n"


def tip_shapes(basis: ts.ModalBasis) -> np.ndarray:
    """Transverse displacement (tip, mode) of both tips."""
    return basis.model.displacements(basis.shapes)[basis.model.nodes.indices([200, 300]), 1]


@pytest.mark.parametrize("elements", [1, 3])
def test_frequencies_are_the_closed_forms(tmp_path, elements):
    """omega² = 24 EI/(m L³) and (72 EI/(m L³))(1 + L/b + L²/(3 b²)), with the block a slender bar of inertia m (2b)²/12."""
    path = tmp_path / "block.bdf"
    path.write_text(deck(elements, MASS * (2 * HALF) ** 2 / 12.0))
    basis = ts.solve_modes(ts.assemble(ts.read_model(path, units="SI")), count=2)
    L, b = LENGTH, HALF
    base = EI / (MASS * L**3)
    wanted = [24.0 * base, 72.0 * base * (1.0 + L / b + L**2 / (3.0 * b**2))]
    assert basis.eigenvalues == pytest.approx(wanted, rel=1e-8)
    tips = tip_shapes(basis)
    assert tips[0, 0] == pytest.approx(tips[1, 0], rel=1e-8)
    assert tips[0, 1] == pytest.approx(-tips[1, 1], rel=1e-8)


def test_stiffness_matrix_of_the_tips(tmp_path):
    """K = (12 EI/L³) [[1 + L/2b + L²/6b², -(L/2b)(1 + L/3b)], [sym]], rebuilt from the modes as Phi^-T Lambda Phi^-1."""
    path = tmp_path / "block.bdf"
    path.write_text(deck(1, MASS * (2 * HALF) ** 2 / 12.0))
    basis = ts.solve_modes(ts.assemble(ts.read_model(path, units="SI")), count=2)
    inverse = np.linalg.inv(tip_shapes(basis))
    found = inverse.T @ np.diag(basis.eigenvalues) @ inverse
    L, b = LENGTH, HALF
    diagonal, off = 1.0 + L / (2 * b) + L**2 / (6 * b**2), -(L / (2 * b)) * (1.0 + L / (3 * b))
    wanted = 12.0 * EI / L**3 * np.array([[diagonal, off], [off, diagonal]])
    assert found == pytest.approx(wanted, rel=1e-7)
