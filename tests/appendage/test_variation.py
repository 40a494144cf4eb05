"""Records varied by a method: what changes, what stays, against records made from varied structures."""

import numpy as np
import pytest
from support.appendages import random_bodies

import tisserand as ts

L, MU, EI = 2.0, 1.2, 80.0


def record(EI=EI, mu=MU, **options):
    model = ts.boom(
        L, ts.rigidities((EI, 3 * EI), mu, polar_inertia=1e-4 * mu / MU), elements=12, tip_mass=0.5 * mu / MU
    )
    model = model.with_point("middle", (1.0, 0, 0))
    basis = ts.solve_modes(ts.assemble(model), count=5)
    return ts.reduce(basis, attachment="root", geometric=["tip"], **{"damping": 0.01, **options})


def same(a, b, rtol=1e-9):
    np.testing.assert_allclose(a.stiffness, b.stiffness, rtol=rtol, atol=1e-9 * np.abs(b.stiffness).max())
    np.testing.assert_allclose(a.damping, b.damping, rtol=rtol, atol=1e-9 * np.abs(b.damping).max())
    inertial = "inertia translation rotation position_shape shape_shape modal_mass turn_first turn_second"
    for word in inertial.split():
        x, y = getattr(a.integrals, word), getattr(b.integrals, word)
        np.testing.assert_allclose(x, y, rtol=rtol, atol=1e-8 * max(np.abs(y).max(), 1e-6), err_msg=word)
    for name in b.recovery:
        np.testing.assert_allclose(
            a.recovery[name], b.recovery[name], atol=1e-7 * np.abs(b.recovery[name]).max(), err_msg=name
        )
    for name in b.geometric_stiffness:
        y = b.geometric_stiffness[name]
        np.testing.assert_allclose(a.geometric_stiffness[name], y, atol=1e-6 * max(np.abs(y).max(), 1e-3), err_msg=name)


def test_frequency_scale_is_a_stiffer_structure():
    """All rigidities times 1.21: frequencies times 1.1, same shapes, elastic forces times 1.21."""
    same(record().varied(frequency_scale=1.1), record(EI=1.21 * EI))


def test_mass_scale_is_a_heavier_and_stiffer_structure():
    """Mass and rigidity times 1.5 leave frequencies and shapes as functions; unit-mass shapes are renormalized."""
    heavy = record(EI=1.5 * EI, mu=1.5 * MU)
    same(ts.normalized(record().varied(mass_scale=1.5), "mass"), heavy)
    assert record().varied(mass_scale=1.5).mass == pytest.approx(1.5 * record().mass, rel=1e-12)


def test_each_mode_by_itself():
    before = record()
    factors = {before.mode_names[2]: 0.9}
    after = before.varied(frequency_scale=factors)
    ratio = after.frequencies_hz / before.frequencies_hz
    np.testing.assert_allclose(ratio, [1, 1, 0.9, 1, 1], rtol=1e-12)
    np.testing.assert_allclose(after.damping_ratios, before.damping_ratios, rtol=1e-12)
    np.testing.assert_array_equal(after.integrals.rigid_mass, before.integrals.rigid_mass)


def test_damping_is_replaced():
    after = record().varied(frequency_scale=1.3, damping=0.004)
    np.testing.assert_allclose(after.damping_ratios, 0.004, rtol=1e-9)
    each = [0.01, 0.02, 0.03, 0.04, 0.05]
    np.testing.assert_allclose(record().varied(damping=each).damping_ratios, each)


def test_shape_gain_scales_what_is_seen_and_what_couples():
    before = record()
    g = np.array([0.9, 1.0, 0.8, 1.0, 0.95])
    after = before.varied(shape_gain=g)
    np.testing.assert_allclose(after.integrals.coupling, before.integrals.coupling * g, rtol=1e-12)
    np.testing.assert_allclose(after.interface("tip").translation, before.interface("tip").translation * g, rtol=1e-12)
    np.testing.assert_array_equal(after.integrals.modal_mass, before.integrals.modal_mass)
    np.testing.assert_array_equal(after.integrals.rigid_mass, before.integrals.rigid_mass)
    np.testing.assert_allclose(after.frequencies_hz, before.frequencies_hz, rtol=1e-12)
    assert max(after.integrals.identity_errors().values()) < 1e-9
    assert after.sources == ()


def test_a_gain_beyond_the_mass_is_refused():
    """The share that is left in any direction is at least 1 - g², since the modes carry no more than the whole mass."""
    with pytest.raises(ts.InputError, match="negative rigid-body mass") as refused:
        record().varied(shape_gain=1.5)
    share = float(str(refused.value.found).split(" %")[0])
    assert -125.0 - 1e-9 <= share < 0.0


def test_provenance_tells_and_the_file_keeps_it(tmp_path):
    after = record().varied(frequency_scale=1.1, name="stiff").varied(damping=0.004)
    ts.save_record(after, tmp_path / "r.h5")
    again = ts.load_record(tmp_path / "r.h5")
    assert [entry["frequency_scale"][0] for entry in again.provenance["varied"]] == [1.1, 1.0]
    assert again.name == "stiff"


def test_a_varied_record_flies():
    hub = ts.Body("hub", 10.0, inertia=[2, 3, 4])
    after = record().varied(frequency_scale=0.8, shape_gain=0.9, mass_scale=1.2)
    craft = ts.Vehicle("craft", [hub], appendages=[ts.MountedAppendage("boom", after, "hub")])
    run = ts.simulate(craft, 3.0, ts.State(angular_velocity=[0.01, 0.1, 0.2]))
    assert run.complete and max(run.balance.worst().values()) < 1e-7


@pytest.mark.parametrize(
    "options, words",
    [
        ({"frequency_scale": 0.0}, "found 0, 0, 0, expected a factor from"),
        ({"frequency_scale": 1e200}, "frequency_scale is out of range"),
        ({"shape_gain": 1e-200}, "shape_gain is out of range"),
        ({"mass_scale": 1e90}, "mass_scale is out of range"),
        ({"damping": 1.0}, "expected at least 0 and below 1"),
        ({"damping": [0.1, 0.1, 0.1, 0.1, 0.1, 2.0]}, "expected at least 0 and below 1"),
        ({"frequency_scale": [1.0, 2.0]}, "one per mode"),
        ({"frequency_scale": {"mode 99": 1.0}}, "does not exist"),
        ({"mass_scale": -1.0}, "found -1, expected a factor"),
        ({"damping": -0.1}, "at least 0"),
        ({"shape_gain": np.nan}, "found nan"),
    ],
)
def test_refusals_say_what_is_wrong(options, words):
    with pytest.raises(ts.InputError, match=words):
        record().varied(**options)


def test_every_integral_over_mass_scales_with_it():
    """A body that turns has second-degree integrals, and all of them are proportional to mass; its mass center is not."""
    from dataclasses import fields

    turning = random_bodies(4)
    heavy = turning.varied(mass_scale=1.5).integrals
    assert turning.integrals.turn_shape is not None
    for item in fields(heavy):
        meant = np.asarray(getattr(turning.integrals, item.name)) * (1.0 if item.name == "center" else 1.5)
        np.testing.assert_allclose(getattr(heavy, item.name), meant, rtol=1e-14, err_msg=item.name)
