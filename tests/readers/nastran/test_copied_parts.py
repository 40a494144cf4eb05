"""SEBULK COPY and MIRROR against decks in which every part is written out with moved or reflected coordinates."""

import numpy as np
import pytest

from tisserand.assembly import assemble
from tisserand.errors import ReadError
from tisserand.modes import solve_modes
from tisserand.readers.registry import read_model

PLACES = {1: (0.0, 0.0, 0.0), 2: (1.0, 0.3, 0.1), 3: (1.8, -0.2, 0.9), 4: (2.2, 0.4, 1.5), 5: (2.0, 0.9, 1.2)}
INERTIA = np.array([[0.4, 0.05, -0.02], [0.05, 0.5, 0.03], [-0.02, 0.03, 0.3]])
OFFSET = np.array([0.1, -0.2, 0.05])
SIDEWAYS = np.array([0.1, 0.2, 1.0])


def part(turn, move, base):
    """Bent bars, an offset body and a rigid arm; coordinates x -> turn x + move, ids from ``base`` on."""
    at = {n: turn @ np.array(x) + move for n, x in PLACES.items()}
    text = "".join(f"GRID*,{base + n},,{x[0]:.12f},{x[1]:.12f}\n*,{x[2]:.12f}\n" for n, x in at.items())
    v, o, i = turn @ SIDEWAYS, turn @ OFFSET, turn @ INERTIA @ turn.T
    for n in (1, 2, 3):
        text += f"CBAR*,{base + n},1,{base + n},{base + n + 1}\n*,{v[0]:.12f},{v[1]:.12f},{v[2]:.12f}\n"
    text += f"RBE2,{base + 8},{base + 4},123456,{base + 5}\n"
    text += f"CONM2*,{base + 9},{base + 5},0,3.\n*,{o[0]:.12f},{o[1]:.12f},{o[2]:.12f}\n"
    terms = (i[0, 0], -i[1, 0], i[1, 1], -i[2, 0], -i[2, 1], i[2, 2])
    text += "*," + ",".join(f"{x:.12f}" for x in terms[:4]) + "\n*," + ",".join(f"{x:.12f}" for x in terms[4:]) + "\n"
    return text + "PBAR,1,1,1.-4,1.-8,3.-8,2.-8\nMAT1,1,7.+10,,.3,2700.\n"


def frequencies(tmp_path, cards):
    file = tmp_path / "deck.bdf"
    file.write_text(f"SOL 103\nCEND\nSPC=1\nBEGIN BULK\nSPC1,1,123456,91\nGRID,91,,0.,0.,0.\n{cards}ENDDATA\n")
    model = read_model(file, units="SI")
    return solve_modes(assemble(model.changed(parts=())), count=8).frequencies_hz  # the whole, not its reduced parts


PLANES = {
    "x": ((0.0, 0.0, 0.0), (0.0, 1.0, 0.0), (0.0, 0.0, 1.0)),
    "oblique": ((0.0, 0.0, 0.0), (1.0, 2.0, 0.5), (-0.3, 0.4, 1.0)),
}


@pytest.mark.parametrize("plane", PLANES)
def test_a_mirrored_part_is_the_reflected_structure(tmp_path, plane):
    points = np.array(PLANES[plane])
    normal = np.cross(points[1] - points[0], points[2] - points[0])
    normal /= np.linalg.norm(normal)
    S = np.eye(3) - 2.0 * np.outer(normal, normal)
    whole = "".join(
        f"BEGIN SUPER={k}\n{part(turn, np.zeros(3), base)}" for k, turn, base in ((7, np.eye(3), 700), (1, S, 100))
    )
    stated = "".join(f"POINT,{30 + k},,{x},{y},{z}\n" for k, (x, y, z) in enumerate(points))
    stated += "SEMPLN,1,PLANE,30,31,32\nSEBULK,1,MIRROR,7,AUTO\n"
    mirror = f"{stated}BEGIN SUPER=7\n{part(np.eye(3), np.zeros(3), 700)}"
    np.testing.assert_allclose(frequencies(tmp_path, mirror), frequencies(tmp_path, whole), rtol=1e-9)


def test_a_copied_part_stands_where_seloc_puts_it(tmp_path):
    angle, move = 0.7, np.zeros(3)
    turn = np.array([[np.cos(angle), -np.sin(angle), 0], [np.sin(angle), np.cos(angle), 0], [0, 0, 1.0]])
    original = f"BEGIN SUPER=7\n{part(np.eye(3), move, 700)}"
    whole = f"{original}BEGIN SUPER=1\n{part(turn, move, 100)}"
    at = {k: turn @ np.array(PLACES[n]) for k, n in enumerate((1, 2, 3))}
    stated = "".join(f"POINT,{30 + k},,{x:.7f},{y:.7f},{z:.7f}\n" for k, (x, y, z) in at.items())
    stated += "SELOC,1,701,702,703,30,31,32\nSEBULK,1,COPY,7,AUTO\n"
    np.testing.assert_allclose(frequencies(tmp_path, stated + original), frequencies(tmp_path, whole), rtol=1e-6)


def test_copies_without_original_or_plane_are_refused(tmp_path):
    original = f"BEGIN SUPER=7\n{part(np.eye(3), np.zeros(3), 700)}"
    with pytest.raises(ReadError, match="to copy has no points"):
        frequencies(tmp_path, "SEBULK,1,COPY,8,AUTO\n" + original)
    with pytest.raises(ReadError, match="no SEMPLN"):
        frequencies(tmp_path, "SEBULK,1,MIRROR,7,AUTO\n" + original)
