"""Inertia about any point and principal axes of assembled models, against figures of S4 4.8 and its table of uniform bodies."""

import numpy as np
import pytest

import tisserand as ts


def assembled(tmp_path, *cards: str) -> ts.AssembledModel:
    path = tmp_path / "bodies.bdf"
    path.write_text("\n".join(["SOL 103", "BEGIN BULK", *cards, "ENDDATA"]) + "\n")
    return ts.assemble(ts.read_model(path, units="SI"))


def test_4_8_principal_moments_and_axes(tmp_path):
    """Printed matrix (in m L²) to printed moments 0.381131, 10.3665, 10.5857 and axes to three digits."""
    I = np.array([[31 / 3, -1 / 2, 3 / 2], [-1 / 2, 28 / 3, 3], [3 / 2, 3, 5 / 3]])
    rows = f"+,{I[0, 0]:.12g},{-I[1, 0]:.12g},{I[1, 1]:.12g},{-I[2, 0]:.12g},{-I[2, 1]:.12g},{I[2, 2]:.12g}"
    model = assembled(tmp_path, "GRID,1,,0.,0.,0.", "CONM2,2,1,,4.", rows)
    moments, axes = ts.mass_properties_of(model).principal
    assert moments == pytest.approx([0.381131, 10.3665, 10.5857], rel=5e-6)
    printed = np.array([[-0.157, -0.322, 0.934], [-0.0724, 0.947, 0.314], [0.985, 0.0185, 0.172]])
    for axis, wanted in zip(axes.T, printed):
        assert axis * np.sign(axis @ wanted) == pytest.approx(wanted, abs=6e-4)


@pytest.mark.parametrize("elements", [1, 7])
def test_uniform_line_about_its_center_its_end_and_a_point_beside_it(tmp_path, elements):
    """A thin bar of consistent mass: m L²/12 about the center, m L²/3 about an end, plus m d² beside it."""
    L, m = 1.8, 2.4
    x = np.linspace(0.0, L, elements + 1)
    cards = [f"GRID,{i + 1},,{xi},0.,0." for i, xi in enumerate(x)]
    cards += [f"CBAR,{i + 1},1,{i + 1},{i + 2},0.,1.,0." for i in range(elements)]
    cards += ["PBAR,1,1,1e-6,1e-13,1e-13,1e-13", f"MAT1,1,7e10,,0.3,{m / (L * 1e-6)}"]
    path = tmp_path / "line.bdf"
    path.write_text("\n".join(["SOL 103", "BEGIN BULK", *cards, "ENDDATA"]) + "\n")
    found = ts.mass_properties_of(ts.assemble(ts.read_model(path, units="SI"), "consistent"))
    assert found.mass == pytest.approx(m) and found.center == pytest.approx([L / 2, 0, 0])
    assert found.inertia[1, 1] == pytest.approx(m * L**2 / 12, rel=1e-6)
    assert found.inertia_about([0, 0, 0])[2, 2] == pytest.approx(m * L**2 / 3, rel=1e-6)
    assert found.inertia_about([0, 0.5, 0])[2, 2] == pytest.approx(m * L**2 / 3 + m * 0.25, rel=1e-6)
