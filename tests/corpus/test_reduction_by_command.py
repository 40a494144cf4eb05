"""A deck's own reduction request is honoured by ``tisserand modes``, and ``--full`` ignores it."""

import pytest
from support.command import run
from support.corpus import deck, needs_corpus, references

pytestmark = needs_corpus


@pytest.mark.parametrize(("name", "tolerance"), [("guyanReduction", 1e-6), ("dynamicReduction", 1e-6), ("AQ3U2S004-GIV", 0.02)])
def test_reduced_decks_match_their_solver(name, tolerance):
    """Nastran's (MYSTRAN's) printed frequencies of the reduced system."""
    wanted = references()[name]["freqs_hz"]
    data = run("modes", deck(name), "--units", "consistent", "--count", len(wanted), "--json").data
    assert data["frequencies_hz"] == pytest.approx(wanted, rel=tolerance)


def test_full_ignores_the_request():
    wanted = references()["noReduction"]["freqs_hz"][:2]
    data = run("modes", deck("guyanReduction"), "--units", "consistent", "--count", 2, "--full", "--json").data
    assert data["frequencies_hz"] == pytest.approx(wanted, rel=1e-6)
