"""Solids numbered left-handed: Nastran accepts them, so the mirror image of the numbering gives the same structure."""

from __future__ import annotations

import numpy as np
import pytest

from tisserand.assembly import assemble
from tisserand.modes import solve_modes
from tisserand.readers.nastran.solids import _MIRRORED
from tisserand.readers.registry import read_model

#: Reference corners and edges of every kind, in the order of the card.
CORNERS = {
    "tet": [(0, 0, 0), (1, 0, 0), (0, 1, 0), (0, 0, 1)],
    "hex": [(0, 0, 0), (1, 0, 0), (1, 1, 0), (0, 1, 0), (0, 0, 1), (1, 0, 1), (1, 1, 1), (0, 1, 1)],
    "wedge": [(0, 0, 0), (1, 0, 0), (0, 1, 0), (0, 0, 1), (1, 0, 1), (0, 1, 1)],
    "pyramid": [(0, 0, 0), (1, 0, 0), (1, 1, 0), (0, 1, 0), (0.5, 0.5, 1)],
}
EDGES = {
    "tet": [(0, 1), (1, 2), (2, 0), (0, 3), (1, 3), (2, 3)],
    "hex": [(0, 1), (1, 2), (2, 3), (3, 0), (0, 4), (1, 5), (2, 6), (3, 7), (4, 5), (5, 6), (6, 7), (7, 4)],
    "wedge": [(0, 1), (1, 2), (2, 0), (0, 3), (1, 4), (2, 5), (3, 4), (4, 5), (5, 3)],
    "pyramid": [(0, 1), (1, 2), (2, 3), (3, 0), (0, 4), (1, 4), (2, 4), (3, 4)],
}
CARD = {"tet": "CTETRA", "hex": "CHEXA", "wedge": "CPENTA", "pyramid": "CPYRAM"}


def read(tmp_path, kind, mirror):
    """One slightly skewed element; mirrored, its points lie at the places reflected in the plane z = 0."""
    shape = kind.rstrip("0123456789")
    x = np.array(CORNERS[shape], float)
    if int(kind[len(shape) :]) > len(x):
        x = np.vstack([x, [(x[a] + x[b]) / 2.0 for a, b in EDGES[shape]]])
    x = x @ np.array([[1.0, 0.1, 0.0], [0.0, 0.9, 0.2], [0.1, 0.0, 1.1]]) * [1.0, 1.0, -1.0 if mirror else 1.0]
    lines = [f"GRID,{k + 1},,{p[0]:.9f},{p[1]:.9f},{p[2]:.9f}" for k, p in enumerate(x)]
    fields = [CARD[shape], "1", "1", *map(str, range(1, len(x) + 1))]
    chunks = [fields[1:][i : i + 8] for i in range(0, len(fields) - 1, 8)]
    lines += [",".join(["" if i else fields[0], *chunk]) for i, chunk in enumerate(chunks)]
    file = tmp_path / f"{kind}{mirror}.bdf"
    file.write_text("\n".join([*lines, "PSOLID,1,1", "MAT1,1,7.+10,,.3,2700.", "ENDDATA", ""]))
    return read_model(file, units="SI")


@pytest.mark.parametrize("kind", _MIRRORED)
def test_the_mirror_image_has_the_same_eigenvalues(tmp_path, kind):
    """Reflection keeps stiffness and mass: eigenvalues of K and the total mass agree to round-off."""
    right, left = (read(tmp_path, kind, mirror) for mirror in (False, True))
    a, b = (np.linalg.eigvalsh(assemble(model).stiffness.toarray()) for model in (right, left))
    assert b == pytest.approx(a, rel=1e-9, abs=1e-9 * a.max())
    masses = [assemble(model).mass_properties().mass for model in (right, left)]
    assert masses[1] == pytest.approx(masses[0], rel=1e-12) and masses[0] > 0.0
    assert any("left-handed" in note for note in left.ledger.notes)
    assert not any("left-handed" in note for note in right.ledger.notes)


#: Hz that MYSTRAN 18 prints for a cantilever of 3 x 1 x 1 m, numbered right-handed and left-handed alike.
MYSTRAN = {"hex": (106.0718, 106.0718, 266.1628, 444.0419), "penta": (105.4572, 161.8801, 438.8299, 442.3782)}


@pytest.mark.parametrize("kind", MYSTRAN)
@pytest.mark.parametrize("left", [False, True])
def test_frequencies_of_either_numbering_are_those_of_mystran(tmp_path, kind, left):
    ids = {(i, j, k): 1 + 4 * i + 2 * j + k for i in range(4) for j in range(2) for k in range(2)}
    lines = [f"GRID,{n},,{i}.,{j}.,{k}." for (i, j, k), n in ids.items()]
    corners = ((0, 1, 2, 3),) if kind == "hex" else ((0, 1, 2), (0, 2, 3))
    for i in range(3):
        low, high = ([ids[i + a, b, k] for a, b in ((0, 0), (1, 0), (1, 1), (0, 1))] for k in (0, 1))
        for own in corners:
            faces = [[low[c] for c in own], [high[c] for c in own]]
            points = [str(n) for face in (faces[::-1] if left else faces) for n in face]
            card = f"{'CHEXA' if kind == 'hex' else 'CPENTA'},{len(lines)},1,{','.join(points[:6])}"
            lines += [card, *([",".join(["", *points[6:]])] if len(points) > 6 else [])]
    lines += ["SPC1,1,123456,1,2,3,4", "PSOLID,1,1,,2,,1", "MAT1,1,7.E10,,.3,2700.", "ENDDATA", ""]
    file = tmp_path / "deck.bdf"
    file.write_text("\n".join(["SOL 103", "CEND", "SPC=1", "BEGIN BULK", *lines]))
    found = solve_modes(assemble(read_model(file, units="SI"), "consistent"), count=4).frequencies_hz
    np.testing.assert_allclose(found, MYSTRAN[kind], rtol=1e-6)
