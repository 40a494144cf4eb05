"""``modes`` over every deck of the sweep: no traceback, no hang, every refusal for a stated cause; the table is printed.

Slow (several minutes the first time). ``pytest -m slow -s tests/corpus/test_sweep.py``; the outcome of every deck is kept at
once, in the folder TISSERAND_SWEEP_RESULTS if that is set, so that an interrupted run goes on where it stopped.
"""

from collections import Counter
from pathlib import Path

import numpy as np
import pytest
from support.corpus import needs_corpus
from support.deck_contents import contents
from support.sweep import decks, folder, run
from support.sweep_causes import CAUSES, cause_of

pytestmark = [needs_corpus, pytest.mark.skipif(not decks(), reason="the sweep of decks is not in the corpus")]

PAGE = Path(__file__).parents[2] / "docs" / "readers.md"
#: Decks whose printed numbers are not the frequencies of the deck as it stands, or that have none, and why.
OTHER = {
    "buckling": "a buckling solution: the printed numbers are load factors, not frequencies",
    "sbuckl2a": "a buckling solution without mass: the printed numbers are load factors",
    "cbSuper3Modes": "the printed numbers are those of superelement 1, held: met to 1e-6 (test_sweep_explained.py)",
    "beam_sens_freq_coord2": "unstable state, refused; its positive eigenvalues agree to 1e-6 (statics/test_preload.py)",
    "rotor": "unstable state without gyroscopic forces: CalculiX prints the same two negative eigenvalues as zeros",
    "acou2": "a fluid",
    "aircolumn": "a fluid",
    "beamptied5": "contact that closes under the preload",
    "sens_freq_disp_cyc_explicit": "72 segments, more nodes than are unfolded",
    "sens_freq_disp_cyc_implicit": "72 segments, more nodes than are unfolded",
    "multistage_radial": "stages with different numbers of segments, refused by name",
    "ringfcontact2": "contact that closes under the preload of a cyclic segment",
    "ringfcontact3": "contact that closes under the preload of a cyclic segment",
}
#: One segment of a cyclic structure: the printed numbers are rad/s of some nodal diameters; the whole structure has them all.
SEGMENTS = {
    "ringfcontact1", "segdyn", "segmentbeam", "segmentface", "segmentmass", "segmentnum",
}  # fmt: skip
#: Decks further away than their class allows: how far, and what explains it (tests/corpus/test_sweep_explained.py).
EXPLAINED = {
    "shellf": (0.5, "2 x 2 S8 lock in CalculiX; refined, both agree"),
    "userbeam3": (0.07, "ours is the Timoshenko beam in closed form; U1 departs from it"),
    "dloadlinIf": (3e-3, "CalculiX' C3D8I by its own matrices (elements/test_calculix.py)"),
    "beamptied7": (3e-4, "large displacements of its static step; at a tenth of the load 2e-6"),
}


def limit(name: str, cards: set[str]) -> float:
    """Largest error of a reference deck: 1e-5 for lines and solids, 1 % for shells, 2 % for beams against expanded solids."""
    if name in EXPLAINED:
        return EXPLAINED[name][0]
    if any(card.startswith(("CQUAD", "CTRIA")) or card in ("S3", "S4", "S4R", "S6", "S8", "S8R") for card in cards):
        return 0.01
    return 0.02 if cards & {"B31", "B32", "B32R"} else 1e-5


def test_every_cause_is_in_the_table_of_the_page():
    text = PAGE.read_text()
    assert not [name for name, _ in CAUSES if f"| {name} |" not in text]


@pytest.fixture(scope="module")
def outcomes():
    return run(decks())


@pytest.mark.slow
def test_no_traceback_no_hang_and_a_cause_for_every_refusal(outcomes):
    wrong = [(e["file"], o["message"][-200:]) for e, o in outcomes if o["outcome"] in ("traceback", "hang")]
    refused = [(e["file"], o["message"]) for e, o in outcomes if o["outcome"] == "refused"]
    causes = Counter(cause_of(message) for _, message in refused)
    print(f"\n{len(outcomes) - len(refused):5d}  modes")
    for name, number in causes.most_common():
        print(f"{number:5d}  {name}")
    assert not wrong
    assert not [item for item in refused if cause_of(item[1]) == "unknown"]


@pytest.mark.slow
def test_complete_decks_give_modes(outcomes):
    """At least 95 % of decks with all their cards, stiffness and mass, without fluid, heat or axisymmetric elements.

    What a deck contains is decided by its cards, whatever comes of it; one that gives modes must not lack a card.
    """
    found = [(entry, outcome, contents(folder() / entry["file"])) for entry, outcome in outcomes]
    whole = [(entry, outcome) for entry, outcome, held in found if held.complete]
    given = sum(outcome["outcome"] == "modes" and bool(outcome["hz"]) for _, outcome in whole)
    loose = sum(outcome["outcome"] == "modes" and outcome["exit"] == 1 for _, outcome in whole)
    print(f"\n{given} of {len(whole)} complete decks give modes: {given / len(whole):.1%}; exit code 1: {loose}")
    for entry, outcome in whole:
        if outcome["outcome"] != "modes" or not outcome["hz"]:
            print(f"  {cause_of(outcome.get('message', 'rigid-body motions only')):34s}{entry['file']}")
    print("modes of decks that are not complete:")
    odd = [
        (entry["file"], held) for entry, outcome, held in found if outcome["outcome"] == "modes" and not held.complete
    ]
    for name, held in odd:
        print(f"  {name}: {held.missing or held}")
    assert given >= 0.95 * len(whole)
    assert not [name for name, held in odd if held.missing]


@pytest.mark.slow
def test_reference_frequencies_of_the_sweep(outcomes):
    """Frequencies that each program printed: the worst error of every deck is within its class, or explained."""
    print()
    far, missing = [], []
    for entry, outcome in outcomes:
        theirs = np.array(entry.get("freqs_hz", ()), float)
        name = Path(entry["file"]).stem
        if not len(theirs) or name in OTHER:
            continue
        if outcome["outcome"] != "modes":
            missing.append(name)
            continue
        used = {card for card, _, fate in outcome["ledger"] if fate in ("used", "approximated")}
        most = limit(name, used)
        error, count = (of_a_segment if name in SEGMENTS else of_a_whole)(theirs, np.array(outcome["hz"]))
        print(f"{error:9.1e} {most:9.1e} {count:4d}  {name}")
        if error > most:
            far.append((name, error, most))
    assert not far and not missing


def of_a_whole(theirs, ours):
    """Largest relative error of the elastic modes, in order, and how many were compared."""
    elastic = theirs[theirs > 1e-4 * theirs.max()]
    ours = ours[ours > 0.0][: len(elastic)]
    return float(np.abs(ours / elastic[: len(ours)] - 1.0).max(initial=0.0)), len(ours)


def of_a_segment(theirs, ours):
    """The same for modes of some nodal diameters in rad/s: each lies among those of the whole as far as these go."""
    hertz = theirs[theirs > 1e-4 * theirs.max()] / (2.0 * np.pi)
    within = hertz[hertz < ours.max()]
    return float(max((np.abs(ours / f - 1.0).min() for f in within), default=0.0)), len(within)
