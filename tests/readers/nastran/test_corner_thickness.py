"""Thickness at the corners of CQUAD4, CTRIA3 and CQUAD8, interpolated inside the elements.

Oracles: closed forms of a tapered strip (mass, tip deflection of a beam of varying I).
"""

import numpy as np
import pytest

from tisserand.assembly import assemble
from tisserand.errors import ReadError
from tisserand.readers.registry import read_model
from tisserand.statics import nodal_loads, solve_static

LENGTH, WIDTH, THICK, THIN = 2.0, 0.2, 0.04, 0.02


def strip(folder, count, card="CQUAD4", flag=0):
    """A cantilever whose thickness falls linearly from 40 to 20 mm; nu = 0."""
    lines = ["SOL 103", "CEND", "SPC=1", "BEGIN BULK", "MAT1,1,7.+10,3.5+10,,2700.", "PSHELL,1,1,.03,1,,1"]
    for i in range(count + 1):
        for j in (0, 1):
            lines.append(f"GRID,{2 * i + j + 1},,{LENGTH * i / count:.9f},{WIDTH * j:.9f},0.")
    for e in range(count):
        a, b = 2 * e + 1, 2 * e + 3
        s, t = (THICK + (THIN - THICK) * (e + d) / count for d in (0, 1))
        s, t = (s / 0.03, t / 0.03) if flag else (s, t)
        if card == "CQUAD4":
            lines.append(
                f"CQUAD4,{e + 1},1,{a},{b},{b + 1},{a + 1},,,+\n+,,{flag or ''},{s:.6f},{t:.6f},{t:.6f},{s:.6f}"
            )
        else:
            lines.append(f"CTRIA3,{2 * e + 1},1,{a},{b},{b + 1},,,+\n+,,,{s:.6f},{t:.6f},{t:.6f}")
            lines.append(f"CTRIA3,{2 * e + 2},1,{a},{b + 1},{a + 1},,,+\n+,,,{s:.6f},{t:.6f},{s:.6f}")
    lines += ["SPC1,1,123456,1,2", "ENDDATA"]
    path = folder / "strip.bdf"
    path.write_text("\n".join(lines) + "\n")
    return assemble(read_model(path, units="SI"))


@pytest.mark.parametrize(("card", "flag", "rel"), [("CQUAD4", 0, 0.01), ("CQUAD4", 1, 0.01), ("CTRIA3", 0, 0.03)])
def test_tapered_strip(tmp_path, card, flag, rel):
    """Mass exact; tip deflection int P (L - x)²/(E I(x)) dx on eight elements."""
    body = strip(tmp_path, 8, card, flag)
    assert body.mass_properties().mass == pytest.approx(2700 * LENGTH * WIDTH * 0.03, rel=1e-6)
    x = np.linspace(0, LENGTH, 20001)
    inertia = WIDTH * (THICK + (THIN - THICK) * x / LENGTH) ** 3 / 12
    exact = np.trapezoid((LENGTH - x) ** 2 / (7e10 * inertia), x)
    u = body.displacements(solve_static(body, nodal_loads(body, {17: (0, 0, 0.5), 18: (0, 0, 0.5)})).displacement)
    assert u[16:, 2, 0].mean() == pytest.approx(exact, rel=rel)


def test_what_the_block_keeps(tmp_path):
    """Corner thickness over T; T itself in a blank corner; the mean where the property has none."""
    block = strip(tmp_path, 1).structure.elements[0]
    assert block.taper[0] == pytest.approx(np.array([THICK, THIN, THIN, THICK]) / 0.03, rel=1e-6)
    text = (tmp_path / "strip.bdf").read_text()
    found = {}
    for name, old, new in (("blank", ".020000,0.020000", ".020000,"), ("none", "PSHELL,1,1,.03,", "PSHELL,1,1,,")):
        assert old in text
        path = tmp_path / f"{name}.bdf"
        path.write_text(text.replace(old, new, 1))
        found[name] = read_model(path, units="SI")
    assert found["blank"].elements[0].taper[0] == pytest.approx(np.array([4, 2, 3, 4]) / 3, rel=1e-6)
    assert found["none"].sections[0].thickness == pytest.approx(0.03, rel=1e-6)
    assert found["none"].elements[0].taper[0] == pytest.approx(np.array([4, 2, 2, 4]) / 3, rel=1e-6)


def test_corners_without_a_membrane_material_are_refused(tmp_path):
    strip(tmp_path, 1)
    path = tmp_path / "strip.bdf"
    path.write_text(path.read_text().replace("PSHELL,1,1,.03,1,", "PSHELL,1,,.03,1,"))
    with pytest.raises(ReadError, match=r"CQUAD4.*need the membrane material"):
        read_model(path, units="SI")
