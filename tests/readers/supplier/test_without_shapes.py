"""Tables without mode shapes beside the deck: what they state is verified, a record is refused."""

from dataclasses import replace

import numpy as np
import pytest
from support.command import run as command
from support.op2_files import op2
from support.result_files import FRAME, f06, frame_deck, frame_modes, mystran

import tisserand as ts
from tisserand.errors import TisserandError
from tisserand.readers.supplier import read_supplier_modes

WRITERS = {"run.op2": op2, "run.f06": f06, "mystran.f06": mystran}
#: A square bar: every bending mode is one of a pair, so single effective masses mean nothing.
SQUARE = FRAME.replace("2.-8,3.-8,2.-8", "2.-8,2.-8,4.-8")


@pytest.fixture(scope="module")
def deck(tmp_path_factory):
    return frame_deck(tmp_path_factory.mktemp("shapeless"))


def shapeless(run):
    k = run.count
    return replace(
        run, node_ids=np.zeros(0, int), shapes=np.zeros((0, 6, k)), given=np.zeros((0, 6), bool), scalar=None
    )


@pytest.fixture(scope="module")
def run(deck):
    return shapeless(frame_modes(deck))


@pytest.mark.parametrize("name", WRITERS)
def test_frequencies_mass_and_effective_masses_are_verified(tmp_path, deck, run, name):
    path = WRITERS[name](tmp_path / name, run)
    assert not len(read_supplier_modes(path).node_ids)
    found = command("modes", path, "--deck", deck, "-u", "SI", "--json")
    check = found.data["verification"]
    assert (
        found.exit_code == 0 and check["passed"] and not found.data["supplier"]["flies"] and found.data["mass"] is None
    )
    assert max(abs(mode["change"]) for mode in check["modes"]) < 1e-6
    assert max(mode["effective_mass"] for mode in check["modes"]) < 1e-5 and abs(check["mass_change"]) < 1e-6
    assert all(mode["mac"] is None and mode["residual"] is None for mode in check["modes"])
    shown = command("modes", path, "--deck", deck, "-u", "SI").stdout
    assert "verified, but for the shapes" in shown and shown.count("no mode shapes") == 1


@pytest.mark.parametrize("name", WRITERS)
@pytest.mark.parametrize(
    ("old", "new", "reason"), (("7.+10", "6.+10", "frequency +8"), ("2700.", "2000.", "mass of the deck"))
)
def test_another_deck_is_told(tmp_path, run, name, old, new, reason):
    other = frame_deck(tmp_path, FRAME.replace(old, new))
    found = ts.modes(WRITERS[name](tmp_path / name, run), units="SI", deck=other)
    assert found.exit_code == 1 and any(reason in text for text in found.supplier.verification.breaches)


@pytest.mark.parametrize("name", WRITERS)
def test_a_record_a_picture_and_a_pairing_are_refused(tmp_path, deck, run, name):
    path = WRITERS[name](tmp_path / name, run)
    with pytest.raises(TisserandError, match="no mode shapes"):
        ts.modes(path, units="SI", deck=deck, output=tmp_path / "a.h5")
    with pytest.raises(TisserandError, match="no mode shapes"):
        ts.view(path, units="SI", deck=deck, save=tmp_path / "a.png")
    with pytest.raises(TisserandError, match="no mode shapes"):
        ts.diff(deck, path, units="SI", deck=deck)
    assert not list(tmp_path.glob("a.*"))


def test_a_mode_that_the_file_lacks_is_named(tmp_path, deck, run):
    path = f06(tmp_path / "run.f06", run.modes(np.array([0, 1, 3, 4])))
    check = ts.modes(path, units="SI", deck=deck).supplier.verification
    assert check.passed and any("1 of our modes have no partner" in note and "1.856" in note for note in check.notes)


def test_effective_masses_of_pairs_are_compared_as_sums(tmp_path):
    """A straight square bar; its pairs turned by 0.7 rad: sums agree to printed digits, and a wrong one is still told."""
    text = SQUARE.replace("GRID,5,,3.,1.,0.,7", "GRID,5,,4.,0.,0.").replace("GRID,6,,3.,2.,0.5,6", "GRID,6,,5.,0.,0.")
    bar = frame_deck(tmp_path, "\n".join(line for line in text.splitlines() if not line.startswith(("CONM2", "+C"))))
    run = frame_modes(bar, count=4, scaling="MASS")
    c, s = np.cos(0.7), np.sin(0.7)
    factors = run.effective.participation @ np.kron(np.eye(2), [[c, -s], [s, c]])
    turned = replace(run, effective=replace(run.effective, participation=factors, masses=factors**2))
    check = ts.modes(mystran(tmp_path / "a.f06", shapeless(turned)), units="SI", deck=bar).supplier.verification
    assert check.passed and max(mode.effective_mass for mode in check.modes) < 1e-5
    wrong = replace(turned, effective=replace(turned.effective, participation=1.1 * factors))
    check = ts.modes(mystran(tmp_path / "b.f06", shapeless(wrong)), units="SI", deck=bar).supplier.verification
    assert any("effective mass" in text for text in check.breaches)
