"""CYCLIC SYMMETRY MODEL: the whole structure has the modes that CalculiX finds for all nodal diameters of the segment."""

from __future__ import annotations

import re
import subprocess

import numpy as np
import pytest
from oracles.calculix import CCX, Deck
from support.command import run

from tisserand.assembly import assemble
from tisserand.errors import ReadError
from tisserand.modes import solve_modes
from tisserand.readers.registry import read_model

needs_ccx = pytest.mark.skipif(CCX is None, reason="CalculiX (ccx) is not installed")
N = 6


def segment(tie="*TIE,CYCLIC SYMMETRY,POSITION TOLERANCE=.01,NAME=T1\nLEFT,RIGHT", held="1,3", extra="", turn=1.0):
    """One sixth of a ring of C3D20 about z (radii 1 and 1.4 m), clamped at its inner rim at mid-segment."""
    deck = Deck()
    radius, angle, z = np.linspace(1.0, 1.4, 3), np.linspace(0.0, turn * 2.0 * np.pi / N, 5), np.linspace(0.0, 0.1, 3)
    r, a, h = np.meshgrid(radius, angle, z, indexing="ij")
    ring = np.stack([r * np.cos(a), r * np.sin(a), h], axis=-1)
    deck.bricks("E", ring, kind="C3D20")
    deck.cards += ["*MATERIAL,NAME=M\n*ELASTIC\n7.E10,.3\n*DENSITY\n2700.", "*SOLID SECTION,ELSET=E,MATERIAL=M"]
    for name, row in (("LEFT", 0), ("RIGHT", -1)):
        nodes = ",\n".join(map(str, deck.at(ring[:, row])))
        deck.cards += [f"*NSET,NSET=N{name}\n{nodes}", f"*SURFACE,NAME={name},TYPE=NODE\nN{name},"]
    deck.cards += [tie, f"*CYCLIC SYMMETRY MODEL,N={N},NGRAPH=1\n0.,0.,0.,0.,0.,1.", extra]
    text = deck.text(deck.at(ring[:1, 2]), 4, held)
    return text.replace("*END STEP", f"*SELECT CYCLIC SYMMETRY MODES,NMIN=0,NMAX={N // 2}\n*END STEP")


def by_diameter(text, folder):
    """Frequencies, Hz, that CalculiX prints for every nodal diameter, each once per mode of the whole structure."""
    (folder / "run.inp").write_text(text)
    outcome = subprocess.run([CCX, "-i", "run"], cwd=folder, capture_output=True, text=True, timeout=300)
    assert outcome.returncode == 0, outcome.stdout[-2000:]
    rows = re.findall(r"^ +(\d+) +\d+ +\S+E\S+ +\S+E\S+ +(\S+E\S+) +\S+E\S+$", (folder / "run.dat").read_text(), re.M)
    found = []
    for diameter in range(N // 2 + 1):  # printed in pairs; two modes of the whole unless the diameter is 0 or N / 2
        pairs = [float(hz) for d, hz in rows if int(d) == diameter]
        found += pairs[::2] if diameter in (0, N // 2) else pairs
    return np.sort(found)


def modes_hz(tmp_path, text, count):
    file = tmp_path / "segment.inp"
    file.write_text(text)
    model = read_model(file, units="SI")
    return model, solve_modes(assemble(model, mass="consistent"), count=count).frequencies_hz


@needs_ccx
def test_all_nodal_diameters_as_calculix(tmp_path):
    """Eight lowest modes of a ring of six segments, held at six places; tolerance 1e-5 (printed digits: 7)."""
    text = segment()
    theirs = by_diameter(text, tmp_path)[:8]
    model, ours = modes_hz(tmp_path, text, 8)
    assert ours == pytest.approx(theirs, rel=1e-5)
    assert sum(len(block) for block in model.elements) == 2 * N


@needs_ccx
def test_single_components_along_the_axis_turn_with_the_segments(tmp_path):
    """Held along the axis alone (component 3) and along the radius of the segment's own frame; tolerance 1e-5."""
    text = segment(held="3,3")
    theirs = by_diameter(text, tmp_path)
    theirs = theirs[theirs > 1.0][:6]
    _, ours = modes_hz(tmp_path, text, 6)
    assert ours == pytest.approx(theirs, rel=1e-5)


def test_mass_and_center_are_those_of_the_ring(tmp_path):
    """Volume of the meshed ring from the polygon of parabolas is within 1e-4 of pi (R² - r²) h; the center is on the axis."""
    model, _ = modes_hz(tmp_path, segment(), 2)
    properties = assemble(model).mass_properties()
    assert properties.mass == pytest.approx(2700.0 * np.pi * (1.4**2 - 1.0) * 0.1, rel=1e-3)
    assert properties.center == pytest.approx([0.0, 0.0, 0.05], abs=1e-9)


def test_the_listing_says_that_the_segment_was_repeated(tmp_path):
    (tmp_path / "segment.inp").write_text(segment())
    outcome = run("modes", tmp_path / "segment.inp", "-u", "SI", "-n", 2)
    assert outcome.exit_code == 0 and "repeated 6 times" in outcome.stderr and "all nodal diameters" in outcome.stderr


@pytest.mark.parametrize(
    ("change", "words"),
    [
        (dict(turn=0.9), "do not match node by node"),
        (dict(tie="*TIE,CYCLIC SYMMETRY,NAME=T1\nLEFT"), "needs two surfaces"),
        (dict(tie="*TIE,CYCLIC SYMMETRY,NAME=T1\nLEFT,OTHER"), "unknown surface"),
        (dict(extra="*CYCLIC SYMMETRY MODEL,N=7\n0.,0.,0.,0.,0.,1."), "different numbers of segments"),
    ],
)
def test_what_cannot_be_unfolded_is_refused(tmp_path, change, words):
    (tmp_path / "segment.inp").write_text(segment(**change))
    outcome = run("modes", tmp_path / "segment.inp", "-u", "SI", "-n", 2)
    assert outcome.exit_code in (1, 2) and words in outcome.stderr


def test_an_axis_without_direction_is_refused(tmp_path):
    text = segment().replace("0.,0.,0.,0.,0.,1.", "0.,0.,0.,0.,0.,0.")
    with pytest.raises(ReadError, match="zero length"):
        modes_hz(tmp_path, text, 2)
