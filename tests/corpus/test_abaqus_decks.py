"""Every Abaqus and CalculiX deck of the corpus is read whole: counts, supports, requests, ledger, and spectra."""

import numpy as np
import pytest
from support.corpus import deck, needs_corpus, references

from tisserand.assembly import assemble
from tisserand.modes import solve_modes
from tisserand.readers.abaqus import read_abaqus

pytestmark = needs_corpus

#: deck -> nodes, (family, count) of its blocks, supported nodes, requested modes
CONTENT = {
    "beam8f": (425, [("solid", 256)], 25, 10),
    "beamf": (261, [("solid", 32)], 21, 10),
    "dloadlin20f": (188, [("solid", 15)], 8, 10),
    "mass2": (261, [("solid", 32), ("nodal body", 1)], 21, 10),
    "boxprofile": (11, [("beam", 10)], 1, 5),
    "spring3": (10, [("solid", 1), ("spring", 1)], 10, 1),
    "blockC3D4": (214, [("solid", 767)], 0, None),
    "blockC3D10": (257, [("solid", 122)], 0, None),
    "blockC3D20": (171, [("solid", 20)], 0, None),
}

#: deck -> largest relative difference allowed of the listed elastic frequencies
AGREEMENT = {
    "beam8f": 5e-5,
    "dloadlin20f": 5e-5,
    "spring3": 5e-8,
    "blockC3D4": 5e-5,
    "blockC3D10": 5e-5,
    "blockC3D20": 5e-5,
    "beamf": 2e-3,  # CalculiX integrates the mass of C3D20R at other points
    "mass2": 2e-3,
}


@pytest.mark.parametrize("name", CONTENT)
def test_a_deck_is_read_whole(name):
    nodes, blocks, held, count = CONTENT[name]
    model = read_abaqus(deck(name), "consistent")
    assert len(model.nodes) == nodes
    assert [(block.family, len(block)) for block in model.elements] == blocks
    assert len(model.supports.nodes) == held
    assert model.analysis.count == count
    assert not model.ledger.dropped
    every = {entry.card.lstrip("*").replace(" ", "") for entry in model.ledger.entries}
    wanted = {card.lstrip("*") for card in references()[name]["cards"]} - {"ELEMENT"}
    assert {card for card in wanted if not card.startswith("END")} <= every


def test_the_corpus_has_no_other_decks():
    found = {name for name, entry in references().items() if entry["file"].endswith(".inp")}
    assert found == set(CONTENT)


@pytest.mark.parametrize("name", AGREEMENT)
def test_frequencies_agree_with_the_code_that_wrote_the_deck(name):
    """Source: the program's own results (reference.json); rigid-body zeros of free blocks are left out."""
    model = read_abaqus(deck(name), "consistent")
    reference = np.array([f for f in references()[name]["freqs_hz"] if f > 1e-2])
    basis = solve_modes(assemble(model), count=len(reference))
    np.testing.assert_allclose(basis.frequencies_hz[: len(reference)], reference, rtol=AGREEMENT[name])
