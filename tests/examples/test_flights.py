"""Examples that fly: closed forms, published benchmarks, reference cases, conservation."""

import pytest
from support.corpus import needs_corpus, reference_case
from support.examples import example, numbers


@pytest.mark.parametrize("seconds", [8.0, pytest.param(600.0, marks=pytest.mark.slow)])
def test_typical_spacecraft_keeps_its_momentum(seconds):
    """TR 32-1576 Fig. 1: six substructures, one massless, 6 + n + rotors + modes coordinates, momentum to 1e-9."""
    found = example("02_fig1_spacecraft").main(duration=seconds)
    assert found["substructures"] == 6 and found["massless bodies"] == 1 and found["modes"] == 30
    assert found["degrees of freedom"] == found["6 + n + rotors + modes"] == 6 + 5 + 3 + 30
    assert found["complete"] and found["seconds flown"] == pytest.approx(seconds)
    assert found["drift of angular momentum"] < 1e-9
    assert found["drift of momentum"] < 1e-9
    assert found["energy balance"] < 1e-9
    assert found["largest wing tip deflection (m)"] > 1e-3  # something moved


def test_manipulator_obeys_the_equations_of_the_paper():
    """Motion variables paper, Tables 1 and 2: u2' and the hinge rates by the inertial rates of the bodies."""
    found = numbers("04_manipulator")
    assert found["degrees of freedom without translation"] == 9
    assert found["largest u2' (rad/s2)"] > 0.01
    assert found["u2' against the paper (rad/s2)"] < 1e-12
    assert found["rates against Table 1 (rad/s)"] < 1e-12
    assert max(found[f"{word} balance"] for word in ("energy", "momentum", "angular momentum")) < 1e-9


def test_nutation_damper_takes_what_the_linear_model_says():
    """Pole of three equations by hand, of the linear model, and decay of the flown angle; energy sink within its order."""
    found = numbers("05_dual_spin")
    by_hand = found["decay by hand (1/s)"]
    assert found["decay of the linear model (1/s)"] == pytest.approx(by_hand, rel=1e-6)
    assert found["nutation frequency, linear model (rad/s)"] == pytest.approx(
        found["nutation frequency by hand (rad/s)"], rel=1e-8
    )
    assert found["decay of the run (1/s)"] == pytest.approx(by_hand, rel=5e-3)
    assert found["energy sink estimate (1/s)"] == pytest.approx(by_hand, rel=0.15)
    assert found["growth of a minor-axis spinner (1/s)"] > 1e-4
    assert found["growth of a major-axis spinner (1/s)"] < -1e-4
    assert found["angular momentum balance"] < 1e-9 and found["energy balance"] < 1e-9
    assert found["energy lost (J)"] > 0.01


@needs_corpus
def test_spinner_has_the_frequencies_of_the_reference_case():
    """Wobble with antisymmetric flap of two beams on a free hub: independent solution, to 1e-4."""
    found = numbers("06_spinner")
    rows = {row["Omega"]: row["freq"] for row in reference_case("case6_spinning")["wobble_vehicle"]["table"]}
    for spin in example("06_spinner").SPINS:
        ours = [v for key, v in found.items() if key.startswith(f"spin {spin} ")]
        for value in rows[spin]:
            assert min(abs(mine / value - 1) for mine in ours) < 1e-4, (spin, value)


def test_spinner_topples_beyond_the_critical_spin():
    """Second variation of energy at fixed momentum: k/W² = 2c²/(I3 - I2) - c; below it the axis stays, above it leaves."""
    found = numbers("06_spinner")
    closed = found["critical spin, closed form (rad/s)"]
    assert closed == pytest.approx((9.0 / 5.0) ** 0.5)
    assert found["critical spin, linear model (rad/s)"] == pytest.approx(closed, rel=2e-4)
    assert found["tilt at 0.9 of critical (deg)"] < 0.2
    assert found["tilt at 1.1 of critical (deg)"] > 1.0
    assert max(found[f"angular momentum balance at {s}"] for s in (0.9, 1.1)) < 1e-9


@pytest.mark.slow
def test_shaped_slew_leaves_the_wings_quiet():
    """Both slews turn the craft alike (the shaper has unit sum); shaping removes at least 95 % of the ringing."""
    found = numbers("07_two_wing_slew")
    assert found["slew, shaped (deg)"] == pytest.approx(found["slew, bang-bang (deg)"], rel=1e-3)
    assert found["ringing after bang-bang (mm)"] > 1.0
    assert found["ringing after shaping (mm)"] < 0.05 * found["ringing after bang-bang (mm)"]
    assert found["rigid-body modes"] == 6
    assert found["angular momentum balance"] < 1e-9 and found["energy balance"] < 1e-9


def test_spin_up_of_the_beam():
    """Published benchmark: -0.574 m near 6.76 s (elastica: -0.57375 m, tests/support/finite_elastica.py); without stiffening
    beyond its length at 9.2 s, warned long before. A field of second degree errs by third: 1.5 (w/L)² of the deflection w.
    """
    found = numbers("08_spin_up")
    assert found["largest tip deflection (m)"] == pytest.approx(-0.57375, rel=1.5 * 0.057375**2)
    assert found["at (s)"] == pytest.approx(6.76, abs=0.05)
    assert found["warnings with stiffening"] == 0
    assert found["without stiffening, tip beyond its length at (s)"] == pytest.approx(9.2, abs=0.1)
    assert found["warned from (s)"] < found["without stiffening, tip beyond its length at (s)"] - 5.0
    assert found["tip at the end (m)"] < 0.01


@pytest.mark.slow
def test_three_panels_unfold_and_are_latched():
    """From rest without momentum: a latch of rigid panels loses exactly what the springs gave, and nothing turns afterward."""
    found = numbers("12_deployment")
    assert found["lost in the latch, rigid (J)"] == pytest.approx(found["energy of the springs (J)"], rel=1e-7)
    assert found["rate of the bus after the latch, rigid (rad/s)"] < 1e-10
    assert 0.0 < found["lost in the latch, flexible (J)"] < 0.9 * found["energy of the springs (J)"]
    assert found["root torque after the latch (N m)"] > 10.0 * found["root torque before the latch (N m)"]
    assert found["energy balance"] < 1e-8 and found["momentum balance"] < 1e-10
    assert found["gap of the cables (rad)"] < 1e-8


@pytest.mark.slow
def test_a_marble_on_a_turntable_closes_its_path_and_drifts_along_the_level():
    """Closed forms: 2/7 of the rate of the table; drift 5/2 g sin(angle)/rate."""
    found = numbers("13_rolling")
    assert found["gap of the path after 7/2 turns (m)"] < 1e-9 and found["diameter of the circle (m)"] > 0.1
    assert found["drift after 7 turns, across (m)"] == pytest.approx(found["by the closed form (m)"], rel=1e-8)
    assert abs(found["drift after 7 turns, downhill (m)"]) < 1e-8
    assert found["energy balance"] < 1e-9 and found["largest drift of the contact (m)"] < 1e-8


@pytest.mark.slow
def test_jitter_of_a_wheel_by_run_and_linear_model():
    """Steady amplitudes at four speeds agree; a spin-up is loudest just after it has passed a mode."""
    found = numbers("14_jittering_wheel")
    assert found["largest gap between run and linear model"] < 5e-3
    loudest, mode = found["loudest speed of the spin-up (Hz)"], found["nearest mode of the craft (Hz)"]
    assert mode < loudest < mode + 1.5
    assert found["peak rate of the spin-up (urad/s)"] == pytest.approx(
        found["predicted peak of the scan (urad/s)"], rel=0.25
    )
    assert found["energy balance of the spin-up"] < 1e-9


def test_the_place_of_a_tank_decides_whether_slosh_grows():
    """Poles of three equations by hand: those of the linear model, and the growth of the flown swing (of 2 to 7 degrees)."""
    found = numbers("15_slosh")
    assert found["largest gap between hand and linear model (1/s)"] < 1e-9
    for name in ("low", "high"):
        by_hand = found[f"growth by hand, tank {name} (1/s)"]
        assert found[f"growth of the swing, tank {name} (1/s)"] == pytest.approx(by_hand, rel=1e-2)
        assert found[f"energy balance, tank {name}"] < 1e-9
    assert found["growth by hand, tank low (1/s)"] < -0.01 and found["growth by hand, tank high (1/s)"] > 0.01


@pytest.mark.slow
def test_flight_software_estimates_as_well_as_theory_allows():
    """3000 errors of three axes, correlated over some 10 samples: 10 % of the deviation that the Riccati equation gives."""
    found = numbers("16_flight_software")
    assert found["estimation error (urad)"] == pytest.approx(found["by the Riccati equation (urad)"], rel=0.1)
    assert found["estimation error (urad)"] < 0.5 * found["star tracker alone (urad)"]
    assert found["pointing error (urad)"] < 100.0 and found["largest motor torque (N m)"] < 0.2
    assert found["estimated bias x (urad/s)"] == pytest.approx(30.0, abs=10.0)
    assert found["largest violation of a balance"] < 1e-9


def test_the_uncertain_satellite_keeps_its_promises():
    """A hold delays by half a step and the inputs by 70 ms: 95 ms at a slow frequency; ranges of 12 % move the first mode so far.

    The linear fractional form is compared with the rebuilt satellite when it is made (1e-8).
    """
    found = numbers("18_uncertain_satellite")
    assert found["delay seen at 0.3 Hz, sampled (s)"] == pytest.approx(0.07 + 0.025, rel=1e-3)
    low, high = found["lowest first flexible mode (Hz)"], found["highest first flexible mode (Hz)"]
    assert 1.15 < high / low < 1.12 / 0.88 and found["steps are stable in the sampler"] == 1.0
    assert found["size of Delta"] == 2 * (6 + 3 * 5)
