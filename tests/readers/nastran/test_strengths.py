"""What a deck says for stresses: strengths of MAT1 and MAT8, failure theory and bond strength of PCOMP, fibers of PSHELL."""

import pytest

from tisserand.assembly import assemble
from tisserand.readers.registry import read_model
from tisserand.statics import nodal_loads, ply_stresses, solve_static

DECK = """SOL 103
CEND
SPC = 1
BEGIN BULK
GRID,1,,0.,0.,0.
GRID,2,,1000.,0.,0.
GRID,3,,1000.,100.,0.
GRID,4,,0.,100.,0.
GRID,5,,2000.,0.,0.
GRID,6,,2000.,100.,0.
CQUAD4,1,4,1,2,3,4
CQUAD4,2,3,2,5,6,3
PSHELL,3,1,2.,1,8.,1
,-3.,3.
PCOMP,4,-1.,,30.,TSAI
,8,1.,0.,,8,1.,90.
MAT1,1,70000.,,0.,2.7-9
,400.,300.,200.
MAT8,8,140000.,10000.,0.,5000.,5000.,3500.,1.6-9
,,,,1500.,1200.,50.,250.,70.
,,-1.-6
SPC1,1,123456,1,4
ENDDATA
"""


@pytest.fixture
def deck(tmp_path):
    def read(text=DECK):
        (tmp_path / "deck.bdf").write_text(text)
        return read_model(tmp_path / "deck.bdf", units="mm-t-s")

    return read


def test_strengths_and_theory_in_si(deck):
    model = deck()
    plate, layers = (next(s for s in model.sections if s.id == number) for number in (3, 4))
    limits = layers.plies[0].material.strengths
    values = (limits.tension_1, limits.compression_1, limits.tension_2, limits.compression_2, limits.shear_12)
    assert values == pytest.approx((1500e6, 1200e6, 50e6, 250e6, 70e6))
    assert limits.interaction == pytest.approx(-1e-18)
    assert (layers.failure_theory, layers.bond_strength) == ("tsai-wu", pytest.approx(30e6))
    assert plate.fibers == pytest.approx((-3e-3, 3e-3)) and plate.bending_ratio == 8.0
    assert plate.plies[0].material.strengths.compression_2 == pytest.approx(300e6)


def test_stresses_of_the_deck(deck):
    """Moment at the tip: M z/I at the fibers of the plate, I = 8 t³/12 per width; compression counts against SC."""
    body = assemble(deck())
    moment = solve_static(body, nodal_loads(body, {5: (0, 0, 0, 0, 0.5, 0), 6: (0, 0, 0, 0, 0.5, 0)})).displacement[
        :, 0
    ]
    plate = next(s for s in ply_stresses(body, moment) if s.section.id == 3)
    bending = 1.0 / 0.1 * 3e-3 / (8 * 2e-3**3 / 12)
    assert plate.stress[0, 0, :, 0] == pytest.approx([-bending, 0, bending], rel=1e-6, abs=1.0)
    assert plate.failure_index("max stress")[0, 0, 0] == pytest.approx(-plate.stress[0, 0, 0, 0] / 300e6)


def test_strain_limits_and_unknown_theories(deck):
    """STRN = 1 states strains; a theory that is not offered is told in the ledger, not lost."""
    strains = DECK.replace("1500.,1200.,50.,250.,70.", ".01,.008,.005,.02,.02").replace(",,-1.-6", ",,,1.")
    layers = next(s for s in deck(strains).sections if s.id == 4)
    limits = layers.plies[0].material.strengths
    assert (limits.tension_1, limits.compression_2, limits.shear_12) == pytest.approx((1400e6, 200e6, 100e6))
    odd = deck(DECK.replace("TSAI", "STRN"))
    assert next(s for s in odd.sections if s.id == 4).failure_theory == ""
    entry = next(e for e in odd.ledger.entries if e.card == "PCOMP")
    assert entry.fate == "approximated" and "STRN" in entry.reason
