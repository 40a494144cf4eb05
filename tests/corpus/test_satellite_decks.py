"""A satellite of honeycomb panels whose faces have nu12 = 0.98 and G12 = E / 50: inch units, bars, bushes, rigid elements."""

import json

import numpy as np
import pytest
from support.corpus import needs_corpus, shared

from tisserand.assembly.assemble import assemble
from tisserand.modes import solve_modes
from tisserand.readers.nastran import read_nastran

pytestmark = needs_corpus
DECKS = "pyNastran/models/iSat/"


def frequencies(name, count):
    path = shared() / "corpus" / "sweep" / DECKS / name
    if not path.exists():
        pytest.skip("deck not in the corpus")
    return np.array(solve_modes(assemble(read_nastran(path, units="in-lbf-s")), count=count).frequencies_hz)


@pytest.mark.slow
def test_ten_modes_against_nastran():
    """All ten within 1 %, no number of the elements found from this deck. (With ``flavor="mystran"``, our own shells, modes 3 and
    10 are 5.0 % and 3.3 % above: honeycomb around single nodes that carry struts, where a nodal moment has no limit as elements
    get smaller and every element has its own answer, ``test_shell_nodal_moment.py``.)
    """
    found = frequencies("ISat_Launch_Sm_4pt.dat", 10)
    entries = json.loads((shared() / "corpus" / "sweep" / "sweep.json").read_text())
    reference = next(entry["freqs_hz"] for entry in entries if entry["file"] == DECKS + "ISat_Launch_Sm_4pt.dat")
    assert len(reference) == 10
    assert np.abs(found / reference - 1).max() < 0.01


@pytest.mark.slow
@pytest.mark.parametrize("name", ["ISat_Dploy_Sm.dat", "ISat_Launch_Sm_Rgd.dat"])
def test_sister_decks_run(name):
    found = frequencies(name, 10)
    assert len(found) == 10
    assert (found > 0.1).all()
