"""Bounds of integrals over admissible nodal masses: their scale does not depend on the origin, and the truth lies within them."""

import re
from dataclasses import replace

import numpy as np
import pytest
from support.result_files import FRAME, frame_deck, frame_modes

from tisserand.arrays import skew
from tisserand.assembly import assemble
from tisserand.readers.registry import read_model
from tisserand.readers.supplier import MassSummary
from tisserand.readers.supplier.with_deck import record_with_deck
from tisserand.readers.supplier.without_deck import record_without_deck
from tisserand.units import unit_system

SI = unit_system("SI")
#: Nodes with a body each and massless bars between them: masses at the nodes explain everything.
LUMPS = """SOL 103
CEND
METHOD = 1
SPC = 1
BEGIN BULK
EIGRL,1,,,4
GRID,1,,0.,0.,0.
GRID,2,,1.,0.,0.
CBAR,1,1,1,2,0.,0.,1.
PBAR,1,1,4.-4,2.-8,3.-8,2.-8
MAT1,1,7.+10,,0.3,0.
CONM2,9,2,,3.0,,,,,+C
+C,0.1,,0.2,,,0.3
SPC1,1,123456,1
ENDDATA
"""


#: The frame without mass in its bars, and three bodies: an offset one with inertia is outside of what nodal masses describe.
BODIES = FRAME.replace("2700.", "0.").replace("CONM2,9,6,,0.4", "CONM2,7,3,,0.2\nCONM2,8,5,,0.3\nCONM2,9,6,,0.4")


@pytest.fixture(scope="module")
def deck(tmp_path_factory):
    return frame_deck(tmp_path_factory.mktemp("frame"))


@pytest.mark.parametrize("damping", (None, 0.02))
@pytest.mark.parametrize("kind", ("full", "constant"))
def test_without_the_deck_frequencies_are_those_of_the_file(tmp_path, deck, kind, damping):
    """At every level: frequencies, damping ratios and modal masses as stated, 1e-12."""
    path = frame_deck(tmp_path, LUMPS.replace("{x}.+1", "1.").replace("{x}", "0")) if kind == "full" else deck
    theirs = frame_modes(path, count=3 if kind != "linear" else 5)
    if kind == "constant":  # few nodes: no masses at them explain the modal masses
        theirs = replace(
            theirs, node_ids=theirs.node_ids[:3], shapes=theirs.shapes[:3], given=theirs.given[:3], scalar=None
        )
    found = record_without_deck(theirs, unit_system("SI"), damping=damping)
    assert found.flies and found.record.inertia_level == kind, found.sentences
    np.testing.assert_allclose(found.record.frequencies_hz, theirs.frequencies_hz, rtol=1e-12)
    np.testing.assert_allclose(np.diag(found.record.integrals.modal_mass), theirs.modal_masses, rtol=1e-12)
    np.testing.assert_allclose(found.record.damping_ratios, damping or 0.0, rtol=1e-12)


def about_node_1(theirs, shift):
    """The run with its structure moved by ``shift``, its weight table about node 1 (PARAM,GRDPNT,1)."""
    places = np.asarray(theirs.geometry.positions) + shift
    c = theirs.mass.center - theirs.geometry.positions[0]
    arm, m = skew(c), theirs.mass.mass
    table = np.block([[m * np.eye(3), -m * arm], [m * arm, theirs.mass.inertia - m * arm @ arm]])
    return replace(
        theirs, geometry=replace(theirs.geometry, positions=places), mass=MassSummary(matrix=table, reference_id=1),
        effective=None,
    )  # fmt: skip


def percents(sentences):
    return [float(text) for sentence in sentences for text in re.findall(r"([0-9.e-]+) %", sentence)]


@pytest.mark.parametrize("text", (FRAME, BODIES, LUMPS), ids=("frame", "bodies", "lumps"))
@pytest.mark.parametrize("held", (True, False), ids=("held", "free"))
def test_the_origin_does_not_matter(tmp_path, text, held):
    """The same structure 60 m from the origin: level and every stated percentage stay, to two digits."""
    theirs = frame_modes(frame_deck(tmp_path, text), count=2)
    if not held:  # nobody stands still: the record is about the basic origin
        theirs = replace(theirs, shapes=theirs.shapes + 1e-9 * np.abs(theirs.shapes).max())
    near, far = (record_without_deck(about_node_1(theirs, np.array(at)), SI) for at in ((0, 0, 0), (40.0, -30.0, 30.0)))
    assert near.flies == far.flies
    assert near.record.inertia_level == far.record.inertia_level
    np.testing.assert_allclose(percents(near.sentences), percents(far.sentences), rtol=0.05, atol=0.01)


@pytest.mark.parametrize(("text", "count"), ((BODIES, 1), (LUMPS, 2), (LUMPS, 3)), ids=("bodies", "lumps 2", "lumps 3"))
def test_the_truth_lies_within_the_limit(tmp_path, text, count):
    """P, H, L and N of the deck's mass, about the mass center: 1 % of sqrt(m Me), sqrt(tr R Me) and sqrt(Me Me)."""
    path = frame_deck(tmp_path, text)
    theirs = frame_modes(path, count=count)
    found = record_without_deck(theirs, SI)
    assert found.record.inertia_level == "full", found.sentences
    exact = record_with_deck(theirs, assemble(read_model(path, "SI")), SI).record.integrals
    size, ours, c = np.sqrt(theirs.modal_masses), found.record.integrals, exact.center
    spin = np.sqrt(0.5 * np.trace(exact.inertia + exact.mass * skew(c) @ skew(c)))
    sign = np.sign(np.sum(ours.translation * exact.translation, axis=0) + 1e-300)
    P = ours.translation / size * sign - exact.translation
    L = ours.position_shape / size * sign - exact.position_shape - np.einsum("a,bk->abk", c, P)
    N = ours.shape_shape / np.outer(size, size) * np.outer(sign, sign) - exact.shape_shape
    assert np.abs(P).max() < 0.01 * np.sqrt(exact.mass)
    assert np.abs(L).max() < 0.01 * spin
    assert np.abs(N).max() < 0.01
