"""Components of the corpus against Nastran: output transformation matrices (EXTSEOUT) and modes of the assembly."""

import numpy as np
import pytest
from pyyeti.nastran import op4
from support.corpus import deck, needs_corpus
from support.deck_results import expected, inboard, outboard

from tisserand.responses.deliver import deliver
from tisserand.responses.delivery_checks import check_delivered, free_modes
from tisserand.responses.joined_models import join_models

pytestmark = needs_corpus

#: Bar forces in Nastran's order, as ours: bending moments in plane 1 and 2 at both ends, shears, axial force, torque.
BARS = ("moment z", "moment y", "moment z", "moment y", "shear y", "shear z", "axial force", "torque")


@pytest.fixture(scope="module")
def parts():
    """Both components with what their decks ask for: displacements of chosen nodes, forces of chosen bars."""
    first, second = inboard(), outboard()
    first = first.keeping(
        [*first.physical, *first.modal[np.argsort(first.frequencies_hz[first.modal])][:8]]
    )  # as QSET does
    return {
        "inboard": deliver(first, nodes=[3, 4, 11, 16, 19, 27], digits="123456", elements={"bar": [10, 97]}),
        "outboard": deliver(second, nodes=[3, 45], digits="123456", elements={"bar": [1, 2, 7]}),
    }


def nastran(name):
    return op4.read(str(deck(f"nas2cam_extseout_{name}").with_name(f"{name}.op4")))


def columns(ours, theirs):
    """Signs (k,) of our modal columns that make the displacements those of Nastran; boundary columns are equal."""
    return np.sign(np.einsum("rk,rk->k", ours, theirs))


@pytest.mark.parametrize("name", ["inboard", "outboard"])
def test_reduced_matrices(parts, name):
    """Masses, stiffnesses and frequencies of both reduced components against Nastran's own (kxx, mxx)."""
    given, part = nastran(name), parts[name]
    b = len(part.physical)
    for ours, word in ((part.stiffness, "kxx"), (part.mass, "mxx")):
        theirs = given[word][:b, :b]
        assert ours[:b, :b] == pytest.approx(theirs, abs=2e-6 * np.abs(theirs).max())
    check = check_delivered(part)
    assert check.passed


def test_displacement_rows(parts):
    """mug1 of the inboard component: six dofs of six nodes over boundary and modal coordinates."""
    theirs = nastran("inboard")["mug1"]
    ours = parts["inboard"].recovery("displacement").displacement
    b = len(parts["inboard"].physical)
    assert ours[:, :b] == pytest.approx(theirs[:, :b], rel=1e-6, abs=1e-6)  # the file is in single precision
    turned = ours * columns(ours, theirs)
    for k in range(b, theirs.shape[1]):
        assert turned[:, k] == pytest.approx(theirs[:, k], abs=2e-5 * np.abs(theirs[:, k]).max()), k


@pytest.mark.parametrize("name", ["inboard", "outboard"])
def test_bar_forces(parts, name):
    """mef1: eight forces of every chosen bar; the sign convention of bending and shear in the two planes is Nastran's own."""
    part, given = parts[name], nastran(name)
    theirs = given["mef1"]
    count = theirs.shape[0] // 8
    ours = np.zeros_like(theirs)
    for e in range(count):
        for i, word in enumerate(BARS):
            values = part.recovery(f"bar {word}").displacement
            ours[8 * e + i] = values[2 * e + (i >= 2)] if word.startswith("moment") else values[e]
    node = slice(6, 12)  # of ours: node 4 inboard, 45 outboard
    shown = {"inboard": slice(6, 12), "outboard": slice(24, 30)}[name]
    signs = columns(part.recovery("displacement").displacement[node], given["mug1"][shown])
    signs[:24] = 1.0  # boundary columns are no modes
    rows = np.sign(np.einsum("rk,rk->r", ours * signs, theirs))
    found = ours * signs * rows[:, None]
    for i in range(8 * count):
        assert found[i] == pytest.approx(theirs[i], abs=5e-5 * np.abs(theirs[i]).max()), (i, BARS[i % 8])
    by_kind = rows.reshape(count, 8)
    assert (by_kind == by_kind[0]).all()  # one convention for all bars


def test_modes_of_the_assembly(parts):
    """Both coupled at four nodes: 48 elastic system modes of Nastran's assembly."""
    joined = join_models([parts["inboard"], parts["outboard"]])
    hz = np.sqrt(np.abs(free_modes(joined.system)[0])) / (2 * np.pi)
    wanted = expected("nas2cam_extseout_assemble")
    assert hz[6 : len(wanted)] == pytest.approx(wanted[6:], rel=1e-5)
    assert hz[:6].max() < 1e-3 * hz[6]
