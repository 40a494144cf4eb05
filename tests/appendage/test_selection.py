"""Mode selection: every mode has a reason; values against python-control and directly computed responses."""

import numpy as np
import pytest
from appendage.hand_built import bodies_on_springs, dense_basis

from tisserand.appendage import (
    ByAccuracy,
    ByBalancedValue,
    ByCompleteness,
    ByEffectiveMass,
    ByFrequency,
    ByModalCost,
    balanced_values,
    combined,
    error_curve,
    keep_modes,
    modal_cost,
    modal_response,
    mode_table,
    reduce,
    select,
    static_gap,
)
from tisserand.errors import InputError, ModelError

control = pytest.importorskip("control")


@pytest.fixture(scope="module")
def wing():
    return reduce(dense_basis(bodies_on_springs(), held=(0,)), damping=0.01, interfaces={"sensor": 14})


def state_space(appendage, mode):
    """One mode from force x at tip to displacement y at sensor."""
    one = keep_modes(appendage, [mode])
    w = 2 * np.pi * one.frequencies_hz[0]
    b, c = one.interface("tip").translation[0], one.interface("sensor").translation[1]
    A = [[0.0, 1.0], [-(w**2), -2 * 0.01 * w]]
    return control.ss(A, [[0.0], [b[0]]], [[c[0], 0.0]], [[0.0]])


def test_modal_cost_and_balanced_values_are_those_of_the_gramians(wing):
    """One lightly damped mode: cost = trace C Wc C', balanced value = Hankel singular value to order zeta."""
    cost = modal_cost(wing, ["tip:x"], ["sensor:y"])
    value = balanced_values(wing, ["tip:x"], ["sensor:y"])
    for mode in (0, 3, 9):
        system = state_space(wing, mode)
        Wc = control.lyap(system.A, system.B @ system.B.T, method="scipy")
        Wo = control.lyap(system.A.T, system.C.T @ system.C, method="scipy")
        assert cost[mode] == pytest.approx((system.C @ Wc @ system.C.T).item(), rel=1e-6)
        hankel = np.sqrt(np.linalg.eigvals(Wc @ Wo).real.max())
        assert value[mode] == pytest.approx(hankel, rel=0.02)


def test_the_response_of_all_modes_is_that_of_the_full_matrices(wing):
    """Direct solve of (Ke - w² Me + i w De) and, for the base, of the free-body equations."""
    hz = np.array([0.05, 0.3, 1.0])
    seen = modal_response(wing, ["tip:x", "base:rz"], ["sensor:y", "sensor:y acceleration", "base:rz"])
    found = seen.response(hz)
    q = wing.integrals
    tip, sensor = wing.interface("tip").translation[0], wing.interface("sensor").translation[1]
    for i, f in enumerate(hz):
        w = 2 * np.pi * f
        Z = wing.stiffness - w**2 * q.modal_mass + 1j * w * wing.damping
        eta_tip, eta_base = np.linalg.solve(Z, tip), np.linalg.solve(Z, -q.rotation[2])
        assert found[i, 0, 0] == pytest.approx(sensor @ eta_tip)
        assert found[i, 1, 0] == pytest.approx(-(w**2) * (sensor @ eta_tip))
        assert found[i, 2, 1] == pytest.approx(q.inertia[2, 2] - w**2 * (q.rotation[2] @ eta_base))
        assert found[i, 2, 0] == pytest.approx(-(w**2) * (q.rotation[2] @ eta_tip))


def test_every_mode_has_a_reason_and_the_record_keeps_it(wing):
    chosen = select(wing, ByFrequency(1.0), ByEffectiveMass(0.05), keep=["mode 20"], drop=[0])
    assert all(chosen.reasons) and len(chosen.reasons) == wing.count
    assert 0 not in chosen.kept and 19 in chosen.kept
    assert "kept by the user" in chosen.reasons[19] and "dropped by the user" in chosen.reasons[0]
    dossier = chosen.appendage.reports["selection"]
    assert len(dossier["modes"]) == wing.count and [m["kept"] for m in dossier["modes"]].count(True) == len(chosen.kept)
    assert chosen.appendage.count == len(chosen.kept)
    assert len(chosen.rows()) == wing.count


def test_completeness_reaches_its_target_with_few_modes(wing):
    chosen = select(wing, ByCompleteness(0.9))
    running = mode_table(chosen.appendage).running_fraction[-1]
    assert running.min() >= 0.9
    for mode in range(chosen.appendage.count):  # none is superfluous
        rest = keep_modes(chosen.appendage, [m for m in range(chosen.appendage.count) if m != mode])
        if mode_table(rest).running_fraction[-1].min() >= 0.9:
            pytest.fail(f"mode {mode} was not needed")


def test_accuracy_selection_meets_its_error_and_needs_what_it_keeps(wing):
    band = float(wing.frequencies_hz[7])
    for channels in ({}, {"actuators": ("tip:x",), "sensors": ("sensor:y", "tip:rx")}):
        wish = ByAccuracy(band, 0.03, **channels)
        chosen = select(wing, wish)
        numbers = chosen.reports[0]["numbers"]
        assert numbers["worst_error"] <= 0.03 < numbers["worst_error_without_static_residual"] + 1.0
        assert 0 < len(chosen.kept) < wing.count
        curve = error_curve(wing, chosen.kept, wish)
        assert curve.corrected.max() <= 0.03 and curve.frequencies_hz.max() <= band
        for mode in chosen.kept:
            fewer = [m for m in chosen.kept if m != mode]
            worst = error_curve(wing, fewer, wish).corrected.max()
            in_band = wing.frequencies_hz[mode] <= band
            assert worst > 0.03 or not in_band or worst > 0.5 * 0.03
    stricter = select(wing, ByAccuracy(band, 0.003))
    looser = select(wing, ByAccuracy(band, 0.3))
    assert len(stricter.kept) >= len(looser.kept)


def test_the_static_residual_improves_a_response_below_the_dropped_modes(wing):
    wish = ByAccuracy(float(wing.frequencies_hz[2]), 0.05, ("tip:x",), ("tip:x",))
    kept = np.arange(6)
    curve = error_curve(wing, kept, wish)
    assert curve.corrected.max() < 0.2 * curve.bare.max()


def test_the_static_gap_of_a_record_closes_with_all_modes():
    """sum c b / w² over all modes is c K^-1 b, forces at interfaces and accelerations of the base alike."""
    basis = dense_basis(bodies_on_springs(), held=(0,))
    full = reduce(basis, interfaces={"sensor": 14})
    request = (["tip:x", "sensor:rz", "base:y", "base:rx"], ["sensor:y", "tip:rx"])
    gap = static_gap(basis, full, *request)
    assert gap.relative < 1e-9
    few = keep_modes(full, range(8))
    lacking = static_gap(basis, few, *request)
    assert lacking.relative > 1e-4
    assert np.allclose(lacking.modal + lacking.residual, gap.exact)


def test_wrong_requests_are_refused(wing):
    with pytest.raises(InputError, match="at least one criterion"):
        select(wing)
    with pytest.raises(InputError, match="no mode above"):
        select(wing, ByAccuracy(1e6))
    with pytest.raises(ModelError, match="unknown interface"):
        select(wing, ByModalCost(("nose:x",), ("tip:x",)))
    with pytest.raises(InputError, match="NAME:COMPONENT"):
        modal_cost(wing, ["tip"], ["tip:x"])
    with pytest.raises(InputError, match="acceleration"):
        modal_cost(wing, ["tip:x"], ["tip:x acceleration"])
    mixed = combined(wing, np.random.default_rng(0).normal(size=(wing.count, wing.count)))
    with pytest.raises(InputError, match="natural"):
        select(mixed, ByBalancedValue(("tip:x",), ("tip:x",)))
